//! The hop to a backend: what goes up is a message with headers that end where they should, sent again it stays the
//! same; whatever comes back gives the client an answer of its own.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::gate::Served;
use revcap::table::{Era, Revision};
use revcap::upstream::{Incoming, Outbound, Received, Sending, Upstream, UpstreamConfig, UpstreamSession, read_probe};
use serde_json::Value;

fn check_sent(sent: &Outbound) {
    if sent.reply.is_none() && !sent.body.is_empty() {
        assert!(serde_json::from_slice::<Value>(&sent.body).is_ok());
    }
    for (name, value) in &sent.headers {
        assert!(name.bytes().chain(value.iter().copied()).all(|byte| !matches!(byte, b'\r' | b'\n' | 0)));
    }
}

fuzz_target!(|input: &[u8]| {
    let [place, text @ ..] = input else { return };
    // The witness's own name for a number of any precision, which it takes for one.
    if text.windows(21).any(|window| window == b"$serde_json::private:") {
        return;
    }
    let revision = Revision::ALL[usize::from(*place) % Revision::COUNT];
    let upstream = Upstream::new(UpstreamConfig::of(revision)).expect("a plain upstream");

    if let Ok(incoming) = Incoming::bare(text) {
        let sent = upstream.outbound(&incoming, &Sending::default());
        check_sent(&sent);
        if sent.reply.is_none() {
            let incoming = Incoming::bare(&*sent.body).expect("what went up is a message");
            assert_eq!(upstream.outbound(&incoming, &Sending::default()).body, sent.body);
        }
        check_sent(&upstream.outbound(&incoming, &Sending { rename: Some("\u{e9}\r\n"), ..Sending::default() }));
    }

    let sent = upstream.request("tools/call", Some(br#"{"name":"t"}"#), b"1").expect("a request");
    for content_type in ["application/json", "text/event-stream"] {
        let headers: [(&[u8], &[u8]); 2] = [(b"content-type", content_type.as_bytes()), (b"mcp-session-id", text)];
        let received = Received { status: Some(200), headers: &headers, body: text };
        let reply = upstream.inbound(&sent, &received);
        if reply.headers.iter().any(|(_, value)| value == "application/json") {
            let answer: Value = serde_json::from_slice(&reply.body).expect("an answer");
            assert_eq!(answer["id"], 1);
        }
        let probed = read_probe(Some(200), Some(content_type.as_bytes()), text, Served::all());
        assert_eq!(probed.revision.map(Revision::era), probed.era.filter(|_| probed.revision.is_some()));
        if revision.era() == Era::Legacy {
            let session = UpstreamSession::new(upstream.clone()).expect("a handshake revision");
            let session = session.answered(&received);
            session.next().iter().for_each(check_sent);
        }
    }
});
