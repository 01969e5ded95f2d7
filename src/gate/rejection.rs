//! Why the gate rejected a request: data inside, the numbers and the words on demand.

use std::fmt;

use crate::json::{Fault, echo};
use crate::table::{Code, Era, Origin, Revision, meta_key};

use super::Reason;
use super::mismatch::Mismatch;

/// Why the gate rejected a request.
///
/// Callers branch on [`Rejection::reason`]; the words may change in any release.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejection {
    /// H1: the `Origin` is not allowed.
    Origin,
    /// H1: the `Host` is not allowed.
    Host,
    /// H2: the HTTP method is not offered; the offered ones.
    HttpMethod(Allow),
    /// H3: the body is not plain JSON in UTF-8.
    MediaType,
    /// H4: the client takes neither form of answer, or not both.
    Accept,
    /// GET: the client does not take a stream.
    AcceptStream,
    /// M8: a listen stream for a client that takes none.
    AcceptListen,
    /// H5: more bytes than this.
    TooLarge(usize),
    /// P1: the body is not one JSON text.
    Parse(Fault),
    /// P3: neither an object nor an array.
    NotAMessage,
    /// P4: a key twice.
    DuplicateKey,
    /// P4: keys that differ only by case.
    CaseVariant,
    /// P5: what is wrong with the message.
    Message(&'static str),
    /// B.5: what is wrong with the batch.
    Batch(&'static str),
    /// B.5: an element of the batch says a key twice.
    BatchDuplicate(bool),
    /// V1: the version header and the body.
    Version(Mismatch),
    /// C.3: the handshake of a modern-only gate; the served versions.
    InitializeUnserved(Vec<Revision>),
    /// V2: the claim is not a string.
    Claim,
    /// V3: `requested` is not among the `supported`.
    UnsupportedVersion {
        /// What was asked for, cut and printable.
        requested: Box<str>,
        /// What is served.
        supported: Vec<Revision>,
    },
    /// V4: nothing says the version.
    VersionMissing,
    /// L1: no session header.
    SessionRequired,
    /// L1: several session headers.
    SessionRepeated,
    /// L1: no such session.
    SessionUnknown,
    /// L0: a probe's method, which no handshake revision has; cut and printable.
    Probe(Box<str>),
    /// L2, M3: no such method here.
    MethodNotFound {
        /// The method, cut and printable.
        method: Box<str>,
        /// The era decides the HTTP status.
        era: Era,
    },
    /// L4: what is wrong with the parameters of the handshake.
    Handshake(Box<str>),
    /// L3, M4: which parameter, and what it should be.
    Params {
        /// The words after `Invalid params: `.
        what: Box<str>,
        /// The era decides the HTTP status.
        era: Era,
    },
    /// M0: a posted response.
    Response,
    /// M1: what is wrong with the envelope.
    Envelope(Box<str>),
    /// M2: `Mcp-Method` and the body.
    Method(Mismatch),
    /// M5: `Mcp-Name` and the body.
    Name(Mismatch),
    /// M6: `Mcp-Param-*` and the body.
    Param(Mismatch),
    /// M7: what the client did not declare, as a capability object.
    MissingCapability(Box<str>),
    /// The host's look-up or the gate failed.
    Internal,
}

/// The HTTP methods that a gate offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    /// GET opens a stream.
    pub get: bool,
    /// DELETE ends a session.
    pub delete: bool,
}

impl Allow {
    /// The value of the `Allow` header.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match (self.get, self.delete) {
            (false, false) => "POST",
            (true, false) => "POST, GET",
            (false, true) => "POST, DELETE",
            (true, true) => "POST, GET, DELETE",
        }
    }
}

impl Rejection {
    /// The reason, of the closed list.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        match self {
            Self::Origin => Reason::OriginRefused,
            Self::Host => Reason::HostRefused,
            Self::HttpMethod(_) => Reason::MethodNotAllowed,
            Self::MediaType => Reason::UnsupportedMediaType,
            Self::Accept | Self::AcceptStream | Self::AcceptListen => Reason::NotAcceptable,
            Self::TooLarge(_) => Reason::BodyTooLarge,
            Self::Parse(_) => Reason::ParseError,
            Self::NotAMessage => Reason::NotAMessage,
            Self::DuplicateKey | Self::CaseVariant | Self::BatchDuplicate(_) => Reason::DuplicateKey,
            Self::Message(_) => Reason::InvalidMessage,
            Self::Batch(_) => Reason::BatchRefused,
            Self::Version(_) | Self::InitializeUnserved(_) => Reason::VersionHeaderMismatch,
            Self::Claim => Reason::ClaimMalformed,
            Self::UnsupportedVersion { .. } => Reason::UnsupportedVersion,
            Self::VersionMissing => Reason::VersionMissing,
            Self::SessionRequired => Reason::SessionRequired,
            Self::SessionRepeated => Reason::SessionRepeated,
            Self::SessionUnknown => Reason::SessionUnknown,
            Self::Probe(_) | Self::MethodNotFound { .. } => Reason::MethodNotFound,
            Self::Handshake(_) | Self::Params { .. } => Reason::InvalidParams,
            Self::Response => Reason::ResponseRefused,
            Self::Envelope(_) => Reason::EnvelopeInvalid,
            Self::Method(_) => Reason::MethodHeaderMismatch,
            Self::Name(_) => Reason::NameHeaderMismatch,
            Self::Param(_) => Reason::ParamHeaderMismatch,
            Self::MissingCapability(_) => Reason::MissingClientCapability,
            Self::Internal => Reason::Internal,
        }
    }

    /// The rung that refused.
    #[must_use]
    pub const fn rung(&self) -> &'static str {
        match self {
            Self::Origin | Self::Host => "H1",
            Self::HttpMethod(_) => "H2",
            Self::MediaType => "H3",
            Self::Accept | Self::AcceptStream => "H4",
            Self::AcceptListen => "M8",
            Self::TooLarge(_) => "H5",
            Self::Parse(_) => "P1",
            Self::Batch(_) => "P2",
            Self::NotAMessage => "P3",
            Self::DuplicateKey | Self::CaseVariant | Self::BatchDuplicate(_) => "P4",
            Self::Message(_) => "P5",
            Self::Version(_) | Self::InitializeUnserved(_) => "V1",
            Self::Claim => "V2",
            Self::UnsupportedVersion { .. } => "V3",
            Self::VersionMissing => "V4",
            Self::SessionRequired | Self::SessionRepeated | Self::SessionUnknown => "L1",
            Self::Probe(_) => "L0",
            Self::MethodNotFound { era: Era::Legacy, .. } => "L2",
            Self::MethodNotFound { era: Era::Modern, .. } => "M3",
            Self::Params { era: Era::Legacy, .. } => "L3",
            Self::Handshake(_) => "L4",
            Self::Params { era: Era::Modern, .. } => "M4",
            Self::Response => "M0",
            Self::Envelope(_) => "M1",
            Self::Method(_) => "M2",
            Self::Name(_) => "M5",
            Self::Param(_) => "M6",
            Self::MissingCapability(_) => "M7",
            Self::Internal => "-",
        }
    }

    /// The JSON-RPC code; none where the answer is no JSON-RPC message.
    #[must_use]
    pub const fn code(&self) -> Option<Code> {
        Some(match self {
            Self::Origin
            | Self::Host
            | Self::HttpMethod(_)
            | Self::MediaType
            | Self::Accept
            | Self::AcceptStream
            | Self::AcceptListen
            | Self::TooLarge(_) => return None,
            Self::Parse(_) => Code::ParseError,
            Self::NotAMessage
            | Self::DuplicateKey
            | Self::CaseVariant
            | Self::BatchDuplicate(_)
            | Self::Message(_)
            | Self::Batch(_)
            | Self::SessionRequired
            | Self::SessionRepeated
            | Self::SessionUnknown
            | Self::Response => Code::InvalidRequest,
            Self::Version(_)
            | Self::InitializeUnserved(_)
            | Self::VersionMissing
            | Self::Method(_)
            | Self::Name(_)
            | Self::Param(_) => Code::HeaderMismatch,
            Self::Claim | Self::Handshake(_) | Self::Params { .. } | Self::Envelope(_) => Code::InvalidParams,
            Self::UnsupportedVersion { .. } => Code::UnsupportedProtocolVersion,
            Self::Probe(_) | Self::MethodNotFound { .. } => Code::MethodNotFound,
            Self::MissingCapability(_) => Code::MissingRequiredClientCapability,
            Self::Internal => Code::InternalError,
        })
    }

    /// The code's number, for a gate that may answer with modern codes or one that may not.
    ///
    /// A gate without a modern revision emits no code by which a client would take it for modern.
    pub(super) fn number(&self, legacy_only: bool) -> Option<i64> {
        let code = match self.code()? {
            Code::HeaderMismatch | Code::UnsupportedProtocolVersion if legacy_only => Code::InvalidRequest,
            code => code,
        };
        Some(code.number())
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::Origin | Self::Host => 403,
            Self::HttpMethod(_) => 405,
            Self::MediaType => 415,
            Self::Accept | Self::AcceptStream | Self::AcceptListen => 406,
            Self::TooLarge(_) => 413,
            Self::SessionUnknown => 404,
            Self::Probe(_) => Code::MethodNotFound.http_status(Era::Legacy, Origin::Gate),
            Self::Handshake(_) => Code::InvalidParams.http_status(Era::Legacy, Origin::Gate),
            Self::MethodNotFound { era, .. } => Code::MethodNotFound.http_status(*era, Origin::Gate),
            Self::Params { era, .. } => Code::InvalidParams.http_status(*era, Origin::Gate),
            Self::Internal => 500,
            _ => 400,
        }
    }

    /// L0, L2, M3.
    pub(crate) fn no_such_method(name: &[u8], era: Era) -> Self {
        Self::MethodNotFound { method: echo(name), era }
    }

    /// M7, from the object that holds what is missing.
    pub(super) fn missing_capability(missing: Vec<u8>) -> Self {
        Self::MissingCapability(String::from_utf8(missing).unwrap_or_else(|_| "{}".into()).into())
    }

    /// The JSON text of `data`, where the answer has one.
    pub(super) fn data(&self) -> Option<String> {
        let list = |revisions: &[Revision]| {
            let quoted: Vec<String> = revisions.iter().map(|revision| format!("\"{}\"", revision.as_str())).collect();
            quoted.join(",")
        };
        match self {
            Self::UnsupportedVersion { requested, supported } => {
                let mut data = format!("{{\"supported\":[{}],\"requested\":", list(supported)).into_bytes();
                crate::json::push_string(&mut data, requested);
                data.push(b'}');
                String::from_utf8(data).ok()
            }
            Self::InitializeUnserved(supported) => Some(format!("{{\"supported\":[{}]}}", list(supported))),
            Self::MissingCapability(required) => Some(format!("{{\"requiredCapabilities\":{required}}}")),
            _ => None,
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Origin => f.write_str("Forbidden: Origin is not allowed"),
            Self::Host => f.write_str("Forbidden: Host is not allowed"),
            Self::HttpMethod(allow) => write!(f, "Method Not Allowed: use {}", allow.as_str()),
            Self::MediaType => f.write_str(
                "Unsupported Media Type: send one Content-Type of application/json, in UTF-8, without a content coding",
            ),
            Self::Accept => f.write_str("Not Acceptable: accept both application/json and text/event-stream"),
            Self::AcceptStream | Self::AcceptListen => f.write_str("Not Acceptable: accept text/event-stream"),
            Self::TooLarge(max) => write!(f, "Content Too Large: at most {max} bytes"),
            Self::Parse(fault) => write!(f, "Parse error: {fault}"),
            Self::NotAMessage => f.write_str("Invalid Request: a JSON-RPC message is an object"),
            Self::DuplicateKey | Self::BatchDuplicate(false) => f.write_str("Invalid Request: duplicate object key"),
            Self::CaseVariant | Self::BatchDuplicate(true) => {
                f.write_str("Invalid Request: object keys differ only by case")
            }
            Self::Message(what) | Self::Batch(what) => write!(f, "Invalid Request: {what}"),
            Self::Version(mismatch) | Self::Method(mismatch) | Self::Name(mismatch) | Self::Param(mismatch) => {
                mismatch.fmt(f)
            }
            Self::InitializeUnserved(supported) => {
                f.write_str("Header mismatch: initialize is not part of the supported versions: ")?;
                for (index, revision) in supported.iter().enumerate() {
                    write!(f, "{}{}", if index == 0 { "" } else { ", " }, revision.as_str())?;
                }
                Ok(())
            }
            Self::Claim => write!(f, "Invalid params: _meta {} must be a string", meta_key::PROTOCOL_VERSION),
            Self::UnsupportedVersion { .. } => f.write_str("Unsupported protocol version"),
            Self::VersionMissing => f.write_str("Header mismatch: MCP-Protocol-Version header is missing"),
            Self::SessionRequired => f.write_str("Invalid Request: Mcp-Session-Id header is required"),
            Self::SessionRepeated => f.write_str("Invalid Request: Mcp-Session-Id header appears more than once"),
            Self::SessionUnknown => f.write_str("Invalid Request: session not found"),
            Self::Probe(method) | Self::MethodNotFound { method, .. } => write!(f, "Method not found: {method}"),
            Self::Params { what, .. } | Self::Handshake(what) | Self::Envelope(what) => {
                write!(f, "Invalid params: {what}")
            }
            Self::Response => f.write_str("Invalid Request: clients do not send responses in this revision"),
            Self::MissingCapability(_) => f.write_str("Missing required client capability"),
            Self::Internal => f.write_str("Internal error"),
        }
    }
}
