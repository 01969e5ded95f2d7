//! Elicitation: the two modes, the answer, and the schema of a form.

use super::Definition as D;
use super::Revision::*;
use super::Shape::{self, Choice, Object};
use super::params::{META, TASK};
use super::{Tag, optional, required, when};

pub(super) const PARAMS: Shape = Choice(
    Tag::Text("mode"),
    &[when("form", D::ElicitRequestFormParams), when("url", D::ElicitRequestURLParams).since(V2025_11_25)],
);

pub(super) const FORM: Shape = Object(&[
    required("message"),
    optional("mode").since(V2025_11_25),
    required("requestedSchema").schema(D::ElicitRequestedSchema),
    TASK,
    META,
]);

pub(super) const URL: Shape = Object(&[
    required("message"),
    required("mode"),
    required("url"),
    required("elicitationId").until(V2026_07_28),
    TASK,
    META,
]);

pub(super) const RESULT: Shape = Object(&[
    required("action"),
    optional("content").opaque(),
    optional("_meta").until(V2026_07_28).one(D::ResultMetaObject),
]);

pub(super) const COMPLETE: Shape = Object(&[required("elicitationId")]);
