//! Handlers that do not exist take their promise back.

use super::invalid::InvalidIdentity;
use super::{SERVER, ServerIdentity, with_parents_alone};
use crate::table::{Channel, Method, Needs, Reading, Revision, ServerFeature};

impl ServerIdentity {
    /// The same server without some handlers or promises.
    ///
    /// A name is a method, `resources/subscribe` say: it is not handled, and what only it serves is not published
    /// under the revisions that have the method. Or it is a member of the capabilities, by its path or its last name
    /// (`tools.listChanged`, `subscribe`): that is not published under any revision.
    ///
    /// # Errors
    ///
    /// A name is neither, or a method that every server handles.
    pub fn without<N: AsRef<str>>(mut self, names: &[N]) -> Result<Self, InvalidIdentity> {
        for name in names {
            let name = name.as_ref();
            if let Some(method) = Method::parse(name.as_bytes()).filter(|method| is_handled(*method)) {
                if is_mandatory(method) {
                    return Err(InvalidIdentity::MandatoryHandler(method.as_str()));
                }
                self.absent = self.absent.with(method);
                continue;
            }
            let promised = SERVER.rows().filter(|(_, row)| {
                let path = row.path();
                path.join(".") == name || path.last().is_some_and(|last| *last == name)
            });
            let flags: ServerFeature = promised.map(|(_, row)| row.feature()).collect();
            if flags.is_empty() {
                return Err(InvalidIdentity::UnknownHandler(name.to_owned()));
            }
            self.switch_off(flags);
        }
        Ok(self)
    }

    fn switch_off(&mut self, flags: ServerFeature) {
        self.on = with_parents_alone(self.on - flags);
        if !self.on.contains(ServerFeature::ELICITATION) && self.elicitation == Some(true) {
            self.elicitation = None;
        }
        self.settle_members();
    }

    /// What is not published because its handler does not exist.
    pub(super) fn taken_back(&self, revision: Revision, reading: Reading) -> ServerFeature {
        let methods = revision.methods(Channel::ClientRequest, reading);
        let absent = self.absent.iter().filter(|method| methods.contains(*method));
        absent.fold(ServerFeature::empty(), |taken, method| taken | promise(method, revision))
    }
}

/// A method without any need: the protocol itself rests on it.
fn is_mandatory(method: Method) -> bool {
    Revision::ALL.iter().all(|revision| method.server_needs(*revision) == Needs::Nothing)
}

fn is_handled(method: Method) -> bool {
    Revision::ALL.iter().any(|revision| method.row(Channel::ClientRequest, *revision).is_some())
}

/// What a client could not use any more without this method.
fn promise(method: Method, revision: Revision) -> ServerFeature {
    match method.server_needs(revision) {
        // Resources can be listed and read without templates.
        _ if method == Method::ResourcesTemplatesList => ServerFeature::empty(),
        Needs::All(all) => all,
        // A task can be asked after without a stream that tells.
        Needs::Any(any) => any - ServerFeature::TASKS_EXTENSION,
        Needs::Nothing | Needs::Switch(_) => ServerFeature::empty(),
    }
}
