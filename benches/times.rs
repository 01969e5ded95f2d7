//! The core by the clock: the scan, the whole ladder, shaping. `cargo bench --bench times`.
#![allow(missing_docs, clippy::expect_used)] // a bench that cannot run says so and stops

mod given;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use revcap::json::{Cursor, Limits};
use revcap::shape::{Reader, shape_response};
use revcap::table::{Method, Revision};

fn main() {
    divan::main();
}

/// Grammar and UTF-8 alone.
#[divan::bench(args = ["a_modern_call", "d_modern_64k", "e_modern_1m_escapes"])]
fn scan(bencher: Bencher<'_, '_>, name: &str) {
    let body = given::body(name);
    bencher
        .counter(BytesCount::of_slice(&body))
        .bench_local(|| Cursor::new(black_box(&body), Limits::default()).and_then(|mut cursor| cursor.value()).is_ok());
}

/// Headers, scan, ladder and verdict.
#[divan::bench(args = given::REQUESTS)]
fn admit(bencher: Bencher<'_, '_>, name: &str) {
    let (gate, lines, body) = (given::gate(), given::lines(name), given::body(name));
    bencher
        .counter(BytesCount::of_slice(&body))
        .bench_local(|| given::admit(&gate, black_box(&lines), black_box(&body)));
}

/// A tool list for a reader of each revision.
#[divan::bench(args = Revision::ALL.iter().copied())]
fn shape(bencher: Bencher<'_, '_>, revision: Revision) {
    let body = given::body(given::RESPONSE);
    let reader = Reader::of(revision);
    bencher.counter(BytesCount::of_slice(&body)).bench_local(|| {
        shape_response(black_box(&body), Some(Method::ToolsList), &reader).map(|shaped| shaped.body.len())
    });
}
