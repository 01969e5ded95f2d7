//! One operation, many times, for an instruction counter: `instructions OPERATION COUNT`, or no arguments for the list.
//!
//! The instructions of one operation are the difference between two counts, divided by the difference of the counts;
//! setting up cancels out. The bodies are those of the other benches.
#![allow(missing_docs, clippy::expect_used, clippy::panic)] // a driver that cannot run says so and stops

use std::hint::black_box;
use std::path::{Path, PathBuf};

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::gate::{Annotations, Gate, GateConfig, Lookup, Policy, Request, Requirements, Served, SessionMode};
use revcap::headers::Headers;
use revcap::json::{Cursor, Limits};
use revcap::table::Reading;

const ADMIT: &[&str] = &[
    "a_modern_call",
    "b_legacy_call",
    "c_initialize",
    "d_modern_64k",
    "e_modern_1m_escapes",
    "f_malformed",
    "g_header_mismatch",
];

fn bodies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/bodies")
}

fn body(name: &str) -> Vec<u8> {
    std::fs::read(bodies().join(format!("{name}.json"))).expect("a body of benches/bodies")
}

fn lines(name: &str) -> Vec<(String, String)> {
    let text = std::fs::read(bodies().join(format!("{name}.headers.json"))).expect("headers of benches/bodies");
    serde_json::from_slice(&text).expect("pairs of strings")
}

fn gate() -> Gate {
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

fn run(operation: &str, count: usize) {
    let (verb, name) = operation.split_once(':').unwrap_or((operation, "a_modern_call"));
    let body = body(name);
    match verb {
        "scan" => {
            for _ in 0..count {
                let mut cursor = Cursor::new(black_box(&body), Limits::default()).expect("UTF-8");
                black_box(cursor.value().is_ok());
            }
        }
        "admit" => {
            let lines = lines(name);
            let gate = gate();
            for _ in 0..count {
                let pairs = black_box(&lines).iter().map(|(name, value)| (name.as_bytes(), value.as_bytes()));
                let headers = Headers::pick(pairs);
                let request = Request {
                    http_method: "POST",
                    headers: Some(&headers),
                    body: black_box(&body),
                    look_up: &|_| Lookup::Unknown,
                };
                black_box(gate.decide(&request));
            }
        }
        "serde_json" => {
            for _ in 0..count {
                let value: Result<serde::de::IgnoredAny, _> = serde_json::from_slice(black_box(&body));
                black_box(value.is_ok());
            }
        }
        _ => panic!("no such operation: {operation}"),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    if let (Some(operation), Some(count)) = (arguments.next(), arguments.next()) {
        return run(&operation, count.parse().expect("a count"));
    }
    for name in ADMIT {
        println!("admit:{name}");
    }
    println!("scan:a_modern_call\nscan:d_modern_64k\nscan:e_modern_1m_escapes");
}
