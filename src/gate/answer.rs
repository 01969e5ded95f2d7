//! What a request is answered with at once, put together when somebody reads it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::json::Node;

use super::{Decision, Rejection, Reply};

/// What answers a request now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing: the request goes on.
    None,
    /// The gate's own answer.
    Reply(Box<Reply>),
    /// A refusal.
    Refusal(Refusal),
}

/// A refusal, from which its reply is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(super) rejection: Arc<Rejection>,
    /// The id to echo, in the body that was judged; absent where none is.
    pub(super) id: Node,
    pub(super) legacy_only: bool,
    /// Nobody waits for the words.
    pub(super) is_silent: bool,
}

impl Refusal {
    /// The reply; `body` is what was judged.
    pub(crate) fn reply(&self, body: &[u8]) -> Reply {
        if self.is_silent {
            return Reply::empty(self.rejection.status());
        }
        let id = self.id.is_present().then(|| self.id.token(body));
        Reply::rejected(&self.rejection, id, self.legacy_only)
    }
}

impl Decision {
    /// Whether something is to be sent back now; else the request goes on.
    #[must_use]
    #[inline]
    pub const fn is_answered(&self) -> bool {
        !matches!(self.answer, Answer::None)
    }

    /// What to send back now; `None`: the request goes on. `body` is what was judged.
    #[must_use]
    pub fn reply(&self, body: &[u8]) -> Option<Cow<'_, Reply>> {
        match &self.answer {
            Answer::None => None,
            Answer::Reply(reply) => Some(Cow::Borrowed(&**reply)),
            Answer::Refusal(refusal) => Some(Cow::Owned(refusal.reply(body))),
        }
    }

    /// What refused it.
    #[must_use]
    pub fn rejection(&self) -> Option<&Rejection> {
        match &self.answer {
            Answer::Refusal(refusal) => Some(&*refusal.rejection),
            _ => None,
        }
    }
}
