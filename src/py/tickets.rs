//! `revcap.SessionTickets`: keys, times and principals from Python, and the caller's look-up for revoked tickets.

use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyFloat, PyInt, PyString};
use zeroize::Zeroizing;

use super::errors::{RevcapError, refused};
use super::policy::shown;
use super::session::Session;
use crate::session as core;

/// Signed session ids that carry the session themselves, so that any node with the keys can read one.
///
/// Args:
///     keys: At least one key of at least 32 random bytes. The first one mints, every one opens.
///     ttl: The lifetime of a ticket in seconds.
///     revoked: Called with the id of each ticket that is otherwise valid; returns True or False. None: tickets end by
///         their age alone, and DELETE is 405.
///
/// Raises:
///     RevcapError: There is no key, a key is short, or ttl is not positive.
#[pyclass(frozen, module = "revcap")]
pub(super) struct SessionTickets {
    core: core::SessionTickets,
    keys: usize,
    revoked: Option<Py<PyAny>>,
}

#[pymethods]
impl SessionTickets {
    #[new]
    #[pyo3(signature = (keys, ttl = Lifetime::default(), revoked = None), text_signature = "(keys, ttl=86400, revoked=None)")]
    fn new(keys: &Bound<'_, PyAny>, ttl: Lifetime, revoked: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let keys = secrets(keys)?;
        let core = core::SessionTickets::new(&keys, ttl.0).map_err(refused)?;
        match revoked {
            Some(other) if !other.is_callable() => Err(wrong_type("revoked must be a callable or None", &other)),
            revoked => Ok(Self { core, keys: keys.len(), revoked: revoked.map(Bound::unbind) }),
        }
    }

    /// The lifetime of a ticket in seconds.
    #[getter]
    const fn ttl(&self) -> u64 {
        self.core.ttl_seconds()
    }

    /// Whether a ticket can be ended before its time, which is what makes DELETE an offer.
    #[getter]
    pub(super) const fn revocable(&self) -> bool {
        self.revoked.is_some()
    }

    /// A ticket for the session.
    ///
    /// Args:
    ///     session: What the handshake settled.
    ///     now: Unix seconds.
    ///     nonce: At least 16 bytes of fresh randomness.
    ///     principal: Whom it is for; no one else can use it. None is a principal of its own.
    ///     inner: Up to 256 bytes, sealed; None: the session's own, if it has one.
    ///
    /// Returns:
    ///     64 visible ASCII characters; up to 427 with an inner value.
    ///
    /// Raises:
    ///     RevcapError: The nonce is short, the inner value long, or the time none.
    #[pyo3(signature = (session, *, now, nonce, principal = None, inner = None))]
    fn mint(
        &self,
        session: &Session,
        now: UnixSeconds,
        nonce: &Bound<'_, PyBytes>,
        principal: Option<Principal<'_>>,
        inner: Option<&Bound<'_, PyBytes>>,
    ) -> PyResult<String> {
        let mint = |session| self.core.mint(session, now.0, nonce.as_bytes(), principal.map(|it| it.0));
        let ticket = match inner {
            Some(inner) => mint(&session.core().clone().with_inner(inner.as_bytes())),
            None => mint(session.core()),
        };
        ticket.map_err(refused)
    }

    /// The session in a ticket, or None, whatever is wrong with it.
    ///
    /// Args:
    ///     ticket: What the client sent.
    ///     now: Unix seconds.
    ///     principal: Who sent it.
    #[pyo3(signature = (ticket, *, now, principal = None))]
    fn open(
        &self,
        py: Python<'_>,
        ticket: TicketText<'_>,
        now: UnixSeconds,
        principal: Option<Principal<'_>>,
    ) -> PyResult<Option<Session>> {
        Ok(open_ticket(py, self, ticket.0, now.0, principal.map(|it| it.0))?.map(Session::of))
    }

    /// The id by which a ticket can be revoked, 32 hexadecimal digits, or None where it does not open.
    ///
    /// Args:
    ///     ticket: What the client sent. It may be revoked already.
    ///     now: Unix seconds.
    ///     principal: Who sent it.
    #[pyo3(signature = (ticket, *, now, principal = None))]
    fn ticket_id(&self, ticket: TicketText<'_>, now: UnixSeconds, principal: Option<Principal<'_>>) -> Option<String> {
        self.core.ticket_id(ticket.0, now.0, principal.map(|it| it.0)).map(|id| id.to_string())
    }

    fn __repr__(&self) -> String {
        let keys = if self.keys == 1 { "1 key".to_owned() } else { format!("{} keys", self.keys) };
        let revocable = if self.revocable() { "True" } else { "False" };
        format!("SessionTickets(<{keys}>, ttl={}, revocable={revocable})", self.ttl())
    }

    /// The look-up often belongs to the object that holds these tickets.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.revoked)
    }
}

/// What the gate asks: the session in `text`, presented by `principal` at `now` (Unix seconds), or None.
///
/// # Errors
///
/// Whatever the caller's `revoked` raised, which tells nothing about the ticket: the gate's answer is `internal`.
pub(super) fn open_ticket(
    py: Python<'_>,
    tickets: &SessionTickets,
    text: &[u8],
    now: u64,
    principal: Option<&[u8]>,
) -> PyResult<Option<core::Session>> {
    tickets.core.open_unless(text, now, principal, |id| {
        let Some(revoked) = &tickets.revoked else {
            return Ok(false);
        };
        let answer = revoked.bind(py).call1((id.to_string(),))?;
        // A coroutine is true: taken for an answer, it would revoke every ticket.
        let answer = answer.cast::<PyBool>().map_err(|_| wrong_type("revoked must return True or False", &answer))?;
        Ok(answer.is_true())
    })
}

/// The keys of an iterable, never shown; copies that are ours are wiped.
fn secrets<'py>(keys: &Bound<'py, PyAny>) -> PyResult<Vec<Secret<'py>>> {
    if keys.is_instance_of::<PyBytes>() || keys.is_instance_of::<PyByteArray>() || keys.is_instance_of::<PyString>() {
        return Err(wrong_type("keys must be a list of keys", keys));
    }
    let keys = keys.try_iter().map_err(|_| wrong_type("keys must be a list of keys", keys))?;
    keys.map(|key| {
        let key = key?;
        match key.cast_into::<PyBytes>() {
            Ok(bytes) => Ok(Secret::Shared(bytes)),
            Err(other) => match other.into_inner().cast_into::<PyByteArray>() {
                Ok(bytes) => Ok(Secret::Copied(Zeroizing::new(bytes.to_vec()))),
                Err(other) => Err(wrong_type("a key must be bytes", &other.into_inner())),
            },
        }
    })
    .collect()
}

enum Secret<'py> {
    Shared(Bound<'py, PyBytes>),
    Copied(Zeroizing<Vec<u8>>),
}

impl AsRef<[u8]> for Secret<'_> {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Shared(bytes) => bytes.as_bytes(),
            Self::Copied(bytes) => bytes,
        }
    }
}

/// A lifetime in seconds.
#[derive(Clone, Copy)]
struct Lifetime(u64);

impl Default for Lifetime {
    fn default() -> Self {
        Self(core::SessionTickets::DEFAULT_TTL_SECONDS)
    }
}

impl<'py> FromPyObject<'_, 'py> for Lifetime {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyBool>() || !value.is_instance_of::<PyInt>() {
            return Err(wrong_type("ttl must be an int of seconds", &value));
        }
        match value.extract() {
            Ok(seconds @ 1..) => Ok(Self(seconds)),
            _ => Err(RevcapError::new_err(format!("ttl must be 1 second or more, not {}", shown(&value)))),
        }
    }
}

/// A time that the caller passes: Unix seconds as an int, or as the float of `time.time()`, cut to the second.
#[derive(Clone, Copy)]
pub(super) struct UnixSeconds(pub(super) u64);

impl<'py> FromPyObject<'_, 'py> for UnixSeconds {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let unfit = || RevcapError::new_err(format!("now must be Unix seconds, 0 or later, not {}", shown(&value)));
        if let Ok(seconds) = value.cast::<PyFloat>() {
            let seconds = seconds.value();
            // Beyond the exact integers of a float lies no time that anybody means.
            if !(0.0..9.0e15).contains(&seconds) {
                return Err(unfit());
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "within range, cut to the second"
            )]
            return Ok(Self(seconds as u64));
        }
        if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
            return value.extract().map(Self).map_err(|_| unfit());
        }
        Err(wrong_type("now must be Unix seconds as an int or a float", &value))
    }
}

/// Who presents a ticket: bytes, or text that stands for its UTF-8 bytes.
#[derive(Clone, Copy)]
pub(super) struct Principal<'a>(pub(super) &'a [u8]);

impl<'a, 'py> FromPyObject<'a, 'py> for Principal<'a> {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyString>() {
            let text = value.extract::<&'a str>();
            return text.map(|text| Self(text.as_bytes())).map_err(|_| {
                RevcapError::new_err(format!("principal must be text that has a UTF-8 form, not {}", shown(&value)))
            });
        }
        value.extract().map(Self).map_err(|_| wrong_type("principal must be a str, bytes or None", &value))
    }
}

/// What a client sent as its session id. Text that no header can carry is no ticket.
#[derive(Clone, Copy)]
struct TicketText<'a>(&'a [u8]);

impl<'a, 'py> FromPyObject<'a, 'py> for TicketText<'a> {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyString>() {
            return Ok(Self(value.extract::<&'a str>().unwrap_or_default().as_bytes()));
        }
        value.extract().map(Self).map_err(|_| wrong_type("ticket must be a str or bytes", &value))
    }
}

/// Names the type of what was given and nothing of its value, which may be a secret.
fn wrong_type(expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    match given.get_type().qualname() {
        Ok(name) => PyTypeError::new_err(format!("{expected}, not {name}")),
        Err(error) => error,
    }
}
