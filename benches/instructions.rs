//! One operation, many times, for an instruction counter: `instructions OPERATION COUNT`, or no arguments for the list.
//!
//! The instructions of one operation are the difference between two counts, divided by the difference of the counts;
//! setting up cancels out. `benches/count.py` does that.
#![allow(missing_docs, clippy::expect_used, clippy::panic)] // a driver that cannot run says so and stops

mod given;

use std::hint::black_box;

use revcap::json::{Cursor, Limits};
use revcap::shape::{Reader, shape_response};
use revcap::table::{Method, Revision};

fn run(operation: &str, count: usize) {
    let (verb, name) = operation.split_once(':').unwrap_or((operation, "a_modern_call"));
    let body = given::body(name);
    match verb {
        "scan" => {
            for _ in 0..count {
                let mut cursor = Cursor::new(black_box(&body), Limits::default()).expect("UTF-8");
                black_box(cursor.value().is_ok());
            }
        }
        "admit" => {
            let lines = given::lines(name);
            let gate = given::gate();
            for _ in 0..count {
                given::admit(black_box(&gate), black_box(&lines), black_box(&body));
            }
        }
        "shape" => {
            let reader = Reader::of(Revision::V2025_06_18);
            for _ in 0..count {
                black_box(shape_response(black_box(&body), Some(Method::ToolsList), &reader).is_ok());
            }
        }
        // What the standard reader of the ecosystem takes to say that the same bytes are JSON; for comparison.
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
    for name in given::REQUESTS {
        println!("admit:{name}");
    }
    println!("scan:a_modern_call\nscan:d_modern_64k\nscan:e_modern_1m_escapes\nshape:{}", given::RESPONSE);
}
