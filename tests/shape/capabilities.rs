//! What a server says that it can do, as each revision may read it.

use revcap::shape::{Reader, ShapePolicy};
use revcap::table::{Method, Reading, Revision};

use crate::{MODERN, down, result, with};

/// Every member of a server's capabilities of any revision, and others' at each level.
const EVERYTHING: &str = r#"{"experimental":{"a":null},"extensions":{"x/y":{},"io.modelcontextprotocol/tasks":{}},"logging":{},"completions":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true,"b":null},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{"c":null},"d":1}}},"elicitation":{},"x/vendor":{"e":null}}"#;

const EXTENSIONS: &str = r#""extensions":{"x/y":{},"io.modelcontextprotocol/tasks":{}},"#;
const TASKS_EXTENSION: &str = r#","io.modelcontextprotocol/tasks":{}"#;
const COMPLETIONS: &str = r#""completions":{},"#;
const SUBSCRIBE: &str = r#""subscribe":true,"#;
const TASKS: &str = r#""tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{"c":null},"d":1}}},"#;
const ELICITATION: &str = r#""elicitation":{},"#;

/// The capabilities of an answer to a handshake, or to a probe, as a reader gets them.
fn told(revision: Revision, reading: Reading, legacy_extensions: bool, capabilities: &str) -> String {
    let policy = ShapePolicy { legacy_extensions, ..ShapePolicy::DEFAULT };
    let reader = Reader { reading, policy: &policy, ..Reader::of(revision) };
    let method = if revision == MODERN { Method::ServerDiscover } else { Method::Initialize };
    let message = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"capabilities":{capabilities},"instructions":""}}}}"#);
    let (body, status) = with(&message, method, &reader);
    assert_eq!(status, 200);
    let inside = body.split_once(r#""capabilities":"#).unwrap().1.split_once(r#","instructions":"#).unwrap().0;
    inside.to_owned()
}

#[test]
fn every_capability_is_told_to_the_revisions_that_have_it() {
    use Reading::{Record, SchemaExact};
    use Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
    for (revision, reading, extensions, gone) in [
        (V2024_11_05, Record, true, &[EXTENSIONS, COMPLETIONS, SUBSCRIBE, TASKS, ELICITATION][..]),
        (V2024_11_05, SchemaExact, true, &[EXTENSIONS, COMPLETIONS, TASKS, ELICITATION]),
        (V2025_03_26, Record, true, &[EXTENSIONS, SUBSCRIBE, TASKS, ELICITATION]),
        (V2025_03_26, SchemaExact, true, &[EXTENSIONS, TASKS, ELICITATION]),
        (V2025_06_18, Record, true, &[TASKS_EXTENSION, TASKS]),
        (V2025_06_18, Record, false, &[EXTENSIONS, TASKS]),
        (V2025_06_18, SchemaExact, false, &[EXTENSIONS, TASKS, ELICITATION]),
        (V2025_11_25, Record, true, &[TASKS_EXTENSION]),
        (V2025_11_25, Record, false, &[EXTENSIONS]),
        (V2025_11_25, SchemaExact, true, &[TASKS_EXTENSION, ELICITATION]),
        (V2026_07_28, Record, true, &[TASKS]),
        (V2026_07_28, Record, false, &[TASKS]),
        (V2026_07_28, SchemaExact, true, &[TASKS, ELICITATION]),
    ] {
        let expected = gone.iter().fold(EVERYTHING.to_owned(), |left, member| {
            assert!(left.contains(member), "{member} is not there to go");
            left.replace(member, "")
        });
        let told = told(revision, reading, extensions, EVERYTHING);
        assert_eq!(told, expected, "{revision:?} {reading:?} {extensions}");
    }
}

#[test]
fn a_capability_that_says_no_is_left_out_and_others_words_stay() {
    let given = r#"{"logging":null,"prompts":false,"completions":true,"resources":[],"tools":{"listChanged":false},"tasks":{"list":null,"requests":{"tools":{"call":false}}},"x/vendor":null}"#;
    let expected =
        r#"{"completions":true,"resources":[],"tools":{},"tasks":{"requests":{"tools":{}}},"x/vendor":null}"#;
    assert_eq!(told(Revision::V2025_11_25, Reading::Record, true, given), expected);
}

#[test]
fn capabilities_that_cannot_be_read_are_a_fault_of_theirs() {
    for (capabilities, path) in [
        ("5", "result.capabilities"),
        (r#"{"tools":{"listChanged":tru}}"#, "result.capabilities.tools"),
        (
            r#"{"extensions":{"io.modelcontextprotocol/tasks":{"x":}}}"#,
            r#"result.capabilities.extensions["io.modelcontextprotocol/tasks"]"#,
        ),
    ] {
        let message = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"capabilities":{capabilities}}}}}"#);
        let error = down(MODERN, Method::ServerDiscover, &message).unwrap_err();
        assert_eq!(error.path(), path, "{capabilities}");
    }
}

#[test]
fn reserved_keys_of_a_result_that_is_no_object_are_read_as_any_value() {
    let given = r#"{"_meta":{"io.modelcontextprotocol/serverInfo":null,"io.modelcontextprotocol/subscriptionId":7,"progressToken":null,"io.modelcontextprotocol/clientInfo":"c","a/b":null},"resultType":"complete"}"#;
    let expected = r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":7,"io.modelcontextprotocol/clientInfo":"c","a/b":null},"resultType":"complete"}"#;
    assert_eq!(result(MODERN, Method::ToolsCall, given), expected);
}
