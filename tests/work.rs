//! The work that a text makes: counted, not timed, so that the bound holds on any machine. Debug builds count.
#![cfg(debug_assertions)]
#![allow(clippy::unwrap_used)] // a test's own mistake may panic

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::gate::{
    Annotations, Gate, GateConfig, Lookup, Policy, Request, Requirements, Served, SessionMode, ToolAnnotations,
};
use revcap::headers::Headers;
use revcap::json::{Cursor, Limits, Work, canonical, forget_work, unescape, work};
use revcap::shape::{OnInvalid, Reader, SseShaper, shape_response};
use revcap::table::{Method, Reading, Revision};

const LINES: [(&[u8], &[u8]); 5] = [
    (b"content-type", b"application/json"),
    (b"accept", b"application/json, text/event-stream"),
    (b"mcp-protocol-version", b"2026-07-28"),
    (b"mcp-method", b"tools/call"),
    (b"mcp-name", b"t"),
];

fn gate(policy: Policy) -> Gate {
    let mut annotations = Annotations::default();
    annotations.insert("t", ToolAnnotations::new([(vec!["a", "b"], "A")]).unwrap());
    Gate::new(GateConfig {
        served: Served::all(),
        reading: Reading::Record,
        sessions: SessionMode::Stateless,
        can_revoke: false,
        server: ServerIdentity::new(Implementation::new("test", "1"), &Switches::default()).unwrap(),
        answer_handshake: false,
        annotations,
        requirements: Requirements::default(),
        policy,
    })
}

/// A call with this in the place of its arguments, and this of its client's capabilities.
fn call(arguments: &str, capabilities: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"t","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{capabilities}}}}}}}"#
    )
}

/// Values that take about so many bytes, each a shape that some scanner is slow at.
fn shapes(bytes: usize) -> Vec<(&'static str, String)> {
    let many = |one: &str| vec![one; bytes / (one.len() + 1)].join(",");
    let members = |value: &dyn Fn(usize) -> String| {
        let mut out = String::from("{");
        for index in 0.. {
            out.push_str(&value(index));
            if out.len() >= bytes {
                break;
            }
            out.push(',');
        }
        out + "}"
    };
    vec![
        ("a long string", format!("\"{}\"", "x".repeat(bytes))),
        ("line feeds", format!("\"{}\"", "x\\n".repeat(bytes / 3))),
        ("long escapes", format!("\"{}\"", "\\u4e2d".repeat(bytes / 6))),
        ("backslashes", format!("\"{}\"", "\\\\".repeat(bytes / 2))),
        ("small integers", format!("[{}]", many("1"))),
        ("long decimals", format!("[{}]", many("3.141592653589793e-12"))),
        ("empty arrays", format!("[{}]", many("[]"))),
        ("empty objects", format!("[{}]", many("{}"))),
        ("words", format!("[{}]", many("true"))),
        ("white space", format!("[{}1]", " \n\t".repeat(bytes / 3))),
        ("levels", format!("[{}]", many(&format!("{}{}", "[".repeat(100), "]".repeat(100))))),
        ("rows", format!("[{}]", many(r#"{"a":1,"b":"x","c":null}"#))),
        ("short keys", members(&|index| format!("\"{index:x}\":0"))),
        ("long keys", members(&|index| format!("\"{}{index:08x}{}\":0", "k".repeat(40), "k".repeat(40)))),
        ("escaped keys", members(&|index| format!("\"\\u006b{index:x}\":0"))),
        ("objects of a few like escaped keys", {
            let keys: Vec<String> = (0..30).map(|key| format!("\"{}{key:02}kk\":0", "\\u006b".repeat(40))).collect();
            format!("[{}]", vec![format!("{{{}}}", keys.join(",")); bytes / 8000 + 1].join(","))
        }),
        ("one key again and again", members(&|_| String::from("\"k\":0"))),
        ("objects of a few like keys", {
            let object = |_: usize| {
                let keys: Vec<String> = (0..30).map(|key| format!("\"{key:02}{}\":0", "k".repeat(60))).collect();
                format!("{{{}}}", keys.join(","))
            };
            format!("[{}]", (0..=bytes / 2100).map(object).collect::<Vec<_>>().join(","))
        }),
    ]
}

/// Where in the result of which method a value stands.
type Place = (Method, fn(&str) -> String);

fn counted(of: impl FnOnce()) -> Work {
    forget_work();
    of();
    work()
}

#[test]
fn an_admission_passes_no_byte_more_than_three_times() {
    let everywhere = Policy { unique_keys_everywhere: true, ..Policy::default() };
    let folding = Policy { reject_case_variants: true, ..everywhere.clone() };
    let headers = Headers::pick(LINES);
    for policy in [Policy::default(), everywhere, folding] {
        let gate = gate(policy);
        for (name, value) in shapes(1 << 14) {
            let bodies = [
                call(&value, "{}"),
                call(&format!(r#"{{"a":{value}}}"#), "{}"),
                call("{}", &format!(r#"{{"x":{value}}}"#)),
                call("{}", &value),
                value.clone(),
                format!("[{}]", call(&value, "{}")),
            ];
            for body in &bodies {
                let request = Request {
                    http_method: "POST",
                    headers: Some(&headers),
                    body: body.as_bytes(),
                    look_up: &|_| Lookup::Unknown,
                };
                let work = counted(|| drop(gate.admit(&request)));
                // What an escaped key reads is written down, to compare it and to know it.
                let times = if name.contains("escaped keys") { 8 } else { 3 };
                let length = body.len() as u64;
                assert!(work.bytes <= times * length + 256, "{name}: {work:?} over {length}");
                assert!(work.looks <= 16 * length + 1024, "{name}: {work:?} over {length}");
            }
        }
    }
}

#[test]
fn shaping_makes_sixteen_times_the_work_for_sixteen_times_the_message() {
    let reader = Reader::of(Revision::V2024_11_05);
    let up = Reader::of(Revision::V2026_07_28);
    let message = |value: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"result":{value}}}"#);
    let around: [Place; 5] = [
        (Method::ToolsCall, |value| format!(r#"{{"content":[],"structuredContent":{value}}}"#)),
        (Method::ToolsCall, |value| format!(r#"{{"content":[{{"x":{value},"type":"audio","mimeType":"m"}}]}}"#)),
        (Method::ToolsCall, |value| format!(r#"{{"content":{value}}}"#)),
        (Method::ToolsList, |value| format!(r#"{{"tools":[{{"name":"t","inputSchema":{value},"icons":{value}}}]}}"#)),
        (Method::ToolsList, |value| format!(r#"{{"x":{value},"resultType":"complete","tools":[]}}"#)),
    ];
    let shape = |method: Method, text: &str| {
        for reader in [&reader, &up] {
            let _ = shape_response(text.as_bytes(), Some(method), reader);
            let mut shaper = SseShaper::new(Some(method), reader, OnInvalid::Pass, 1 << 24);
            for chunk in format!("data: {text}\n\n").as_bytes().chunks(1000) {
                shaper.feed(chunk).unwrap();
            }
        }
    };
    for ((name, short), (_, long)) in shapes(1 << 10).into_iter().zip(shapes(1 << 14)) {
        for (method, put) in around {
            let [few, many] = [&short, &long].map(|value| {
                let text = message(&put(value));
                (counted(|| shape(method, &text)), text.len() as u64)
            });
            let (few, many) = ((few.0, few.1), (many.0, many.1));
            // By what the lengths really are, with a tenth to spare.
            assert!(
                many.0.bytes * few.1 * 10 <= few.0.bytes * many.1 * 11 + 4096,
                "{name} {method:?} {few:?} {many:?}"
            );
            assert!(
                many.0.looks * few.1 * 10 <= few.0.looks * many.1 * 11 + 4096,
                "{name} {method:?} {few:?} {many:?}"
            );
            assert!(many.0.bytes <= 48 * many.1, "{name} {method:?} {many:?}");
        }
    }
}

#[test]
fn what_is_passed_is_counted_and_so_is_each_look() {
    for (name, text) in shapes(1 << 10) {
        let text = text.as_bytes();
        let length = text.len() as u64;
        let passed = counted(|| {
            Cursor::new(text, Limits::default()).unwrap().value().unwrap();
        });
        assert_eq!(passed.bytes, 2 * length, "{name}: once for its encoding, once for its grammar");
        assert!(passed.looks >= length / 16, "{name}: {passed:?} over {length}");
        let again = counted(|| {
            let mut cursor = Cursor::new(text, Limits::default()).unwrap();
            let place = cursor.place();
            cursor.value().unwrap();
            cursor.go_back(place);
            cursor.value().unwrap();
        });
        assert_eq!(again.bytes, 3 * length, "{name}: what is read again counts again");
        let again = counted(|| {
            Cursor::resume(text, 0, 0, Limits::default()).value().unwrap();
        });
        assert_eq!(again.bytes, length, "{name}: a second look checks no encoding");
    }
    let escaped = br"a\nb\u0041";
    assert_eq!(counted(|| drop(unescape(escaped))).bytes, escaped.len() as u64);
    assert_eq!(counted(|| drop(unescape(b"plain"))), Work::default());
    // The text twice, and what the escaped key reads.
    let text = br#"{"\u0061":1}"#;
    assert_eq!(counted(|| drop(canonical(text, Limits::default()).unwrap())).bytes, 2 * text.len() as u64 + 6);
    // The escaped key is written down once, to know it by; then the other name is compared with it, two parts.
    let text = br#"{"\u0061b":1,"ab":2}"#;
    let compared = counted(|| {
        Cursor::new(text, Limits::default()).unwrap().checked_value().unwrap();
    });
    assert_eq!(compared.bytes, 2 * text.len() as u64 + 7 + 2 + 3);
}
