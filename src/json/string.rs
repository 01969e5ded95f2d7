//! Strings: where one ends, and what it reads.

use std::borrow::Cow;

use super::fault::FaultKind;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The bytes of `word` that end a plain run (a quote, a backslash, a control character), as high bits.
///
/// Flipping the second bit puts the quote right above the control characters and nothing else among them, so one
/// comparison finds both. The lowest bit set is exact; a borrow may set higher ones wrongly, which nobody looks at.
#[inline]
const fn stops(word: u64) -> u64 {
    let quote_or_control = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    (quote_or_control | backslash) & !word & HIGHS
}

/// Whether a byte ends a plain run.
#[inline]
const fn is_stop(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// First index at or after `at` of a byte that ends a plain run, or the end of the text.
#[inline]
pub(super) fn plain_end(text: &[u8], mut at: usize) -> usize {
    // Most strings end within a few words; a longer run is worth the wider step.
    let near = at + 32;
    while let Some(word) = text.get(at..at + 8).and_then(<[u8]>::first_chunk::<8>) {
        let found = stops(u64::from_le_bytes(*word));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
        if at == near {
            break;
        }
    }
    long_plain_end(text, at)
}

#[inline(never)]
fn long_plain_end(text: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = text.get(at..).and_then(<[u8]>::first_chunk::<32>) {
        // Branch-free over the block, so that it becomes a few wide instructions.
        let found = chunk.iter().fold(0u8, |found, byte| found | u8::from(is_stop(*byte)));
        if found != 0 {
            break;
        }
        at += 32;
    }
    at + text.get(at..).unwrap_or_default().iter().take_while(|byte| !is_stop(**byte)).count()
}

/// Where a string has its closing quote, from a byte on that ends a plain run in it.
///
/// # Errors
///
/// The fault and where it is.
#[inline(never)]
pub(super) fn escaped_end(text: &[u8], mut at: usize) -> Result<usize, (FaultKind, usize)> {
    loop {
        match text.get(at) {
            Some(b'\\') => at = escape_end(text, at)?,
            Some(b'"') => return Ok(at),
            Some(byte) if *byte < 0x20 => return Err((FaultKind::ControlCharacter, at)),
            Some(_) => at = plain_end(text, at + 1),
            None => return Err((FaultKind::Truncated, at)),
        }
    }
}

/// The index after the escape that begins at `at`.
#[inline]
fn escape_end(text: &[u8], at: usize) -> Result<usize, (FaultKind, usize)> {
    match text.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let unit = hex4(text, at + 2)?;
            match unit {
                0xD800..=0xDBFF => {
                    if text.get(at + 6..at + 8) != Some(b"\\u") {
                        return Err((FaultKind::LoneSurrogate, at));
                    }
                    match hex4(text, at + 8)? {
                        0xDC00..=0xDFFF => Ok(at + 12),
                        _ => Err((FaultKind::LoneSurrogate, at)),
                    }
                }
                0xDC00..=0xDFFF => Err((FaultKind::LoneSurrogate, at)),
                _ => Ok(at + 6),
            }
        }
        Some(_) => Err((FaultKind::BadEscape, at)),
        None => Err((FaultKind::Truncated, at + 1)),
    }
}

/// The values of hexadecimal digits; 0xFF for every other byte.
const HEX: [u8; 256] = {
    let mut table = [0xFF; 256];
    let mut value = 0_u8;
    while value < 16 {
        table[b"0123456789abcdef"[value as usize] as usize] = value;
        table[b"0123456789ABCDEF"[value as usize] as usize] = value;
        value += 1;
    }
    table
};

#[inline]
fn hex4(text: &[u8], at: usize) -> Result<u32, (FaultKind, usize)> {
    let Some([a, b, c, d]) = text.get(at..).and_then(<[u8]>::first_chunk::<4>) else {
        return Err((FaultKind::Truncated, text.len()));
    };
    let [a, b, c, d] = [HEX[*a as usize], HEX[*b as usize], HEX[*c as usize], HEX[*d as usize]];
    if (a | b | c | d) > 0x0F {
        return Err((FaultKind::BadEscape, at));
    }
    Ok((u32::from(a) << 12) | (u32::from(b) << 8) | (u32::from(c) << 4) | u32::from(d))
}

/// What the inside of a checked string reads (the bytes between its quotes).
#[must_use]
pub fn unescape(raw: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'\\', raw) else {
        return Cow::Borrowed(raw);
    };
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
            Some(other) => out.push(*other),
            None => break,
        }
        match memchr::memchr(b'\\', raw.get(at..).unwrap_or_default()) {
            Some(offset) => next = at + offset,
            None => break,
        }
    }
    out.extend_from_slice(raw.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

/// Pushes the character of the `\u` escape at `at` and returns the index after it.
fn unescape_unicode(raw: &[u8], at: usize, out: &mut Vec<u8>) -> usize {
    let first = hex4(raw, at + 2).unwrap_or(0xFFFD);
    let (scalar, after) = match first {
        0xD800..=0xDBFF => {
            let second = hex4(raw, at + 8).unwrap_or(0xDC00);
            (0x1_0000 + ((first - 0xD800) << 10) + (second & 0x3FF), at + 12)
        }
        _ => (first, at + 6),
    };
    let mut buffer = [0; 4];
    let character = char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER);
    out.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(inside: &str) -> Result<(usize, bool), FaultKind> {
        let text = inside.as_bytes();
        let end = plain_end(text, 0);
        if text.get(end) == Some(&b'"') {
            return Ok((end, false));
        }
        escaped_end(text, end).map(|end| (end, true)).map_err(|(kind, _)| kind)
    }

    #[test]
    fn a_plain_string_ends_at_its_quote_wherever_the_word_boundary_falls() {
        for length in 0..100 {
            let text = format!("{}\" tail that is long enough for a word", "é".repeat(length));
            assert_eq!(end(&text), Ok((2 * length, false)));
            assert_eq!(end(&"é".repeat(length)), Err(FaultKind::Truncated));
        }
    }

    #[test]
    fn a_control_character_is_found_at_every_offset() {
        for length in 0..70 {
            for control in ["\u{0}", "\u{1f}", "\n"] {
                let text = format!("{}{control}\"", "x".repeat(length));
                assert_eq!(end(&text), Err(FaultKind::ControlCharacter), "{length}");
            }
            let text = format!("{}\u{7f}\u{80}\"", "x".repeat(length));
            assert_eq!(end(&text), Ok((length + 3, false)));
        }
    }

    #[test]
    fn surrogates_come_in_pairs() {
        assert_eq!(end(r#"\ud83d\ude00""#), Ok((12, true)));
        for lone in [r#"\ud83d""#, r#"\ud83dx""#, r#"\ude00""#, r#"\ud83d\ud83d""#, r#"\ud83d\n""#] {
            assert_eq!(end(lone), Err(FaultKind::LoneSurrogate), "{lone}");
        }
        assert_eq!(end(r#"\ud83d\u12"zz"#), Err(FaultKind::BadEscape));
        assert_eq!(end(r"\u12"), Err(FaultKind::Truncated));
    }

    #[test]
    fn unescaping_gives_what_the_string_reads() {
        let raw = br#"a\"\\\/\b\f\n\r\t\u0000\u00e9\u4e2d\ud83d\ude00z"#;
        assert_eq!(unescape(raw).as_ref(), "a\"\\/\u{8}\u{c}\n\r\t\0é中😀z".as_bytes());
        assert!(matches!(unescape(b"plain"), Cow::Borrowed(b"plain")));
    }
}
