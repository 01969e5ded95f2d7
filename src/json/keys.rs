//! Whether an object says the same key twice.

use std::borrow::Cow;
use std::collections::HashSet;

use super::node::Span;
use super::string::unescape;

/// Up to so many members are compared one by one; beyond, a randomly keyed set takes over, so that no choice of keys
/// costs more than linear time.
const PLAIN: usize = 32;

/// A key of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Between the quotes, escapes as they stand.
    pub span: Span,
    /// There is at least one escape.
    pub escaped: bool,
}

impl Key {
    /// What the key reads, in `text`.
    #[must_use]
    #[inline]
    pub fn name(self, text: &[u8]) -> Cow<'_, [u8]> {
        let raw = self.span.of(text);
        if self.escaped { unescape(raw) } else { Cow::Borrowed(raw) }
    }

    #[inline]
    fn reads_as(self, other: Self, text: &[u8]) -> bool {
        if self.escaped || other.escaped {
            self.name(text) == other.name(text)
        } else {
            self.span.len() == other.span.len() && self.span.of(text) == other.span.of(text)
        }
    }
}

/// The keys of the objects that are open, innermost last.
///
/// The first [`PLAIN`] of them cost no allocation, whatever the body's length.
#[derive(Debug)]
pub(super) struct KeyStack {
    held: usize,
    inline: [Key; PLAIN],
    spilled: Vec<Key>,
}

/// One open object's part of the stack.
#[derive(Debug, Default)]
pub(super) struct Frame {
    base: usize,
    set: Option<HashSet<Vec<u8>>>,
}

impl KeyStack {
    pub(super) const fn new() -> Self {
        let nothing = Key { span: Span { start: 0, end: 0 }, escaped: false };
        Self { held: 0, inline: [nothing; PLAIN], spilled: Vec::new() }
    }

    #[inline]
    pub(super) const fn open(&self) -> Frame {
        Frame { base: self.held, set: None }
    }

    #[inline]
    pub(super) fn close(&mut self, frame: &Frame) {
        self.held = frame.base;
        self.spilled.truncate(frame.base.saturating_sub(PLAIN));
    }

    /// Notes a key and tells whether the frame had it already.
    #[inline]
    pub(super) fn repeats(&mut self, frame: &mut Frame, key: Key, text: &[u8]) -> bool {
        if frame.set.is_some() || self.held - frame.base >= PLAIN {
            return self.repeats_in_set(frame, key, text);
        }
        let repeated = if self.held <= PLAIN {
            self.inline.get(frame.base..self.held).unwrap_or_default().iter().any(|held| held.reads_as(key, text))
        } else {
            (frame.base..self.held).any(|index| self.at(index).reads_as(key, text))
        };
        match self.inline.get_mut(self.held) {
            Some(place) => *place = key,
            None => self.spilled.push(key),
        }
        self.held += 1;
        repeated
    }

    fn at(&self, index: usize) -> Key {
        let held = if index < PLAIN { self.inline.get(index) } else { self.spilled.get(index - PLAIN) };
        held.copied().unwrap_or_default()
    }

    #[cold]
    fn repeats_in_set(&self, frame: &mut Frame, key: Key, text: &[u8]) -> bool {
        let set = frame.set.get_or_insert_with(|| {
            (frame.base..self.held).map(|index| self.at(index).name(text).into_owned()).collect()
        });
        !set.insert(key.name(text).into_owned())
    }
}
