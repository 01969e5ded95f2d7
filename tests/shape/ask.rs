//! What servers ask of clients.

use revcap::shape::{IncludeContext, Reader, ShapePolicy, To, shape_notification, shape_server_request};
use revcap::table::{ClientFeature, Method, Revision};

use crate::{MODERN, with};

fn asks(requests: &str, client: Option<ClientFeature>, policy: &ShapePolicy) -> (String, u16) {
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"inputRequests":{requests},"cacheScope":"public","ttlMs":1,"resultType":"input_required"}}}}"#
    );
    let (body, status) = with(&message, Method::ToolsCall, &Reader { client, policy, ..Reader::of(MODERN) });
    let inside = body.strip_prefix(r#"{"jsonrpc":"2.0","id":1,"#).unwrap().strip_suffix('}').unwrap();
    (inside.to_owned(), status)
}

#[test]
fn a_request_for_input_is_checked_against_what_the_client_declared() {
    use ClientFeature as C;
    let everything = r#"{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"u","elicitationId":"e","task":{}},"id":1,"jsonrpc":"2.0"},"b":{"params":{"messages":[{"role":"user","content":[{"type":"tool_use","id":"1","name":"n","input":{}}]}],"maxTokens":1,"includeContext":"allServers","tools":[{"name":"t","inputSchema":{},"execution":{}}]},"method":"sampling/createMessage"},"c":{"method":"roots/list","params":null,"x/y":1}}"#;
    let kept = r#"{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"u"}},"b":{"params":{"messages":[{"role":"user","content":[{"type":"tool_use","id":"1","name":"n","input":{}}]}],"maxTokens":1,"includeContext":"allServers","tools":[{"name":"t","inputSchema":{}}]},"method":"sampling/createMessage"},"c":{"method":"roots/list","x/y":1}}"#;
    let passes = format!(r#""result":{{"inputRequests":{kept},"resultType":"input_required"}}"#);
    let default = ShapePolicy::default();
    assert_eq!(asks(everything, None, &default), (passes.clone(), 200));
    assert_eq!(asks(everything, Some(C::all()), &default), (passes.clone(), 200));
    let without_context = passes.replace(r#","includeContext":"allServers""#, "");
    assert_eq!(asks(everything, Some(C::all() - C::SAMPLING_CONTEXT), &default), (without_context, 200));
    let missing = |body: &(String, u16)| {
        assert_eq!(body.1, 400);
        let data = body.0.split_once(r#""data":{"requiredCapabilities":"#).unwrap().1;
        data.strip_suffix("}}").unwrap().to_owned()
    };
    assert_eq!(
        missing(&asks(everything, Some(C::empty()), &default)),
        r#"{"roots":{},"sampling":{"tools":{}},"elicitation":{"url":{}}}"#
    );
    let context = ShapePolicy { include_context: IncludeContext::Require, ..ShapePolicy::default() };
    let lacks = Some(C::all() - C::SAMPLING_CONTEXT);
    assert_eq!(missing(&asks(everything, lacks, &context)), r#"{"sampling":{"context":{}}}"#);
    let form = r#"{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{}}}}"#;
    assert_eq!(missing(&asks(form, Some(C::empty()), &default)), r#"{"elicitation":{}}"#);
    let url_alone = Some(C::ELICITATION | C::ELICITATION_URL);
    assert_eq!(missing(&asks(form, url_alone, &default)), r#"{"elicitation":{"form":{}}}"#);
}

#[test]
fn a_request_for_input_that_no_client_can_answer_is_an_internal_error() {
    let silent = ShapePolicy { elicitation: false, ..ShapePolicy::default() };
    let default = ShapePolicy::default();
    let form = r#"{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{}}}}"#;
    let expected =
        (r#""error":{"code":-32603,"message":"Internal error: invalid input_required result"}"#.to_owned(), 200);
    for (requests, policy) in [
        ("null", &default),
        (form, &silent),
        (r#"{"a":{"method":"ping"}}"#, &default),
        (r#"{"a":{"method":"x/y","params":5}}"#, &default),
        (r#"{"a":{"method":"elicitation/create","params":{"mode":"voice"}}}"#, &default),
    ] {
        assert_eq!(asks(requests, Some(ClientFeature::empty()), policy), expected, "{requests}");
    }
    let message = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"}}"#;
    assert!(with(message, Method::ToolsList, &Reader::of(MODERN)).0.contains("-32603"));
    assert_eq!(with(message, Method::PromptsGet, &Reader::of(MODERN)).0, message);
}

fn request(revision: Revision, client: Option<ClientFeature>, message: &str) -> (String, To) {
    let shaped = shape_server_request(message.as_bytes(), &Reader { client, ..Reader::of(revision) }).unwrap();
    (String::from_utf8(shaped.body.into_owned()).unwrap(), shaped.to)
}

#[test]
fn a_servers_request_goes_to_a_client_that_can_take_it() {
    use ClientFeature as C;
    use Revision::{V2024_11_05, V2025_06_18, V2025_11_25};
    let ask = |method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":"\u0037","method":"{method}","params":{params}}}"#)
    };
    let text = r#"{"type":"text","text":"x"}"#;
    let sample = |more: &str| {
        ask(
            "sampling/createMessage",
            &format!(r#"{{"messages":[{{"role":"user","content":{text}}}],"maxTokens":5{more}}}"#),
        )
    };
    let form = |more: &str| ask("elicitation/create", &format!(r#"{{"message":"m","requestedSchema":{{}}{more}}}"#));
    let url = ask("elicitation/create", r#"{"mode":"url","message":"m","url":"u","elicitationId":"e"}"#);
    let tools = r#","tools":[{"name":"t","inputSchema":{}}],"toolChoice":{"mode":"auto"}"#;
    let tool_use = sample("").replace(text, r#"[{"type":"tool_use","id":"1","name":"n","input":{}}]"#);
    let form_client = Some(C::ELICITATION | C::ELICITATION_FORM);
    let goes = |revision, client, message: &str, expected: &str| {
        assert_eq!(request(revision, client, message), (expected.to_owned(), To::Client), "{revision:?}");
    };
    let back = |revision, client, message: &str, code: i32| {
        let (body, to) = request(revision, client, message);
        assert_eq!(to, To::Server, "{body}");
        assert!(body.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":"\u0037","error":{{"code":{code},"#)), "{body}");
    };
    for client in [None, Some(C::SAMPLING)] {
        goes(V2024_11_05, client, &sample(tools), &sample(""));
        goes(
            V2025_06_18,
            client,
            &sample(r#","includeContext":"thisServer","task":{}"#),
            &sample(r#","includeContext":"thisServer""#),
        );
        back(V2025_06_18, client, &tool_use, -32602);
    }
    goes(V2025_11_25, None, &sample(tools), &sample(tools));
    goes(V2025_11_25, None, &tool_use, &tool_use);
    back(V2025_11_25, Some(C::SAMPLING), &sample(tools), -32602);
    back(V2025_11_25, Some(C::SAMPLING), &tool_use, -32602);
    goes(V2025_11_25, Some(C::SAMPLING), &sample(r#","includeContext":"thisServer","task":{}"#), &sample(""));
    goes(
        V2025_11_25,
        Some(C::SAMPLING),
        &sample(r#","includeContext":"none""#),
        &sample(r#","includeContext":"none""#),
    );
    goes(V2025_11_25, None, &sample(r#","includeContext":null"#), &sample(""));
    let task = Some(C::SAMPLING | C::TASKS | C::TASKS_SAMPLING);
    goes(V2025_11_25, task, &sample(r#","task":{"ttl":1}"#), &sample(r#","task":{"ttl":1}"#));
    back(V2025_11_25, Some(C::empty()), &sample(""), -32601);

    back(V2024_11_05, None, &form(""), -32601);
    goes(V2025_06_18, form_client, &form(r#","mode":"form""#), &form(""));
    goes(V2025_11_25, form_client, &form(r#","mode":"form","task":{}"#), &form(r#","mode":"form""#));
    back(V2025_06_18, None, &url, -32602);
    back(V2025_11_25, form_client, &url, -32602);
    back(V2025_11_25, Some(C::empty()), &url, -32601);
    for no_mode in [r#""voice""#, "7", "{}"] {
        back(V2025_11_25, None, &form(&format!(r#","mode":{no_mode}"#)), -32602);
    }
    goes(V2025_11_25, None, &url, &url);
    let silent = ShapePolicy { elicitation: false, ..ShapePolicy::default() };
    let reader = Reader { policy: &silent, ..Reader::of(V2025_11_25) };
    assert_eq!(shape_server_request(form("").as_bytes(), &reader).unwrap().to, To::Server);

    let vendor = r#"{"jsonrpc":"2.0","id":"\u0037","method":"x/y","params":[1]}"#;
    goes(V2024_11_05, Some(C::empty()), vendor, vendor);
    let meta = r#""_meta":{"io.modelcontextprotocol/serverInfo":{}},"#;
    let vendor = ask("x/y", &format!(r#"{{{meta}"z":null}}"#));
    goes(V2024_11_05, Some(C::empty()), &vendor, &vendor.replace(meta, ""));
    let task_get = ask("tasks/get", r#"{"taskId":"t"}"#);
    goes(V2025_11_25, Some(C::TASKS), &task_get, &task_get);
    back(V2025_11_25, Some(C::empty()), &task_get, -32601);
    back(V2025_06_18, None, &task_get, -32601);
    let ping = r#"{"jsonrpc":"2.0","id":"\u0037","method":"ping"}"#;
    goes(V2025_06_18, Some(C::empty()), ping, ping);
    for message in [ping, &vendor, &sample(""), &form("")] {
        back(MODERN, None, message, -32601);
    }
}

#[test]
fn a_message_of_several_blocks_becomes_several_messages_where_content_is_one_block() {
    let sample = |messages: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{{"messages":[{messages}],"maxTokens":5}}}}"#
        )
    };
    let [a, b] = [r#"{"type":"text","text":"a"}"#, r#"{"type":"audio","data":"","mimeType":"m"}"#];
    let long = "x".repeat(100);
    let b_text = r#"{"type":"text","text":"[audio: m]"}"#;
    for (given, expected) in [
        (format!(r#"{{"role":"user","content":[{a}]}}"#), format!(r#"{{"role":"user","content":{a}}}"#)),
        (
            format!(r#"{{"x":1,"role":"user","content":[ {a} , {b} ],"_meta":{{}},"y":2}}"#),
            format!(r#"{{"x":1,"role":"user","content":{a}}},{{"role":"user","content":{b_text},"y":2}}"#),
        ),
        (
            format!(r#"{{"content":[{a},{b},{a}],"role":"assistant"}}"#),
            format!(
                r#"{{"content":{a},"role":"assistant"}},{{"content":{b_text},"role":"assistant"}},{{"content":{a},"role":"assistant"}}"#
            ),
        ),
        // A message without a role is the sender's fault and none of ours.
        (format!(r#"{{"content":[{a},{b}]}}"#), format!(r#"{{"content":{a}}},{{"content":{b_text}}}"#)),
        (format!(r#"{{"content":{a},"role":"{long}"}}"#), format!(r#"{{"content":{a},"role":"{long}"}}"#)),
        (
            r#"{"role":"user","content":[]}"#.to_owned(),
            r#"{"role":"user","content":{"type":"text","text":""}}"#.to_owned(),
        ),
    ] {
        let (body, to) = request(Revision::V2024_11_05, None, &sample(&given));
        assert_eq!((body, to), (sample(&expected), To::Client));
        assert_eq!(request(Revision::V2025_11_25, None, &sample(&given)).0, sample(&given));
    }
}

#[test]
fn a_server_is_told_what_the_client_did_not_declare() {
    let policy = ShapePolicy { include_context: IncludeContext::Require, ..ShapePolicy::default() };
    let asks = |params: &str| {
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{{"messages":[],"maxTokens":5{params}}}}}"#
        );
        let reader =
            Reader { client: Some(ClientFeature::SAMPLING), policy: &policy, ..Reader::of(Revision::V2025_11_25) };
        let shaped = shape_server_request(message.as_bytes(), &reader).unwrap();
        assert_eq!((shaped.status, shaped.to), (200, To::Server));
        String::from_utf8(shaped.body.into_owned()).unwrap()
    };
    for (params, undeclared) in [
        (r#","tools":[]"#, "sampling.tools"),
        (r#","includeContext":"thisServer""#, "sampling.context"),
        (r#","includeContext":"thisServer","tools":[]"#, "sampling.tools and sampling.context"),
    ] {
        assert_eq!(
            asks(params),
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32602,"message":"Invalid params: the client did not declare {undeclared}"}}}}"#
            )
        );
    }
}

#[test]
fn a_tools_result_in_a_conversation_is_told_like_a_tools_result() {
    let said = |inside: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{{"messages":[{{"role":"user","content":[{{"type":"tool_result","toolUseId":"1",{inside}}}]}}],"maxTokens":5}}}}"#
        )
    };
    let (body, _) = request(Revision::V2025_11_25, None, &said(r#""content":[],"structuredContent":[1]"#));
    assert_eq!(body, said(r#""content":[{"type":"text","text":"[1]"}]"#));
    let objects = said(r#""content":[],"structuredContent":{}"#);
    assert_eq!(request(Revision::V2025_11_25, None, &objects).0, objects);
}

#[test]
fn what_a_task_asks_for_is_told_as_what_a_result_asks_for() {
    let task = |requests: &str| {
        format!(
            r#"{{"taskId":"t","status":"input_required","createdAt":"","lastUpdatedAt":"","ttlMs":null,"resultType":"complete","inputRequests":{requests}}}"#
        )
    };
    let given = r#"{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"u","elicitationId":"e"}},"b":{"params":{"message":"m","requestedSchema":{},"task":{}},"method":"elicitation/create"},"c":{"method":"x/y","params":null}}"#;
    let told = r#"{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"u"}},"b":{"params":{"message":"m","requestedSchema":{}},"method":"elicitation/create"},"c":{"method":"x/y","params":null}}"#;
    assert_eq!(crate::result(MODERN, Method::TasksGet, &task(given)), task(told));
    let notification =
        |requests: &str| format!(r#"{{"jsonrpc":"2.0","method":"notifications/tasks","params":{}}}"#, task(requests));
    let message = notification(given);
    let shaped = shape_notification(message.as_bytes(), &Reader::of(MODERN)).unwrap().unwrap();
    assert_eq!(shaped.body, notification(told).as_bytes());
}
