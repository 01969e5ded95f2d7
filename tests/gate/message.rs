//! Which objects are messages.

use revcap::gate::Reason;

use crate::{ENVELOPE, gate, reason_of};

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
fn a_list_in_a_listen_filter_counts_as_a_level() {
    let listen =
        r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"taskIds":[]}}}"#;
    for (most, expected) in [(3, Reason::ParseError), (4, Reason::MethodNotFound)] {
        let bounded = gate(|config| config.policy.limits.max_depth = most);
        assert_eq!(reason_of(&bounded, &[], listen).0, expected, "{most}");
    }
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

#[test]
fn a_key_stands_once_in_every_object_that_is_read() {
    let hello = |params: &str| {
        let known = r#""protocolVersion":"2025-11-25""#;
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{{known},{params}}}}}"#)
    };
    let call = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    let own = |meta: &str| {
        let keys = ENVELOPE.strip_suffix('}').unwrap();
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{keys},{meta}}}}}}}"#)
    };
    let failed = |error: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"error":{error}}}"#);
    let info = "io.modelcontextprotocol/clientInfo";
    for (once, twice) in [
        (hello(r#""capabilities":{"a":{"b":1,"c":1}}"#), hello(r#""capabilities":{"a":{"b":1,"b":1}}"#)),
        (
            hello(r#""capabilities":{},"clientInfo":{"a":[{"b":1,"c":1}]}"#),
            hello(r#""capabilities":{},"clientInfo":{"a":[{"b":1,"b":1}]}"#),
        ),
        (call(r#"{"name":"t","x":1,"y":1}"#), call(r#"{"name":"t","x":1,"x":1}"#)),
        (call(r#"{"name":"t","arguments":{"x":1,"y":1}}"#), call(r#"{"name":"t","arguments":{"x":1,"\u0078":1}}"#)),
        (call(r#"{"name":"t","_meta":{"x":1,"y":1}}"#), call(r#"{"name":"t","_meta":{"x":1,"x":1}}"#)),
        (failed(r#"{"code":1,"message":"m","x":1,"y":1}"#), failed(r#"{"code":1,"message":"m","x":1,"x":1}"#)),
        (failed(r#"{"code":1,"message":"m","x":1,"y":1}"#), failed(r#"{"code":1,"message":"m","code":1}"#)),
        (own(&format!(r#""{info}":{{"a":{{"b":1,"c":1}}}}"#)), own(&format!(r#""{info}":{{"a":{{"b":1,"b":1}}}}"#))),
    ] {
        let modern: [(&[u8], &[u8]); 2] = [(b"mcp-protocol-version", b"2026-07-28"), (b"mcp-method", b"tools/list")];
        let lines = if once.contains("2026-07-28") { &modern[..] } else { &[] };
        assert_eq!(reason_of(&gate(|_| {}), lines, &once).0, Reason::Admitted, "{once}");
        assert_eq!(reason_of(&gate(|_| {}), lines, &twice).0, Reason::DuplicateKey, "{twice}");
    }
    // Not read: what an argument holds is the tool's.
    let inside = call(r#"{"name":"t","arguments":{"x":{"y":1,"y":1}}}"#);
    assert_eq!(reason_of(&gate(|_| {}), &[], &inside).0, Reason::Admitted);
    let everywhere = gate(|config| config.policy.unique_keys_everywhere = true);
    assert_eq!(reason_of(&everywhere, &[], &inside).0, Reason::DuplicateKey);
}

#[test]
fn an_id_that_stands_twice_is_not_echoed_and_any_other_is() {
    for (body, id) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","id":2}"#, "null"),
        (r#"{"jsonrpc":"2.0","id":1,"id":1,"id":1,"method":"ping"}"#, "null"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#, "1"),
        (r#"{"jsonrpc":"2.0","id":"a\u0062","x":1,"x":2,"method":"ping"}"#, r#""a\u0062""#),
    ] {
        let words = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32600,"message":"Invalid Request: duplicate object key"}}}}"#
        );
        assert_eq!(reason_of(&gate(|_| {}), &[], body), (Reason::DuplicateKey, Some(words)), "{body}");
    }
}

#[test]
fn the_version_of_the_envelope_is_two_point_nought_to_the_letter() {
    for (version, reason) in [
        (r#""2.0""#, Reason::Admitted),
        (r#""2\u002e0""#, Reason::Admitted),
        (r#""2.0x""#, Reason::InvalidMessage),
        (r#""2.00""#, Reason::InvalidMessage),
        (r#""1.0""#, Reason::InvalidMessage),
        (r#""2.""#, Reason::InvalidMessage),
        (r#""""#, Reason::InvalidMessage),
        (r#""2\u002e1""#, Reason::InvalidMessage),
        ("2.0", Reason::InvalidMessage),
        ("null", Reason::InvalidMessage),
    ] {
        let body = format!(r#"{{"jsonrpc":{version},"id":1,"method":"ping"}}"#);
        assert_eq!(reason_of(&gate(|_| {}), &[], &body).0, reason, "{version}");
    }
}

#[test]
fn a_null_id_belongs_to_an_error_response_alone() {
    let error = r#""error":{"code":1,"message":"m"}"#;
    for (rest, refused) in [
        (error.to_owned(), false),
        (format!(r#"{error},"method":"ping""#), true),
        (format!(r#"{error},"result":{{}}"#), true),
        (r#""result":{}"#.to_owned(), true),
        (r#""method":"ping""#.to_owned(), true),
        (r#""method":"ping","result":{}"#.to_owned(), true),
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":null,{rest}}}"#);
        let said = reason_of(&gate(|_| {}), &[], &body).1.unwrap_or_default();
        assert_eq!(said.contains("id must be a string or an integer"), refused, "{body} {said}");
    }
}
