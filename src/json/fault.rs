//! Why a text is not JSON that we read.

use std::fmt;

/// What is wrong with a text; the words a sender reads are in [`Display`](fmt::Display).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The bytes are not UTF-8.
    NotUtf8,
    /// More containers inside one another than [`Limits::max_depth`](super::Limits).
    TooDeep,
    /// A number token longer than [`Limits::max_number_chars`](super::Limits).
    NumberTooLong,
    /// An escaped surrogate without its other half.
    LoneSurrogate,
    /// The text is longer than spans can name (4 GiB).
    TooLong,
    /// The text ends inside a value.
    Truncated,
    /// Something follows the one value.
    TrailingData,
    /// A value was expected here.
    NoValue,
    /// An object key was expected here.
    NoKey,
    /// A colon was expected here.
    NoColon,
    /// A comma or the end of the object or array was expected here.
    NoComma,
    /// A number is not spelt as JSON spells numbers.
    BadNumber,
    /// A backslash is followed by something that JSON does not know.
    BadEscape,
    /// A control character stands unescaped in a string.
    ControlCharacter,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotUtf8 => "body is not valid UTF-8",
            Self::TooDeep => "nesting too deep",
            Self::NumberTooLong => "number too long",
            Self::LoneSurrogate => "lone surrogate",
            Self::TooLong => "text too long",
            Self::Truncated => "unexpected end of text",
            Self::TrailingData => "data after the value",
            Self::NoValue => "expected a value",
            Self::NoKey => "expected an object key",
            Self::NoColon => "expected a colon",
            Self::NoComma => "expected a comma or an end",
            Self::BadNumber => "invalid number",
            Self::BadEscape => "invalid escape",
            Self::ControlCharacter => "control character in a string",
        })
    }
}

/// A fault on its way to the cursor: what is wrong, and the byte where.
pub(super) type Broken = (FaultKind, u32);

/// A fault and the byte where it was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Byte offset into the text; as small as spans', so that a result with a fault still fits two registers.
    pub at: u32,
}

impl Fault {
    /// A fault at a byte of a text that a cursor reads.
    #[must_use]
    #[cold]
    pub(super) const fn new(kind: FaultKind, at: u32) -> Self {
        Self { kind, at }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        match self.kind {
            FaultKind::NotUtf8
            | FaultKind::TooDeep
            | FaultKind::NumberTooLong
            | FaultKind::LoneSurrogate
            | FaultKind::TooLong => Ok(()),
            _ => write!(f, " at byte {}", self.at),
        }
    }
}

impl std::error::Error for Fault {}
