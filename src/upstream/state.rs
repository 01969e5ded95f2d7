//! How far a handshake has come; small enough to be sealed in a ticket.

use std::fmt;

use crate::headers::is_visible;
use crate::table::{Era, Revision};

/// Where the handshake with a backend stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing was settled: `initialize` is due.
    New,
    /// The backend answered; `notifications/initialized` is due.
    Greeted,
    /// Requests may go.
    Open,
}

/// The state of a session with a handshake backend. Hold it, pickle it, or seal it; it is made by the session alone.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionState {
    pub(super) phase: Phase,
    /// The revision to ask for, then the settled one.
    pub(super) revision: Revision,
    /// The backend's id for the session; none where it gave none.
    pub(super) id: Option<Box<[u8]>>,
    /// Why there will be no session.
    pub(super) failure: Option<Failure>,
}

/// Why a handshake failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// There was no answer that is one; the HTTP status of what came, if anything came.
    Unanswered(Option<u16>),
    /// The backend refused with this code.
    Refused(i64),
    /// It answered a version that is not spoken here; cut and printable.
    Version(Box<str>),
    /// Its session id is none: not visible ASCII, or several.
    SessionId,
    /// It did not take the notification that ends the handshake.
    NotInitialized,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unanswered(None) => f.write_str("initialize was not answered"),
            Self::Unanswered(Some(status)) => write!(f, "initialize was answered by HTTP {status} without a result"),
            Self::Refused(code) => write!(f, "initialize was refused with error {code}"),
            Self::Version(version) => write!(f, "the backend settled on version {version:?}, which is not spoken here"),
            Self::SessionId => f.write_str("the backend's session id is not one line of visible ASCII"),
            Self::NotInitialized => f.write_str("the backend did not accept the end of the handshake"),
        }
    }
}

/// A session id that is too long to be sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealError {
    /// The id's length in bytes.
    pub bytes: usize,
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the backend's session id has {} bytes, and a ticket's inner value holds {}; keep the state in a store",
            self.bytes,
            SessionState::MAX_ID_BYTES
        )
    }
}

impl std::error::Error for SealError {}

const FORMAT: u8 = 1;
const HEAD_BYTES: usize = 3;

impl SessionState {
    /// The longest state, in bytes: what a ticket's inner value holds.
    pub const MAX_BYTES: usize = crate::session::SessionTickets::MAX_INNER_BYTES;
    /// The longest session id that fits, in bytes.
    pub const MAX_ID_BYTES: usize = Self::MAX_BYTES - HEAD_BYTES;

    pub(super) const fn new(revision: Revision) -> Self {
        Self { phase: Phase::New, revision, id: None, failure: None }
    }

    /// The state as bytes that fit a ticket's inner value: at most [`SessionState::MAX_BYTES`].
    ///
    /// # Errors
    ///
    /// [`SealError`]: the backend's session id is too long.
    pub fn sealed(&self) -> Result<Vec<u8>, SealError> {
        let bytes = self.to_bytes();
        if bytes.len() > Self::MAX_BYTES {
            return Err(SealError { bytes: self.id.as_deref().map_or(0, <[u8]>::len) });
        }
        Ok(bytes)
    }

    /// The state as bytes, however long the backend's session id is.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (code, http): ([u8; 8], [u8; 2]);
        let (tag, rest): (u8, &[u8]) = match (&self.failure, self.phase) {
            (None, Phase::New) => (0, &[]),
            (None, Phase::Greeted) => (1, self.id.as_deref().unwrap_or_default()),
            (None, Phase::Open) => (2, self.id.as_deref().unwrap_or_default()),
            (Some(Failure::Unanswered(status)), _) => {
                http = status.unwrap_or(0).to_be_bytes();
                (3, &http)
            }
            (Some(Failure::Refused(number)), _) => {
                code = number.to_be_bytes();
                (4, &code)
            }
            (Some(Failure::Version(version)), _) => (5, version.as_bytes()),
            (Some(Failure::SessionId), _) => (6, &[]),
            (Some(Failure::NotInitialized), _) => (7, &[]),
        };
        #[expect(clippy::cast_possible_truncation, reason = "a place among a handful of revisions")]
        let mut out = vec![FORMAT, tag, self.revision.index() as u8];
        out.extend_from_slice(rest);
        out
    }

    /// The state that [`SessionState::to_bytes`] wrote; none for any other bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&[FORMAT, tag, revision], rest) = bytes.split_first_chunk::<HEAD_BYTES>()? else { return None };
        let revision = *Revision::ALL.get(usize::from(revision))?;
        if revision.era() != Era::Legacy {
            return None;
        }
        let failure = match tag {
            0 | 6 | 7 if !rest.is_empty() => return None,
            0..=2 => None,
            3 => {
                let status = u16::from_be_bytes(rest.try_into().ok()?);
                Some(Failure::Unanswered((status != 0).then_some(status)))
            }
            4 => Some(Failure::Refused(i64::from_be_bytes(rest.try_into().ok()?))),
            5 => Some(Failure::Version(std::str::from_utf8(rest).ok()?.into())),
            6 => Some(Failure::SessionId),
            7 => Some(Failure::NotInitialized),
            _ => return None,
        };
        let (phase, id) = match tag {
            1 => (Phase::Greeted, rest),
            2 => (Phase::Open, rest),
            _ => (Phase::New, &[][..]),
        };
        let id: Option<Box<[u8]>> = (!id.is_empty()).then(|| id.into());
        id.as_deref().is_none_or(is_visible).then_some(Self { phase, revision, id, failure })
    }
}

/// Without the session id, which opens the session.
impl fmt::Debug for SessionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionState")
            .field("phase", &self.phase)
            .field("revision", &self.revision)
            .field("has_id", &self.id.is_some())
            .field("failure", &self.failure)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(phase: Phase, id: Option<&[u8]>) -> SessionState {
        SessionState { phase, revision: Revision::ALL[0], id: id.map(Into::into), failure: None }
    }

    #[test]
    fn a_state_comes_back_as_it_was() {
        let long = [b'x'; SessionState::MAX_ID_BYTES];
        for (phase, id) in [
            (Phase::New, None),
            (Phase::Greeted, None),
            (Phase::Greeted, Some(b"s".as_slice())),
            (Phase::Open, None),
            (Phase::Open, Some(long.as_slice())),
        ] {
            let state = state(phase, id);
            assert_eq!(SessionState::from_bytes(&state.sealed().unwrap()), Some(state));
        }
        for failure in [
            Failure::Unanswered(None),
            Failure::Unanswered(Some(401)),
            Failure::Refused(-32022),
            Failure::Version("x".repeat(64).into()),
            Failure::SessionId,
            Failure::NotInitialized,
        ] {
            let state = SessionState { failure: Some(failure), ..SessionState::new(Revision::ALL[0]) };
            assert_eq!(SessionState::from_bytes(&state.sealed().unwrap()), Some(state));
        }
    }

    #[test]
    fn other_bytes_are_no_state() {
        let modern = Revision::ALL.iter().find(|revision| revision.era() == Era::Modern).unwrap().index();
        let modern = u8::try_from(modern).unwrap();
        for bytes in [
            b"".as_slice(),
            &[1],
            &[1, 2],
            &[0, 2, 0],
            &[2, 2, 0],
            &[1, 8, 0],
            &[1, 2, modern],
            &[1, 2, 200],
            &[1, 0, 0, b's'],
            &[1, 2, 0, b' '],
            &[1, 2, 0, b'\n'],
            &[1, 3, 0, 0],
            &[1, 6, 0, 0],
            &[1, 4, 0, 0],
            &[1, 5, 0, 0xFF],
        ] {
            assert_eq!(SessionState::from_bytes(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn an_id_that_no_ticket_holds_is_named_and_kept_elsewhere() {
        let state = state(Phase::Open, Some(&[b'x'; 254]));
        let error = state.sealed().unwrap_err();
        let said = error.to_string();
        assert!(said.contains("254 bytes") && said.contains("holds 253"), "{said}");
        assert_eq!(SessionState::from_bytes(&state.to_bytes()), Some(state));
    }

    #[test]
    fn nobody_reads_the_id_in_a_log() {
        let said = format!("{:?}", state(Phase::Open, Some(b"secret")));
        assert!(said.contains("phase: Open") && said.contains("has_id: true"), "{said}");
        assert!(!said.contains("secret"));
    }
}
