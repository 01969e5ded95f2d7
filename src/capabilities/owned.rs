//! Capabilities that own their text, for everything that outlives a request body.

use std::borrow::Cow;
use std::fmt;

use super::declared::{CLIENT, Declared, Entries, WrongType};
use super::requirement::{Requirement, smallest};
use super::trim::trim;
use crate::json::{Cursor, Fault, Limits, Node, Span, canonical};
use crate::table::{ClientFeature, Revision};

/// What a client declared, with the text it was read from.
///
/// ```
/// use revcap::capabilities::ClientCapabilities;
/// use revcap::table::ClientFeature;
///
/// let client = ClientCapabilities::parse(br#"{"elicitation":{},"com.example":{"beta":1}}"#, None)?;
/// assert!(client.supports(ClientFeature::ELICITATION_FORM));
/// assert!(!client.supports(ClientFeature::ELICITATION_URL));
/// # Ok::<(), revcap::capabilities::InvalidCapabilities>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClientCapabilities {
    text: Box<[u8]>,
    declared: Declared,
    revision: Option<Revision>,
    features: ClientFeature,
}

/// Why a text is no `ClientCapabilities` object; the words are in [`Display`](fmt::Display).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidCapabilities {
    /// The text is not one JSON value within the limits.
    Json(Fault),
    /// An object inside says a key twice.
    DuplicateKey,
    /// The value is no object, or a known capability has a wrong type.
    WrongType(WrongType),
}

impl InvalidCapabilities {
    /// The capability at fault, its names joined by dots; empty where the fault is not one capability's.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::WrongType(fault) => fault.path().join("."),
            Self::Json(_) | Self::DuplicateKey => String::new(),
        }
    }
}

impl fmt::Display for InvalidCapabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(fault) => write!(f, "capabilities are not JSON: {fault}"),
            Self::DuplicateKey => f.write_str("capabilities have a duplicate object key"),
            Self::WrongType(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for InvalidCapabilities {}

impl From<Fault> for InvalidCapabilities {
    fn from(fault: Fault) -> Self {
        Self::Json(fault)
    }
}

impl From<WrongType> for InvalidCapabilities {
    fn from(fault: WrongType) -> Self {
        Self::WrongType(fault)
    }
}

impl ClientCapabilities {
    /// Reads a `ClientCapabilities` object as a client of `revision` means it.
    ///
    /// Without a revision every path of any revision is typed and gives its flag.
    ///
    /// # Errors
    ///
    /// `text` is not one JSON object within the default [`Limits`], an object inside says a key twice, or a capability
    /// of the revision has a wrong type.
    pub fn parse(text: &[u8], revision: Option<Revision>) -> Result<Self, InvalidCapabilities> {
        Self::parse_within(text, revision, Limits::default())
    }

    /// The same within other limits.
    ///
    /// # Errors
    ///
    /// As for [`ClientCapabilities::parse`].
    pub fn parse_within(text: &[u8], revision: Option<Revision>, limits: Limits) -> Result<Self, InvalidCapabilities> {
        let read = Self::parse_leniently(text, revision, limits)?;
        read.declared.check(revision)?;
        Ok(read)
    }

    /// The same, wrong types read as not declared; only what is no object is refused for its type.
    ///
    /// # Errors
    ///
    /// As for [`ClientCapabilities::parse`].
    pub fn parse_leniently(
        text: &[u8],
        revision: Option<Revision>,
        limits: Limits,
    ) -> Result<Self, InvalidCapabilities> {
        let mut cursor = Cursor::new(text, limits)?;
        cursor.peek();
        let start = cursor.position();
        let declared = Declared::read(&mut cursor);
        let end = cursor.position();
        cursor.end()?;
        if cursor.saw_duplicate() {
            return Err(InvalidCapabilities::DuplicateKey);
        }
        declared.check_object()?;
        Ok(Self::of_checked(text.get(start..end).unwrap_or_default(), declared.back_by(start), revision))
    }

    /// The object that a gate has read, from `{` to `}`; wrong types read as not declared.
    #[must_use]
    pub fn of_body(object: &[u8], revision: Option<Revision>) -> Self {
        let mut cursor = Cursor::resume(object, 0, 0, CHECKED);
        let declared = Declared::read(&mut cursor);
        if declared.is_object() {
            Self::of_checked(object, declared, revision)
        } else {
            Self { revision, ..Self::of_features(ClientFeature::empty()) }
        }
    }

    fn of_checked(text: &[u8], declared: Declared, revision: Option<Revision>) -> Self {
        let features = revision.map_or(declared.features(), |revision| declared.effective(revision));
        Self { text: text.into(), declared, revision, features }
    }

    /// Flags alone, as a session ticket carries them; names of extensions and experimental capabilities are unknown.
    #[must_use]
    pub fn of_features(features: ClientFeature) -> Self {
        let text = smallest(features, ClientFeature::empty()).into_boxed_slice();
        Self { text, declared: Declared::of(features), revision: None, features }
    }

    /// The object as it was read, from `{` to `}`.
    #[must_use]
    pub fn as_json(&self) -> &[u8] {
        &self.text
    }

    /// The revision it was read under.
    #[must_use]
    pub const fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// Everything that counts under the revision it was read under.
    #[must_use]
    pub const fn features(&self) -> ClientFeature {
        self.features
    }

    /// Whether all of `feature` is declared.
    #[must_use]
    pub const fn supports(&self, feature: ClientFeature) -> bool {
        self.features.contains(feature)
    }

    /// What of it counts under another revision; wrong types there read as not declared.
    #[must_use]
    pub fn effective(&self, revision: Revision) -> ClientFeature {
        self.declared.effective(revision) & self.features
    }

    /// The smallest object that holds what is missing; none where nothing is.
    #[must_use]
    pub fn missing(&self, required: &Requirement) -> Option<Vec<u8>> {
        required.missing(self.features, &self.declared, &self.text)
    }

    /// Whether the names in the open maps are known; flags from a ticket come without them.
    #[must_use]
    pub const fn names_known(&self) -> bool {
        self.declared.names_known()
    }

    /// The extensions that are declared, each with the text of its settings.
    ///
    /// They are told under any revision, but for the tasks extension where the revision does not have it.
    pub fn extensions(&self) -> impl Iterator<Item = (String, &[u8])> {
        self.declared.extensions(&self.text, self.revision).map(|entry| self.member(entry))
    }

    /// The experimental capabilities that are declared, each with the text of its value.
    pub fn experimental(&self) -> impl Iterator<Item = (String, &[u8])> {
        self.declared.experimental(&self.text).map(|entry| self.member(entry))
    }

    /// Whether there is a map of extensions at all, be it empty.
    #[must_use]
    pub const fn has_extensions(&self) -> bool {
        self.names_known() && self.declared.features().contains(ClientFeature::EXTENSIONS)
    }

    /// The text of a declared capability's object; none for a flag that is no top member, or not declared.
    #[must_use]
    pub fn object(&self, capability: ClientFeature) -> Option<&[u8]> {
        if !self.supports(capability) {
            return None;
        }
        let is_it = |name: &[u8]| CLIENT.member(None, name).is_some_and(|(_, row)| row.feature() == capability);
        let mut members = Entries::of(&self.text, self.whole());
        members.find(|(name, node)| node.is_object() && is_it(name)).map(|(_, node)| node.token(&self.text))
    }

    /// The members that no revision knows, each with the text of its value.
    pub fn unknown(&self) -> impl Iterator<Item = (String, &[u8])> {
        self.declared.unknown(&self.text).map(|entry| self.member(entry))
    }

    fn whole(&self) -> Span {
        Span::new(0, self.text.len())
    }

    fn member(&self, (name, node): (Cow<'_, [u8]>, Node)) -> (String, &[u8]) {
        (String::from_utf8_lossy(&name).into_owned(), node.token(&self.text))
    }

    /// The object as a client of `revision` would send it: paths of other revisions, nulls, `false` and what has a
    /// wrong type left out; everything that no revision knows kept.
    ///
    /// `legacy_extensions` keeps `extensions`, less the tasks extension, where a handshake shows them.
    #[must_use]
    pub fn trimmed(&self, revision: Revision, legacy_extensions: bool) -> Vec<u8> {
        trim(&self.text, &self.declared, revision, legacy_extensions)
    }

    /// One spelling for all objects that say the same, to compare and to hash.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        canonical(&self.text, CHECKED).unwrap_or_else(|_| self.text.to_vec())
    }
}

/// What a text that was checked may hold.
const CHECKED: Limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };

/// Equal where both say the same and were read under the same revision; order, white space and spelling do not count.
impl PartialEq for ClientCapabilities {
    fn eq(&self, other: &Self) -> bool {
        self.revision == other.revision
            && self.features == other.features
            && self.names_known() == other.names_known()
            && (self.text == other.text || self.canonical() == other.canonical())
    }
}

impl Eq for ClientCapabilities {}

impl std::hash::Hash for ClientCapabilities {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.revision.hash(state);
        self.canonical().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ClientCapabilities, InvalidCapabilities> {
        ClientCapabilities::parse(text.as_bytes(), None)
    }

    #[test]
    fn white_space_and_a_byte_order_mark_around_the_object_do_not_move_its_spans() {
        let client = parse("\u{feff} \n{\"extensions\":{\"a/b\":{}}} ").unwrap();
        assert_eq!(client.as_json(), br#"{"extensions":{"a/b":{}}}"#);
        assert_eq!(client.extensions().collect::<Vec<_>>(), [("a/b".to_owned(), b"{}".as_slice())]);
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for (text, expected) in [
            ("[]", "capabilities must be an object"),
            ("null", "capabilities must be an object"),
            ("{\"a\":1,\"a\":2}", "capabilities have a duplicate object key"),
            ("{\"sampling\":true}", "capability sampling must be an object"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected);
        }
        for text in ["", "{", "{} {}", "{\"a\":NaN}", "{\"a\":\"\\ud800\"}", "{\"a\":'b'}"] {
            assert!(matches!(parse(text), Err(InvalidCapabilities::Json(_))), "{text}");
        }
        let deep = format!("{}1{}", "{\"a\":".repeat(200), "}".repeat(200));
        assert!(matches!(parse(&deep), Err(InvalidCapabilities::Json(_))));
    }

    #[test]
    fn equality_is_by_value_and_revision() {
        let one = parse(r#"{"sampling":{},"x":[1,2.0]}"#).unwrap();
        let same = parse(r#" {"x":[1.0, 2],"s\u0061mpling":{}}"#).unwrap();
        assert_eq!(one, same);
        assert_ne!(one, parse(r#"{"sampling":{},"x":[2,1]}"#).unwrap());
        let under =
            ClientCapabilities::parse(br#"{"sampling":{},"x":[1,2.0]}"#, Revision::ALL.first().copied()).unwrap();
        assert_ne!(one, under);
    }

    #[test]
    fn a_ticket_gives_flags_without_names() {
        let flags = ClientFeature::EXTENSIONS | ClientFeature::ELICITATION | ClientFeature::ELICITATION_FORM;
        let client = ClientCapabilities::of_features(flags);
        assert!(client.supports(flags) && !client.names_known());
        assert_eq!(client.extensions().count() + client.experimental().count(), 0);
    }

    #[test]
    fn objects_and_unknown_members_are_handed_out_as_text() {
        let client = parse(r#"{"sampling":{"x":1},"roots":null,"v":[1],"experimental":{"a":{},"b":1}}"#).unwrap();
        assert_eq!(client.object(ClientFeature::SAMPLING), Some(br#"{"x":1}"#.as_slice()));
        assert_eq!(client.object(ClientFeature::ROOTS), None);
        assert_eq!(client.object(ClientFeature::SAMPLING_TOOLS), None);
        assert_eq!(client.unknown().collect::<Vec<_>>(), [("v".to_owned(), b"[1]".as_slice())]);
        assert_eq!(client.experimental().collect::<Vec<_>>(), [("a".to_owned(), b"{}".as_slice())]);
        assert!(!client.has_extensions());
    }

    #[test]
    fn what_a_gate_let_through_with_wrong_types_reads_as_not_declared() {
        let newest = Revision::ALL.last().copied();
        let client = ClientCapabilities::of_body(br#"{"sampling":true,"elicitation":{"url":1}}"#, newest);
        assert_eq!(client.features(), ClientFeature::ELICITATION | ClientFeature::ELICITATION_FORM);
        assert_eq!(ClientCapabilities::of_body(b"7", newest).features(), ClientFeature::empty());
    }
}
