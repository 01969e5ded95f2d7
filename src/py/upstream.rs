//! `revcap.upstream.Upstream`: a backend, as the gateway speaks with it.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyMapping, PyString, PyTuple};

use super::capabilities::ClientCapabilities;
use super::enums::{Known, Member};
use super::errors::{RevcapError, refused};
use super::gate::{annotations, bytes_of, served};
use super::headers::{self, Lines};
use super::identity::{ServerIdentity, text_of};
use super::json::{Source, from_python, to_dict};
use super::outbound::Outbound;
use super::policy::wrong_type;
use super::probe::status_of;
use super::reply::Reply;
use super::sse::SseShaper;
use super::verdict::Verdict;
use crate::table::{Era, Revision};
use crate::upstream::{self, Forwarded, Incoming, NotAMessage, Received, Sending, UpstreamConfig};

/// A backend, as the gateway speaks with it. Immutable; share it between threads.
#[pyclass(frozen, module = "revcap.upstream")]
pub(super) struct Upstream {
    pub(super) core: upstream::Upstream,
    arguments: Py<PyDict>,
}

/// The JSON text of a mapping.
pub(super) fn json_object(name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Box<[u8]>>> {
    let Some(value) = value else { return Ok(None) };
    if let Ok(client) = value.cast::<ClientCapabilities>() {
        return Ok(Some(client.get().core.as_json().into()));
    }
    if value.cast::<PyMapping>().is_err() {
        return Err(wrong_type(name, "a mapping", value));
    }
    Ok(Some(from_python(value, Source::argument(name))?.into()))
}

/// The JSON text of an id.
pub(super) fn id_token(id: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let is_id = id.is_instance_of::<PyString>() || id.is_instance_of::<PyInt>();
    if !is_id || id.is_instance_of::<PyBool>() {
        return Err(wrong_type("id", "a str or an int", id));
    }
    from_python(id, Source { name: "id", max_depth: 0 })
}

/// A header value that a caller hands in.
pub(super) fn header_value(name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<u8>>> {
    let Some(value) = value else { return Ok(None) };
    if let Ok(text) = value.cast::<PyString>() {
        return text_of(name, text).map(|text| Some(text.into_bytes()));
    }
    match value.cast::<PyBytes>() {
        Ok(bytes) => Ok(Some(bytes.as_bytes().to_vec())),
        Err(_) => Err(wrong_type(name, "a str or bytes", value)),
    }
}

/// A message that is to go up: a verdict, or a message of the gateway's own.
fn incoming<'a>(message: &'a Bound<'_, PyAny>) -> PyResult<Incoming<'a>> {
    if let Ok(verdict) = message.cast::<Verdict>() {
        return Ok(verdict.get().incoming(message.py()));
    }
    let text: Cow<'a, [u8]> = if message.cast::<PyMapping>().is_ok() {
        from_python(message, Source::argument("message"))?.into()
    } else {
        let bytes =
            bytes_of("message", message).map_err(|_| wrong_type("message", "a Verdict, bytes or a dict", message))?;
        bytes.as_bytes().to_vec().into()
    };
    Incoming::bare(text).map_err(refused)
}

/// What goes beside a message, held while it is sent.
#[derive(Default)]
pub(super) struct Beside<'py> {
    headers: Option<Lines<'py>>,
    rename: Option<String>,
    id: Option<Vec<u8>>,
    session: Option<Vec<u8>>,
    last_event_id: Option<Vec<u8>>,
}

impl<'py> Beside<'py> {
    pub(super) fn read(
        headers: Option<&Bound<'py, PyAny>>,
        rename: Option<&Bound<'py, PyString>>,
        id: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            headers: headers.map(Lines::read).transpose()?,
            rename: rename.map(|name| text_of("rename", name)).transpose()?,
            id: id.map(id_token).transpose()?,
            ..Self::default()
        })
    }

    /// The way up of `message` with all this.
    pub(super) fn send(
        &self,
        message: &Bound<'_, PyAny>,
        send: impl FnOnce(&Incoming<'_>, &Sending<'_>) -> upstream::Outbound,
    ) -> PyResult<Outbound> {
        let incoming = incoming(message)?;
        let lines = self.headers.as_ref().map(Lines::pairs).unwrap_or_default();
        let sending = Sending {
            headers: &lines,
            rename: self.rename.as_deref(),
            id: self.id.as_deref(),
            session: self.session.as_deref(),
            last_event_id: self.last_event_id.as_deref(),
        };
        Outbound::of(message.py(), send(&incoming, &sending))
    }
}

/// A request of the gateway's own.
pub(super) fn own_request(
    method: &Bound<'_, PyString>,
    params: Option<&Bound<'_, PyAny>>,
    id: &Bound<'_, PyAny>,
    request: impl FnOnce(&str, Option<&[u8]>, &[u8]) -> Result<upstream::Outbound, NotAMessage>,
) -> PyResult<Outbound> {
    let params = json_object("params", params)?;
    let sent = request(&text_of("method", method)?, params.as_deref(), &id_token(id)?);
    Outbound::of(method.py(), sent.map_err(refused)?)
}

/// Reads an answer and hands it over.
pub(super) fn receive<T>(
    status: Option<&Bound<'_, PyAny>>,
    headers: Option<&Bound<'_, PyAny>>,
    body: Option<&Bound<'_, PyAny>>,
    take: impl FnOnce(&Received<'_>) -> T,
) -> PyResult<T> {
    let lines = headers.map(Lines::read).transpose()?;
    let pairs = lines.as_ref().map(Lines::pairs).unwrap_or_default();
    let body = body.map(|body| bytes_of("body", body)).transpose()?;
    let status = status_of(status)?;
    Ok(take(&Received { status, headers: &pairs, body: body.as_ref().map_or(&[][..], |body| body.as_bytes()) }))
}

#[pymethods]
impl Upstream {
    #[new]
    #[pyo3(signature = (
        revision, *, capabilities = None, server_info = None, instructions = None, forward_headers = None,
        client_capabilities = None, client_info = None, param_headers = None, revisions = None
    ))]
    #[pyo3(text_signature = "(revision, *, capabilities=None, server_info=None, instructions=None, \
        forward_headers=(), client_capabilities=None, client_info=None, param_headers=None, revisions=None)")]
    #[allow(clippy::too_many_arguments, reason = "the contract's names")]
    fn py_new(
        py: Python<'_>,
        revision: Known,
        capabilities: Option<&Bound<'_, PyAny>>,
        server_info: Option<&Bound<'_, PyAny>>,
        instructions: Option<&Bound<'_, PyString>>,
        forward_headers: Option<&Bound<'_, PyAny>>,
        client_capabilities: Option<&Bound<'_, PyAny>>,
        client_info: Option<&Bound<'_, PyAny>>,
        param_headers: Option<&Bound<'_, PyDict>>,
        revisions: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let Known(revision) = revision;
        let mut config = UpstreamConfig {
            capabilities: json_object("capabilities", capabilities)?,
            server_info: json_object("server_info", server_info)?,
            instructions: instructions.map(|words| text_of("instructions", words)).transpose()?.map(Into::into),
            client_info: json_object("client_info", client_info)?,
            annotations: param_headers.map(annotations).transpose()?.unwrap_or_default(),
            served: served(revisions)?,
            ..UpstreamConfig::of(revision)
        };
        if let Some(client) = json_object("client_capabilities", client_capabilities)? {
            config.client_capabilities = client;
        }
        if let Some(names) = forward_headers {
            config.forwarded = forwarded(names)?;
        }
        let arguments = arguments_of(py, &config)?;
        arguments.set_item("forward_headers", PyTuple::new(py, config.forwarded.names())?)?;
        if let Some(headers) = param_headers {
            arguments.set_item("param_headers", py.import("copy")?.call_method1("deepcopy", (headers,))?)?;
        }
        if revisions.is_some() {
            let spoken = config.served.newest_first().map(Revision::as_str).collect::<Vec<_>>();
            arguments.set_item("revisions", PyTuple::new(py, spoken)?)?;
        }
        let core = upstream::Upstream::new(config).map_err(refused)?;
        Ok(Self { core, arguments: arguments.unbind() })
    }

    /// The revision of this hop.
    #[getter]
    fn revision(&self) -> Member<Revision> {
        Member(self.core.revision())
    }

    /// The era of `revision`.
    #[getter]
    fn era(&self) -> Member<Era> {
        Member(self.core.revision().era())
    }

    /// What the backend publishes, a new dict; None where it is not known.
    #[getter]
    fn capabilities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.core.config().capabilities.as_deref().map(|text| to_dict(py, text)).transpose()
    }

    /// The server that clients may be shown: the backend, less what this hop cannot carry to them.
    #[getter]
    fn server(&self) -> ServerIdentity {
        ServerIdentity::of(self.core.server().clone())
    }

    /// Another upstream, made as this one with these arguments changed.
    #[pyo3(signature = (**changes))]
    fn replace<'py>(slf: &Bound<'py, Self>, changes: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let arguments = slf.get().arguments(slf.py())?;
        if let Some(changes) = changes {
            arguments.update(changes.as_mapping())?;
        }
        slf.get_type().call((), Some(&arguments))
    }

    /// A message's way up.
    #[pyo3(signature = (message, headers = None, *, rename = None, id = None, session_id = None, last_event_id = None))]
    #[allow(clippy::too_many_arguments, reason = "the contract's names")]
    fn outbound(
        &self,
        message: &Bound<'_, PyAny>,
        headers: Option<&Bound<'_, PyAny>>,
        rename: Option<&Bound<'_, PyString>>,
        id: Option<&Bound<'_, PyAny>>,
        session_id: Option<&Bound<'_, PyAny>>,
        last_event_id: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outbound> {
        let mut beside = Beside::read(headers, rename, id)?;
        beside.session = header_value("session_id", session_id)?;
        beside.last_event_id = header_value("last_event_id", last_event_id)?;
        beside.send(message, |incoming, sending| self.core.outbound(incoming, sending))
    }

    /// A request of the gateway's own.
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
        let reply = receive(status, headers, body, |received| self.core.inbound(&sent.core, received))?;
        Reply::of(py, &reply)
    }

    /// Status and headers of a stream that answers `sent`, before its first byte.
    #[pyo3(signature = (sent, status, headers = None))]
    fn stream_head<'py>(
        &self,
        py: Python<'py>,
        sent: &Outbound,
        status: Option<&Bound<'py, PyAny>>,
        headers: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(u16, Bound<'py, PyTuple>)> {
        let (status, headers) = receive(status, headers, None, |received| self.core.stream_head(&sent.core, received))?;
        Ok((status, headers::tuple(py, headers.iter().map(|(name, value)| (*name, value.as_bytes())))?))
    }

    /// What shapes a stream that answers `sent`, as it comes.
    fn stream_shaper(&self, sent: &Outbound) -> SseShaper {
        SseShaper::of(self.core.stream_shaper(&sent.core))
    }

    /// Tells the backend that nobody waits for the answer to `sent` any more.
    fn cancellation(&self, py: Python<'_>, sent: &Outbound) -> PyResult<Option<Outbound>> {
        self.core.cancellation(&sent.core).map(|sent| Outbound::of(py, sent)).transpose()
    }

    fn __repr__(&self) -> String {
        format!("<Upstream {}>", self.core.revision().as_str())
    }

    /// A view that a session has made is made again from what it was told.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        Ok((PyTuple::empty(py), self.arguments(py)?))
    }
}

impl Upstream {
    /// The view of an upstream that a session of this one has made.
    pub(super) fn told(&self, py: Python<'_>, core: upstream::Upstream) -> PyResult<Self> {
        let arguments = self.arguments(py)?;
        arguments.update(arguments_of(py, core.config())?.as_mapping())?;
        Ok(Self { core, arguments: arguments.unbind() })
    }

    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.arguments.bind(py).copy()
    }
}

/// The arguments that name a revision and what stands in JSON.
fn arguments_of<'py>(py: Python<'py>, config: &UpstreamConfig) -> PyResult<Bound<'py, PyDict>> {
    let arguments = PyDict::new(py);
    arguments.set_item("revision", config.revision.as_str())?;
    arguments.set_item("instructions", config.instructions.as_deref())?;
    for (name, text) in [
        ("capabilities", config.capabilities.as_deref()),
        ("server_info", config.server_info.as_deref()),
        ("client_capabilities", Some(&*config.client_capabilities)),
        ("client_info", config.client_info.as_deref()),
    ] {
        arguments.set_item(name, text.map(|text| to_dict(py, text)).transpose()?)?;
    }
    Ok(arguments)
}

fn forwarded(names: &Bound<'_, PyAny>) -> PyResult<Forwarded> {
    if names.is_instance_of::<PyString>() || names.is_instance_of::<PyBytes>() {
        return Err(wrong_type("forward_headers", "a list of header names", names));
    }
    let names = names.try_iter()?.map(|name| {
        let name = name?;
        let text = name.cast::<PyString>().map_err(|_| {
            PyTypeError::new_err(format!("forward_headers must be header names, not {}", name.get_type()))
        })?;
        text_of("forward_headers", text)
    });
    let names = names.collect::<PyResult<Vec<String>>>()?;
    Forwarded::new(&names).map_err(|error| RevcapError::new_err(format!("forward_headers: {error}")))
}
