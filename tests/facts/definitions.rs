//! Each member of each definition.

use std::collections::{BTreeMap, BTreeSet};

use revcap::table::{Alternative, Channel, Definition, Feature, Holds, Method, Reading, Revision, Shape};
use serde_json::Value;

use super::{channel_name, facts, names, object, texts};

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
