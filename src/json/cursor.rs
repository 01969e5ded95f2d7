//! The cursor: front to back over the text, once.

use super::fault::{Fault, FaultKind};
use super::keys::{Frame, Key, KeyStack};
use super::node::{Kind, Node, Span};
use super::number::number_end;
use super::string::{escaped_end, plain_end};

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
    at: usize,
    depth: u32,
}

/// An object that is being read member by member.
#[derive(Debug)]
pub struct Members {
    begun: bool,
    keys: Frame,
}

/// An array that is being read element by element.
#[derive(Debug)]
pub struct Elements {
    begun: bool,
}

/// A reader that moves over a JSON text once.
///
/// It checks the grammar as it goes and hands out [`Node`]s; no tree is built. Objects that matter are opened with
/// [`Cursor::open_object`], and a key they say twice is noted in [`Cursor::saw_duplicate`]; everything else is passed
/// over with [`Cursor::value`].
#[derive(Debug)]
pub struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    depth: u32,
    limits: Limits,
    keys: KeyStack,
    duplicate: bool,
    folds_case: bool,
    case_variant: bool,
    fault: Option<Fault>,
}

type Read<T> = Result<T, Fault>;

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
        if simdutf8::basic::from_utf8(text).is_err() {
            return Err(Fault::new(FaultKind::NotUtf8, 0));
        }
        let start = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Ok(Self::resume(text, start, 0, limits))
    }

    /// A cursor over a span of a text that a cursor has already read to its end.
    ///
    /// `depth` is how many containers the span stands in.
    #[must_use]
    #[inline]
    pub const fn resume(text: &'a [u8], at: usize, depth: u32, limits: Limits) -> Self {
        Self {
            text,
            at,
            depth,
            limits,
            keys: KeyStack::new(),
            duplicate: false,
            folds_case: false,
            case_variant: false,
            fault: None,
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
        self.at
    }

    /// Where the cursor stands.
    #[must_use]
    #[inline]
    pub const fn place(&self) -> Place {
        Place { at: self.at, depth: self.depth }
    }

    /// Stands where it stood before, to read the same again.
    ///
    /// Objects that were opened with [`Cursor::next_member`] since must have been closed.
    #[inline]
    pub const fn go_back(&mut self, place: Place) {
        self.at = place.at;
        self.depth = place.depth;
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
    fn fail(&mut self, kind: FaultKind, at: usize) {
        if self.fault.is_none() {
            let kind = match kind {
                FaultKind::TooDeep | FaultKind::NumberTooLong | FaultKind::LoneSurrogate => kind,
                _ if at >= self.text.len() => FaultKind::Truncated,
                _ => kind,
            };
            self.fault = Some(Fault::new(kind, at));
        }
        self.text = b"";
    }

    #[inline]
    const fn told<T: Copy>(&self, value: T) -> Read<T> {
        match self.fault {
            None => Ok(value),
            Some(fault) => Err(fault),
        }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline]
    fn space(&mut self) {
        if self.byte().is_some_and(|byte| byte <= b' ') {
            self.pass_space();
        }
    }

    #[inline(never)]
    fn pass_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.at += 1;
        }
    }

    /// The first byte of the next value, after white space; `None` at the end of the text.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        self.space();
        self.byte()
    }

    /// The index at which the next value begins.
    #[inline]
    pub fn next_start(&mut self) -> usize {
        self.space();
        self.at
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
    fn descend(&mut self) {
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
        let members = self.enter_object();
        match self.fault {
            None => Ok(members),
            Some(fault) => Err(fault),
        }
    }

    /// The same, for a caller that asks for faults at the end only.
    #[inline]
    pub(crate) fn enter_object(&mut self) -> Members {
        if self.peek() == Some(b'{') {
            self.descend();
        } else {
            self.fail(FaultKind::NoValue, self.at);
        }
        Members { begun: false, keys: self.keys.open(self.depth) }
    }

    /// The same as [`Cursor::open_object`], for an object in which the caller looks for these names: a key that differs
    /// from one of them only by case counts as a case variant.
    ///
    /// # Errors
    ///
    /// As for [`Cursor::open_object`].
    #[inline]
    pub fn open_object_reading(&mut self, names: &[&str]) -> Read<Members> {
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
            self.keys.fold_names(members.keys, names);
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
        let Some(key) = self.next_key(&mut members.begun) else {
            self.keys.close(members.keys);
            return None;
        };
        self.duplicate |= self.keys.repeats(&mut members.keys, key, self.text);
        if self.folds_case {
            self.case_variant |= self.keys.varies_by_case(members.keys, key, self.text);
        }
        Some(key)
    }

    /// The same for an object whose keys may repeat (nobody decides anything by them).
    ///
    /// # Errors
    ///
    /// The text breaks the grammar.
    #[inline]
    pub fn next_unchecked_member(&mut self, members: &mut Members) -> Read<Option<Key>> {
        let key = self.next_key(&mut members.begun);
        self.told(key)
    }

    /// The same, for a caller that asks for faults at the end only.
    #[inline]
    pub(crate) fn unchecked_member(&mut self, members: &mut Members) -> Option<Key> {
        self.next_key(&mut members.begun)
    }

    #[inline]
    fn next_key(&mut self, begun: &mut bool) -> Option<Key> {
        // Without white space, as programs write it.
        let quote = self.at + usize::from(*begun);
        if (!*begun || self.byte() == Some(b',')) && self.text.get(quote) == Some(&b'"') {
            *begun = true;
            return self.key(quote);
        }
        if self.byte() == Some(b'}') {
            self.at += 1;
            self.depth -= 1;
            return None;
        }
        self.next_spaced_key(begun)
    }

    #[inline(never)]
    fn next_spaced_key(&mut self, begun: &mut bool) -> Option<Key> {
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                self.depth -= 1;
                return None;
            }
            Some(b',') if *begun => {
                self.at += 1;
                self.space();
            }
            _ if *begun => {
                self.fail(FaultKind::NoComma, self.at);
                return None;
            }
            _ => *begun = true,
        }
        self.key(self.at)
    }

    /// The key whose quote stands at `quote`, and its colon.
    #[inline]
    fn key(&mut self, quote: usize) -> Option<Key> {
        if self.text.get(quote) != Some(&b'"') {
            self.fail(FaultKind::NoKey, quote);
            return None;
        }
        let (end, escaped) = self.string(quote + 1)?;
        self.at = end + 1;
        if self.byte() != Some(b':') && self.peek() != Some(b':') {
            self.fail(FaultKind::NoColon, self.at);
            return None;
        }
        self.at += 1;
        self.space();
        Some(Key::new(quote + 1, end, escaped))
    }

    /// Where the string whose inside begins at `start` has its closing quote, and whether it holds an escape.
    #[inline]
    fn string(&mut self, start: usize) -> Option<(usize, bool)> {
        let end = plain_end(self.text, start);
        if self.text.get(end) == Some(&b'"') {
            return Some((end, false));
        }
        match escaped_end(self.text, end) {
            Ok(end) => Some((end, true)),
            Err((kind, at)) => {
                self.fail(kind, at);
                None
            }
        }
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
            None => Ok(Elements { begun: false }),
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
        let another = match self.peek() {
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
            _ => {
                elements.begun = true;
                true
            }
        };
        self.told(another)
    }

    /// Passes over the value that stands here, whatever it is.
    ///
    /// # Errors
    ///
    /// The text breaks the grammar or a limit.
    #[inline]
    pub fn value(&mut self) -> Read<Node> {
        let node = self.pass();
        self.told(node)
    }

    /// The same, for a caller that asks for faults at the end only: what is broken is absent.
    #[inline]
    pub(crate) fn pass(&mut self) -> Node {
        let start = self.next_start();
        let kind = match self.byte() {
            Some(b'"') => match self.string(start + 1) {
                Some((end, escaped)) => {
                    self.at = end + 1;
                    if escaped { Kind::EscapedString } else { Kind::String }
                }
                None => return Node::ABSENT,
            },
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
        Node::between(kind, start, self.at)
    }

    /// Passes over a value in which every object's keys are checked, however deep it stands.
    ///
    /// # Errors
    ///
    /// The text breaks the grammar or a limit.
    pub fn checked_value(&mut self) -> Read<Node> {
        let node = self.pass_checked();
        self.told(node)
    }

    /// The same, for a caller that asks for faults at the end only.
    pub(crate) fn pass_checked(&mut self) -> Node {
        match self.peek() {
            Some(b'{') => {
                let start = self.at;
                let mut members = self.enter_object();
                while self.member(&mut members).is_some() {
                    self.pass_checked();
                }
                Node::between(Kind::Object, start, self.at)
            }
            Some(b'[') => {
                let start = self.at;
                self.descend();
                let mut elements = Elements { begun: false };
                while let Ok(true) = self.next_element(&mut elements) {
                    self.pass_checked();
                }
                Node::between(Kind::Array, start, self.at)
            }
            _ => self.pass(),
        }
    }

    /// A number or a word.
    #[inline(never)]
    fn bare(&mut self) -> Kind {
        match self.byte() {
            Some(b'-' | b'0'..=b'9') => match number_end(self.text, self.at, self.limits.max_number_chars) {
                Ok((end, kind)) => {
                    self.at = end;
                    kind
                }
                Err((kind, at)) => {
                    self.fail(kind, at);
                    Kind::Absent
                }
            },
            Some(b't') => self.word(b"true", Kind::True),
            Some(b'f') => self.word(b"false", Kind::False),
            Some(b'n') => self.word(b"null", Kind::Null),
            _ => {
                self.fail(FaultKind::NoValue, self.at);
                Kind::Absent
            }
        }
    }

    #[inline]
    fn word(&mut self, word: &'static [u8], kind: Kind) -> Kind {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if rest.starts_with(word) {
            self.at += word.len();
            return kind;
        }
        let same = rest.iter().zip(word).take_while(|(have, want)| have == want).count();
        self.fail(FaultKind::NoValue, self.at + same);
        Kind::Absent
    }

    /// A string, a number or a word inside what is passed over.
    #[inline]
    fn pass_scalar(&mut self) {
        if self.byte() == Some(b'"') {
            if let Some((end, _)) = self.string(self.at + 1) {
                self.at = end + 1;
            }
        } else {
            self.bare();
        }
    }

    /// Passes over the object or array that stands here, without a call per level.
    fn pass_container(&mut self) {
        let outer = self.depth;
        let mut kinds = Nesting::default();
        'value: loop {
            match self.byte() {
                Some(b'{') => {
                    self.descend();
                    kinds.push(true, self.depth - outer);
                    if self.peek() != Some(b'}') {
                        self.key(self.at);
                        continue 'value;
                    }
                }
                Some(b'[') => {
                    self.descend();
                    kinds.push(false, self.depth - outer);
                    if self.peek() != Some(b']') {
                        continue 'value;
                    }
                }
                _ => self.pass_scalar(),
            }
            loop {
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        self.space();
                        if kinds.in_object() {
                            self.key(self.at);
                        }
                        continue 'value;
                    }
                    Some(b'}') if kinds.in_object() => {}
                    Some(b']') if !kinds.in_object() => {}
                    _ => return self.fail(FaultKind::NoComma, self.at),
                }
                self.at += 1;
                kinds.pop(self.depth - outer);
                self.depth -= 1;
                if self.depth == outer {
                    return;
                }
            }
        }
    }
}

/// Which of the containers being passed over are objects: a bit each, innermost lowest.
#[derive(Default)]
struct Nesting {
    bits: u128,
    outer: Vec<u128>,
}

impl Nesting {
    /// `level` counts from 1.
    #[inline]
    fn push(&mut self, object: bool, level: u32) {
        if level.is_multiple_of(128) {
            self.outer.push(self.bits);
        }
        self.bits = (self.bits << 1) | u128::from(object);
    }

    #[inline]
    fn pop(&mut self, level: u32) {
        self.bits >>= 1;
        if level.is_multiple_of(128) {
            self.bits = self.outer.pop().unwrap_or_default();
        }
    }

    #[inline]
    const fn in_object(&self) -> bool {
        self.bits & 1 == 1
    }
}
