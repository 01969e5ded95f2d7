//! A feature that shows in a row of the table lives as long as that row, so the schemas vouch for it too.
#![allow(clippy::unwrap_used, clippy::panic, clippy::enum_glob_use, reason = "a test")]

use std::collections::BTreeSet;

use revcap::table::Definition::*;
use revcap::table::{
    CLIENT_PATHS, CapabilityRow, Channel, Code, Definition, Feature, FeatureRow, Method, Reading, Revision,
    SERVER_PATHS, Standing,
};

/// What a feature is seen by.
enum Seen {
    Member(Definition, &'static str),
    Content(Definition, &'static str),
    Message(Channel, Method),
    Client(&'static [&'static str]),
    Server(&'static [&'static str]),
    Code(i64),
}

use Channel::{ClientRequest, ServerNotification};
use Seen::*;

const SEEN: &[(Feature, Seen)] = &[
    (Feature::STATELESS, Member(RequestMetaObject, "io.modelcontextprotocol/protocolVersion")),
    (Feature::COMPLETIONS, Server(&["completions"])),
    (Feature::ELICITATION, Client(&["elicitation"])),
    (Feature::PROGRESS_MESSAGE, Member(ProgressNotificationParams, "message")),
    (Feature::RESOURCE_SUBSCRIPTIONS, Server(&["resources", "subscribe"])),
    (Feature::SAMPLING_TOOLS, Member(CreateMessageRequestParams, "tools")),
    (Feature::SAMPLING_TOOLS, Member(CreateMessageRequestParams, "toolChoice")),
    (Feature::SAMPLING_TOOLS, Client(&["sampling", "tools"])),
    (Feature::STRUCTURED_CONTENT, Member(CallToolResult, "structuredContent")),
    (Feature::INITIALIZE, Message(ClientRequest, Method::Initialize)),
    (Feature::INITIALIZE, Message(Channel::ClientNotification, Method::Initialized)),
    (Feature::DISCOVER, Message(ClientRequest, Method::ServerDiscover)),
    (Feature::PING, Message(ClientRequest, Method::Ping)),
    (Feature::SERVER_REQUESTS, Message(Channel::ServerRequest, Method::Ping)),
    (Feature::INPUT_REQUIRED, Member(CallToolRequestParams, "inputResponses")),
    (Feature::INPUT_REQUIRED, Member(CallToolRequestParams, "requestState")),
    (Feature::INPUT_REQUIRED, Message(Channel::InputRequest, Method::ElicitationCreate)),
    (Feature::RESULT_TYPE, Member(CallToolResult, "resultType")),
    (Feature::CACHE_HINTS, Member(ListToolsResult, "ttlMs")),
    (Feature::CACHE_HINTS, Member(ListToolsResult, "cacheScope")),
    (Feature::SERVER_INFO_META, Member(ResultMetaObject, "io.modelcontextprotocol/serverInfo")),
    (Feature::EXTENSIONS, Client(&["extensions"])),
    (Feature::EXTENSIONS, Server(&["extensions"])),
    (Feature::LOGGING, Server(&["logging"])),
    (Feature::LOGGING_SET_LEVEL, Message(ClientRequest, Method::LoggingSetLevel)),
    (Feature::REQUEST_LOG_LEVEL, Member(RequestMetaObject, "io.modelcontextprotocol/logLevel")),
    (Feature::RESOURCES_SUBSCRIBE, Message(ClientRequest, Method::ResourcesSubscribe)),
    (Feature::RESOURCES_SUBSCRIBE, Message(ClientRequest, Method::ResourcesUnsubscribe)),
    (Feature::RESOURCE_SUBSCRIPTIONS, Message(ServerNotification, Method::ResourcesUpdated)),
    (Feature::SUBSCRIPTIONS_LISTEN, Message(ClientRequest, Method::SubscriptionsListen)),
    (Feature::SUBSCRIPTION_ID, Member(NotificationMetaObject, "io.modelcontextprotocol/subscriptionId")),
    (Feature::COMPLETION_CONTEXT, Member(CompleteRequestParams, "context")),
    (Feature::TOOL_ANNOTATIONS, Member(Tool, "annotations")),
    (Feature::OUTPUT_SCHEMA, Member(Tool, "outputSchema")),
    (Feature::TOOL_EXECUTION, Member(Tool, "execution")),
    (Feature::SCHEMA_DIALECT, Member(ToolInputSchema, "$schema")),
    (Feature::AUDIO_CONTENT, Content(ContentBlock, "audio")),
    (Feature::AUDIO_CONTENT, Content(SamplingMessageContentBlock, "audio")),
    (Feature::RESOURCE_LINKS, Content(ContentBlock, "resource_link")),
    (Feature::CONTENT_META, Member(TextContent, "_meta")),
    (Feature::CONTENT_META, Member(ImageContent, "_meta")),
    (Feature::CONTENT_META, Member(EmbeddedResource, "_meta")),
    (Feature::CONTENT_META, Member(TextResourceContents, "_meta")),
    (Feature::CONTENT_META, Member(BlobResourceContents, "_meta")),
    (Feature::DEFINITION_META, Member(Tool, "_meta")),
    (Feature::DEFINITION_META, Member(Prompt, "_meta")),
    (Feature::DEFINITION_META, Member(Resource, "_meta")),
    (Feature::DEFINITION_META, Member(ResourceTemplate, "_meta")),
    (Feature::DEFINITION_META, Member(Root, "_meta")),
    (Feature::ANNOTATIONS_LAST_MODIFIED, Member(Annotations, "lastModified")),
    (Feature::TITLES, Member(Tool, "title")),
    (Feature::TITLES, Member(Prompt, "title")),
    (Feature::TITLES, Member(PromptArgument, "title")),
    (Feature::TITLES, Member(PromptReference, "title")),
    (Feature::TITLES, Member(Resource, "title")),
    (Feature::TITLES, Member(ResourceTemplate, "title")),
    (Feature::ICONS, Member(Tool, "icons")),
    (Feature::ICONS, Member(Prompt, "icons")),
    (Feature::ICONS, Member(Resource, "icons")),
    (Feature::ICONS, Member(ResourceTemplate, "icons")),
    (Feature::ICONS, Member(ResourceLink, "icons")),
    (Feature::IMPLEMENTATION_TITLE, Member(Implementation, "title")),
    (Feature::IMPLEMENTATION_DESCRIPTION, Member(Implementation, "description")),
    (Feature::IMPLEMENTATION_ICONS, Member(Implementation, "icons")),
    (Feature::IMPLEMENTATION_WEBSITE_URL, Member(Implementation, "websiteUrl")),
    (Feature::ELICITATION_FORM, Client(&["elicitation", "form"])),
    (Feature::ELICITATION_FORM, Member(ElicitRequestFormParams, "mode")),
    (Feature::ELICITATION_URL, Client(&["elicitation", "url"])),
    (Feature::ELICITATION_URL, Content(ElicitRequestParams, "url")),
    (Feature::ELICITATION_COMPLETE, Message(ServerNotification, Method::ElicitationComplete)),
    (Feature::ELICITATION_DEFAULTS, Member(StringSchema, "default")),
    (Feature::ELICITATION_DEFAULTS, Member(NumberSchema, "default")),
    (Feature::ELICITATION_DEFAULTS, Member(LegacyTitledEnumSchema, "default")),
    (Feature::ELICITATION_CHOICES, Content(PrimitiveSchemaDefinition, "oneOf")),
    (Feature::ELICITATION_CHOICES, Content(PrimitiveSchemaDefinition, "items.enum")),
    (Feature::SAMPLING, Client(&["sampling"])),
    (Feature::SAMPLING_CONTEXT, Client(&["sampling", "context"])),
    (Feature::INCLUDE_CONTEXT, Member(CreateMessageRequestParams, "includeContext")),
    (Feature::SAMPLING_MESSAGE_META, Member(SamplingMessage, "_meta")),
    (Feature::ROOTS, Client(&["roots"])),
    (Feature::ROOTS_LIST_CHANGED, Client(&["roots", "listChanged"])),
    (Feature::ROOTS_LIST_CHANGED, Message(Channel::ClientNotification, Method::RootsListChanged)),
    (Feature::TASKS_CAPABILITY, Client(&["tasks"])),
    (Feature::TASKS_CAPABILITY, Server(&["tasks"])),
    (Feature::TASKS_LIST, Message(ClientRequest, Method::TasksList)),
    (Feature::TASKS_RESULT, Message(ClientRequest, Method::TasksResult)),
    (Feature::TASKS_STATUS, Message(ServerNotification, Method::TasksStatus)),
    (Feature::TASK_PARAMETER, Member(CallToolRequestParams, "task")),
    (Feature::TASK_PARAMETER, Member(CreateMessageRequestParams, "task")),
    (Feature::TASK_PARAMETER, Member(ElicitRequestFormParams, "task")),
    (Feature::RELATED_TASK, Member(RequestMetaObject, "io.modelcontextprotocol/related-task")),
    (Feature::TASKS_ON_CLIENTS, Message(Channel::ServerRequest, Method::TasksGet)),
    (Feature::TASKS_EXTENSION, Client(&["extensions", "io.modelcontextprotocol/tasks"])),
    (Feature::TASKS_EXTENSION, Server(&["extensions", "io.modelcontextprotocol/tasks"])),
    (Feature::TASKS_UPDATE, Message(ClientRequest, Method::TasksUpdate)),
    (Feature::TASKS_NOTIFICATION, Message(ServerNotification, Method::Tasks)),
    (Feature::RESOURCE_NOT_FOUND_CODE, Code(-32002)),
    (Feature::URL_ELICITATION_REQUIRED_CODE, Code(-32042)),
    (Feature::HEADER_MISMATCH_CODE, Code(-32020)),
    (Feature::MISSING_CLIENT_CAPABILITY_CODE, Code(-32021)),
    (Feature::UNSUPPORTED_VERSION_CODE, Code(-32022)),
];

/// Headers, transports, types within a member, and what goes by two names: no one row shows these.
const UNSEEN: &[&str] = &[
    "AUTHORIZATION",
    "BATCH",
    "CANCELLED_OVER_HTTP",
    "DYNAMIC_CLIENT_REGISTRATION",
    "ELICITATION_ID",
    "GET_STREAM",
    "HTTP_SSE",
    "MIRROR_HEADERS",
    "NON_OBJECT_OUTPUT_SCHEMA",
    "NON_OBJECT_STRUCTURED_CONTENT",
    "PARAM_HEADERS",
    "PROTOCOL_VERSION_HEADER",
    "SAMPLING_CONTENT_LIST",
    "SCHEMA_KEYWORDS",
    "SESSION_END",
    "SESSION_ID",
    "SSE_PRIMING_EVENT",
    "SSE_RESUMPTION",
    "STREAMABLE_HTTP",
    "TASKS",
    "TASK_RESULT_TYPE",
    "TRACE_CONTEXT",
];

impl Seen {
    fn is_in(&self, revision: Revision, reading: Reading) -> bool {
        match self {
            Member(definition, name) => {
                matches!(definition.member(name.as_bytes(), revision), Standing::Has(_))
            }
            Content(definition, tag) => {
                matches!(definition.alternative(tag.as_bytes(), revision), Standing::Has(_))
            }
            Message(channel, method) => revision.methods(*channel, reading).contains(*method),
            Client(path) => has_path(CLIENT_PATHS, path, revision, reading),
            Server(path) => has_path(SERVER_PATHS, path, revision, reading),
            Code(number) => Code::from_number(*number).unwrap().is_in(revision),
        }
    }
}

fn has_path<F: Copy>(rows: &[CapabilityRow<F>], path: &[&str], revision: Revision, reading: Reading) -> bool {
    rows.iter().find(|row| row.path() == path).unwrap().spans().has(revision, reading)
}

#[test]
fn a_feature_lives_as_long_as_what_shows_it() {
    for (feature, seen) in SEEN {
        for (revision, reading) in
            Revision::ALL.iter().flat_map(|revision| Reading::ALL.iter().map(move |reading| (*revision, *reading)))
        {
            let row = feature.row().unwrap();
            let has = revision.features(reading).contains(*feature);
            assert_eq!(has, seen.is_in(revision, reading), "{} in {revision:?} by {reading:?}", row.name());
        }
    }
}

#[test]
fn every_feature_shows_in_a_row_or_is_named_here() {
    let seen: BTreeSet<_> = SEEN.iter().map(|(feature, _)| feature.row().unwrap().name()).collect();
    let mut unseen: Vec<_> = Feature::rows().iter().map(FeatureRow::name).filter(|name| !seen.contains(name)).collect();
    unseen.sort_unstable();
    assert_eq!(unseen, UNSEEN);
}

#[test]
fn a_deprecated_feature_says_since_when_and_until_when_at_least() {
    for row in Feature::rows() {
        assert_eq!(row.deprecated_in().is_some(), row.earliest_removal().is_some(), "{}", row.name());
        if let Some(deprecated) = row.deprecated_in() {
            assert!(row.spans().has(deprecated, Reading::Record), "{}", row.name());
        }
        assert!(!row.wire().is_empty() && !row.spec().is_empty(), "{}", row.name());
    }
}

/// What no schema vouches for: SEP-2663, its interfaces flattened as they are on the wire; `*` is required.
#[test]
fn the_tasks_extension_has_the_members_of_its_proposal() {
    let task = "createdAt* lastUpdatedAt* pollIntervalMs status* statusMessage taskId* ttlMs*";
    let detailed = format!("{task} error inputRequests result");
    let expected = [
        (TaskRequestParams, "taskId*".to_owned()),
        (UpdateTaskRequestParams, "inputResponses* taskId*".to_owned()),
        (CreateTaskResult, format!("{task} _meta resultType*")),
        (GetTaskResult, format!("{detailed} _meta resultType*")),
        (CancelTaskResult, "_meta resultType*".to_owned()),
        (TasksNotificationParams, format!("{detailed} _meta")),
    ];
    let modern = Revision::parse(b"2026-07-28").unwrap();
    for (definition, members) in expected {
        let rows = definition.members().iter().filter(|row| row.span().has(modern));
        let known: BTreeSet<_> =
            rows.map(|row| format!("{}{}", row.name(), if row.is_required() { "*" } else { "" })).collect();
        let members: BTreeSet<_> = members.split(' ').map(str::to_owned).collect();
        assert_eq!(known, members, "{definition:?}");
    }
}

#[test]
fn a_method_is_a_request_or_a_notification_and_never_both() {
    for method in Method::ALL {
        let ways = |request: bool| {
            Channel::ALL
                .iter()
                .filter(|channel| channel.is_request() == request)
                .any(|channel| Revision::ALL.iter().any(|revision| method.row(*channel, *revision).is_some()))
        };
        assert_eq!((method.is_request_anywhere(), method.is_notification_anywhere()), (ways(true), ways(false)));
        assert_ne!(method.is_request_anywhere(), method.is_notification_anywhere(), "{}", method.as_str());
    }
}

#[test]
fn extensions_alone_are_published_where_no_schema_has_them() {
    fn by_policy<F: Copy>(rows: &[CapabilityRow<F>]) -> Vec<(String, &'static str)> {
        let first = |row: &CapabilityRow<F>| Some((row.path().join("."), row.policy_since()?.as_str()));
        rows.iter().filter_map(first).collect()
    }
    let expected = [("extensions".to_owned(), "2025-06-18")];
    assert_eq!(
        (by_policy(CLIENT_PATHS).as_slice(), by_policy(SERVER_PATHS).as_slice()),
        (&expected[..], &expected[..])
    );
}
