//! What comes back.

use super::*;

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
            ("content-type", "text/event-stream".into()),
            ("x-accel-buffering", "no".into()),
            ("content-length", reply.body.len().to_string().into())
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

#[test]
fn a_relayed_handshake_is_the_backends_to_word() {
    let gate = gate_with(SessionMode::Backend, Annotations::default());
    let upstream = upstream(modern());
    let hello = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{}}}"#;
    let decision = decide(&gate, "POST", &[], hello);
    let sent = upstream.outbound(&Incoming::judged(&gate, &decision, hello), &Sending::default());
    let answer = br#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"b","version":"1","title":"B"}}}"#;
    let headers: [(&[u8], &[u8]); 2] = [JSON, (b"mcp-session-id", b"s-1")];
    let reply = upstream.inbound(&sent, &received(200, &headers, answer));
    assert_eq!((reply.status, reply.body.as_slice()), (200, answer.as_slice()));
    assert!(reply.headers.contains(&("mcp-session-id", "s-1".into())));
    // What it says it speaks it speaks.
    let older = br#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{"tasks":{}},"serverInfo":{"name":"b","version":"1","title":"B"}}}"#;
    let reply = upstream.inbound(&sent, &received(200, &headers, older));
    let said =
        json!({"protocolVersion": "2025-03-26", "capabilities": {}, "serverInfo": {"name": "b", "version": "1"}});
    assert_eq!(self::answer(Some(&reply))["result"], said);
    for odd in [r#"{"protocolVersion":"1","capabilities":{},"serverInfo":{}}"#, r#"{"capabilities":{}}"#] {
        let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{odd}}}"#);
        let reply = upstream.inbound(&sent, &received(200, &headers, answer.as_bytes()));
        assert_eq!(String::from_utf8(reply.body).unwrap(), answer);
    }
}

#[test]
fn a_stream_without_the_answer_that_it_owes_is_a_backend_that_failed() {
    let upstream = upstream(modern());
    let headers: [(&[u8], &[u8]); 1] = [(b"content-type", b"text/event-stream")];
    let inbound = |method: &str, stream: &str| {
        let sent = up(&upstream, &json!({"jsonrpc": "2.0", "id": 5, "method": method}));
        upstream.inbound(&sent, &received(200, &headers, stream.as_bytes()))
    };
    let told = "data: {\"jsonrpc\":\"2.0\",\"method\":\"x/y\"}\n\n";
    for stream in ["", ": x\n\n", "\n", told, "id:\n\n"] {
        let reply = inbound("tools/list", stream);
        assert_eq!((reply.status, &answer(Some(&reply))["error"]["code"]), (500, &json!(-32603)), "{stream:?}");
        assert_eq!(answer(Some(&reply))["id"], json!(5));
        assert_eq!(inbound("subscriptions/listen", stream).status, 200, "it may end without an answer");
    }
    // Who was given a place in the stream finds the answer there.
    let resumable = format!("id: 7\n{told}");
    assert_eq!(String::from_utf8(inbound("tools/list", &resumable).body).unwrap(), resumable);
}

#[test]
fn another_id_comes_back_as_the_clients_in_any_mode() {
    let gate = gate_with(SessionMode::Backend, Annotations::default());
    let upstream = upstream(legacy()[3]);
    let text = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let decision = decide(&gate, "POST", &[("mcp-protocol-version", "2025-11-25")], text);
    let incoming = Incoming::judged(&gate, &decision, text);
    let sent = upstream.outbound(&incoming, &Sending { id: Some(b"9"), ..Sending::default() });
    let answer = br#"{"jsonrpc":"2.0","id":9,"result":{"tools":[]}}"#;
    let reply = upstream.inbound(&sent, &received(200, &[JSON], answer));
    assert_eq!(self::answer(Some(&reply))["id"], json!(1));
}

#[test]
fn what_has_its_answer_already_keeps_it() {
    let gate = gate();
    let refused = br#"{"jsonrpc":"2.0","id":1,"method":"tasks/list"}"#;
    let decision = decide(&gate, "POST", &[("mcp-protocol-version", "2025-03-26")], refused);
    assert_eq!(decision.reason, Reason::MethodNotFound);
    let upstream = upstream(legacy()[3]);
    let sent = upstream.outbound(&Incoming::judged(&gate, &decision, refused), &Sending::default());
    let late = br#"{"jsonrpc":"2.0","id":1,"result":{"tasks":[]}}"#;
    assert_eq!(Some(upstream.inbound(&sent, &received(200, &[JSON], late))), sent.reply);
}

#[test]
fn a_notification_that_is_not_taken_is_told_as_its_session_is_whose() {
    let told = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let ends = |sessions, status| {
        let gate = gate_with(sessions, Annotations::default());
        let decision = decide(&gate, "POST", &[("mcp-protocol-version", "2025-11-25")], told);
        let upstream = upstream(legacy()[3]);
        // As its own message: one that a gate has judged ends there where the sessions are not the client's.
        let judged = Incoming::judged(&gate, &decision, told);
        let bare = Incoming::bare(told.as_slice()).unwrap();
        let sent =
            upstream.outbound(if sessions == SessionMode::Backend { &judged } else { &bare }, &Sending::default());
        let reply = upstream.inbound(&sent, &received(status, &[(b"content-type", b"text/plain")], b"gone"));
        (reply.status, String::from_utf8(reply.body).unwrap())
    };
    assert_eq!(ends(SessionMode::Backend, 202), (202, String::new()));
    assert_eq!(ends(SessionMode::Stateless, 200), (202, String::new()));
    // A client with a session of its own must hear that it is gone.
    assert_eq!(ends(SessionMode::Backend, 404), (404, "gone".to_owned()));
    let internal = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}"#.to_owned();
    assert_eq!(ends(SessionMode::Stateless, 404), (500, internal));
}

#[test]
fn a_handshake_backend_that_pings_is_answered_by_its_peer() {
    let ping = b"data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n";
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for hop in legacy() {
        let upstream = upstream(hop);
        let fed = upstream.stream_shaper(&up(&upstream, &list)).feed(ping).unwrap();
        assert_eq!(fed.to_server, [br#"{"jsonrpc":"2.0","id":"p","result":{}}"#], "{hop:?}");
        assert!(fed.to_client.is_empty());
        // In a session of the client's own that is the client.
        let gate = gate_with(SessionMode::Backend, Annotations::default());
        let text = serde_json::to_vec(&list).unwrap();
        let headers = [("mcp-session-id", "s"), ("mcp-protocol-version", hop.as_str())];
        let decision = decide(&gate, "POST", &headers, &text);
        let sent = upstream.outbound(&Incoming::judged(&gate, &decision, &text), &Sending::default());
        assert_eq!(upstream.stream_shaper(&sent).feed(ping).unwrap().to_client, ping, "{hop:?}");
    }
    // A modern backend sends no requests.
    let upstream = upstream(modern());
    let refused = upstream.stream_shaper(&up(&upstream, &list)).feed(ping).unwrap().to_server;
    assert!(String::from_utf8_lossy(&refused[0]).contains("-32601"));
}

#[test]
fn a_stream_that_was_refused_and_a_session_that_was_ended_are_told_as_they_came() {
    let gate = gate_with(SessionMode::Backend, Annotations::default());
    let upstream = upstream(legacy()[3]);
    let headers = [("mcp-protocol-version", "2025-11-25"), ("mcp-session-id", "s")];
    for http_method in ["GET", "DELETE"] {
        let decision = decide(&gate, http_method, &headers, b"");
        let sent = upstream.outbound(&Incoming::judged(&gate, &decision, b""), &Sending::default());
        for (status, body) in [(200, "data: \n\n"), (204, ""), (405, "no")] {
            let lines: [(&[u8], &[u8]); 2] = [(b"content-type", b"text/plain"), (b"server", b"b/1.2")];
            let reply = upstream.inbound(&sent, &received(status, &lines, body.as_bytes()));
            assert_eq!((reply.status, reply.body.as_slice()), (status, body.as_bytes()), "{http_method}");
            let length = ("content-length", body.len().to_string().into());
            assert_eq!(reply.headers, [("content-type", "text/plain".into()), length]);
        }
        // What came is no answer of any kind.
        let nothing = upstream.inbound(&sent, &Received { status: None, ..Received::default() });
        assert_eq!(answer(Some(&nothing))["error"]["code"], json!(-32603));
    }
}

#[test]
fn a_session_of_the_gateways_own_stays_between_it_and_the_backend() {
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let headers: [(&[u8], &[u8]); 2] = [JSON, (b"mcp-session-id", b"s")];
    let result = br#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#;
    for hop in Revision::ALL {
        let upstream = upstream(*hop);
        let reply = upstream.inbound(&up(&upstream, &list), &received(200, &headers, result));
        assert!(reply.headers.iter().all(|(name, _)| *name != "mcp-session-id"), "{hop:?}");
    }
}

#[test]
fn a_failure_that_comes_as_a_stream_is_one_message_all_the_same() {
    let upstream = upstream(modern());
    let sent = up(&upstream, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    let headers: [(&[u8], &[u8]); 1] = [(b"content-type", b"text/event-stream")];
    let failure = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#;
    let stream = format!("data: {failure}\n\n");
    let reply = upstream.inbound(&sent, &received(404, &headers, stream.as_bytes()));
    assert_eq!((reply.status, String::from_utf8(reply.body).unwrap().as_str()), (404, failure));
    assert!(reply.headers.contains(&("content-type", "application/json".into())));
}

#[test]
fn an_errors_status_is_its_codes_whatever_the_backend_sent_it_with() {
    for (hop, code, expected) in
        [(modern(), -32601, 404), (modern(), -32602, 200), (modern(), 7, 200), (legacy()[3], -32602, 200)]
    {
        let upstream = upstream(hop);
        let sent = up(&upstream, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
        let error = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "m"}}).to_string();
        for status in [200, 400, 404, 500] {
            let reply = upstream.inbound(&sent, &received(status, &[JSON], error.as_bytes()));
            assert_eq!((reply.status, &answer(Some(&reply))["error"]["code"]), (expected, &json!(code)), "{hop:?}");
        }
    }
}

#[test]
fn only_a_handshakes_result_says_what_the_backend_speaks() {
    let gate = gate_with(SessionMode::Backend, Annotations::default());
    let upstream = upstream(legacy()[3]);
    let text = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let decision = decide(&gate, "POST", &[("mcp-protocol-version", "2025-11-25")], text);
    let sent = upstream.outbound(&Incoming::judged(&gate, &decision, text), &Sending::default());
    let result = br#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","tools":[{"name":"t","title":"T","inputSchema":{"type":"object"}}]}}"#;
    let reply = upstream.inbound(&sent, &received(200, &[JSON], result));
    assert_eq!(String::from_utf8(reply.body).unwrap().as_bytes(), result);
}

#[test]
fn what_a_client_declared_decides_what_it_is_asked() {
    let required = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"e","url":"https://a.example/","message":"a"}]}}}"#;
    let upstream = upstream(legacy()[3]);
    let gate = gate();
    let came = |capabilities: Option<Value>| {
        let mut call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}});
        call["params"]["_meta"] = json!({CLAIM: modern().as_str()});
        let declared = capabilities.is_some();
        call["params"]["_meta"][CAPABILITIES] = capabilities.unwrap_or(json!({}));
        let text = call.to_string().into_bytes();
        let headers = [("mcp-protocol-version", modern().as_str()), ("mcp-method", "tools/call"), ("mcp-name", "t")];
        let decision = decide(&gate, "POST", &headers, &text);
        assert_eq!(decision.reason, Reason::Admitted);
        let judged = Incoming::judged(&gate, &decision, &text);
        let bare = Incoming::bare(text.as_slice()).unwrap();
        let sent = upstream.outbound(if declared { &judged } else { &bare }, &Sending::default());
        let reply = answer(Some(&upstream.inbound(&sent, &received(200, &[JSON], required))));
        (reply["error"]["code"].clone(), reply["result"]["resultType"].clone())
    };
    let asked = (Value::Null, json!("input_required"));
    assert_eq!(came(Some(json!({"elicitation": {"url": {}}}))), asked);
    assert_eq!(came(Some(json!({}))), (json!(-32021), Value::Null));
    assert_eq!(came(None), asked, "nobody judged it, so nobody knows");
}
