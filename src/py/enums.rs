//! Members of the package's enums, each looked up once, and the rows that the enums are made from.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};

use super::errors::UnknownRevisionError;
use crate::gate::Reason;
use crate::table::{Era, Revision};

/// What `revcap.revision` is made from: name, text and era of every revision, oldest first.
#[pyfunction]
pub(super) fn revisions() -> Vec<(String, &'static str, &'static str)> {
    Revision::ALL.iter().map(|revision| (format!("{revision:?}"), revision.as_str(), revision.era().as_str())).collect()
}

/// What `revcap.reason` is made from: name and text of every reason, and whether it can be reported.
#[pyfunction]
pub(super) fn reasons() -> Vec<(String, &'static str, bool)> {
    let row = |reason: &Reason| (reason.as_str().to_ascii_uppercase(), reason.as_str(), reason.is_reportable());
    Reason::ALL.iter().map(row).collect()
}

/// An enum of the core that has a string enum of the same name in Python.
pub(super) trait StrEnum: Copy + 'static {
    /// Its name in `revcap`.
    const NAME: &'static str;
    /// Every member, each at the place that [`index`](Self::index) tells.
    fn all() -> Vec<&'static str>;
    /// The member's place.
    fn index(self) -> usize;
    /// Where the members are kept once they were looked up.
    fn kept() -> &'static PyOnceLock<Vec<Py<PyAny>>>;
}

/// A value of the core that becomes the member of its Python enum.
#[derive(Clone, Copy)]
pub(super) struct Member<T>(pub(super) T);

impl<'py, T: StrEnum> IntoPyObject<'py> for Member<T> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let members = T::kept().get_or_try_init(py, || {
            let class = py.import("revcap")?.getattr(T::NAME)?;
            T::all().into_iter().map(|text| Ok(class.call1((text,))?.unbind())).collect::<PyResult<_>>()
        })?;
        let member = members.get(self.0.index());
        Ok(member.map_or_else(|| py.None().into_bound(py), |member| member.bind(py).clone()))
    }
}

macro_rules! str_enums {
    ($($name:ident: $all:expr, $index:expr;)+) => {$(
        impl StrEnum for $name {
            const NAME: &'static str = stringify!($name);
            fn all() -> Vec<&'static str> {
                $all.iter().map(|member| member.as_str()).collect()
            }
            fn index(self) -> usize {
                $index(self)
            }
            fn kept() -> &'static PyOnceLock<Vec<Py<PyAny>>> {
                static KEPT: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
                &KEPT
            }
        }
    )+};
}

str_enums! {
    Revision: Revision::ALL, Revision::index;
    Era: [Era::Legacy, Era::Modern], |era| era as usize;
    Reason: Reason::ALL, |reason| reason as usize;
}

/// An argument that names a known revision: a `revcap.Revision` or its text.
#[derive(Clone, Copy)]
pub(super) struct Known(pub(super) Revision);

impl<'py> FromPyObject<'_, 'py> for Known {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text = value.cast::<PyString>()?;
        parse(&text).map(Self).ok_or_else(|| unknown(&text))
    }
}

/// The revision that a Python string spells; one with lone surrogates spells none.
pub(super) fn parse(text: &Bound<'_, PyString>) -> Option<Revision> {
    Revision::parse(text.to_str().ok()?.as_bytes())
}

/// The error for a string that names no known revision.
pub(super) fn unknown(text: &Bound<'_, PyString>) -> PyErr {
    match PyTuple::new(text.py(), Revision::ALL.iter().map(|revision| revision.as_str())) {
        Ok(known) => UnknownRevisionError::new_err((text.clone().unbind(), known.unbind())),
        Err(error) => error,
    }
}
