//! The gate: one request in, one verdict out.
