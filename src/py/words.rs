//! Words of the core's closed lists as strings of Python, each made once.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

/// A place for every word of a list of `N`.
pub(super) struct Words<const N: usize>([PyOnceLock<Py<PyString>>; N]);

impl<const N: usize> Words<N> {
    pub(super) const fn new() -> Self {
        Self([const { PyOnceLock::new() }; N])
    }

    /// The word at a place of the list.
    pub(super) fn get<'py>(&self, py: Python<'py>, index: usize, word: &'static str) -> Bound<'py, PyString> {
        self.0[index].get_or_init(py, || PyString::intern(py, word).unbind()).bind(py).clone()
    }
}
