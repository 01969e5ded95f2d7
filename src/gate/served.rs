//! The revisions that a gate serves.

use crate::table::{Era, Revision};

/// A set of revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served(u32);

impl Served {
    /// Every revision of the table.
    #[must_use]
    pub const fn all() -> Self {
        Self((1 << Revision::COUNT) - 1)
    }

    /// These revisions; `None` where there are none.
    #[must_use]
    pub fn of(revisions: impl IntoIterator<Item = Revision>) -> Option<Self> {
        let bits = revisions.into_iter().fold(0, |bits, revision| bits | 1 << revision.index());
        (bits != 0).then_some(Self(bits))
    }

    /// Whether `revision` is served.
    #[must_use]
    #[inline]
    pub const fn contains(self, revision: Revision) -> bool {
        self.0 >> revision.index() & 1 == 1
    }

    /// The served revisions, newest first.
    pub fn newest_first(self) -> impl Iterator<Item = Revision> {
        Revision::ALL.iter().rev().copied().filter(move |revision| self.contains(*revision))
    }

    fn newest_of(self, era: Era) -> Option<Revision> {
        self.newest_first().find(|revision| revision.era() == era)
    }

    /// The newest served revision with a handshake.
    #[must_use]
    pub fn newest_handshake(self) -> Option<Revision> {
        self.newest_of(Era::Legacy)
    }

    /// The newest served revision without one.
    #[must_use]
    pub fn newest_modern(self) -> Option<Revision> {
        self.newest_of(Era::Modern)
    }
}
