//! What a call asks of a client, and the smallest object that would satisfy it.

use std::borrow::Cow;
use std::collections::HashSet;

use super::declared::{CLIENT, Declared};
use super::owned::ClientCapabilities;
use crate::json::{Node, ObjectWriter};
use crate::table::{CapabilityType, ClientFeature, Revision, TASKS_EXTENSION};

/// The capabilities that a call needs: flags, names in the two open maps, and members that no revision knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    features: ClientFeature,
    names: Names,
}

/// Names that are declared where an object stands under them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Names {
    extensions: Box<[Box<str>]>,
    experimental: Box<[Box<str>]>,
    /// Of members beside the known ones.
    unknown: Box<[Box<str>]>,
}

impl Names {
    fn is_empty(&self) -> bool {
        self.extensions.is_empty() && self.experimental.is_empty() && self.unknown.is_empty()
    }
}

impl From<ClientFeature> for Requirement {
    fn from(features: ClientFeature) -> Self {
        Self { features, ..Self::default() }
    }
}

impl From<&ClientCapabilities> for Requirement {
    /// Everything that the object declares; an empty `elicitation` asks for the form.
    fn from(capabilities: &ClientCapabilities) -> Self {
        // The tasks extension is a flag of its own.
        let extensions = capabilities.extensions().map(|(name, _)| name).filter(|name| name != TASKS_EXTENSION);
        let unknown = capabilities.unknown().filter(|(_, value)| value.starts_with(b"{"));
        let names = Names {
            extensions: extensions.map(String::into_boxed_str).collect(),
            experimental: capabilities.experimental().map(|(name, _)| name.into_boxed_str()).collect(),
            unknown: unknown.map(|(name, _)| name.into_boxed_str()).collect(),
        };
        let mut features = capabilities.features();
        // Names say more than the map they stand in, and are told where the revision has no flag for it.
        if !names.extensions.is_empty() || features.contains(ClientFeature::TASKS_EXTENSION) {
            features.remove(ClientFeature::EXTENSIONS);
        }
        if !names.experimental.is_empty() {
            features.remove(ClientFeature::EXPERIMENTAL);
        }
        Self { features, names }
    }
}

impl Requirement {
    /// The flags that are needed.
    #[must_use]
    pub const fn features(&self) -> ClientFeature {
        self.features
    }

    /// Nothing is needed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.features.is_empty() && self.names.is_empty()
    }

    /// What both ask for together.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let join = |one: &[Box<str>], more: &[Box<str>]| {
            let new = more.iter().filter(|name| !one.contains(name));
            one.iter().chain(new).cloned().collect()
        };
        Self {
            features: self.features | other.features,
            names: Names {
                extensions: join(&self.names.extensions, &other.names.extensions),
                experimental: join(&self.names.experimental, &other.names.experimental),
                unknown: join(&self.names.unknown, &other.names.unknown),
            },
        }
    }

    /// Without what no client of this revision can declare.
    #[must_use]
    pub fn within(self, revision: Revision) -> Self {
        Self { features: self.features & revision.client_features(), ..self }
    }

    /// The smallest `ClientCapabilities` object that holds what a client lacks; none where it lacks nothing.
    ///
    /// `features` is what counts of `declared` under the request's revision, `text` what `declared` was read from.
    /// Every leaf is `{}`, but for the one boolean, which is `true`. Names that are unknown are not missing.
    ///
    /// Spec: 2026-07-28 basic/index, per-request protocol fields (MUST list the missing capabilities; -32021).
    #[must_use]
    pub fn missing(&self, features: ClientFeature, declared: &Declared, text: &[u8]) -> Option<Vec<u8>> {
        let lacking = missing(self.features, features);
        if !declared.names_known() || self.names.is_empty() {
            return (!lacking.is_empty()).then(|| smallest(lacking, features));
        }
        let objects = declared.unknown(text).filter(|(_, node)| node.is_object());
        let names = Names {
            extensions: without(&self.names.extensions, declared.extensions(text, None)),
            experimental: without(&self.names.experimental, declared.experimental(text)),
            unknown: without(&self.names.unknown, objects),
        };
        (!lacking.is_empty() || !names.is_empty()).then(|| compose(lacking, features, &names))
    }
}

/// The names that are not among the entries, in their own order.
fn without<'t>(wanted: &[Box<str>], entries: impl Iterator<Item = (Cow<'t, [u8]>, Node)>) -> Box<[Box<str>]> {
    let mut lacking: HashSet<&[u8]> = wanted.iter().map(|name| name.as_bytes()).collect();
    for (name, _) in entries {
        lacking.remove(name.as_ref());
    }
    wanted.iter().filter(|name| lacking.contains(name.as_bytes())).cloned().collect()
}

/// What of `required` is not in `declared`.
#[must_use]
pub const fn missing(required: ClientFeature, declared: ClientFeature) -> ClientFeature {
    required.difference(declared)
}

/// The smallest object that declares `lacking`, for a client that has declared `declared`.
///
/// The form alone is an empty `elicitation`, unless the client has that without the form.
#[must_use]
pub fn smallest(lacking: ClientFeature, declared: ClientFeature) -> Vec<u8> {
    compose(lacking, declared, &Names::default())
}

fn compose(lacking: ClientFeature, declared: ClientFeature, names: &Names) -> Vec<u8> {
    let mut leaves = lacking;
    let form_alone = leaves.contains(ClientFeature::ELICITATION_FORM)
        && !(leaves | declared).contains(ClientFeature::ELICITATION_URL)
        && !declared.contains(ClientFeature::ELICITATION);
    if form_alone {
        leaves.remove(ClientFeature::ELICITATION_FORM);
        leaves.insert(ClientFeature::ELICITATION);
    }
    if !names.extensions.is_empty() {
        leaves.insert(ClientFeature::EXTENSIONS);
    }
    if !names.experimental.is_empty() {
        leaves.insert(ClientFeature::EXPERIMENTAL);
    }
    let wanted = CLIENT.rows().filter(|(_, row)| !row.feature().is_empty() && leaves.contains(row.feature()));
    let places = CLIENT.with_parents(wanted.map(|(place, _)| place));
    let mut out = Vec::with_capacity(64);
    write_members(&mut out, None, places, names);
    out
}

fn write_members(out: &mut Vec<u8>, parent: Option<usize>, places: u32, names: &Names) {
    let mut object = ObjectWriter::open(out);
    for (place, row) in CLIENT.members(parent).filter(|(place, _)| places >> place & 1 == 1) {
        object.key(out, row.path().last().copied().unwrap_or_default());
        match row.kind() {
            CapabilityType::Boolean => out.extend_from_slice(b"true"),
            CapabilityType::Object => write_members(out, Some(place), places, names),
        }
    }
    let names: &[Box<str>] = match parent.map(|place| CLIENT.feature(place)) {
        None => &names.unknown,
        Some(ClientFeature::EXTENSIONS) => &names.extensions,
        Some(ClientFeature::EXPERIMENTAL) => &names.experimental,
        Some(_) => &[],
    };
    for name in names {
        object.member(out, name, b"{}");
    }
    object.close(out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ClientFeature as C;

    fn answer(required: &str, declared: &str) -> Option<String> {
        let required = ClientCapabilities::parse(required.as_bytes(), None).unwrap();
        let declared = ClientCapabilities::parse(declared.as_bytes(), None).unwrap();
        let object = declared.missing(&Requirement::from(&required))?;
        Some(String::from_utf8(object).unwrap())
    }

    #[test]
    fn the_answer_is_the_smallest_object_that_holds_what_is_missing() {
        for (required, declared, expected) in [
            (r#"{"elicitation":{}}"#, "{}", r#"{"elicitation":{}}"#),
            (r#"{"elicitation":{"form":{}}}"#, "{}", r#"{"elicitation":{}}"#),
            (r#"{"elicitation":{}}"#, r#"{"elicitation":{"url":{}}}"#, r#"{"elicitation":{"form":{}}}"#),
            (r#"{"elicitation":{"url":{}}}"#, "{}", r#"{"elicitation":{"url":{}}}"#),
            (r#"{"elicitation":{"url":{}}}"#, r#"{"elicitation":{}}"#, r#"{"elicitation":{"url":{}}}"#),
            (r#"{"elicitation":{"form":{},"url":{}}}"#, "{}", r#"{"elicitation":{"form":{},"url":{}}}"#),
            (r#"{"elicitation":{"form":{},"url":{}}}"#, r#"{"elicitation":{}}"#, r#"{"elicitation":{"url":{}}}"#),
            (r#"{"sampling":{}}"#, "{}", r#"{"sampling":{}}"#),
            (r#"{"sampling":{"tools":{}}}"#, "{}", r#"{"sampling":{"tools":{}}}"#),
            (r#"{"sampling":{"tools":{}}}"#, r#"{"sampling":{}}"#, r#"{"sampling":{"tools":{}}}"#),
            (
                r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#,
                "{}",
                r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#,
            ),
            (
                r#"{"extensions":{"io.modelcontextprotocol/tasks":{},"a/b":{"deep":[1]}}}"#,
                r#"{"extensions":{"c/d":{}}}"#,
                r#"{"extensions":{"io.modelcontextprotocol/tasks":{},"a/b":{}}}"#,
            ),
            (r#"{"extensions":{"a\"b":{},"c/d":{}}}"#, r#"{"extensions":{"c/d":{}}}"#, r#"{"extensions":{"a\"b":{}}}"#),
            (
                r#"{"experimental":{"x":{}},"roots":{"listChanged":true}}"#,
                r#"{"experimental":{"x":1}}"#,
                r#"{"experimental":{"x":{}},"roots":{"listChanged":true}}"#,
            ),
            (
                r#"{"com.example":{"v":1},"flag":true,"sampling":{}}"#,
                r#"{"com.example":true}"#,
                r#"{"sampling":{},"com.example":{}}"#,
            ),
            (
                r#"{"tasks":{"requests":{"sampling":{"createMessage":{}}}}}"#,
                r#"{"tasks":{}}"#,
                r#"{"tasks":{"requests":{"sampling":{"createMessage":{}}}}}"#,
            ),
        ] {
            assert_eq!(answer(required, declared).as_deref(), Some(expected), "{required} of {declared}");
        }
    }

    #[test]
    fn a_client_that_has_it_all_lacks_nothing() {
        for (required, declared) in [
            ("{}", "{}"),
            (r#"{"elicitation":{}}"#, r#"{"elicitation":{"form":{},"url":{}}}"#),
            (r#"{"extensions":{"a/b":{}}}"#, r#"{"extensions":{"\u0061/b":{"x":1}}}"#),
            (r#"{"experimental":{"x":{}}}"#, r#"{"experimental":{"x":{},"y":{}}}"#),
            (r#"{"com.example":{}}"#, r#"{"com.example":{"v":1}}"#),
        ] {
            assert_eq!(answer(required, declared), None);
        }
    }

    #[test]
    fn what_is_missing_and_what_was_declared_are_enough_together() {
        let every = C::all();
        for bits in 0..=every.bits() {
            let lacking = C::from_bits_truncate(bits);
            let object = smallest(lacking, C::empty());
            let read = ClientCapabilities::parse(&object, None).unwrap();
            assert!(read.features().contains(lacking), "{lacking:?}");
        }
    }

    #[test]
    fn names_are_asked_for_under_any_revision_and_never_of_who_cannot_tell() {
        let required = ClientCapabilities::parse(br#"{"extensions":{"a/b":{}}}"#, None).unwrap();
        let required = Requirement::from(&required);
        for &revision in Revision::ALL {
            let has = ClientCapabilities::parse(br#"{"extensions":{"a/b":{"x":1}}}"#, Some(revision)).unwrap();
            assert_eq!(has.missing(&required), None);
            let lacks = ClientCapabilities::parse(br#"{"extensions":{}}"#, Some(revision)).unwrap();
            assert_eq!(lacks.missing(&required).unwrap(), br#"{"extensions":{"a/b":{}}}"#);
        }
        assert_eq!(ClientCapabilities::of_features(C::empty()).missing(&required), None);
    }

    #[test]
    fn nothing_is_asked_for_that_the_revision_does_not_have() {
        let required = C::ROOTS | C::ROOTS_LIST_CHANGED | C::TASKS_LIST | C::TASKS_EXTENSION | C::SAMPLING_TOOLS;
        for &revision in Revision::ALL {
            let within = Requirement::from(required).within(revision);
            assert_eq!(within.features(), required & revision.client_features());
        }
        let [oldest, .., newest] = Revision::ALL else { panic!() };
        assert_eq!(Requirement::from(required).within(*oldest).features(), C::ROOTS | C::ROOTS_LIST_CHANGED);
        let modern = C::ROOTS | C::TASKS_EXTENSION | C::SAMPLING_TOOLS;
        assert_eq!(Requirement::from(required).within(*newest).features(), modern);
        let named = Requirement::from(&ClientCapabilities::parse(br#"{"extensions":{"a/b":{}}}"#, None).unwrap());
        assert_eq!(named.clone().within(*oldest), named);
    }

    #[test]
    fn requirements_add_up() {
        let one = Requirement::from(&ClientCapabilities::parse(br#"{"extensions":{"a/b":{}}}"#, None).unwrap());
        let both = one.union(&C::SAMPLING.into()).union(&one);
        assert_eq!(both.features(), C::SAMPLING);
        let none = ClientCapabilities::parse(b"{}", None).unwrap();
        assert_eq!(none.missing(&both).unwrap(), br#"{"extensions":{"a/b":{}},"sampling":{}}"#);
        assert!(Requirement::default().is_empty() && !both.is_empty());
    }
}
