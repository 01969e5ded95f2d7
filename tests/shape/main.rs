//! Messages from backends, in the words of each revision.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod ask;
mod capabilities;
mod cases;
mod client_request;
mod failure;
mod malformed;
mod notification;
mod result;
mod stream;

use revcap::shape::{Reader, ShapeError, To, shape_response};
use revcap::table::{Method, Revision};

fn down(revision: Revision, method: Method, message: &str) -> Result<String, ShapeError> {
    let shaped = shape_response(message.as_bytes(), Some(method), &Reader::of(revision))?;
    Ok(String::from_utf8(shaped.body.into_owned()).unwrap())
}

fn result(revision: Revision, method: Method, result: &str) -> String {
    let message = down(revision, method, &format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#)).unwrap();
    let inside = message.strip_prefix(r#"{"jsonrpc":"2.0","id":1,"result":"#).and_then(|rest| rest.strip_suffix('}'));
    inside.map_or(message.clone(), str::to_owned)
}

const LEGACY: [Revision; 4] =
    [Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25];

const MODERN: Revision = Revision::V2026_07_28;

fn with(message: &str, method: Method, reader: &Reader<'_>) -> (String, u16) {
    let shaped = shape_response(message.as_bytes(), Some(method), reader).unwrap();
    assert_eq!(shaped.to, To::Client);
    (String::from_utf8(shaped.body.into_owned()).unwrap(), shaped.status)
}
