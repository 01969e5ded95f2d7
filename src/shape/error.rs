//! Why a backend's message was not shaped.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use crate::json::Fault;

/// A message from a backend that no revision would recognise, and the member at fault.
///
/// Nothing of such a message goes on as if it had been shaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeError(Box<Inner>);

/// How many characters of a member's name are told: it may be anything.
const SHOWN: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    what: Cow<'static, str>,
    /// From the fault up to the message.
    way: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Member(String),
    Element(usize),
}

impl ShapeError {
    #[cold]
    pub(super) fn new(what: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner { what: what.into(), way: Vec::new() }))
    }

    /// The same fault, seen from the object that has the member `name`.
    #[cold]
    pub(super) fn in_member(mut self, name: &[u8]) -> Self {
        let name = String::from_utf8_lossy(name);
        let cut = name.char_indices().nth(SHOWN).map(|(end, _)| format!("{}…", name.get(..end).unwrap_or_default()));
        self.0.way.push(Step::Member(cut.unwrap_or_else(|| name.into_owned())));
        self
    }

    /// The same fault, seen from the array.
    #[cold]
    pub(super) fn in_element(mut self, index: usize) -> Self {
        self.0.way.push(Step::Element(index));
        self
    }

    /// The member at fault, such as `result.content[0].type`; empty for the message itself.
    #[must_use]
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.0.way.iter().rev() {
            let _infallible = match step {
                Step::Element(index) => write!(path, "[{index}]"),
                Step::Member(name) if !is_plain(name) => write!(path, "[{name:?}]"),
                Step::Member(name) if path.is_empty() => path.write_str(name),
                Step::Member(name) => write!(path, ".{name}"),
            };
        }
        path
    }

    /// The fault in words, without its place.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.0.what
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$')
}

impl From<Fault> for ShapeError {
    #[cold]
    fn from(fault: Fault) -> Self {
        Self::new(fault.to_string())
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path() {
            path if path.is_empty() => write!(f, "message: {}", self.0.what),
            path => write!(f, "{path}: {}", self.0.what),
        }
    }
}

impl std::error::Error for ShapeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_reads_from_the_message_down() {
        let error = ShapeError::new("must be an object").in_element(3).in_member(b"tools").in_member(b"result");
        assert_eq!(error.path(), "result.tools[3]");
        assert_eq!(error.to_string(), "result.tools[3]: must be an object");
        let error = ShapeError::new("must be an object").in_member(b"a/b").in_member(b"_meta");
        assert_eq!(error.path(), "_meta[\"a/b\"]");
        let long = ShapeError::new("must be an object").in_member("é".repeat(65).as_bytes());
        assert_eq!(long.path(), format!("[\"{}…\"]", "é".repeat(64)));
        assert_eq!(ShapeError::new("unexpected end of text").to_string(), "message: unexpected end of text");
    }
}
