//! `revcap.upstream.UpstreamSession`: a handshake that the gateway holds with a backend.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use super::enums::Member;
use super::errors::{RevcapError, refused};
use super::outbound::Outbound;
use super::probe::status_of;
use super::reply::Reply;
use super::upstream::{Beside, Upstream, header_value, own_request, receive};
use crate::table::Revision;
use crate::upstream::{self, SessionState};

/// A handshake that the gateway holds with a backend, on behalf of clients that made none there; immutable.
#[pyclass(frozen, module = "revcap.upstream")]
pub(super) struct UpstreamSession {
    core: upstream::UpstreamSession,
    /// The backend as the session was made with it.
    made_with: Py<Upstream>,
}

impl UpstreamSession {
    fn with(&self, py: Python<'_>, core: upstream::UpstreamSession) -> Self {
        Self { core, made_with: self.made_with.clone_ref(py) }
    }
}

/// A session that was pickled.
#[pyfunction]
pub(super) fn restore_upstream_session(
    py: Python<'_>,
    upstream: Py<Upstream>,
    state: &[u8],
) -> PyResult<UpstreamSession> {
    let Some(state) = SessionState::from_bytes(state) else {
        return Err(RevcapError::new_err("the pickled session is of another release; open a new one"));
    };
    let _ = py;
    let core = upstream::UpstreamSession::resumed(upstream.get().core.clone(), state).map_err(refused)?;
    Ok(UpstreamSession { core, made_with: upstream })
}

#[pymethods]
impl UpstreamSession {
    #[new]
    fn py_new(upstream: Py<Upstream>) -> PyResult<Self> {
        let core = upstream::UpstreamSession::new(upstream.get().core.clone()).map_err(refused)?;
        Ok(Self { core, made_with: upstream })
    }

    /// A session that was sealed; None where the bytes are no state of one.
    #[staticmethod]
    fn unseal(upstream: Py<Upstream>, sealed: &[u8]) -> PyResult<Option<Self>> {
        let Some(state) = SessionState::from_bytes(sealed) else { return Ok(None) };
        let core = upstream::UpstreamSession::resumed(upstream.get().core.clone(), state).map_err(refused)?;
        Ok(Some(Self { core, made_with: upstream }))
    }

    /// The state as at most 256 bytes, for a ticket's inner value.
    fn seal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let sealed = self.core.state().sealed().map_err(refused)?;
        Ok(PyBytes::new(py, &sealed))
    }

    /// The backend, with what it told of itself once it answered.
    #[getter]
    fn upstream(&self, py: Python<'_>) -> PyResult<Upstream> {
        self.made_with.get().told(py, self.core.upstream().clone())
    }

    /// The revision to ask for, then the settled one.
    #[getter]
    fn revision(&self) -> Member<Revision> {
        Member(self.core.revision())
    }

    /// Requests may go.
    #[getter]
    fn is_open(&self) -> bool {
        self.core.is_open()
    }

    /// Why there will be no session; None as long as there may be one.
    #[getter]
    fn failure(&self) -> Option<String> {
        self.core.failure().map(ToString::to_string)
    }

    /// The request that is due; None where the session is open, or failed.
    #[getter]
    fn due(&self, py: Python<'_>) -> PyResult<Option<Outbound>> {
        self.core.next().map(|sent| Outbound::of(py, sent)).transpose()
    }

    /// The session after the answer to the request that was due.
    #[pyo3(signature = (status, headers = None, body = None))]
    fn answered(
        &self,
        py: Python<'_>,
        status: Option<&Bound<'_, PyAny>>,
        headers: Option<&Bound<'_, PyAny>>,
        body: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Ok(self.with(py, receive(status, headers, body, |received| self.core.answered(received))?))
    }

    /// A message's way up within the session.
    #[pyo3(signature = (message, headers = None, *, id, rename = None))]
    fn outbound(
        &self,
        message: &Bound<'_, PyAny>,
        headers: Option<&Bound<'_, PyAny>>,
        id: Option<&Bound<'_, PyAny>>,
        rename: Option<&Bound<'_, PyString>>,
    ) -> PyResult<Outbound> {
        let beside = Beside::read(headers, rename, id)?;
        beside.send(message, |incoming, sending| self.core.outbound(incoming, sending))
    }

    /// A request of the gateway's own within the session.
    #[pyo3(signature = (method, params = None, *, id))]
    fn request(
        &self,
        method: &Bound<'_, PyString>,
        params: Option<&Bound<'_, PyAny>>,
        id: &Bound<'_, PyAny>,
    ) -> PyResult<Outbound> {
        own_request(method, params, id, |method, params, id| self.core.request(method, params, id))
    }

    /// What the client gets for what the backend answered.
    #[pyo3(signature = (sent, status, headers = None, body = None))]
    fn inbound(
        &self,
        py: Python<'_>,
        sent: &Outbound,
        status: Option<&Bound<'_, PyAny>>,
        headers: Option<&Bound<'_, PyAny>>,
        body: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Reply> {
        let upstream = self.core.upstream();
        Reply::of(py, &receive(status, headers, body, |received| upstream.inbound(&sent.core, received))?)
    }

    /// The session after the answer to a request that went up in it.
    fn after(&self, py: Python<'_>, sent: &Outbound, status: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(self.with(py, self.core.after(&sent.core, status_of(status)?)))
    }

    /// The request that ends the session; None where the backend keeps none.
    fn close(&self, py: Python<'_>) -> PyResult<Option<Outbound>> {
        self.core.close().map(|sent| Outbound::of(py, sent)).transpose()
    }

    /// The request that opens the session's stream of what the backend sends unasked.
    #[pyo3(signature = (last_event_id = None))]
    fn stream(&self, py: Python<'_>, last_event_id: Option<&Bound<'_, PyAny>>) -> PyResult<Outbound> {
        let last_event_id = header_value("last_event_id", last_event_id)?;
        Outbound::of(py, self.core.stream(last_event_id.as_deref()))
    }

    fn __repr__(&self) -> String {
        let state = match self.core.failure() {
            Some(failure) => format!("failed: {failure}"),
            None if self.core.is_open() => "open".to_owned(),
            None => "not open".to_owned(),
        };
        format!("<UpstreamSession {} {state}>", self.core.revision().as_str())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("revcap._core")?.getattr("restore_upstream_session")?;
        let state = PyBytes::new(py, &self.core.state().to_bytes());
        Ok((restore, (self.upstream(py)?, state).into_pyobject(py)?))
    }
}
