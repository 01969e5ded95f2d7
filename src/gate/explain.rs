//! The way up the ladder, for a person who debugs.

use crate::table::{Era, Method};

use super::{Decision, MessageKind, Reason};

/// One rung on a request's way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rung's number.
    pub rung: &'static str,
    /// What it asks.
    pub asks: &'static str,
    /// What it answered, where it objected.
    pub objection: Option<String>,
    /// Where the specification says so.
    pub spec: &'static str,
    /// The objection was reported, and the climb went on.
    pub is_reported: bool,
}

struct Rung {
    number: &'static str,
    asks: &'static str,
    spec: &'static str,
}

const fn rung(number: &'static str, asks: &'static str, spec: &'static str) -> Rung {
    Rung { number, asks, spec }
}

#[rustfmt::skip]
const ENVELOPE: &[Rung] = &[
    rung("H1", "Origin and Host are allowed", "2025-11-25 basic/transports, Security Warning"),
    rung("H2", "the HTTP method is offered", "2025-11-25 basic/transports, Sending Messages to the Server"),
    rung("H3", "one body of JSON in UTF-8, uncoded", "2025-11-25 basic/transports; RFC 8259 section 8.1"),
    rung("H4", "the client takes JSON and a stream", "2026-07-28 basic/transports/streamable-http, Sending Messages"),
    rung("H5", "the body is within the cap", "a limit of this gate"),
];

#[rustfmt::skip]
const MESSAGE: &[Rung] = &[
    rung("P1", "the body is one JSON text within the limits", "RFC 8259; 2026-07-28 basic/transports"),
    rung("P2", "an array is a batch, where the revision has them", "2025-03-26 basic, Batching; 2025-06-18 changelog"),
    rung("P3", "the text is an object", "JSON-RPC 2.0 section 4"),
    rung("P4", "no object that decides anything says a key twice", "RFC 8259 section 4"),
    rung("P5", "it is a request, a notification or a response", "2025-11-25 basic, Messages"),
];

#[rustfmt::skip]
const VERSION: &[Rung] = &[
    rung("V1", "header and body agree on the version", "2026-07-28 basic/transports/streamable-http, Protocol Version Header"),
    rung("V2", "the claim is a string", "2026-07-28 basic, Request metadata"),
    rung("V3", "the version is served", "2026-07-28 basic/versioning, Protocol Version Negotiation"),
    rung("V4", "a version is said, or may be assumed", "2025-11-25 basic/transports, Protocol Version Header"),
];

#[rustfmt::skip]
const LEGACY: &[Rung] = &[
    rung("L0", "a probe for the modern era is told so at once", "2026-07-28 basic/versioning, backward compatibility"),
    rung("L1", "the session is known", "2025-11-25 basic/transports, Session Management"),
    rung("L2", "the revision and the server have the method", "2025-11-25 basic/lifecycle, Operation"),
    rung("L3", "the parameters that are read have their shape", "the revision's schema"),
    rung("L4", "the handshake has its parameters", "2025-11-25 basic/lifecycle, Initialization"),
];

#[rustfmt::skip]
const MODERN: &[Rung] = &[
    rung("M0", "clients send no responses", "2026-07-28 basic/transports/streamable-http, Sending Messages"),
    rung("M1", "the request carries its envelope", "2026-07-28 basic, Request metadata"),
    rung("M2", "Mcp-Method is the method", "2026-07-28 basic/transports/streamable-http, Standard Headers; SEP-2243"),
    rung("M3", "the revision and the server have the method", "2026-07-28 basic/transports/streamable-http, error handling"),
    rung("M4", "the parameters that are read have their shape", "the revision's schema"),
    rung("M5", "Mcp-Name is the target", "2026-07-28 basic/transports/streamable-http, Standard Headers; SEP-2243"),
    rung("M6", "Mcp-Param-* are the arguments", "2026-07-28 basic/transports/streamable-http, Custom Headers; SEP-2243"),
    rung("M7", "the client declared what the call needs", "2026-07-28 basic, client capabilities"),
    rung("M8", "a listen request takes a stream", "2026-07-28 basic/patterns/subscriptions"),
];

impl Decision {
    /// The rungs that the request passed, and the one that stopped it; none where the gate itself or its host failed.
    #[must_use]
    pub fn explain(&self) -> Vec<Step> {
        if self.reason == Reason::Internal {
            return Vec::new();
        }
        let tail = match self.facts.era {
            Some(Era::Legacy) => LEGACY,
            Some(Era::Modern) => MODERN,
            None => &[],
        };
        let way = [ENVELOPE, MESSAGE, VERSION, tail].into_iter().flatten().filter(|rung| self.meets(rung.number));
        let reported = self.would_reject.as_ref().map(|reported| &reported.rejection);
        let mut steps = Vec::new();
        for rung in way {
            let refused = self.rejection().filter(|rejection| rejection.rung() == rung.number);
            let noted = reported.filter(|rejection| rejection.rung() == rung.number);
            steps.push(Step {
                rung: rung.number,
                asks: rung.asks,
                objection: refused.or(noted).map(ToString::to_string),
                spec: rung.spec,
                is_reported: refused.is_none() && noted.is_some(),
            });
            if refused.is_some() {
                break;
            }
        }
        steps
    }

    /// Whether such a request climbs this rung at all.
    fn meets(&self, rung: &str) -> bool {
        let (kind, has_headers) = (self.facts.kind, self.facts.has_headers);
        let has_body = !matches!(kind, Some(MessageKind::Stream | MessageKind::SessionEnd));
        let is_request = kind == Some(MessageKind::Request);
        let is_handshake = is_request && self.facts.method == Some(Method::Initialize);
        match rung.as_bytes() {
            b"H3" | b"H5" => has_headers && has_body,
            b"H4" => has_headers && kind != Some(MessageKind::SessionEnd),
            [b'P', ..] | b"V2" => has_body,
            [b'H', ..] | b"V1" | b"L0" | b"L1" => has_headers && !(rung == "L0" && (!is_request || is_handshake)),
            b"L4" => is_handshake,
            [b'L', ..] => is_request && !is_handshake,
            b"M0" => kind == Some(MessageKind::Response),
            b"M2" => has_headers && matches!(kind, Some(MessageKind::Request | MessageKind::Notification)),
            b"M5" | b"M6" | b"M8" => has_headers && is_request,
            [b'M', ..] => is_request,
            _ => true,
        }
    }
}
