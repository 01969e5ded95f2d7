//! The one-pass JSON scanner; it knows no MCP.
//!
//! A [`Cursor`] moves over a text front to back and checks UTF-8, the grammar of RFC 8259, and [`Limits`] as it goes.
//! What it hands out are [`Node`]s: a kind and a [`Span`], never a copy. Three things are stricter than the RFC asks:
//! an unpaired surrogate escape is a fault (no UTF-8 string can hold it), numbers and nesting are bounded, and the
//! keys of the objects a caller reads are compared after unescaping.

mod block;
mod canonical;
mod cursor;
mod echo;
mod elements;
mod fault;
mod key_set;
mod keys;
mod members;
mod names;
mod node;
mod number;
mod numbers;
mod pass;
mod string;
mod unescape;
mod word;
mod work;
mod write;

pub use canonical::canonical;
pub use cursor::{Cursor, Limits, Place};
pub(crate) use echo::{LONGEST_ECHO, echo};
pub use elements::Elements;
pub use fault::{Fault, FaultKind};
pub use keys::Key;
pub use members::Members;
pub(crate) use names::{Name, head, names};
pub use node::{Kind, Node, Span};
pub use unescape::unescape;
#[cfg(any(debug_assertions, fuzzing))]
pub use work::{Work, forget_work, work};
pub use write::{ObjectWriter, push_displayed, push_string};
