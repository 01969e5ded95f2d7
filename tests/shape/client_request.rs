//! What goes up to a backend.

use revcap::shape::{Reader, ShapePolicy, shape_client_request};
use revcap::table::{Era, Method, Revision, ServerFeature};

use crate::MODERN;

#[test]
fn a_clients_request_reaches_a_backend_in_its_own_words() {
    let up = |revision, server: Option<ServerFeature>, message: &str| {
        let policy = ShapePolicy { server: server.unwrap_or(ServerFeature::all()), ..ShapePolicy::default() };
        let reader = Reader { policy: &policy, ..Reader::of(revision) };
        let shaped = shape_client_request(message.as_bytes(), br#"{"roots":{}}"#, &reader).unwrap();
        String::from_utf8(shaped.body.into_owned()).unwrap()
    };
    let call = |more: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"n","arguments":{{"task":null}}{more}}}}}"#
        )
    };
    let task = r#","task":{"ttl":1}"#;
    let envelope = r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}}}"#;
    assert_eq!(up(Revision::V2025_11_25, None, &call(task)), call(task));
    assert_eq!(up(Revision::V2025_11_25, Some(ServerFeature::TOOLS), &call(task)), call(""));
    assert_eq!(up(Revision::V2025_06_18, None, &call(task)), call(""));
    assert_eq!(up(MODERN, None, &call(task)), call(envelope));
    let modern = r#","inputResponses":{},"requestState":"s","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"x/y":null,"progressToken":0}"#;
    assert_eq!(up(Revision::V2025_11_25, None, &call(modern)), call(r#","_meta":{"x/y":null,"progressToken":0}"#));
    assert_eq!(up(MODERN, None, &call(modern)), call(modern));
    assert_eq!(up(Revision::V2024_11_05, None, &call(envelope)), call(""));
    let odd = r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":null}"#;
    assert_eq!(up(MODERN, None, &call(odd)), call(envelope));
    let complete = |more: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{{"ref":{{"type":"ref/prompt","name":"p","title":"t"}}{more}}}}}"#
        )
    };
    assert_eq!(up(Revision::V2025_03_26, None, &complete(r#","context":{}"#)), complete(""));
    assert_eq!(up(Revision::V2025_06_18, None, &complete(r#","context":{}"#)), complete(r#","context":{}"#));
    let bare = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let enveloped = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{}}}}}"#, &envelope[1..]);
    assert_eq!(up(MODERN, None, bare), enveloped);
    assert_eq!(up(MODERN, None, &bare.replace('}', r#","params":null}"#)), enveloped);
    let odd = bare.replace('}', r#","params":[1]}"#);
    for revision in Revision::ALL {
        assert_eq!(up(*revision, None, &odd), odd, "the backend refuses it");
    }
    for message in [
        bare,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":1}}}"#,
    ] {
        assert_eq!(up(Revision::V2025_11_25, None, message), message);
    }
}

#[test]
fn a_response_passes_as_it_is_but_for_a_byte_order_mark() {
    let reader = Reader::of(Revision::V2025_06_18);
    let response = r#"{"jsonrpc":"2.0","id":1,"result":{"x":null}}"#;
    for given in [response.to_owned(), format!("\u{feff}{response}")] {
        let shaped = shape_client_request(given.as_bytes(), b"{}", &reader).unwrap();
        assert_eq!(shaped.body.as_ref(), response.as_bytes());
    }
}

#[test]
fn every_request_has_one_envelope_for_modern_backends_and_none_for_others() {
    const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}}}"#;
    let up = |revision, message: &str| {
        let shaped = shape_client_request(message.as_bytes(), br#"{"roots":{}}"#, &Reader::of(revision));
        shaped.map(|shaped| String::from_utf8(shaped.body.into_owned()).unwrap()).ok()
    };
    for method in Method::ALL.iter().filter(|method| method.is_request_anywhere()) {
        let message = |meta: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}","params":{{"x/y":1{meta}}}}}"#, method.as_str())
        };
        let [bare, enveloped] = ["", &format!(r#","_meta":{META}"#)].map(message);
        for revision in Revision::ALL {
            let expected = if revision.era() == Era::Modern { &enveloped } else { &bare };
            for given in [&bare, &enveloped, &message(r#","_meta":null"#)] {
                if given.contains("null") && revision.era() == Era::Legacy {
                    continue; // it says nothing there, whether or not it stays
                }
                assert_eq!(up(*revision, given).as_ref(), Some(expected), "{given} {revision:?}");
            }
            assert_eq!(up(*revision, &message(&format!(r#","_meta":{META},"_meta":{META}"#))), None);
        }
    }
}

#[test]
fn what_neither_asks_nor_answers_is_no_message() {
    let up = |message: &str| {
        shape_client_request(message.as_bytes(), b"{}", &Reader::of(MODERN)).map(|shaped| shaped.body.len())
    };
    for message in [r"{}", r#"{"jsonrpc":"2.0","id":1}"#, r#"{"jsonrpc":"2.0","id":1,"params":{}}"#] {
        assert_eq!(up(message).map_err(|error| error.path()), Err(String::new()), "{message}");
    }
    // An answer is the backend's to read.
    for message in [r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, r#"{"jsonrpc":"2.0","id":1,"error":7}"#] {
        assert_eq!(up(message), Ok(message.len()));
    }
}

#[test]
fn an_envelope_that_says_one_of_its_keys_twice_goes_nowhere() {
    for twice in ["protocolVersion", "clientCapabilities"] {
        let [key, escaped] = ["io.model", "io.\\u006dodel"].map(|start| format!("{start}contextprotocol/{twice}"));
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{{"{key}":{{}},"{escaped}":{{}}}}}}}}"#
        );
        let error = shape_client_request(text.as_bytes(), b"{}", &Reader::of(MODERN)).unwrap_err();
        assert_eq!(error.path(), format!(r#"params._meta["{key}"]"#));
    }
}
