//! The capabilities that a revision marks deprecated, with what an author is told about them.

use super::{CLIENT_PATHS, SERVER_PATHS};
use super::{CapabilityRow, ClientFeature, Feature, Revision, ServerFeature};

/// Where the diagnostic ids are explained.
const DIAGNOSTICS: &str =
    "https://github.com/modelcontextprotocol/csharp-sdk/blob/main/docs/list-of-diagnostics.md#obsolete-apis";

/// One deprecated capability.
#[derive(Clone, Copy, Debug)]
pub struct Deprecation {
    feature: Feature,
    client: ClientFeature,
    server: ServerFeature,
    id: &'static str,
    proposal: &'static str,
    instead: &'static str,
}

const fn client(feature: Feature, client: ClientFeature, instead: &'static str) -> Deprecation {
    let server = ServerFeature::empty();
    Deprecation { feature, client, server, id: "MCP9005", proposal: "SEP-2577", instead }
}

const fn server(feature: Feature, server: ServerFeature, instead: &'static str) -> Deprecation {
    let client = ClientFeature::empty();
    Deprecation { feature, client, server, id: "MCP9005", proposal: "SEP-2577", instead }
}

#[rustfmt::skip]
const ROWS: &[Deprecation] = &[
    client(Feature::ROOTS,    ClientFeature::ROOTS,    "tool parameters, resource URIs or the server's own configuration"),
    client(Feature::SAMPLING, ClientFeature::SAMPLING, "the API of a model provider, called by the server itself"),
    server(Feature::LOGGING,  ServerFeature::LOGGING,  "stderr on stdio; OpenTelemetry for observability"),
];

impl Deprecation {
    /// Every row.
    #[must_use]
    pub const fn rows() -> &'static [Self] {
        ROWS
    }

    /// Those that a client and a server of `revision` use.
    pub fn in_use(
        revision: Revision,
        client: ClientFeature,
        server: ServerFeature,
    ) -> impl Iterator<Item = &'static Self> {
        ROWS.iter().filter(move |row| {
            let begun = row.since().is_some_and(|since| since.index() <= revision.index());
            begun && (row.client.intersects(client) || row.server.intersects(server))
        })
    }

    /// The feature.
    #[must_use]
    pub const fn feature(&self) -> Feature {
        self.feature
    }

    /// Whether a client declares it; otherwise a server publishes it.
    #[must_use]
    pub const fn is_clients(&self) -> bool {
        !self.client.is_empty()
    }

    /// The capability's member path.
    #[must_use]
    pub fn path(&self) -> &'static [&'static str] {
        fn of<F: Copy + PartialEq>(rows: &'static [CapabilityRow<F>], flag: F) -> &'static [&'static str] {
            rows.iter().find(|row| row.feature() == flag).map_or(&[], CapabilityRow::path)
        }
        if self.is_clients() { of(CLIENT_PATHS, self.client) } else { of(SERVER_PATHS, self.server) }
    }

    /// The diagnostic id that SDKs agree on.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// Where the id is explained.
    #[must_use]
    pub const fn url(&self) -> &'static str {
        DIAGNOSTICS
    }

    /// The proposal that deprecated it.
    #[must_use]
    pub const fn proposal(&self) -> &'static str {
        self.proposal
    }

    /// The revision that marks it.
    #[must_use]
    pub fn since(&self) -> Option<Revision> {
        self.feature.row()?.deprecated_in()
    }

    /// The date on or after which the first revision may drop it.
    #[must_use]
    pub fn earliest_removal(&self) -> Option<&'static str> {
        self.feature.row()?.earliest_removal()
    }

    /// What to use instead.
    #[must_use]
    pub const fn instead(&self) -> &'static str {
        self.instead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_the_capabilities_that_the_table_marks_deprecated() {
        let marked = |path: &'static [&'static str], revision: Option<Revision>| Some((path, revision?));
        let client = CLIENT_PATHS.iter().filter_map(|row| marked(row.path(), row.deprecated_in()));
        let server = SERVER_PATHS.iter().filter_map(|row| marked(row.path(), row.deprecated_in()));
        let rows = ROWS.iter().filter_map(|row| marked(row.path(), row.since()));
        assert_eq!(rows.collect::<Vec<_>>(), client.chain(server).collect::<Vec<_>>());
    }

    #[test]
    fn they_are_in_use_from_the_revision_that_marks_them() {
        for (text, all) in [("2024-11-05", 0), ("2025-11-25", 0), ("2026-07-28", 3)] {
            let revision = Revision::parse(text.as_bytes()).unwrap();
            assert_eq!(Deprecation::in_use(revision, ClientFeature::all(), ServerFeature::all()).count(), all);
            assert_eq!(Deprecation::in_use(revision, ClientFeature::empty(), ServerFeature::empty()).count(), 0);
        }
    }
}
