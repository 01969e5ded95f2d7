//! The table for reading: what `revcap.spec` is made from. Each row is a dict in Python.

use pyo3::prelude::*;

use super::enums::{Known, Member};
use super::errors::RevcapError;
use super::feature::{Tuple, reading, since, until};
use super::policy::{escaped, no_choice, word};
use crate::table::{
    CLIENT_PATHS, CapabilityRow as Row, Channel, Code, Definition, Era, Holds, Needs, Origin, Reading, Revision,
    SERVER_PATHS,
};

type Path = Tuple<&'static str>;

/// A message that one side may send.
#[derive(IntoPyObject)]
pub(super) struct MethodRow {
    method: &'static str,
    kind: &'static str,
    since: Option<Member<Revision>>,
    until: Option<Member<Revision>>,
    server_needs: Tuple<Path>,
    server_needs_mode: &'static str,
    client_needs: Tuple<Path>,
    target: Option<&'static str>,
    mirrored: bool,
    extension: Option<&'static str>,
}

/// The messages that one side may send under a revision.
#[pyfunction]
pub(super) fn method_rows(
    revision: Known,
    #[pyo3(from_py_with = word)] direction: &str,
    schema_exact: bool,
) -> PyResult<Vec<MethodRow>> {
    let Known(revision) = revision;
    let channels: &[(Channel, &str)] = match direction {
        "client" => &[(Channel::ClientRequest, "request"), (Channel::ClientNotification, "notification")],
        "server" => &[
            (Channel::ServerRequest, "request"),
            (Channel::InputRequest, "input_request"),
            (Channel::ServerNotification, "notification"),
        ],
        other => return Err(no_side("direction", other)),
    };
    let mut rows = Vec::new();
    for &(channel, kind) in channels {
        for method in revision.methods(channel, reading(schema_exact)).iter() {
            let Some(row) = method.row(channel, revision) else { continue };
            let span = row.spans().get(reading(schema_exact));
            let (server_needs, server_needs_mode) = match row.server_needs() {
                Needs::Nothing => (Tuple(Vec::new()), "all"),
                Needs::All(flags) => (paths(SERVER_PATHS, |flag| flags.contains(flag)), "all"),
                Needs::Any(flags) => (paths(SERVER_PATHS, |flag| flags.contains(flag)), "any"),
                Needs::Switch(flags) => (paths(SERVER_PATHS, |flag| flags.contains(flag)), "switch"),
            };
            rows.push(MethodRow {
                method: method.as_str(),
                kind,
                since: span.map(since),
                until: span.and_then(until),
                server_needs,
                server_needs_mode,
                client_needs: paths(CLIENT_PATHS, |flag| row.client_needs().contains(flag)),
                target: row.target_parameter(),
                mirrored: channel == Channel::ClientRequest && method.name_source(revision).is_some(),
                extension: row.extension_id(),
            });
        }
    }
    Ok(rows)
}

fn paths<F: Copy + bitflags::Flags>(rows: &[Row<F>], wanted: impl Fn(F) -> bool) -> Tuple<Path> {
    let rows = rows.iter().filter(|row| !row.feature().is_empty() && wanted(row.feature()));
    Tuple(rows.map(|row| Tuple(row.path().to_vec())).collect())
}

/// A member of a capability object.
#[derive(IntoPyObject)]
pub(super) struct CapabilityRow {
    path: Path,
    r#type: &'static str,
    since: Option<Member<Revision>>,
    until: Option<Member<Revision>>,
    deprecated_in: Option<Member<Revision>>,
    extension: Option<&'static str>,
}

/// The members of one side's capability object under a revision.
#[pyfunction]
pub(super) fn capability_rows(
    revision: Known,
    #[pyo3(from_py_with = word)] side: &str,
    schema_exact: bool,
) -> PyResult<Vec<CapabilityRow>> {
    match side {
        "client" => Ok(capabilities(CLIENT_PATHS, revision.0, reading(schema_exact))),
        "server" => Ok(capabilities(SERVER_PATHS, revision.0, reading(schema_exact))),
        other => Err(no_side("side", other)),
    }
}

fn capabilities<F: Copy>(rows: &[Row<F>], revision: Revision, reading: Reading) -> Vec<CapabilityRow> {
    let rows = rows.iter().filter(|row| row.spans().has(revision, reading));
    rows.map(|row| {
        let span = row.spans().get(reading);
        CapabilityRow {
            path: Tuple(row.path().to_vec()),
            r#type: row.kind().as_str(),
            since: span.map(since),
            until: span.and_then(until),
            deprecated_in: row.deprecated_in().map(Member),
            extension: row.extension_id(),
        }
    })
    .collect()
}

/// A member of a definition.
#[derive(IntoPyObject)]
pub(super) struct MemberRow {
    name: &'static str,
    required: bool,
    holds: &'static str,
    definition: Option<&'static str>,
    since: Member<Revision>,
    until: Option<Member<Revision>>,
    deprecated_in: Option<Member<Revision>>,
    extension: Option<&'static str>,
    in_schema: bool,
}

/// The members that a definition has under a revision.
#[pyfunction]
pub(super) fn member_rows(revision: Known, #[pyo3(from_py_with = word)] definition: &str) -> PyResult<Vec<MemberRow>> {
    let Some(found) = Definition::parse(definition) else {
        return Err(RevcapError::new_err(format!("no revision has a definition '{}'", escaped(definition))));
    };
    let members = found.members().iter().filter(|member| member.span().has(revision.0));
    let rows = members.map(|member| MemberRow {
        name: member.name(),
        required: member.is_required(),
        holds: match member.holds() {
            Holds::Value => "value",
            Holds::Opaque => "opaque",
            Holds::Schema(_) => "schema",
            Holds::One(_) => "object",
            Holds::List(_) => "array",
            Holds::OneOrList(_) => "object_or_array",
            Holds::Map(_) => "map",
        },
        definition: member.holds().definition().map(Definition::as_str),
        since: since(member.span()),
        until: until(member.span()),
        deprecated_in: member.deprecated_in().map(Member),
        extension: member.extension_id(),
        in_schema: member.in_schema(),
    });
    Ok(rows.collect())
}

/// The definitions that messages of a revision can hold.
#[pyfunction]
pub(super) fn definition_names(revision: Known) -> Tuple<&'static str> {
    let found = Definition::ALL.iter().filter(|definition| definition.is_in(revision.0));
    Tuple(found.map(|definition| definition.as_str()).collect())
}

/// An error code.
#[derive(IntoPyObject)]
pub(super) struct ErrorRow {
    code: i64,
    name: &'static str,
    since: Member<Revision>,
    until: Option<Member<Revision>>,
    required_data: Tuple<&'static str>,
    in_schema: bool,
    spec: &'static str,
}

/// Every error code that some revision gives a meaning.
#[pyfunction]
pub(super) fn error_rows() -> Vec<ErrorRow> {
    let rows = Code::rows().iter();
    rows.map(|row| ErrorRow {
        code: row.code().number(),
        name: row.code().as_str(),
        since: since(row.span()),
        until: until(row.span()),
        required_data: Tuple(row.required_data().to_vec()),
        in_schema: row.in_schema(),
        spec: row.spec(),
    })
    .collect()
}

/// The HTTP status that an error number goes with.
#[pyfunction]
pub(super) fn http_status(
    code: i64,
    #[pyo3(from_py_with = word)] era: &str,
    #[pyo3(from_py_with = word)] origin: &str,
) -> PyResult<u16> {
    let era =
        [Era::Legacy, Era::Modern].into_iter().find(|it| it.as_str() == era).ok_or_else(|| no_side("era", era))?;
    let origin = match origin {
        "gate" => Origin::Gate,
        "handler" => Origin::Handler,
        other => return Err(no_side("origin", other)),
    };
    Ok(crate::table::http_status(code, era, origin))
}

fn no_side(argument: &str, value: &str) -> PyErr {
    let choices = match argument {
        "era" => "'legacy' or 'modern'",
        "origin" => "'gate' or 'handler'",
        _ => "'client' or 'server'",
    };
    no_choice(argument, choices, value)
}
