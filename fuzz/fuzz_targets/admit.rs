//! Admission: never a panic, every answer well formed, and nothing goes on that is not a part of the body.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::gate::{Lookup, Request};
use revcap::headers::Headers;

mod gate;

// The first byte chooses the gate; then come header lines up to one without a colon, then the body.
fuzz_target!(|input: &[u8]| {
    let Some((&choice, rest)) = input.split_first() else { return };
    let mut lines: Vec<(&[u8], &[u8])> =
        vec![(b"content-type", b"application/json"), (b"accept", b"application/json, text/event-stream")];
    let mut body = rest;
    while let Some(end) = body.iter().position(|byte| *byte == b'\n') {
        let line = &body[..end];
        body = &body[end + 1..];
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { break };
        lines.push((&line[..colon], &line[colon + 1..]));
    }
    let gate = gate::gate(choice);
    let headers = Headers::pick(lines.iter().copied());
    for headers in [Some(&headers), None] {
        let request = Request { http_method: "POST", headers, body, look_up: &|_| Lookup::Unknown };
        let verdict = gate.admit(&request);
        let decision = verdict.decision();
        assert_ne!(decision.reason.as_str(), "internal");
        assert_eq!(decision.is_admitted(), decision.rejection.is_none());
        if let Some(reply) = &decision.reply {
            let is_json = reply.headers.iter().any(|(name, value)| *name == "content-type" && value == "application/json");
            if is_json {
                let answer: serde_json::Value = serde_json::from_slice(&reply.body).expect("a JSON answer");
                let answers = answer.as_array().cloned().unwrap_or_else(|| vec![answer]);
                for answer in answers {
                    assert_eq!(answer["jsonrpc"], "2.0");
                    assert!(answer.get("id").is_some());
                    assert!(answer.get("result").is_some() != answer["error"]["code"].is_i64());
                }
            }
        }
        for part in verdict.forward() {
            let is_part = body.windows(part.len().max(1)).any(|window| window == &*part);
            assert!(is_part || decision.facts.strip_task.is_some() || !decision.elements.is_empty());
            let value: serde_json::Value = serde_json::from_slice(&part).expect("what goes on is JSON");
            assert!(value.is_object());
        }
        let _ = (decision.explain(), decision.attributes(body, gate.sessions()), decision.client(body));
    }
});
