//! What a backend is, by its answer to a probe.

use super::*;

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
fn a_probe_tells_what_the_backend_told_and_what_decided() {
    let newest = modern().as_str();
    let read = |status, body: &str| read_probe(status, None, body.as_bytes(), Served::all());
    let result = |rest: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"supportedVersions":["{newest}","2024-11-05","1.0"]{rest}}}}}"#)
    };
    let error = |code: i64, data: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"m","data":{data}}}}}"#)
    };
    let listed = format!(r#"{{"supported":["2025-03-26","{newest}"]}}"#);
    for (body, because) in [
        (result(""), "a result with a list of versions"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned(), "a result without a list of versions"),
        (error(-32022, &listed), "error -32022 with a list of versions"),
        (error(-32022, "{}"), "error -32022 without a list of versions"),
        (error(-32021, "{}"), "error -32021"),
        (error(-32020, "{}"), "error -32020"),
        (error(-32601, &listed), "error -32601"),
        (String::new(), "no answer in the body"),
        ("<html>".to_owned(), "no JSON-RPC response in the body"),
    ] {
        assert_eq!(read(None, &body).because, because);
        assert_eq!(read(Some(404), &body).because, format!("{because}, HTTP 404"));
    }
    let offered = |probed: &revcap::upstream::Probed| probed.offered.clone();
    let refused = read(None, &error(-32022, &listed));
    assert_eq!(offered(&refused), [legacy()[1], modern()]);
    assert_eq!(refused.spoken(), offered(&refused));
    let silent = read(None, "");
    assert_eq!((offered(&silent), silent.spoken()), (vec![], vec![legacy()[3]]));
    let told = r#","capabilities":{"tools":{}},"instructions":"Be kind.","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"b","version":"1"}}"#;
    let known = read(None, &result(told));
    assert_eq!(offered(&known), [legacy()[0], modern()]);
    assert_eq!(known.capabilities, Some(bytes(r#"{"tools":{}}"#)));
    assert_eq!(known.server_info, Some(bytes(r#"{"name":"b","version":"1"}"#)));
    assert_eq!(known.instructions.as_deref(), Some("Be kind."));
    for odd in [r#","capabilities":[],"instructions":7,"_meta":[]"#, r#","capabilities":{"tools":{"x":1e999}}"#] {
        let odd = read(None, &result(odd));
        assert_eq!(
            (odd.era, odd.capabilities, odd.server_info, odd.instructions),
            (Some(Era::Modern), None, None, None)
        );
    }
}
