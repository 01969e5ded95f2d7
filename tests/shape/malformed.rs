//! What is no message.

use revcap::shape::{
    LogLevel, Reader, Request, SubscriptionFilter, shape_notification, shape_response, shape_server_request,
};
use revcap::table::{Method, Revision};

use crate::{MODERN, down};

#[test]
fn malformed_messages_are_errors_that_name_the_member() {
    let tools = |tools: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":{tools}}}}}"#);
    let content = |content: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":{content}}}}}"#);
    for (message, path) in [
        (tools("5"), "result.tools"),
        (tools("null"), "result.tools"),
        (tools("[{},[]]"), "result.tools[1]"),
        (tools(r#"[{"annotations":"x"}]"#), "result.tools[0].annotations"),
        (tools(r#"[{"icons":[{"src":1},2]}]"#), "result.tools[0].icons[1]"),
        (tools(r#"[{"name":1,"n\u0061me":2}]"#), "result.tools[0].name"),
        (tools("[{"), "result.tools"),
        (content("[{}]"), "result.content[0].type"),
        (content(r#"[{"type":5}]"#), "result.content[0].type"),
        (content(r#"[{"type":"text","x":1,"type":"audio"}]"#), "result.content[0].type"),
        (content(r#"[{"type":"vendor","type":"audio"}]"#), "result.content[0].type"),
        (content(r#"[{"type":"resource","resource":[]}]"#), "result.content[0].resource"),
        (r#"{"jsonrpc":"2.0","id":1,"result":[]}"#.to_owned(), "result"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":1}}"#.to_owned(), "result.resultType"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}"#.to_owned(), "error.code"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":null}}"#.to_owned(), "error.message"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{},"result":{}}"#.to_owned(), "error.code"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#.to_owned(), "error"),
        (r#"{"jsonrpc":"2.0","id":1}"#.to_owned(), ""),
        (r#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#.to_owned(), "id"),
        (r#"{"jsonrpc":"2.0","result":{}}"#.to_owned(), "id"),
        (r#"{"jsonrpc":"2.0","id":1,"id":1,"result":{}}"#.to_owned(), "id"),
        (r#"{"jsonrpc":"1.0","id":1,"result":{}}"#.to_owned(), "jsonrpc"),
        (r#"{"id":1,"result":{}}"#.to_owned(), "jsonrpc"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"method":"x"}"#.to_owned(), "method"),
        ("[]".to_owned(), ""),
        (String::new(), ""),
        ("{} {}".to_owned(), ""),
        (format!("{}{}", "[".repeat(5000), "]".repeat(5000)), ""),
    ] {
        let method = if message.contains("content") { Method::ToolsCall } else { Method::ToolsList };
        let shaped = down(Revision::V2025_11_25, method, &message);
        assert_eq!(shaped.map_err(|error| error.path()), Err(path.to_owned()), "{message}");
    }
    assert!(shape_response(b"\xff", None, &Reader::of(MODERN)).is_err());
    let path_of = |message: &str| {
        shape_server_request(message.as_bytes(), &Reader::of(Revision::V2025_11_25)).unwrap_err().path()
    };
    let said_by = |role: &str| {
        let content = r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#;
        let message = format!(r#"{{"role":{role},"content":{content}}}"#);
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{{"messages":[{message}]}}}}"#
        );
        shape_server_request(message.as_bytes(), &Reader::of(Revision::V2024_11_05)).map_err(|error| error.path()).err()
    };
    let [longest, long] = [62, 63].map(|length| format!("\"{}\"", "x".repeat(length)));
    for role in ["5", "{}", "null", &long] {
        assert_eq!(said_by(role).as_deref(), Some("params.messages[0].role"), "{role} would be said twice");
    }
    assert_eq!((said_by("\"user\""), said_by(&longest)), (None, None));
    for (message, path) in [
        (r#"{"jsonrpc":"2.0","method":"ping"}"#, "id"),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "id"),
        (r#"{"jsonrpc":"2.0","id":1,"method":""}"#, "method"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}"#, "params"),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[5]}}"#,
            "params.messages[0]",
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#, "result"),
    ] {
        assert_eq!(path_of(message), path, "{message}");
    }
}

#[test]
fn a_notification_that_is_read_to_see_who_hears_it_must_be_readable() {
    let listening = SubscriptionFilter { task_ids: vec!["t".into()], ..SubscriptionFilter::default() };
    let request = |listens: bool| Request {
        id: Some(b"1".into()),
        log_level: Some(LogLevel::Info),
        subscription_filter: listens.then(|| listening.clone()),
        ..Request::default()
    };
    let path_of = |message: &str, listens| {
        let request = request(listens);
        let reader = Reader { request: Some(&request), ..Reader::of(MODERN) };
        shape_notification(message.as_bytes(), &reader).map(|shaped| shaped.is_some()).map_err(|error| error.path())
    };
    let told = |method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{params}}}"#)
    };
    for (method, params, path, listens) in [
        ("progress", r#"{"progressToken":1.5}"#, "params.progressToken", false),
        ("progress", "{}", "params.progressToken", false),
        ("progress", "[]", "params", false),
        ("message", r#"{"level":"loud"}"#, "params.level", false),
        ("message", "null", "params", false),
        ("tasks", r#"{"taskId":1}"#, "params.taskId", true),
    ] {
        assert_eq!(path_of(&told(method, params), listens), Err(path.to_owned()), "{method} {params}");
    }
    let numbered = r#"{"jsonrpc":"2.0","id":1,"method":"notifications/progress"}"#;
    assert_eq!(path_of(numbered, false), Err("id".to_owned()));
}

#[test]
fn what_would_be_named_in_words_must_have_its_words() {
    let audio = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio"}]}}"#;
    let shaped = down(Revision::V2024_11_05, Method::ToolsCall, audio);
    assert_eq!(shaped.map_err(|error| error.path()), Err("result.content[0].mimeType".to_owned()));
    let link = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource_link","uri":5}]}}"#;
    let shaped = down(Revision::V2025_03_26, Method::ToolsCall, link);
    assert_eq!(shaped.map_err(|error| error.path()), Err("result.content[0].uri".to_owned()));
    let asked = r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}"#;
    let shaped = shape_server_request(asked.as_bytes(), &Reader::of(Revision::V2025_06_18));
    assert_eq!(shaped.map_err(|error| error.path()), Err("params".to_owned()));
    for (request, path) in
        [("{}", "result.inputRequests.a.method"), (r#"{"method":1}"#, "result.inputRequests.a.method")]
    {
        let asks = format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"input_required","inputRequests":{{"a":{request}}}}}}}"#
        );
        let shaped = down(MODERN, Method::ToolsCall, &asks);
        assert_eq!(shaped.map_err(|error| error.path()), Err(path.to_owned()), "{request}");
    }
}

#[test]
fn what_a_client_is_to_be_asked_must_be_readable() {
    let result =
        |members: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"input_required",{members}}}}}"#);
    let urls = |entries: &str| {
        let data = format!(r#"{{"elicitations":{entries}}}"#);
        format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32042,"message":"m","data":{data}}}}}"#)
    };
    for (message, path) in [
        (result(r#""requestState":5"#), "result.requestState"),
        (result(r#""inputRequests":[]"#), "result.inputRequests"),
        (result(r#""inputRequests":{"a":{"method":"elicitation/create"}}"#), "result.inputRequests.a.params"),
        (
            result(r#""inputRequests":{"a":{"method":"elicitation/create","params":null}}"#),
            "result.inputRequests.a.params",
        ),
        (urls(r#"[{"message":"m","url":"u"},{"message":"m"}]"#), "error.data.elicitations[1].url"),
        (urls(r#"[{"message":5,"url":"u"}]"#), "error.data.elicitations[0].message"),
        (urls("[7]"), "error.data.elicitations[0]"),
    ] {
        let shaped = down(MODERN, Method::ToolsCall, &message);
        assert_eq!(shaped.map_err(|error| error.path()), Err(path.to_owned()), "{message}");
    }
}

#[test]
fn an_error_says_what_is_wrong_and_where() {
    for (message, path, what) in [
        (r#"{"jsonrpc":"2.0","result":{}}"#, "id", "is missing"),
        (r#"{"jsonrpc":"2.0","id":null,"result":{}}"#, "id", "must be a string or an integer"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{"content":[7]}}"#, "result.content[0]", "must be an object"),
        ("[]", "", "must be an object"),
    ] {
        let error = down(MODERN, Method::ToolsCall, message).unwrap_err();
        assert_eq!((error.path().as_str(), error.what()), (path, what), "{message}");
    }
}
