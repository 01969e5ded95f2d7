//! Names that a reader of an object looks for: told from the text where a key begins, before the key is even scanned.

use super::word::word;

/// A name with the quote and the colon behind it: its first and its last eight bytes as words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    head: u64,
    mask: u64,
    /// Of use where there are more than eight.
    tail: u64,
    length: u32,
    letters: &'static [u8],
}

impl Name {
    /// From a plain name.
    #[allow(clippy::cast_possible_truncation)] // a name
    pub(crate) const fn new(name: &'static str) -> Self {
        let name = name.as_bytes();
        let (mut head, mut mask, mut tail, mut at) = (0, 0, 0, 0);
        let length = name.len() + 2;
        while at < length {
            let byte = if at < name.len() { name[at] } else { b"\":"[at - name.len()] } as u64;
            if at < 8 {
                head |= byte << (8 * at);
                mask |= 0xFF << (8 * at);
            }
            tail = tail >> 8 | byte << 56;
            at += 1;
        }
        Self { head, mask, tail, length: length as u32, letters: name }
    }

    /// The index after the colon, where this name stands at `at`; `head` is the word that stands there.
    #[inline]
    pub(crate) fn end(&self, head: u64, text: &[u8], at: u32) -> Option<u32> {
        if head & self.mask != self.head {
            return None;
        }
        let end = at + self.length;
        if self.length > 8 && word(text, end - 8) != Some(self.tail) {
            return None;
        }
        if self.length > 16 && !self.has_middle(text, at) {
            return None;
        }
        Some(end)
    }

    /// Whether the bytes between the first and the last eight are its own.
    #[inline]
    fn has_middle(&self, text: &[u8], at: u32) -> bool {
        let (start, end) = (at as usize + 8, (at + self.length - 8) as usize);
        text.get(start..end) == self.letters.get(8..self.length as usize - 8)
    }
}

/// The word with which a key begins whose first byte is at `at`.
#[inline]
pub(crate) fn head(text: &[u8], at: u32) -> Option<u64> {
    word(text, at)
}

/// `names! { enum Set { Variant = "name", } }`: an enum of names, with `Other` for any other.
///
/// `Set::at` and `Set::of` are for [`Cursor::named_member`](super::Cursor); names that come most often stand first.
macro_rules! names {
    ($(#[$doc:meta])* enum $set:ident { $($variant:ident = $name:expr,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        enum $set {
            $($variant,)+
            #[default]
            Other,
        }

        impl $set {
            /// The names, in the order of the variants.
            const ALL: &'static [&'static str] = &[$($name),+];

            /// A place for each, in that order, and one for any other.
            #[inline]
            const fn nothing() -> [$crate::json::Node; Self::ALL.len() + 1] {
                [$crate::json::Node::ABSENT; Self::ALL.len() + 1]
            }

            /// Which of them stands at `at`, the first byte inside a key, and the index after its colon.
            #[inline]
            fn at(text: &[u8], at: u32) -> Option<(Self, u32)> {
                let head = $crate::json::head(text, at)?;
                $({
                    const NAME: $crate::json::Name = $crate::json::Name::new($name);
                    if let Some(end) = NAME.end(head, text, at) {
                        return Some((Self::$variant, end));
                    }
                })+
                None
            }

            /// Which of them this is.
            fn of(name: &[u8]) -> Self {
                $(if name == $name.as_bytes() { return Self::$variant; })+
                Self::Other
            }
        }
    };
}
pub(crate) use names;

#[cfg(test)]
mod tests {
    names! {
        enum Set {
            Short = "id",
            Word = "method",
            Long = "arguments",
            Prefix = "argument",
        }
    }

    #[test]
    fn a_name_is_told_only_whole_and_with_its_colon() {
        let tail = "\":0,\"some more text\"";
        for (name, expected) in [
            ("id", Some(Set::Short)),
            ("method", Some(Set::Word)),
            ("arguments", Some(Set::Long)),
            ("argument", Some(Set::Prefix)),
            ("arguments2", None),
            ("argumentt", None),
            ("i", None),
            ("ID", None),
            ("", None),
        ] {
            let text = format!("{{\"{name}{tail}");
            let found = Set::at(text.as_bytes(), 2);
            #[allow(clippy::cast_possible_truncation)] // short
            let end = name.len() as u32 + 4;
            assert_eq!(found, expected.map(|set| (set, end)), "{name}");
            assert_eq!(Set::of(name.as_bytes()), expected.unwrap_or_default());
        }
        for text in ["{\"id\" :0            ", "{\"id\"", "{\"id\":0", "{\"arguments\"", "{\"\\u0069d\":0        "] {
            assert_eq!(Set::at(text.as_bytes(), 2), None, "{text}");
        }
        assert_eq!(Set::ALL, ["id", "method", "arguments", "argument"]);
        assert_eq!(Set::nothing().len(), Set::Other as usize + 1);
    }
}
