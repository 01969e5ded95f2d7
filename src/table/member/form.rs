//! The schema of an elicitation's form: for reading, since a schema is never entered.

use super::Definition as D;
use super::Revision::*;
use super::Shape::{self, Choice, Object};
use super::{Member, Tag, optional, required, when};

const TITLE: Member = optional("title");
const DESCRIPTION: Member = optional("description");

pub(super) const REQUESTED_SCHEMA: Shape = Object(&[
    required("type"),
    required("properties").map(D::PrimitiveSchemaDefinition),
    optional("required"),
    optional("$schema").since(V2025_11_25),
]);

pub(super) const PROPERTY: Shape = Choice(
    Tag::Keywords,
    &[
        when("type string", D::StringSchema),
        when("type number or integer", D::NumberSchema),
        when("type boolean", D::BooleanSchema),
        when("enum with enumNames", D::LegacyTitledEnumSchema),
        when("enum", D::UntitledSingleSelectEnumSchema).since(V2025_11_25),
        when("oneOf", D::TitledSingleSelectEnumSchema).since(V2025_11_25),
        when("items.enum", D::UntitledMultiSelectEnumSchema).since(V2025_11_25),
        when("items.anyOf", D::TitledMultiSelectEnumSchema).since(V2025_11_25),
    ],
);

pub(super) const STRING: Shape = Object(&[
    required("type"),
    TITLE,
    DESCRIPTION,
    optional("minLength"),
    optional("maxLength"),
    optional("format"),
    optional("default").since(V2025_11_25),
]);

pub(super) const NUMBER: Shape = Object(&[
    required("type"),
    TITLE,
    DESCRIPTION,
    optional("minimum"),
    optional("maximum"),
    optional("default").since(V2025_11_25),
]);

pub(super) const BOOLEAN: Shape = Object(&[required("type"), TITLE, DESCRIPTION, optional("default")]);

/// The only choice of 2025-06-18.
pub(super) const LEGACY_CHOICE: Shape = Object(&[
    required("type"),
    TITLE,
    DESCRIPTION,
    required("enum"),
    optional("enumNames"),
    optional("default").since(V2025_11_25),
]);

pub(super) const UNTITLED_CHOICE: Shape =
    Object(&[required("type"), TITLE, DESCRIPTION, required("enum"), optional("default")]);

pub(super) const TITLED_CHOICE: Shape = Object(&[
    required("type"),
    TITLE,
    DESCRIPTION,
    required("oneOf").list(D::TitledSingleSelectOption),
    optional("default"),
]);

pub(super) const UNTITLED_CHOICES: Shape = Object(&[
    required("type"),
    TITLE,
    DESCRIPTION,
    required("items").one(D::UntitledMultiSelectItems),
    optional("minItems"),
    optional("maxItems"),
    optional("default"),
]);

pub(super) const UNTITLED_ITEMS: Shape = Object(&[required("type"), required("enum")]);

pub(super) const TITLED_CHOICES: Shape = Object(&[
    required("type"),
    TITLE,
    DESCRIPTION,
    required("items").one(D::TitledMultiSelectItems),
    optional("minItems"),
    optional("maxItems"),
    optional("default"),
]);

pub(super) const TITLED_ITEMS: Shape = Object(&[required("anyOf").list(D::TitledMultiSelectOption)]);

pub(super) const OPTION: Shape = Object(&[required("const"), required("title")]);
