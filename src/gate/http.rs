//! H1 to H5 and the methods without a message: the HTTP envelope, before the body is looked at.

use crate::headers::{EVENT_STREAM, Field, Headers, JSON, Lines, accepts, is_json_body, is_uncoded};
use crate::table::Era;

use super::ladder::Climb;
use super::policy::{Accept, SessionMode};
use super::rejection::Allow;
use super::version::{Claim, Tail, header_of};
use super::{MessageKind, Rejection, VersionSource};

impl Climb<'_, '_> {
    /// H1 to H5 for a POST.
    pub(super) fn envelope(&self, http_method: &str, headers: &Headers<'_>) -> Result<(), Rejection> {
        self.origin_and_host(headers)?;
        if http_method != "POST" {
            return Err(Rejection::HttpMethod(self.gate().offered()));
        }
        let policy = self.gate().policy();
        if !is_json_body(headers.lines(Field::ContentType)) || !is_uncoded(headers.lines(Field::ContentEncoding)) {
            return Err(Rejection::MediaType);
        }
        if !covers(policy.accept, headers.lines(Field::Accept)) {
            return Err(Rejection::Accept);
        }
        if self.body().len() > policy.max_body_bytes {
            return Err(Rejection::TooLarge(policy.max_body_bytes));
        }
        Ok(())
    }

    /// H1: the other half of a DNS rebinding defence is the host's.
    ///
    /// Spec: 2025-11-25 basic/transports, Security Warning; 2026-07-28 basic/transports/streamable-http.
    fn origin_and_host(&self, headers: &Headers<'_>) -> Result<(), Rejection> {
        let policy = self.gate().policy();
        if let Some(allowed) = &policy.allowed_origins {
            let lines = headers.lines(Field::Origin);
            let listed = lines.first().is_none_or(|origin| allowed.iter().any(|one| **one == *origin));
            if lines.is_repeated() || !listed {
                return Err(Rejection::Origin);
            }
        }
        if let Some(allowed) = &policy.allowed_hosts {
            let lines = headers.lines(Field::Host);
            let listed = lines.first().is_some_and(|host| allowed.iter().any(|one| one.eq_ignore_ascii_case(host)));
            if lines.is_repeated() || !listed {
                return Err(Rejection::Host);
            }
        }
        Ok(())
    }

    /// GET opens a stream and DELETE ends a session, where a handshake revision is served and the mode offers them.
    ///
    /// Spec: 2025-11-25 basic/transports, Listening for Messages from the Server, Session Management.
    pub(super) fn without_message(&mut self, kind: MessageKind, headers: &Headers<'_>) -> Result<(), Rejection> {
        self.origin_and_host(headers)?;
        let offered = self.gate().offered();
        let is_offered = match kind {
            MessageKind::Stream => offered.get,
            _ => offered.delete,
        };
        if !is_offered {
            return Err(Rejection::HttpMethod(offered));
        }
        self.facts.kind = Some(kind);
        let header = header_of(self);
        // A modern revision has neither, whatever the session header says.
        let Tail::Legacy(said) = self.matrix(header, &Claim::Absent)?.tail() else {
            return Err(Rejection::HttpMethod(Allow::default()));
        };
        self.facts.era = Some(Era::Legacy);
        if kind == MessageKind::Stream {
            let accept = headers.lines(Field::Accept);
            if self.gate().policy().accept != Accept::Pass && !accepts(accept, EVENT_STREAM) {
                return Err(Rejection::AcceptStream);
            }
            self.facts.last_event_id = headers.lines(Field::LastEventId).first().map(Into::into);
        }
        self.look_up_session()?;
        self.session_rules()?;
        let (revision, source) = match (&self.facts.session, said) {
            (Some(session), _) => (session.revision(), VersionSource::Session),
            (None, Some(said)) => said,
            (None, None) => (self.served_assumption()?, VersionSource::Assumed),
        };
        self.settle(revision, source);
        self.note_sessions_client(revision);
        Ok(())
    }
}

/// Whether the client takes what the answer may be.
pub(super) fn covers(policy: Accept, accept: Lines<'_>) -> bool {
    match policy {
        Accept::Strict => {
            // What nearly every client sends; no later line takes it back.
            accept.first() == Some(b"application/json, text/event-stream")
                || (accepts(accept, JSON) && accepts(accept, EVENT_STREAM))
        }
        Accept::Lenient => accepts(accept, JSON) || accepts(accept, EVENT_STREAM),
        Accept::Pass => true,
    }
}

impl super::Gate {
    /// The HTTP methods that this gate offers.
    #[must_use]
    pub fn offered(&self) -> Allow {
        let policy = self.policy();
        let has_handshake = self.served().newest_handshake().is_some();
        match self.sessions() {
            _ if !has_handshake => Allow::default(),
            SessionMode::Stateless => Allow::default(),
            SessionMode::Backend => Allow { get: true, delete: true },
            SessionMode::Store => Allow { get: policy.legacy_stream, delete: policy.legacy_delete },
            SessionMode::Tickets => {
                Allow { get: policy.legacy_stream, delete: policy.legacy_delete && self.can_revoke() }
            }
        }
    }
}
