//! What the revision of a session or request permits, resolved once and then consulted.

use std::fmt::{self, Write};

use crate::json::echo;
use crate::table::{Era, Feature, Reading, Revision};

/// What a string that is no known revision resolves to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// A profile without any feature.
    #[default]
    Conservative,
    /// The profile of the newest known revision that is not after it, where it is a date; else as conservative.
    Nearest,
    /// An error.
    Error,
}

impl Unknown {
    /// The revision whose features `text` gets; none for no features.
    ///
    /// `text` is the string in UTF-8, or any other bytes: those are no revision.
    ///
    /// # Errors
    ///
    /// [`UnknownRevision`] under [`Unknown::Error`], where `text` is no known revision.
    pub fn resolve(self, text: &[u8]) -> Result<Option<Revision>, UnknownRevision> {
        match (Revision::parse(text), self) {
            (Some(revision), _) => Ok(Some(revision)),
            (None, Self::Conservative) => Ok(None),
            (None, Self::Nearest) => Ok(Revision::nearest(text)),
            (None, Self::Error) => Err(UnknownRevision { shown: echo(text) }),
        }
    }
}

/// A string names no known revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRevision {
    shown: Box<str>,
}

impl UnknownRevision {
    /// The string, cut after 64 characters, with `?` for all that is not printable ASCII.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
    }
}

impl fmt::Display for UnknownRevision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown protocol revision '{}'; known are ", self.shown)?;
        for (at, revision) in Revision::ALL.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            f.write_str(revision.as_str())?;
        }
        f.write_char('.')
    }
}

impl std::error::Error for UnknownRevision {}

/// What a revision permits: never what a server has switched on.
///
/// It comes from [`resolve_capability_profile`] or [`CapabilityProfile::of`] and cannot be filled in by hand.
///
/// ```
/// use revcap::profile::{Unknown, resolve_capability_profile};
/// use revcap::table::{Feature, Reading};
///
/// let profile = resolve_capability_profile("2025-11-25", Unknown::Conservative, Reading::Record)?;
/// assert!(profile.supports_tasks() && !profile.is_stateless());
/// assert!(profile.supports(Feature::ICONS));
/// # Ok::<(), revcap::profile::UnknownRevision>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CapabilityProfile {
    /// None: the revision's own spelling.
    given: Option<Box<str>>,
    revision: Option<Revision>,
    reading: Reading,
    features: Feature,
}

/// The profile of a protocol version, known or not.
///
/// # Errors
///
/// [`UnknownRevision`] under [`Unknown::Error`], where `protocol_version` is no known revision.
pub fn resolve_capability_profile(
    protocol_version: &str,
    unknown: Unknown,
    reading: Reading,
) -> Result<CapabilityProfile, UnknownRevision> {
    let revision = unknown.resolve(protocol_version.as_bytes())?;
    let given = revision.is_none_or(|revision| revision.as_str() != protocol_version).then(|| protocol_version.into());
    Ok(CapabilityProfile { given, ..CapabilityProfile::new(revision, reading) })
}

impl CapabilityProfile {
    /// The profile of a known revision.
    #[must_use]
    pub const fn of(revision: Revision, reading: Reading) -> Self {
        Self::new(Some(revision), reading)
    }

    const fn new(revision: Option<Revision>, reading: Reading) -> Self {
        let features = match revision {
            Some(revision) => revision.features(reading),
            None => Feature::empty(),
        };
        Self { given: None, revision, reading, features }
    }

    /// The version as it was given, letter for letter.
    #[must_use]
    pub fn protocol_version(&self) -> &str {
        self.given.as_deref().or_else(|| self.revision.map(Revision::as_str)).unwrap_or_default()
    }

    /// The revision whose features these are; none for an unknown version, unless the nearest one stands in for it.
    #[must_use]
    pub const fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// The era of [`CapabilityProfile::revision`].
    #[must_use]
    pub fn era(&self) -> Option<Era> {
        self.revision.map(Revision::era)
    }

    /// Which reading the features are of.
    #[must_use]
    pub const fn reading(&self) -> Reading {
        self.reading
    }

    /// Everything that the revision has.
    #[must_use]
    pub const fn features(&self) -> Feature {
        self.features
    }

    /// Whether the revision has all of `feature`.
    #[must_use]
    pub const fn supports(&self, feature: Feature) -> bool {
        self.features.contains(feature)
    }

    /// Whether each request carries its own context, so that no handshake is needed and any node may answer.
    #[must_use]
    pub const fn is_stateless(&self) -> bool {
        self.supports(Feature::STATELESS)
    }

    /// Whether the completions capability may be published and `completion/complete` asked.
    #[must_use]
    pub const fn supports_completions(&self) -> bool {
        self.supports(Feature::COMPLETIONS)
    }

    /// Whether the server may ask the client's user for input while a request runs.
    #[must_use]
    pub const fn supports_elicitation(&self) -> bool {
        self.supports(Feature::ELICITATION)
    }

    /// Whether a progress notification may carry a text; otherwise the number goes alone.
    #[must_use]
    pub const fn supports_progress_message(&self) -> bool {
        self.supports(Feature::PROGRESS_MESSAGE)
    }

    /// Whether `resources.subscribe` may be published.
    #[must_use]
    pub const fn supports_resource_subscriptions(&self) -> bool {
        self.supports(Feature::RESOURCE_SUBSCRIPTIONS)
    }

    /// Whether a sampling request carries `tools` and `toolChoice`; otherwise both are left out.
    #[must_use]
    pub const fn supports_sampling_tools(&self) -> bool {
        self.supports(Feature::SAMPLING_TOOLS)
    }

    /// Whether a tool result may carry `structuredContent`; otherwise it is text alone.
    #[must_use]
    pub const fn supports_structured_content(&self) -> bool {
        self.supports(Feature::STRUCTURED_CONTENT)
    }

    /// Whether tasks may be published, and a request answered with a task.
    #[must_use]
    pub const fn supports_tasks(&self) -> bool {
        self.supports(Feature::TASKS)
    }
}
