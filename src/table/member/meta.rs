//! The reserved keys of `_meta`, by the kind of message it stands in; all other keys are other people's.

use super::Definition::{self, *};
use super::Revision::{self, *};
use super::Shape::{self, Object};
use super::{Member, Standing, optional, required};
use crate::table::{Definition as D, meta_key};

const RELATED_TASK: Member =
    optional(meta_key::RELATED_TASK).since(V2025_11_25).until(V2026_07_28).one(D::RelatedTaskMetadata).in_prose();

pub(super) const REQUEST: Shape = Object(&[
    optional(meta_key::PROGRESS_TOKEN),
    required(meta_key::PROTOCOL_VERSION).since(V2026_07_28),
    required(meta_key::CLIENT_CAPABILITIES).since(V2026_07_28).one(D::ClientCapabilities),
    optional(meta_key::CLIENT_INFO).since(V2026_07_28).one(D::Implementation),
    optional(meta_key::LOG_LEVEL).since(V2026_07_28).deprecated(V2026_07_28),
    RELATED_TASK,
]);

pub(super) const RESULT: Shape =
    Object(&[optional(meta_key::SERVER_INFO).since(V2026_07_28).one(D::Implementation), RELATED_TASK]);

pub(super) const LISTEN_RESULT: Shape =
    Object(&[required(meta_key::SUBSCRIPTION_ID), optional(meta_key::SERVER_INFO).one(D::Implementation)]);

pub(super) const NOTIFICATION: Shape = Object(&[optional(meta_key::SUBSCRIPTION_ID).since(V2026_07_28), RELATED_TASK]);

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
