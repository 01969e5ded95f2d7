//! Every fact that differs between revisions, as rows.

mod revision;

pub use revision::{Era, Revision};
