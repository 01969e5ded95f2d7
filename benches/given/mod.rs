//! What the benches of the core work on: the bodies beside this file, and a gate.
#![allow(dead_code)] // each bench takes what it needs

use std::path::{Path, PathBuf};

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::gate::{Annotations, Gate, GateConfig, Lookup, Policy, Request, Requirements, Served, SessionMode};
use revcap::headers::Headers;
use revcap::table::Reading;

/// The requests, each a body and its header lines.
pub(crate) const REQUESTS: [&str; 7] = [
    "a_modern_call",
    "b_legacy_call",
    "c_initialize",
    "d_modern_64k",
    "e_modern_1m_escapes",
    "f_malformed",
    "g_header_mismatch",
];

/// A response: what a backend answers to `tools/list`.
pub(crate) const RESPONSE: &str = "h_tools_list_result";

fn bodies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/bodies")
}

pub(crate) fn body(name: &str) -> Vec<u8> {
    std::fs::read(bodies().join(format!("{name}.json"))).expect("a body of benches/bodies")
}

pub(crate) fn lines(name: &str) -> Vec<(String, String)> {
    let text = std::fs::read(bodies().join(format!("{name}.headers.json"))).expect("headers of benches/bodies");
    serde_json::from_slice(&text).expect("pairs of strings")
}

pub(crate) fn gate() -> Gate {
    let server = ServerIdentity::new(Implementation::new("bench", "1"), &Switches::default()).expect("a server");
    Gate::new(GateConfig {
        served: Served::all(),
        reading: Reading::Record,
        sessions: SessionMode::Stateless,
        can_revoke: false,
        server,
        answer_handshake: true,
        annotations: Annotations::default(),
        requirements: Requirements::default(),
        policy: Policy::default(),
    })
}

/// One admission, headers and all; whether the request goes on.
pub(crate) fn admit(gate: &Gate, lines: &[(String, String)], body: &[u8]) -> bool {
    let headers = Headers::pick(lines.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())));
    let look_up = |_: &[u8]| Lookup::Unknown;
    let request = Request { http_method: "POST", headers: Some(&headers), body, look_up: &look_up };
    std::hint::black_box(gate.decide(&request)).is_admitted()
}
