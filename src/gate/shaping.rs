//! What a gate and its verdicts tell to shaping.

use super::reply::response;
use super::{Decision, Gate, MessageKind, Reply, SubscriptionFilter};
use crate::json::{Cursor, Fault, Limits, Span};
use crate::shape::{self, IncludeContext, LogLevel, Reader, ShapeError, ShapePolicy};
use crate::table::Revision;

impl Gate {
    /// The policies and switches that matter to what a reader of `revision` gets.
    #[must_use]
    pub fn shape_policy(&self, revision: Revision) -> ShapePolicy {
        let policy = self.policy();
        ShapePolicy {
            limits: policy.limits,
            default_ttl_ms: policy.default_ttl_ms,
            default_cache_scope: policy.default_cache_scope,
            per_caller: policy.per_caller,
            include_context: if policy.require_context_capability {
                IncludeContext::Require
            } else {
                IncludeContext::Strip
            },
            elicitation: self.config().server.may_elicit(),
            server: self.advertised(revision),
            legacy_extensions: policy.legacy_extensions,
        }
    }
}

impl Decision {
    /// The facts that matter to what answers the request, or is sent while it runs; `body` is what was admitted.
    ///
    /// None for a stream of what the server sends unasked: it may belong to any request.
    #[must_use]
    pub fn shape_request<'a>(&self, body: &'a [u8]) -> Option<shape::Request<'a>> {
        let facts = &self.facts;
        if facts.kind != Some(MessageKind::Request) {
            return None;
        }
        let token = |node: crate::json::Node| node.is_present().then(|| node.token(body).into());
        Some(shape::Request {
            id: token(facts.id),
            asked_as: None,
            retry: facts.retry,
            progress_token: token(facts.progress_token),
            log_level: facts.log_level.text(body).and_then(|level| LogLevel::parse(&level)),
            subscription_filter: facts.subscription_filter.map(|filter| filter.told(body)),
        })
    }
}

impl Gate {
    /// The answer where a handler's result asks the client for what it cannot give, or asks wrongly; none where the
    /// client can, where nobody knows it, and for a result that asks for nothing.
    ///
    /// `result` is the result object, `decision` is on `body`.
    ///
    /// # Errors
    ///
    /// The result is malformed where it is read.
    pub fn check_input_requests(
        &self,
        decision: &Decision,
        body: &[u8],
        result: &[u8],
    ) -> Result<Option<Reply>, ShapeError> {
        // The result itself, before it becomes a part of a message: what closes one member could open another.
        let mut cursor = Cursor::new(result, self.policy().limits)?;
        cursor.value()?;
        cursor.end()?;
        let Some(revision) = decision.facts.revision.filter(|_| decision.facts.id.is_present()) else {
            return Ok(None); // no request, no answer
        };
        let id = decision.facts.id.token(body);
        let message = response(id, result);
        let client = decision.client(body).map(|client| client.effective(revision));
        let policy = self.shape_policy(revision);
        let reader = Reader { revision, reading: self.reading(), client, request: None, policy: &policy };
        let shaped = shape::shape_response(&message, decision.facts.method, &reader)?;
        Ok(is_error(&shaped.body)?.then(|| Reply::json(shaped.status, shaped.body.into_owned())))
    }
}

/// Whether a message that was shaped answers with an error.
fn is_error(message: &[u8]) -> Result<bool, Fault> {
    let mut cursor = Cursor::resume(message, 0, 0, Limits::DEFAULT);
    let mut members = cursor.open_object()?;
    while let Some(key) = cursor.next_member(&mut members)? {
        if &*key.name(message) == b"error" {
            return Ok(true);
        }
        cursor.value()?;
    }
    Ok(false)
}

/// The strings of an array that was read before.
fn strings(body: &[u8], array: Span) -> Result<Vec<Box<str>>, Fault> {
    let mut cursor = Cursor::resume(body, array.start as usize, 0, Limits::DEFAULT);
    let mut elements = cursor.open_array()?;
    let mut strings = Vec::new();
    while cursor.next_element(&mut elements)? {
        strings.extend(cursor.value()?.text(body).map(|text| String::from_utf8_lossy(&text).into()));
    }
    Ok(strings)
}

impl SubscriptionFilter {
    fn told(self, body: &[u8]) -> shape::SubscriptionFilter {
        let task_ids = self.task_ids.map_or_else(Vec::new, |array| strings(body, array).unwrap_or_default());
        shape::SubscriptionFilter {
            tools_list_changed: self.tools_list_changed,
            prompts_list_changed: self.prompts_list_changed,
            resources_list_changed: self.resources_list_changed,
            resource_subscriptions: self.resource_subscriptions.is_some(),
            task_ids,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advertise::{Implementation, ServerIdentity, Switches};
    use crate::gate::{Annotations, GateConfig, Lookup, Policy, Request, Requirements, Served, SessionMode};
    use crate::handshake::CacheScope;
    use crate::table::{Reading, ServerFeature};

    fn gate(switches: &Switches, policy: Policy) -> Gate {
        Gate::new(GateConfig {
            served: Served::all(),
            reading: Reading::Record,
            sessions: SessionMode::Stateless,
            can_revoke: false,
            server: ServerIdentity::new(Implementation::new("t", "1"), switches).unwrap(),
            answer_handshake: false,
            annotations: Annotations::default(),
            requirements: Requirements::default(),
            policy,
        })
    }

    #[test]
    fn a_listen_requests_facts_reach_shaping() {
        let body = br#"{"jsonrpc":"2.0","id":"\u0061","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["x"],"taskIds":["t","\u0075"]},"_meta":{"progressToken":0,"io.modelcontextprotocol/logLevel":"error","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}"#;
        let gate = gate(&Switches::default(), Policy::default());
        let decision =
            gate.decide(&Request { http_method: "POST", headers: None, body, look_up: &|_| Lookup::Unknown });
        let request = decision.shape_request(body).unwrap();
        assert_eq!(request.id.as_deref(), Some(&br#""\u0061""#[..]));
        assert_eq!(request.progress_token.as_deref(), Some(&b"0"[..]));
        assert_eq!((request.log_level, request.retry), (Some(LogLevel::Error), false));
        let filter = request.subscription_filter.unwrap();
        assert!(filter.tools_list_changed && !filter.prompts_list_changed && filter.resource_subscriptions);
        assert_eq!(filter.task_ids, ["t".into(), "u".into()]);
    }

    #[test]
    fn a_gates_policies_and_switches_reach_shaping() {
        let switches = Switches { elicitation: Some(false), ..Switches::default() };
        let policy = Policy {
            default_ttl_ms: 7,
            default_cache_scope: CacheScope::Public,
            per_caller: true,
            require_context_capability: true,
            legacy_extensions: false,
            ..Policy::default()
        };
        let policy = gate(&switches, policy).shape_policy(Revision::V2025_11_25);
        assert_eq!((policy.default_ttl_ms, policy.default_cache_scope), (7, CacheScope::Public));
        assert_eq!(policy.include_context, IncludeContext::Require);
        assert!(policy.per_caller && !policy.elicitation && !policy.legacy_extensions);
        assert!(policy.server.contains(ServerFeature::TASKS_TOOLS_CALL));
    }
}
