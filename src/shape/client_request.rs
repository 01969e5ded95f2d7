//! A client's message on its way to a backend of another revision.

use super::error::ShapeError;
use super::plan::{Fate, Role, Row};
use super::reader::Reader;
use super::walk::{Care, Object, Walk, Walked};
use super::{Shaped, To};
use crate::json::{Cursor, Kind};
use crate::table::meta_key::{CLIENT_CAPABILITIES, PROTOCOL_VERSION};
use crate::table::{Definition, Feature, Method, Revision, ServerFeature, Standing};

/// Shapes a client's request or notification for a backend, which is the `reader`; a response passes as it is.
///
/// Only the parameters that the backend's revision does not have leave, and the keys of `_meta` that it does not know.
/// A request to a modern backend gets the envelope that it lacks; `capabilities`, a JSON object, is what its sender can
/// relay to a client.
///
/// # Errors
///
/// The message is malformed where shaping reads it.
pub fn shape_client_request<'a>(
    message: &'a [u8],
    capabilities: &[u8],
    reader: &Reader<'_>,
) -> Result<Shaped<'a>, ShapeError> {
    shape_client_request_from(None, message, capabilities, reader)
}

/// The same for a client of a revision that is known: a key that it does not have means nothing there, whatever it
/// means to the backend.
pub(crate) fn shape_client_request_from<'a>(
    client: Option<Revision>,
    message: &'a [u8],
    capabilities: &[u8],
    reader: &Reader<'_>,
) -> Result<Shaped<'a>, ShapeError> {
    let mut walk = Walk::new(Cursor::new(message, reader.policy.limits)?, reader);
    let place = walk.cursor.place();
    let [method, result, error] = walk.read_for(["method", "result", "error"])?;
    walk.cursor.end()?;
    if !method.is_present() {
        if !result.is_present() && !error.is_present() {
            return Err(ShapeError::new("a message has a method, a result or an error"));
        }
        return Ok(Shaped { body: walk.finish(), status: 200, to: To::Server });
    }
    walk.cursor.go_back(place);
    let envelope = walk.envelope()?;
    let method = Method::parse(&envelope.method);
    let enveloped = envelope.id.is_present() && reader.has(Feature::STATELESS);
    let capabilities = enveloped.then_some(capabilities);
    let client = client.filter(|_| reader.has(Feature::STATELESS));
    let mut care = Message { method, client, capabilities, met_params: false };
    walk.object_with(Definition::JSONRPCRequest, &mut care)?;
    Ok(Shaped { body: walk.finish(), status: 200, to: To::Server })
}

struct Message<'c> {
    method: Option<Method>,
    /// Whose keys in `_meta` count, where that is a question.
    client: Option<Revision>,
    /// The envelope's, where there has to be one.
    capabilities: Option<&'c [u8]>,
    met_params: bool,
}

impl Care for Message<'_> {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        if row.role != Role::Params {
            walk.cursor.value()?;
            return Ok(true);
        }
        if walk.cursor.peek() != Some(b'{') {
            // A null is no parameters; anything else is for the backend to refuse.
            let is_null = walk.cursor.value()?.kind() == Kind::Null;
            self.met_params = !is_null;
            return Ok(!is_null || self.capabilities.is_none());
        }
        self.met_params = true;
        let definition = self.method.map_or(Definition::ListRootsRequestParams, Method::params);
        let mut care = Parameters { client: self.client, capabilities: self.capabilities, met_meta: false };
        walk.object_with(definition, &mut care)?;
        Ok(true)
    }

    fn end(&mut self, walk: &mut Walk<'_, '_>, object: &mut Object) {
        if let Some(capabilities) = self.capabilities.filter(|_| !self.met_params) {
            let envelope = envelope(walk, capabilities);
            walk.add(object, "params", &[b"{\"_meta\":", &envelope, b"}"]);
        }
    }
}

/// A `_meta` that says no more than it must.
fn envelope(walk: &Walk<'_, '_>, capabilities: &[u8]) -> Vec<u8> {
    let version = walk.reader.revision.as_str();
    [format!("{{\"{PROTOCOL_VERSION}\":\"{version}\",\"{CLIENT_CAPABILITIES}\":").as_bytes(), capabilities, b"}"]
        .concat()
}

struct Parameters<'c> {
    client: Option<Revision>,
    capabilities: Option<&'c [u8]>,
    met_meta: bool,
}

impl Parameters<'_> {
    fn meta(&mut self, walk: &mut Walk<'_, '_>) -> Walked<bool> {
        if walk.cursor.peek() == Some(b'{') {
            self.met_meta = true;
            return walk.request_meta(self.client, self.capabilities);
        }
        walk.cursor.value()?;
        Ok(self.capabilities.is_none())
    }
}

impl Care for Parameters<'_> {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        match row.role {
            Role::Meta => self.meta(walk),
            // Of the requests that a client makes, a tool call alone has one.
            Role::Task => {
                walk.cursor.value()?;
                Ok(row.fate != Fate::Cut && walk.reader.policy.server.contains(ServerFeature::TASKS_TOOLS_CALL))
            }
            _ => {
                walk.cursor.value()?;
                Ok(row.fate != Fate::Cut)
            }
        }
    }

    /// The parameters of some requests are written down without `_meta`, which every request may have.
    fn unknown(&mut self, walk: &mut Walk<'_, '_>, name: &[u8]) -> Walked<bool> {
        if name != b"_meta" {
            walk.cursor.pass();
            return Ok(true);
        }
        if self.met_meta {
            return Err(ShapeError::new("stands here twice"));
        }
        self.meta(walk)
    }

    fn end(&mut self, walk: &mut Walk<'_, '_>, object: &mut Object) {
        if let Some(capabilities) = self.capabilities.filter(|_| !self.met_meta) {
            let envelope = envelope(walk, capabilities);
            walk.add(object, "_meta", &[&envelope]);
        }
    }
}

impl Walk<'_, '_> {
    /// Walks the `_meta` of a request; whether anything of it is left.
    fn request_meta(&mut self, client: Option<Revision>, capabilities: Option<&[u8]>) -> Walked<bool> {
        let version = format!("\"{}\"", self.reader.revision.as_str());
        let mut envelope: [(&str, Option<&[u8]>); 2] =
            [(PROTOCOL_VERSION, capabilities.map(|_| version.as_bytes())), (CLIENT_CAPABILITIES, capabilities)];
        let mut object = self.enter()?;
        while let Some(key) = self.next(&mut object)? {
            let name = key.name(self.text());
            let node = self.cursor.value().map_err(|fault| ShapeError::from(fault).in_member(&name))?;
            let lacks = |revision| matches!(Definition::meta_key(&name, revision), Standing::Lacks);
            let is_clients = !client.is_some_and(lacks);
            let mut keep = is_clients && !lacks(self.reader.revision);
            if let Some((key, wanted)) = envelope.iter_mut().find(|(key, _)| key.as_bytes() == name.as_ref()) {
                if let (Some(_), Some(wanted)) = (capabilities, wanted.take()) {
                    // The version is the backend's; capabilities that are there are the client's own.
                    keep = true;
                    let fits = if *key == PROTOCOL_VERSION {
                        node.token(self.text()) == wanted
                    } else {
                        is_clients && node.is_object()
                    };
                    if !fits {
                        self.patch.put(node.span(), &[wanted]);
                    }
                } else if capabilities.is_some() {
                    return Err(ShapeError::new("stands here twice").in_member(&name));
                }
            }
            self.settle(&mut object, keep);
        }
        for (name, wanted) in envelope {
            if let Some(wanted) = wanted {
                self.add(&mut object, name, &[wanted]);
            }
        }
        Ok(!object.is_emptied())
    }
}
