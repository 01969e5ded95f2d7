//! Servers from an object, from switches and from other servers: what each keeps, loses and still tells.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::fs;

use revcap::advertise::{Implementation, InvalidIdentity, Join, MergePolicy, ServerIdentity, Switches};
use revcap::handshake::initialize_result;
use revcap::table::{Method, Reading, Revision, ServerFeature};
use serde_json::{Value, json};

fn name() -> Implementation {
    Implementation::new("n", "1")
}

fn server(object: &Value) -> ServerIdentity {
    ServerIdentity::from_capabilities(name(), object.to_string().as_bytes()).unwrap()
}

fn of(date: &str) -> Revision {
    Revision::parse(date.as_bytes()).unwrap()
}

fn published(server: &ServerIdentity, date: &str) -> Value {
    serde_json::from_slice(&server.capabilities(of(date), Reading::Record, true)).unwrap()
}

fn all(server: &ServerIdentity) -> Value {
    serde_json::from_slice(&server.all_capabilities()).unwrap()
}

fn entries(server: &ServerIdentity, map: ServerFeature) -> Vec<String> {
    server.entries(map).map(|(name, value)| format!("{name} {}", String::from_utf8_lossy(value))).collect()
}

#[test]
fn every_recorded_server_publishes_what_its_case_says() {
    let cases = fs::read_to_string("tests/cases/capability-advertise.jsonl").unwrap();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let input = &case["input"];
        let can = input["can"].as_object().into_iter().flatten();
        let cannot: Vec<&String> = can.filter(|(_, can)| **can == json!(false)).map(|(name, _)| name).collect();
        let server = server(&input["message"]["capabilities"]).without(&cannot).unwrap();
        let found = published(&server, input["revision"].as_str().unwrap());
        assert_eq!(found, case["expected"]["result"]["capabilities"], "{line}");
    }
}

#[test]
fn an_implementation_tells_each_field_that_it_was_given() {
    let plain = Implementation::new("gw", "1.0");
    assert_eq!((plain.name(), plain.version()), ("gw", "1.0"));
    assert_eq!((plain.title(), plain.description(), plain.website_url()), (None, None, None));
    let full = plain.clone().described(Some("Gateway".to_owned()), Some("It stands before".to_owned()));
    let full = full.with_website_url(Some("https://example.com/".to_owned())).unwrap();
    assert_eq!((full.title(), full.description()), (Some("Gateway"), Some("It stands before")));
    assert_eq!(full.website_url(), Some("https://example.com/"));
    assert_eq!(plain.clone().with_icons(b" [ ] ").unwrap(), plain);
    let no_icons = ServerIdentity::new(plain.with_icons(b"[]").unwrap(), &Switches::default()).unwrap();
    let result = initialize_result(&no_icons, of("2025-11-25"), Reading::Record, true);
    let result: Value = serde_json::from_slice(&result).unwrap();
    assert_eq!(result["serverInfo"], json!({"name": "gw", "version": "1.0"}));
}

#[test]
fn an_open_map_tells_its_own_entries_and_never_a_switch() {
    let object = json!({"experimental": {"io.modelcontextprotocol/tasks": {}, "x": {"y": 1}}, "tools": {"z": {}},
                        "extensions": {"io.modelcontextprotocol/tasks": {"s": 1}, "a/b": {}}, "v": {}});
    let whole = server(&object);
    assert_eq!(all(&whole), object);
    let experimental = ["io.modelcontextprotocol/tasks {}", "x {\"y\":1}"];
    assert_eq!(entries(&whole, ServerFeature::EXPERIMENTAL), experimental);
    assert_eq!(entries(&whole, ServerFeature::EXTENSIONS), ["a/b {}"]);
    assert_eq!(published(&whole, "2025-03-26")["experimental"], object["experimental"]);
}

#[test]
fn what_stood_in_an_object_goes_when_its_switch_goes() {
    let whole = server(&json!({"experimental": {"x": {}}, "tools": {"listChanged": true, "z": {}}, "v": {},
        "tasks": {"requests": {"tools": {"call": {}}, "own": {}}, "list": {}},
        "extensions": {"io.modelcontextprotocol/tasks": {"s": 1}, "a/b": {}}}));
    let without = |names: &[&str]| whole.clone().without(names).unwrap();
    assert!(entries(&without(&["experimental"]), ServerFeature::EXPERIMENTAL).is_empty());
    assert_eq!(entries(&without(&["experimental"]), ServerFeature::EXTENSIONS), ["a/b {}"]);
    assert!(entries(&without(&["extensions"]), ServerFeature::EXTENSIONS).is_empty());
    assert_eq!(all(&without(&["experimental", "tools", "tasks", "extensions"])), json!({"v": {}}));
    let tools = ServerFeature::TOOLS | ServerFeature::TOOLS_LIST_CHANGED;
    assert_eq!(whole.switched_on() - without(&["tools"]).switched_on(), tools);
    let tasks = ServerFeature::TASKS | ServerFeature::TASKS_LIST | ServerFeature::TASKS_TOOLS_CALL;
    assert_eq!(whole.switched_on() - without(&["tasks"]).switched_on(), tasks);
    assert_eq!(all(&without(&["call"]))["tasks"], json!({"requests": {"own": {}}, "list": {}}));
    let only_tasks = server(&json!({"extensions": {"io.modelcontextprotocol/tasks": {"s": 1}}, "v": {}}));
    assert_eq!(all(&only_tasks.without(&["io.modelcontextprotocol/tasks"]).unwrap()), json!({"v": {}}));
}

#[test]
fn a_member_that_would_be_empty_is_left_out_beside_members_that_nobody_knows() {
    for (given, date, expected) in [
        (
            json!({"extensions": {"io.modelcontextprotocol/tasks": {}}, "v": 1, "tools": {"own": 1}}),
            "2025-11-25",
            json!({"v": 1, "tools": {"own": 1}}),
        ),
        (json!({"tasks": {"list": {}, "requests": {}}, "v": 1}), "2025-11-25", json!({"tasks": {"list": {}}, "v": 1})),
        (
            json!({"tasks": {"requests": {"tools": {"call": null}, "own": {}}}}),
            "2025-11-25",
            json!({"tasks": {"requests": {"own": {}}}}),
        ),
    ] {
        assert_eq!(published(&server(&given), date), expected, "{given}");
    }
}

#[test]
fn servers_that_differ_in_anything_are_not_equal() {
    let switches = |listen| Switches { subscriptions_listen: listen, ..Switches::default() };
    let made = |listen| ServerIdentity::new(name(), &switches(listen)).unwrap();
    let one = || made(true).with_instructions(Some("ask".to_owned()));
    assert_eq!(one(), one());
    let object = |text: &str| ServerIdentity::from_capabilities(name(), text.as_bytes()).unwrap();
    assert_eq!(object(r#"{"v":[1],"w":{"a":1,"b":2}}"#), object(r#"{"w": {"b":2,"a":1.0},"v":[1]}"#));
    assert_ne!(object(r#"{"v":[1]}"#), object(r#"{"v":[2]}"#));
    for other in [
        one().with_implementation(Implementation::new("n", "2")),
        one().with_instructions(None),
        made(false).with_instructions(Some("ask".to_owned())),
        one().with_elicitation(Some(false)),
        one().without(&["logging"]).unwrap(),
    ] {
        assert_ne!(one(), other);
    }
}

#[test]
fn a_published_elicitation_is_the_switch_that_says_so() {
    let plain = ServerIdentity::new(name(), &Switches::default()).unwrap();
    for (switch, asks) in [(None, true), (Some(true), true), (Some(false), false)] {
        let server = plain.clone().with_elicitation(switch);
        let is_published = switch == Some(true);
        assert_eq!((server.elicitation(), server.may_elicit()), (switch, asks));
        assert_eq!(server.switched_on().contains(ServerFeature::ELICITATION), is_published);
        assert_eq!(published(&server, "2025-06-18").get("elicitation").is_some(), is_published);
        // Whatever else goes, the switch stays.
        assert_eq!(server.without(&["tools"]).unwrap().elicitation(), switch);
    }
}

#[test]
fn a_name_that_no_server_handles_is_told_from_one_that_every_server_handles() {
    let fault = |name: &str| server(&json!({"tools": {}})).without(&[name]).unwrap_err();
    for unknown in ["roots/list", "sampling/createMessage", "elicitation/create", "com.example/x", "requests"] {
        assert_eq!(fault(unknown), InvalidIdentity::UnknownHandler(unknown.to_owned()));
    }
    for mandatory in ["ping", "initialize", "server/discover"] {
        assert_eq!(fault(mandatory), InvalidIdentity::MandatoryHandler(mandatory));
    }
}

fn joined(servers: &[ServerIdentity], policy: &MergePolicy) -> ServerIdentity {
    ServerIdentity::merged(name(), servers, policy)
}

fn named(names: &[(&str, Join)]) -> MergePolicy {
    MergePolicy::Named(names.iter().map(|(name, join)| ((*name).into(), *join)).collect())
}

#[test]
fn settings_of_any_number_of_servers_become_one_object() {
    let with = |settings: Value| server(&json!({"extensions": {"a/b": settings}, "v": {"k": 1}}));
    let three = [with(json!({"x": 1, "y": 1})), with(json!({"y": 2, "z": 2})), with(json!({"w": 3, "x": 3, "y": 3}))];
    for (count, union, intersection) in [
        (1, json!({"x": 1, "y": 1}), json!({"x": 1, "y": 1})),
        (2, json!({"x": 1, "y": 1, "z": 2}), json!({})),
        (3, json!({"x": 1, "y": 1, "z": 2, "w": 3}), json!({})),
    ] {
        for (join, settings) in [(Join::Union, union), (Join::Intersection, intersection)] {
            let server = joined(&three[..count], &MergePolicy::Every(join));
            assert_eq!(all(&server), json!({"extensions": {"a/b": settings}, "v": {"k": 1}}), "{join:?} of {count}");
        }
    }
}

#[test]
fn a_named_policy_judges_a_handler_by_the_capability_it_serves() {
    let full = server(&json!({"resources": {"subscribe": true}, "tools": {"listChanged": true}}));
    let names = ["resources/subscribe", "tools/call"];
    let two = [full.clone(), full.without(&names).unwrap()];
    for (resources, tools) in [
        (Join::Union, Join::Union),
        (Join::Union, Join::Intersection),
        (Join::Intersection, Join::Union),
        (Join::Intersection, Join::Intersection),
    ] {
        let server = joined(&two, &named(&[("resources", resources), ("tools", tools)]));
        let absent = server.absent();
        assert_eq!(absent.contains(Method::ResourcesSubscribe), resources == Join::Intersection);
        assert_eq!(absent.contains(Method::ToolsCall), tools == Join::Intersection);
        let object = published(&server, "2025-11-25");
        assert_eq!(object["resources"].get("subscribe").is_some(), resources == Join::Union);
        assert_eq!(object.get("tools").is_some(), tools == Join::Union);
    }
}

#[test]
fn a_gateway_keeps_the_maps_of_the_server_behind_it_whether_or_not_it_has_its_own() {
    let object = json!({"experimental": {"x": {}}, "extensions": {"a/b": {}}, "tools": {"listChanged": true}, "v": 1});
    let switches = Switches { tasks: false, ..Switches::default() };
    let gateway = ServerIdentity::new(Implementation::new("gw", "1"), &switches).unwrap();
    let maps = ServerFeature::EXPERIMENTAL | ServerFeature::EXTENSIONS;
    assert!(!gateway.switched_on().intersects(maps));
    assert_eq!(all(&server(&object).limited_to(&gateway)), object);
    let map = |text: &str| Some(text.as_bytes().into());
    let switches =
        Switches { experimental: map(r#"{"own":{}}"#), extensions: map(r#"{"own/x":{}}"#), ..Switches::default() };
    let with_maps = ServerIdentity::new(Implementation::new("gw", "1"), &switches).unwrap();
    assert!(with_maps.switched_on().contains(maps));
    assert_eq!(all(&server(&object).limited_to(&with_maps)), object);
    let bare = gateway.without(&["tools"]).unwrap();
    let limited = server(&object).limited_to(&bare);
    assert_eq!(all(&limited), json!({"experimental": {"x": {}}, "extensions": {"a/b": {}}, "v": 1}));
    assert_eq!(limited.switched_on(), maps);
}
