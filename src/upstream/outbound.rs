//! What goes up: headers and body for the backend's revision.

use super::arguments::mirrors;
use super::body::{Changes, Written};
use super::exchange::Exchange;
use super::headers::{Line, is_holdable, pass_unknown_params};
use super::{Incoming, NotAMessage, Upstream};
use crate::gate::{MessageKind, Rejection, Reply};
use crate::headers::{EVENT_STREAM, Field, JSON, encode, is_printable, is_visible, trim};
use crate::table::{Era, Feature, Method, Revision};

/// Beside the message: what the client sent with it, and what is to change on the way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sending<'s> {
    /// The client's headers, for those that the host lists.
    pub headers: &'s [(&'s [u8], &'s [u8])],
    /// The backend's name for the tool, prompt, resource or task that the message is about.
    pub rename: Option<&'s str>,
    /// The id under which the backend is asked, a JSON string or integer, where it is not the client's own. For a
    /// cancellation: the id of the request that it is about.
    pub id: Option<&'s [u8]>,
    /// The session that the gateway holds with a handshake backend.
    pub session: Option<&'s [u8]>,
    /// The last event that the gateway has of the stream that a GET takes up again.
    pub last_event_id: Option<&'s [u8]>,
}

/// One step of this hop: a request to send, or the answer that the client gets without one.
#[derive(Clone, Debug)]
pub struct Outbound {
    /// Send this to the client now; nothing goes up. None: the request below is to be sent.
    pub reply: Option<Reply>,
    /// The HTTP method.
    pub http_method: &'static str,
    /// Names in lower case; the length of the body is for whoever sends it.
    pub headers: Vec<Line>,
    /// The body; empty where there is none. On a hop without headers it is the whole message.
    pub body: Vec<u8>,
    /// What the answer is read by.
    pub(super) exchange: Exchange,
}

impl Upstream {
    /// A message's way up.
    ///
    /// A message that this hop cannot carry comes back with a reply that says so in the client's words; it never fails.
    #[must_use]
    pub fn outbound(&self, incoming: &Incoming<'_>, sending: &Sending<'_>) -> Outbound {
        // The client and its backend have settled a revision of their own where the session is theirs.
        let hop = incoming.own_session.and(incoming.revision).unwrap_or(self.revision());
        let exchange = Exchange::new(incoming, hop, sending);
        match self.request_up(incoming, sending, hop) {
            Err(reply) => {
                Outbound { reply: Some(reply), http_method: "POST", headers: Vec::new(), body: Vec::new(), exchange }
            }
            Ok((http_method, headers, body)) => Outbound { reply: None, http_method, headers, body, exchange },
        }
    }

    /// A request of the gateway's own; `params` is a JSON object, `id` a JSON string or integer.
    ///
    /// # Errors
    ///
    /// [`NotAMessage`]: a part is not what it has to be.
    pub fn request(&self, method: &str, params: Option<&[u8]>, id: &[u8]) -> Result<Outbound, NotAMessage> {
        self.own(&super::body::message_text(method, params, Some(id)), &Sending::default())
    }

    /// A message of the gateway's own, in the words of this hop.
    pub(super) fn own(&self, text: &[u8], sending: &Sending<'_>) -> Result<Outbound, NotAMessage> {
        let incoming = Incoming { revision: Some(self.revision()), ..Incoming::bare(text)? };
        Ok(self.outbound(&incoming, sending))
    }

    /// A request without a message, within a session of the gateway's own.
    pub(super) fn bodiless(&self, kind: MessageKind, sending: &Sending<'_>) -> Outbound {
        self.outbound(&Incoming::bodiless(kind, self.revision()), sending)
    }

    fn request_up(
        &self,
        incoming: &Incoming<'_>,
        sending: &Sending<'_>,
        hop: Revision,
    ) -> Result<(&'static str, Vec<Line>, Vec<u8>), Reply> {
        if let Some(reply) = incoming.reply.clone().or_else(|| self.answered_here(incoming, hop)) {
            return Err(reply);
        }
        let refuse = |rejection: &Rejection| {
            let id = incoming.id.as_deref().filter(|_| incoming.kind == MessageKind::Request);
            Reply::rejected(rejection, id, false)
        };
        let mut headers = Vec::with_capacity(10);
        let (http_method, written) = match incoming.kind {
            MessageKind::Stream => {
                headers.push(line(Field::Accept, EVENT_STREAM.as_bytes()));
                ("GET", Written::default())
            }
            MessageKind::SessionEnd => ("DELETE", Written::default()),
            _ => {
                headers.push(line(Field::ContentType, JSON.as_bytes()));
                headers.push(line(Field::Accept, format!("{JSON}, {EVENT_STREAM}").as_bytes()));
                let changes = Changes { upstream: self, incoming, sending, hop };
                ("POST", changes.write().map_err(|rejection| refuse(&rejection))?)
            }
        };
        if incoming.method != Some(Method::Initialize) && hop.has(Feature::PROTOCOL_VERSION_HEADER) {
            headers.push(line(Field::McpProtocolVersion, hop.as_str().as_bytes()));
        }
        if hop.has(Feature::MIRROR_HEADERS) {
            self.mirror(incoming, &written, sending, &mut headers).map_err(|rejection| refuse(&rejection))?;
        }
        session_lines(incoming, sending, hop, &mut headers);
        self.config.forwarded.pick(sending.headers, &mut headers);
        Ok((http_method, headers, written.text))
    }

    /// The mirror headers of a modern hop, from the body as it goes out.
    fn mirror(
        &self,
        incoming: &Incoming<'_>,
        written: &Written,
        sending: &Sending<'_>,
        headers: &mut Vec<Line>,
    ) -> Result<(), Rejection> {
        let method = &*incoming.method_name;
        // The method has no other spelling in a header.
        if is_printable(method) && trim(method).len() == method.len() {
            headers.push(line(Field::McpMethod, method));
        } else if incoming.kind == MessageKind::Request {
            return Err(incoming.no_such_method(self.revision()));
        }
        if incoming.kind != MessageKind::Request {
            return Ok(());
        }
        if let Some(name) = written.name.as_deref().filter(|_| written.is_name_mirrored) {
            headers.push(line(Field::McpName, encode(name).as_bytes()));
        }
        let name = written.name.as_deref().filter(|_| incoming.method == Some(Method::ToolsCall));
        let tool = name.and_then(|name| self.config.annotations.of(name));
        if let Some(tool) = tool {
            let arguments = written.arguments().ok_or(Rejection::DuplicateKey)?;
            mirrors(tool, &written.text, arguments, incoming.era(self.revision()), headers)?;
        }
        if incoming.revision.is_some_and(|revision| revision.has(Feature::PARAM_HEADERS)) {
            let is_known =
                |param: &[u8]| tool.is_some_and(|t| t.headers().any(|h| h.as_bytes().eq_ignore_ascii_case(param)));
            pass_unknown_params(sending.headers, is_known, headers);
        }
        Ok(())
    }
}

/// `Mcp-Session-Id` and `Last-Event-ID` of this hop.
fn session_lines(incoming: &Incoming<'_>, sending: &Sending<'_>, hop: Revision, headers: &mut Vec<Line>) {
    if hop.era() != Era::Legacy {
        return;
    }
    let is_handshake = incoming.method == Some(Method::Initialize);
    let (session, last_event_id) = match incoming.own_session {
        Some(own) => (own.id, own.last_event_id),
        None => (sending.session.filter(|_| !is_handshake), sending.last_event_id),
    };
    if let Some(session) = session.filter(|id| is_visible(id) && !id.is_empty()) {
        headers.push(line(Field::McpSessionId, session));
    }
    if let Some(event) = last_event_id.filter(|event| is_holdable(event) && incoming.kind == MessageKind::Stream) {
        headers.push(line(Field::LastEventId, event));
    }
}

fn line(field: Field, value: &[u8]) -> Line {
    (field.name().into(), value.to_vec())
}
