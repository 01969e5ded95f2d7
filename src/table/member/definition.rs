//! The definitions, by the name that the newest schema with them gives each.

use super::Revision::{self, *};
use super::Shape;
use super::{content, elicitation, envelope, form, input, item, meta, notification, params, result, sampling, task};

macro_rules! definitions {
    ($($name:ident = $text:literal, $shape:expr $(, deprecated $deprecated:ident)?;)+) => {
        /// An object of the specification's, or a choice between some.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Definition {
            $(#[doc = concat!("`", $text, "`.")] $name,)+
        }

        impl Definition {
            /// Every definition.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];
            /// How many there are.
            pub const COUNT: usize = Self::ALL.len();

            /// The schema's name; for an object that the schema states in place, the path to it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// The definition of this name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$name),)+ _ => None }
            }

            /// The revision that marks the whole of it deprecated.
            #[must_use]
            pub const fn deprecated_in(self) -> Option<Revision> {
                match self {
                    $($(Self::$name => Some($deprecated),)?)+
                    _ => None,
                }
            }
        }

        static SHAPES: [Shape; Definition::COUNT] = [$($shape),+];
    };
}

definitions! {
    // What every message is.
    JSONRPCRequest = "JSONRPCRequest", envelope::REQUEST;
    JSONRPCNotification = "JSONRPCNotification", envelope::NOTIFICATION;
    JSONRPCResultResponse = "JSONRPCResultResponse", envelope::RESULT;
    JSONRPCErrorResponse = "JSONRPCErrorResponse", envelope::ERROR;
    Error = "Error", envelope::ERROR_OBJECT;

    // What is listed, and who lists it.
    Implementation = "Implementation", item::IMPLEMENTATION;
    ClientCapabilities = "ClientCapabilities", Shape::ClientCapabilities;
    ServerCapabilities = "ServerCapabilities", Shape::ServerCapabilities;
    Tool = "Tool", item::TOOL;
    ToolInputSchema = "Tool.inputSchema", item::TOOL_INPUT_SCHEMA;
    ToolOutputSchema = "Tool.outputSchema", item::TOOL_OUTPUT_SCHEMA;
    ToolAnnotations = "ToolAnnotations", item::TOOL_ANNOTATIONS;
    ToolExecution = "ToolExecution", item::TOOL_EXECUTION;
    Prompt = "Prompt", item::PROMPT;
    PromptArgument = "PromptArgument", item::PROMPT_ARGUMENT;
    PromptMessage = "PromptMessage", item::PROMPT_MESSAGE;
    Resource = "Resource", item::RESOURCE;
    ResourceTemplate = "ResourceTemplate", item::RESOURCE_TEMPLATE;
    Root = "Root", item::ROOT, deprecated V2026_07_28;

    // Content.
    ContentBlock = "ContentBlock", content::CONTENT_BLOCK;
    TextContent = "TextContent", content::TEXT_CONTENT;
    ImageContent = "ImageContent", content::DATA_CONTENT;
    AudioContent = "AudioContent", content::DATA_CONTENT;
    ResourceLink = "ResourceLink", content::RESOURCE_LINK;
    EmbeddedResource = "EmbeddedResource", content::EMBEDDED_RESOURCE;
    ResourceContents = "ResourceContents", content::RESOURCE_CONTENTS;
    TextResourceContents = "TextResourceContents", content::TEXT_RESOURCE_CONTENTS;
    BlobResourceContents = "BlobResourceContents", content::BLOB_RESOURCE_CONTENTS;
    Annotations = "Annotations", content::ANNOTATIONS;
    Icon = "Icon", content::ICON;

    // `_meta`.
    RequestMetaObject = "RequestMetaObject", meta::REQUEST;
    ResultMetaObject = "ResultMetaObject", meta::RESULT;
    SubscriptionsListenResultMetaObject = "SubscriptionsListenResultMetaObject", meta::LISTEN_RESULT;
    NotificationMetaObject = "NotificationMetaObject", meta::NOTIFICATION;

    // Parameters of a client's requests.
    RequestParams = "RequestParams", params::BARE;
    InitializeRequestParams = "InitializeRequestParams", params::INITIALIZE;
    PaginatedRequestParams = "PaginatedRequestParams", params::PAGINATED;
    CallToolRequestParams = "CallToolRequestParams", params::CALL_TOOL;
    GetPromptRequestParams = "GetPromptRequestParams", params::GET_PROMPT;
    ReadResourceRequestParams = "ReadResourceRequestParams", params::READ_RESOURCE;
    SubscribeRequestParams = "SubscribeRequestParams", params::SUBSCRIBE;
    UnsubscribeRequestParams = "UnsubscribeRequestParams", params::SUBSCRIBE;
    SetLevelRequestParams = "SetLevelRequestParams", params::SET_LEVEL;
    CompleteRequestParams = "CompleteRequestParams", params::COMPLETE;
    CompletionReference = "CompleteRequestParams.ref", params::COMPLETION_REFERENCE;
    PromptReference = "PromptReference", params::PROMPT_REFERENCE;
    ResourceTemplateReference = "ResourceTemplateReference", params::RESOURCE_TEMPLATE_REFERENCE;
    CompletionArgument = "CompleteRequestParams.argument", params::COMPLETION_ARGUMENT;
    CompletionContext = "CompleteRequestParams.context", params::COMPLETION_CONTEXT;
    SubscriptionsListenRequestParams = "SubscriptionsListenRequestParams", params::LISTEN;
    SubscriptionFilter = "SubscriptionFilter", params::SUBSCRIPTION_FILTER;

    // Their results.
    EmptyResult = "Result", result::EMPTY;
    InitializeResult = "InitializeResult", result::INITIALIZE;
    DiscoverResult = "DiscoverResult", result::DISCOVER;
    ListToolsResult = "ListToolsResult", result::LIST_TOOLS;
    CallToolResult = "CallToolResult", result::CALL_TOOL;
    ListPromptsResult = "ListPromptsResult", result::LIST_PROMPTS;
    GetPromptResult = "GetPromptResult", result::GET_PROMPT;
    ListResourcesResult = "ListResourcesResult", result::LIST_RESOURCES;
    ListResourceTemplatesResult = "ListResourceTemplatesResult", result::LIST_RESOURCE_TEMPLATES;
    ReadResourceResult = "ReadResourceResult", result::READ_RESOURCE;
    CompleteResult = "CompleteResult", result::COMPLETE;
    Completion = "CompleteResult.completion", result::COMPLETION;
    SubscriptionsListenResult = "SubscriptionsListenResult", result::LISTEN;
    InputRequiredResult = "InputRequiredResult", result::INPUT_REQUIRED;

    // Requests of a server, and their results.
    CreateMessageRequestParams = "CreateMessageRequestParams", sampling::CREATE_MESSAGE, deprecated V2026_07_28;
    SamplingMessage = "SamplingMessage", sampling::MESSAGE, deprecated V2026_07_28;
    SamplingMessageContentBlock = "SamplingMessageContentBlock", sampling::CONTENT_BLOCK, deprecated V2026_07_28;
    ToolUseContent = "ToolUseContent", sampling::TOOL_USE, deprecated V2026_07_28;
    ToolResultContent = "ToolResultContent", sampling::TOOL_RESULT, deprecated V2026_07_28;
    ModelPreferences = "ModelPreferences", sampling::MODEL_PREFERENCES, deprecated V2026_07_28;
    ModelHint = "ModelHint", sampling::MODEL_HINT, deprecated V2026_07_28;
    ToolChoice = "ToolChoice", sampling::TOOL_CHOICE, deprecated V2026_07_28;
    CreateMessageResult = "CreateMessageResult", sampling::CREATE_MESSAGE_RESULT, deprecated V2026_07_28;
    ListRootsRequestParams = "ListRootsRequest.params", sampling::LIST_ROOTS;
    ListRootsResult = "ListRootsResult", sampling::LIST_ROOTS_RESULT, deprecated V2026_07_28;
    ElicitRequestParams = "ElicitRequestParams", elicitation::PARAMS;
    ElicitRequestFormParams = "ElicitRequestFormParams", elicitation::FORM;
    ElicitRequestURLParams = "ElicitRequestURLParams", elicitation::URL;
    ElicitResult = "ElicitResult", elicitation::RESULT;

    // The form of an elicitation.
    ElicitRequestedSchema = "ElicitRequestFormParams.requestedSchema", form::REQUESTED_SCHEMA;
    PrimitiveSchemaDefinition = "PrimitiveSchemaDefinition", form::PROPERTY;
    StringSchema = "StringSchema", form::STRING;
    NumberSchema = "NumberSchema", form::NUMBER;
    BooleanSchema = "BooleanSchema", form::BOOLEAN;
    LegacyTitledEnumSchema = "LegacyTitledEnumSchema", form::LEGACY_CHOICE;
    UntitledSingleSelectEnumSchema = "UntitledSingleSelectEnumSchema", form::UNTITLED_CHOICE;
    TitledSingleSelectEnumSchema = "TitledSingleSelectEnumSchema", form::TITLED_CHOICE;
    TitledSingleSelectOption = "TitledSingleSelectEnumSchema.oneOf[]", form::OPTION;
    UntitledMultiSelectEnumSchema = "UntitledMultiSelectEnumSchema", form::UNTITLED_CHOICES;
    UntitledMultiSelectItems = "UntitledMultiSelectEnumSchema.items", form::UNTITLED_ITEMS;
    TitledMultiSelectEnumSchema = "TitledMultiSelectEnumSchema", form::TITLED_CHOICES;
    TitledMultiSelectItems = "TitledMultiSelectEnumSchema.items", form::TITLED_ITEMS;
    TitledMultiSelectOption = "TitledMultiSelectEnumSchema.items.anyOf[]", form::OPTION;

    // Requests inside a result.
    InputRequests = "InputRequests", input::REQUESTS;
    InputRequest = "InputRequest", input::REQUEST;
    ElicitRequest = "ElicitRequest", input::ELICIT;
    CreateMessageRequest = "CreateMessageRequest", input::CREATE_MESSAGE, deprecated V2026_07_28;
    ListRootsRequest = "ListRootsRequest", input::LIST_ROOTS, deprecated V2026_07_28;
    InputResponses = "InputResponses", input::RESPONSES;
    InputResponse = "InputResponse", input::RESPONSE;

    // Parameters of notifications.
    NotificationParams = "NotificationParams", notification::BARE;
    CancelledNotificationParams = "CancelledNotificationParams", notification::CANCELLED;
    ProgressNotificationParams = "ProgressNotificationParams", notification::PROGRESS;
    LoggingMessageNotificationParams = "LoggingMessageNotificationParams",
        notification::LOG_MESSAGE, deprecated V2026_07_28;
    ResourceUpdatedNotificationParams = "ResourceUpdatedNotificationParams", notification::RESOURCE_UPDATED;
    SubscriptionsAcknowledgedNotificationParams = "SubscriptionsAcknowledgedNotificationParams",
        notification::SUBSCRIPTIONS_ACKNOWLEDGED;
    ElicitationCompleteNotificationParams = "ElicitationCompleteNotification.params", elicitation::COMPLETE;

    // Tasks.
    Task = "Task", task::TASK;
    TaskMetadata = "TaskMetadata", task::TASK_METADATA;
    RelatedTaskMetadata = "RelatedTaskMetadata", task::RELATED_TASK_METADATA;
    TaskRequestParams = "GetTaskRequest.params", task::PARAMS;
    UpdateTaskRequestParams = "UpdateTaskRequest.params", task::UPDATE_PARAMS;
    CreateTaskResult = "CreateTaskResult", task::CREATED;
    GetTaskResult = "GetTaskResult", task::GET_RESULT;
    GetTaskPayloadResult = "GetTaskPayloadResult", task::PAYLOAD;
    ListTasksResult = "ListTasksResult", task::LIST_RESULT;
    CancelTaskResult = "CancelTaskResult", task::CANCEL_RESULT;
    TaskStatusNotificationParams = "TaskStatusNotificationParams", task::STATUS_NOTIFICATION;
    TasksNotificationParams = "TaskStatusNotification.params", task::EXTENSION_NOTIFICATION;
}

impl Definition {
    /// What it is made of.
    #[must_use]
    pub fn shape(self) -> Shape {
        SHAPES[self as usize]
    }
}
