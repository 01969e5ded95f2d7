//! The gate through the crate's own API: what a Rust gateway relies on.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's own mistake may panic

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::gate::{
    Annotations, Gate, GateConfig, Lookup, Policy, Reason, Request, Requirements, Served, SessionMode, Verdict,
};
use revcap::headers::Headers;
use revcap::table::Reading;

fn gate(change: impl FnOnce(&mut GateConfig)) -> Gate {
    let mut config = GateConfig {
        served: Served::all(),
        reading: Reading::Record,
        sessions: SessionMode::Stateless,
        can_revoke: false,
        server: ServerIdentity::new(Implementation::new("test", "1"), &Switches::default()).unwrap(),
        answer_handshake: false,
        annotations: Annotations::default(),
        requirements: Requirements::default(),
        policy: Policy::default(),
    };
    change(&mut config);
    Gate::new(config)
}

const LINES: [(&[u8], &[u8]); 3] = [
    (b"content-type", b"application/json"),
    (b"accept", b"application/json, text/event-stream"),
    (b"mcp-session-id", b"abc"),
];

fn admit<'a>(gate: &Gate, body: &'a [u8], look_up: &dyn Fn(&[u8]) -> Lookup) -> Verdict<'a> {
    let headers = Headers::pick(LINES);
    let request = Request { http_method: "POST", headers: Some(&headers), body, look_up };
    let decision = gate.decide(&request);
    assert_eq!(decision.is_admitted(), decision.rejection().is_none());
    Verdict::of(body, decision)
}

#[test]
fn a_panic_inside_refuses_and_never_lets_through() {
    let gate = gate(|config| config.sessions = SessionMode::Store);
    let body = br#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;
    let verdict = admit(&gate, body, &|_| panic!("planted"));
    let decision = verdict.decision();
    assert_eq!((decision.reason, decision.status), (Reason::Internal, 500));
    let reply = decision.reply(body).unwrap();
    assert_eq!(reply.body, br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}"#);
    assert!(verdict.forward().is_empty());
}

#[test]
fn a_store_that_failed_is_no_unknown_session() {
    let gate = gate(|config| config.sessions = SessionMode::Store);
    let body = br#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;
    let failed = admit(&gate, body, &|_| Lookup::Failed);
    assert_eq!((failed.decision().reason, failed.decision().status), (Reason::Internal, 500));
    let unknown = admit(&gate, body, &|_| Lookup::Unknown);
    assert_eq!((unknown.decision().reason, unknown.decision().status), (Reason::SessionUnknown, 404));
}

#[test]
fn what_goes_on_is_a_part_of_what_was_checked() {
    let gate = gate(|_| {});
    let unknown = |_: &[u8]| Lookup::Unknown;
    let forward = |body: &'static str| -> Vec<String> {
        let verdict = admit(&gate, body.as_bytes(), &unknown);
        verdict.forward().iter().map(|part| String::from_utf8(part.to_vec()).unwrap()).collect()
    };
    let plain = " {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} \n";
    assert_eq!(forward(plain), [plain]);
    assert_eq!(forward("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"), [&plain[1..plain.len() - 2]]);
    for (task, rest) in [
        (r#"{"name":"t","task":{"ttl":1}}"#, r#"{"name":"t"}"#),
        (r#"{"task":{"ttl":1},"name":"t"}"#, r#"{"name":"t"}"#),
        (r#"{"name":"t", "task" : null , "arguments":{}}"#, r#"{"name":"t", "arguments":{}}"#),
        (r#"{ "name":"t" , "\u0074ask":1 }"#, r#"{ "name":"t" }"#),
    ] {
        let whole = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let body: &'static str = Box::leak(whole(task).into_boxed_str());
        assert_eq!(forward(body), [whole(rest)], "{task}");
    }
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"} , {"jsonrpc":"2.0","id":2} ,{"jsonrpc":"2.0","id":3,"method":"ping"}]"#;
    assert_eq!(
        forward(batch),
        [r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#]
    );
}
