//! Sampling and roots: what a server asks of a client, and what comes back.

use super::Definition as D;
use super::Revision::*;
use super::Shape::{self, Choice, Object};
use super::params::{META, TASK};
use super::{Tag, optional, required, when};

pub(super) const CREATE_MESSAGE: Shape = Object(&[
    required("messages").list(D::SamplingMessage),
    required("maxTokens"),
    optional("systemPrompt"),
    optional("temperature"),
    optional("stopSequences"),
    optional("modelPreferences").one(D::ModelPreferences),
    optional("includeContext").deprecated(V2026_07_28),
    optional("tools").since(V2025_11_25).list(D::Tool),
    optional("toolChoice").since(V2025_11_25).one(D::ToolChoice),
    optional("metadata").opaque(),
    TASK,
    META,
]);

pub(super) const MESSAGE: Shape = Object(&[
    required("role"),
    required("content").until(V2025_11_25).one(D::SamplingMessageContentBlock),
    required("content").since(V2025_11_25).one_or_list(D::SamplingMessageContentBlock),
    optional("_meta").since(V2025_11_25).opaque(),
]);

pub(super) const CONTENT_BLOCK: Shape = Choice(
    Tag::Text("type"),
    &[
        when("text", D::TextContent),
        when("image", D::ImageContent),
        when("audio", D::AudioContent).since(V2025_03_26),
        when("tool_use", D::ToolUseContent).since(V2025_11_25),
        when("tool_result", D::ToolResultContent).since(V2025_11_25),
    ],
);

pub(super) const TOOL_USE: Shape = Object(&[
    required("type"),
    required("id"),
    required("name"),
    required("input").opaque(),
    optional("_meta").opaque(),
]);

pub(super) const TOOL_RESULT: Shape = Object(&[
    required("type"),
    required("toolUseId"),
    required("content").list(D::ContentBlock),
    optional("structuredContent").opaque(),
    optional("isError"),
    optional("_meta").opaque(),
]);

pub(super) const MODEL_PREFERENCES: Shape = Object(&[
    optional("hints").list(D::ModelHint),
    optional("costPriority"),
    optional("speedPriority"),
    optional("intelligencePriority"),
]);

pub(super) const MODEL_HINT: Shape = Object(&[optional("name")]);

pub(super) const TOOL_CHOICE: Shape = Object(&[optional("mode")]);

pub(super) const CREATE_MESSAGE_RESULT: Shape = Object(&[
    required("role"),
    required("content").until(V2025_11_25).one(D::SamplingMessageContentBlock),
    required("content").since(V2025_11_25).one_or_list(D::SamplingMessageContentBlock),
    required("model"),
    optional("stopReason"),
    optional("_meta").until(V2026_07_28).one(D::ResultMetaObject),
    optional("_meta").since(V2026_07_28).opaque(),
]);

/// An input request has no progress to tell of.
pub(super) const LIST_ROOTS: Shape = Object(&[META, optional("_meta").since(V2026_07_28).opaque()]);

pub(super) const LIST_ROOTS_RESULT: Shape =
    Object(&[required("roots").list(D::Root), optional("_meta").until(V2026_07_28).one(D::ResultMetaObject)]);
