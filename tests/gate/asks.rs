//! What a handler asks of a verdict while it runs.

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::capabilities::{ClientCapabilities, Requirement};
use revcap::gate::{Decision, Gate, Lookup, Reason, Reply, Request, Requirements, SessionMode};
use revcap::headers::Headers;
use revcap::session::Session;
use revcap::table::{ClientFeature, Revision};

use crate::{LINES, gate};

fn modern_body(method: &str, capabilities: &str, more: &str) -> String {
    let meta = format!(
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{capabilities}"#
    );
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{{more},"_meta":{{{meta}}}}}}}"#)
}

fn decide(gate: &Gate, body: &str) -> Decision {
    let look_up = |_: &[u8]| Lookup::Unknown;
    gate.decide(&Request { http_method: "POST", headers: None, body: body.as_bytes(), look_up: &look_up })
}

/// A handshake client's call, of a session that declared these.
fn of_session(capabilities: Option<&str>) -> (Decision, &'static str) {
    let body = r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"ask"}}"#;
    let gate = gate(|config| config.sessions = SessionMode::Store);
    let headers = Headers::pick(LINES);
    let revision = Revision::V2025_11_25;
    let client = capabilities.map(|text| ClientCapabilities::parse(text.as_bytes(), Some(revision)).unwrap().into());
    let look_up = |_: &[u8]| Lookup::Live(Session::new(revision, client.clone()).unwrap());
    let request = Request { http_method: "POST", headers: Some(&headers), body: body.as_bytes(), look_up: &look_up };
    (gate.decide(&request), body)
}

fn told(reply: Option<Reply>) -> Option<(u16, String)> {
    reply.map(|reply| (reply.status, String::from_utf8(reply.body).unwrap()))
}

#[test]
fn what_a_client_did_not_declare_is_refused_as_its_era_words_it() {
    let sampling = Requirement::from(ClientFeature::SAMPLING);
    let body = modern_body("tools/call", "{}", r#""name":"ask""#);
    let modern = told(decide(&gate(|_| {}), &body).require(body.as_bytes(), &sampling));
    let error = r#"{"code":-32021,"message":"Missing required client capability","data":{"requiredCapabilities":{"sampling":{}}}}"#;
    assert_eq!(modern, Some((400, format!(r#"{{"jsonrpc":"2.0","id":7,"error":{error}}}"#))));
    let able = modern_body("tools/call", r#"{"sampling":{}}"#, r#""name":"ask""#);
    assert_eq!(told(decide(&gate(|_| {}), &able).require(able.as_bytes(), &sampling)), None);

    let (refused, body) = of_session(Some("{}"));
    let words = "Invalid params: the client did not declare a capability that this call needs";
    let error =
        format!(r#"{{"code":-32602,"message":"{words}","data":{{"requiredCapabilities":{{"sampling":{{}}}}}}}}"#);
    let in_band = Some((200, format!(r#"{{"jsonrpc":"2.0","id":"x","error":{error}}}"#)));
    assert_eq!(told(refused.require(body.as_bytes(), &sampling)), in_band);
    for able in [Some(r#"{"sampling":{}}"#), None] {
        assert_eq!(told(of_session(able).0.require(body.as_bytes(), &sampling)), None, "{able:?}");
    }
}

#[test]
fn the_tasks_extension_is_needed_where_nothing_else_is_required() {
    let plain = gate(|_| {});
    assert!(plain.config().requirements.is_empty());
    let task = r#""taskId":"t""#;
    let declared = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    let reason = |capabilities: &str| decide(&plain, &modern_body("tasks/get", capabilities, task)).reason;
    assert_eq!(reason("{}"), Reason::MissingClientCapability);
    assert_eq!(reason(declared), Reason::Admitted);
    let reporting = gate(|config| config.policy.reported = vec![Reason::InvalidParams]);
    for (tasks, expected) in [
        (r#"["t"]"#, Reason::MissingClientCapability),
        ("[]", Reason::MissingClientCapability),
        // Reported, they read as absent.
        (r#"["t",7]"#, Reason::Admitted),
        (r#""t""#, Reason::Admitted),
        ("null", Reason::Admitted),
    ] {
        let listen = modern_body("subscriptions/listen", "{}", &format!(r#""notifications":{{"taskIds":{tasks}}}"#));
        assert_eq!(decide(&reporting, &listen).reason, expected, "{tasks}");
    }
    let mut requirements = Requirements::default();
    requirements.insert("tools/call", None, Requirement::from(ClientFeature::ROOTS));
    assert!(!requirements.is_empty());
}

const FORM: &str =
    r#"{"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{"type":"object"}}}"#;
const URL: &str =
    r#"{"method":"elicitation/create","params":{"mode":"url","message":"?","url":"https://example.com"}}"#;

#[test]
fn input_requests_are_held_against_what_the_client_declared() {
    let plain = gate(|_| {});
    let check = |gate: &Gate, capabilities: &str, result: &str| {
        let body = modern_body("tools/call", capabilities, r#""name":"ask""#);
        let decision = decide(gate, &body);
        assert_eq!(decision.reason, Reason::Admitted);
        told(gate.check_input_requests(&decision, body.as_bytes(), result.as_bytes()).unwrap())
    };
    let asks = format!(r#"{{"resultType":"input_required","inputRequests":{{"a":{FORM},"b":{URL}}}}}"#);
    assert_eq!(check(&plain, r#"{"elicitation":{"form":{},"url":{}}}"#, &asks), None);
    let error = r#"{"code":-32021,"message":"Missing required client capability","data":{"requiredCapabilities":{"elicitation":{"url":{}}}}}"#;
    let refused = Some((400, format!(r#"{{"jsonrpc":"2.0","id":7,"error":{error}}}"#)));
    assert_eq!(check(&plain, r#"{"elicitation":{}}"#, &asks), refused);
    assert_eq!(check(&plain, "{}", r#"{"content":[],"error":7}"#), None);
    let wrong = check(&plain, "{}", r#"{"resultType":"input_required"}"#).unwrap();
    assert!(wrong.0 == 200 && wrong.1.contains("-32603"), "{wrong:?}");
    // The server forbids its handlers to ask.
    let silent = gate(|config| {
        let switches = Switches { elicitation: Some(false), ..Switches::default() };
        config.server = ServerIdentity::new(Implementation::new("test", "1"), &switches).unwrap();
    });
    let form = format!(r#"{{"resultType":"input_required","inputRequests":{{"a":{FORM}}}}}"#);
    assert_eq!(check(&plain, r#"{"elicitation":{}}"#, &form), None);
    assert!(check(&silent, r#"{"elicitation":{}}"#, &form).is_some_and(|(_, words)| words.contains("-32603")));
}

#[test]
fn a_result_that_is_none_or_answers_nothing_is_no_refusal() {
    let gate = gate(|_| {});
    let body = modern_body("tools/call", "{}", r#""name":"ask""#);
    let decision = decide(&gate, &body);
    for malformed in [r#"{"resultType":"input_required","inputRequests":7}"#, "{", "{},\"error\":{}"] {
        assert!(gate.check_input_requests(&decision, body.as_bytes(), malformed.as_bytes()).is_err(), "{malformed}");
    }
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let asks = br#"{"resultType":"input_required"}"#;
    let none = gate.check_input_requests(&decide(&gate, notification), notification.as_bytes(), asks).unwrap();
    assert_eq!(told(none), None);
}

#[test]
fn a_body_goes_on_whole_where_nothing_is_taken_off_it() {
    let answering = gate(|config| config.answer_handshake = true);
    let plain = gate(|_| {});
    for (gate, body, whole) in [
        (&plain, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, true),
        (&plain, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, true),
        (&plain, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, true),
        (&answering, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, false),
        (&plain, r#"{"jsonrpc":"2.0","method":"notifications/message"}"#, false),
        (&plain, "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", false),
        (&plain, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","task":{}}}"#, false),
        (&plain, r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, false),
        (&plain, r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, false),
    ] {
        let decision = decide(gate, body);
        assert_eq!(decision.hands_on_all_of(body.as_bytes()), whole, "{body}");
        let goes_on = decision.forward(body.as_bytes());
        assert_eq!(goes_on.len() == 1 && *goes_on[0] == *body.as_bytes(), whole, "{body}");
    }
}
