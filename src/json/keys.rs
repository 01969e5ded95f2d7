//! Whether an object says the same key twice.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::num::NonZeroU64;

use super::node::Span;
use super::string::unescape;

/// Up to so many members are compared one by one; beyond, a randomly keyed set takes over, so that no choice of keys
/// costs more than linear time.
const PLAIN: usize = 32;

/// A key of an object: where it stands and whether it holds an escape, in one word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key(NonZeroU64);

const START_BITS: u32 = 32;

impl Key {
    /// A key whose text between the quotes is `text[start..end]`; a quote stands before it, so it never starts at 0.
    #[inline]
    pub(super) const fn new(start: usize, end: usize, escaped: bool) -> Self {
        let word = start as u64 | ((end - start) as u64) << (START_BITS + 1) | (escaped as u64) << START_BITS;
        match NonZeroU64::new(word) {
            Some(word) => Self(word),
            None => Self(NonZeroU64::MIN),
        }
    }

    /// Between the quotes, escapes as they stand.
    #[must_use]
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // the lower half is the start
    pub const fn span(self) -> Span {
        let start = self.0.get() as u32;
        Span { start, end: start + (self.0.get() >> (START_BITS + 1)) as u32 }
    }

    /// There is at least one escape.
    #[must_use]
    #[inline]
    pub const fn is_escaped(self) -> bool {
        self.0.get() >> START_BITS & 1 == 1
    }

    /// What the key reads, in `text`.
    #[must_use]
    #[inline]
    pub fn name(self, text: &[u8]) -> Cow<'_, [u8]> {
        let raw = self.span().of(text);
        if self.is_escaped() { unescape(raw) } else { Cow::Borrowed(raw) }
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Key at {:?}", self.span())
    }
}

/// What a key reads, boiled down to a word: names that differ nearly always differ here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Print(u64);

impl Print {
    /// Of the name at `span`: its first and last eight bytes and its length.
    #[inline]
    fn of(span: Span, text: &[u8]) -> Self {
        let (start, end, length) = (span.start as usize, span.end as usize, span.len());
        let word =
            |at: usize| text.get(at..).and_then(<[u8]>::first_chunk::<8>).map(|bytes| u64::from_le_bytes(*bytes));
        if length >= 8 {
            let (first, last) = (word(start).unwrap_or_default(), word(end - 8).unwrap_or_default());
            return Self(first ^ last.rotate_left(29) ^ ((length as u64) << 52));
        }
        // The text goes on after a key, so the word is there, but for the last bytes of a broken text.
        match word(start) {
            Some(first) => Self((first & ((1 << (8 * length)) - 1)) | (length as u64) << 56),
            None => Self::of_name(span.of(text)),
        }
    }

    /// The same of a name that stands elsewhere.
    #[cold]
    fn of_name(name: &[u8]) -> Self {
        let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
        if name.len() >= 8 {
            let (first, last) = (word(name.first_chunk()), word(name.last_chunk()));
            return Self(first ^ last.rotate_left(29) ^ ((name.len() as u64) << 52));
        }
        let first = name.iter().rev().fold(0, |packed, byte| packed << 8 | u64::from(*byte));
        Self(first | (name.len() as u64) << 56)
    }
}

/// The keys of the objects that are open, innermost last.
///
/// The first [`PLAIN`] of them cost no allocation, whatever the body's length.
#[derive(Debug)]
pub(super) struct KeyStack {
    held: u32,
    prints: [Print; PLAIN],
    keys: [Option<Key>; PLAIN],
    rare: Option<Box<Rare>>,
}

/// From folded name to the name as it was said.
type FoldedNames = HashMap<Vec<u8>, Vec<u8>>;

/// What honest bodies do not need.
#[derive(Debug, Default)]
struct Rare {
    /// Keys beyond the first [`PLAIN`] on the stack.
    spilled: Vec<(Print, Key)>,
    /// The names of an object with more than [`PLAIN`] members, and where its frame begins.
    sets: Vec<(u32, HashSet<Vec<u8>>)>,
    /// The names of an object under simple case folding, and its depth.
    folded: Vec<(u32, FoldedNames)>,
}

/// One open object's part of the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    base: u32,
    depth: u32,
}

impl KeyStack {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { held: 0, prints: [Print(0); PLAIN], keys: [None; PLAIN], rare: None }
    }

    #[inline]
    pub(super) const fn open(&self, depth: u32) -> Frame {
        Frame { base: self.held, depth }
    }

    #[inline]
    pub(super) fn close(&mut self, frame: Frame) {
        self.held = frame.base;
        if let Some(rare) = &mut self.rare {
            rare.close(frame);
        }
    }

    /// Notes a key and tells whether the frame had it already.
    #[inline]
    pub(super) fn repeats(&mut self, frame: Frame, key: Key, text: &[u8]) -> bool {
        let print = if key.is_escaped() { Print::of_name(&key.name(text)) } else { Print::of(key.span(), text) };
        let (base, held) = (frame.base as usize, self.held as usize);
        let (Some(had), Some(at)) = (self.prints.get_mut(held), self.keys.get_mut(held)) else {
            return self.repeats_beyond(frame, key, print, text);
        };
        (*had, *at) = (print, Some(key));
        self.held += 1;
        let before = self.prints.get(base..held).unwrap_or_default();
        let mut seen = false;
        for had in before {
            seen |= *had == print;
        }
        seen && self.reads_twice(base, held, key, text)
    }

    /// Whether a key with the same print reads the same.
    #[cold]
    fn reads_twice(&self, base: usize, held: usize, key: Key, text: &[u8]) -> bool {
        let before = self.keys.get(base..held).unwrap_or_default();
        before.iter().flatten().any(|had| had.name(text) == key.name(text))
    }

    /// The same, once the stack has left its inline part.
    #[cold]
    fn repeats_beyond(&mut self, frame: Frame, key: Key, print: Print, text: &[u8]) -> bool {
        let name = key.name(text);
        let (base, held) = (frame.base as usize, self.held as usize);
        let inline = self.prints.iter().zip(&self.keys).filter_map(|(print, key)| Some((*print, (*key)?)));
        let rare = self.rare.get_or_insert_default();
        let had = inline.chain(rare.spilled.iter().copied()).take(held).skip(base);
        if held - base >= PLAIN {
            if rare.sets.last().is_none_or(|(of, _)| *of != frame.base) {
                let names = had.map(|(_, key)| key.name(text).into_owned()).collect();
                rare.sets.push((frame.base, names));
            }
            return rare.sets.last_mut().is_some_and(|(_, names)| !names.insert(name.into_owned()));
        }
        let repeated = had.into_iter().any(|(seen, key)| seen == print && key.name(text) == name);
        rare.spilled.push((print, key));
        self.held += 1;
        repeated
    }

    /// Names that the caller looks for in this object count as keys that may be varied.
    pub(super) fn fold_names(&mut self, frame: Frame, names: &[&str]) {
        let folded = self.rare.get_or_insert_default().folded(frame);
        folded.extend(names.iter().map(|name| (fold(name.as_bytes()), name.as_bytes().to_vec())));
    }

    /// Whether a key differs only by case from a key before it or from a name looked for.
    pub(super) fn varies_by_case(&mut self, frame: Frame, key: Key, text: &[u8]) -> bool {
        let name = key.name(text).into_owned();
        match self.rare.get_or_insert_default().folded(frame).entry(fold(&name)) {
            Entry::Occupied(held) => *held.get() != name,
            Entry::Vacant(place) => {
                place.insert(name);
                false
            }
        }
    }
}

impl Rare {
    fn close(&mut self, frame: Frame) {
        self.spilled.truncate((frame.base as usize).saturating_sub(PLAIN));
        self.sets.pop_if(|(of, _)| *of == frame.base);
        self.folded.pop_if(|(depth, _)| *depth == frame.depth);
    }

    /// The folded names of the innermost object.
    fn folded(&mut self, frame: Frame) -> &mut FoldedNames {
        if self.folded.last().is_none_or(|(depth, _)| *depth != frame.depth) {
            self.folded.push((frame.depth, HashMap::new()));
        }
        let last = self.folded.len() - 1;
        &mut self.folded[last].1
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
