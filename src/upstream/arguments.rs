//! `Mcp-Param-*`: the arguments that a tool's schema marks, as headers.
//!
//! Spec: 2026-07-28 basic/transports/streamable-http, value encoding.

use super::headers::Line;
use crate::gate::{Rejection, ToolAnnotations};
use crate::headers::{PARAM_PREFIX, encode};
use crate::json::{Cursor, Kind, Limits, Node};
use crate::table::Era;

/// Appends the mirrors of a call's arguments.
pub(super) fn mirrors(
    tool: &ToolAnnotations,
    text: &[u8],
    arguments: Node,
    era: Era,
    headers: &mut Vec<Line>,
) -> Result<(), Rejection> {
    let limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };
    let values = tool.read(&Cursor::resume(text, 0, 0, limits), arguments);
    if values.duplicate {
        return Err(Rejection::DuplicateKey);
    }
    for (name, node) in tool.headers().zip(&values.values) {
        let value = match node.kind() {
            Kind::Absent | Kind::Null | Kind::Array | Kind::Object => continue,
            Kind::String | Kind::EscapedString => node.text(text).map(|value| String::from_utf8_lossy(&value).into()),
            Kind::True => Some("true".to_owned()),
            Kind::False => Some("false".to_owned()),
            Kind::Integer | Kind::Number => plain(node.token(text)),
        };
        let Some(value) = value else {
            let what = format!("{PARAM_PREFIX}{} cannot carry so large a number", name.to_ascii_lowercase());
            return Err(Rejection::Params { what: what.into(), era });
        };
        headers.push((
            format!("{PARAM_PREFIX}{}", name.to_ascii_lowercase()).into(),
            encode(&value).into_owned().into_bytes(),
        ));
    }
    Ok(())
}

/// How many digits a number may be written out with: enough for any that a double holds.
const LONGEST: i64 = 400;

/// A number without an exponent and without needless zeros; none where it would be too long.
fn plain(token: &[u8]) -> Option<String> {
    let token = std::str::from_utf8(token).ok()?;
    let (sign, magnitude) = token.strip_prefix('-').map_or(("", token), |rest| ("-", rest));
    let (mantissa, power) = magnitude.split_once(['e', 'E']).unwrap_or((magnitude, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if power == "0" && fraction.is_empty() {
        return Some(if magnitude == "0" { magnitude } else { token }.to_owned());
    }
    let digits = [whole, fraction].concat();
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }
    // Where the point stands in `significant`, counted from its first digit.
    let skipped = i64::try_from(digits.len() - significant.len()).ok()?;
    let point = i64::try_from(whole.len()).ok()?.checked_sub(skipped)?.checked_add(power.parse().ok()?)?;
    let significant = significant.trim_end_matches('0');
    let length = i64::try_from(significant.len()).ok()?;
    if !(-LONGEST..=LONGEST).contains(&point) {
        return None;
    }
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    Some(if point <= 0 {
        format!("{sign}0.{}{significant}", zeros(-point))
    } else if point >= length {
        format!("{sign}{significant}{}", zeros(point - length))
    } else {
        let (whole, fraction) = significant.split_at_checked(usize::try_from(point).ok()?)?;
        format!("{sign}{whole}.{fraction}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_out() {
        for (token, written) in [
            ("42", "42"),
            ("-7", "-7"),
            ("0", "0"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("0e99999999999999999999", "0"),
            ("42.0", "42"),
            ("4.2e1", "42"),
            ("42e-1", "4.2"),
            ("1E3", "1000"),
            ("1e+3", "1000"),
            ("-1.50", "-1.5"),
            ("0.001", "0.001"),
            ("1e-3", "0.001"),
            ("120.0e-1", "12"),
            ("0.0120e2", "1.2"),
            ("9007199254740993", "9007199254740993"),
        ] {
            assert_eq!(plain(token.as_bytes()).as_deref(), Some(written), "{token}");
        }
        for token in ["1e999999999", "1e-999999999", "1e99999999999999999999"] {
            assert_eq!(plain(token.as_bytes()), None, "{token}");
        }
    }
}
