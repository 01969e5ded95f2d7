//! The reserved keys of `_meta`, by the kind of message it stands in; all other keys are other people's.

use super::Definition::{self, *};
use super::Revision::{self, *};
use super::Shape::{self, Object};
use super::{Member, Standing, optional, required};
use crate::table::Definition as D;

const RELATED_TASK: Member = optional("io.modelcontextprotocol/related-task")
    .since(V2025_11_25)
    .until(V2026_07_28)
    .one(D::RelatedTaskMetadata)
    .in_prose();

pub(super) const REQUEST: Shape = Object(&[
    optional("progressToken"),
    required("io.modelcontextprotocol/protocolVersion").since(V2026_07_28),
    required("io.modelcontextprotocol/clientCapabilities").since(V2026_07_28).one(D::ClientCapabilities),
    optional("io.modelcontextprotocol/clientInfo").since(V2026_07_28).one(D::Implementation),
    optional("io.modelcontextprotocol/logLevel").since(V2026_07_28).deprecated(V2026_07_28),
    RELATED_TASK,
]);

pub(super) const RESULT: Shape =
    Object(&[optional("io.modelcontextprotocol/serverInfo").since(V2026_07_28).one(D::Implementation), RELATED_TASK]);

pub(super) const LISTEN_RESULT: Shape = Object(&[
    required("io.modelcontextprotocol/subscriptionId"),
    optional("io.modelcontextprotocol/serverInfo").one(D::Implementation),
]);

pub(super) const NOTIFICATION: Shape =
    Object(&[optional("io.modelcontextprotocol/subscriptionId").since(V2026_07_28), RELATED_TASK]);

impl Definition {
    /// How `revision` stands to this key in the `_meta` of any parameters or result, of whatever kind of message.
    ///
    /// A key that a revision reserves for requests is not another's own in a result either.
    #[must_use]
    pub fn meta_key(key: &[u8], revision: Revision) -> Standing<&'static Member> {
        let mut standing = Standing::Unknown;
        for definition in [RequestMetaObject, ResultMetaObject, NotificationMetaObject] {
            match definition.member(key, revision) {
                Standing::Has(member) => return Standing::Has(member),
                Standing::Lacks => standing = Standing::Lacks,
                Standing::Unknown => {}
            }
        }
        standing
    }
}
