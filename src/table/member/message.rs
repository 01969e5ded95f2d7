//! Where the walk of a message begins: the definition of each method's parameters and result.

use super::Definition as D;
use crate::table::{Channel, Feature, Method as M, Reading, Revision};

impl M {
    /// The definition of its parameters, in every revision and direction that has it.
    #[must_use]
    pub const fn params(self) -> D {
        match self {
            Self::Initialize => D::InitializeRequestParams,
            Self::Ping | Self::ServerDiscover => D::RequestParams,
            Self::ToolsList
            | Self::PromptsList
            | Self::ResourcesList
            | Self::ResourcesTemplatesList
            | Self::TasksList => D::PaginatedRequestParams,
            Self::ToolsCall => D::CallToolRequestParams,
            Self::PromptsGet => D::GetPromptRequestParams,
            Self::ResourcesRead => D::ReadResourceRequestParams,
            Self::ResourcesSubscribe => D::SubscribeRequestParams,
            Self::ResourcesUnsubscribe => D::UnsubscribeRequestParams,
            Self::SubscriptionsListen => D::SubscriptionsListenRequestParams,
            Self::LoggingSetLevel => D::SetLevelRequestParams,
            Self::CompletionComplete => D::CompleteRequestParams,
            Self::TasksGet | Self::TasksResult | Self::TasksCancel => D::TaskRequestParams,
            Self::TasksUpdate => D::UpdateTaskRequestParams,
            Self::RootsList => D::ListRootsRequestParams,
            Self::SamplingCreateMessage => D::CreateMessageRequestParams,
            Self::ElicitationCreate => D::ElicitRequestParams,
            Self::Cancelled => D::CancelledNotificationParams,
            Self::Progress => D::ProgressNotificationParams,
            Self::Initialized
            | Self::RootsListChanged
            | Self::ToolsListChanged
            | Self::PromptsListChanged
            | Self::ResourcesListChanged => D::NotificationParams,
            Self::Message => D::LoggingMessageNotificationParams,
            Self::ResourcesUpdated => D::ResourceUpdatedNotificationParams,
            Self::SubscriptionsAcknowledged => D::SubscriptionsAcknowledgedNotificationParams,
            Self::ElicitationComplete => D::ElicitationCompleteNotificationParams,
            Self::TasksStatus => D::TaskStatusNotificationParams,
            Self::Tasks => D::TasksNotificationParams,
        }
    }

    /// The definition of a request's complete result; none for a notification.
    ///
    /// A request that [takes input responses](Self::takes_input_responses) may be answered with
    /// [`Definition::InputRequiredResult`](D::InputRequiredResult) instead, one that runs as a task with
    /// [`Definition::CreateTaskResult`](D::CreateTaskResult).
    #[must_use]
    pub const fn result(self) -> Option<D> {
        Some(match self {
            Self::Initialize => D::InitializeResult,
            Self::Ping
            | Self::ResourcesSubscribe
            | Self::ResourcesUnsubscribe
            | Self::LoggingSetLevel
            | Self::TasksUpdate => D::EmptyResult,
            Self::ServerDiscover => D::DiscoverResult,
            Self::ToolsList => D::ListToolsResult,
            Self::ToolsCall => D::CallToolResult,
            Self::PromptsList => D::ListPromptsResult,
            Self::PromptsGet => D::GetPromptResult,
            Self::ResourcesList => D::ListResourcesResult,
            Self::ResourcesTemplatesList => D::ListResourceTemplatesResult,
            Self::ResourcesRead => D::ReadResourceResult,
            Self::SubscriptionsListen => D::SubscriptionsListenResult,
            Self::CompletionComplete => D::CompleteResult,
            Self::TasksGet => D::GetTaskResult,
            Self::TasksResult => D::GetTaskPayloadResult,
            Self::TasksList => D::ListTasksResult,
            Self::TasksCancel => D::CancelTaskResult,
            Self::RootsList => D::ListRootsResult,
            Self::SamplingCreateMessage => D::CreateMessageResult,
            Self::ElicitationCreate => D::ElicitResult,
            Self::Cancelled
            | Self::Progress
            | Self::Initialized
            | Self::RootsListChanged
            | Self::ToolsListChanged
            | Self::PromptsListChanged
            | Self::ResourcesListChanged
            | Self::Message
            | Self::ResourcesUpdated
            | Self::SubscriptionsAcknowledged
            | Self::ElicitationComplete
            | Self::TasksStatus
            | Self::Tasks => return None,
        })
    }
}

/// Every definition at which a message of `revision` can begin.
pub(super) fn roots(revision: Revision) -> impl Iterator<Item = D> {
    let methods = Channel::ALL
        .iter()
        .flat_map(move |channel| Reading::ALL.iter().map(move |reading| revision.methods(*channel, *reading)))
        .flat_map(super::super::MethodSet::iter);
    let of_methods = methods.flat_map(|method| [Some(method.params()), method.result()]);
    let instead = [
        revision.has(Feature::INPUT_REQUIRED).then_some(D::InputRequiredResult),
        revision.has(Feature::TASKS).then_some(D::CreateTaskResult),
    ];
    let envelopes =
        [D::JSONRPCRequest, D::JSONRPCNotification, D::JSONRPCResultResponse, D::JSONRPCErrorResponse].map(Some);
    of_methods.chain(instead).chain(envelopes).flatten()
}
