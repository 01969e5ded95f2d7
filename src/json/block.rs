//! Sixteen bytes at a time.

use wide::u8x16;

use super::work::looked;

/// Sixteen bytes of a text.
#[derive(Clone, Copy)]
pub(super) struct Block(u8x16);

/// How many bytes a block has.
pub(super) const LENGTH: u32 = 16;

/// A bit for each byte of a block.
pub(super) const ALL: u32 = 0xFFFF;

/// The block that begins at `at`; `None` where the text ends before its end.
#[inline]
pub(super) fn block(text: &[u8], at: u32) -> Option<Block> {
    looked();
    let at = at as usize;
    text.get(at..at + LENGTH as usize).and_then(<[u8]>::first_chunk).map(|bytes| Block(u8x16::new(*bytes)))
}

/// The last block of a text that is that long.
#[inline]
pub(super) fn last_block(text: &[u8]) -> Option<Block> {
    looked();
    text.last_chunk().map(|bytes| Block(u8x16::new(*bytes)))
}

/// The lowest bit of a block that is set, or its length.
///
/// Up to the eighth it is told by branches, which a processor guesses and goes on behind; on a number it would have to
/// wait before it could begin with what follows.
#[inline(always)]
#[allow(clippy::inline_always)] // branches are guessed better where they stand
pub(super) const fn lowest(bits: u32) -> u32 {
    let mut at = 0;
    while at < 8 {
        if bits >> at & 1 == 1 {
            return at;
        }
        at += 1;
    }
    (bits | 1 << LENGTH).trailing_zeros()
}

impl Block {
    /// A bit for each byte that is this one; the first byte's is the lowest.
    #[inline]
    pub(super) fn equal(self, byte: u8) -> u32 {
        self.0.simd_eq(u8x16::splat(byte)).to_bitmask()
    }

    /// A bit for each byte that is at most this one.
    #[inline]
    pub(super) fn at_most(self, byte: u8) -> u32 {
        self.0.min(u8x16::splat(byte)).simd_eq(self.0).to_bitmask()
    }

    /// A bit for each byte from `first` to `last`.
    #[inline]
    pub(super) fn within(self, first: u8, last: u8) -> u32 {
        Self(self.0 - u8x16::splat(first)).at_most(last.wrapping_sub(first))
    }
}
