//! What a server has switched on, and what of it goes to a client of a given revision.
//!
//! A member is published where the revision permits it, the server has switched it on, and its handler exists.
//! [`ServerIdentity::advertised`] computes that set once; the object that a handshake answers with and the methods
//! that a gate lets through both follow from it.

mod implementation;
mod invalid;
mod merge;
mod read;
mod switches;
mod without;
mod write;

use crate::capabilities::{Tree, tree};
use crate::json::{Limits, canonical};
use crate::table::{Method, MethodSet, Needs, Reading, Revision, SERVER_PATHS, ServerFeature, TASKS_EXTENSION};

pub use implementation::Implementation;
pub use invalid::InvalidIdentity;
pub use merge::{Join, MergePolicy};
pub use switches::Switches;

const SERVER: Tree<ServerFeature, { SERVER_PATHS.len() }> = tree(SERVER_PATHS);

/// A server: who it is, what it has switched on, which handlers it has. Immutable.
///
/// ```
/// use revcap::advertise::{Implementation, ServerIdentity, Switches};
/// use revcap::table::{Reading, Revision};
///
/// let switches = Switches { prompts: false, resources: false, tasks: false, ..Switches::default() };
/// let server = ServerIdentity::new(Implementation::new("gw", "1.0"), &switches)?.without(&["listChanged"])?;
/// let revision = Revision::parse(b"2024-11-05").ok_or("a known revision")?;
/// assert_eq!(server.capabilities(revision, Reading::Record, true), br#"{"logging":{},"tools":{}}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ServerIdentity {
    implementation: Implementation,
    instructions: Option<Box<str>>,
    /// A member's flag is in it only with its parent's.
    on: ServerFeature,
    /// Published and asked, neither, or (none) asked without being published.
    elicitation: Option<bool>,
    absent: MethodSet,
    members: Vec<Member>,
}

/// A member that no row names: one of the server's own, or an entry of an open map.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Member {
    /// The row it stands in; none: the capabilities object itself.
    parent: Option<usize>,
    key: Box<str>,
    /// JSON text.
    value: Box<[u8]>,
}

impl ServerIdentity {
    /// Who the server is.
    #[must_use]
    pub const fn implementation(&self) -> &Implementation {
        &self.implementation
    }

    /// The same server under another name.
    #[must_use]
    pub fn with_implementation(self, implementation: Implementation) -> Self {
        Self { implementation, ..self }
    }

    /// What the handshake tells a model about the server.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        self.instructions.as_deref()
    }

    /// The same server with other instructions.
    #[must_use]
    pub fn with_instructions(self, instructions: Option<String>) -> Self {
        Self { instructions: instructions.map(String::into_boxed_str), ..self }
    }

    /// What is switched on, whatever a revision permits.
    #[must_use]
    pub const fn switched_on(&self) -> ServerFeature {
        self.on
    }

    /// The elicitation switch: published and asked; neither; or, where it is none, asked without being published.
    #[must_use]
    pub const fn elicitation(&self) -> Option<bool> {
        self.elicitation
    }

    /// The same server with another elicitation switch.
    #[must_use]
    pub fn with_elicitation(mut self, elicitation: Option<bool>) -> Self {
        self.elicitation = elicitation;
        self.on.set(ServerFeature::ELICITATION, elicitation == Some(true));
        self
    }

    /// The entries of an open map, `experimental` or `extensions`, each with its text; the tasks extension is a switch.
    pub fn entries(&self, map: ServerFeature) -> impl Iterator<Item = (String, &[u8])> {
        let members = self.members.iter().filter(move |member| member.is_in(map) && !member.is_tasks_extension());
        members.map(|member| (member.key.to_string(), member.value.as_ref()))
    }

    /// Whether the server's handlers may ask the client's user at all.
    #[must_use]
    pub const fn may_elicit(&self) -> bool {
        !matches!(self.elicitation, Some(false))
    }

    /// The methods whose handlers do not exist.
    #[must_use]
    pub const fn absent(&self) -> MethodSet {
        self.absent
    }

    /// Exactly the members that go to a client of `revision`.
    ///
    /// `legacy_extensions`: extensions go to the handshake revisions whose clients know them, too.
    #[must_use]
    pub fn advertised(&self, revision: Revision, reading: Reading, legacy_extensions: bool) -> ServerFeature {
        let mut permitted = revision.server_features(reading);
        if legacy_extensions {
            permitted |= revision.server_features_by_policy();
        }
        let mut set = with_parents_alone((self.on & permitted) - self.taken_back(revision, reading));
        let given_empty = !self.has_extensions() && !self.on.contains(ServerFeature::TASKS_EXTENSION);
        let any = given_empty || self.has_extensions() || set.contains(ServerFeature::TASKS_EXTENSION);
        set.set(ServerFeature::EXTENSIONS, any && set.contains(ServerFeature::EXTENSIONS));
        set
    }

    /// Whether a request for `method` has a handler, given what is `advertised` under `revision`.
    ///
    /// Only what the server needs is asked: whether the revision lists the method is for
    /// [`Revision::methods`] to say.
    ///
    /// Spec: 2026-07-28 basic/index, error codes: what is not advertised is answered -32601.
    #[must_use]
    pub fn handles(&self, method: Method, revision: Revision, advertised: ServerFeature) -> bool {
        !self.absent.contains(method)
            && match method.server_needs(revision) {
                Needs::Nothing => true,
                Needs::All(all) => advertised.contains(all),
                Needs::Any(any) => advertised.intersects(any),
                Needs::Switch(switch) => self.on.contains(switch),
            }
    }

    /// What goes to a client whose version is unknown: what every revision has.
    #[must_use]
    pub fn advertised_to_unknown(&self) -> ServerFeature {
        let each = Revision::ALL.iter().map(|revision| self.advertised(*revision, Reading::Record, false));
        each.fold(ServerFeature::all(), ServerFeature::intersection)
    }

    /// After switches went off: what stood in their objects goes too, and `extensions` once nothing is left in it.
    fn settle_members(&mut self) {
        let off = ServerFeature::all() - self.on;
        let has_tasks = self.on.contains(ServerFeature::TASKS_EXTENSION);
        self.members.retain(|member| !member.is_in(off) && (has_tasks || !member.is_tasks_extension()));
        let any = has_tasks || self.has_extensions();
        self.on.set(ServerFeature::EXTENSIONS, any && self.on.contains(ServerFeature::EXTENSIONS));
    }

    /// Whether `extensions` has an entry beside the tasks extension, which is a switch.
    fn has_extensions(&self) -> bool {
        self.members.iter().any(|member| member.is_extension() && !member.is_tasks_extension())
    }
}

impl Member {
    /// Whether it stands in an object of one of these flags.
    fn is_in(&self, set: ServerFeature) -> bool {
        let flag = self
            .parent
            .and_then(|place| Some(SERVER.feature(place)).filter(|it| !it.is_empty()).or_else(|| flag_above(place)));
        flag.is_some_and(|flag| set.intersects(flag))
    }

    fn is_extension(&self) -> bool {
        self.is_in(ServerFeature::EXTENSIONS)
    }

    fn is_tasks_extension(&self) -> bool {
        self.is_extension() && self.key.as_ref() == TASKS_EXTENSION
    }
}

/// Equal where both say the same under every revision; the order of members that no row names does not count.
impl PartialEq for ServerIdentity {
    fn eq(&self, other: &Self) -> bool {
        let limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };
        let object = |server: &Self| canonical(&server.all_capabilities(), limits);
        self.implementation == other.implementation
            && self.instructions == other.instructions
            && (self.on, self.elicitation, self.absent) == (other.on, other.elicitation, other.absent)
            && object(self) == object(other)
    }
}

impl Eq for ServerIdentity {}

/// The set without the members of what is not in it.
fn with_parents_alone(mut set: ServerFeature) -> ServerFeature {
    // Rows stand below their parents, so one pass takes whole branches away.
    for (place, row) in SERVER.rows() {
        if flag_above(place).is_some_and(|flag| !set.contains(flag)) {
            set -= row.feature();
        }
    }
    set
}

/// The flag of the nearest row above that has one.
fn flag_above(place: usize) -> Option<ServerFeature> {
    let above = std::iter::successors(SERVER.parent(place), |place| SERVER.parent(*place));
    above.map(|place| SERVER.feature(place)).find(|flag| !flag.is_empty())
}
