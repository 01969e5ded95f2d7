//! `negotiate`, `initialize_result`, `discover_result`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

use super::enums::Member;
use super::errors::RevcapError;
use super::feature::reading;
use super::gate::served;
use super::identity::ServerIdentity;
use super::json::to_dict;
use super::policy::{no_choice, word};
use super::profile::CapabilityProfile;
use crate::handshake::{self, CacheHint, CacheScope, DiscoverVersions};
use crate::table::{Reading, Revision};

fn settle(requested: &Bound<'_, PyString>, revisions: Option<&Bound<'_, PyAny>>) -> PyResult<Revision> {
    let served: Vec<_> = served(revisions)?.newest_first().collect();
    // What is no Unicode text is no revision either.
    let text = requested.to_str().unwrap_or_default();
    handshake::negotiate(text.as_bytes(), &served)
        .ok_or_else(|| RevcapError::new_err("no revision that initialize could settle on is served"))
}

/// The revision that an initialize settles on.
///
/// Args:
///     requested: What the client asked for, any text.
///     revisions: Those served; None: all.
///
/// Raises:
///     RevcapError: No handshake revision is served.
#[pyfunction]
#[pyo3(signature = (requested, *, revisions = None))]
pub(super) fn negotiate(
    requested: &Bound<'_, PyString>,
    revisions: Option<&Bound<'_, PyAny>>,
) -> PyResult<Member<Revision>> {
    settle(requested, revisions).map(Member)
}

/// Who asks: a version's text, or the profile of one.
#[derive(FromPyObject)]
pub(super) enum Requested<'py> {
    Profile(Bound<'py, CapabilityProfile>),
    Text(Bound<'py, PyString>),
}

/// The result object that answers an initialize, as a new dict.
///
/// Args:
///     requested: What the client asked for: any text, or a profile, whose reading then holds.
///     server: Who answers.
///     revisions: Those served; None: all.
///     schema_exact: The reading; None: the profile's, else the record's.
///     legacy_extensions: Extensions go to the handshake revisions whose clients know them, too.
///
/// Raises:
///     RevcapError: No handshake revision is served.
#[pyfunction]
#[pyo3(signature = (requested, server, *, revisions = None, schema_exact = None, legacy_extensions = true))]
pub(super) fn initialize_result<'py>(
    py: Python<'py>,
    requested: Requested<'py>,
    server: &Bound<'py, ServerIdentity>,
    revisions: Option<&Bound<'py, PyAny>>,
    schema_exact: Option<bool>,
    legacy_extensions: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let (text, its_reading) = match requested {
        Requested::Text(text) => (text, Reading::default()),
        Requested::Profile(profile) => {
            let core = &profile.get().core;
            (PyString::new(py, core.protocol_version()), core.reading())
        }
    };
    let reading = schema_exact.map_or(its_reading, reading);
    let revision = settle(&text, revisions)?;
    to_dict(py, &handshake::initialize_result(&server.get().core, revision, reading, legacy_extensions))
}

/// The result object that answers a server/discover, as a new dict.
///
/// Args:
///     server: Who answers.
///     revisions: Those served; None: all.
///     schema_exact: The official schemas' reading instead of the record's.
///     discover_versions: "all": every revision served is listed; "modern": those without a handshake.
///     default_ttl_ms: For how many milliseconds the answer may be kept.
///     default_cache_scope: For whom, "private" or "public".
///     per_caller: The answer depends on the caller: private whatever the default says.
///
/// Raises:
///     RevcapError: No modern revision is served, or a policy has a value that it does not know.
#[pyfunction]
#[pyo3(signature = (
    server, *, revisions = None, schema_exact = false, discover_versions = "all", default_ttl_ms = None,
    default_cache_scope = "private", per_caller = false
), text_signature = "(server, *, revisions=None, schema_exact=False, discover_versions='all', default_ttl_ms=0, \
    default_cache_scope='private', per_caller=False)")]
#[allow(clippy::too_many_arguments, reason = "the policies of a gate")]
pub(super) fn discover_result<'py>(
    server: &Bound<'py, ServerIdentity>,
    revisions: Option<&Bound<'py, PyAny>>,
    schema_exact: bool,
    #[pyo3(from_py_with = word)] discover_versions: &str,
    default_ttl_ms: Option<&Bound<'py, PyInt>>,
    #[pyo3(from_py_with = word)] default_cache_scope: &str,
    per_caller: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let offered = served(revisions)?;
    let Some(newest) = offered.newest_modern() else {
        return Err(RevcapError::new_err("no revision with server/discover is served"));
    };
    let versions = match discover_versions {
        "all" => DiscoverVersions::All,
        "modern" => DiscoverVersions::Modern,
        other => return Err(no_choice("discover_versions", "'all' or 'modern'", other)),
    };
    let scope = match default_cache_scope {
        "public" if !per_caller => CacheScope::Public,
        "public" | "private" => CacheScope::Private,
        other => return Err(no_choice("default_cache_scope", "'private' or 'public'", other)),
    };
    if default_ttl_ms.is_some_and(|ttl| ttl.is_instance_of::<PyBool>()) {
        return Err(PyTypeError::new_err("default_ttl_ms is a number of milliseconds, not bool"));
    }
    let ttl_ms = default_ttl_ms.map_or(Ok(0), |it| it.extract::<u64>()).map_err(|_| {
        RevcapError::new_err("default_ttl_ms is a number of milliseconds, at least 0 and less than 2 ** 64")
    })?;
    let supported = handshake::supported_versions(&offered.newest_first().collect::<Vec<_>>(), versions);
    let cache = CacheHint { ttl_ms, scope };
    let text = handshake::discover_result(&server.get().core, newest, reading(schema_exact), &supported, cache);
    to_dict(server.py(), &text)
}
