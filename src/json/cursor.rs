//! The cursor: front to back over the text, once.

use super::block::{ALL, LENGTH, block, lowest};
use super::fault::{Fault, FaultKind};
use super::keys::{Held, KeyStack};
use super::node::Span;
use super::word::byte;
use super::work::passed;

/// What a text may cost before it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Containers inside one another, 1 to [`Limits::DEEPEST`].
    pub max_depth: u32,
    /// Characters of one number token.
    pub max_number_chars: usize,
}

impl Limits {
    /// The largest `max_depth`: reading stays within any thread's stack.
    pub const DEEPEST: u32 = 1024;
    /// What the policies say where nobody says otherwise.
    pub const DEFAULT: Self = Self { max_depth: 128, max_number_chars: 4300 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A place in a text, to [go back](Cursor::go_back) to.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    at: u32,
    depth: u32,
    keys: Held,
}

/// A reader that moves over a JSON text once.
///
/// It checks the grammar as it goes and hands out [`Node`](super::Node)s; no tree is built. Objects that matter are
/// opened with [`Cursor::open_object`], and a key they say twice is noted in [`Cursor::saw_duplicate`]; everything else
/// is passed over with [`Cursor::value`].
#[derive(Debug)]
pub struct Cursor<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: u32,
    pub(super) depth: u32,
    pub(super) limits: Limits,
    pub(super) keys: KeyStack,
    pub(super) duplicate: bool,
    pub(super) folds_case: bool,
    pub(super) case_variant: bool,
    pub(super) fault: Option<Fault>,
    /// From here on what was passed is not yet counted.
    #[cfg(any(debug_assertions, fuzzing))]
    counted: u32,
}

#[cfg(any(debug_assertions, fuzzing))]
impl Drop for Cursor<'_> {
    fn drop(&mut self) {
        passed(self.at.saturating_sub(self.counted) as usize);
    }
}

pub(super) type Read<T> = Result<T, Fault>;

impl<'a> Cursor<'a> {
    /// A cursor at the first value of `text`; one leading byte order mark is passed over.
    ///
    /// # Errors
    ///
    /// `text` is not UTF-8, or longer than [`Span::LONGEST`].
    #[inline]
    pub fn new(text: &'a [u8], limits: Limits) -> Read<Self> {
        if text.len() >= Span::LONGEST {
            return Err(Fault::new(FaultKind::TooLong, 0));
        }
        passed(text.len());
        if simdutf8::basic::from_utf8(text).is_err() {
            return Err(Fault::new(FaultKind::NotUtf8, 0));
        }
        let start = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let mut cursor = Self::resume(text, start, 0, limits);
        cursor.space();
        Ok(cursor)
    }

    /// A cursor over a span of a text that a cursor has already read to its end.
    ///
    /// `depth` is how many containers the span stands in.
    #[must_use]
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // a text that a cursor took
    pub const fn resume(text: &'a [u8], at: usize, depth: u32, limits: Limits) -> Self {
        Self {
            text,
            at: at as u32,
            depth,
            limits,
            keys: KeyStack::new(),
            duplicate: false,
            folds_case: false,
            case_variant: false,
            fault: None,
            #[cfg(any(debug_assertions, fuzzing))]
            counted: at as u32,
        }
    }

    /// A cursor for a second look at a value that this one has passed, reading as this one does.
    #[must_use]
    pub const fn again(&self, span: Span) -> Self {
        let mut again = Self::resume(self.text, span.start as usize, 0, self.limits);
        again.folds_case = self.folds_case;
        again
    }

    /// The text that is read.
    #[must_use]
    #[inline]
    pub const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// How many containers are open.
    #[must_use]
    #[inline]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// The next byte's index.
    #[must_use]
    #[inline]
    pub const fn position(&self) -> usize {
        self.at as usize
    }

    /// Where the cursor stands.
    #[must_use]
    #[inline]
    pub const fn place(&self) -> Place {
        Place { at: self.at, depth: self.depth, keys: self.keys.held() }
    }

    /// Stands where it stood before, to read the same again.
    #[inline]
    pub fn go_back(&mut self, place: Place) {
        passed(self.at.saturating_sub(place.at) as usize);
        self.at = place.at;
        self.depth = place.depth;
        self.keys.go_back(place.keys, place.depth);
    }

    /// Whether an object opened with [`Cursor::open_object`] said a key twice; asking forgets it.
    #[must_use]
    #[inline]
    pub const fn saw_duplicate(&mut self) -> bool {
        std::mem::replace(&mut self.duplicate, false)
    }

    /// From here on, keys that differ only by case are noted in the objects whose keys are compared.
    pub const fn note_case_variants(&mut self) {
        self.folds_case = true;
    }

    /// Whether they are.
    pub(crate) const fn notes_case_variants(&self) -> bool {
        self.folds_case
    }

    /// Whether an object said keys that differ only by case; asking forgets it.
    #[must_use]
    #[inline]
    pub const fn saw_case_variant(&mut self) -> bool {
        std::mem::replace(&mut self.case_variant, false)
    }

    /// Notes the first fault. The text ends here then: every loop over it does, and whoever asks is told.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, kind: FaultKind, at: u32) {
        if self.fault.is_none() {
            // What is too deep, too long, or alone stands in the text; what is missing may stand behind it.
            let kind = if at as usize >= self.text.len() { FaultKind::Truncated } else { kind };
            self.fault = Some(Fault::new(kind, at));
        }
        self.text = b"";
    }

    /// `value`, unless the text broke the grammar before.
    #[inline]
    pub(crate) const fn told<T: Copy>(&self, value: T) -> Read<T> {
        match self.fault {
            None => Ok(value),
            Some(fault) => Err(fault),
        }
    }

    #[inline]
    pub(super) fn byte(&self) -> Option<u8> {
        byte(self.text, self.at)
    }

    #[inline]
    pub(super) fn space(&mut self) {
        if self.byte().is_some_and(|byte| byte <= b' ') {
            self.at = space_end(self.text, self.at);
        }
    }

    /// The first byte of the next value, after white space; `None` at the end of the text.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        self.space();
        self.byte()
    }

    /// The first byte of the value that the cursor stands at: at the beginning, behind a key, and at an element it does.
    #[inline]
    pub(crate) fn here(&self) -> Option<u8> {
        self.byte()
    }

    /// The index at which the next value begins.
    #[inline]
    pub fn next_start(&mut self) -> usize {
        self.space();
        self.position()
    }

    /// Nothing but white space may follow.
    ///
    /// # Errors
    ///
    /// Something does, or the text broke the grammar before.
    #[inline]
    pub fn end(&mut self) -> Read<()> {
        if self.peek().is_some() {
            self.fail(FaultKind::TrailingData, self.at);
        }
        self.told(())
    }

    #[inline]
    pub(super) fn descend(&mut self) {
        if self.depth >= self.limits.max_depth {
            self.fail(FaultKind::TooDeep, self.at);
        }
        self.depth += 1;
        self.at += 1;
    }
}

/// First index at or after `at` of a byte that is no white space, or the end of the text.
#[inline(never)]
pub(super) fn space_end(text: &[u8], mut at: u32) -> u32 {
    while let Some(block) = block(text, at) {
        let space = block.equal(b' ') | block.equal(b'\n') | block.equal(b'\r') | block.equal(b'\t');
        let length = lowest(!space & ALL);
        at += length;
        if length != LENGTH {
            return at;
        }
    }
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = byte(text, at) {
        at += 1;
    }
    at
}
