//! Content blocks, the contents of resources, and what both carry.

use super::Definition as D;
use super::Revision::*;
use super::Shape::{self, Choice, Object};
use super::{Tag, optional, required, when};

pub(super) const CONTENT_BLOCK: Shape = Choice(
    Tag::Text("type"),
    &[
        when("text", D::TextContent),
        when("image", D::ImageContent),
        when("audio", D::AudioContent).since(V2025_03_26),
        when("resource", D::EmbeddedResource),
        when("resource_link", D::ResourceLink).since(V2025_06_18),
    ],
);

pub(super) const TEXT_CONTENT: Shape = Object(&[
    required("type"),
    required("text"),
    optional("annotations").one(D::Annotations),
    optional("_meta").since(V2025_06_18).opaque(),
]);

/// An image, and a sound too.
pub(super) const DATA_CONTENT: Shape = Object(&[
    required("type"),
    required("data"),
    required("mimeType"),
    optional("annotations").one(D::Annotations),
    optional("_meta").since(V2025_06_18).opaque(),
]);

pub(super) const EMBEDDED_RESOURCE: Shape = Object(&[
    required("type"),
    required("resource").one(D::ResourceContents),
    optional("annotations").one(D::Annotations),
    optional("_meta").since(V2025_06_18).opaque(),
]);

pub(super) const RESOURCE_LINK: Shape = Object(&[
    required("type"),
    required("uri"),
    required("name"),
    optional("title"),
    optional("description"),
    optional("mimeType"),
    optional("size"),
    optional("annotations").one(D::Annotations),
    optional("icons").since(V2025_11_25).list(D::Icon),
    optional("_meta").opaque(),
]);

pub(super) const RESOURCE_CONTENTS: Shape =
    Choice(Tag::Presence, &[when("text", D::TextResourceContents), when("blob", D::BlobResourceContents)]);

pub(super) const TEXT_RESOURCE_CONTENTS: Shape =
    Object(&[required("uri"), required("text"), optional("mimeType"), optional("_meta").since(V2025_06_18).opaque()]);

pub(super) const BLOB_RESOURCE_CONTENTS: Shape =
    Object(&[required("uri"), required("blob"), optional("mimeType"), optional("_meta").since(V2025_06_18).opaque()]);

pub(super) const ANNOTATIONS: Shape =
    Object(&[optional("audience"), optional("priority"), optional("lastModified").since(V2025_06_18)]);

pub(super) const ICON: Shape = Object(&[required("src"), optional("mimeType"), optional("sizes"), optional("theme")]);
