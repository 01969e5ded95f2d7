//! From the ladder's outcome to a decision.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::batch::{Element, Elements};
use super::jsonrpc::{echoed_id, kind_of};
use super::ladder::{Climb, Top};
use super::message::{Message, Reading};
use super::{Facts, Gate, MessageKind, Reason, Rejection, Reply, Request};

/// The gate's decision on a request or on an element of a batch, without the body that its spans point into.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Why; closed list.
    pub reason: Reason,
    /// The HTTP status of the answer, or the one it will have when the handler succeeds.
    pub status: u16,
    /// The JSON-RPC code of a refusal, as the reply has it.
    pub code: Option<i64>,
    /// What to send back now; `None`: the request goes on.
    pub reply: Option<Reply>,
    /// What is known of the request.
    pub facts: Facts,
    /// The refusal that was reported instead of answered.
    pub would_reject: Option<WouldReject>,
    /// What refused it.
    pub rejection: Option<Box<Rejection>>,
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
        Self::refused_with(Rejection::Internal, Facts::default(), None, false, None)
    }

    /// The answer to a request whose body is longer than `max_body_bytes`, for a host that knows before it reads one.
    #[must_use]
    pub fn too_large(max_body_bytes: usize) -> Self {
        Self::refused_with(Rejection::TooLarge(max_body_bytes), Facts::default(), None, false, None)
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
        id: Option<&[u8]>,
        legacy_only: bool,
        would_reject: Option<WouldReject>,
    ) -> Self {
        let reply = Reply::rejected(&rejection, id, legacy_only);
        Self {
            reason: rejection.reason(),
            status: reply.status,
            code: rejection.number(legacy_only),
            reply: Some(reply),
            facts,
            would_reject,
            rejection: Some(Box::new(rejection)),
            elements: Vec::new(),
            message: crate::json::Span::default(),
        }
    }
}

impl Climb<'_, '_> {
    /// The decision of a climb that nothing was read for, or that ended in a refusal.
    pub(super) fn refused(self, rejection: Rejection, id: Option<&[u8]>) -> Decision {
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
                let body = self.body();
                let policy = self.gate().policy();
                let id = message.and_then(|message| echoed_id(message, policy)).map(|node| node.token(body));
                // On a hop without statuses, what wants no answer gets none.
                let is_silent = self.is_direct()
                    && matches!(self.facts.kind, Some(MessageKind::Notification | MessageKind::Response));
                let mut decision = self.refused(rejection, id);
                if is_silent {
                    decision.reply = Some(Reply::empty(decision.status));
                }
                return decision;
            }
        };
        let status = match self.facts.kind {
            Some(MessageKind::Notification | MessageKind::Response) => 202,
            Some(MessageKind::SessionEnd) => 204,
            _ => 200,
        };
        let (reason, reply) = match top {
            Top::Forward => (Reason::Admitted, None),
            Top::Answered(reply) => (Reason::Answered, Some(reply)),
            Top::Dropped => (Reason::Admitted, Some(Reply::empty(status))),
        };
        Decision {
            reason,
            status,
            code: None,
            reply,
            facts: self.facts,
            would_reject: self.would_reject,
            rejection: None,
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
        if request.headers.is_some() {
            let kind = match request.http_method {
                "GET" => Some(MessageKind::Stream),
                "DELETE" => Some(MessageKind::SessionEnd),
                _ => None,
            };
            if let Some(kind) = kind {
                let outcome = climb.without_message(kind).map(|()| Top::Forward);
                return climb.decide(outcome, None);
            }
            if let Err(rejection) = climb.envelope(request.http_method) {
                return climb.refused(rejection, None);
            }
        }
        // P1: the whole body, before any later rung looks at it.
        let mut message = Message::default();
        match self.read(request.body, &mut message) {
            Err(fault) => climb.refused(Rejection::Parse(fault), None),
            Ok(Read::Other) => climb.refused(Rejection::NotAMessage, None),
            Ok(Read::Message) => {
                let outcome =
                    kind_of(&message, request.body, self.policy()).and_then(|kind| climb.message(&message, kind));
                climb.decide(outcome, Some(&message))
            }
            Ok(Read::Batch(elements)) => match climb.batch(elements, request) {
                Err(rejection) => climb.refused(rejection, None),
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
        let reply = elements.iter().all(|element| element.reply.is_some()).then(|| {
            let bodies: Vec<&[u8]> = elements
                .iter()
                .filter_map(|element| element.reply.as_ref())
                .map(|reply| reply.body.as_slice())
                .filter(|body| !body.is_empty())
                .collect();
            if bodies.is_empty() {
                return Reply::empty(status);
            }
            let mut joined = b"[".to_vec();
            joined.extend_from_slice(&bodies.join(&b','));
            joined.push(b']');
            Reply::json(status, joined)
        });
        Decision {
            reason: Reason::Admitted,
            status,
            code: None,
            reply,
            facts: self.facts,
            would_reject: self.would_reject,
            rejection: None,
            elements,
            message: crate::json::Span::default(),
        }
    }
}
