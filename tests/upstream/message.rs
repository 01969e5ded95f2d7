//! What counts as a message, and the words for what does not.

use super::*;
use revcap::upstream::{NotAMessage, ServeRule};

#[test]
fn a_text_is_one_message_or_says_why_not() {
    let not_json = Some("it must be one JSON text within the limits");
    let not_object = Some("it must be an object whose members stand there once");
    let version = Some("jsonrpc must be \"2.0\"");
    let id = Some("id must be a string or an integer");
    let neither = Some("it must have a method, or one of result and error");
    let params = Some("params must be an object");
    let twice = Some("params and _meta must say each key once");
    for (text, wrong) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"m"}"#, None),
        ("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"m\",\"params\":{}}", None),
        (r#"{"jsonrpc":"2.0","method":"m","params":null}"#, None),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, None),
        (r#"{"jsonrpc":"2.0","id":null,"error":{}}"#, None),
        ("", not_json),
        ("{}{}", not_json),
        ("[]", not_object),
        (r#"{"jsonrpc":"2.0","jsonrpc":"2.0","method":"m"}"#, not_object),
        (r#"{"method":"m"}"#, version),
        (r#"{"jsonrpc":2.0,"method":"m"}"#, version),
        (r#"{"jsonrpc":"1.0","id":1,"result":{}}"#, version),
        (r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, id),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#, id),
        (r#"{"jsonrpc":"2.0","id":1}"#, neither),
        (r#"{"jsonrpc":"2.0","id":1,"method":""}"#, neither),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, neither),
        (r#"{"jsonrpc":"2.0","id":1,"method":"m","result":{}}"#, neither),
        (r#"{"jsonrpc":"2.0","id":1,"method":"m","error":{}}"#, neither),
        (r#"{"jsonrpc":"2.0","method":"m","result":{},"error":{}}"#, neither),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#, neither),
        (r#"{"jsonrpc":"2.0","id":1,"method":"m","params":[]}"#, params),
        (r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{},"_meta":{}}}"#, twice),
    ] {
        let said = Incoming::bare(text.as_bytes()).err();
        assert_eq!(said.map(|error| error.0), wrong, "{text}");
    }
    assert_eq!(NotAMessage("why").to_string(), "no JSON-RPC message: why");
}

#[test]
fn what_a_message_claims_is_who_its_refusal_is_told_to() {
    let listen = |meta: Value| {
        let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {"notifications": {}, "_meta": meta}});
        up(&upstream(legacy()[3]), &ask).reply.unwrap().status
    };
    assert_eq!(listen(json!({CLAIM: modern().as_str()})), 404);
    assert_eq!(listen(json!({CLAIM: "2025-06-18"})), 200);
    assert_eq!(listen(json!({CLAIM: "2099-01-01"})), 200);
    assert_eq!(listen(json!({})), 200);
}

#[test]
fn what_makes_no_hop_is_said_in_words() {
    let forward = |name: &str| Forwarded::new(&[name]).unwrap_err().to_string();
    assert_eq!(forward("a b"), "\"a b\" is no header name");
    assert_eq!(forward("Keep-Alive"), "keep-alive is about one connection and cannot be forwarded");
    assert_eq!(forward("Mcp-Name"), "mcp-name is made anew for each hop and cannot be forwarded");
    let mut config = UpstreamConfig::of(legacy()[0]);
    config.served = Served::of([modern()]).unwrap();
    let error = Upstream::new(config).unwrap_err().to_string();
    assert_eq!(error, "2024-11-05 is not among the revisions that may be spoken with a backend");
    let error = UpstreamSession::new(upstream(modern())).unwrap_err().to_string();
    assert_eq!(error, "a backend of 2026-07-28 is spoken with without a session");
    let names: Vec<&str> = ServeRule::ALL.iter().map(|rule| rule.as_str()).collect();
    assert_eq!(names, ["intersection", "union", "min"]);
}
