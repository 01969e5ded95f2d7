//! The object as a client of a given revision would send it.

use std::borrow::Cow;

use super::declared::{CLIENT, Declared, Entries, READING};
use crate::json::{Kind, Node, ObjectWriter, Span};
use crate::table::{CapabilityRow, CapabilityType, ClientFeature, Revision};

/// See [`ClientCapabilities::trimmed`](super::ClientCapabilities::trimmed).
pub(super) fn trim(text: &[u8], declared: &Declared, revision: Revision, legacy_extensions: bool) -> Vec<u8> {
    let by_policy = if legacy_extensions { revision.client_features_by_policy() } else { ClientFeature::empty() };
    let effective = declared.effective(revision);
    let trim = Trim { text, declared, revision, effective, by_policy };
    let mut out = Vec::with_capacity(text.len());
    trim.object(&mut out, Span::new(0, text.len()), None);
    out
}

struct Trim<'t> {
    text: &'t [u8],
    declared: &'t Declared,
    revision: Revision,
    effective: ClientFeature,
    by_policy: ClientFeature,
}

impl Trim<'_> {
    fn object(&self, out: &mut Vec<u8>, span: Span, parent: Option<usize>) {
        let open_map = parent.is_some_and(|place| {
            let flag = CLIENT.feature(place);
            flag == ClientFeature::EXTENSIONS || flag == ClientFeature::EXPERIMENTAL
        });
        let mut object = ObjectWriter::open(out);
        for (name, node) in Entries::of(self.text, span) {
            let key = name_of(&name);
            match CLIENT.member(parent, &name) {
                Some((place, row)) if self.keeps(place, row, node) => {
                    object.key(out, &key);
                    if node.is_object() {
                        self.object(out, node.span(), Some(place));
                    } else {
                        out.extend_from_slice(node.token(self.text));
                    }
                }
                Some(_) => {}
                None if open_map && !node.is_object() => {}
                None => object.member(out, &key, node.token(self.text)),
            }
        }
        object.close(out);
    }

    fn keeps(&self, place: usize, row: &CapabilityRow<ClientFeature>, node: Node) -> bool {
        let flag = row.feature();
        let typed = match row.kind() {
            CapabilityType::Object => node.is_object(),
            CapabilityType::Boolean => node.kind() == Kind::True,
        };
        let permitted = row.spans().has(self.revision, READING) || !flag.is_empty() && self.by_policy.contains(flag);
        // A client without a mode that the revision has offers it no elicitation at all.
        let offered = flag != ClientFeature::ELICITATION || self.effective.contains(flag);
        typed && permitted && offered && !self.declared.is_wrong(place)
    }
}

fn name_of(name: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(name)
}

#[cfg(test)]
mod tests {
    use super::super::ClientCapabilities;
    use super::*;

    fn trimmed(text: &str, date: &str) -> String {
        let client = ClientCapabilities::parse(text.as_bytes(), None).unwrap();
        let revision = Revision::parse(date.as_bytes()).unwrap();
        String::from_utf8(client.trimmed(revision, true)).unwrap()
    }

    #[test]
    fn only_paths_of_the_revision_and_what_none_knows_stay() {
        let text = r#"{"roots":{"listChanged":true,"v":null},"elicitation":{"form":{},"url":{"x":1}},"sampling":{"tools":{}},
            "tasks":{"list":{},"requests":{"sampling":{}}},"com.example":{"a":[1.50]},"none":null,
            "extensions":{"io.modelcontextprotocol/tasks":{},"a/b":{"s":1},"c/d":true},"experimental":{"p":{},"q":1}}"#;
        for (date, expected) in [
            (
                "2024-11-05",
                r#"{"roots":{"listChanged":true,"v":null},"sampling":{},"com.example":{"a":[1.50]},"none":null,"experimental":{"p":{}}}"#,
            ),
            (
                "2025-06-18",
                r#"{"roots":{"listChanged":true,"v":null},"elicitation":{},"sampling":{},"com.example":{"a":[1.50]},"none":null,"extensions":{"a/b":{"s":1}},"experimental":{"p":{}}}"#,
            ),
            (
                "2025-11-25",
                r#"{"roots":{"listChanged":true,"v":null},"elicitation":{"form":{},"url":{"x":1}},"sampling":{"tools":{}},"tasks":{"list":{},"requests":{"sampling":{}}},"com.example":{"a":[1.50]},"none":null,"extensions":{"a/b":{"s":1}},"experimental":{"p":{}}}"#,
            ),
            (
                "2026-07-28",
                r#"{"roots":{"v":null},"elicitation":{"form":{},"url":{"x":1}},"sampling":{"tools":{}},"com.example":{"a":[1.50]},"none":null,"extensions":{"io.modelcontextprotocol/tasks":{},"a/b":{"s":1}},"experimental":{"p":{}}}"#,
            ),
        ] {
            assert_eq!(trimmed(text, date), expected, "{date}");
        }
    }

    #[test]
    fn a_url_only_client_offers_the_first_elicitation_revision_nothing() {
        assert_eq!(trimmed(r#"{"elicitation":{"url":{}}}"#, "2025-06-18"), "{}");
        assert_eq!(trimmed(r#"{"elicitation":{"url":{}}}"#, "2025-11-25"), r#"{"elicitation":{"url":{}}}"#);
    }

    #[test]
    fn null_false_and_wrong_types_are_left_out() {
        let text = r#"{"roots":{"listChanged":false},"sampling":null,"elicitation":{"form":null}}"#;
        assert_eq!(trimmed(text, "2025-11-25"), r#"{"roots":{},"elicitation":{}}"#);
        let oldest = Revision::ALL.first().copied();
        let client = ClientCapabilities::parse(br#"{"elicitation":7,"tasks":{"list":true}}"#, oldest).unwrap();
        let newer = Revision::parse(b"2025-11-25").unwrap();
        assert_eq!(client.trimmed(newer, true), br#"{"tasks":{}}"#);
    }

    #[test]
    fn what_a_trimmed_object_declares_is_what_counted_before() {
        let text = r#"{"roots":{"listChanged":true},"elicitation":{"url":{}},"tasks":{"cancel":{}},"extensions":{}}"#;
        let client = ClientCapabilities::parse(text.as_bytes(), None).unwrap();
        for &revision in Revision::ALL {
            let again = ClientCapabilities::parse(&client.trimmed(revision, false), Some(revision)).unwrap();
            assert_eq!(again.features(), client.effective(revision));
            assert_eq!(again.trimmed(revision, false), client.trimmed(revision, false));
        }
    }
}
