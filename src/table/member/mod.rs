//! The members of the specification's objects: since when each is there, until when, and what it holds.
//!
//! A message is walked from [`Method::params`](super::Method::params) or [`Method::result`](super::Method::result)
//! down: [`Definition::member`] says of each name whether this revision has it, and where the value goes on.
//! A member whose type or obligation changed has a row for each run of revisions.

mod content;
mod definition;
mod elicitation;
mod envelope;
mod form;
mod input;
mod item;
mod message;
mod meta;
mod notification;
mod params;
mod result;
mod sampling;
mod task;

use super::Revision::{self, *};
use super::Span;
pub use definition::Definition;

/// What a member's value is, as far as a walk goes on into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A scalar, or scalars in arrays and maps: no member of the specification's is below.
    Value,
    /// Anything at all, and never entered: arguments, log data, vendor values.
    Opaque,
    /// A JSON Schema, and never entered; the definition lists the keywords that the specification's schema names.
    Schema(Definition),
    /// An object of this definition.
    One(Definition),
    /// An array of them.
    List(Definition),
    /// One of them, or an array of them.
    OneOrList(Definition),
    /// An object whose values are of this definition; its keys are free.
    Map(Definition),
}

/// One member of a definition, for one run of revisions.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    name: &'static str,
    hint: usize,
    required: bool,
    span: Span,
    holds: Holds,
    deprecated_in: Option<Revision>,
    extension: Option<&'static str>,
    in_schema: bool,
}

const fn required(name: &'static str) -> Member {
    Member {
        name,
        hint: hint(name.as_bytes()),
        required: true,
        span: Span::new(V2024_11_05, None),
        holds: Holds::Value,
        deprecated_in: None,
        extension: None,
        in_schema: true,
    }
}

/// Length, first and last byte: all that most comparisons of names need.
const fn hint(name: &[u8]) -> usize {
    match name {
        [first, .., last] => name.len() << 16 | (*first as usize) << 8 | *last as usize,
        _ => name.len() << 16,
    }
}

const fn optional(name: &'static str) -> Member {
    Member { required: false, ..required(name) }
}

impl Member {
    const fn since(self, revision: Revision) -> Self {
        Self { span: Span::new(revision, self.span.until()), ..self }
    }

    const fn until(self, revision: Revision) -> Self {
        Self { span: Span::new(self.span.since(), Some(revision)), ..self }
    }

    const fn opaque(self) -> Self {
        Self { holds: Holds::Opaque, ..self }
    }

    const fn schema(self, definition: Definition) -> Self {
        Self { holds: Holds::Schema(definition), ..self }
    }

    const fn one(self, definition: Definition) -> Self {
        Self { holds: Holds::One(definition), ..self }
    }

    const fn list(self, definition: Definition) -> Self {
        Self { holds: Holds::List(definition), ..self }
    }

    const fn one_or_list(self, definition: Definition) -> Self {
        Self { holds: Holds::OneOrList(definition), ..self }
    }

    const fn map(self, definition: Definition) -> Self {
        Self { holds: Holds::Map(definition), ..self }
    }

    const fn deprecated(self, revision: Revision) -> Self {
        Self { deprecated_in: Some(revision), ..self }
    }

    const fn extension(self, id: &'static str) -> Self {
        Self { extension: Some(id), ..self }
    }

    /// The pages have it, the schema does not.
    const fn in_prose(self) -> Self {
        Self { in_schema: false, ..self }
    }

    /// The name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether an object without it is malformed.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        self.required
    }

    /// The revisions of this row.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// What the value is.
    #[must_use]
    pub const fn holds(&self) -> Holds {
        self.holds
    }

    /// The revision that marks it deprecated.
    #[must_use]
    pub const fn deprecated_in(&self) -> Option<Revision> {
        self.deprecated_in
    }

    /// The extension that brings it, where it is not the core's.
    #[must_use]
    pub const fn extension_id(&self) -> Option<&'static str> {
        self.extension
    }

    /// Whether the schema has it; otherwise only the pages name it.
    #[must_use]
    pub const fn in_schema(&self) -> bool {
        self.in_schema
    }
}

/// What tells the alternatives of a choice apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// The text under this name; where it is absent, the first alternative is meant.
    Text(&'static str),
    /// Which of the names is there.
    Presence,
    /// The keywords of a JSON Schema, which is never entered.
    Keywords,
}

/// One alternative of a choice.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    tag: &'static str,
    definition: Definition,
    span: Span,
}

const fn when(tag: &'static str, definition: Definition) -> Alternative {
    Alternative { tag, definition, span: Span::new(V2024_11_05, None) }
}

impl Alternative {
    const fn since(self, revision: Revision) -> Self {
        Self { span: Span::new(revision, self.span.until()), ..self }
    }

    /// The text or name that tells it.
    #[must_use]
    pub const fn tag(&self) -> &'static str {
        self.tag
    }

    /// What the object then is.
    #[must_use]
    pub const fn definition(&self) -> Definition {
        self.definition
    }

    /// The revisions that know it.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }
}

/// What a definition is made of.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// An object with these members.
    Object(&'static [Member]),
    /// One of several objects.
    Choice(Tag, &'static [Alternative]),
    /// An object with free keys, all of this definition.
    Map(Definition),
    /// The capabilities of a client: [`CLIENT_PATHS`](super::CLIENT_PATHS).
    ClientCapabilities,
    /// The capabilities of a server: [`SERVER_PATHS`](super::SERVER_PATHS).
    ServerCapabilities,
}

/// How a revision stands to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing<T> {
    /// It has it.
    Has(T),
    /// Only other revisions have it.
    Lacks,
    /// The specification never had it here.
    Unknown,
}

impl Definition {
    /// The members of an object, of all revisions; none for what is no object of its own.
    #[must_use]
    pub fn members(self) -> &'static [Member] {
        match self.shape() {
            Shape::Object(members) => members,
            _ => &[],
        }
    }

    /// How `revision` stands to the member of this name.
    #[must_use]
    pub fn member(self, name: &[u8], revision: Revision) -> Standing<&'static Member> {
        let hint = hint(name);
        let mut standing = Standing::Unknown;
        for member in self.members() {
            if member.hint == hint && member.name.as_bytes() == name {
                if member.span.has(revision) {
                    return Standing::Has(member);
                }
                standing = Standing::Lacks;
            }
        }
        standing
    }

    /// How `revision` stands to the alternative of this tag.
    #[must_use]
    pub fn alternative(self, tag: &[u8], revision: Revision) -> Standing<Definition> {
        let Shape::Choice(_, alternatives) = self.shape() else { return Standing::Unknown };
        match alternatives.iter().find(|alternative| alternative.tag.as_bytes() == tag) {
            Some(alternative) if alternative.span.has(revision) => Standing::Has(alternative.definition),
            Some(_) => Standing::Lacks,
            None => Standing::Unknown,
        }
    }

    /// What the values directly below an object of this definition may be.
    fn below(self, revision: Revision) -> impl Iterator<Item = Definition> {
        let (members, alternatives, map) = match self.shape() {
            Shape::Object(members) => (members, &[][..], None),
            Shape::Choice(_, alternatives) => (&[][..], alternatives, None),
            Shape::Map(definition) => (&[][..], &[][..], Some(definition)),
            Shape::ClientCapabilities | Shape::ServerCapabilities => (&[][..], &[][..], None),
        };
        let held = members.iter().filter(move |member| member.span.has(revision)).filter_map(|m| m.holds.definition());
        let chosen = alternatives.iter().filter(move |a| a.span.has(revision)).map(|a| a.definition);
        held.chain(chosen).chain(map)
    }

    /// Whether a message of `revision` can hold an object of this definition.
    ///
    /// It walks the table from every method; it is for reading, not for a hot path.
    #[must_use]
    pub fn is_in(self, revision: Revision) -> bool {
        let mut seen = [false; Self::COUNT];
        let mut open: Vec<Self> = message::roots(revision).collect();
        while let Some(definition) = open.pop() {
            if definition == self {
                return true;
            }
            if !std::mem::replace(&mut seen[definition as usize], true) {
                open.extend(definition.below(revision));
            }
        }
        false
    }
}

impl Holds {
    /// The definition that the value, or what is in it, is of.
    #[must_use]
    pub const fn definition(self) -> Option<Definition> {
        match self {
            Self::Value | Self::Opaque => None,
            Self::Schema(definition)
            | Self::One(definition)
            | Self::List(definition)
            | Self::OneOrList(definition)
            | Self::Map(definition) => Some(definition),
        }
    }
}
