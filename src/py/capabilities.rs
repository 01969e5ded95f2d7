//! `revcap.ClientCapabilities`.
#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyMappingProxy, PyTuple, PyType};

use super::enums::{Known, Member};
use super::errors::InvalidCapabilitiesError;
use super::json::{Source, from_mapping, to_dict, to_python};
use super::policy::cut;
use super::profile::CapabilityProfile;
use crate::capabilities::{self, InvalidCapabilities, Requirement};
use crate::json::Limits;
use crate::table::{ClientFeature, Revision};

/// What a client declared.
///
/// It comes from parse or from_dict. Immutable; the mappings that its members return are made anew.
#[pyclass(frozen, module = "revcap")]
pub(super) struct ClientCapabilities {
    pub(super) core: Arc<capabilities::ClientCapabilities>,
}

/// The name of what is read, in messages.
const CAPABILITIES: Source<'static> = Source::argument("capabilities");
/// A repr is cut after so many characters: the text is a client's.
const SHOWN: usize = 200;

impl ClientCapabilities {
    /// The view of capabilities that the core has read.
    pub(super) const fn of(core: Arc<capabilities::ClientCapabilities>) -> Self {
        Self { core }
    }

    fn member<'py>(&self, py: Python<'py>, flag: ClientFeature) -> PyResult<Option<Bound<'py, PyMappingProxy>>> {
        self.core.object(flag).map(|text| read_only(&to_dict(py, text)?)).transpose()
    }
}

/// A view of a dict that nobody else holds.
pub(super) fn read_only<'py>(dict: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyMappingProxy>> {
    Ok(PyMappingProxy::new(dict.py(), dict.cast::<PyMapping>()?))
}

/// Names with the texts of their values, as a dict.
pub(super) fn dict_of<'py, 't>(
    py: Python<'py>,
    members: impl Iterator<Item = (String, &'t [u8])>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, text) in members {
        dict.set_item(name, to_python(py, text)?)?;
    }
    Ok(dict)
}

#[cold]
fn invalid(fault: &InvalidCapabilities) -> PyErr {
    InvalidCapabilitiesError::new_err((fault.to_string(), fault.path()))
}

pub(super) fn client_feature_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "revcap", "ClientFeature")
}

/// An argument that is a `revcap.ClientFeature`, one flag or several.
#[derive(Clone, Copy)]
pub(super) struct Flags(pub(super) ClientFeature);

impl<'py> FromPyObject<'_, 'py> for Flags {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if !value.is_instance(client_feature_class(value.py())?)? {
            let name = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!("expected a revcap.ClientFeature, not {name}")));
        }
        // Bits beyond the flags are kept, so that no client has them.
        let bits = value.extract::<i64>().ok().and_then(|bits| u32::try_from(bits).ok()).unwrap_or(u32::MAX);
        Ok(Self(ClientFeature::from_bits_retain(bits)))
    }
}

/// The flags as a `revcap.ClientFeature`.
pub(super) fn to_flags(py: Python<'_>, flags: ClientFeature) -> PyResult<Bound<'_, PyAny>> {
    client_feature_class(py)?.call1((flags.bits(),))
}

/// An argument that says what a call needs: a `ClientFeature` or a `ClientCapabilities`.
pub(super) struct Required(pub(super) Requirement);

impl<'py> FromPyObject<'_, 'py> for Required {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(capabilities) = value.cast::<ClientCapabilities>() {
            return Ok(Self(Requirement::from(&*capabilities.get().core)));
        }
        if let Ok(Flags(flags)) = value.extract::<Flags>() {
            return Ok(Self(flags.into()));
        }
        let name = value.get_type().name()?;
        Err(PyTypeError::new_err(format!("expected a revcap.ClientFeature or revcap.ClientCapabilities, not {name}")))
    }
}

/// What capabilities are pickled as: the arguments that give them again.
type Pickled<'py> = (Bound<'py, PyBytes>, Option<&'static str>, Option<u32>);

/// Capabilities that were pickled.
#[pyfunction]
#[pyo3(signature = (text, revision, flags))]
pub(super) fn restore_client(text: &[u8], revision: Option<Known>, flags: Option<u32>) -> PyResult<ClientCapabilities> {
    let limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };
    let revision = revision.map(|Known(revision)| revision);
    let core = match flags {
        Some(bits) => capabilities::ClientCapabilities::of_features(ClientFeature::from_bits_truncate(bits)),
        None => capabilities::ClientCapabilities::parse_leniently(text, revision, limits).map_err(|it| invalid(&it))?,
    };
    Ok(ClientCapabilities::of(Arc::new(core)))
}

#[pymethods]
impl ClientCapabilities {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn py_new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(PyTypeError::new_err(
            "ClientCapabilities are read: use ClientCapabilities.parse(bytes) or .from_dict(dict)",
        ))
    }

    /// Reads the JSON text of a ClientCapabilities object.
    ///
    /// Args:
    ///     data: bytes or bytearray.
    ///     revision: Only paths of this revision are typed and give flags. None: those of every revision.
    ///
    /// Raises:
    ///     InvalidCapabilitiesError: data is no JSON object, says a key twice, or a known capability has a wrong type.
    ///     UnknownRevisionError: revision is none.
    ///     TypeError: data is no bytes.
    #[staticmethod]
    #[pyo3(signature = (data, revision = None))]
    fn parse(data: PyBackedBytes, revision: Option<Known>) -> PyResult<Self> {
        let revision = revision.map(|Known(revision)| revision);
        let core = capabilities::ClientCapabilities::parse(&data, revision).map_err(|it| invalid(&it))?;
        Ok(Self::of(Arc::new(core)))
    }

    /// Reads a mapping; what it holds is copied.
    ///
    /// Args:
    ///     mapping: What json.loads would give: str keys, and JSON values within 128 containers.
    ///     revision: As for parse.
    ///
    /// Raises:
    ///     InvalidCapabilitiesError: A known capability has a wrong type.
    ///     RevcapError: A value is NaN, infinite, no Unicode text, or nested too deeply.
    ///     TypeError: A value is not JSON.
    #[staticmethod]
    #[pyo3(signature = (mapping, revision = None))]
    fn from_dict(mapping: &Bound<'_, PyAny>, revision: Option<Known>) -> PyResult<Self> {
        let text = from_mapping(mapping, CAPABILITIES)?;
        let limits = Limits { max_depth: CAPABILITIES.max_depth, max_number_chars: usize::MAX };
        let revision = revision.map(|Known(revision)| revision);
        let core = capabilities::ClientCapabilities::parse_within(&text, revision, limits);
        Ok(Self::of(Arc::new(core.map_err(|it| invalid(&it))?)))
    }

    /// The revision it was read under; None: every revision.
    #[getter]
    fn revision(&self) -> Option<Member<Revision>> {
        self.core.revision().map(Member)
    }

    /// Everything declared that counts under that revision.
    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_flags(py, self.core.features())
    }

    /// The elicitation object; None where it is not declared.
    #[getter]
    fn elicitation<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMappingProxy>>> {
        self.member(py, ClientFeature::ELICITATION)
    }

    /// The roots object; None where it is not declared.
    #[getter]
    fn roots<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMappingProxy>>> {
        self.member(py, ClientFeature::ROOTS)
    }

    /// The sampling object; None where it is not declared.
    #[getter]
    fn sampling<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMappingProxy>>> {
        self.member(py, ClientFeature::SAMPLING)
    }

    /// The tasks object; None where it is not declared.
    #[getter]
    fn tasks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMappingProxy>>> {
        self.member(py, ClientFeature::TASKS)
    }

    /// The experimental capabilities that are objects, by name; None where none can be told.
    #[getter]
    fn experimental<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMappingProxy>>> {
        let any = self.core.names_known() && self.core.supports(ClientFeature::EXPERIMENTAL);
        any.then(|| read_only(&dict_of(py, self.core.experimental())?)).transpose()
    }

    /// The extensions whose settings are an object, by identifier; None where none can be told.
    #[getter]
    fn extensions<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMappingProxy>>> {
        self.core.has_extensions().then(|| read_only(&dict_of(py, self.core.extensions())?)).transpose()
    }

    /// The members that no revision knows.
    #[getter]
    fn extra<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        read_only(&dict_of(py, self.core.unknown())?)
    }

    /// Whether the feature, or every feature of a set, is declared.
    fn supports(&self, feature: Flags) -> bool {
        self.core.supports(feature.0)
    }

    /// The smallest capability object that would satisfy what is required and not declared; empty where nothing is
    /// missing.
    fn missing<'py>(&self, py: Python<'py>, required: Required) -> PyResult<Bound<'py, PyDict>> {
        self.core.missing(&required.0).map_or_else(|| Ok(PyDict::new(py)), |text| to_dict(py, &text))
    }

    /// What of it counts under a profile's revision; nothing under an unknown one.
    fn effective<'py>(&self, py: Python<'py>, profile: &CapabilityProfile) -> PyResult<Bound<'py, PyAny>> {
        let flags = profile.core.revision().map_or_else(ClientFeature::empty, |revision| self.core.effective(revision));
        to_flags(py, flags)
    }

    /// The object as a new dict: exactly as it was read or, with a revision, as a client of that revision would send
    /// it.
    #[pyo3(signature = (*, revision = None, legacy_extensions = true))]
    fn to_dict<'py>(
        &self,
        py: Python<'py>,
        revision: Option<Known>,
        legacy_extensions: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        match revision {
            None => to_dict(py, self.core.as_json()),
            Some(Known(revision)) => to_dict(py, &self.core.trimmed(revision, legacy_extensions)),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        if !self.core.names_known() {
            return Ok(format!("<ClientCapabilities of a session: {}>", to_flags(py, self.core.features())?.repr()?));
        }
        let text = to_dict(py, self.core.as_json())?.repr()?.to_string_lossy().into_owned();
        let shown = cut(&text, SHOWN);
        let revision = self.core.revision().map_or_else(String::new, |it| format!(", revision='{}'", it.as_str()));
        Ok(format!("ClientCapabilities.from_dict({shown}{revision})"))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.core == other.core
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let revision = self.core.revision().map(Revision::as_str);
        // Python's own hash of bytes is keyed, and the text is a client's.
        PyTuple::new(py, [PyBytes::new(py, &self.core.canonical()).into_any(), revision.into_pyobject(py)?.into_any()])?
            .hash()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let restore = py.import("revcap._core")?.getattr("restore_client")?;
        let flags = (!self.core.names_known()).then(|| self.core.features().bits());
        let text = PyBytes::new(py, self.core.as_json());
        Ok((restore, (text, self.core.revision().map(Revision::as_str), flags)))
    }
}
