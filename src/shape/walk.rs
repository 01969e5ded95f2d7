//! The walk: one pass over a message, member by member, along the table's definitions.

use std::borrow::Cow;

use super::ask::Objections;
use super::error::ShapeError;
use super::patch::{Mark, Patch};
use super::plan::{Fate, Plan, Row};
use super::reader::Reader;
use crate::json::{Cursor, Key, Kind, Members, Node, Span};
use crate::table::{Definition, Feature};

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

pub(super) type Walked<T> = Result<T, ShapeError>;

#[cold]
fn twice(name: &str) -> ShapeError {
    ShapeError::new("stands here twice").in_member(name.as_bytes())
}

/// What is being read, what is to change in it, and for whom.
pub(super) struct Walk<'a, 'r> {
    pub(super) cursor: Cursor<'a>,
    pub(super) patch: Patch,
    pub(super) reader: &'r Reader<'r>,
    plan: &'static Plan,
    /// A content block was met that only a client with sampling tools can read.
    pub(super) met_tool_content: bool,
}

/// An object that is being walked. No key stands at 0: where a place may be missing, that is none.
#[derive(Debug)]
pub(super) struct Object {
    members: Members,
    /// One bit per row of the plan that was met.
    seen: u64,
    /// Where the current member's key begins, its quote included.
    key_start: u32,
    /// Where the last kept member ends.
    kept_end: u32,
    /// Where the first of the members begins that were cut since.
    run: u32,
    /// The last member was cut: from here.
    pending: u32,
    /// Where the last cut member ends.
    cut_end: u32,
    /// What was noted before the current member's value was read.
    mark: Mark,
}

impl Object {
    /// It had members, and all of them were cut.
    pub(super) const fn is_emptied(&self) -> bool {
        self.kept_end == 0 && self.run != 0
    }
}

/// What an object's members mean to whoever asked for the walk.
pub(super) trait Care {
    /// Whether it leaves every member that the table knows to the table.
    const PLAIN: bool = false;

    /// Reads the value of a member that the table knows; whether it is kept.
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        walk.member(row)
    }

    /// Reads the value of a member that the table does not know; whether it is kept.
    fn unknown(&mut self, walk: &mut Walk<'_, '_>, _name: &[u8]) -> Walked<bool> {
        walk.cursor.pass();
        Ok(true)
    }

    /// All members were read.
    fn end(&mut self, _walk: &mut Walk<'_, '_>, _object: &mut Object) {}
}

/// Nothing beyond what the table says.
pub(super) struct Plainly;

impl Care for Plainly {
    const PLAIN: bool = true;
}

impl<'a, 'r> Walk<'a, 'r> {
    pub(super) fn new(cursor: Cursor<'a>, reader: &'r Reader<'r>) -> Self {
        let plan = Plan::of(reader.revision);
        Self { cursor, patch: Patch::default(), reader, plan, met_tool_content: false }
    }

    #[inline]
    pub(super) const fn text(&self) -> &'a [u8] {
        self.cursor.text()
    }

    pub(super) fn has(&self, feature: Feature) -> bool {
        self.reader.has(feature)
    }

    /// The row of a member, wherever the walk is.
    pub(super) fn row(&self, definition: Definition, name: &[u8]) -> Option<&'static Row> {
        Some(self.plan.object(definition).find_name(name)?.1)
    }

    /// Opens the object that stands here.
    #[inline]
    pub(super) fn enter(&mut self) -> Walked<Object> {
        if self.cursor.peek() != Some(b'{') {
            return Err(self.expected("an object"));
        }
        let (members, mark) = (self.cursor.enter_object(), self.patch.mark());
        Ok(Object { members, seen: 0, key_start: 0, kept_end: 0, run: 0, pending: 0, cut_end: 0, mark })
    }

    #[cold]
    fn expected(&mut self, what: &'static str) -> ShapeError {
        match self.cursor.value() {
            Ok(_) => ShapeError::new(format!("must be {what}")),
            Err(fault) => fault.into(),
        }
    }

    /// The next member's key; [`Walk::settle`] follows once its value is read. `None` closes the object.
    ///
    /// Whatever breaks the grammar is told when the object around it closes.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "once a member; a call costs as much as what it does")]
    pub(super) fn next(&mut self, object: &mut Object) -> Walked<Option<Key>> {
        let Some(key) = self.cursor.unchecked_member(&mut object.members) else {
            self.cursor.told(())?;
            self.close(object);
            return Ok(None);
        };
        object.key_start = key.span().start - 1;
        if object.pending != 0 {
            self.patch.cut(object.pending, object.key_start);
            object.pending = 0;
        }
        object.mark = self.patch.mark();
        Ok(Some(key))
    }

    /// Keeps or cuts the member whose value was just read.
    ///
    /// A cut member takes the comma after it along, and the white space up to the next key; the last one takes the
    /// comma before it.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the cursor refuses longer texts")]
    pub(super) fn settle(&mut self, object: &mut Object, keep: bool) {
        let end = self.cursor.position() as u32;
        if keep {
            object.kept_end = end;
            object.run = 0;
        } else {
            self.patch.undo(object.mark);
            if object.run == 0 {
                object.run = object.key_start;
            }
            object.pending = object.key_start;
            object.cut_end = end;
        }
    }

    #[inline]
    fn close(&mut self, object: &mut Object) {
        if object.pending != 0 {
            self.patch.uncut(object.run);
            let start = if object.kept_end == 0 { object.run } else { object.kept_end };
            self.patch.cut(start, object.cut_end);
            object.pending = 0;
        }
    }

    /// Adds a member at the end of an object that was just closed; `parts` are its value.
    pub(super) fn add(&mut self, object: &mut Object, name: &str, parts: &[&[u8]]) {
        let is_first = object.kept_end == 0;
        let comma: &[u8] = if is_first { b"" } else { b"," };
        let at = if is_first { self.place(1) } else { object.kept_end };
        let mut whole: Vec<&[u8]> = vec![comma, b"\"", name.as_bytes(), b"\":"];
        whole.extend_from_slice(parts);
        self.patch.put(Span { start: at, end: at }, &whole);
        object.kept_end = at;
    }

    /// So many bytes before the one that is read next.
    #[allow(clippy::cast_possible_truncation, reason = "the cursor refuses longer texts")]
    pub(super) const fn place(&self, before: usize) -> u32 {
        (self.cursor.position() - before) as u32
    }

    /// Walks an object of `definition`.
    #[inline]
    pub(super) fn object(&mut self, definition: Definition) -> Walked<()> {
        self.object_with(definition, &mut Plainly).map(drop)
    }

    /// The same, with somebody who cares for its members.
    pub(super) fn object_with<C: Care>(&mut self, definition: Definition, care: &mut C) -> Walked<Object> {
        let plan = self.plan.object(definition);
        let mut object = self.enter()?;
        while let Some(key) = self.next(&mut object)? {
            let keep = if let Some((place, row)) = plan.find(self.text(), key) {
                let bit = 1 << (place % 64);
                if object.seen & bit != 0 {
                    return Err(twice(row.name));
                }
                object.seen |= bit;
                match row.fate {
                    // Most members by far, without a call.
                    Fate::Cut if C::PLAIN => {
                        self.cursor.pass();
                        false
                    }
                    Fate::Keep if C::PLAIN => self.cursor.pass().kind() != Kind::Null || !row.optional,
                    _ => care.member(self, row).map_err(|error| error.in_member(row.name.as_bytes()))?,
                }
            } else {
                let name = key.name(self.text());
                care.unknown(self, &name).map_err(|error| error.in_member(&name))?
            };
            self.settle(&mut object, keep);
        }
        care.end(self, &mut object);
        Ok(object)
    }

    /// Reads the value of a member; whether it is kept.
    #[inline]
    pub(super) fn member(&mut self, row: &Row) -> Walked<bool> {
        match row.fate {
            Fate::Cut => {
                self.cursor.pass();
                Ok(false)
            }
            Fate::Keep => Ok(self.cursor.pass().kind() != Kind::Null || !row.optional),
            _ if row.optional && self.cursor.peek() == Some(b'n') => {
                self.cursor.pass();
                Ok(false)
            }
            Fate::One(definition) => self.one(definition).map(|()| true),
            Fate::List(definition) => self.list(definition).map(|()| true),
            Fate::OneOrList(definition) if self.cursor.peek() == Some(b'[') => self.list(definition).map(|()| true),
            Fate::OneOrList(definition) => self.one(definition).map(|()| true),
            Fate::ServerCapabilities => self.server_capabilities().map(|()| true),
            // Of a task, whose state is no answer to refuse: only what the revision lacks leaves.
            Fate::InputRequests => self.input_requests(&mut Objections::default()).map(|()| true),
            Fate::Meta => self.meta(),
            Fate::ObjectSchema => self.is_object_schema(),
        }
    }

    /// An object, or one of several kinds of object.
    #[inline]
    pub(super) fn one(&mut self, definition: Definition) -> Walked<()> {
        match definition {
            Definition::ContentBlock | Definition::SamplingMessageContentBlock => self.block(definition).map(drop),
            Definition::ToolResultContent => self.tool_result(),
            Definition::SamplingMessage => self.said(),
            _ => self.object(definition),
        }
    }

    pub(super) fn list(&mut self, definition: Definition) -> Walked<()> {
        self.elements(|walk| walk.one(definition))
    }

    /// An array, element by element.
    #[inline]
    pub(super) fn elements(&mut self, mut each: impl FnMut(&mut Self) -> Walked<()>) -> Walked<()> {
        if self.cursor.peek() != Some(b'[') {
            return Err(self.expected("an array"));
        }
        let mut elements = self.cursor.open_array()?;
        let mut index = 0;
        while self.cursor.next_element(&mut elements)? {
            each(self).map_err(|error| error.in_element(index))?;
            index += 1;
        }
        Ok(())
    }

    /// The requests that travel inside a result.
    pub(super) fn input_requests(&mut self, objections: &mut Objections) -> Walked<()> {
        let mut object = self.enter()?;
        while let Some(key) = self.next(&mut object)? {
            let name = key.name(self.text());
            self.input_request(objections).map_err(|error| error.in_member(&name))?;
            self.settle(&mut object, true);
        }
        Ok(())
    }

    /// The values under `names` in the object that stands here, which is read by that.
    ///
    /// A name that stands there twice is a fault: two readers could see two objects.
    pub(super) fn read_for<const N: usize>(&mut self, names: [&'static str; N]) -> Walked<[Node; N]> {
        let mut found = [Node::ABSENT; N];
        let mut object = self.enter()?;
        while let Some(key) = self.cursor.next_unchecked_member(&mut object.members)? {
            let name = key.name(self.text());
            let node = self.cursor.value().map_err(|fault| ShapeError::from(fault).in_member(&name))?;
            if let Some(at) = names.iter().position(|wanted| wanted.as_bytes() == name.as_ref()) {
                let held = found.get_mut(at).filter(|held| !held.is_present());
                *held.ok_or_else(|| ShapeError::new("stands here twice").in_member(&name))? = node;
            }
        }
        Ok(found)
    }

    /// The same for an object that is still to be read.
    pub(super) fn look_for<const N: usize>(&mut self, names: [&'static str; N]) -> Walked<[Node; N]> {
        let place = self.cursor.place();
        let found = self.read_for(names)?;
        self.cursor.go_back(place);
        Ok(found)
    }

    /// A second look at a value that was read.
    pub(super) fn inside(&self, node: Node) -> Self {
        Self::new(self.cursor.again(node.span()), self.reader)
    }

    /// The text with its changes.
    pub(super) fn finish(mut self) -> Cow<'a, [u8]> {
        let text = self.cursor.text();
        // The cursor passed over it; not every reader does.
        if text.starts_with(BYTE_ORDER_MARK) {
            self.patch.cut(0, 3);
        }
        if self.patch.is_empty() { text.into() } else { self.patch.apply(text).into() }
    }

    /// Passes over a schema and tells whether its root says that it is one of an object.
    fn is_object_schema(&mut self) -> Walked<bool> {
        if self.cursor.peek() != Some(b'{') {
            self.cursor.value()?;
            return Ok(false);
        }
        let mut members = self.cursor.open_object()?;
        let mut said = None;
        while let Some(key) = self.cursor.next_unchecked_member(&mut members)? {
            let is_type = key.name(self.text()).as_ref() == b"type";
            let node = self.cursor.value()?;
            if is_type {
                let object = node.text(self.text()).is_some_and(|text| text.as_ref() == b"object");
                said = Some(said.unwrap_or(true) && object);
            }
        }
        Ok(said.unwrap_or(false))
    }
}
