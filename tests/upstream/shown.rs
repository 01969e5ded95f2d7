//! A backend as its clients are shown it.

use super::*;

const ALL_OF_IT: &str = r#"{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"completions":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}"#;

fn hello(gate: &Gate, version: &str) -> (Vec<u8>, Decision) {
    let params = json!({"protocolVersion": version, "capabilities": {}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string().into_bytes();
    let decision = decide(gate, "POST", &[], &body);
    assert_eq!(decision.reason, Reason::Admitted);
    (body, decision)
}

/// The capabilities that a client is answered, having asked for the newest handshake revision.
fn answered(gate: &Gate, sent: impl Fn(&Incoming<'_>) -> Outbound) -> Value {
    let (body, decision) = hello(gate, "2025-11-25");
    let reply = answer(sent(&Incoming::judged(gate, &decision, &body)).reply.as_ref());
    assert_eq!(reply["result"]["protocolVersion"], json!("2025-11-25"), "{reply}");
    reply["result"]["capabilities"].clone()
}

#[test]
fn a_modern_backend_greets_a_handshake_client_through_the_gateway() {
    let upstream = with(modern(), |config| {
        config.capabilities = Some(bytes(ALL_OF_IT));
        config.server_info = Some(bytes(r#"{"name":"b","version":"2"}"#));
        config.instructions = Some("Be kind.".into());
    });
    let gate = gate();
    let (text, decision) = hello(&gate, "2025-11-25");
    let sent = upstream.outbound(&Incoming::judged(&gate, &decision, &text), &Sending::default());
    let expected = json!({"jsonrpc": "2.0", "id": 1, "result": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}, "resources": {}, "completions": {}},
        "serverInfo": {"name": "b", "version": "2"},
        "instructions": "Be kind.",
    }});
    assert_eq!(answer(sent.reply.as_ref()), expected);
    // Nobody has said what the two would settle on.
    let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}});
    let refused = up(&upstream, &ask).reply.unwrap();
    assert_eq!(answer(Some(&refused))["error"]["code"], json!(-32601));
}

#[test]
fn changes_are_promised_where_a_client_has_a_stream_to_hear_of_them_on() {
    let capabilities = r#"{"tools":{"listChanged":true},"resources":{"subscribe":true}}"#;
    let (told, untold) = (
        json!({"tools": {"listChanged": true}, "resources": {"subscribe": true}}),
        json!({"tools": {}, "resources": {}}),
    );
    for sessions in [SessionMode::Stateless, SessionMode::Store, SessionMode::Tickets] {
        for legacy_stream in [false, true] {
            let gate = gate_under(sessions, Policy { legacy_stream, ..Policy::default() });
            let of = |hop: Revision| with(hop, |config| config.capabilities = Some(bytes(capabilities)));
            let session = UpstreamSession::new(of(legacy()[3])).unwrap();
            let at = format!("{sessions:?} {legacy_stream}");
            let has_stream = sessions != SessionMode::Stateless && legacy_stream;
            let by_session = answered(&gate, |incoming| session.outbound(incoming, &Sending::default()));
            assert_eq!(by_session, if has_stream { told.clone() } else { untold.clone() }, "{at}");
            // A modern backend's changes come on listen streams alone.
            let modern = of(modern());
            assert_eq!(answered(&gate, |incoming| modern.outbound(incoming, &Sending::default())), untold, "{at}");
        }
    }
}

#[test]
fn a_client_is_shown_what_the_backends_revision_has() {
    for backend in Revision::ALL {
        let shown = |client: Revision| {
            let upstream = with(*backend, |config| config.capabilities = Some(bytes(ALL_OF_IT)));
            let text = upstream.server().capabilities(client, Reading::Record, true);
            serde_json::from_slice::<Value>(&text).unwrap()
        };
        for client in Revision::ALL {
            let has = |revision: &Revision, since: &str| revision.as_str() >= since;
            let both = |since: &str| has(backend, since) && has(client, since);
            let at = format!("{backend:?} shown to {client:?}");
            assert_eq!(shown(*client).get("completions").is_some(), both("2025-03-26"), "{at}");
            let core_tasks = (backend.as_str(), client.as_str()) == ("2025-11-25", "2025-11-25");
            assert_eq!(shown(*client).get("tasks").is_some(), core_tasks, "{at}");
            assert!(shown(*client).get("tools").is_some(), "{at}");
        }
    }
}

#[test]
fn a_backend_of_which_nothing_is_known_is_shown_as_the_gate_has_it() {
    let switches = Switches { resources: false, completions: false, ..Switches::default() };
    let server = ServerIdentity::new(Implementation::new("gw", "1.0"), &switches).unwrap();
    let gate = Gate::new(GateConfig { server, ..gate_config(SessionMode::Stateless) });
    let sent = |hop: Revision, capabilities: Option<&str>| {
        let upstream = with(hop, |config| config.capabilities = capabilities.map(bytes));
        answered(&gate, |incoming| upstream.outbound(incoming, &Sending::default()))
    };
    assert_eq!(sent(modern(), None), json!({"tools": {}, "prompts": {}}));
    assert_eq!(sent(modern(), Some(r#"{"resources":{}}"#)), json!({"resources": {}}));
    assert_eq!(sent(modern(), Some("{}")), json!({}));
}

#[test]
fn who_asks_without_a_gate_discovers_in_the_newest_words() {
    let info =
        json!({"name": "b", "version": "2", "title": "B", "description": "d", "websiteUrl": "https://b.example/"});
    let meta = json!({CLAIM: modern().as_str(), CAPABILITIES: {}});
    for params in [json!({}), json!({"_meta": meta})] {
        let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": params});
        for hop in legacy() {
            let upstream = with(hop, |config| {
                config.capabilities = Some(bytes(r#"{"tools":{},"tasks":{"list":{}},"extensions":{"com.acme/x":{}}}"#));
                config.server_info = Some(bytes(&info.to_string()));
            });
            let result = answer(up(&upstream, &ask).reply.as_ref())["result"].clone();
            assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"], info, "{hop:?}");
            assert_eq!(result["capabilities"].get("tasks"), None, "{hop:?}");
            if hop.server_features_by_policy().is_empty() {
                continue;
            }
            assert_eq!(result["capabilities"]["extensions"], json!({"com.acme/x": {}}), "{hop:?}");
        }
    }
}
