//! The way up the ladder, for a person who debugs.

use crate::table::Era;

use super::{Decision, MessageKind};

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
    /// The rungs that the request passed, and the one that stopped it.
    #[must_use]
    pub fn explain(&self) -> Vec<Step> {
        let has_message = !matches!(self.facts.kind, Some(MessageKind::Stream | MessageKind::SessionEnd));
        let tail: &[&[Rung]] = match self.facts.era {
            Some(Era::Legacy) => &[LEGACY],
            Some(Era::Modern) => &[MODERN],
            None => &[LEGACY, MODERN],
        };
        let message: &[&[Rung]] = if has_message { &[MESSAGE] } else { &[] };
        let way = [ENVELOPE].into_iter().chain(message.iter().copied()).chain([VERSION]).chain(tail.iter().copied());
        let reported = self.would_reject.as_ref().map(|reported| &reported.rejection);
        let mut steps = Vec::new();
        for rung in way.flatten() {
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
}
