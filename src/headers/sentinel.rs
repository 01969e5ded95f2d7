//! The Base64 form in which a header carries a value that plain text cannot.
//!
//! Spec: 2026-07-28 basic/transports/streamable-http, the header encoding section.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const OPEN: &[u8] = b"=?base64?";
const CLOSE: &[u8] = b"?=";

/// A value in sentinel form whose inside is not canonical Base64 of UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecodable;

/// What a header value stands for: its sentinel form decoded once, any other text as it is.
///
/// # Errors
///
/// The inside is not canonical standard Base64, or not UTF-8.
pub fn decode(value: &[u8]) -> Result<Cow<'_, [u8]>, Undecodable> {
    let Some(inside) = inside(value) else {
        return Ok(Cow::Borrowed(value));
    };
    // The engine insists on padding and on zero trailing bits, so each value has one spelling.
    let decoded = STANDARD.decode(inside).map_err(|_| Undecodable)?;
    match simdutf8::basic::from_utf8(&decoded) {
        Ok(_) => Ok(Cow::Owned(decoded)),
        Err(_) => Err(Undecodable),
    }
}

fn inside(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(OPEN)?.strip_suffix(CLOSE)
}

/// The header value for `text`: as it is where a reader gets the same text back, else its sentinel form.
#[must_use]
pub fn encode(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let plain = super::is_printable(bytes) && super::trim(bytes) == bytes && inside(bytes).is_none();
    if plain && !bytes.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("=?base64?{}?=", STANDARD.encode(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_markers_are_markers() {
        for plain in ["x", "=?BASE64?eA==?=", "=?base64?=", "=?base64?eA==", "eA==?=", "", " =?base64?eA==?="] {
            assert_eq!(decode(plain.as_bytes()), Ok(Cow::Borrowed(plain.as_bytes())), "{plain}");
        }
        assert_eq!(decode(b"=?base64?eA==?="), Ok(Cow::Borrowed(b"x".as_slice())));
        assert_eq!(decode(b"=?base64??="), Ok(Cow::Borrowed(b"".as_slice())));
    }

    #[test]
    fn a_value_has_one_spelling() {
        for inside in ["eA", "eA=", "eB==", "e A==", "eA==\n", "_-==", "/w==", "eA==eA=="] {
            assert_eq!(decode(format!("=?base64?{inside}?=").as_bytes()), Err(Undecodable), "{inside}");
        }
    }

    #[test]
    fn what_is_encoded_reads_back() {
        for text in ["plain", " x", "x\t", "日本", "a\nb", "=?base64?eA==?=", "", "a=?base64?", "\u{0}"] {
            assert_eq!(decode(encode(text).as_bytes()), Ok(Cow::Borrowed(text.as_bytes())), "{text:?}");
        }
        assert_eq!(encode("plain text"), "plain text");
    }
}
