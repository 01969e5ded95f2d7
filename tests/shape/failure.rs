//! Errors, in the codes of each revision.

use revcap::shape::{Reader, ShapePolicy};
use revcap::table::{ClientFeature, Method, Revision};

use crate::{MODERN, with};

fn error(revision: Revision, method: Method, error: &str) -> (String, u16) {
    let message = format!(r#"{{"jsonrpc":"2.0","id":"a","error":{error}}}"#);
    let (body, status) = with(&message, method, &Reader::of(revision));
    let inside = body.strip_prefix(r#"{"jsonrpc":"2.0","id":"a","#).and_then(|rest| rest.strip_suffix('}')).unwrap();
    (inside.to_owned(), status)
}

#[test]
fn codes_that_a_revision_lacks_are_told_in_its_own() {
    use Revision::{V2024_11_05, V2025_06_18, V2025_11_25};
    let uri = r#","data":{"uri":"file:///x"}"#;
    for (revision, method, code, data, expected, status) in [
        (MODERN, Method::ResourcesRead, -32002, uri, -32602, 200),
        (MODERN, Method::ToolsCall, -32002, "", -32602, 200),
        (V2025_11_25, Method::ResourcesRead, -32002, uri, -32002, 200),
        (V2025_11_25, Method::ResourcesRead, -32602, uri, -32002, 200),
        (V2025_11_25, Method::ToolsCall, -32602, uri, -32602, 200),
        (V2025_11_25, Method::ResourcesRead, -32602, r#","data":{"uri":5}"#, -32602, 200),
        (MODERN, Method::ResourcesRead, -32602, uri, -32602, 200),
        (V2024_11_05, Method::ToolsCall, -32021, r#","data":{"requiredCapabilities":{}}"#, -32602, 200),
        (MODERN, Method::ToolsCall, -32021, "", -32021, 400),
        (MODERN, Method::ToolsCall, -32020, "", -32020, 400),
        (MODERN, Method::ToolsCall, -32022, "", -32022, 400),
        (MODERN, Method::ToolsCall, -32601, "", -32601, 404),
        (V2025_06_18, Method::ToolsCall, -32601, "", -32601, 200),
        (MODERN, Method::ToolsCall, -32603, "", -32603, 200),
        (MODERN, Method::ToolsCall, -32700, "", -32700, 200),
        (MODERN, Method::ToolsCall, 1, "", 1, 200),
        (V2025_11_25, Method::ToolsCall, -32042, r#","data":{"elicitations":[]}"#, -32042, 200),
    ] {
        let given = format!(r#"{{"code":{code},"message":"m"{data},"x":1}}"#);
        let told = format!(r#""error":{{"code":{expected},"message":"m"{data},"x":1}}"#);
        assert_eq!(error(revision, method, &given), (told, status), "{code} {revision:?}");
    }
    for code in [-32020, -32022] {
        let given = format!(r#"{{"code":{code},"message":"m","data":1}}"#);
        let told = r#""error":{"code":-32603,"message":"Internal error"}"#.to_owned();
        assert_eq!(error(V2025_11_25, Method::ToolsCall, &given), (told, 200));
    }
    let huge = format!(r#"{{"message":"m","code":{},"data":null}}"#, "9".repeat(40));
    let told = format!(r#""error":{{"message":"m","code":{}}}"#, "9".repeat(40));
    assert_eq!(error(MODERN, Method::ToolsCall, &huge), (told, 200));
}

#[test]
fn an_url_that_a_user_must_visit_becomes_a_request_for_input() {
    let given = r#"{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"e","url":"https://\u0065","message":"a"},{"message":"b","url":"u"}]}}"#;
    let asked = r#""result":{"resultType":"input_required","inputRequests":{"elicitation-0":{"method":"elicitation/create","params":{"mode":"url","message":"a","url":"https://\u0065"}},"elicitation-1":{"method":"elicitation/create","params":{"mode":"url","message":"b","url":"u"}}}}"#;
    assert_eq!(error(MODERN, Method::ToolsCall, given), (asked.to_owned(), 200));
    for (revision, method, given) in [
        (MODERN, Method::ToolsList, given),
        (MODERN, Method::ToolsCall, r#"{"code":-32042,"message":"m"}"#),
        (MODERN, Method::ToolsCall, r#"{"code":-32042,"message":"m","data":{"elicitations":[]}}"#),
        (MODERN, Method::ToolsCall, r#"{"code":-32042,"message":"m","data":{"elicitations":{}}}"#),
        (Revision::V2025_06_18, Method::ToolsCall, given),
    ] {
        let (body, status) = error(revision, method, given);
        assert!(body.starts_with(r#""error":{"code":-32603,"#), "{body}");
        assert_eq!(status, 200);
    }
    let message = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{given}}}"#);
    let form = ClientFeature::ELICITATION | ClientFeature::ELICITATION_FORM;
    let reader = Reader { client: Some(form), ..Reader::of(MODERN) };
    let (body, status) = with(&message, Method::ToolsCall, &reader);
    assert!(body.ends_with(r#""data":{"requiredCapabilities":{"elicitation":{"url":{}}}}}}"#), "{body}");
    assert_eq!(status, 400);
    let silent = ShapePolicy { elicitation: false, ..ShapePolicy::default() };
    let reader = Reader { policy: &silent, ..Reader::of(MODERN) };
    assert!(with(&message, Method::ToolsCall, &reader).0.contains("-32603"));
}
