//! A backend: what it is, and what the gateway is towards it.

use std::fmt;

use super::Forwarded;
use super::answer::members;
use crate::advertise::{InvalidIdentity, ServerIdentity};
use crate::capabilities::{ClientCapabilities, InvalidCapabilities};
use crate::gate::{Annotations, Served};
use crate::json::{Cursor, Limits, Node};
use crate::table::{Reading, Revision, ServerFeature};

/// What an [`Upstream`] is made of.
#[derive(Clone, Debug)]
pub struct UpstreamConfig {
    /// The revision of this hop; towards a handshake backend, the one that `initialize` asks for or settled.
    pub revision: Revision,
    /// What the backend publishes, a JSON object; none where it is not known, which counts as nothing.
    pub capabilities: Option<Box<[u8]>>,
    /// Its implementation, a JSON object; what is wrong in it is left out where it is shown.
    pub server_info: Option<Box<[u8]>>,
    /// What it tells a model about itself.
    pub instructions: Option<Box<str>>,
    /// What the gateway can really relay to a client, a JSON object.
    pub client_capabilities: Box<[u8]>,
    /// The gateway's implementation, a JSON object with a name and a version; none: requests do not say it.
    pub client_info: Option<Box<[u8]>>,
    /// The client's headers that go up.
    pub forwarded: Forwarded,
    /// The mirrored parameters of the backend's tools, under the backend's names for them.
    pub annotations: Annotations,
    /// The revisions that the gateway may speak with backends.
    pub served: Served,
}

impl UpstreamConfig {
    /// A backend of which nothing else is known, for a gateway that relays nothing but answers.
    #[must_use]
    pub fn of(revision: Revision) -> Self {
        Self {
            revision,
            capabilities: None,
            server_info: None,
            instructions: None,
            client_capabilities: b"{}".as_slice().into(),
            client_info: None,
            forwarded: Forwarded::default(),
            annotations: Annotations::default(),
            served: Served::all(),
        }
    }
}

/// Why there is no such upstream.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UpstreamError {
    /// What the backend publishes is no capability object.
    Capabilities(InvalidIdentity),
    /// What the gateway relays is none.
    ClientCapabilities(InvalidCapabilities),
    /// `client_info` is no JSON object with the strings `name` and `version`.
    ClientInfo,
    /// `server_info` is no JSON object.
    ServerInfo,
    /// The revision is not among those that may be spoken.
    NotServed(Revision),
}

impl fmt::Display for UpstreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capabilities(error) => write!(f, "the backend's capabilities: {error}"),
            Self::ClientCapabilities(error) => write!(f, "client_capabilities: {error}"),
            Self::ClientInfo => f.write_str("client_info must be an object with the strings name and version"),
            Self::ServerInfo => f.write_str("server_info must be an object"),
            Self::NotServed(revision) => {
                write!(f, "{} is not among the revisions that may be spoken with a backend", revision.as_str())
            }
        }
    }
}

impl std::error::Error for UpstreamError {}

/// A backend, as the gateway speaks with it. Immutable; share it between threads.
#[derive(Clone, Debug)]
pub struct Upstream {
    pub(super) config: UpstreamConfig,
    /// What it publishes, as far as its revision has it.
    pub(super) server: ServerIdentity,
    pub(super) features: ServerFeature,
}

impl Upstream {
    /// A backend of these parts.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] names the part that is wrong.
    pub fn new(config: UpstreamConfig) -> Result<Self, UpstreamError> {
        if !config.served.contains(config.revision) {
            return Err(UpstreamError::NotServed(config.revision));
        }
        ClientCapabilities::parse(&config.client_capabilities, None).map_err(UpstreamError::ClientCapabilities)?;
        if let Some(info) = &config.client_info {
            let said = object(info).and_then(|node| members(info, node, ["name", "version"]));
            if !said.is_some_and(|said| said.iter().all(|node| node.is_string())) {
                return Err(UpstreamError::ClientInfo);
            }
        }
        if config.server_info.as_ref().is_some_and(|info| object(info).is_none()) {
            return Err(UpstreamError::ServerInfo);
        }
        let server = super::server::identity(&config).map_err(UpstreamError::Capabilities)?;
        let features = server.advertised(config.revision, Reading::Record, true);
        Ok(Self { config, server, features })
    }

    /// The revision of this hop.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.config.revision
    }

    /// The same backend at another revision; none where that is not spoken.
    #[must_use]
    pub fn at(&self, revision: Revision) -> Option<Self> {
        Self::new(UpstreamConfig { revision, ..self.config.clone() }).ok()
    }

    /// What this backend is made of.
    #[must_use]
    pub const fn config(&self) -> &UpstreamConfig {
        &self.config
    }

    /// The server that clients may be shown: the backend, less what this hop cannot carry to them.
    #[must_use]
    pub const fn server(&self) -> &ServerIdentity {
        &self.server
    }
}

/// The object that a text is.
fn object(text: &[u8]) -> Option<Node> {
    let mut cursor = Cursor::new(text, Limits::DEFAULT).ok()?;
    let node = cursor.value().ok()?;
    cursor.end().ok()?;
    node.is_object().then_some(node)
}
