//! What every message is. A walk begins below it: an error answers `"id": null` where it knows none.

use super::Definition as D;
use super::Revision::*;
use super::Shape::{self, Object};
use super::{optional, required};

pub(super) const REQUEST: Shape =
    Object(&[required("jsonrpc"), required("id"), required("method"), optional("params").opaque()]);

pub(super) const NOTIFICATION: Shape = Object(&[required("jsonrpc"), required("method"), optional("params").opaque()]);

pub(super) const RESULT: Shape = Object(&[required("jsonrpc"), required("id"), required("result").one(D::EmptyResult)]);

pub(super) const ERROR: Shape = Object(&[
    required("jsonrpc"),
    required("id").until(V2025_11_25),
    optional("id").since(V2025_11_25),
    required("error").one(D::Error),
]);

pub(super) const ERROR_OBJECT: Shape = Object(&[required("code"), required("message"), optional("data").opaque()]);
