//! The keys of an object with many members.
//!
//! Open addressing over slots of one word: half a hash and the place of a key. The hash is fast and keyed by the
//! process's own randomness; should anybody find keys that meet in it all the same, a set of the standard library's
//! hash takes over after a bounded search, so the time stays linear whatever the keys are.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use super::keys::Key;
use super::word::word;

/// Slots that are looked at for one key before the hash counts as attacked. Half of them are empty at least, so honest
/// keys need a few.
const LONGEST_SEARCH: usize = 256;

/// The keys so far, each once.
#[derive(Debug)]
pub(super) struct KeySet {
    secret: Secret,
    /// The upper half is the hash, the lower the place in `keys` plus one; 0 is empty. A power of two, half full at most.
    slots: Vec<u64>,
    keys: Vec<Key>,
    attacked: Option<HashMap<Vec<u8>, Key>>,
}

/// What this process hashes with.
#[derive(Clone, Copy, Debug)]
struct Secret {
    start: u64,
    factor: u64,
}

impl Secret {
    fn get() -> Self {
        static SECRET: OnceLock<Secret> = OnceLock::new();
        *SECRET.get_or_init(|| {
            let state = RandomState::new();
            Self { start: state.hash_one(0), factor: state.hash_one(1) | 1 }
        })
    }
}

/// The two halves of a product, mixed.
#[inline]
#[allow(clippy::cast_possible_truncation)] // the halves
const fn fold(one: u64, other: u64) -> u64 {
    let product = one as u128 * other as u128;
    product as u64 ^ (product >> 64) as u64
}

/// The first `length` bytes of a word, 1 to 8.
#[inline]
const fn first_bytes(word: u64, length: usize) -> u64 {
    word & (u64::MAX >> (64 - 8 * length))
}

impl KeySet {
    /// With these keys in it, of which none repeats another.
    pub(super) fn of(keys: impl Iterator<Item = Key>, text: &[u8]) -> Self {
        let mut set =
            Self { secret: Secret::get(), slots: vec![0; 256], keys: Vec::with_capacity(128), attacked: None };
        for key in keys {
            set.repeats(key, text);
        }
        set
    }

    /// Notes a key and tells whether one that stands elsewhere reads the same.
    #[inline]
    pub(super) fn repeats(&mut self, key: Key, text: &[u8]) -> bool {
        if self.attacked.is_some() {
            return self.repeats_attacked(key, text);
        }
        let hash = self.hash(key, text);
        let mask = self.slots.len() - 1;
        let tag = hash & !u64::from(u32::MAX);
        #[allow(clippy::cast_possible_truncation)]
        // the bits that the tag has too, so that a larger table needs no text
        let mut place = (hash >> 32) as usize & mask;
        for _ in 0..LONGEST_SEARCH {
            let Some(slot) = self.slots.get_mut(place) else { break };
            if *slot == 0 {
                self.keys.push(key);
                *slot = tag | self.keys.len() as u64;
                if self.keys.len() > self.slots.len() / 2 {
                    self.grow();
                }
                return false;
            }
            if *slot & !u64::from(u32::MAX) == tag {
                #[allow(clippy::cast_possible_truncation)] // the lower half
                let had = self.keys.get((*slot as u32 as usize).wrapping_sub(1));
                if let Some(had) = had.filter(|had| had.reads(&key.name(text), text)) {
                    return *had != key;
                }
            }
            place = (place + 1) & mask;
        }
        self.repeats_attacked(key, text)
    }

    #[inline]
    fn hash(&self, key: Key, text: &[u8]) -> u64 {
        let Secret { start, factor } = self.secret;
        let span = key.span();
        let short = span.len().wrapping_sub(1) < 8 && !key.is_escaped();
        match word(text, span.start) {
            Some(word) if short => fold(first_bytes(word, span.len()) ^ start, factor ^ span.len() as u64),
            _ => self.long_hash(&key.name(text)),
        }
    }

    /// The same for a name of any length; equal names have equal hashes, however they are spelt.
    #[inline(never)]
    fn long_hash(&self, name: &[u8]) -> u64 {
        let mut hash = self.secret.start;
        let factor = self.secret.factor ^ name.len() as u64;
        for chunk in name.chunks(8) {
            let mut bytes = [0; 8];
            bytes.iter_mut().zip(chunk).for_each(|(into, from)| *into = *from);
            hash = fold(u64::from_le_bytes(bytes) ^ hash, factor);
        }
        hash
    }

    #[cold]
    fn grow(&mut self) {
        let mut slots = vec![0_u64; self.slots.len() * 4];
        let mask = slots.len() - 1;
        for slot in self.slots.iter().filter(|slot| **slot != 0) {
            #[allow(clippy::cast_possible_truncation)] // as in `repeats`
            let mut place = (*slot >> 32) as usize & mask;
            while slots.get(place).is_some_and(|taken| *taken != 0) {
                place = (place + 1) & mask;
            }
            if let Some(into) = slots.get_mut(place) {
                *into = *slot;
            }
        }
        self.slots = slots;
    }

    #[cold]
    fn repeats_attacked(&mut self, key: Key, text: &[u8]) -> bool {
        let keys = &self.keys;
        let with_name = |key: &Key| (key.name(text).into_owned(), *key);
        let names = self.attacked.get_or_insert_with(|| keys.iter().map(with_name).collect());
        *names.entry(key.name(text).into_owned()).or_insert(key) != key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of a text in which these names stand twice, one after the other.
    fn twice(names: &[String]) -> (Vec<u8>, Vec<Key>, Vec<Key>) {
        let (text, mut first) = keys(&[names, names].concat());
        let second = first.split_off(names.len());
        (text, first, second)
    }

    /// The keys of a text made of these names.
    fn keys(names: &[String]) -> (Vec<u8>, Vec<Key>) {
        let mut text = b"{".to_vec();
        let mut keys = Vec::new();
        for name in names {
            text.push(b'"');
            let start = u32::try_from(text.len()).unwrap();
            text.extend_from_slice(name.as_bytes());
            keys.push(Key::new(start, u32::try_from(text.len()).unwrap(), name.contains('\\')));
            text.extend_from_slice(b"\":0,");
        }
        (text, keys)
    }

    #[test]
    fn each_key_is_new_once_and_then_known() {
        let names: Vec<String> = (0..5000)
            .map(|index| match index % 4 {
                0 => format!("k{index}"),
                1 => format!("a longer name of number {index}"),
                2 => format!("{index}"),
                _ => format!("\\u00e9{index}"),
            })
            .collect();
        let (text, first, second) = twice(&names);
        let mut set = KeySet::of(std::iter::empty(), &text);
        for key in first.iter().chain(&first) {
            assert!(!set.repeats(*key, &text), "no key repeats itself");
        }
        for key in &second {
            assert!(set.repeats(*key, &text));
        }
        assert!(set.attacked.is_none());
    }

    #[test]
    fn the_empty_name_and_spellings_of_one_name_are_told_apart_from_others() {
        let names = ["", "a", "\\u0061", "ab", "eight by", "eight byt", "\\u0065ight byt", "é", "\\u00e9"];
        let (text, all) = keys(&names.map(String::from));
        let mut set = KeySet::of(std::iter::empty(), &text);
        let found: Vec<bool> = all.iter().map(|key| set.repeats(*key, &text)).collect();
        assert_eq!(found, [false, false, true, false, false, false, true, false, true]);
    }

    #[test]
    fn keys_that_meet_in_the_hash_are_still_told_apart() {
        let names: Vec<String> = (0..300).map(|index| format!("k{index}")).collect();
        let (text, first, second) = twice(&names);
        let mut set = KeySet::of(std::iter::empty(), &text);
        // A table in which every search goes the whole way.
        for (place, slot) in set.slots.iter_mut().enumerate() {
            *slot = u64::from(u32::MAX) - place as u64;
        }
        for key in first.iter().chain(&first) {
            assert!(!set.repeats(*key, &text));
        }
        for key in &second {
            assert!(set.repeats(*key, &text));
        }
        assert!(set.attacked.is_some());
    }
}
