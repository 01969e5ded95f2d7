//! The exceptions of `revcap.errors`, imported when the first one is raised.
//!
//! `InvalidCapabilitiesError` and `ShapeError` are made from `(message, path)`, `UnknownRevisionError` from
//! `(requested, known)`.

use pyo3::{PyErr, import_exception};

import_exception!(revcap.errors, RevcapError);
import_exception!(revcap.errors, UnknownRevisionError);
import_exception!(revcap.errors, InvalidCapabilitiesError);
import_exception!(revcap.errors, ShapeError);

/// What the core refused, in its words.
#[cold]
#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn refused(error: impl std::error::Error) -> PyErr {
    RevcapError::new_err(error.to_string())
}
