//! `shape_response` and its siblings: bytes or a dict in, the same kind out.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMapping, PyMemoryView, PyString, PyType};

use super::capabilities::ClientCapabilities;
use super::errors::{RevcapError, ShapeError};
use super::gate::{Gate, bytes_of};
use super::json::{Source, from_python, to_python};
use super::policy::{no_choice, word};
use super::profile::CapabilityProfile;
use super::verdict::Verdict;
use crate::shape::{self, OnInvalid, Reader, Request, ShapePolicy, To};
use crate::table::Method;

/// A message as its reader gets it; immutable.
#[pyclass(frozen, get_all, module = "revcap")]
pub(super) struct Shaped {
    /// The message: bytes where bytes were given, the very same where nothing had to change; a new dict for a dict.
    body: Py<PyAny>,
    /// The HTTP status of an answer that is this message.
    status: u16,
    /// Where it goes: "client" or "server".
    to: Py<PyString>,
}

#[pymethods]
impl Shaped {
    /// Shaped[bytes] or Shaped[dict], for annotations.
    #[classmethod]
    #[pyo3(signature = (item, /))]
    fn __class_getitem__<'py>(cls: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        cls.py().import("types")?.getattr("GenericAlias")?.call1((cls, item))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown: String = self.body.bind(py).repr()?.to_string_lossy().chars().take(200).collect();
        Ok(format!("Shaped(body={shown}, status={}, to={})", self.status, self.to.bind(py).repr()?))
    }
}

/// A message as it was given.
enum Given<'py> {
    Bytes(Bound<'py, PyBytes>),
    /// A dict, and its text.
    Dict(Vec<u8>),
}

impl<'py> Given<'py> {
    fn read(message: &Bound<'py, PyAny>, policy: &ShapePolicy) -> PyResult<Self> {
        if let Ok(bytes) = message.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone()));
        }
        if message.is_instance_of::<PyByteArray>() || message.is_instance_of::<PyMemoryView>() {
            return bytes_of("message", message).map(Self::Bytes);
        }
        if message.is_instance_of::<PyDict>() || message.cast::<PyMapping>().is_ok() {
            let source = Source { name: "message", max_depth: policy.limits.max_depth };
            return from_python(message, source).map(Self::Dict).map_err(|error| unwritten(message.py(), error));
        }
        let name = message.get_type().name()?;
        Err(PyTypeError::new_err(format!("message must be bytes or a dict, not {name}")))
    }

    fn text(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            Self::Dict(text) => text,
        }
    }

    /// What the caller gets: a changed text, or the message itself.
    fn give(&self, py: Python<'py>, body: Option<&[u8]>) -> PyResult<Py<PyAny>> {
        Ok(match (self, body) {
            (Self::Bytes(bytes), None) => bytes.clone().into_any().unbind(),
            (Self::Bytes(_), Some(body)) => PyBytes::new(py, body).into_any().unbind(),
            (Self::Dict(text), body) => to_python(py, body.unwrap_or(text))?.unbind(),
        })
    }
}

/// A value that JSON has no word for came from a backend's reader, and is a backend's fault.
#[cold]
fn unwritten(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<RevcapError>(py) {
        return error;
    }
    let message = error.value(py).to_string();
    let path = message.rsplit_once(": ").map_or("", |(path, _)| path.trim_start_matches("message"));
    ShapeError::new_err((message.clone(), path.trim_start_matches('.').to_owned()))
}

#[cold]
pub(super) fn malformed(error: &shape::ShapeError) -> PyErr {
    ShapeError::new_err((error.to_string(), error.path()))
}

/// What every function takes beside the message.
pub(super) struct Exchange<'a> {
    profile: &'a CapabilityProfile,
    client: Option<&'a ClientCapabilities>,
    request: Option<Request<'a>>,
    policy: ShapePolicy,
    pub(super) on_invalid: OnInvalid,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(
        py: Python<'a>,
        profile: &'a Bound<'_, CapabilityProfile>,
        client: Option<&'a Bound<'_, ClientCapabilities>>,
        request: Option<&'a Bound<'_, Verdict>>,
        gate: Option<&Bound<'_, Gate>>,
        on_invalid: &str,
    ) -> PyResult<Self> {
        let profile = profile.get();
        let on_invalid = match on_invalid {
            "error" => OnInvalid::Error,
            "pass" => OnInvalid::Pass,
            other => return Err(no_choice("on_invalid", "'error' or 'pass'", other)),
        };
        let revision = Reader::under(&profile.core).revision;
        let policy = gate.map_or(ShapePolicy::DEFAULT, |gate| gate.get().core().shape_policy(revision));
        let request = request.and_then(|request| request.get().shape_request(py));
        Ok(Self { profile, client: client.map(Bound::get), request, policy, on_invalid })
    }

    pub(super) fn reader(&self) -> Reader<'_> {
        let reader = Reader::under(&self.profile.core);
        let client = self.client.map(|client| client.core.effective(reader.revision));
        Reader { client, request: self.request.as_ref(), policy: &self.policy, ..reader }
    }

    /// What the client declared, a JSON object; an empty one where it is not known.
    fn capabilities(&self) -> &[u8] {
        self.client.map_or(b"{}", |client| client.core.as_json())
    }

    /// The message as it was shaped; as it was given, where it is malformed and passes so.
    fn shaped<'py>(
        &self,
        message: &Bound<'py, PyAny>,
        shape: impl for<'t> FnOnce(&'t [u8], &Reader<'_>) -> Result<Option<shape::Shaped<'t>>, shape::ShapeError>,
    ) -> PyResult<Option<Shaped>> {
        let py = message.py();
        let pass =
            |body| Ok(Some(Shaped { body, status: 200, to: PyString::intern(py, To::Client.as_str()).unbind() }));
        let given = match Given::read(message, &self.policy) {
            Err(error) if self.on_invalid == OnInvalid::Pass && error.is_instance_of::<ShapeError>(py) => {
                return pass(message.clone().unbind());
            }
            given => given?,
        };
        match shape(given.text(), &self.reader()) {
            Ok(None) => Ok(None),
            Ok(Some(shaped)) => {
                let body = match &shaped.body {
                    std::borrow::Cow::Borrowed(_) => None,
                    std::borrow::Cow::Owned(body) => Some(body.as_slice()),
                };
                let to = PyString::intern(py, shaped.to.as_str()).unbind();
                Ok(Some(Shaped { body: given.give(py, body)?, status: shaped.status, to }))
            }
            Err(_) if self.on_invalid == OnInvalid::Pass => pass(given.give(py, None)?),
            Err(error) => Err(malformed(&error)),
        }
    }
}

/// A method's row; none for a name that no revision has.
pub(super) fn method_of(name: Option<&Bound<'_, PyString>>) -> Option<Method> {
    Method::parse(name?.to_str().ok()?.as_bytes())
}

/// Functions that shape: what all of them take beside the message stands here.
macro_rules! shaping {
    ($(
        $(#[$doc:meta])+
        fn $name:ident($($method:ident)?) = |$exchange:ident, $text:ident, $reader:ident| $shape:expr;
    )+) => {$(
        $(#[$doc])+
        #[pyfunction]
        #[pyo3(signature = (
            message, *, $($method,)? profile, client = None, request = None, gate = None, on_invalid = "error"
        ))]
        pub(super) fn $name(
            message: &Bound<'_, PyAny>,
            $($method: Option<&Bound<'_, PyString>>,)?
            profile: &Bound<'_, CapabilityProfile>,
            client: Option<&Bound<'_, ClientCapabilities>>,
            request: Option<&Bound<'_, Verdict>>,
            gate: Option<&Bound<'_, Gate>>,
            #[pyo3(from_py_with = word)] on_invalid: &str,
        ) -> PyResult<Option<Shaped>> {
            let $exchange = Exchange::new(message.py(), profile, client, request, gate, on_invalid)?;
            $exchange.shaped(message, |$text, $reader| $shape)
        }
    )+};
}

shaping! {
    /// Shapes the answer to a client's request.
    fn shape_response(method) = |exchange, text, reader| {
        shape::shape_response(text, method_of(method), reader).map(Some)
    };

    /// Shapes a server's notification; None where it must not be sent.
    fn shape_notification() = |exchange, text, reader| shape::shape_notification(text, reader);

    /// Shapes a request of the server, or answers it in the client's place.
    fn shape_server_request() = |exchange, text, reader| shape::shape_server_request(text, reader).map(Some);

    /// Shapes a client's message for a backend.
    fn shape_client_request() = |exchange, text, reader| {
        shape::shape_client_request(text, exchange.capabilities(), reader).map(Some)
    };
}

/// The cache hints of one result that is made of several.
#[pyfunction]
#[pyo3(signature = (results, *, gate = None))]
pub(super) fn merge_cache_hints(
    results: &Bound<'_, PyAny>,
    gate: Option<&Bound<'_, Gate>>,
) -> PyResult<(u64, &'static str)> {
    let newest = crate::table::Revision::ALL[crate::table::Revision::COUNT - 1];
    let policy = gate.map_or(ShapePolicy::DEFAULT, |gate| gate.get().core().shape_policy(newest));
    let results = results.try_iter()?.map(|result| Given::read(&result?, &policy)).collect::<PyResult<Vec<_>>>()?;
    let hint = shape::merge_cache_hints(results.iter().map(Given::text), &policy).map_err(|error| malformed(&error))?;
    Ok((hint.ttl_ms, hint.scope.as_str()))
}
