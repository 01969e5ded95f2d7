//! Tickets: mint one, open one.

use std::error::Error;
use std::fmt;
use std::iter;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::Session;
use super::format::{Facts, HEAD_BYTES, ID_BYTES, ISSUED_END, TAG_BYTES};
use super::key::TicketKey;

/// Signed session ids that carry the session themselves.
///
/// The first key mints, every key opens: to rotate, put the new key in front and drop the old one a lifetime later.
/// The keys cannot be read back, and are wiped when this is dropped.
///
/// ```
/// use revcap::session::{Session, SessionTickets};
/// use revcap::table::Revision;
///
/// # let (key, nonce) = ([1; 32], [2; 16]); // from the operator, and from the system's randomness
/// let tickets = SessionTickets::new(&[key], SessionTickets::DEFAULT_TTL_SECONDS)?;
/// let session = Session::new(Revision::V2025_06_18, None)?;
/// let ticket = tickets.mint(&session, 1_700_000_000, &nonce, Some(b"alice"))?;
/// assert_eq!(tickets.open(ticket.as_bytes(), 1_700_000_001, Some(b"alice")), Some(session));
/// assert_eq!(tickets.open(ticket.as_bytes(), 1_700_000_001, Some(b"bob")), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SessionTickets {
    minting: TicketKey,
    others: Box<[TicketKey]>,
    ttl_seconds: u64,
}

impl SessionTickets {
    /// A key has at least this many bytes.
    pub const MIN_KEY_BYTES: usize = 32;
    /// A nonce has at least this many bytes.
    pub const MIN_NONCE_BYTES: usize = 16;
    /// An inner value has at most this many bytes.
    pub const MAX_INNER_BYTES: usize = 256;
    /// A ticket without an inner value has exactly this many characters.
    pub const BARE_CHARS: usize = 64;
    /// A ticket has at most this many characters.
    pub const MAX_CHARS: usize = (MAX_BYTES * 4).div_ceil(3);
    /// How long a ticket lives unless said otherwise: a day.
    pub const DEFAULT_TTL_SECONDS: u64 = 86_400;
    /// How far ahead of this node's clock the minting node's may be, in seconds.
    pub const FUTURE_TOLERANCE_SECONDS: u64 = 60;

    /// Tickets under these keys, alive for `ttl_seconds` after they were issued.
    ///
    /// # Errors
    ///
    /// [`KeysError`] when there is no key, a key is short, or the lifetime is 0.
    pub fn new(keys: &[impl AsRef<[u8]>], ttl_seconds: u64) -> Result<Self, KeysError> {
        let (minting, others) = keys.split_first().ok_or(KeysError::NoKey)?;
        if let Some((place, key)) = keys.iter().enumerate().find(|(_, key)| key.as_ref().len() < Self::MIN_KEY_BYTES) {
            return Err(KeysError::ShortKey { place, bytes: key.as_ref().len() });
        }
        if ttl_seconds == 0 {
            return Err(KeysError::NoLifetime);
        }
        Ok(Self {
            minting: TicketKey::derive(minting.as_ref()),
            // The length is known, so the collection never grows and leaves no copy behind.
            others: others.iter().map(|key| TicketKey::derive(key.as_ref())).collect(),
            ttl_seconds,
        })
    }

    /// The lifetime in seconds.
    #[must_use]
    pub const fn ttl_seconds(&self) -> u64 {
        self.ttl_seconds
    }

    /// A ticket for `session`, its inner value included, issued at `now` (Unix seconds) to `principal` alone.
    ///
    /// `nonce` is fresh randomness of at least 16 bytes. None as the principal is a principal of its own.
    /// The ticket is visible ASCII: 64 characters, and at most 427 with an inner value.
    ///
    /// # Errors
    ///
    /// [`MintError`] when the nonce is short, the inner value long, or the time out of range.
    pub fn mint(
        &self,
        session: &Session,
        now: u64,
        nonce: &[u8],
        principal: Option<&[u8]>,
    ) -> Result<String, MintError> {
        let inner = session.inner();
        if nonce.len() < Self::MIN_NONCE_BYTES {
            return Err(MintError::ShortNonce { bytes: nonce.len() });
        }
        if let Some(bytes) = inner.map(<[u8]>::len).filter(|bytes| *bytes > Self::MAX_INNER_BYTES) {
            return Err(MintError::LongInner { bytes });
        }
        if now >= ISSUED_END {
            return Err(MintError::FarTime { now });
        }
        let key = &self.minting;
        let facts =
            Facts { key: key.id(), revision: session.revision(), client: session.client_features(), issued: now }
                .write();
        let id = key.name(nonce, principal, inner, &facts);

        let mut ticket = Vec::with_capacity(MAX_BYTES);
        ticket.extend_from_slice(&facts);
        ticket.extend_from_slice(&id);
        if let Some(inner) = inner {
            ticket.extend_from_slice(inner);
            let (head, text) = ticket.split_at_mut(HEAD_BYTES);
            let tag = key.seal(head, id, text).ok_or(MintError::Sealing)?;
            ticket.extend_from_slice(&tag);
        }
        let tag = key.sign(principal, &ticket);
        ticket.extend_from_slice(&tag);
        Ok(URL_SAFE_NO_PAD.encode(&ticket))
    }

    /// The session in `ticket`, presented by `principal` at `now` (Unix seconds).
    ///
    /// None, whatever is wrong with it: not a ticket, not of these keys, changed by a bit, minted for somebody else,
    /// expired, or from more than a minute ahead. The caller answers all of them alike.
    #[must_use]
    pub fn open(&self, ticket: &[u8], now: u64, principal: Option<&[u8]>) -> Option<Session> {
        self.check(ticket, now, principal).map(|(_, session)| session)
    }

    /// The same where tickets can be revoked: `revoked` is asked for each ticket that is otherwise good.
    ///
    /// # Errors
    ///
    /// What `revoked` failed with. Such a ticket is neither good nor unknown: the caller refuses it as its own fault.
    pub fn open_unless<E>(
        &self,
        ticket: &[u8],
        now: u64,
        principal: Option<&[u8]>,
        revoked: impl FnOnce(TicketId) -> Result<bool, E>,
    ) -> Result<Option<Session>, E> {
        match self.check(ticket, now, principal) {
            Some((id, session)) => Ok((!revoked(id)?).then_some(session)),
            None => Ok(None),
        }
    }

    /// The id by which `ticket` can be revoked; None where [`open`](Self::open) would refuse it.
    #[must_use]
    pub fn ticket_id(&self, ticket: &[u8], now: u64, principal: Option<&[u8]>) -> Option<TicketId> {
        self.check(ticket, now, principal).map(|(id, _)| id)
    }

    /// Everything but revocation. Nothing in the ticket is believed before its tag is.
    fn check(&self, ticket: &[u8], now: u64, principal: Option<&[u8]>) -> Option<(TicketId, Session)> {
        if !(Self::BARE_CHARS..=Self::MAX_CHARS).contains(&ticket.len()) {
            return None;
        }
        let mut buffer = [0; BUFFER_BYTES];
        // This alphabet refuses padding and stray bits at the end: a ticket has one spelling.
        let length = URL_SAFE_NO_PAD.decode_slice(ticket, &mut buffer).ok()?;
        let (signed, tag) = buffer.get(..length)?.split_last_chunk()?;
        let (head, sealed) = signed.split_at_checked(HEAD_BYTES)?;
        let (facts, id) = head.split_first_chunk()?;
        let facts = Facts::read(*facts)?;
        let id: [u8; ID_BYTES] = *id.first_chunk()?;

        // Which key it was is no secret. Two keys may share an id by chance, so every one of that id is asked.
        let mut named = iter::once(&self.minting).chain(&self.others).filter(|key| key.id() == facts.key);
        let key = named.find(|key| key.signed(principal, signed, tag))?;

        let alive = facts.issued <= now.saturating_add(Self::FUTURE_TOLERANCE_SECONDS)
            && now.saturating_sub(facts.issued) <= self.ttl_seconds;
        if !alive {
            return None;
        }
        let session = Session::with_features(facts.revision, facts.client).ok()?;
        let session = if sealed.is_empty() {
            session
        } else {
            let (text, tag) = sealed.split_last_chunk()?;
            let mut text: Arc<[u8]> = text.into();
            key.unseal(head, id, Arc::get_mut(&mut text)?, tag)?;
            session.with_inner(text)
        };
        Some((TicketId(id), session))
    }
}

/// The longest ticket, before Base64.
const MAX_BYTES: usize = HEAD_BYTES + SessionTickets::MAX_INNER_BYTES + 2 * TAG_BYTES;
/// The decoder wants whole groups of three.
const BUFFER_BYTES: usize = MAX_BYTES.next_multiple_of(3);
const _: () = assert!((HEAD_BYTES + TAG_BYTES) * 4 == SessionTickets::BARE_CHARS * 3);

/// How many keys, never which.
impl fmt::Debug for SessionTickets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionTickets")
            .field("keys", &(1 + self.others.len()))
            .field("ttl_seconds", &self.ttl_seconds)
            .finish_non_exhaustive()
    }
}

/// What names a ticket in a list of revoked ones; shown as 32 hexadecimal digits. It opens nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TicketId([u8; ID_BYTES]);

impl TicketId {
    /// The id as it stands in the ticket.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; ID_BYTES] {
        &self.0
    }
}

impl fmt::Display for TicketId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

/// Why there are no tickets under these keys. It never shows a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeysError {
    /// Not one key was given.
    NoKey,
    /// The key at `place`, from 0, has only so many bytes.
    ShortKey {
        /// Where it stands among the keys.
        place: usize,
        /// How long it is.
        bytes: usize,
    },
    /// A lifetime of 0 seconds.
    NoLifetime,
}

impl fmt::Display for KeysError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKey => write!(f, "tickets need at least one key"),
            Self::ShortKey { place, bytes } => {
                write!(f, "key {place} has {bytes} bytes; a key has at least {}", SessionTickets::MIN_KEY_BYTES)
            }
            Self::NoLifetime => write!(f, "a lifetime of 0 seconds; it is at least 1"),
        }
    }
}

impl Error for KeysError {}

/// Why no ticket was minted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MintError {
    /// The nonce has only so many bytes.
    ShortNonce {
        /// How long it is.
        bytes: usize,
    },
    /// The inner value has too many bytes.
    LongInner {
        /// How long it is.
        bytes: usize,
    },
    /// The time does not fit into a ticket.
    FarTime {
        /// The time, in seconds.
        now: u64,
    },
    /// The cipher refused; it has no reason to.
    Sealing,
}

impl fmt::Display for MintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShortNonce { bytes } => {
                write!(f, "a nonce of {bytes} bytes; it has at least {}", SessionTickets::MIN_NONCE_BYTES)
            }
            Self::LongInner { bytes } => {
                write!(f, "an inner value of {bytes} bytes; it has at most {}", SessionTickets::MAX_INNER_BYTES)
            }
            Self::FarTime { now } => write!(f, "{now} is no Unix time in seconds: it is below {ISSUED_END}"),
            Self::Sealing => write!(f, "the inner value could not be sealed"),
        }
    }
}

impl Error for MintError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ClientFeature, Revision};

    const NOW: u64 = 1_000;

    fn key() -> TicketKey {
        TicketKey::derive(&[1; 32])
    }

    fn facts() -> Facts {
        Facts { key: key().id(), revision: Revision::V2025_06_18, client: None, issued: NOW }
    }

    /// What opens when the holder of the key itself signs these bytes.
    fn opened(ticket: &[u8]) -> Option<Session> {
        let signed = [ticket, &key().sign(None, ticket)].concat();
        let tickets = SessionTickets { minting: key(), others: Box::default(), ttl_seconds: 1 };
        tickets.open(URL_SAFE_NO_PAD.encode(signed).as_bytes(), NOW, None)
    }

    fn head(facts: [u8; 16]) -> Vec<u8> {
        [facts, [0; 16]].concat()
    }

    #[test]
    fn a_signature_alone_makes_no_ticket() {
        assert!(opened(&head(facts().write())).is_some());
        for place in 0..=u8::MAX {
            let mut of_format = facts().write();
            of_format[0] = place;
            assert_eq!(opened(&head(of_format)).is_some(), place == 1, "format {place}");
            let mut of_revision = facts().write();
            of_revision[5] = place;
            let known = Revision::ALL.get(usize::from(place));
            let session = known.and_then(|revision| Session::with_features(*revision, None).ok());
            assert_eq!(opened(&head(of_revision)), session, "revision {place}");
        }
        for length in 0..32 {
            assert_eq!(opened(&head(facts().write())[..length]), None);
        }
        for length in 1..=300 {
            assert_eq!(opened(&[head(facts().write()), vec![0; length]].concat()), None, "{length} bytes, not sealed");
        }
    }

    #[test]
    fn a_seal_holds_under_its_own_head_alone() {
        let seal = |sealed_under: &[u8], id| {
            let mut text = *b"inner";
            let tag = key().seal(sealed_under, id, &mut text).unwrap();
            [&text[..], &tag].concat()
        };
        let here = head(facts().write());
        let there = head(Facts { issued: NOW - 1, ..facts() }.write());
        let inner = |sealed: Vec<u8>| opened(&[&here[..], &sealed].concat()).map(|it| it.inner().map(<[u8]>::to_vec));
        assert_eq!(inner(seal(&here, [0; 16])), Some(Some(b"inner".to_vec())));
        assert_eq!(inner(seal(&there, [0; 16])), None);
        assert_eq!(inner(seal(&here, [1; 16])), None);
    }

    #[test]
    fn a_bit_of_a_later_release_reads_as_not_declared() {
        let mut later = Facts { client: Some(ClientFeature::ROOTS), ..facts() }.write();
        later[6] |= 0x40;
        let session = opened(&head(later)).unwrap();
        assert_eq!(session.client_features(), Some(ClientFeature::ROOTS));
    }

    #[test]
    fn keys_that_share_an_id_by_chance_both_open() {
        let mut tickets = SessionTickets::new(&[[1; 32], [2; 32], [3; 32]], 1).unwrap();
        let session = Session::with_features(Revision::V2025_06_18, None).unwrap();
        for key in &mut tickets.others {
            *key = key.renamed(tickets.minting.id());
        }
        for place in 0..3 {
            let ticket = tickets.mint(&session, NOW, &[0; 16], None).unwrap();
            assert_eq!(tickets.open(ticket.as_bytes(), NOW, None), Some(session.clone()));
            if let Some(other) = tickets.others.get_mut(place) {
                std::mem::swap(&mut tickets.minting, other);
            }
        }
        let foreign = TicketKey::derive(&[4; 32]).renamed(tickets.minting.id());
        let foreign = SessionTickets { minting: foreign, others: Box::default(), ttl_seconds: 1 };
        let ticket = foreign.mint(&session, NOW, &[0; 16], None).unwrap();
        assert_eq!(tickets.open(ticket.as_bytes(), NOW, None), None);
    }
}
