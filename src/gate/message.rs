//! The one pass: a message's members that the gate decides by, as kinds and spans.
//!
//! Nothing is judged here but the grammar: the rungs look at what was read afterwards, in their own order.

use crate::capabilities::Declared;
use crate::json::{Cursor, Fault, Kind, Node, Span};

use super::params::{Annotations, ParamValues};

/// The prefix of the keys that the specification reserves in `_meta`.
pub(crate) const META_CLAIM: &str = "io.modelcontextprotocol/protocolVersion";
pub(super) const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const META_CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
pub(crate) const META_LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

const CLAIM: &[u8] = META_CLAIM.as_bytes();
const CAPABILITIES: &[u8] = META_CAPABILITIES.as_bytes();
const CLIENT_INFO: &[u8] = META_CLIENT_INFO.as_bytes();
const LOG_LEVEL: &[u8] = META_LOG_LEVEL.as_bytes();

/// How the pass reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'g> {
    /// Every object's keys are compared, not only those of read objects.
    pub everywhere: bool,
    /// Keys that differ only by case are noted.
    pub case_variants: bool,
    /// The annotated parameters of each tool.
    pub annotations: &'g Annotations,
}

/// One message, as read.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub node: Node,
    pub jsonrpc: Node,
    pub id: Node,
    pub method: Node,
    pub params: Node,
    pub result: Node,
    pub error: Node,
    pub error_code: Node,
    pub error_text: Node,
    pub fields: Fields,
    pub meta: Meta,
    /// A read object says a key twice.
    pub duplicate: bool,
    /// The message says `id` twice.
    pub id_repeated: bool,
    /// Keys of a read object differ only by case.
    pub case_variant: bool,
    /// The values of the called tool's annotated parameters, where it has any.
    pub param_values: Option<ParamValues>,
}

/// The members of `params` that some rung reads.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub meta: Node,
    pub name: Node,
    pub uri: Node,
    pub level: Node,
    pub task_id: Node,
    pub arguments: Node,
    pub protocol_version: Node,
    pub capabilities: Node,
    pub client_info: Node,
    pub notifications: Node,
    pub input_responses: Node,
    /// Every member of `inputResponses` is an object.
    pub input_responses_are_objects: bool,
    pub request_state: Node,
    pub task: Node,
    /// What to cut so that `task` is gone and the rest stays JSON.
    pub task_cut: Span,
    pub declared: Declared,
    pub filter: FilterFields,
}

/// The members of a listen request's filter.
#[derive(Debug, Default)]
pub(super) struct FilterFields {
    pub tools_list_changed: Node,
    pub prompts_list_changed: Node,
    pub resources_list_changed: Node,
    pub resource_subscriptions: Node,
    pub resource_subscriptions_are_strings: bool,
    pub task_ids: Node,
    pub task_ids_are_strings: bool,
}

/// The members of `params._meta` that some rung reads.
#[derive(Debug, Default)]
pub(super) struct Meta {
    pub claim: Node,
    pub client_capabilities: Node,
    pub client_info: Node,
    pub log_level: Node,
    pub progress_token: Node,
    pub declared: Declared,
}

type Read<T> = Result<T, Fault>;

impl Reading<'_> {
    /// A cursor that reads as this says.
    pub(super) fn begin<'a>(&self, text: &'a [u8], limits: crate::json::Limits) -> Read<Cursor<'a>> {
        let mut cursor = Cursor::new(text, limits)?;
        if self.case_variants {
            cursor.note_case_variants();
        }
        Ok(cursor)
    }

    /// Passes over a value that no rung reads.
    #[inline]
    fn pass(&self, cursor: &mut Cursor<'_>) -> Node {
        if self.everywhere { cursor.pass_checked() } else { cursor.pass() }
    }

    /// Reads the message that stands here, an object.
    pub(super) fn message(&self, cursor: &mut Cursor<'_>, message: &mut Message) {
        let start = cursor.next_start();
        let text = cursor.text();
        let mut members = cursor.enter_object_reading(&["jsonrpc", "id", "method", "params", "result", "error"]);
        while let Some(key) = cursor.member(&mut members) {
            match &*key.name(text) {
                b"jsonrpc" => message.jsonrpc = self.pass(cursor),
                b"id" => {
                    message.id_repeated |= message.id.is_present();
                    message.id = self.pass(cursor);
                }
                b"method" => message.method = self.pass(cursor),
                b"params" => message.params = self.params(cursor, &mut message.fields, &mut message.meta),
                b"result" => message.result = self.pass(cursor),
                b"error" => message.error = self.error(cursor, message),
                _ => {
                    self.pass(cursor);
                }
            }
        }
        message.node = Node::between(Kind::Object, start, cursor.position());
        if let Some(tool) = self.annotations.of_call(message, text) {
            message.param_values = Some(tool.read(cursor, message.fields.arguments));
        }
        let second_look = message.param_values.as_ref();
        message.duplicate = cursor.saw_duplicate() || second_look.is_some_and(|look| look.duplicate);
        message.case_variant = cursor.saw_case_variant() || second_look.is_some_and(|look| look.case_variant);
    }

    fn error(&self, cursor: &mut Cursor<'_>, message: &mut Message) -> Node {
        if cursor.peek() != Some(b'{') {
            return self.pass(cursor);
        }
        let start = cursor.position();
        let mut members = cursor.enter_object_reading(&["code", "message"]);
        while let Some(key) = cursor.member(&mut members) {
            let value = self.pass(cursor);
            match &*key.name(cursor.text()) {
                b"code" => message.error_code = value,
                b"message" => message.error_text = value,
                _ => {}
            }
        }
        Node::between(Kind::Object, start, cursor.position())
    }

    fn params(&self, cursor: &mut Cursor<'_>, fields: &mut Fields, meta: &mut Meta) -> Node {
        if cursor.peek() != Some(b'{') {
            return self.pass(cursor);
        }
        let start = cursor.position();
        let text = cursor.text();
        let mut members = cursor.enter_object_reading(&[
            "_meta",
            "name",
            "uri",
            "level",
            "taskId",
            "arguments",
            "protocolVersion",
            "capabilities",
            "clientInfo",
            "notifications",
            "inputResponses",
            "requestState",
            "task",
        ]);
        let mut cut = TaskCut::default();
        while let Some(key) = cursor.member(&mut members) {
            cut.next_member(key.span().start - 1);
            match &*key.name(text) {
                b"_meta" => fields.meta = self.meta(cursor, meta),
                b"name" => fields.name = self.pass(cursor),
                b"uri" => fields.uri = self.pass(cursor),
                b"level" => fields.level = self.pass(cursor),
                b"taskId" => fields.task_id = self.pass(cursor),
                b"arguments" => fields.arguments = self.members_once(cursor),
                b"protocolVersion" => fields.protocol_version = self.pass(cursor),
                b"capabilities" => (fields.capabilities, fields.declared) = declared(cursor),
                b"clientInfo" => fields.client_info = cursor.pass_checked(),
                b"notifications" => fields.notifications = filter(cursor, &mut fields.filter),
                b"inputResponses" => {
                    (fields.input_responses, fields.input_responses_are_objects) = self.input_responses(cursor);
                }
                b"requestState" => fields.request_state = self.pass(cursor),
                b"task" => {
                    fields.task = self.pass(cursor);
                    cut.is_task(key.span().start - 1, fields.task.span().end);
                }
                _ => {
                    self.pass(cursor);
                }
            }
            cut.end_of_member(cursor.position());
        }
        fields.task_cut = cut.span();
        Node::between(Kind::Object, start, cursor.position())
    }

    fn meta(&self, cursor: &mut Cursor<'_>, meta: &mut Meta) -> Node {
        if cursor.peek() != Some(b'{') {
            return self.pass(cursor);
        }
        let start = cursor.position();
        let text = cursor.text();
        let mut members = cursor.enter_object_reading(&[
            META_CLAIM,
            META_CAPABILITIES,
            META_CLIENT_INFO,
            META_LOG_LEVEL,
            "progressToken",
        ]);
        while let Some(key) = cursor.member(&mut members) {
            match &*key.name(text) {
                CLAIM => meta.claim = self.pass(cursor),
                CAPABILITIES => (meta.client_capabilities, meta.declared) = declared(cursor),
                CLIENT_INFO => meta.client_info = cursor.pass_checked(),
                LOG_LEVEL => meta.log_level = self.pass(cursor),
                b"progressToken" => meta.progress_token = self.pass(cursor),
                _ => {
                    self.pass(cursor);
                }
            }
        }
        Node::between(Kind::Object, start, cursor.position())
    }

    /// An object whose own keys are compared, and those of the values in it only under the wider rule.
    fn members_once(&self, cursor: &mut Cursor<'_>) -> Node {
        if cursor.peek() != Some(b'{') {
            return self.pass(cursor);
        }
        let start = cursor.position();
        let mut members = cursor.enter_object();
        while cursor.member(&mut members).is_some() {
            self.pass(cursor);
        }
        Node::between(Kind::Object, start, cursor.position())
    }

    fn input_responses(&self, cursor: &mut Cursor<'_>) -> (Node, bool) {
        if cursor.peek() != Some(b'{') {
            return (self.pass(cursor), false);
        }
        let start = cursor.position();
        let mut objects = true;
        let mut members = cursor.enter_object();
        while if self.everywhere { cursor.member(&mut members) } else { cursor.unchecked_member(&mut members) }
            .is_some()
        {
            objects &= self.pass(cursor).is_object();
        }
        (Node::between(Kind::Object, start, cursor.position()), objects)
    }
}

/// A capability object, or whatever stands in its place, and what it declares.
fn declared(cursor: &mut Cursor<'_>) -> (Node, Declared) {
    let start = cursor.next_start();
    let declared = Declared::read(cursor);
    let kind = match (declared.is_object(), cursor.text().get(start)) {
        (true, _) => Kind::Object,
        (false, Some(b'n')) => Kind::Null,
        // No rung asks what else it is.
        (false, _) => Kind::Array,
    };
    (Node::between(kind, start, cursor.position()), declared)
}

fn filter(cursor: &mut Cursor<'_>, filter: &mut FilterFields) -> Node {
    if cursor.peek() != Some(b'{') {
        return cursor.pass_checked();
    }
    let start = cursor.position();
    let text = cursor.text();
    let mut members = cursor.enter_object_reading(&[
        "toolsListChanged",
        "promptsListChanged",
        "resourcesListChanged",
        "resourceSubscriptions",
        "taskIds",
    ]);
    while let Some(key) = cursor.member(&mut members) {
        match &*key.name(text) {
            b"toolsListChanged" => filter.tools_list_changed = cursor.pass_checked(),
            b"promptsListChanged" => filter.prompts_list_changed = cursor.pass_checked(),
            b"resourcesListChanged" => filter.resources_list_changed = cursor.pass_checked(),
            b"resourceSubscriptions" => {
                (filter.resource_subscriptions, filter.resource_subscriptions_are_strings) = strings(cursor);
            }
            b"taskIds" => (filter.task_ids, filter.task_ids_are_strings) = strings(cursor),
            _ => {
                cursor.pass_checked();
            }
        }
    }
    Node::between(Kind::Object, start, cursor.position())
}

/// Any value, and whether it is an array of strings.
fn strings(cursor: &mut Cursor<'_>) -> (Node, bool) {
    if cursor.peek() != Some(b'[') {
        return (cursor.pass_checked(), false);
    }
    let start = cursor.position();
    let mut all = true;
    let Ok(mut elements) = cursor.open_array() else {
        return (Node::ABSENT, false);
    };
    while cursor.next_element(&mut elements).unwrap_or(false) {
        all &= cursor.pass_checked().is_string();
    }
    (Node::between(Kind::Array, start, cursor.position()), all)
}

/// Where `task` stands among the members of `params`.
#[derive(Default)]
struct TaskCut {
    previous_end: Option<u32>,
    cut: Span,
    waits_for_next: bool,
}

impl TaskCut {
    /// A member begins with the quote at `quote`: a `task` before it is cut up to here.
    #[inline]
    const fn next_member(&mut self, quote: u32) {
        if self.waits_for_next {
            self.cut.end = quote;
            self.waits_for_next = false;
        }
    }

    /// This member is it; as the last one it is cut from the end of the member before.
    const fn is_task(&mut self, quote: u32, end: u32) {
        self.cut = Span { start: quote, end };
        self.waits_for_next = true;
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // the cursor refuses longer texts
    const fn end_of_member(&mut self, end: usize) {
        if !self.waits_for_next {
            self.previous_end = Some(end as u32);
        }
    }

    const fn span(&self) -> Span {
        match (self.waits_for_next, self.previous_end) {
            (true, Some(end)) => Span { start: end, end: self.cut.end },
            _ => self.cut,
        }
    }
}
