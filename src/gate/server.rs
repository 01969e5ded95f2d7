//! What the gate knows of the server behind it, for every revision at once.

use crate::table::{Channel, Method, MethodSet, Needs, Reading, Revision, ServerFeature};

/// The server behind a gate.
#[derive(Clone, Debug)]
pub struct ServerSide {
    advertised: [ServerFeature; Revision::COUNT],
    switches: ServerFeature,
    absent: MethodSet,
    answers: Option<Answers>,
}

impl ServerSide {
    /// A server that publishes `advertised` under each revision, has `switches` on, and lacks the handlers of
    /// `absent`.
    #[must_use]
    pub const fn new(
        advertised: [ServerFeature; Revision::COUNT],
        switches: ServerFeature,
        absent: MethodSet,
        answers: Option<Answers>,
    ) -> Self {
        Self { advertised, switches, absent, answers }
    }

    /// What it publishes under a revision.
    #[must_use]
    #[inline]
    pub fn advertised(&self, revision: Revision) -> ServerFeature {
        self.advertised.get(revision.index()).copied().unwrap_or_default()
    }

    /// What answers the handshake methods, where the gate does.
    #[must_use]
    #[inline]
    pub const fn answers(&self) -> Option<&Answers> {
        self.answers.as_ref()
    }

    /// The client's requests that this server answers under a revision: what the revision lists, what its published
    /// capabilities promise, and what has a handler.
    #[must_use]
    pub fn callable(&self, revision: Revision, reading: Reading) -> MethodSet {
        let published = self.advertised(revision);
        revision
            .methods(Channel::ClientRequest, reading)
            .iter()
            .filter(|method| match method.server_needs(revision) {
                Needs::Nothing => true,
                Needs::All(features) => published.contains(features),
                Needs::Any(features) => published.intersects(features),
                Needs::Switch(features) => self.switches.contains(features),
            })
            .filter(|method| !self.absent.contains(*method))
            .collect()
    }
}

/// The results that a gate answers with, made when the gate was.
#[derive(Clone, Debug)]
pub struct Answers {
    initialize: Vec<Vec<u8>>,
    discover: Vec<u8>,
}

impl Answers {
    /// `initialize` has a result object per revision, in the order of [`Revision::ALL`]; `discover` is the one for
    /// `server/discover`.
    #[must_use]
    pub const fn new(initialize: Vec<Vec<u8>>, discover: Vec<u8>) -> Self {
        Self { initialize, discover }
    }

    /// The result for this request; a backend that owns its sessions answers its own handshake and ping.
    #[inline]
    pub(super) fn to(&self, method: Method, revision: Revision, is_backends: bool) -> Option<&[u8]> {
        match method {
            Method::Initialize if !is_backends => self.initialize.get(revision.index()).map(Vec::as_slice),
            Method::Ping if !is_backends => Some(b"{}"),
            Method::ServerDiscover => Some(&self.discover),
            _ => None,
        }
    }
}
