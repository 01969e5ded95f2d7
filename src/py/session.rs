//! `revcap.Session`: what a handshake settled, as the host keeps it.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyType};

use super::capabilities::ClientCapabilities;
use super::enums::{Known, Member};
use super::errors::refused;
use crate::session as core;
use crate::table::Revision;

/// What a handshake settled for the requests after it.
///
/// Args:
///     protocol_version: The negotiated revision, one with a handshake.
///     client: What the client declared in the handshake; None: nobody knows, which is not "nothing".
///     inner: A value for whoever stands behind the gate, such as a backend's own session id.
///
/// Raises:
///     UnknownRevisionError: protocol_version is no known revision.
///     RevcapError: The revision has no handshake and so no sessions.
#[pyclass(frozen, eq, hash, module = "revcap")]
pub(super) struct Session {
    core: core::Session,
    client: PyOnceLock<Option<Py<ClientCapabilities>>>,
}

impl Session {
    pub(super) const fn core(&self) -> &core::Session {
        &self.core
    }

    /// A session of the core; its client becomes an object when somebody reads it.
    pub(super) const fn of(core: core::Session) -> Self {
        Self { core, client: PyOnceLock::new() }
    }
}

impl PartialEq for Session {
    fn eq(&self, other: &Self) -> bool {
        self.core == other.core
    }
}

impl std::hash::Hash for Session {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.core.hash(state);
    }
}

type Arguments<'py> = (&'static str, Option<Py<ClientCapabilities>>, Option<Bound<'py, PyBytes>>);

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (protocol_version, client = None, inner = None))]
    fn new(
        py: Python<'_>,
        protocol_version: Known,
        client: Option<Py<ClientCapabilities>>,
        inner: Option<&Bound<'_, PyBytes>>,
    ) -> PyResult<Self> {
        let declared = client.as_ref().map(|client| Arc::clone(&client.get().core));
        let session = core::Session::new(protocol_version.0, declared).map_err(refused)?;
        let core = match inner {
            Some(inner) => session.with_inner(inner.as_bytes()),
            None => session,
        };
        let known = PyOnceLock::new();
        known.set(py, client).ok();
        Ok(Self { core, client: known })
    }

    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str, &'static str) = ("protocol_version", "client", "inner");

    /// The negotiated revision's text.
    #[getter]
    fn protocol_version<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.core.revision().as_str())
    }

    /// The negotiated revision.
    #[getter]
    const fn revision(&self) -> Member<Revision> {
        Member(self.core.revision())
    }

    /// What the client declared in the handshake, or None: unknown. From a ticket it has flags without names.
    #[getter]
    pub(super) fn client(&self, py: Python<'_>) -> PyResult<Option<Py<ClientCapabilities>>> {
        let made = self.client.get_or_try_init(py, || {
            self.core.client().map(|client| Py::new(py, ClientCapabilities::of(client))).transpose()
        })?;
        Ok(made.as_ref().map(|client| client.clone_ref(py)))
    }

    /// The value for whoever stands behind the gate, or None.
    #[getter]
    fn inner<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.core.inner().map(|inner| PyBytes::new(py, inner))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let client = match self.client(py)? {
            Some(client) => client.bind(py).repr()?.to_string_lossy().into_owned(),
            None => "None".to_owned(),
        };
        // The inner value may open a session elsewhere: its length has to do.
        let inner = self.core.inner().map_or_else(String::new, |inner| format!(", <{} bytes>", inner.len()));
        Ok(format!("Session('{}', {client}{inner})", self.core.revision().as_str()))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, Arguments<'py>)> {
        let arguments = (self.core.revision().as_str(), self.client(py)?, self.inner(py));
        Ok((py.get_type::<Self>(), arguments))
    }
}
