//! Tickets: what was not minted is not opened.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::session::SessionTickets;

fuzz_target!(|input: &[u8]| {
    let tickets = SessionTickets::new(&[[7u8; 32]], 86_400).expect("a key");
    assert!(tickets.open(input, 1_800_000_000, None).is_none());
    assert!(tickets.open(input, 1_800_000_000, Some(b"somebody")).is_none());
});
