//! Passing over values that nobody reads.

use super::cursor::{Cursor, Read, space_end};
use super::elements::Elements;
use super::fault::{Broken, FaultKind};
use super::node::{Kind, Node};
use super::number::{number_end, short_integer_end};
use super::numbers::numbers_end;
use super::string::next_string_end;
use super::word::{byte, pair};

impl Cursor<'_> {
    /// Passes over the value that stands here, whatever it is.
    ///
    /// # Errors
    ///
    /// The text breaks the grammar or a limit.
    #[inline]
    pub fn value(&mut self) -> Read<Node> {
        self.space();
        let node = self.pass();
        self.told(node)
    }

    /// The same, for a caller that asks for faults at the end only and stands at a value: what is broken is absent.
    #[inline]
    pub(crate) fn pass(&mut self) -> Node {
        let start = self.at;
        match byte(self.text, start) {
            Some(b'"') => match next_string_end(self.text, start + 1) {
                Ok((end, escaped)) => {
                    self.at = end + 1;
                    let kind = if escaped { Kind::EscapedString } else { Kind::String };
                    Node::between(kind, start as usize, self.position())
                }
                Err((kind, at)) => {
                    self.fail(kind, at);
                    Node::ABSENT
                }
            },
            _ => self.pass_other(),
        }
    }

    /// A value that is no string.
    #[inline(never)]
    fn pass_other(&mut self) -> Node {
        let start = self.position();
        let kind = match self.byte() {
            Some(b'{') => {
                self.pass_container();
                Kind::Object
            }
            Some(b'[') => {
                self.pass_container();
                Kind::Array
            }
            _ => self.bare(),
        };
        Node::between(kind, start, self.position())
    }

    /// Passes over a value in which every object's keys are checked, however deep it stands.
    ///
    /// # Errors
    ///
    /// The text breaks the grammar or a limit.
    pub fn checked_value(&mut self) -> Read<Node> {
        self.space();
        let node = self.pass_checked();
        self.told(node)
    }

    /// The same, for a caller that asks for faults at the end only and stands at a value.
    #[inline]
    pub(crate) fn pass_checked(&mut self) -> Node {
        match self.byte() {
            Some(b'{' | b'[') => self.pass_checked_container(),
            _ => self.pass(),
        }
    }

    fn pass_checked_container(&mut self) -> Node {
        let start = self.position();
        if self.byte() == Some(b'{') {
            let mut members = self.enter_object();
            while self.next_of_many(&mut members).is_some() {
                self.pass_checked();
            }
            return Node::between(Kind::Object, start, self.position());
        }
        self.descend();
        let mut elements = Elements::new();
        while self.element(&mut elements) {
            self.pass_checked();
        }
        Node::between(Kind::Array, start, self.position())
    }

    /// A number or a word.
    #[inline]
    fn bare(&mut self) -> Kind {
        let end = match self.byte() {
            Some(b'-' | b'0'..=b'9') => number_end(self.text, self.at, self.max_number()),
            _ => word_end(self.text, self.at),
        };
        match end {
            Ok((end, kind)) => {
                self.at = end;
                kind
            }
            Err((kind, at)) => {
                self.fail(kind, at);
                Kind::Absent
            }
        }
    }

    #[allow(clippy::cast_possible_truncation)] // a longer number does not fit into the text
    fn max_number(&self) -> u32 {
        self.limits.max_number_chars.min(u32::MAX as usize) as u32
    }

    /// Passes over the object or array that stands here, without a call per level.
    fn pass_container(&mut self) {
        match self.container_end() {
            Ok(end) => self.at = end,
            Err((kind, at)) => self.fail(kind, at),
        }
    }

    fn container_end(&mut self) -> Result<u32, Broken> {
        let text = self.text;
        let max_number = self.max_number();
        let room = self.limits.max_depth.saturating_sub(self.depth);
        if room == 0 {
            return Err((FaultKind::TooDeep, self.at));
        }
        // A bit for each open container, innermost lowest, that says whether it is an object; and above them a one.
        let mut open = 0b10 | u64::from(self.byte() == Some(b'{'));
        let full = 1 << room.min(63);
        let mut closer = closes(open);
        let mut at = space_after(text, self.at + 1);
        if byte(text, at) == Some(closer) {
            return Ok(at + 1);
        }
        loop {
            if open & 1 == 1 {
                at = key_end(text, at)?;
            }
            match byte(text, at) {
                Some(b'"') => at = next_string_end(text, at + 1)?.0 + 1,
                Some(opener @ (b'{' | b'[')) if open < full => {
                    at = space_after(text, at + 1);
                    if byte(text, at) != Some(opener + BETWEEN) {
                        open = open << 1 | u64::from(opener == b'{');
                        closer = opener + BETWEEN;
                        continue;
                    }
                    at += 1;
                }
                Some(b'{' | b'[') => {
                    let level = open.checked_ilog2().unwrap_or_default();
                    if level == room {
                        return Err((FaultKind::TooDeep, at));
                    }
                    at = self.deeper(at, level)?;
                }
                Some(b'-' | b'0'..=b'9') => {
                    at = match short_integer_end(text, at) {
                        Some(end) if end - at <= max_number => end,
                        _ => number_end(text, at, max_number)?.0,
                    };
                }
                _ => at = word_end(text, at)?.0,
            }
            loop {
                match byte(text, at) {
                    Some(b',') => {
                        at = space_after(text, at + 1);
                        if closer == b']' && matches!(byte(text, at), Some(b'-' | b'0'..=b'9')) {
                            at = space_after(text, numbers_end(text, at, max_number));
                        }
                        break;
                    }
                    Some(byte) if byte == closer => {
                        at += 1;
                        open >>= 1;
                        if open == 1 {
                            return Ok(at);
                        }
                        closer = closes(open);
                    }
                    Some(b' ' | b'\n' | b'\r' | b'\t') => at = space_end(text, at),
                    _ => return Err((FaultKind::NoComma, at)),
                }
            }
        }
    }

    /// The same for a container so deep inside the one being passed that it takes a frame of its own.
    #[cold]
    fn deeper(&mut self, at: u32, level: u32) -> Result<u32, Broken> {
        let outer = (self.at, self.depth);
        self.at = at;
        self.depth += level;
        let end = self.container_end();
        (self.at, self.depth) = outer;
        end
    }
}

/// From what opens a container to what closes it.
const BETWEEN: u8 = b'}' - b'{';

/// What closes the innermost container.
#[inline]
const fn closes(open: u64) -> u8 {
    if open & 1 == 1 { b'}' } else { b']' }
}

/// The index of what follows, white space passed over.
#[inline]
fn space_after(text: &[u8], at: u32) -> u32 {
    if byte(text, at).is_some_and(|byte| byte <= b' ') { space_end(text, at) } else { at }
}

/// Where the value of the member that begins at `at` stands.
#[inline]
fn key_end(text: &[u8], at: u32) -> Result<u32, Broken> {
    if byte(text, at) != Some(b'"') {
        return Err((FaultKind::NoKey, at));
    }
    let (end, _) = next_string_end(text, at + 1)?;
    match pair(text, end + 1) {
        Some(pair) if pair & 0xFF == u16::from(b':') && pair >> 8 > u16::from(b' ') => Ok(end + 2),
        _ => colon_end(text, end + 1),
    }
}

/// The same from the key's end on, where white space stands around the colon, or none is there.
#[inline(never)]
fn colon_end(text: &[u8], at: u32) -> Result<u32, Broken> {
    let at = space_end(text, at);
    if byte(text, at) != Some(b':') {
        return Err((FaultKind::NoColon, at));
    }
    Ok(space_end(text, at + 1))
}

/// Where the word at `at` ends, and what it is.
#[inline(never)]
fn word_end(text: &[u8], at: u32) -> Result<(u32, Kind), Broken> {
    let rest = text.get(at as usize..).unwrap_or_default();
    match rest {
        [b't', b'r', b'u', b'e', ..] => Ok((at + 4, Kind::True)),
        [b'f', b'a', b'l', b's', b'e', ..] => Ok((at + 5, Kind::False)),
        [b'n', b'u', b'l', b'l', ..] => Ok((at + 4, Kind::Null)),
        _ => Err(broken_word(rest, at)),
    }
}

/// Where a value goes wrong that begins like a word, or like none.
#[cold]
#[allow(clippy::cast_possible_truncation)] // a few letters
fn broken_word(rest: &[u8], at: u32) -> Broken {
    let words: [&[u8]; 3] = [b"true", b"false", b"null"];
    let same = words.map(|word| rest.iter().zip(word).take_while(|(have, want)| have == want).count());
    (FaultKind::NoValue, at + same.into_iter().max().unwrap_or_default() as u32)
}
