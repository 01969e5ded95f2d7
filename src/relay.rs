//! What an application behind the gate answered, on its way back.
//!
//! The gate judged the request; the answer is the application's, and mostly none of the gate's business. Three things
//! are: the HTTP status that an error's code has in its era, a session header where there are no sessions, and the
//! session that an answered handshake opens. Nothing here reads further into an answer than it must.

use bitflags::bitflags;

use crate::gate::{Decision, MessageKind, SessionMode};
use crate::handshake::settled_on;
use crate::headers::{EVENT_STREAM, Field, JSON, is_media, trim};
use crate::json::{Cursor, Fault, FaultKind, Kind, Limits, Members, Node};
use crate::table::{Code, Era, Method, Origin, Revision, http_status};

bitflags! {
    /// What an admitted request asks of its host, besides handing its message on.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Care: u8 {
        /// It is a batch: each element goes on by itself.
        const BATCH = 1;
        /// A refusal was reported instead of answered, for it or for one of its elements.
        const REPORTED = 1 << 1;
        /// Its session header is the gate's, or means nothing: it does not go on as it is.
        const HEADERS = 1 << 2;
        /// Its answer opens a session, which is the host's to name.
        const OPENS = 1 << 3;
        /// Its answer's status or headers are not for the application alone.
        const ANSWER = 1 << 4;
    }
}

impl Care {
    /// What the decision of a gate with these sessions asks.
    #[must_use]
    pub fn of(decision: &Decision, sessions: SessionMode) -> Self {
        let facts = &decision.facts;
        let is_private = names_no_session(decision, sessions);
        let is_request = facts.kind == Some(MessageKind::Request);
        let is_reported = decision.would_reject.is_some();
        let mut care = Self::empty();
        care.set(Self::BATCH, facts.kind == Some(MessageKind::Batch));
        care.set(Self::REPORTED, is_reported || decision.elements.iter().any(|one| one.would_reject.is_some()));
        care.set(Self::HEADERS, facts.names_session && is_private);
        care.set(
            Self::OPENS,
            sessions.is_stateful()
                && is_request
                && facts.era == Some(Era::Legacy)
                && facts.method == Some(Method::Initialize),
        );
        care.set(Self::ANSWER, is_request || is_private);
        care
    }
}

/// Whether a session that the application names, or is named to it, is no business of the other side: the era has
/// none, or the gate issues its own.
#[must_use]
pub fn names_no_session(decision: &Decision, sessions: SessionMode) -> bool {
    decision.facts.era == Some(Era::Modern) || sessions == SessionMode::Tickets
}

/// What the body of an answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// One JSON text.
    Json,
    /// An event stream.
    Stream,
    /// Something else, or nothing.
    #[default]
    Other,
}

/// What an answer's headers tell of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// What the body is.
    pub content: Content,
    /// The body has a content coding: its bytes are not what they mean.
    pub is_coded: bool,
    /// A session is named.
    pub names_session: bool,
}

impl Start {
    /// Reads the headers, names in any case.
    pub fn read<'h>(headers: impl IntoIterator<Item = (&'h [u8], &'h [u8])>) -> Self {
        let mut start = Self::default();
        for (name, value) in headers {
            start.line(name, value);
        }
        start
    }

    /// Whether a header of this name may be one of those that are read.
    #[must_use]
    #[inline]
    pub const fn reads(name: &[u8]) -> bool {
        matches!(name.len(), 12 | 14 | 16)
    }

    /// Reads one header.
    #[inline]
    pub fn line(&mut self, name: &[u8], value: &[u8]) {
        match Field::of(name) {
            Some(Field::ContentType) => self.content = Content::of(value),
            Some(Field::McpSessionId) => self.names_session = true,
            Some(Field::ContentEncoding) => {
                self.is_coded |= !trim(value).is_empty() && !trim(value).eq_ignore_ascii_case(b"identity");
            }
            _ => {}
        }
    }
}

impl Content {
    /// What a content type says.
    #[must_use]
    pub fn of(content_type: &[u8]) -> Self {
        if is_media(content_type, JSON) {
            Self::Json
        } else if is_media(content_type, EVENT_STREAM) {
            Self::Stream
        } else {
            Self::Other
        }
    }
}

/// A request whose answer is on its way.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The era whose rules the answer follows.
    pub era: Era,
    /// The request's id, as it stands in the body.
    pub id: Node,
    /// The body.
    pub body: &'a [u8],
}

impl<'a> Asked<'a> {
    /// The request that a decision was made on; `body` is what was judged.
    #[must_use]
    pub fn of(decision: &Decision, body: &'a [u8]) -> Self {
        Self { era: decision.facts.era.unwrap_or(Era::Legacy), id: decision.facts.id, body }
    }

    /// Whether an answer of this HTTP status may need another, depending on its body.
    ///
    /// A failure of the server's own (5xx), a refusal of who asks (401, 403) and the like say what no code says.
    #[must_use]
    pub const fn status_depends(&self, sent: u16) -> bool {
        match self.era {
            Era::Modern => matches!(sent, 200 | 400 | 404),
            Era::Legacy => matches!(sent, 400 | 404),
        }
    }

    /// The HTTP status of an answer that was to have the status `sent` and begins with `head`; `None` where `head`
    /// stops too early to tell.
    ///
    /// A transport below the handlers refuses too, and means the request and not the call by it: such an answer keeps
    /// its status. It is told by its id, which is not the request's; under a handshake revision also by its code, since
    /// 404 there means that the session is gone, and a client has to hear that.
    ///
    /// Spec: 2026-07-28 basic/transports/streamable-http, Sending Messages to the Server; 2025-11-25 basic/transports,
    /// Session Management.
    #[must_use]
    pub fn status(&self, sent: u16, head: &[u8]) -> Option<u16> {
        if !self.status_depends(sent) {
            return Some(sent);
        }
        match self.status_of(sent, head) {
            Ok(status) => Some(status),
            Err(Fault { kind: FaultKind::Truncated, .. }) => None,
            Err(_) => Some(sent),
        }
    }

    fn status_of(&self, sent: u16, head: &[u8]) -> Result<u16, Fault> {
        let (mut cursor, mut members) = open(head)?;
        let (mut code, mut id) = (None, None);
        while let Some(key) = cursor.next_unchecked_member(&mut members)? {
            match &*key.name(head) {
                // It answers; the rest need not be read.
                b"result" => return Ok(sent),
                b"error" => code = error_code(&mut cursor)?,
                b"id" => id = Some(cursor.value()?),
                _ => {
                    cursor.value()?;
                }
            }
            let Some(code) = code else {
                continue;
            };
            let status = http_status(code, self.era, Origin::Handler);
            if status >= sent {
                return Ok(status);
            }
            if let Some(id) = id {
                return Ok(if self.is_same(id, head) && self.is_handlers(code) { status } else { sent });
            }
        }
        Ok(sent)
    }

    /// Whether an error of this code comes from a handler, whatever status it was sent with.
    fn is_handlers(&self, code: i64) -> bool {
        match self.era {
            Era::Modern => true,
            // A transport's own codes, and those that nobody has given a meaning, may say that the session is gone.
            Era::Legacy => !matches!(
                Code::from_number(code),
                None | Some(Code::ParseError | Code::InvalidRequest | Code::InternalError)
            ),
        }
    }

    /// Whether `message` is the answer to this request.
    #[must_use]
    pub fn is_answered_by(&self, message: &[u8]) -> bool {
        read(message).is_ok_and(|read| {
            !read.method.is_present()
                && (read.result.is_present() || read.error.is_present())
                && self.is_same(read.id, message)
        })
    }

    /// The revision on which an answered handshake settled; `None` where `message` does not settle one.
    ///
    /// Spec: 2025-11-25 basic/lifecycle, Version Negotiation.
    #[must_use]
    pub fn settled_by(&self, message: &[u8]) -> Option<Revision> {
        let read = read(message).ok()?;
        if read.error.is_present() || !self.is_same(read.id, message) {
            return None;
        }
        settled_on(message, read.result)
    }

    fn is_same(&self, id: Node, text: &[u8]) -> bool {
        match (self.id.kind(), id.kind()) {
            (Kind::Integer, Kind::Integer) => self.id.token(self.body) == id.token(text),
            _ => match (self.id.text(self.body), id.text(text)) {
                (Some(asked), Some(answered)) => asked == answered,
                _ => false,
            },
        }
    }
}

/// The members that tell what a message is.
#[derive(Default)]
struct Outline {
    id: Node,
    method: Node,
    result: Node,
    error: Node,
}

fn read(message: &[u8]) -> Result<Outline, Fault> {
    Cursor::new(message, Limits::DEFAULT)?;
    let (mut cursor, mut members) = open(message)?;
    let mut read = Outline::default();
    while let Some(key) = cursor.next_unchecked_member(&mut members)? {
        let node = cursor.value()?;
        match &*key.name(message) {
            b"id" => read.id = node,
            b"method" => read.method = node,
            b"result" => read.result = node,
            b"error" => read.error = node,
            _ => {}
        }
    }
    cursor.end()?;
    Ok(read)
}

/// The object at the beginning of a text, which may be cut off anywhere.
fn open(text: &[u8]) -> Result<(Cursor<'_>, Members), Fault> {
    let start = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut cursor = Cursor::resume(text, start, 0, Limits::DEFAULT);
    let members = cursor.open_object()?;
    Ok((cursor, members))
}

/// The code of the error that stands here.
fn error_code(cursor: &mut Cursor<'_>) -> Result<Option<i64>, Fault> {
    if cursor.peek() != Some(b'{') {
        cursor.value()?;
        return Ok(None);
    }
    let mut members = cursor.open_object()?;
    let mut code = None;
    while let Some(key) = cursor.next_unchecked_member(&mut members)? {
        let is_code = &*key.name(cursor.text()) == b"code";
        let node = cursor.value()?;
        if is_code && node.kind() == Kind::Integer {
            code = std::str::from_utf8(node.token(cursor.text())).ok().and_then(|digits| digits.parse().ok());
        }
    }
    Ok(code)
}
