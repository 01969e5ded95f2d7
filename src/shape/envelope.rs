//! What a message is, before it is walked.

use std::borrow::Cow;

use super::error::ShapeError;
use super::walk::{Walk, Walked};
use crate::json::{Kind, Node};

/// The members of a message that is no response.
pub(super) struct Envelope<'a> {
    pub(super) id: Node,
    /// Its name, unescaped.
    pub(super) method: Cow<'a, [u8]>,
    pub(super) params: Node,
}

impl<'a> Walk<'a, '_> {
    /// Reads a whole request or notification, to be walked from its beginning.
    pub(super) fn envelope(&mut self) -> Walked<Envelope<'a>> {
        let place = self.cursor.place();
        let [version, id, method, params, result, error] =
            self.read_for(["jsonrpc", "id", "method", "params", "result", "error"])?;
        self.cursor.end()?;
        self.cursor.go_back(place);
        self.check_version(version)?;
        for (node, name) in [(result, "result"), (error, "error")] {
            if node.is_present() {
                return Err(ShapeError::new("a request or notification has none").in_member(name.as_bytes()));
            }
        }
        match method.text(self.text()) {
            Some(method) if !method.is_empty() => Ok(Envelope { id, method, params }),
            _ => Err(ShapeError::new("must be a non-empty string").in_member(b"method")),
        }
    }

    /// The message is one of JSON-RPC 2.0.
    pub(super) fn check_version(&self, version: Node) -> Walked<()> {
        if version.text(self.text()).is_some_and(|version| version.as_ref() == b"2.0") {
            return Ok(());
        }
        let what = if version.is_present() { "must be \"2.0\"" } else { "is missing" };
        Err(ShapeError::new(what).in_member(b"jsonrpc"))
    }
}

/// An id that an answer can carry.
pub(super) fn check_id(id: Node) -> Walked<()> {
    match id.kind() {
        Kind::Integer | Kind::String | Kind::EscapedString => Ok(()),
        Kind::Absent => Err(ShapeError::new("is missing").in_member(b"id")),
        _ => Err(ShapeError::new("must be a string or an integer").in_member(b"id")),
    }
}
