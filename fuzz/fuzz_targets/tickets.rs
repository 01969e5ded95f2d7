//! Tickets: what was not minted is not opened, what was minted opens as it was, and no other spelling of it does.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::session::{Session, SessionTickets};
use revcap::table::{ClientFeature, Revision};

const NOW: u64 = 1_800_000_000;

fuzz_target!(|input: &[u8]| {
    let tickets = SessionTickets::new(&[[7u8; 32]], 86_400).expect("a key");
    assert!(tickets.open(input, NOW, None).is_none());
    assert!(tickets.open(input, NOW, Some(b"somebody")).is_none());

    let [choice, place, bits, inner @ ..] = input else { return };
    let features = ClientFeature::from_bits_truncate(u32::from(*bits).into());
    let session = Session::with_features(Revision::ALL[usize::from(choice % 4)], Some(features)).expect("a handshake");
    let session = if inner.is_empty() { session } else { session.with_inner(inner) };
    let principal = (choice & 8 != 0).then_some(&inner[..inner.len().min(8)]);
    let Ok(ticket) = tickets.mint(&session, NOW, &[*bits; 16], principal) else {
        assert!(inner.len() > SessionTickets::MAX_INNER_BYTES);
        return;
    };
    assert!(ticket.len() <= SessionTickets::MAX_CHARS && ticket.bytes().all(|byte| byte.is_ascii_graphic()));
    assert_eq!(tickets.open(ticket.as_bytes(), NOW, principal).as_ref(), Some(&session));
    assert!(tickets.open(ticket.as_bytes(), NOW, Some(b"somebody else")).is_none());
    assert!(tickets.open(ticket.as_bytes(), NOW + 86_401, principal).is_none());
    let mut other = ticket.into_bytes();
    let at = usize::from(*place) % other.len();
    other[at] ^= 1 << (bits % 7);
    assert!(tickets.open(&other, NOW, principal).is_none());
});
