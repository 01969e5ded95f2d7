//! The names of the keys of `_meta` that the specification reserves.
//!
//! Since when each is there, and in which messages, is told by [`Definition::meta_key`](super::Definition::meta_key).

/// A request's: the revision that it is in.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// A request's: what its client declares.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// A request's: the client's implementation.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// A request's: from which level on it is told what is logged.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// A request's: the token that notifications of its progress carry.
pub const PROGRESS_TOKEN: &str = "progressToken";
/// A result's: the server's implementation.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The id of the listen request on whose stream a message goes.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The task that a message belongs to.
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

#[cfg(test)]
mod tests {
    use crate::table::{Definition, Feature, Revision, Standing, TASKS_EXTENSION};

    #[test]
    fn a_reserved_key_that_a_feature_shows_is_a_row() {
        let mut shown = 0;
        for row in Feature::rows() {
            for key in row.wire().split('"').filter(|part| part.starts_with("io.modelcontextprotocol/")) {
                let is_row =
                    |revision: &Revision| !matches!(Definition::meta_key(key.as_bytes(), *revision), Standing::Unknown);
                assert!(key == TASKS_EXTENSION || Revision::ALL.iter().any(is_row), "{key}");
                shown += 1;
            }
        }
        assert!(shown > 0);
    }
}
