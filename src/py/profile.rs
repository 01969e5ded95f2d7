//! `revcap.CapabilityProfile`: one shared object per known revision and reading.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple, PyType};

use super::enums::{Member, unknown};
use super::feature::reading;
use super::policy::{cut, no_choice, word};
use crate::profile::{self, Unknown};
use crate::table::{Era, Feature, Reading, Revision};

/// What the revision of a session or a request permits; never what a server has switched on.
///
/// It comes from resolve_capability_profile. Each field is a member descriptor, read without a call.
#[pyclass(frozen, module = "revcap")]
pub(super) struct CapabilityProfile {
    /// The version, letter for letter as it was given.
    #[pyo3(get)]
    protocol_version: Py<PyString>,
    /// Each request carries its own context: no handshake is needed and any node may answer.
    #[pyo3(get)]
    is_stateless: Py<PyBool>,
    /// The completions capability may be published and completion/complete asked.
    #[pyo3(get)]
    supports_completions: Py<PyBool>,
    /// The server may ask the client's user for input while a request runs.
    #[pyo3(get)]
    supports_elicitation: Py<PyBool>,
    /// A progress notification may carry a text; otherwise the number goes alone.
    #[pyo3(get)]
    supports_progress_message: Py<PyBool>,
    /// resources.subscribe may be published, so that a client may subscribe.
    #[pyo3(get)]
    supports_resource_subscriptions: Py<PyBool>,
    /// A sampling request carries tools and toolChoice; otherwise both are left out.
    #[pyo3(get)]
    supports_sampling_tools: Py<PyBool>,
    /// A tool result may carry structuredContent; otherwise it is text alone and the structured handler never runs.
    #[pyo3(get)]
    supports_structured_content: Py<PyBool>,
    /// Tasks may be published and a request answered with a task; otherwise it is answered at once.
    #[pyo3(get)]
    supports_tasks: Py<PyBool>,

    pub(super) core: profile::CapabilityProfile,
    features: PyOnceLock<Py<PyAny>>,
}

/// The fields in the record's order.
const FIELDS: [(&str, Feature); 8] = [
    ("is_stateless", Feature::STATELESS),
    ("supports_completions", Feature::COMPLETIONS),
    ("supports_elicitation", Feature::ELICITATION),
    ("supports_progress_message", Feature::PROGRESS_MESSAGE),
    ("supports_resource_subscriptions", Feature::RESOURCE_SUBSCRIPTIONS),
    ("supports_sampling_tools", Feature::SAMPLING_TOOLS),
    ("supports_structured_content", Feature::STRUCTURED_CONTENT),
    ("supports_tasks", Feature::TASKS),
];

impl CapabilityProfile {
    fn new(py: Python<'_>, protocol_version: Py<PyString>, core: profile::CapabilityProfile) -> Self {
        let field = |value: bool| PyBool::new(py, value).to_owned().unbind();
        Self {
            protocol_version,
            is_stateless: field(core.is_stateless()),
            supports_completions: field(core.supports_completions()),
            supports_elicitation: field(core.supports_elicitation()),
            supports_progress_message: field(core.supports_progress_message()),
            supports_resource_subscriptions: field(core.supports_resource_subscriptions()),
            supports_sampling_tools: field(core.supports_sampling_tools()),
            supports_structured_content: field(core.supports_structured_content()),
            supports_tasks: field(core.supports_tasks()),
            core,
            features: PyOnceLock::new(),
        }
    }

    /// The one object of a known revision.
    pub(super) fn of(py: Python<'_>, revision: Revision, reading: Reading) -> PyResult<Py<Self>> {
        static KNOWN: PyOnceLock<Vec<Py<CapabilityProfile>>> = PyOnceLock::new();
        let known = KNOWN.get_or_try_init(py, || {
            let readings = Reading::ALL.iter().copied();
            let each = readings.flat_map(|reading| Revision::ALL.iter().map(move |revision| (*revision, reading)));
            each.map(|(revision, reading)| {
                let text = PyString::intern(py, revision.as_str()).unbind();
                Py::new(py, Self::new(py, text, profile::CapabilityProfile::of(revision, reading)))
            })
            .collect::<PyResult<_>>()
        })?;
        Ok(known[reading as usize * Revision::COUNT + revision.index()].clone_ref(py))
    }
}

/// What a protocol version permits.
///
/// Args:
///     version: The version that a handshake settled or a request carries.
///     unknown: What a string that is no known revision gets: "conservative", a profile with every field false;
///         "nearest", for a date the features of the newest known revision that is not after it, else as conservative;
///         "error".
///     schema_exact: The official schemas' reading where the record has another: subscriptions before 2025-06-18,
///         tasks at 2026-07-28.
///
/// Returns:
///     One shared object for each known revision.
///
/// Raises:
///     UnknownRevisionError: unknown is "error" and version is no known revision.
///     RevcapError: unknown is none of the three.
///     TypeError: version is not a string.
#[pyfunction]
#[pyo3(signature = (version, *, unknown = "conservative", schema_exact = false))]
pub(super) fn resolve_capability_profile(
    version: &Bound<'_, PyString>,
    #[pyo3(from_py_with = word)] unknown: &str,
    schema_exact: bool,
) -> PyResult<Py<CapabilityProfile>> {
    let policy = match unknown {
        "conservative" => Unknown::Conservative,
        "nearest" => Unknown::Nearest,
        "error" => Unknown::Error,
        other => return Err(no_choice("unknown", "'conservative', 'nearest' or 'error'", other)),
    };
    match version.to_str().ok().and_then(|text| Revision::parse(text.as_bytes())) {
        Some(revision) => CapabilityProfile::of(version.py(), revision, reading(schema_exact)),
        None => of_unknown(version, policy, reading(schema_exact)),
    }
}

#[cold]
fn of_unknown(version: &Bound<'_, PyString>, policy: Unknown, reading: Reading) -> PyResult<Py<CapabilityProfile>> {
    let py = version.py();
    let text = version.to_string_lossy();
    let Ok(core) = profile::resolve_capability_profile(&text, policy, reading) else { return Err(unknown(version)) };
    // A subclass of str may say anything of itself; the text alone is kept.
    let plain = PyType::new::<PyString>(py).call_method1("__str__", (version,))?;
    Py::new(py, CapabilityProfile::new(py, plain.cast_into::<PyString>()?.unbind(), core))
}

/// What a profile is pickled as: the arguments that give it again.
type Pickled = (Py<PyString>, &'static str, bool);

/// A profile that was pickled.
#[pyfunction]
pub(super) fn restore_profile(
    version: &Bound<'_, PyString>,
    #[pyo3(from_py_with = word)] unknown: &str,
    schema_exact: bool,
) -> PyResult<Py<CapabilityProfile>> {
    resolve_capability_profile(version, unknown, schema_exact)
}

#[pymethods]
impl CapabilityProfile {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let mut names = vec!["protocol_version"];
        names.extend(FIELDS.map(|(name, _)| name));
        PyTuple::new(py, names)
    }

    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn py_new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(PyTypeError::new_err(
            "a CapabilityProfile is not filled in by hand: use resolve_capability_profile(version)",
        ))
    }

    /// The known revision whose features these are; None for an unknown version, unless the nearest stands in for it.
    #[getter]
    fn revision(&self) -> Option<Member<Revision>> {
        self.core.revision().map(Member)
    }

    /// The era of the revision; None where that is None.
    #[getter]
    fn era(&self) -> Option<Member<Era>> {
        self.core.era().map(Member)
    }

    /// Everything that the revision has, as one Feature.
    #[getter]
    fn features(&self, py: Python<'_>) -> PyResult<&Py<PyAny>> {
        self.features.get_or_try_init(py, || Ok(feature_class(py)?.call1((self.core.features().bits(),))?.unbind()))
    }

    /// Whether the revision has the feature, or all features of a set.
    ///
    /// Raises:
    ///     TypeError: feature is no Feature.
    fn supports(&self, feature: &Bound<'_, PyAny>) -> PyResult<bool> {
        let class = feature_class(feature.py())?;
        if !feature.get_type().is(class) {
            let name = feature.get_type().name()?;
            return Err(PyTypeError::new_err(format!("supports takes a revcap.Feature, not {name}")));
        }
        match feature.extract::<u128>() {
            Ok(bits) => Ok(self.core.supports(Feature::from_bits_retain(bits))),
            Err(error) if error.is_instance_of::<PyOverflowError>(feature.py()) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The nine fields under their names.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        fields.set_item("protocol_version", &self.protocol_version)?;
        for (name, feature) in FIELDS {
            fields.set_item(name, self.core.supports(feature))?;
        }
        Ok(fields)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.protocol_version.bind(py).to_string_lossy();
        let shown = PyString::new(py, &cut(&text, 64)).repr()?;
        let of = match self.core.revision() {
            Some(revision) if revision.as_str() != text => format!(", as {}", revision.as_str()),
            None => ", unknown".to_owned(),
            Some(_) => String::new(),
        };
        let exact = if self.core.reading() == Reading::SchemaExact { ", schema exact" } else { "" };
        let has: Vec<_> = FIELDS.iter().filter(|(_, feature)| self.core.supports(*feature)).collect();
        let has: Vec<_> =
            has.iter().map(|(name, _)| name.trim_start_matches("supports_").trim_start_matches("is_")).collect();
        let has = if has.is_empty() { "nothing".to_owned() } else { has.join(", ") };
        Ok(format!("<CapabilityProfile {shown}{of}{exact}: {has}>"))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.core == other.core && self.protocol_version.bind(py).as_any().eq(&other.protocol_version)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (&self.protocol_version, self.core.features().bits(), self.core.reading() as u8).into_pyobject(py)?.hash()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let unknown = if self.core.revision().is_some() { "nearest" } else { "conservative" };
        let restore = py.import("revcap._core")?.getattr("restore_profile")?;
        let exact = self.core.reading() == Reading::SchemaExact;
        Ok((restore, (self.protocol_version.clone_ref(py), unknown, exact)))
    }
}

fn feature_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "revcap", "Feature")
}
