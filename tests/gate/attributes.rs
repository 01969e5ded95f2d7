//! What a span or a log line is told.

use revcap::gate::{Lookup, Request, SessionMode};
use revcap::headers::Headers;
use revcap::session::Session;
use revcap::table::Revision;

use crate::{ENVELOPE, LINES, gate};

/// The attributes of a request in a mode of sessions, under a session that lives.
fn attributes(sessions: SessionMode, http_method: &str, lines: &[(&[u8], &[u8])], body: &str) -> Vec<String> {
    let gate = gate(|config| config.sessions = sessions);
    let headers = Headers::pick(LINES.iter().chain(lines).copied());
    let look_up = |_: &[u8]| Lookup::Live(Session::new(Revision::V2025_06_18, None).unwrap());
    let request = Request { http_method, headers: Some(&headers), body: body.as_bytes(), look_up: &look_up };
    let told = gate.decide(&request).attributes(body.as_bytes(), sessions);
    told.into_iter().map(|(name, value)| format!("{name}={value}")).collect()
}

#[test]
fn a_handshake_clients_session_is_told_unless_it_is_a_ticket() {
    let call = r#"{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"name":"t\u0021"}}"#;
    let head = ["mcp.method.name=tools/call", "mcp.protocol.version=2025-06-18"];
    let tail = [
        "jsonrpc.request.id=12345678901234567890",
        "gen_ai.operation.name=execute_tool",
        "gen_ai.tool.name=t!",
        "revcap.reason=admitted",
    ];
    let with = [&head[..], &["mcp.session.id=abc"], &tail].concat();
    assert_eq!(attributes(SessionMode::Store, "POST", &[], call), with);
    assert_eq!(attributes(SessionMode::Tickets, "POST", &[], call), [&head[..], &tail].concat());
    let open: &[(&[u8], &[u8])] = &[(b"mcp-protocol-version", b"2025-06-18")];
    assert_eq!(attributes(SessionMode::Backend, "POST", open, call), with);
    assert_eq!(attributes(SessionMode::Stateless, "POST", open, call), [&head[..], &tail].concat());
}

#[test]
fn a_modern_requests_target_is_told_under_its_own_name() {
    for (method, target, name) in [
        ("prompts/get", r#""name":"p""#, Some("gen_ai.prompt.name=p")),
        ("resources/read", r#""uri":"p""#, Some("mcp.resource.uri=p")),
        ("tools/list", r#""name":"p""#, None),
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":"\u0061","method":"{method}","params":{{{target},{ENVELOPE}}}}}"#);
        let lines: &[(&[u8], &[u8])] =
            &[(b"mcp-protocol-version", b"2026-07-28"), (b"mcp-method", method.as_bytes()), (b"mcp-name", b"p")];
        let method = format!("mcp.method.name={method}");
        let expected: Vec<&str> = [&*method, "mcp.protocol.version=2026-07-28", "jsonrpc.request.id=a"]
            .into_iter()
            .chain(name)
            .chain(["revcap.reason=admitted"])
            .collect();
        assert_eq!(attributes(SessionMode::Store, "POST", lines, &body), expected);
    }
}

#[test]
fn a_refusal_is_told_with_its_code_or_its_status_and_its_rung() {
    let coded = ["rpc.response.status_code=-32700", "error.type=-32700", "revcap.rung=P1", "revcap.reason=parse_error"];
    assert_eq!(attributes(SessionMode::Stateless, "POST", &[], "{"), coded);
    let bare = ["error.type=405", "revcap.rung=H2", "revcap.reason=method_not_allowed"];
    assert_eq!(attributes(SessionMode::Stateless, "PUT", &[], "{"), bare);
    let vendor = r#"{"jsonrpc":"2.0","id":[],"method":"x/\u0079"}"#;
    let told = attributes(SessionMode::Stateless, "POST", &[], vendor);
    assert_eq!(told.last().map(String::as_str), Some("revcap.reason=invalid_message"));
    assert!(!told.iter().any(|told| told.starts_with("jsonrpc.request.id")));
    let vendor = vendor.replace("[]", "0");
    assert_eq!(attributes(SessionMode::Stateless, "POST", &[], &vendor)[0], "mcp.method.name=x/y");
}
