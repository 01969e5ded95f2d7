//! `revcap.ServerIdentity`.
#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyList, PyMappingProxy, PyString, PyTuple};

use super::advertise::Published;
use super::capabilities::{dict_of, read_only};
use super::errors::{RevcapError, refused};
use super::json::{Source, from_mapping, from_python, to_dict, to_python};
use crate::advertise::{Implementation, ServerIdentity as Core, Switches};
use crate::table::{Method, Reading, Revision, ServerFeature};

/// A server: who it is, what it has switched on, which handlers it has. Immutable.
#[pyclass(frozen, module = "revcap")]
pub(super) struct ServerIdentity {
    pub(super) core: Core,
    /// What `advertise` gives, by revision (the unknown one last), reading, and policy; made when first asked for.
    published: [[[PyOnceLock<Published>; 2]; Reading::ALL.len()]; Revision::COUNT + 1],
}

/// The text of a str argument; lone surrogates are a wrong value.
pub(super) fn text_of(field: &str, text: &Bound<'_, PyString>) -> PyResult<String> {
    match text.to_str() {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err(RevcapError::new_err(format!("{field} must be Unicode text, without lone surrogates"))),
    }
}

fn optional(field: &str, text: Option<&Bound<'_, PyString>>) -> PyResult<Option<String>> {
    text.map(|text| text_of(field, text)).transpose()
}

/// The JSON text of a mapping argument; None is an empty one.
pub(super) fn object_of(field: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Box<[u8]>>> {
    value.map(|value| Ok(from_mapping(value, Source::argument(field))?.into())).transpose()
}

fn implementation(
    py: Python<'_>,
    name: Option<&Bound<'_, PyString>>,
    version: Option<&Bound<'_, PyString>>,
    title: Option<&Bound<'_, PyString>>,
    description: Option<&Bound<'_, PyString>>,
    icons: Option<&Bound<'_, PyAny>>,
    website_url: Option<&Bound<'_, PyString>>,
) -> PyResult<Implementation> {
    let (gateway, first) = (PyString::intern(py, "gw"), PyString::intern(py, "1.0"));
    let (name, version) = (name.unwrap_or(&gateway), version.unwrap_or(&first));
    let icons = match icons {
        Some(icons) if icons.is_instance_of::<PyList>() || icons.is_instance_of::<PyTuple>() => {
            from_python(icons, Source::argument("icons"))?
        }
        Some(other) => {
            let name = other.get_type().name()?;
            return Err(PyTypeError::new_err(format!("icons must be a list or tuple of icons, not {name}")));
        }
        None => b"[]".to_vec(),
    };
    Implementation::new(&text_of("name", name)?, &text_of("version", version)?)
        .described(optional("title", title)?, optional("description", description)?)
        .with_website_url(optional("website_url", website_url)?)
        .and_then(|implementation| implementation.with_icons(&icons))
        .map_err(refused)
}

impl ServerIdentity {
    /// The view of a server that the core has made.
    pub(super) fn of(core: Core) -> Self {
        Self {
            core,
            published: std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| PyOnceLock::new()))),
        }
    }

    pub(super) fn published(
        &self,
        py: Python<'_>,
        revision: Option<Revision>,
        reading: Reading,
        legacy_extensions: bool,
    ) -> PyResult<&Published> {
        let place = revision.map_or(Revision::COUNT, Revision::index);
        let slot = &self.published[place][reading as usize][usize::from(legacy_extensions)];
        slot.get_or_try_init(py, || {
            let text = match revision {
                Some(revision) => self.core.capabilities(revision, reading, legacy_extensions),
                None => self.core.capabilities_for_unknown(),
            };
            Published::new(py, &text)
        })
    }

    fn has(&self, flag: ServerFeature) -> bool {
        self.core.switched_on().contains(flag)
    }
}

/// What a server is pickled as: the arguments that give it again.
type Pickled<'py> = (Bound<'py, PyDict>, Bound<'py, PyBytes>, Option<bool>, Vec<&'static str>);

/// A server that was pickled.
#[pyfunction]
pub(super) fn restore_server(
    py: Python<'_>,
    identity: &Bound<'_, PyDict>,
    capabilities: &[u8],
    elicitation: Option<bool>,
    absent: Vec<String>,
) -> PyResult<Py<ServerIdentity>> {
    let capabilities = to_dict(py, capabilities)?;
    let made = py.get_type::<ServerIdentity>().call_method("from_capabilities", (capabilities,), Some(identity))?;
    let made = made.cast_into::<ServerIdentity>()?;
    let core = made.get().core.clone().with_elicitation(elicitation).without(&absent).map_err(refused)?;
    Py::new(py, ServerIdentity::of(core))
}

#[pymethods]
impl ServerIdentity {
    #[new]
    #[pyo3(signature = (
        name = None, version = None, title = None, description = None, icons = None, website_url = None,
        instructions = None, *, completions = true, logging = true, prompts = true, prompts_list_changed = None,
        resources = true, resource_subscriptions = None, resources_list_changed = None, tools = true,
        tools_list_changed = None, tasks = true, tasks_extension = None, tasks_list = None, tasks_cancel = None,
        tasks_tools_call = None, elicitation = None, subscriptions_listen = true, experimental = None,
        extensions = None
    ))]
    #[pyo3(text_signature = "(name='gw', version='1.0', title=None, description=None, icons=(), website_url=None, \
        instructions=None, *, completions=True, logging=True, prompts=True, prompts_list_changed=None, \
        resources=True, resource_subscriptions=None, resources_list_changed=None, tools=True, \
        tools_list_changed=None, tasks=True, tasks_extension=None, tasks_list=None, tasks_cancel=None, \
        tasks_tools_call=None, elicitation=None, subscriptions_listen=True, experimental={}, extensions={})")]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "the contract's switches")]
    fn py_new(
        py: Python<'_>,
        name: Option<&Bound<'_, PyString>>,
        version: Option<&Bound<'_, PyString>>,
        title: Option<&Bound<'_, PyString>>,
        description: Option<&Bound<'_, PyString>>,
        icons: Option<&Bound<'_, PyAny>>,
        website_url: Option<&Bound<'_, PyString>>,
        instructions: Option<&Bound<'_, PyString>>,
        completions: bool,
        logging: bool,
        prompts: bool,
        prompts_list_changed: Option<bool>,
        resources: bool,
        resource_subscriptions: Option<bool>,
        resources_list_changed: Option<bool>,
        tools: bool,
        tools_list_changed: Option<bool>,
        tasks: bool,
        tasks_extension: Option<bool>,
        tasks_list: Option<bool>,
        tasks_cancel: Option<bool>,
        tasks_tools_call: Option<bool>,
        elicitation: Option<bool>,
        subscriptions_listen: bool,
        experimental: Option<&Bound<'_, PyAny>>,
        extensions: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let implementation = implementation(py, name, version, title, description, icons, website_url)?;
        let switches = Switches {
            completions,
            logging,
            prompts,
            prompts_list_changed,
            resources,
            resource_subscriptions,
            resources_list_changed,
            tools,
            tools_list_changed,
            tasks,
            tasks_extension,
            tasks_list,
            tasks_cancel,
            tasks_tools_call,
            elicitation,
            subscriptions_listen,
            experimental: object_of("experimental", experimental)?,
            extensions: object_of("extensions", extensions)?,
        };
        let core = Core::new(implementation, &switches).map_err(refused)?;
        Ok(Self::of(core.with_instructions(optional("instructions", instructions)?)))
    }
    /// The server that publishes a ServerCapabilities object, an upstream's say.
    ///
    /// What is broken in it is repaired: null and false switch a capability off, whatever else stands where an object
    /// belongs is an empty one, a boolean counts when it is True. What no revision knows is kept.
    ///
    /// Raises:
    ///     TypeError: capabilities is no mapping, or holds what JSON has no word for.
    ///     RevcapError: A value is NaN, infinite, no Unicode text, or nested too deeply.
    #[staticmethod]
    #[pyo3(signature = (
        capabilities, *, name = None, version = None, title = None, description = None, icons = None,
        website_url = None, instructions = None
    ))]
    #[pyo3(text_signature = "(capabilities, *, name='gw', version='1.0', title=None, description=None, icons=(), \
        website_url=None, instructions=None)")]
    #[allow(clippy::too_many_arguments, reason = "the fields of an identity")]
    fn from_capabilities(
        capabilities: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyString>>,
        version: Option<&Bound<'_, PyString>>,
        title: Option<&Bound<'_, PyString>>,
        description: Option<&Bound<'_, PyString>>,
        icons: Option<&Bound<'_, PyAny>>,
        website_url: Option<&Bound<'_, PyString>>,
        instructions: Option<&Bound<'_, PyString>>,
    ) -> PyResult<Self> {
        let implementation = implementation(capabilities.py(), name, version, title, description, icons, website_url)?;
        let text = object_of("capabilities", Some(capabilities))?.unwrap_or_default();
        let core = Core::from_capabilities(implementation, &text).map_err(refused)?;
        Ok(Self::of(core.with_instructions(optional("instructions", instructions)?)))
    }

    /// The same server without some handlers or promises.
    ///
    /// Args:
    ///     names: Methods without a handler ("resources/subscribe"): what only they serve is not published where the
    ///         revision has them. Or members of the capabilities, by path or last name ("tools.listChanged",
    ///         "subscribe"): they are not published at all.
    ///
    /// Raises:
    ///     RevcapError: A name is neither, or a method that every server handles.
    #[pyo3(signature = (*names))]
    fn without(&self, names: Vec<Bound<'_, PyString>>) -> PyResult<Self> {
        let names = names.iter().map(|name| text_of("a name", name)).collect::<PyResult<Vec<_>>>()?;
        let core = self.core.clone().without(&names).map_err(refused)?;
        Ok(Self::of(core))
    }

    /// The name for programs.
    #[getter]
    fn name(&self) -> &str {
        self.core.implementation().name()
    }

    /// The version.
    #[getter]
    fn version(&self) -> &str {
        self.core.implementation().version()
    }

    /// The name for people.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.core.implementation().title()
    }

    /// What it is.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.core.implementation().description()
    }

    /// The icons, each a new dict.
    #[getter]
    fn icons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        to_python(py, self.core.implementation().icons())?.cast_into::<PyList>()?.as_sequence().to_tuple()
    }

    /// The website.
    #[getter]
    fn website_url(&self) -> Option<&str> {
        self.core.implementation().website_url()
    }

    /// What the handshake tells a model about the server.
    #[getter]
    fn instructions(&self) -> Option<&str> {
        self.core.instructions()
    }

    /// It completes arguments.
    #[getter]
    fn completions(&self) -> bool {
        self.has(ServerFeature::COMPLETIONS)
    }

    /// It sends log messages.
    #[getter]
    fn logging(&self) -> bool {
        self.has(ServerFeature::LOGGING)
    }

    /// It has prompts.
    #[getter]
    fn prompts(&self) -> bool {
        self.has(ServerFeature::PROMPTS)
    }

    /// It tells when the list of prompts changes.
    #[getter]
    fn prompts_list_changed(&self) -> bool {
        self.has(ServerFeature::PROMPTS_LIST_CHANGED)
    }

    /// It has resources.
    #[getter]
    fn resources(&self) -> bool {
        self.has(ServerFeature::RESOURCES)
    }

    /// A client may watch a resource.
    #[getter]
    fn resource_subscriptions(&self) -> bool {
        self.has(ServerFeature::RESOURCES_SUBSCRIBE)
    }

    /// It tells when the list of resources changes.
    #[getter]
    fn resources_list_changed(&self) -> bool {
        self.has(ServerFeature::RESOURCES_LIST_CHANGED)
    }

    /// It has tools.
    #[getter]
    fn tools(&self) -> bool {
        self.has(ServerFeature::TOOLS)
    }

    /// It tells when the list of tools changes.
    #[getter]
    fn tools_list_changed(&self) -> bool {
        self.has(ServerFeature::TOOLS_LIST_CHANGED)
    }

    /// It runs requests as tasks, as a capability of the core.
    #[getter]
    fn tasks(&self) -> bool {
        self.has(ServerFeature::TASKS)
    }

    /// It runs requests as tasks, as an extension.
    #[getter]
    fn tasks_extension(&self) -> bool {
        self.has(ServerFeature::TASKS_EXTENSION)
    }

    /// It lists tasks (core).
    #[getter]
    fn tasks_list(&self) -> bool {
        self.has(ServerFeature::TASKS_LIST)
    }

    /// It cancels tasks (core).
    #[getter]
    fn tasks_cancel(&self) -> bool {
        self.has(ServerFeature::TASKS_CANCEL)
    }

    /// A tool call may be a task (core).
    #[getter]
    fn tasks_tools_call(&self) -> bool {
        self.has(ServerFeature::TASKS_TOOLS_CALL)
    }

    /// True: published and asked. False: neither. None: not published, asked where the client declared it.
    #[getter]
    fn elicitation(&self) -> Option<bool> {
        self.core.elicitation()
    }

    /// It handles listen streams.
    #[getter]
    fn subscriptions_listen(&self) -> bool {
        !self.core.absent().contains(Method::SubscriptionsListen)
    }

    /// The non-standard capabilities, by name.
    #[getter]
    fn experimental<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        read_only(&dict_of(py, self.core.entries(ServerFeature::EXPERIMENTAL))?)
    }

    /// The extensions, by identifier; the tasks extension is a switch.
    #[getter]
    fn extensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        read_only(&dict_of(py, self.core.entries(ServerFeature::EXTENSIONS))?)
    }

    /// The methods whose handlers do not exist.
    #[getter]
    fn absent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        PyFrozenSet::new(py, self.core.absent().iter().map(Method::as_str))
    }

    /// Everything that is switched on, whatever a revision permits, as a new ServerCapabilities dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.core.all_capabilities())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let implementation = self.core.implementation();
        let shown = |text: &str| -> PyResult<String> {
            let cut: String = text.chars().take(64).collect();
            Ok(PyString::new(py, &cut).repr()?.to_string())
        };
        let has: Vec<_> = self.core.switched_on().iter_names().map(|(name, _)| name.to_lowercase()).collect();
        let has = if has.is_empty() { "nothing".to_owned() } else { has.join(", ") };
        let absent: Vec<_> = self.core.absent().iter().map(Method::as_str).collect();
        let absent = if absent.is_empty() { String::new() } else { format!("; without {}", absent.join(", ")) };
        let (name, version) = (shown(implementation.name())?, shown(implementation.version())?);
        Ok(format!("<ServerIdentity {name} {version}: {has}{absent}>"))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.core == other.core
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let implementation = self.core.implementation();
        let identity = (implementation.name(), implementation.version(), self.core.instructions());
        (identity, self.core.switched_on().bits(), self.core.elicitation()).into_pyobject(py)?.hash()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let implementation = self.core.implementation();
        let identity = PyDict::new(py);
        identity.set_item("name", implementation.name())?;
        identity.set_item("version", implementation.version())?;
        identity.set_item("title", implementation.title())?;
        identity.set_item("description", implementation.description())?;
        identity.set_item("icons", self.icons(py)?)?;
        identity.set_item("website_url", implementation.website_url())?;
        identity.set_item("instructions", self.core.instructions())?;
        let text = PyBytes::new(py, &self.core.all_capabilities());
        let absent = self.core.absent().iter().map(Method::as_str).collect();
        let restore = py.import("revcap._core")?.getattr("restore_server")?;
        Ok((restore, (identity, text, self.core.elicitation(), absent)))
    }
}
