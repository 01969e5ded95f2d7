//! What a handler finds out while it runs: that it needs something of the client.

use std::sync::Arc;

use crate::capabilities::{ClientCapabilities, Requirement};
use crate::session::Session;
use crate::table::{Code, Era};

use super::reply::error;
use super::{ClientSource, Decision, Rejection, Reply};

impl Decision {
    /// What the client declared, under the request's revision; none where nobody knows.
    #[must_use]
    pub fn client(&self, body: &[u8]) -> Option<Arc<ClientCapabilities>> {
        match self.facts.client {
            ClientSource::Unknown => None,
            ClientSource::Body(span) => {
                let object = if span.is_empty() { b"{}" } else { span.of(body) };
                Some(Arc::new(ClientCapabilities::of_body(object, self.facts.revision)))
            }
            ClientSource::Session => self.facts.session.as_deref().and_then(Session::client),
        }
    }

    /// The answer to a client that did not declare what a handler needs; none where it did, or where nobody knows.
    ///
    /// The modern era has a code for it; before it the call is refused in-band.
    /// Spec: 2026-07-28 basic, client capabilities (-32021).
    #[must_use]
    pub fn require(&self, body: &[u8], needed: &Requirement) -> Option<Reply> {
        let missing = self.client(body)?.missing(needed)?;
        let id = self.facts.id.is_present().then(|| self.facts.id.token(body));
        let rejection = Rejection::missing_capability(missing);
        if self.facts.era == Some(Era::Modern) {
            return Some(Reply::rejected(&rejection, id, false));
        }
        let text = "Invalid params: the client did not declare a capability that this call needs";
        let body = error(id, Code::InvalidParams.number(), &text, rejection.data().as_deref());
        Some(Reply::json(200, body))
    }
}
