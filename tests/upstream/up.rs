//! What goes up: headers and body.

use super::*;

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
        (
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "name": "gw_x", "uri": "gw_x"}}),
            json!({"ref": {"type": "ref/resource", "name": "gw_x", "uri": "x"}}),
        ),
        (
            "completion/complete",
            json!({"ref": {"type": "x", "name": "gw_x"}}),
            json!({"ref": {"type": "x", "name": "gw_x"}}),
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
                assert_eq!(decision.reason, Reason::Admitted, "{n} {s:?}: {:?}", decision.rejection());
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
    let twice = text.replace(r#""n":1e999"#, r#""n":1,"n":2"#);
    let sent = upstream.outbound(&Incoming::bare(twice.as_bytes()).unwrap(), &Sending::default());
    let reply = sent.reply.unwrap();
    let answer: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((reply.status, &answer["error"]["code"]), (400, &json!(-32600)));
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
        assert!(reply.headers.contains(&("mcp-session-id", "s-2".into())));
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

#[test]
fn a_backend_with_the_clients_session_is_asked_for_the_revision_that_was_settled() {
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{ "protocolVersion" : "1999-01-01","capabilities":{}}}"#;
    for backend in legacy() {
        let sent = upstream(backend).outbound(&Incoming::bare(text.as_bytes()).unwrap(), &Sending::default());
        assert_eq!(String::from_utf8(sent.body).unwrap(), text.replace("1999-01-01", backend.as_str()));
    }
}

#[test]
fn a_backend_with_the_clients_session_gets_the_same_bytes_where_client_and_gate_agree() {
    let text = r#"{"id":1,"method":"initialize","params":{"protocolVersion":"2025-0\u0036-18"},"jsonrpc":"2.0"}"#;
    let hop = *legacy().iter().find(|revision| revision.as_str() == "2025-06-18").unwrap();
    let sent = upstream(hop).outbound(&Incoming::bare(text.as_bytes()).unwrap(), &Sending::default());
    assert_eq!(String::from_utf8(sent.body).unwrap(), text);
}

#[test]
fn a_notification_to_a_modern_backend_names_its_method_and_nothing_else() {
    let upstream = upstream(modern());
    let told = json!({"jsonrpc": "2.0", "method": "acme/told", "params": {"name": "t"}});
    let sent = up(&upstream, &told);
    assert_eq!((header(&sent, "mcp-method"), header(&sent, "mcp-name")), (Some("acme/told"), None));
    assert_eq!(header(&sent, "mcp-protocol-version"), Some(modern().as_str()));
    assert_eq!(body(&sent), told);
    // A name that no header can hold is left to the body: nobody waits for a refusal.
    let sent = up(&upstream, &json!({"jsonrpc": "2.0", "method": "acmé/told"}));
    assert_eq!((header(&sent, "mcp-method"), &body(&sent)["method"]), (None, &json!("acmé/told")));
}

#[test]
fn a_notification_that_claims_a_version_claims_the_headers() {
    let told =
        |claim: &str| json!({"jsonrpc": "2.0", "method": "acme/told", "params": {"_meta": {CLAIM: claim, "x": 1}}});
    for claim in ["2025-06-18", "2099-01-01", modern().as_str()] {
        let sent = up(&upstream(modern()), &told(claim));
        assert_eq!(header(&sent, "mcp-protocol-version"), Some(modern().as_str()));
        assert_eq!(body(&sent), told(modern().as_str()), "{claim}");
    }
}

#[test]
fn an_argument_of_either_truth_is_mirrored() {
    let mut annotations = Annotations::default();
    annotations.insert("t", ToolAnnotations::new([(vec!["b"], "B")]).unwrap());
    let upstream = with(modern(), |config| config.annotations = annotations);
    for (truth, said) in [(true, "true"), (false, "false")] {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {"b": truth}}});
        assert_eq!(header(&up(&upstream, &call), "mcp-param-b"), Some(said));
    }
}

#[test]
fn a_batch_goes_up_by_its_elements_and_never_as_a_whole() {
    let batch = br#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","method":"acme/told"}]"#;
    for sessions in [SessionMode::Stateless, SessionMode::Backend] {
        let gate = gate_with(sessions, Annotations::default());
        let decision = decide(&gate, "POST", &[("mcp-protocol-version", "2025-03-26")], batch);
        assert_eq!((decision.reason, decision.elements.len()), (Reason::Admitted, 2));
        let upstream = upstream(legacy()[1]);
        for whole in [Incoming::judged(&gate, &decision, batch), Incoming::element(&gate, &decision, batch)] {
            let sent = upstream.outbound(&whole, &Sending::default());
            assert_eq!(answer(sent.reply.as_ref())["error"]["code"], json!(-32600));
            assert!(sent.body.is_empty());
        }
        let bodies = decision
            .elements
            .iter()
            .map(|element| body(&upstream.outbound(&Incoming::element(&gate, element, batch), &Sending::default())));
        assert_eq!(bodies.collect::<Vec<_>>(), *serde_json::from_slice::<Value>(batch).unwrap().as_array().unwrap());
    }
}

#[test]
fn a_discovery_without_a_gate_is_answered_in_the_newest_words_for_a_handshake_backend() {
    let meta = json!({CLAIM: modern().as_str(), CAPABILITIES: {}});
    for params in [json!({}), json!({"_meta": meta})] {
        let ask = json!({"jsonrpc": "2.0", "id": 3, "method": "server/discover", "params": params});
        for backend in legacy() {
            let upstream = with(backend, |config| config.capabilities = Some(bytes(r#"{"tools":{}}"#)));
            let reply = answer(up(&upstream, &ask).reply.as_ref());
            assert_eq!((&reply["id"], &reply["result"]["supportedVersions"]), (&json!(3), &json!([modern().as_str()])));
            assert_eq!(reply["result"]["capabilities"], json!({"tools": {}}));
        }
    }
}

#[test]
fn what_makes_no_hop_says_which_part_is_wrong() {
    let error = |change: fn(&mut UpstreamConfig)| {
        let mut config = UpstreamConfig::of(modern());
        change(&mut config);
        Upstream::new(config).unwrap_err().to_string()
    };
    assert_eq!(error(|config| config.server_info = Some(bytes("[]"))), "server_info must be an object");
    let said = error(|config| config.capabilities = Some(bytes("7")));
    assert!(said.starts_with("the backend's capabilities: capabilities must be an object"), "{said}");
    let said = error(|config| config.client_capabilities = bytes(r#"{"roots":7}"#));
    assert!(said.starts_with("client_capabilities: "), "{said}");
    let said = error(|config| config.client_info = Some(bytes(r#"{"name":"n"}"#)));
    assert_eq!(said, "client_info must be an object with the strings name and version");
}

#[test]
fn what_a_handshake_client_writes_under_modern_keys_says_nothing_to_a_modern_backend() {
    let upstream = upstream(modern());
    let gate = gate_with(SessionMode::Stateless, Annotations::default());
    let stray = json!({
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        "io.modelcontextprotocol/clientInfo": 5,
        "io.modelcontextprotocol/logLevel": "loud",
        "progressToken": 7,
        "com.example/trace": 1,
    });
    let said = json!({
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": 7,
        "com.example/trace": 1,
    });
    for revision in legacy() {
        let meta = |base: &serde_json::Value, version: &str| {
            let mut meta = base.clone();
            meta[CLAIM] = json!(version);
            meta
        };
        let params = json!({"_meta": meta(&stray, revision.as_str())});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params});
        let text = serde_json::to_vec(&call).unwrap();
        let decision = decide(&gate, "POST", &[("mcp-protocol-version", revision.as_str())], &text);
        let sent = upstream.outbound(&Incoming::judged(&gate, &decision, &text), &Sending::default());
        assert_eq!(body(&sent)["params"]["_meta"], meta(&said, modern().as_str()), "{revision:?}");
    }
}
