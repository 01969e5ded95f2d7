//! A handshake on behalf of others.

use super::*;

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
        // Its end is final: no answer opens it any more.
        let late = failed.answered(&received(200, &[JSON], &greeting("2025-11-25")));
        assert_eq!((late.failure(), late.is_open()), (Some(&failure), false));
        assert!(!failure.to_string().is_empty());
    }
    for ids in [&[b"a".as_slice(), b"a"][..], &[b""], &[b"a b"], &[b"a\r\nx: y"], &["é".as_bytes()]] {
        let mut headers = vec![JSON];
        headers.extend(ids.iter().map(|id| (b"mcp-session-id".as_slice(), *id)));
        let failed = fresh.answered(&received(200, &headers, &greeting("2025-11-25")));
        assert_eq!(failed.failure(), Some(&Failure::SessionId), "{ids:?}");
        let words = failed.failure().unwrap().to_string();
        assert_eq!(words, "the backend's session id is not one line of visible ASCII");
    }
    for status in [None, Some(400), Some(404), Some(500)] {
        let failed = fresh
            .answered(&received(200, &[JSON], &greeting("2025-11-25")))
            .answered(&Received { status, ..Received::default() });
        assert_eq!(failed.failure(), Some(&Failure::NotInitialized), "{status:?}");
        assert_eq!(failed.failure().unwrap().to_string(), "the backend did not accept the end of the handshake");
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
    let refused = answer(sent.reply.as_ref());
    assert_eq!((&refused["error"]["code"], &refused["id"]), (&json!(-32603), &json!(1)));
    assert!(fresh.upstream().cancellation(&sent).is_none(), "nothing went up");
    let told = br#"{"jsonrpc":"2.0","method":"acme/told"}"#;
    let sent = fresh.outbound(&Incoming::bare(told.as_slice()).unwrap(), &Sending::default());
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
    let told = br#"{"jsonrpc":"2.0","method":"acme/told"}"#;
    let sent = opened.outbound(&Incoming::bare(told.as_slice()).unwrap(), &Sending::default());
    assert!(opened.upstream().cancellation(&sent).is_none(), "a notification has no answer");
}

#[test]
fn a_session_that_is_gone_is_not_the_clients_affair() {
    let opened = open(&session(legacy()[3]), "2025-11-25", Some(b"s-1"));
    let text = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let sent = opened.outbound(&Incoming::bare(text.as_slice()).unwrap(), &Sending::default());
    let gone = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"session s-1 not found"}}"#;
    let reply = opened.upstream().inbound(&sent, &received(404, &[JSON], gone));
    assert_eq!(answer(Some(&reply))["error"], json!({"code": -32603, "message": "Internal error"}));
}

#[test]
fn in_a_shared_session_nobody_answers_or_cancels_for_another() {
    let opened = open(&session(legacy()[3]), "2025-11-25", Some(b"s-1"));
    let answers = br#"{"jsonrpc":"2.0","id":0,"result":{"roots":[]}}"#;
    let incoming = Incoming::bare(answers.as_slice()).unwrap();
    let shared = Sending { id: Some(b"99"), ..Sending::default() };
    assert_eq!(answer(opened.outbound(&incoming, &shared).reply.as_ref()), json!(202));
    assert_eq!(opened.outbound(&incoming, &Sending::default()).body, answers);
    let cancels = br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"gw-5"}}"#;
    let sent = opened.outbound(&Incoming::bare(cancels.as_slice()).unwrap(), &shared);
    assert_eq!(body(&sent)["params"]["requestId"], json!(99));
}

#[test]
fn a_refusal_that_lists_what_the_backend_has_is_asked_again() {
    let refusal = |code: i32, supported: serde_json::Value| {
        json!({"jsonrpc": "2.0", "id": "initialize", "error": {
            "code": code, "message": "Unsupported protocol version", "data": {"supported": supported, "requested": "x"}
        }})
        .to_string()
        .into_bytes()
    };
    let newest = *legacy().last().unwrap();
    let oldest = legacy()[0];
    for (code, status) in [(-32602, 200), (-32602, 400), (-32022, 400), (-32000, 200)] {
        let refused = refusal(code, json!([oldest.as_str(), modern().as_str(), "1.0"]));
        let again = session(newest).answered(&received(status, &[JSON], &refused));
        assert_eq!((again.failure(), again.revision(), again.is_open()), (None, oldest, false));
        assert_eq!(body(&again.next().unwrap())["params"]["protocolVersion"], json!(oldest.as_str()));
        assert!(open(&again, oldest.as_str(), None).is_open());
        // The oldest was the last try.
        let over = again.answered(&received(status, &[JSON], &refused));
        assert_eq!(over.failure(), Some(&Failure::Refused(code.into())));
    }
    let middle = json!([legacy()[1].as_str(), oldest.as_str(), legacy()[2].as_str(), newest.as_str()]);
    let again = session(newest).answered(&received(200, &[JSON], &refusal(-32602, middle)));
    assert_eq!(again.revision(), legacy()[2]);
    for odd in [json!([]), json!([newest.as_str()]), json!([modern().as_str()]), json!("2024-11-05"), json!(null)] {
        let refused = session(newest).answered(&received(200, &[JSON], &refusal(-32602, odd)));
        assert_eq!(refused.failure(), Some(&Failure::Refused(-32602)));
    }
    // What this gateway does not speak it does not ask for.
    let served = with(newest, |config| config.served = Served::of([newest]).unwrap());
    let refused = UpstreamSession::new(served).unwrap();
    let refused = refused.answered(&received(200, &[JSON], &refusal(-32602, json!([oldest.as_str()]))));
    assert_eq!(refused.failure(), Some(&Failure::Refused(-32602)));
}

#[test]
fn what_the_backend_tells_of_itself_is_what_is_known_of_it() {
    let before = with(legacy()[3], |config| {
        config.server_info = Some(bytes(r#"{"name":"guess","version":"0"}"#));
        config.capabilities = Some(bytes(r#"{"prompts":{}}"#));
        config.instructions = Some("Guess.".into());
    });
    let session = UpstreamSession::new(before).unwrap();
    let told = |capabilities: &str| {
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"2025-06-18","capabilities":{capabilities},"serverInfo":{{"name":"b","version":"1"}},"instructions":"Be kind."}}}}"#
        );
        let greeted = session.answered(&received(200, &[JSON], text.as_bytes()));
        assert_eq!(greeted.failure(), None);
        let config = greeted.upstream().config().clone();
        assert_eq!(config.server_info, Some(bytes(r#"{"name":"b","version":"1"}"#)));
        assert_eq!((config.instructions.as_deref(), config.revision.as_str()), (Some("Be kind."), "2025-06-18"));
        config.capabilities
    };
    assert_eq!(told(r#"{"tools":{}}"#), Some(bytes(r#"{"tools":{}}"#)));
    for odd in ["[]", r#"{"tools":{},"tools":{}}"#, r#"{"tools":{"x":1e999}}"#] {
        assert_eq!(told(odd), None, "{odd} promises nothing");
    }
}

#[test]
fn a_client_with_a_session_of_its_own_shakes_hands_with_the_backend_itself() {
    let opened = open(&session(legacy()[3]), "2025-11-25", Some(b"s-1"));
    let gate = gate_with(SessionMode::Backend, Annotations::default());
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ] {
        let text = message.to_string();
        let headers = [("mcp-protocol-version", "2025-11-25"), ("mcp-session-id", "own")];
        let decision = decide(&gate, "POST", &headers, text.as_bytes());
        let sent = opened.outbound(&Incoming::judged(&gate, &decision, text.as_bytes()), &Sending::default());
        assert_eq!((body(&sent), header(&sent, "mcp-session-id")), (message, Some("own")));
    }
}

#[test]
fn what_no_header_holds_names_no_session_and_no_event() {
    let text = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let post = |session: &[u8]| {
        let sending = Sending { session: Some(session), last_event_id: Some(b"e"), ..Sending::default() };
        upstream(legacy()[3]).outbound(&Incoming::bare(text.as_slice()).unwrap(), &sending)
    };
    assert_eq!(header(&post(b"s"), "mcp-session-id"), Some("s"));
    assert_eq!(header(&post(b"s"), "last-event-id"), None, "a POST takes up no stream");
    for odd in [b"".as_slice(), b"a b", b"a\r\nx: y"] {
        assert_eq!(header(&post(odd), "mcp-session-id"), None);
    }
    let opened = open(&session(legacy()[3]), "2025-11-25", Some(b"s-1"));
    assert_eq!(header(&opened.stream(Some(b"e f")), "last-event-id"), Some("e f"));
    assert_eq!(header(&opened.stream(Some(b"e\nf")), "last-event-id"), None);
}
