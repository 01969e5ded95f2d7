//! What stands in a `ClientCapabilities` value, whatever the revision, and what of it counts under one.

use std::borrow::Cow;
use std::fmt;

use super::tree::{Tree, tree};
use crate::json::{Cursor, Kind, Limits, Node, Span};
use crate::table::{CLIENT_PATHS, CapabilityRow, CapabilityType, ClientFeature, Revision, TASKS_EXTENSION};

/// A word has a bit for each row.
const _: () = assert!(CLIENT_PATHS.len() <= 64);

pub(super) static CLIENT: Tree<ClientFeature, { CLIENT_PATHS.len() }> = tree(CLIENT_PATHS);

/// A `ClientCapabilities` value as it was read: flags and spans, no copy of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    features: ClientFeature,
    /// Rows of a wrong type, a bit each.
    wrong: u32,
    is_object: bool,
    names_known: bool,
    whole: Span,
    extensions: Span,
    experimental: Span,
}

/// A known capability whose value has a wrong type; the words are in [`Display`](fmt::Display).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongType {
    path: &'static [&'static str],
    expected: CapabilityType,
}

impl WrongType {
    /// The member names from the capabilities object down; empty for the object itself.
    #[must_use]
    pub const fn path(&self) -> &'static [&'static str] {
        self.path
    }

    /// The type that would be right.
    #[must_use]
    pub const fn expected(&self) -> CapabilityType {
        self.expected
    }
}

impl fmt::Display for WrongType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path {
            [] => f.write_str("capabilities")?,
            path => write!(f, "capability {}", path.join("."))?,
        }
        let article = match self.expected {
            CapabilityType::Object => "an",
            CapabilityType::Boolean => "a",
        };
        write!(f, " must be {article} {}", self.expected.as_str())
    }
}

impl std::error::Error for WrongType {}

impl Declared {
    /// Reads the value that the cursor stands at, whatever it is, and passes over it.
    ///
    /// Every object inside is read with its keys checked: ask [`Cursor::saw_duplicate`] afterwards.
    ///
    /// A fault in the text is told at the latest by [`Cursor::end`].
    pub fn read(cursor: &mut Cursor<'_>) -> Self {
        let mut declared = Self { names_known: true, ..Self::default() };
        if cursor.peek() != Some(b'{') {
            cursor.pass_checked();
            return declared;
        }
        declared.is_object = true;
        let start = cursor.position();
        declared.read_object(cursor, None);
        declared.whole = Span::new(start, cursor.position());
        if declared.features.contains(ClientFeature::ELICITATION)
            && !declared.features.contains(ClientFeature::ELICITATION_URL)
        {
            declared.features |= ClientFeature::ELICITATION_FORM; // an empty object means the form
        }
        declared
    }

    fn read_object(&mut self, cursor: &mut Cursor<'_>, parent: Option<usize>) {
        let mut members = if cursor.notes_case_variants() {
            let names: Vec<&str> = CLIENT.members(parent).filter_map(|(_, row)| row.path().last().copied()).collect();
            cursor.enter_object_reading(&names)
        } else {
            cursor.enter_object()
        };
        let at = |text: &[u8], at| CLIENT.member_at(parent, text, at).map(|(place, end)| (Some(place), end));
        let of = |name: &[u8]| CLIENT.member(parent, name).map(|(place, _)| place);
        let mut said = 0_u64;
        while let Some(place) = cursor.named_member(&mut members, at, of) {
            let Some((place, row)) = place.and_then(|place| Some((place, CLIENT.row(place)?))) else {
                cursor.pass_checked();
                continue;
            };
            cursor.note_duplicate(said >> place & 1 == 1);
            said |= 1 << place;
            if row.kind() == CapabilityType::Object && cursor.here() == Some(b'{') {
                let start = cursor.position();
                self.features |= row.feature();
                // Most are empty.
                if !cursor.pass_empty_object() {
                    self.read_object(cursor, Some(place));
                }
                let span = Span::new(start, cursor.position());
                if row.feature() == ClientFeature::EXTENSIONS {
                    self.extensions = span;
                } else if row.feature() == ClientFeature::EXPERIMENTAL {
                    self.experimental = span;
                }
            } else {
                let node = cursor.pass_checked();
                self.judge(place, row, node);
            }
        }
    }

    /// A member that is not the object it should be, or that should be something else.
    fn judge(&mut self, place: usize, row: &CapabilityRow<ClientFeature>, node: Node) {
        match (row.kind(), node.kind()) {
            (CapabilityType::Boolean, Kind::True) => self.features |= row.feature(),
            (_, Kind::Null) | (CapabilityType::Boolean, Kind::False) => {}
            // An entry of an open map may be anything; only an object is settings.
            _ if row.extension_id().is_some() => {}
            _ => self.wrong |= 1 << place,
        }
    }

    /// With spans that count from the byte `start` of the text on.
    #[must_use]
    pub(super) fn back_by(self, start: usize) -> Self {
        let back = |span: Span| {
            Span::new((span.start as usize).saturating_sub(start), (span.end as usize).saturating_sub(start))
        };
        Self {
            whole: back(self.whole),
            extensions: back(self.extensions),
            experimental: back(self.experimental),
            ..self
        }
    }

    /// Flags alone, as a session ticket carries them; the names in `extensions` and `experimental` are unknown then.
    #[must_use]
    pub const fn of(features: ClientFeature) -> Self {
        const NOWHERE: Span = Span { start: 0, end: 0 };
        Self {
            features,
            wrong: 0,
            is_object: true,
            names_known: false,
            whole: NOWHERE,
            extensions: NOWHERE,
            experimental: NOWHERE,
        }
    }

    /// Every flag that any revision would give, wrong types read as not declared.
    #[must_use]
    pub const fn features(&self) -> ClientFeature {
        self.features
    }

    /// Whether the names in the open maps are known.
    #[must_use]
    pub const fn names_known(&self) -> bool {
        self.names_known
    }

    /// Whether the value was an object at all.
    #[must_use]
    pub const fn is_object(&self) -> bool {
        self.is_object
    }

    /// What counts under `revision`: declared, and a path of that revision.
    ///
    /// The form rides on `elicitation` where the revision has no modes; a client that offers only another mode offers
    /// such a revision nothing.
    ///
    /// # Errors
    ///
    /// The value is no object, or a path of the revision has a wrong type (the first one in the table's order).
    pub fn under(&self, revision: Revision) -> Result<ClientFeature, WrongType> {
        self.check(Some(revision))?;
        Ok(self.effective(revision))
    }

    /// The same, wrong types read as not declared.
    #[must_use]
    pub fn effective(&self, revision: Revision) -> ClientFeature {
        let mut permitted = revision.client_features();
        if permitted.contains(ClientFeature::ELICITATION) {
            permitted |= ClientFeature::ELICITATION_FORM;
        }
        let effective = self.features & permitted;
        if effective.intersects(ClientFeature::ELICITATION_FORM | ClientFeature::ELICITATION_URL) {
            effective
        } else {
            effective - ClientFeature::ELICITATION
        }
    }

    /// Whether every path of `revision`, of any revision where that is none, has its type.
    ///
    /// # Errors
    ///
    /// As for [`Declared::under`].
    pub fn check(&self, revision: Option<Revision>) -> Result<(), WrongType> {
        self.check_object()?;
        if self.wrong == 0 {
            return Ok(());
        }
        let fault = CLIENT.rows().find(|(place, row)| {
            self.is_wrong(*place) && revision.is_none_or(|revision| row.spans().has(revision, READING))
        });
        match fault {
            Some((_, row)) => Err(WrongType { path: row.path(), expected: row.kind() }),
            None => Ok(()),
        }
    }

    pub(super) const fn check_object(&self) -> Result<(), WrongType> {
        if self.is_object { Ok(()) } else { Err(WrongType { path: &[], expected: CapabilityType::Object }) }
    }

    pub(super) const fn is_wrong(&self, place: usize) -> bool {
        self.wrong >> place & 1 == 1
    }

    /// The entries of `extensions` whose settings are an object; `text` is what was read.
    ///
    /// Under a revision that does not have the tasks extension, that one is left out. Spec: SEP-2663, compatibility.
    pub fn extensions<'t>(
        &self,
        text: &'t [u8],
        revision: Option<Revision>,
    ) -> impl Iterator<Item = (Cow<'t, [u8]>, Node)> + use<'t> {
        let without_tasks = revision.is_some_and(|it| !it.client_features().contains(ClientFeature::TASKS_EXTENSION));
        let is_left_out = move |name: &[u8]| without_tasks && name == TASKS_EXTENSION.as_bytes();
        Entries::of(text, self.extensions).filter(move |(name, node)| node.is_object() && !is_left_out(name))
    }

    /// The members that no revision knows; `text` is what was read.
    pub fn unknown<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = (Cow<'t, [u8]>, Node)> + use<'t> {
        Entries::of(text, self.whole).filter(|(name, _)| CLIENT.member(None, name).is_none())
    }

    /// The entries of `experimental` whose value is an object; `text` is what was read.
    pub fn experimental<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = (Cow<'t, [u8]>, Node)> + use<'t> {
        Entries::of(text, self.experimental).filter(|(_, node)| node.is_object())
    }
}

/// The two readings agree about clients.
pub(super) const READING: crate::table::Reading = crate::table::Reading::Record;

/// The members of an object whose text was checked before.
pub(super) struct Entries<'t> {
    cursor: Cursor<'t>,
    members: Option<crate::json::Members>,
}

impl<'t> Entries<'t> {
    /// Those of the object at `span`; of an empty span none.
    pub(super) fn of(text: &'t [u8], span: Span) -> Self {
        let limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };
        let mut cursor = Cursor::resume(text, span.start as usize, 0, limits);
        let members = if span.is_empty() { None } else { cursor.open_object().ok() };
        Self { cursor, members }
    }
}

impl<'t> Iterator for Entries<'t> {
    type Item = (Cow<'t, [u8]>, Node);

    fn next(&mut self) -> Option<Self::Item> {
        let members = self.members.as_mut()?;
        let key = self.cursor.next_unchecked_member(members).ok()??;
        let node = self.cursor.value().ok()?;
        Some((key.name(self.cursor.text()), node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ClientFeature as C;

    fn read(text: &str) -> Declared {
        let mut cursor = Cursor::new(text.as_bytes(), Limits::default()).unwrap();
        let declared = Declared::read(&mut cursor);
        cursor.end().unwrap();
        declared
    }

    fn of(date: &str) -> Revision {
        Revision::parse(date.as_bytes()).unwrap()
    }

    #[test]
    fn an_empty_elicitation_means_the_form_and_url_alone_does_not() {
        for (text, form, url) in [
            (r#"{"elicitation":{}}"#, true, false),
            (r#"{"elicitation":{"voice":{}}}"#, true, false),
            (r#"{"elicitation":{"form":{}}}"#, true, false),
            (r#"{"elicitation":{"url":{}}}"#, false, true),
            (r#"{"elicitation":{"url":null}}"#, true, false),
            (r#"{"elicitation":{"url":{},"form":null}}"#, false, true),
            (r#"{"elicitation":{"form":{},"url":{}}}"#, true, true),
            (r#"{"elicitation":null}"#, false, false),
            (r#"{"elicitation":true}"#, false, false),
            (r#"{"form":{},"url":{}}"#, false, false),
        ] {
            let features = read(text).features();
            assert_eq!(features.contains(C::ELICITATION_FORM), form, "{text}");
            assert_eq!(features.contains(C::ELICITATION_URL), url, "{text}");
        }
    }

    #[test]
    fn a_flag_counts_where_the_revision_has_its_path() {
        let everything = read(
            r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{"listChanged":true},
                "tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}},
                "experimental":{"x":{}},"extensions":{"io.modelcontextprotocol/tasks":{},"a/b":{}}}"#,
        );
        assert_eq!(everything.features(), C::all());
        for &revision in Revision::ALL {
            let mut expected = revision.client_features();
            if expected.contains(C::ELICITATION) {
                expected |= C::ELICITATION_FORM;
            }
            assert_eq!(everything.under(revision), Ok(expected));
        }
        let url = read(r#"{"elicitation":{"url":{}}}"#);
        assert_eq!(url.under(of("2025-06-18")), Ok(C::empty()));
        assert_eq!(url.under(of("2025-11-25")), Ok(C::ELICITATION | C::ELICITATION_URL));
        let form = read(r#"{"elicitation":{}}"#);
        assert_eq!(form.under(of("2025-03-26")), Ok(C::empty()));
        assert_eq!(form.under(of("2025-06-18")), Ok(C::ELICITATION | C::ELICITATION_FORM));
    }

    #[test]
    fn every_path_is_typed_under_the_revisions_that_have_it_and_under_no_other() {
        for row in CLIENT_PATHS.iter().filter(|row| row.extension_id().is_none()) {
            let wrong =
                if row.kind() == CapabilityType::Object { ["true", "[]", "0"] } else { ["{}", "1", "\"true\""] };
            for value in wrong {
                let text =
                    row.path().iter().rev().fold(value.to_owned(), |inner, name| format!(r#"{{"{name}":{inner}}}"#));
                let declared = read(&text);
                let expected = WrongType { path: row.path(), expected: row.kind() };
                assert_eq!(declared.check(None), Err(expected));
                assert_eq!((expected.path(), expected.expected()), (row.path(), row.kind()));
                assert!(!row.feature().is_empty() || declared.features().is_empty() || row.path().len() > 1);
                for &revision in Revision::ALL {
                    let has = row.spans().has(revision, READING);
                    assert_eq!(declared.under(revision).err(), has.then_some(expected), "{text}");
                    assert!(
                        row.feature().is_empty()
                            || !declared.effective(revision).contains(row.feature())
                            || text.contains("form")
                    );
                }
            }
            for nothing in ["null", "false"] {
                if nothing == "null" || row.kind() == CapabilityType::Boolean {
                    let text = row
                        .path()
                        .iter()
                        .rev()
                        .fold(nothing.to_owned(), |inner, name| format!(r#"{{"{name}":{inner}}}"#));
                    assert_eq!(read(&text).check(None), Ok(()));
                }
            }
        }
    }

    #[test]
    fn faults_name_the_path_and_the_type() {
        let say = |text: &str| read(text).check(None).unwrap_err().to_string();
        assert_eq!(say(r#"{"roots":{"listChanged":1}}"#), "capability roots.listChanged must be a boolean");
        assert_eq!(say(r#"{"sampling":[]}"#), "capability sampling must be an object");
        for text in ["null", "[]", "\"x\"", "1"] {
            assert_eq!(say(text), "capabilities must be an object");
        }
    }

    #[test]
    fn entries_of_open_maps_are_names_where_they_are_objects() {
        let text = r#"{"extensions":{"a/b":{"x":1},"c/d":true,"\u0065/f":{},"io.modelcontextprotocol/tasks":7},
                       "experimental":{"p":{},"q":null}}"#;
        let declared = read(text);
        assert_eq!(declared.check(None), Ok(()));
        assert_eq!(declared.features(), C::EXTENSIONS | C::EXPERIMENTAL);
        let names: Vec<_> = declared.extensions(text.as_bytes(), None).map(|(name, _)| name).collect();
        assert_eq!(names, [b"a/b".as_slice(), b"e/f"]);
        let names: Vec<_> = declared.experimental(text.as_bytes()).map(|(name, _)| name).collect();
        assert_eq!(names, [b"p".as_slice()]);
        let text = r#"{"extensions":{"io.modelcontextprotocol/tasks":{},"a/b":{}}}"#;
        let declared = read(text);
        for &revision in Revision::ALL {
            let tasks = revision.client_features().contains(C::TASKS_EXTENSION);
            let names = declared.extensions(text.as_bytes(), Some(revision)).count();
            assert_eq!(names, if tasks { 2 } else { 1 });
            assert_eq!(declared.effective(revision).contains(C::TASKS_EXTENSION), tasks);
        }
    }

    #[test]
    fn a_repeated_key_is_noted_at_any_depth() {
        for text in [
            r#"{"roots":{},"roots":{}}"#,
            r#"{"roots":{},"ro\u006fts":{}}"#,
            r#"{"experimental":{"x":[{"deep":{"a":1,"a":2}}]}}"#,
            r#"{"extensions":{"a/b":{},"a/b":1}}"#,
            r#"{"vendor":{"a":1,"a":1}}"#,
            r#"{"sampling":[{"a":1,"a":1}]}"#,
            r#"[{"a":1,"a":1}]"#,
        ] {
            let mut cursor = Cursor::new(text.as_bytes(), Limits::default()).unwrap();
            Declared::read(&mut cursor);
            assert!(cursor.saw_duplicate(), "{text}");
        }
        let mut cursor = Cursor::new(br#"{"a":{"x":1},"b":{"x":1}}"#, Limits::default()).unwrap();
        Declared::read(&mut cursor);
        assert!(!cursor.saw_duplicate());
    }
}
