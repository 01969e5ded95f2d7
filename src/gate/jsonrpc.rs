//! P4 and P5: whether an object is a JSON-RPC message, and which kind.
//!
//! Spec: 2025-11-25 basic, Messages; 2026-07-28 basic, Messages; JSON-RPC 2.0 sections 4 and 5.

use crate::json::{Kind, Node};
use crate::table::Method;

use super::message::Message;
use super::{MessageKind, Policy, Rejection};

/// The kind of a message that P4 and P5 let through.
#[inline]
pub(super) fn kind_of(message: &Message, text: &[u8], policy: &Policy) -> Result<MessageKind, Rejection> {
    // P4
    if message.duplicate {
        return Err(Rejection::DuplicateKey);
    }
    if message.case_variant {
        return Err(Rejection::CaseVariant);
    }
    // P5a
    if !reads(message.jsonrpc, text, b"2.0") {
        return Err(Rejection::Message("jsonrpc must be \"2.0\""));
    }
    // P5b
    let answers_with_error = message.error.is_present() && !message.result.is_present() && !message.method.is_present();
    match message.id.kind() {
        Kind::Absent => {}
        Kind::Null if answers_with_error => {}
        Kind::String | Kind::EscapedString | Kind::Integer => {
            if message.id.span().len() > policy.max_id_bytes {
                return Err(Rejection::Message("id is too long"));
            }
        }
        _ => return Err(Rejection::Message("id must be a string or an integer")),
    }
    // P5c
    if message.method.is_present() && (message.result.is_present() || message.error.is_present()) {
        return Err(Rejection::Message("a message is a request or a response, not both"));
    }
    // P5d
    let is_empty = message.method.span().len() <= 2;
    if message.method.is_present() && (!message.method.is_string() || is_empty) {
        return Err(Rejection::Message("method must be a non-empty string"));
    }
    // P5e
    if !message.params.is_absent_or_null() && !message.params.is_object() {
        return Err(Rejection::Message("params must be an object"));
    }
    if message.method.is_present() {
        if message.id.is_present() {
            return Ok(MessageKind::Request);
        }
        // P5f: it would run unanswered, and past every check of a request.
        return match message.method.text(text).and_then(|name| Method::parse(&name)) {
            Some(method) if method.is_request_anywhere() => Err(Rejection::Message("a request needs an id")),
            _ => Ok(MessageKind::Notification),
        };
    }
    response(message)
}

/// P5g and P5h.
fn response(message: &Message) -> Result<MessageKind, Rejection> {
    match (message.result.is_present(), message.error.is_present()) {
        (true, false) => {
            if message.id.is_present() && message.result.is_object() {
                return Ok(MessageKind::Response);
            }
            Err(Rejection::Message("a result response needs an id and an object result"))
        }
        (false, true) => {
            if message.error_code.kind() == Kind::Integer && message.error_text.is_string() {
                return Ok(MessageKind::Response);
            }
            Err(Rejection::Message("an error response needs an integer code and a message"))
        }
        _ => Err(Rejection::Message("method is missing")),
    }
}

/// Whether a node is a string that reads as `wanted`.
#[inline]
fn reads(node: Node, text: &[u8], wanted: &[u8]) -> bool {
    match node.kind() {
        Kind::String => node.token(text).get(1..=wanted.len()) == Some(wanted) && node.span().len() == wanted.len() + 2,
        Kind::EscapedString => node.text(text).is_some_and(|value| *value == *wanted),
        _ => false,
    }
}

/// The id that an error may echo: read, valid, and the client's own (a response's was the server's).
pub(super) fn echoed_id(message: &Message, policy: &Policy) -> Option<Node> {
    let is_valid = matches!(message.id.kind(), Kind::String | Kind::EscapedString | Kind::Integer)
        && message.id.span().len() <= policy.max_id_bytes
        && !message.id_repeated;
    (is_valid && !message.result.is_present() && !message.error.is_present()).then_some(message.id)
}
