//! What a client declared: read from bytes in one pass, asked by flag, written back trimmed to a revision.
//!
//! Three steps are kept apart. [`Declared`] is what stands in the text, whatever the revision: a few flags and spans,
//! filled while the gate passes over the body. [`Declared::under`] is what of it counts once the revision is known.
//! [`Requirement`] is what a call asks for, and answers with the smallest object that would satisfy it.

mod declared;
mod owned;
mod requirement;
mod tree;
mod trim;

pub use declared::{Declared, WrongType};
pub use owned::{ClientCapabilities, InvalidCapabilities};
pub use requirement::{Requirement, missing, smallest};
pub(crate) use tree::{Tree, tree};
