//! Admission: never a panic, every answer well formed, nothing goes on that is not a part of the body, and no body
//! makes more work than its length allows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::gate::{Decision, Lookup, Reply, Request};
use revcap::headers::Headers;
use revcap::json::{forget_work, work};
use revcap::session::Session;
use revcap::table::Revision;
use serde_json::Value;

mod gate;

// The first byte chooses the gate; then come header lines up to one without a colon, then the body.
fuzz_target!(|input: &[u8]| {
    let Some((&choice, rest)) = input.split_first() else { return };
    // The witness's own name for a number of any precision, which it takes for one.
    if rest.windows(21).any(|window| window == b"$serde_json::private:") {
        return;
    }
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
    let look_up = |id: &[u8]| match id.first() {
        Some(b'f') => Lookup::Failed,
        Some(digit @ b'0'..=b'3') => {
            Session::new(Revision::ALL[usize::from(digit - b'0')], None).map_or(Lookup::Unknown, Lookup::Live)
        }
        _ => Lookup::Unknown,
    };
    for headers in [Some(&headers), None] {
        let request = Request { http_method: "POST", headers, body, look_up: &look_up };
        forget_work();
        let verdict = gate.admit(&request);
        let work = work();
        let length = body.len() as u64;
        // What an escaped key reads is written down, to compare it and to know it.
        let times = if body.contains(&b'\\') { 8 } else { 3 };
        assert!(work.bytes <= times * length + 256 && work.looks <= 24 * length + 1024, "{work:?} over {length}");
        let decision = verdict.decision();
        if decision.reason.as_str() == "internal" {
            let failed = decision.reply(body).is_some_and(|reply| reply.status == 500);
            assert!(
                failed && lines.iter().any(|(_, value)| value.trim_ascii().starts_with(b"f")),
                "only a store fails"
            );
        }
        assert_eq!(decision.is_admitted(), decision.rejection().is_none());
        if let Some(reply) = decision.reply(body) {
            check_reply(&reply, body);
        }
        let parts = verdict.forward();
        for part in &parts {
            check_part(part, body, decision);
            let value: Value = serde_json::from_slice(part).expect("what goes on is JSON");
            assert!(value.is_object());
        }
        assert!(parts.iter().map(|part| part.len()).sum::<usize>() <= body.len(), "nothing goes on twice");
        let _ = (decision.explain(), decision.attributes(body, gate.sessions()), decision.client(body));
        check_reply(&decision.failure(body), body);
    }
});

/// A part of the body; with `task` cut out, two parts of it.
fn check_part(part: &[u8], body: &[u8], decision: &Decision) {
    let bounds = body.as_ptr_range();
    if bounds.contains(&part.as_ptr()) {
        assert!(part.as_ptr_range().end <= bounds.end);
        return;
    }
    let decisions = std::iter::once(decision).chain(&decision.elements);
    let mut cuts = decisions.filter_map(|decision| decision.facts.strip_task);
    assert!(cuts.any(|cut| {
        let (before, after) = (&body[..cut.start as usize], &body[cut.end as usize..]);
        (0..=part.len()).any(|at| before.ends_with(&part[..at]) && after.starts_with(&part[at..]))
    }));
}

fn check_reply(reply: &Reply, body: &[u8]) {
    assert!((200..=599).contains(&reply.status));
    for (name, value) in &reply.headers {
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        assert!(value.bytes().all(|byte| (0x20..0x7F).contains(&byte)));
    }
    if !reply.headers.iter().any(|(name, value)| *name == "content-type" && value == "application/json") {
        return;
    }
    let answer: Value = serde_json::from_slice(&reply.body).expect("a JSON answer");
    match answer {
        Value::Array(answers) => answers.iter().for_each(|answer| check_answer(answer, body)),
        answer => check_answer(&answer, body),
    }
}

/// A response as every schema has it: a result, or an error with an integer code, a text and its code's data.
fn check_answer(answer: &Value, body: &[u8]) {
    let answer = answer.as_object().expect("an object");
    assert_eq!(answer["jsonrpc"], "2.0");
    assert_eq!(answer.len(), 3);
    match &answer["id"] {
        Value::Null => {}
        Value::Number(id) => {
            let id = id.to_string();
            assert!(!id.contains(['.', 'e', 'E']) && body.windows(id.len()).any(|window| window == id.as_bytes()));
        }
        Value::String(_) => {}
        id => panic!("{id} is no id"),
    }
    let Some(error) = answer.get("error") else {
        assert!(answer["result"].is_object());
        return;
    };
    let error = error.as_object().expect("an object");
    let message = error["message"].as_str().expect("a text");
    assert!(!message.is_empty() && message.chars().all(|sign| matches!(sign, ' '..='~' | '…')));
    let data = error.get("data");
    assert_eq!(error.len(), 2 + usize::from(data.is_some()));
    match (error["code"].as_i64().expect("an integer"), data) {
        (-32_022, Some(data)) | (-32_600, Some(data)) if data.get("requested").is_some() => {
            assert!(data["supported"].as_array().is_some_and(|list| list.iter().all(Value::is_string)));
            assert!(data["requested"].is_string());
        }
        (-32_020 | -32_600, Some(data)) => assert!(data["supported"].is_array()),
        (-32_021, data) => assert!(data.is_some_and(|data| data["requiredCapabilities"].is_object())),
        (-32_022, None) => panic!("an unsupported version without the supported ones"),
        (-32_700 | -32_600 | -32_601 | -32_602 | -32_603 | -32_020, None) => {}
        other => panic!("{other:?}"),
    }
}
