//! What `revcap.Feature` and `revcap.ClientFeature` are made from.

use bitflags::Flags;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::enums::Member;
use crate::table::{CLIENT_PATHS, ClientFeature, Feature, Reading, Revision, Span};

/// Name and bit of every feature.
#[pyfunction]
pub(super) fn features() -> Vec<(&'static str, u128)> {
    Feature::FLAGS.iter().map(|flag| (flag.name(), flag.value().bits())).collect()
}

/// Name and bit of every client feature.
#[pyfunction]
pub(super) fn client_features() -> Vec<(&'static str, u32)> {
    ClientFeature::FLAGS.iter().map(|flag| (flag.name(), flag.value().bits())).collect()
}

/// A feature's facts, a dict in Python.
#[derive(IntoPyObject)]
pub(super) struct FeatureRow {
    feature: u128,
    since: Option<Member<Revision>>,
    until: Option<Member<Revision>>,
    deprecated_in: Option<Member<Revision>>,
    earliest_removal: Option<&'static str>,
    wire: &'static str,
    spec: &'static str,
    extension: Option<&'static str>,
}

/// The facts of every feature, in one of the two readings.
#[pyfunction]
pub(super) fn feature_rows(schema_exact: bool) -> Vec<FeatureRow> {
    let rows = Feature::rows().iter();
    rows.map(|row| {
        let span = row.spans().get(reading(schema_exact));
        FeatureRow {
            feature: row.feature().bits(),
            since: span.map(since),
            until: span.and_then(until),
            deprecated_in: row.deprecated_in().map(Member),
            earliest_removal: row.earliest_removal(),
            wire: row.wire(),
            spec: row.spec(),
            extension: row.extension_id(),
        }
    })
    .collect()
}

/// A client feature's facts, a dict in Python.
#[derive(IntoPyObject)]
pub(super) struct ClientFeatureRow {
    feature: u32,
    path: Tuple<&'static str>,
    since: Option<Member<Revision>>,
    until: Option<Member<Revision>>,
    deprecated_in: Option<Member<Revision>>,
    extension: Option<&'static str>,
}

/// The facts of every client feature; the two readings agree on them.
#[pyfunction]
pub(super) fn client_feature_rows() -> Vec<ClientFeatureRow> {
    let rows = CLIENT_PATHS.iter().filter(|row| !row.feature().is_empty());
    rows.map(|row| {
        let span = row.spans().get(Reading::Record);
        ClientFeatureRow {
            feature: row.feature().bits(),
            path: Tuple(row.path().to_vec()),
            since: span.map(since),
            until: span.and_then(until),
            deprecated_in: row.deprecated_in().map(Member),
            extension: row.extension_id(),
        }
    })
    .collect()
}

/// A list of the core that becomes a tuple.
pub(super) struct Tuple<T>(pub(super) Vec<T>);

impl<'py, T: IntoPyObject<'py>> IntoPyObject<'py> for Tuple<T> {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        PyTuple::new(py, self.0)
    }
}

/// The reading that the argument `schema_exact` asks for.
pub(super) const fn reading(schema_exact: bool) -> Reading {
    if schema_exact { Reading::SchemaExact } else { Reading::Record }
}

/// The first revision of a span.
pub(super) fn since(span: Span) -> Member<Revision> {
    Member(span.since())
}

/// The first revision after a span.
pub(super) fn until(span: Span) -> Option<Member<Revision>> {
    span.until().map(Member)
}
