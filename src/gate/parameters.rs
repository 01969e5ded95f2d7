//! The parameters that the gate reads have the shape that their method gives them (L3, M4).

use crate::json::{Kind, Node};
use crate::table::{Channel, Era, Method, MethodRow, Revision, ServerFeature};

use super::Rejection;
use super::facts::SubscriptionFilter;
use super::ladder::Climb;
use super::message::{Fields, Message};

impl Climb<'_, '_> {
    /// Checks them and notes the facts that stand in them.
    #[inline]
    pub(super) fn parameters(
        &mut self,
        message: &Message,
        method: Option<Method>,
        revision: Revision,
    ) -> Result<(), Rejection> {
        let Some(method) = method else {
            return Ok(());
        };
        let fields = &message.fields;
        let era = revision.era();
        // A reported refusal lets a method of other revisions come this far.
        let row = method
            .row(Channel::ClientRequest, revision)
            .or_else(|| Revision::ALL.iter().find_map(|other| method.row(Channel::ClientRequest, *other)));
        if let Some(parameter) = row.and_then(MethodRow::target_parameter)
            && let Some(target) = fields.target(parameter)
        {
            if target.is_string() {
                if self.name_source(method, revision).is_some() {
                    self.facts.name = target;
                }
            } else {
                self.wrong(&format!("{parameter} must be a string"), era)?;
            }
        }
        match method {
            Method::ToolsCall | Method::PromptsGet => {
                self.object_or_null("arguments", fields.arguments, era)?;
            }
            Method::LoggingSetLevel if !self.is_log_level(fields.level) => {
                self.wrong("level must be a logging level", era)?;
            }
            Method::TasksUpdate if !fields.input_responses.is_object() => {
                self.wrong("inputResponses must be an object", era)?;
            }
            Method::SubscriptionsListen => self.filter(fields, revision)?,
            _ => {}
        }
        if method == Method::ToolsCall && fields.task.is_present() {
            let advertised = self.gate().advertised(revision);
            if !advertised.contains(ServerFeature::TASKS_TOOLS_CALL) {
                self.facts.strip_task = Some(fields.task_cut);
            }
        }
        if method.takes_input_responses(revision) {
            self.input_responses(fields, era)?;
        }
        Ok(())
    }

    /// The parameter that `Mcp-Name` repeats; an extension that is off has none.
    pub(super) fn name_source(&self, method: Method, revision: Revision) -> Option<&'static str> {
        let is_off = || !self.gate().has_method(Some(method), revision) && method.extension(revision).is_some();
        method.name_source(revision).filter(|_| !is_off())
    }

    fn wrong(&mut self, what: &str, era: Era) -> Result<(), Rejection> {
        self.object(Rejection::Params { what: what.into(), era })
    }

    fn object_or_null(&mut self, name: &str, node: Node, era: Era) -> Result<(), Rejection> {
        if node.is_absent_or_null() || node.is_object() {
            return Ok(());
        }
        self.wrong(&format!("{name} must be an object"), era)
    }

    /// A multi-round-trip retry brings answers, or the state that the server gave out, or both.
    ///
    /// Spec: 2026-07-28 basic/patterns/mrtr.
    fn input_responses(&mut self, fields: &Fields, era: Era) -> Result<(), Rejection> {
        let mut retry = false;
        if fields.input_responses.is_present() {
            if fields.input_responses_are_objects {
                retry = true;
            } else {
                self.wrong("inputResponses must be an object of objects", era)?;
            }
        }
        if !fields.request_state.is_absent_or_null() {
            if fields.request_state.is_string() {
                retry = true;
            } else {
                self.wrong("requestState must be a string", era)?;
            }
        }
        self.facts.retry = retry;
        Ok(())
    }

    /// What a listen request asks for, cut down to what this server publishes.
    ///
    /// Spec: 2026-07-28 basic/patterns/subscriptions.
    fn filter(&mut self, fields: &Fields, revision: Revision) -> Result<(), Rejection> {
        let era = revision.era();
        if !fields.notifications.is_object() {
            self.wrong("notifications must be an object", era)?;
        }
        let asked = &fields.filter;
        for (name, node) in [
            ("toolsListChanged", asked.tools_list_changed),
            ("promptsListChanged", asked.prompts_list_changed),
            ("resourcesListChanged", asked.resources_list_changed),
        ] {
            if !matches!(node.kind(), Kind::Absent | Kind::Null | Kind::True | Kind::False) {
                self.wrong(&format!("notifications.{name} must be a boolean"), era)?;
            }
        }
        for (name, node, are_strings) in [
            ("resourceSubscriptions", asked.resource_subscriptions, asked.resource_subscriptions_are_strings),
            ("taskIds", asked.task_ids, asked.task_ids_are_strings),
        ] {
            if !node.is_absent_or_null() && !are_strings {
                self.wrong(&format!("notifications.{name} must be an array of strings"), era)?;
            }
        }
        if method_is_elsewhere(revision) {
            return Ok(());
        }
        let published = self.gate().advertised(revision);
        let flag = |node: Node, feature| node.kind() == Kind::True && published.contains(feature);
        let list = |node: Node, are_strings: bool, feature| {
            (are_strings && published.contains(feature)).then_some(node.span())
        };
        self.facts.subscription_filter = Some(SubscriptionFilter {
            tools_list_changed: flag(asked.tools_list_changed, ServerFeature::TOOLS_LIST_CHANGED),
            prompts_list_changed: flag(asked.prompts_list_changed, ServerFeature::PROMPTS_LIST_CHANGED),
            resources_list_changed: flag(asked.resources_list_changed, ServerFeature::RESOURCES_LIST_CHANGED),
            resource_subscriptions: list(
                asked.resource_subscriptions,
                asked.resource_subscriptions_are_strings,
                ServerFeature::RESOURCES_SUBSCRIBE,
            ),
            task_ids: list(asked.task_ids, asked.task_ids_are_strings, ServerFeature::TASKS_EXTENSION),
        });
        Ok(())
    }
}

/// A reported refusal let a listen request through under a revision that has none.
fn method_is_elsewhere(revision: Revision) -> bool {
    Method::SubscriptionsListen.row(Channel::ClientRequest, revision).is_none()
}

impl Fields {
    /// The parameter that names a request's target, where the gate reads it.
    fn target(&self, parameter: &str) -> Option<Node> {
        match parameter {
            "name" => Some(self.name),
            "uri" => Some(self.uri),
            "taskId" => Some(self.task_id),
            _ => None,
        }
    }
}
