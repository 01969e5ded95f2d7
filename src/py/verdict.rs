//! `revcap.Verdict`: the body and spans into it; a member becomes an object when it is read.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyString, PyTuple};

use super::capabilities::{ClientCapabilities, Required};
use super::enums::Member;
use super::gate::{Gate, bytes_of};
use super::json::{Source, from_python, integer, value_of};
use super::profile::CapabilityProfile;
use super::reply::Reply;
use super::session::Session;
use super::shape::malformed;
use super::words::Words;
use crate::gate::{Answer, Decision, MessageKind, Reason, SessionMode, VersionSource};
use crate::json::{Kind, Node, Span};
use crate::table::{Era, Method, Revision};
use crate::upstream::Incoming;

/// The gate's answer on one request or one element of a batch; immutable.
///
/// It comes from Gate.admit and Gate.admit_message.
#[pyclass(frozen, module = "revcap")]
pub(super) struct Verdict {
    /// Whether nothing refused it.
    #[pyo3(get)]
    admitted: Py<PyBool>,
    /// What to send back now: a refusal, the gate's own answer, or the 202 of a notification that goes nowhere. None:
    /// the request goes on.
    #[pyo3(get)]
    reply: Py<PyAny>,
    body: Py<PyBytes>,
    decision: Decision,
    gate: Py<Gate>,
    /// The session as the host passed it.
    session: Option<Py<Session>>,
    /// What the client declared, once it was asked for.
    client: PyOnceLock<Option<Py<ClientCapabilities>>>,
    is_element: bool,
}

impl Verdict {
    #[inline]
    pub(super) fn new(
        py: Python<'_>,
        gate: Py<Gate>,
        body: Py<PyBytes>,
        decision: Decision,
        session: Option<Py<Session>>,
    ) -> PyResult<Self> {
        let reply = match &decision.answer {
            Answer::None => py.None(),
            Answer::Reply(reply) => Py::new(py, Reply::of(py, reply)?)?.into_any(),
            Answer::Refusal(refusal) => Py::new(py, Reply::refused(refusal.clone(), body.clone_ref(py)))?.into_any(),
        };
        let admitted = PyBool::new(py, decision.is_admitted()).to_owned().unbind();
        Ok(Self { admitted, reply, body, decision, gate, session, client: PyOnceLock::new(), is_element: false })
    }

    /// The facts that matter to what answers the request.
    pub(super) fn shape_request<'a>(&'a self, py: Python<'a>) -> Option<crate::shape::Request<'a>> {
        self.decision.shape_request(self.body.as_bytes(py))
    }

    pub(super) const fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The bytes that were judged.
    pub(super) fn body<'a>(&'a self, py: Python<'a>) -> &'a [u8] {
        self.body.as_bytes(py)
    }

    /// Whether the gate serves this revision.
    pub(super) fn serves(&self, revision: Revision) -> bool {
        self.gate.get().core().served().contains(revision)
    }

    /// Who owns the sessions.
    pub(super) fn sessions(&self) -> SessionMode {
        self.gate.get().core().sessions()
    }

    /// The message on its way to a backend.
    pub(super) fn incoming<'a>(&'a self, py: Python<'a>) -> Incoming<'a> {
        let (gate, body) = (self.gate.get().core(), self.body.as_bytes(py));
        if self.is_element {
            Incoming::element(gate, &self.decision, body)
        } else {
            Incoming::judged(gate, &self.decision, body)
        }
    }

    fn string<'py>(&self, py: Python<'py>, node: Node) -> Option<Bound<'py, PyString>> {
        let text = node.text(self.body.as_bytes(py))?;
        Some(PyString::new(py, &String::from_utf8_lossy(&text)))
    }

    /// A string or an integer, of whatever length.
    fn token<'py>(&self, py: Python<'py>, node: Node) -> PyResult<Option<Bound<'py, PyAny>>> {
        match node.kind() {
            Kind::Integer => integer(py, node.token(self.body.as_bytes(py))).map(Some),
            _ => Ok(self.string(py, node).map(Bound::into_any)),
        }
    }

    fn value<'py>(&self, py: Python<'py>, span: Span) -> PyResult<Bound<'py, PyAny>> {
        value_of(py, self.body.as_bytes(py), span)
    }
}

#[pymethods]
impl Verdict {
    /// The HTTP status of the answer, or the one that it will have when the handler succeeds.
    #[getter]
    fn http_status(&self) -> u16 {
        self.decision.status
    }

    /// Why; of a closed list.
    #[getter]
    fn reason(&self) -> Member<Reason> {
        Member(self.decision.reason)
    }

    /// The first refusal that enforce reported instead of answering: a dict of reason, status and code; else None.
    #[getter]
    fn would_reject<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(reported) = &self.decision.would_reject else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("reason", Member(reported.reason))?;
        dict.set_item("status", reported.status)?;
        dict.set_item("code", reported.code)?;
        Ok(Some(dict))
    }

    /// The revision that the request is processed under; None where none was settled.
    #[getter]
    fn revision(&self) -> Option<Member<Revision>> {
        self.decision.facts.revision.map(Member)
    }

    /// The era whose rules were applied; None where the request did not come so far.
    #[getter]
    fn era(&self) -> Option<Member<Era>> {
        self.decision.facts.era.map(Member)
    }

    /// What the revision permits; None where none was settled.
    #[getter]
    fn profile(&self, py: Python<'_>) -> PyResult<Option<Py<CapabilityProfile>>> {
        let reading = self.gate.get().core().reading();
        self.decision.facts.revision.map(|revision| CapabilityProfile::of(py, revision, reading)).transpose()
    }

    /// What the revision was taken from: header, body, session, assumed or handshake.
    #[getter]
    fn version_source<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        static SOURCES: Words<{ VersionSource::Handshake as usize + 1 }> = Words::new();
        self.decision.facts.version_source.map(|source| SOURCES.get(py, source as usize, source.as_str()))
    }

    /// What the message is: request, notification, response, batch, stream or session_end.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        static KINDS: Words<{ MessageKind::SessionEnd as usize + 1 }> = Words::new();
        self.decision.facts.kind.map(|kind| KINDS.get(py, kind as usize, kind.as_str()))
    }

    /// The method; None for what has none.
    #[getter]
    fn method<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        static METHODS: Words<{ Method::COUNT }> = Words::new();
        match self.decision.facts.method {
            Some(method) => Some(METHODS.get(py, method as usize, method.as_str())),
            None => self.string(py, self.decision.facts.method_node),
        }
    }

    /// The id, a str or an int of any size; None for a message without one.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.token(py, self.decision.facts.id)
    }

    /// The parameter that names the request's target (a tool, a prompt, a URI, a task), confirmed by the body.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.string(py, self.decision.facts.name)
    }

    /// The client's implementation, a dict; None where it did not say.
    #[getter]
    fn client_info<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let node = self.decision.facts.client_info;
        node.is_object().then(|| self.value(py, node.span())).transpose()
    }

    /// What the client declared; None: unknown, which is not undeclared.
    #[getter]
    fn client(&self, py: Python<'_>) -> PyResult<Option<Py<ClientCapabilities>>> {
        if let Some(session) = self.session(py)? {
            return session.get().client(py);
        }
        let client = self.client.get_or_try_init(py, || {
            let client = self.decision.client(self.body.as_bytes(py));
            client.map(|client| Py::new(py, ClientCapabilities::of(client))).transpose()
        })?;
        Ok(client.as_ref().map(|client| client.clone_ref(py)))
    }

    /// The live session of the request, where the gate knows sessions.
    #[getter]
    fn session(&self, py: Python<'_>) -> PyResult<Option<Py<Session>>> {
        let Some(live) = &self.decision.facts.session else { return Ok(None) };
        match &self.session {
            Some(passed) => Ok(Some(passed.clone_ref(py))),
            None => Py::new(py, Session::of((**live).clone())).map(Some),
        }
    }

    /// The answer to a client that did not declare what a handler needs; None where it did, or where nobody knows.
    ///
    /// -32021 with what is missing in the modern era, -32602 in-band before it.
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands it over
    fn require(&self, py: Python<'_>, needed: Required) -> PyResult<Option<Reply>> {
        self.decision.require(self.body.as_bytes(py), &needed.0).map(|reply| Reply::of(py, &reply)).transpose()
    }

    /// The log level that a modern request asks for.
    #[getter]
    fn log_level<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.string(py, self.decision.facts.log_level)
    }

    /// The progress token, a str or an int; 0 and "" are tokens, None is none.
    #[getter]
    fn progress_token<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.token(py, self.decision.facts.progress_token)
    }

    /// The session header, where it is not ignored.
    #[getter]
    fn session_id(&self) -> Option<String> {
        self.decision.facts.session_id.as_deref().map(latin1)
    }

    /// GET: the last event that the client has.
    #[getter]
    fn last_event_id(&self) -> Option<String> {
        self.decision.facts.last_event_id.as_deref().map(latin1)
    }

    /// initialize: the version that the client asked for, as it wrote it.
    #[getter]
    fn requested<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.string(py, self.decision.facts.requested)
    }

    /// initialize: the revision that the gate would answer.
    #[getter]
    fn negotiated(&self) -> Option<Member<Revision>> {
        self.decision.facts.negotiated.map(Member)
    }

    /// Whether some revision, direction or known extension has the method; None for what has none.
    #[getter]
    fn known_method(&self) -> Option<bool> {
        self.decision.facts.known_method
    }

    /// A notification: hand it on, or drop it; None for what is none.
    #[getter]
    fn deliver(&self) -> Option<bool> {
        self.decision.facts.deliver
    }

    /// The parameters that forward leaves out because the receiver must ignore them.
    #[getter]
    fn strip<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.decision.facts.strip_task.map(|_| "task"))
    }

    /// A multi-round-trip retry: it brings answers or state that an input_required result asked for.
    #[getter]
    fn retry(&self) -> bool {
        self.decision.facts.retry
    }

    /// subscriptions/listen: what it asked for, cut down to what the server publishes; else None.
    #[getter]
    fn subscription_filter<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(filter) = self.decision.facts.subscription_filter else { return Ok(None) };
        let dict = PyDict::new(py);
        for (name, is_on) in filter.switches() {
            if is_on {
                dict.set_item(name, true)?;
            }
        }
        for (name, span) in filter.lists() {
            if let Some(span) = span {
                dict.set_item(name, self.value(py, span)?)?;
            }
        }
        Ok(Some(dict))
    }

    /// A batch's verdicts, one per element in order; empty for any other message.
    #[getter]
    fn elements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let one = |element: &Decision| {
            let session = self.session.as_ref().map(|session| session.clone_ref(py));
            let verdict = Verdict::new(py, self.gate.clone_ref(py), self.body.clone_ref(py), element.clone(), session)?;
            Ok(Verdict { is_element: true, ..verdict })
        };
        PyTuple::new(py, self.decision.elements.iter().map(one).collect::<PyResult<Vec<_>>>()?)
    }

    /// The messages to hand on, bytes each, parts of the body that was checked: one, but for batches, and none where
    /// there is a reply or no message.
    #[getter]
    fn forward<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let body = self.body.as_bytes(py);
        let parts = if self.is_element {
            self.decision.own_message(body).into_iter().collect()
        } else {
            self.decision.forward(body)
        };
        PyTuple::new(
            py,
            parts
                .iter()
                .map(|part| {
                    // Nothing was cut: the very object that was judged.
                    if part.len() == body.len() { self.body.bind(py).clone() } else { PyBytes::new(py, part) }
                })
                .collect::<Vec<_>>(),
        )
    }

    /// The way up the ladder, a line for each rung: passed, reported or refused, with the specification's place.
    fn explain(&self) -> String {
        let mut lines = Vec::new();
        for step in self.decision.explain() {
            let (mark, said) = match (&step.objection, step.is_reported) {
                (None, _) => ("ok", step.asks.to_owned()),
                (Some(objection), true) => ("reported", format!("{}: {objection}", step.asks)),
                (Some(objection), false) => ("refused", format!("{}: {objection}", step.asks)),
            };
            lines.push(format!("{:<3} {mark:<9} {said}  [{}]", step.rung, step.spec));
        }
        lines.push(format!("    {} ({})", self.decision.reason.as_str(), self.decision.status));
        lines.join("\n")
    }

    /// The answer where a handler's input_required result asks the client for what it cannot give; None: it can.
    ///
    /// Args:
    ///     result: The handler's result object, as bytes or as a dict.
    ///
    /// Raises:
    ///     ShapeError: The result is malformed where it is read.
    fn check_input_requests(&self, py: Python<'_>, result: &Bound<'_, PyAny>) -> PyResult<Option<Reply>> {
        let text = match bytes_of("result", result) {
            Ok(bytes) => bytes.as_bytes().to_vec(),
            Err(_) => from_python(result, Source::argument("result"))?,
        };
        let gate = self.gate.get().core();
        let reply = gate
            .check_input_requests(&self.decision, self.body.as_bytes(py), &text)
            .map_err(|error| malformed(&error))?;
        reply.map(|reply| Reply::of(py, &reply)).transpose()
    }

    /// The request in OpenTelemetry's semantic conventions for MCP: attribute names to strings.
    ///
    /// A session id is among them only where it opens nothing by itself: never in the modern era, never a ticket.
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in self.decision.attributes(self.body.as_bytes(py), self.gate.get().core().sessions()) {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let facts = &self.decision.facts;
        let mut said = vec![self.decision.reason.as_str().to_owned(), self.decision.status.to_string()];
        said.extend(facts.kind.map(|kind| kind.as_str().to_owned()));
        if let Some(method) = self.method(py) {
            said.push(method.repr()?.to_string_lossy().into_owned());
        }
        said.extend(facts.revision.map(|revision| revision.as_str().to_owned()));
        Ok(format!("<Verdict {}>", said.join(" ")))
    }
}

/// Header values are bytes; text that is not ASCII keeps its bytes as Latin-1 characters.
pub(super) fn latin1(value: &[u8]) -> String {
    value.iter().map(|byte| char::from(*byte)).collect()
}
