//! The hop to a backend: what goes up, what comes back, and what a handshake on behalf of others looks like.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::gate::{
    Annotations, Decision, Gate, GateConfig, Lookup, Policy, Reason, Request, Requirements, Served, SessionMode,
    ToolAnnotations,
};
use revcap::headers::Headers;
use revcap::table::{Channel, Era, Feature, Method, Reading, Revision, Standing};
use revcap::upstream::{
    Failure, Forwarded, Incoming, Outbound, Received, Sending, SessionState, Upstream, UpstreamConfig, UpstreamSession,
    probe, read_probe,
};
use serde_json::{Value, json};

const CLAIM: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

fn is_modern(revision: Revision) -> bool {
    revision.era() == Era::Modern
}

fn modern() -> Revision {
    *Revision::ALL.iter().rfind(|revision| is_modern(**revision)).unwrap()
}

fn legacy() -> Vec<Revision> {
    Revision::ALL.iter().copied().filter(|revision| !is_modern(*revision)).collect()
}

fn upstream(revision: Revision) -> Upstream {
    Upstream::new(UpstreamConfig::of(revision)).unwrap()
}

fn with(revision: Revision, change: impl FnOnce(&mut UpstreamConfig)) -> Upstream {
    let mut config = UpstreamConfig::of(revision);
    change(&mut config);
    Upstream::new(config).unwrap()
}

fn bytes(text: &str) -> Box<[u8]> {
    text.as_bytes().into()
}

fn up(upstream: &Upstream, message: &Value) -> Outbound {
    let text = message.to_string();
    upstream.outbound(&Incoming::bare(text.as_bytes()).unwrap(), &Sending::default())
}

fn body(sent: &Outbound) -> Value {
    assert_eq!(sent.reply, None);
    serde_json::from_slice(&sent.body).unwrap()
}

fn header<'a>(sent: &'a Outbound, name: &str) -> Option<&'a str> {
    let mut lines = sent.headers.iter().filter(|(have, _)| **have == *name);
    let line = lines.next().map(|(_, value)| std::str::from_utf8(value).unwrap());
    assert!(lines.next().is_none(), "{name} twice");
    line
}

fn gate_with(sessions: SessionMode, annotations: Annotations) -> Gate {
    Gate::new(GateConfig {
        served: Served::all(),
        reading: Reading::Record,
        sessions,
        can_revoke: false,
        server: ServerIdentity::new(Implementation::new("gw", "1.0"), &Switches::default()).unwrap(),
        answer_handshake: false,
        annotations,
        requirements: Requirements::default(),
        policy: Policy::default(),
    })
}

fn gate() -> Gate {
    gate_with(SessionMode::Stateless, Annotations::default())
}

fn decide(gate: &Gate, http_method: &str, headers: &[(&str, &str)], body: &[u8]) -> Decision {
    let mut lines: Vec<(&[u8], &[u8])> =
        headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
    lines.push((b"content-type", b"application/json"));
    let headers = Headers::pick(lines);
    gate.decide(&Request { http_method, headers: Some(&headers), body, look_up: &|_| Lookup::Unknown })
}

/// A client's `tools/call` under its revision, judged.
fn call(gate: &Gate, revision: Revision, message: &mut Value) -> (Vec<u8>, Decision) {
    if is_modern(revision) {
        message["params"]["_meta"][CLAIM] = json!(revision.as_str());
        message["params"]["_meta"][CAPABILITIES] = json!({"sampling": {}});
    }
    let body = message.to_string().into_bytes();
    let mut headers = vec![("mcp-protocol-version", revision.as_str())];
    let name = message["params"]["name"].as_str().unwrap_or_default().to_owned();
    let method = message["method"].as_str().unwrap().to_owned();
    if is_modern(revision) {
        headers.extend([("mcp-method", method.as_str()), ("mcp-name", name.as_str())]);
    }
    let decision = decide(gate, "POST", &headers, &body);
    (body, decision)
}

#[test]
fn a_probes_answer_is_read_by_code_and_shape() {
    let (newest, handshake) = (modern().as_str(), legacy()[3].as_str());
    let result = |versions: Value| json!({"jsonrpc": "2.0", "id": "x", "result": {"supportedVersions": versions, "capabilities": {"tools": {}}}});
    let error = |code: i64, data: Value| json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": "m", "data": data}});
    let (is_modern, is_legacy, is_none) = (Some(Era::Modern), Some(Era::Legacy), None);
    for (answer, era, revision) in [
        (result(json!([newest])), is_modern, Some(newest)),
        (result(json!([handshake, newest, "2099-01-01"])), is_modern, Some(newest)),
        (result(json!(["2024-11-05", handshake])), is_legacy, Some(handshake)),
        (result(json!(["2099-01-01", 7, null])), is_none, None),
        (result(json!([])), is_none, None),
        (result(json!(newest)), is_legacy, Some(handshake)),
        (result(Value::Null), is_legacy, Some(handshake)),
        (error(-32022, json!({"supported": [newest]})), is_modern, Some(newest)),
        (error(-32022, json!({"supported": ["2025-03-26"]})), is_legacy, Some("2025-03-26")),
        (error(-32022, json!({"supported": ["x"]})), is_none, None),
        (error(-32022, json!({"supported": newest})), is_legacy, Some(handshake)),
        (error(-32022, Value::Null), is_legacy, Some(handshake)),
        (error(-32020, Value::Null), is_modern, Some(newest)),
        (error(-32021, json!({"requiredCapabilities": {}})), is_modern, Some(newest)),
        (error(-32601, Value::Null), is_legacy, Some(handshake)),
        (error(-32602, json!({"supported": [newest]})), is_legacy, Some(handshake)),
        (error(-32600, Value::Null), is_legacy, Some(handshake)),
        (error(-32000, Value::Null), is_legacy, Some(handshake)),
        (error(-32001, Value::Null), is_legacy, Some(handshake)),
        (error(-32003, Value::Null), is_legacy, Some(handshake)),
        (error(-32004, json!({"supported": [newest]})), is_legacy, Some(handshake)),
        (json!({"supportedVersions": [newest]}), is_legacy, Some(handshake)),
        (json!([result(json!([newest]))]), is_legacy, Some(handshake)),
        (json!("text"), is_legacy, Some(handshake)),
    ] {
        let text = answer.to_string();
        let stream = format!("event: message\ndata: {text}\n\n");
        for status in [None, Some(200), Some(400), Some(404), Some(500)] {
            for (content_type, body) in
                [("application/json", &text), ("text/event-stream", &stream), ("text/plain", &text)]
            {
                let probed = read_probe(status, Some(content_type.as_bytes()), body.as_bytes(), Served::all());
                assert_eq!((probed.era, probed.revision.map(Revision::as_str)), (era, revision), "{answer}");
                let unnamed = read_probe(status, None, body.as_bytes(), Served::all());
                assert_eq!(unnamed, probed, "{answer}");
            }
        }
    }
}

#[test]
fn a_probe_is_a_modern_request_that_any_gate_admits() {
    let sent = probe(&upstream(modern()), b"\"p\"").unwrap();
    let headers: Vec<(&str, &str)> =
        sent.headers.iter().map(|(name, value)| (&**name, std::str::from_utf8(value).unwrap())).collect();
    let decision = gate().decide(&Request {
        http_method: sent.http_method,
        headers: Some(&Headers::pick(headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())))),
        body: &sent.body,
        look_up: &|_| Lookup::Unknown,
    });
    assert_eq!((decision.reason, decision.facts.method), (Reason::Admitted, Some(Method::ServerDiscover)));
}

#[test]
fn what_may_be_spoken_decides_what_a_probe_settles_on() {
    let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"supportedVersions": [modern().as_str(), "2025-06-18"]}});
    let text = answer.to_string();
    let only = |revision| read_probe(None, None, text.as_bytes(), Served::of([revision]).unwrap());
    let old = Revision::parse(b"2025-06-18").unwrap();
    assert_eq!((only(old).era, only(old).revision), (Some(Era::Legacy), Some(old)));
    assert_eq!((only(legacy()[0]).era, only(legacy()[0]).revision), (None, None));
    let silent = read_probe(None, None, b"", Served::of([modern()]).unwrap());
    assert_eq!((silent.era, silent.revision), (Some(Era::Legacy), None));
}

#[test]
fn every_pair_of_revisions_has_its_headers() {
    let gate = gate();
    for client in Revision::ALL {
        let mut message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "t"}});
        let (text, decision) = call(&gate, *client, &mut message);
        assert_eq!(decision.reason, Reason::Admitted, "{client:?}");
        for backend in Revision::ALL {
            let sending = Sending { session: Some(b"gw-session"), ..Sending::default() };
            let sent = upstream(*backend).outbound(&Incoming::judged(&gate, &decision, &text), &sending);
            let at = format!("{client:?} to {backend:?}");
            let has = |feature| backend.has(feature);
            let version = has(Feature::PROTOCOL_VERSION_HEADER).then_some(backend.as_str());
            assert_eq!(header(&sent, "mcp-protocol-version"), version, "{at}");
            let mirrors = has(Feature::MIRROR_HEADERS);
            assert_eq!(header(&sent, "mcp-method"), mirrors.then_some("tools/call"), "{at}");
            assert_eq!(header(&sent, "mcp-name"), mirrors.then_some("t"), "{at}");
            assert_eq!(header(&sent, "mcp-session-id"), (!is_modern(*backend)).then_some("gw-session"), "{at}");
            assert_eq!(header(&sent, "content-type"), Some("application/json"));
            assert_eq!(header(&sent, "accept"), Some("application/json, text/event-stream"));
            let meta = &body(&sent)["params"]["_meta"];
            if is_modern(*backend) {
                assert_eq!(meta[CLAIM], json!(backend.as_str()), "{at}");
                let own = if is_modern(*client) { json!({"sampling": {}}) } else { json!({}) };
                assert_eq!(meta[CAPABILITIES], own, "{at}");
            } else {
                assert_eq!(*meta, Value::Null, "{at}");
            }
            assert_eq!(body(&sent)["id"], json!(7));
        }
    }
}

#[test]
fn the_table_takes_exactly_these_parameters_from_a_request() {
    let mut taken = Vec::new();
    for method in Method::ALL {
        for revision in Revision::ALL {
            if method.row(Channel::ClientRequest, *revision).is_none() {
                continue;
            }
            for member in method.params().members() {
                let lacks = matches!(method.params().member(member.name().as_bytes(), *revision), Standing::Lacks);
                let row = (method.as_str(), member.name());
                if lacks && member.name() != "_meta" && !taken.contains(&row) {
                    taken.push(row);
                }
            }
        }
    }
    taken.sort_unstable();
    let expected = [
        ("completion/complete", "context"),
        ("prompts/get", "inputResponses"),
        ("prompts/get", "requestState"),
        ("resources/read", "inputResponses"),
        ("resources/read", "requestState"),
        ("tools/call", "inputResponses"),
        ("tools/call", "requestState"),
        ("tools/call", "task"),
    ];
    assert_eq!(taken, expected);
}

#[test]
fn a_task_goes_only_to_who_runs_it() {
    let message =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "task": {"ttl": 1}}});
    for backend in Revision::ALL {
        for (capabilities, runs) in [
            (None, false),
            (Some(bytes("{}")), false),
            (Some(bytes(r#"{"tasks":{}}"#)), false),
            (Some(bytes(r#"{"tasks":{"requests":{"tools":{"call":{}}}}}"#)), backend.has(Feature::TASK_PARAMETER)),
        ] {
            let sent = up(&with(*backend, |config| config.capabilities = capabilities), &message);
            assert_eq!(body(&sent)["params"].get("task").is_some(), runs, "{backend:?}");
        }
    }
}

#[test]
fn a_rename_changes_the_name_and_nothing_else() {
    let text = r#"{ "jsonrpc":"2.0","id":1,"method":"tools\/call","params":{"x":1.50,"n\u0061me" : "gw_a\"b","arguments":{"name":"gw_x"}} }"#;
    let incoming = Incoming::bare(text.as_bytes()).unwrap();
    let renamed = |new: &str| {
        let sending = Sending { rename: Some(new), ..Sending::default() };
        String::from_utf8(upstream(legacy()[3]).outbound(&incoming, &sending).body).unwrap()
    };
    assert_eq!(renamed("a\"b"), text.replace(r#""gw_a\"b""#, r#""a\"b""#));
    assert_eq!(renamed("gw_a\"b"), text);
    assert_eq!(renamed("日本\n"), text.replace(r#""gw_a\"b""#, r#""日本\n""#));
}

#[test]
fn whatever_names_a_target_is_renamed() {
    for (method, before, after) in [
        ("prompts/get", json!({"name": "gw_x"}), json!({"name": "x"})),
        ("resources/read", json!({"uri": "gw_x"}), json!({"uri": "x"})),
        ("resources/subscribe", json!({"uri": "gw_x"}), json!({"uri": "x"})),
        ("tasks/get", json!({"taskId": "gw_x"}), json!({"taskId": "x"})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "gw_x"}, "argument": {"name": "n", "value": "v"}}),
            json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "n", "value": "v"}}),
        ),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": "gw_x"}, "argument": {"name": "n", "value": "v"}}),
            json!({"ref": {"type": "ref/resource", "uri": "x"}, "argument": {"name": "n", "value": "v"}}),
        ),
        ("tools/list", json!({"name": "gw_x"}), json!({"name": "gw_x"})),
        ("acme/do", json!({"name": "gw_x"}), json!({"name": "gw_x"})),
        ("tools/call", json!({"name": 7}), json!({"name": 7})),
    ] {
        let text = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": before}).to_string();
        let sending = Sending { rename: Some("x"), ..Sending::default() };
        let sent = upstream(legacy()[3]).outbound(&Incoming::bare(text.as_bytes()).unwrap(), &sending);
        assert_eq!(body(&sent)["params"], after, "{method}");
    }
}

#[test]
fn what_goes_to_a_modern_backend_is_admitted_there() {
    let parameters = [
        (vec!["s"], "S"),
        (vec!["n"], "N"),
        (vec!["b"], "Bool"),
        (vec!["deep", "er"], "Deep-Er"),
        (vec!["gone"], "Gone"),
        (vec!["nil"], "Nil"),
    ];
    let mut annotations = Annotations::default();
    annotations.insert("日本", ToolAnnotations::new(parameters).unwrap());
    let there = gate_with(SessionMode::Stateless, annotations.clone());
    let here = gate();
    let upstream = with(modern(), |config| {
        config.annotations = annotations;
        config.client_info = Some(bytes(r#"{"name":"gw","version":"1"}"#));
    });
    for client in Revision::ALL {
        for n in ["42", "-7", "42.0", "4.2e1", "-0", "1e-3", "9007199254740993", "0.10"] {
            for s in ["plain", " padded ", "=?base64?eA==?=", "", "日本", "a\nb\u{0}", "tab\t."] {
                let mut message = json!({"jsonrpc": "2.0", "id": "é", "method": "tools/call", "params": {
                    "name": "t",
                    "arguments": {"s": s, "b": true, "deep": {"er": "x"}, "nil": null, "other": [1]}
                }});
                let number: serde_json::Number = n.parse().unwrap();
                message["params"]["arguments"]["n"] = Value::Number(number);
                let (text, decision) = call(&here, *client, &mut message);
                assert_eq!(decision.reason, Reason::Admitted);
                let sending = Sending { rename: Some("日本"), ..Sending::default() };
                let sent = upstream.outbound(&Incoming::judged(&here, &decision, &text), &sending);
                let lines = sent.headers.iter().map(|(name, value)| (name.as_bytes(), value.as_slice()));
                let headers = Headers::pick(lines);
                let decision = there.decide(&Request {
                    http_method: "POST",
                    headers: Some(&headers),
                    body: &sent.body,
                    look_up: &|_| Lookup::Unknown,
                });
                assert_eq!(decision.reason, Reason::Admitted, "{n} {s:?}: {:?}", decision.rejection);
                assert_eq!(header(&sent, "mcp-param-gone"), None);
                assert_eq!(header(&sent, "mcp-param-nil"), None);
            }
        }
    }
}

#[test]
fn what_no_header_can_say_is_refused_in_the_clients_words() {
    let mut annotations = Annotations::default();
    annotations.insert("t", ToolAnnotations::new([(vec!["n"], "N")]).unwrap());
    let upstream = with(modern(), |config| config.annotations = annotations);
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"t","arguments":{{"n":1e999}},"_meta":{{"{CLAIM}":"{}"}}}}}}"#,
        modern().as_str()
    );
    let sent = upstream.outbound(&Incoming::bare(text.as_bytes()).unwrap(), &Sending::default());
    let reply = sent.reply.unwrap();
    let answer: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((reply.status, &answer["error"]["code"]), (400, &json!(-32602)));
    let sent = up(&upstream, &json!({"jsonrpc": "2.0", "id": 1, "method": "acmé/do"}));
    let reply = sent.reply.unwrap();
    let answer: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32601), &json!(1)));
}

#[test]
fn a_client_in_backend_mode_keeps_its_session_and_its_revision() {
    let gate = gate_with(SessionMode::Backend, Annotations::default());
    let upstream = upstream(modern());
    for client in legacy() {
        let body = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        let headers = [("mcp-protocol-version", client.as_str()), ("mcp-session-id", "s-1"), ("last-event-id", "e")];
        let decision = decide(&gate, "POST", &headers, body);
        let sent = upstream.outbound(&Incoming::judged(&gate, &decision, body), &Sending::default());
        assert_eq!((sent.reply.as_ref(), &*sent.body), (None, body.as_slice()));
        assert_eq!(header(&sent, "mcp-session-id"), Some("s-1"));
        assert_eq!(header(&sent, "last-event-id"), None);
        let version = client.has(Feature::PROTOCOL_VERSION_HEADER).then_some(client.as_str());
        assert_eq!(header(&sent, "mcp-protocol-version"), version);
        for (http_method, event) in [("GET", Some("e")), ("DELETE", None)] {
            let decision = decide(&gate, http_method, &headers, b"");
            let sent = upstream.outbound(&Incoming::judged(&gate, &decision, b""), &Sending::default());
            assert_eq!((sent.http_method, sent.body.as_slice()), (http_method, b"".as_slice()));
            assert_eq!(header(&sent, "mcp-session-id"), Some("s-1"));
            assert_eq!(header(&sent, "last-event-id"), event);
        }
        let gone = Received { status: Some(404), headers: &[(b"content-type", b"text/plain")], body: b"gone" };
        let reply = upstream.inbound(&sent, &gone);
        assert_eq!((reply.status, reply.body.as_slice()), (404, b"gone".as_slice()));
        let headers: [(&[u8], &[u8]); 2] = [(b"Mcp-Session-Id", b"s-2"), (b"content-type", b"application/json")];
        let refused = br#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"no"}}"#;
        let reply = upstream.inbound(&sent, &Received { status: Some(404), headers: &headers, body: refused });
        assert_eq!((reply.status, reply.body.as_slice()), (404, refused.as_slice()));
        assert!(reply.headers.contains(&("mcp-session-id", "s-2".to_owned())));
    }
}

#[test]
fn initialize_goes_on_in_backend_mode_without_a_version_header() {
    let gate = gate_with(SessionMode::Backend, Annotations::default());
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#;
    let headers = [("mcp-protocol-version", "2025-11-25"), ("mcp-session-id", "old")];
    let decision = decide(&gate, "POST", &headers, body);
    let sent = upstream(legacy()[3]).outbound(&Incoming::judged(&gate, &decision, body), &Sending::default());
    assert_eq!((sent.reply.as_ref(), &*sent.body), (None, body.as_slice()));
    assert_eq!((header(&sent, "mcp-protocol-version"), header(&sent, "mcp-session-id")), (None, Some("old")));
}

fn answer(reply: Option<&revcap::gate::Reply>) -> Value {
    let reply = reply.unwrap();
    if reply.body.is_empty() { json!(reply.status) } else { serde_json::from_slice(&reply.body).unwrap() }
}

#[test]
fn a_modern_client_discovers_a_handshake_backend_through_the_gateway() {
    let capabilities = r#"{"tools":{"listChanged":true},"resources":{"subscribe":true},"tasks":{"list":{}},"logging":{},"completions":{},"x-acme":{"a":1},"extensions":{"com.acme/x":{},"io.modelcontextprotocol/tasks":{}}}"#;
    let upstream = with(legacy()[3], |config| {
        config.capabilities = Some(bytes(capabilities));
        config.server_info = Some(bytes(r#"{"name":"b","version":"2","websiteUrl":"not a uri","icons":7}"#));
        config.instructions = Some("Be kind.".into());
    });
    let gate = gate();
    let mut message = json!({"jsonrpc": "2.0", "id": "d", "method": "server/discover", "params": {}});
    let (text, decision) = call(&gate, modern(), &mut message);
    let sent = upstream.outbound(&Incoming::judged(&gate, &decision, &text), &Sending::default());
    let reply = answer(sent.reply.as_ref());
    let result = &reply["result"];
    assert_eq!(reply["id"], json!("d"));
    assert_eq!(
        result["capabilities"],
        json!({"tools": {}, "resources": {}, "logging": {}, "completions": {}, "x-acme": {"a": 1}, "extensions": {"com.acme/x": {}}})
    );
    assert_eq!(result["resultType"], json!("complete"));
    assert_eq!(result["supportedVersions"][0], json!(modern().as_str()));
    assert_eq!(result["instructions"], json!("Be kind."));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"], json!({"name": "b", "version": "2"}));
}

#[test]
fn what_cannot_cross_is_refused_by_name() {
    let gate = gate();
    let listen = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {"notifications": {}}});
    let (text, decision) = call(&gate, modern(), &mut listen.clone());
    assert_eq!(decision.reason, Reason::Admitted);
    for backend in legacy() {
        let sent = upstream(backend).outbound(&Incoming::judged(&gate, &decision, &text), &Sending::default());
        assert_eq!(sent.reply.as_ref().unwrap().status, 404);
        assert_eq!(answer(sent.reply.as_ref())["error"]["message"], json!("Method not found: subscriptions/listen"));
    }
    for (method, params, expected) in [
        ("ping", json!({}), json!({"jsonrpc": "2.0", "id": 1, "result": {}})),
        ("logging/setLevel", json!({"level": "info"}), json!(-32601)),
        ("resources/subscribe", json!({"uri": "x"}), json!(-32601)),
        ("tasks/get", json!({"taskId": "x"}), json!(-32601)),
        ("tasks/list", json!({}), json!(-32601)),
    ] {
        let mut message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let (text, decision) = call(&gate, legacy()[3], &mut message);
        assert_eq!(decision.reason, Reason::Admitted, "{method}");
        let sent = upstream(modern()).outbound(&Incoming::judged(&gate, &decision, &text), &Sending::default());
        let reply = answer(sent.reply.as_ref());
        assert!(reply == expected || reply["error"]["code"] == expected, "{method}: {reply}");
        assert_eq!(sent.reply.unwrap().status, 200);
    }
    for notification in ["notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed"] {
        let message = json!({"jsonrpc": "2.0", "method": notification});
        assert_eq!(answer(up(&upstream(modern()), &message).reply.as_ref()), json!(202), "{notification}");
        assert!(up(&upstream(legacy()[3]), &message).reply.is_none());
    }
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
    assert_eq!(answer(up(&upstream(modern()), &response).reply.as_ref()), json!(202));
    assert!(up(&upstream(legacy()[3]), &response).reply.is_none());
}

#[test]
fn a_batch_goes_on_element_by_element() {
    let gate = gate();
    let body = br#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"nope\u002fx"},3]"#;
    let decision = decide(&gate, "POST", &[("mcp-protocol-version", "2025-03-26")], body);
    assert_eq!(decision.reason, Reason::Admitted);
    let upstream = upstream(modern());
    let whole = upstream.outbound(&Incoming::judged(&gate, &decision, body), &Sending::default());
    assert_eq!(answer(whole.reply.as_ref())["error"]["code"], json!(-32600));
    let parts: Vec<Outbound> = decision
        .elements
        .iter()
        .map(|element| upstream.outbound(&Incoming::element(&gate, element, body), &Sending::default()))
        .collect();
    assert_eq!(self::body(&parts[0])["method"], json!("tools/list"));
    assert_eq!(header(&parts[1], "mcp-method"), Some("nope/x"));
    assert_eq!(answer(parts[2].reply.as_ref())["error"]["code"], json!(-32600));
}

fn received<'a>(status: u16, headers: &'a [(&'a [u8], &'a [u8])], body: &'a [u8]) -> Received<'a> {
    Received { status: Some(status), headers, body }
}

const JSON: (&[u8], &[u8]) = (b"content-type", b"application/json");

#[test]
fn an_answer_comes_back_under_the_clients_id() {
    let text = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let incoming = Incoming::bare(text.as_slice()).unwrap();
    let upstream = upstream(legacy()[3]);
    let sent = upstream.outbound(&incoming, &Sending { id: Some(b"\"gw-9\""), ..Sending::default() });
    assert_eq!(body(&sent)["id"], json!("gw-9"));
    for (answer, expected) in [
        (r#"{"jsonrpc":"2.0","id":"gw-9","result":{"tools":[]}}"#, r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#),
        (r#"{"jsonrpc":"2.0","id":"gw\u002d9","result":{}}"#, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        (
            r#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-1,"message":""}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":""}}"#,
        ),
        (
            r#"{"jsonrpc":"2.0","error":{"code":-1,"message":""}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-1,"message":""},"id":1}"#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"secret":"of another client"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}"#,
        ),
    ] {
        let reply = upstream.inbound(&sent, &received(200, &[JSON], answer.as_bytes()));
        assert_eq!(String::from_utf8(reply.body).unwrap(), expected, "{answer}");
    }
}

#[test]
fn a_backend_that_fails_says_nothing_to_the_client() {
    let upstream = upstream(modern());
    let sent = up(&upstream, &json!({"jsonrpc": "2.0", "id": 5, "method": "tools/list"}));
    let deep = "[".repeat(10_000);
    for (status, body) in [
        (None, ""),
        (Some(502), "<html>nginx 1.2.3 at 10.0.0.7</html>"),
        (Some(200), ""),
        (Some(202), ""),
        (Some(301), ""),
        (Some(401), "token?"),
        (Some(200), "{}"),
        (Some(200), r#"{"jsonrpc":"2.0","id":5,"result":[]}"#),
        (Some(200), r#"{"jsonrpc":"2.0","id":5,"result":{"tools":7}}"#),
        (Some(200), r#"{"jsonrpc":"2.0","id":5,"result":{"tools":[],"tools":[]}}"#),
        (Some(200), deep.as_str()),
    ] {
        let headers: [(&[u8], &[u8]); 3] = [JSON, (b"server", b"nginx"), (b"Mcp-Session-Id", b"x")];
        let reply = upstream.inbound(&sent, &Received { status, headers: &headers, body: body.as_bytes() });
        let expected = r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"Internal error"}}"#;
        assert_eq!((reply.status, String::from_utf8_lossy(&reply.body).as_ref()), (500, expected), "{body}");
        assert!(reply.headers.iter().all(|(name, _)| ["content-type", "content-length"].contains(name)));
    }
}

#[test]
fn credentials_come_and_go_only_as_listed() {
    let message = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/list"}).to_string();
    let incoming = Incoming::bare(message.as_bytes()).unwrap();
    let client: [(&[u8], &[u8]); 4] =
        [(b"Authorization", b"Bearer t"), (b"Cookie", b"c=1"), (b"mcp-session-id", b"client's"), (b"x", b"y")];
    let answer: [(&[u8], &[u8]); 4] =
        [JSON, (b"Set-Cookie", b"c=2"), (b"WWW-Authenticate", b"Bearer"), (b"mcp-session-id", b"s")];
    for (listed, up, down) in [
        (&[][..], &[][..], &[][..]),
        (&["authorization"], &["authorization"], &["www-authenticate"]),
        (&["Cookie", "x"], &["cookie", "x"], &["set-cookie"]),
    ] {
        let upstream = with(modern(), |config| config.forwarded = Forwarded::new(listed).unwrap());
        let sent = upstream.outbound(&incoming, &Sending { headers: &client, ..Sending::default() });
        let names = ["authorization", "cookie", "mcp-session-id", "x"];
        let went: Vec<&str> = names.into_iter().filter(|name| header(&sent, name).is_some()).collect();
        assert_eq!(went, up);
        let result = br#"{"jsonrpc":"2.0","id":5,"result":{"tools":[]}}"#;
        let reply = upstream.inbound(&sent, &received(200, &answer, result));
        let came: Vec<&str> =
            reply.headers.iter().map(|(name, _)| *name).filter(|name| !name.starts_with("content")).collect();
        assert_eq!(came, down);
        let refused = upstream.inbound(&sent, &received(401, &answer, b"who?"));
        assert_eq!(refused.status, if listed.contains(&"authorization") { 401 } else { 500 });
    }
}

#[test]
fn a_stream_is_shaped_as_a_whole_or_as_it_comes() {
    let upstream = upstream(modern());
    let gate = gate();
    let mut message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let (text, decision) = call(&gate, legacy()[2], &mut message);
    let sent = upstream.outbound(&Incoming::judged(&gate, &decision, &text), &Sending::default());
    let stream =
        b"id: 7\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"tools\":[]}}\n\n";
    let headers: [(&[u8], &[u8]); 3] =
        [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no"), (b"mcp-session-id", b"s")];
    let reply = upstream.inbound(&sent, &received(200, &headers, stream));
    assert_eq!(
        String::from_utf8(reply.body.clone()).unwrap(),
        "id: 7\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\n\n"
    );
    assert_eq!(
        reply.headers,
        [
            ("content-type", "text/event-stream".to_owned()),
            ("x-accel-buffering", "no".to_owned()),
            ("content-length", reply.body.len().to_string())
        ]
    );
    let (status, _) = upstream.stream_head(&sent, &received(200, &headers, b""));
    let fed = upstream.stream_shaper(&sent).feed(stream).unwrap();
    assert_eq!((status, fed.to_client), (200, reply.body));
}

#[test]
fn a_stream_brings_the_answer_to_its_own_request_and_no_other() {
    let text = br#"{"jsonrpc":"2.0","id":"me","method":"tools/list"}"#;
    let upstream = upstream(legacy()[3]);
    let incoming = Incoming::bare(text.as_slice()).unwrap();
    let sent = upstream.outbound(&incoming, &Sending { id: Some(b"7"), ..Sending::default() });
    let event =
        |id: &str| format!("data: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"tools\":[]}}}}\n\n").into_bytes();
    assert_eq!(upstream.stream_shaper(&sent).feed(&event("7")).unwrap().to_client, event("\"me\""));
    for other in ["8", "\"7\"", "\"me\""] {
        let error = upstream.stream_shaper(&sent).feed(&event(other)).unwrap_err();
        assert_eq!(error.path(), "id", "{other}");
    }
    let headers: [(&[u8], &[u8]); 1] = [(b"content-type", b"text/event-stream")];
    let reply = upstream.inbound(&sent, &received(200, &headers, &event("8")));
    assert_eq!(answer(Some(&reply))["error"]["code"], json!(-32603));
}

fn session(revision: Revision) -> UpstreamSession {
    let capabilities = with(revision, |config| config.client_capabilities = bytes(r#"{"roots":{}}"#));
    UpstreamSession::new(capabilities).unwrap()
}

fn greeting(version: &str) -> Vec<u8> {
    json!({"jsonrpc": "2.0", "id": "initialize", "result": {
        "protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}
    }})
    .to_string()
    .into_bytes()
}

/// Opens a session, over JSON.
fn open(session: &UpstreamSession, version: &str, id: Option<&[u8]>) -> UpstreamSession {
    let mut headers = vec![JSON];
    headers.extend(id.map(|id| (b"mcp-session-id".as_slice(), id)));
    session.answered(&received(200, &headers, &greeting(version))).answered(&received(202, &[], b""))
}

#[test]
fn a_handshake_is_told_step_by_step() {
    for asked in legacy() {
        let fresh = session(asked);
        let ask = fresh.next().unwrap();
        assert_eq!(body(&ask)["method"], json!("initialize"));
        assert_eq!(body(&ask)["params"]["protocolVersion"], json!(asked.as_str()));
        assert_eq!(body(&ask)["params"]["capabilities"], json!({"roots": {}}));
        assert_eq!(body(&ask)["params"]["clientInfo"]["name"], json!("revcap"));
        assert_eq!((header(&ask, "mcp-protocol-version"), header(&ask, "mcp-session-id")), (None, None));
        for settled in legacy() {
            let headers: [(&[u8], &[u8]); 2] = [(b"MCP-Session-Id", b"s-1"), (b"content-type", b"text/event-stream")];
            let text = String::from_utf8(greeting(settled.as_str())).unwrap();
            let greeted = fresh.answered(&received(200, &headers, format!(": hi\ndata: {text}\n\n").as_bytes()));
            assert_eq!((greeted.failure(), greeted.is_open(), greeted.revision()), (None, false, settled));
            let told = greeted.next().unwrap();
            assert_eq!(body(&told), json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
            assert_eq!(header(&told, "mcp-session-id"), Some("s-1"));
            let version = settled.has(Feature::PROTOCOL_VERSION_HEADER).then_some(settled.as_str());
            assert_eq!(header(&told, "mcp-protocol-version"), version);
            let opened = greeted.answered(&received(202, &[], b""));
            assert!(opened.is_open() && opened.next().is_none());
            let sent = opened.outbound(
                &Incoming::bare(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.as_slice()).unwrap(),
                &Sending::default(),
            );
            assert_eq!(header(&sent, "mcp-session-id"), Some("s-1"));
            assert_eq!(header(&sent, "mcp-protocol-version"), version);
            assert!(opened.after(&sent, Some(200)).is_open());
            let lost = opened.after(&sent, Some(404));
            assert_eq!(body(&lost.next().unwrap())["params"]["protocolVersion"], json!(settled.as_str()));
            let end = opened.close().unwrap();
            assert_eq!((end.http_method, header(&end, "mcp-session-id")), ("DELETE", Some("s-1")));
            let stream = opened.stream(Some(b"e-1"));
            assert_eq!((stream.http_method, header(&stream, "last-event-id")), ("GET", Some("e-1")));
        }
    }
}

#[test]
fn a_handshake_that_fails_says_why_and_ends() {
    let fresh = session(legacy()[3]);
    let error = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["x"]}}}"#;
    for (answer, failure) in [
        (b"".to_vec(), Failure::Unanswered(Some(200))),
        (b"<html>".to_vec(), Failure::Unanswered(Some(200))),
        (error.to_vec(), Failure::Refused(-32022)),
        (br#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_vec(), Failure::Unanswered(Some(200))),
        (greeting("2020-01-01"), Failure::Version("2020-01-01".into())),
        (greeting(modern().as_str()), Failure::Version(modern().as_str().into())),
        (greeting("\u{1b}[31m"), Failure::Version("?[31m".into())),
    ] {
        let failed = fresh.answered(&received(200, &[JSON], &answer));
        assert_eq!(failed.failure(), Some(&failure));
        assert!(failed.next().is_none() && !failed.is_open());
        assert!(!failure.to_string().is_empty());
    }
    for ids in [&[b"a".as_slice(), b"a"][..], &[b""], &[b"a b"], &[b"a\r\nx: y"], &["é".as_bytes()]] {
        let mut headers = vec![JSON];
        headers.extend(ids.iter().map(|id| (b"mcp-session-id".as_slice(), *id)));
        let failed = fresh.answered(&received(200, &headers, &greeting("2025-11-25")));
        assert_eq!(failed.failure(), Some(&Failure::SessionId), "{ids:?}");
    }
    for status in [None, Some(400), Some(404), Some(500)] {
        let failed = fresh
            .answered(&received(200, &[JSON], &greeting("2025-11-25")))
            .answered(&Received { status, ..Received::default() });
        assert_eq!(failed.failure(), Some(&Failure::NotInitialized), "{status:?}");
    }
}

#[test]
fn a_session_travels_as_a_few_bytes() {
    let fresh = session(legacy()[3]);
    let opened = open(&fresh, "2025-06-18", Some(b"s-1"));
    let sealed = opened.state().sealed().unwrap();
    let back = UpstreamSession::resumed(upstream(legacy()[3]), SessionState::from_bytes(&sealed).unwrap()).unwrap();
    assert!(back.is_open());
    assert_eq!(back.revision().as_str(), "2025-06-18");
    let text = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let sent = back.outbound(&Incoming::bare(text.as_slice()).unwrap(), &Sending::default());
    assert_eq!(header(&sent, "mcp-protocol-version"), Some("2025-06-18"));
    assert_eq!(header(&sent, "mcp-session-id"), Some("s-1"));
}

#[test]
fn a_backend_without_sessions_is_never_asked_to_end_one() {
    let opened = open(&session(legacy()[3]), "2025-11-25", None);
    assert!(opened.is_open() && opened.close().is_none());
    let sent = opened.outbound(
        &Incoming::bare(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.as_slice()).unwrap(),
        &Sending::default(),
    );
    assert_eq!(header(&sent, "mcp-session-id"), None);
    assert!(opened.after(&sent, Some(404)).is_open(), "404 means a lost session only where there is one");
}

#[test]
fn a_clients_own_handshake_ends_at_the_gateway() {
    let opened = open(&session(legacy()[3]), "2025-11-25", Some(b"s-1"));
    let gate = gate();
    let mut hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26", "capabilities": {}}});
    let (text, decision) = call(&gate, legacy()[0], &mut hello);
    let sent = opened.outbound(&Incoming::judged(&gate, &decision, &text), &Sending::default());
    let reply = answer(sent.reply.as_ref());
    assert_eq!(reply["result"]["protocolVersion"], json!("2025-03-26"));
    assert_eq!(reply["result"]["capabilities"], json!({"tools": {}}));
    let mut over = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let (text, decision) = call(&gate, legacy()[1], &mut over);
    let sent = opened.outbound(&Incoming::judged(&gate, &decision, &text), &Sending::default());
    assert_eq!(answer(sent.reply.as_ref()), json!(202));
}

#[test]
fn nothing_goes_up_before_the_session_is_open() {
    let fresh = session(legacy()[3]);
    let text = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let sent = fresh.outbound(&Incoming::bare(text.as_slice()).unwrap(), &Sending::default());
    assert_eq!(answer(sent.reply.as_ref())["error"]["code"], json!(-32603));
}

#[test]
fn a_request_that_nobody_waits_for_is_cancelled_where_the_backend_would_not_know() {
    let opened = open(&session(legacy()[3]), "2025-06-18", Some(b"s-1"));
    let text = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let incoming = Incoming::bare(text.as_slice()).unwrap();
    let sent = opened.outbound(&incoming, &Sending { id: Some(b"99"), ..Sending::default() });
    let cancellation = opened.upstream().cancellation(&sent).unwrap();
    assert_eq!(
        body(&cancellation),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}})
    );
    assert_eq!(header(&cancellation, "mcp-session-id"), Some("s-1"));
    assert_eq!(header(&cancellation, "mcp-protocol-version"), Some("2025-06-18"));
    let modern = upstream(modern());
    assert!(modern.cancellation(&modern.outbound(&incoming, &Sending::default())).is_none());
    let ask = session(legacy()[3]).next().unwrap();
    assert!(opened.upstream().cancellation(&ask).is_none(), "a handshake is not taken back");
}
