//! The exceptions of `revcap.errors`, imported when the first one is raised.
//!
//! `InvalidCapabilitiesError` and `ShapeError` are made from `(message, path)`, `UnknownRevisionError` from
//! `(requested, known)`.

use pyo3::import_exception;

import_exception!(revcap.errors, RevcapError);
import_exception!(revcap.errors, UnknownRevisionError);
import_exception!(revcap.errors, InvalidCapabilitiesError);
import_exception!(revcap.errors, ShapeError);
