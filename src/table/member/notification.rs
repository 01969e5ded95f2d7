//! The parameters of notifications, either way.

use super::Definition as D;
use super::Revision::*;
use super::Shape::{self, Object};
use super::{Member, optional, required};

pub(super) const META: Member = optional("_meta").one(D::NotificationMetaObject);

/// Of those that say only that something happened.
pub(super) const BARE: Shape = Object(&[META]);

pub(super) const CANCELLED: Shape = Object(&[
    required("requestId").until(V2025_11_25),
    optional("requestId").since(V2025_11_25).until(V2026_07_28),
    required("requestId").since(V2026_07_28),
    optional("reason"),
    META,
]);

pub(super) const PROGRESS: Shape = Object(&[
    required("progressToken"),
    required("progress"),
    optional("total"),
    optional("message").since(V2025_03_26),
    META,
]);

pub(super) const LOG_MESSAGE: Shape = Object(&[required("level"), optional("logger"), required("data").opaque(), META]);

pub(super) const RESOURCE_UPDATED: Shape = Object(&[required("uri"), META]);

pub(super) const SUBSCRIPTIONS_ACKNOWLEDGED: Shape =
    Object(&[required("notifications").one(D::SubscriptionFilter), META]);
