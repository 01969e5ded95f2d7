//! Every fact that differs between revisions, as rows.
//!
//! A row says since when and until when; the compiler folds the rows into one set per revision, so a question is an
//! index. Nothing outside this module compares dates or spells a method's name.
#![allow(clippy::enum_glob_use, reason = "rows name revisions by themselves")]

mod capability;
mod code;
mod deprecation;
mod feature;
mod log_level;
mod member;
pub mod meta_key;
mod method;
mod revision;
mod span;

pub use capability::{
    CLIENT_PATHS, CapabilityRow, CapabilityType, ClientFeature, SERVER_PATHS, ServerFeature, TASKS_EXTENSION,
};
pub use code::{Code, CodeRow, Origin, http_status};
pub use deprecation::Deprecation;
pub use feature::{Feature, FeatureRow};
pub use log_level::LogLevel;
pub use member::{Alternative, Definition, Holds, Member, Shape, Standing, Tag};
pub use method::{Channel, Method, MethodRow, MethodSet, Needs};
pub use revision::{Era, Revision};
pub use span::{Reading, Span, Spans};
