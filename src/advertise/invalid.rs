//! What is wrong with an identity that someone tried to make.

use std::fmt;

use crate::json::Fault;

/// Why there is no such server; the words name the field and say what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidIdentity {
    /// A switch is on whose capability is off.
    WithoutCapability {
        /// The switch.
        switch: &'static str,
        /// The capability's switch.
        capability: &'static str,
    },
    /// A key of `extensions` is no extension identifier.
    ExtensionIdentifier(String),
    /// An entry that has to be an object is something else.
    NotAnObject(String),
    /// A field that has to be a URI is something else.
    NotAUri(String),
    /// An icon's member has a wrong type or value.
    Icon {
        /// The member.
        field: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A name that no handler and no promise of a server has.
    UnknownHandler(String),
    /// A handler that every server has.
    MandatoryHandler(&'static str),
    /// An object says a key twice.
    DuplicateKey,
    /// A text is not JSON within the limits.
    Json(Fault),
}

impl fmt::Display for InvalidIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WithoutCapability { switch, capability } => {
                write!(f, "{switch} is on while {capability} is off; switch {capability} on or leave {switch} out")
            }
            Self::ExtensionIdentifier(key) => write!(
                f,
                "extensions has the key {:?}; an extension identifier is labels joined by dots, a slash and a name, \
                 such as com.example/search",
                cut(key)
            ),
            Self::NotAnObject(field) => write!(f, "{field} must be an object; an empty one means no settings"),
            Self::NotAUri(field) => write!(f, "{field} must be a URI, such as https://example.com/"),
            Self::Icon { field, expected } => write!(f, "{field} must be {expected}"),
            Self::UnknownHandler(name) => {
                write!(f, "{:?} is no method that a server handles and no member of its capabilities", cut(name))
            }
            Self::MandatoryHandler(name) => write!(f, "{name} has a handler in every server"),
            Self::DuplicateKey => f.write_str("capabilities have a duplicate object key"),
            Self::Json(fault) => write!(f, "not JSON: {fault}"),
        }
    }
}

/// A name of a caller's, cut after 64 characters.
fn cut(name: &str) -> &str {
    name.char_indices().nth(64).map_or(name, |(end, _)| name.get(..end).unwrap_or(name))
}

impl std::error::Error for InvalidIdentity {}

impl From<Fault> for InvalidIdentity {
    fn from(fault: Fault) -> Self {
        Self::Json(fault)
    }
}
