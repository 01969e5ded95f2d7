//! What this hop cannot carry, and what the gateway answers in the backend's place.

use super::server::means_the_same;
use super::{Incoming, Upstream};
use crate::gate::{Allow, MessageKind, Rejection, Reply};
use crate::table::{Channel, Era, Feature, Method, Reading, Revision};

impl Incoming<'_> {
    /// The refusal of a method that the backend's revision has in no form.
    pub(super) fn no_such_method(&self, hop: Revision) -> Rejection {
        Rejection::no_such_method(&self.method_name, self.era(hop))
    }
}

impl Upstream {
    /// The client's answer, where nothing goes up.
    pub(super) fn answered_here(&self, incoming: &Incoming<'_>, hop: Revision) -> Option<Reply> {
        if incoming.own_session.is_some() {
            return None; // the two ends speak one revision
        }
        match incoming.kind {
            // Streams and sessions of their own are the handshake's.
            MessageKind::Stream | MessageKind::SessionEnd => (hop.era() == Era::Modern)
                .then(|| Reply::rejected(&Rejection::HttpMethod(Allow::default()), None, false)),
            // Nobody asked: a modern backend sends no requests.
            MessageKind::Response => (!hop.has(Feature::SERVER_REQUESTS)).then(|| Reply::empty(202)),
            MessageKind::Notification => (!takes_notification(incoming.method, hop)).then(|| Reply::empty(202)),
            // A batch as a whole has its answer already.
            MessageKind::Request | MessageKind::Batch => self.answered_request(incoming, hop),
        }
    }

    fn answered_request(&self, incoming: &Incoming<'_>, hop: Revision) -> Option<Reply> {
        let method = incoming.method?; // other people's methods go on
        if means_the_same(method, incoming.revision, hop) {
            return None;
        }
        let id = incoming.id.as_deref().unwrap_or(b"null");
        Some(match method {
            Method::ServerDiscover => match incoming.revision.filter(|client| client.has(Feature::DISCOVER)) {
                Some(client) => self.discovered(incoming, client),
                None => self.discovered(incoming, Self::any_modern().unwrap_or(hop)),
            },
            Method::Initialize => self
                .initialized(incoming)
                .unwrap_or_else(|| Reply::rejected(&incoming.no_such_method(hop), Some(id), false)),
            // The gateway is there, which is all that is asked.
            Method::Ping => Reply::result(id, b"{}"),
            _ => Reply::rejected(&incoming.no_such_method(hop), Some(id), false),
        })
    }
}

/// Whether a client's notification has a place under the hop's revision; other people's have.
fn takes_notification(method: Option<Method>, hop: Revision) -> bool {
    let Some(method) = method else { return true };
    let listed = |reading: &Reading| hop.methods(Channel::ClientNotification, *reading).contains(method);
    Reading::ALL.iter().any(listed) && (method != Method::Cancelled || hop.has(Feature::CANCELLED_OVER_HTTP))
}
