//! What an admitted request asks of its host, and what the application's answer becomes.
#![allow(clippy::unwrap_used, reason = "a test's own mistake may panic")]

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::gate::{
    Annotations, Decision, Gate, GateConfig, Lookup, Policy, Reason, Request, Requirements, Served, SessionMode,
};
use revcap::headers::Headers;
use revcap::json::{Cursor, Limits};
use revcap::relay::{Asked, Care, Content, Start, names_no_session};
use revcap::session::Session;
use revcap::table::{Era, Reading, Revision};

const LIST: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const TOLD: &[u8] = br#"{"jsonrpc":"2.0","method":"acme/told"}"#;
const HELLO: &[u8] =
    br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#;
const BATCH: &[u8] = br#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","method":"acme/told"}]"#;
/// No revision with batches has this method.
const ODD_BATCH: &[u8] = br#"[{"jsonrpc":"2.0","id":1,"method":"tasks/list"},{"jsonrpc":"2.0","method":"acme/told"}]"#;
const MODERN_LIST: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

const HANDSHAKE: (&str, &str) = ("mcp-protocol-version", "2025-11-25");
const BATCHES: (&str, &str) = ("mcp-protocol-version", "2025-03-26");
const MODERN: (&str, &str) = ("mcp-protocol-version", "2026-07-28");
const METHOD: (&str, &str) = ("mcp-method", "tools/list");
const SESSION: (&str, &str) = ("mcp-session-id", "live");

fn decide(sessions: SessionMode, reported: Vec<Reason>, headers: &[(&str, &str)], body: &[u8]) -> Decision {
    let gate = Gate::new(GateConfig {
        served: Served::all(),
        reading: Reading::Record,
        sessions,
        can_revoke: false,
        server: ServerIdentity::new(Implementation::new("test", "1"), &Switches::default()).unwrap(),
        answer_handshake: false,
        annotations: Annotations::default(),
        requirements: Requirements::default(),
        policy: Policy { reported, ..Policy::default() },
    });
    let content = [("content-type", "application/json")];
    let lines = headers.iter().chain(&content).map(|(name, value)| (name.as_bytes(), value.as_bytes()));
    let headers = Headers::pick(lines);
    let live = |id: &[u8]| match id {
        b"live" => Lookup::Live(Session::new(Revision::V2025_11_25, None).unwrap()),
        _ => Lookup::Unknown,
    };
    let decision = gate.decide(&Request { http_method: "POST", headers: Some(&headers), body, look_up: &live });
    assert_eq!(decision.reason, Reason::Admitted, "{}", String::from_utf8_lossy(body));
    decision
}

#[test]
fn a_request_asks_of_its_host_what_its_era_and_the_sessions_call_for() {
    use SessionMode::{Backend, Stateless, Store, Tickets};
    let (none, answer) = (Care::empty(), Care::ANSWER);
    for (sessions, headers, body, cares) in [
        // Where the gate has no sessions, those of a handshake client are the application's.
        (Stateless, &[HANDSHAKE][..], LIST, answer),
        (Stateless, &[HANDSHAKE, SESSION], LIST, answer),
        (Stateless, &[HANDSHAKE, SESSION], HELLO, answer),
        (Stateless, &[HANDSHAKE, SESSION], TOLD, none),
        (Backend, &[HANDSHAKE, SESSION], HELLO, answer),
        (Backend, &[HANDSHAKE, SESSION], LIST, answer),
        // Where the host keeps them, it names the one that a handshake opens.
        (Store, &[], HELLO, answer | Care::OPENS),
        (Store, &[HANDSHAKE, SESSION], LIST, answer),
        (Store, &[HANDSHAKE, SESSION], TOLD, none),
        // A ticket is the gate's own.
        (Tickets, &[], HELLO, answer | Care::OPENS),
        (Tickets, &[HANDSHAKE, SESSION], LIST, answer | Care::HEADERS),
        (Tickets, &[HANDSHAKE, SESSION], TOLD, answer | Care::HEADERS),
        // A modern client has none.
        (Stateless, &[MODERN, METHOD], MODERN_LIST, answer),
        (Stateless, &[MODERN, METHOD, SESSION], MODERN_LIST, answer | Care::HEADERS),
        (Store, &[MODERN, METHOD, SESSION], MODERN_LIST, answer | Care::HEADERS),
        (Stateless, &[BATCHES], BATCH, Care::BATCH),
    ] {
        let decision = decide(sessions, Vec::new(), headers, body);
        let at = format!("{sessions:?} {headers:?} {}", String::from_utf8_lossy(body));
        assert_eq!(Care::of(&decision, sessions), cares, "{at}");
        let is_private = sessions == Tickets || headers.contains(&MODERN);
        assert_eq!(names_no_session(&decision, sessions), is_private, "{at}");
    }
}

#[test]
fn what_was_reported_of_a_request_or_of_a_part_of_it_is_the_hosts_to_hear() {
    let reported = vec![Reason::MethodHeaderMismatch, Reason::MethodNotFound];
    for (headers, body, cares) in [
        (&[MODERN, ("mcp-method", "tools/call")][..], MODERN_LIST, Care::ANSWER | Care::REPORTED),
        (&[MODERN, METHOD], MODERN_LIST, Care::ANSWER),
        (&[BATCHES], ODD_BATCH, Care::BATCH | Care::REPORTED),
        (&[BATCHES], BATCH, Care::BATCH),
    ] {
        let decision = decide(SessionMode::Stateless, reported.clone(), headers, body);
        assert_eq!(Care::of(&decision, SessionMode::Stateless), cares, "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn a_headers_name_is_read_where_it_may_be_one_that_counts() {
    for name in ["content-type", "Content-Type", "mcp-session-id", "content-encoding"] {
        assert!(Start::reads(name.as_bytes()), "{name}");
    }
    for name in ["", "date", "server", "content-length-range"] {
        assert!(!Start::reads(name.as_bytes()), "{name}");
    }
    let start = |lines: &[(&'static str, &'static str)]| {
        Start::read(lines.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())))
    };
    let plain = Start { content: Content::Other, is_coded: false, names_session: false };
    assert_eq!(start(&[("date", "now"), ("x-content-type", "application/json")]), plain);
    assert_eq!(start(&[("content-encoding", " Identity ")]), plain);
    assert_eq!(start(&[("content-encoding", " ")]), plain);
    let coded = Start { is_coded: true, ..plain };
    assert_eq!(start(&[("content-encoding", "gzip"), ("content-encoding", "identity")]), coded);
    assert_eq!(start(&[("mcp-session-id", "")]), Start { names_session: true, ..plain });
}

fn asked(era: Era) -> Asked<'static> {
    const BODY: &[u8] = b"7";
    let id = Cursor::new(BODY, Limits::DEFAULT).and_then(|mut cursor| cursor.value()).unwrap();
    Asked { era, id, body: BODY }
}

fn status(era: Era, sent: u16, head: &str) -> Option<u16> {
    asked(era).status(sent, head.as_bytes())
}

#[test]
fn an_error_gets_the_status_of_its_code() {
    let error = |code: i64| format!(r#"{{"jsonrpc":"2.0","id":7,"error":{{"code":{code},"message":"m"}}}}"#);
    for (era, code, expected) in [
        (Era::Modern, -32601, 404),
        (Era::Modern, -32602, 200),
        (Era::Modern, -32603, 200),
        (Era::Modern, -32020, 400),
        (Era::Modern, -32021, 400),
        (Era::Modern, -32022, 400),
        (Era::Modern, -32000, 200),
        (Era::Legacy, -32601, 200),
        (Era::Legacy, -32602, 200),
        (Era::Legacy, -32002, 200),
        (Era::Legacy, -32042, 200),
        // Shaping puts a handler's code in the place of these.
        (Era::Legacy, -32020, 200),
        (Era::Legacy, -32021, 200),
        (Era::Legacy, -32022, 200),
    ] {
        for sent in [200, 400, 404] {
            assert_eq!(status(era, sent, &error(code)), Some(expected), "{code} sent with {sent}");
        }
        assert_eq!(status(era, 500, &error(code)), Some(500));
    }
}

#[test]
fn a_refusal_of_a_transport_below_keeps_its_status() {
    for code in [-32600, -32603, -32700, -32000, -32001, 404] {
        let gone = format!(r#"{{"jsonrpc":"2.0","id":7,"error":{{"code":{code},"message":"no such session"}}}}"#);
        assert_eq!(status(Era::Legacy, 404, &gone), Some(404), "{code}");
    }
    let unread = r#"{"jsonrpc":"2.0","error":{"code":-32602,"message":"no"},"id":null}"#;
    assert_eq!(status(Era::Legacy, 400, unread), Some(400));
    assert_eq!(status(Era::Modern, 400, unread), Some(400));
    assert_eq!(status(Era::Modern, 400, r#"{"error":"invalid_request"}"#), Some(400));
}

#[test]
fn a_head_is_read_as_far_as_it_tells() {
    for head in
        ["", "{", r#"{"jsonrpc":"2.0","#, r#"{"id":7,"error":{"code":-326"#, r#"{"id":7,"error":{"code":-32601"#]
    {
        assert_eq!(status(Era::Modern, 200, head), None, "{head}");
    }
    for head in [r#"{"id":7,"result":"#, "[", "no", r#"{"id":7,"error":{"code":-32601}"#, "{}"] {
        assert!(status(Era::Modern, 200, head).is_some(), "{head}");
    }
    assert_eq!(status(Era::Modern, 200, r#"{"id":7,"error":{"code":-32601}"#), Some(404));
}

#[test]
fn an_answer_is_told_by_its_id() {
    let asked = asked(Era::Legacy);
    assert!(asked.is_answered_by(br#"{"jsonrpc":"2.0","id":7,"result":{}}"#));
    assert!(asked.is_answered_by(br#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}}"#));
    for other in [
        r#"{"jsonrpc":"2.0","id":"7","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":8,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"ping","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":7}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/message"}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{}"#,
        "[]",
    ] {
        assert!(!asked.is_answered_by(other.as_bytes()), "{other}");
    }
}

#[test]
fn an_id_in_words_is_the_same_in_whatever_spelling() {
    const BODY: &[u8] = br#""a/b""#;
    let id = Cursor::new(BODY, Limits::DEFAULT).and_then(|mut cursor| cursor.value()).unwrap();
    let asked = Asked { era: Era::Legacy, id, body: BODY };
    let is_answer = |id: &str| asked.is_answered_by(format!(r#"{{"id":{id},"result":{{}}}}"#).as_bytes());
    assert!(is_answer(r#""a/b""#) && is_answer(r#""a\/b""#) && is_answer(r#""\u0061/b""#));
    assert!(!is_answer(r#""a/c""#) && !is_answer("7") && !is_answer("null"));
}

#[test]
fn an_errors_code_is_the_integer_of_that_name() {
    for (error, expected) in [
        (r#"{"code":-32601,"data":5}"#, 404),
        (r#"{"data":-32601,"message":"m"}"#, 200),
        (r#"{"code":-32601.0}"#, 200),
        (r#"{"code":"-32601"}"#, 200),
        ("-32601", 200),
    ] {
        let head = format!(r#"{{"id":7,"error":{error}}}"#);
        assert_eq!(status(Era::Modern, 200, &head), Some(expected), "{error}");
    }
}

#[test]
fn a_handshake_is_settled_by_its_result() {
    let asked = asked(Era::Legacy);
    let newest = Revision::ALL.iter().rev().find(|revision| revision.era() == Era::Legacy).unwrap();
    let result = format!(r#"{{"id":7,"result":{{"a":{{}},"protocolVersion":"{}"}}}}"#, newest.as_str());
    assert_eq!(asked.settled_by(result.as_bytes()), Some(*newest));
    for other in [
        r#"{"id":7,"result":{}}"#.to_owned(),
        r#"{"id":7,"result":[]}"#.to_owned(),
        r#"{"id":7,"error":{"code":1,"message":""}}"#.to_owned(),
        result.replace("\"id\":7", "\"id\":8"),
        result.replace("\"id\":7", "\"id\":7,\"error\":{}"),
    ] {
        assert_eq!(asked.settled_by(other.as_bytes()), None, "{other}");
    }
}

#[test]
fn a_start_is_read_from_its_headers() {
    let read = |headers: &[(&'static str, &'static str)]| {
        Start::read(headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())))
    };
    assert_eq!(read(&[("Content-Type", "application/json; charset=utf-8")]).content, Content::Json);
    assert_eq!(read(&[("content-type", "Text/Event-Stream")]).content, Content::Stream);
    assert_eq!(read(&[("content-type", "application/jsonl")]).content, Content::Other);
    assert!(read(&[("content-encoding", "gzip")]).is_coded);
    assert!(!read(&[("content-encoding", "identity")]).is_coded);
    assert!(read(&[("Mcp-Session-Id", "1")]).names_session);
}
