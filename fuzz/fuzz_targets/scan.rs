//! The scanner beside `serde_json`: what one accepts the other accepts and reads as the same value, but for what is
//! named here; and no byte is looked at more often than it may be.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::json::{Cursor, Fault, FaultKind, Kind, Limits, canonical, forget_work, work};
use serde_json::{Map, Number, Value};

fuzz_target!(|text: &[u8]| {
    let within = |checked: bool, limits: Limits| {
        forget_work();
        let mut cursor = Cursor::new(text, limits).map_err(|fault| fault.kind)?;
        let node = if checked { cursor.checked_value() } else { cursor.value() };
        let node = node.map_err(|fault| fault.kind)?;
        cursor.end().map_err(|fault| fault.kind)?;
        Ok(node)
    };
    let read = |checked: bool| within(checked, Limits::default());
    let ours = read(false);
    let length = text.len() as u64;
    for checked in [false, true] {
        assert_eq!(ours, read(checked), "both ways over a value agree");
        let work = work();
        // What an escaped key reads is written down, and read beside a few others, to compare it.
        let times = if text.contains(&b'\\') { 8 } else { 2 };
        assert!(work.bytes <= times * length && work.looks <= 16 * length + 64, "{work:?} over {length}");
    }
    // Ours alone: surrogates without their half, depth and number length.
    if matches!(ours, Err(FaultKind::LoneSurrogate | FaultKind::TooDeep | FaultKind::NumberTooLong)) {
        return;
    }
    let witness = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    // Theirs alone: a number of any precision is an object with this key to it, and so is such an object a number.
    if holds(witness, b"private") {
        return;
    }
    let theirs = serde_json::from_slice::<Value>(witness);
    assert_eq!(ours.is_ok(), theirs.is_ok(), "{ours:?} {theirs:?}");
    let Ok(theirs) = theirs else { return };
    let mut cursor = Cursor::new(text, Limits::default()).expect("read before");
    let mut met = Met::default();
    let read_again = value(&mut cursor, &mut met).expect("read before");
    assert_eq!(read_again, theirs, "kept members read the same");
    let Met { numbers, depth, twice } = met;
    assert_eq!(cursor.saw_duplicate(), twice, "a key said twice is seen");
    let mut checked = Cursor::new(text, Limits::default()).expect("read before");
    checked.checked_value().expect("read before");
    assert_eq!(checked.saw_duplicate(), twice, "a key said twice is seen on the way over");
    for checked in [false, true] {
        let limits = Limits { max_depth: 12, max_number_chars: 80 };
        assert_eq!(within(checked, limits).is_ok(), numbers <= 80 && depth <= 12, "limits are those of single tokens");
    }
    let spelt = canonical(text, Limits::default()).expect("read before");
    assert_eq!(canonical(&spelt, Limits::default()).as_ref(), Ok(&spelt), "one spelling");
});

fn holds(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

/// What was met in a value.
#[derive(Default)]
struct Met {
    /// Characters of the longest number.
    numbers: usize,
    depth: u32,
    /// An object says a key twice.
    twice: bool,
}

/// The value that stands here, by the calls that the gate makes; of a key said twice the last one counts, as there.
fn value(cursor: &mut Cursor<'_>, met: &mut Met) -> Result<Value, Fault> {
    let text = cursor.text();
    let utf8 = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("a checked text");
    match cursor.peek() {
        Some(b'{') => {
            let mut map = Map::new();
            let mut members = cursor.open_object()?;
            met.depth = cursor.depth().max(met.depth);
            while let Some(key) = cursor.next_member(&mut members)? {
                let name = utf8(&key.name(text));
                let value = value(cursor, met)?;
                met.twice |= map.insert(name, value).is_some();
            }
            Ok(Value::Object(map))
        }
        Some(b'[') => {
            let mut values = Vec::new();
            let mut elements = cursor.open_array()?;
            met.depth = cursor.depth().max(met.depth);
            while cursor.next_element(&mut elements)? {
                values.push(value(cursor, met)?);
            }
            Ok(Value::Array(values))
        }
        _ => {
            let node = cursor.value()?;
            Ok(match node.kind() {
                Kind::Null => Value::Null,
                Kind::True => Value::Bool(true),
                Kind::False => Value::Bool(false),
                Kind::Integer | Kind::Number => {
                    met.numbers = node.span().len().max(met.numbers);
                    Value::Number(utf8(node.token(text)).parse::<Number>().expect("a number"))
                }
                _ => Value::String(utf8(&node.text(text).expect("a string"))),
            })
        }
    }
}
