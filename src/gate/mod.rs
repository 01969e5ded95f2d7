//! The gate: one request in, one verdict out.
//!
//! [`Gate::admit`] reads the body once (`message`), then climbs the ladder (`ladder`): H rungs (`http`), P rungs
//! (`jsonrpc`), V rungs (`version`), and the tail of the era that the version belongs to (`legacy`, `modern`), with
//! `mirror` and `parameters` beside them. The first rung that objects decides the answer. Arrays go through `batch`.

mod annotated;
mod answer;
mod attributes;
mod batch;
mod decimal;
mod decision;
mod explain;
mod facts;
mod http;
mod jsonrpc;
mod ladder;
mod legacy;
mod message;
mod mirror;
mod mismatch;
mod modern;
mod parameters;
mod params;
mod policy;
mod reason;
mod rejection;
mod reply;
mod require;
mod requirement;
mod served;
mod server;
mod shaping;
mod verdict;
mod version;

use crate::advertise::ServerIdentity;
use crate::handshake::{DiscoverVersions, negotiate, supported_versions};
use crate::headers::{Field, Headers};
use crate::session::Session;
use crate::table::{Channel, Era, Method, MethodSet, Reading, Revision, ServerFeature};
use server::{Answers, ServerSide};

pub use annotated::{AnnotatedTools, MirroredParameter, NoTools, ToolProblem};
pub(crate) use answer::{Answer, Refusal};
pub use decision::{Decision, WouldReject};
pub use explain::Step;
pub use facts::{ClientSource, Facts, MessageKind, SubscriptionFilter, VersionSource};
pub use mismatch::Mismatch;
pub use params::{AnnotationError, Annotations, ToolAnnotations};
pub use policy::{Accept, Policy, SessionMode};
pub use reason::Reason;
pub use rejection::{Allow, Rejection};
pub use reply::Reply;
pub use requirement::Requirements;
pub use served::Served;
pub use verdict::Verdict;

/// What the host found under a session id.
#[derive(Clone, Debug)]
pub enum Lookup {
    /// No such session.
    Unknown,
    /// A live one.
    Live(Session),
    /// The store failed: the request is refused as an internal error, never taken for an unknown session.
    Failed,
}

/// One request, as the server received it.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The HTTP method; of no use without headers.
    pub http_method: &'a str,
    /// The headers; `None` on a hop that has none (stdio, in process).
    pub headers: Option<&'a Headers<'a>>,
    /// The whole body.
    pub body: &'a [u8],
    /// Finds a session by its id, where the gate's sessions are the host's; on a hop without headers the id is empty
    /// and the session the connection's own. It is called at most once, and only for a handshake client's message.
    pub look_up: &'a dyn Fn(&[u8]) -> Lookup,
}

impl std::fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request")
            .field("http_method", &self.http_method)
            .field("headers", &self.headers)
            .field("body", &self.body)
            .finish_non_exhaustive()
    }
}

/// What a gate is made of.
#[derive(Clone, Debug)]
pub struct GateConfig {
    /// The revisions that are served.
    pub served: Served,
    /// Which reading answers where the record and the schemas differ.
    pub reading: Reading,
    /// Who owns the sessions.
    pub sessions: SessionMode,
    /// With tickets: there is a list of revoked ones, so DELETE can mean something.
    pub can_revoke: bool,
    /// The server behind.
    pub server: ServerIdentity,
    /// The gate itself answers `initialize`, `server/discover` and `ping`.
    pub answer_handshake: bool,
    /// Mirrored parameters, by tool.
    pub annotations: Annotations,
    /// Client capabilities that calls need.
    pub requirements: Requirements,
    /// The policies.
    pub policy: Policy,
}

/// The gate. Immutable; share it between threads.
#[derive(Clone, Debug)]
pub struct Gate {
    config: GateConfig,
    supported: Vec<Revision>,
    server: ServerSide,
    answers: Option<Answers>,
    /// Methods of any served handshake revision, in any direction.
    handshake_methods: MethodSet,
    is_legacy_only: bool,
    reported: u64,
}

impl Gate {
    /// A gate of these parts.
    #[must_use]
    pub fn new(config: GateConfig) -> Self {
        let served: Vec<Revision> = config.served.newest_first().collect();
        let (reading, policy) = (config.reading, &config.policy);
        let mut supported = supported_versions(&served, policy.discover_versions);
        if supported.is_empty() {
            supported = supported_versions(&served, DiscoverVersions::All);
        }
        let handshake_methods = served
            .iter()
            .filter(|revision| revision.era() == Era::Legacy)
            .flat_map(|revision| Channel::ALL.iter().map(move |channel| (*revision, *channel)))
            // What only the schemas' reading has is there, and answered as not advertised.
            .flat_map(|(revision, channel)| Reading::ALL.iter().map(move |reading| revision.methods(channel, *reading)))
            .fold(MethodSet::default(), MethodSet::union);
        Self {
            server: ServerSide::of(&config.server, reading, policy),
            answers: config.answer_handshake.then(|| Answers::of(&config.server, reading, policy, &supported)),
            is_legacy_only: config.served.newest_modern().is_none(),
            reported: policy.reported.iter().fold(0, |bits, reason| bits | 1 << *reason as u32),
            supported,
            handshake_methods,
            config,
        }
    }

    /// Judges a request that came over HTTP, or, without headers, over any other hop.
    #[must_use]
    pub fn admit<'a>(&self, request: &Request<'a>) -> Verdict<'a> {
        Verdict::of(request.body, self.decide(request))
    }

    /// The session header, where the host is to look a session up before it asks.
    #[must_use]
    pub fn session_id<'h>(&self, headers: &'h Headers<'_>) -> Option<&'h [u8]> {
        let lines = headers.lines(Field::McpSessionId);
        (self.config.sessions != SessionMode::Stateless && !lines.is_repeated()).then(|| lines.first())?
    }

    /// The revisions that are served.
    #[must_use]
    #[inline]
    pub const fn served(&self) -> Served {
        self.config.served
    }

    /// What `supported` and the discover answer list, newest first.
    #[must_use]
    pub fn supported(&self) -> &[Revision] {
        &self.supported
    }

    /// Which reading of the table answers.
    #[must_use]
    #[inline]
    pub const fn reading(&self) -> Reading {
        self.config.reading
    }

    /// Who owns the sessions.
    #[must_use]
    #[inline]
    pub const fn sessions(&self) -> SessionMode {
        self.config.sessions
    }

    /// The policies.
    #[must_use]
    #[inline]
    pub const fn policy(&self) -> &Policy {
        &self.config.policy
    }

    /// What this gate was made of.
    #[must_use]
    pub const fn config(&self) -> &GateConfig {
        &self.config
    }

    /// What the server publishes under a revision.
    #[must_use]
    #[inline]
    pub fn advertised(&self, revision: Revision) -> ServerFeature {
        self.server.advertised(revision)
    }

    /// No modern revision is served: claims are not read, and no modern code is answered.
    #[must_use]
    #[inline]
    pub const fn is_legacy_only(&self) -> bool {
        self.is_legacy_only
    }

    /// The revision that `initialize` settles on; where none with a handshake is served, which is only asked when that
    /// refusal was reported, the newest of all.
    #[must_use]
    pub fn negotiate(&self, requested: &[u8]) -> Revision {
        let served: Vec<Revision> = self.config.served.newest_first().collect();
        negotiate(requested, &served).or_else(|| negotiate(requested, Revision::ALL)).unwrap_or(Revision::ASSUMED)
    }

    const fn can_revoke(&self) -> bool {
        self.config.can_revoke
    }

    const fn annotations(&self) -> &Annotations {
        &self.config.annotations
    }

    const fn requirements(&self) -> &Requirements {
        &self.config.requirements
    }

    #[inline]
    const fn reports(&self, reason: Reason) -> bool {
        self.reported >> reason as u32 & 1 == 1
    }

    /// Whether a client's request of this method goes on; one that no table has goes on by policy.
    #[inline]
    fn has_method(&self, method: Option<Method>, revision: Revision) -> bool {
        match method {
            Some(method) => self.server.callable(revision).contains(method),
            None => !self.config.policy.reject_unknown_methods,
        }
    }

    fn is_in_a_served_handshake(&self, method: Method) -> bool {
        self.handshake_methods.contains(method)
    }

    /// The bytes that answer this request, where the gate answers it itself.
    #[inline]
    fn answer(&self, method: Method, revision: Revision) -> Option<&[u8]> {
        let is_backends = self.config.sessions == SessionMode::Backend;
        self.answers.as_ref().and_then(|answers| answers.to(method, revision, is_backends))
    }
}
