//! B.5: an array of messages, which one revision has.
//!
//! The rules for the whole come first and refuse the whole; then each element climbs on its own. What is refused is
//! never handed on. Spec: 2025-03-26 basic, Batching; basic/transports; basic/lifecycle.

use crate::json::{Kind, Node};
use crate::table::{Era, Feature, Method, Revision};

use super::jsonrpc::kind_of;
use super::ladder::Climb;
use super::message::Message;
use super::version::{Claim, Header, header_of};
use super::{Decision, MessageKind, Rejection, Request, VersionSource};

/// What the pass found in an array.
#[derive(Debug, Default)]
pub(super) struct Elements {
    /// Up to one more than a batch may hold.
    pub messages: Vec<Element>,
    pub count: usize,
}

/// One element: a message, or something that is none.
#[derive(Debug)]
pub(super) enum Element {
    Message(Box<Message>),
    Other,
}

const NOT_HERE: &str = "batches are not part of this revision";

impl Climb<'_, '_> {
    pub(super) fn batch(&mut self, elements: Elements, request: &Request<'_>) -> Result<Vec<Decision>, Rejection> {
        self.facts.kind = Some(MessageKind::Batch);
        let policy = self.gate().policy();
        let refuse = |what| Err(Rejection::Batch(what));
        // 1
        let header = header_of(self);
        let named = match header {
            Header::Absent => None,
            Header::Served(revision) if revision.era() == Era::Legacy => Some(revision),
            _ => return refuse(NOT_HERE),
        };
        let has_batches = |revision: Revision| revision.has(Feature::BATCH);
        if !self.gate().served().newest_first().any(has_batches) {
            return refuse(NOT_HERE);
        }
        // 2
        if elements.count == 0 {
            return refuse("empty batch");
        }
        if elements.count > policy.max_batch {
            return refuse("batch too large");
        }
        // 3 to 5
        self.each_alone(&elements)?;
        self.all_together(&elements)?;
        // 6
        self.facts.era = Some(Era::Legacy);
        self.look_up_session()?;
        self.session_rules()?;
        let session = self.facts.session.as_deref().map(|session| (session.revision(), VersionSource::Session));
        let said = named.map(|revision| (revision, VersionSource::Header));
        let assumed = policy.assumed_revision.map(|revision| (revision, VersionSource::Assumed));
        match session.or(said).or(assumed) {
            Some((revision, source)) if has_batches(revision) && self.gate().served().contains(revision) => {
                self.settle(revision, source);
                self.note_sessions_client(revision);
                Ok(self.climb_each(elements, request, revision, source))
            }
            _ => refuse(NOT_HERE),
        }
    }

    /// 3: what no element may be, check by check.
    fn each_alone(&self, elements: &Elements) -> Result<(), Rejection> {
        let body = self.body();
        let messages = || elements.messages.iter().filter_map(Element::message);
        if messages().any(|message| message.duplicate) {
            return Err(Rejection::BatchDuplicate(false));
        }
        if messages().any(|message| message.case_variant) {
            return Err(Rejection::BatchDuplicate(true));
        }
        if messages().any(|message| method_of(message, body) == Some(Method::Initialize)) {
            return Err(Rejection::Batch("initialize cannot be part of a batch"));
        }
        let claims_another = |message: &Message| match Claim::read(message.meta.claim, body, |_| true) {
            Claim::Absent => false,
            Claim::Served(revision) => !revision.has(Feature::BATCH),
            Claim::Unknown(_) | Claim::WrongType => true,
        };
        if !self.gate().is_legacy_only() && messages().any(claims_another) {
            return Err(Rejection::Batch("a batch element carries a protocol version of its own"));
        }
        Ok(())
    }

    /// 4 and 5: what the elements may not be side by side.
    fn all_together(&self, elements: &Elements) -> Result<(), Rejection> {
        let responses = elements.messages.iter().filter(|element| element.is_response()).count();
        if responses != 0 && responses != elements.count {
            return Err(Rejection::Batch("a batch holds requests and notifications, or responses"));
        }
        let mut ids = std::collections::HashSet::with_capacity(elements.messages.len());
        let requests = elements.messages.iter().filter_map(Element::message).filter(|it| it.method.is_present());
        let repeats = requests.filter_map(|message| id_of(message, self.body())).any(|id| !ids.insert(id));
        if repeats { Err(Rejection::Batch("a batch repeats a request id")) } else { Ok(()) }
    }

    /// Each element by itself, under the revision that the whole has.
    fn climb_each(
        &self,
        elements: Elements,
        request: &Request<'_>,
        revision: Revision,
        source: VersionSource,
    ) -> Vec<Decision> {
        let gate = self.gate();
        // Each message is let go of once it is judged: a long batch is held once.
        let one = |element: Element| {
            let mut climb = Climb::new(gate, request);
            climb.facts.has_headers = false;
            climb.facts.session.clone_from(&self.facts.session);
            climb.facts.session_id.clone_from(&self.facts.session_id);
            climb.settle(revision, source);
            let message = match element {
                Element::Message(message) => message,
                Element::Other => return climb.refused(Rejection::NotAMessage, Node::ABSENT),
            };
            let outcome = kind_of(&message, self.body(), gate.policy()).and_then(|kind| {
                let method = climb.read_method(&message, kind);
                climb.within_session(&message, method, revision)
            });
            climb.decide(outcome, Some(&message))
        };
        elements.messages.into_iter().map(one).collect()
    }
}

fn method_of(message: &Message, body: &[u8]) -> Option<Method> {
    message.method.text(body).and_then(|name| Method::parse(&name))
}

/// An id as it reads, its type included.
fn id_of<'a>(message: &Message, body: &'a [u8]) -> Option<(bool, std::borrow::Cow<'a, [u8]>)> {
    match message.id.kind() {
        Kind::Integer => Some((false, message.id.token(body).into())),
        _ => message.id.text(body).map(|text| (true, text)),
    }
}

impl Element {
    fn message(&self) -> Option<&Message> {
        match self {
            Self::Message(message) => Some(message),
            Self::Other => None,
        }
    }

    /// A message without a method that says what answers: `result` or `error`.
    fn is_response(&self) -> bool {
        self.message().is_some_and(|message| {
            !message.method.is_present() && (message.result.is_present() || message.error.is_present())
        })
    }
}
