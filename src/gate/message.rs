//! The one pass: a message's members that the gate decides by, as kinds and spans.
//!
//! Nothing is judged here but the grammar: the rungs look at what was read afterwards, in their own order.

use crate::capabilities::Declared;
use crate::json::{Cursor, Fault, Kind, Node, Span, names};
use crate::table::meta_key;

use super::params::{Annotations, ParamValues};

names! {
    /// The members of a message.
    enum Member {
        JsonRpc = "jsonrpc",
        Id = "id",
        Method = "method",
        Params = "params",
        Result = "result",
        Error = "error",
    }
}

names! {
    /// The members of `error`.
    enum ErrorMember {
        Code = "code",
        Message = "message",
    }
}

names! {
    /// The members of `params`.
    enum Param {
        Name = "name",
        Arguments = "arguments",
        Meta = "_meta",
        Uri = "uri",
        ProtocolVersion = "protocolVersion",
        Capabilities = "capabilities",
        ClientInfo = "clientInfo",
        Level = "level",
        TaskId = "taskId",
        Task = "task",
        InputResponses = "inputResponses",
        RequestState = "requestState",
        Notifications = "notifications",
    }
}

names! {
    /// The members of `params._meta`.
    enum MetaMember {
        Claim = meta_key::PROTOCOL_VERSION,
        ClientInfo = meta_key::CLIENT_INFO,
        Capabilities = meta_key::CLIENT_CAPABILITIES,
        ProgressToken = meta_key::PROGRESS_TOKEN,
        LogLevel = meta_key::LOG_LEVEL,
    }
}

names! {
    /// The members of a listen request's filter.
    enum FilterMember {
        ToolsListChanged = "toolsListChanged",
        PromptsListChanged = "promptsListChanged",
        ResourcesListChanged = "resourcesListChanged",
        ResourceSubscriptions = "resourceSubscriptions",
        TaskIds = "taskIds",
    }
}

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
        let start = cursor.position();
        let text = cursor.text();
        let mut members = cursor.enter_object_reading(Member::ALL);
        let mut found = Member::nothing();
        while let Some(name) = cursor.named_member(&mut members, Member::at, Member::of) {
            let value = match name {
                Member::Params => self.params(cursor, &mut message.fields, &mut message.meta),
                Member::Error => self.error(cursor, message),
                Member::Id => {
                    message.id_repeated |= found[Member::Id as usize].is_present();
                    self.pass(cursor)
                }
                _ => self.pass(cursor),
            };
            put(&mut found[name as usize], value, name == Member::Other, cursor);
        }
        [message.jsonrpc, message.id, message.method, message.params, message.result, message.error, _] = found;
        message.node = Node::between(Kind::Object, start, cursor.position());
        if let Some(tool) = self.annotations.of_call(message, text) {
            message.param_values = Some(tool.read(cursor, message.fields.arguments));
        }
        let second_look = message.param_values.as_ref();
        message.duplicate = cursor.saw_duplicate() || second_look.is_some_and(|look| look.duplicate);
        message.case_variant = cursor.saw_case_variant() || second_look.is_some_and(|look| look.case_variant);
    }

    fn error(&self, cursor: &mut Cursor<'_>, message: &mut Message) -> Node {
        if cursor.here() != Some(b'{') {
            return self.pass(cursor);
        }
        let start = cursor.position();
        let mut members = cursor.enter_object_reading(ErrorMember::ALL);
        let mut found = ErrorMember::nothing();
        while let Some(name) = cursor.named_member(&mut members, ErrorMember::at, ErrorMember::of) {
            let value = self.pass(cursor);
            put(&mut found[name as usize], value, name == ErrorMember::Other, cursor);
        }
        [message.error_code, message.error_text, _] = found;
        Node::between(Kind::Object, start, cursor.position())
    }

    fn params(&self, cursor: &mut Cursor<'_>, fields: &mut Fields, meta: &mut Meta) -> Node {
        if cursor.here() != Some(b'{') {
            return self.pass(cursor);
        }
        let start = cursor.position();
        let mut members = cursor.enter_object_reading(Param::ALL);
        let mut found = Param::nothing();
        let mut cut = TaskCut::default();
        while let Some(name) = cursor.named_member(&mut members, Param::at, Param::of) {
            cut.next_member(members.quote());
            let value = match name {
                Param::Meta => self.meta(cursor, meta),
                Param::Arguments => self.members_once(cursor),
                Param::Capabilities => declared(cursor, &mut fields.declared),
                Param::ClientInfo => cursor.pass_checked(),
                Param::Notifications => filter(cursor, &mut fields.filter),
                Param::InputResponses => self.input_responses(cursor, &mut fields.input_responses_are_objects),
                _ => self.pass(cursor),
            };
            if name == Param::Task {
                cut.is_task(members.quote(), value.span().end);
            }
            put(&mut found[name as usize], value, name == Param::Other, cursor);
            cut.end_of_member(cursor.position());
        }
        [
            fields.name,
            fields.arguments,
            fields.meta,
            fields.uri,
            fields.protocol_version,
            fields.capabilities,
            fields.client_info,
            fields.level,
            fields.task_id,
            fields.task,
            fields.input_responses,
            fields.request_state,
            fields.notifications,
            _,
        ] = found;
        fields.task_cut = cut.span();
        Node::between(Kind::Object, start, cursor.position())
    }

    fn meta(&self, cursor: &mut Cursor<'_>, meta: &mut Meta) -> Node {
        if cursor.here() != Some(b'{') {
            return self.pass(cursor);
        }
        let start = cursor.position();
        let mut members = cursor.enter_object_reading(MetaMember::ALL);
        let mut found = MetaMember::nothing();
        while let Some(name) = cursor.named_member(&mut members, MetaMember::at, MetaMember::of) {
            let value = match name {
                MetaMember::Capabilities => declared(cursor, &mut meta.declared),
                MetaMember::ClientInfo => cursor.pass_checked(),
                _ => self.pass(cursor),
            };
            put(&mut found[name as usize], value, name == MetaMember::Other, cursor);
        }
        [meta.claim, meta.client_info, meta.client_capabilities, meta.progress_token, meta.log_level, _] = found;
        Node::between(Kind::Object, start, cursor.position())
    }

    /// An object whose own keys are compared, and those of the values in it only under the wider rule.
    fn members_once(&self, cursor: &mut Cursor<'_>) -> Node {
        if cursor.here() != Some(b'{') {
            return self.pass(cursor);
        }
        let start = cursor.position();
        let mut members = cursor.enter_object();
        while cursor.next_of_many(&mut members).is_some() {
            self.pass(cursor);
        }
        Node::between(Kind::Object, start, cursor.position())
    }

    fn input_responses(&self, cursor: &mut Cursor<'_>, are_objects: &mut bool) -> Node {
        *are_objects = false;
        if cursor.here() != Some(b'{') {
            return self.pass(cursor);
        }
        let start = cursor.position();
        *are_objects = true;
        let mut members = cursor.enter_object();
        while if self.everywhere { cursor.member(&mut members) } else { cursor.unchecked_member(&mut members) }
            .is_some()
        {
            *are_objects &= self.pass(cursor).is_object();
        }
        Node::between(Kind::Object, start, cursor.position())
    }
}

/// Puts a member where it belongs; a place that is taken was said before, but for the one of all other members.
#[inline]
fn put(place: &mut Node, value: Node, is_other: bool, cursor: &mut Cursor<'_>) {
    cursor.note_duplicate(place.is_present() && !is_other);
    *place = value;
}

/// A capability object, or whatever stands in its place, and what it declares.
fn declared(cursor: &mut Cursor<'_>, declared: &mut Declared) -> Node {
    let start = cursor.position();
    *declared = Declared::read(cursor);
    let kind = match (declared.is_object(), cursor.text().get(start)) {
        (true, _) => Kind::Object,
        (false, Some(b'n')) => Kind::Null,
        // No rung asks what else it is.
        (false, _) => Kind::Array,
    };
    Node::between(kind, start, cursor.position())
}

fn filter(cursor: &mut Cursor<'_>, filter: &mut FilterFields) -> Node {
    if cursor.here() != Some(b'{') {
        return cursor.pass_checked();
    }
    let start = cursor.position();
    let mut members = cursor.enter_object_reading(FilterMember::ALL);
    let mut found = FilterMember::nothing();
    while let Some(name) = cursor.named_member(&mut members, FilterMember::at, FilterMember::of) {
        let value = match name {
            FilterMember::ResourceSubscriptions => strings(cursor, &mut filter.resource_subscriptions_are_strings),
            FilterMember::TaskIds => strings(cursor, &mut filter.task_ids_are_strings),
            _ => cursor.pass_checked(),
        };
        put(&mut found[name as usize], value, name == FilterMember::Other, cursor);
    }
    [
        filter.tools_list_changed,
        filter.prompts_list_changed,
        filter.resources_list_changed,
        filter.resource_subscriptions,
        filter.task_ids,
        _,
    ] = found;
    Node::between(Kind::Object, start, cursor.position())
}

/// Any value, and whether it is an array of strings.
fn strings(cursor: &mut Cursor<'_>, are_strings: &mut bool) -> Node {
    *are_strings = false;
    if cursor.here() != Some(b'[') {
        return cursor.pass_checked();
    }
    let start = cursor.position();
    let Ok(mut elements) = cursor.open_array() else {
        return Node::ABSENT;
    };
    *are_strings = true;
    while cursor.next_element(&mut elements).unwrap_or(false) {
        *are_strings &= cursor.pass_checked().is_string();
    }
    Node::between(Kind::Array, start, cursor.position())
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
