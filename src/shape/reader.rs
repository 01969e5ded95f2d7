//! Who reads the message, and what is known of the exchange that it belongs to.

use std::borrow::Cow;

use crate::handshake::CacheScope;
use crate::json::Limits;
use crate::profile::CapabilityProfile;
use crate::table::{ClientFeature, Era, Feature, Reading, Revision, ServerFeature};

/// The reader of a message.
///
/// What is unknown (`None`) is never read as undeclared: nothing is refused, removed or dropped for it.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    /// The revision that it reads.
    pub revision: Revision,
    /// Which reading of the revision, where the record and the schemas differ.
    pub reading: Reading,
    /// What the client declared, as far as it counts under the revision.
    pub client: Option<ClientFeature>,
    /// The request that is being answered, or during which the message was sent.
    pub request: Option<&'a Request<'a>>,
    /// What is left open to choice.
    pub policy: &'a ShapePolicy,
}

impl<'a> Reader<'a> {
    /// A reader of whom nothing but the revision is known, under the default policy.
    #[must_use]
    pub const fn of(revision: Revision) -> Reader<'a> {
        Self { revision, reading: Reading::Record, client: None, request: None, policy: &ShapePolicy::DEFAULT }
    }

    /// The reader that a profile is of; one of an unknown version is taken for one of the oldest revision, which the
    /// others understand best.
    #[must_use]
    pub fn under(profile: &CapabilityProfile) -> Reader<'a> {
        let revision = profile.revision().unwrap_or(Revision::ALL[0]);
        Self { reading: profile.reading(), ..Self::of(revision) }
    }

    pub(super) fn has(&self, feature: Feature) -> bool {
        self.revision.features(self.reading).contains(feature)
    }

    pub(super) const fn era(&self) -> Era {
        self.revision.era()
    }

    /// The client is known and did not declare all of `feature`.
    pub(super) fn lacks(&self, feature: ClientFeature) -> bool {
        self.client.is_some_and(|declared| !declared.contains(feature))
    }

    /// What the reader's listen stream is about, where the message goes on one.
    pub(super) fn listens(&self) -> Option<&'a SubscriptionFilter> {
        self.request?.subscription_filter.as_ref()
    }
}

/// The facts of a request that matter to what answers it.
#[derive(Clone, Debug, Default)]
pub struct Request<'a> {
    /// Its id, as it is spelt in JSON.
    pub id: Option<Cow<'a, [u8]>>,
    /// The id that a gateway asked the backend under, as it is spelt in JSON: only what answers that is the answer, and
    /// it goes on under the request's own id. None: nothing is compared, and the answer's id stays.
    pub asked_as: Option<Cow<'a, [u8]>>,
    /// It repeats an earlier one, with the input that was asked for.
    pub retry: bool,
    /// Its progress token, as it is spelt in JSON.
    pub progress_token: Option<Cow<'a, [u8]>>,
    /// From which level on it asked for log messages.
    pub log_level: Option<LogLevel>,
    /// What it listens to; only a request that opens a listen stream has one.
    pub subscription_filter: Option<SubscriptionFilter>,
}

impl Request<'_> {
    /// The same, held by itself.
    #[must_use]
    pub fn into_owned(self) -> Request<'static> {
        let own = |bytes: Cow<'_, [u8]>| Cow::Owned(bytes.into_owned());
        Request {
            id: self.id.map(own),
            asked_as: self.asked_as.map(own),
            retry: self.retry,
            progress_token: self.progress_token.map(own),
            log_level: self.log_level,
            subscription_filter: self.subscription_filter,
        }
    }
}

/// What a listen stream is about.
///
/// Spec: 2026-07-28 basic/patterns/subscriptions, notification filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "they are the filter's members")]
pub struct SubscriptionFilter {
    /// Changes of the list of tools.
    pub tools_list_changed: bool,
    /// Changes of the list of prompts.
    pub prompts_list_changed: bool,
    /// Changes of the list of resources.
    pub resources_list_changed: bool,
    /// Changes of resources; which ones is the server's business, an update may name a part of one.
    pub resource_subscriptions: bool,
    /// The tasks whose state is told, as text.
    pub task_ids: Vec<Box<str>>,
}

/// How grave a log message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is the level of that name")]
pub enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl LogLevel {
    /// Every level, the least grave first.
    pub const ALL: &'static [Self] = &[
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// The level's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }

    /// The level of this exact name.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        Self::ALL.iter().copied().find(|level| level.as_str().as_bytes() == text)
    }
}

/// What becomes of `includeContext` where the client did not declare `sampling.context`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncludeContext {
    /// It is left out: the model samples without the context.
    Strip,
    /// The request is refused.
    Require,
}

/// The choices that the specification leaves open, and what the server has switched on.
#[derive(Clone, Debug)]
pub struct ShapePolicy {
    /// What a backend's message may cost before it is refused.
    pub limits: Limits,
    /// `ttlMs` where a cacheable result has none, in milliseconds.
    pub default_ttl_ms: u64,
    /// `cacheScope` where a cacheable result has none.
    pub default_cache_scope: CacheScope,
    /// Results differ from caller to caller: their scope is private, whatever the backend says.
    pub per_caller: bool,
    /// See [`IncludeContext`].
    pub include_context: IncludeContext,
    /// Whether the server's handlers may ask the client's user: its elicitation switch is not False.
    pub elicitation: bool,
    /// What the server publishes, towards the request's revision.
    pub server: ServerFeature,
    /// `extensions` passes in the handshake of revisions that do not list it.
    pub legacy_extensions: bool,
}

impl ShapePolicy {
    /// Every switch on, every choice as by default.
    pub const DEFAULT: Self = Self {
        limits: Limits::DEFAULT,
        default_ttl_ms: 0,
        default_cache_scope: CacheScope::Private,
        per_caller: false,
        include_context: IncludeContext::Strip,
        elicitation: true,
        server: ServerFeature::all(),
        legacy_extensions: true,
    };
}

impl Default for ShapePolicy {
    fn default() -> Self {
        Self::DEFAULT
    }
}
