//! A message that is to go up, and what is known of its sender.

use std::borrow::Cow;
use std::fmt;

use super::answer::members;
use crate::gate::{ClientSource, Decision, Gate, MessageKind, Rejection, Reply, SessionMode};
use crate::json::{Cursor, Kind, Limits, Node};
use crate::table::{ClientFeature, Era, Method, Revision, meta_key};

/// A message for a backend: one that a gate has judged, or one of the gateway's own.
#[derive(Clone, Debug)]
pub struct Incoming<'a> {
    /// What the gate hands on; empty where there is no message.
    pub(super) text: Cow<'a, [u8]>,
    pub(super) kind: MessageKind,
    pub(super) method: Option<Method>,
    pub(super) method_name: Cow<'a, [u8]>,
    /// The id as it stands in the message; none where it has none.
    pub(super) id: Option<Cow<'a, [u8]>>,
    /// The revision of the client; none where nobody says.
    pub(super) revision: Option<Revision>,
    /// The client's own session with the backend, whose revision the two have settled; none where the backend's
    /// sessions are not the client's.
    pub(super) own_session: Option<OwnSession<'a>>,
    /// The answer that the message already has: it goes nowhere.
    pub(super) reply: Option<Reply>,
    /// The gate, what it decided, and the body that this points into.
    pub(super) judged: Option<(&'a Gate, &'a Decision, &'a [u8])>,
}

/// What a client says to a backend that keeps its session.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OwnSession<'a> {
    pub(super) id: Option<&'a [u8]>,
    pub(super) last_event_id: Option<&'a [u8]>,
}

/// A text that is no single JSON-RPC message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAMessage(pub &'static str);

impl fmt::Display for NotAMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no JSON-RPC message: {}", self.0)
    }
}

impl std::error::Error for NotAMessage {}

impl<'a> Incoming<'a> {
    /// What `gate` decided on a whole body.
    ///
    /// A batch is not sent on as one: its elements are, each by [`Incoming::element`].
    #[must_use]
    pub fn judged(gate: &'a Gate, decision: &'a Decision, body: &'a [u8]) -> Self {
        Self::of(gate, decision, body, decision.whole_body(body).unwrap_or_default())
    }

    /// What `gate` decided on an element of the batch in `body`.
    #[must_use]
    pub fn element(gate: &'a Gate, decision: &'a Decision, body: &'a [u8]) -> Self {
        Self::of(gate, decision, body, decision.own_message(body).unwrap_or_default())
    }

    fn of(gate: &'a Gate, decision: &'a Decision, body: &'a [u8], text: Cow<'a, [u8]>) -> Self {
        let facts = &decision.facts;
        let is_backends = gate.sessions() == SessionMode::Backend && facts.era == Some(Era::Legacy);
        let own = OwnSession { id: facts.session_id.as_deref(), last_event_id: facts.last_event_id.as_deref() };
        let own_session = is_backends.then_some(own);
        let kind = facts.kind.unwrap_or(MessageKind::Request);
        let whole_batch = || {
            let refusal = Rejection::Batch("a batch goes on element by element");
            (kind == MessageKind::Batch).then(|| Reply::rejected(&refusal, None, gate.is_legacy_only()))
        };
        Self {
            text,
            kind,
            method: facts.method,
            method_name: facts.method_node.text(body).unwrap_or_default(),
            id: facts.id.is_present().then(|| facts.id.token(body).into()),
            revision: facts.revision,
            own_session,
            reply: decision.reply(body).map(Cow::into_owned).or_else(whole_batch),
            judged: Some((gate, decision, body)),
        }
    }

    /// A message of the gateway's own, or one that no gate has seen; its client's revision is what it claims.
    ///
    /// # Errors
    ///
    /// [`NotAMessage`]: the text is not one JSON-RPC message within the default [`Limits`], or its routing members
    /// stand there twice.
    pub fn bare(text: impl Into<Cow<'a, [u8]>>) -> Result<Self, NotAMessage> {
        let text = match text.into() {
            Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix(MARK).unwrap_or(text)),
            Cow::Owned(text) => text.strip_prefix(MARK).map(<[u8]>::to_vec).unwrap_or(text).into(),
        };
        let whole = parse(&text).ok_or(NotAMessage("it must be one JSON text within the limits"))?;
        let found = members(&text, whole, ["jsonrpc", "id", "method", "params", "result", "error"]);
        let [version, id, method, params, result, error] =
            found.ok_or(NotAMessage("it must be an object whose members stand there once"))?;
        if version.text(&text).is_none_or(|version| version.as_ref() != b"2.0") {
            return Err(NotAMessage("jsonrpc must be \"2.0\""));
        }
        let is_response = !method.is_present() && (result.is_present() != error.is_present());
        let kind = match id.kind() {
            _ if is_response => MessageKind::Response,
            Kind::Absent => MessageKind::Notification,
            Kind::String | Kind::EscapedString | Kind::Integer => MessageKind::Request,
            _ => return Err(NotAMessage("id must be a string or an integer")),
        };
        let name = method.text(&text).filter(|name| !name.is_empty()).map(Cow::into_owned);
        if !is_response && (name.is_none() || result.is_present() || error.is_present()) {
            return Err(NotAMessage("it must have a method, or one of result and error"));
        }
        if !params.is_absent_or_null() && !params.is_object() {
            return Err(NotAMessage("params must be an object"));
        }
        let revision = claim(&text, params)?;
        let name = name.unwrap_or_default();
        Ok(Self {
            kind,
            method: Method::parse(&name),
            method_name: name.into(),
            id: id.is_present().then(|| id.token(&text).to_vec().into()),
            revision,
            own_session: None,
            reply: None,
            judged: None,
            text,
        })
    }

    /// A request of the gateway's own that has no message.
    pub(super) const fn bodiless(kind: MessageKind, revision: Revision) -> Self {
        Self {
            text: Cow::Borrowed(&[]),
            kind,
            method: None,
            method_name: Cow::Borrowed(&[]),
            id: None,
            revision: Some(revision),
            own_session: None,
            reply: None,
            judged: None,
        }
    }

    /// The era in whose words a refusal is told; where nobody says, that of the `hop`.
    pub(super) fn era(&self, hop: Revision) -> Era {
        let judged = self.judged.and_then(|(_, decision, _)| decision.facts.era);
        judged.or(self.revision.map(Revision::era)).unwrap_or(hop.era())
    }

    /// What the client can do, where that is known.
    pub(super) fn client(&self) -> Option<ClientFeature> {
        let facts = &self.judged?.1.facts;
        (facts.client != ClientSource::Unknown).then_some(facts.client_features)
    }
}

/// The byte order mark.
const MARK: &[u8] = b"\xEF\xBB\xBF";

fn parse(text: &[u8]) -> Option<Node> {
    let mut cursor = Cursor::new(text, Limits::DEFAULT).ok()?;
    let node = cursor.value().ok()?;
    cursor.end().ok()?;
    Some(node)
}

/// The revision that a message claims, if it is a known one.
fn claim(text: &[u8], params: Node) -> Result<Option<Revision>, NotAMessage> {
    const TWICE: NotAMessage = NotAMessage("params and _meta must say each key once");
    if !params.is_object() {
        return Ok(None);
    }
    let [meta] = members(text, params, ["_meta"]).ok_or(TWICE)?;
    if !meta.is_object() {
        return Ok(None);
    }
    let [claim] = members(text, meta, [meta_key::PROTOCOL_VERSION]).ok_or(TWICE)?;
    Ok(claim.text(text).and_then(|claim| Revision::parse(&claim)))
}
