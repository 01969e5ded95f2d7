//! The Python view of the crate: conversion only, every rule lives below.

use pyo3::prelude::*;

/// The compiled half of the `revcap` package.
#[pymodule(gil_used = false)]
mod _core {}
