//! `revcap.upstream.probe`, `read_probe` and `served_revisions`: which era and revisions backends are of.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyMapping, PyString, PyTuple};

use super::enums::{Known, Member};
use super::errors::{RevcapError, refused};
use super::feature::Tuple;
use super::gate::{bytes_of, served};
use super::headers::Lines;
use super::json::to_dict;
use super::outbound::Outbound;
use super::policy::{switch, wrong_type, wrong_value};
use super::upstream::{Upstream, id_token, json_object};
use crate::table::{Era, Revision};
use crate::upstream::{self, ServeRule, UpstreamConfig};

/// What the answer to a probe tells; immutable.
#[pyclass(frozen, module = "revcap.upstream")]
pub(super) struct Probed {
    core: upstream::Probed,
}

#[pymethods]
impl Probed {
    /// The backend's era; None where it has no revision that may be spoken.
    #[getter]
    fn era(&self) -> Option<Member<Era>> {
        self.core.era.map(Member)
    }

    /// The revision to speak with it, or to ask for in initialize; None where none will do.
    #[getter]
    fn revision(&self) -> Option<Member<Revision>> {
        self.core.revision.map(Member)
    }

    /// The known revisions that the backend lists, oldest first.
    #[getter]
    fn offered(&self) -> Tuple<Member<Revision>> {
        Tuple(self.core.offered.iter().copied().map(Member).collect())
    }

    /// The backend's capabilities, a new dict; None where it did not tell.
    #[getter]
    fn capabilities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.core.capabilities.as_deref().map(|text| to_dict(py, text)).transpose()
    }

    /// Who the backend says it is, a new dict; None where it did not tell.
    #[getter]
    fn server_info<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.core.server_info.as_deref().map(|text| to_dict(py, text)).transpose()
    }

    /// What the backend tells a model about itself; None where it did not tell.
    #[getter]
    fn instructions(&self) -> Option<&str> {
        self.core.instructions.as_deref()
    }

    /// What decided, for a person.
    #[getter]
    fn because(&self) -> &str {
        &self.core.because
    }

    fn __repr__(&self) -> String {
        let era = self.core.era.map_or("none", Era::as_str);
        let revision = self.core.revision.map_or("no revision", Revision::as_str);
        format!("<Probed {era} {revision}: {}>", self.core.because)
    }
}

/// The request that asks a backend what it is.
#[pyfunction]
#[pyo3(
    signature = (*, revisions = None, client_capabilities = None, client_info = None, id = None),
    text_signature = "(*, revisions=None, client_capabilities=None, client_info=None, id='probe')"
)]
pub(super) fn probe(
    py: Python<'_>,
    revisions: Option<&Bound<'_, PyAny>>,
    client_capabilities: Option<&Bound<'_, PyAny>>,
    client_info: Option<&Bound<'_, PyAny>>,
    id: Option<&Bound<'_, PyAny>>,
) -> PyResult<Outbound> {
    let served = served(revisions)?;
    let Some(revision) = served.newest_modern() else {
        return Err(RevcapError::new_err("revisions has no revision that a probe can be sent under"));
    };
    let mut config = UpstreamConfig { served, ..UpstreamConfig::of(revision) };
    if let Some(capabilities) = json_object("client_capabilities", client_capabilities)? {
        config.client_capabilities = capabilities;
    }
    config.client_info = json_object("client_info", client_info)?;
    let asking = upstream::Upstream::new(config).map_err(refused)?;
    let id = id.map_or_else(|| Ok(b"\"probe\"".to_vec()), id_token)?;
    Outbound::of(py, upstream::probe(&asking, &id).map_err(refused)?)
}

/// What the answer to a probe tells, whatever came.
#[pyfunction]
#[pyo3(signature = (status, headers, body, *, revisions = None))]
pub(super) fn read_probe(
    status: Option<&Bound<'_, PyAny>>,
    headers: &Bound<'_, PyAny>,
    body: Option<&Bound<'_, PyAny>>,
    revisions: Option<&Bound<'_, PyAny>>,
) -> PyResult<Probed> {
    let lines = Lines::read(headers)?;
    let body = body.map(|body| bytes_of("body", body)).transpose()?;
    let pairs = lines.pairs();
    let content_type = pairs.iter().find(|(name, _)| name.eq_ignore_ascii_case(b"content-type"));
    let body = body.as_ref().map_or(&[][..], |body| body.as_bytes());
    let status = status_of(status)?;
    let served = served(revisions)?;
    Ok(Probed { core: upstream::read_probe(status, content_type.map(|(_, value)| *value), body, served) })
}

/// An HTTP status; one that is none reads as none.
pub(super) fn status_of(status: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u16>> {
    let Some(status) = status else { return Ok(None) };
    if !status.is_instance_of::<pyo3::types::PyInt>() {
        let name = status.get_type().name()?;
        return Err(PyTypeError::new_err(format!("status must be an int or None, not {name}")));
    }
    Ok(status.extract::<u16>().ok())
}

const KEYED: &str = "keyed by revision";

/// Which revisions a gateway serves, given those that its backends speak.
#[pyfunction]
#[pyo3(
    signature = (upstreams, rule = None, overrides = None),
    text_signature = "(upstreams, rule='intersection', overrides=None)"
)]
pub(super) fn served_revisions(
    upstreams: &Bound<'_, PyAny>,
    rule: Option<&Bound<'_, PyString>>,
    overrides: Option<&Bound<'_, PyMapping>>,
) -> PyResult<Tuple<Member<Revision>>> {
    let rule = match rule {
        None => ServeRule::Intersection,
        Some(word) => {
            let known = ServeRule::ALL.iter().find(|rule| word.to_string_lossy() == rule.as_str());
            let expected =
                || ServeRule::ALL.iter().map(|rule| format!("{:?}", rule.as_str())).collect::<Vec<_>>().join(" or ");
            *known.ok_or_else(|| wrong_value("rule", &expected(), word))?
        }
    };
    let speak = upstreams.try_iter()?.map(|upstream| spoken(&upstream?)).collect::<PyResult<Vec<_>>>()?;
    let mut switched = Vec::new();
    if let Some(overrides) = overrides {
        for item in overrides.items()? {
            let pair = item.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
            let pair = pair.ok_or_else(|| wrong_type("overrides", "a mapping whose items are pairs", &item))?;
            let (version, on) = (pair.get_item(0)?, pair.get_item(1)?);
            let version = version.cast::<PyString>().map_err(|_| wrong_type("overrides", KEYED, &version))?;
            let Known(revision) = version.extract()?;
            switched.push((revision, switch("a revision in overrides", &on)?));
        }
    }
    let served = upstream::served_revisions(&speak, rule, &switched);
    Ok(Tuple(served.into_iter().map(Member).collect()))
}

/// The revisions that a backend speaks.
fn spoken(upstream: &Bound<'_, PyAny>) -> PyResult<Vec<Revision>> {
    if let Ok(upstream) = upstream.cast::<Upstream>() {
        return Ok(vec![upstream.get().core.revision()]);
    }
    if let Ok(probed) = upstream.cast::<Probed>() {
        return Ok(probed.get().core.spoken());
    }
    if upstream.is_instance_of::<PyString>() {
        return upstream.extract().map(|Known(revision)| vec![revision]);
    }
    upstream.try_iter()?.map(|version| version?.extract().map(|Known(revision)| revision)).collect()
}
