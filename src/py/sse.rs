//! `revcap.SseShaper`.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList, PyString};

use super::capabilities::ClientCapabilities;
use super::gate::Gate;
use super::policy::{count, word};
use super::profile::CapabilityProfile;
use super::shape::{Exchange, malformed, method_of};
use super::verdict::Verdict;
use crate::shape::{self, Fed};

const _: () = assert!(shape::SseShaper::MAX_EVENT_BYTES == 16_777_216, "the signature spells it out");

/// What a chunk gave: a part of the stream for the client, messages for the server.
type Given<'py> = (Bound<'py, PyBytes>, Bound<'py, PyList>);

/// Shapes a server's event stream for its reader, in whatever chunks it comes.
#[pyclass(frozen, module = "revcap")]
pub(super) struct SseShaper {
    core: Mutex<shape::SseShaper>,
}

impl SseShaper {
    /// The view of a shaper that the core has made.
    pub(super) const fn of(core: shape::SseShaper) -> Self {
        Self { core: Mutex::new(core) }
    }
}

#[pymethods]
impl SseShaper {
    #[new]
    #[pyo3(signature = (
        *, method, profile, client = None, request = None, gate = None, on_invalid = "error",
        max_event_bytes = 16_777_216
    ))]
    #[allow(clippy::too_many_arguments, reason = "the contract's names")]
    fn new(
        py: Python<'_>,
        method: Option<&Bound<'_, PyString>>,
        profile: &Bound<'_, CapabilityProfile>,
        client: Option<&Bound<'_, ClientCapabilities>>,
        request: Option<&Bound<'_, Verdict>>,
        gate: Option<&Bound<'_, Gate>>,
        #[pyo3(from_py_with = word)] on_invalid: &str,
        #[pyo3(from_py_with = event_cap)] max_event_bytes: usize,
    ) -> PyResult<Self> {
        let exchange = Exchange::new(py, profile, client, request, gate, on_invalid)?;
        let core = shape::SseShaper::new(method_of(method), &exchange.reader(), exchange.on_invalid, max_event_bytes);
        Ok(Self { core: Mutex::new(core) })
    }

    /// Whether a response went out.
    #[getter]
    fn answered(&self) -> bool {
        self.core.lock().unwrap_or_else(PoisonError::into_inner).answered()
    }

    /// Takes the stream's next bytes, and gives what they complete.
    #[allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]
    fn feed<'py>(&self, py: Python<'py>, chunk: PyBackedBytes) -> PyResult<Given<'py>> {
        let fed = self.core.lock().unwrap_or_else(PoisonError::into_inner).feed(&chunk);
        given(py, fed)
    }

    /// The stream is over.
    fn close<'py>(&self, py: Python<'py>) -> PyResult<Given<'py>> {
        let fed = self.core.lock().unwrap_or_else(PoisonError::into_inner).close();
        given(py, fed)
    }
}

fn event_cap(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    count("max_event_bytes", value)
}

fn given(py: Python<'_>, fed: Result<Fed, shape::ShapeError>) -> PyResult<Given<'_>> {
    let fed = fed.map_err(|error| malformed(&error))?;
    let to_server = PyList::new(py, fed.to_server.iter().map(|message| PyBytes::new(py, message)))?;
    Ok((PyBytes::new(py, &fed.to_client), to_server))
}
