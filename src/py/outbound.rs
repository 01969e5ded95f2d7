//! `revcap.upstream.Outbound`: one step of the hop to a backend.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::headers;
use super::reply::Reply;
use crate::upstream;

/// One step of the hop to a backend: a request to send, or the answer that the client gets without one; immutable.
#[pyclass(frozen, module = "revcap.upstream")]
pub(super) struct Outbound {
    pub(super) core: upstream::Outbound,
    /// Send this to the client now; nothing goes up. None: the request is to be sent.
    #[pyo3(get)]
    reply: Py<PyAny>,
    /// (name, value) pairs of bytes, names in lower case; content-length and host are the HTTP client's to add.
    #[pyo3(get)]
    headers: Py<PyTuple>,
    /// The body, empty where there is none; on a hop without headers the whole message.
    #[pyo3(get)]
    body: Py<PyBytes>,
}

impl Outbound {
    pub(super) fn of(py: Python<'_>, core: upstream::Outbound) -> PyResult<Self> {
        let reply = match &core.reply {
            None => py.None(),
            Some(reply) => Py::new(py, Reply::of(py, reply)?)?.into_any(),
        };
        let lines = core.headers.iter().map(|(name, value)| (&**name, value.as_slice()));
        let headers = headers::tuple(py, lines)?.unbind();
        let body = PyBytes::new(py, &core.body).unbind();
        Ok(Self { core, reply, headers, body })
    }
}

#[pymethods]
impl Outbound {
    /// POST, GET or DELETE.
    #[getter]
    const fn http_method(&self) -> &'static str {
        self.core.http_method
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match &self.core.reply {
            Some(reply) => format!("<Outbound reply {}>", reply.status),
            None => format!("<Outbound {} {} bytes>", self.core.http_method, self.body.as_bytes(py).len()),
        }
    }
}
