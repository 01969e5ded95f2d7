//! The body of a message that goes up, and what is taken from it to read the answer by.

use super::*;
use revcap::json::Limits;

const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

#[test]
fn what_the_gate_let_through_goes_up_within_the_gates_own_limits() {
    let limits = Limits { max_depth: Limits::DEFAULT.max_depth * 2, ..Limits::DEFAULT };
    let gate = gate_under(SessionMode::Stateless, Policy { limits, ..Policy::default() });
    let levels = Limits::DEFAULT.max_depth as usize + 8;
    let deep = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"t","arguments":{{"x":{deep}}},"_meta":{{"io.modelcontextprotocol/logLevel":"info","y":1}}}}}}"#
    );
    let decision = decide(&gate, "POST", &[("mcp-protocol-version", "2025-11-25")], text.as_bytes());
    assert_eq!(decision.reason, Reason::Admitted);
    let incoming = Incoming::judged(&gate, &decision, text.as_bytes());
    let sent = upstream(legacy()[3]).outbound(&incoming, &Sending::default());
    assert_eq!(sent.reply, None);
    assert!(String::from_utf8(sent.body).unwrap().contains(&deep));
}

#[test]
fn only_a_cancellation_says_another_requests_id_and_only_where_it_says_one() {
    let sent = |message: &Value| {
        let text = message.to_string();
        let sending = Sending { id: Some(b"99"), ..Sending::default() };
        body(&upstream(legacy()[3]).outbound(&Incoming::bare(text.as_bytes()).unwrap(), &sending))
    };
    let call =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "requestId": "theirs"}});
    assert_eq!((&sent(&call)["id"], &sent(&call)["params"]), (&json!(99), &call["params"]));
    let told = json!({"jsonrpc": "2.0", "method": "acme/told", "params": {"requestId": "theirs"}});
    assert_eq!(sent(&told), told);
    let nothing = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"reason": "none"}});
    assert_eq!(sent(&nothing), nothing);
}

#[test]
fn the_gateway_says_who_it_is_where_the_client_says_nobody() {
    let own = json!({"name": "gw", "version": "1"});
    let theirs = json!({"name": "client", "version": "2"});
    for hop in Revision::ALL {
        let upstream = with(*hop, |config| config.client_info = Some(bytes(&own.to_string())));
        let said = |meta: &Value| {
            let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
            body(&up(&upstream, &call))["params"]["_meta"].clone()
        };
        let modern = is_modern(*hop);
        let meta = json!({CLAIM: hop.as_str(), CAPABILITIES: {}, "progressToken": 1});
        let mut known = meta.clone();
        known[CLIENT_INFO] = theirs.clone();
        let mut told = meta.clone();
        told[CLIENT_INFO] = own.clone();
        let kept = json!({"progressToken": 1});
        assert_eq!(said(&meta), if modern { told } else { kept.clone() }, "{hop:?}");
        assert_eq!(said(&known), if modern { known.clone() } else { kept }, "{hop:?}");
    }
    // Who is not told says nobody.
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let meta = &body(&up(&upstream(modern()), &call))["params"]["_meta"];
    assert_eq!(*meta, json!({CLAIM: modern().as_str(), CAPABILITIES: {}}));
}

#[test]
fn a_request_of_the_gateways_own_is_read_in_the_words_of_the_hop_whatever_it_claims() {
    let params = json!({"_meta": {CLAIM: legacy()[0].as_str()}}).to_string();
    let result =
        br#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":1,"cacheScope":"private"}}"#;
    let upstream = upstream(modern());
    let sent = upstream.request("tools/list", Some(params.as_bytes()), b"1").unwrap();
    assert_eq!(upstream.inbound(&sent, &received(200, &[JSON], result)).body, result);
    let newest = UpstreamSession::new(self::upstream(legacy()[3])).unwrap();
    let greeted = newest.answered(&received(
        200,
        &[JSON],
        br#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"b","version":"1"}}}"#,
    ));
    let opened = greeted.answered(&received(202, &[], b""));
    let result =
        br#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","title":"T","inputSchema":{"type":"object"}}]}}"#;
    let sent = opened.request("tools/list", Some(params.as_bytes()), b"1").unwrap();
    assert_eq!(opened.upstream().inbound(&sent, &received(200, &[JSON], result)).body, result);
}

#[test]
fn what_a_request_asks_for_by_the_way_is_what_its_stream_brings() {
    let upstream = upstream(modern());
    let level = "io.modelcontextprotocol/logLevel";
    let event = |method: &str, params: Value| {
        format!("data: {}\n\n", json!({"jsonrpc": "2.0", "method": method, "params": params}))
    };
    let progress = |token: Value| event("notifications/progress", json!({"progressToken": token, "progress": 1}));
    let logged = |level: &str| event("notifications/message", json!({"level": level, "data": 1}));
    for (meta, events, come) in [
        (json!({}), [progress(json!(7)), logged("error")], [false, false]),
        (json!({"progressToken": null}), [progress(json!(7)), progress(json!("null"))], [false, false]),
        (json!({"progressToken": 7}), [progress(json!(7)), progress(json!("7"))], [true, false]),
        (json!({"progressToken": ""}), [progress(json!("")), progress(json!(7))], [true, false]),
        (json!({level: "warning"}), [logged("error"), logged("info")], [true, false]),
        (json!({level: "warning"}), [logged("warning"), progress(json!(7))], [true, false]),
    ] {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
        let sent = up(&upstream, &call);
        for (event, comes) in events.iter().zip(come) {
            let fed = upstream.stream_shaper(&sent).feed(event.as_bytes()).unwrap();
            assert_eq!(!fed.to_client.is_empty(), comes, "{meta} {event}");
        }
    }
}
