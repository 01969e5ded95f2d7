//! What the table says of its own rows, beside what the schemas say of them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use revcap::table::{
    Channel, Code, Deprecation, Feature, LogLevel, Method, Revision, SERVER_PATHS, ServerFeature, TASKS_EXTENSION,
};

#[test]
fn a_deprecation_says_by_what_and_from_when_and_what_to_use() {
    let rows: Vec<_> = Deprecation::rows().iter().map(|row| (row.feature(), row.instead())).collect();
    assert_eq!(
        rows,
        [
            (Feature::ROOTS, "tool parameters, resource URIs or the server's own configuration"),
            (Feature::SAMPLING, "the API of a model provider, called by the server itself"),
            (Feature::LOGGING, "stderr on stdio; OpenTelemetry for observability"),
        ]
    );
    for row in Deprecation::rows() {
        assert_eq!((row.id(), row.proposal()), ("MCP9005", "SEP-2577"));
        assert!(row.url().starts_with("https://") && row.url().ends_with("#obsolete-apis"));
        assert_eq!(row.earliest_removal(), Some("2027-07-28"));
    }
}

#[test]
fn a_row_says_where_the_specification_has_it() {
    for code in Code::ALL {
        let spec = code.row().spec();
        let since = code.row().span().since().as_str();
        assert!(spec.starts_with(since) || spec == "JSON-RPC 2.0, 5.1", "{code:?}: {spec}");
    }
    let row = Feature::BATCH.row().unwrap();
    assert_eq!((row.wire(), row.extension_id()), ("[…]", None));
    assert_eq!(row.spec(), "2025-03-26 changelog, major 3; 2025-06-18 changelog, major 1");
    assert_eq!(Feature::TASKS_EXTENSION.row().unwrap().extension_id(), Some(TASKS_EXTENSION));
}

#[test]
fn a_policy_publishes_extensions_from_the_revision_whose_proposal_shows_them() {
    let extensions = SERVER_PATHS.iter().find(|row| row.feature() == ServerFeature::EXTENSIONS).unwrap();
    assert_eq!(extensions.policy_since().map(Revision::as_str), Some("2025-06-18"));
    let tools = SERVER_PATHS.iter().find(|row| row.feature() == ServerFeature::TOOLS).unwrap();
    assert_eq!(tools.policy_since(), None);
}

#[test]
fn a_method_is_a_request_or_a_notification_and_may_be_an_extensions() {
    let answered: Vec<_> = Channel::ALL.iter().filter(|channel| channel.is_request()).collect();
    assert_eq!(answered, [&Channel::ClientRequest, &Channel::ServerRequest, &Channel::InputRequest]);
    for method in Method::ALL {
        let is_notification = method.as_str().starts_with("notifications/");
        assert_eq!(
            (method.is_notification_anywhere(), method.is_request_anywhere()),
            (is_notification, !is_notification)
        );
    }
    let of = |method: Method| Revision::ALL.iter().map(|revision| method.extension(*revision)).collect::<Vec<_>>();
    assert_eq!(of(Method::TasksGet), [None, None, None, None, Some(TASKS_EXTENSION)]);
    assert_eq!(of(Method::ToolsCall), [None; Revision::COUNT]);
}

#[test]
fn a_date_is_one_of_the_calendar() {
    let newest = Revision::ALL.last().copied();
    for date in ["2028-02-29", "2400-02-29", "2027-02-28", "2027-04-30", "2027-12-31", "2096-02-29"] {
        assert_eq!(Revision::nearest(date.as_bytes()), newest, "{date}");
    }
    for date in ["2027-02-29", "2100-02-29", "2030-02-29", "2027-04-31", "2027-13-01", "2027-00-10", "2027-01-00"] {
        assert_eq!(Revision::nearest(date.as_bytes()), None, "{date}");
    }
}

#[test]
fn a_log_level_is_told_by_its_exact_word() {
    assert_eq!(LogLevel::parse(b"warning"), Some(LogLevel::Warning));
    assert!([b"Warning".as_slice(), b"", b"warn", b"emergencyx"].iter().all(|word| LogLevel::parse(word).is_none()));
}
