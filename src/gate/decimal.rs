//! Exact decimal comparison, without expanding anything.

/// A number as its sign, its digits without zeros at either end, and the exponent that they have behind a point.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: Exponent,
}

#[derive(Debug, PartialEq, Eq)]
enum Exponent {
    Small(i64),
    /// Further away than any text could spell out: equal only to the same spelling.
    Huge(Vec<u8>),
}

impl Decimal {
    /// `-?[0-9]+(\.[0-9]+)?`: how a header may spell a number.
    pub(super) fn is_plain(text: &[u8]) -> bool {
        let text = text.strip_prefix(b"-").unwrap_or(text);
        let mut parts = text.splitn(2, |byte| *byte == b'.');
        parts.all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit))
    }

    /// Reads a number in JSON's spelling, or a plain one with leading zeros.
    pub(super) fn read(text: &[u8]) -> Self {
        let (negative, text) = match text.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, power) = match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default()),
            None => (text, b"0".as_slice()),
        };
        let mut parts = mantissa.splitn(2, |byte| *byte == b'.');
        let (whole, fraction) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let mut digits: Vec<u8> = whole.iter().chain(fraction).copied().skip_while(|digit| *digit == b'0').collect();
        let shift = i64::try_from(digits.len()).unwrap_or(0) - i64::try_from(fraction.len()).unwrap_or(0);
        while digits.pop_if(|digit| *digit == b'0').is_some() {}
        if digits.is_empty() {
            return Self { negative: false, digits, exponent: Exponent::Small(0) };
        }
        Self { negative, digits, exponent: Exponent::read(power, shift) }
    }
}

impl Exponent {
    fn read(power: &[u8], shift: i64) -> Self {
        let spelt = std::str::from_utf8(power).unwrap_or_default();
        match spelt.parse::<i64>().ok().and_then(|power| power.checked_add(shift)) {
            Some(exponent) => Self::Small(exponent),
            None => Self::Huge(power.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_whatever_their_spelling() {
        for (one, other) in [
            ("42", "42.0"),
            ("42", "4.2e1"),
            ("0042", "42"),
            ("-0.0", "0"),
            ("0e99999999999999999999", "0"),
            ("1000", "1e3"),
            ("0.001", "1E-3"),
            ("12.50", "125e-1"),
        ] {
            assert_eq!(Decimal::read(one.as_bytes()), Decimal::read(other.as_bytes()), "{one} {other}");
        }
        for (one, other) in [
            ("42", "43"),
            ("1", "-1"),
            ("9007199254740993", "9007199254740992"),
            ("1e999999999", "1e999999998"),
            ("1e99999999999999999999", "1"),
            ("0.1", "0.10000000000000001"),
        ] {
            assert_ne!(Decimal::read(one.as_bytes()), Decimal::read(other.as_bytes()), "{one} {other}");
        }
    }

    #[test]
    fn a_header_spells_a_number_plainly() {
        for plain in ["0", "-1", "007", "1.50"] {
            assert!(Decimal::is_plain(plain.as_bytes()), "{plain}");
        }
        for other in ["", "-", "+1", "1.", ".5", "1e3", " 1", "0x1", "1_000", "1.2.3", "--1", "NaN"] {
            assert!(!Decimal::is_plain(other.as_bytes()), "{other}");
        }
    }
}
