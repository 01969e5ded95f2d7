//! How a header and the body disagree.

use std::borrow::Cow;
use std::fmt;

use crate::json::{LONGEST_ECHO, echo};

/// How a header and the body disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub(super) header: Cow<'static, str>,
    pub(super) how: How,
}

/// What is wrong with a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// The body has a value for it, the request no such header.
    Missing,
    /// Several lines.
    Repeated,
    /// Not a version's characters.
    Malformed,
    /// Bytes that a header cannot hold.
    InvalidCharacters,
    /// A sentinel whose inside is not what it says.
    Undecodable,
    /// A version without a handshake, over a handshake.
    WithoutInitialize,
    /// A mirrored argument that the body does not have.
    NoArgument,
    /// A mirror of nothing in this method.
    NoBodyValue,
    /// Two values.
    Differs(Differing),
}

impl Mismatch {
    pub(super) fn new(header: impl Into<Cow<'static, str>>, how: How) -> Self {
        Self { header: header.into(), how }
    }

    pub(super) fn differs(name: impl Into<Cow<'static, str>>, header: &[u8], body: &[u8]) -> Self {
        Self::new(name, How::Differs(Differing::new(header, body)))
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.header;
        f.write_str("Header mismatch: ")?;
        match &self.how {
            How::Missing => write!(f, "{name} header is missing"),
            How::Repeated => write!(f, "{name} header appears more than once"),
            How::Malformed => write!(f, "{name} header is malformed"),
            How::InvalidCharacters => write!(f, "{name} header contains invalid characters"),
            How::Undecodable => write!(f, "{name} header value cannot be decoded"),
            How::WithoutInitialize => write!(f, "{name} header names a revision without initialize"),
            How::NoArgument => write!(f, "{name} header has no corresponding argument"),
            How::NoBodyValue => write!(f, "{name} header has no corresponding body value"),
            How::Differs(differing) => {
                let (header, body) = differing.shown();
                write!(f, "{name} header value '{header}' does not match the body value '{body}'")
            }
        }
    }
}

/// The value of a header and the body's, one behind the other; cut, and printable when they are displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Differing {
    texts: Box<[u8]>,
    header: usize,
}

impl Differing {
    fn new(header: &[u8], body: &[u8]) -> Self {
        // All that is echoed, and one character to tell that there are more.
        let cut = |text: &[u8]| text.len().min(4 * (LONGEST_ECHO + 1));
        let (header, body) = (&header[..cut(header)], &body[..cut(body)]);
        Self { texts: [header, body].concat().into(), header: header.len() }
    }

    fn shown(&self) -> (Box<str>, Box<str>) {
        let (header, body) = self.texts.split_at(self.header);
        (echo(header), echo(body))
    }
}
