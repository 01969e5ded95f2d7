//! The Python view of the crate: conversion only, every rule lives below.

mod enums;
mod errors;

use pyo3::prelude::*;

/// The compiled half of the `revcap` package.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::enums::revisions;
}
