//! The gate through the crate's own API: what a Rust gateway relies on.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's own mistake may panic

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::gate::{
    Accept, Annotations, Gate, GateConfig, Lookup, Policy, Reason, Request, Requirements, Served, SessionMode, Verdict,
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
fn a_batch_is_refused_for_its_header_before_it_is_looked_into() {
    let said = |lines: &[(&[u8], &[u8])]| reason_of(&gate(|_| {}), lines, "[]").1.unwrap();
    assert!(said(&[(b"mcp-protocol-version", b"2026-07-28")]).contains("batches are not part"));
    assert!(said(&[(b"mcp-protocol-version", b"2025-06-18")]).contains("empty batch"));
    assert!(said(&[]).contains("empty batch"));
}

#[test]
fn an_element_names_no_version_where_claims_are_read() {
    let element = r#"[{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-06-18"}}}]"#;
    let (reason, words) = reason_of(&gate(|_| {}), &[], element);
    assert_eq!(reason, Reason::BatchRefused);
    assert!(words.unwrap().contains("a protocol version of its own"));
    let legacy = gate(|config| config.served = Served::of([Revision::V2025_03_26]).unwrap());
    assert_eq!(reason_of(&legacy, &[], element).0, Reason::Admitted);
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
fn without_a_handshake_revision_nothing_but_post_is_offered() {
    for sessions in [SessionMode::Store, SessionMode::Backend, SessionMode::Tickets] {
        let offered = |served: &[Revision]| {
            let changed = gate(|config| {
                config.sessions = sessions;
                config.can_revoke = true;
                config.served = Served::of(served.iter().copied()).unwrap();
                config.policy.legacy_stream = true;
                config.policy.legacy_delete = true;
            });
            changed.offered().as_str()
        };
        assert_eq!(offered(&[Revision::V2026_07_28]), "POST");
        assert_eq!(offered(Revision::ALL), "POST, GET, DELETE");
    }
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
fn an_empty_object_counts_as_a_level_wherever_it_stands() {
    let sampling = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{}}}}"#;
    let arguments = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":{}}}}"#;
    for (body, depth) in [(sampling, 4), (arguments, 4), (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}"#, 2)]
    {
        for (most, expected) in [(depth - 1, Reason::ParseError), (depth, Reason::Admitted)] {
            let bounded = gate(|config| config.policy.limits.max_depth = most);
            assert_eq!(reason_of(&bounded, &[], body).0, expected, "{body} {most}");
        }
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
fn an_error_response_has_an_integer_code_and_a_message() {
    for (error, reason) in [
        (r#"{"code":1,"message":""}"#, Reason::Admitted),
        (r#"{"code":1}"#, Reason::InvalidMessage),
        (r#"{"message":"m"}"#, Reason::InvalidMessage),
        (r#"{"code":1.0,"message":"m"}"#, Reason::InvalidMessage),
        (r#"{"code":1,"message":null}"#, Reason::InvalidMessage),
        ("[]", Reason::InvalidMessage),
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":null,"error":{error}}}"#);
        assert_eq!(reason_of(&gate(|_| {}), &[], &body).0, reason, "{error}");
    }
}

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

const ENVELOPE: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

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
fn a_list_in_a_listen_filter_counts_as_a_level() {
    let listen =
        r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"taskIds":[]}}}"#;
    for (most, expected) in [(3, Reason::ParseError), (4, Reason::MethodNotFound)] {
        let bounded = gate(|config| config.policy.limits.max_depth = most);
        assert_eq!(reason_of(&bounded, &[], listen).0, expected, "{most}");
    }
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
