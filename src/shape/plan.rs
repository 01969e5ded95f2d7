//! The table's members, laid out for one revision so that a key is found in a few steps.

use std::sync::OnceLock;

use crate::json::Key;
use crate::table::{Definition, Feature, Holds, Member, Revision, Shape, Standing, Tag};

/// What becomes of a member in this revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Only other revisions have it.
    Cut,
    /// It is passed on as it is.
    Keep,
    /// The schema of a tool's output, which must be one of an object.
    ObjectSchema,
    /// An object.
    One(Definition),
    /// An array of objects.
    List(Definition),
    /// An object or an array of them.
    OneOrList(Definition),
    /// A `_meta` whose reserved keys are known.
    Meta,
    /// What a server says that it can do.
    ServerCapabilities,
    /// Requests to the client, under free keys.
    InputRequests,
}

/// What a member means beyond itself, to whoever reads the object around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    None,
    /// The content blocks of a tool's result.
    Content,
    StructuredContent,
    ResultType,
    TtlMs,
    CacheScope,
    Meta,
    InputRequests,
    RequestState,
    /// Tools or the choice between them, offered to a model.
    Offer,
    IncludeContext,
    Task,
    Params,
    /// The content of a sampling message.
    Said,
}

impl Role {
    fn of(definition: Definition, name: &str) -> Self {
        use Definition as D;
        match (definition, name) {
            (D::CallToolResult | D::ToolResultContent, "content") => Self::Content,
            (D::CallToolResult | D::ToolResultContent, "structuredContent") => Self::StructuredContent,
            (D::InputRequiredResult, "inputRequests") => Self::InputRequests,
            (D::InputRequiredResult, "requestState") => Self::RequestState,
            (D::CreateMessageRequestParams, "tools" | "toolChoice") => Self::Offer,
            (D::CreateMessageRequestParams, "includeContext") => Self::IncludeContext,
            (D::SamplingMessage, "content") => Self::Said,
            (_, "params") => Self::Params,
            (_, "resultType") => Self::ResultType,
            (_, "ttlMs") => Self::TtlMs,
            (_, "cacheScope") => Self::CacheScope,
            (_, "_meta") => Self::Meta,
            (_, "task") => Self::Task,
            _ => Self::None,
        }
    }
}

/// One member of a definition, as this revision has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) fate: Fate,
    pub(super) role: Role,
    /// It may be left out, so a null is.
    pub(super) optional: bool,
}

const SLOT_BITS: u32 = 5;
const SLOTS: usize = 1 << SLOT_BITS;
const NOTHING: u8 = u8::MAX;

/// A name in two words and its length: enough to find it, and nearly enough to tell it from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    /// The first eight bytes, fewer where there are no more.
    head: u64,
    /// The last eight bytes of a longer name.
    tail: u64,
    len: u32,
}

impl Mark {
    fn of(name: &[u8]) -> Self {
        Self::read(&[name, &[0; 8]].concat(), 0, name.len())
    }

    /// The mark of `text[start..start + len]`.
    #[inline]
    fn read(text: &[u8], start: usize, len: usize) -> Self {
        let first = word(text, start);
        let (head, tail) =
            if len < 8 { (first & !(u64::MAX << (8 * len)), 0) } else { (first, word(text, start + len - 8)) };
        #[allow(clippy::cast_possible_truncation, reason = "a longer name is none of ours, whatever its mark")]
        Self { head, tail, len: len as u32 }
    }

    #[inline]
    const fn slot(self, factor: u64) -> usize {
        let mixed = (self.head ^ self.tail.rotate_left(17) ^ self.len as u64).wrapping_mul(factor);
        (mixed >> (u64::BITS - SLOT_BITS)) as usize
    }
}

/// The eight bytes at `at`; zeroes after the end of the text.
#[inline]
fn word(text: &[u8], at: usize) -> u64 {
    match text.get(at..at + 8).map(<[u8; 8]>::try_from) {
        Some(Ok(bytes)) => u64::from_le_bytes(bytes),
        _ => last_word(text, at),
    }
}

#[cold]
#[inline(never)]
fn last_word(text: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    for (byte, last) in word.iter_mut().zip(text.get(at..).unwrap_or_default()) {
        *byte = *last;
    }
    u64::from_le_bytes(word)
}

/// The members of one definition.
#[derive(Debug)]
pub(super) struct ObjectPlan {
    factor: u64,
    slots: [u8; SLOTS],
    rows: Vec<(Mark, Row)>,
}

impl ObjectPlan {
    fn new(definition: Definition, revision: Revision) -> Self {
        let mut rows: Vec<(Mark, Row)> = Vec::new();
        for (owner, member) in members(definition) {
            let name = member.name();
            if rows.iter().all(|(_, row)| row.name != name) {
                rows.push((Mark::of(name.as_bytes()), row(owner, name, revision)));
            }
        }
        // A factor that keeps the names apart is found at once, or nearly so: there are more slots than names.
        let factors = (1..10_000).map(|turn: u64| turn.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let found = factors.into_iter().find_map(|factor| Some((factor, slots(&rows, factor)?)));
        let (factor, slots) = found.unwrap_or((0, [NOTHING; SLOTS]));
        Self { factor, slots, rows }
    }

    /// The row of the member that `key` names in `text`, and its place among the others.
    #[inline]
    pub(super) fn find(&self, text: &[u8], key: Key) -> Option<(usize, &Row)> {
        if key.is_escaped() {
            return self.find_name(&key.name(text));
        }
        let span = key.span();
        let mark = Mark::read(text, span.start as usize, span.len());
        let (place, row) = self.marked(mark)?;
        (mark.len <= 16 || row.name.as_bytes() == span.of(text)).then_some((place, row))
    }

    /// The same, by the name itself.
    pub(super) fn find_name(&self, name: &[u8]) -> Option<(usize, &Row)> {
        self.marked(Mark::of(name)).filter(|(_, row)| row.name.as_bytes() == name)
    }

    /// The only row that may have a name of this mark.
    #[inline]
    fn marked(&self, mark: Mark) -> Option<(usize, &Row)> {
        let place = usize::from(*self.slots.get(mark.slot(self.factor))?);
        let (own, row) = self.rows.get(place)?;
        (*own == mark).then_some((place, row))
    }
}

fn slots(rows: &[(Mark, Row)], factor: u64) -> Option<[u8; SLOTS]> {
    let mut slots = [NOTHING; SLOTS];
    for (place, (mark, _)) in rows.iter().enumerate() {
        let held = slots.get_mut(mark.slot(factor))?;
        if *held != NOTHING {
            return None;
        }
        *held = u8::try_from(place).ok()?;
    }
    Some(slots)
}

/// The members of an object; of a choice that no text tells, those of all alternatives together.
fn members(definition: Definition) -> Vec<(Definition, &'static Member)> {
    match definition.shape() {
        Shape::Object(members) => members.iter().map(|member| (definition, member)).collect(),
        Shape::Choice(Tag::Presence, alternatives) => {
            alternatives.iter().flat_map(|alternative| members(alternative.definition())).collect()
        }
        _ => Vec::new(),
    }
}

fn row(definition: Definition, name: &'static str, revision: Revision) -> Row {
    let role = Role::of(definition, name);
    match definition.member(name.as_bytes(), revision) {
        Standing::Has(member) => {
            let fate = fate(member.holds(), revision);
            // Any JSON value, null too, may be structured content where it need not be an object.
            let any = role == Role::StructuredContent && revision.has(Feature::NON_OBJECT_STRUCTURED_CONTENT);
            Row { name, fate, role, optional: !member.is_required() && !any }
        }
        Standing::Lacks | Standing::Unknown => Row { name, fate: Fate::Cut, role, optional: true },
    }
}

fn fate(holds: Holds, revision: Revision) -> Fate {
    match holds {
        Holds::Schema(Definition::ToolOutputSchema) if !revision.has(Feature::NON_OBJECT_OUTPUT_SCHEMA) => {
            Fate::ObjectSchema
        }
        Holds::Value | Holds::Opaque | Holds::Schema(_) | Holds::Map(_) => Fate::Keep,
        Holds::One(definition) => match definition {
            Definition::RequestMetaObject
            | Definition::ResultMetaObject
            | Definition::NotificationMetaObject
            | Definition::SubscriptionsListenResultMetaObject => Fate::Meta,
            _ => match definition.shape() {
                Shape::ServerCapabilities => Fate::ServerCapabilities,
                Shape::Map(Definition::InputRequest) => Fate::InputRequests,
                // What only a client sends is passed on as it is.
                Shape::ClientCapabilities | Shape::Map(_) => Fate::Keep,
                Shape::Object(_) | Shape::Choice(..) => Fate::One(definition),
            },
        },
        Holds::List(definition) => Fate::List(definition),
        Holds::OneOrList(definition) => Fate::OneOrList(definition),
    }
}

/// Every definition, as one revision has it.
#[derive(Debug)]
pub(super) struct Plan {
    objects: Vec<ObjectPlan>,
}

static PLANS: [OnceLock<Plan>; Revision::COUNT] = [const { OnceLock::new() }; Revision::COUNT];
static NO_MEMBERS: ObjectPlan = ObjectPlan { factor: 0, slots: [NOTHING; SLOTS], rows: Vec::new() };

impl Plan {
    pub(super) fn of(revision: Revision) -> &'static Self {
        let make = || Self { objects: Definition::ALL.iter().map(|each| ObjectPlan::new(*each, revision)).collect() };
        PLANS[revision.index()].get_or_init(make)
    }

    #[inline]
    pub(super) fn object(&self, definition: Definition) -> &ObjectPlan {
        self.objects.get(definition as usize).unwrap_or(&NO_MEMBERS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Cursor, Limits};

    #[test]
    fn every_member_of_every_definition_is_found_under_every_revision() {
        for revision in Revision::ALL {
            for definition in Definition::ALL {
                for (_, member) in members(*definition) {
                    let found = Plan::of(*revision).object(*definition).find_name(member.name().as_bytes());
                    assert_eq!(found.map(|(_, row)| row.name), Some(member.name()), "{definition:?} {revision:?}");
                }
            }
        }
    }

    /// Content blocks in content.rs, modes and input requests in ask.rs; the others are a client's to send, and no part of
    /// a schema is ever entered.
    #[test]
    fn what_a_text_tells_apart_and_what_has_free_keys_is_walked_by_its_name() {
        let is_special = |shape: &Shape| matches!(shape, Shape::Choice(Tag::Text(_), _) | Shape::Map(_));
        let special = Definition::ALL.iter().filter(|definition| is_special(&definition.shape()));
        let expected = [
            "ContentBlock",
            "CompleteRequestParams.ref",
            "SamplingMessageContentBlock",
            "ElicitRequestParams",
            "InputRequests",
            "InputRequest",
            "InputResponses",
        ];
        assert_eq!(special.map(|definition| definition.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_name_is_found_however_soon_the_text_ends() {
        let plan = Plan::of(Revision::V2026_07_28).object(Definition::JSONRPCRequest);
        for text in [&b"{\"id\":1}"[..], b"{\"id\":1         }"] {
            let mut cursor = Cursor::new(text, Limits::DEFAULT).unwrap();
            let mut members = cursor.open_object().unwrap();
            let key = cursor.next_member(&mut members).unwrap().unwrap();
            assert_eq!(plan.find(text, key).map(|(_, row)| row.name), Some("id"));
        }
    }

    #[test]
    fn other_names_are_not_found() {
        let tool = Plan::of(Revision::V2024_11_05).object(Definition::Tool);
        for name in [&b""[..], b"t", b"names", b"x-vendor", b"titlE", &[b'n'; 300]] {
            assert!(tool.find_name(name).is_none());
        }
    }
}
