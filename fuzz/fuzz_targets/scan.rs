//! The scanner beside `serde_json`: what one accepts the other accepts, but for what is named here.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::json::{Cursor, FaultKind, Limits};

fuzz_target!(|text: &[u8]| {
    let read = |checked: bool| {
        let mut cursor = Cursor::new(text, Limits::default()).map_err(|fault| fault.kind)?;
        let node = if checked { cursor.checked_value() } else { cursor.value() };
        let node = node.map_err(|fault| fault.kind)?;
        cursor.end().map_err(|fault| fault.kind)?;
        Ok(node)
    };
    let ours = read(false);
    assert_eq!(ours, read(true), "both ways over a value agree");
    // Ours alone: surrogates without their half, depth and number length.
    if matches!(ours, Err(FaultKind::LoneSurrogate | FaultKind::TooDeep | FaultKind::NumberTooLong)) {
        return;
    }
    let witness = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let theirs = serde_json::from_slice::<serde_json::Value>(witness);
    assert_eq!(ours.is_ok(), theirs.is_ok(), "{ours:?} {theirs:?}");
    if let (Ok(node), Ok(serde_json::Value::String(value))) = (ours, theirs) {
        assert_eq!(node.text(text).expect("a string"), value.as_bytes(), "strings read the same");
    }
});
