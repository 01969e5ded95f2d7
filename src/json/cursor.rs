//! The cursor: front to back over the text, once.

use super::block::{ALL, LENGTH, block, lowest};
use super::fault::{Fault, FaultKind};
use super::keys::{Around, Held, Key, KeyStack};
use super::node::Span;
use super::string::next_string_end;
use super::word::{byte, pair};
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

/// An object that is being read member by member.
#[derive(Debug)]
pub struct Members {
    begun: bool,
    /// Where the last key's quote stands.
    quote: u32,
    around: Around,
}

impl Members {
    /// The index of the quote that opens the key which was told last.
    #[inline]
    pub(crate) const fn quote(&self) -> u32 {
        self.quote
    }
}

/// An array that is being read element by element.
#[derive(Debug)]
pub struct Elements {
    begun: bool,
}

impl Elements {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { begun: false }
    }
}

/// A reader that moves over a JSON text once.
///
/// It checks the grammar as it goes and hands out [`Node`]s; no tree is built. Objects that matter are opened with
/// [`Cursor::open_object`], and a key they say twice is noted in [`Cursor::saw_duplicate`]; everything else is passed
/// over with [`Cursor::value`].
#[derive(Debug)]
pub struct Cursor<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: u32,
    pub(super) depth: u32,
    pub(super) limits: Limits,
    keys: KeyStack,
    duplicate: bool,
    folds_case: bool,
    case_variant: bool,
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
            let kind = match kind {
                FaultKind::TooDeep | FaultKind::NumberTooLong | FaultKind::LoneSurrogate => kind,
                _ if at as usize >= self.text.len() => FaultKind::Truncated,
                _ => kind,
            };
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

    /// Opens the object that stands here.
    ///
    /// # Errors
    ///
    /// No object stands here, or it is nested too deeply.
    #[inline]
    pub fn open_object(&mut self) -> Read<Members> {
        self.space();
        let members = self.enter_object();
        match self.fault {
            None => Ok(members),
            Some(fault) => Err(fault),
        }
    }

    /// The same, for a caller that asks for faults at the end only and stands at a value.
    #[inline]
    pub(crate) fn enter_object(&mut self) -> Members {
        if self.byte() == Some(b'{') {
            self.descend();
        } else {
            self.fail(FaultKind::NoValue, self.at);
        }
        Members { begun: false, quote: 0, around: self.keys.open() }
    }

    /// The same as [`Cursor::open_object`], for an object in which the caller looks for these names: a key that differs
    /// from one of them only by case counts as a case variant.
    ///
    /// # Errors
    ///
    /// As for [`Cursor::open_object`].
    #[inline]
    pub fn open_object_reading(&mut self, names: &[&str]) -> Read<Members> {
        self.space();
        let members = self.enter_object_reading(names);
        match self.fault {
            None => Ok(members),
            Some(fault) => Err(fault),
        }
    }

    /// The same, for a caller that asks for faults at the end only.
    #[inline]
    pub(crate) fn enter_object_reading(&mut self, names: &[&str]) -> Members {
        let members = self.enter_object();
        if self.folds_case {
            self.keys.fold_names(self.depth, names);
        }
        members
    }

    /// The next member's key; the cursor then stands at its value, which must be read before the next call.
    ///
    /// `None` closes the object.
    ///
    /// # Errors
    ///
    /// The text breaks the grammar.
    #[inline]
    pub fn next_member(&mut self, members: &mut Members) -> Read<Option<Key>> {
        let key = self.member(members);
        self.told(key)
    }

    /// The same, for a caller that asks for faults at the end only: a fault closes the object.
    #[inline]
    pub(crate) fn member(&mut self, members: &mut Members) -> Option<Key> {
        self.next_of_many(members)
    }

    /// The same, for a loop over objects that have no names to look for.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a call would cost a seventh of what it does
    pub(crate) fn next_of_many(&mut self, members: &mut Members) -> Option<Key> {
        let key = if self.at_key(members) { self.key(members.quote) } else { None };
        match key {
            Some(key) => self.compare(key),
            None => self.leave_object(members),
        }
        key
    }

    /// The same, as one of the names that the caller looks for, which is to notice itself when it meets one twice.
    ///
    /// `at` tells a name from the text where a key begins, and the index after its colon; `of` tells it from the name
    /// alone. The default stands for any other name.
    #[inline]
    pub(crate) fn named_member<N: Default + PartialEq>(
        &mut self,
        members: &mut Members,
        at: impl Fn(&[u8], u32) -> Option<(N, u32)>,
        of: impl Fn(&[u8]) -> N,
    ) -> Option<N> {
        if !self.at_key(members) {
            self.leave_object(members);
            return None;
        }
        if let Some((name, value)) = at(self.text, members.quote + 1)
            && !self.folds_case
        {
            self.at = value;
            self.space();
            return Some(name);
        }
        let name = self.other_member(members.quote, of);
        if name.is_none() {
            self.leave_object(members);
        }
        name
    }

    /// A member whose key is another, or is spelt so that a look did not tell.
    #[inline(never)]
    fn other_member<N: Default + PartialEq>(&mut self, quote: u32, of: impl Fn(&[u8]) -> N) -> Option<N> {
        let key = self.key(quote)?;
        let name = of(&key.name(self.text));
        if name == N::default() {
            self.compare(key);
        } else if self.folds_case {
            self.case_variant |= self.keys.varies_by_case(self.depth, key, self.text);
        }
        Some(name)
    }

    /// Notes whether the object said the key before.
    #[inline]
    fn compare(&mut self, key: Key) {
        self.duplicate |= self.keys.repeats(key, self.text);
        if self.folds_case {
            self.case_variant |= self.keys.varies_by_case(self.depth, key, self.text);
        }
    }

    /// The innermost object is closed, or broken.
    #[inline]
    fn leave_object(&mut self, members: &Members) {
        self.keys.close(members.around, self.depth + 1);
    }

    /// Passes over an object that says nothing, where one stands here as programs write it.
    #[inline]
    pub(crate) fn pass_empty_object(&mut self) -> bool {
        let is_empty =
            pair(self.text, self.at) == Some(u16::from_le_bytes(*b"{}")) && self.depth < self.limits.max_depth;
        self.at += if is_empty { 2 } else { 0 };
        is_empty
    }

    /// Notes that an object said a key twice.
    #[inline]
    pub(crate) const fn note_duplicate(&mut self, is_repeated: bool) {
        self.duplicate |= is_repeated;
    }

    /// The same for an object whose keys may repeat (nobody decides anything by them).
    ///
    /// # Errors
    ///
    /// The text breaks the grammar.
    #[inline]
    pub fn next_unchecked_member(&mut self, members: &mut Members) -> Read<Option<Key>> {
        let key = self.unchecked_member(members);
        self.told(key)
    }

    /// The same, for a caller that asks for faults at the end only.
    #[inline]
    pub(crate) fn unchecked_member(&mut self, members: &mut Members) -> Option<Key> {
        let key = if self.at_key(members) { self.key(members.quote) } else { None };
        if key.is_none() {
            self.leave_object(members);
        }
        key
    }

    /// Goes to the next key, whose quote the members then name; `false`: the object is closed, or broken.
    #[inline]
    fn at_key(&mut self, members: &mut Members) -> bool {
        // Without white space, as programs write it.
        let quote = self.at + u32::from(members.begun);
        let lead = if members.begun { b',' } else { b'{' };
        if pair(self.text, quote.wrapping_sub(1)) == Some(u16::from_le_bytes([lead, b'"'])) {
            members.begun = true;
            members.quote = quote;
            return true;
        }
        if self.byte() == Some(b'}') {
            self.at += 1;
            self.depth -= 1;
            return false;
        }
        let Some(quote) = self.spaced_quote(members.begun) else {
            return false;
        };
        *members = Members { begun: true, quote, ..*members };
        true
    }

    /// Where the quote of the next key stands, with white space before it.
    #[cold]
    #[inline(never)]
    fn spaced_quote(&mut self, begun: bool) -> Option<u32> {
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                self.depth -= 1;
                return None;
            }
            Some(b',') if begun => {
                self.at += 1;
                self.space();
            }
            _ if begun => {
                self.fail(FaultKind::NoComma, self.at);
                return None;
            }
            _ => {}
        }
        if self.byte() != Some(b'"') {
            self.fail(FaultKind::NoKey, self.at);
            return None;
        }
        Some(self.at)
    }

    /// The key whose quote stands at `quote`, and its colon.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a call would cost a third of what it does
    fn key(&mut self, quote: u32) -> Option<Key> {
        match next_string_end(self.text, quote + 1) {
            Ok((end, escaped)) => {
                match pair(self.text, end + 1) {
                    Some(pair) if pair & 0xFF == u16::from(b':') && pair >> 8 > u16::from(b' ') => self.at = end + 2,
                    _ => self.colon(end + 1)?,
                }
                Some(Key::new(quote + 1, end, escaped))
            }
            Err((kind, at)) => {
                self.fail(kind, at);
                None
            }
        }
    }

    /// A colon with white space around it, or none.
    #[cold]
    #[inline(never)]
    fn colon(&mut self, at: u32) -> Option<()> {
        self.at = space_end(self.text, at);
        if self.byte() != Some(b':') {
            self.fail(FaultKind::NoColon, self.at);
            return None;
        }
        self.at = space_end(self.text, self.at + 1);
        Some(())
    }

    /// Opens the array that stands here.
    ///
    /// # Errors
    ///
    /// No array stands here, or it is nested too deeply.
    #[inline]
    pub fn open_array(&mut self) -> Read<Elements> {
        if self.peek() == Some(b'[') {
            self.descend();
        } else {
            self.fail(FaultKind::NoValue, self.at);
        }
        match self.fault {
            None => Ok(Elements::new()),
            Some(fault) => Err(fault),
        }
    }

    /// Whether another element follows; the cursor then stands at it. `false` closes the array.
    ///
    /// # Errors
    ///
    /// The text breaks the grammar.
    #[inline]
    pub fn next_element(&mut self, elements: &mut Elements) -> Read<bool> {
        let another = self.element(elements);
        self.told(another)
    }

    /// The same, for a caller that asks for faults at the end only: a fault closes the array.
    #[inline]
    pub(crate) fn element(&mut self, elements: &mut Elements) -> bool {
        match self.peek() {
            Some(b']') => {
                self.at += 1;
                self.depth -= 1;
                false
            }
            Some(b',') if elements.begun => {
                self.at += 1;
                if self.peek() == Some(b']') {
                    self.fail(FaultKind::NoValue, self.at);
                }
                true
            }
            _ if elements.begun => {
                self.fail(FaultKind::NoComma, self.at);
                false
            }
            None => {
                self.fail(FaultKind::NoValue, self.at);
                false
            }
            _ => {
                elements.begun = true;
                true
            }
        }
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
