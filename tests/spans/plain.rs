//! A reader that goes byte by byte and has no second way to anything.

use std::collections::{BTreeMap, BTreeSet};

use revcap::json::{FaultKind, Kind, Limits};

/// A value: what it is, its first byte and the first byte after it.
pub(crate) type Value = (Kind, usize, usize);

/// A key between its quotes: its first byte, the first one after it, whether it has an escape, and what it reads.
pub(crate) type Name = (usize, usize, bool, String);

type Broken = (FaultKind, usize);

/// What a text says.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// Each value, the inner ones before the outer one.
    pub(crate) values: Vec<Value>,
    /// Each key, in the order of the text.
    pub(crate) names: Vec<Name>,
    /// What the strings that are values read, by their first byte.
    pub(crate) strings: BTreeMap<usize, String>,
    /// An object says a key twice.
    pub(crate) repeats: bool,
    /// An object says keys that differ only by case.
    pub(crate) varies: bool,
    /// A fault that ends the text, and where.
    pub(crate) fault: Option<Broken>,
}

pub(crate) fn said(text: &str, limits: Limits) -> Said {
    let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut reader = Reader { text: text.as_bytes(), at, depth: 0, limits, said: Said::default() };
    let read = reader.value().and_then(|()| match reader.next() {
        None => Ok(()),
        Some(_) => Err((FaultKind::TrailingData, reader.at)),
    });
    reader.said.fault = read.err();
    reader.said
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    depth: u32,
    limits: Limits,
    said: Said,
}

impl Reader<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The next byte that is no white space.
    fn next(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    /// Something else was expected here.
    fn broken<T>(&self, kind: FaultKind) -> Result<T, Broken> {
        Err((if self.at < self.text.len() { kind } else { FaultKind::Truncated }, self.at))
    }

    fn value(&mut self) -> Result<(), Broken> {
        let first = self.next();
        let start = self.at;
        let kind = match first {
            Some(b'{') => self.object()?,
            Some(b'[') => self.array()?,
            Some(b'"') => {
                let (escaped, text) = self.string()?;
                self.said.strings.insert(start, text);
                if escaped { Kind::EscapedString } else { Kind::String }
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        self.said.values.push((kind, start, self.at));
        Ok(())
    }

    fn open(&mut self) -> Result<(), Broken> {
        if self.depth == self.limits.max_depth {
            return Err((FaultKind::TooDeep, self.at));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    /// After a member or an element: whether another one follows.
    fn goes_on(&mut self, closer: u8) -> Result<bool, Broken> {
        match self.next() {
            Some(b',') => {}
            Some(byte) if byte == closer => self.depth -= 1,
            _ => return self.broken(FaultKind::NoComma),
        }
        self.at += 1;
        Ok(self.text[self.at - 1] == b',')
    }

    fn object(&mut self) -> Result<Kind, Broken> {
        self.open()?;
        let (mut names, mut folded) = (BTreeSet::new(), BTreeMap::new());
        if self.next() == Some(b'}') {
            self.at += 1;
            self.depth -= 1;
            return Ok(Kind::Object);
        }
        loop {
            if self.next() != Some(b'"') {
                return self.broken(FaultKind::NoKey);
            }
            let start = self.at + 1;
            let (escaped, name) = self.string()?;
            let end = self.at - 1;
            if self.next() != Some(b':') {
                return self.broken(FaultKind::NoColon);
            }
            self.at += 1;
            self.said.names.push((start, end, escaped, name.clone()));
            self.said.varies |= *folded.entry(fold(&name)).or_insert_with(|| name.clone()) != name;
            self.said.repeats |= !names.insert(name);
            self.value()?;
            if !self.goes_on(b'}')? {
                return Ok(Kind::Object);
            }
        }
    }

    fn array(&mut self) -> Result<Kind, Broken> {
        self.open()?;
        if self.next() == Some(b']') {
            self.at += 1;
            self.depth -= 1;
            return Ok(Kind::Array);
        }
        loop {
            self.value()?;
            if !self.goes_on(b']')? {
                return Ok(Kind::Array);
            }
        }
    }

    /// From one quote to behind the other: whether there is an escape, and what it reads.
    fn string(&mut self) -> Result<(bool, String), Broken> {
        self.at += 1;
        let mut text = Vec::new();
        let mut escaped = false;
        loop {
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok((escaped, String::from_utf8(text).unwrap()));
                }
                None | Some(0..0x20) => return self.broken(FaultKind::ControlCharacter),
                Some(b'\\') => {
                    escaped = true;
                    let character = self.escape()?;
                    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Some(byte) => {
                    text.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Broken> {
        let start = self.at;
        let letters = b"\"\\/bfnrt";
        let Some(letter) = self.text.get(start + 1) else { return Err((FaultKind::Truncated, self.text.len())) };
        if let Some(which) = letters.iter().position(|other| other == letter) {
            self.at += 2;
            return Ok(['"', '\\', '/', '\u{8}', '\u{c}', '\n', '\r', '\t'][which]);
        }
        if *letter != b'u' {
            return Err((FaultKind::BadEscape, start));
        }
        let lone = Err((FaultKind::LoneSurrogate, start));
        let mut units = vec![self.unit(start + 2)?];
        self.at += 6;
        if (0xD800..0xDC00).contains(&units[0]) {
            if self.text.get(self.at..self.at + 2) != Some(b"\\u") {
                return lone;
            }
            units.push(self.unit(self.at + 2)?);
            self.at += 6;
        }
        match char::decode_utf16(units).collect::<Result<Vec<_>, _>>().as_deref() {
            Ok([character]) => Ok(*character),
            _ => lone,
        }
    }

    fn unit(&self, at: usize) -> Result<u16, Broken> {
        let Some(digits) = self.text.get(at..at + 4) else { return Err((FaultKind::Truncated, self.text.len())) };
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err((FaultKind::BadEscape, at));
        }
        Ok(u16::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap())
    }

    fn number(&mut self) -> Result<Kind, Broken> {
        let start = self.at;
        self.at += usize::from(self.byte() == Some(b'-'));
        match self.byte() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        let mut kind = if &self.text[start..self.at] == b"-0" { Kind::Number } else { Kind::Integer };
        if self.byte() == Some(b'.') {
            kind = Kind::Number;
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            kind = Kind::Number;
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            self.digits()?;
        }
        if self.at - start > self.limits.max_number_chars { Err((FaultKind::NumberTooLong, start)) } else { Ok(kind) }
    }

    fn digits(&mut self) -> Result<(), Broken> {
        let first = self.at;
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        if self.at == first { self.broken(FaultKind::BadNumber) } else { Ok(()) }
    }

    fn word(&mut self) -> Result<Kind, Broken> {
        let rest = &self.text[self.at..];
        let mut most = 0;
        for (word, kind) in [("true", Kind::True), ("false", Kind::False), ("null", Kind::Null)] {
            let same = rest.iter().zip(word.bytes()).take_while(|(have, want)| **have == *want).count();
            if same == word.len() {
                self.at += same;
                return Ok(kind);
            }
            most = most.max(same);
        }
        self.at += most;
        self.broken(FaultKind::NoValue)
    }
}

/// Simple case folding, of the letters that these texts have.
fn fold(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).map(|character| if character == 'ſ' { 's' } else { character }).collect()
}
