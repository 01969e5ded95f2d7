//! What goes back: status, headers and body, ready to send.

use std::borrow::Cow;

use crate::headers::JSON;
use crate::json::push_displayed;

use super::Rejection;

/// An HTTP answer that is ready to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(&'static str, Cow<'static, str>)>,
    /// The body; empty where there is none.
    pub body: Vec<u8>,
}

impl Reply {
    /// An answer without a body.
    #[must_use]
    pub fn empty(status: u16) -> Self {
        Self { status, headers: vec![("content-length", "0".into())], body: Vec::new() }
    }

    /// A JSON answer.
    #[must_use]
    pub fn json(status: u16, body: Vec<u8>) -> Self {
        Self::with_body(status, JSON, body)
    }

    fn with_body(status: u16, content_type: &'static str, body: Vec<u8>) -> Self {
        let headers = vec![("content-type", content_type.into()), ("content-length", body.len().to_string().into())];
        Self { status, headers, body }
    }

    /// The answer to a rejected request whose id, where it may be echoed, has this token.
    ///
    /// `legacy_only` gates use no code of the modern era: a client must not take them for one.
    pub(crate) fn rejected(rejection: &Rejection, id: Option<&[u8]>, legacy_only: bool) -> Self {
        let status = rejection.status();
        let Some(code) = rejection.number(legacy_only) else {
            let mut reply = match rejection {
                Rejection::AcceptListen => Self::empty(status),
                _ => Self::with_body(status, "text/plain; charset=utf-8", rejection.to_string().into_bytes()),
            };
            if let Rejection::HttpMethod(allow) = rejection {
                reply.headers.push(("allow", allow.as_str().into()));
            }
            return reply;
        };
        Self::json(status, error(id, code, rejection, rejection.data().as_deref()))
    }

    /// A result for a request whose id has this token; `result` is a JSON object.
    pub(crate) fn result(id: &[u8], result: &[u8]) -> Self {
        Self::json(200, response(id, result))
    }
}

/// A JSON-RPC response message; `id` and `result` are JSON texts.
pub(super) fn response(id: &[u8], result: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(id.len() + result.len() + 40);
    body.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    body.extend_from_slice(id);
    body.extend_from_slice(b",\"result\":");
    body.extend_from_slice(result);
    body.push(b'}');
    body
}

/// A JSON-RPC error message; `data` is a JSON text.
pub(super) fn error(id: Option<&[u8]>, code: i64, message: &impl std::fmt::Display, data: Option<&str>) -> Vec<u8> {
    let mut body = Vec::with_capacity(256);
    body.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    body.extend_from_slice(id.unwrap_or(b"null"));
    body.extend_from_slice(b",\"error\":{\"code\":");
    body.extend_from_slice(code.to_string().as_bytes());
    body.extend_from_slice(b",\"message\":");
    push_displayed(&mut body, message);
    if let Some(data) = data {
        body.extend_from_slice(b",\"data\":");
        body.extend_from_slice(data.as_bytes());
    }
    body.extend_from_slice(b"}}");
    body
}
