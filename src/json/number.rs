//! Numbers: where one ends, and whether it is an integer.

use super::fault::FaultKind;
use super::node::Kind;

/// Reads the number that begins at `at`, returning the index after it and its kind.
///
/// # Errors
///
/// The fault and where it is; a token longer than `max_chars` is one.
#[inline]
pub(super) fn number_end(text: &[u8], start: usize, max_chars: usize) -> Result<(usize, Kind), (FaultKind, usize)> {
    let negative = text.get(start) == Some(&b'-');
    let first = start + usize::from(negative);
    let mut at = match text.get(first) {
        Some(b'0') => first + 1,
        Some(b'1'..=b'9') => digits_end(text, first + 1),
        Some(_) => return Err((FaultKind::BadNumber, first)),
        None => return Err((FaultKind::Truncated, first)),
    };
    let mut kind = if negative && text.get(first) == Some(&b'0') { Kind::Number } else { Kind::Integer };
    if text.get(at) == Some(&b'.') {
        kind = Kind::Number;
        at = some_digits(text, at + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        kind = Kind::Number;
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        at = some_digits(text, at + 1 + sign)?;
    }
    // `01`, `1.`, `1x`: what follows is looked at by whoever expects a comma or an end.
    if at - start > max_chars { Err((FaultKind::NumberTooLong, start)) } else { Ok((at, kind)) }
}

#[inline]
fn some_digits(text: &[u8], at: usize) -> Result<usize, (FaultKind, usize)> {
    match text.get(at) {
        Some(b'0'..=b'9') => Ok(digits_end(text, at + 1)),
        Some(_) => Err((FaultKind::BadNumber, at)),
        None => Err((FaultKind::Truncated, at)),
    }
}

#[inline]
fn digits_end(text: &[u8], mut at: usize) -> usize {
    while let Some(b'0'..=b'9') = text.get(at) {
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
        assert_eq!(number_end(b"12345678901", 0, 10), Err((FaultKind::NumberTooLong, 0)));
        assert_eq!(number_end(b"1234567890", 0, 10), Ok((10, Kind::Integer)));
    }
}
