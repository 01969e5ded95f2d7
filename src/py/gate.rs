//! `revcap.Gate`.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString, PyTuple};

use super::enums::Known;
use super::errors::RevcapError;
use super::feature::reading;
use super::headers::Kept;
use super::policy::{policy, session_mode, wrong_type, wrong_value};
use super::verdict::Verdict;
use crate::advertise::{Implementation, ServerIdentity, Switches};
use crate::gate::{self, Annotations, GateConfig, Lookup, Request, Requirements, Served, ToolAnnotations};
use crate::table::Revision;

/// The gate: one request in, one verdict out. Immutable; share it between threads.
#[pyclass(frozen, module = "revcap")]
pub(super) struct Gate {
    core: gate::Gate,
    arguments: Py<PyDict>,
}

impl Gate {
    pub(super) const fn core(&self) -> &gate::Gate {
        &self.core
    }
}

#[pymethods]
impl Gate {
    #[new]
    #[pyo3(signature = (
        server = None, *, revisions = None, schema_exact = false, sessions = None, answer_handshake = false,
        param_headers = None, requires = None, **policies
    ))]
    #[allow(clippy::too_many_arguments)] // the contract's names
    fn new(
        py: Python<'_>,
        server: Option<&Bound<'_, PyAny>>,
        revisions: Option<&Bound<'_, PyAny>>,
        schema_exact: bool,
        sessions: Option<&Bound<'_, PyAny>>,
        answer_handshake: bool,
        param_headers: Option<&Bound<'_, PyDict>>,
        requires: Option<&Bound<'_, PyDict>>,
        policies: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let arguments = policies.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
        arguments.set_item("server", server)?;
        arguments.set_item("revisions", revisions)?;
        arguments.set_item("schema_exact", schema_exact)?;
        arguments.set_item("sessions", sessions)?;
        arguments.set_item("answer_handshake", answer_handshake)?;
        arguments.set_item("param_headers", param_headers)?;
        arguments.set_item("requires", requires)?;
        let sessions_mode = sessions.map(|mode| session_mode(mode)).transpose()?.unwrap_or_default();
        let config = GateConfig {
            served: served(revisions)?,
            reading: reading(schema_exact),
            sessions: sessions_mode,
            can_revoke: false,
            server: ServerIdentity::new(Implementation::new("gw", "1.0"), &Switches::default())
                .map_err(|e| RevcapError::new_err(e.to_string()))?,
            answer_handshake,
            annotations: param_headers.map(annotations).transpose()?.unwrap_or_default(),
            requirements: Requirements::default(),
            policy: policy(policies)?,
        };
        let _ = (server, requires);
        Ok(Self { core: gate::Gate::new(config), arguments: arguments.unbind() })
    }

    /// Another gate, made as this one with these arguments changed.
    ///
    /// Raises:
    ///     RevcapError, TypeError: As for Gate().
    #[pyo3(signature = (**changes))]
    fn replace<'py>(slf: &Bound<'py, Self>, changes: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let arguments = slf.get().arguments.bind(slf.py()).copy()?;
        if let Some(changes) = changes {
            arguments.update(changes.as_mapping())?;
        }
        slf.get_type().call((), Some(&arguments))
    }

    /// Judges a request that came over HTTP.
    #[pyo3(signature = (body, headers, http_method = None, *, session = None, principal = None, now = None))]
    fn admit(
        slf: &Bound<'_, Self>,
        body: &Bound<'_, PyAny>,
        headers: &Bound<'_, PyAny>,
        http_method: Option<&Bound<'_, PyString>>,
        session: Option<&Bound<'_, PyAny>>,
        principal: Option<&Bound<'_, PyAny>>,
        now: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Verdict> {
        let _ = (session, principal, now);
        let body = bytes_of(body)?;
        let kept = Kept::read(headers)?;
        let headers = kept.headers();
        let http_method = match http_method {
            None => "POST",
            Some(name) => name.to_str()?,
        };
        let request =
            Request { http_method, headers: Some(&headers), body: body.as_bytes(), look_up: &|_| Lookup::Unknown };
        let decision = slf.get().core.decide(&request);
        Verdict::new(slf.py(), slf.clone().unbind(), body.clone().unbind(), decision, false)
    }

    /// Judges a message of a hop without headers.
    #[pyo3(signature = (body, *, session = None))]
    fn admit_message(
        slf: &Bound<'_, Self>,
        body: &Bound<'_, PyAny>,
        session: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Verdict> {
        let _ = session;
        let body = bytes_of(body)?;
        let request =
            Request { http_method: "POST", headers: None, body: body.as_bytes(), look_up: &|_| Lookup::Unknown };
        let decision = slf.get().core.decide(&request);
        Verdict::new(slf.py(), slf.clone().unbind(), body.clone().unbind(), decision, false)
    }
}

/// The body's bytes; other buffers are copied once.
fn bytes_of<'py>(body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = body.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    if body.is_instance_of::<PyByteArray>() || body.is_instance_of::<PyMemoryView>() {
        return Ok(body.call_method0("__bytes__").or_else(|_| body.call_method0("tobytes"))?.cast_into::<PyBytes>()?);
    }
    Err(wrong_type("body", "bytes", body))
}

/// The revisions that the argument names; None: all.
pub(super) fn served(revisions: Option<&Bound<'_, PyAny>>) -> PyResult<Served> {
    let Some(given) = revisions else { return Ok(Served::all()) };
    let expected = "None or a list of revisions";
    if given.is_instance_of::<PyString>() {
        return Err(wrong_type("revisions", expected, given));
    }
    let items = given.try_iter().map_err(|_| wrong_type("revisions", expected, given))?;
    let revisions = items.map(|item| {
        let item = item?;
        item.cast::<PyString>().map_err(|_| wrong_type("revisions", expected, given))?;
        item.extract::<Known>().map(|Known(revision)| revision)
    });
    Served::of(revisions.collect::<PyResult<Vec<Revision>>>()?)
        .ok_or_else(|| wrong_value("revisions", "at least one revision", given))
}

fn annotations(tools: &Bound<'_, PyDict>) -> PyResult<Annotations> {
    let mut all = Annotations::default();
    for (tool, parameters) in tools {
        let name = tool.cast::<PyString>().map_err(|_| wrong_type("param_headers", "keyed by tool name", &tool))?;
        let expected = "a dict from parameter (a name, or a tuple of names) to header name";
        let parameters = parameters.cast::<PyDict>().map_err(|_| wrong_type("param_headers", expected, &parameters))?;
        let mut of_tool = Vec::new();
        for (path, header) in parameters {
            let steps: Vec<String> = match path.cast::<PyTuple>() {
                Ok(steps) => steps.extract().map_err(|_| wrong_type("param_headers", expected, &path))?,
                Err(_) => vec![path.extract().map_err(|_| wrong_type("param_headers", expected, &path))?],
            };
            of_tool
                .push((steps, header.extract::<String>().map_err(|_| wrong_type("param_headers", expected, &header))?));
        }
        let parameters = of_tool.iter().map(|(steps, header)| (steps.iter().map(String::as_str), header.as_str()));
        let built = ToolAnnotations::new(parameters)
            .map_err(|error| RevcapError::new_err(format!("param_headers of {:?}: {error}", name.to_string_lossy())))?;
        all.insert(&name.to_string_lossy(), built);
    }
    Ok(all)
}
