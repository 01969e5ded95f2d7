//! Which era a backend is of: the question, and what an answer to it means.
//!
//! Spec: 2026-07-28 basic/transports/stdio and basic/transports/streamable-http, Backward Compatibility.

use std::fmt::Write as _;

use super::answer::{Answer, Outcome, members};
use super::{NotAMessage, Outbound, Upstream};
use crate::gate::Served;
use crate::json::{Cursor, Limits, Node};
use crate::table::{Code, Era, Method, Revision, meta_key};

/// The request that asks a backend what it is, under the revision of `upstream`, which has to be a modern one; its id
/// is a JSON string or integer.
///
/// # Errors
///
/// [`NotAMessage`]: the id is neither.
pub fn probe(upstream: &Upstream, id: &[u8]) -> Result<Outbound, NotAMessage> {
    upstream.request(Method::ServerDiscover.as_str(), None, id)
}

/// What the answer to a probe tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probed {
    /// The backend's era; none where it has no revision that is served here.
    pub era: Option<Era>,
    /// The revision to speak with it, or to ask for in `initialize`; none where no served one will do.
    pub revision: Option<Revision>,
    /// The known revisions that the backend lists, oldest first.
    pub offered: Vec<Revision>,
    /// Its capabilities, a JSON object; none where it did not tell.
    pub capabilities: Option<Box<[u8]>>,
    /// Its implementation, a JSON object.
    pub server_info: Option<Box<[u8]>>,
    /// What it tells a model about itself.
    pub instructions: Option<Box<str>>,
    /// What decided, for a person.
    pub because: String,
}

impl Probed {
    /// The known revisions that the backend speaks: those that it lists, else the one that it was taken for.
    #[must_use]
    pub fn spoken(&self) -> Vec<Revision> {
        if self.offered.is_empty() { self.revision.into_iter().collect() } else { self.offered.clone() }
    }
}

/// Reads the answer to a [`probe`], whatever came: by code and shape, never by words, and whoever's id it carries.
///
/// `status` is the HTTP status, none on other hops and where nothing came (a time-out, a process that ended), when
/// `body` is empty; it decides nothing. `served` are the revisions that the gateway may speak with backends.
#[must_use]
pub fn read_probe(status: Option<u16>, content_type: Option<&[u8]>, body: &[u8], served: Served) -> Probed {
    let mut probed = match Answer::find(content_type, body) {
        Some(answer) => read(&answer, served),
        None if body.is_empty() => legacy(served, "no answer in the body".to_owned()),
        None => legacy(served, "no JSON-RPC response in the body".to_owned()),
    };
    if let Some(status) = status {
        let _infallible = write!(probed.because, ", HTTP {status}");
    }
    probed
}

fn read(answer: &Answer<'_>, served: Served) -> Probed {
    match answer.outcome {
        Outcome::Result(result) => {
            let told = members(&answer.text, result, ["supportedVersions", "capabilities", "instructions", "_meta"]);
            match told.and_then(|told| Some((versions(&answer.text, told[0])?, told))) {
                Some((offered, told)) => discovered(answer, offered, told, served),
                None => legacy(served, "a result without a list of versions".to_owned()),
            }
        }
        Outcome::Error { code, data } => match Code::from_number(code) {
            Some(Code::UnsupportedProtocolVersion) => {
                let supported = members(&answer.text, data, ["supported"]);
                match supported.and_then(|[supported]| versions(&answer.text, supported)) {
                    Some(offered) => chosen(offered, served, format!("error {code} with a list of versions")),
                    None => legacy(served, format!("error {code} without a list of versions")),
                }
            }
            Some(Code::HeaderMismatch | Code::MissingRequiredClientCapability) => Probed {
                era: Some(Era::Modern),
                revision: served.newest_modern(),
                because: format!("error {code}"),
                ..Probed::default()
            },
            _ => legacy(served, format!("error {code}")),
        },
    }
}

/// Whatever is not known to be modern is asked by the handshake.
fn legacy(served: Served, because: String) -> Probed {
    Probed { era: Some(Era::Legacy), revision: served.newest_handshake(), because, ..Probed::default() }
}

/// The newest mutual revision without a handshake, else the newest with one, else none.
fn chosen(offered: Vec<Revision>, served: Served, because: String) -> Probed {
    let newest = |era| served.newest_first().find(|revision| revision.era() == era && offered.contains(revision));
    let revision = newest(Era::Modern).or_else(|| newest(Era::Legacy));
    Probed { era: revision.map(Revision::era), revision, offered, because, ..Probed::default() }
}

fn discovered(answer: &Answer<'_>, offered: Vec<Revision>, told: [Node; 4], served: Served) -> Probed {
    let text = &answer.text;
    let [_, capabilities, instructions, meta] = told;
    let server_info = members(text, meta, [meta_key::SERVER_INFO]).map(|[info]| info);
    Probed {
        capabilities: object(text, capabilities),
        server_info: server_info.and_then(|info| object(text, info)),
        instructions: instructions.text(text).map(|words| String::from_utf8_lossy(&words).into()),
        ..chosen(offered, served, "a result with a list of versions".to_owned())
    }
}

/// The object's text; none for any other value, and for one with a number that no double holds: hosts could not write
/// it again.
pub(super) fn object(text: &[u8], node: Node) -> Option<Box<[u8]>> {
    (node.is_object() && has_finite_numbers(node.token(text))).then(|| node.token(text).into())
}

/// Whether every number of a checked text is one that a double holds.
fn has_finite_numbers(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        match rest {
            [] => return true,
            [b'"', inside @ ..] => {
                let end = string_length(inside);
                rest = inside.get(end..).unwrap_or_default();
            }
            [b'-' | b'0'..=b'9', ..] => {
                let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                let (number, after) = rest.split_at(rest.iter().take_while(|byte| is_digit(byte)).count());
                let is_integer = number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
                let value = std::str::from_utf8(number).ok().and_then(|number| number.parse::<f64>().ok());
                if !is_integer && !value.is_some_and(f64::is_finite) {
                    return false;
                }
                rest = after;
            }
            [_, after @ ..] => rest = after,
        }
    }
}

/// The bytes of a checked string after its first quote, the last one included.
fn string_length(inside: &[u8]) -> usize {
    let mut escaped = false;
    let end = inside.iter().position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    end.map_or(inside.len(), |quote| quote + 1)
}

/// The known revisions of an array, in the order of the table; none where it is no array.
pub(super) fn versions(text: &[u8], node: Node) -> Option<Vec<Revision>> {
    if node.kind() != crate::json::Kind::Array {
        return None;
    }
    let limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };
    let mut cursor = Cursor::resume(text, node.span().start as usize, 0, limits);
    let mut elements = cursor.open_array().ok()?;
    let mut listed = Vec::new();
    while cursor.next_element(&mut elements).ok()? {
        listed.extend(cursor.value().ok()?.text(text).and_then(|version| Revision::parse(&version)));
    }
    Some(Revision::ALL.iter().copied().filter(|revision| listed.contains(revision)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_a_double_are_found_wherever_they_stand() {
        for text in [r#"{"a":1e308,"b":[-1.5E-400,0],"1e999":"1e999","\"-1e999":"\\"}"#, "{}", r#"{"a":123456789}"#] {
            assert!(has_finite_numbers(text.as_bytes()), "{text}");
        }
        let long = format!("{{\"a\":{}}}", "9".repeat(400));
        assert!(has_finite_numbers(long.as_bytes()), "an integer has no bound");
        for text in [r#"{"a":1e999}"#, r#"{"\\":[{"b":-1.0E+999}]}"#, r#"{"a":"\"","b":1e999}"#] {
            assert!(!has_finite_numbers(text.as_bytes()), "{text}");
        }
    }
}
