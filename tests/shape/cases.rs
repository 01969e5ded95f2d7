//! The cases, shaped for their readers.

use std::fs;

use revcap::advertise::{Implementation, ServerIdentity};
use revcap::capabilities::ClientCapabilities;
use revcap::shape::{
    LogLevel, OnInvalid, Reader, Request, ShapePolicy, Shaped, SseShaper, shape_client_request, shape_notification,
    shape_response, shape_server_request,
};
use revcap::table::{Method, Reading, Revision};
use serde_json::Value;

/// The method that a case's answer is to.
fn method_of(given: &Value) -> Option<Method> {
    let by_result = if given["message"]["result"]["tools"].is_array() { "tools/list" } else { "tools/call" };
    Method::parse(given["method"].as_str().unwrap_or(by_result).as_bytes())
}

/// What the case's request asked for.
fn request_of(given: &Value) -> Option<Request<'static>> {
    let meta = given.get("request")?["_meta"].as_object().unwrap();
    let level = meta.get("io.modelcontextprotocol/logLevel").and_then(Value::as_str);
    let token = meta.get("progressToken").map(|token| token.to_string().into_bytes().into());
    Some(Request {
        progress_token: token,
        log_level: level.and_then(|level| LogLevel::parse(level.as_bytes())),
        ..Request::default()
    })
}

fn policy_of(given: &Value, revision: Revision) -> ShapePolicy {
    let mut policy = ShapePolicy { per_caller: given["filtered_per_caller"] == true, ..ShapePolicy::DEFAULT };
    if let Some(server) = given.get("server") {
        let server = server.to_string();
        let server = ServerIdentity::from_capabilities(Implementation::new("s", "1"), server.as_bytes()).unwrap();
        policy.server = server.advertised(revision, Reading::Record, policy.legacy_extensions);
    }
    policy
}

/// The case's message as the function for its kind shapes it; none where it is not sent.
fn shape<'a>(text: &'a [u8], given: &Value, reader: &Reader<'_>) -> Option<Shaped<'a>> {
    let message = &given["message"];
    match (message["method"].as_str(), message.get("id")) {
        (None, _) => Some(shape_response(text, method_of(given), reader).unwrap()),
        (Some(_), None) => shape_notification(text, reader).unwrap(),
        (Some("sampling/createMessage"), _) => Some(shape_server_request(text, reader).unwrap()),
        (Some(_), _) => Some(shape_client_request(text, b"{}", reader).unwrap()),
    }
}

fn check(case: &Value) {
    let (given, expected) = (&case["input"], &case["expected"]);
    let revision = Revision::parse(given["revision"].as_str().unwrap().as_bytes()).unwrap();
    let wanted = &expected["result"];
    if let Some(stream) = given["message"].as_str() {
        let mut shaper = SseShaper::new(Some(Method::ToolsCall), &Reader::of(revision), OnInvalid::Error, 1 << 20);
        let fed = shaper.feed(stream.as_bytes()).unwrap();
        assert_eq!((fed.to_client.is_empty(), &wanted["dropped"]), (true, &Value::Bool(true)), "{case}");
        return;
    }
    let (policy, request) = (policy_of(given, revision), request_of(given));
    let client = given
        .get("client")
        .map(|client| ClientCapabilities::parse(client.to_string().as_bytes(), None).unwrap().effective(revision));
    let reader = Reader { client, request: request.as_ref(), policy: &policy, ..Reader::of(revision) };
    let text = given["message"].to_string();
    let shaped = shape(text.as_bytes(), given, &reader);
    if let Some(dropped) = wanted["dropped"].as_bool() {
        assert_eq!(shaped.is_none(), dropped, "{case}");
        return;
    }
    let shaped = shaped.unwrap();
    let body: Value = serde_json::from_slice(&shaped.body).unwrap();
    assert_eq!(body["error"]["code"], expected["error_code"], "{case}");
    if !expected["http_status"].is_null() {
        assert_eq!(expected["http_status"], shaped.status, "{case}");
    }
    let back = given["message"].get("method").is_some() && !expected["error_code"].is_null();
    let up = given["message"]["method"] == "tools/call";
    assert_eq!(shaped.to.as_str(), if back || up { "server" } else { "client" }, "{case}");
    for (name, value) in wanted.as_object().into_iter().flatten() {
        match name.as_str() {
            "no_content_type" => {
                let blocks = body["result"]["content"].as_array().unwrap();
                assert!(blocks.iter().all(|block| block["type"] != *value), "{case}");
            }
            "error" => assert_eq!(body["error"]["data"], wanted["error"]["data"], "{case}"),
            "jsonrpc" => assert_eq!(body, *wanted, "{case}"),
            _ if wanted.get("jsonrpc").is_none() => assert_eq!(body["result"][name], *value, "{case}"),
            _ => {}
        }
    }
}

#[test]
fn every_case_is_shaped_as_it_says() {
    for folder in ["cases", "cases_more"] {
        for kind in ["shape-down", "shape-up"] {
            let lines = fs::read_to_string(format!("tests/{folder}/{kind}.jsonl")).unwrap();
            let cases: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert!(!cases.is_empty());
            cases.iter().for_each(check);
        }
    }
}
