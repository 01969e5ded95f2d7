//! From the ladder's outcome to a decision.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::batch::{Element, Elements};
use super::jsonrpc::{echoed_id, kind_of};
use super::ladder::{Climb, Top};
use super::message::{Message, Reading};
use super::{Answer, Facts, Gate, MessageKind, Reason, Refusal, Rejection, Reply, Request};
use crate::json::Node;

/// The gate's decision on a request or on an element of a batch, without the body that its spans point into.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Why; closed list.
    pub reason: Reason,
    /// The HTTP status of the answer, or the one it will have when the handler succeeds.
    pub status: u16,
    /// The JSON-RPC code of a refusal, as the reply has it.
    pub code: Option<i64>,
    /// What to send back now.
    pub(crate) answer: Answer,
    /// What is known of the request.
    pub facts: Facts,
    /// The refusal that was reported instead of answered.
    pub would_reject: Option<Box<WouldReject>>,
    /// A batch's elements, in order.
    pub elements: Vec<Decision>,
    /// The message's own part of the body.
    pub(super) message: crate::json::Span,
}

/// A refusal that `enforce` reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WouldReject {
    /// Its reason.
    pub reason: Reason,
    /// The HTTP status that it would have had.
    pub status: u16,
    /// The JSON-RPC code that it would have had.
    pub code: Option<i64>,
    pub(super) rejection: Rejection,
}

impl WouldReject {
    pub(super) fn new(rejection: &Rejection, legacy_only: bool) -> Self {
        Self {
            reason: rejection.reason(),
            status: rejection.status(),
            code: rejection.number(legacy_only),
            rejection: rejection.clone(),
        }
    }
}

impl Decision {
    /// Whether nothing refused it.
    #[must_use]
    #[inline]
    pub const fn is_admitted(&self) -> bool {
        matches!(self.reason, Reason::Admitted | Reason::Answered)
    }

    /// The answer to a request that the gate itself, or the host's look-up, failed on.
    #[must_use]
    pub fn internal() -> Self {
        Self::refused_with(Rejection::Internal, Facts::default(), Node::ABSENT, false, None)
    }

    /// The answer to a request whose body is longer than `max_body_bytes`, for a host that knows before it reads one.
    #[must_use]
    pub fn too_large(max_body_bytes: usize) -> Self {
        Self::refused_with(Rejection::TooLarge(max_body_bytes), Facts::default(), Node::ABSENT, false, None)
    }

    /// The answer to this decision's request when the host fails on it; `body` is what was judged.
    #[must_use]
    pub fn failure(&self, body: &[u8]) -> Reply {
        let id = self.facts.id;
        Reply::rejected(&Rejection::Internal, id.is_present().then(|| id.token(body)), false)
    }

    fn refused_with(
        rejection: Rejection,
        facts: Facts,
        id: Node,
        legacy_only: bool,
        would_reject: Option<Box<WouldReject>>,
    ) -> Self {
        let rejection = Arc::new(rejection);
        Self {
            reason: rejection.reason(),
            status: rejection.status(),
            code: rejection.number(legacy_only),
            answer: Answer::Refusal(Refusal { rejection, id, legacy_only, is_silent: false }),
            facts,
            would_reject,
            elements: Vec::new(),
            message: crate::json::Span::default(),
        }
    }
}

impl Climb<'_, '_> {
    /// The decision of a climb that nothing was read for, or that ended in a refusal.
    pub(super) fn refused(self, rejection: Rejection, id: Node) -> Decision {
        let legacy_only = self.gate().is_legacy_only();
        let would_reject = self.would_reject;
        Decision::refused_with(rejection, self.facts, id, legacy_only, would_reject)
    }

    /// The decision of a message's climb.
    #[inline]
    pub(super) fn decide(self, outcome: Result<Top, Rejection>, message: Option<&Message>) -> Decision {
        let top = match outcome {
            Ok(top) => top,
            Err(rejection) => {
                let policy = self.gate().policy();
                let id = message.and_then(|message| echoed_id(message, policy)).unwrap_or(Node::ABSENT);
                // On a hop without statuses, what wants no answer gets none.
                let is_silent = self.is_direct()
                    && matches!(self.facts.kind, Some(MessageKind::Notification | MessageKind::Response));
                let mut decision = self.refused(rejection, id);
                if let Answer::Refusal(refusal) = &mut decision.answer {
                    refusal.is_silent = is_silent;
                }
                return decision;
            }
        };
        let status = match self.facts.kind {
            Some(MessageKind::Notification | MessageKind::Response) => 202,
            Some(MessageKind::SessionEnd) => 204,
            _ => 200,
        };
        let (reason, answer) = match top {
            Top::Forward => (Reason::Admitted, Answer::None),
            Top::Answered(reply) => (Reason::Answered, Answer::Reply(reply)),
            Top::Dropped => (Reason::Admitted, Answer::Reply(Box::new(Reply::empty(status)))),
        };
        Decision {
            reason,
            status,
            code: None,
            answer,
            facts: self.facts,
            would_reject: self.would_reject,
            elements: Vec::new(),
            message: message.map_or_else(Default::default, |message| message.node.span()),
        }
    }
}

/// What the body is.
enum Read {
    /// An object, read into the message that was passed in.
    Message,
    Batch(Elements),
    Other,
}

impl Gate {
    /// The whole ladder; a panic inside becomes an internal error that refuses.
    #[must_use]
    #[inline]
    pub fn decide(&self, request: &Request<'_>) -> Decision {
        catch_unwind(AssertUnwindSafe(|| self.climb(request))).unwrap_or_else(|_| Decision::internal())
    }

    fn climb(&self, request: &Request<'_>) -> Decision {
        let mut climb = Climb::new(self, request);
        if let Some(headers) = request.headers {
            let kind = match request.http_method {
                "GET" => Some(MessageKind::Stream),
                "DELETE" => Some(MessageKind::SessionEnd),
                _ => None,
            };
            if let Some(kind) = kind {
                let outcome = climb.without_message(kind, headers).map(|()| Top::Forward);
                return climb.decide(outcome, None);
            }
            if let Err(rejection) = climb.envelope(request.http_method, headers) {
                return climb.refused(rejection, Node::ABSENT);
            }
        }
        // P1: the whole body, before any later rung looks at it.
        let mut message = Message::default();
        match self.read(request.body, &mut message) {
            Err(fault) => climb.refused(Rejection::Parse(fault), Node::ABSENT),
            Ok(Read::Other) => climb.refused(Rejection::NotAMessage, Node::ABSENT),
            Ok(Read::Message) => {
                let outcome =
                    kind_of(&message, request.body, self.policy()).and_then(|kind| climb.message(&message, kind));
                climb.decide(outcome, Some(&message))
            }
            Ok(Read::Batch(elements)) => match climb.batch(elements, request) {
                Err(rejection) => climb.refused(rejection, Node::ABSENT),
                Ok(decisions) => climb.joined(decisions),
            },
        }
    }

    fn read(&self, body: &[u8], message: &mut Message) -> Result<Read, crate::json::Fault> {
        let policy = self.policy();
        let reading = Reading {
            everywhere: policy.unique_keys_everywhere,
            case_variants: policy.reject_case_variants,
            annotations: self.annotations(),
        };
        let mut cursor = reading.begin(body, policy.limits)?;
        let read = match cursor.peek() {
            Some(b'{') => {
                reading.message(&mut cursor, message);
                Read::Message
            }
            Some(b'[') => {
                let mut found = Elements::default();
                let mut elements = cursor.open_array()?;
                while cursor.next_element(&mut elements)? {
                    found.count += 1;
                    // What is too much is checked and forgotten.
                    let is_kept = found.count <= policy.max_batch;
                    if cursor.peek() == Some(b'{') && is_kept {
                        let mut message = Box::<Message>::default();
                        reading.message(&mut cursor, &mut message);
                        found.messages.push(Element::Message(message));
                    } else {
                        cursor.value()?;
                        if is_kept {
                            found.messages.push(Element::Other);
                        }
                    }
                }
                Read::Batch(found)
            }
            _ => {
                cursor.value()?;
                Read::Other
            }
        };
        cursor.end()?;
        Ok(read)
    }
}

impl Climb<'_, '_> {
    /// The decision on a batch: answered at once where nothing in it goes on.
    fn joined(self, elements: Vec<Decision>) -> Decision {
        let wants_answer =
            |element: &Decision| !element.is_admitted() || element.facts.kind == Some(MessageKind::Request);
        let status = if elements.iter().any(wants_answer) { 200 } else { 202 };
        let joined = || {
            let replies = elements.iter().filter_map(|element| element.reply(self.body()));
            let bodies: Vec<_> = replies.map(|reply| reply.into_owned().body).filter(|body| !body.is_empty()).collect();
            if bodies.is_empty() {
                return Reply::empty(status);
            }
            Reply::json(status, [b"[", &*bodies.join(&b','), b"]"].concat())
        };
        let is_answered = elements.iter().all(Decision::is_answered);
        let answer = if is_answered { Answer::Reply(Box::new(joined())) } else { Answer::None };
        Decision {
            reason: Reason::Admitted,
            status,
            code: None,
            answer,
            facts: self.facts,
            would_reject: self.would_reject,
            elements,
            message: crate::json::Span::default(),
        }
    }
}
