//! A message in the words of the revision that reads it.
//!
//! A backend of one revision serves readers of all of them: members that the specification assigns to other revisions
//! go, as deep as the table nests them; what the revision cannot show is replaced by what it can; errors and results
//! that it has no word for are told in its own. Everything else (vendor members, order, spacing, the spelling of
//! numbers) stays as it is, byte for byte, and a message with nothing to change is handed back itself. JSON Schemas,
//! arguments and log data are never entered.
//!
//! The walk is one pass along the table's [definitions](crate::table::Definition); it notes a patch and applies it at
//! the end. A malformed message is a [`ShapeError`], and nothing of it goes on as if it had been shaped.

mod answer;
mod ask;
mod client_request;
mod content;
mod envelope;
mod error;
mod failure;
mod hints;
mod meta;
mod notification;
mod patch;
mod plan;
mod reader;
mod response;
mod server_request;
mod sse;
mod walk;

use std::borrow::Cow;

pub use client_request::shape_client_request;
pub(crate) use client_request::shape_client_request_from;
pub use error::ShapeError;
pub use hints::{cache_hint, merge_cache_hints};
pub use notification::shape_notification;
pub use reader::{IncludeContext, LogLevel, Reader, Request, ShapePolicy, SubscriptionFilter};
pub use response::shape_response;
pub use server_request::shape_server_request;
pub use sse::{Fed, OnInvalid, SseShaper};

/// Where a shaped message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// On to the client.
    Client,
    /// Back to the server, whose request the client cannot take.
    Server,
}

impl To {
    /// `client` or `server`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

/// A message as its reader gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shaped<'a> {
    /// The message: the very text that was given, where nothing had to change.
    pub body: Cow<'a, [u8]>,
    /// The HTTP status of an answer that is this message.
    pub status: u16,
    /// Where it goes.
    pub to: To,
}
