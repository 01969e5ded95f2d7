//! The answers to `initialize` and `server/discover`.

use crate::advertise::ServerIdentity;
use crate::json::{Cursor, Limits, Node, ObjectWriter, push_string};
use crate::table::{Era, Reading, Revision, meta_key};

/// Which versions a discover answer lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiscoverVersions {
    /// All that are served.
    #[default]
    All,
    /// The modern ones alone.
    Modern,
}

/// Who may keep a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheScope {
    /// The caller alone.
    #[default]
    Private,
    /// Anybody.
    Public,
}

impl CacheScope {
    /// `private` or `public`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Public => "public",
        }
    }
}

/// For how long and for whom a result may be kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheHint {
    /// Milliseconds.
    pub ttl_ms: u64,
    /// For whom.
    pub scope: CacheScope,
}

/// What a server answers to an `initialize` that asks for `requested`: that, where it is a served handshake revision,
/// else the newest one served. None where no handshake revision is served.
///
/// Spec: 2025-11-25 basic/lifecycle, Version Negotiation.
#[must_use]
pub fn negotiate(requested: &[u8], served: &[Revision]) -> Option<Revision> {
    let by_handshake = |revision: &Revision| revision.era() == Era::Legacy && served.contains(revision);
    let newest = || Revision::ALL.iter().copied().rfind(by_handshake);
    Revision::parse(requested).filter(by_handshake).or_else(newest)
}

/// The revision on which the result of an `initialize` settles; `None` where `result`, a value of a text that was read,
/// is no object or names none.
///
/// Spec: 2025-11-25 basic/lifecycle, Version Negotiation.
#[must_use]
pub fn settled_on(text: &[u8], result: Node) -> Option<Revision> {
    if !result.is_object() {
        return None;
    }
    let mut cursor = Cursor::resume(text, result.span().start as usize, 1, Limits::DEFAULT);
    let mut members = cursor.open_object().ok()?;
    while let Some(key) = cursor.next_unchecked_member(&mut members).ok()? {
        let is_version = &*key.name(text) == b"protocolVersion";
        let node = cursor.value().ok()?;
        if is_version {
            return node.text(text).and_then(|version| Revision::parse(&version));
        }
    }
    None
}

/// The versions that a discover answer and a version error list, newest first.
///
/// Spec: 2026-07-28 server/discover; basic/versioning, Protocol Version Negotiation.
#[must_use]
pub fn supported_versions(served: &[Revision], versions: DiscoverVersions) -> Vec<Revision> {
    let listed = |revision: &Revision| {
        served.contains(revision) && (versions == DiscoverVersions::All || revision.era() == Era::Modern)
    };
    Revision::ALL.iter().rev().copied().filter(listed).collect()
}

/// The result object of an `initialize` that settles on `revision`, as JSON text.
#[must_use]
pub fn initialize_result(
    server: &ServerIdentity,
    revision: Revision,
    reading: Reading,
    legacy_extensions: bool,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    let mut object = ObjectWriter::open(&mut out);
    object.string(&mut out, "protocolVersion", revision.as_str());
    object.member(&mut out, "capabilities", &server.capabilities(revision, reading, legacy_extensions));
    object.key(&mut out, "serverInfo");
    server.implementation().write(&mut out, revision);
    if let Some(instructions) = server.instructions() {
        object.string(&mut out, "instructions", instructions);
    }
    object.close(&mut out);
    out
}

/// The result object of a `server/discover` under `revision`, as JSON text.
///
/// `supported` is what [`supported_versions`] gives. Identity stands in `_meta` alone.
///
/// Spec: 2026-07-28 server/discover; server/utilities/caching.
#[must_use]
pub fn discover_result(
    server: &ServerIdentity,
    revision: Revision,
    reading: Reading,
    supported: &[Revision],
    cache: CacheHint,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    let mut object = ObjectWriter::open(&mut out);
    object.string(&mut out, "resultType", "complete");
    object.key(&mut out, "supportedVersions");
    out.push(b'[');
    for (index, version) in supported.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_string(&mut out, version.as_str());
    }
    out.push(b']');
    object.member(&mut out, "capabilities", &server.capabilities(revision, reading, false));
    object.member(&mut out, "ttlMs", cache.ttl_ms.to_string().as_bytes());
    object.string(&mut out, "cacheScope", cache.scope.as_str());
    if let Some(instructions) = server.instructions() {
        object.string(&mut out, "instructions", instructions);
    }
    object.key(&mut out, "_meta");
    let mut meta = ObjectWriter::open(&mut out);
    meta.key(&mut out, meta_key::SERVER_INFO);
    server.implementation().write(&mut out, revision);
    meta.close(&mut out);
    object.close(&mut out);
    out
}
