//! What a verdict knows of a request, as kinds and spans into its body.

use crate::json::{Node, Span};
use crate::session::Session;
use crate::table::{ClientFeature, Era, Method, Revision};

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// It has an id and a method.
    Request,
    /// It has a method and no id.
    Notification,
    /// It answers a request of the server.
    Response,
    /// An array of messages.
    Batch,
    /// GET: a stream is opened; there is no message.
    Stream,
    /// DELETE: a session ends; there is no message.
    SessionEnd,
}

impl MessageKind {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Response => "response",
            Self::Batch => "batch",
            Self::Stream => "stream",
            Self::SessionEnd => "session_end",
        }
    }
}

/// What the revision was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionSource {
    /// The version header.
    Header,
    /// The claim in the body.
    Body,
    /// The session.
    Session,
    /// Nothing says it; the policy assumes it.
    Assumed,
    /// The handshake that this request is.
    Handshake,
}

impl VersionSource {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Body => "body",
            Self::Session => "session",
            Self::Assumed => "assumed",
            Self::Handshake => "handshake",
        }
    }
}

/// Where the client's capabilities stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientSource {
    /// Nowhere: they are unknown, which is not undeclared.
    #[default]
    Unknown,
    /// In this span of the body; an empty span declares nothing.
    Body(Span),
    /// In the session.
    Session,
}

/// What a listen request may watch: what it asked for and the server publishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // the wire's members
pub struct SubscriptionFilter {
    /// `toolsListChanged`
    pub tools_list_changed: bool,
    /// `promptsListChanged`
    pub prompts_list_changed: bool,
    /// `resourcesListChanged`
    pub resources_list_changed: bool,
    /// `resourceSubscriptions`: an array of strings in the body.
    pub resource_subscriptions: Option<Span>,
    /// `taskIds`: an array of strings in the body.
    pub task_ids: Option<Span>,
}

impl SubscriptionFilter {
    /// The switches under their names on the wire.
    #[must_use]
    pub const fn switches(&self) -> [(&'static str, bool); 3] {
        [
            ("toolsListChanged", self.tools_list_changed),
            ("promptsListChanged", self.prompts_list_changed),
            ("resourcesListChanged", self.resources_list_changed),
        ]
    }

    /// The lists under their names on the wire.
    #[must_use]
    pub const fn lists(&self) -> [(&'static str, Option<Span>); 2] {
        [("resourceSubscriptions", self.resource_subscriptions), ("taskIds", self.task_ids)]
    }
}

/// The facts of one request; a member is absent where it does not apply or was not reached.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// What the message is.
    pub kind: Option<MessageKind>,
    /// The era whose rules were applied.
    pub era: Option<Era>,
    /// The revision that the request is processed under.
    pub revision: Option<Revision>,
    /// What the revision was taken from.
    pub version_source: Option<VersionSource>,
    /// The method, where the table has it.
    pub method: Option<Method>,
    /// The method's token.
    pub method_node: Node,
    /// The id's token.
    pub id: Node,
    /// The parameter that names the request's target.
    pub name: Node,
    /// Where the client's capabilities stand.
    pub client: ClientSource,
    /// What the client declared and the revision has.
    pub client_features: ClientFeature,
    /// The client's implementation.
    pub client_info: Node,
    /// The log level that a modern request asks for.
    pub log_level: Node,
    /// The progress token.
    pub progress_token: Node,
    /// `initialize`: the revision that the client asked for.
    pub requested: Node,
    /// `initialize`: the revision that the gate would answer.
    pub negotiated: Option<Revision>,
    /// Whether the table has the method.
    pub known_method: Option<bool>,
    /// A notification: hand it on, or drop it.
    pub deliver: Option<bool>,
    /// The part of the body that is cut out because the receiver must ignore `task`.
    pub strip_task: Option<Span>,
    /// A multi-round-trip retry.
    pub retry: bool,
    /// A listen request's filter, cut down to what is served.
    pub subscription_filter: Option<SubscriptionFilter>,
    /// It was judged by its headers, too: not on a hop that has none, and not as an element of a batch.
    pub has_headers: bool,
    /// There is a session header, whether or not it means anything.
    pub names_session: bool,
    /// The session header, where it is not ignored.
    pub session_id: Option<Box<[u8]>>,
    /// The session that the host knows.
    pub session: Option<Box<Session>>,
    /// GET: the last event that the client has.
    pub last_event_id: Option<Box<[u8]>>,
}
