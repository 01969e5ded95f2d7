//! What cannot cross, and what is answered in its place.

use super::*;

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
