//! Results, in the words of each revision.

use revcap::handshake::CacheScope;
use revcap::shape::{Reader, Request, ShapePolicy, merge_cache_hints, shape_response};
use revcap::table::{Method, Revision};

use crate::{LEGACY, MODERN, down, result, with};

#[test]
fn members_of_later_revisions_leave_a_tool() {
    let tools = r#"{"tools":[{"name":"t","title":"T","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"icons":[{"src":"https://example.com/i.png"}],"execution":{"taskSupport":"optional"},"annotations":{"readOnlyHint":true}}]}"#;
    for (revision, expected) in [
        (Revision::V2024_11_05, r#"{"tools":[{"name":"t","description":"d","inputSchema":{"type":"object"}}]}"#),
        (
            Revision::V2025_03_26,
            r#"{"tools":[{"name":"t","description":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}"#,
        ),
        (Revision::V2025_11_25, tools),
    ] {
        assert_eq!(result(revision, Method::ToolsList, tools), expected);
    }
}

#[test]
fn a_message_with_nothing_to_change_is_handed_back_itself() {
    let message = "{ \"jsonrpc\": \"2.0\", \"id\": 1e0 }";
    assert!(down(Revision::V2025_11_25, Method::Ping, message).is_err());
    let message = "{ \"x\": 1.50e+3, \"jsonrpc\": \"2.0\", \"id\": \"\\u0031\", \"result\" : { \"y\": [ ] } }\n";
    let shaped = shape_response(message.as_bytes(), Some(Method::Ping), &Reader::of(Revision::V2024_11_05)).unwrap();
    assert!(matches!(shaped.body, std::borrow::Cow::Borrowed(body) if std::ptr::eq(body, message.as_bytes())));
}

#[test]
fn a_byte_order_mark_is_cut_for_readers_that_do_not_pass_over_one() {
    let message = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#;
    for revision in LEGACY {
        assert_eq!(down(revision, Method::ToolsList, &format!("\u{feff}{message}")).unwrap(), message);
    }
    let extended = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":1}}"#;
    assert_eq!(down(LEGACY[0], Method::ToolsList, &format!("\u{feff}{extended}")).unwrap(), message);
}

#[test]
fn a_cut_member_takes_one_comma_along() {
    let cut = |tool: &str| {
        let shaped = result(Revision::V2024_11_05, Method::ToolsList, &format!(r#"{{"tools":[{tool}]}}"#));
        shaped.strip_prefix(r#"{"tools":["#).unwrap().strip_suffix("]}").unwrap().to_owned()
    };
    for (tool, expected) in [
        (r#"{"title":"T"}"#, "{}"),
        (r#"{ "title" : "T" , "icons" : [ ] }"#, "{  }"),
        (r#"{"title":"T","name":"n"}"#, r#"{"name":"n"}"#),
        (r#"{"name":"n","title":"T"}"#, r#"{"name":"n"}"#),
        (r#"{"name":"n" , "title":"T" , "icons":[] }"#, r#"{"name":"n" }"#),
        (r#"{"a":1, "title":"T", "icons":[], "b":2}"#, r#"{"a":1, "b":2}"#),
        (r#"{"title":1,"a":1,"icons":[],"b":2,"_meta":{},"execution":{}}"#, r#"{"a":1,"b":2}"#),
        (r#"{"\u0074itle":"T","n\u0061me":"n"}"#, r#"{"n\u0061me":"n"}"#),
        (r#"{"description":null,"annotations":{"title":null}}"#, "{}"),
    ] {
        assert_eq!(cut(tool), expected, "{tool}");
    }
}

#[test]
fn nulls_in_optional_members_go_as_deep_as_the_definitions_nest() {
    let given = r#"{"tools":[{"name":"t","description":null,"inputSchema":{"x":null},"annotations":{"title":null,"readOnlyHint":null,"destructiveHint":false},"icons":[{"src":"s","mimeType":null}],"x":null,"_meta":{"y":null}}],"nextCursor":null,"z":null}"#;
    let expected = r#"{"tools":[{"name":"t","inputSchema":{"x":null},"annotations":{"destructiveHint":false},"icons":[{"src":"s"}],"x":null,"_meta":{"y":null}}],"z":null}"#;
    assert_eq!(result(Revision::V2025_11_25, Method::ToolsList, given), expected);
}

#[test]
fn an_output_schema_of_another_type_than_object_is_for_modern_readers() {
    for (schema, is_object) in [
        (r#"{"type":"object"}"#, true),
        (r#"{"$schema":"x","\u0074ype":"obj\u0065ct"}"#, true),
        (r#"{"type":"array"}"#, false),
        (r#"{"type":["object"]}"#, false),
        (r#"{"type":"object","type":"array"}"#, false),
        (r#"{"anyOf":[]}"#, false),
        ("true", false),
    ] {
        let tools = format!(r#"{{"tools":[{{"name":"t","outputSchema":{schema}}}]}}"#);
        for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
            let expected = if is_object { tools.as_str() } else { r#"{"tools":[{"name":"t"}]}"# };
            assert_eq!(result(revision, Method::ToolsList, &tools), expected);
        }
        assert!(result(Revision::V2026_07_28, Method::ToolsList, &tools).contains(schema));
    }
}

#[test]
fn content_that_a_revision_cannot_show_is_named_in_words() {
    let content = r#"{"content":[{"type":"audio","data":"AA==","mimeType":"audio/\u0077av","annotations":{"lastModified":"x","priority":1},"_meta":{},"x":1},{"name":"n","uri":"file:///\"a","type":"resource_link","size":1,"text":"?"}]}"#;
    assert_eq!(
        result(Revision::V2024_11_05, Method::ToolsCall, content),
        r#"{"content":[{"type":"text","text":"[audio: audio/\u0077av]","annotations":{"priority":1},"x":1},{"type":"text","text":"file:///\"a"}]}"#
    );
    assert_eq!(
        result(Revision::V2025_03_26, Method::ToolsCall, content),
        r#"{"content":[{"type":"audio","data":"AA==","mimeType":"audio/\u0077av","annotations":{"priority":1},"x":1},{"type":"text","text":"file:///\"a"}]}"#
    );
    assert_eq!(result(Revision::V2025_06_18, Method::ToolsCall, content), content);
    let prompt = r#"{"messages":[{"role":"user","content":{"type":"audio","data":"","mimeType":"a"}}]}"#;
    let expected = r#"{"messages":[{"role":"user","content":{"type":"text","text":"[audio: a]"}}]}"#;
    assert_eq!(result(Revision::V2024_11_05, Method::PromptsGet, prompt), expected);
    let unknown = r#"{"content":[{"title":null,"type":"video","icons":[]}]}"#;
    assert_eq!(result(Revision::V2024_11_05, Method::ToolsCall, unknown), unknown);
}

#[test]
fn structured_content_is_told_in_text_where_no_text_is() {
    for (revision, given, expected) in [
        (
            Revision::V2025_03_26,
            r#"{"content":[],"structuredContent":{ "a" : [1.0, "\u00e9"] }}"#,
            r#"{"content":[{"type":"text","text":"{\"a\":[1.0,\"é\"]}"}]}"#,
        ),
        (
            Revision::V2025_03_26,
            r#"{"structuredContent":{"a":1},"content":[{"type":"image","data":"","mimeType":"m"} ]}"#,
            r#"{"content":[{"type":"image","data":"","mimeType":"m"},{"type":"text","text":"{\"a\":1}"} ]}"#,
        ),
        (Revision::V2024_11_05, r#"{"structuredContent":{}}"#, r#"{"content":[{"type":"text","text":"{}"}]}"#),
        (
            Revision::V2024_11_05,
            r#"{"content":[{"type":"text","text":"t"}],"structuredContent":{}}"#,
            r#"{"content":[{"type":"text","text":"t"}]}"#,
        ),
        (Revision::V2025_11_25, r#"{"content":[],"structuredContent":{}}"#, r#"{"content":[],"structuredContent":{}}"#),
        (
            Revision::V2025_11_25,
            r#"{"content":[],"structuredContent":[1,2]}"#,
            r#"{"content":[{"type":"text","text":"[1,2]"}]}"#,
        ),
        (Revision::V2025_11_25, r#"{"content":[],"structuredContent":null}"#, r#"{"content":[]}"#),
        (
            Revision::V2026_07_28,
            r#"{"content":[],"structuredContent":null}"#,
            r#"{"content":[],"structuredContent":null,"resultType":"complete"}"#,
        ),
    ] {
        assert_eq!(result(revision, Method::ToolsCall, given), expected, "{given}");
    }
}

#[test]
fn modern_members_of_a_result_stay_with_modern_readers() {
    let given = r#"{"tools":[],"resultType":"complete","ttlMs":1000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1","title":null},"com.example/x":null}}"#;
    for revision in LEGACY {
        assert_eq!(result(revision, Method::ToolsList, given), r#"{"tools":[],"_meta":{"com.example/x":null}}"#);
    }
    assert_eq!(result(Revision::V2026_07_28, Method::ToolsList, given), given.replace(r#","title":null"#, ""));
    let emptied = r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"x":1}"#;
    assert_eq!(result(Revision::V2025_11_25, Method::Ping, emptied), r#"{"x":1}"#);
    assert_eq!(result(Revision::V2025_11_25, Method::Ping, r#"{"_meta":{}}"#), r#"{"_meta":{}}"#);
}

#[test]
fn a_related_task_is_told_where_tasks_are_of_the_core() {
    let given = r#"{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"1"}},"contents":[]}"#;
    assert_eq!(result(Revision::V2025_11_25, Method::ResourcesRead, given), given);
    assert_eq!(result(Revision::V2025_06_18, Method::ResourcesRead, given), r#"{"contents":[]}"#);
}

#[test]
fn another_result_type_is_never_passed_to_a_handshake_client() {
    for given in [
        r#"{"resultType":"input_required","inputRequests":{},"content":5}"#,
        r#"{"content":[{"type":"audio","data":"","mimeType":"m"}],"resultType":"input_r\u0065quired"}"#,
    ] {
        for revision in LEGACY {
            assert_eq!(
                result(revision, Method::ToolsCall, given),
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error: result type input_required cannot be delivered to this client"}}"#
            );
        }
    }
    let given = format!(r#"{{"resultType":"é\n{}"}}"#, "x".repeat(100));
    let shown = format!("result type ??{}… cannot", "x".repeat(62));
    assert!(result(Revision::V2025_06_18, Method::ToolsCall, &given).contains(&shown));
}

#[test]
fn a_modern_result_says_what_it_is_and_for_how_long_it_keeps() {
    let given = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":TTL,"cacheScope":SCOPE}}"#;
    let shaped = |policy: &ShapePolicy, retry: bool, ttl: &str, scope: &str| {
        let request = Request { retry, ..Request::default() };
        let reader = Reader { policy, request: Some(&request), ..Reader::of(MODERN) };
        let message = given.replace("TTL", ttl).replace("SCOPE", scope);
        let (body, status) = with(&message, Method::ToolsList, &reader);
        assert_eq!(status, 200);
        let inside = body.strip_prefix(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":"#).unwrap();
        inside.strip_suffix(r#","resultType":"complete"}}"#).unwrap().replace(r#""cacheScope":"#, "")
    };
    let default = ShapePolicy::default();
    let own = ShapePolicy { default_ttl_ms: 60_000, default_cache_scope: CacheScope::Public, ..ShapePolicy::default() };
    let per_caller = ShapePolicy { per_caller: true, ..own.clone() };
    for (policy, retry, ttl, scope, expected) in [
        (&default, false, "5", r#""public""#, r#"5,"public""#),
        (&default, false, "12345678901234567890", r#""private""#, r#"12345678901234567890,"private""#),
        (&default, false, "-1", r#""""#, r#"0,"private""#),
        (&default, false, "1.5", "null", r#"0,"private""#),
        (&default, false, r#""5""#, "[]", r#"0,"private""#),
        (&own, false, "null", "5", r#"60000,"public""#),
        (&per_caller, false, "7", r#""public""#, r#"7,"private""#),
        (&per_caller, false, "-7", r#""public""#, r#"60000,"private""#),
        (&own, true, "7", r#""public""#, r#"0,"private""#),
        (&own, true, "0", r#""private""#, r#"0,"private""#),
    ] {
        assert_eq!(shaped(policy, retry, ttl, scope), expected, "{ttl} {scope}");
    }
    let absent = result(MODERN, Method::ResourcesRead, r#"{"contents":[],"resultType":null}"#);
    assert_eq!(absent, r#"{"contents":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}"#);
    let own_members = r#"{"resultType":"complete","content":[],"ttlMs":"x","cacheScope":7}"#;
    assert_eq!(result(MODERN, Method::ToolsCall, own_members), own_members);
    let task = r#"{"taskId":"t","status":"working","statusMessage":null,"createdAt":"","lastUpdatedAt":"","ttlMs":null,"resultType":"task"}"#;
    assert_eq!(result(MODERN, Method::ToolsCall, task), task.replace(r#""statusMessage":null,"#, ""));
    let vendor = r#"{"resultType":"x/y","content":5,"ttlMs":"x"}"#;
    assert_eq!(result(MODERN, Method::ToolsCall, vendor), vendor);
}

#[test]
fn a_task_of_the_core_is_for_the_one_revision_that_has_it() {
    let task = r#"{"task":{"taskId":"t","status":"working","statusMessage":null,"createdAt":"","lastUpdatedAt":"","ttl":null}}"#;
    let kept = task.replace(r#""statusMessage":null,"#, "");
    assert_eq!(result(Revision::V2025_11_25, Method::ToolsCall, task), kept);
    for revision in [Revision::V2025_06_18, MODERN] {
        assert!(result(revision, Method::ToolsCall, task).contains("result type task cannot be delivered"));
        let beside = task.replacen('{', r#"{"content":[],"#, 1);
        assert!(result(revision, Method::ToolsCall, &beside).starts_with(r#"{"content":[]"#), "the call was answered");
    }
    for revision in LEGACY {
        let others = r#"{"contents":[],"task":5}"#;
        assert_eq!(result(revision, Method::ResourcesRead, others), others);
    }
}

#[test]
fn a_state_alone_asks_again_and_a_null_is_none() {
    let asks =
        |members: &str| result(MODERN, Method::ToolsCall, &format!(r#"{{{members}"resultType":"input_required"}}"#));
    for (given, kept) in [
        (r#""requestState":"","#, r#""requestState":"","#),
        (r#""requestState":null,"inputRequests":{},"#, r#""inputRequests":{},"#),
    ] {
        assert_eq!(asks(given), format!(r#"{{{kept}"resultType":"input_required"}}"#));
    }
    assert!(asks(r#""requestState":null,"#).contains("invalid input_required result"));
}

#[test]
fn what_a_client_answers_passes_as_it_is() {
    let answer = r#"{"role":"assistant","model":"m","content":{"type":"audio","data":"","mimeType":"a"},"resultType":"x","ttlMs":null,"_meta":{"io.modelcontextprotocol/serverInfo":1}}"#;
    for revision in Revision::ALL {
        for method in [Method::SamplingCreateMessage, Method::ElicitationCreate, Method::RootsList] {
            assert_eq!(result(*revision, method, answer), answer);
        }
    }
}

#[test]
fn a_resources_contents_are_read_whether_they_are_text_or_bytes() {
    let meta = r#","_meta":{"a/b":1}"#;
    let given =
        format!(r#"{{"contents":[{{"uri":"a","text":"t"{meta}}},{{"uri":"b","mimeType":null,"blob":"AA=="{meta}}}]}}"#);
    let every = given.replace(r#""mimeType":null,"#, "");
    for revision in LEGACY {
        let expected =
            if revision.index() < Revision::V2025_06_18.index() { every.replace(meta, "") } else { every.clone() };
        assert_eq!(result(revision, Method::ResourcesRead, &given), expected, "{revision:?}");
    }
}

#[test]
fn a_name_that_differs_in_one_letter_is_somebody_elses() {
    for (name, method) in [
        ("title", Method::ToolsList),
        ("outputSchema", Method::ToolsList),
        ("icons", Method::ToolsList),
        ("execution", Method::ToolsList),
        ("_meta", Method::ToolsList),
        ("annotations", Method::ToolsList),
        ("structuredContent", Method::ToolsCall),
    ] {
        let message = |name: &str| match method {
            Method::ToolsList => format!(r#"{{"tools":[{{"name":"t","{name}":{{}}}}]}}"#),
            _ => format!(r#"{{"content":[{{"type":"text","text":"t"}}],"{name}":{{}}}}"#),
        };
        let passes = |name: &str| result(LEGACY[0], method, &message(name)) == message(name);
        assert!(!passes(name), "{name} is of a later revision");
        for at in 0..name.len() {
            for other in ["x", "~", "_", ""] {
                let mut others = name.to_owned();
                others.replace_range(at..=at, other);
                assert!(others == name || passes(&others), "{others} is no {name}");
            }
        }
        assert!(passes(&format!("{name}s")));
    }
}

#[test]
fn merged_results_keep_as_long_as_the_shortest_and_are_private_where_one_is() {
    let merge = |results: &[&str]| {
        let policy =
            ShapePolicy { default_ttl_ms: 50, default_cache_scope: CacheScope::Public, ..ShapePolicy::default() };
        let hint = merge_cache_hints(results.iter().map(|result| result.as_bytes()), &policy).unwrap();
        (hint.ttl_ms, hint.scope.as_str())
    };
    assert_eq!(merge(&[]), (50, "public"));
    assert_eq!(merge(&[r#"{"ttlMs":9,"cacheScope":"public"}"#, r#"{"ttlMs":7,"cacheScope":"public"}"#]), (7, "public"));
    assert_eq!(
        merge(&[r#"{"ttlMs":9,"cacheScope":"private"}"#, r#"{"ttlMs":99,"cacheScope":"public"}"#]),
        (9, "private")
    );
    assert_eq!(merge(&[r#"{"ttlMs":99999999999999999999}"#, "{}"]), (50, "public"));
    for none in ["-1", "-0", "1.5", "null", r#""7""#] {
        assert_eq!(merge(&[&format!(r#"{{"ttlMs":{none}}}"#)]), (50, "public"), "{none} is no time");
    }
}

#[test]
fn a_handshake_is_answered_in_the_words_of_what_it_settles_on() {
    let hello = |version: &str, more: [&str; 2]| {
        let [capability, title] = more;
        format!(
            r#"{{"protocolVersion":"{version}","capabilities":{{"logging":{{}}{capability}}},"serverInfo":{{"name":"n","version":"1"{title}}}}}"#
        )
    };
    let whole = [r#","tasks":{}"#, r#","title":"t","icons":[]"#];
    for (asked, settled, kept) in [
        (Revision::V2025_11_25, "2025-11-25", whole),
        (Revision::V2025_11_25, "2025-06-18", ["", r#","title":"t""#]),
        (Revision::V2025_11_25, "2025-03-26", ["", ""]),
        (Revision::V2025_06_18, "2024-11-05", ["", ""]),
        // A reader of an older revision is not given what it cannot read, whatever the answer says.
        (Revision::V2025_03_26, "2025-11-25", ["", ""]),
        (Revision::V2025_11_25, "2026-07-28", whole),
        (Revision::V2025_11_25, "2025-01-01", whole),
    ] {
        assert_eq!(result(asked, Method::Initialize, &hello(settled, whole)), hello(settled, kept), "{asked:?}");
    }
    // No other method's result settles anything.
    let tools =
        r#"{"protocolVersion":"2024-11-05","tools":[{"name":"n","inputSchema":{"type":"object"},"title":"t"}]}"#;
    assert_eq!(result(Revision::V2025_11_25, Method::ToolsList, tools), tools);
}
