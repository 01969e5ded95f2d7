//! `revcap.deprecations` and what it lists.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyType};

use super::capabilities::ClientCapabilities;
use super::enums::Member;
use super::identity::ServerIdentity;
use super::profile::CapabilityProfile;
use crate::table::{ClientFeature, Deprecation as Row, Revision, ServerFeature};

/// A deprecated capability that is in use.
#[pyclass(frozen, eq, hash, module = "revcap")]
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Deprecation {
    /// The place of the row.
    place: usize,
}

impl Deprecation {
    fn row(&self) -> &'static Row {
        &Row::rows()[self.place]
    }
}

#[pymethods]
impl Deprecation {
    /// The capability's member path, such as "sampling".
    #[getter]
    fn capability(&self) -> String {
        self.row().path().join(".")
    }

    /// Who uses it: "client" or "server".
    #[getter]
    fn side(&self) -> &'static str {
        if self.row().is_clients() { "client" } else { "server" }
    }

    /// The diagnostic id that SDKs agree on.
    #[getter]
    fn id(&self) -> &'static str {
        self.row().id()
    }

    /// Where the id is explained.
    #[getter]
    fn url(&self) -> &'static str {
        self.row().url()
    }

    /// The proposal that deprecated it.
    #[getter]
    fn proposal(&self) -> &'static str {
        self.row().proposal()
    }

    /// The revision that marks it deprecated.
    #[getter]
    fn since(&self) -> Option<Member<Revision>> {
        self.row().since().map(Member)
    }

    /// The date on or after which the first revision may drop it.
    #[getter]
    fn earliest_removal(&self) -> Option<&'static str> {
        self.row().earliest_removal()
    }

    /// What to use instead.
    #[getter]
    fn instead(&self) -> &'static str {
        self.row().instead()
    }

    fn __str__(&self) -> String {
        let row = self.row();
        let since = row.since().map_or("", Revision::as_str);
        let earliest = row.earliest_removal().unwrap_or_default();
        let (side, capability) = (self.side(), self.capability());
        format!(
            "{id}: the {side} capability {capability} is deprecated since {since} ({proposal}) and may go with the first \
             revision from {earliest} on; use {instead} ({url})",
            id = row.id(),
            proposal = row.proposal(),
            instead = row.instead(),
            url = row.url(),
        )
    }

    fn __repr__(&self) -> String {
        let row = self.row();
        format!("<Deprecation {} {}: {}>", row.id(), self.capability(), row.since().map_or("", Revision::as_str))
    }
}

/// The deprecated capabilities that a client and a server use under a profile's revision.
///
/// Args:
///     profile: Of an unknown version nothing is known to be deprecated.
///     client: What the client declared, if anything.
///     server: What the server has switched on, if anything.
///     warn: Emit a DeprecatedFeatureWarning for each, at the caller's line.
#[pyfunction]
#[pyo3(signature = (profile, client = None, server = None, *, warn = false))]
pub(super) fn deprecations<'py>(
    profile: &Bound<'py, CapabilityProfile>,
    client: Option<&Bound<'py, ClientCapabilities>>,
    server: Option<&Bound<'py, ServerIdentity>>,
    warn: bool,
) -> PyResult<Bound<'py, PyList>> {
    let py = profile.py();
    let list = PyList::empty(py);
    let profile = &profile.get().core;
    let Some(revision) = profile.revision() else { return Ok(list) };
    let declared = client.map_or(ClientFeature::empty(), |client| client.get().core.effective(revision));
    let published =
        server.map_or(ServerFeature::empty(), |server| server.get().core.advertised(revision, profile.reading(), true));
    for row in Row::in_use(revision, declared, published) {
        let Some(place) = Row::rows().iter().position(|it| it.feature() == row.feature()) else { continue };
        let deprecation = Deprecation { place };
        if warn {
            let text = std::ffi::CString::new(deprecation.__str__()).unwrap_or_default();
            PyErr::warn(py, warning(py)?, &text, 1)?;
        }
        list.append(deprecation)?;
    }
    Ok(list)
}

fn warning(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "revcap.errors", "DeprecatedFeatureWarning")
}
