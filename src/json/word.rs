//! Eight bytes at a time, as one integer; the first byte is the lowest.
//!
//! Positions are 32 bits wide: adding to one cannot overflow a machine word, so a look at the text is one comparison.

use super::work::looked;

/// The byte at `at`; `None` at the end of the text.
#[inline]
pub(super) fn byte(text: &[u8], at: u32) -> Option<u8> {
    looked();
    text.get(at as usize).copied()
}

/// The two bytes from `at` on, the first one lower.
#[inline]
pub(super) fn pair(text: &[u8], at: u32) -> Option<u16> {
    looked();
    let at = at as usize;
    text.get(at..at + 2).and_then(<[u8]>::first_chunk).map(|bytes| u16::from_le_bytes(*bytes))
}

/// The eight bytes from `at` on; `None` where the text ends before.
#[inline]
pub(super) fn word(text: &[u8], at: u32) -> Option<u64> {
    looked();
    let at = at as usize;
    text.get(at..at + 8).and_then(<[u8]>::first_chunk).map(|bytes| u64::from_le_bytes(*bytes))
}
