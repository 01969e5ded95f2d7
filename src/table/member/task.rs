//! Tasks: those of the core, and those of the extension that took their place.

use super::Definition as D;
use super::Revision::*;
use super::Shape::{self, Object};
use super::{Member, notification, optional, required};
use crate::table::TASKS_EXTENSION;

/// A member that the extension brings with 2026-07-28.
const fn extended(member: Member) -> Member {
    member.since(V2026_07_28).extension(TASKS_EXTENSION)
}

const TASK_ID: Member = required("taskId");
const STATUS: Member = required("status");
const STATUS_MESSAGE: Member = optional("statusMessage");
const CREATED_AT: Member = required("createdAt");
const LAST_UPDATED_AT: Member = required("lastUpdatedAt");
const TTL: Member = required("ttl").until(V2026_07_28);
const POLL_INTERVAL: Member = optional("pollInterval").until(V2026_07_28);
const TTL_MS: Member = extended(required("ttlMs"));
const POLL_INTERVAL_MS: Member = extended(optional("pollIntervalMs"));
const RESULT_TYPE: Member = extended(required("resultType"));
const RESULT_META: Member = optional("_meta").one(D::ResultMetaObject);

pub(super) const TASK: Shape =
    Object(&[TASK_ID, STATUS, STATUS_MESSAGE, CREATED_AT, LAST_UPDATED_AT, TTL, POLL_INTERVAL]);

pub(super) const TASK_METADATA: Shape = Object(&[optional("ttl")]);

pub(super) const RELATED_TASK_METADATA: Shape = Object(&[TASK_ID]);

/// Of `tasks/get`, `tasks/result` and `tasks/cancel`.
pub(super) const PARAMS: Shape = Object(&[TASK_ID]);

pub(super) const UPDATE_PARAMS: Shape = Object(&[TASK_ID, extended(required("inputResponses")).one(D::InputResponses)]);

/// In the place of another result; the extension's task is the result itself.
pub(super) const CREATED: Shape = Object(&[
    required("task").until(V2026_07_28).one(D::Task),
    RESULT_TYPE,
    extended(TASK_ID),
    extended(STATUS),
    extended(STATUS_MESSAGE),
    extended(CREATED_AT),
    extended(LAST_UPDATED_AT),
    TTL_MS,
    POLL_INTERVAL_MS,
    RESULT_META,
]);

pub(super) const GET_RESULT: Shape = Object(&[
    TASK_ID,
    STATUS,
    STATUS_MESSAGE,
    CREATED_AT,
    LAST_UPDATED_AT,
    TTL,
    TTL_MS,
    POLL_INTERVAL,
    POLL_INTERVAL_MS,
    RESULT_TYPE,
    extended(optional("inputRequests")).one(D::InputRequests),
    extended(optional("result")).opaque(),
    extended(optional("error")).opaque(),
    RESULT_META,
]);

/// The extension's answer says nothing but that it is one.
pub(super) const CANCEL_RESULT: Shape = Object(&[
    TASK_ID.until(V2026_07_28),
    STATUS.until(V2026_07_28),
    STATUS_MESSAGE.until(V2026_07_28),
    CREATED_AT.until(V2026_07_28),
    LAST_UPDATED_AT.until(V2026_07_28),
    TTL,
    POLL_INTERVAL,
    RESULT_TYPE,
    RESULT_META,
]);

/// The result of the request that became the task: its other members are that result's.
pub(super) const PAYLOAD: Shape = Object(&[RESULT_META]);

pub(super) const LIST_RESULT: Shape = Object(&[required("tasks").list(D::Task), optional("nextCursor"), RESULT_META]);

pub(super) const STATUS_NOTIFICATION: Shape =
    Object(&[TASK_ID, STATUS, STATUS_MESSAGE, CREATED_AT, LAST_UPDATED_AT, TTL, POLL_INTERVAL, notification::META]);

pub(super) const EXTENSION_NOTIFICATION: Shape = Object(&[
    extended(TASK_ID),
    extended(STATUS),
    extended(STATUS_MESSAGE),
    extended(CREATED_AT),
    extended(LAST_UPDATED_AT),
    TTL_MS,
    POLL_INTERVAL_MS,
    extended(optional("inputRequests")).one(D::InputRequests),
    extended(optional("result")).opaque(),
    extended(optional("error")).opaque(),
    notification::META,
]);
