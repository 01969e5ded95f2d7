//! The gateway's own hop to a backend.
