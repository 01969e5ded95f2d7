//! What a client declared, what of it counts, and what a call may ask of it.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};

use revcap::capabilities::{ClientCapabilities, Declared, InvalidCapabilities, Requirement, smallest};
use revcap::json::{Cursor, Limits};
use revcap::profile::{CapabilityProfile, Unknown, resolve_capability_profile};
use revcap::table::{CLIENT_PATHS, ClientFeature, Era, Reading, Revision};
use serde_json::Value;

fn parse(text: &str) -> ClientCapabilities {
    ClientCapabilities::parse(text.as_bytes(), None).unwrap()
}

fn of(date: &str) -> Revision {
    Revision::parse(date.as_bytes()).unwrap()
}

fn required(text: &str) -> Requirement {
    Requirement::from(&parse(text))
}

fn names<'t>(entries: impl Iterator<Item = (String, &'t [u8])>) -> Vec<String> {
    entries.map(|(name, _)| name).collect()
}

#[test]
fn every_recorded_object_reads_as_its_case_says() {
    let cases = fs::read_to_string("tests/cases/capability-parse.jsonl").unwrap();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (input, expected) = (&case["input"], &case["expected"]);
        let text = input["message"]["capabilities"].to_string();
        let revision = of(input["revision"].as_str().unwrap());
        let strict = ClientCapabilities::parse(text.as_bytes(), Some(revision));
        assert_eq!(strict.is_ok(), expected["error_code"].is_null(), "{line}");
        let client = ClientCapabilities::parse_leniently(text.as_bytes(), Some(revision), Limits::default()).unwrap();
        for (path, has) in expected["result"].as_object().unwrap().iter().filter(|(path, _)| *path != "accepted") {
            let row = CLIENT_PATHS.iter().find(|row| row.path().join(".") == *path).unwrap();
            assert_eq!(client.supports(row.feature()), has.as_bool().unwrap(), "{path} of {line}");
        }
    }
}

#[test]
fn what_stands_around_the_object_moves_nothing_that_is_read_from_it() {
    let text = "\u{feff} \n{\"experimental\":{\"x\":{\"y\":1}},\"v\":[2],\"extensions\":{\"a/b\":{}}} ";
    for client in [parse(text), parse(text.trim_matches(['\u{feff}', ' ', '\n']))] {
        assert_eq!(client.experimental().collect::<Vec<_>>(), [("x".to_owned(), br#"{"y":1}"#.as_slice())]);
        assert_eq!(client.unknown().collect::<Vec<_>>(), [("v".to_owned(), b"[2]".as_slice())]);
        assert_eq!(client.missing(&required(r#"{"experimental":{"x":{}}}"#)), None);
    }
}

#[test]
fn a_map_of_extensions_loses_the_tasks_extension_alone_and_only_before_it_was_born() {
    let text = br#"{"extensions":{"io.modelcontextprotocol/tasks":{},"a/b":{},"c/d":1}}"#;
    for &revision in Revision::ALL {
        let client = ClientCapabilities::parse(text, Some(revision)).unwrap();
        let expected: &[&str] = match revision.era() {
            Era::Legacy => &["a/b"],
            Era::Modern => &["io.modelcontextprotocol/tasks", "a/b"],
        };
        assert_eq!(names(client.extensions()), expected);
        assert_eq!(client.revision(), Some(revision));
        assert_eq!(client.supports(ClientFeature::TASKS_EXTENSION), revision.era() == Era::Modern);
        assert!(client.has_extensions());
    }
    assert_eq!(parse("{}").revision(), None);
}

#[test]
fn a_fault_names_the_capability_where_it_is_one() {
    for (text, path) in [
        (r#"{"roots":{"listChanged":1}}"#, "roots.listChanged"),
        (r#"{"tasks":{"requests":{"sampling":{"createMessage":true}}}}"#, "tasks.requests.sampling.createMessage"),
        (r#"{"sampling":1}"#, "sampling"),
        ("7", ""),
        ("{", ""),
        (r#"{"a":1,"a":1}"#, ""),
    ] {
        assert_eq!(ClientCapabilities::parse(text.as_bytes(), None).unwrap_err().path(), path, "{text}");
    }
    let twice = ClientCapabilities::parse(br#"{"a":1,"a":1}"#, None).unwrap_err();
    assert_eq!((&twice, twice.path()), (&InvalidCapabilities::DuplicateKey, String::new()));
}

#[test]
fn what_is_no_object_declares_nothing_and_keeps_the_revision_it_was_sent_under() {
    let newest = Revision::ALL.last().copied();
    for text in ["7", "[{}]", "null", "\"{}\""] {
        let client = ClientCapabilities::of_body(text.as_bytes(), newest);
        assert_eq!((client.as_json(), client.revision()), (b"{}".as_slice(), newest), "{text}");
        let mut cursor = Cursor::new(text.as_bytes(), Limits::default()).unwrap();
        assert!(!Declared::read(&mut cursor).is_object(), "{text}");
    }
    let mut cursor = Cursor::new(b"{}", Limits::default()).unwrap();
    assert!(Declared::read(&mut cursor).is_object());
}

#[test]
fn a_capability_is_supported_when_all_of_it_is_declared() {
    let client = parse(r#"{"roots":{},"sampling":{"tools":{}}}"#);
    assert!(client.supports(ClientFeature::SAMPLING | ClientFeature::SAMPLING_TOOLS));
    assert!(!client.supports(ClientFeature::SAMPLING | ClientFeature::SAMPLING_CONTEXT));
    assert!(!client.supports(ClientFeature::ELICITATION));
}

#[test]
fn an_object_is_handed_out_for_the_capability_that_was_asked_for() {
    let client = parse(r#"{"vendor":{},"roots":{"listChanged":true},"sampling":{"x":1}}"#);
    assert_eq!(client.object(ClientFeature::SAMPLING), Some(br#"{"x":1}"#.as_slice()));
    assert_eq!(client.object(ClientFeature::ROOTS), Some(br#"{"listChanged":true}"#.as_slice()));
    assert_eq!(client.object(ClientFeature::ROOTS_LIST_CHANGED), None);
}

#[test]
fn objects_that_say_the_same_hash_alike_and_others_apart() {
    let hash = |client: &ClientCapabilities| {
        let mut hasher = DefaultHasher::new();
        client.hash(&mut hasher);
        hasher.finish()
    };
    let one = parse(r#"{"sampling":{},"x":[1]}"#);
    assert_eq!(hash(&one), hash(&parse(r#" {"x":[1.0],"s\u0061mpling":{}}"#)));
    let under = ClientCapabilities::parse(one.as_json(), Revision::ALL.first().copied()).unwrap();
    for other in [parse("{}"), parse(r#"{"sampling":{},"x":[2]}"#), under] {
        assert_ne!(hash(&one), hash(&other), "{other:?}");
        assert_ne!(one, other);
    }
}

#[test]
fn an_empty_map_is_a_need_of_its_own_and_one_with_names_is_not() {
    for (text, flags) in [
        (r#"{"experimental":{}}"#, ClientFeature::EXPERIMENTAL),
        (r#"{"extensions":{}}"#, ClientFeature::EXTENSIONS),
        (r#"{"experimental":{"x":{}}}"#, ClientFeature::empty()),
        (r#"{"extensions":{"a/b":{}}}"#, ClientFeature::empty()),
        (r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#, ClientFeature::TASKS_EXTENSION),
    ] {
        let needs = required(text);
        assert_eq!(needs.features(), flags, "{text}");
        assert!(!needs.is_empty(), "{text}");
        assert_eq!(parse("{}").missing(&needs).as_deref(), Some(text.as_bytes()), "{text}");
    }
    for nothing in ["{}", r#"{"sampling":null,"flag":true,"roots":{"listChanged":false}}"#] {
        assert_eq!(required(nothing).is_empty(), nothing == "{}", "{nothing}");
    }
}

#[test]
fn needs_that_overlap_add_up_to_all_of_them_once() {
    let one = required(r#"{"sampling":{"tools":{}},"extensions":{"a/b":{}},"experimental":{"x":{}},"v":{}}"#);
    let other =
        required(r#"{"sampling":{},"roots":{},"extensions":{"a/b":{},"c/d":{}},"experimental":{"x":{}},"v":{}}"#);
    let expected =
        r#"{"experimental":{"x":{}},"extensions":{"a/b":{},"c/d":{}},"roots":{},"sampling":{"tools":{}},"v":{}}"#;
    let missing = parse("{}").missing(&one.union(&other)).unwrap();
    let missing: Value = serde_json::from_slice(&missing).unwrap();
    assert_eq!(missing, serde_json::from_str::<Value>(expected).unwrap());
    assert_eq!(one.union(&one), one);
    assert_eq!(one.union(&Requirement::default()), one);
}

#[test]
fn the_smallest_object_holds_what_is_lacking_whatever_was_declared() {
    let modes = ClientFeature::ELICITATION | ClientFeature::ELICITATION_FORM | ClientFeature::ELICITATION_URL;
    let sets = || (0..=modes.bits()).map(ClientFeature::from_bits_retain).filter(|set| modes.contains(*set));
    for declared in sets() {
        for lacking in sets() {
            let object = ClientCapabilities::parse(&smallest(lacking, declared), None).unwrap();
            assert!(object.features().contains(lacking), "{lacking:?} beside {declared:?}");
        }
    }
}

#[test]
fn a_profile_has_the_era_of_its_revision_and_an_unknown_version_none() {
    for &revision in Revision::ALL {
        let profile = CapabilityProfile::of(revision, Reading::Record);
        assert_eq!((profile.era(), profile.is_stateless()), (Some(revision.era()), revision.era() == Era::Modern));
    }
    let resolve = |text, unknown| resolve_capability_profile(text, unknown, Reading::Record).map(|it| it.era());
    assert_eq!(resolve("2099-01-01", Unknown::Conservative), Ok(None));
    assert_eq!(resolve("2099-01-01", Unknown::Nearest), Ok(Some(Era::Modern)));
    assert!(resolve("2099-01-01", Unknown::Error).is_err());
}
