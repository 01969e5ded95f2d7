//! Requests that travel inside a result, and the answers that a retry brings.

use super::Definition as D;
use super::Shape::{self, Choice, Map, Object};
use super::{Tag, optional, required, when};

pub(super) const REQUESTS: Shape = Map(D::InputRequest);

pub(super) const REQUEST: Shape = Choice(
    Tag::Text("method"),
    &[
        when("elicitation/create", D::ElicitRequest),
        when("sampling/createMessage", D::CreateMessageRequest),
        when("roots/list", D::ListRootsRequest),
    ],
);

pub(super) const ELICIT: Shape = Object(&[required("method"), required("params").one(D::ElicitRequestParams)]);

pub(super) const CREATE_MESSAGE: Shape =
    Object(&[required("method"), required("params").one(D::CreateMessageRequestParams)]);

pub(super) const LIST_ROOTS: Shape = Object(&[required("method"), optional("params").one(D::ListRootsRequestParams)]);

pub(super) const RESPONSES: Shape = Map(D::InputResponse);

/// An answer does not say what it answers: that is known from its key, or seen from a member it must have.
pub(super) const RESPONSE: Shape = Choice(
    Tag::Presence,
    &[when("action", D::ElicitResult), when("model", D::CreateMessageResult), when("roots", D::ListRootsResult)],
);
