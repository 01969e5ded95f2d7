//! `revcap.Reply`: what goes back.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyInt, PyTuple};

use crate::gate::{self, Refusal};
use crate::headers::JSON;

/// An HTTP answer that is ready to send.
///
/// Args:
///     status: The HTTP status.
///     headers: (name, value) pairs of bytes, names in lower case; content-length is always among them, content-type
///         where there is a body.
///     body: The body, empty where there is none.
#[pyclass(frozen, module = "revcap")]
pub(super) struct Reply(Made);

enum Made {
    Ready(Parts),
    /// When a part is read, from the body that was judged.
    Refusal {
        refusal: Refusal,
        body: Py<PyBytes>,
        parts: PyOnceLock<Parts>,
    },
}

struct Parts {
    status: Py<PyInt>,
    headers: Py<PyTuple>,
    body: Py<PyBytes>,
}

impl Parts {
    fn of(py: Python<'_>, reply: &gate::Reply) -> PyResult<Self> {
        let line = |(name, value): &(&'static str, Cow<'static, str>)| -> PyResult<Bound<'_, PyAny>> {
            if *name == "content-type" && value == JSON {
                return Ok(json_line(py)?.clone().into_any());
            }
            Ok((PyBytes::new(py, name.as_bytes()), PyBytes::new(py, value.as_bytes())).into_pyobject(py)?.into_any())
        };
        let lines = reply.headers.iter().map(line).collect::<PyResult<Vec<_>>>()?;
        Ok(Self {
            status: reply.status.into_pyobject(py)?.unbind(),
            headers: PyTuple::new(py, lines)?.unbind(),
            body: PyBytes::new(py, &reply.body).unbind(),
        })
    }
}

impl Reply {
    pub(super) fn of(py: Python<'_>, reply: &gate::Reply) -> PyResult<Self> {
        Ok(Self(Made::Ready(Parts::of(py, reply)?)))
    }

    /// The reply that a refusal makes, put together when it is read.
    #[inline]
    pub(super) const fn refused(refusal: Refusal, body: Py<PyBytes>) -> Self {
        Self(Made::Refusal { refusal, body, parts: PyOnceLock::new() })
    }

    fn parts(&self, py: Python<'_>) -> PyResult<&Parts> {
        match &self.0 {
            Made::Ready(parts) => Ok(parts),
            Made::Refusal { refusal, body, parts } => {
                parts.get_or_try_init(py, || Parts::of(py, &refusal.reply(body.as_bytes(py))))
            }
        }
    }

    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Parts { status, headers, body } = self.parts(py)?;
        (status, headers, body).into_pyobject(py)
    }
}

/// The line that nearly every reply has, made once.
fn json_line(py: Python<'_>) -> PyResult<&Bound<'_, PyTuple>> {
    static LINE: PyOnceLock<Py<PyTuple>> = PyOnceLock::new();
    let line = LINE.get_or_try_init(py, || {
        let pair = [PyBytes::new(py, b"content-type"), PyBytes::new(py, JSON.as_bytes())];
        PyResult::Ok(PyTuple::new(py, pair)?.unbind())
    })?;
    Ok(line.bind(py))
}

#[pymethods]
impl Reply {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("status", "headers", "body")
    }

    #[new]
    fn new(status: Py<PyInt>, headers: Py<PyTuple>, body: Py<PyBytes>) -> Self {
        Self(Made::Ready(Parts { status, headers, body }))
    }

    /// The HTTP status.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        Ok(self.parts(py)?.status.bind(py).clone())
    }

    /// (name, value) pairs of bytes, names in lower case.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Ok(self.parts(py)?.headers.bind(py).clone())
    }

    /// The body; empty where there is none.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(self.parts(py)?.body.bind(py).clone())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Parts { status, headers, body } = self.parts(py)?;
        let [status, headers, body] = [status.bind(py).as_any(), headers.bind(py), body.bind(py)]
            .map(|part| part.repr().map(|text| text.to_string_lossy().into_owned()));
        Ok(format!("Reply(status={}, headers={}, body={})", status?, headers?, body?))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        self.tuple(py)?.as_any().eq(other.tuple(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.tuple(py)?.hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((slf.get_type().into_any(), slf.get().tuple(slf.py())?))
    }
}
