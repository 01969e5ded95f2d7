//! Requests, generated and of tables, and what a second reading of the rules, in another language, says of each.
//!
//! `tests/verdicts/make.py` writes them; the whole comparison, over many more, is made through Python.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's own mistake may panic

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::capabilities::{ClientCapabilities, Requirement};
use revcap::gate::{
    Accept, Annotations, Decision, Gate, GateConfig, Lookup, MessageKind, Policy, Reason, Request, Requirements,
    Served, SessionMode, SubscriptionFilter, ToolAnnotations, VersionSource,
};
use revcap::handshake::{CacheScope, DiscoverVersions};
use revcap::headers::Headers;
use revcap::json::Node;
use revcap::session::Session;
use revcap::table::{CLIENT_PATHS, ClientFeature, Era, Reading, Revision};
use serde_json::{Map, Value, json};

const FILE: &str = include_str!("verdicts/verdicts.jsonl");

/// Bytes that a text stands for.
fn bytes(text: &Value) -> Vec<u8> {
    let text = text.as_str().unwrap();
    match text.strip_prefix('\u{1}') {
        None => text.as_bytes().to_vec(),
        Some(encoded) => {
            let value = format!("=?base64?{encoded}?=");
            revcap::headers::decode(value.as_bytes()).map_or_else(|_| by_hand(encoded), std::borrow::Cow::into_owned)
        }
    }
}

/// Base64 of what is no UTF-8, which no header may carry.
fn by_hand(encoded: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = encoded.bytes().filter_map(|byte| ALPHABET.iter().position(|letter| *letter == byte));
    let bits: Vec<bool> = digits.flat_map(|digit| (0..6).rev().map(move |place| digit >> place & 1 == 1)).collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit))).collect()
}

fn revision(text: &Value) -> Revision {
    Revision::parse(text.as_str().unwrap().as_bytes()).unwrap()
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn server(told: &Value) -> ServerIdentity {
    let mut switches = Switches::default();
    let mut without = Vec::new();
    for (name, value) in told.as_object().into_iter().flatten() {
        let (on, object) = (value.as_bool(), || Some(value.to_string().into_bytes().into()));
        match name.as_str() {
            "completions" => switches.completions = on.unwrap(),
            "logging" => switches.logging = on.unwrap(),
            "prompts" => switches.prompts = on.unwrap(),
            "prompts_list_changed" => switches.prompts_list_changed = on,
            "resources" => switches.resources = on.unwrap(),
            "resource_subscriptions" => switches.resource_subscriptions = on,
            "resources_list_changed" => switches.resources_list_changed = on,
            "tools" => switches.tools = on.unwrap(),
            "tools_list_changed" => switches.tools_list_changed = on,
            "tasks" => switches.tasks = on.unwrap(),
            "tasks_extension" => switches.tasks_extension = on,
            "elicitation" => switches.elicitation = on,
            "subscriptions_listen" => switches.subscriptions_listen = on.unwrap(),
            "extensions" => switches.extensions = object(),
            "experimental" => switches.experimental = object(),
            "without" => without = texts(value),
            other => panic!("{other}"),
        }
    }
    // The second reading's default is on, whatever the capability.
    switches.tasks_extension.get_or_insert(true);
    ServerIdentity::new(Implementation::new("gw", "1.0"), &switches).unwrap().without(&without).unwrap()
}

/// The rows that a gate has of its own, else those that it shares.
fn rows<'a>(told: &'a Value, shared: &'a Value, name: &str) -> &'a [Value] {
    told.as_array().or_else(|| shared[name].as_array()).unwrap()
}

fn annotations(rows: &[Value]) -> Annotations {
    let mut all = Annotations::default();
    for row in rows {
        let of_tool = rows.iter().filter(|other| other[0] == row[0]);
        let tool = ToolAnnotations::new(of_tool.map(|row| (texts(&row[1]), row[2].as_str().unwrap()))).unwrap();
        all.insert(row[0].as_str().unwrap(), tool);
    }
    all
}

fn requirements(rows: &[Value]) -> Requirements {
    let mut all = Requirements::default();
    for row in rows {
        let needed = ClientCapabilities::parse(row[2].to_string().as_bytes(), None).unwrap();
        all.insert(row[0].as_str().unwrap(), row[1].as_str(), Requirement::from(&needed));
    }
    all
}

/// Sets a policy by its name.
fn set(policy: &mut Policy, name: &str, value: &Value) {
    let count = || usize::try_from(value.as_u64().unwrap()).unwrap();
    let list = || value.as_array().map(|_| texts(value).into_iter().map(|text| text.as_bytes().into()).collect());
    match name {
        "allowed_origins" => policy.allowed_origins = list(),
        "allowed_hosts" => policy.allowed_hosts = list(),
        "accept" => policy.accept = if value == "lenient" { Accept::Lenient } else { Accept::Pass },
        "max_body_bytes" => policy.max_body_bytes = count(),
        "max_depth" => policy.limits.max_depth = u32::try_from(count()).unwrap(),
        "max_number_chars" => policy.limits.max_number_chars = count(),
        "max_batch" => policy.max_batch = count(),
        "max_id_bytes" => policy.max_id_bytes = count(),
        "duplicate_keys" => policy.unique_keys_everywhere = true,
        "case_variant_keys" => policy.reject_case_variants = true,
        "identical_header_copies" => policy.collapse_header_copies = true,
        "assumed_revision" => policy.assumed_revision = value.as_str().map(|_| revision(value)),
        "discover_versions" => policy.discover_versions = DiscoverVersions::Modern,
        "unknown_methods" => policy.reject_unknown_methods = true,
        "stray_name_header" => policy.reject_stray_name_header = true,
        "capability_types" => policy.lenient_capability_types = true,
        "include_context" => policy.require_context_capability = true,
        "legacy_extensions" => policy.legacy_extensions = false,
        "legacy_stream" => policy.legacy_stream = true,
        "legacy_delete" => policy.legacy_delete = true,
        "default_ttl_ms" => policy.default_ttl_ms = value.as_u64().unwrap(),
        "default_cache_scope" => policy.default_cache_scope = CacheScope::Public,
        "per_caller" => policy.per_caller = true,
        "enforce" => policy.reported = texts(value).into_iter().map(|name| Reason::parse(name).unwrap()).collect(),
        other => panic!("{other}"),
    }
}

fn gate(told: &Value, shared: &Value) -> Gate {
    let mut config = GateConfig {
        served: Served::all(),
        reading: Reading::Record,
        sessions: SessionMode::Stateless,
        can_revoke: true,
        server: server(&told["server"]),
        answer_handshake: false,
        annotations: Annotations::default(),
        requirements: Requirements::default(),
        policy: Policy::default(),
    };
    for (name, value) in told.as_object().unwrap() {
        match name.as_str() {
            "revisions" => config.served = Served::of(value.as_array().unwrap().iter().map(revision)).unwrap(),
            "schema_exact" => config.reading = Reading::SchemaExact,
            "sessions" if value == "store" => config.sessions = SessionMode::Store,
            "sessions" => config.sessions = SessionMode::Backend,
            "answer_handshake" => config.answer_handshake = true,
            "param_headers" => config.annotations = annotations(rows(value, shared, name)),
            "requires" => config.requirements = requirements(rows(value, shared, name)),
            "server" => {}
            _ => set(&mut config.policy, name, value),
        }
    }
    Gate::new(config)
}

/// The members of a listen request's filter that are watched.
fn watched(filter: SubscriptionFilter, body: &[u8]) -> Value {
    let on = filter.switches().into_iter().filter(|(_, on)| *on).map(|(name, _)| (name.to_owned(), json!(true)));
    let lists = filter
        .lists()
        .into_iter()
        .filter_map(|(name, list)| list.map(|list| (name.to_owned(), serde_json::from_slice(list.of(body)).unwrap())));
    on.chain(lists).collect()
}

/// What is compared of a decision, under the names that the second reading has for it.
fn seen(decision: &Decision, body: &[u8], forward: &[Value], expected: &Value) -> Value {
    let facts = &decision.facts;
    let mut seen = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            seen.insert(name.to_owned(), value);
        }
    };
    put("reason", json!(decision.reason.as_str()));
    put("status", json!(decision.status));
    let reply = decision.reply(body).filter(|reply| !reply.body.is_empty());
    if let Some(reply) = reply.as_ref().filter(|_| !decision.is_admitted()) {
        let allow = reply.headers.iter().find(|(name, _)| *name == "allow").map(|(_, value)| value.clone());
        put("allow", json!(allow));
        let answer = serde_json::from_slice::<Value>(&reply.body).ok();
        put("error_id", answer.as_ref().map_or(Value::Null, |answer| answer["id"].clone()));
        let error = answer.map(|answer| answer["error"].clone());
        let told = error.as_ref().map_or(json!(String::from_utf8_lossy(&reply.body)), |error| error["message"].clone());
        put("message", if expected.get("message").is_some() { told } else { Value::Null });
        put("code", error.as_ref().map_or(Value::Null, |error| error["code"].clone()));
        put("data", error.as_ref().map_or(Value::Null, |error| error["data"].clone()));
    }
    if decision.is_admitted() {
        let text = |node: Node| json!(node.text(body).map(|text| String::from_utf8(text.into_owned()).unwrap()));
        let value = |node: Node| node.is_present().then(|| serde_json::from_slice::<Value>(node.token(body)).unwrap());
        let line =
            |value: Option<&[u8]>| json!(value.map(|value| value.iter().map(|byte| *byte as char).collect::<String>()));
        put("kind", json!(facts.kind.map(MessageKind::as_str)));
        put("era", json!(facts.era.map(Era::as_str)));
        put("revision", json!(facts.revision.map(Revision::as_str)));
        put("version_source", json!(facts.version_source.map(VersionSource::as_str)));
        put("method", text(facts.method_node));
        put("known_method", json!(facts.known_method));
        put("id", json!(value(facts.id)));
        put("name", text(facts.name));
        put("client_info", json!(value(facts.client_info)));
        put("log_level", text(facts.log_level));
        put("progress_token", json!(value(facts.progress_token)));
        put("session_id", line(facts.session_id.as_deref()));
        put("last_event_id", line(facts.last_event_id.as_deref()));
        put("requested", text(facts.requested));
        put("subscription_filter", json!(facts.subscription_filter.map(|filter| watched(filter, body))));
        let result = reply.filter(|_| decision.reason == Reason::Answered);
        put(
            "result",
            json!(result.map(|reply| serde_json::from_slice::<Value>(&reply.body).unwrap()["result"].take())),
        );
        put("negotiated", json!(facts.negotiated.map(Revision::as_str)));
        put("deliver", json!(facts.deliver));
        put("strip", json!(facts.strip_task.map(|_| ["task"])));
        put("retry", json!(facts.retry.then_some(true)));
        let client = decision.client(body).zip(facts.revision);
        put("client", json!(client.map(|(client, revision)| paths(client.effective(revision)))));
        let reported = decision.would_reject.as_ref();
        put("would_reject", json!(reported.map(|would| json!([would.reason.as_str(), would.status, would.code]))));
        put("forward", json!((!forward.is_empty()).then_some(forward)));
    }
    Value::Object(seen)
}

/// The member paths of the flags, in alphabetical order.
fn paths(features: ClientFeature) -> Vec<String> {
    let rows = CLIENT_PATHS.iter().filter(|row| !row.feature().is_empty() && features.contains(row.feature()));
    let mut paths: Vec<String> =
        rows.map(|row| row.extension_id().map_or_else(|| row.path().join("."), str::to_owned)).collect();
    paths.sort();
    paths
}

fn text(part: &[u8]) -> Value {
    json!(String::from_utf8_lossy(part))
}

#[test]
fn every_request_gets_the_verdict_that_the_second_reading_gives_it() {
    let mut lines = FILE.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let shared = lines.next().unwrap();
    let (requests, gates): (Vec<Value>, Vec<Value>) = lines.partition(|line| line.get("seen").is_some());
    let gates: Vec<Gate> = gates.iter().map(|told| gate(told, &shared)).collect();
    assert!(gates.len() > 100 && requests.len() > 500);
    for sent in &requests {
        let gate = &gates[usize::try_from(sent["gate"].as_u64().unwrap()).unwrap()];
        let body = bytes(&sent["body"]);
        let latin1 = |text: &Value| text.as_str().unwrap().chars().map(|sign| sign as u8).collect::<Vec<u8>>();
        let lines: Vec<(Vec<u8>, Vec<u8>)> =
            sent["headers"].as_array().into_iter().flatten().map(|line| (latin1(&line[0]), latin1(&line[1]))).collect();
        let headers = Headers::pick(lines.iter().map(|(name, value)| (&**name, &**value)));
        let look_up = |_: &[u8]| {
            let Some([version, capabilities]) = sent.get("session").and_then(Value::as_array).map(Vec::as_slice) else {
                return Lookup::Unknown;
            };
            let client = ClientCapabilities::parse(&bytes(capabilities), Some(revision(version))).unwrap();
            Lookup::Live(Session::new(revision(version), Some(client.into())).unwrap())
        };
        let method = sent["method"].as_str();
        let http_method = method.unwrap_or("POST");
        let headers = method.is_some().then_some(&headers);
        let verdict = gate.admit(&Request { http_method, headers, body: &body, look_up: &look_up });
        let expected = &sent["seen"];
        let decision = verdict.decision();
        let forward: Vec<Value> = verdict.forward().iter().map(|part| text(part)).collect();
        let mut found = seen(decision, &body, &forward, expected);
        if let Some(elements) = expected.get("elements").and_then(Value::as_array) {
            assert_eq!(elements.len(), decision.elements.len());
            let each = elements.iter().zip(&decision.elements).map(|(expected, element)| {
                let forward: Vec<Value> = element.own_message(&body).iter().map(|part| text(part)).collect();
                seen(element, &body, &forward, expected)
            });
            found["elements"] = each.collect();
        }
        assert_eq!(&found, expected, "{sent:#}");
    }
}
