//! The capability members, of the client and of the server, by their path.

use bitflags::bitflags;

use super::Revision::{self, *};
use super::span::sets;
use super::{Reading, Span, Spans};

/// The identifier under which the tasks extension is declared and published.
pub const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

bitflags! {
    /// What a client can declare; a flag is its member path.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct ClientFeature: u32 {
        /// `experimental`: an open map of non-standard capabilities.
        const EXPERIMENTAL = 1 << 0;
        /// `extensions`: an open map from extension identifier to settings.
        const EXTENSIONS = 1 << 1;
        /// `roots`: the client lists its roots.
        const ROOTS = 1 << 2;
        /// `roots.listChanged`: it tells when they change.
        const ROOTS_LIST_CHANGED = 1 << 3;
        /// `sampling`: the client samples a model.
        const SAMPLING = 1 << 4;
        /// `sampling.tools`: with tools.
        const SAMPLING_TOOLS = 1 << 5;
        /// `sampling.context`: with the context of servers.
        const SAMPLING_CONTEXT = 1 << 6;
        /// `elicitation`: the client asks its user.
        const ELICITATION = 1 << 7;
        /// `elicitation.form`: by a form. An empty `elicitation` means it too.
        const ELICITATION_FORM = 1 << 8;
        /// `elicitation.url`: by sending the user to a URL.
        const ELICITATION_URL = 1 << 9;
        /// `tasks`: the client runs requests as tasks.
        const TASKS = 1 << 10;
        /// `tasks.list`: it lists them.
        const TASKS_LIST = 1 << 11;
        /// `tasks.cancel`: it cancels them.
        const TASKS_CANCEL = 1 << 12;
        /// `tasks.requests.sampling.createMessage`: sampling may be a task.
        const TASKS_SAMPLING = 1 << 13;
        /// `tasks.requests.elicitation.create`: elicitation may be a task.
        const TASKS_ELICITATION = 1 << 14;
        /// `extensions["io.modelcontextprotocol/tasks"]`: the tasks extension.
        const TASKS_EXTENSION = 1 << 15;
    }
}

bitflags! {
    /// What a server can publish; a flag is its member path.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct ServerFeature: u32 {
        /// `experimental`: an open map of non-standard capabilities.
        const EXPERIMENTAL = 1 << 0;
        /// `extensions`: an open map from extension identifier to settings.
        const EXTENSIONS = 1 << 1;
        /// `logging`: the server sends log messages.
        const LOGGING = 1 << 2;
        /// `completions`: it completes arguments.
        const COMPLETIONS = 1 << 3;
        /// `prompts`: it has prompts.
        const PROMPTS = 1 << 4;
        /// `prompts.listChanged`: it tells when their list changes.
        const PROMPTS_LIST_CHANGED = 1 << 5;
        /// `resources`: it has resources.
        const RESOURCES = 1 << 6;
        /// `resources.subscribe`: a client may watch one.
        const RESOURCES_SUBSCRIBE = 1 << 7;
        /// `resources.listChanged`: it tells when their list changes.
        const RESOURCES_LIST_CHANGED = 1 << 8;
        /// `tools`: it has tools.
        const TOOLS = 1 << 9;
        /// `tools.listChanged`: it tells when their list changes.
        const TOOLS_LIST_CHANGED = 1 << 10;
        /// `tasks`: it runs requests as tasks.
        const TASKS = 1 << 11;
        /// `tasks.list`: it lists them.
        const TASKS_LIST = 1 << 12;
        /// `tasks.cancel`: it cancels them.
        const TASKS_CANCEL = 1 << 13;
        /// `tasks.requests.tools.call`: a tool call may be a task.
        const TASKS_TOOLS_CALL = 1 << 14;
        /// `extensions["io.modelcontextprotocol/tasks"]`: the tasks extension.
        const TASKS_EXTENSION = 1 << 15;
        /// `elicitation`: it may ask the client's user. The record's; no schema has it.
        const ELICITATION = 1 << 16;
    }
}

/// The JSON type of a capability member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapabilityType {
    /// An object, often empty.
    Object,
    /// `true` or `false`.
    Boolean,
}

impl CapabilityType {
    /// `object` or `boolean`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Boolean => "boolean",
        }
    }
}

/// One capability member's facts.
#[derive(Clone, Copy, Debug)]
pub struct CapabilityRow<F: 'static> {
    path: &'static [&'static str],
    kind: CapabilityType,
    pub(super) spans: Spans,
    pub(super) feature: F,
    deprecated_in: Option<Revision>,
    extension: Option<&'static str>,
    by_policy_since: Option<Revision>,
}

impl<F: Copy> CapabilityRow<F> {
    const fn new(
        kind: CapabilityType,
        since: Revision,
        until: Option<Revision>,
        feature: F,
        path: &'static [&'static str],
    ) -> Self {
        let spans = Spans::new(since, until);
        Self { path, kind, spans, feature, deprecated_in: None, extension: None, by_policy_since: None }
    }

    const fn exact(self, span: Option<Span>) -> Self {
        Self { spans: self.spans.exact(span), ..self }
    }

    const fn deprecated(self, revision: Revision) -> Self {
        Self { deprecated_in: Some(revision), ..self }
    }

    const fn extension(self, id: &'static str) -> Self {
        Self { extension: Some(id), ..self }
    }

    const fn by_policy_since(self, revision: Revision) -> Self {
        Self { by_policy_since: Some(revision), ..self }
    }

    /// The member names from the capabilities object down.
    #[must_use]
    pub const fn path(&self) -> &'static [&'static str] {
        self.path
    }

    /// The JSON type of the member.
    #[must_use]
    pub const fn kind(&self) -> CapabilityType {
        self.kind
    }

    /// The revisions that have it.
    #[must_use]
    pub const fn spans(&self) -> Spans {
        self.spans
    }

    /// The flag; empty for a member that only leads to others.
    #[must_use]
    pub const fn feature(&self) -> F {
        self.feature
    }

    /// The revision that marks it deprecated.
    #[must_use]
    pub const fn deprecated_in(&self) -> Option<Revision> {
        self.deprecated_in
    }

    /// The extension that brings it, where it is not the core's.
    #[must_use]
    pub const fn extension_id(&self) -> Option<&'static str> {
        self.extension
    }

    /// The first older revision under which a policy publishes it, though its schema has no such member.
    #[must_use]
    pub const fn policy_since(&self) -> Option<Revision> {
        self.by_policy_since
    }
}

use CapabilityType::{Boolean, Object};

type C = ClientFeature;
type S = ServerFeature;

const fn client(
    kind: CapabilityType,
    since: Revision,
    until: Option<Revision>,
    feature: ClientFeature,
    path: &'static [&'static str],
) -> CapabilityRow<ClientFeature> {
    CapabilityRow::new(kind, since, until, feature, path)
}

const fn server(
    kind: CapabilityType,
    since: Revision,
    until: Option<Revision>,
    feature: ServerFeature,
    path: &'static [&'static str],
) -> CapabilityRow<ServerFeature> {
    CapabilityRow::new(kind, since, until, feature, path)
}

/// Every member of `ClientCapabilities` of any revision, a parent before its members.
pub static CLIENT_PATHS: &[CapabilityRow<ClientFeature>] = &CLIENT_ROWS;

#[rustfmt::skip]
const CLIENT_ROWS: [CapabilityRow<ClientFeature>; 19] = [
    //     type     first with   first without      flag                   path
    client(Object,  V2024_11_05, None,              C::EXPERIMENTAL,       &["experimental"]),
    client(Object,  V2026_07_28, None,              C::EXTENSIONS,         &["extensions"])
        .by_policy_since(V2025_06_18),
    client(Object,  V2026_07_28, None,              C::TASKS_EXTENSION,    &["extensions", TASKS_EXTENSION])
        .extension(TASKS_EXTENSION),
    client(Object,  V2024_11_05, None,              C::ROOTS,              &["roots"]).deprecated(V2026_07_28),
    client(Boolean, V2024_11_05, Some(V2026_07_28), C::ROOTS_LIST_CHANGED, &["roots", "listChanged"]),
    client(Object,  V2024_11_05, None,              C::SAMPLING,           &["sampling"]).deprecated(V2026_07_28),
    client(Object,  V2025_11_25, None,              C::SAMPLING_TOOLS,     &["sampling", "tools"]),
    client(Object,  V2025_11_25, None,              C::SAMPLING_CONTEXT,   &["sampling", "context"]),
    client(Object,  V2025_06_18, None,              C::ELICITATION,        &["elicitation"]),
    client(Object,  V2025_11_25, None,              C::ELICITATION_FORM,   &["elicitation", "form"]),
    client(Object,  V2025_11_25, None,              C::ELICITATION_URL,    &["elicitation", "url"]),
    client(Object,  V2025_11_25, Some(V2026_07_28), C::TASKS,              &["tasks"]),
    client(Object,  V2025_11_25, Some(V2026_07_28), C::TASKS_LIST,         &["tasks", "list"]),
    client(Object,  V2025_11_25, Some(V2026_07_28), C::TASKS_CANCEL,       &["tasks", "cancel"]),
    client(Object,  V2025_11_25, Some(V2026_07_28), C::empty(),            &["tasks", "requests"]),
    client(Object,  V2025_11_25, Some(V2026_07_28), C::empty(),            &["tasks", "requests", "sampling"]),
    client(Object,  V2025_11_25, Some(V2026_07_28), C::TASKS_SAMPLING,
        &["tasks", "requests", "sampling", "createMessage"]),
    client(Object,  V2025_11_25, Some(V2026_07_28), C::empty(),            &["tasks", "requests", "elicitation"]),
    client(Object,  V2025_11_25, Some(V2026_07_28), C::TASKS_ELICITATION,
        &["tasks", "requests", "elicitation", "create"]),
];

/// Every member of `ServerCapabilities` of any revision, a parent before its members.
pub static SERVER_PATHS: &[CapabilityRow<ServerFeature>] = &SERVER_ROWS;

#[rustfmt::skip]
const SERVER_ROWS: [CapabilityRow<ServerFeature>; 19] = [
    //     type     first with   first without      flag                       path
    server(Object,  V2024_11_05, None,              S::EXPERIMENTAL,           &["experimental"]),
    server(Object,  V2026_07_28, None,              S::EXTENSIONS,             &["extensions"])
        .by_policy_since(V2025_06_18),
    server(Object,  V2026_07_28, None,              S::TASKS_EXTENSION,        &["extensions", TASKS_EXTENSION])
        .extension(TASKS_EXTENSION),
    server(Object,  V2024_11_05, None,              S::LOGGING,                &["logging"]).deprecated(V2026_07_28),
    server(Object,  V2025_03_26, None,              S::COMPLETIONS,            &["completions"]),
    server(Object,  V2024_11_05, None,              S::PROMPTS,                &["prompts"]),
    server(Boolean, V2024_11_05, None,              S::PROMPTS_LIST_CHANGED,   &["prompts", "listChanged"]),
    server(Object,  V2024_11_05, None,              S::RESOURCES,              &["resources"]),
    server(Boolean, V2025_06_18, None,              S::RESOURCES_SUBSCRIBE,    &["resources", "subscribe"])
        .exact(Some(Span::new(V2024_11_05, None))),
    server(Boolean, V2024_11_05, None,              S::RESOURCES_LIST_CHANGED, &["resources", "listChanged"]),
    server(Object,  V2024_11_05, None,              S::TOOLS,                  &["tools"]),
    server(Boolean, V2024_11_05, None,              S::TOOLS_LIST_CHANGED,     &["tools", "listChanged"]),
    server(Object,  V2025_11_25, Some(V2026_07_28), S::TASKS,                  &["tasks"]),
    server(Object,  V2025_11_25, Some(V2026_07_28), S::TASKS_LIST,             &["tasks", "list"]),
    server(Object,  V2025_11_25, Some(V2026_07_28), S::TASKS_CANCEL,           &["tasks", "cancel"]),
    server(Object,  V2025_11_25, Some(V2026_07_28), S::empty(),                &["tasks", "requests"]),
    server(Object,  V2025_11_25, Some(V2026_07_28), S::empty(),                &["tasks", "requests", "tools"]),
    server(Object,  V2025_11_25, Some(V2026_07_28), S::TASKS_TOOLS_CALL,       &["tasks", "requests", "tools", "call"]),
    server(Object,  V2025_06_18, None,              S::ELICITATION,            &["elicitation"]).exact(None),
];

static CLIENT_SETS: [[ClientFeature; Revision::COUNT]; Reading::ALL.len()] =
    const { sets!(ClientFeature, CLIENT_ROWS) };
static SERVER_SETS: [[ServerFeature; Revision::COUNT]; Reading::ALL.len()] =
    const { sets!(ServerFeature, SERVER_ROWS) };

const _: () = {
    let mut flags = ClientFeature::empty();
    let mut at = 0;
    while at < CLIENT_ROWS.len() {
        flags = flags.union(CLIENT_ROWS[at].feature);
        at += 1;
    }
    assert!(flags.bits() == ClientFeature::all().bits(), "a ClientFeature has no row");
    let mut flags = ServerFeature::empty();
    let mut at = 0;
    while at < SERVER_ROWS.len() {
        flags = flags.union(SERVER_ROWS[at].feature);
        at += 1;
    }
    assert!(flags.bits() == ServerFeature::all().bits(), "a ServerFeature has no row");
};

impl Revision {
    /// What a client of this revision can declare; the two readings agree.
    #[must_use]
    pub const fn client_features(self) -> ClientFeature {
        CLIENT_SETS[Reading::Record as usize][self.index()]
    }

    /// What a server can publish towards a client of this revision.
    #[must_use]
    pub const fn server_features(self, reading: Reading) -> ServerFeature {
        SERVER_SETS[reading as usize][self.index()]
    }

    /// What the policy `legacy_extensions` adds to [`Revision::client_features`]; see
    /// [`Revision::server_features_by_policy`].
    #[must_use]
    pub fn client_features_by_policy(self) -> ClientFeature {
        CLIENT_POLICY_SETS[self.index()]
    }

    /// What the policy `legacy_extensions` adds to [`Revision::server_features`]: members that a proposal shows in this
    /// revision's handshake, though its schema does not list them.
    ///
    /// Spec: SEP-2133, capability negotiation.
    #[must_use]
    pub const fn server_features_by_policy(self) -> ServerFeature {
        POLICY_SETS[self.index()]
    }
}

/// Folds the rows that a policy adds into one set per revision.
macro_rules! policy_sets {
    ($Set:ident, $rows:expr) => {{
        let mut sets = [$Set::empty(); Revision::COUNT];
        let mut at = 0;
        while at < $rows.len() {
            if let Some(first) = $rows[at].by_policy_since {
                let mut revision = first.index();
                while revision < Revision::COUNT {
                    if !$rows[at].spans.has_at_all(Revision::ALL[revision]) {
                        sets[revision] = sets[revision].union($rows[at].feature);
                    }
                    revision += 1;
                }
            }
            at += 1;
        }
        sets
    }};
}

static CLIENT_POLICY_SETS: [ClientFeature; Revision::COUNT] = const { policy_sets!(ClientFeature, CLIENT_ROWS) };
static POLICY_SETS: [ServerFeature; Revision::COUNT] = const { policy_sets!(ServerFeature, SERVER_ROWS) };
