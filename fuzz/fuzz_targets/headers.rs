//! Header values: the sentinel has one spelling, media types never panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::headers::{Field, Headers, accepts, decode, encode, is_json_body, is_uncoded};

fuzz_target!(|value: &[u8]| {
    if let Ok(text) = std::str::from_utf8(value) {
        assert_eq!(decode(encode(text).as_bytes()).as_deref(), Ok(text.as_bytes()), "what is encoded reads back");
    }
    if let Ok(decoded) = decode(value)
        && *decoded != *value
    {
        let text = std::str::from_utf8(&decoded).expect("UTF-8");
        let again = format!("=?base64?{}?=", base64(text.as_bytes()));
        assert_eq!(again.as_bytes(), value, "one spelling");
    }
    let lines = value.split(|byte| *byte == b'\n').map(|line| (b"accept".as_slice(), line));
    let headers = Headers::pick(lines.chain([(b"content-type".as_slice(), value), (b"content-encoding", value)]));
    let _ = accepts(headers.lines(Field::Accept), b"text/event-stream");
    let _ = is_json_body(headers.lines(Field::ContentType));
    let _ = is_uncoded(headers.lines(Field::ContentEncoding));
});

/// A second encoder, by the book.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            if place <= chunk.len() {
                out.push(char::from(ALPHABET[(word >> (18 - 6 * place) & 63) as usize]));
            } else {
                out.push('=');
            }
        }
    }
    out
}
