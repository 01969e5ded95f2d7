//! Since when, and until when: the two columns that every row has.

use super::Revision;

/// Which of two readings answers, where the profile record and the official schemas differ.
///
/// The rows that differ carry both; every other row reads the same in either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The profile record's: the default.
    #[default]
    Record,
    /// The official schemas' (`schema_exact`).
    SchemaExact,
}

impl Reading {
    /// Both readings, the default first.
    pub const ALL: &'static [Self] = &[Self::Record, Self::SchemaExact];
}

/// The revisions from the first one with a thing up to, and without, the first one that lost it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    since: Revision,
    until: Option<Revision>,
}

impl Span {
    /// The compiler stops at a row of the table that ends before it begins.
    pub(super) const fn new(since: Revision, until: Option<Revision>) -> Self {
        if let Some(end) = until {
            assert!(since.index() < end.index(), "a row ends before it begins");
        }
        Self { since, until }
    }

    /// The first revision with it.
    #[must_use]
    pub const fn since(self) -> Revision {
        self.since
    }

    /// The first revision without it, if there is one.
    #[must_use]
    pub const fn until(self) -> Option<Revision> {
        self.until
    }

    /// Whether `revision` has it.
    #[must_use]
    pub const fn has(self, revision: Revision) -> bool {
        let begun = self.since.index() <= revision.index();
        match self.until {
            Some(end) => begun && revision.index() < end.index(),
            None => begun,
        }
    }
}

/// One row's span in either reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spans {
    record: Span,
    exact: Option<Span>,
}

impl Spans {
    pub(super) const fn new(since: Revision, until: Option<Revision>) -> Self {
        let span = Span::new(since, until);
        Self { record: span, exact: Some(span) }
    }

    /// The schemas' reading, where it is another.
    pub(super) const fn exact(self, span: Option<Span>) -> Self {
        Self { exact: span, ..self }
    }

    /// The span in this reading; none where the reading does not know the row at all.
    #[must_use]
    pub const fn get(self, reading: Reading) -> Option<Span> {
        match reading {
            Reading::Record => Some(self.record),
            Reading::SchemaExact => self.exact,
        }
    }

    /// Whether `revision` has it in this reading.
    #[must_use]
    pub const fn has(self, revision: Revision, reading: Reading) -> bool {
        match self.get(reading) {
            Some(span) => span.has(revision),
            None => false,
        }
    }

    /// Whether `revision` has it in any reading.
    pub(super) const fn has_at_all(self, revision: Revision) -> bool {
        self.has(revision, Reading::Record) || self.has(revision, Reading::SchemaExact)
    }
}

/// Folds rows into one set per reading and revision, so that a question is an index and not a search.
macro_rules! sets {
    ($Set:ident, $rows:expr) => {{
        let mut sets = [[$Set::empty(); Revision::COUNT]; Reading::ALL.len()];
        let mut row = 0;
        while row < $rows.len() {
            let mut at = 0;
            while at < Revision::COUNT {
                let mut reading = 0;
                while reading < Reading::ALL.len() {
                    if $rows[row].spans.has(Revision::ALL[at], Reading::ALL[reading]) {
                        sets[reading][at] = sets[reading][at].union($rows[row].feature);
                    }
                    reading += 1;
                }
                at += 1;
            }
            row += 1;
        }
        sets
    }};
}

pub(super) use sets;
