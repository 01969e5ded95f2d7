//! Writing: what the crate itself has to say in JSON.

/// Appends `text` as a JSON string, escaping only what the grammar asks for.
pub fn push_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    push_escaped(out, text);
    out.push(b'"');
}

/// Whether the grammar asks for an escape.
#[inline]
const fn is_escaped(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0x00..=0x1F)
}

/// The inside of a string: runs that stand for themselves are copied whole.
fn push_escaped(out: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut rest = text.as_bytes();
    // Nearly all is plain; looked at whole, it is looked at many bytes at a time.
    if !rest.iter().fold(false, |found, byte| found | is_escaped(*byte)) {
        out.extend_from_slice(rest);
        return;
    }
    while let Some(run) = rest.iter().position(|byte| is_escaped(*byte)) {
        let (plain, escaped) = rest.split_at(run);
        out.extend_from_slice(plain);
        let Some((&byte, after)) = escaped.split_first() else { break };
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            _ => {
                out.extend_from_slice(b"\\u00");
                out.extend([byte >> 4, byte & 0xF].map(|digit| HEX[usize::from(digit)]));
            }
        }
        rest = after;
    }
    out.extend_from_slice(rest);
}

/// What is displayed becomes the inside of a JSON string, without being put together first.
struct Escaped<'o>(&'o mut Vec<u8>);

impl std::fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        push_escaped(self.0, text);
        Ok(())
    }
}

/// Appends what `shown` displays as a JSON string.
pub fn push_displayed(out: &mut Vec<u8>, shown: &impl std::fmt::Display) {
    use std::fmt::Write as _;
    out.push(b'"');
    // Appending to a vector never fails.
    let _ = write!(Escaped(out), "{shown}");
    out.push(b'"');
}

/// An object that is being appended to a text, member by member; the caller writes each value.
#[derive(Debug)]
pub struct ObjectWriter {
    empty: bool,
}

impl ObjectWriter {
    /// Opens the object.
    pub fn open(out: &mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { empty: true }
    }

    /// Begins a member; its value must be appended next.
    pub fn key(&mut self, out: &mut Vec<u8>, key: &str) {
        if !std::mem::replace(&mut self.empty, false) {
            out.push(b',');
        }
        push_string(out, key);
        out.push(b':');
    }

    /// A whole member, its value as JSON text.
    pub fn member(&mut self, out: &mut Vec<u8>, key: &str, value: &[u8]) {
        self.key(out, key);
        out.extend_from_slice(value);
    }

    /// A whole member whose value is a string.
    pub fn string(&mut self, out: &mut Vec<u8>, key: &str, value: &str) {
        self.key(out, key);
        push_string(out, value);
    }

    /// Nothing was written yet.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.empty
    }

    /// Closes the object.
    pub fn close(self, out: &mut Vec<u8>) {
        out.push(b'}');
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cursor, Limits};
    use super::*;

    #[test]
    fn every_character_comes_back_as_it_was() {
        let text: String = ('\0'..'\u{100}').chain("\u{2028}中😀".chars()).collect();
        let mut out = Vec::new();
        push_string(&mut out, &text);
        let mut cursor = Cursor::new(&out, Limits::default()).unwrap();
        let node = cursor.value().unwrap();
        cursor.end().unwrap();
        assert_eq!(node.text(&out).unwrap().as_ref(), text.as_bytes());
    }

    #[test]
    fn members_are_parted_by_commas() {
        let mut out = Vec::new();
        let mut object = ObjectWriter::open(&mut out);
        assert!(object.is_empty());
        object.member(&mut out, "a", b"1");
        object.string(&mut out, "b\"", "x\u{1f}");
        assert!(!object.is_empty());
        object.close(&mut out);
        assert_eq!(out, br#"{"a":1,"b\"":"x\u001f"}"#);
    }
}
