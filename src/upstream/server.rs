//! The backend as clients may see it, and the discover answer that tells it.

use super::answer::members;
use super::hop::UpstreamConfig;
use super::{Incoming, Upstream};
use crate::advertise::{Implementation, InvalidIdentity, ServerIdentity};
use crate::gate::Reply;
use crate::handshake::{
    CacheHint, CacheScope, DiscoverVersions, discover_result, initialize_result, supported_versions,
};
use crate::json::{Cursor, Limits};
use crate::table::{Channel, Era, Feature, Method, MethodRow, Needs, Reading, Revision, SERVER_PATHS, ServerFeature};

/// The backend's identity without what its revision does not have and without what this hop cannot carry.
///
/// Whoever promised it to a client would not keep the promise: a handshake backend's changes belong to its session's
/// stream, so there is no listen stream before it, and a modern one has no subscriptions to single resources and no
/// level to set.
pub(super) fn identity(config: &UpstreamConfig) -> Result<ServerIdentity, InvalidIdentity> {
    let info = config.server_info.as_deref().unwrap_or(b"{}");
    let published = config.capabilities.as_deref().unwrap_or(b"{}");
    let identity = ServerIdentity::from_capabilities(implementation(info), published)?;
    let server = identity.without(&uncarried(config.revision))?;
    Ok(server.with_instructions(config.instructions.as_deref().map(str::to_owned)))
}

/// Capabilities and methods that a backend of this revision cannot serve through this hop.
fn uncarried(revision: Revision) -> Vec<String> {
    let foreign = SERVER_PATHS.iter().filter(|row| {
        let has = Reading::ALL.iter().any(|reading| row.spans().has(revision, *reading));
        let by_policy = revision.server_features_by_policy().contains(row.feature());
        !row.feature().is_empty() && !has && !by_policy
    });
    let methods = Method::ALL.iter().filter(|method| is_optional(**method) && !is_carried(**method, revision));
    foreign.map(|row| row.path().join(".")).chain(methods.map(|method| method.as_str().to_owned())).collect()
}

/// A client's request that not every server has to answer.
fn is_optional(method: Method) -> bool {
    let is_asked = |revision: &Revision| method.row(Channel::ClientRequest, *revision).is_some();
    Revision::ALL.iter().any(is_asked)
        && Revision::ALL.iter().any(|revision| method.server_needs(*revision) != Needs::Nothing)
}

/// A client's request that the revision has, in whatever meaning.
fn is_carried(method: Method, revision: Revision) -> bool {
    method.row(Channel::ClientRequest, revision).is_some()
}

/// Whether a client's request means the same under both revisions: the tasks of the core and those of the extension
/// share names and nothing else.
pub(super) fn means_the_same(method: Method, client: Option<Revision>, hop: Revision) -> bool {
    let row = |revision| method.row(Channel::ClientRequest, revision);
    let Some(here) = row(hop) else { return false };
    let there = client.and_then(row);
    there.is_none_or(|there| MethodRow::extension_id(there) == here.extension_id())
}

/// An `Implementation` as far as it is one; a backend's mistakes are not the client's.
fn implementation(text: &[u8]) -> Implementation {
    let limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };
    let found = Cursor::new(text, limits)
        .and_then(|mut cursor| cursor.value())
        .ok()
        .and_then(|object| members(text, object, ["name", "version", "title", "description", "websiteUrl", "icons"]));
    let [name, version, title, description, url, icons] = found.unwrap_or_default();
    let words = |node: crate::json::Node| node.text(text).map(|words| String::from_utf8_lossy(&words).into_owned());
    let plain = Implementation::new(
        &words(name).unwrap_or_else(|| "unknown".to_owned()),
        &words(version).unwrap_or_else(|| "unknown".to_owned()),
    )
    .described(words(title), words(description));
    let linked = plain.clone().with_website_url(words(url)).unwrap_or(plain);
    if icons.is_present() { linked.clone().with_icons(icons.token(text)).unwrap_or(linked) } else { linked }
}

impl Upstream {
    /// The answer to a modern client's `server/discover` before a handshake backend, from what the backend told in its
    /// own handshake.
    ///
    /// Without a gate in front every modern revision that is spoken with backends is listed.
    pub(super) fn discovered(&self, incoming: &Incoming<'_>, client: Revision) -> Reply {
        let id = incoming.id.as_deref().unwrap_or(b"null");
        let (supported, reading, cache) = if let Some((gate, _, _)) = incoming.judged {
            let policy = gate.policy();
            let scope = if policy.per_caller { CacheScope::Private } else { policy.default_cache_scope };
            (gate.supported().to_vec(), gate.reading(), CacheHint { ttl_ms: policy.default_ttl_ms, scope })
        } else {
            let modern = supported_versions(Revision::ALL, DiscoverVersions::Modern);
            (modern, Reading::Record, CacheHint::default())
        };
        let server = self.shown(incoming).unwrap_or_else(|| self.server.clone());
        Reply::result(id, &discover_result(&server, client, reading, &supported, cache))
    }

    /// The server that a client is shown: the backend, or, where nobody knows what that publishes, the gate's own idea
    /// of it.
    fn shown(&self, incoming: &Incoming<'_>) -> Option<ServerIdentity> {
        match (&self.config.capabilities, incoming.judged) {
            (None, Some((gate, _, _))) => gate.config().server.clone().without(&uncarried(self.revision())).ok(),
            _ => Some(self.server.clone()),
        }
    }

    /// The answer to a client's `initialize` before a backend that the client has no session with, from what the
    /// backend told of itself; none where nobody says what the two would settle on.
    ///
    /// Changes are promised only where the client has a stream that a handshake backend's own can be relayed on.
    pub(super) fn initialized(&self, incoming: &Incoming<'_>) -> Option<Reply> {
        let (gate, decision, _) = incoming.judged?;
        let revision = decision.facts.negotiated?;
        let id = incoming.id.as_deref()?;
        let server = self.shown(incoming)?;
        let has_stream = gate.sessions().is_stateful() && gate.policy().legacy_stream;
        let is_told = has_stream && self.revision().has(Feature::GET_STREAM);
        let unheard: &[&str] = if is_told { &[] } else { &["listChanged", "subscribe"] };
        let server = server.without(unheard).ok()?;
        let result = initialize_result(&server, revision, gate.reading(), gate.policy().legacy_extensions);
        Some(Reply::result(id, &result))
    }

    /// The newest revision without a handshake: the words of a client that does not say which of them it speaks.
    pub(super) fn any_modern() -> Option<Revision> {
        Revision::ALL.iter().copied().rfind(|revision| revision.era() == Era::Modern)
    }

    /// Whether the backend runs tool calls as tasks of its core, so that `task` means something to it.
    pub(super) const fn runs_core_tasks(&self) -> bool {
        self.features.contains(ServerFeature::TASKS_TOOLS_CALL)
    }
}
