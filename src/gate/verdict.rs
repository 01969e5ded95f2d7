//! A decision together with the body it is about.

use std::borrow::Cow;

use super::{Decision, MessageKind};

/// The gate's answer on one request.
#[derive(Clone, Debug)]
pub struct Verdict<'a> {
    body: &'a [u8],
    decision: Decision,
}

impl<'a> Verdict<'a> {
    /// A decision on this body.
    #[must_use]
    pub const fn of(body: &'a [u8], decision: Decision) -> Self {
        Self { body, decision }
    }

    /// The decision and its facts.
    #[must_use]
    pub const fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The body that was judged.
    #[must_use]
    pub const fn body(&self) -> &'a [u8] {
        self.body
    }

    /// What to hand on, a message each: parts of the checked bytes, never written anew.
    #[must_use]
    pub fn forward(&self) -> Vec<Cow<'a, [u8]>> {
        self.decision.forward(self.body)
    }
}

const MARK: &[u8] = b"\xEF\xBB\xBF";

impl Decision {
    /// What to hand on of `body`, the bytes that were judged.
    #[must_use]
    pub fn forward<'a>(&self, body: &'a [u8]) -> Vec<Cow<'a, [u8]>> {
        match self.facts.kind {
            Some(MessageKind::Batch) => self.elements.iter().filter_map(|element| element.own_message(body)).collect(),
            Some(MessageKind::Request | MessageKind::Notification | MessageKind::Response) => {
                self.whole_body(body).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether what goes on is a single message, and the body to its last byte.
    #[must_use]
    #[inline]
    pub fn hands_on_all_of(&self, body: &[u8]) -> bool {
        !self.is_answered()
            && matches!(self.facts.kind, Some(MessageKind::Request | MessageKind::Notification | MessageKind::Response))
            && self.facts.strip_task.is_none()
            && !body.starts_with(MARK)
    }

    /// A single message: all of the body but a byte order mark and what is cut out.
    #[must_use]
    pub fn whole_body<'a>(&self, body: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        if self.is_answered() {
            return None;
        }
        let start = if body.starts_with(MARK) { MARK.len() } else { 0 };
        self.part(body, start, body.len())
    }

    /// An element of a batch: its own bytes.
    #[must_use]
    pub fn own_message<'a>(&self, body: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        if self.is_answered() {
            return None;
        }
        self.part(body, self.message.start as usize, self.message.end as usize)
    }

    fn part<'a>(&self, body: &'a [u8], start: usize, end: usize) -> Option<Cow<'a, [u8]>> {
        let Some(cut) = self.facts.strip_task else {
            return body.get(start..end).map(Cow::Borrowed);
        };
        let before = body.get(start..cut.start as usize)?;
        let after = body.get(cut.end as usize..end)?;
        Some(Cow::Owned([before, after].concat()))
    }
}
