//! The results of a client's requests.

use super::Definition as D;
use super::Revision::*;
use super::Shape::{self, Object};
use super::{Member, optional, required};

const META: Member = optional("_meta").one(D::ResultMetaObject);
const RESULT_TYPE: Member = required("resultType").since(V2026_07_28);
const TTL_MS: Member = required("ttlMs").since(V2026_07_28);
const CACHE_SCOPE: Member = required("cacheScope").since(V2026_07_28);

/// A result that says nothing but that it is one.
pub(super) const EMPTY: Shape = Object(&[META, RESULT_TYPE]);

pub(super) const INITIALIZE: Shape = Object(&[
    required("protocolVersion"),
    required("capabilities").one(D::ServerCapabilities),
    required("serverInfo").one(D::Implementation),
    optional("instructions"),
    META,
]);

pub(super) const DISCOVER: Shape = Object(&[
    required("supportedVersions"),
    required("capabilities").one(D::ServerCapabilities),
    optional("instructions"),
    META,
    RESULT_TYPE,
    TTL_MS,
    CACHE_SCOPE,
]);

pub(super) const LIST_TOOLS: Shape =
    Object(&[required("tools").list(D::Tool), optional("nextCursor"), META, RESULT_TYPE, TTL_MS, CACHE_SCOPE]);

pub(super) const LIST_PROMPTS: Shape =
    Object(&[required("prompts").list(D::Prompt), optional("nextCursor"), META, RESULT_TYPE, TTL_MS, CACHE_SCOPE]);

pub(super) const LIST_RESOURCES: Shape =
    Object(&[required("resources").list(D::Resource), optional("nextCursor"), META, RESULT_TYPE, TTL_MS, CACHE_SCOPE]);

pub(super) const LIST_RESOURCE_TEMPLATES: Shape = Object(&[
    required("resourceTemplates").list(D::ResourceTemplate),
    optional("nextCursor"),
    META,
    RESULT_TYPE,
    TTL_MS,
    CACHE_SCOPE,
]);

pub(super) const READ_RESOURCE: Shape =
    Object(&[required("contents").list(D::ResourceContents), META, RESULT_TYPE, TTL_MS, CACHE_SCOPE]);

pub(super) const CALL_TOOL: Shape = Object(&[
    required("content").list(D::ContentBlock),
    optional("structuredContent").since(V2025_06_18).opaque(),
    optional("isError"),
    META,
    RESULT_TYPE,
]);

pub(super) const GET_PROMPT: Shape =
    Object(&[required("messages").list(D::PromptMessage), optional("description"), META, RESULT_TYPE]);

pub(super) const COMPLETE: Shape = Object(&[required("completion").one(D::Completion), META, RESULT_TYPE]);

pub(super) const COMPLETION: Shape = Object(&[required("values"), optional("total"), optional("hasMore")]);

pub(super) const LISTEN: Shape =
    Object(&[required("_meta").one(D::SubscriptionsListenResultMetaObject), required("resultType")]);

/// In the place of another result: what the server needs to know first.
pub(super) const INPUT_REQUIRED: Shape = Object(&[
    required("resultType"),
    optional("inputRequests").one(D::InputRequests),
    optional("requestState"),
    optional("_meta").one(D::ResultMetaObject),
]);
