//! `revcap.Gate`.

use std::cell::Cell;

use pyo3::exceptions::PyException;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString, PyTuple};

use super::capabilities::Required;
use super::enums::{Known, Member};
use super::errors::{RevcapError, ShapeError, refused};
use super::feature::reading;
use super::headers::Kept;
use super::identity::{ServerIdentity, text_of};
use super::json::{Source, from_python};
use super::policy::{policy, session_mode, wrong_type, wrong_value};
use super::session::Session;
use super::tickets::{Principal, SessionTickets, UnixSeconds, open_ticket};
use super::verdict::{Verdict, latin1};
use crate::advertise::{self, Implementation, Switches};
use crate::gate::{
    self, AnnotatedTools, Annotations, GateConfig, Lookup, Request, Requirements, Served, SessionMode, ToolAnnotations,
};
use crate::headers::Headers;
use crate::table::Revision;

/// The gate: one request in, one verdict out. Immutable; share it between threads.
#[pyclass(frozen, module = "revcap")]
pub(super) struct Gate {
    core: gate::Gate,
    tickets: Option<Py<SessionTickets>>,
    arguments: Py<PyDict>,
}

impl Gate {
    pub(super) const fn core(&self) -> &gate::Gate {
        &self.core
    }

    fn verdict(
        slf: &Bound<'_, Self>,
        body: &Bound<'_, PyAny>,
        http_method: &str,
        headers: Option<&Headers<'_>>,
        session: Option<&Bound<'_, Session>>,
        look_up: &dyn Fn(&[u8]) -> Lookup,
    ) -> PyResult<Verdict> {
        let body = bytes_of("body", body)?;
        let request = Request { http_method, headers, body: body.as_bytes(), look_up };
        let decision = slf.get().core.decide(&request);
        Verdict::new(
            slf.py(),
            slf.clone().unbind(),
            body.clone().unbind(),
            decision,
            session.map(|session| session.clone().unbind()),
        )
    }
}

/// The session that the host passed.
fn passed(session: Option<&Bound<'_, Session>>) -> Lookup {
    session.map_or(Lookup::Unknown, |session| Lookup::Live(session.get().core().clone()))
}

#[pymethods]
impl Gate {
    #[new]
    #[pyo3(signature = (
        server = None, *, revisions = None, schema_exact = false, sessions = None, answer_handshake = false,
        param_headers = None, requires = None, **policies
    ))]
    #[allow(clippy::too_many_arguments)] // the contract's names
    fn new(
        py: Python<'_>,
        server: Option<&Bound<'_, ServerIdentity>>,
        revisions: Option<&Bound<'_, PyAny>>,
        schema_exact: bool,
        sessions: Option<&Bound<'_, PyAny>>,
        answer_handshake: bool,
        param_headers: Option<&Bound<'_, PyDict>>,
        requires: Option<&Bound<'_, PyDict>>,
        policies: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let arguments = policies.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
        arguments.set_item("server", server)?;
        arguments.set_item("revisions", revisions)?;
        arguments.set_item("schema_exact", schema_exact)?;
        arguments.set_item("sessions", sessions)?;
        arguments.set_item("answer_handshake", answer_handshake)?;
        arguments.set_item("param_headers", param_headers)?;
        arguments.set_item("requires", requires)?;
        let tickets = sessions.and_then(|sessions| sessions.cast::<SessionTickets>().ok());
        let mode = match (sessions, tickets) {
            (None, _) => SessionMode::default(),
            (Some(_), Some(_)) => SessionMode::Tickets,
            (Some(name), None) => session_mode(name)?,
        };
        let identity = if let Some(server) = server {
            server.get().core.clone()
        } else {
            let itself = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
            advertise::ServerIdentity::new(itself, &Switches::default()).map_err(refused)?
        };
        let config = GateConfig {
            served: served(revisions)?,
            reading: reading(schema_exact),
            sessions: mode,
            can_revoke: tickets.is_some_and(|tickets| tickets.get().revocable()),
            server: identity,
            answer_handshake,
            annotations: param_headers.map(annotations).transpose()?.unwrap_or_default(),
            requirements: requires.map(requirements).transpose()?.unwrap_or_default(),
            policy: policy(policies)?,
        };
        let tickets = tickets.map(|tickets| tickets.clone().unbind());
        Ok(Self { core: gate::Gate::new(config), tickets, arguments: arguments.unbind() })
    }

    /// Another gate, made as this one with these arguments changed.
    ///
    /// Raises:
    ///     RevcapError, TypeError: As for Gate().
    #[pyo3(signature = (**changes))]
    fn replace<'py>(slf: &Bound<'py, Self>, changes: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let arguments = slf.get().arguments.bind(slf.py()).copy()?;
        changes.map_or(Ok(()), |changes| arguments.update(changes.as_mapping()))?;
        slf.get_type().call((), Some(&arguments))
    }

    /// Judges a request that came over HTTP.
    ///
    /// Args:
    ///     body: The whole body.
    ///     headers: (name, value) pairs of bytes in the order of the wire, or an object with .raw or .multi_items().
    ///     http_method: In capitals, as HTTP has it.
    ///     session: With sessions="store": what the host found under session_id; None: unknown. Else not looked at.
    ///     principal: With tickets: whom the request authenticated as, if the ticket was bound to somebody.
    ///     now: With tickets, required: Unix time in seconds.
    ///
    /// Raises:
    ///     TypeError: An argument of a wrong type; a mapping as headers, which would hide repeated lines.
    ///     RevcapError: now is missing with tickets.
    #[pyo3(signature = (body, headers, http_method = None, *, session = None, principal = None, now = None))]
    pub(super) fn admit(
        slf: &Bound<'_, Self>,
        body: &Bound<'_, PyAny>,
        headers: &Bound<'_, PyAny>,
        http_method: Option<&Bound<'_, PyString>>,
        session: Option<&Bound<'_, Session>>,
        principal: Option<Principal<'_>>,
        now: Option<UnixSeconds>,
    ) -> PyResult<Verdict> {
        let gate = slf.get();
        let kept = Kept::read(headers)?;
        let headers = kept.headers();
        // Text that is no HTTP method is none that is offered.
        let http_method = http_method.map_or("POST", |name| name.to_str().unwrap_or_default());
        if let Some(tickets) = &gate.tickets {
            let Some(UnixSeconds(now)) = now else {
                return Err(RevcapError::new_err("now is missing: tickets need the Unix time in seconds"));
            };
            let py = slf.py();
            let principal = principal.map(|Principal(principal)| principal);
            let stop = Cell::new(None);
            let look_up = |id: &[u8]| match open_ticket(py, tickets.get(), id, now, principal) {
                Ok(None) => Lookup::Unknown,
                Ok(Some(session)) => Lookup::Live(session),
                Err(error) => {
                    if error.is_instance_of::<PyException>(py) {
                        error.write_unraisable(py, Some(slf.as_any()));
                    } else {
                        stop.set(Some(error)); // an interrupt is nobody's answer
                    }
                    Lookup::Failed
                }
            };
            let verdict = Self::verdict(slf, body, http_method, Some(&headers), None, &look_up);
            return stop.take().map_or(verdict, Err);
        }
        Self::verdict(slf, body, http_method, Some(&headers), session, &|_| passed(session))
    }

    /// Judges a message of a hop without headers (stdio, in process).
    ///
    /// Args:
    ///     body: One message.
    ///     session: The connection's own session, once its handshake is done.
    #[pyo3(signature = (body, *, session = None))]
    fn admit_message(
        slf: &Bound<'_, Self>,
        body: &Bound<'_, PyAny>,
        session: Option<&Bound<'_, Session>>,
    ) -> PyResult<Verdict> {
        Self::verdict(slf, body, "POST", None, session, &|_| passed(session))
    }

    /// The verdict on a request whose session look-up failed: 500, and nothing goes on.
    #[pyo3(signature = (body, headers, http_method = None))]
    fn refuse_failed_look_up(
        slf: &Bound<'_, Self>,
        body: &Bound<'_, PyAny>,
        headers: &Bound<'_, PyAny>,
        http_method: Option<&Bound<'_, PyString>>,
    ) -> PyResult<Verdict> {
        let kept = Kept::read(headers)?;
        let headers = kept.headers();
        let http_method = http_method.map_or("POST", |name| name.to_str().unwrap_or_default());
        Self::verdict(slf, body, http_method, Some(&headers), None, &|_| Lookup::Failed)
    }

    /// The session header, where there is exactly one and the mode reads it: look it up before admit.
    fn session_id(&self, headers: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let kept = Kept::read(headers)?;
        let headers = kept.headers();
        Ok(self.core.session_id(&headers).map(latin1))
    }

    /// The cap on a body, in bytes: a host that reads bodies itself stops there.
    #[getter]
    fn max_body_bytes(&self) -> usize {
        self.core.policy().max_body_bytes
    }

    /// The served revisions, newest first.
    #[getter]
    fn revisions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.core.served().newest_first().map(Member).collect::<Vec<_>>())
    }

    /// Who owns the sessions: "stateless", "backend" or "store", or the tickets.
    #[getter]
    fn sessions<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.tickets {
            Some(tickets) => tickets.bind(py).clone().into_any(),
            None => PyString::intern(py, self.core.sessions().as_str()).into_any(),
        }
    }

    /// Reads x-mcp-header from the tools of a tools/list result.
    ///
    /// Args:
    ///     tools_list_result: The result object, or the whole response, as bytes or as a dict.
    ///
    /// Returns:
    ///     What Gate takes as param_headers, and a line for each tool whose annotations break a rule: that tool is left
    ///     out, the others are not.
    ///
    /// Raises:
    ///     ShapeError: There is no list of tools.
    #[staticmethod]
    fn param_headers_from<'py>(tools_list_result: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyDict>, Vec<String>)> {
        let py = tools_list_result.py();
        let text = match bytes_of("tools_list_result", tools_list_result) {
            Ok(bytes) => bytes.as_bytes().to_vec(),
            Err(_) => from_python(tools_list_result, Source::argument("tools_list_result"))?,
        };
        let found = AnnotatedTools::read(&text).map_err(|error| ShapeError::new_err((error.to_string(), "$.tools")))?;
        let mapping = PyDict::new(py);
        for (tool, parameters) in &found.tools {
            let of_tool = PyDict::new(py);
            for (path, header) in parameters {
                match path.as_slice() {
                    [property] => of_tool.set_item(property, header)?,
                    path => of_tool.set_item(PyTuple::new(py, path)?, header)?,
                }
            }
            mapping.set_item(tool, of_tool)?;
        }
        let problems = found.problems.iter().map(|(tool, problem)| format!("{tool:?}: {problem}")).collect();
        Ok((mapping, problems))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.tickets)?;
        visit.call(&self.arguments)
    }
}

/// The bytes of this argument; other buffers are copied once.
pub(super) fn bytes_of<'py>(name: &str, body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = body.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    if body.is_instance_of::<PyByteArray>() || body.is_instance_of::<PyMemoryView>() {
        // A view, so that no method of a subclass decides what the bytes are; one that was released has none.
        let bytes = PyMemoryView::from(body).and_then(|view| view.call_method0("tobytes"));
        return Ok(bytes.map_err(|_| wrong_value(name, "a buffer that can be read", body))?.cast_into::<PyBytes>()?);
    }
    Err(wrong_type(name, "bytes", body))
}

/// The revisions that the argument names; None: all.
pub(super) fn served(revisions: Option<&Bound<'_, PyAny>>) -> PyResult<Served> {
    let Some(given) = revisions else { return Ok(Served::all()) };
    let expected = "None or a list of revisions";
    if given.is_instance_of::<PyString>() {
        return Err(wrong_type("revisions", expected, given));
    }
    let items = given.try_iter().map_err(|_| wrong_type("revisions", expected, given))?;
    let revisions = items.map(|item| {
        let item = item?;
        item.cast::<PyString>().map_err(|_| wrong_type("revisions", expected, given))?;
        item.extract::<Known>().map(|Known(revision)| revision)
    });
    Served::of(revisions.collect::<PyResult<Vec<Revision>>>()?)
        .ok_or_else(|| wrong_value("revisions", "at least one revision", given))
}

fn requirements(methods: &Bound<'_, PyDict>) -> PyResult<Requirements> {
    let mut all = Requirements::default();
    for (method, targets) in methods {
        let expected = "a dict from method to a dict from target (or None) to what it needs";
        let method = method.cast::<PyString>().map_err(|_| wrong_type("requires", expected, &method))?;
        let targets = targets.cast::<PyDict>().map_err(|_| wrong_type("requires", expected, &targets))?;
        for (target, needed) in targets {
            let Required(needed) = needed.extract()?;
            let name = match target.cast::<PyString>() {
                Ok(name) => Some(text_of("a target in requires", name)?),
                Err(_) if target.is_none() => None,
                Err(_) => return Err(wrong_type("requires", expected, &target)),
            };
            all.insert(&text_of("a method in requires", method)?, name.as_deref(), needed);
        }
    }
    Ok(all)
}

/// The mirrored parameters that the argument names.
pub(super) fn annotations(tools: &Bound<'_, PyDict>) -> PyResult<Annotations> {
    let mut all = Annotations::default();
    for (tool, parameters) in tools {
        let name = tool.cast::<PyString>().map_err(|_| wrong_type("param_headers", "keyed by tool name", &tool))?;
        let expected = "a dict from parameter (a name, or a tuple of names) to header name";
        let parameters = parameters.cast::<PyDict>().map_err(|_| wrong_type("param_headers", expected, &parameters))?;
        let mut of_tool = Vec::new();
        for (path, header) in parameters {
            let word = |value: &Bound<'_, PyAny>| match value.cast::<PyString>() {
                Ok(text) => text_of("a name in param_headers", text),
                Err(_) => Err(wrong_type("param_headers", expected, value)),
            };
            let steps = match path.cast::<PyTuple>() {
                Ok(steps) => steps.iter().map(|step| word(&step)).collect::<PyResult<Vec<_>>>()?,
                Err(_) => vec![word(&path)?],
            };
            of_tool.push((steps, word(&header)?));
        }
        let parameters = of_tool.iter().map(|(steps, header)| (steps.iter().map(String::as_str), header.as_str()));
        let built = ToolAnnotations::new(parameters)
            .map_err(|error| RevcapError::new_err(format!("param_headers of {:?}: {error}", name.to_string_lossy())))?;
        all.insert(&text_of("a tool in param_headers", name)?, built);
    }
    Ok(all)
}
