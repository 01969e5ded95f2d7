//! Writing: what the crate itself has to say in JSON.

/// Appends `text` as a JSON string, escaping only what the grammar asks for.
pub fn push_string(out: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    for &byte in text.as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x00..=0x1F => {
                out.extend_from_slice(b"\\u00");
                out.extend([byte >> 4, byte & 0xF].map(|digit| HEX[usize::from(digit)]));
            }
            _ => out.push(byte),
        }
    }
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
