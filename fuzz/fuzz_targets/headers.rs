//! Header values: the sentinel has one spelling, media types never panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::headers::{EVENT_STREAM, Field, Headers, accepts, decode, encode, is_json_body, is_uncoded};

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
    if let Some(inside) = value.strip_prefix(b"=?base64?").and_then(|rest| rest.strip_suffix(b"?="))
        && let Some(bytes) = by_the_book(inside)
    {
        assert_eq!(decode(value).is_ok(), std::str::from_utf8(&bytes).is_ok(), "what the book reads is read");
    }
    let lines = value.split(|byte| *byte == b'\n').map(|line| (b"accept".as_slice(), line));
    let headers = Headers::pick(lines.chain([(b"content-type".as_slice(), value), (b"content-encoding", value)]));
    let _ = accepts(headers.lines(Field::Accept), EVENT_STREAM);
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

/// A second decoder: what `base64` would have written, or none.
fn by_the_book(inside: &[u8]) -> Option<Vec<u8>> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = inside.iter().position(|byte| *byte == b'=').unwrap_or(inside.len());
    let mut bits = Vec::new();
    for digit in &inside[..digits] {
        let value = ALPHABET.iter().position(|letter| letter == digit)?;
        bits.extend((0..6).rev().map(|place| value >> place & 1));
    }
    let bytes: Vec<u8> =
        bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | *bit as u8)).collect();
    (base64(&bytes).as_bytes() == inside).then_some(bytes)
}
