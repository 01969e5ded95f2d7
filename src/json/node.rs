//! Where a value stands in the text, and what kind of value it is.

/// A part of the text, as byte offsets; `end` is the first byte after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// First byte after the last.
    pub end: u32,
}

impl Span {
    /// A span of `text[start..end]`; both lie within 4 GiB, which [`Cursor::new`](super::Cursor::new) has checked.
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

/// One value of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where its token stands, quotes and brackets included.
    pub span: Span,
}

impl Node {
    /// The member was not there.
    pub const ABSENT: Self = Self { kind: Kind::Absent, span: Span { start: 0, end: 0 } };

    /// The member was there, with whatever value.
    #[must_use]
    #[inline]
    pub const fn is_present(self) -> bool {
        !matches!(self.kind, Kind::Absent)
    }

    /// Not there, or `null`.
    #[must_use]
    #[inline]
    pub const fn is_absent_or_null(self) -> bool {
        matches!(self.kind, Kind::Absent | Kind::Null)
    }

    /// A string, with escapes or without.
    #[must_use]
    #[inline]
    pub const fn is_string(self) -> bool {
        matches!(self.kind, Kind::String | Kind::EscapedString)
    }

    /// An object.
    #[must_use]
    #[inline]
    pub const fn is_object(self) -> bool {
        matches!(self.kind, Kind::Object)
    }

    /// The token in `text`.
    #[must_use]
    #[inline]
    pub fn token(self, text: &[u8]) -> &[u8] {
        self.span.of(text)
    }

    /// The text of a string, unescaped; `None` for any other kind.
    #[must_use]
    #[inline]
    pub fn text(self, text: &[u8]) -> Option<std::borrow::Cow<'_, [u8]>> {
        let token = self.token(text);
        let inner = token.get(1..token.len().saturating_sub(1)).unwrap_or_default();
        match self.kind {
            Kind::String => Some(std::borrow::Cow::Borrowed(inner)),
            Kind::EscapedString => Some(super::unescape(inner)),
            _ => None,
        }
    }
}
