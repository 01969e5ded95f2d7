//! Where a string ends.

use super::block::{ALL, Block, LENGTH, block, last_block, lowest};
use super::fault::{Broken, FaultKind};
use super::word::byte;

/// The bytes of a block that end a plain run (a quote, a backslash, a control character), a bit each.
#[inline]
fn stops(block: Block) -> u32 {
    block.equal(b'"') | block.equal(b'\\') | block.at_most(0x1F)
}

/// First index at or after `at` of a byte that ends a plain run, or the end of the text.
#[inline]
fn plain_end(text: &[u8], at: u32) -> u32 {
    // Most strings end within their first block.
    match block(text, at).map(stops) {
        Some(0) => long_plain_end(text, at + LENGTH),
        Some(found) => at + found.trailing_zeros(),
        None => last_plain_end(text, at),
    }
}

#[inline(never)]
fn long_plain_end(text: &[u8], mut at: u32) -> u32 {
    loop {
        match block(text, at).map(stops) {
            Some(0) => at += LENGTH,
            Some(found) => return at + found.trailing_zeros(),
            None => return last_plain_end(text, at),
        }
    }
}

/// The same from less than a block before the end on.
#[inline(never)]
#[allow(clippy::cast_possible_truncation)] // a text that a cursor took
fn last_plain_end(text: &[u8], mut at: u32) -> u32 {
    let end = text.len() as u32;
    if let Some(block) = last_block(text) {
        let found = stops(block) >> (at + LENGTH - end).min(LENGTH);
        return if found == 0 { end } else { at + found.trailing_zeros() };
    }
    while byte(text, at).is_some_and(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at
}

/// As [`string_end`], for one of many strings.
#[inline(always)]
#[allow(clippy::inline_always)] // a call would cost more than a short string
pub(super) fn next_string_end(text: &[u8], at: u32) -> Result<(u32, bool), Broken> {
    let Some(found) = block(text, at).map(stops) else {
        return string_end(text, at);
    };
    let length = lowest(found);
    if length == LENGTH {
        return string_end(text, at + LENGTH);
    }
    let end = at + length;
    if byte(text, end) == Some(b'"') { Ok((end, false)) } else { escaped_end(text, end).map(|end| (end, true)) }
}

/// Where a string has its closing quote, and whether it holds an escape; `at` is the first byte inside.
///
/// # Errors
///
/// The fault and where it is.
#[inline]
pub(super) fn string_end(text: &[u8], at: u32) -> Result<(u32, bool), Broken> {
    let end = plain_end(text, at);
    if byte(text, end) == Some(b'"') {
        return Ok((end, false));
    }
    escaped_end(text, end).map(|end| (end, true))
}

/// The same, from a byte on that ends a plain run in the string.
///
/// Which bytes are escaped is worked out for a block at a time, without a branch for each escape.
#[inline(never)]
fn escaped_end(text: &[u8], start: u32) -> Result<u32, Broken> {
    let mut at = start;
    let mut walk = Walk { carried: 0, digits: 0, first_digit: 0, low: u32::MAX };
    // Where the escape begins that is not yet checked whole; where there is none, the block.
    let mut whole = start;
    while let Some(block) = block(text, at) {
        let backslashes = block.equal(b'\\');
        let escaped = walk.escaped(backslashes);
        let ends = (block.equal(b'"') | block.at_most(0x1F)) & !escaped;
        if backslashes | escaped | ends | walk.digits == 0 {
            at = plain_end(text, at + LENGTH);
            whole = at;
            continue;
        }
        // Nothing behind the string's end is looked at.
        let inside = ends.wrapping_sub(1) & !ends;
        let signs = escaped & inside;
        let mut long = 0;
        if signs | walk.digits != 0 {
            long = signs & block.equal(b'u');
            if signs & !(backslashes | long | short_escapes(block)) != 0 {
                return one_by_one(text, whole, walk.low);
            }
        }
        if long | walk.digits != 0 {
            let (digits, first) = walk.digits_of(long);
            if digits & (inside | ends) & !hexadecimal(block) != 0 {
                return one_by_one(text, whole, walk.low);
            }
            let mut surrogates = first & inside & (block.equal(b'd') | block.equal(b'D'));
            while surrogates != 0 {
                walk.unicode(text, at + surrogates.trailing_zeros() - 1)?;
                surrogates &= surrogates - 1;
            }
        }
        if ends != 0 {
            at += ends.trailing_zeros();
            return if byte(text, at) == Some(b'"') { Ok(at) } else { Err((FaultKind::ControlCharacter, at)) };
        }
        whole = match walk.digits {
            0 => at + LENGTH - walk.carried,
            // The backslash before the last `u`.
            _ => at + long.checked_ilog2().unwrap_or_default() - 1,
        };
        at += LENGTH;
    }
    one_by_one(text, whole, walk.low)
}

/// The bytes that are hexadecimal digits.
#[inline]
fn hexadecimal(block: Block) -> u32 {
    block.within(b'0', b'9') | block.within(b'a', b'f') | block.within(b'A', b'F')
}

/// The letters and signs that are a whole escape behind a backslash, but the backslash itself.
#[inline]
fn short_escapes(block: Block) -> u32 {
    b"\"/bfnrt".iter().fold(0, |found, escape| found | block.equal(*escape))
}

/// What one block of a string leaves to the next.
struct Walk {
    /// 1: the block's first byte is escaped by the last one of the block before.
    carried: u32,
    /// The first bytes of the block that must be digits of an escape, a bit each, and which of them is its first.
    digits: u32,
    first_digit: u32,
    /// The `u` of a low surrogate that belongs to the high one before it.
    low: u32,
}

impl Walk {
    /// The bytes that stand behind a backslash which is not itself escaped.
    ///
    /// Of a run of backslashes every second one is escaped. Adding the starts of runs at odd places carries each of
    /// them to its end, which tells the runs of odd places from those of even ones.
    #[inline]
    const fn escaped(&mut self, backslashes: u32) -> u32 {
        const EVEN: u32 = 0x5555_5555;
        if backslashes == 0 {
            return std::mem::replace(&mut self.carried, 0);
        }
        let active = backslashes & !self.carried;
        let behind = active << 1 | self.carried;
        let odd_starts = active & !EVEN & !behind;
        let escaped = (EVEN ^ (odd_starts + active) << 1) & behind;
        self.carried = escaped >> LENGTH & 1;
        escaped & ALL
    }

    /// The bytes that must be digits, behind each `u` of these and behind the last one of the block before; and the
    /// first of each four.
    #[inline]
    const fn digits_of(&mut self, long: u32) -> (u32, u32) {
        let digits = long << 1 | long << 2 | long << 3 | long << 4 | self.digits;
        let first = long << 1 | self.first_digit;
        self.digits = digits >> LENGTH;
        self.first_digit = first >> LENGTH;
        (digits & ALL, first & ALL)
    }

    /// Checks the four digits behind the `u` at `at`, and that surrogates come in pairs.
    #[inline]
    fn unicode(&mut self, text: &[u8], at: u32) -> Result<(), Broken> {
        match hex4(text, at + 1)? {
            0xD800..=0xDBFF => {
                self.low = at + 6;
                match (byte(text, at + 5), byte(text, at + 6)) {
                    (Some(b'\\'), Some(b'u')) if (0xDC00..=0xDFFF).contains(&hex4(text, at + 7)?) => Ok(()),
                    _ => Err((FaultKind::LoneSurrogate, at - 1)),
                }
            }
            0xDC00..=0xDFFF if at != self.low => Err((FaultKind::LoneSurrogate, at - 1)),
            _ => Ok(()),
        }
    }
}

/// The same byte by byte, near the end of the text and for the exact place of a fault; `low` as in [`Walk`].
fn one_by_one(text: &[u8], mut at: u32, low: u32) -> Result<u32, Broken> {
    let mut walk = Walk { carried: 0, digits: 0, first_digit: 0, low };
    loop {
        match byte(text, at) {
            Some(b'\\') => match byte(text, at + 1) {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                Some(b'u') => {
                    walk.unicode(text, at + 1)?;
                    at += 6;
                }
                Some(_) => return Err((FaultKind::BadEscape, at)),
                None => return Err((FaultKind::Truncated, at + 1)),
            },
            Some(b'"') => return Ok(at),
            Some(0..0x20) => return Err((FaultKind::ControlCharacter, at)),
            Some(_) => at += 1,
            None => return Err((FaultKind::Truncated, at)),
        }
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
#[allow(clippy::cast_possible_truncation)] // a text that a cursor took
pub(super) fn hex4(text: &[u8], at: u32) -> Result<u32, Broken> {
    let Some([a, b, c, d]) = text.get(at as usize..).and_then(<[u8]>::first_chunk::<4>) else {
        return Err((FaultKind::Truncated, text.len() as u32));
    };
    let [a, b, c, d] = [HEX[*a as usize], HEX[*b as usize], HEX[*c as usize], HEX[*d as usize]];
    if (a | b | c | d) > 0x0F {
        return Err((FaultKind::BadEscape, at));
    }
    Ok((u32::from(a) << 12) | (u32::from(b) << 8) | (u32::from(c) << 4) | u32::from(d))
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation)] // short texts
mod tests {
    use super::*;

    fn end(inside: &str) -> Result<(u32, bool), FaultKind> {
        string_end(inside.as_bytes(), 0).map_err(|(kind, _)| kind)
    }

    #[test]
    fn a_plain_string_ends_at_its_quote_wherever_the_word_boundary_falls() {
        for length in 0..100_u32 {
            let text = format!("{}\" tail that is long enough for a word", "é".repeat(length as usize));
            assert_eq!(end(&text), Ok((2 * length, false)));
            assert_eq!(end(&"é".repeat(length as usize)), Err(FaultKind::Truncated));
        }
    }

    #[test]
    fn a_control_character_is_found_at_every_offset() {
        for length in 0..70_u32 {
            for control in ["\u{0}", "\u{1f}", "\n"] {
                let text = format!("{}{control}\"", "x".repeat(length as usize));
                assert_eq!(end(&text), Err(FaultKind::ControlCharacter), "{length}");
            }
            let text = format!("{}\u{7f}\u{80}\"", "x".repeat(length as usize));
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
    fn escapes_are_told_from_what_they_escape_wherever_a_block_ends() {
        for before in 0..40 {
            let plain = "x".repeat(before);
            for run in 0..70 {
                let text = format!("{plain}{}\"{}", "\\".repeat(run), "y".repeat(20));
                let open = format!("{plain}{}\"", "\\".repeat(run));
                let expected =
                    if run % 2 == 0 { Ok(((before + run) as u32, run > 0)) } else { Err(FaultKind::Truncated) };
                assert_eq!(end(&text), expected, "{before} {run}");
                assert_eq!(end(&open), expected, "{before} {run}");
            }
            for tail in ["", "\"", "yyyyyyyyyyyyyyyyyyyyyyyyyyy\""] {
                for pair in [r"\ud83d\ude00", r"\n\ud83d\ude00\u4e2d"] {
                    let text = format!("{plain}{pair}{tail}");
                    let expected = match tail.len() {
                        0 => Err(FaultKind::Truncated),
                        length => Ok(((before + pair.len() + length - 1) as u32, true)),
                    };
                    assert_eq!(end(&text), expected, "{text}");
                }
                for lone in [r"\ude00", r"\ud83d\ud83d\ude00", r"\ud83d\ude00\ude00", r"\ud83dx"] {
                    let text = format!("{plain}{lone}{tail}");
                    assert_eq!(end(&text), Err(FaultKind::LoneSurrogate), "{text}");
                }
                for bad in [
                    r"\u123",
                    r"\ud83d\u",
                    r"\u4e2d\u4e2",
                    r"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\u00",
                    r"\x",
                    r"\u12g4",
                    "\\\u{0}",
                    r"\U0041",
                    "\\é",
                ] {
                    let text = format!("{plain}{bad}{tail}{}", "z".repeat(8));
                    assert_eq!(end(&text), Err(FaultKind::BadEscape), "{text:?}");
                }
            }
        }
    }
}
