//! Whether an object says the same key twice.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

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
    folded: Option<HashMap<Vec<u8>, Vec<u8>>>,
}

impl Frame {
    /// Names that the caller looks for in this object count as keys that may be varied.
    pub(super) fn fold_names(&mut self, names: &[&str]) {
        let folded = self.folded.get_or_insert_default();
        folded.extend(names.iter().map(|name| (fold(name.as_bytes()), name.as_bytes().to_vec())));
    }

    /// Whether a key differs only by case from a key before it or from a name looked for.
    pub(super) fn varies_by_case(&mut self, key: Key, text: &[u8]) -> bool {
        let name = key.name(text).into_owned();
        match self.folded.get_or_insert_default().entry(fold(&name)) {
            std::collections::hash_map::Entry::Occupied(held) => *held.get() != name,
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(name);
                false
            }
        }
    }
}

/// The text under Unicode simple case folding.
fn fold(name: &[u8]) -> Vec<u8> {
    let folded = |character| {
        unicode_case_mapping::case_folded(character)
            .and_then(|folded| char::from_u32(folded.get()))
            .unwrap_or(character)
    };
    String::from_utf8_lossy(name).chars().map(folded).collect::<String>().into_bytes()
}

impl KeyStack {
    pub(super) const fn new() -> Self {
        let nothing = Key { span: Span { start: 0, end: 0 }, escaped: false };
        Self { held: 0, inline: [nothing; PLAIN], spilled: Vec::new() }
    }

    #[inline]
    pub(super) const fn open(&self) -> Frame {
        Frame { base: self.held, set: None, folded: None }
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
