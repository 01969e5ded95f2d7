//! The gate through the crate's own API: what a Rust gateway relies on.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's own mistake may panic

mod asks;
mod attributes;
mod batch;
mod explain;
mod http;
mod message;
mod names;
mod tools;

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::gate::{
    Annotations, Gate, GateConfig, Lookup, Policy, Reason, Request, Requirements, Served, SessionMode, Verdict,
};
use revcap::headers::Headers;
use revcap::session::Session;
use revcap::table::{Reading, Revision};

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

const ENVELOPE: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

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

fn reason_of(gate: &Gate, lines: &[(&[u8], &[u8])], body: &str) -> (Reason, Option<String>) {
    let headers = Headers::pick(LINES[..2].iter().chain(lines).copied());
    let live = |id: &[u8]| match id {
        b"live" => Lookup::Live(Session::new(Revision::V2025_03_26, None).unwrap()),
        _ => Lookup::Unknown,
    };
    let request = Request { http_method: "POST", headers: Some(&headers), body: body.as_bytes(), look_up: &live };
    let decision = gate.decide(&request);
    let words = decision.reply(body.as_bytes()).map(|reply| String::from_utf8_lossy(&reply.body).into_owned());
    (decision.reason, words)
}

#[test]
fn a_probe_meets_the_session_rules_once_it_names_a_session() {
    let gate = gate(|config| config.sessions = SessionMode::Store);
    let probe = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#;
    assert_eq!(reason_of(&gate, &[], probe).0, Reason::MethodNotFound);
    assert_eq!(reason_of(&gate, &[(b"mcp-session-id", b"gone")], probe).0, Reason::SessionUnknown);
    assert_eq!(reason_of(&gate, &[(b"mcp-session-id", b"live")], probe).0, Reason::MethodNotFound);
}

#[test]
fn a_backends_session_is_named_where_the_header_names_one() {
    let gate = gate(|config| config.sessions = SessionMode::Backend);
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let verdict = admit(&gate, body, &|_| Lookup::Unknown);
    assert_eq!(verdict.decision().facts.session_id.as_deref(), Some(b"abc".as_slice()));
    let twice: [(&[u8], &[u8]); 2] = [(b"mcp-session-id", b"a"), (b"mcp-session-id", b"a")];
    assert_eq!(reason_of(&gate, &twice, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).0, Reason::SessionRepeated);
}

#[test]
fn equal_copies_of_a_version_header_are_one_by_policy_and_others_never() {
    let collapsing = gate(|config| config.policy.collapse_header_copies = true);
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (value, one, two) in [
        ("2025-06-18, 2025-06-18", Reason::Admitted, Reason::VersionHeaderMismatch),
        ("2025-06-18,2025-03-26", Reason::VersionHeaderMismatch, Reason::VersionHeaderMismatch),
        ("2025-06-18", Reason::Admitted, Reason::Admitted),
    ] {
        let lines: [(&[u8], &[u8]); 1] = [(b"mcp-protocol-version", value.as_bytes())];
        assert_eq!(reason_of(&collapsing, &lines, ping).0, one, "{value}");
        assert_eq!(reason_of(&gate(|_| {}), &lines, ping).0, two, "{value}");
    }
}

#[test]
fn a_session_header_that_names_none_is_never_looked_up() {
    let gate = gate(|config| config.sessions = SessionMode::Store);
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let looked_up = |ids: &[&[u8]]| {
        let asked = std::cell::Cell::new(0);
        let look_up = |_: &[u8]| {
            asked.set(asked.get() + 1);
            Lookup::Unknown
        };
        let lines = ids.iter().map(|id| (&b"mcp-session-id"[..], *id));
        let headers = Headers::pick(LINES[..2].iter().copied().chain(lines));
        let request = Request { http_method: "POST", headers: Some(&headers), body, look_up: &look_up };
        (gate.decide(&request).reason, asked.get())
    };
    let [longest, longer, long] = [512, 513, 900].map(|length| vec![b'x'; length]);
    assert_eq!(looked_up(&[&longest]), (Reason::SessionUnknown, 1));
    for none in [&longer[..], &long, b"", b"a b", b"\x7F", "\u{e9}".as_bytes()] {
        assert_eq!(looked_up(&[none]), (Reason::SessionUnknown, 0), "{none:?}");
    }
    assert_eq!(looked_up(&[b"live", b"live"]), (Reason::SessionRepeated, 0));
    assert_eq!(looked_up(&[]), (Reason::SessionRequired, 0));
}

#[test]
fn a_verdict_holds_the_body_that_it_is_about() {
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(admit(&gate(|_| {}), body, &|_| Lookup::Unknown).body(), body);
}

#[test]
fn a_request_is_printed_without_its_look_up() {
    let request = Request { http_method: "PUT", headers: None, body: b"{}", look_up: &|_| Lookup::Unknown };
    assert_eq!(format!("{request:?}"), r#"Request { http_method: "PUT", headers: None, body: [123, 125], .. }"#);
}

#[test]
fn a_mode_of_sessions_has_its_word() {
    let modes = [SessionMode::Stateless, SessionMode::Backend, SessionMode::Store, SessionMode::Tickets];
    assert_eq!(modes.map(SessionMode::as_str), ["stateless", "backend", "store", "tickets"]);
    assert_eq!(modes.map(SessionMode::is_stateful), [false, false, true, true]);
}

#[test]
fn a_revision_that_is_named_twice_is_served_once() {
    let served = Served::of([Revision::V2025_06_18, Revision::V2025_03_26, Revision::V2025_06_18]).unwrap();
    assert!(served.newest_first().eq([Revision::V2025_06_18, Revision::V2025_03_26]));
    assert_eq!(Served::of([]), None);
}

#[test]
fn every_recorded_discovery_is_answered_as_its_case_says() {
    let gate = gate(|config| config.answer_handshake = true);
    let cases = std::fs::read_to_string("tests/cases/discover-shape.jsonl").unwrap();
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let (input, expected) = (&case["input"], &case["expected"]);
        let text = |value: &serde_json::Value| value.as_str().unwrap().as_bytes().to_vec();
        let lines = input["headers"].as_array().unwrap().iter();
        let lines: Vec<_> = lines.map(|it| (text(&it[0]).to_ascii_lowercase(), text(&it[1]))).collect();
        let headers = Headers::pick(lines.iter().map(|(name, value)| (name.as_slice(), value.as_slice())));
        let body = text(&input["body"]);
        let http_method = input["http_method"].as_str().unwrap();
        let request =
            Request { http_method, headers: Some(&headers), body: &body, look_up: &|_: &[u8]| Lookup::Unknown };
        let decision = gate.decide(&request);
        assert_eq!(decision.reason, Reason::Answered, "{line}");
        let reply = decision.reply(&body).unwrap();
        assert_eq!(u64::from(reply.status), expected["http_status"].as_u64().unwrap(), "{line}");
        let answer: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
        for (member, value) in expected["result"].as_object().unwrap() {
            assert_eq!(answer["result"][member], *value, "{line}");
        }
        assert!(answer["result"].get("serverInfo").is_none(), "identity stands in _meta alone: {line}");
    }
}
