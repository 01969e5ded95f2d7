//! Numbers: where one ends, and whether it is an integer.

use super::block::{ALL, LENGTH, block, lowest};
use super::fault::{Broken, FaultKind};
use super::node::Kind;
use super::word::byte;

/// The end of a positive integer of a few digits, as most numbers are; `None` says nothing.
#[inline]
pub(super) fn short_integer_end(text: &[u8], start: u32) -> Option<u32> {
    let bytes: &[u8; 8] = text.get(start as usize..start as usize + 8)?.first_chunk()?;
    if !matches!(bytes[0], b'1'..=b'9') {
        return None;
    }
    let mut length = 1;
    for byte in &bytes[1..] {
        match byte {
            b'0'..=b'9' => length += 1,
            b'.' | b'e' | b'E' => return None,
            _ => return Some(start + length),
        }
    }
    None
}

/// Reads the number that begins at `start`, returning the index after it and its kind.
///
/// # Errors
///
/// The fault and where it is; a token longer than `max_chars` is one.
#[inline(always)]
#[allow(clippy::inline_always)] // a call would cost more than a short number
pub(super) fn number_end(text: &[u8], start: u32, max_chars: u32) -> Result<(u32, Kind), Broken> {
    let is_negative = byte(text, start) == Some(b'-');
    let first = start + u32::from(is_negative);
    let mut kind = Kind::Integer;
    let mut at = match byte(text, first) {
        Some(b'0') => {
            if is_negative {
                kind = Kind::Number;
            }
            first + 1
        }
        Some(b'1'..=b'9') => digits_end(text, first),
        Some(_) => return Err((FaultKind::BadNumber, first)),
        None => return Err((FaultKind::Truncated, first)),
    };
    if let Some(b'.' | b'e' | b'E') = byte(text, at) {
        kind = Kind::Number;
        at = fraction_end(text, at)?;
    }
    // `01`, `1.`, `1x`: what follows is looked at by whoever expects a comma or an end.
    if at - start > max_chars { Err((FaultKind::NumberTooLong, start)) } else { Ok((at, kind)) }
}

/// The end of what follows a number's whole part, from its point or `e` on.
#[inline(never)]
fn fraction_end(text: &[u8], mut at: u32) -> Result<u32, Broken> {
    if byte(text, at) == Some(b'.') {
        at = some_digits(text, at + 1)?;
    }
    if let Some(b'e' | b'E') = byte(text, at) {
        let sign = u32::from(matches!(byte(text, at + 1), Some(b'+' | b'-')));
        at = some_digits(text, at + 1 + sign)?;
    }
    Ok(at)
}

#[inline]
fn some_digits(text: &[u8], at: u32) -> Result<u32, Broken> {
    match byte(text, at) {
        Some(b'0'..=b'9') => Ok(digits_end(text, at)),
        Some(_) => Err((FaultKind::BadNumber, at)),
        None => Err((FaultKind::Truncated, at)),
    }
}

/// First index at or after `at` of a byte that is no digit, or the end of the text.
#[inline]
fn digits_end(text: &[u8], mut at: u32) -> u32 {
    while let Some(block) = block(text, at) {
        let digits = block.within(b'0', b'9');
        if digits != ALL {
            return at + lowest(!digits & ALL);
        }
        at += LENGTH;
    }
    while let Some(b'0'..=b'9') = byte(text, at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelt_as_json_spells_them() {
        for (text, end, kind) in [
            ("0", 1, Kind::Integer),
            ("-0", 2, Kind::Number),
            ("-12,", 3, Kind::Integer),
            ("0.5", 3, Kind::Number),
            ("1e+9]", 4, Kind::Number),
            ("1E-09", 5, Kind::Number),
            ("01", 1, Kind::Integer),
        ] {
            assert_eq!(number_end(text.as_bytes(), 0, 10), Ok((end, kind)), "{text}");
        }
        for text in ["-", "+1", "-a", "1.", "1.e5", "1e", "1e+", ".5", "-.5"] {
            assert!(number_end(text.as_bytes(), 0, 10).is_err(), "{text}");
        }
        for length in 1..40 {
            for after in [",", "/", ":", "x", " ", "\u{80}", ""] {
                let text = format!("{}{after}", "9".repeat(length));
                assert_eq!(number_end(text.as_bytes(), 0, 40).map(|(end, _)| end as usize), Ok(length), "{text}");
            }
        }
        assert_eq!(number_end(b"12345678901", 0, 10), Err((FaultKind::NumberTooLong, 0)));
        assert_eq!(number_end(b"1234567890", 0, 10), Ok((10, Kind::Integer)));
    }
}
