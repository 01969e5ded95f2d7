//! `revcap.Reply`: what goes back.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyTuple};

use crate::gate;

/// An HTTP answer that is ready to send.
///
/// Args:
///     status: The HTTP status.
///     headers: (name, value) pairs of bytes, names in lower case; content-length is always among them, content-type
///         where there is a body.
///     body: The body, empty where there is none.
#[pyclass(frozen, module = "revcap")]
pub(super) struct Reply {
    /// The HTTP status.
    #[pyo3(get)]
    status: Py<PyInt>,
    /// (name, value) pairs of bytes, names in lower case.
    #[pyo3(get)]
    headers: Py<PyTuple>,
    /// The body; empty where there is none.
    #[pyo3(get)]
    body: Py<PyBytes>,
}

impl Reply {
    pub(super) fn of(py: Python<'_>, reply: &gate::Reply) -> PyResult<Self> {
        let headers = reply
            .headers
            .iter()
            .map(|(name, value)| (PyBytes::new(py, name.as_bytes()), PyBytes::new(py, value.as_bytes())));
        Ok(Self {
            status: reply.status.into_pyobject(py)?.unbind(),
            headers: PyTuple::new(py, headers.collect::<Vec<_>>())?.unbind(),
            body: PyBytes::new(py, &reply.body).unbind(),
        })
    }

    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (&self.status, &self.headers, &self.body).into_pyobject(py)
    }
}

#[pymethods]
impl Reply {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("status", "headers", "body")
    }

    #[new]
    fn new(status: Py<PyInt>, headers: Py<PyTuple>, body: Py<PyBytes>) -> Self {
        Self { status, headers, body }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let [status, headers, body] = [self.status.bind(py).as_any(), self.headers.bind(py), self.body.bind(py)]
            .map(|part| part.repr().map(|text| text.to_string_lossy().into_owned()));
        Ok(format!("Reply(status={}, headers={}, body={})", status?, headers?, body?))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        self.parts(py)?.as_any().eq(other.parts(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.parts(py)?.hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((slf.get_type().into_any(), slf.get().parts(slf.py())?))
    }
}
