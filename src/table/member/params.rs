//! The parameters of a client's requests.

use super::Definition as D;
use super::Revision::*;
use super::Shape::{self, Choice, Object};
use super::{Member, Tag, optional, required, when};
use crate::table::TASKS_EXTENSION;

/// Optional as long as it held a progress token at most.
pub(super) const META: Member = optional("_meta").until(V2026_07_28).one(D::RequestMetaObject);
/// Required since it is the request's envelope.
pub(super) const ENVELOPE: Member = required("_meta").since(V2026_07_28).one(D::RequestMetaObject);

pub(super) const TASK: Member = optional("task").since(V2025_11_25).until(V2026_07_28).one(D::TaskMetadata);
const INPUT_RESPONSES: Member = optional("inputResponses").since(V2026_07_28).one(D::InputResponses);
const REQUEST_STATE: Member = optional("requestState").since(V2026_07_28);

/// Of `ping` and `server/discover`.
pub(super) const BARE: Shape = Object(&[META, ENVELOPE]);

pub(super) const INITIALIZE: Shape = Object(&[
    required("protocolVersion"),
    required("capabilities").one(D::ClientCapabilities),
    required("clientInfo").one(D::Implementation),
    META,
]);

/// Of the four lists that come in pages, and of `tasks/list`.
pub(super) const PAGINATED: Shape = Object(&[optional("cursor"), META, ENVELOPE]);

pub(super) const CALL_TOOL: Shape =
    Object(&[required("name"), optional("arguments").opaque(), TASK, INPUT_RESPONSES, REQUEST_STATE, META, ENVELOPE]);

pub(super) const GET_PROMPT: Shape =
    Object(&[required("name"), optional("arguments").opaque(), INPUT_RESPONSES, REQUEST_STATE, META, ENVELOPE]);

pub(super) const READ_RESOURCE: Shape = Object(&[required("uri"), INPUT_RESPONSES, REQUEST_STATE, META, ENVELOPE]);

/// Of `resources/subscribe` and `resources/unsubscribe`.
pub(super) const SUBSCRIBE: Shape = Object(&[required("uri"), META]);

pub(super) const SET_LEVEL: Shape = Object(&[required("level"), META]);

pub(super) const COMPLETE: Shape = Object(&[
    required("ref").one(D::CompletionReference),
    required("argument").one(D::CompletionArgument),
    optional("context").since(V2025_06_18).one(D::CompletionContext),
    META,
    ENVELOPE,
]);

pub(super) const COMPLETION_REFERENCE: Shape = Choice(
    Tag::Text("type"),
    &[when("ref/prompt", D::PromptReference), when("ref/resource", D::ResourceTemplateReference)],
);

pub(super) const PROMPT_REFERENCE: Shape =
    Object(&[required("type"), required("name"), optional("title").since(V2025_06_18)]);

pub(super) const RESOURCE_TEMPLATE_REFERENCE: Shape = Object(&[required("type"), required("uri")]);

pub(super) const COMPLETION_ARGUMENT: Shape = Object(&[required("name"), required("value")]);

pub(super) const COMPLETION_CONTEXT: Shape = Object(&[optional("arguments").opaque()]);

pub(super) const LISTEN: Shape = Object(&[required("notifications").one(D::SubscriptionFilter), ENVELOPE]);

pub(super) const SUBSCRIPTION_FILTER: Shape = Object(&[
    optional("toolsListChanged"),
    optional("promptsListChanged"),
    optional("resourcesListChanged"),
    optional("resourceSubscriptions"),
    optional("taskIds").extension(TASKS_EXTENSION),
]);
