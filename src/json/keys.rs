//! Whether an object says the same key twice.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::num::NonZeroU64;

use super::key_set::KeySet;
use super::node::Span;
use super::unescape::{reads, unescape};
use super::word::pair;

/// Up to so many members are compared one by one; beyond, a randomly keyed set takes over, so that no choice of keys
/// costs more than linear time.
const PLAIN: usize = 32;

/// The same where one of them has an escape: such a key is read a character at a time by each comparison.
const ESCAPED: usize = 4;

/// Keys of all open objects that are held without an allocation: those of one object, and a few around it.
const INLINE: usize = 48;

/// A key of an object: where it stands and whether it holds an escape, in one word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key(NonZeroU64);

const START_BITS: u32 = 32;

impl Key {
    /// A key whose text between the quotes is `text[start..end]`; a quote stands before it, so it never starts at 0.
    #[inline]
    pub(super) fn new(start: u32, end: u32, escaped: bool) -> Self {
        let word = u64::from(start) | u64::from(end) << (START_BITS + 1) | u64::from(escaped) << START_BITS;
        Self(NonZeroU64::new(word).unwrap_or(NonZeroU64::MIN))
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
    /// Whether it reads as `name`.
    #[inline]
    pub(super) fn reads(self, name: &[u8], text: &[u8]) -> bool {
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
/// The first [`INLINE`] of them cost no allocation, whatever the body's length.
#[derive(Debug)]
pub(super) struct KeyStack {
    held: u32,
    /// Where those of the innermost object begin.
    base: u32,
    /// Two bits for each of these, by a cheap look at it: one that is not set says that a key is new.
    marks: u64,
    /// One of these has an escape.
    escaped: bool,
    keys: [Option<Key>; INLINE],
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

/// What honest bodies do not need.
#[derive(Debug, Default)]
struct Rare {
    /// Keys beyond the first [`INLINE`] on the stack.
    spilled: Vec<Key>,
    /// The keys of an object with more of them than are compared one by one, and where its frame begins.
    sets: Vec<(u32, KeySet)>,
    /// The names of an object under simple case folding, and its depth.
    folded: Vec<(u32, FoldedNames)>,
}

/// What an object leaves to go on with when it is closed: the part of the one around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    base: u32,
    marks: u64,
    escaped: bool,
}

/// How far the stack is filled, and with whose keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    held: u32,
    innermost: Around,
}

/// The bits of a name by its length and its last two bytes; equal names have equal bits.
#[inline]
const fn mark(last: u16, length: usize) -> u64 {
    let mixed = (last as u32).wrapping_mul(0x9E37_79B1) as usize;
    1 << ((mixed >> 26 ^ length) & 63) | 1 << ((mixed >> 20 ^ length) & 63)
}

/// The same for a key; of a name of one byte the quote before it counts, too.
#[inline]
fn mark_of(key: Key, text: &[u8]) -> u64 {
    if key.is_escaped() || key.span().is_empty() {
        return mark_of_rare(key, text);
    }
    mark(pair(text, key.span().end.wrapping_sub(2)).unwrap_or_default(), key.span().len())
}

#[cold]
fn mark_of_rare(key: Key, text: &[u8]) -> u64 {
    let name = key.name(text);
    let last = match *name {
        [.., first, last] => [first, last],
        [last] => [b'"', last],
        // Before the quote stands a brace, a comma, or white space.
        [] => [0, 0],
    };
    mark(u16::from_le_bytes(last), name.len())
}

impl KeyStack {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { held: 0, base: 0, marks: 0, escaped: false, keys: [None; INLINE], rare: None }
    }

    #[inline]
    const fn innermost(&self) -> Around {
        Around { base: self.base, marks: self.marks, escaped: self.escaped }
    }

    /// How far it is filled.
    #[inline]
    pub(super) const fn held(&self) -> Held {
        Held { held: self.held, innermost: self.innermost() }
    }

    /// Forgets what was said since, by an object at this depth and those inside it.
    #[inline]
    pub(super) fn go_back(&mut self, place: Held, depth: u32) {
        self.held = place.held;
        self.base = place.innermost.base;
        self.marks = place.innermost.marks;
        self.escaped = place.innermost.escaped;
        if let Some(rare) = &mut self.rare {
            rare.go_back(place.held, depth);
        }
    }

    /// An object begins.
    #[inline]
    pub(super) const fn open(&mut self) -> Around {
        let around = self.innermost();
        self.base = self.held;
        self.marks = 0;
        self.escaped = false;
        around
    }

    /// The innermost object, at this depth, ends.
    #[inline]
    pub(super) fn close(&mut self, around: Around, depth: u32) {
        if let Some(rare) = &mut self.rare {
            rare.close(self.base, depth);
        }
        self.held = self.base;
        self.base = around.base;
        self.marks = around.marks;
        self.escaped = around.escaped;
    }

    /// Notes a key and tells whether the innermost object had it already.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a call would cost a quarter of what it does
    pub(super) fn repeats(&mut self, key: Key, text: &[u8]) -> bool {
        let (base, held) = (self.base as usize, self.held as usize);
        self.escaped |= key.is_escaped();
        let most = self.most();
        let Some(place) = self.keys.get_mut(held).filter(|_| held - base < most) else {
            return self.repeats_beyond(key, text);
        };
        *place = Some(key);
        self.held += 1;
        let mark = mark_of(key, text);
        let is_new = self.marks & mark != mark;
        self.marks |= mark;
        !is_new && self.is_among(base, held, key, text)
    }

    /// So many keys of the innermost object are compared one by one.
    #[inline]
    const fn most(&self) -> usize {
        if self.escaped { ESCAPED } else { PLAIN }
    }

    /// Whether one of the keys so far reads the same.
    #[inline(never)]
    fn is_among(&self, base: usize, held: usize, key: Key, text: &[u8]) -> bool {
        let before = self.keys.get(base..held).unwrap_or_default();
        let name = key.name(text);
        let may_read = |had: &&Key| had.span().len() == name.len() || had.is_escaped();
        before.iter().flatten().filter(may_read).any(|had| had.reads(&name, text))
    }

    /// The same, once the stack has left its inline part.
    #[inline(never)]
    fn repeats_beyond(&mut self, key: Key, text: &[u8]) -> bool {
        let (base, held) = (self.base as usize, self.held as usize);
        let most = self.most();
        let rare = self.rare.get_or_insert_default();
        if let Some((of, set)) = rare.sets.last_mut()
            && *of == self.base
        {
            return set.repeats(key, text);
        }
        let had = self.keys.iter().flatten().chain(&rare.spilled).take(held).skip(base);
        if held - base >= most {
            let mut set = KeySet::of(had.copied(), text);
            let repeated = set.repeats(key, text);
            rare.sets.push((self.base, set));
            return repeated;
        }
        let name = key.name(text);
        let repeated = had.into_iter().any(|had| had.reads(&name, text));
        rare.spilled.push(key);
        self.held += 1;
        repeated
    }

    /// Names that the caller looks for in this object count as keys that may be varied.
    pub(super) fn fold_names(&mut self, depth: u32, names: &[&str]) {
        let folded = self.rare.get_or_insert_default().folded(depth);
        for name in names {
            folded.varies(Said::Sought(name.as_bytes().into()), &[]);
        }
    }

    /// Whether a key differs only by case from a key before it or from a name looked for.
    pub(super) fn varies_by_case(&mut self, depth: u32, key: Key, text: &[u8]) -> bool {
        self.rare.get_or_insert_default().folded(depth).varies(Said::Key(key), text)
    }
}

impl Rare {
    fn close(&mut self, base: u32, depth: u32) {
        self.spilled.truncate((base as usize).saturating_sub(INLINE));
        self.sets.pop_if(|(of, _)| *of == base);
        self.folded.pop_if(|(of, _)| *of == depth);
    }

    fn go_back(&mut self, held: u32, depth: u32) {
        self.spilled.truncate((held as usize).saturating_sub(INLINE));
        self.sets.retain(|(of, _)| *of < held);
        self.folded.retain(|(of, _)| *of <= depth);
    }

    /// The folded names of the innermost object.
    fn folded(&mut self, depth: u32) -> &mut FoldedNames {
        if self.folded.last().is_none_or(|(of, _)| *of != depth) {
            self.folded.push((depth, FoldedNames::default()));
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
