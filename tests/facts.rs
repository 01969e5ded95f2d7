//! The table equals the official schemas: each method, member, capability and code, in either direction.
//!
//! `tests/facts/<revision>.json` holds what the schemas say. What the table knows beside them is named here, one by
//! one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use revcap::table::{
    Alternative, CLIENT_PATHS, CapabilityRow, Channel, Code, Definition, Feature, Holds, Method, Reading, Revision,
    SERVER_PATHS, Shape, Span, TASKS_EXTENSION,
};
use serde_json::{Map, Value};

type Members = BTreeMap<String, (bool, String)>;

/// Definitions of the schemas' source that no message holds as such: bases of others, and unions of whole messages,
/// which the rows of methods cover.
const NOT_ON_THE_WIRE: &[&str] = &[
    "Annotated",
    "BaseMetadata",
    "CacheableResult",
    "ClientNotification",
    "ClientRequest",
    "ClientResult",
    "Icons",
    "InputResponseRequestParams",
    "JSONRPCMessage",
    "JSONRPCResponse",
    "Notification",
    "PaginatedRequest",
    "PaginatedResult",
    "Request",
    "ResourceContents",
    "ResourceRequestParams",
    "ServerNotification",
    "ServerRequest",
    "ServerResult",
    "TaskAugmentedRequestParams",
];

/// Names for a choice among choices, flat in the table.
const CHOICES_OF_FORMS: &[&str] = &["EnumSchema", "MultiSelectEnumSchema", "SingleSelectEnumSchema"];

/// JSON without a member of the specification's.
const OPEN: &[&str] = &["JSONObject", "JSONValue", "MetaObject"];

/// One error each, whose code is a row and whose shape is that of any.
const ERRORS: &[&str] = &[
    "HeaderMismatchError",
    "InternalError",
    "InvalidParamsError",
    "InvalidRequestError",
    "MethodNotFoundError",
    "MissingRequiredClientCapabilityError",
    "ParseError",
    "URLElicitationRequiredError",
    "UnsupportedProtocolVersionError",
];

/// The rows of the tasks extension, which stand in no core schema.
const EXTENSION_METHODS: &[(Channel, &str)] = &[
    (Channel::ClientRequest, "tasks/get"),
    (Channel::ClientRequest, "tasks/update"),
    (Channel::ClientRequest, "tasks/cancel"),
    (Channel::ServerNotification, "notifications/tasks"),
];

/// What a message of the tasks extension holds, where no core schema has it.
const EXTENSION_DEFINITIONS: &[Definition] = &[
    Definition::CancelTaskResult,
    Definition::CreateTaskResult,
    Definition::GetTaskResult,
    Definition::TaskRequestParams,
    Definition::TasksNotificationParams,
    Definition::UpdateTaskRequestParams,
];

/// Requests and responses as such: the facts say what they wrap, and leave their own members out.
const WRAPPERS: &[Definition] = &[
    Definition::CreateMessageRequest,
    Definition::ElicitRequest,
    Definition::JSONRPCResultResponse,
    Definition::ListRootsRequest,
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

/// A definition's name in the table, where an older schema has another.
fn name_in_table(name: &str) -> &str {
    match name {
        "ResourceReference" => "ResourceTemplateReference",
        "JSONRPCError" => "JSONRPCErrorResponse",
        "EnumSchema" => "LegacyTitledEnumSchema",
        name => name,
    }
}

/// What is compared of one revision: its facts, and what was seen so far.
struct Comparison {
    revision: Revision,
    facts: Value,
    seen: BTreeSet<&'static str>,
    differences: Vec<String>,
}

impl Comparison {
    fn differ(&mut self, place: &str, what: &str) {
        self.differences.push(format!("{} {place}: {what}", self.revision.as_str()));
    }

    fn members(&self, name: &str) -> Members {
        let members = object(&self.facts, &["definitions", name]).iter();
        members
            .map(|(key, kind)| {
                let (key, required) = key.strip_suffix('*').map_or((key.as_str(), false), |key| (key, true));
                (key.to_owned(), (required, kind.as_str().unwrap().to_owned()))
            })
            .collect()
    }

    /// A definition against what the schema says of that name.
    fn named(&mut self, definition: Definition, name: &str) {
        let alternatives = self.facts["definitions"][name].get("|").cloned();
        match (definition.shape(), alternatives) {
            (Shape::ClientCapabilities | Shape::ServerCapabilities | Shape::Map(_), None) => {
                self.seen.insert(definition.as_str());
            }
            (Shape::Choice(_, rows), alternatives) => {
                self.seen.insert(definition.as_str());
                let rows = rows.iter().filter(|row| row.span().has(self.revision));
                let known: Vec<_> = rows.map(Alternative::definition).collect();
                match (alternatives, known.as_slice()) {
                    (Some(alternatives), _) => {
                        let expected: BTreeSet<_> = texts(&alternatives);
                        let expected = expected.iter().map(|name| name_in_table(name));
                        let known = known.iter().map(|definition| definition.as_str());
                        if names(known.clone()) != names(expected.clone()) {
                            self.differ(name, &format!("{:?}, not {:?}", names(known), names(expected)));
                        }
                    }
                    (None, [only]) => self.named(*only, name),
                    (None, _) => self.differ(name, "the schema has no choice"),
                }
            }
            (Shape::Object(_), None) => {
                let members = self.members(name);
                self.object(definition, &members, name);
            }
            (shape, alternatives) => self.differ(name, &format!("{shape:?} and {alternatives:?}")),
        }
    }

    /// An object against the members that the schema gives it.
    fn object(&mut self, definition: Definition, expected: &Members, place: &str) {
        self.seen.insert(definition.as_str());
        let rows = definition.members().iter().filter(|row| row.span().has(self.revision));
        let mut rows: BTreeMap<_, _> = rows
            .filter(|row| row.in_schema() && row.extension_id().is_none())
            .map(|row| (row.name().to_owned(), row))
            .collect();
        for (name, (required, kind)) in expected.iter().filter(|(name, _)| !is_nested(name, expected)) {
            let place = format!("{place}.{name}");
            let Some(row) = rows.remove(name) else {
                self.differ(&place, "the table has no row");
                continue;
            };
            if row.is_required() != *required {
                self.differ(&place, &format!("required is {required}"));
            }
            self.value(row.holds(), kind, &below(expected, name), &place);
            let deprecated = row.deprecated_in().is_some_and(|since| since.index() <= self.revision.index());
            if deprecated != texts(&self.facts["deprecated"]).contains(&place) {
                self.differ(&place, "deprecated differs");
            }
        }
        for name in rows.keys() {
            self.differ(&format!("{place}.{name}"), "the schema has no member");
        }
    }

    /// What a member holds against its type.
    fn value(&mut self, holds: Holds, kind: &str, nested: &Members, place: &str) {
        let held: BTreeSet<_> = definitions_in(kind).filter(|name| self.is_object(name)).map(name_in_table).collect();
        let listed = kind.contains("array<");
        match holds {
            Holds::Value | Holds::Opaque => {
                if !held.is_empty() || !nested.is_empty() {
                    self.differ(place, &format!("{kind} is not entered"));
                }
                if holds == Holds::Value && ["object", "any", "$JSONObject", "$MetaObject"].contains(&kind) {
                    self.differ(place, &format!("{kind} is opaque"));
                }
            }
            Holds::Schema(definition)
            | Holds::One(definition)
            | Holds::List(definition)
            | Holds::OneOrList(definition)
            | Holds::Map(definition) => {
                if matches!(holds, Holds::List(_) | Holds::OneOrList(_)) != listed {
                    self.differ(place, &format!("{kind} is held as {holds:?}"));
                }
                if matches!(holds, Holds::Map(_)) != kind.starts_with("map<") {
                    self.differ(place, &format!("{kind} is held as {holds:?}"));
                }
                if held.is_empty() {
                    self.object(definition, nested, place);
                    return;
                }
                self.seen.insert(definition.as_str());
                let itself = definition.as_str();
                let known: BTreeSet<_> = match definition.shape() {
                    Shape::Choice(_, rows) if held != [itself].into() => {
                        let rows = rows.iter().filter(|row| row.span().has(self.revision));
                        let rows = rows.map(|row| row.definition().as_str());
                        rows.chain(matches!(holds, Holds::OneOrList(_)).then_some(itself)).collect()
                    }
                    _ => [itself].into(),
                };
                if known != held {
                    self.differ(place, &format!("{known:?}, not {held:?}"));
                }
            }
        }
    }

    fn is_object(&self, name: &str) -> bool {
        !OPEN.contains(&name) && self.facts["definitions"].get(name).is_some()
    }
}

/// A dot below another member leads into it; the keys of `_meta` have dots of their own.
fn is_nested(name: &str, members: &Members) -> bool {
    let dots = name.match_indices(['.', '[']);
    dots.into_iter().any(|(at, _)| members.contains_key(&name[..at]))
}

/// The members below one that is stated in place.
fn below(members: &Members, name: &str) -> Members {
    let nested = members.iter().filter_map(|(key, value)| {
        let rest = key.strip_prefix(name)?;
        let rest = rest.strip_prefix("[]").unwrap_or(rest).strip_prefix('.')?;
        Some((rest.to_owned(), value.clone()))
    });
    nested.collect()
}

fn definitions_in(kind: &str) -> impl Iterator<Item = &str> {
    kind.split('$').skip(1).map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
}

fn compare(revision: Revision) -> Comparison {
    let mut comparison =
        Comparison { revision, facts: facts(revision), seen: BTreeSet::new(), differences: Vec::new() };
    for &channel in Channel::ALL {
        for (name, row) in object(&facts(revision), &["methods", channel_name(channel)]) {
            let method = Method::parse(name.as_bytes()).unwrap();
            match row["params"].as_str() {
                Some(params) => comparison.named(method.params(), params),
                None => comparison.differ(name, "the facts have no parameters"),
            }
            let results = row.get("result").map_or(BTreeSet::new(), texts);
            match (method.result(), results.iter().find(|result| *result != "InputRequiredResult")) {
                (Some(definition), Some(result)) => comparison.named(definition, result),
                (None, None) => {}
                (definition, result) => comparison.differ(name, &format!("{definition:?} and {result:?}")),
            }
        }
    }
    let known: Vec<_> = object(&comparison.facts, &["definitions"]).keys().cloned().collect();
    for name in known.iter().filter(|name| !name.ends_with(".params")) {
        let object = comparison.facts["definitions"][name].get("|").is_none();
        let listed = [NOT_ON_THE_WIRE, OPEN, ERRORS].concat();
        let is_choice_of_forms = CHOICES_OF_FORMS.contains(&name.as_str()) && !object;
        if listed.contains(&name.as_str()) || is_choice_of_forms {
            // An older schema has the same name for what is sent.
            if !(name == "JSONRPCResponse" && object) {
                continue;
            }
        }
        let in_table = if name == "JSONRPCResponse" { "JSONRPCResultResponse" } else { name_in_table(name) };
        match Definition::parse(in_table) {
            Some(definition) => comparison.named(definition, name),
            None => comparison.differ(name, "the table has no definition"),
        }
    }
    comparison
}

#[test]
fn every_definition_has_the_members_of_its_schema_and_no_other() {
    let differences: Vec<_> = Revision::ALL.iter().flat_map(|revision| compare(*revision).differences).collect();
    assert!(differences.is_empty(), "{differences:#?}");
}

#[test]
fn what_a_message_can_hold_stands_in_the_schema_of_its_revision() {
    for &revision in Revision::ALL {
        let seen = compare(revision).seen;
        let reachable = Definition::ALL.iter().filter(|definition| definition.is_in(revision));
        let unseen: Vec<_> = reachable
            .filter(|definition| !seen.contains(definition.as_str()))
            .filter(|definition| !EXTENSION_DEFINITIONS.contains(definition))
            .filter(|definition| !WRAPPERS.contains(definition))
            .collect();
        assert!(unseen.is_empty(), "{revision:?}: {unseen:?}");
        let stray: Vec<_> = seen.iter().filter(|name| !Definition::parse(name).unwrap().is_in(revision)).collect();
        assert!(stray.is_empty(), "{revision:?}: {stray:?}");
    }
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

#[test]
fn members_outside_the_schemas_are_those_named_here() {
    let mut prose = BTreeSet::new();
    let mut extension = BTreeSet::new();
    for definition in Definition::ALL.iter().filter(|definition| !EXTENSION_DEFINITIONS.contains(definition)) {
        for member in definition.members() {
            if !member.in_schema() {
                prose.insert(format!("{}.{}", definition.as_str(), member.name()));
            }
            if member.extension_id().is_some() {
                extension.insert(format!("{}.{}", definition.as_str(), member.name()));
            }
        }
    }
    // The key of RelatedTaskMetadata, which the schema states in words.
    let related_task = ["NotificationMetaObject", "RequestMetaObject", "ResultMetaObject"]
        .map(|meta| format!("{meta}.io.modelcontextprotocol/related-task"));
    assert_eq!(prose, BTreeSet::from(related_task));
    assert_eq!(extension, BTreeSet::from(["SubscriptionFilter.taskIds".to_owned()]));
}

#[test]
fn a_type_that_changed_is_a_feature() {
    let known = [
        ("CallToolResult.structuredContent", Feature::NON_OBJECT_STRUCTURED_CONTENT),
        ("ElicitResult.content", Feature::ELICITATION_CHOICES),
        ("ToolResultContent.structuredContent", Feature::NON_OBJECT_STRUCTURED_CONTENT),
    ];
    let mut changed = BTreeSet::new();
    let mut kinds: BTreeMap<String, String> = BTreeMap::new();
    for &revision in Revision::ALL {
        for (definition, members) in object(&facts(revision), &["definitions"]) {
            if NOT_ON_THE_WIRE.contains(&definition.as_str()) {
                continue;
            }
            for (name, kind) in members.as_object().unwrap().iter().filter(|(_, kind)| kind.is_string()) {
                let place = format!("{definition}.{}", name.trim_end_matches('*'));
                let kind = plain(kind.as_str().unwrap());
                if kinds.insert(place.clone(), kind.clone()).is_some_and(|before| before != kind) {
                    changed.insert((place, revision.as_str()));
                }
            }
        }
    }
    let known = known.map(|(place, feature)| {
        let since = feature.row().unwrap().spans().get(Reading::SchemaExact).unwrap().since();
        (place.to_owned(), since.as_str())
    });
    assert_eq!(changed, BTreeSet::from(known));
}

/// A type without definitions: those are compared by what they hold, and one that is open or `_meta` is an object.
fn plain(kind: &str) -> String {
    let is_open = |name: &str| name.ends_with("Object") || name == "Annotations";
    let open = definitions_in(kind).filter(|name| is_open(name)).collect::<Vec<_>>();
    let kind = open.iter().fold(kind.to_owned(), |kind, name| kind.replace(&format!("${name}"), "object"));
    if kind.contains('$') { "definitions".to_owned() } else { kind }
}

#[test]
fn the_rows_of_a_member_do_not_overlap() {
    for definition in Definition::ALL {
        for &revision in Revision::ALL {
            let mut seen = BTreeSet::new();
            for member in definition.members().iter().filter(|member| member.span().has(revision)) {
                assert!(seen.insert(member.name()), "{definition:?}.{} in {revision:?}", member.name());
            }
        }
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
