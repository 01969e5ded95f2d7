//! Who hears of what.

use std::borrow::Cow;

use revcap::profile::{CapabilityProfile, Unknown, resolve_capability_profile};
use revcap::shape::{LogLevel, Reader, Request, SubscriptionFilter, shape_notification};
use revcap::table::{Method, Reading, Revision};

use crate::{LEGACY, MODERN, with};

fn notified(reader: &Reader<'_>, message: &str) -> Option<String> {
    let shaped = shape_notification(message.as_bytes(), reader).unwrap()?;
    Some(String::from_utf8(shaped.body.into_owned()).unwrap())
}

#[test]
fn progress_goes_to_who_asked_for_it() {
    let progress = |token: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1,"message":"half"}}}}"#
        )
    };
    for revision in Revision::ALL {
        let expected = |token: &str| {
            let said = progress(token);
            if *revision == Revision::V2024_11_05 { said.replace(r#","message":"half""#, "") } else { said }
        };
        let reader = Reader::of(*revision);
        assert_eq!(notified(&reader, &progress("5")), Some(expected("5")));
        let none = Request::default();
        assert_eq!(notified(&Reader { request: Some(&none), ..reader }, &progress("0")), None);
        for (asked, token, heard) in [
            ("0", "0", true),
            (r#""""#, r#""""#, true),
            (r#""a""#, r#""\u0061""#, true),
            ("1", r#""1""#, false),
            (r#""1""#, "1", false),
            ("1", "2", false),
            (r#""a""#, r#""b""#, false),
            ("a", r#""a""#, false),
            ("123456789012345678901234567890", "123456789012345678901234567890", true),
        ] {
            let request = Request { progress_token: Some(asked.as_bytes().into()), ..Request::default() };
            let reader = Reader { request: Some(&request), ..reader };
            assert_eq!(notified(&reader, &progress(token)), heard.then(|| expected(token)), "{asked} {token}");
        }
    }
}

#[test]
fn log_messages_go_to_modern_readers_who_asked_for_their_level() {
    let log = |level: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"{level}","data":null,"logger":null}}}}"#
        )
    };
    let request = Request { log_level: Some(LogLevel::Warning), ..Request::default() };
    let silent = Request::default();
    for level in LogLevel::ALL {
        let given = log(level.as_str());
        let expected = given.replace(r#","logger":null"#, "");
        let heard = *level >= LogLevel::Warning;
        let reader = Reader { request: Some(&request), ..Reader::of(MODERN) };
        assert_eq!(notified(&reader, &given), heard.then(|| expected.clone()));
        assert_eq!(notified(&Reader { request: Some(&silent), ..reader }, &given), None);
        let legacy = Reader { request: Some(&silent), ..Reader::of(Revision::V2025_11_25) };
        assert_eq!(notified(&legacy, &given), Some(expected));
    }
}

#[test]
fn changes_go_to_modern_readers_who_listen_for_them_and_name_the_request() {
    let notification = |method: &str, params: &str| format!(r#"{{"jsonrpc":"2.0","method":"{method}"{params}}}"#);
    let filter = SubscriptionFilter {
        tools_list_changed: true,
        resource_subscriptions: true,
        task_ids: vec!["t".into()],
        ..SubscriptionFilter::default()
    };
    let listen = Request {
        id: Some(br#""L""#.into()),
        subscription_filter: Some(filter),
        progress_token: Some(b"1".into()),
        log_level: Some(LogLevel::Debug),
        ..Request::default()
    };
    let reader = Reader { request: Some(&listen), ..Reader::of(MODERN) };
    let id = r#""io.modelcontextprotocol/subscriptionId":"L""#;
    for (method, params, expected) in [
        ("notifications/tools/list_changed", "", Some(format!(r#","params":{{"_meta":{{{id}}}}}"#))),
        ("notifications/tools/list_changed", r#","params":null"#, Some(format!(r#","params":{{"_meta":{{{id}}}}}"#))),
        (
            "notifications/tools/list_changed",
            r#","params":{"_meta":{"a/b":1,"io.modelcontextprotocol/subscriptionId":7},"x":2}"#,
            Some(format!(r#","params":{{"_meta":{{"a/b":1,{id}}},"x":2}}"#)),
        ),
        ("notifications/prompts/list_changed", "", None),
        ("notifications/resources/list_changed", "", None),
        (
            "notifications/resources/updated",
            r#","params":{"uri":"file:///x/y","_meta":null}"#,
            Some(format!(r#","params":{{"uri":"file:///x/y","_meta":{{{id}}}}}"#)),
        ),
        (
            "notifications/tasks",
            r#","params":{"_meta":{},"taskId":"t"}"#,
            Some(format!(r#","params":{{"_meta":{{{id}}},"taskId":"t"}}"#)),
        ),
        ("notifications/tasks", r#","params":{"taskId":"u"}"#, None),
        ("notifications/tasks/status", r#","params":{"taskId":"t"}"#, None),
        ("notifications/progress", r#","params":{"progressToken":1}"#, None),
        ("notifications/message", r#","params":{"level":"error","data":1}"#, None),
        ("x/vendor", r#","params":{}"#, Some(format!(r#","params":{{"_meta":{{{id}}}}}"#))),
        (
            "notifications/subscriptions/acknowledged",
            r#","params":{"notifications":{}}"#,
            Some(format!(r#","params":{{"notifications":{{}},"_meta":{{{id}}}}}"#)),
        ),
    ] {
        let expected = expected.map(|params| notification(method, &params));
        let given = notification(method, params);
        assert_eq!(notified(&reader, &given), expected, "{method}");
        if method != "x/vendor" {
            let other = Request { progress_token: Some(b"2".into()), ..Request::default() };
            assert_eq!(notified(&Reader { request: Some(&other), ..reader }, &given), None, "{method}");
        }
    }
    let closing = r#"{"jsonrpc":"2.0","id":"L","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"other"}}}"#;
    assert_eq!(with(closing, Method::SubscriptionsListen, &reader).0, closing.replace(r#""other""#, r#""L""#));
}

#[test]
fn notifications_that_a_revision_does_not_list_are_not_sent() {
    let notification = |method: &str| format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{}}}}"#);
    for (method, heard_by) in [
        ("notifications/resources/updated", 2..5),
        ("notifications/tasks/status", 3..4),
        ("notifications/elicitation/complete", 3..4),
        ("notifications/subscriptions/acknowledged", 4..5),
        ("notifications/tasks", 4..5),
        ("notifications/initialized", 0..0),
        ("tools/call", 0..0),
        ("notifications/cancelled", 0..5),
        ("x/vendor", 0..5),
    ] {
        for revision in Revision::ALL {
            let heard = notified(&Reader::of(*revision), &notification(method));
            assert_eq!(heard.is_some(), heard_by.contains(&revision.index()), "{method} {revision:?}");
        }
    }
    for (reading, heard) in [(Reading::Record, false), (Reading::SchemaExact, true)] {
        let profile = CapabilityProfile::of(Revision::V2024_11_05, reading);
        let updated = notified(&Reader::under(&profile), &notification("notifications/resources/updated"));
        assert_eq!(updated.is_some(), heard, "{reading:?}");
    }
    let unknown = resolve_capability_profile("x", Unknown::Conservative, Reading::Record).unwrap();
    assert_eq!(Reader::under(&unknown).revision, Revision::V2024_11_05);
}

#[test]
fn changes_go_to_handshake_readers_whatever_they_ask() {
    let request = Request { progress_token: Some(b"1".into()), ..Request::default() };
    for revision in LEGACY {
        let reader = Reader { request: Some(&request), ..Reader::of(revision) };
        for kind in ["tools", "prompts", "resources"] {
            let changed = format!(r#"{{"jsonrpc":"2.0","method":"notifications/{kind}/list_changed"}}"#);
            assert_eq!(notified(&reader, &changed), Some(changed));
        }
    }
}

#[test]
fn reserved_keys_leave_a_vendors_notification() {
    let reserved = r#""_meta":{"io.modelcontextprotocol/subscriptionId":1},"#;
    let told = format!(r#"{{"jsonrpc":"2.0","method":"x/vendor","params":{{{reserved}"x":1}}}}"#);
    for revision in LEGACY {
        assert_eq!(notified(&Reader::of(revision), &told), Some(told.replace(reserved, "")));
    }
}

#[test]
fn what_names_its_stream_and_what_the_specification_tells_has_an_object() {
    let request = Request {
        id: Some(b"1".into()),
        subscription_filter: Some(SubscriptionFilter::default()),
        ..Request::default()
    };
    let listener = Reader { request: Some(&request), ..Reader::of(MODERN) };
    for (reader, method) in
        [(Reader::of(Revision::V2025_11_25), "notifications/tools/list_changed"), (listener, "x/vendor")]
    {
        let told = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":[1]}}"#);
        assert_eq!(shape_notification(told.as_bytes(), &reader).unwrap_err().path(), "params", "{method}");
    }
}

#[test]
fn a_message_that_names_its_stream_already_is_handed_on_itself() {
    let request = Request {
        id: Some(b"7".into()),
        subscription_filter: Some(SubscriptionFilter::default()),
        ..Request::default()
    };
    let reader = Reader { request: Some(&request), ..Reader::of(MODERN) };
    let message = |id: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"x/vendor","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
        )
    };
    let named = message("7");
    let shaped = shape_notification(named.as_bytes(), &reader).unwrap().unwrap();
    assert!(matches!(shaped.body, Cow::Borrowed(body) if std::ptr::eq(body, named.as_bytes())));
    let twice = message(r#"8,"a/b":1,"io.modelcontextprotocol/subscriptionId":9"#);
    assert_eq!(notified(&reader, &twice), Some(message(r#"7,"a/b":1"#)));
}

#[test]
fn a_vendors_notification_has_parameters_of_any_shape() {
    for params in ["[1,null]", "7", r#""x""#, "null", r#"{"a":null}"#] {
        let told = format!(r#"{{"jsonrpc":"2.0","method":"acme/told","params":{params}}}"#);
        let expected = if params == "null" { told.replace(r#","params":null"#, "") } else { told.clone() };
        assert_eq!(notified(&Reader::of(MODERN), &told), Some(expected));
    }
}
