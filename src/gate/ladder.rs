//! The ladder: which rungs a request climbs, in their order. The first that objects decides the answer.

use crate::headers::{Field, Headers};
use crate::json::Node;
use crate::table::{Era, Method, Revision};

use super::message::Message;
use super::version::{Claim, Tail, header_of};
use super::{Facts, Gate, Lookup, MessageKind, Rejection, Reply, Request, VersionSource, WouldReject};

/// How far a message came when nothing refused it.
#[derive(Clone, Debug)]
pub(super) enum Top {
    /// It goes on.
    Forward,
    /// The gate answers it.
    Answered(Box<Reply>),
    /// A notification that goes nowhere.
    Dropped,
}

/// One message on its way up.
pub(super) struct Climb<'g, 'a> {
    gate: &'g Gate,
    request: &'g Request<'a>,
    /// What is known so far.
    pub(super) facts: Facts,
    /// The first refusal that was reported instead.
    pub(super) would_reject: Option<Box<WouldReject>>,
}

impl<'g, 'a> Climb<'g, 'a> {
    #[inline]
    pub(super) fn new(gate: &'g Gate, request: &'g Request<'a>) -> Self {
        let names_session = request.headers.is_some_and(|headers| headers.lines(Field::McpSessionId).first().is_some());
        Self {
            gate,
            request,
            facts: Facts { has_headers: request.headers.is_some(), names_session, ..Facts::default() },
            would_reject: None,
        }
    }

    #[inline]
    pub(super) const fn gate(&self) -> &'g Gate {
        self.gate
    }

    #[inline]
    pub(super) const fn body(&self) -> &'a [u8] {
        self.request.body
    }

    #[inline]
    pub(super) const fn headers(&self) -> Option<&'g Headers<'a>> {
        self.request.headers
    }

    /// There are no headers on this hop.
    #[inline]
    pub(super) const fn is_direct(&self) -> bool {
        self.request.headers.is_none()
    }

    /// Asks the host for a session.
    pub(super) fn look_up(&self, id: &[u8]) -> Lookup {
        (self.request.look_up)(id)
    }

    /// An objection of a V, L or M rung: it ends the climb, unless the operator only wants to hear of it.
    #[cold]
    pub(super) fn object(&mut self, rejection: Rejection) -> Result<(), Rejection> {
        if !self.gate.reports(rejection.reason()) {
            return Err(rejection);
        }
        self.would_reject.get_or_insert_with(|| Box::new(WouldReject::new(&rejection, self.gate.is_legacy_only())));
        Ok(())
    }

    /// From here on the request is processed under this revision.
    #[inline]
    pub(super) fn settle(&mut self, revision: Revision, source: VersionSource) {
        self.facts.era = Some(revision.era());
        self.facts.revision = Some(revision);
        self.facts.version_source = Some(source);
    }

    /// V1 to V4 and the tail, for a message that P4 and P5 let through.
    #[inline]
    pub(super) fn message(&mut self, message: &Message, kind: MessageKind) -> Result<Top, Rejection> {
        let gate = self.gate;
        let method = self.read_method(message, kind);
        let header = header_of(self);
        // A gate without a modern revision reads no claims: nobody may assume anything of a reserved key.
        let claim = if kind == MessageKind::Response || gate.is_legacy_only() {
            Claim::Absent
        } else {
            Claim::read(message.meta.claim, self.body(), |revision| gate.served().contains(revision))
        };
        let is_handshake = method == Some(Method::Initialize) && kind == MessageKind::Request;
        let agreed = if is_handshake {
            self.agree_on_handshake(header, &claim, message.fields.protocol_version)?
        } else {
            self.agree(header, &claim)?
        };
        match agreed.tail() {
            Tail::Handshake => self.initialize(message),
            Tail::Modern(revision, source) => {
                self.settle(revision, source);
                self.modern(message, method, revision)
            }
            Tail::Legacy(said) => {
                self.facts.era = Some(Era::Legacy);
                self.legacy(message, method, said)
            }
        }
    }

    /// Notes what the message calls itself.
    #[inline]
    pub(super) fn read_method(&mut self, message: &Message, kind: MessageKind) -> Option<Method> {
        self.facts.kind = Some(kind);
        self.facts.id = message.id;
        if kind == MessageKind::Response {
            return None;
        }
        let method = message.method.text(self.body()).and_then(|name| Method::parse(&name));
        self.facts.method_node = message.method;
        self.facts.method = method;
        self.facts.known_method = Some(method.is_some());
        method
    }

    /// The method's name, for an error that echoes it.
    pub(super) fn no_such_method(&self, method: Node, era: Era) -> Rejection {
        let name = method.text(self.body()).unwrap_or_default();
        Rejection::no_such_method(&name, era)
    }
}
