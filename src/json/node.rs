//! Where a value stands in the text, and what kind of value it is.

use std::borrow::Cow;

/// A part of the text, as byte offsets; `end` is the first byte after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// First byte after the last.
    pub end: u32,
}

impl Span {
    /// The longest text that spans and nodes can name, in bytes: 1 GiB.
    pub const LONGEST: usize = 1 << 30;

    /// A span of `text[start..end]`, within [`Span::LONGEST`].
    #[must_use]
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // the cursor refuses longer texts
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// Length in bytes.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Nothing between start and end.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.end == self.start
    }

    /// The bytes of `text` that this span names; empty when it lies outside.
    #[must_use]
    #[inline]
    pub fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// What kind of value a [`Node`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// The member is not there.
    #[default]
    Absent,
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A number of digits alone, with a sign or without; `-0` is a [`Kind::Number`].
    Integer,
    /// Any other number.
    Number,
    /// A string that stands in the text as it reads.
    String,
    /// A string with at least one escape.
    EscapedString,
    /// An array.
    Array,
    /// An object.
    Object,
}

const KINDS: [Kind; 16] = {
    let mut kinds = [Kind::Absent; 16];
    let all = [
        Kind::Absent,
        Kind::Null,
        Kind::False,
        Kind::True,
        Kind::Integer,
        Kind::Number,
        Kind::String,
        Kind::EscapedString,
        Kind::Array,
        Kind::Object,
    ];
    let mut at = 0;
    while at < all.len() {
        kinds[all[at] as usize] = all[at];
        at += 1;
    }
    kinds
};

/// One value of the text: its kind and its span, in one word, so that passing it on costs nothing.
///
/// The lowest four bits are the kind, then thirty of the start, then thirty of the end.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Node(u64);

const START_BITS: u32 = 30;
const MASK: u64 = (1 << START_BITS) - 1;

impl Node {
    /// The member was not there.
    pub const ABSENT: Self = Self(0);

    /// A value of this kind from its first byte to the first one after it, quotes and brackets included.
    #[must_use]
    #[inline]
    pub const fn between(kind: Kind, start: usize, end: usize) -> Self {
        Self(kind as u64 | (start as u64 & MASK) << 4 | (end as u64 & MASK) << (4 + START_BITS))
    }

    /// What it is.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> Kind {
        KINDS[(self.0 & 15) as usize]
    }

    /// Where its token stands, quotes and brackets included.
    #[must_use]
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // thirty bits each
    pub const fn span(self) -> Span {
        Span { start: ((self.0 >> 4) & MASK) as u32, end: (self.0 >> (4 + START_BITS)) as u32 }
    }

    /// The member was there, with whatever value.
    #[must_use]
    #[inline]
    pub const fn is_present(self) -> bool {
        self.0 & 15 != Kind::Absent as u64
    }

    /// Not there, or `null`.
    #[must_use]
    #[inline]
    pub const fn is_absent_or_null(self) -> bool {
        self.0 & 15 <= Kind::Null as u64
    }

    /// A string, with escapes or without.
    #[must_use]
    #[inline]
    pub const fn is_string(self) -> bool {
        matches!(self.kind(), Kind::String | Kind::EscapedString)
    }

    /// An object.
    #[must_use]
    #[inline]
    pub const fn is_object(self) -> bool {
        self.0 & 15 == Kind::Object as u64
    }

    /// The token in `text`.
    #[must_use]
    #[inline]
    pub fn token(self, text: &[u8]) -> &[u8] {
        self.span().of(text)
    }

    /// The text of a string, unescaped; `None` for any other kind.
    #[must_use]
    #[inline]
    pub fn text(self, text: &[u8]) -> Option<Cow<'_, [u8]>> {
        let token = self.token(text);
        let inner = || token.get(1..token.len().saturating_sub(1)).unwrap_or_default();
        match self.kind() {
            Kind::String => Some(Cow::Borrowed(inner())),
            Kind::EscapedString => Some(super::unescape(inner())),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} at {:?}", self.kind(), self.span())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_gives_back_what_it_was_made_of() {
        for kind in KINDS.into_iter().take(10) {
            for (start, end) in
                [(0, 0), (0, 1), (3, 700), (Span::LONGEST - 2, Span::LONGEST - 1), (0, Span::LONGEST - 1)]
            {
                let node = Node::between(kind, start, end);
                assert_eq!((node.kind(), node.span()), (kind, Span::new(start, end)));
            }
        }
        assert_eq!(Node::default(), Node::ABSENT);
        assert!(!Node::ABSENT.is_present() && Node::ABSENT.is_absent_or_null());
    }
}
