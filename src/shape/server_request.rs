//! A server's own request: on to a client that can take it, or back.

use super::answer::Answer;
use super::ask::Objections;
use super::envelope::check_id;
use super::error::ShapeError;
use super::plan::{Role, Row};
use super::reader::Reader;
use super::walk::{Care, Walk, Walked};
use super::{Shaped, To};
use crate::json::{Cursor, echo};
use crate::table::{CLIENT_PATHS, Channel, ClientFeature, Code, Definition, Feature, Method};

/// Shapes a request of the server, or answers it in the client's place.
///
/// # Errors
///
/// The message is malformed where shaping reads it.
pub fn shape_server_request<'a>(message: &'a [u8], reader: &Reader<'_>) -> Result<Shaped<'a>, ShapeError> {
    let mut walk = Walk::new(Cursor::new(message, reader.policy.limits)?, reader);
    let envelope = walk.envelope()?;
    check_id(envelope.id)?;
    let method = Method::parse(&envelope.method);
    let back = |answer: Answer| {
        let body = answer.message(envelope.id.token(message)).into();
        Ok(Shaped { body, status: answer.status(reader.era()), to: To::Server })
    };
    if !reader.may_be_asked(method) {
        let name = echo(&envelope.method);
        return back(Answer::error(Code::MethodNotFound, format!("Method not found: {name}")));
    }
    if method.is_some_and(|method| walk.needs_params(method)) && envelope.params.is_absent_or_null() {
        return Err(ShapeError::new("is missing").in_member(b"params"));
    }
    let mut care = Message { method, objections: Objections::default() };
    walk.object_with(Definition::JSONRPCRequest, &mut care)?;
    let Objections { unfit, missing } = care.objections;
    if let Some(why) = unfit {
        return back(Answer::error(Code::InvalidParams, format!("Invalid params: {why}")));
    }
    if !missing.is_empty() {
        let why = format!("Invalid params: the client did not declare {}", paths(missing));
        return back(Answer::error(Code::InvalidParams, why));
    }
    Ok(Shaped { body: walk.finish(), status: 200, to: To::Client })
}

impl Reader<'_> {
    /// Whether a server may send a request of this method on the wire, and the client can take it.
    fn may_be_asked(&self, method: Option<Method>) -> bool {
        let Some(method) = method else {
            return self.has(Feature::SERVER_REQUESTS); // other people's
        };
        self.revision.methods(Channel::ServerRequest, self.reading).contains(method)
            && (method != Method::ElicitationCreate || self.policy.elicitation)
            && !self.lacks(method.client_needs(Channel::ServerRequest, self.revision))
    }
}

/// The member paths of capabilities, for people.
fn paths(features: ClientFeature) -> String {
    let rows = CLIENT_PATHS.iter().filter(|row| !row.feature().is_empty() && features.contains(row.feature()));
    rows.map(|row| row.path().join(".")).collect::<Vec<_>>().join(" and ")
}

struct Message {
    method: Option<Method>,
    objections: Objections,
}

impl Care for Message {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        if row.role != Role::Params || row.optional && walk.cursor.peek() == Some(b'n') {
            return walk.member(row);
        }
        match self.method {
            Some(method) => walk.asked(method, &mut self.objections)?,
            None if walk.cursor.peek() == Some(b'{') => walk.object(Definition::ListRootsRequestParams)?,
            None => {
                walk.cursor.value()?;
            }
        }
        Ok(true)
    }
}
