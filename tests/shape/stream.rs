//! Event streams, in whatever chunks they come.

use revcap::shape::{Fed, OnInvalid, Reader, Request, ShapeError, SseShaper, SubscriptionFilter};
use revcap::table::{ClientFeature, Method, Revision};

use crate::MODERN;

fn shaper(reader: &Reader<'_>, method: Option<Method>) -> SseShaper {
    SseShaper::new(method, reader, OnInvalid::Error, SseShaper::MAX_EVENT_BYTES)
}

/// Everything that the stream gives, fed in chunks of at most `size` bytes.
fn feed(shaper: &mut SseShaper, stream: &[u8], size: usize) -> Result<Fed, ShapeError> {
    let mut all = Fed::default();
    for chunk in stream.chunks(size) {
        let fed = shaper.feed(chunk)?;
        all.to_client.extend(fed.to_client);
        all.to_server.extend(fed.to_server);
    }
    let fed = shaper.close()?;
    all.to_client.extend(fed.to_client);
    all.to_server.extend(fed.to_server);
    Ok(all)
}

fn shaped(revision: Revision, method: Method, stream: &str) -> String {
    let results = [1, 2, 3, 7, usize::MAX].map(|size| {
        let mut shaper = shaper(&Reader::of(revision), Some(method));
        String::from_utf8(feed(&mut shaper, stream.as_bytes(), size).unwrap().to_client).unwrap()
    });
    assert!(results.iter().all(|result| *result == results[0]), "the chunks made a difference: {results:?}");
    results[0].clone()
}

const TITLED: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","title":"T"}]}}"#;
const PLAIN: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t"}]}}"#;

#[test]
fn each_events_data_is_shaped_and_the_rest_left_alone() {
    let list = |stream: &str| shaped(Revision::V2025_03_26, Method::ToolsList, stream);
    for end in ["\n", "\r", "\r\n"] {
        let stream = format!(
            ": hello\nid: 7\nevent: message\nretry: 5\ndata: {TITLED}\nx: y\n: bye\n\nretry: 10\n\n: ping\n\n\n\ndata:{TITLED}\n\n"
        );
        let stream = stream.replace('\n', end);
        assert_eq!(list(&stream), stream.replace(TITLED, PLAIN), "{end:?}");
        assert_eq!(list(&format!("\u{feff}{stream}")), format!("\u{feff}{}", stream.replace(TITLED, PLAIN)));
    }
    let untouched = format!("data: {PLAIN}\n\nevent: endpoint\ndata: /messages\n\nevent: x\ndata: {TITLED}\n\n");
    assert_eq!(list(&untouched), untouched);
}

#[test]
fn an_event_still_ends_where_it_ended_when_its_lines_end_in_different_ways() {
    let list = |stream: &str| shaped(Revision::V2025_03_26, Method::ToolsList, stream);
    let (left, right) = TITLED.split_at(TITLED.find(",\"title").unwrap());
    let next = "data: {\"jsonrpc\":\"2.0\",\"method\":\"x/y\"}\n\n";
    for (given, expected) in [
        // One line of data stays of two, with the first one's end.
        (format!("data: {left}\rdata:{right}\n\n{next}"), format!("data: {PLAIN}\r\n\n{next}")),
        (format!("data: {left}\rdata:{right}\r\n\n{next}"), format!("data: {PLAIN}\r\n\n{next}")),
        (format!("data: {left}\ndata:{right}\r\r{next}"), format!("data: {PLAIN}\n\r{next}")),
        // A name alone is an empty line of data.
        (format!("data\ndata: {TITLED}\n\n{next}"), format!("data:\ndata:{PLAIN}\n\n{next}")),
        // What is left of an event that is left out is its comments.
        (format!(": c\rdata:\n\n{next}"), format!(": c\r\n\n{next}")),
    ] {
        assert_eq!(list(&given), expected, "{given:?}");
    }
}

#[test]
fn data_in_several_lines_is_one_message() {
    let list = |stream: &str| shaped(Revision::V2025_03_26, Method::ToolsList, stream);
    let (left, right) = TITLED.split_at(TITLED.find(",\"title").unwrap());
    assert_eq!(list(&format!("data: {left}\nid: 1\ndata:{right}\n\n")), format!("data: {PLAIN}\nid: 1\n\n"));
    let spread =
        "data: {\"jsonrpc\":\"2.0\",\r\ndata: \"id\":1,\r\ndata: \"result\":{\"resultType\":\"complete\"}}\r\n\r\n";
    let expected = "data: {\"jsonrpc\":\"2.0\",\r\ndata: \"id\":1,\r\ndata: \"result\":{}}\r\n\r\n";
    assert_eq!(list(spread), expected);
}

#[test]
fn an_event_without_data_is_for_the_revision_that_primes_its_streams() {
    for stream in ["id: 1\ndata: \n\n", "id: 1\ndata:\nretry: 5\n\n", "id\n\n", "data\n\n"] {
        for revision in Revision::ALL {
            let primes = *revision == Revision::V2025_11_25;
            let expected = if primes { stream } else { "" };
            assert_eq!(shaped(*revision, Method::Ping, stream), expected, "{stream:?}");
        }
    }
    let commented = ": keep\nid: 1\ndata:\n\n";
    assert_eq!(shaped(Revision::V2025_06_18, Method::Ping, commented), ": keep\n\n");
}

#[test]
fn a_request_that_the_client_cannot_take_is_answered_to_the_server() {
    let stream = "id: 3\ndata: {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}\n\n: end\n\n";
    for size in 1..stream.len() {
        let reader = Reader { client: Some(ClientFeature::empty()), ..Reader::of(Revision::V2025_06_18) };
        let fed = feed(&mut shaper(&reader, None), stream.as_bytes(), size).unwrap();
        assert_eq!(fed.to_client, b": end\n\n");
        let answer =
            br#"{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"Method not found: roots/list"}}"#.to_vec();
        assert_eq!(fed.to_server, [answer]);
    }
}

#[test]
fn a_listen_stream_opens_with_its_one_acknowledgement() {
    let listen = Request {
        id: Some(b"9".into()),
        subscription_filter: Some(SubscriptionFilter { tools_list_changed: true, ..SubscriptionFilter::default() }),
        ..Request::default()
    };
    let event = |method: &str, more: &str| format!("data: {{\"jsonrpc\":\"2.0\",\"method\":\"{method}\"{more}}}\n\n");
    let stamped = |method: &str| event(method, r#","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":9}}"#);
    let [changed, acknowledged] = ["notifications/tools/list_changed", "notifications/subscriptions/acknowledged"];
    let closing = "data: {\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":9}}}\n\n";
    let stream = [
        event("x/vendor", ""),
        event(changed, ""),
        event(acknowledged, ""),
        event(changed, ""),
        event(acknowledged, ""),
        event("x/vendor", ""),
        closing.replace(":9}}", ":1}}"),
    ];
    let expected = [&stamped(acknowledged), &stamped(changed), &stamped("x/vendor"), closing].concat();
    let reader = Reader { request: Some(&listen), ..Reader::of(MODERN) };
    let mut shaper = shaper(&reader, Some(Method::SubscriptionsListen));
    for size in [1, 1000] {
        let fed = feed(&mut shaper, stream.concat().as_bytes(), size).unwrap();
        assert_eq!(String::from_utf8(fed.to_client).unwrap(), expected);
    }
}

/// What a stream with faults gives to the client, and the faults.
fn feed_on(shaper: &mut SseShaper, stream: &str, size: usize) -> (String, Vec<String>) {
    let (mut all, mut errors) = (Vec::new(), Vec::new());
    for chunk in stream.as_bytes().chunks(size).chain([&b""[..]]) {
        match shaper.feed(chunk) {
            Ok(fed) => all.extend(fed.to_client),
            Err(error) => errors.push(error.to_string()),
        }
    }
    (String::from_utf8(all).unwrap(), errors)
}

#[test]
fn a_malformed_event_is_left_out_and_takes_nothing_else_along() {
    let stream = format!("data: {TITLED}\n\ndata: {{\n\ndata: {TITLED}\n\n");
    let reader = Reader::of(Revision::V2025_03_26);
    for size in 1..=stream.len() {
        let mut strict = shaper(&reader, Some(Method::ToolsList));
        let (sent, errors) = feed_on(&mut strict, &stream, size);
        assert_eq!((sent, errors.len()), (format!("data: {PLAIN}\n\ndata: {PLAIN}\n\n"), 1));
        let mut lenient = SseShaper::new(Some(Method::ToolsList), &reader, OnInvalid::Pass, 1000);
        assert_eq!(feed_on(&mut lenient, &stream, size), (stream.replace(TITLED, PLAIN), Vec::new()));
    }
}

#[test]
fn an_event_that_is_too_long_is_let_go_before_it_ends() {
    let long = format!("id: 1\r\ndata: {}\r\nx: y\r\n\r\n", "x".repeat(500));
    let stream = format!("data: {PLAIN}\r\n\r\n{long}data: {TITLED}\r\n\r\n");
    let reader = Reader::of(Revision::V2025_03_26);
    for size in 1..=stream.len() {
        let mut strict = SseShaper::new(Some(Method::ToolsList), &reader, OnInvalid::Error, 200);
        let sent = stream.replace(&long, "").replace(TITLED, PLAIN);
        let error = "message: an event of more than 200 bytes".to_owned();
        assert_eq!(feed_on(&mut strict, &stream, size), (sent, vec![error]), "{size}");
        let mut lenient = SseShaper::new(Some(Method::ToolsList), &reader, OnInvalid::Pass, 200);
        assert_eq!(feed_on(&mut lenient, &stream, size), (stream.replace(TITLED, PLAIN), Vec::new()), "{size}");
    }
}

#[test]
fn an_event_that_nothing_ended_is_no_event() {
    let mut shaper = shaper(&Reader::of(Revision::V2025_03_26), Some(Method::ToolsList));
    let cut = format!("data: {TITLED}\n\n: x\ndata: {TITLED}\n");
    for size in [10, 3] {
        let sent = feed(&mut shaper, cut.as_bytes(), size).unwrap().to_client;
        assert_eq!(String::from_utf8(sent).unwrap(), format!("data: {PLAIN}\n\n"));
    }
}

#[test]
fn a_mark_in_the_middle_of_a_stream_makes_another_field() {
    let stream = format!("data: {PLAIN}\n\n\u{feff}data: {TITLED}\nid: 1\n\n");
    assert_eq!(shaped(Revision::V2025_03_26, Method::ToolsList, &stream), format!("data: {PLAIN}\n\n"));
}

#[test]
fn an_event_may_be_as_long_as_is_said_and_no_longer() {
    let event = format!("id: 1\ndata: {TITLED}\n\n");
    let reader = Reader::of(Revision::V2025_03_26);
    for size in 1..=event.len() {
        for (most, expected) in [(event.len(), event.replace(TITLED, PLAIN)), (event.len() - 1, String::new())] {
            let mut shaper = SseShaper::new(Some(Method::ToolsList), &reader, OnInvalid::Error, most);
            let (sent, errors) = feed_on(&mut shaper, &event, size);
            assert_eq!((errors.len(), sent), (usize::from(expected.is_empty()), expected), "{most} in {size}");
        }
    }
}

#[test]
fn a_stream_knows_whether_its_response_went_out() {
    let reader = Reader::of(Revision::V2025_03_26);
    let mut shaper = shaper(&reader, Some(Method::ToolsList));
    for (data, valid, answered) in [
        (r#"{"jsonrpc":"2.0","method":"x/y"}"#, true, false),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, true, false),
        (r#"{"jsonrpc":"2.0","id":1,"result":[]}"#, false, false),
        (TITLED, true, true),
        (r#"{"jsonrpc":"2.0","id":1,"result":[]}"#, false, true),
    ] {
        assert_eq!(shaper.feed(format!("data: {data}\n\n").as_bytes()).is_ok(), valid, "{data}");
        assert_eq!(shaper.answered(), answered, "{data}");
    }
}

#[test]
fn an_acknowledgement_opens_listen_streams_alone() {
    let request = Request { progress_token: Some(b"1".into()), ..Request::default() };
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;
    let stream = format!("data: {progress}\n\n");
    let listen = Request { subscription_filter: Some(SubscriptionFilter::default()), ..request.clone() };
    for (revision, request) in [(MODERN, &request), (Revision::V2025_11_25, &listen)] {
        let reader = Reader { request: Some(request), ..Reader::of(revision) };
        let sent = feed(&mut shaper(&reader, Some(Method::ToolsCall)), stream.as_bytes(), 7).unwrap().to_client;
        assert_eq!(String::from_utf8(sent).unwrap(), stream, "{revision:?}");
    }
}
