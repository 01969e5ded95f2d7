//! The hop to a backend: what goes up, what comes back, and what a handshake on behalf of others looks like.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod body;
mod cross;
mod down;
mod message;
mod probe;
mod session;
mod shown;
mod up;

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::gate::{
    Annotations, Decision, Gate, GateConfig, Lookup, Policy, Reason, Request, Requirements, Served, SessionMode,
    ToolAnnotations,
};
use revcap::headers::Headers;
use revcap::table::{Channel, Era, Feature, Method, Reading, Revision, Standing};
use revcap::upstream::{
    Failure, Forwarded, Incoming, Outbound, Received, Sending, SessionState, Upstream, UpstreamConfig, UpstreamSession,
    probe, read_probe,
};
use serde_json::{Value, json};

const CLAIM: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

fn is_modern(revision: Revision) -> bool {
    revision.era() == Era::Modern
}

fn modern() -> Revision {
    *Revision::ALL.iter().rfind(|revision| is_modern(**revision)).unwrap()
}

fn legacy() -> Vec<Revision> {
    Revision::ALL.iter().copied().filter(|revision| !is_modern(*revision)).collect()
}

fn upstream(revision: Revision) -> Upstream {
    Upstream::new(UpstreamConfig::of(revision)).unwrap()
}

fn with(revision: Revision, change: impl FnOnce(&mut UpstreamConfig)) -> Upstream {
    let mut config = UpstreamConfig::of(revision);
    change(&mut config);
    Upstream::new(config).unwrap()
}

fn bytes(text: &str) -> Box<[u8]> {
    text.as_bytes().into()
}

fn up(upstream: &Upstream, message: &Value) -> Outbound {
    let text = message.to_string();
    upstream.outbound(&Incoming::bare(text.as_bytes()).unwrap(), &Sending::default())
}

fn body(sent: &Outbound) -> Value {
    assert_eq!(sent.reply, None);
    serde_json::from_slice(&sent.body).unwrap()
}

fn header<'a>(sent: &'a Outbound, name: &str) -> Option<&'a str> {
    let mut lines = sent.headers.iter().filter(|(have, _)| **have == *name);
    let line = lines.next().map(|(_, value)| std::str::from_utf8(value).unwrap());
    assert!(lines.next().is_none(), "{name} twice");
    line
}

fn gate_with(sessions: SessionMode, annotations: Annotations) -> Gate {
    Gate::new(GateConfig { annotations, ..gate_config(sessions) })
}

fn gate_under(sessions: SessionMode, policy: Policy) -> Gate {
    Gate::new(GateConfig { policy, ..gate_config(sessions) })
}

fn gate_config(sessions: SessionMode) -> GateConfig {
    GateConfig {
        served: Served::all(),
        reading: Reading::Record,
        sessions,
        can_revoke: false,
        server: ServerIdentity::new(Implementation::new("gw", "1.0"), &Switches::default()).unwrap(),
        answer_handshake: false,
        annotations: Annotations::default(),
        requirements: Requirements::default(),
        policy: Policy::default(),
    }
}

fn gate() -> Gate {
    gate_with(SessionMode::Stateless, Annotations::default())
}

fn decide(gate: &Gate, http_method: &str, headers: &[(&str, &str)], body: &[u8]) -> Decision {
    let mut lines: Vec<(&[u8], &[u8])> =
        headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
    lines.push((b"content-type", b"application/json"));
    let headers = Headers::pick(lines);
    gate.decide(&Request { http_method, headers: Some(&headers), body, look_up: &|_| Lookup::Unknown })
}

/// A client's `tools/call` under its revision, judged.
fn call(gate: &Gate, revision: Revision, message: &mut Value) -> (Vec<u8>, Decision) {
    if is_modern(revision) {
        message["params"]["_meta"][CLAIM] = json!(revision.as_str());
        message["params"]["_meta"][CAPABILITIES] = json!({"sampling": {}});
    }
    let body = message.to_string().into_bytes();
    let mut headers = vec![("mcp-protocol-version", revision.as_str())];
    let name = message["params"]["name"].as_str().unwrap_or_default().to_owned();
    let method = message["method"].as_str().unwrap().to_owned();
    if is_modern(revision) {
        headers.extend([("mcp-method", method.as_str()), ("mcp-name", name.as_str())]);
    }
    let decision = decide(gate, "POST", &headers, &body);
    (body, decision)
}

fn answer(reply: Option<&revcap::gate::Reply>) -> Value {
    let reply = reply.unwrap();
    if reply.body.is_empty() { json!(reply.status) } else { serde_json::from_slice(&reply.body).unwrap() }
}

fn received<'a>(status: u16, headers: &'a [(&'a [u8], &'a [u8])], body: &'a [u8]) -> Received<'a> {
    Received { status: Some(status), headers, body }
}

const JSON: (&[u8], &[u8]) = (b"content-type", b"application/json");
