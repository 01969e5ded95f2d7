//! `revcap.advertise` and `merge_capabilities`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping, PyString};

use super::errors::refused;
use super::feature::reading;
use super::identity::{ServerIdentity, object_of, text_of};
use super::json::{Source, from_python, to_dict, to_python};
use super::policy::no_choice;
use super::profile::CapabilityProfile;
use crate::advertise::{Implementation, Join, MergePolicy, ServerIdentity as Core};

/// A published object, ready made: its text, and a dict to copy.
pub(super) struct Published {
    text: Py<PyBytes>,
    dict: Prototype,
}

impl Published {
    pub(super) fn new(py: Python<'_>, text: &[u8]) -> PyResult<Self> {
        Ok(Self { text: PyBytes::new(py, text).unbind(), dict: Prototype::new(py, text)? })
    }
}

/// A dict of scalars and, apart, the values that a copy needs copies of.
struct Prototype {
    scalars: Py<PyDict>,
    containers: Vec<(Py<PyAny>, Container)>,
}

enum Container {
    Dict(Prototype),
    /// A list, which only settings hold; it is read from its text again.
    List(Box<[u8]>),
}

impl Prototype {
    fn new(py: Python<'_>, text: &[u8]) -> PyResult<Self> {
        let scalars = to_dict(py, text)?;
        let mut containers = Vec::new();
        for (key, value) in scalars.copy()? {
            if value.is_instance_of::<PyDict>() || value.is_instance_of::<PyList>() {
                let source = Source { name: "capabilities", max_depth: crate::json::Limits::DEEPEST };
                let text = from_python(&value, source)?;
                let container = if value.is_instance_of::<PyDict>() {
                    Container::Dict(Self::new(py, &text)?)
                } else {
                    Container::List(text.into())
                };
                scalars.set_item(&key, py.None())?; // keeps the place
                containers.push((key.unbind(), container));
            }
        }
        Ok(Self { scalars: scalars.unbind(), containers })
    }

    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.scalars.bind(py).copy()?;
        for (key, container) in &self.containers {
            match container {
                Container::Dict(prototype) => dict.set_item(key, prototype.copy(py)?)?,
                Container::List(text) => dict.set_item(key, to_python(py, text)?)?,
            }
        }
        Ok(dict)
    }
}

/// The ServerCapabilities object for a client of the profile's revision, as a new dict.
///
/// Args:
///     profile: What the client's revision permits. For an unknown version: what every revision has.
///     server: What is switched on.
///     schema_exact: The reading; None: the profile's.
///     legacy_extensions: Extensions go to the handshake revisions whose clients know them, too.
#[pyfunction]
#[pyo3(signature = (profile, server, *, schema_exact = None, legacy_extensions = true))]
pub(super) fn advertise<'py>(
    profile: &Bound<'py, CapabilityProfile>,
    server: &Bound<'py, ServerIdentity>,
    schema_exact: Option<bool>,
    legacy_extensions: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let (py, profile) = (profile.py(), &profile.get().core);
    let reading = schema_exact.map_or(profile.reading(), reading);
    server.get().published(py, profile.revision(), reading, legacy_extensions)?.dict.copy(py)
}

/// The same as JSON text, ready made.
#[pyfunction]
#[pyo3(signature = (profile, server, *, schema_exact = None, legacy_extensions = true))]
pub(super) fn advertise_json<'py>(
    profile: &Bound<'py, CapabilityProfile>,
    server: &Bound<'py, ServerIdentity>,
    schema_exact: Option<bool>,
    legacy_extensions: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, profile) = (profile.py(), &profile.get().core);
    let reading = schema_exact.map_or(profile.reading(), reading);
    let published = server.get().published(py, profile.revision(), reading, legacy_extensions)?;
    Ok(published.text.bind(py).clone())
}

/// What a client sees behind several servers.
///
/// Args:
///     upstreams: ServerIdentity objects or ServerCapabilities mappings, the most important first.
///     policy: "union": what any of them has; "intersection": what all have; or a mapping from the names of top
///         members to one of these, which leaves out what it does not name.
///     server: The gateway's own identity: its name and instructions, and its limits, which come last. None: no
///         limits.
///
/// Returns:
///     A ServerIdentity, to be given to advertise or Gate.
///
/// Raises:
///     RevcapError: policy is something else.
///     TypeError: An upstream is something else.
#[pyfunction]
#[pyo3(signature = (upstreams, policy = None, *, server = None), text_signature = "(upstreams, policy='union', *, server=None)")]
pub(super) fn merge_capabilities(
    upstreams: &Bound<'_, PyAny>,
    policy: Option<&Bound<'_, PyAny>>,
    server: Option<&Bound<'_, ServerIdentity>>,
) -> PyResult<ServerIdentity> {
    let mut servers = Vec::new();
    for upstream in upstreams.try_iter()? {
        let upstream = upstream?;
        if let Ok(server) = upstream.cast::<ServerIdentity>() {
            servers.push(server.get().core.clone());
        } else {
            let text = object_of("an upstream", Some(&upstream))?.unwrap_or_default();
            let nameless = Implementation::new("", "");
            servers.push(Core::from_capabilities(nameless, &text).map_err(refused)?);
        }
    }
    let policy = policy.map_or(Ok(MergePolicy::Every(Join::Union)), merge_policy)?;
    let gateway = Implementation::new("gw", "1.0");
    let merged = Core::merged(gateway, &servers, &policy);
    Ok(ServerIdentity::of(match server {
        Some(server) => merged.limited_to(&server.get().core),
        None => merged,
    }))
}

fn merge_policy(policy: &Bound<'_, PyAny>) -> PyResult<MergePolicy> {
    if policy.cast::<PyString>().is_ok() {
        return Ok(MergePolicy::Every(join(policy)?));
    }
    let Ok(names) = policy.cast::<PyMapping>() else {
        let name = policy.get_type().name()?;
        return Err(PyTypeError::new_err(format!("policy must be a str or a mapping, not {name}")));
    };
    let mut each = Vec::new();
    for member in names.items()? {
        let (name, value): (Bound<'_, PyString>, Bound<'_, PyAny>) = member.extract()?;
        each.push((text_of("policy", &name)?.into_boxed_str(), join(&value)?));
    }
    Ok(MergePolicy::Named(each))
}

fn join(value: &Bound<'_, PyAny>) -> PyResult<Join> {
    match value.cast::<PyString>()?.to_string_lossy().as_ref() {
        "union" => Ok(Join::Union),
        "intersection" => Ok(Join::Intersection),
        other => Err(no_choice("a policy", "'union' or 'intersection'", other)),
    }
}
