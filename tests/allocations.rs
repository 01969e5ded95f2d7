//! What an admission allocates: next to nothing, and nothing that grows with the body.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../benches/given/mod.rs"]
#[allow(clippy::expect_used, reason = "as above")]
mod given;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use revcap::shape::{OnInvalid, Reader, SseShaper};
use revcap::table::{Method, Revision};

/// The system's allocator, which counts what each thread asks for.
struct Counting;

thread_local! {
    static ASKED: Cell<Asked> = const { Cell::new(Asked { times: 0, bytes: 0 }) };
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    times: usize,
    bytes: usize,
}

fn note(bytes: usize) {
    // Threads that end allocate, too.
    let _ = ASKED.try_with(|asked| {
        let Asked { times, bytes: before } = asked.get();
        asked.set(Asked { times: times + 1, bytes: before + bytes });
    });
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What judging this body asks for, and whether it goes on.
fn asked_for(name: &str, body: &[u8]) -> (Asked, bool) {
    let (gate, lines) = (given::gate(), given::lines(name));
    given::admit(&gate, &lines, body); // what is made once, is made
    ASKED.set(Asked { times: 0, bytes: 0 });
    let goes_on = given::admit(&gate, &lines, body);
    (ASKED.get(), goes_on)
}

const NOTHING: Asked = Asked { times: 0, bytes: 0 };

#[test]
fn a_modern_call_is_admitted_without_an_allocation() {
    let (asked, goes_on) = asked_for("a_modern_call", &given::body("a_modern_call"));
    assert!(goes_on);
    assert_eq!(asked, NOTHING);
}

#[test]
fn a_legacy_call_and_a_handshake_take_a_few() {
    for name in ["b_legacy_call", "c_initialize"] {
        let (asked, _) = asked_for(name, &given::body(name));
        assert!(asked.times <= 5, "{name}: {asked:?}");
    }
}

#[test]
fn a_refusal_keeps_its_reason_and_two_values_and_no_words() {
    for name in ["f_malformed", "g_header_mismatch"] {
        let (asked, goes_on) = asked_for(name, &given::body(name));
        assert!(!goes_on);
        assert!(asked.times <= 2 && asked.bytes <= 512, "{name}: {asked:?}");
    }
}

#[test]
fn what_is_allocated_does_not_grow_with_the_body() {
    let body = String::from_utf8(given::body("a_modern_call")).unwrap();
    let members = |value: &str| (0..32).map(|name| format!("\"k{name}\":{value}")).collect::<Vec<_>>().join(",");
    for value in [r#""\n\u4e2d""#, "0.125", r#"[[],{"a":"b"}]"#, r#""plain text""#] {
        for times in [1, 1000] {
            let value = format!("[{}]", vec![value; times].join(","));
            let body =
                body.replacen("\"arguments\":{", &format!("\"arguments\":{{\"more\":{{{}}},", members(&value)), 1);
            let (asked, goes_on) = asked_for("a_modern_call", body.as_bytes());
            assert!(goes_on);
            assert_eq!(asked, NOTHING, "{} bytes", body.len());
        }
    }
}

#[test]
fn the_set_of_many_members_is_counted() {
    let body = String::from_utf8(given::body("a_modern_call")).unwrap();
    let members: Vec<String> = (0..200).map(|name| format!("\"k{name}\":0,")).collect();
    let body = body.replacen("\"arguments\":{", &format!("\"arguments\":{{{}", members.concat()), 1);
    let (asked, goes_on) = asked_for("a_modern_call", body.as_bytes());
    assert!(goes_on && asked.times > 0, "{asked:?}");
}

#[test]
fn a_stream_holds_no_more_than_the_event_that_is_read() {
    let event = br#"data: {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","title":"T"}]}}"#;
    let event = [&event[..], b"\n\n"].concat();
    let reader = Reader::of(Revision::V2025_03_26);
    let mut shaper = SseShaper::new(Some(Method::ToolsList), &reader, OnInvalid::Error, SseShaper::MAX_EVENT_BYTES);
    shaper.feed(&event).unwrap(); // what is made once, is made
    for size in [event.len(), 50] {
        let stream = event.repeat(500);
        for chunk in stream.chunks(size) {
            ASKED.set(NOTHING);
            assert!(shaper.feed(chunk).unwrap().to_client.len() <= 2 * event.len());
            assert!(ASKED.get().bytes <= 2048, "{:?}", ASKED.get());
        }
    }
}
