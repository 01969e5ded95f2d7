//! What a server or a client has: tools, prompts, resources, roots, and the implementations themselves.

use super::Definition as D;
use super::Revision::*;
use super::Shape::{self, Object};
use super::{optional, required};

pub(super) const IMPLEMENTATION: Shape = Object(&[
    required("name"),
    required("version"),
    optional("title").since(V2025_06_18),
    optional("description").since(V2025_11_25),
    optional("icons").since(V2025_11_25).list(D::Icon),
    optional("websiteUrl").since(V2025_11_25),
]);

pub(super) const TOOL: Shape = Object(&[
    required("name"),
    optional("title").since(V2025_06_18),
    optional("description"),
    required("inputSchema").schema(D::ToolInputSchema),
    optional("outputSchema").since(V2025_06_18).schema(D::ToolOutputSchema),
    optional("annotations").since(V2025_03_26).one(D::ToolAnnotations),
    optional("execution").since(V2025_11_25).until(V2026_07_28).one(D::ToolExecution),
    optional("icons").since(V2025_11_25).list(D::Icon),
    optional("_meta").since(V2025_06_18).opaque(),
]);

/// From 2026-07-28 the specification's schema no longer names the keywords that it still allows.
pub(super) const TOOL_INPUT_SCHEMA: Shape = Object(&[
    required("type"),
    optional("$schema").since(V2025_11_25),
    optional("properties").until(V2026_07_28).opaque(),
    optional("required").until(V2026_07_28),
]);

/// As with the input's, but for the root type, which from 2026-07-28 is free.
pub(super) const TOOL_OUTPUT_SCHEMA: Shape = Object(&[
    required("type").until(V2026_07_28),
    optional("$schema").since(V2025_11_25),
    optional("properties").until(V2026_07_28).opaque(),
    optional("required").until(V2026_07_28),
]);

pub(super) const TOOL_ANNOTATIONS: Shape = Object(&[
    optional("title"),
    optional("readOnlyHint"),
    optional("destructiveHint"),
    optional("idempotentHint"),
    optional("openWorldHint"),
]);

pub(super) const TOOL_EXECUTION: Shape = Object(&[optional("taskSupport")]);

pub(super) const PROMPT: Shape = Object(&[
    required("name"),
    optional("title").since(V2025_06_18),
    optional("description"),
    optional("arguments").list(D::PromptArgument),
    optional("icons").since(V2025_11_25).list(D::Icon),
    optional("_meta").since(V2025_06_18).opaque(),
]);

pub(super) const PROMPT_ARGUMENT: Shape =
    Object(&[required("name"), optional("title").since(V2025_06_18), optional("description"), optional("required")]);

pub(super) const PROMPT_MESSAGE: Shape = Object(&[required("role"), required("content").one(D::ContentBlock)]);

pub(super) const RESOURCE: Shape = Object(&[
    required("uri"),
    required("name"),
    optional("title").since(V2025_06_18),
    optional("description"),
    optional("mimeType"),
    optional("size"),
    optional("annotations").one(D::Annotations),
    optional("icons").since(V2025_11_25).list(D::Icon),
    optional("_meta").since(V2025_06_18).opaque(),
]);

pub(super) const RESOURCE_TEMPLATE: Shape = Object(&[
    required("uriTemplate"),
    required("name"),
    optional("title").since(V2025_06_18),
    optional("description"),
    optional("mimeType"),
    optional("annotations").one(D::Annotations),
    optional("icons").since(V2025_11_25).list(D::Icon),
    optional("_meta").since(V2025_06_18).opaque(),
]);

pub(super) const ROOT: Shape =
    Object(&[required("uri"), optional("name"), optional("_meta").since(V2025_06_18).opaque()]);
