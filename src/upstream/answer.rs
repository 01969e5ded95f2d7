//! What a backend answered: one JSON-RPC response, alone or as an event of a stream.

use std::borrow::Cow;

use crate::headers::{EVENT_STREAM, is_media};
use crate::json::{Cursor, Kind, Limits, Node};

/// A JSON-RPC response.
#[derive(Debug)]
pub(super) struct Answer<'b> {
    /// The message.
    pub(super) text: Cow<'b, [u8]>,
    pub(super) outcome: Outcome,
}

/// What a response says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Result(Node),
    Error { code: i64, data: Node },
}

impl<'b> Answer<'b> {
    /// The response in a body, which may be anything; the first one of a stream.
    ///
    /// Where nobody says what the body is (`content_type`), it is a message or, failing that, a stream.
    pub(super) fn find(content_type: Option<&[u8]>, body: &'b [u8]) -> Option<Self> {
        let is_stream = content_type.map(|media| is_media(media, EVENT_STREAM));
        if is_stream != Some(true)
            && let Some(answer) = Self::read(Cow::Borrowed(body))
        {
            return Some(answer);
        }
        if is_stream == Some(false) { None } else { messages(body).find_map(Self::read) }
    }

    /// The response that this text is; a member that decides and stands there twice makes it none.
    fn read(text: Cow<'b, [u8]>) -> Option<Self> {
        let mut cursor = Cursor::new(&text, Limits::DEFAULT).ok()?;
        let whole = cursor.value().ok()?;
        cursor.end().ok()?;
        let [version, method, result, error] = members(&text, whole, ["jsonrpc", "method", "result", "error"])?;
        if version.text(&text)?.as_ref() != b"2.0" || method.is_present() {
            return None;
        }
        let outcome = match (result.is_present(), error.is_present()) {
            (true, false) => Outcome::Result(result),
            (false, true) => {
                let [code, data] = members(&text, error, ["code", "data"])?;
                let code = (code.kind() == Kind::Integer).then(|| code.token(&text))?;
                Outcome::Error { code: std::str::from_utf8(code).ok()?.parse().ok()?, data }
            }
            _ => return None,
        };
        drop(cursor);
        Some(Self { text, outcome })
    }
}

/// The values under `names` in an object of a text that was read; none where it is no object, or says one twice.
pub(super) fn members<const N: usize>(text: &[u8], object: Node, names: [&str; N]) -> Option<[Node; N]> {
    let limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };
    if !object.is_object() {
        return None;
    }
    let mut cursor = Cursor::resume(text, object.span().start as usize, 0, limits);
    let mut found = [Node::ABSENT; N];
    let mut members = cursor.open_object().ok()?;
    while let Some(key) = cursor.next_unchecked_member(&mut members).ok()? {
        let node = cursor.value().ok()?;
        let name = key.name(text);
        if let Some(at) = names.iter().position(|wanted| wanted.as_bytes() == name.as_ref()) {
            let place = found.get_mut(at).filter(|place| !place.is_present())?;
            *place = node;
        }
    }
    Some(found)
}

/// The data of each event that carries a message; the last one may lack its blank line.
fn messages(stream: &[u8]) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let stream = stream.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(stream);
    let mut lines = lines(stream).map(Some).chain([None]);
    let (mut data, mut is_message) = (None, true);
    std::iter::from_fn(move || {
        loop {
            match lines.next()? {
                Some(line) if !line.is_empty() => {
                    let colon = memchr::memchr(b':', line).unwrap_or(line.len());
                    let (name, value) = line.split_at_checked(colon)?;
                    let value = value.strip_prefix(b":").unwrap_or(value);
                    let value = value.strip_prefix(b" ").unwrap_or(value);
                    match name {
                        b"event" => is_message = value.is_empty() || value == b"message",
                        b"data" => append(&mut data, value),
                        _ => {}
                    }
                }
                // A blank line, or the end.
                _ => {
                    let was_message = std::mem::replace(&mut is_message, true);
                    if let Some(data) = data.take().filter(|_| was_message) {
                        return Some(data);
                    }
                }
            }
        }
    })
}

/// Whether an event of a stream has an id, by which the stream can be taken up again after it.
pub(super) fn has_event_id(stream: &[u8]) -> bool {
    lines(stream).any(|line| line.strip_prefix(b"id:").is_some_and(|id| !id.trim_ascii().is_empty()))
}

/// Another line of an event's data.
fn append<'s>(data: &mut Option<Cow<'s, [u8]>>, line: &'s [u8]) {
    match data {
        None => *data = Some(Cow::Borrowed(line)),
        Some(data) => {
            let data = data.to_mut();
            data.push(b'\n');
            data.extend_from_slice(line);
        }
    }
}

/// Lines that end in a line feed, a carriage return, or both.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = memchr::memchr2(b'\r', b'\n', text) else {
            rest = None;
            return Some(text);
        };
        let after = text.get(end + 1..).unwrap_or_default();
        let is_pair = text.get(end) == Some(&b'\r');
        rest = Some(after.strip_prefix(b"\n").filter(|_| is_pair).unwrap_or(after));
        text.get(..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: Option<&[u8]> = Some(b"Text/Event-Stream; charset=utf-8");
    const JSON: Option<&[u8]> = Some(b"application/json");

    fn found(content_type: Option<&[u8]>, body: &str) -> Option<String> {
        let answer = Answer::find(content_type, body.as_bytes())?;
        Some(match answer.outcome {
            Outcome::Result(node) => String::from_utf8(node.token(&answer.text).to_vec()).unwrap(),
            Outcome::Error { code, .. } => code.to_string(),
        })
    }

    #[test]
    fn a_response_is_found_alone_and_in_a_stream() {
        let message = r#"{"jsonrpc":"2.0","id":1,"result":{"x":1}}"#;
        assert_eq!(found(JSON, message).unwrap(), r#"{"x":1}"#);
        assert_eq!(found(None, message).unwrap(), r#"{"x":1}"#);
        assert_eq!(found(STREAM, message), None);
        for stream in [
            format!("id: 1\ndata:\n\n: hi\nevent: message\ndata: {message}\n\n"),
            format!("\u{feff}data:{message}\r\n\r\n"),
            format!("event: ping\rdata: {}\r\rdata: {message}\r\r", message.replace("\"x\":1", "\"x\":2")),
            format!("data: {{\"jsonrpc\":\"2.0\",\"method\":\"m\"}}\n\ndata: {message}"),
            "data: {\"jsonrpc\":\"2.0\",\"id\":1,\ndata: \"result\":{\"x\":1}}\n\n".to_owned(),
        ] {
            for content_type in [STREAM, None] {
                assert_eq!(found(content_type, &stream).unwrap().replace(' ', ""), r#"{"x":1}"#, "{stream}");
            }
            assert_eq!(found(JSON, &stream), None);
        }
    }

    #[test]
    fn an_error_needs_an_integer_code_and_nothing_else() {
        let error = |error: &str| found(JSON, &format!(r#"{{"jsonrpc":"2.0","id":null,"error":{error}}}"#));
        assert_eq!(error(r#"{"code":-32022}"#).unwrap(), "-32022");
        for odd in [r#"{"code":"-32022"}"#, r#"{"code":-32022.0}"#, r#"{"code":1e99}"#, "{}", "null", "[]"] {
            assert_eq!(error(odd), None, "{odd}");
        }
        assert_eq!(error(r#"{"code":99999999999999999999}"#), None);
    }

    #[test]
    fn what_is_no_response_is_none() {
        let deep = "[".repeat(100_000);
        for body in [
            "",
            "null",
            "[]",
            "not json",
            "{}",
            r#"{"jsonrpc":"1.0","id":1,"result":{}}"#,
            r#"{"id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"code":2}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"m","result":{}}"#,
            &deep,
            "data",
            "data: \n\ndata: x\n\n",
        ] {
            assert_eq!(found(None, body), None, "{body}");
        }
        assert!(Answer::find(None, &[0xFF, 0xFE]).is_none());
    }
}
