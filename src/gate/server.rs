//! What the gate knows of the server behind it, for every revision at once.

use crate::advertise::ServerIdentity;
use crate::handshake::{CacheHint, CacheScope, discover_result, initialize_result};
use crate::table::{Channel, Method, MethodSet, Needs, Reading, Revision, ServerFeature};

use super::Policy;

/// The server behind a gate, its promises worked out.
#[derive(Clone, Debug)]
pub(super) struct ServerSide {
    advertised: [ServerFeature; Revision::COUNT],
    callable: [MethodSet; Revision::COUNT],
}

impl ServerSide {
    pub(super) fn of(identity: &ServerIdentity, reading: Reading, policy: &Policy) -> Self {
        let of = |place: usize| {
            let revision = Revision::ALL[place];
            let advertised = identity.advertised(revision, reading, policy.legacy_extensions);
            let listed = revision.methods(Channel::ClientRequest, reading).iter();
            (advertised, listed.filter(|method| has_handler(identity, *method, revision, advertised)).collect())
        };
        Self {
            advertised: std::array::from_fn(|place| of(place).0),
            callable: std::array::from_fn(|place| of(place).1),
        }
    }

    /// What it publishes under a revision.
    #[inline]
    pub(super) fn advertised(&self, revision: Revision) -> ServerFeature {
        self.advertised.get(revision.index()).copied().unwrap_or_default()
    }

    /// The client's requests that it answers under a revision: what the revision lists, what its published
    /// capabilities promise, and what has a handler.
    #[inline]
    pub(super) fn callable(&self, revision: Revision) -> MethodSet {
        self.callable.get(revision.index()).copied().unwrap_or_default()
    }
}

/// Whether a request has a handler, given what is `advertised`: a promise and its handler go together.
///
/// Spec: 2026-07-28 basic, capability negotiation.
fn has_handler(identity: &ServerIdentity, method: Method, revision: Revision, advertised: ServerFeature) -> bool {
    !identity.absent().contains(method)
        && match method.server_needs(revision) {
            Needs::Nothing => true,
            Needs::All(all) => advertised.contains(all),
            Needs::Any(any) => advertised.intersects(any),
            Needs::Switch(switch) => identity.switched_on().contains(switch),
        }
}

/// The results that a gate answers with, made when the gate was.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    initialize: Vec<Vec<u8>>,
    discover: Vec<Vec<u8>>,
}

impl Answers {
    pub(super) fn of(identity: &ServerIdentity, reading: Reading, policy: &Policy, supported: &[Revision]) -> Self {
        let scope = if policy.per_caller { CacheScope::Private } else { policy.default_cache_scope };
        let cache = CacheHint { ttl_ms: policy.default_ttl_ms, scope };
        let initialize =
            |revision: &Revision| initialize_result(identity, *revision, reading, policy.legacy_extensions);
        let discover = |revision: &Revision| discover_result(identity, *revision, reading, supported, cache);
        Self {
            initialize: Revision::ALL.iter().map(initialize).collect(),
            discover: Revision::ALL.iter().map(discover).collect(),
        }
    }

    /// The result for this request; a backend that owns its sessions answers its own handshake and ping.
    #[inline]
    pub(super) fn to(&self, method: Method, revision: Revision, is_backends: bool) -> Option<&[u8]> {
        match method {
            Method::Initialize if !is_backends => self.initialize.get(revision.index()).map(Vec::as_slice),
            Method::Ping if !is_backends => Some(b"{}"),
            Method::ServerDiscover => self.discover.get(revision.index()).map(Vec::as_slice),
            _ => None,
        }
    }
}
