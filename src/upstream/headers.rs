//! The headers of the second hop: made anew, and of the client's own only what the host lists.

use std::fmt;

use crate::headers::{PARAM_PREFIX, is_token, trim};

/// A header line: its name in lower case, and its value.
pub type Line = (Box<str>, Vec<u8>);

/// The client's headers that go up with its messages: none, unless the host lists them.
///
/// A token is meant for one audience, so not even `authorization` and `cookie` are in it by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forwarded(Vec<Box<str>>);

/// Why a header cannot be forwarded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForwardError {
    /// No header has such a name.
    NotAToken(Box<str>),
    /// It is about one connection, and ends with it.
    HopByHop(Box<str>),
    /// This hop has a value of its own for it.
    MadeAnew(Box<str>),
}

impl fmt::Display for ForwardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAToken(name) => write!(f, "{name:?} is no header name"),
            Self::HopByHop(name) => write!(f, "{name} is about one connection and cannot be forwarded"),
            Self::MadeAnew(name) => write!(f, "{name} is made anew for each hop and cannot be forwarded"),
        }
    }
}

impl std::error::Error for ForwardError {}

/// Headers about one connection. Spec: RFC 9110 section 7.6.1.
const HOP_BY_HOP: &[&str] = &["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect"];

/// Headers that describe the message of one hop; the protocol's own begin with `mcp-`.
const MADE_ANEW: &[&str] =
    &["accept", "accept-encoding", "content-encoding", "content-length", "content-type", "host", "last-event-id"];

impl Forwarded {
    /// These headers, in any case.
    ///
    /// # Errors
    ///
    /// [`ForwardError`]: the header is not the client's to send on.
    pub fn new<N: AsRef<str>>(names: &[N]) -> Result<Self, ForwardError> {
        let check = |name: &N| {
            let name: Box<str> = name.as_ref().to_ascii_lowercase().into();
            if !is_token(&name) {
                Err(ForwardError::NotAToken(name))
            } else if HOP_BY_HOP.contains(&&*name) || name.starts_with("proxy-") {
                Err(ForwardError::HopByHop(name))
            } else if MADE_ANEW.contains(&&*name) || name.starts_with("mcp-") {
                Err(ForwardError::MadeAnew(name))
            } else {
                Ok(name)
            }
        };
        names.iter().map(check).collect::<Result<_, _>>().map(Self)
    }

    /// The headers that are listed, in lower case.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(|name| &**name)
    }

    /// Whether `name`, in lower case, is listed.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.0.iter().any(|listed| **listed == *name)
    }

    /// Appends those of the client's lines that are listed.
    ///
    /// A line that the client's `Connection` names ended at the gateway, and one that no header can hold ends here.
    pub(super) fn pick(&self, lines: &[(&[u8], &[u8])], out: &mut Vec<Line>) {
        if self.0.is_empty() {
            return;
        }
        let names: Vec<_> = connection_names(lines).collect();
        for (name, value) in lines {
            let Some(listed) = self.0.iter().find(|listed| name.eq_ignore_ascii_case(listed.as_bytes())) else {
                continue;
            };
            if names.iter().all(|ended| !ended.eq_ignore_ascii_case(name)) && is_holdable(value) {
                out.push((listed.clone(), value.to_vec()));
            }
        }
    }
}

/// Appends the client's mirrors of arguments that this hop does not make itself.
///
/// Who does not know an `Mcp-Param-` header passes it on. Spec: 2026-07-28 basic/transports/streamable-http, server
/// behavior for custom headers.
pub(super) fn pass_unknown_params(lines: &[(&[u8], &[u8])], is_known: impl Fn(&[u8]) -> bool, out: &mut Vec<Line>) {
    for (name, value) in lines {
        let Some((prefix, param)) = name.split_at_checked(PARAM_PREFIX.len()) else { continue };
        if !prefix.eq_ignore_ascii_case(PARAM_PREFIX.as_bytes()) || is_known(param) || !is_holdable(value) {
            continue;
        }
        if let Ok(name) = std::str::from_utf8(name)
            && is_token(name)
            && name.len() > PARAM_PREFIX.len()
            && connection_names(lines).all(|ended| !ended.eq_ignore_ascii_case(name.as_bytes()))
        {
            out.push((name.to_ascii_lowercase().into(), value.to_vec()));
        }
    }
}

/// The values of the lines of this name, which is in lower case.
pub(super) fn lines_of<'h>(lines: &[(&'h [u8], &'h [u8])], wanted: &'static str) -> impl Iterator<Item = &'h [u8]> {
    lines.iter().filter(|(name, _)| name.eq_ignore_ascii_case(wanted.as_bytes())).map(|(_, value)| *value)
}

/// What the client's `Connection` headers name.
fn connection_names<'h>(lines: &[(&'h [u8], &'h [u8])]) -> impl Iterator<Item = &'h [u8]> {
    lines_of(lines, "connection").flat_map(|value| value.split(|byte| *byte == b',')).map(trim)
}

/// Nothing in the value ends the line or the header.
pub(super) fn is_holdable(value: &[u8]) -> bool {
    memchr::memchr3(b'\r', b'\n', 0, value).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(listed: &[&str], lines: &[(&str, &str)]) -> Vec<(String, String)> {
        let lines: Vec<(&[u8], &[u8])> =
            lines.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        let mut out = Vec::new();
        Forwarded::new(listed).unwrap().pick(&lines, &mut out);
        out.into_iter().map(|(name, value)| (name.into(), String::from_utf8(value).unwrap())).collect()
    }

    #[test]
    fn only_listed_headers_go_up() {
        let sent = [("Authorization", "Bearer t"), ("Cookie", "c"), ("X-Trace", "1"), ("x-trace", "2")];
        assert!(picked(&[], &sent).is_empty());
        assert_eq!(picked(&["AUTHORIZATION"], &sent), [("authorization".into(), "Bearer t".into())]);
        assert_eq!(
            picked(&["x-trace"], &sent),
            [("x-trace".into(), "1".into()), ("x-trace".into(), "2".into())],
            "every line of it"
        );
    }

    #[test]
    fn a_line_that_connection_names_ended_at_the_gateway() {
        let sent = [("authorization", "Bearer t"), ("Connection", "close, Authorization "), ("x-trace", "1")];
        assert_eq!(picked(&["authorization", "x-trace"], &sent), [("x-trace".into(), "1".into())]);
    }

    #[test]
    fn a_value_that_would_end_its_line_goes_nowhere() {
        for value in ["a\r\nx: y", "a\nb", "a\0"] {
            assert!(picked(&["x-trace"], &[("x-trace", value)]).is_empty(), "{value:?}");
        }
    }

    #[test]
    fn what_is_not_the_clients_to_send_on_is_refused_by_name() {
        use ForwardError as E;
        for (name, error) in [
            ("", E::NotAToken as fn(_) -> _),
            ("a b", E::NotAToken),
            ("x\r\n", E::NotAToken),
            ("Connection", E::HopByHop),
            ("Proxy-Authorization", E::HopByHop),
            ("Transfer-Encoding", E::HopByHop),
            ("Content-Length", E::MadeAnew),
            ("Host", E::MadeAnew),
            ("Mcp-Session-Id", E::MadeAnew),
            ("MCP-Protocol-Version", E::MadeAnew),
            ("mcp-param-x", E::MadeAnew),
        ] {
            assert_eq!(Forwarded::new(&[name]), Err(error(name.to_ascii_lowercase().into())), "{name:?}");
        }
    }

    #[test]
    fn mirrors_that_nobody_here_knows_pass() {
        let lines: [(&[u8], &[u8]); 7] = [
            (b"Connection", b"close, mcp-param-gone"),
            (b"Mcp-Param-Gone", b"g"),
            (b"Mcp-Param-Region", b"eu"),
            (b"Mcp-Param-Tenant", b"t"),
            (b"mcp-param-", b"x"),
            (b"Mcp-Param-Bad", b"a\nb"),
            (b"Mcp-Name", b"n"),
        ];
        let mut out = Vec::new();
        pass_unknown_params(&lines, |name| name.eq_ignore_ascii_case(b"region"), &mut out);
        assert_eq!(out, [("mcp-param-tenant".into(), b"t".to_vec())]);
    }
}
