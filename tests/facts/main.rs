//! The table equals the official schemas: each method, member, capability and code, in either direction.
//!
//! `tests/facts/<revision>.json` holds what the schemas say. What the table knows beside them is named here, one by
//! one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

mod definitions;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use revcap::table::{
    CLIENT_PATHS, CapabilityRow, Channel, Code, Definition, Feature, Method, Reading, Revision, SERVER_PATHS, Span,
    TASKS_EXTENSION,
};
use serde_json::{Map, Value};

/// The rows of the tasks extension, which stand in no core schema.
const EXTENSION_METHODS: &[(Channel, &str)] = &[
    (Channel::ClientRequest, "tasks/get"),
    (Channel::ClientRequest, "tasks/update"),
    (Channel::ClientRequest, "tasks/cancel"),
    (Channel::ServerNotification, "notifications/tasks"),
];

fn facts(revision: Revision) -> Value {
    let path = format!("tests/facts/{}.json", revision.as_str());
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_slice(&text).unwrap()
}

fn object<'a>(facts: &'a Value, path: &[&str]) -> &'a Map<String, Value> {
    path.iter().fold(facts, |value, key| &value[*key]).as_object().unwrap_or_else(|| panic!("no object at {path:?}"))
}

fn texts(value: &Value) -> BTreeSet<String> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

const fn channel_name(channel: Channel) -> &'static str {
    match channel {
        Channel::ClientRequest => "client_request",
        Channel::ClientNotification => "client_notification",
        Channel::ServerRequest => "server_request",
        Channel::ServerNotification => "server_notification",
        Channel::InputRequest => "input_request",
    }
}

#[test]
fn every_revision_has_the_methods_of_its_schema_and_no_other() {
    for &revision in Revision::ALL {
        let facts = facts(revision);
        for &channel in Channel::ALL {
            let core = revision
                .methods(channel, Reading::SchemaExact)
                .iter()
                .filter(|method| method.row(channel, revision).unwrap().extension_id().is_none())
                .map(Method::as_str);
            let expected = object(&facts, &["methods", channel_name(channel)]).keys().map(String::as_str);
            assert_eq!(names(core), names(expected), "{revision:?} {channel:?}");
        }
    }
}

#[test]
fn the_extensions_methods_are_those_named_here() {
    let rows = Method::rows().iter().filter(|row| row.extension_id().is_some());
    let rows: Vec<_> = rows
        .inspect(|row| assert_eq!(row.extension_id(), Some(TASKS_EXTENSION)))
        .map(|row| (row.channel(), row.method().as_str()))
        .collect();
    assert_eq!(rows, EXTENSION_METHODS);
}

#[test]
fn a_result_asks_for_input_and_carries_hints_where_the_schema_says() {
    for &revision in Revision::ALL {
        let facts = facts(revision);
        for (name, row) in object(&facts, &["methods", "client_request"]) {
            let method = Method::parse(name.as_bytes()).unwrap();
            let results = texts(&row["result"]);
            assert_eq!(
                method.takes_input_responses(revision),
                results.contains("InputRequiredResult"),
                "{revision:?} {name}"
            );
            let cacheable = results.iter().any(|result| facts["definitions"][result].get("ttlMs*").is_some());
            assert_eq!(method.is_cacheable(revision), cacheable, "{revision:?} {name}");
        }
    }
}

#[test]
fn every_revision_has_the_capability_members_of_its_schema_and_no_other() {
    for &revision in Revision::ALL {
        let facts = facts(revision);
        check_capabilities(revision, &facts, "client", "ClientCapabilities", CLIENT_PATHS);
        check_capabilities(revision, &facts, "server", "ServerCapabilities", SERVER_PATHS);
    }
}

fn check_capabilities<F: Copy>(
    revision: Revision,
    facts: &Value,
    side: &str,
    definition: &str,
    rows: &[CapabilityRow<F>],
) {
    let rows = rows.iter().filter(|row| row.extension_id().is_none());
    let mut paths = BTreeSet::new();
    for row in rows.filter(|row| row.spans().has(revision, Reading::SchemaExact)) {
        let path = row.path().join(".");
        let kind = facts["definitions"][definition][&path].as_str().unwrap_or_else(|| panic!("{revision:?} {path}"));
        assert_eq!(row.kind().as_str() == "boolean", kind == "boolean", "{revision:?} {path} is {kind}");
        let deprecated = row.deprecated_in().is_some_and(|since| since.index() <= revision.index());
        let expected = texts(&facts["deprecated"]).contains(&format!("{definition}.{path}"));
        assert_eq!(deprecated, expected, "{revision:?} {path}");
        paths.insert(path);
    }
    assert_eq!(paths, texts(&facts["capabilities"][side]), "{revision:?} {side}");
}

#[test]
fn every_revision_has_the_error_codes_of_its_schema_and_no_other() {
    for &revision in Revision::ALL {
        let facts = facts(revision);
        let mut codes = BTreeMap::new();
        for row in Code::rows().iter().filter(|row| row.span().has(revision) && row.in_schema()) {
            codes.insert(row.code().as_str(), (row.code().number(), names(row.required_data().iter().copied())));
        }
        let expected: BTreeMap<_, _> = object(&facts, &["errors"])
            .iter()
            .map(|(name, code)| (name.as_str(), (code[0].as_i64().unwrap(), texts(&code[1]))))
            .collect();
        assert_eq!(codes, expected, "{revision:?}");
    }
}

#[test]
fn the_only_code_that_no_schema_exports_is_that_of_a_missing_resource() {
    let prose: Vec<_> = Code::rows().iter().filter(|row| !row.in_schema()).map(|row| row.code().number()).collect();
    assert_eq!(prose, [-32002]);
}

#[test]
fn a_definition_is_deprecated_where_its_schema_marks_it() {
    for &revision in Revision::ALL {
        let facts = facts(revision);
        let since = |deprecated: Option<Revision>| deprecated.is_some_and(|since| since.index() <= revision.index());
        let definitions = Definition::ALL.iter().filter(|definition| definition.is_in(revision));
        let definitions = definitions.filter(|definition| since(definition.deprecated_in()));
        let mut known = names(definitions.map(|definition| definition.as_str()));
        let rows = Method::rows().iter().filter(|row| row.spans().has(revision, Reading::SchemaExact));
        let rows = rows.filter(|row| since(row.deprecated_in()));
        known.extend(rows.map(|row| match row.method() {
            Method::Message => "LoggingMessageNotification".to_owned(),
            Method::RootsList => "ListRootsRequest".to_owned(),
            Method::SamplingCreateMessage => "CreateMessageRequest".to_owned(),
            other => other.as_str().to_owned(),
        }));
        let mut expected = texts(&facts["deprecated"]);
        expected.retain(|name| !name.contains('.'));
        // A list of names, used by the notification alone.
        expected.remove("LoggingLevel");
        assert_eq!(known, expected, "{revision:?}");
    }
}

/// The revisions of a row, from the first with it to the first without it.
fn shown(span: Option<Span>) -> String {
    span.map_or("never".to_owned(), |span| {
        format!("{}..{}", span.since().as_str(), span.until().map_or("", Revision::as_str))
    })
}

/// Where the record and the schemas differ: all of it, row by row, with the revisions by the record and by the schemas.
#[test]
fn the_two_readings_differ_in_what_is_named_here_and_nowhere_else() {
    let features = Feature::rows().iter().map(|row| (format!("feature {}", row.name()), row.spans()));
    let client = CLIENT_PATHS.iter().map(|row| (format!("client {}", row.path().join(".")), row.spans()));
    let server = SERVER_PATHS.iter().map(|row| (format!("server {}", row.path().join(".")), row.spans()));
    let methods = Method::rows()
        .iter()
        .map(|row| (format!("{} {}", channel_name(row.channel()), row.method().as_str()), row.spans()));
    let rows = features.chain(client).chain(server).chain(methods);
    let differences: BTreeSet<_> = rows
        .map(|(what, spans)| (what, spans.get(Reading::Record), spans.get(Reading::SchemaExact)))
        .filter(|(_, record, exact)| record != exact)
        .map(|(what, record, exact)| format!("{what}: {}, {}", shown(record), shown(exact)))
        .collect();
    let expected = [
        "client_request resources/subscribe: 2025-06-18..2026-07-28, 2024-11-05..2026-07-28",
        "client_request resources/unsubscribe: 2025-06-18..2026-07-28, 2024-11-05..2026-07-28",
        "feature RESOURCES_SUBSCRIBE: 2025-06-18..2026-07-28, 2024-11-05..2026-07-28",
        "feature RESOURCE_SUBSCRIPTIONS: 2025-06-18.., 2024-11-05..",
        "feature TASKS: 2025-11-25.., 2025-11-25..2026-07-28",
        "server elicitation: 2025-06-18.., never",
        "server resources.subscribe: 2025-06-18.., 2024-11-05..",
        "server_notification notifications/resources/updated: 2025-06-18.., 2024-11-05..",
    ];
    assert_eq!(differences, names(expected));
}
