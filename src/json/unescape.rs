//! What a string reads.

use std::borrow::Cow;

use super::string::hex4;
use super::work::passed;

/// What the inside of a checked string reads (the bytes between its quotes).
#[must_use]
pub fn unescape(raw: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'\\', raw) else {
        return Cow::Borrowed(raw);
    };
    passed(raw.len());
    let mut out = Vec::with_capacity(raw.len());
    let mut at = 0;
    let mut next = first;
    loop {
        out.extend_from_slice(raw.get(at..next).unwrap_or_default());
        at = next + 2;
        match raw.get(next + 1) {
            Some(b'u') => at = unescape_unicode(raw, next, &mut out),
            Some(b'b') => out.push(0x08),
            Some(b'f') => out.push(0x0C),
            Some(b'n') => out.push(b'\n'),
            Some(b'r') => out.push(b'\r'),
            Some(b't') => out.push(b'\t'),
            other => out.extend(other),
        }
        match memchr::memchr(b'\\', raw.get(at..).unwrap_or_default()) {
            Some(offset) => next = at + offset,
            None => break,
        }
    }
    out.extend_from_slice(raw.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

/// Whether the inside of a checked string reads `name`; nothing is written down for it.
#[must_use]
pub(super) fn reads(mut raw: &[u8], mut name: &[u8]) -> bool {
    loop {
        let plain = memchr::memchr(b'\\', raw).unwrap_or(raw.len());
        let (Some((said, escape)), Some((meant, rest))) = (raw.split_at_checked(plain), name.split_at_checked(plain))
        else {
            return false;
        };
        passed(said.len() + 2);
        if said != meant {
            return false;
        }
        let (character, after) = match escape.get(1) {
            None => return rest.is_empty(),
            Some(b'u') => unicode_escape(escape, 0),
            Some(b'b') => ('\x08', 2),
            Some(b'f') => ('\x0C', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(other) => (char::from(*other), 2),
        };
        let Some(rest) = rest.strip_prefix(character.encode_utf8(&mut [0; 4]).as_bytes()) else {
            return false;
        };
        (raw, name) = (escape.get(after..).unwrap_or_default(), rest);
    }
}

/// Pushes the character of the `\u` escape at `at` and returns the index after it.
fn unescape_unicode(raw: &[u8], at: usize, out: &mut Vec<u8>) -> usize {
    let (character, after) = unicode_escape(raw, at);
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    after
}

/// The character of the `\u` escape at `at`, and the index after it.
#[allow(clippy::cast_possible_truncation)] // a part of a text that a cursor read
fn unicode_escape(raw: &[u8], at: usize) -> (char, usize) {
    let hex4 = |at: usize| hex4(raw, at as u32);
    let first = hex4(at + 2).unwrap_or(0xFFFD);
    let (scalar, after) = match first {
        0xD800..=0xDBFF => {
            let second = hex4(at + 8).unwrap_or(0xDC00);
            (0x1_0000 + ((first - 0xD800) << 10) + (second & 0x3FF), at + 12)
        }
        _ => (first, at + 6),
    };
    (char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER), after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unescaping_gives_what_the_string_reads() {
        let raw = br#"a\"\\\/\b\f\n\r\t\u0000\u00e9\u4e2d\ud83d\ude00z"#;
        assert_eq!(unescape(raw).as_ref(), "a\"\\/\u{8}\u{c}\n\r\t\0é中😀z".as_bytes());
        assert!(matches!(unescape(b"plain"), Cow::Borrowed(b"plain")));
    }

    #[test]
    fn a_string_is_compared_with_what_it_reads() {
        let raw = br#"a\"\\/\b\f\n\r\t\u0000\u00e9\u4e2d\ud83d\ude00z"#;
        let name = unescape(raw).into_owned();
        assert!(reads(raw, &name));
        for end in 0..name.len() {
            assert!(!reads(raw, &name[..end]), "{end}");
            let mut other = name.clone();
            other[end] ^= 1;
            assert!(!reads(raw, &other), "{end}");
        }
        assert!(!reads(raw, &[&name[..], b"z"].concat()));
        assert!(reads(b"plain", b"plain") && reads(b"", b"") && !reads(b"", b"x") && !reads(b"x", b""));
    }
}
