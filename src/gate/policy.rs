//! What an operator may choose; each field is a policy of the ladder, with its default.

use crate::handshake::{CacheScope, DiscoverVersions};
use crate::json::Limits;
use crate::table::Revision;

use super::Reason;

/// How strictly `Accept` is read (H4, M8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accept {
    /// Both `application/json` and `text/event-stream` are covered.
    #[default]
    Strict,
    /// Either is.
    Lenient,
    /// Not read: the application behind negotiates.
    Pass,
}

/// Who owns the sessions of the handshake revisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionMode {
    /// Nobody: the header is ignored.
    #[default]
    Stateless,
    /// The application behind; all of it passes.
    Backend,
    /// The host, which looks an id up and passes the session.
    Store,
    /// A signed ticket, which any node can read.
    Tickets,
}

impl SessionMode {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stateless => "stateless",
            Self::Backend => "backend",
            Self::Store => "store",
            Self::Tickets => "tickets",
        }
    }

    /// Whether the gate knows sessions at all.
    #[must_use]
    pub const fn is_stateful(self) -> bool {
        matches!(self, Self::Store | Self::Tickets)
    }
}

/// The policies of a gate.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub struct Policy {
    /// H1: the only origins let through; `None`: the host checks them.
    pub allowed_origins: Option<Vec<Box<[u8]>>>,
    /// H1: the only hosts let through, port included; `None`: the host checks them.
    pub allowed_hosts: Option<Vec<Box<[u8]>>>,
    /// H4, M8.
    pub accept: Accept,
    /// H5, in bytes.
    pub max_body_bytes: usize,
    /// P1.
    pub limits: Limits,
    /// B.5: elements of a batch.
    pub max_batch: usize,
    /// P5b: bytes of an id's token.
    pub max_id_bytes: usize,
    /// P4: every object's keys are unique, not only those of objects that the gate reads.
    pub unique_keys_everywhere: bool,
    /// P4: keys of a read object that differ only by case are refused.
    pub reject_case_variants: bool,
    /// C.1, M2, M5: equal copies of a routing header count as one.
    pub collapse_header_copies: bool,
    /// V4: what a handshake client without version header or session speaks; `None` refuses it.
    pub assumed_revision: Option<Revision>,
    /// What `supported` lists.
    pub discover_versions: DiscoverVersions,
    /// L2, M3: methods of no revision are refused.
    pub reject_unknown_methods: bool,
    /// M5: `Mcp-Name` on a method without a source field is refused.
    pub reject_stray_name_header: bool,
    /// F.2: capabilities of a wrong type read as not declared instead of being refused.
    pub lenient_capability_types: bool,
    /// F.3: `includeContext` needs its capability instead of being left out.
    pub require_context_capability: bool,
    /// E.3: extensions are published to the handshake revisions that can carry them.
    pub legacy_extensions: bool,
    /// B.1: GET streams are offered in the stateful modes.
    pub legacy_stream: bool,
    /// B.1: DELETE is offered in the stateful modes.
    pub legacy_delete: bool,
    /// G, H.2: milliseconds that a result without a hint may be kept.
    pub default_ttl_ms: u64,
    /// G, H.2: the scope of a result without a hint.
    pub default_cache_scope: CacheScope,
    /// H.2: results are filtered per caller, so none may be shared.
    pub per_caller: bool,
    /// Reasons that are reported instead of refused.
    pub reported: Vec<Reason>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            allowed_origins: None,
            allowed_hosts: None,
            accept: Accept::default(),
            max_body_bytes: 4 << 20,
            limits: Limits::default(),
            max_batch: 100,
            max_id_bytes: 1024,
            unique_keys_everywhere: false,
            reject_case_variants: false,
            collapse_header_copies: false,
            assumed_revision: Some(Revision::ASSUMED),
            discover_versions: DiscoverVersions::default(),
            reject_unknown_methods: false,
            reject_stray_name_header: false,
            lenient_capability_types: false,
            require_context_capability: false,
            legacy_extensions: true,
            legacy_stream: false,
            legacy_delete: false,
            default_ttl_ms: 0,
            default_cache_scope: CacheScope::default(),
            per_caller: false,
            reported: Vec::new(),
        }
    }
}
