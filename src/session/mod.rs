//! Sessions of the handshake revisions, and tickets that carry them.
//!
//! A handshake settles the revision and tells the client's capabilities once; every later request needs both. A
//! [`Session`] is that knowledge. Where a node keeps no memory, [`SessionTickets`] writes it into the session id
//! itself, signed, so that any node that holds the keys reads it back.

mod format;
mod key;
mod tickets;

use std::fmt;
use std::sync::Arc;

pub use tickets::{KeysError, MintError, SessionTickets, TicketId};

use crate::capabilities::ClientCapabilities;
use crate::table::{ClientFeature, Era, Revision};

/// What a handshake settled for the requests after it. A clone is cheap.
///
/// Spec: 2025-11-25 basic/lifecycle, "Initialization"; basic/transports, "Session Management".
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Session {
    revision: Revision,
    client: Client,
    inner: Option<Arc<[u8]>>,
}

/// What is known of the client.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Client {
    Unknown,
    /// Flags without the names in its open maps; the object for them is made when somebody asks for it.
    Flags(ClientFeature),
    Declared(Arc<ClientCapabilities>),
}

impl Session {
    /// The session of a client that negotiated `revision` and declared `client`; None: nobody knows what it declared.
    ///
    /// # Errors
    ///
    /// [`NoHandshake`] for a revision whose requests stand alone: it has no sessions.
    pub fn new(revision: Revision, client: Option<Arc<ClientCapabilities>>) -> Result<Self, NoHandshake> {
        let client = match client {
            None => Client::Unknown,
            Some(declared) if declared.names_known() => Client::Declared(declared),
            Some(flags) => Client::Flags(flags.features()),
        };
        Self::of(revision, client)
    }

    /// The same of flags alone, as a ticket carries them.
    ///
    /// # Errors
    ///
    /// As for [`Session::new`].
    pub fn with_features(revision: Revision, client: Option<ClientFeature>) -> Result<Self, NoHandshake> {
        Self::of(revision, client.map_or(Client::Unknown, Client::Flags))
    }

    fn of(revision: Revision, client: Client) -> Result<Self, NoHandshake> {
        match revision.era() {
            Era::Legacy => Ok(Self { revision, client, inner: None }),
            Era::Modern => Err(NoHandshake(revision)),
        }
    }

    /// The same session with a value for whoever stands behind the gate, such as a backend's own session id.
    #[must_use]
    pub fn with_inner(self, inner: impl Into<Arc<[u8]>>) -> Self {
        Self { inner: Some(inner.into()), ..self }
    }

    /// The negotiated revision.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// What the client declared in the handshake; None is unknown, which is not undeclared.
    #[must_use]
    pub fn client(&self) -> Option<Arc<ClientCapabilities>> {
        match &self.client {
            Client::Unknown => None,
            Client::Flags(flags) => Some(Arc::new(ClientCapabilities::of_features(*flags))),
            Client::Declared(declared) => Some(Arc::clone(declared)),
        }
    }

    /// The flags of [`client`](Self::client).
    #[must_use]
    pub fn client_features(&self) -> Option<ClientFeature> {
        match &self.client {
            Client::Unknown => None,
            Client::Flags(flags) => Some(*flags),
            Client::Declared(declared) => Some(declared.features()),
        }
    }

    /// The value for whoever stands behind the gate.
    #[must_use]
    pub fn inner(&self) -> Option<&[u8]> {
        self.inner.as_deref()
    }
}

/// Without the inner value, which may open a session elsewhere.
impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("revision", &self.revision)
            .field("client", &self.client_features())
            .field("inner", &self.inner.as_ref().map(|inner| format_args!("{} bytes", inner.len()).to_string()))
            .finish()
    }
}

/// A session was asked for under a revision that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoHandshake(pub Revision);

impl fmt::Display for NoHandshake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has no sessions; a session takes one of ", self.0.as_str())?;
        let with = Revision::ALL.iter().filter(|revision| revision.era() == Era::Legacy);
        for (place, revision) in with.enumerate() {
            write!(f, "{}{}", if place == 0 { "" } else { ", " }, revision.as_str())?;
        }
        Ok(())
    }
}

impl std::error::Error for NoHandshake {}
