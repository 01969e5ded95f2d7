//! What a server tells without being asked: some of it only who asked for it may hear.

use super::error::ShapeError;
use super::meta::{Stamp, stamp};
use super::plan::{Role, Row};
use super::reader::{LogLevel, Reader, SubscriptionFilter};
use super::walk::{Care, Object, Walk, Walked};
use super::{Shaped, To};
use crate::json::{Cursor, Kind, Node};
use crate::table::{Channel, Definition, Feature, Method};

/// Shapes a server's notification; none where it must not be sent.
///
/// # Errors
///
/// The message is malformed where shaping reads it.
pub fn shape_notification<'a>(message: &'a [u8], reader: &Reader<'_>) -> Result<Option<Shaped<'a>>, ShapeError> {
    let mut walk = Walk::new(Cursor::new(message, reader.policy.limits)?, reader);
    let envelope = walk.envelope()?;
    if envelope.id.is_present() {
        return Err(ShapeError::new("a notification has none").in_member(b"id"));
    }
    let method = Method::parse(&envelope.method);
    if let Some(method) = method {
        let listed = reader.revision.methods(Channel::ServerNotification, reader.reading);
        let heard = || walk.is_heard(method, envelope.params).map_err(|error| error.in_member(b"params"));
        if !listed.contains(method) || !heard()? {
            return Ok(None);
        }
    }
    let mut care = Message {
        params: method.map_or(Definition::NotificationParams, Method::params),
        vendor: method.is_none(),
        id: reader.stamp(),
        met_params: false,
    };
    walk.object_with(Definition::JSONRPCNotification, &mut care)?;
    Ok(Some(Shaped { body: walk.finish(), status: 200, to: To::Client }))
}

impl<'a> Reader<'a> {
    /// The id of the listen request, where each message on its stream must name it.
    pub(super) fn stamp(&self) -> Option<&'a [u8]> {
        self.listens().filter(|_| self.has(Feature::SUBSCRIPTION_ID))?;
        self.request?.id.as_deref()
    }
}

impl Walk<'_, '_> {
    /// Whether the reader asked for a notification that its revision lists.
    ///
    /// Spec: 2026-07-28 basic/transports/streamable-http, server/utilities/logging, basic/patterns/subscriptions;
    /// progress: every revision, basic progress.
    fn is_heard(&self, method: Method, params: Node) -> Walked<bool> {
        let Some(request) = self.reader.request else { return Ok(true) };
        let listens = self.reader.listens();
        let by_stream = self.has(Feature::SUBSCRIPTIONS_LISTEN);
        let subscribed = |to: fn(&SubscriptionFilter) -> bool| !by_stream || listens.is_some_and(to);
        Ok(match method {
            Method::Progress => {
                let [token] = self.parameters(params, ["progressToken"])?;
                if !token.is_string() && token.kind() != Kind::Integer {
                    return Err(ShapeError::new("must be a string or an integer").in_member(b"progressToken"));
                }
                let asked =
                    request.progress_token.as_deref().is_some_and(|asked| same_token(asked, token, self.text()));
                asked && !(by_stream && listens.is_some())
            }
            Method::Message if self.has(Feature::REQUEST_LOG_LEVEL) => {
                let (Some(asked), None) = (request.log_level, listens) else { return Ok(false) };
                let [level] = self.parameters(params, ["level"])?;
                match level.text(self.text()).and_then(|level| LogLevel::parse(&level)) {
                    Some(level) => level >= asked,
                    None => return Err(ShapeError::new("must be a logging level").in_member(b"level")),
                }
            }
            Method::ToolsListChanged => subscribed(|filter| filter.tools_list_changed),
            Method::PromptsListChanged => subscribed(|filter| filter.prompts_list_changed),
            Method::ResourcesListChanged => subscribed(|filter| filter.resources_list_changed),
            Method::ResourcesUpdated => subscribed(|filter| filter.resource_subscriptions),
            Method::SubscriptionsAcknowledged => listens.is_some(),
            Method::Tasks => {
                let Some(filter) = listens else { return Ok(false) };
                let [task] = self.parameters(params, ["taskId"])?;
                let Some(task) = task.text(self.text()) else {
                    return Err(ShapeError::new("must be a string").in_member(b"taskId"));
                };
                filter.task_ids.iter().any(|id| id.as_bytes() == task.as_ref())
            }
            _ => true,
        })
    }

    fn parameters<const N: usize>(&self, params: Node, names: [&'static str; N]) -> Walked<[Node; N]> {
        if !params.is_object() {
            return Err(ShapeError::new("must be an object"));
        }
        self.inside(params).look_for(names)
    }
}

/// Whether a token is the one that was asked with; `asked` is a JSON text.
pub(super) fn same_token(asked: &[u8], token: Node, text: &[u8]) -> bool {
    if !token.is_string() {
        return asked == token.token(text);
    }
    let mut cursor = Cursor::resume(asked, 0, 0, crate::json::Limits::DEFAULT);
    cursor.value().is_ok_and(|node| node.is_string() && node.text(asked) == token.text(text))
}

/// Who cares for a notification.
struct Message<'s> {
    params: Definition,
    vendor: bool,
    id: Option<&'s [u8]>,
    met_params: bool,
}

impl Care for Message<'_> {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        if row.role != Role::Params || row.optional && walk.cursor.peek() == Some(b'n') {
            return walk.member(row);
        }
        self.met_params = true;
        if self.vendor && self.id.is_none() && walk.cursor.peek() != Some(b'{') {
            walk.cursor.value()?;
            return Ok(true);
        }
        walk.object_with(self.params, &mut Parameters(Stamp::new(self.id)))?;
        Ok(true)
    }

    fn end(&mut self, walk: &mut Walk<'_, '_>, object: &mut Object) {
        if let Some(id) = self.id.filter(|_| !self.met_params) {
            let [open, name, colon, id, close] = stamp(id);
            walk.add(object, "params", &[b"{\"_meta\":", open, name, colon, id, close, b"}"]);
        }
    }
}

struct Parameters<'s>(Stamp<'s>);

impl Care for Parameters<'_> {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        if row.role == Role::Meta { self.0.member(walk, row) } else { walk.member(row) }
    }

    fn end(&mut self, walk: &mut Walk<'_, '_>, object: &mut Object) {
        self.0.end(walk, object);
    }
}
