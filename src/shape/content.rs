//! Content blocks: what the revision cannot show is named in words, never dropped to nothing.

use super::error::ShapeError;
use super::plan::{Fate, Role, Row};
use super::walk::{Care, Object, Walk, Walked};
use crate::json::{Cursor, Kind, Limits, Node, Span, push_string, unescape};
use crate::table::{Definition, Feature, Shape, Standing};

const TYPE: &str = "type";
const AS_TEXT: &[u8] = b"\"text\",\"text\":";
/// Bytes of a role as it is spelt, its quotes included.
const LONGEST_ROLE: usize = 64;
const EMPTY_TEXT: &[u8] = br#"{"type":"text","text":""}"#;

impl Walk<'_, '_> {
    /// Walks one of the blocks that `choice` names; whether it is text.
    pub(super) fn block(&mut self, choice: Definition) -> Walked<bool> {
        let tag = self.first_or_any(TYPE)?;
        let Some(text) = tag.text(self.text()) else {
            let what = if tag.is_present() { "must be a string" } else { "is missing" };
            return Err(ShapeError::new(what).in_member(TYPE.as_bytes()));
        };
        match choice.alternative(&text, self.reader.revision) {
            Standing::Has(definition) => {
                self.met_tool_content |= is_tool_content(definition);
                self.one(definition)?;
                Ok(definition == Definition::TextContent)
            }
            Standing::Lacks => self.unshowable(choice, &text).map(|()| false),
            Standing::Unknown => {
                self.look_for([TYPE])?;
                self.cursor.value()?;
                Ok(false)
            }
        }
    }

    /// A block of a kind that only other revisions have.
    fn unshowable(&mut self, choice: Definition, tag: &[u8]) -> Walked<()> {
        let Shape::Choice(_, alternatives) = choice.shape() else { return Ok(()) };
        let kind = alternatives.iter().find(|alternative| alternative.tag().as_bytes() == tag);
        match kind.map(crate::table::Alternative::definition) {
            Some(from @ Definition::AudioContent) => self.as_text(from, "mimeType", [b"[audio: ", b"]"]),
            Some(from @ Definition::ResourceLink) => self.as_text(from, "uri", [b"", b""]),
            kind => {
                self.met_tool_content |= kind.is_some_and(is_tool_content);
                self.cursor.value()?;
                Ok(())
            }
        }
    }

    /// Turns the block into text in place, so that what the text may carry, and what is not the specification's, stays.
    fn as_text(&mut self, from: Definition, named_by: &'static str, around: [&'static [u8]; 2]) -> Walked<()> {
        let [_, word] = self.look_for([TYPE, named_by])?;
        if !word.is_string() {
            let what = if word.is_present() { "must be a string" } else { "is missing" };
            return Err(ShapeError::new(what).in_member(named_by.as_bytes()));
        }
        let token = word.token(self.text());
        let word = token.get(1..token.len().saturating_sub(1)).unwrap_or_default();
        self.object_with(Definition::TextContent, &mut AsText { from, word, around }).map(drop)
    }

    /// The value under `name`, cheaply where it stands first; the object is not read by that.
    fn first_or_any(&mut self, name: &'static str) -> Walked<Node> {
        let place = self.cursor.place();
        let mut object = self.enter()?;
        let first = match self.next(&mut object)? {
            Some(key) if key.name(self.text()).as_ref() == name.as_bytes() => Some(self.cursor.value()?),
            _ => None,
        };
        self.cursor.go_back(place);
        match first {
            // A second one is met on the walk.
            Some(node) => Ok(node),
            None => Ok(self.look_for([name])?[0]),
        }
    }

    /// Walks what a tool returned to a model.
    pub(super) fn tool_result(&mut self) -> Walked<()> {
        self.object_with(Definition::ToolResultContent, &mut Payload::default()).map(drop)
    }

    /// Walks a message of a conversation.
    pub(super) fn said(&mut self) -> Walked<()> {
        let mut said = Said::default();
        if !self.has(Feature::SAMPLING_CONTENT_LIST) {
            let [role, content] = self.look_for(["role", "content"])?;
            if content.kind() == Kind::Array && role.is_present() {
                let token = role.token(self.text());
                // It is said again for each block: a long one would make much of little.
                if !role.is_string() || token.len() > LONGEST_ROLE {
                    return Err(ShapeError::new("must be a role").in_member(b"role"));
                }
                said.role = token.to_vec();
                said.role_first = role.span().start < content.span().start;
            }
        }
        self.object_with(Definition::SamplingMessage, &mut said).map(drop)
    }
}

const fn is_tool_content(definition: Definition) -> bool {
    matches!(definition, Definition::ToolUseContent | Definition::ToolResultContent)
}

struct AsText<'t> {
    from: Definition,
    /// Between its quotes, as it is spelt.
    word: &'t [u8],
    around: [&'static [u8]; 2],
}

impl Care for AsText<'_> {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        match row.name {
            TYPE => {
                let tag = walk.cursor.value()?.span();
                let [before, after] = self.around;
                let parts = [AS_TEXT, b"\"", before, self.word, after, b"\""];
                walk.patch.put(tag, &parts);
                Ok(true)
            }
            // The block has a text now; nothing else may stand under that name.
            "text" => {
                walk.cursor.value()?;
                Ok(false)
            }
            _ => walk.member(row),
        }
    }

    fn unknown(&mut self, walk: &mut Walk<'_, '_>, name: &[u8]) -> Walked<bool> {
        walk.cursor.value()?;
        Ok(self.from.members().iter().all(|member| member.name().as_bytes() != name))
    }
}

/// What a tool returns: content blocks, and structured content beside them.
///
/// Structured content that the revision cannot read goes; where no block says it in text, one is added.
///
/// Spec: 2025-11-25 server/tools, structured content.
#[derive(Debug, Default)]
pub(super) struct Payload {
    removed: Option<Node>,
    has_text: bool,
    list: Option<ListEnd>,
}

/// Where a further element goes.
#[derive(Clone, Copy, Debug)]
struct ListEnd {
    at: u32,
    empty: bool,
}

impl Payload {
    /// Whether the content blocks were met.
    pub(super) const fn has_content(&self) -> bool {
        self.list.is_some()
    }
}

impl Care for Payload {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        match row.role {
            Role::Content => {
                let mut end = None;
                walk.elements(|walk| {
                    self.has_text |= walk.block(Definition::ContentBlock)?;
                    end = Some(walk.place(0));
                    Ok(())
                })?;
                let bracket = walk.place(1);
                self.list = Some(ListEnd { at: end.unwrap_or(bracket), empty: end.is_none() });
                Ok(true)
            }
            Role::StructuredContent => {
                let node = walk.cursor.value()?;
                if node.kind() == Kind::Null {
                    return Ok(!row.optional);
                }
                let fits = node.is_object() || walk.has(Feature::NON_OBJECT_STRUCTURED_CONTENT);
                let keep = row.fate != Fate::Cut && fits;
                if !keep {
                    self.removed = Some(node);
                }
                Ok(keep)
            }
            _ => walk.member(row),
        }
    }

    fn end(&mut self, walk: &mut Walk<'_, '_>, object: &mut Object) {
        let Some(node) = self.removed.filter(|_| !self.has_text) else { return };
        let mut text = Vec::new();
        push_string(&mut text, &compact(node.token(walk.text())));
        let block: [&[u8]; 4] = [b"{\"type\":", AS_TEXT, &text, b"}"];
        match self.list {
            Some(ListEnd { at, empty }) => {
                let comma: &[u8] = if empty { b"" } else { b"," };
                walk.patch.put(Span { start: at, end: at }, &[&[comma][..], &block[..]].concat());
            }
            None => walk.add(object, "content", &[&[&b"["[..]][..], &block[..], &[&b"]"[..]][..]].concat()),
        }
    }
}

/// A checked JSON text without white space and needless escapes; numbers as they are spelt.
fn compact(value: &[u8]) -> String {
    let mut out = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [first, after @ ..] = rest {
        match first {
            b' ' | b'\t' | b'\n' | b'\r' => rest = after,
            b'"' => {
                let mut cursor = Cursor::resume(rest, 0, 0, Limits::DEFAULT);
                let Ok(node) = cursor.value() else { break };
                let token = node.token(rest);
                let inside = token.get(1..token.len().saturating_sub(1)).unwrap_or_default();
                push_string(&mut out, &String::from_utf8_lossy(&unescape(inside)));
                rest = rest.get(token.len()..).unwrap_or_default();
            }
            byte => {
                out.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8(out).unwrap_or_default()
}

/// A message of a conversation, whose content some revisions want to be one block.
///
/// Of several blocks each becomes a message of the same role: what stands before the content stays with the first,
/// what stands after it with the last.
#[derive(Debug, Default)]
struct Said {
    role: Vec<u8>,
    role_first: bool,
}

impl Care for Said {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        let Fate::One(block) = row.fate else { return walk.member(row) };
        if row.role != Role::Said || walk.cursor.peek() != Some(b'[') {
            return walk.member(row);
        }
        let bracket = walk.place(0);
        let mut end = None;
        let separator: [&[u8]; 5] = match (self.role.is_empty(), self.role_first) {
            (true, _) => [b"},{\"content\":", b"", b"", b"", b""],
            (false, true) => [b"},{\"role\":", &self.role, b",\"content\":", b"", b""],
            (false, false) => [b",\"role\":", &self.role, b"},{\"content\":", b"", b""],
        };
        walk.elements(|walk| {
            let start = walk.place(0);
            match end {
                None => walk.patch.cut(bracket, start),
                Some(end) => walk.patch.put(Span { start: end, end: start }, &separator),
            }
            walk.block(block)?;
            end = Some(walk.place(0));
            Ok(())
        })?;
        let after = walk.place(0);
        match end {
            None => walk.patch.put(Span { start: bracket, end: after }, &[EMPTY_TEXT]),
            Some(end) => walk.patch.cut(end, after),
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn compact_text_keeps_numbers_and_drops_white_space_and_needless_escapes() {
        let value = " { \"a b\" : [ 1.0 , 1e2,\n null ], \"\\u00e9\\/\\n\" : \"\\ud83d\\ude00\\\"\" } ".trim();
        assert_eq!(compact(value.as_bytes()), "{\"a b\":[1.0,1e2,null],\"é/\\n\":\"😀\\\"\"}");
    }
}
