//! What the HTTP envelope decides.

use revcap::gate::{Accept, Lookup, Reason, Request, Served, SessionMode};
use revcap::headers::Headers;
use revcap::table::Revision;

use crate::{ENVELOPE, LINES, gate};

#[test]
fn without_a_handshake_revision_nothing_but_post_is_offered() {
    for sessions in [SessionMode::Store, SessionMode::Backend, SessionMode::Tickets] {
        let offered = |served: &[Revision]| {
            let changed = gate(|config| {
                config.sessions = sessions;
                config.can_revoke = true;
                config.served = Served::of(served.iter().copied()).unwrap();
                config.policy.legacy_stream = true;
                config.policy.legacy_delete = true;
            });
            changed.offered().as_str()
        };
        assert_eq!(offered(&[Revision::V2026_07_28]), "POST");
        assert_eq!(offered(Revision::ALL), "POST, GET, DELETE");
    }
}

#[test]
fn a_ticket_can_be_ended_where_there_is_a_list_of_ended_ones() {
    for (sessions, can_revoke, stream, delete, expected) in [
        (SessionMode::Tickets, true, false, true, "POST, DELETE"),
        (SessionMode::Tickets, true, false, false, "POST"),
        (SessionMode::Tickets, false, false, true, "POST"),
        (SessionMode::Tickets, false, true, true, "POST, GET"),
        (SessionMode::Store, false, false, true, "POST, DELETE"),
        (SessionMode::Store, true, true, false, "POST, GET"),
        (SessionMode::Stateless, true, true, true, "POST"),
        (SessionMode::Backend, false, false, false, "POST, GET, DELETE"),
    ] {
        let gate = gate(|config| {
            (config.sessions, config.can_revoke) = (sessions, can_revoke);
            (config.policy.legacy_stream, config.policy.legacy_delete) = (stream, delete);
        });
        assert_eq!(gate.offered().as_str(), expected, "{sessions:?} {can_revoke} {stream} {delete}");
    }
}

#[test]
fn the_session_header_is_the_hosts_to_look_up_where_there_is_one_of_it() {
    for sessions in [SessionMode::Backend, SessionMode::Store, SessionMode::Tickets, SessionMode::Stateless] {
        let gate = gate(|config| config.sessions = sessions);
        let named = |ids: &[&'static [u8]]| {
            let headers = Headers::pick(ids.iter().map(|id| (&b"Mcp-Session-Id"[..], *id)));
            gate.session_id(&headers).map(<[u8]>::to_vec)
        };
        let expected = (sessions != SessionMode::Stateless).then(|| b"abc".to_vec());
        assert_eq!(named(&[b"abc"]), expected, "{sessions:?}");
        assert_eq!(named(&[b"abc", b"abc"]), None, "{sessions:?}");
        assert_eq!(named(&[]), None, "{sessions:?}");
    }
}

/// What a gate says to a request with these lines beside the usual type: its status and its text.
fn said(gate: &revcap::gate::Gate, lines: &[(&[u8], &[u8])], body: &str) -> (Reason, u16, String) {
    let headers = Headers::pick(LINES[..1].iter().chain(lines).copied());
    let look_up = |_: &[u8]| Lookup::Unknown;
    let request = Request { http_method: "POST", headers: Some(&headers), body: body.as_bytes(), look_up: &look_up };
    let decision = gate.decide(&request);
    let text = decision.reply(body.as_bytes()).map(|reply| String::from_utf8_lossy(&reply.body).into_owned());
    (decision.reason, decision.status, text.unwrap_or_default())
}

#[test]
fn a_body_may_be_as_long_as_the_cap_and_no_longer() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (spare, expected) in [
        (1, (Reason::Admitted, 200, String::new())),
        (0, (Reason::Admitted, 200, String::new())),
        (-1, (Reason::BodyTooLarge, 413, "Content Too Large: at most 39 bytes".to_owned())),
        (-9, (Reason::BodyTooLarge, 413, "Content Too Large: at most 31 bytes".to_owned())),
    ] {
        let capped = gate(|config| config.policy.max_body_bytes = ping.len().checked_add_signed(spare).unwrap());
        assert_eq!(said(&capped, &LINES[1..2], ping), expected, "{spare}");
    }
}

#[test]
fn several_lines_of_accept_are_one_list() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (lines, expected) in [
        (&["application/json", "text/event-stream"][..], Reason::Admitted),
        (&["application/json, text/event-stream", "*/*;q=0"], Reason::Admitted),
        (&["application/json", "application/json"], Reason::NotAcceptable),
        (&["*/*", "text/event-stream;q=0"], Reason::NotAcceptable),
    ] {
        let lines: Vec<(&[u8], &[u8])> = lines.iter().map(|line| (&b"Accept"[..], line.as_bytes())).collect();
        assert_eq!(said(&gate(|_| {}), &lines, ping).0, expected, "{lines:?}");
    }
}

#[test]
fn a_listen_request_is_answered_by_a_stream_or_not_at_all() {
    let listen = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{{"notifications":{{}},{ENVELOPE}}}}}"#
    );
    let (json, stream, both) = ("application/json", "text/event-stream", "text/event-stream, application/json");
    for (policy, accepted, expected) in [
        (Accept::Lenient, json, (Reason::NotAcceptable, 406)),
        (Accept::Lenient, stream, (Reason::Admitted, 200)),
        (Accept::Pass, json, (Reason::Admitted, 200)),
        (Accept::Pass, stream, (Reason::Admitted, 200)),
        (Accept::Strict, both, (Reason::Admitted, 200)),
    ] {
        let lines: [(&[u8], &[u8]); 3] = [
            (b"accept", accepted.as_bytes()),
            (b"mcp-protocol-version", b"2026-07-28"),
            (b"mcp-method", b"subscriptions/listen"),
        ];
        let (reason, status, text) = said(&gate(|config| config.policy.accept = policy), &lines, &listen);
        assert_eq!((reason, status), expected, "{policy:?} {accepted}");
        assert_eq!(text, "", "{policy:?} {accepted}");
    }
}
