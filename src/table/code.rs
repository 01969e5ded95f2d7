//! The error codes, and the HTTP status that each goes with.

use super::Revision::{self, *};
use super::{Era, Span};

/// Whose error it is: the same code has another HTTP status from the gate than from what stands behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The gate itself refused.
    Gate,
    /// The application or the upstream server answered.
    Handler,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal, $text:literal;)+) => {
        /// An error code that some revision gives a meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Code {
            /// Every code, the JSON-RPC ones first.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];
            /// How many there are.
            pub const COUNT: usize = Self::ALL.len();

            /// The number on the wire.
            #[must_use]
            pub const fn number(self) -> i64 {
                match self { $(Self::$name => $number,)+ }
            }

            /// The schemas' name for it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// The code of this number, if any revision gives it a meaning.
            #[must_use]
            pub const fn from_number(number: i64) -> Option<Self> {
                match number { $($number => Some(Self::$name),)+ _ => None }
            }
        }
    };
}

codes! {
    /// The text is no JSON.
    ParseError = -32700, "PARSE_ERROR";
    /// The JSON is no message.
    InvalidRequest = -32600, "INVALID_REQUEST";
    /// The revision, or this server, has no such method.
    MethodNotFound = -32601, "METHOD_NOT_FOUND";
    /// A parameter is missing or of a wrong shape.
    InvalidParams = -32602, "INVALID_PARAMS";
    /// The server failed.
    InternalError = -32603, "INTERNAL_ERROR";
    /// No such resource; the pages of the handshake revisions have it, no schema exports it.
    ResourceNotFound = -32002, "RESOURCE_NOT_FOUND";
    /// The user has to visit a URL before the request can go on.
    UrlElicitationRequired = -32042, "URL_ELICITATION_REQUIRED";
    /// A header is absent, repeated, or disagrees with the body.
    HeaderMismatch = -32020, "HEADER_MISMATCH";
    /// The call needs a capability that the client did not declare.
    MissingRequiredClientCapability = -32021, "MISSING_REQUIRED_CLIENT_CAPABILITY";
    /// The version is not served.
    UnsupportedProtocolVersion = -32022, "UNSUPPORTED_PROTOCOL_VERSION";
}

/// One code's facts.
#[derive(Clone, Copy, Debug)]
pub struct CodeRow {
    code: Code,
    span: Span,
    data: &'static [&'static str],
    in_schema: bool,
    spec: &'static str,
}

const fn row(code: Code, since: Revision, until: Option<Revision>, spec: &'static str) -> CodeRow {
    CodeRow { code, span: Span::new(since, until), data: &[], in_schema: true, spec }
}

impl CodeRow {
    /// The members that `error.data` must have.
    const fn data(self, data: &'static [&'static str]) -> Self {
        Self { data, ..self }
    }

    const fn prose_only(self) -> Self {
        Self { in_schema: false, ..self }
    }

    /// The code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The revisions that have it.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The members that `error.data` must have, where the schema fixes them.
    #[must_use]
    pub const fn required_data(&self) -> &'static [&'static str] {
        self.data
    }

    /// Whether the schema exports it; otherwise only the pages name it.
    #[must_use]
    pub const fn in_schema(&self) -> bool {
        self.in_schema
    }

    /// Where the specification has it.
    #[must_use]
    pub const fn spec(&self) -> &'static str {
        self.spec
    }
}

#[rustfmt::skip]
static ROWS: [CodeRow; Code::COUNT] = [
    //  code                                   first with   first without
    row(Code::ParseError,                       V2024_11_05, None,
        "JSON-RPC 2.0, 5.1"),
    row(Code::InvalidRequest,                   V2024_11_05, None,
        "JSON-RPC 2.0, 5.1"),
    row(Code::MethodNotFound,                   V2024_11_05, None,
        "JSON-RPC 2.0, 5.1"),
    row(Code::InvalidParams,                    V2024_11_05, None,
        "JSON-RPC 2.0, 5.1"),
    row(Code::InternalError,                    V2024_11_05, None,
        "JSON-RPC 2.0, 5.1"),
    row(Code::ResourceNotFound,                 V2024_11_05, Some(V2026_07_28),
        "2024-11-05 server/resources, Error Handling; 2026-07-28 changelog, minor 6").prose_only(),
    row(Code::UrlElicitationRequired,           V2025_11_25, Some(V2026_07_28),
        "2025-11-25 client/elicitation, URL Elicitation Required Error").data(&["elicitations"]),
    row(Code::HeaderMismatch,                   V2026_07_28, None,
        "2026-07-28 changelog, minor 12"),
    row(Code::MissingRequiredClientCapability,  V2026_07_28, None,
        "2026-07-28 changelog, minor 12").data(&["requiredCapabilities"]),
    row(Code::UnsupportedProtocolVersion,       V2026_07_28, None,
        "2026-07-28 changelog, minor 12").data(&["requested", "supported"]),
];

const _: () = {
    let mut at = 0;
    while at < Code::COUNT {
        assert!(ROWS[at].code as usize == at, "a Code has no row");
        at += 1;
    }
};

impl Code {
    /// Every row, in the order of [`Code::ALL`].
    #[must_use]
    pub fn rows() -> &'static [CodeRow] {
        &ROWS
    }

    /// This code's row.
    #[must_use]
    pub fn row(self) -> &'static CodeRow {
        &ROWS[self as usize]
    }

    /// Whether `revision` gives the code its meaning.
    #[must_use]
    pub fn is_in(self, revision: Revision) -> bool {
        self.row().span.has(revision)
    }

    /// The HTTP status of the answer that carries it.
    ///
    /// A handshake revision answers in-band, in HTTP 200, but for what the gate could not read as a message and for a
    /// version or header it cannot serve. The codes of the modern era that a handler returns never reach a handshake
    /// client under their own number; their status there is that of what they are turned into.
    ///
    /// Spec: 2026-07-28 basic/transports/streamable-http; 2025-11-25 basic/transports.
    #[must_use]
    pub const fn http_status(self, era: Era, origin: Origin) -> u16 {
        match (self, origin, era) {
            (Self::ParseError | Self::InvalidRequest, Origin::Gate, _)
            | (Self::InvalidParams, Origin::Gate, Era::Modern) => 400,
            (Self::MethodNotFound, _, Era::Modern) => 404,
            (Self::InternalError, Origin::Gate, _) => 500,
            (
                Self::HeaderMismatch | Self::MissingRequiredClientCapability | Self::UnsupportedProtocolVersion,
                origin,
                era,
            ) => match (origin, era) {
                (Origin::Handler, Era::Legacy) => 200,
                _ => 400,
            },
            _ => 200,
        }
    }
}

/// The HTTP status of the answer that carries this error number; a number that no revision knows travels in-band.
#[must_use]
pub const fn http_status(number: i64, era: Era, origin: Origin) -> u16 {
    match Code::from_number(number) {
        Some(code) => code.http_status(era, origin),
        None => 200,
    }
}
