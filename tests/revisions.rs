//! Each revision: what the record says of it, and what has to exist for it.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::fs;
use std::path::Path;

use revcap::profile::{CapabilityProfile, Unknown, resolve_capability_profile};
use revcap::table::{Channel, Code, Era, Feature, Method, Needs, Origin, Reading, Revision, ServerFeature};

/// The record: one line per revision, its nine fields after the version.
#[rustfmt::skip]
const RECORD: &[(&str, [bool; 8])] = &[
    //            stateless completions elicitation progress  resource       sampling structured tasks
    //                                              message   subscriptions  tools    content
    ("2024-11-05", [false,  false,      false,      false,    false,         false,   false,     false]),
    ("2025-03-26", [false,  true,       false,      true,     false,         false,   false,     false]),
    ("2025-06-18", [false,  true,       true,       true,     true,          false,   true,      false]),
    ("2025-11-25", [false,  true,       true,       true,     true,          true,    true,      true]),
    ("2026-07-28", [true,   true,       true,       true,     true,          true,    true,      true]),
];

/// A date that no revision has yet.
const FAR: &str = "2999-01-01";

const NOTHING: [bool; 8] = [false; 8];

/// No known revision, and no date of the calendar either.
const JUNK: &[&str] = &[
    "",
    "draft",
    "latest",
    "v999.0.0",
    "2025-6-18",
    "2025-06-18 ",
    " 2025-06-18",
    "2025-06-18\n",
    "2025-06-18Z",
    "2025/06/18",
    "20250618",
    "2025-00-10",
    "2025-13-01",
    "2025-11-00",
    "2025-11-31",
    "2025-02-29",
    "2100-02-29",
    "+025-06-18",
    "-025-06-18",
    "２０２５-06-18",
    "٢٠٢٥-06-18",
    "2025‐06‐18",
    "\u{feff}2025-06-18",
    "2025-06-18\0",
];

fn fields(profile: &CapabilityProfile) -> [bool; 8] {
    [
        profile.is_stateless(),
        profile.supports_completions(),
        profile.supports_elicitation(),
        profile.supports_progress_message(),
        profile.supports_resource_subscriptions(),
        profile.supports_sampling_tools(),
        profile.supports_structured_content(),
        profile.supports_tasks(),
    ]
}

fn newest() -> Revision {
    Revision::ALL[Revision::COUNT - 1]
}

fn known(version: &str) -> Revision {
    Revision::parse(version.as_bytes()).unwrap()
}

fn resolve(version: &str, unknown: Unknown) -> CapabilityProfile {
    resolve_capability_profile(version, unknown, Reading::Record).unwrap()
}

#[test]
fn the_record_is_right_for_every_revision() {
    assert_eq!(RECORD.len(), Revision::COUNT);
    for (revision, (version, expected)) in Revision::ALL.iter().zip(RECORD) {
        for unknown in [Unknown::Conservative, Unknown::Nearest, Unknown::Error] {
            let profile = resolve(version, unknown);
            assert_eq!(profile.protocol_version(), *version);
            assert_eq!(fields(&profile), *expected, "{version}");
            assert_eq!(profile.revision(), Some(*revision));
            assert_eq!(profile, CapabilityProfile::of(*revision, Reading::Record));
        }
    }
}

#[test]
fn the_schemas_reading_differs_where_subscriptions_begin_and_tasks_leave_the_core() {
    for (version, expected) in RECORD {
        let mut expected = *expected;
        expected[4] = true;
        expected[7] = *version == "2025-11-25";
        let profile = resolve_capability_profile(version, Unknown::Conservative, Reading::SchemaExact).unwrap();
        assert_eq!(fields(&profile), expected, "{version}");
    }
}

#[test]
fn an_unknown_version_permits_nothing_and_is_kept_letter_for_letter() {
    let long = "2".repeat(10_000_000);
    let dates = ["2024-11-04", "2025-06-19", FAR, "9999-12-31"];
    for version in JUNK.iter().chain(&dates).copied().chain([long.as_str()]) {
        let profile = resolve(version, Unknown::Conservative);
        assert_eq!(profile.protocol_version(), version);
        assert_eq!(fields(&profile), NOTHING);
        assert!(profile.features().is_empty());
        assert_eq!((profile.revision(), profile.era()), (None, None));
    }
}

#[test]
fn the_nearest_revision_is_the_newest_one_not_after_a_date() {
    let nearest = [
        ("2024-11-06", "2024-11-05"),
        ("2025-03-25", "2024-11-05"),
        ("2025-03-27", "2025-03-26"),
        ("2025-06-17", "2025-03-26"),
        ("2025-06-19", "2025-06-18"),
        ("2025-11-26", "2025-11-25"),
        ("2026-07-27", "2025-11-25"),
        ("2026-07-29", "2026-07-28"),
        ("2996-02-29", newest().as_str()),
        (FAR, newest().as_str()),
        ("9999-12-31", newest().as_str()),
    ];
    for (version, stands_in) in nearest {
        let profile = resolve(version, Unknown::Nearest);
        assert_eq!(profile.protocol_version(), version);
        assert_eq!(profile.revision().map(Revision::as_str), Some(stands_in), "{version}");
        assert_eq!(profile.features(), resolve(stands_in, Unknown::Nearest).features());
        assert_ne!(profile, resolve(stands_in, Unknown::Nearest));
    }
}

#[test]
fn what_is_no_date_or_before_the_oldest_revision_has_no_nearest_one() {
    for version in JUNK.iter().copied().chain(["2024-11-04", "0000-01-01", "1999-12-31"]) {
        let profile = resolve(version, Unknown::Nearest);
        assert_eq!(profile.protocol_version(), version);
        assert_eq!(profile.revision(), None, "{version:?}");
        assert_eq!(fields(&profile), NOTHING);
    }
}

#[test]
fn an_unknown_version_is_an_error_where_that_is_asked_for() {
    for version in JUNK.iter().copied().chain([FAR]) {
        assert!(resolve_capability_profile(version, Unknown::Error, Reading::Record).is_err(), "{version:?}");
    }
    let error = Unknown::Error.resolve(FAR.as_bytes()).unwrap_err().to_string();
    let known = RECORD.iter().map(|(version, _)| *version).collect::<Vec<_>>().join(", ");
    assert_eq!(error, format!("unknown protocol revision '2999-01-01'; known are {known}."));
    let long = Unknown::Error.resolve(&[b'9'; 1000]).unwrap_err();
    assert_eq!(long.shown(), format!("{}…", "9".repeat(64)));
    let odd = Unknown::Error.resolve("a\u{1b}[31m\u{e9}\n".as_bytes()).unwrap_err();
    assert_eq!(odd.shown(), "a?[31m??");
    assert!(Unknown::Error.resolve(b"2025-06-18\xff").is_err());
}

#[test]
fn a_revision_is_found_by_its_exact_spelling_only() {
    for revision in Revision::ALL {
        assert_eq!(Revision::parse(revision.as_str().as_bytes()), Some(*revision));
        assert_eq!(Revision::ALL[revision.index()], *revision);
    }
    for version in JUNK {
        assert_eq!(Revision::parse(version.as_bytes()), None, "{version:?}");
    }
}

#[test]
fn a_method_is_found_by_its_exact_spelling_only() {
    for method in Method::ALL {
        let name = method.as_str();
        assert_eq!(Method::parse(name.as_bytes()), Some(*method));
        assert_eq!(Method::parse(&name.as_bytes()[1..]), None);
        assert_eq!(Method::parse(&name.as_bytes()[..name.len() - 1]), None);
        assert_eq!(Method::parse(format!("{name} ").as_bytes()), None);
        assert_eq!(Method::parse(name.to_uppercase().as_bytes()), None);
        for at in 0..name.len() {
            let mut changed = name.as_bytes().to_vec();
            changed[at] ^= 1;
            assert_eq!(Method::parse(&changed), None, "{changed:?}");
        }
    }
    for name in ["", "x", "notifications/", "tools/calls", "tools", "\u{0}", "Tools/Call"] {
        assert_eq!(Method::parse(name.as_bytes()), None, "{name:?}");
    }
}

#[test]
fn four_revisions_have_the_handshake_and_all_later_ones_none() {
    let legacy = Revision::ALL.iter().filter(|revision| revision.era() == Era::Legacy);
    let legacy: Vec<_> = legacy.map(|revision| revision.as_str()).collect();
    assert_eq!(legacy, ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);
    for revision in Revision::ALL {
        assert_eq!(revision.has(Feature::STATELESS), revision.era() == Era::Modern);
        assert_eq!(revision.has(Feature::INITIALIZE), revision.era() == Era::Legacy);
    }
}

#[test]
fn a_request_needs_the_server_capability_of_its_revision() {
    let [first, second, tasks, modern] = ["2024-11-05", "2025-03-26", "2025-11-25", "2026-07-28"].map(known);
    assert_eq!(Method::ToolsCall.server_needs(first), Needs::All(ServerFeature::TOOLS));
    assert_eq!(Method::CompletionComplete.server_needs(first), Needs::Switch(ServerFeature::COMPLETIONS));
    assert_eq!(Method::CompletionComplete.server_needs(second), Needs::All(ServerFeature::COMPLETIONS));
    assert_eq!(Method::TasksGet.server_needs(tasks), Needs::All(ServerFeature::TASKS));
    assert_eq!(Method::TasksCancel.server_needs(tasks), Needs::All(ServerFeature::TASKS_CANCEL));
    assert_eq!(Method::TasksCancel.server_needs(modern), Needs::All(ServerFeature::TASKS_EXTENSION));
    assert_eq!(Method::Ping.server_needs(first), Needs::Nothing);
    assert!(matches!(Method::SubscriptionsListen.server_needs(modern), Needs::Any(flags)
        if flags.contains(ServerFeature::TOOLS_LIST_CHANGED) && flags.contains(ServerFeature::TASKS_EXTENSION)));
    // What a row needs can be had in each revision of the row.
    for row in Method::rows() {
        for (revision, reading) in
            Revision::ALL.iter().flat_map(|r| Reading::ALL.iter().map(move |reading| (r, reading)))
        {
            let needed = match row.server_needs() {
                Needs::All(flags) if row.spans().has(*revision, *reading) => flags,
                _ => continue,
            };
            assert!(revision.server_features(*reading).contains(needed), "{row:?} in {revision:?}");
        }
    }
}

#[test]
fn a_mirror_header_repeats_one_parameter_of_six_methods() {
    let modern = known("2026-07-28");
    let sources: Vec<_> =
        Method::ALL.iter().filter_map(|method| Some((method.as_str(), method.name_source(modern)?))).collect();
    assert_eq!(
        sources,
        [
            ("tools/call", "name"),
            ("prompts/get", "name"),
            ("resources/read", "uri"),
            ("tasks/get", "taskId"),
            ("tasks/cancel", "taskId"),
            ("tasks/update", "taskId"),
        ]
    );
}

#[test]
fn a_handshake_may_carry_extensions_by_policy_alone() {
    let by_policy = Revision::ALL.iter().filter(|revision| !revision.server_features_by_policy().is_empty());
    assert_eq!(by_policy.map(|revision| revision.as_str()).collect::<Vec<_>>(), ["2025-06-18", "2025-11-25"]);
    for revision in Revision::ALL {
        assert!(!revision.server_features(Reading::SchemaExact).intersects(revision.server_features_by_policy()));
    }
}

/// Gate and handler under modern revisions, then gate and handler under handshake revisions.
#[test]
fn a_code_goes_with_the_status_of_its_era_and_origin() {
    let statuses = [
        (-32700, [400, 200, 400, 200]),
        (-32600, [400, 200, 400, 200]),
        (-32601, [404, 404, 200, 200]),
        (-32602, [400, 200, 200, 200]),
        (-32603, [500, 200, 500, 200]),
        (-32020, [400, 400, 400, 200]),
        (-32021, [400, 400, 400, 200]),
        (-32022, [400, 400, 400, 200]),
        (-32002, [200, 200, 200, 200]),
        (-32042, [200, 200, 200, 200]),
    ];
    assert_eq!(statuses.len(), Code::COUNT);
    for (number, expected) in statuses.into_iter().chain([(-32000, [200; 4]), (17, [200; 4])]) {
        let status = |era, origin| revcap::table::http_status(number, era, origin);
        let [modern, legacy] = [Era::Modern, Era::Legacy];
        let actual = [
            status(modern, Origin::Gate),
            status(modern, Origin::Handler),
            status(legacy, Origin::Gate),
            status(legacy, Origin::Handler),
        ];
        assert_eq!(actual, expected, "{number}");
    }
}

#[test]
fn a_server_asks_on_the_wire_or_inside_a_result() {
    for revision in Revision::ALL {
        let methods = |channel| revision.methods(channel, Reading::Record);
        assert_eq!(methods(Channel::ServerRequest).is_empty(), !revision.has(Feature::SERVER_REQUESTS));
        assert_eq!(methods(Channel::InputRequest).is_empty(), !revision.has(Feature::INPUT_REQUIRED));
    }
}

/// A revision is there when its facts and cases are.
#[test]
fn every_revision_has_its_facts_and_cases() {
    let cases = Path::new("tests/cases");
    let cases = fs::read_dir(cases).map(|files| files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()));
    let cases: Option<Vec<_>> = cases.ok().map(Iterator::collect);
    let mut missing = Vec::new();
    for revision in Revision::ALL {
        let facts = format!("tests/facts/{}.json", revision.as_str());
        if !Path::new(&facts).exists() {
            missing.push(facts);
        }
        let named = format!("\"revision\": \"{}\"", revision.as_str());
        let dense = named.replace(": ", ":");
        let has_case = |cases: &Vec<String>| cases.iter().any(|lines| lines.contains(&named) || lines.contains(&dense));
        if !cases.as_ref().is_none_or(has_case) {
            missing.push(format!("a case for {}", revision.as_str()));
        }
    }
    assert!(missing.is_empty(), "add: {}", missing.join(", "));
}
