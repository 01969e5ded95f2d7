//! A session with a handshake backend, for clients that made no handshake with it.
//!
//! | state | what is due | the answer leads to |
//! | --- | --- | --- |
//! | new | `initialize` | greeted; failed, where it is none or settles on a version that is not spoken |
//! | greeted | `notifications/initialized` | open; new, where the session is gone; failed |
//! | open | the clients' requests | new, where the session is gone (404) |
//! | failed | nothing | |
//!
//! Spec: 2025-11-25 basic/lifecycle; basic/transports, Session Management.

use std::fmt;
use std::sync::Arc;

use super::answer::{Answer, Outcome, members};
use super::headers::lines_of;
use super::outbound::Sending;
use super::probe::{object, versions};
use super::state::Phase;
use super::{Failure, Incoming, NotAMessage, Outbound, Received, SessionState, Upstream, UpstreamConfig};
use crate::gate::{MessageKind, Rejection, Reply};
use crate::headers::{Field, is_visible, trim};
use crate::json::{Node, ObjectWriter, echo};
use crate::table::{Era, Method, Revision};

/// The handshake with a backend, and what came of it. Each step gives a new value; share them between threads.
#[derive(Clone, Debug)]
pub struct UpstreamSession {
    upstream: Arc<Upstream>,
    state: SessionState,
}

/// A session was asked for with a backend whose revision has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSession(pub Revision);

impl fmt::Display for NoSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a backend of {} is spoken with without a session", self.0.as_str())
    }
}

impl std::error::Error for NoSession {}

impl UpstreamSession {
    /// A session that is still to be opened; the revision of `upstream` is asked for.
    ///
    /// # Errors
    ///
    /// [`NoSession`]: the backend is a modern one.
    pub fn new(upstream: Upstream) -> Result<Self, NoSession> {
        let revision = upstream.revision();
        match revision.era() {
            Era::Legacy => Ok(Self { upstream: Arc::new(upstream), state: SessionState::new(revision) }),
            Era::Modern => Err(NoSession(revision)),
        }
    }

    /// A session that was held elsewhere; `upstream` is the same backend, at whatever handshake revision.
    ///
    /// # Errors
    ///
    /// [`NoSession`]: as for [`UpstreamSession::new`], or the session's revision is not spoken any more.
    pub fn resumed(upstream: Upstream, state: SessionState) -> Result<Self, NoSession> {
        let session = Self::new(upstream)?;
        let upstream = session.upstream.at(state.revision).ok_or(NoSession(state.revision))?;
        Ok(Self { upstream: Arc::new(upstream), state })
    }

    /// The backend, once it answered with what it told of itself.
    #[must_use]
    pub fn upstream(&self) -> &Upstream {
        &self.upstream
    }

    /// What is to be held.
    #[must_use]
    pub const fn state(&self) -> &SessionState {
        &self.state
    }

    /// The revision to ask for, or the settled one.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.state.revision
    }

    /// Requests may go.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state.phase == Phase::Open && self.state.failure.is_none()
    }

    /// Why there will be no session; none as long as there may be one.
    #[must_use]
    pub const fn failure(&self) -> Option<&Failure> {
        self.state.failure.as_ref()
    }

    /// The request that is due; none where the session is open, or failed.
    #[must_use]
    pub fn next(&self) -> Option<Outbound> {
        if self.state.failure.is_some() {
            return None;
        }
        let (method, params, id) = match self.state.phase {
            Phase::New => (Method::Initialize, Some(self.greeting()), Some(b"\"initialize\"".as_slice())),
            Phase::Greeted => (Method::Initialized, None, None),
            Phase::Open => return None,
        };
        let text = super::body::message_text(method.as_str(), params.as_deref(), id);
        self.upstream.own(&text, &self.sending(&Sending::default())).ok()
    }

    /// The parameters of `initialize`.
    fn greeting(&self) -> Vec<u8> {
        const NOBODY: &str = concat!(r#"{"name":"revcap","version":""#, env!("CARGO_PKG_VERSION"), r#""}"#);
        let config = self.upstream.config();
        let mut out = Vec::with_capacity(128);
        let mut params = ObjectWriter::open(&mut out);
        params.string(&mut out, "protocolVersion", self.state.revision.as_str());
        params.member(&mut out, "capabilities", &config.client_capabilities);
        params.member(&mut out, "clientInfo", config.client_info.as_deref().unwrap_or(NOBODY.as_bytes()));
        params.close(&mut out);
        out
    }

    /// What came of the request that was due.
    #[must_use]
    pub fn answered(&self, received: &Received<'_>) -> Self {
        let outcome = match self.state.phase {
            _ if self.state.failure.is_some() => return self.clone(),
            Phase::Open => return self.clone(),
            Phase::New => self.greeted(received),
            Phase::Greeted => match received.status {
                Some(200..=299) => Ok(self.with(SessionState { phase: Phase::Open, ..self.state.clone() })),
                _ => Err(Failure::NotInitialized),
            },
        };
        outcome.unwrap_or_else(|failure| {
            self.with(SessionState { failure: Some(failure), ..SessionState::new(self.state.revision) })
        })
    }

    fn with(&self, state: SessionState) -> Self {
        Self { upstream: Arc::clone(&self.upstream), state }
    }

    fn greeted(&self, received: &Received<'_>) -> Result<Self, Failure> {
        let content_type = lines_of(received.headers, "content-type").next();
        let unanswered = || Failure::Unanswered(received.status);
        let answer = Answer::find(content_type, received.body).ok_or_else(unanswered)?;
        let result = match answer.outcome {
            Outcome::Result(result) => result,
            Outcome::Error { code, data } => {
                return self.asking_again(&answer.text, data).ok_or(Failure::Refused(code));
            }
        };
        let text = &*answer.text;
        let told = members(text, result, ["protocolVersion", "capabilities", "serverInfo", "instructions"]);
        let [version, capabilities, server_info, instructions] = told.ok_or_else(unanswered)?;
        let version = version.text(text).ok_or_else(unanswered)?;
        let settled = Revision::parse(&version).filter(|revision| revision.era() == Era::Legacy);
        let config = self.upstream.config();
        let revision = settled
            .filter(|revision| config.served.contains(*revision))
            .ok_or_else(|| Failure::Version(echo(&version)))?;
        let told = UpstreamConfig {
            revision,
            capabilities: object(text, capabilities),
            server_info: object(text, server_info),
            instructions: instructions.text(text).map(|words| String::from_utf8_lossy(&words).into()),
            ..config.clone()
        };
        // Capabilities that say a key twice promise nothing.
        let upstream = Upstream::new(told.clone())
            .or_else(|_| Upstream::new(UpstreamConfig { capabilities: None, ..told }))
            .map_err(|_| unanswered())?;
        let id = session_id(received.headers)?;
        let state = SessionState { phase: Phase::Greeted, revision, id, failure: None };
        Ok(Self { upstream: Arc::new(upstream), state })
    }

    /// What to ask for next where a refusal lists what the backend has: the newest of it that is older than what was
    /// asked for, so that this comes to an end.
    ///
    /// Spec: 2025-11-25 basic/lifecycle, Error Handling.
    fn asking_again(&self, text: &[u8], data: Node) -> Option<Self> {
        let [supported] = members(text, data, ["supported"])?;
        let offered = versions(text, supported)?;
        let is_left = |revision: &Revision| {
            revision.era() == Era::Legacy
                && revision.index() < self.state.revision.index()
                && offered.contains(revision)
        };
        let revision = self.upstream.config().served.newest_first().find(is_left)?;
        let upstream = self.upstream.at(revision)?;
        Some(Self { upstream: Arc::new(upstream), state: SessionState::new(revision) })
    }

    /// A message's way up within the session, as [`Upstream::outbound`]; `sending.session` is not read.
    ///
    /// A client's own handshake ends here: `initialize` is answered from the backend's, and the notification after it
    /// goes nowhere. With an id of the gateway's own the session is one that clients share: a client's answer to a
    /// request of the server goes nowhere then, for it could answer another client's. While the session is not open the
    /// client gets an internal error.
    #[must_use]
    pub fn outbound(&self, incoming: &Incoming<'_>, sending: &Sending<'_>) -> Outbound {
        let mut incoming = incoming.clone();
        if incoming.reply.is_none() {
            incoming.reply = self.answered_here(&incoming, sending);
        }
        self.upstream.outbound(&incoming, &self.sending(sending))
    }

    /// A request of the gateway's own within the session, as [`Upstream::request`].
    ///
    /// # Errors
    ///
    /// [`NotAMessage`]: a part is not what it has to be.
    pub fn request(&self, method: &str, params: Option<&[u8]>, id: &[u8]) -> Result<Outbound, NotAMessage> {
        let text = super::body::message_text(method, params, Some(id));
        let incoming = Incoming { revision: Some(self.revision()), ..Incoming::bare(&*text)? };
        Ok(self.outbound(&incoming, &Sending::default()))
    }

    fn answered_here(&self, incoming: &Incoming<'_>, sending: &Sending<'_>) -> Option<Reply> {
        let is_own = incoming.own_session.is_none();
        match incoming.method {
            Some(Method::Initialize) if is_own => self.upstream.initialized(incoming),
            Some(Method::Initialized) if is_own => Some(Reply::empty(202)),
            // In a session that clients share, whose request it answers is anybody's guess.
            _ if incoming.kind == MessageKind::Response && sending.id.is_some() => Some(Reply::empty(202)),
            _ if self.is_open() => None,
            _ => {
                let id = incoming.id.as_deref().filter(|_| incoming.kind == MessageKind::Request);
                Some(Reply::rejected(&Rejection::Internal, id, false))
            }
        }
    }

    fn sending<'s>(&'s self, sending: &Sending<'s>) -> Sending<'s> {
        Sending { session: self.state.id.as_deref(), ..*sending }
    }

    /// The session after the answer to a request that went up in it: as it was, or new, where the backend knows it no
    /// more. What was refused so may be sent again once the session is open.
    #[must_use]
    pub fn after(&self, sent: &Outbound, status: Option<u16>) -> Self {
        let was_sent = sent.exchange.session.is_some() && sent.exchange.session == self.state.id;
        if was_sent && status == Some(404) {
            return self.with(SessionState::new(self.state.revision));
        }
        self.clone()
    }

    /// The request that ends the session; none where the backend keeps none.
    #[must_use]
    pub fn close(&self) -> Option<Outbound> {
        self.state.id.as_ref()?;
        Some(self.upstream.bodiless(MessageKind::SessionEnd, &self.sending(&Sending::default())))
    }

    /// The request that opens the session's stream of what the backend sends unasked, after `last_event_id` where one
    /// was broken off.
    #[must_use]
    pub fn stream(&self, last_event_id: Option<&[u8]>) -> Outbound {
        let sending = Sending { last_event_id, ..Sending::default() };
        self.upstream.bodiless(MessageKind::Stream, &self.sending(&sending))
    }
}

/// The session id of an answer; none where there is none.
fn session_id(headers: &[(&[u8], &[u8])]) -> Result<Option<Box<[u8]>>, Failure> {
    let mut lines = lines_of(headers, Field::McpSessionId.name()).map(trim);
    let Some(id) = lines.next() else { return Ok(None) };
    if lines.next().is_some() || id.is_empty() || !is_visible(id) {
        return Err(Failure::SessionId);
    }
    Ok(Some(id.into()))
}
