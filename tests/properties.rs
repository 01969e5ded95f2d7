//! What holds of the public functions whatever they are given.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's own mistake may panic

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::capabilities::{ClientCapabilities, Requirement};
use revcap::gate::{
    Annotations, Gate, GateConfig, Lookup, Policy, Request, Requirements, Served, SessionMode, ToolAnnotations,
};
use revcap::handshake::negotiate;
use revcap::headers::{Field, Headers, decode, encode, is_printable};
use revcap::json::{Cursor, Limits, canonical, push_string, unescape};
use revcap::profile::{Unknown, resolve_capability_profile};
use revcap::session::{Session, SessionTickets};
use revcap::shape::{OnInvalid, Reader, SseShaper, shape_notification, shape_response, shape_server_request};
use revcap::table::{ClientFeature, Era, Feature, Method, Reading, Revision};
use revcap::upstream::{ServeRule, read_probe, served_revisions};
use serde_json::{Map, Value, json};

fn revision() -> impl Strategy<Value = Revision> {
    select(Revision::ALL)
}

fn revisions() -> impl Strategy<Value = Vec<Revision>> {
    vec(revision(), 0..6)
}

/// Names that some definition has, and others.
fn name() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "_meta",
        "annotations",
        "audio",
        "content",
        "data",
        "description",
        "elicitation",
        "error",
        "execution",
        "form",
        "icons",
        "id",
        "inputSchema",
        "jsonrpc",
        "level",
        "message",
        "method",
        "mimeType",
        "name",
        "outputSchema",
        "params",
        "progressToken",
        "result",
        "resultType",
        "role",
        "sampling",
        "structuredContent",
        "text",
        "title",
        "tools",
        "ttlMs",
        "type",
        "uri",
        "url",
    ];
    prop_oneof![3 => select(KNOWN).prop_map(str::to_owned), 1 => ".{0,6}"]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        name(),
        ".{0,12}",
        select(&["complete", "input_required", "task", "audio", "resource_link"][..]).prop_map(str::to_owned)
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(name(), inner, 0..5).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    btree_map(name(), value(), 0..6).prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>()))
}

/// One of two spellings of a value.
fn spelt(value: &Value, is_wide: bool) -> Vec<u8> {
    if is_wide { serde_json::to_vec_pretty(value).unwrap() } else { serde_json::to_vec(value).unwrap() }
}

fn gate() -> Gate {
    let mut annotations = Annotations::default();
    annotations.insert("t", ToolAnnotations::new([(vec!["a"], "A")]).unwrap());
    Gate::new(GateConfig {
        served: Served::all(),
        reading: Reading::Record,
        sessions: SessionMode::Store,
        can_revoke: false,
        server: ServerIdentity::new(Implementation::new("test", "1"), &Switches::default()).unwrap(),
        answer_handshake: true,
        annotations,
        requirements: Requirements::default(),
        policy: Policy::default(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_has_one_canonical_spelling(value in value(), other in value()) {
        let [narrow, wide] = [false, true].map(|is_wide| canonical(&spelt(&value, is_wide), Limits::DEFAULT).unwrap());
        prop_assert_eq!(&narrow, &wide);
        prop_assert_eq!(canonical(&narrow, Limits::DEFAULT).unwrap(), narrow.clone());
        let another = canonical(&spelt(&other, false), Limits::DEFAULT).unwrap();
        prop_assert_eq!(another == narrow, other == value);
    }

    #[test]
    fn a_string_reads_as_it_was_written(text in any::<String>()) {
        let mut ours = Vec::new();
        push_string(&mut ours, &text);
        for spelling in [ours, serde_json::to_vec(&text).unwrap()] {
            let mut cursor = Cursor::new(&spelling, Limits::DEFAULT).unwrap();
            let node = cursor.value().unwrap();
            cursor.end().unwrap();
            prop_assert_eq!(&*node.text(&spelling).unwrap(), text.as_bytes());
            prop_assert_eq!(&*unescape(&spelling[1..spelling.len() - 1]), text.as_bytes());
            prop_assert_eq!(serde_json::from_slice::<String>(&spelling).unwrap(), text.clone());
        }
    }

    #[test]
    fn any_bytes_are_json_for_both_or_for_none(text in vec(select(&b"{}[]\",:0123eE+-.\\/ntfulrabs \n\xc3\xa9"[..]), 0..24)) {
        let ours = Cursor::new(&text, Limits::DEFAULT).and_then(|mut cursor| cursor.value().and_then(|_| cursor.end()));
        prop_assert_eq!(ours.is_ok(), serde_json::from_slice::<Value>(&text).is_ok());
    }

    #[test]
    fn a_header_carries_any_text(text in any::<String>(), raw in vec(any::<u8>(), 0..40)) {
        let value = encode(&text).into_owned();
        prop_assert!(is_printable(value.as_bytes()) && value.trim_matches([' ', '\t']) == value);
        prop_assert_eq!(&*decode(value.as_bytes()).unwrap(), text.as_bytes());
        if let Ok(decoded) = decode(&raw) && *decoded != *raw {
            let decoded = String::from_utf8(decoded.into_owned()).unwrap();
            prop_assert_eq!(decode(encode(&decoded).as_bytes()).unwrap().into_owned(), decoded.into_bytes());
        }
    }

    #[test]
    fn every_line_of_a_header_is_kept_in_its_order(lines in vec((select(&["Accept", "ACCEPT", "accept", "x-accept", "accept2"][..]), "[a-z/*,;=]{1,8}"), 0..8)) {
        let headers = Headers::pick(lines.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())));
        let mine = lines.iter().filter(|(name, _)| name.eq_ignore_ascii_case("accept")).map(|(_, value)| value.as_bytes());
        prop_assert!(headers.lines(Field::Accept).iter().eq(mine));
    }

    #[test]
    fn a_declaration_lacks_nothing_of_itself(object in object(), under in revision(), read in option::of(revision())) {
        let Ok(client) = ClientCapabilities::parse(&spelt(&object, false), read) else { return Ok(()) };
        prop_assert_eq!(client.missing(&Requirement::from(client.features())), None);
        prop_assert!(client.features().contains(client.effective(under)));
        let trimmed = client.trimmed(under, true);
        let again = ClientCapabilities::parse(&trimmed, Some(under)).unwrap();
        prop_assert_eq!(again.trimmed(under, true), trimmed);
        let lacking = client.missing(&Requirement::from(ClientFeature::all())).unwrap_or_else(|| b"{}".to_vec());
        let added = ClientCapabilities::parse(&lacking, None).unwrap().features();
        prop_assert!((client.features() | added).contains(ClientFeature::all()));
    }

    #[test]
    fn a_handshake_settles_on_what_is_served(asked in text(), known in option::of(revision()), served in revisions()) {
        let asked = known.map_or(asked, |revision| revision.as_str().to_owned());
        let has_handshake = |revision: &&Revision| revision.era() == Era::Legacy;
        match negotiate(asked.as_bytes(), &served) {
            None => prop_assert_eq!(served.iter().find(has_handshake), None),
            Some(settled) => {
                prop_assert!(served.contains(&settled) && settled.era() == Era::Legacy);
                let newest = served.iter().filter(has_handshake).map(|revision| revision.index()).max();
                prop_assert!(settled.as_str() == asked || Some(settled.index()) == newest);
            }
        }
    }

    #[test]
    fn any_version_has_a_profile_and_an_unknown_one_no_feature(version in text()) {
        let profile = resolve_capability_profile(&version, Unknown::Conservative, Reading::Record).unwrap();
        prop_assert_eq!(profile.protocol_version(), &version);
        let known = Revision::parse(version.as_bytes()).is_some();
        prop_assert_eq!(profile.features() == Feature::empty(), !known);
    }

    #[test]
    fn a_ticket_opens_to_its_session_for_its_principal_alone(
        revision in select(&Revision::ALL[..4]), bits in any::<u32>(), inner in option::of(vec(any::<u8>(), 0..=256)),
        principal in option::of(vec(any::<u8>(), 0..20)), other in option::of(vec(any::<u8>(), 0..20)),
        nonce in vec(any::<u8>(), 16..40), place in any::<Index>(), flip in 1..=255_u8,
    ) {
        let tickets = SessionTickets::new(&[[1_u8; 32]], 60).unwrap();
        let session = Session::with_features(revision, Some(ClientFeature::from_bits_truncate(bits))).unwrap();
        let session = match inner { Some(inner) => session.with_inner(inner), None => session };
        let ticket = tickets.mint(&session, 1000, &nonce, principal.as_deref()).unwrap();
        let opened = tickets.open(ticket.as_bytes(), 1060, principal.as_deref());
        prop_assert_eq!(opened.as_ref(), Some(&session));
        prop_assert_eq!(tickets.open(ticket.as_bytes(), 1060, other.as_deref()).is_some(), other == principal);
        let mut changed = ticket.into_bytes();
        *place.get_mut(&mut changed) ^= flip;
        prop_assert_eq!(tickets.open(&changed, 1060, principal.as_deref()), None);
    }

    #[test]
    fn a_verdict_hands_on_or_answers_and_is_the_same_every_time(
        message in object(), method in select(&["tools/call", "ping", "initialize", "x/y", "notifications/x"][..]),
        id in option::of(value()), modern in any::<bool>(), is_wide in any::<bool>(), in_batch in any::<bool>(),
    ) {
        let mut message = message;
        message["jsonrpc"] = json!("2.0");
        message["method"] = json!(method);
        if let Some(id) = id { message["id"] = id; }
        if modern {
            let key = "io.modelcontextprotocol/";
            message["params"] = json!({"name": "t", "_meta": {
                format!("{key}protocolVersion"): "2026-07-28", format!("{key}clientCapabilities"): {}}});
        }
        let body = spelt(&if in_batch { json!([message, message["id"]]) } else { message }, is_wide);
        let lines: [(&[u8], &[u8]); 4] = [
            (b"content-type", b"application/json"), (b"accept", b"*/*"), (b"mcp-session-id", b"s"), (b"mcp-name", b"t"),
        ];
        let (gate, headers) = (gate(), Headers::pick(lines));
        let live = |_: &[u8]| Lookup::Live(Session::new(Revision::V2025_03_26, None).unwrap());
        for headers in [Some(&headers), None] {
            let request = Request { http_method: "POST", headers, body: &body, look_up: &live };
            let verdict = gate.admit(&request);
            prop_assert_eq!(format!("{verdict:?}"), format!("{:?}", gate.admit(&request)));
            let forward = verdict.forward();
            let decision = verdict.decision();
            prop_assert!(decision.reply(&body).is_none() != forward.is_empty());
            prop_assert!(forward.iter().map(|part| part.len()).sum::<usize>() <= body.len());
            if let Some(reply) = decision.reply(&body).filter(|reply| !reply.body.is_empty()) {
                prop_assert!(serde_json::from_slice::<Value>(&reply.body).is_ok());
            }
        }
    }

    #[test]
    fn shaping_once_is_enough(result in object(), method in option::of(select(Method::ALL)), revision in revision(), is_wide in any::<bool>()) {
        let reader = Reader::of(revision);
        let message = |member: &str| spelt(&json!({"jsonrpc": "2.0", "id": 1, member: result}), is_wide);
        let text = message("result");
        if let Ok(shaped) = shape_response(&text, method, &reader) {
            prop_assert!(serde_json::from_slice::<Value>(&shaped.body).is_ok());
            prop_assert!(shaped.body.len() <= 4 * text.len() + 256);
            let again = shape_response(&shaped.body, method, &reader).unwrap();
            prop_assert_eq!(&again.body, &shaped.body);
        }
        let name = method.map_or("x/y", Method::as_str);
        let told = spelt(&json!({"jsonrpc": "2.0", "method": name, "params": result}), is_wide);
        if let Ok(Some(shaped)) = shape_notification(&told, &reader) {
            let again = shape_notification(&shaped.body, &reader).unwrap().unwrap();
            prop_assert_eq!(&again.body, &shaped.body);
        }
        let asked = spelt(&json!({"jsonrpc": "2.0", "id": 1, "method": name, "params": result}), is_wide);
        if let Ok(shaped) = shape_server_request(&asked, &reader) {
            prop_assert!(serde_json::from_slice::<Value>(&shaped.body).is_ok());
        }
    }

    #[test]
    fn a_stream_is_the_same_in_any_chunks(
        lines in vec((select(&["data: ", "id: 1", "retry: 5", ": c", "event: message", "data", ""][..]), value(), select(&["\n", "\r", "\r\n", "\n\n"][..])), 0..12),
        cuts in vec(any::<Index>(), 0..6), revision in revision(),
    ) {
        let mut stream = Vec::new();
        for (field, value, end) in &lines {
            stream.extend_from_slice(field.as_bytes());
            if *field == "data: " {
                stream.extend(spelt(&json!({"jsonrpc": "2.0", "id": 1, "result": value}), false));
            }
            stream.extend_from_slice(end.as_bytes());
        }
        let reader = Reader::of(revision);
        let shaped = |cuts: &[usize]| {
            let mut shaper = SseShaper::new(Some(Method::ToolsCall), &reader, OnInvalid::Pass, 1 << 16);
            let (mut out, mut from) = (Vec::new(), 0);
            for cut in cuts.iter().copied().chain([stream.len()]) {
                out.extend(shaper.feed(&stream[from..cut]).unwrap().to_client);
                from = cut;
            }
            out.extend(shaper.close().unwrap().to_client);
            out
        };
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
        places.sort_unstable();
        prop_assert_eq!(shaped(&places), shaped(&[]));
    }

    #[test]
    fn what_a_gateway_serves_lies_between_its_backends(backends in vec(revisions(), 1..5), switched in vec((revision(), any::<bool>()), 0..3)) {
        let [all, any, least] =
            [ServeRule::Intersection, ServeRule::Union, ServeRule::Min].map(|rule| served_revisions(&backends, rule, &[]));
        prop_assert!(all.iter().all(|revision| any.contains(revision) && least.contains(revision)));
        for served in [&all, &any, &least] {
            prop_assert!(served.is_sorted_by_key(|revision| revision.index()));
        }
        let after = served_revisions(&backends, ServeRule::Union, &switched);
        for (revision, _) in &switched {
            let last = switched.iter().rfind(|(other, _)| other == revision).map(|(_, on)| *on);
            prop_assert_eq!(Some(after.contains(revision)), last);
        }
    }

    #[test]
    fn a_probe_settles_on_what_may_be_spoken_whatever_came(answer in object(), status in option::of(any::<u16>()), raw in vec(any::<u8>(), 0..30)) {
        for body in [spelt(&answer, false), raw] {
            let served = Served::of([Revision::V2025_06_18, Revision::V2026_07_28]).unwrap();
            let probed = read_probe(status, Some(b"application/json"), &body, served);
            prop_assert!(probed.revision.is_none_or(|revision| served.contains(revision)));
            prop_assert!(probed.revision.is_none() || probed.era == probed.revision.map(Revision::era));
        }
    }
}
