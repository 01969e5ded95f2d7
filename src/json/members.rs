//! Objects, member by member.

use super::cursor::{Cursor, Read, space_end};
use super::fault::FaultKind;
use super::keys::{Around, Key};
use super::string::next_string_end;
use super::word::pair;

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

impl Cursor<'_> {
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
    /// alone. The default stands for any other name. Where case variants are noted, the object was opened with these
    /// names: none of them varies then, and what varies is another name.
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
        if let Some((name, value)) = at(self.text, members.quote + 1) {
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
}
