//! `Content-Type`, `Content-Encoding` and `Accept`, as far as a request needs them read.
//!
//! Spec: RFC 9110 sections 8.3, 8.4 and 12.5.1.

use super::{Lines, trim};

/// The media type of one JSON text.
pub const JSON: &str = "application/json";
/// The media type of a stream of events.
pub const EVENT_STREAM: &str = "text/event-stream";

/// Whether a `Content-Type` names this media type (lower case), whatever its parameters are.
#[must_use]
pub fn is_media(content_type: &[u8], wanted: &str) -> bool {
    let media = content_type.split(|byte| *byte == b';').next().unwrap_or_default();
    trim(media).eq_ignore_ascii_case(wanted.as_bytes())
}

/// A body that says it is JSON in UTF-8: exactly one `Content-Type`, `application/json`, and no other charset.
#[must_use]
pub fn is_json_body(content_type: Lines<'_>) -> bool {
    let Some(value) = content_type.first() else {
        return false;
    };
    if content_type.is_repeated() {
        return false;
    }
    // What nearly every client sends.
    if value == JSON.as_bytes() {
        return true;
    }
    let mut parts = split(value, b';');
    let is_json = parts.next().is_some_and(|media| trim(media).eq_ignore_ascii_case(JSON.as_bytes()));
    // Readers disagree about where an unclosed quotation ends.
    let closed = memchr::memchr_iter(b'"', value).count().is_multiple_of(2);
    is_json && closed && parts.all(is_utf8_if_charset)
}

fn is_utf8_if_charset(parameter: &[u8]) -> bool {
    let Some(equals) = memchr::memchr(b'=', parameter) else {
        return true;
    };
    let (name, value) = parameter.split_at(equals);
    let value = trim(value.get(1..).unwrap_or_default());
    !trim(name).eq_ignore_ascii_case(b"charset") || unquote(value).eq_ignore_ascii_case(b"utf-8")
}

/// The inside of a quoted string, or the token itself.
fn unquote(value: &[u8]) -> Vec<u8> {
    let Some(inside) = value.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) else {
        return value.to_vec();
    };
    let mut escaped = false;
    inside
        .iter()
        .filter(|byte| {
            escaped = !escaped && **byte == b'\\';
            !escaped
        })
        .copied()
        .collect()
}

/// A body that is sent as it is: no coding but `identity`.
#[must_use]
pub fn is_uncoded(content_encoding: Lines<'_>) -> bool {
    content_encoding
        .iter()
        .flat_map(|line| line.split(|byte| *byte == b','))
        .map(trim)
        .all(|coding| coding.is_empty() || coding.eq_ignore_ascii_case(b"identity"))
}

/// Whether the client takes `type/subtype` (lower case); no `Accept` at all takes everything.
///
/// The most specific member decides; `q=0` refuses.
#[must_use]
pub fn accepts(accept: Lines<'_>, wanted: &str) -> bool {
    if accept.first().is_none() {
        return true;
    }
    let mut best = None;
    for member in accept.iter().flat_map(|line| split(line, b',')) {
        let mut parts = split(member, b';');
        let Some(specificity) = parts.next().and_then(|range| covers(trim(range), wanted.as_bytes())) else {
            continue;
        };
        let welcome = !parts.any(refuses);
        // Of two members that are equally specific, the one that takes it.
        best = best.max(Some((specificity, welcome)));
    }
    best.is_some_and(|(_, welcome)| welcome)
}

/// How specifically a media range covers a type: 0 `*/*`, 1 `type/*`, 2 the type itself.
#[inline]
fn covers(range: &[u8], wanted: &[u8]) -> Option<u8> {
    if range == wanted || range.eq_ignore_ascii_case(wanted) {
        return Some(2);
    }
    if range == b"*/*" {
        return Some(0);
    }
    let slash = memchr::memchr(b'/', wanted)?;
    let (kind, rest) = range.split_at_checked(slash)?;
    (rest == b"/*" && wanted.get(..slash).is_some_and(|want| want.eq_ignore_ascii_case(kind))).then_some(1)
}

/// `q=0`, with up to any number of zeros after the point.
fn refuses(parameter: &[u8]) -> bool {
    let [b'q' | b'Q', b'=', weight @ ..] = trim(parameter) else {
        return false;
    };
    match trim(weight) {
        [b'0'] => true,
        [b'0', b'.', zeros @ ..] => zeros.iter().all(|digit| *digit == b'0'),
        _ => false,
    }
}

/// Splits outside quoted strings.
#[inline]
fn split(value: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let quoted = memchr::memchr(b'"', value).is_some();
    let mut within = false;
    let mut escaped = false;
    value.split(move |byte| {
        if quoted {
            let was_escaped = std::mem::replace(&mut escaped, false);
            match byte {
                b'\\' if within && !was_escaped => escaped = true,
                b'"' if !was_escaped => within = !within,
                _ => {}
            }
        }
        *byte == separator && !within
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Field, Headers};
    use super::*;

    fn with(field: &str, lines: &[&str], test: impl Fn(&Headers<'_>) -> bool) -> bool {
        test(&Headers::pick(lines.iter().map(|line| (field.as_bytes(), line.as_bytes()))))
    }

    #[test]
    fn a_json_body_says_so_once_and_in_utf8() {
        let json = |lines: &[&str]| with("content-type", lines, |h| is_json_body(h.lines(Field::ContentType)));
        for good in [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/json;charset=\"UTF-8\"",
            "application/json; charset=\"utf\\-8\"",
            "application/json; profile=x; foo",
            "application/json; note=\"; charset=latin1\"",
            "application/json;",
        ] {
            assert!(json(&[good]), "{good}");
        }
        for bad in [
            "",
            "text/plain",
            "application/json; charset=latin1",
            "application/json; CHARSET=utf-16",
            "application/json; charset=utf-8; charset=latin1",
            "application/json; charset = latin1",
            "application/json, application/json",
            "application/json; charset=utf-8, application/json",
            "application/json; charset=",
            "application/json; x=\"; charset=latin1",
            "application/jsonx",
            "application/vnd.api+json",
        ] {
            assert!(!json(&[bad]), "{bad}");
        }
        assert!(!json(&[]) && !json(&["application/json", "application/json"]));
    }

    #[test]
    fn codings_are_refused_but_identity() {
        let plain = |lines: &[&str]| with("content-encoding", lines, |h| is_uncoded(h.lines(Field::ContentEncoding)));
        assert!(plain(&[]) && plain(&["identity"]) && plain(&["", " Identity , "]));
        assert!(!plain(&["gzip"]) && !plain(&["identity", "br"]) && !plain(&["identity, gzip"]));
    }

    #[test]
    fn the_most_specific_member_of_accept_decides() {
        let takes = |lines: &[&str]| with("accept", lines, |h| accepts(h.lines(Field::Accept), EVENT_STREAM));
        for good in [
            "*/*",
            "text/*",
            "application/json, text/event-stream",
            "TEXT/Event-Stream;q=0.001",
            "text/event-stream;q=1",
            "*/*;q=0, text/*",
            "text/event-stream, text/*;q=0",
            "text/event-stream;x=\"a,b;q=0\"",
            "text/event-stream;q=0, text/event-stream",
            // A quotation ends at the first quote that no backslash escapes.
            r#"a/b;x="\\", text/event-stream"#,
            r#"a/b;x="\"", text/event-stream"#,
        ] {
            assert!(takes(&[good]), "{good}");
        }
        for bad in [
            "",
            "application/json",
            "text/event-stream;q=0",
            "text/event-stream; Q=0.000",
            "*/*, text/*;q=0",
            "*/*, text/event-stream;q=0.0",
            "text/event-streams",
            "t/*",
            r#"a/b;x="c, text/event-stream, d""#,
            r#"a/b;x="\", text/event-stream, d""#,
            // Outside of a quotation a backslash escapes nothing.
            r#"a/b;x=\"c, text/event-stream, d""#,
        ] {
            assert!(!takes(&[bad]), "{bad}");
        }
        assert!(takes(&[]) && takes(&["application/json", "text/event-stream"]));
    }
}
