//! Picks the protocol's headers out of a request, notes repeats, decodes the Base64 sentinel.

mod media;
mod sentinel;

pub use media::{EVENT_STREAM, JSON, accepts, is_json_body, is_media, is_uncoded};
pub use sentinel::{Undecodable, decode, encode};

/// A header that the gate looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is the header of that name
pub enum Field {
    Host,
    Accept,
    Origin,
    McpName,
    McpMethod,
    ContentType,
    LastEventId,
    McpSessionId,
    ContentEncoding,
    McpProtocolVersion,
    /// `Mcp-Param-‹name›`
    McpParam,
}

/// What every mirror of a parameter begins with, in lower case.
pub const PARAM_PREFIX: &str = "mcp-param-";

macro_rules! fields {
    ($($field:ident = $name:literal, $length:literal $first:literal;)+) => {
        impl Field {
            /// The header's name in lower case; what the names of the family begin with.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$field => text($name),)+
                    Self::McpParam => PARAM_PREFIX,
                }
            }

            /// The field that a header name in any case stands for; `None` for a header that the gate does not read.
            #[must_use]
            #[inline(always)]
            #[allow(clippy::inline_always)] // for each line of each request
            pub fn of(name: &[u8]) -> Option<Self> {
                let first = name.first()? | 0x20;
                let (field, is_it) = match (name.len(), first) {
                    $(($length, $first) => (Self::$field, reads(name, $name)),)+
                    (11.., b'm') => return Self::param(name),
                    _ => return None,
                };
                if is_it {
                    return Some(field);
                }
                if first == b'm' { Self::param(name) } else { None }
            }
        }
    };
}

// Each with its length and its first letter, by which it is told.
fields! {
    Host = b"host", 4 b'h';
    Accept = b"accept", 6 b'a';
    Origin = b"origin", 6 b'o';
    McpName = b"mcp-name", 8 b'm';
    McpMethod = b"mcp-method", 10 b'm';
    ContentType = b"content-type", 12 b'c';
    LastEventId = b"last-event-id", 13 b'l';
    McpSessionId = b"mcp-session-id", 14 b'm';
    ContentEncoding = b"content-encoding", 16 b'c';
    McpProtocolVersion = b"mcp-protocol-version", 20 b'm';
}

/// A name as text: all of them are ASCII.
const fn text(name: &'static [u8]) -> &'static str {
    match std::str::from_utf8(name) {
        Ok(text) => text,
        Err(_) => "",
    }
}

impl Field {
    /// How many fields have a name of their own; `McpParam` is a family of names.
    pub const NAMED: usize = Self::McpParam as usize;

    /// `Mcp-Param-` names whose length is that of another field.
    #[cold]
    fn param(name: &[u8]) -> Option<Self> {
        let prefix = name.get(..PARAM_PREFIX.len())?;
        (name.len() > PARAM_PREFIX.len() && prefix.eq_ignore_ascii_case(PARAM_PREFIX.as_bytes()))
            .then_some(Self::McpParam)
    }
}

/// Whether a name of that length is this one, in any case.
#[inline]
fn reads<const LENGTH: usize>(name: &[u8], lower: &[u8; LENGTH]) -> bool {
    // What ASGI servers send, compared without a call.
    name.first_chunk() == Some(lower) || eq_in_any_case(name, lower)
}

#[cold]
fn eq_in_any_case(name: &[u8], lower: &[u8]) -> bool {
    name.eq_ignore_ascii_case(lower)
}

/// The lines of one header, in the order of the wire, values without white space at either end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines<'h> {
    first: Option<&'h [u8]>,
    repeats: &'h [(Field, &'h [u8])],
    field: Option<Field>,
}

impl<'h> Lines<'h> {
    /// The only line, or the first.
    #[must_use]
    #[inline]
    pub const fn first(&self) -> Option<&'h [u8]> {
        self.first
    }

    /// The lines after the first.
    pub fn others(self) -> impl Iterator<Item = &'h [u8]> {
        self.repeats.iter().filter(move |(field, _)| Some(*field) == self.field).map(|(_, value)| *value)
    }

    /// Every line.
    pub fn iter(self) -> impl Iterator<Item = &'h [u8]> {
        self.first.into_iter().chain(self.others())
    }

    /// There is more than one line.
    #[must_use]
    #[inline]
    pub fn is_repeated(self) -> bool {
        !self.repeats.is_empty() && self.others().next().is_some()
    }

    /// Every line says the same.
    #[must_use]
    pub fn all_equal(self) -> bool {
        self.others().all(|line| Some(line) == self.first)
    }
}

/// The headers of one request that the gate reads.
#[derive(Clone, Debug, Default)]
pub struct Headers<'h> {
    first: [Option<&'h [u8]>; Field::NAMED],
    repeats: Vec<(Field, &'h [u8])>,
    params: Vec<(&'h [u8], &'h [u8])>,
}

impl<'h> Headers<'h> {
    /// From the first line of each named field, by its place in [`Field`].
    #[must_use]
    #[inline]
    pub fn of(first: impl Fn(usize) -> Option<&'h [u8]>) -> Self {
        Self { first: std::array::from_fn(|place| first(place).map(trim)), repeats: Vec::new(), params: Vec::new() }
    }

    /// Picks from name and value pairs, in the order of the wire; names in any case.
    pub fn pick<I: IntoIterator<Item = (&'h [u8], &'h [u8])>>(lines: I) -> Self {
        let mut headers = Self::default();
        for (name, value) in lines {
            if let Some(field) = Field::of(name) {
                headers.push(field, name, value);
            }
        }
        headers
    }

    /// Adds one line; `name` is read for [`Field::McpParam`] only.
    #[inline]
    pub fn push(&mut self, field: Field, name: &'h [u8], value: &'h [u8]) {
        let value = trim(value);
        match self.first.get_mut(field as usize) {
            Some(first @ None) => *first = Some(value),
            Some(Some(_)) => self.repeats.push((field, value)),
            None => self.params.push((name.get(PARAM_PREFIX.len()..).unwrap_or_default(), value)),
        }
    }

    /// The lines of one header; [`Field::McpParam`] has [`Headers::param`].
    #[must_use]
    #[inline]
    pub fn lines(&self, field: Field) -> Lines<'_> {
        let first = self.first.get(field as usize).copied().flatten();
        Lines { first, repeats: &self.repeats, field: Some(field) }
    }

    /// The lines of `Mcp-Param-‹name›`, `name` in any case.
    pub fn param(&self, name: &str) -> impl Iterator<Item = &'h [u8]> {
        self.params.iter().filter(move |(have, _)| have.eq_ignore_ascii_case(name.as_bytes())).map(|(_, value)| *value)
    }
}

/// Removes spaces and tabs at both ends.
#[must_use]
#[inline]
pub const fn trim(value: &[u8]) -> &[u8] {
    // Nearly none has any.
    match value {
        [first, .., last] if *first > b' ' && *last > b' ' => value,
        _ => trim_each(value),
    }
}

const fn trim_each(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = value {
        value = rest;
    }
    while let [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}

/// RFC 9110 token characters, of which a header name is made.
#[must_use]
pub fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// No byte is of these. All are looked at, so that many are at a time.
#[inline]
fn none(value: &[u8], is_one: impl Fn(u8) -> bool) -> bool {
    !value.iter().fold(false, |found, byte| found | is_one(*byte))
}

/// Nothing but printable ASCII, spaces and tabs.
#[must_use]
pub fn is_printable(value: &[u8]) -> bool {
    none(value, |byte| !matches!(byte, 0x20..=0x7E | b'\t'))
}

/// Nothing but printable ASCII without spaces.
#[must_use]
pub fn is_visible(value: &[u8]) -> bool {
    none(value, |byte| !matches!(byte, 0x21..=0x7E))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_case_and_only_whole() {
        for (name, field) in [
            ("host", Some(Field::Host)),
            ("ACCEPT", Some(Field::Accept)),
            ("Origin", Some(Field::Origin)),
            ("Mcp-Name", Some(Field::McpName)),
            ("MCP-METHOD", Some(Field::McpMethod)),
            ("Content-Type", Some(Field::ContentType)),
            ("Last-Event-ID", Some(Field::LastEventId)),
            ("Mcp-Session-Id", Some(Field::McpSessionId)),
            ("Content-Encoding", Some(Field::ContentEncoding)),
            ("MCP-Protocol-Version", Some(Field::McpProtocolVersion)),
            ("Mcp-Param-X", Some(Field::McpParam)),
            ("mcp-param-ab", Some(Field::McpParam)),
            ("mcp-param-abc", Some(Field::McpParam)),
            ("mcp-param-abcd", Some(Field::McpParam)),
            ("MCP-PARAM-abcdef", Some(Field::McpParam)),
            ("mcp-param-abcdefghij", Some(Field::McpParam)),
            ("mcp-param-", None),
            ("mcp_method", None),
            ("content-length", None),
            ("x-mcp-method", None),
            ("", None),
        ] {
            assert_eq!(Field::of(name.as_bytes()), field, "{name}");
            let own = field.map_or("", Field::name);
            assert!(name.get(..own.len()).is_some_and(|start| start.eq_ignore_ascii_case(own)), "{name}");
        }
    }

    #[test]
    fn lines_keep_their_order_and_lose_outer_space() {
        let headers = Headers::pick([
            (b"accept".as_slice(), b" a\t".as_slice()),
            (b"host".as_slice(), b"h".as_slice()),
            (b"Accept".as_slice(), b"b ".as_slice()),
            (b"mcp-param-region".as_slice(), b" eu ".as_slice()),
            (b"origin".as_slice(), b"o\t".as_slice()),
            (b"Origin".as_slice(), b"\to".as_slice()),
        ]);
        assert_eq!(headers.lines(Field::Accept).iter().collect::<Vec<_>>(), [b"a", b"b"]);
        assert!(headers.lines(Field::Accept).is_repeated() && !headers.lines(Field::Accept).all_equal());
        assert!(!headers.lines(Field::Host).is_repeated());
        assert!(headers.lines(Field::Origin).is_repeated() && headers.lines(Field::Origin).all_equal());
        assert!(headers.lines(Field::McpName).first().is_none());
        assert_eq!(headers.param("Region").collect::<Vec<_>>(), [b"eu"]);
    }

    #[test]
    fn a_field_is_read_by_its_place_as_by_its_name() {
        let place = |field: Field| move |at: usize| (at == field as usize).then_some(b" a ".as_slice());
        let headers = Headers::of(place(Field::McpName));
        assert_eq!(headers.lines(Field::McpName).iter().collect::<Vec<_>>(), [b"a"]);
        assert!(headers.lines(Field::McpMethod).first().is_none());
    }
}
