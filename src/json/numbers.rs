//! Arrays of plain numbers, a block at a time.

use super::block::{ALL, LENGTH, block};

/// A number that is looked for may be this long at least; a block or two never holds a longer one whole.
const SHORTEST_LIMIT: u32 = 64;

/// From the element of an array at `at`, the last element before which nothing but numbers, commas and white space
/// stands as the grammar has it; white space may stand before that element. `at` itself says nothing.
///
/// Numbers with an exponent end the walk, and so does whatever is broken: the caller reads on from an element and finds
/// what is wrong where it is.
#[inline(never)]
pub(super) fn numbers_end(text: &[u8], mut at: u32, max_chars: u32) -> u32 {
    let mut element = at;
    if max_chars < SHORTEST_LIMIT {
        return element;
    }
    // What the last byte of the block before was, a bit each, and whether it stood behind a point.
    let mut before = Kinds { digits: 0, separators: 1, signs: 0, leading_zeros: 0 };
    let mut in_fraction = 0;
    while let Some(block) = block(text, at) {
        let digits = block.within(b'0', b'9');
        let commas = block.equal(b',');
        let space = block.equal(b' ') | block.equal(b'\n');
        let points = block.equal(b'.');
        let signs = block.equal(b'-');
        let separators = commas | space;

        let behind_digit = digits << 1 | before.digits;
        let behind_separator = separators << 1 | before.separators;
        let behind_sign = signs << 1 | before.signs;
        let leading_zeros = block.equal(b'0') & (behind_separator | behind_sign);
        // Adding where fractions begin carries each of them to the byte behind its digits.
        let fractions = (points << 1 | in_fraction) + digits;

        // Behind a point or a sign only digits are left: all else asks for a digit or a separator before it.
        let broken = !(digits | separators | points | signs)
            | (commas | points) & !behind_digit
            | (space | signs) & !behind_separator
            | digits & (leading_zeros << 1 | before.leading_zeros)
            | points & fractions;
        let length = (broken & ALL | 1 << LENGTH).trailing_zeros();
        let ends = separators & ((1 << length) - 1);
        if let Some(last) = ends.checked_ilog2() {
            // The number that the blocks before began ends at the first of them.
            if at + ends.trailing_zeros() - element > max_chars {
                break;
            }
            element = at + last + 1;
        }
        at += LENGTH;
        if length < LENGTH {
            break;
        }
        let last = LENGTH - 1;
        before = Kinds {
            digits: digits >> last,
            separators: separators >> last,
            signs: signs >> last,
            leading_zeros: leading_zeros >> last,
        };
        in_fraction = fractions >> LENGTH;
    }
    element
}

/// What a byte is, a bit each.
struct Kinds {
    digits: u32,
    separators: u32,
    signs: u32,
    leading_zeros: u32,
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation)] // short texts
mod tests {
    use super::super::cursor::{Cursor, Limits};
    use super::super::fault::Fault;
    use super::*;

    /// The next of an endless row of numbers, the same in every run.
    fn next(state: &mut u64) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize
    }

    fn passed(text: &str, is_checked: bool) -> Result<usize, Fault> {
        let mut cursor = Cursor::new(text.as_bytes(), Limits::DEFAULT)?;
        let node = if is_checked { cursor.checked_value() } else { cursor.value() };
        node.map(|_| cursor.position())
    }

    #[test]
    fn blocks_of_numbers_end_where_single_numbers_do() {
        let pieces = [
            "0",
            "7",
            "10",
            "-3",
            "-0",
            "0.5",
            "12.0625",
            "3.14159265358979312",
            "1234567890123456789012",
            ",",
            ",",
            ",",
            ", ",
            ",\n  ",
            "01",
            "1.",
            ".5",
            "--1",
            "-",
            "1.2.3",
            ",,",
            " ,",
            "1e5",
            "2E-3",
            "x",
            "[]",
            "\t",
            "1 2",
        ];
        let mut state = 7;
        for _ in 0..200_000 {
            let mut text = String::from("[");
            for _ in 0..next(&mut state) % 12 {
                // Mostly as the grammar has it.
                let is_plain = !next(&mut state).is_multiple_of(8);
                text += pieces[next(&mut state) % if is_plain { 9 } else { pieces.len() }];
                if !next(&mut state).is_multiple_of(12) {
                    text += pieces[9 + next(&mut state) % 5];
                }
            }
            text += ["7]", "]", "7,8]", "7               ]                "][next(&mut state) % 4];
            assert_eq!(passed(&text, false), passed(&text, true), "{text}");
        }
    }

    #[test]
    fn a_whole_block_of_numbers_is_passed() {
        let text = format!("{}{}", "-7.25, ".repeat(100), "x".repeat(16));
        assert_eq!(numbers_end(text.as_bytes(), 0, 4300), 700);
        assert_eq!(numbers_end(text.as_bytes(), 0, 10), 0);
    }

    #[test]
    fn a_number_too_long_is_left_to_whoever_counts() {
        let long = "7".repeat(200);
        let text = format!("1,{long},2,{}", "3,".repeat(20));
        assert_eq!(numbers_end(text.as_bytes(), 0, 64), 2);
        assert!(numbers_end(text.as_bytes(), 0, 400) > 200);
    }
}
