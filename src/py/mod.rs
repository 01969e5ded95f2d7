//! The Python view of the crate: conversion only, every rule lives below.
#![allow(clippy::doc_markdown, reason = "these comments are Python docstrings")]

mod advertise;
mod capabilities;
mod deprecation;
mod enums;
mod errors;
mod feature;
mod front;
mod gate;
mod handshake;
mod headers;
mod identity;
mod json;
mod outbound;
mod policy;
mod probe;
mod profile;
mod relay;
mod reply;
mod session;
mod shape;
mod spec;
mod sse;
mod tickets;
mod upstream;
mod upstream_session;
mod verdict;
mod words;

use pyo3::prelude::*;

/// The compiled half of the `revcap` package.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::advertise::{advertise, advertise_json, merge_capabilities};
    #[pymodule_export]
    use super::capabilities::{ClientCapabilities, restore_client};
    #[pymodule_export]
    use super::deprecation::{Deprecation, deprecations};
    #[pymodule_export]
    use super::enums::{reasons, revisions};
    #[pymodule_export]
    use super::feature::{client_feature_rows, client_features, feature_rows, features};
    #[pymodule_export]
    use super::front::{Front, Relay};
    #[pymodule_export]
    use super::gate::Gate;
    #[pymodule_export]
    use super::handshake::{discover_result, initialize_result, negotiate};
    #[pymodule_export]
    use super::identity::{ServerIdentity, restore_server};
    #[pymodule_export]
    use super::outbound::Outbound;
    #[pymodule_export]
    use super::probe::{Probed, probe, read_probe, served_revisions};
    #[pymodule_export]
    use super::profile::{CapabilityProfile, resolve_capability_profile, restore_profile};
    #[pymodule_export]
    use super::relay::{
        answer_bits, answer_start, answer_status, care, declared_too_large, failure, is_answer, opened_session,
    };
    #[pymodule_export]
    use super::reply::Reply;
    #[pymodule_export]
    use super::session::Session;
    #[pymodule_export]
    use super::shape::{
        Shaped, merge_cache_hints, shape_client_request, shape_notification, shape_response, shape_server_request,
    };
    #[pymodule_export]
    use super::spec::{capability_rows, definition_names, error_rows, http_status, member_rows, method_rows};
    #[pymodule_export]
    use super::sse::SseShaper;
    #[pymodule_export]
    use super::tickets::SessionTickets;
    #[pymodule_export]
    use super::upstream::Upstream;
    #[pymodule_export]
    use super::upstream_session::{UpstreamSession, restore_upstream_session};
    #[pymodule_export]
    use super::verdict::Verdict;
}
