//! L0 to L4: the tail of the handshake revisions.

use crate::capabilities::{Declared, WrongType};
use crate::headers::{Field, is_visible};
use crate::json::{Kind, Node};
use crate::session::Session;
use crate::table::{Channel, Era, Method, Revision};

use super::ladder::{Climb, Top};
use super::message::Message;
use super::policy::SessionMode;
use super::{ClientSource, Lookup, MessageKind, Rejection, VersionSource};

/// The longest session id that is looked up, in bytes.
const LONGEST_SESSION_ID: usize = 512;

impl Climb<'_, '_> {
    /// The session of the request, where the host keeps sessions and exactly one header names it well.
    ///
    /// Spec: 2025-11-25 basic/transports, Session Management.
    pub(super) fn look_up_session(&mut self) -> Result<(), Rejection> {
        let Some(headers) = self.headers() else {
            // The connection's own session, if the host has one.
            return self.keep(self.look_up(b""));
        };
        let lines = headers.lines(Field::McpSessionId);
        match (self.gate().sessions(), lines.first()) {
            (SessionMode::Backend, Some(id)) if !lines.is_repeated() => {
                self.facts.session_id = Some(id.into());
                Ok(())
            }
            (SessionMode::Store | SessionMode::Tickets, Some(id)) if !lines.is_repeated() => {
                self.facts.session_id = Some(id.into());
                if id.is_empty() || id.len() > LONGEST_SESSION_ID || !is_visible(id) {
                    return Ok(());
                }
                self.keep(self.look_up(id))
            }
            _ => Ok(()),
        }
    }

    fn keep(&mut self, found: Lookup) -> Result<(), Rejection> {
        match found {
            Lookup::Unknown => Ok(()),
            Lookup::Live(session) => {
                self.facts.session = Some(Box::new(session));
                Ok(())
            }
            Lookup::Failed => Err(Rejection::Internal),
        }
    }

    /// L1: exactly one session header where sessions are kept, and a session behind it.
    pub(super) fn session_rules(&self) -> Result<(), Rejection> {
        let Some(headers) = self.headers() else {
            return Ok(());
        };
        let lines = headers.lines(Field::McpSessionId);
        let mode = self.gate().sessions();
        if mode == SessionMode::Stateless {
            return Ok(());
        }
        if lines.is_repeated() {
            return Err(Rejection::SessionRepeated);
        }
        match (lines.first(), &self.facts.session) {
            _ if !mode.is_stateful() => Ok(()),
            (Some(_), Some(_)) => Ok(()),
            (Some(_), None) => Err(Rejection::SessionUnknown),
            (None, _) => Err(Rejection::SessionRequired),
        }
    }

    /// The revision of a handshake client's message: its session's, else what it said, else the assumed one.
    fn settle_legacy(&mut self, said: Option<(Revision, VersionSource)>) -> Result<Revision, Rejection> {
        let session = self.facts.session.as_deref().map(Session::revision);
        let (revision, source) = match (session, said) {
            (Some(revision), _) => {
                self.served(revision)?;
                (revision, VersionSource::Session)
            }
            (None, Some(said)) => said,
            (None, None) => (self.assumed()?, VersionSource::Assumed),
        };
        self.settle(revision, source);
        Ok(revision)
    }

    /// The tail of any message but `initialize`.
    pub(super) fn legacy(
        &mut self,
        message: &Message,
        method: Option<Method>,
        said: Option<(Revision, VersionSource)>,
    ) -> Result<Top, Rejection> {
        self.look_up_session()?;
        let revision = self.settle_legacy(said)?;
        // L0: a client that probes for the modern era must be able to fall back.
        if let Some(probe) = method.filter(|_| self.facts.kind == Some(MessageKind::Request))
            && self.lacks_session_header()
            && probe.is_request_anywhere()
            && !self.gate().is_in_a_served_handshake(probe)
        {
            self.object(Rejection::Probe(probe.as_str().into()))?;
        }
        if let Err(rejection) = self.session_rules() {
            self.object(rejection)?;
        }
        self.within_session(message, method, revision)
    }

    fn lacks_session_header(&self) -> bool {
        self.gate().sessions().is_stateful()
            && self.headers().is_some_and(|headers| headers.lines(Field::McpSessionId).first().is_none())
    }

    /// What the client declared in the handshake of a live session, as far as it counts under the revision.
    pub(super) fn note_sessions_client(&mut self, revision: Revision) {
        if let Some(features) = self.facts.session.as_deref().and_then(Session::client_features) {
            self.facts.client = ClientSource::Session;
            self.facts.client_features = Declared::of(features).effective(revision);
        }
    }

    /// L2 and L3, for a message whose session and revision are settled; a batch's elements begin here.
    pub(super) fn within_session(
        &mut self,
        message: &Message,
        method: Option<Method>,
        revision: Revision,
    ) -> Result<Top, Rejection> {
        self.note_sessions_client(revision);
        match self.facts.kind {
            Some(MessageKind::Request) => {}
            Some(MessageKind::Notification) => return Ok(self.notification(method, revision)),
            _ => return Ok(Top::Forward),
        }
        if matches!(message.meta.progress_token.kind(), Kind::String | Kind::EscapedString | Kind::Integer) {
            self.facts.progress_token = message.meta.progress_token;
        }
        // L2
        if !self.gate().has_method(method, revision) {
            self.object(self.no_such_method(message.method, Era::Legacy))?;
        }
        // L3
        if !message.fields.meta.is_absent_or_null() && !message.fields.meta.is_object() {
            self.object(Rejection::Params { what: "_meta must be an object".into(), era: Era::Legacy })?;
        }
        self.parameters(message, method, revision)?;
        Ok(self.top(method, revision, message.id))
    }

    /// Handed on where the revision has it from clients on this hop, or where nobody knows it.
    pub(super) fn notification(&mut self, method: Option<Method>, revision: Revision) -> Top {
        let deliver = match method {
            Some(method) => {
                revision.methods(Channel::ClientNotification, self.gate().reading()).contains(method)
                    && (self.is_direct() || revision.has(crate::table::Feature::CANCELLED_OVER_HTTP))
            }
            None => !self.gate().policy().reject_unknown_methods,
        };
        self.facts.deliver = Some(deliver);
        if deliver { Top::Forward } else { Top::Dropped }
    }

    /// L4: the handshake itself.
    ///
    /// Spec: 2025-11-25 basic/lifecycle, Initialization, Version Negotiation.
    pub(super) fn initialize(&mut self, message: &Message) -> Result<Top, Rejection> {
        self.facts.era = Some(Era::Legacy);
        let gate = self.gate();
        if let (SessionMode::Backend, Some(headers)) = (gate.sessions(), self.headers()) {
            let lines = headers.lines(Field::McpSessionId);
            if lines.is_repeated() {
                self.object(Rejection::SessionRepeated)?;
            } else {
                self.facts.session_id = lines.first().map(Into::into);
            }
        }
        let fields = &message.fields;
        let what = |what: &str| Rejection::Handshake(what.into());
        let requested = fields.protocol_version.text(self.body());
        let negotiated = gate.negotiate(requested.as_deref().unwrap_or_default());
        if requested.is_none() {
            self.object(what("protocolVersion must be a string"))?;
        } else {
            self.facts.requested = fields.protocol_version;
        }
        self.settle(negotiated, VersionSource::Handshake);
        self.facts.negotiated = Some(negotiated);
        self.client(fields.capabilities, &fields.declared, negotiated, |wrong| what(&wrong.to_string()))?;
        if fields.client_info.is_object() {
            self.facts.client_info = fields.client_info;
        } else if !fields.client_info.is_absent_or_null() {
            self.object(what("clientInfo must be an object"))?;
        }
        if matches!(message.meta.progress_token.kind(), Kind::String | Kind::EscapedString | Kind::Integer) {
            self.facts.progress_token = message.meta.progress_token;
        }
        Ok(self.top(Some(Method::Initialize), negotiated, message.id))
    }

    /// What the client declares under the revision; what has a wrong type is refused, or reads as not declared.
    ///
    /// Spec: 2025-11-25 basic/lifecycle, Capability Negotiation; 2026-07-28 basic, client capabilities.
    pub(super) fn client(
        &mut self,
        node: Node,
        declared: &Declared,
        revision: Revision,
        refuse: impl Fn(WrongType) -> Rejection,
    ) -> Result<(), Rejection> {
        let lenient = self.gate().policy().lenient_capability_types && declared.is_object();
        if let (Err(wrong), false) = (declared.under(revision), lenient) {
            self.object(refuse(wrong))?;
        }
        self.facts.client = ClientSource::Body(if node.is_object() { node.span() } else { Node::ABSENT.span() });
        self.facts.client_features = declared.effective(revision);
        Ok(())
    }

    /// What becomes of a request that nothing refused.
    pub(super) fn top(&mut self, method: Option<Method>, revision: Revision, id: Node) -> Top {
        let answered = method.filter(|method| self.gate().has_method(Some(*method), revision));
        match answered.and_then(|method| self.gate().answer(method, revision)) {
            Some(result) => Top::Answered(Box::new(super::Reply::result(id.token(self.body()), result))),
            None => Top::Forward,
        }
    }
}
