//! Everything that came or went between revisions, by name.

use bitflags::{Flags, bitflags};

use super::Revision::{self, *};
use super::capability::TASKS_EXTENSION;
use super::span::sets;
use super::{Reading, Span, Spans};

bitflags! {
    /// Things that some revisions have and others lack.
    ///
    /// The first eight are the profile record's fields.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Feature: u128 {
        // The record's eight.
        /// Each request carries its own context; there is no handshake and any node may answer.
        const STATELESS = 1 << 0;
        /// The completions capability may be published and `completion/complete` asked.
        const COMPLETIONS = 1 << 1;
        /// The server may ask the client's user for input while a request runs.
        const ELICITATION = 1 << 2;
        /// A progress notification may carry a text.
        const PROGRESS_MESSAGE = 1 << 3;
        /// `resources.subscribe` may be published, so that a client may watch a resource.
        const RESOURCE_SUBSCRIPTIONS = 1 << 4;
        /// A sampling request may carry `tools` and `toolChoice`.
        const SAMPLING_TOOLS = 1 << 5;
        /// A tool result may carry `structuredContent`.
        const STRUCTURED_CONTENT = 1 << 6;
        /// Tasks may be published and a request answered with a task: by the core or, later, by the extension.
        const TASKS = 1 << 7;

        // Messages and the handshake.
        /// The `initialize` handshake.
        const INITIALIZE = 1 << 8;
        /// The server tells its versions and capabilities when asked.
        const DISCOVER = 1 << 9;
        /// Either side may check that the other one answers.
        const PING = 1 << 10;
        /// An array of messages is one body.
        const BATCH = 1 << 11;
        /// The server sends requests of its own.
        const SERVER_REQUESTS = 1 << 12;
        /// A result may ask for input, which a retry of the request brings.
        const INPUT_REQUIRED = 1 << 13;
        /// Every result says what kind it is.
        const RESULT_TYPE = 1 << 14;
        /// Some results say for how long and for whom they may be kept.
        const CACHE_HINTS = 1 << 15;
        /// A result names the server in its `_meta`.
        const SERVER_INFO_META = 1 << 16;
        /// The trace context has agreed keys in `_meta`.
        const TRACE_CONTEXT = 1 << 17;
        /// Either side may name the extensions it has.
        const EXTENSIONS = 1 << 18;

        // The HTTP transports.
        /// The first HTTP transport, of two endpoints.
        const HTTP_SSE = 1 << 19;
        /// The HTTP transport of one endpoint.
        const STREAMABLE_HTTP = 1 << 20;
        /// A header ties requests to a session.
        const SESSION_ID = 1 << 21;
        /// A DELETE request ends the session.
        const SESSION_END = 1 << 22;
        /// A GET request opens a stream for what the server sends unasked.
        const GET_STREAM = 1 << 23;
        /// A broken stream can be taken up again from its last event.
        const SSE_RESUMPTION = 1 << 24;
        /// A stream opens with an event that has an id and no data.
        const SSE_PRIMING_EVENT = 1 << 25;
        /// Each request after the handshake names its version in a header.
        const PROTOCOL_VERSION_HEADER = 1 << 26;
        /// Headers repeat the method and its target.
        const MIRROR_HEADERS = 1 << 27;
        /// Headers repeat the arguments that a tool's schema marks.
        const PARAM_HEADERS = 1 << 28;
        /// A notification cancels a request over HTTP; later the closing of its stream does.
        const CANCELLED_OVER_HTTP = 1 << 29;
        /// The authorization framework.
        const AUTHORIZATION = 1 << 30;
        /// A client may register itself with the authorization server.
        const DYNAMIC_CLIENT_REGISTRATION = 1 << 31;

        // Logging.
        /// The server may send log messages.
        const LOGGING = 1 << 32;
        /// The client sets the level for all that follows.
        const LOGGING_SET_LEVEL = 1 << 33;
        /// The client sets the level for one request.
        const REQUEST_LOG_LEVEL = 1 << 34;

        // Changes, and who hears of them.
        /// A request of its own starts and ends the watching of a resource.
        const RESOURCES_SUBSCRIBE = 1 << 35;
        /// One request opens a stream of the changes it names.
        const SUBSCRIPTIONS_LISTEN = 1 << 36;
        /// What comes on a listen stream names the request that opened it.
        const SUBSCRIPTION_ID = 1 << 37;

        // Completion.
        /// A completion request may carry the arguments settled before.
        const COMPLETION_CONTEXT = 1 << 38;

        // Tools.
        /// A tool may carry hints at how it behaves.
        const TOOL_ANNOTATIONS = 1 << 39;
        /// A tool may carry the schema of its structured content.
        const OUTPUT_SCHEMA = 1 << 40;
        /// That schema may be of any type.
        const NON_OBJECT_OUTPUT_SCHEMA = 1 << 41;
        /// Structured content may be any JSON value.
        const NON_OBJECT_STRUCTURED_CONTENT = 1 << 42;
        /// A tool may say whether it runs as a task.
        const TOOL_EXECUTION = 1 << 43;
        /// A schema may name its dialect; JSON Schema 2020-12 is the default.
        const SCHEMA_DIALECT = 1 << 44;
        /// A tool's schema may use any keyword of JSON Schema 2020-12.
        const SCHEMA_KEYWORDS = 1 << 45;

        // Content.
        /// A content block may be audio.
        const AUDIO_CONTENT = 1 << 46;
        /// A content block may point to a resource.
        const RESOURCE_LINKS = 1 << 47;
        /// A content block or the contents of a resource may carry `_meta`.
        const CONTENT_META = 1 << 48;
        /// A tool, prompt, resource, resource template or root may carry `_meta`.
        const DEFINITION_META = 1 << 49;
        /// Annotations may say when the thing last changed.
        const ANNOTATIONS_LAST_MODIFIED = 1 << 50;
        /// A tool, prompt, argument, resource or template may have a title beside its name.
        const TITLES = 1 << 51;
        /// A tool, prompt, resource or template may have icons.
        const ICONS = 1 << 52;

        // Implementations.
        /// An implementation may have a title.
        const IMPLEMENTATION_TITLE = 1 << 53;
        /// An implementation may have a description.
        const IMPLEMENTATION_DESCRIPTION = 1 << 54;
        /// An implementation may have icons.
        const IMPLEMENTATION_ICONS = 1 << 55;
        /// An implementation may have a website.
        const IMPLEMENTATION_WEBSITE_URL = 1 << 56;

        // Elicitation.
        /// The form mode has a name; before, it is the only one.
        const ELICITATION_FORM = 1 << 57;
        /// The user may be sent to a URL.
        const ELICITATION_URL = 1 << 58;
        /// An elicitation by URL has an identifier.
        const ELICITATION_ID = 1 << 59;
        /// The server tells when an elicitation by URL is over.
        const ELICITATION_COMPLETE = 1 << 60;
        /// A text, number or choice in a form may have a default.
        const ELICITATION_DEFAULTS = 1 << 61;
        /// A choice in a form may have titles and be of several.
        const ELICITATION_CHOICES = 1 << 62;

        // Sampling.
        /// The server may ask the client to sample a model.
        const SAMPLING = 1 << 63;
        /// The client declares that it can add the context of servers.
        const SAMPLING_CONTEXT = 1 << 64;
        /// A sampling request may ask for the context of servers.
        const INCLUDE_CONTEXT = 1 << 65;
        /// A sampling message may hold several content blocks.
        const SAMPLING_CONTENT_LIST = 1 << 66;
        /// A sampling message may carry `_meta`.
        const SAMPLING_MESSAGE_META = 1 << 67;

        // Roots.
        /// The server may ask for the client's roots.
        const ROOTS = 1 << 68;
        /// The client tells when its roots change.
        const ROOTS_LIST_CHANGED = 1 << 69;

        // Tasks, of the core and of the extension.
        /// Tasks are part of the core, under a capability of their own.
        const TASKS_CAPABILITY = 1 << 70;
        /// Tasks can be listed.
        const TASKS_LIST = 1 << 71;
        /// One request waits for the result of a task.
        const TASKS_RESULT = 1 << 72;
        /// A notification tells how a task stands.
        const TASKS_STATUS = 1 << 73;
        /// A request may ask to be run as a task.
        const TASK_PARAMETER = 1 << 74;
        /// A message may name the task it belongs to.
        const RELATED_TASK = 1 << 75;
        /// The client runs tasks for the server too.
        const TASKS_ON_CLIENTS = 1 << 76;
        /// Tasks are an extension.
        const TASKS_EXTENSION = 1 << 77;
        /// A request brings the input that a task waits for.
        const TASKS_UPDATE = 1 << 78;
        /// A listen stream tells how tasks stand.
        const TASKS_NOTIFICATION = 1 << 79;
        /// A result may be a task, unasked.
        const TASK_RESULT_TYPE = 1 << 80;

        // Error codes.
        /// A missing resource has a code of its own.
        const RESOURCE_NOT_FOUND_CODE = 1 << 81;
        /// An error sends the user to a URL first.
        const URL_ELICITATION_REQUIRED_CODE = 1 << 82;
        /// A header that disagrees with the body has a code.
        const HEADER_MISMATCH_CODE = 1 << 83;
        /// A missing client capability has a code.
        const MISSING_CLIENT_CAPABILITY_CODE = 1 << 84;
        /// An unsupported version has a code.
        const UNSUPPORTED_VERSION_CODE = 1 << 85;
    }
}

/// One feature's facts.
#[derive(Clone, Copy, Debug)]
pub struct FeatureRow {
    pub(super) feature: Feature,
    pub(super) spans: Spans,
    deprecated: Option<(Revision, &'static str)>,
    wire: &'static str,
    spec: &'static str,
    extension: Option<&'static str>,
}

const fn row(
    feature: Feature,
    since: Revision,
    until: Option<Revision>,
    wire: &'static str,
    spec: &'static str,
) -> FeatureRow {
    FeatureRow { feature, spans: Spans::new(since, until), deprecated: None, wire, spec, extension: None }
}

impl FeatureRow {
    const fn exact(self, since: Revision, until: Option<Revision>) -> Self {
        Self { spans: self.spans.exact(Some(Span::new(since, until))), ..self }
    }

    const fn deprecated(self, revision: Revision, earliest_removal: &'static str) -> Self {
        Self { deprecated: Some((revision, earliest_removal)), ..self }
    }

    const fn extension(self, id: &'static str) -> Self {
        Self { extension: Some(id), ..self }
    }

    /// The feature.
    #[must_use]
    pub const fn feature(&self) -> Feature {
        self.feature
    }

    /// Its name, that of the flag.
    #[must_use]
    pub fn name(&self) -> &'static str {
        Feature::FLAGS.get(self.feature.bits().trailing_zeros() as usize).map_or("", bitflags::Flag::name)
    }

    /// The revisions that have it.
    #[must_use]
    pub const fn spans(&self) -> Spans {
        self.spans
    }

    /// The revision that marks it deprecated.
    #[must_use]
    pub const fn deprecated_in(&self) -> Option<Revision> {
        match self.deprecated {
            Some((revision, _)) => Some(revision),
            None => None,
        }
    }

    /// When it may go at the earliest: a date, on or after which the first revision may drop it, or a condition in
    /// words.
    #[must_use]
    pub const fn earliest_removal(&self) -> Option<&'static str> {
        match self.deprecated {
            Some((_, earliest)) => Some(earliest),
            None => None,
        }
    }

    /// What of it is seen on the wire: members, methods, headers.
    #[must_use]
    pub const fn wire(&self) -> &'static str {
        self.wire
    }

    /// Where the specification has it: items of the revisions' changelogs, else pages.
    #[must_use]
    pub const fn spec(&self) -> &'static str {
        self.spec
    }

    /// The extension that brings it, where it is not the core's.
    #[must_use]
    pub const fn extension_id(&self) -> Option<&'static str> {
        self.extension
    }
}

use Feature as F;

/// Parts of sampling go with it, at the latest.
const WITH_SAMPLING: &str = "2027-07-28";

#[rustfmt::skip]
const ROWS: &[FeatureRow] = &[
    //  feature                           first with   first without
    //      on the wire, the specification's place
    // The record's eight.
    row(F::STATELESS,                      V2026_07_28, None,
        r#"params._meta["io.modelcontextprotocol/protocolVersion"]"#, "2026-07-28 changelog, major 2"),
    row(F::COMPLETIONS,                    V2025_03_26, None,
        "capabilities.completions", "2025-03-26 changelog, schema 3"),
    row(F::ELICITATION,                    V2025_06_18, None,
        "elicitation/create", "2025-06-18 changelog, major 6"),
    row(F::PROGRESS_MESSAGE,               V2025_03_26, None,
        "notifications/progress params.message", "2025-03-26 changelog, schema 1"),
    row(F::RESOURCE_SUBSCRIPTIONS,         V2025_06_18, None,
        "capabilities.resources.subscribe",
        "2024-11-05 server/resources, Subscriptions; 2026-07-28 changelog, major 4").exact(V2024_11_05, None),
    row(F::SAMPLING_TOOLS,                 V2025_11_25, None,
        "sampling/createMessage params.tools, params.toolChoice",
        "2025-11-25 changelog, major 7").deprecated(V2026_07_28, WITH_SAMPLING),
    row(F::STRUCTURED_CONTENT,             V2025_06_18, None,
        "result.structuredContent", "2025-06-18 changelog, major 2"),
    row(F::TASKS,                          V2025_11_25, None,
        r#"capabilities.tasks, capabilities.extensions["io.modelcontextprotocol/tasks"]"#,
        "2025-11-25 changelog, major 9; 2026-07-28 changelog, major 6").exact(V2025_11_25, Some(V2026_07_28)),

    // Messages and the handshake.
    row(F::INITIALIZE,                     V2024_11_05, Some(V2026_07_28),
        "initialize, notifications/initialized", "2026-07-28 changelog, major 2"),
    row(F::DISCOVER,                       V2026_07_28, None,
        "server/discover", "2026-07-28 changelog, major 3"),
    row(F::PING,                           V2024_11_05, Some(V2026_07_28),
        "ping", "2026-07-28 changelog, major 5"),
    row(F::BATCH,                          V2025_03_26, Some(V2025_06_18),
        "[…]", "2025-03-26 changelog, major 3; 2025-06-18 changelog, major 1"),
    row(F::SERVER_REQUESTS,                V2024_11_05, Some(V2026_07_28),
        "requests from the server", "2026-07-28 changelog, major 7"),
    row(F::INPUT_REQUIRED,                 V2026_07_28, None,
        "result.inputRequests, params.inputResponses, requestState", "2026-07-28 changelog, major 7; SEP-2322"),
    row(F::RESULT_TYPE,                    V2026_07_28, None,
        "result.resultType", "2026-07-28 changelog, major 8"),
    row(F::CACHE_HINTS,                    V2026_07_28, None,
        "result.ttlMs, result.cacheScope", "2026-07-28 changelog, minor 5; SEP-2549"),
    row(F::SERVER_INFO_META,               V2026_07_28, None,
        r#"result._meta["io.modelcontextprotocol/serverInfo"]"#, "2026-07-28 changelog, major 2"),
    row(F::TRACE_CONTEXT,                  V2026_07_28, None,
        "params._meta.traceparent, tracestate, baggage", "2026-07-28 changelog, minor 2; SEP-414"),
    row(F::EXTENSIONS,                     V2026_07_28, None,
        "capabilities.extensions", "2026-07-28 changelog, minor 1; SEP-2133"),

    // The HTTP transports.
    row(F::HTTP_SSE,                       V2024_11_05, None,
        "GET /sse, event endpoint",
        "2024-11-05 basic/transports; 2026-07-28 deprecated")
        .deprecated(V2025_03_26, "three months after SEP-2596 is final"),
    row(F::STREAMABLE_HTTP,                V2025_03_26, None,
        "POST", "2025-03-26 changelog, major 2"),
    row(F::SESSION_ID,                     V2025_03_26, Some(V2026_07_28),
        "Mcp-Session-Id", "2025-03-26 basic/transports, Session Management; 2026-07-28 changelog, major 1"),
    row(F::SESSION_END,                    V2025_03_26, Some(V2026_07_28),
        "DELETE", "2025-03-26 basic/transports, Session Management; 2026-07-28 changelog, major 1"),
    row(F::GET_STREAM,                     V2025_03_26, Some(V2026_07_28),
        "GET", "2025-03-26 basic/transports; 2026-07-28 changelog, major 4"),
    row(F::SSE_RESUMPTION,                 V2025_03_26, Some(V2026_07_28),
        "Last-Event-ID", "2025-03-26 basic/transports, Resumability and Redelivery; 2026-07-28 changelog, major 9"),
    row(F::SSE_PRIMING_EVENT,              V2025_11_25, Some(V2026_07_28),
        "id: …, data: (empty)", "2025-11-25 changelog, minor 6"),
    row(F::PROTOCOL_VERSION_HEADER,        V2025_06_18, None,
        "MCP-Protocol-Version", "2025-06-18 changelog, major 8"),
    row(F::MIRROR_HEADERS,                 V2026_07_28, None,
        "Mcp-Method, Mcp-Name", "2026-07-28 changelog, minor 4; SEP-2243"),
    row(F::PARAM_HEADERS,                  V2026_07_28, None,
        "Mcp-Param-*, x-mcp-header", "2026-07-28 changelog, minor 4; SEP-2243"),
    row(F::CANCELLED_OVER_HTTP,            V2024_11_05, Some(V2026_07_28),
        "notifications/cancelled", "2026-07-28 basic/transports/streamable-http, Cancellation"),
    row(F::AUTHORIZATION,                  V2025_03_26, None,
        "Authorization", "2025-03-26 changelog, major 1"),
    row(F::DYNAMIC_CLIENT_REGISTRATION,    V2025_03_26, None,
        "registration_endpoint",
        "2025-03-26 changelog, major 1; 2026-07-28 changelog, deprecated 4").deprecated(V2026_07_28, "2027-07-28"),

    // Logging.
    row(F::LOGGING,                        V2024_11_05, None,
        "capabilities.logging, notifications/message",
        "2024-11-05 server/utilities/logging; SEP-2577").deprecated(V2026_07_28, "2027-07-28"),
    row(F::LOGGING_SET_LEVEL,              V2024_11_05, Some(V2026_07_28),
        "logging/setLevel", "2026-07-28 changelog, major 5"),
    row(F::REQUEST_LOG_LEVEL,              V2026_07_28, None,
        r#"params._meta["io.modelcontextprotocol/logLevel"]"#,
        "2026-07-28 changelog, major 5; SEP-2577").deprecated(V2026_07_28, "2027-07-28"),

    // Changes, and who hears of them.
    row(F::RESOURCES_SUBSCRIBE,            V2025_06_18, Some(V2026_07_28),
        "resources/subscribe, resources/unsubscribe",
        "2024-11-05 server/resources, Subscriptions; 2026-07-28 changelog, major 4")
        .exact(V2024_11_05, Some(V2026_07_28)),
    row(F::SUBSCRIPTIONS_LISTEN,           V2026_07_28, None,
        "subscriptions/listen", "2026-07-28 changelog, major 4"),
    row(F::SUBSCRIPTION_ID,                V2026_07_28, None,
        r#"params._meta["io.modelcontextprotocol/subscriptionId"]"#, "2026-07-28 changelog, major 4"),

    // Completion.
    row(F::COMPLETION_CONTEXT,             V2025_06_18, None,
        "completion/complete params.context", "2025-06-18 changelog, schema 2"),

    // Tools.
    row(F::TOOL_ANNOTATIONS,               V2025_03_26, None,
        "result.tools[].annotations", "2025-03-26 changelog, major 4"),
    row(F::OUTPUT_SCHEMA,                  V2025_06_18, None,
        "result.tools[].outputSchema", "2025-06-18 changelog, major 2"),
    row(F::NON_OBJECT_OUTPUT_SCHEMA,       V2026_07_28, None,
        "result.tools[].outputSchema.type", "2026-07-28 changelog, minor 10"),
    row(F::NON_OBJECT_STRUCTURED_CONTENT,  V2026_07_28, None,
        "result.structuredContent", "2026-07-28 changelog, minor 10"),
    row(F::TOOL_EXECUTION,                 V2025_11_25, Some(V2026_07_28),
        "result.tools[].execution", "2025-11-25 basic/utilities/tasks; 2026-07-28 changelog, major 6"),
    row(F::SCHEMA_DIALECT,                 V2025_11_25, None,
        "$schema", "2025-11-25 changelog, minor 10"),
    row(F::SCHEMA_KEYWORDS,                V2026_07_28, None,
        "result.tools[].inputSchema", "2026-07-28 changelog, minor 10"),

    // Content.
    row(F::AUDIO_CONTENT,                  V2025_03_26, None,
        r#"content[].type "audio""#, "2025-03-26 changelog, schema 2"),
    row(F::RESOURCE_LINKS,                 V2025_06_18, None,
        r#"content[].type "resource_link""#, "2025-06-18 changelog, major 7"),
    row(F::CONTENT_META,                   V2025_06_18, None,
        "content[]._meta, contents[]._meta", "2025-06-18 changelog, schema 1"),
    row(F::DEFINITION_META,                V2025_06_18, None,
        "tools[]._meta, prompts[]._meta, resources[]._meta, roots[]._meta", "2025-06-18 changelog, schema 1"),
    row(F::ANNOTATIONS_LAST_MODIFIED,      V2025_06_18, None,
        "annotations.lastModified", "2025-06-18 server/resources, Annotations"),
    row(F::TITLES,                         V2025_06_18, None,
        "tools[].title, prompts[].title, resources[].title", "2025-06-18 changelog, schema 3"),
    row(F::ICONS,                          V2025_11_25, None,
        "tools[].icons, prompts[].icons, resources[].icons", "2025-11-25 changelog, major 2"),

    // Implementations.
    row(F::IMPLEMENTATION_TITLE,           V2025_06_18, None,
        "clientInfo.title, serverInfo.title", "2025-06-18 changelog, schema 3"),
    row(F::IMPLEMENTATION_DESCRIPTION,     V2025_11_25, None,
        "clientInfo.description, serverInfo.description", "2025-11-25 changelog, minor 2"),
    row(F::IMPLEMENTATION_ICONS,           V2025_11_25, None,
        "clientInfo.icons, serverInfo.icons", "2025-11-25 changelog, major 2"),
    row(F::IMPLEMENTATION_WEBSITE_URL,     V2025_11_25, None,
        "clientInfo.websiteUrl, serverInfo.websiteUrl", "2025-11-25 changelog, major 2"),

    // Elicitation.
    row(F::ELICITATION_FORM,               V2025_11_25, None,
        r#"capabilities.elicitation.form, params.mode "form""#, "2025-11-25 changelog, major 6"),
    row(F::ELICITATION_URL,                V2025_11_25, None,
        r#"capabilities.elicitation.url, params.mode "url""#, "2025-11-25 changelog, major 6"),
    row(F::ELICITATION_ID,                 V2025_11_25, Some(V2026_07_28),
        "params.elicitationId", "2025-11-25 changelog, major 6; 2026-07-28 changelog, minor 11"),
    row(F::ELICITATION_COMPLETE,           V2025_11_25, Some(V2026_07_28),
        "notifications/elicitation/complete", "2025-11-25 changelog, major 6; 2026-07-28 changelog, minor 11"),
    row(F::ELICITATION_DEFAULTS,           V2025_11_25, None,
        "params.requestedSchema.properties.*.default", "2025-11-25 changelog, minor 9"),
    row(F::ELICITATION_CHOICES,            V2025_11_25, None,
        "params.requestedSchema.properties.*.oneOf, items", "2025-11-25 changelog, major 5"),

    // Sampling.
    row(F::SAMPLING,                       V2024_11_05, None,
        "sampling/createMessage", "2024-11-05 client/sampling; SEP-2577").deprecated(V2026_07_28, "2027-07-28"),
    row(F::SAMPLING_CONTEXT,               V2025_11_25, None,
        "capabilities.sampling.context",
        "2025-11-25 client/sampling, Capabilities").deprecated(V2026_07_28, WITH_SAMPLING),
    row(F::INCLUDE_CONTEXT,                V2024_11_05, None,
        r#"params.includeContext "thisServer", "allServers""#,
        "2025-11-25 client/sampling, Capabilities; SEP-2596").deprecated(V2025_11_25, WITH_SAMPLING),
    row(F::SAMPLING_CONTENT_LIST,          V2025_11_25, None,
        "params.messages[].content […]", "2025-11-25 changelog, major 7").deprecated(V2026_07_28, WITH_SAMPLING),
    row(F::SAMPLING_MESSAGE_META,          V2025_11_25, None,
        "params.messages[]._meta", "2025-11-25 changelog, major 7").deprecated(V2026_07_28, WITH_SAMPLING),

    // Roots.
    row(F::ROOTS,                          V2024_11_05, None,
        "roots/list", "2024-11-05 client/roots; SEP-2577").deprecated(V2026_07_28, "2027-07-28"),
    row(F::ROOTS_LIST_CHANGED,             V2024_11_05, Some(V2026_07_28),
        "capabilities.roots.listChanged, notifications/roots/list_changed", "2026-07-28 changelog, major 5"),

    // Tasks, of the core and of the extension.
    row(F::TASKS_CAPABILITY,               V2025_11_25, Some(V2026_07_28),
        "capabilities.tasks", "2025-11-25 changelog, major 9; 2026-07-28 changelog, major 6"),
    row(F::TASKS_LIST,                     V2025_11_25, Some(V2026_07_28),
        "tasks/list", "2025-11-25 basic/utilities/tasks; 2026-07-28 changelog, major 6"),
    row(F::TASKS_RESULT,                   V2025_11_25, Some(V2026_07_28),
        "tasks/result", "2025-11-25 basic/utilities/tasks; 2026-07-28 changelog, major 6"),
    row(F::TASKS_STATUS,                   V2025_11_25, Some(V2026_07_28),
        "notifications/tasks/status", "2025-11-25 basic/utilities/tasks; 2026-07-28 changelog, major 6"),
    row(F::TASK_PARAMETER,                 V2025_11_25, Some(V2026_07_28),
        "params.task", "2025-11-25 basic/utilities/tasks; 2026-07-28 changelog, major 6"),
    row(F::RELATED_TASK,                   V2025_11_25, Some(V2026_07_28),
        r#"_meta["io.modelcontextprotocol/related-task"]"#, "2025-11-25 basic/utilities/tasks"),
    row(F::TASKS_ON_CLIENTS,               V2025_11_25, Some(V2026_07_28),
        "tasks/get, tasks/result, tasks/list, tasks/cancel from the server",
        "2025-11-25 basic/utilities/tasks; 2026-07-28 changelog, major 6"),
    row(F::TASKS_EXTENSION,                V2026_07_28, None,
        r#"capabilities.extensions["io.modelcontextprotocol/tasks"]"#,
        "2026-07-28 changelog, major 6; SEP-2663").extension(TASKS_EXTENSION),
    row(F::TASKS_UPDATE,                   V2026_07_28, None,
        "tasks/update", "SEP-2663, Task Update Requests").extension(TASKS_EXTENSION),
    row(F::TASKS_NOTIFICATION,             V2026_07_28, None,
        "notifications/tasks, notifications.taskIds", "SEP-2663, Task Status Notifications").extension(TASKS_EXTENSION),
    row(F::TASK_RESULT_TYPE,               V2026_07_28, None,
        r#"result.resultType "task""#, "SEP-2663, Polymorphic Results").extension(TASKS_EXTENSION),

    // Error codes.
    row(F::RESOURCE_NOT_FOUND_CODE,        V2024_11_05, Some(V2026_07_28),
        "error.code -32002", "2024-11-05 server/resources, Error Handling; 2026-07-28 changelog, minor 6"),
    row(F::URL_ELICITATION_REQUIRED_CODE,  V2025_11_25, Some(V2026_07_28),
        "error.code -32042", "2025-11-25 client/elicitation, URL Elicitation Required Error"),
    row(F::HEADER_MISMATCH_CODE,           V2026_07_28, None,
        "error.code -32020", "2026-07-28 changelog, minor 12"),
    row(F::MISSING_CLIENT_CAPABILITY_CODE, V2026_07_28, None,
        "error.code -32021", "2026-07-28 changelog, minor 12"),
    row(F::UNSUPPORTED_VERSION_CODE,       V2026_07_28, None,
        "error.code -32022", "2026-07-28 changelog, minor 12"),
];

const _: () = {
    assert!(ROWS.len() == Feature::FLAGS.len(), "a Feature has no row");
    let mut at = 0;
    while at < ROWS.len() {
        assert!(ROWS[at].feature.bits() == 1 << at, "a Feature has no row in its place");
        at += 1;
    }
};

static SETS: [[Feature; Revision::COUNT]; Reading::ALL.len()] = const { sets!(Feature, ROWS) };

impl Feature {
    /// Every row, in the order of the flags.
    #[must_use]
    pub fn rows() -> &'static [FeatureRow] {
        ROWS
    }

    /// The row of the lowest flag in this set; none for an empty set.
    #[must_use]
    pub fn row(self) -> Option<&'static FeatureRow> {
        ROWS.get(self.bits().trailing_zeros() as usize)
    }
}

impl Revision {
    /// What this revision has.
    #[must_use]
    pub const fn features(self, reading: Reading) -> Feature {
        SETS[reading as usize][self.index()]
    }

    /// Whether this revision has all of `feature`, as the profile record reads it.
    #[must_use]
    pub const fn has(self, feature: Feature) -> bool {
        self.features(Reading::Record).contains(feature)
    }
}
