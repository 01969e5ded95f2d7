//! A visit by rmcp: `visit URL`; prints what worked as JSON.

use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ErrorData, GetPromptRequestParams, Implementation, ProtocolVersion, ReadResourceRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Map, Value, json};

struct Visitor;

impl ClientHandler for Visitor {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(Default::default());
        ClientConfig::new(capabilities, Implementation::new("visit", "1.0.0"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let schema = serde_json::to_value(&request).unwrap_or_default();
        let names = schema["requestedSchema"]["properties"].as_object().cloned().unwrap_or_default();
        let content: Map<String, Value> = names.keys().map(|name| (name.clone(), json!("x"))).collect();
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(content)))
    }
}

#[derive(Default)]
struct Outcome {
    revision: String,
    worked: Map<String, Value>,
    faults: Map<String, Value>,
}

impl Outcome {
    fn saw(&mut self, name: &str, holds: &str, answer: Result<String, String>) {
        let (text, has) = match answer {
            Ok(text) => (text.clone(), text.contains(holds)),
            Err(text) => (text, false),
        };
        self.worked.insert(name.into(), json!(has));
        if !has {
            self.faults.insert(name.into(), json!(text));
        }
    }
}

fn told<T: serde::Serialize, E: std::fmt::Display>(answer: Result<T, E>) -> Result<String, String> {
    answer.map_err(|error| error.to_string()).map(|value| serde_json::to_string(&value).unwrap_or_default())
}

fn call(name: &'static str, message: &str) -> CallToolRequestParams {
    let arguments = json!({"message": message}).as_object().cloned().unwrap_or_default();
    CallToolRequestParams::new(name).with_arguments(arguments)
}

async fn visit(url: String, outcome: &mut Outcome) -> Result<(), String> {
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let transport = StreamableHttpClientTransport::from_uri(url);
    let client = Visitor.serve_with_lifecycle(transport, lifecycle).await.map_err(|error| error.to_string())?;
    outcome.revision = client.peer_info().map(|info| info.protocol_version.to_string()).unwrap_or_default();
    outcome.saw("list", "echo", told(client.list_tools(None).await));
    outcome.saw("call", "hello", told(client.call_tool(call("echo", "hello")).await));
    let prompt = GetPromptRequestParams::new("test_simple_prompt");
    outcome.saw("prompt", "simple", told(client.get_prompt(prompt).await));
    let resource = ReadResourceRequestParams::new("test://static-text");
    outcome.saw("resource", "resource", told(client.read_resource(resource).await));
    let (tool, holds) = if outcome.revision.starts_with("2026") {
        ("test_input_required_result_elicitation", "Hello, ")
    } else {
        ("test_elicitation", "accept")
    };
    outcome.saw("elicitation", holds, told(client.call_tool(call(tool, "?")).await));
    client.cancel().await.map_err(|error| error.to_string())?;
    Ok(())
}

#[tokio::main]
async fn main() {
    let url = std::env::args().nth(1).unwrap_or_default();
    let mut outcome = Outcome::default();
    if let Err(fault) = visit(url, &mut outcome).await {
        outcome.faults.insert("connect".into(), json!(fault));
    }
    println!("{}", json!({"revision": outcome.revision, "worked": outcome.worked, "faults": outcome.faults}));
}
