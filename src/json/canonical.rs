//! One spelling for all texts that say the same value, so that values can be compared and hashed as bytes.

use super::write::push_string;
use super::{Cursor, Fault, Kind, Limits, Node};

/// `text` without its freedoms: members sorted by key (of a repeated key the last), no white space, no needless
/// escapes, numbers by their exact value.
///
/// # Errors
///
/// `text` is not one JSON value within `limits`.
pub fn canonical(text: &[u8], limits: Limits) -> Result<Vec<u8>, Fault> {
    let mut cursor = Cursor::new(text, limits)?;
    let mut out = Vec::with_capacity(text.len());
    value(&mut cursor, &mut out)?;
    cursor.end()?;
    Ok(out)
}

fn value(cursor: &mut Cursor<'_>, out: &mut Vec<u8>) -> Result<(), Fault> {
    match cursor.peek() {
        Some(b'{') => object(cursor, out),
        Some(b'[') => array(cursor, out),
        _ => {
            let node = cursor.value()?;
            scalar(node, cursor.text(), out);
            Ok(())
        }
    }
}

fn object(cursor: &mut Cursor<'_>, out: &mut Vec<u8>) -> Result<(), Fault> {
    let mut found: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let mut members = cursor.open_object()?;
    while let Some(key) = cursor.next_unchecked_member(&mut members)? {
        let mut text = Vec::new();
        value(cursor, &mut text)?;
        found.push((key.name(cursor.text()).into_owned(), text));
    }
    found.reverse();
    found.sort_by(|(one, _), (other, _)| one.cmp(other)); // stable: of equal keys the last one written stands first
    found.dedup_by(|(later, _), (earlier, _)| later == earlier);
    out.push(b'{');
    for (index, (key, text)) in found.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_string(out, &String::from_utf8_lossy(key));
        out.push(b':');
        out.extend_from_slice(text);
    }
    out.push(b'}');
    Ok(())
}

fn array(cursor: &mut Cursor<'_>, out: &mut Vec<u8>) -> Result<(), Fault> {
    let mut elements = cursor.open_array()?;
    out.push(b'[');
    let mut first = true;
    while cursor.next_element(&mut elements)? {
        if !std::mem::replace(&mut first, false) {
            out.push(b',');
        }
        value(cursor, out)?;
    }
    out.push(b']');
    Ok(())
}

fn scalar(node: Node, text: &[u8], out: &mut Vec<u8>) {
    match node.kind() {
        Kind::Integer | Kind::Number => number(node.token(text), out),
        Kind::String | Kind::EscapedString => {
            push_string(out, &String::from_utf8_lossy(&node.text(text).unwrap_or_default()));
        }
        _ => out.extend_from_slice(node.token(text)),
    }
}

/// The digits without zeros at either end and the power of ten they stand at: `-1.50e3` is `-15e2`, every zero `0`.
fn number(token: &[u8], out: &mut Vec<u8>) {
    let (negative, unsigned) = match token.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let split = unsigned.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(unsigned.len());
    let (mantissa, exponent) = unsigned.split_at(split);
    let point = mantissa.iter().position(|byte| *byte == b'.').unwrap_or(mantissa.len());
    let digits: Vec<u8> = mantissa.iter().copied().filter(u8::is_ascii_digit).collect();
    let leading = digits.iter().take_while(|digit| **digit == b'0').count();
    let Some(last) = digits.iter().rposition(|digit| *digit != b'0') else {
        out.push(b'0');
        return;
    };
    if negative {
        out.push(b'-');
    }
    out.extend_from_slice(digits.get(leading..=last).unwrap_or_default());
    // An exponent beyond i128 is longer than any power that the digits could shift it by; it keeps its own spelling.
    let exponent = exponent.get(1..).unwrap_or_default();
    let shift = i128::try_from(point).unwrap_or_default() - i128::try_from(last + 1).unwrap_or_default();
    let power = match std::str::from_utf8(exponent).unwrap_or_default() {
        "" => Some(shift),
        text => text.parse::<i128>().ok().and_then(|power| power.checked_add(shift)),
    };
    match power {
        Some(0) => {}
        Some(power) => out.extend_from_slice(format!("e{power}").as_bytes()),
        None => {
            out.push(b'E');
            out.extend_from_slice(exponent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        String::from_utf8(canonical(text.as_bytes(), Limits::default()).unwrap()).unwrap()
    }

    #[test]
    fn the_same_value_has_one_spelling() {
        for (one, other) in [
            (r#"{"b":1,"a":{"d":[ ],"c":null}}"#, r#" { "a" : {"c":null,"d":[]} , "b" : 1.0 } "#),
            (r#""\u0061\/\u00e9\ud83d\ude00""#, r#""a/é😀""#),
            ("100", "1e2"),
            ("100", "1.00E+02"),
            ("-0.0", "0"),
            ("0e99999999999999999999999999999999999999999999", "0"),
            ("0.0012", "12e-4"),
            ("[1,2]", "[1, 2]"),
        ] {
            assert_eq!(of(one), of(other));
        }
    }

    #[test]
    fn different_values_have_different_spellings() {
        let texts = [
            "0",
            "1",
            "-1",
            "10",
            "0.1",
            "1e400",
            "1e401",
            "\"1\"",
            "true",
            "false",
            "null",
            "[]",
            "{}",
            "[[]]",
            "[1]",
            "[11]",
            "{\"1\":1}",
            "\"\"",
            "\"a\"",
            "\"A\"",
        ];
        for (index, one) in texts.iter().enumerate() {
            for other in texts.iter().skip(index + 1) {
                assert_ne!(of(one), of(other));
            }
        }
    }

    #[test]
    fn the_last_of_a_repeated_key_counts_as_in_any_last_wins_reader() {
        assert_eq!(of(r#"{"a":1,"b":2,"a":3,"\u0061":4}"#), r#"{"a":4,"b":2}"#);
    }

    #[test]
    fn every_exponent_is_bounded_work() {
        assert_eq!(of("1e999999999"), "1e999999999");
        let huge = format!("1e{}", "9".repeat(200));
        assert_eq!(of(&huge), format!("1E{}", "9".repeat(200)));
    }
}
