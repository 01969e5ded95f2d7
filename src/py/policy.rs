//! A gate's policies, from keyword arguments.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use super::enums::Known;
use super::errors::RevcapError;
use crate::gate::{Accept, Policy, Reason, SessionMode};
use crate::handshake::{CacheScope, DiscoverVersions};
use crate::json::Limits;

type Set = fn(&mut Policy, &str, &Bound<'_, PyAny>) -> PyResult<()>;

/// Each policy under its name, and how its value is read.
const POLICIES: &[(&str, Set)] = &[
    ("allowed_origins", |policy, name, value| {
        policy.allowed_origins = list(name, value)?;
        Ok(())
    }),
    ("allowed_hosts", |policy, name, value| {
        policy.allowed_hosts = list(name, value)?;
        Ok(())
    }),
    ("accept", |policy, name, value| {
        policy.accept = choice(name, value, &ACCEPT)?;
        Ok(())
    }),
    ("max_body_bytes", |policy, name, value| {
        policy.max_body_bytes = count(name, value)?;
        Ok(())
    }),
    ("max_depth", |policy, name, value| {
        // Four levels are the least that a modern envelope needs.
        policy.limits.max_depth = u32::try_from(whole(name, value, 4, u64::from(Limits::DEEPEST))?)?;
        Ok(())
    }),
    ("max_number_chars", |policy, name, value| {
        policy.limits.max_number_chars = count(name, value)?;
        Ok(())
    }),
    ("max_batch", |policy, name, value| {
        policy.max_batch = count(name, value)?;
        Ok(())
    }),
    ("max_id_bytes", |policy, name, value| {
        policy.max_id_bytes = count(name, value)?;
        Ok(())
    }),
    ("duplicate_keys", |policy, name, value| {
        policy.unique_keys_everywhere = choice(name, value, &[("read", false), ("everywhere", true)])?;
        Ok(())
    }),
    ("case_variant_keys", |policy, name, value| {
        policy.reject_case_variants = choice(name, value, &[("ignore", false), ("reject", true)])?;
        Ok(())
    }),
    ("identical_header_copies", |policy, name, value| {
        policy.collapse_header_copies = choice(name, value, &[("reject", false), ("collapse", true)])?;
        Ok(())
    }),
    ("assumed_revision", |policy, name, value| {
        policy.assumed_revision = if value.is_none() { None } else { Some(handshake(name, value)?) };
        Ok(())
    }),
    ("discover_versions", |policy, name, value| {
        let choices = [("all", DiscoverVersions::All), ("modern", DiscoverVersions::Modern)];
        policy.discover_versions = choice(name, value, &choices)?;
        Ok(())
    }),
    ("unknown_methods", |policy, name, value| {
        policy.reject_unknown_methods = choice(name, value, &[("pass", false), ("reject", true)])?;
        Ok(())
    }),
    ("stray_name_header", |policy, name, value| {
        policy.reject_stray_name_header = choice(name, value, &[("ignore", false), ("reject", true)])?;
        Ok(())
    }),
    ("capability_types", |policy, name, value| {
        policy.lenient_capability_types = choice(name, value, &[("strict", false), ("lenient", true)])?;
        Ok(())
    }),
    ("include_context", |policy, name, value| {
        policy.require_context_capability = choice(name, value, &[("strip", false), ("require", true)])?;
        Ok(())
    }),
    ("legacy_extensions", |policy, name, value| {
        policy.legacy_extensions = switch(name, value)?;
        Ok(())
    }),
    ("legacy_stream", |policy, name, value| {
        policy.legacy_stream = switch(name, value)?;
        Ok(())
    }),
    ("legacy_delete", |policy, name, value| {
        policy.legacy_delete = switch(name, value)?;
        Ok(())
    }),
    ("default_ttl_ms", |policy, name, value| {
        // The largest integer that every JSON reader takes exactly.
        policy.default_ttl_ms = whole(name, value, 0, (1 << 53) - 1)?;
        Ok(())
    }),
    ("default_cache_scope", |policy, name, value| {
        let choices = [("private", CacheScope::Private), ("public", CacheScope::Public)];
        policy.default_cache_scope = choice(name, value, &choices)?;
        Ok(())
    }),
    ("per_caller", |policy, name, value| {
        policy.per_caller = switch(name, value)?;
        Ok(())
    }),
    ("enforce", |policy, _, value| {
        policy.reported = reported(value)?;
        Ok(())
    }),
];

const ACCEPT: [(&str, Accept); 3] = [("strict", Accept::Strict), ("lenient", Accept::Lenient), ("pass", Accept::Pass)];

/// The policies that these keyword arguments set; the others keep their defaults.
pub(super) fn policy(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Policy> {
    let mut policy = Policy::default();
    for (name, value) in arguments.into_iter().flatten() {
        let name = name.cast::<PyString>()?.to_string_lossy().into_owned();
        let Some((_, set)) = POLICIES.iter().find(|(known, _)| *known == name) else {
            return Err(PyTypeError::new_err(format!("Gate() has no argument {name:?}")));
        };
        set(&mut policy, &name, &value)?;
    }
    Ok(policy)
}

/// The session mode of this name; tickets are given as an object.
pub(super) fn session_mode(value: &Bound<'_, PyAny>) -> PyResult<SessionMode> {
    let choices =
        [("stateless", SessionMode::Stateless), ("backend", SessionMode::Backend), ("store", SessionMode::Store)];
    choice("sessions", value, &choices)
}

/// A text, cut after `most` characters and marked where it was.
pub(super) fn cut(text: &str, most: usize) -> String {
    let cut: String = text.chars().take(most).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}

/// A value as a message shows it, cut.
pub(super) fn shown(value: &Bound<'_, PyAny>) -> String {
    cut(&value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string_lossy().into_owned()), 64)
}

/// A text as a message shows it between quotes, cut.
pub(super) fn escaped(text: &str) -> String {
    text.chars().take(64).flat_map(char::escape_default).collect()
}

/// The word is none of the list's.
#[cold]
pub(super) fn no_choice(name: &str, choices: &str, given: &str) -> PyErr {
    RevcapError::new_err(format!("{name} is {choices}, not '{}'", escaped(given)))
}

pub(super) fn wrong_type(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("{name} must be {expected}, not {}", shown(value)))
}

pub(super) fn wrong_value(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    RevcapError::new_err(format!("{name} must be {expected}, not {}", shown(value)))
}

/// A word of a closed list, for the one who looks it up; what is no Unicode text is no word.
pub(super) fn word<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let text = value.cast::<PyString>()?;
    text.to_str().map_err(|_| RevcapError::new_err(format!("{} is no Unicode text", shown(value))))
}

fn choice<T: Copy>(name: &str, value: &Bound<'_, PyAny>, choices: &[(&str, T)]) -> PyResult<T> {
    let expected = || {
        let quoted: Vec<String> = choices.iter().map(|(word, _)| format!("{word:?}")).collect();
        quoted.join(" or ")
    };
    let word = value.cast::<PyString>().map_err(|_| wrong_type(name, &expected(), value))?.to_string_lossy();
    let found = choices.iter().find(|(known, _)| *known == word);
    found.map(|(_, choice)| *choice).ok_or_else(|| wrong_value(name, &expected(), value))
}

pub(super) fn switch(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.cast::<PyBool>().map(PyBoolMethods::is_true).map_err(|_| wrong_type(name, "True or False", value))
}

fn whole(name: &str, value: &Bound<'_, PyAny>, least: u64, most: u64) -> PyResult<u64> {
    let expected = format!("an integer from {least} to {most}");
    if value.is_instance_of::<PyBool>() {
        return Err(wrong_type(name, &expected, value));
    }
    match value.extract::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        Ok(_) => Err(wrong_value(name, &expected, value)),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Err(wrong_value(name, &expected, value)),
        Err(_) => Err(wrong_type(name, &expected, value)),
    }
}

/// At least one; more than spans can name would never be reached.
pub(super) fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(usize::try_from(whole(name, value, 1, u64::from(u32::MAX))?)?)
}

fn list(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Box<[u8]>>>> {
    if value.is_none() {
        return Ok(None);
    }
    let expected = "None or a list of strings";
    if value.is_instance_of::<PyString>() {
        return Err(wrong_type(name, expected, value));
    }
    let items = value.try_iter().map_err(|_| wrong_type(name, expected, value))?;
    let one = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        let text = item.cast::<PyString>().map_err(|_| wrong_type(name, expected, value))?;
        Ok(text.to_str().map_err(|_| wrong_value(name, "made of valid text", &item))?.as_bytes().into())
    };
    items.map(one).collect::<PyResult<_>>().map(Some)
}

fn handshake(name: &str, value: &Bound<'_, PyAny>) -> PyResult<crate::table::Revision> {
    let Known(revision) = value.extract().map_err(|error: PyErr| {
        let is_text = value.is_instance_of::<PyString>();
        if is_text { error } else { wrong_type(name, "a handshake revision or None", value) }
    })?;
    match revision.era() {
        crate::table::Era::Legacy => Ok(revision),
        crate::table::Era::Modern => Err(wrong_value(name, "a revision with a handshake, or None", value)),
    }
}

fn reported(value: &Bound<'_, PyAny>) -> PyResult<Vec<Reason>> {
    if value.is_none() {
        return Ok(Vec::new());
    }
    let actions = value.cast::<PyDict>().map_err(|_| wrong_type("enforce", "a dict of Reason to action", value))?;
    let mut reported = Vec::new();
    for (reason, action) in actions {
        let label = reason.cast::<PyString>().map_err(|_| wrong_type("enforce", "keyed by Reason", &reason))?;
        let known = Reason::parse(&label.to_string_lossy());
        let known = known.ok_or_else(|| wrong_value("enforce", "keyed by a Reason", &reason))?;
        if !known.is_reportable() {
            let expected = "keyed by reasons of V, L and M rungs, session_unknown excepted";
            return Err(wrong_value("enforce", expected, &reason));
        }
        if choice("enforce", &action, &[("reject", false), ("report", true)])? {
            reported.push(known);
        }
    }
    Ok(reported)
}
