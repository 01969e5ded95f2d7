//! A verdict in OpenTelemetry's semantic conventions for MCP.

use crate::json::Kind;
use crate::table::{Era, Method};

use super::{Decision, SessionMode};

impl Decision {
    /// Attribute names and values, for a span or a log line; values are of the client's making but for the enums.
    ///
    /// A session id goes out only where it opens nothing by itself: never in the modern era, never a ticket.
    #[must_use]
    pub fn attributes(&self, body: &[u8], sessions: SessionMode) -> Vec<(&'static str, String)> {
        let facts = &self.facts;
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let mut attributes = Vec::new();
        let mut add = |name, value: Option<String>| attributes.extend(value.map(|value| (name, value)));
        let method = facts.method.map(|method| method.as_str().to_owned());
        add("mcp.method.name", method.or_else(|| facts.method_node.text(body).map(|name| text(&name))));
        add("mcp.protocol.version", facts.revision.map(|revision| revision.as_str().to_owned()));
        if facts.era == Some(Era::Legacy) && sessions != SessionMode::Tickets {
            add("mcp.session.id", facts.session_id.as_deref().map(text));
        }
        let id = match facts.id.kind() {
            Kind::Integer => Some(text(facts.id.token(body))),
            _ => facts.id.text(body).map(|id| text(&id)),
        };
        add("jsonrpc.request.id", id);
        let target = facts.name.text(body).map(|name| text(&name));
        match facts.method {
            Some(Method::ToolsCall) => {
                add("gen_ai.operation.name", Some("execute_tool".to_owned()));
                add("gen_ai.tool.name", target);
            }
            Some(Method::PromptsGet) => add("gen_ai.prompt.name", target),
            Some(Method::ResourcesRead) => add("mcp.resource.uri", target),
            _ => {}
        }
        if let Some(rejection) = self.rejection() {
            let code = self.code.map(|code| code.to_string());
            add("rpc.response.status_code", code.clone());
            add("error.type", Some(code.unwrap_or_else(|| self.status.to_string())));
            add("revcap.rung", Some(rejection.rung().to_owned()));
        }
        add("revcap.reason", Some(self.reason.as_str().to_owned()));
        attributes
    }
}
