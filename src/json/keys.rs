//! Whether an object says the same key twice.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::BuildHasher as _;
use std::num::NonZeroU64;

use super::node::Span;
use super::string::{reads, unescape};

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
    pub(super) const fn new(start: u32, end: u32, escaped: bool) -> Self {
        let word = start as u64 | (end as u64) << (START_BITS + 1) | (escaped as u64) << START_BITS;
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
        Span { start: self.0.get() as u32, end: (self.0.get() >> (START_BITS + 1)) as u32 }
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

impl Key {
    #[inline]
    fn reads(self, name: &[u8], text: &[u8]) -> bool {
        let raw = self.span().of(text);
        if self.is_escaped() { reads(raw, name) } else { raw == name }
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Key at {:?}", self.span())
    }
}

/// The keys of the objects that are open, innermost last.
///
/// The first [`PLAIN`] of them cost no allocation, whatever the body's length.
#[derive(Debug)]
pub(super) struct KeyStack {
    held: u32,
    keys: [Option<Key>; PLAIN],
    rare: Option<Box<Rare>>,
}

/// The names of one object under randomly keyed hashes of what they fold to: no name of the text is copied.
#[derive(Debug, Default)]
struct FoldedNames {
    said: HashMap<u64, Said>,
    random: RandomState,
}

#[derive(Debug)]
enum Said {
    Key(Key),
    /// A name that the caller looks for.
    Sought(Box<[u8]>),
}

impl Said {
    fn name<'t>(&'t self, text: &'t [u8]) -> Cow<'t, [u8]> {
        match self {
            Self::Key(key) => key.name(text),
            Self::Sought(name) => Cow::Borrowed(name),
        }
    }
}

impl FoldedNames {
    /// Notes a name and tells whether one before it differs from it only by case.
    fn varies(&mut self, said: Said, text: &[u8]) -> bool {
        let name = said.name(text);
        let folded = fold(&name);
        let mut hash = self.random.hash_one(&folded);
        loop {
            match self.said.get(&hash).map(|held| held.name(text)) {
                None => break,
                Some(held) if held == name => return false,
                Some(held) if fold(&held) == folded => return true,
                // Two names of one hash, which nobody can aim at: the next place.
                Some(_) => hash = hash.wrapping_add(1),
            }
        }
        drop(name);
        self.said.insert(hash, said);
        false
    }
}

/// The keys of one object under randomly keyed hashes of their names: no name is copied.
#[derive(Debug, Default)]
struct Names {
    keys: HashMap<u64, Key>,
    random: RandomState,
}

impl Names {
    /// Notes a key and tells whether one before it reads the same.
    fn repeats(&mut self, key: Key, text: &[u8]) -> bool {
        let name = key.name(text);
        let mut hash = self.random.hash_one(&name);
        loop {
            match self.keys.entry(hash) {
                Entry::Vacant(place) => {
                    place.insert(key);
                    return false;
                }
                Entry::Occupied(held) if held.get().reads(&name, text) => return true,
                // Two names of one hash, which nobody can aim at: the next place.
                Entry::Occupied(_) => hash = hash.wrapping_add(1),
            }
        }
    }
}

/// What honest bodies do not need.
#[derive(Debug, Default)]
struct Rare {
    /// Keys beyond the first [`PLAIN`] on the stack.
    spilled: Vec<Key>,
    /// The names of an object with more than [`PLAIN`] members, and where its frame begins.
    sets: Vec<(u32, Names)>,
    /// The names of an object under simple case folding, and its depth.
    folded: Vec<(u32, FoldedNames)>,
}

/// One open object's part of the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    base: u32,
    depth: u32,
    /// A bit for each key so far, by a cheap look at it: a bit that is not set says that the key is new.
    marks: u64,
}

/// The bit of a name; equal names have equal bits.
#[inline]
fn mark(name: &[u8]) -> u64 {
    let (first, last) = (name.first().copied().unwrap_or_default(), name.last().copied().unwrap_or_default());
    let mixed =
        u32::from(first).wrapping_mul(7) ^ u32::from(last).wrapping_mul(13) ^ u32::from(last ^ first).rotate_left(3);
    1 << (mixed & 63)
}

impl KeyStack {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { held: 0, keys: [None; PLAIN], rare: None }
    }

    #[inline]
    pub(super) const fn open(&self, depth: u32) -> Frame {
        Frame { base: self.held, depth, marks: 0 }
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
    pub(super) fn repeats(&mut self, frame: &mut Frame, key: Key, text: &[u8]) -> bool {
        let held = self.held as usize;
        let Some(place) = self.keys.get_mut(held) else {
            return self.repeats_beyond(*frame, key, text);
        };
        *place = Some(key);
        self.held += 1;
        let marked = if key.is_escaped() { mark(&key.name(text)) } else { mark(key.span().of(text)) };
        let is_new = frame.marks & marked == 0;
        frame.marks |= marked;
        !is_new && self.is_among(frame.base as usize, held, key, text)
    }

    /// Whether one of the keys so far reads the same.
    #[inline(never)]
    fn is_among(&self, base: usize, held: usize, key: Key, text: &[u8]) -> bool {
        let before = self.keys.get(base..held).unwrap_or_default();
        let name = key.name(text);
        before.iter().flatten().any(|had| had.reads(&name, text))
    }

    /// The same, once the stack has left its inline part.
    #[cold]
    fn repeats_beyond(&mut self, frame: Frame, key: Key, text: &[u8]) -> bool {
        let (base, held) = (frame.base as usize, self.held as usize);
        let rare = self.rare.get_or_insert_default();
        let had = self.keys.iter().flatten().chain(&rare.spilled).take(held).skip(base);
        if held - base >= PLAIN {
            if rare.sets.last().is_none_or(|(of, _)| *of != frame.base) {
                let mut names = Names::default();
                for had in had {
                    names.repeats(*had, text);
                }
                rare.sets.push((frame.base, names));
            }
            return rare.sets.last_mut().is_some_and(|(_, names)| names.repeats(key, text));
        }
        let name = key.name(text);
        let repeated = had.into_iter().any(|had| had.reads(&name, text));
        rare.spilled.push(key);
        self.held += 1;
        repeated
    }

    /// Names that the caller looks for in this object count as keys that may be varied.
    pub(super) fn fold_names(&mut self, frame: Frame, names: &[&str]) {
        let folded = self.rare.get_or_insert_default().folded(frame);
        for name in names {
            folded.varies(Said::Sought(name.as_bytes().into()), &[]);
        }
    }

    /// Whether a key differs only by case from a key before it or from a name looked for.
    pub(super) fn varies_by_case(&mut self, frame: Frame, key: Key, text: &[u8]) -> bool {
        self.rare.get_or_insert_default().folded(frame).varies(Said::Key(key), text)
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
            self.folded.push((frame.depth, FoldedNames::default()));
        }
        let last = self.folded.len() - 1;
        &mut self.folded[last].1
    }
}

/// The text under Unicode simple case folding.
fn fold(name: &[u8]) -> Vec<u8> {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let folded = |character| {
        unicode_case_mapping::case_folded(character)
            .and_then(|folded| char::from_u32(folded.get()))
            .unwrap_or(character)
    };
    String::from_utf8_lossy(name).chars().map(folded).collect::<String>().into_bytes()
}
