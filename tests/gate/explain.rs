//! The way up the ladder.

use revcap::gate::{Accept, Gate, Lookup, Reason, Request, SessionMode};
use revcap::headers::Headers;

use crate::{ENVELOPE, LINES, gate};

/// The rungs that a request climbs, the last one with `!` where it refused.
fn way(gate: &Gate, http_method: &str, lines: Option<&[(&[u8], &[u8])]>, body: &str) -> String {
    let headers = lines.map(|lines| Headers::pick(LINES[..1].iter().chain(lines).copied()));
    let look_up = |id: &[u8]| if id == b"broken" { Lookup::Failed } else { Lookup::Unknown };
    let decision =
        gate.decide(&Request { http_method, headers: headers.as_ref(), body: body.as_bytes(), look_up: &look_up });
    let steps = decision.explain();
    let refused = decision.rejection().map(ToString::to_string);
    assert_eq!(steps.last().and_then(|step| step.objection.clone()), refused.filter(|_| !steps.is_empty()));
    let rungs = steps.iter().map(|step| format!("{}{}", step.rung, if step.objection.is_some() { "!" } else { "" }));
    rungs.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_way_up_shows_the_rungs_that_such_a_request_climbs_and_no_other() {
    let gate = gate(|config| config.sessions = SessionMode::Backend);
    let legacy: &[(&[u8], &[u8])] = &[(b"mcp-protocol-version", b"2025-11-25")];
    let modern = |method: &'static [u8]| -> [(&[u8], &[u8]); 2] {
        [(b"mcp-protocol-version", b"2026-07-28"), (b"mcp-method", method)]
    };
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x","capabilities":{}}}"#;
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let own = |message: &str| {
        let end = message.strip_suffix('}').unwrap();
        format!(r#"{end},"params":{{{ENVELOPE}}}}}"#)
    };
    let body = "H1 H2 H3 H4 H5 P1 P2 P3 P4 P5 V1 V2 V3 V4";
    assert_eq!(way(&gate, "POST", Some(legacy), request), format!("{body} L0 L1 L2 L3"));
    assert_eq!(way(&gate, "POST", Some(legacy), told), format!("{body} L1"));
    assert_eq!(way(&gate, "POST", Some(legacy), answer), format!("{body} L1"));
    assert_eq!(way(&gate, "POST", Some(legacy), hello), format!("{body} L1 L4"));
    let batches: &[(&[u8], &[u8])] = &[(b"mcp-protocol-version", b"2025-03-26")];
    assert_eq!(way(&gate, "POST", Some(batches), &format!("[{request}]")), format!("{body} L1"));
    assert_eq!(way(&gate, "POST", Some(legacy), &format!("[{request}]")), "H1 H2 H3 H4 H5 P1 P2!");
    assert_eq!(way(&gate, "GET", Some(legacy), ""), "H1 H2 H4 V1 V3 V4 L1");
    assert_eq!(way(&gate, "DELETE", Some(legacy), ""), "H1 H2 V1 V3 V4 L1");
    let lines = modern(b"tools/list");
    assert_eq!(way(&gate, "POST", Some(&lines), &own(request)), format!("{body} M1 M2 M3 M4 M5 M6 M7 M8"));
    assert_eq!(way(&gate, "POST", Some(&modern(b"notifications/initialized")), &own(told)), format!("{body} M2"));
    assert_eq!(way(&gate, "POST", Some(&lines), answer), format!("{body} M0!"));
    let alone = "P1 P2 P3 P4 P5 V2 V3 V4";
    assert_eq!(way(&gate, "POST", None, request), format!("{alone} L2 L3"));
    assert_eq!(way(&gate, "POST", None, hello), format!("{alone} L4"));
    assert_eq!(way(&gate, "POST", None, told), alone);
    assert_eq!(way(&gate, "POST", None, &own(request)), format!("{alone} M1 M3 M4 M7"));
}

#[test]
fn the_way_up_ends_at_the_rung_that_refused_under_its_own_name() {
    let store = gate(|config| config.sessions = SessionMode::Store);
    let lenient = gate(|config| config.policy.accept = Accept::Lenient);
    let probe = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#;
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    let listen = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{{"notifications":{{}},{ENVELOPE}}}}}"#
    );
    let listening: [(&[u8], &[u8]); 3] = [
        (b"accept", b"application/json"),
        (b"mcp-protocol-version", b"2026-07-28"),
        (b"mcp-method", b"subscriptions/listen"),
    ];
    let last = |way: String| way.rsplit(' ').next().unwrap_or_default().to_owned();
    assert_eq!(last(way(&store, "POST", Some(&[]), probe)), "L0!");
    assert_eq!(last(way(&store, "POST", Some(&[(b"mcp-session-id", b"gone")]), probe)), "L1!");
    assert_eq!(last(way(&lenient, "POST", Some(&[]), probe)), "L2!");
    assert_eq!(last(way(&store, "POST", Some(&[]), hello)), "L4!");
    assert_eq!(last(way(&lenient, "POST", Some(&listening), &listen)), "M8!");
    // Whoever failed stands on no rung, and the rest says nothing of the request.
    assert_eq!(
        way(&store, "POST", Some(&[(b"mcp-session-id", b"broken")]), hello.replace("initialize", "ping").as_str()),
        ""
    );
}

#[test]
fn a_reported_objection_stands_on_its_rung_and_the_way_goes_on() {
    let reporting = gate(|config| {
        config.policy.reported = vec![Reason::MethodNotFound];
        config.policy.reject_unknown_methods = true;
    });
    let steps = |body: &str| {
        let look_up = |_: &[u8]| Lookup::Unknown;
        let request = Request { http_method: "POST", headers: None, body: body.as_bytes(), look_up: &look_up };
        let noted = reporting.decide(&request).explain().into_iter().filter(|step| step.objection.is_some());
        noted.map(|step| (step.rung, step.objection.unwrap_or_default(), step.is_reported)).collect::<Vec<_>>()
    };
    let unknown = "Method not found: x/y".to_owned();
    assert_eq!(steps(r#"{"jsonrpc":"2.0","id":1,"method":"x/y"}"#), [("L2", unknown.clone(), true)]);
    let refused = steps(r#"{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"_meta":7}}"#);
    let wrong = "Invalid params: _meta must be an object".to_owned();
    assert_eq!(refused, [("L2", unknown, true), ("L3", wrong, false)]);
    assert!(steps(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).is_empty());
    let all = reporting.decide(&Request {
        http_method: "POST",
        headers: None,
        body: br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        look_up: &|_| Lookup::Unknown,
    });
    assert!(all.explain().iter().all(|step| !step.is_reported));
}
