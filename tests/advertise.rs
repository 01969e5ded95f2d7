//! What a server publishes, over every set of switches and every revision.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::{BTreeSet, HashMap};

use revcap::advertise::{Implementation, InvalidIdentity, Join, MergePolicy, ServerIdentity, Switches};
use revcap::handshake::{
    CacheHint, CacheScope, DiscoverVersions, discover_result, initialize_result, negotiate, supported_versions,
};
use revcap::table::{Channel, Era, Method, MethodSet, Reading, Revision, ServerFeature};
use serde_json::{Value, json};

/// The member paths of each revision's `ServerCapabilities`, as the official schemas have them.
const PATHS: &[(&str, &[&str])] = &[
    ("2024-11-05", BASE),
    ("2025-03-26", &["completions"]),
    ("2025-06-18", &["completions"]),
    (
        "2025-11-25",
        &[
            "completions",
            "tasks",
            "tasks.cancel",
            "tasks.list",
            "tasks.requests",
            "tasks.requests.tools",
            "tasks.requests.tools.call",
        ],
    ),
    ("2026-07-28", &["completions", "extensions"]),
];
const BASE: &[&str] = &[
    "experimental",
    "logging",
    "prompts",
    "prompts.listChanged",
    "resources",
    "resources.listChanged",
    "resources.subscribe",
    "tools",
    "tools.listChanged",
];

/// The intended differences: what the record adds to the schemas or takes away, and what a policy adds.
fn permitted(revision: Revision, reading: Reading, legacy_extensions: bool) -> BTreeSet<&'static str> {
    let (_, own) = PATHS.iter().find(|(date, _)| *date == revision.as_str()).unwrap();
    let mut paths: BTreeSet<_> = BASE.iter().chain(own.iter()).copied().collect();
    let after = |date: &str| revision.as_str() >= date;
    if reading == Reading::Record {
        if after("2025-06-18") {
            paths.insert("elicitation");
        } else {
            paths.remove("resources.subscribe");
        }
    }
    if legacy_extensions && after("2025-06-18") {
        paths.insert("extensions");
    }
    paths
}

fn capabilities(server: &ServerIdentity, revision: Revision, reading: Reading, legacy: bool) -> Value {
    serde_json::from_slice(&server.capabilities(revision, reading, legacy)).unwrap()
}

/// Every path of an object, the members of the open maps left out.
fn paths(value: &Value) -> BTreeSet<String> {
    fn walk(value: &Value, above: &str, out: &mut BTreeSet<String>) {
        for (key, value) in value.as_object().into_iter().flatten() {
            let path = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
            let is_map = ["experimental", "extensions"].contains(&path.as_str());
            if !is_map {
                walk(value, &path, out);
            }
            out.insert(path);
        }
    }
    let mut out = BTreeSet::new();
    walk(value, "", &mut out);
    out
}

fn no_nulls(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => items.iter().all(no_nulls),
        Value::Object(members) => members.values().all(no_nulls),
        _ => true,
    }
}

/// None, as its capability, and either way said outright where that is no contradiction.
fn member(capability: bool) -> &'static [Option<bool>] {
    if capability { &[None, Some(false), Some(true)] } else { &[None, Some(false)] }
}

fn every_switch_set(mut each: impl FnMut(&Switches)) {
    let both = [false, true];
    let mut choices: Vec<Switches> = vec![Switches::default()];
    let mut grow = |step: &dyn Fn(&Switches) -> Vec<Switches>| {
        choices = choices.iter().flat_map(step).collect();
    };
    grow(&|s| both.map(|completions| Switches { completions, ..s.clone() }).into());
    grow(&|s| both.map(|logging| Switches { logging, ..s.clone() }).into());
    grow(&|s| both.map(|prompts| Switches { prompts, ..s.clone() }).into());
    grow(&|s| member(s.prompts).iter().map(|it| Switches { prompts_list_changed: *it, ..s.clone() }).collect());
    grow(&|s| both.map(|resources| Switches { resources, ..s.clone() }).into());
    grow(&|s| member(s.resources).iter().map(|it| Switches { resource_subscriptions: *it, ..s.clone() }).collect());
    grow(&|s| member(s.resources).iter().map(|it| Switches { resources_list_changed: *it, ..s.clone() }).collect());
    grow(&|s| both.map(|tools| Switches { tools, ..s.clone() }).into());
    grow(&|s| both.map(|tasks| Switches { tasks, ..s.clone() }).into());
    grow(&|s| both.map(|it| Switches { tasks_extension: Some(it), ..s.clone() }).into());
    grow(&|s| member(s.tasks).iter().map(|it| Switches { tasks_list: *it, ..s.clone() }).collect());
    grow(&|s| member(s.tasks).iter().map(|it| Switches { tasks_tools_call: *it, ..s.clone() }).collect());
    grow(&|s| [None, Some(true), Some(false)].map(|elicitation| Switches { elicitation, ..s.clone() }).into());
    grow(&|s| both.map(|it| Switches { subscriptions_listen: it, ..s.clone() }).into());
    for switches in &choices {
        each(switches);
    }
}

#[test]
fn no_set_of_switches_publishes_a_member_that_the_revision_lacks() {
    let extensions: Option<Box<[u8]>> = Some(br#"{"com.example/search":{"deep":[1,null]}}"#.as_slice().into());
    let mut distinct: HashMap<(Revision, Reading, bool, ServerFeature), Value> = HashMap::new();
    let mut sets = 0_u32;
    every_switch_set(|switches| {
        sets += 1;
        let mut switches = switches.clone();
        if sets.is_multiple_of(2) {
            switches.extensions = extensions.clone();
        }
        let server = ServerIdentity::new(Implementation::new("n", "1"), &switches).unwrap();
        for &revision in Revision::ALL {
            for &reading in Reading::ALL {
                for legacy in [false, true] {
                    let set = server.advertised(revision, reading, legacy);
                    let key = (revision, reading, legacy, set);
                    distinct.entry(key).or_insert_with(|| capabilities(&server, revision, reading, legacy));
                }
            }
        }
    });
    assert!(sets > 20_000 && distinct.len() > 2_000, "{sets} {}", distinct.len());
    for ((revision, reading, legacy, set), object) in distinct {
        let permitted = permitted(revision, reading, legacy);
        let found = paths(&object);
        let foreign: Vec<_> = found.iter().filter(|path| !permitted.contains(path.as_str())).collect();
        assert!(foreign.is_empty(), "{revision:?} {reading:?}: {foreign:?}");
        let tasks = object.pointer("/extensions/io.modelcontextprotocol~1tasks").is_some();
        assert_eq!(tasks, set.contains(ServerFeature::TASKS_EXTENSION));
        assert!(!tasks || revision.era() == Era::Modern);
        if revision.era() == Era::Legacy && legacy {
            assert!(object.pointer("/extensions").is_none_or(|map| !map.as_object().unwrap().is_empty()));
        }
    }
}

#[test]
fn every_switch_publishes_its_member_wherever_the_revision_permits_it() {
    let switches = Switches {
        elicitation: Some(true),
        experimental: Some(br#"{"x":{}}"#.as_slice().into()),
        extensions: Some(br#"{"a/b":{}}"#.as_slice().into()),
        ..Switches::default()
    };
    let server = ServerIdentity::new(Implementation::new("n", "1"), &switches).unwrap();
    for &revision in Revision::ALL {
        for &reading in Reading::ALL {
            for legacy in [false, true] {
                let found = paths(&capabilities(&server, revision, reading, legacy));
                let expected: BTreeSet<_> =
                    permitted(revision, reading, legacy).into_iter().map(String::from).collect();
                assert_eq!(found, expected, "{revision:?} {reading:?}");
            }
        }
    }
}

fn newest() -> Revision {
    *Revision::ALL.last().unwrap()
}

fn of(date: &str) -> Revision {
    Revision::parse(date.as_bytes()).unwrap()
}

fn upstream(object: &Value) -> ServerIdentity {
    ServerIdentity::from_capabilities(Implementation::new("n", "1"), object.to_string().as_bytes()).unwrap()
}

fn published(object: &Value, date: &str) -> Value {
    capabilities(&upstream(object), of(date), Reading::Record, true)
}

#[test]
fn what_an_upstream_says_is_repaired_and_what_nobody_knows_is_kept() {
    for (given, date, expected) in [
        (json!({"tools": {}, "logging": null, "prompts": false}), "2025-06-18", json!({"tools": {}})),
        (
            json!({"tools": true, "logging": [], "prompts": "x", "resources": 0}),
            "2025-06-18",
            json!({"logging": {}, "prompts": {}, "resources": {}, "tools": {}}),
        ),
        (
            json!({"tools": {"listChanged": 1, "x": null}, "resources": {"subscribe": true, "listChanged": "true"}}),
            "2025-11-25",
            json!({"resources": {"subscribe": true}, "tools": {"x": null}}),
        ),
        (json!({"experimental": true, "tools": {}}), "2026-07-28", json!({"tools": {}})),
        (
            json!({"experimental": {"a": {"b": null}, "c": 1, "d": null}}),
            "2026-07-28",
            json!({"experimental": {"a": {"b": null}, "c": {}}}),
        ),
        (json!({"elicitation": {"form": {}}}), "2025-11-25", json!({"elicitation": {}})),
        (json!({"elicitation": {}}), "2025-03-26", json!({})),
        (
            json!({"tasks": {"list": true, "cancel": false, "requests": {"tools": {"call": []}}, "v": 1}}),
            "2025-11-25",
            json!({"tasks": {"list": {}, "requests": {"tools": {"call": {}}}, "v": 1}}),
        ),
        (json!({"tasks": {"requests": {"tools": {"call": null}}}}), "2025-11-25", json!({"tasks": {}})),
        (
            json!({"tasks": {"requests": {"tools": {"call": {"x": 1}, "y": 2}, "z": 3}}}),
            "2025-11-25",
            json!({"tasks": {"requests": {"tools": {"call": {"x": 1}, "y": 2}, "z": 3}}}),
        ),
        (json!({"tasks": {}, "completions": {}, "tools": {}}), "2024-11-05", json!({"tools": {}})),
        (
            json!({"extensions": {"a/b": {"s": 1}, "c/d": true, "e/f": null, "not an id": 7}}),
            "2025-06-18",
            json!({"extensions": {"a/b": {"s": 1}, "c/d": {}, "not an id": {}}}),
        ),
        (
            json!({"extensions": {"io.modelcontextprotocol/tasks": {"s": 1}}}),
            "2026-07-28",
            json!({"extensions": {"io.modelcontextprotocol/tasks": {"s": 1}}}),
        ),
        (json!({"extensions": {"io.modelcontextprotocol/tasks": {}}}), "2025-11-25", json!({})),
        (json!({"extensions": {}}), "2026-07-28", json!({"extensions": {}})),
        (
            json!({"com.vendor": 7, "other": {"a": null}, "none": null, "no": false}),
            "2024-11-05",
            json!({"com.vendor": 7, "other": {"a": null}}),
        ),
        (json!({"sampling": {}, "roots": {}}), "2025-11-25", json!({"sampling": {}, "roots": {}})),
    ] {
        assert_eq!(published(&given, date), expected, "{given} at {date}");
    }
}

#[test]
fn an_object_reads_back_as_the_server_that_wrote_it() {
    let mut sets = 0_u32;
    every_switch_set(|switches| {
        sets += 1;
        if !sets.is_multiple_of(7) || switches.elicitation == Some(false) || !switches.subscriptions_listen {
            return;
        }
        let server = ServerIdentity::new(Implementation::new("n", "1"), switches).unwrap();
        let again =
            ServerIdentity::from_capabilities(Implementation::new("n", "1"), &server.all_capabilities()).unwrap();
        assert_eq!(again, server);
    });
    let object =
        json!({"extensions": {"io.modelcontextprotocol/tasks": {"s": 1}, "a/b": {}}, "tools": {"x": 1}, "v": 1});
    let server = upstream(&object);
    let text = server.all_capabilities();
    assert_eq!(ServerIdentity::from_capabilities(Implementation::new("n", "1"), &text).unwrap(), server);
}

#[test]
fn a_missing_handler_takes_its_promise_back_where_the_revision_has_the_method() {
    let all = json!({"tools": {"listChanged": true}, "resources": {"subscribe": true, "listChanged": true}, "logging": {},
                     "prompts": {"listChanged": true}, "completions": {}, "tasks": {"list": {}, "cancel": {}},
                     "extensions": {"io.modelcontextprotocol/tasks": {}}});
    let without = |name: &str, date: &str| {
        let server = upstream(&all).without(&[name]).unwrap();
        let object = capabilities(&server, of(date), Reading::Record, true);
        let all = published(&all, date);
        let (found, all) = (paths(&object), paths(&all));
        all.difference(&found).cloned().collect::<Vec<_>>().join(" ")
    };
    for (name, date, gone) in [
        ("resources/subscribe", "2025-11-25", "resources.subscribe"),
        ("resources/unsubscribe", "2025-06-18", "resources.subscribe"),
        ("resources/subscribe", "2026-07-28", ""),
        ("subscriptions/listen", "2025-11-25", ""),
        (
            "subscriptions/listen",
            "2026-07-28",
            "prompts.listChanged resources.listChanged resources.subscribe tools.listChanged",
        ),
        ("logging/setLevel", "2025-11-25", "logging"),
        ("logging/setLevel", "2026-07-28", ""),
        ("completion/complete", "2025-11-25", "completions"),
        ("completion/complete", "2026-07-28", "completions"),
        ("tools/list", "2024-11-05", "tools tools.listChanged"),
        ("tools/call", "2026-07-28", "tools tools.listChanged"),
        ("prompts/list", "2026-07-28", "prompts prompts.listChanged"),
        ("resources/list", "2025-11-25", "resources resources.listChanged resources.subscribe"),
        ("resources/templates/list", "2025-11-25", ""),
        ("tasks/list", "2025-11-25", "tasks.list"),
        ("tasks/cancel", "2025-11-25", "tasks.cancel"),
        ("tasks/result", "2025-11-25", "tasks tasks.cancel tasks.list"),
        ("tasks/update", "2026-07-28", "extensions"),
        ("tasks/result", "2026-07-28", ""),
        ("listChanged", "2026-07-28", "prompts.listChanged resources.listChanged tools.listChanged"),
        ("subscribe", "2025-11-25", "resources.subscribe"),
        ("subscribe", "2026-07-28", "resources.subscribe"),
        ("tools.listChanged", "2025-11-25", "tools.listChanged"),
        ("logging", "2026-07-28", "logging"),
        ("io.modelcontextprotocol/tasks", "2026-07-28", "extensions"),
    ] {
        assert_eq!(without(name, date), gone, "{name} at {date}");
    }
    for name in ["ping", "initialize", "server/discover"] {
        assert!(upstream(&all).without(&[name]).unwrap_err().to_string().starts_with(name));
    }
    for name in ["", "tool/list", "roots/list", "notifications/initialized", "com.example/x", "requests"] {
        assert!(upstream(&all).without(&[name]).is_err(), "{name}");
    }
}

#[test]
fn what_is_published_can_be_called_and_what_is_not_cannot() {
    let mut sets = 0_usize;
    every_switch_set(|switches| {
        sets += 1;
        if !sets.is_multiple_of(5) {
            return;
        }
        let server = ServerIdentity::new(Implementation::new("n", "1"), switches).unwrap();
        let names: Vec<&str> = Method::ALL.iter().map(|it| it.as_str()).filter(|it| it.len() % 5 == sets % 5).collect();
        let names: Vec<&str> = names.into_iter().filter(|it| server.clone().without(&[it]).is_ok()).collect();
        let server = server.without(&names).unwrap();
        for &revision in Revision::ALL {
            let set = server.advertised(revision, Reading::Record, true);
            let callable = callable(&server, revision);
            for method in revision.methods(Channel::ClientRequest, Reading::Record).iter() {
                let handled = callable.contains(method);
                let needs = match method {
                    Method::ToolsList | Method::ToolsCall => set.contains(ServerFeature::TOOLS),
                    Method::PromptsList | Method::PromptsGet => set.contains(ServerFeature::PROMPTS),
                    Method::ResourcesList | Method::ResourcesRead => set.contains(ServerFeature::RESOURCES),
                    Method::ResourcesSubscribe => set.contains(ServerFeature::RESOURCES_SUBSCRIBE),
                    Method::LoggingSetLevel => set.contains(ServerFeature::LOGGING),
                    Method::CompletionComplete if revision.as_str() != "2024-11-05" => {
                        set.contains(ServerFeature::COMPLETIONS)
                    }
                    Method::TasksList => set.contains(ServerFeature::TASKS_LIST),
                    Method::Ping | Method::Initialize | Method::ServerDiscover => true,
                    _ => continue,
                };
                assert_eq!(handled, needs, "{method:?} {revision:?}");
            }
        }
    });
    // The oldest revision cannot publish completions and serves them all the same.
    let of_switches = |completions| {
        let switches = Switches { completions, ..Switches::default() };
        ServerIdentity::new(Implementation::new("n", "1"), &switches).unwrap()
    };
    let oldest = of("2024-11-05");
    assert!(callable(&of_switches(true), oldest).contains(Method::CompletionComplete));
    assert!(!callable(&of_switches(false), oldest).contains(Method::CompletionComplete));
}

/// What the gate before this server lets through.
fn callable(server: &ServerIdentity, revision: Revision) -> MethodSet {
    let advertised = server.advertised(revision, Reading::Record, true);
    let listed = revision.methods(Channel::ClientRequest, Reading::Record).iter();
    listed.filter(|method| server.handles(*method, revision, advertised)).collect()
}

#[test]
fn a_listen_stream_needs_something_to_listen_to() {
    let listen = |object: Value| callable(&upstream(&object), newest()).contains(Method::SubscriptionsListen);
    assert!(!listen(json!({"tools": {}, "resources": {}})));
    assert!(listen(json!({"tools": {"listChanged": true}})));
    assert!(listen(json!({"resources": {"subscribe": true}})));
    assert!(listen(json!({"extensions": {"io.modelcontextprotocol/tasks": {}}})));
}

#[test]
fn a_client_of_an_unknown_version_is_told_what_every_revision_has() {
    let switches = Switches { elicitation: Some(true), ..Switches::default() };
    let server = ServerIdentity::new(Implementation::new("n", "1"), &switches).unwrap();
    let object: Value = serde_json::from_slice(&server.capabilities_for_unknown()).unwrap();
    let mut expected: BTreeSet<_> = BASE.iter().map(ToString::to_string).collect();
    expected.remove("experimental"); // none is given
    expected.remove("resources.subscribe"); // by the record it came later
    assert_eq!(paths(&object), expected);
}

fn server() -> ServerIdentity {
    let implementation = Implementation::new("gw", "1.0")
        .described(Some("Gateway".to_owned()), Some("A \"gateway\"".to_owned()))
        .with_website_url(Some("https://example.com/".to_owned()))
        .unwrap()
        .with_icons(br#"[{"src":"https://example.com/i.png"}]"#)
        .unwrap();
    ServerIdentity::new(implementation, &Switches::default()).unwrap().with_instructions(Some("Ask\nme".to_owned()))
}

#[test]
fn an_implementation_is_trimmed_to_what_the_revision_reads() {
    for (date, members) in [
        ("2024-11-05", &["name", "version"][..]),
        ("2025-03-26", &["name", "version"]),
        ("2025-06-18", &["name", "title", "version"]),
        ("2025-11-25", &["description", "icons", "name", "title", "version", "websiteUrl"]),
    ] {
        let text = initialize_result(&server(), of(date), Reading::Record, true);
        let result: Value = serde_json::from_slice(&text).unwrap();
        let mut found: Vec<_> = result["serverInfo"].as_object().unwrap().keys().collect();
        found.sort();
        assert_eq!(found, members);
        assert_eq!(result["protocolVersion"], date);
        assert_eq!(result["instructions"], "Ask\nme");
        assert_eq!(result.as_object().unwrap().len(), 4);
        assert!(no_nulls(&result));
    }
}

#[test]
fn a_discover_result_names_the_server_in_its_meta_alone() {
    let cache = CacheHint { ttl_ms: 60_000, scope: CacheScope::Public };
    let supported = supported_versions(Revision::ALL, DiscoverVersions::All);
    let text = discover_result(&server(), newest(), Reading::Record, &supported, cache);
    let result: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["ttlMs"], 60_000);
    assert_eq!(result["cacheScope"], "public");
    let newest_first: Vec<_> = PATHS.iter().rev().map(|(date, _)| *date).collect();
    assert_eq!(result["supportedVersions"], json!(newest_first));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["websiteUrl"], "https://example.com/");
    assert!(result.get("serverInfo").is_none() && result.get("protocolVersion").is_none());
    let modern = supported_versions(Revision::ALL, DiscoverVersions::Modern);
    assert!(modern.contains(&newest()) && modern.iter().all(|revision| revision.era() == Era::Modern));
}

#[test]
fn a_served_handshake_revision_is_echoed_and_anything_else_gets_the_newest_one() {
    for (requested, served, expected) in [
        ("2024-11-05", Revision::ALL, Some("2024-11-05")),
        ("2025-11-25", Revision::ALL, Some("2025-11-25")),
        ("2026-07-28", Revision::ALL, Some("2025-11-25")),
        ("2099-01-01", Revision::ALL, Some("2025-11-25")),
        ("1.0", Revision::ALL, Some("2025-11-25")),
        ("", Revision::ALL, Some("2025-11-25")),
        ("2025-11-25", &[of("2024-11-05"), of("2025-06-18"), of("2026-07-28")], Some("2025-06-18")),
        ("2025-11-25", &[of("2026-07-28")], None),
        ("2026-07-28", &[of("2026-07-28")], None),
        ("2024-11-05", &[], None),
    ] {
        assert_eq!(negotiate(requested.as_bytes(), served).map(Revision::as_str), expected, "{requested}");
    }
}

#[test]
fn what_is_no_object_of_capabilities_makes_no_server() {
    let read = |text: &str| ServerIdentity::from_capabilities(Implementation::new("n", "1"), text.as_bytes());
    for text in [r#"{"tools":{},"tools":{}}"#, r#"{"tools":{"listChanged":true,"list\u0043hanged":false}}"#] {
        assert_eq!(read(text), Err(InvalidIdentity::DuplicateKey), "{text}");
    }
    for text in ["[]", "null", "7"] {
        let error = read(text).unwrap_err().to_string();
        assert_eq!(error, "capabilities must be an object; an empty one means no settings", "{text}");
    }
    for text in ["{", r#"{"tools":{}} {}"#, r#"{"tools":01}"#] {
        let error = read(text).unwrap_err();
        assert!(matches!(error, InvalidIdentity::Json(_)) && error.to_string().starts_with("not JSON: "), "{text}");
    }
    let maps = |text: &str| Some(text.as_bytes().into());
    for switches in [
        Switches { experimental: maps(r#"{"a":{},"a":{}}"#), ..Switches::default() },
        Switches { extensions: maps(r#"{"a/b":{},"a\/b":{}}"#), ..Switches::default() },
    ] {
        let error = ServerIdentity::new(Implementation::new("n", "1"), &switches).unwrap_err();
        assert_eq!(error.to_string(), "capabilities have a duplicate object key");
    }
    let icons = br#"[{"src":"https://example.com/"},{"src":"https://example.com/","src":"https://example.com/"}]"#;
    let error = Implementation::new("n", "1").with_icons(icons).unwrap_err();
    assert_eq!(error.to_string(), "icons[1] must be an object that says no key twice");
}

#[test]
fn a_server_keeps_all_but_its_name_under_another_one() {
    let renamed = server().with_implementation(Implementation::new("other", "2"));
    assert_eq!((renamed.implementation().name(), renamed.instructions()), ("other", Some("Ask\nme")));
    assert_eq!(renamed.with_implementation(server().implementation().clone()), server());
}

#[test]
fn an_elicitation_that_is_taken_back_is_still_asked_where_a_client_declares_it() {
    let published = upstream(&json!({"elicitation": {}, "tools": {}}));
    let taken_back = published.clone().without(&["elicitation"]).unwrap();
    assert_eq!((published.elicitation(), taken_back.elicitation()), (Some(true), None));
    assert!(taken_back.may_elicit());
    assert_eq!(capabilities(&taken_back, of("2025-11-25"), Reading::Record, true), json!({"tools": {}}));
    assert_eq!(published.without(&["tools"]).unwrap().elicitation(), Some(true));
}

#[test]
fn servers_that_agree_on_elicitation_are_one_that_does() {
    let with = |elicitation| server().with_elicitation(elicitation);
    let joined = |switches: &[Option<bool>], join| {
        let servers: Vec<_> = switches.iter().map(|elicitation| with(*elicitation)).collect();
        ServerIdentity::merged(Implementation::new("n", "1"), &servers, &MergePolicy::Every(join)).elicitation()
    };
    for join in [Join::Union, Join::Intersection] {
        for agreed in [None, Some(true), Some(false)] {
            assert_eq!(joined(&[agreed, agreed], join), agreed, "{join:?}");
        }
    }
    for (switches, any, all) in [
        ([Some(true), Some(false)], Some(true), Some(false)),
        ([Some(true), None], Some(true), None),
        ([None, Some(false)], None, Some(false)),
    ] {
        assert_eq!((joined(&switches, Join::Union), joined(&switches, Join::Intersection)), (any, all));
    }
}
