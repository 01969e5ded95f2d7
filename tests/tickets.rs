//! Session tickets from outside: what opens, what does not, and what they look like.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a fixture that does not hold fails its test")]

use std::collections::HashSet;
use std::sync::Arc;

use base64::Engine;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, URL_SAFE, URL_SAFE_NO_PAD};
use revcap::capabilities::ClientCapabilities;
use revcap::session::{KeysError, MintError, NoHandshake, Session, SessionTickets};
use revcap::table::{ClientFeature, Era, Revision};

const DAY: u64 = SessionTickets::DEFAULT_TTL_SECONDS;
const NOW: u64 = 1_785_000_000;
const KEY: [u8; 32] = *b"an example key that is no secret";
const OTHER_KEY: [u8; 32] = *b"another key, no secret as before";

fn tickets(keys: &[[u8; 32]]) -> SessionTickets {
    SessionTickets::new(keys, DAY).unwrap()
}

fn handshake_revisions() -> impl Iterator<Item = Revision> {
    Revision::ALL.iter().copied().filter(|revision| revision.era() == Era::Legacy)
}

fn a_session() -> Session {
    Session::with_features(Revision::V2025_06_18, Some(ClientFeature::ELICITATION | ClientFeature::ELICITATION_FORM))
        .unwrap()
}

fn opened(tickets: &SessionTickets, ticket: &str, now: u64, principal: Option<&[u8]>) -> Option<Session> {
    tickets.open(ticket.as_bytes(), now, principal)
}

/// Numbers that look random and are the same on every run (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.next().to_le_bytes()[0])
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }

    /// A session of any handshake revision and any bits; one in so many has an inner value of any length.
    fn session(&mut self, one_in: usize) -> Session {
        let revisions: Vec<_> = handshake_revisions().collect();
        let revision = revisions[self.below(revisions.len())];
        let declared = ClientFeature::from_bits_truncate(u32::from_le_bytes(self.bytes()));
        let session = Session::with_features(revision, (self.below(8) > 0).then_some(declared)).unwrap();
        match self.below(one_in) {
            0 => {
                let inner = self.bytes::<256>();
                let length = self.below(257);
                session.with_inner(&inner[..length])
            }
            _ => session,
        }
    }
}

#[test]
fn the_tickets_of_the_first_release_open_for_good() {
    let keys = tickets(&[KEY]);
    let everything = Session::with_features(Revision::V2025_11_25, Some(ClientFeature::all())).unwrap();
    for (session, now, principal, ticket) in [
        (a_session(), NOW, None, "AUC8Yb4CgAABgAAAamTwQMwe0D4rGRDWrIUBNg3qh66A6hbjh1XTKG0gRuoilWMQ"),
        (everything, NOW, Some(&b"alice"[..]), "AUC8Yb4DgAD__wAAamTwQFbLQYZXiZnWcw269ExGNwiLcC_moB9fmtKWh6qLf8eD"),
        (
            Session::with_features(Revision::V2024_11_05, None).unwrap(),
            0,
            Some(&b""[..]),
            "AUC8Yb4AAAAAAAAAAAAAAJ-sT05CVlQdrSwkDT924MtG0COHo6T-Ga-4r4cbkM7F",
        ),
        (
            Session::with_features(Revision::V2025_03_26, Some(ClientFeature::empty()))
                .unwrap()
                .with_inner(*b"backend-1"),
            NOW,
            Some(&b"alice"[..]),
            "AUC8Yb4BgAAAAAAAamTwQNJyPEwrIMauyso4yL0NHK8X3GDiOB7Y3Bm58cLQLaTw6KNzkky6wo7iYyT3UqaKr3zEK5ayjvBdRw",
        ),
    ] {
        assert_eq!(keys.mint(&session, now, b"sixteen bytes ok", principal).unwrap(), ticket);
        assert_eq!(opened(&keys, ticket, now, principal), Some(session));
    }
}

#[test]
fn each_client_bit_has_its_place_in_the_ticket() {
    let keys = tickets(&[KEY]);
    let places = [
        ClientFeature::EXPERIMENTAL,
        ClientFeature::EXTENSIONS,
        ClientFeature::ROOTS,
        ClientFeature::ROOTS_LIST_CHANGED,
        ClientFeature::SAMPLING,
        ClientFeature::SAMPLING_TOOLS,
        ClientFeature::SAMPLING_CONTEXT,
        ClientFeature::ELICITATION,
        ClientFeature::ELICITATION_FORM,
        ClientFeature::ELICITATION_URL,
        ClientFeature::TASKS,
        ClientFeature::TASKS_LIST,
        ClientFeature::TASKS_CANCEL,
        ClientFeature::TASKS_SAMPLING,
        ClientFeature::TASKS_ELICITATION,
        ClientFeature::TASKS_EXTENSION,
    ];
    for (place, feature) in places.into_iter().enumerate() {
        let session = Session::with_features(Revision::V2025_11_25, Some(feature)).unwrap();
        let ticket = keys.mint(&session, NOW, &[0; 16], None).unwrap();
        let bytes = URL_SAFE_NO_PAD.decode(ticket).unwrap();
        assert_eq!(bytes[6..10], (1_u32 << 31 | 1 << place).to_be_bytes(), "{feature:?}");
    }
    for (place, revision) in handshake_revisions().enumerate() {
        let ticket = keys.mint(&Session::with_features(revision, None).unwrap(), NOW, &[0; 16], None).unwrap();
        let bytes = URL_SAFE_NO_PAD.decode(ticket).unwrap();
        assert_eq!((usize::from(bytes[5]), &bytes[6..10]), (place, &[0; 4][..]));
    }
}

#[test]
fn whatever_is_minted_opens_to_the_same_session() {
    let keys = tickets(&[KEY]);
    let mut numbers = Numbers(1);
    for _ in 0..2_000 {
        let session = numbers.session(2);
        let principal = numbers.bytes::<24>();
        let length = numbers.below(25);
        let principal = (numbers.below(2) == 0).then_some(&principal[..length]);
        let now = numbers.next() >> 16;
        let ticket = keys.mint(&session, now, &numbers.bytes::<16>(), principal).unwrap();
        assert_eq!(opened(&keys, &ticket, now, principal), Some(session));
    }
}

#[test]
fn a_ticket_fits_its_bounds_and_is_visible_ascii() {
    let keys = tickets(&[KEY]);
    for (inner, chars) in [(None, 64), (Some(0), 86), (Some(1), 87), (Some(36), 134), (Some(256), 427)] {
        let session = match inner {
            Some(length) => a_session().with_inner(vec![0xff; length]),
            None => a_session(),
        };
        let ticket = keys.mint(&session, NOW, &[0; 16], Some(&[b'p'; 10_000])).unwrap();
        assert_eq!(ticket.len(), chars);
        assert!(ticket.bytes().all(|byte| byte.is_ascii_graphic()));
        assert_eq!(opened(&keys, &ticket, NOW, Some(&[b'p'; 10_000])), Some(session));
    }
    assert_eq!((SessionTickets::BARE_CHARS, SessionTickets::MAX_CHARS), (64, 427));
}

#[test]
fn an_empty_inner_value_is_not_an_absent_one() {
    let keys = tickets(&[KEY]);
    let ticket = keys.mint(&a_session().with_inner([]), NOW, &[0; 16], None).unwrap();
    assert_eq!(opened(&keys, &ticket, NOW, None).unwrap().inner(), Some(&[][..]));
}

#[test]
fn an_inner_value_cannot_be_seen_in_the_ticket() {
    let keys = tickets(&[KEY]);
    let inner = [0xab; 64];
    let ticket = keys.mint(&a_session().with_inner(inner), NOW, &[0; 16], None).unwrap();
    let bytes = URL_SAFE_NO_PAD.decode(ticket).unwrap();
    assert!(!bytes.windows(4).any(|window| window == &inner[..4]));
}

#[test]
fn every_single_bit_flip_of_a_thousand_tickets_is_refused() {
    let keys = tickets(&[KEY, OTHER_KEY]);
    let mut numbers = Numbers(2);
    for _ in 0..1_000 {
        let session = numbers.session(10);
        let ticket = keys.mint(&session, NOW, &numbers.bytes::<16>(), None).unwrap().into_bytes();
        assert_eq!(keys.open(&ticket, NOW, None), Some(session));
        for bit in 0..ticket.len() * 8 {
            let mut flipped = ticket.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(keys.open(&flipped, NOW, None), None, "bit {bit} of the text");
        }
        let bytes = URL_SAFE_NO_PAD.decode(&ticket).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let text = URL_SAFE_NO_PAD.encode(flipped);
            assert_eq!(opened(&keys, &text, NOW, None), None, "bit {bit} of the bytes");
        }
    }
}

#[test]
fn a_ticket_that_is_cut_or_continued_is_refused() {
    let keys = tickets(&[KEY]);
    for session in [a_session(), a_session().with_inner(*b"backend-1"), a_session().with_inner([7; 256])] {
        let ticket = keys.mint(&session, NOW, &[0; 16], None).unwrap();
        for end in 0..ticket.len() {
            assert_eq!(opened(&keys, &ticket[..end], NOW, None), None);
            assert_eq!(opened(&keys, &ticket[end + 1..], NOW, None), None);
        }
        let bytes = URL_SAFE_NO_PAD.decode(&ticket).unwrap();
        for end in 0..bytes.len() {
            assert_eq!(opened(&keys, &URL_SAFE_NO_PAD.encode(&bytes[..end]), NOW, None), None);
        }
        for more in ["A", "=", "==", "AAAA", " ", "\0", &"A".repeat(1_000), &ticket] {
            assert_eq!(opened(&keys, &format!("{ticket}{more}"), NOW, None), None);
            assert_eq!(opened(&keys, &format!("{more}{ticket}"), NOW, None), None);
        }
    }
}

#[test]
fn a_ticket_has_one_spelling() {
    let keys = tickets(&[KEY]);
    let loose = GeneralPurpose::new(
        &alphabet::URL_SAFE,
        GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let mut alternatives = 0;
    for length in 0..=8 {
        let ticket = keys.mint(&a_session().with_inner(vec![1; length]), NOW, &[0; 16], None).unwrap();
        let bytes = URL_SAFE_NO_PAD.decode(&ticket).unwrap();
        // Every other last character, some of which a loose reader takes for the same bytes.
        let (start, last) = ticket.split_at(ticket.len() - 1);
        for character in (0x21..=0x7e).map(char::from).filter(|character| !last.contains(*character)) {
            let spelling = format!("{start}{character}");
            alternatives += usize::from(loose.decode(&spelling).is_ok_and(|read| read == bytes));
            assert_eq!(opened(&keys, &spelling, NOW, None), None, "{spelling}");
        }
        let padded = URL_SAFE.encode(&bytes);
        assert_eq!(opened(&keys, &padded, NOW, None).is_some(), padded == ticket);
        let standard = ticket.replace('-', "+").replace('_', "/");
        assert_eq!(opened(&keys, &standard, NOW, None).is_some(), standard == ticket);
        for place in 0..=ticket.len() {
            for stray in ["\n", " ", "=", "\r\n"] {
                let mut spelling = ticket.clone();
                spelling.insert_str(place, stray);
                assert_eq!(opened(&keys, &spelling, NOW, None), None);
            }
        }
    }
    // A last character has two or four bits to spare in two of three lengths.
    assert_eq!(alternatives, 3 * 3 + 3 * 15);
}

#[test]
fn what_was_never_a_ticket_is_refused() {
    let keys = tickets(&[KEY]);
    let mut numbers = Numbers(3);
    for length in 0..600 {
        let bytes: Vec<u8> = (0..length).map(|_| numbers.bytes::<1>()[0]).collect();
        assert_eq!(keys.open(&bytes, NOW, None), None);
        assert_eq!(opened(&keys, &URL_SAFE_NO_PAD.encode(bytes), NOW, None), None);
        assert_eq!(opened(&keys, &"A".repeat(length), NOW, None), None);
    }
}

#[test]
fn a_ticket_lives_its_lifetime_to_the_second() {
    let keys = SessionTickets::new(&[KEY], 100).unwrap();
    assert_eq!(keys.ttl_seconds(), 100);
    let ticket = keys.mint(&a_session(), 1_000, &[0; 16], None).unwrap();
    for (now, alive) in [(939, false), (940, true), (1_000, true), (1_100, true), (1_101, false), (u64::MAX, false)] {
        assert_eq!(opened(&keys, &ticket, now, None).is_some(), alive, "at {now}");
        assert_eq!(keys.ticket_id(ticket.as_bytes(), now, None).is_some(), alive, "at {now}");
    }
    assert_eq!(opened(&keys, &ticket, 0, None), None);
}

#[test]
fn the_lifetime_is_the_readers() {
    let ticket = tickets(&[KEY]).mint(&a_session(), NOW, &[0; 16], None).unwrap();
    let brief = SessionTickets::new(&[KEY], 1).unwrap();
    let endless = SessionTickets::new(&[KEY], u64::MAX).unwrap();
    assert_eq!(opened(&brief, &ticket, NOW + 2, None), None);
    assert_eq!(opened(&endless, &ticket, u64::MAX, None), Some(a_session()));
}

#[test]
fn times_at_the_ends_of_the_range_are_read_as_they_are() {
    let keys = tickets(&[KEY]);
    let last = (1 << 48) - 1;
    for now in [0, 1, 59, last] {
        let ticket = keys.mint(&a_session(), now, &[0; 16], None).unwrap();
        assert_eq!(opened(&keys, &ticket, now, None), Some(a_session()));
    }
    for now in [last + 1, u64::MAX] {
        assert_eq!(keys.mint(&a_session(), now, &[0; 16], None), Err(MintError::FarTime { now }));
    }
}

#[test]
fn a_ticket_is_its_principals_alone() {
    let keys = tickets(&[KEY]);
    let long = [b'a'; 300];
    let principals: [Option<&[u8]>; 9] = [
        None,
        Some(b""),
        Some(b"\0"),
        Some(b"alice"),
        Some(b"Alice"),
        Some(b"alice\0"),
        Some(b"alic"),
        Some(&[0, 0, 0, 0, 0, 0, 0, 5]),
        Some(&long),
    ];
    for minted_for in principals {
        let ticket = keys.mint(&a_session(), NOW, &[0; 16], minted_for).unwrap();
        for presented_by in principals {
            assert_eq!(opened(&keys, &ticket, NOW, presented_by).is_some(), minted_for == presented_by);
        }
    }
}

#[test]
fn bytes_do_not_move_between_principal_and_ticket() {
    let keys = tickets(&[KEY]);
    let session = a_session().with_inner(*b"backend-1");
    let bytes = URL_SAFE_NO_PAD.decode(keys.mint(&session, NOW, &[0; 16], Some(b"alice")).unwrap()).unwrap();
    for moved in 1..16 {
        let principal = [b"alice", &bytes[..moved]].concat();
        let shorter = URL_SAFE_NO_PAD.encode(&bytes[moved..]);
        assert_eq!(opened(&keys, &shorter, NOW, Some(&principal)), None);
    }
    for moved in 1..=5 {
        let (principal, start) = b"alice".split_at(5 - moved);
        let longer = URL_SAFE_NO_PAD.encode([start, &bytes].concat());
        assert_eq!(opened(&keys, &longer, NOW, Some(principal)), None);
    }
    // The framing itself, presented as if it were a part of the ticket of nobody.
    let framed = URL_SAFE_NO_PAD.encode([&[1, 0, 0, 0, 0, 0, 0, 0, 5][..], b"alice", &bytes].concat());
    assert_eq!(opened(&keys, &framed, NOW, None), None);
}

#[test]
fn the_first_key_mints_and_every_key_opens() {
    let (old, new) = (tickets(&[KEY]), tickets(&[OTHER_KEY]));
    let (rotating, after) = (tickets(&[OTHER_KEY, KEY]), tickets(&[OTHER_KEY]));
    let from_old = old.mint(&a_session(), NOW, &[0; 16], None).unwrap();
    let from_rotating = rotating.mint(&a_session(), NOW, &[0; 16], None).unwrap();
    assert_eq!(from_rotating, new.mint(&a_session(), NOW, &[0; 16], None).unwrap());
    for (keys, opens_old, opens_new) in
        [(&old, true, false), (&rotating, true, true), (&after, false, true), (&tickets(&[KEY, OTHER_KEY]), true, true)]
    {
        assert_eq!(opened(keys, &from_old, NOW, None).is_some(), opens_old);
        assert_eq!(opened(keys, &from_rotating, NOW, None).is_some(), opens_new);
    }
}

#[test]
fn a_ticket_that_names_another_accepted_key_is_refused() {
    let both = tickets(&[KEY, OTHER_KEY]);
    let mint = |key| URL_SAFE_NO_PAD.decode(tickets(&[key]).mint(&a_session(), NOW, &[0; 16], None).unwrap()).unwrap();
    let (mut one, other) = (mint(KEY), mint(OTHER_KEY));
    assert_ne!(one[1..5], other[1..5]);
    one[1..5].copy_from_slice(&other[1..5]);
    assert_eq!(opened(&both, &URL_SAFE_NO_PAD.encode(one), NOW, None), None);
}

#[test]
fn keys_that_differ_in_anything_share_no_ticket() {
    let longer = [&KEY[..], &[0]].concat();
    let hundred = [3; 100];
    let keys = [&KEY[..], &longer, &hundred, &hundred[..99], &OTHER_KEY];
    for minting in keys {
        let ticket = SessionTickets::new(&[minting], DAY).unwrap().mint(&a_session(), NOW, &[0; 16], None).unwrap();
        for opening in keys {
            let tickets = SessionTickets::new(&[opening], DAY).unwrap();
            assert_eq!(opened(&tickets, &ticket, NOW, None).is_some(), minting == opening);
        }
    }
}

#[test]
fn unfit_keys_and_lifetimes_are_refused() {
    let none: [&[u8]; 0] = [];
    assert_eq!(SessionTickets::new(&none, DAY).err(), Some(KeysError::NoKey));
    assert_eq!(
        SessionTickets::new(&[&KEY[..], &KEY[..31]], DAY).err(),
        Some(KeysError::ShortKey { place: 1, bytes: 31 })
    );
    assert_eq!(SessionTickets::new(&[b""], DAY).err(), Some(KeysError::ShortKey { place: 0, bytes: 0 }));
    assert_eq!(SessionTickets::new(&[KEY], 0).err(), Some(KeysError::NoLifetime));
}

#[test]
fn unfit_things_are_not_minted() {
    let keys = tickets(&[KEY]);
    assert_eq!(keys.mint(&a_session(), NOW, &[0; 15], None), Err(MintError::ShortNonce { bytes: 15 }));
    let long = a_session().with_inner([0; 257]);
    assert_eq!(keys.mint(&long, NOW, &[0; 16], None), Err(MintError::LongInner { bytes: 257 }));
    let modern = Revision::ALL.iter().copied().find(|revision| revision.era() == Era::Modern).unwrap();
    assert_eq!(Session::with_features(modern, None), Err(NoHandshake(modern)));
}

#[test]
fn a_nonce_that_repeats_gives_equal_ids_to_equal_tickets_only() {
    let keys = tickets(&[KEY]);
    let mint = |session: &Session, now, nonce: &[u8], principal| {
        let ticket = keys.mint(session, now, nonce, principal).unwrap();
        keys.ticket_id(ticket.as_bytes(), now, principal).unwrap()
    };
    let nonce = [9; 16];
    let plain = mint(&a_session(), NOW, &nonce, None);
    assert_eq!(plain, mint(&a_session(), NOW, &nonce, None));
    let ids = HashSet::from([
        plain,
        mint(&a_session(), NOW + 1, &nonce, None),
        mint(&a_session(), NOW, &nonce, Some(b"")),
        mint(&a_session(), NOW, &nonce, Some(b"alice")),
        mint(&a_session().with_inner([]), NOW, &nonce, None),
        mint(&a_session().with_inner(*b"backend-1"), NOW, &nonce, None),
        mint(&a_session().with_inner(*b"backend-2"), NOW, &nonce, None),
        mint(&Session::with_features(Revision::V2025_06_18, None).unwrap(), NOW, &nonce, None),
        mint(&a_session(), NOW, &[9; 17], None),
        mint(&a_session(), NOW, &[9; 64], None),
    ]);
    assert_eq!(ids.len(), 10);
}

#[test]
fn two_tickets_of_one_nonce_share_no_key_stream() {
    let keys = tickets(&[KEY]);
    let sealed = |inner: [u8; 32]| {
        let ticket = keys.mint(&a_session().with_inner(inner), NOW, &[9; 16], None).unwrap();
        URL_SAFE_NO_PAD.decode(ticket).unwrap()[32..64].to_vec()
    };
    let (one, other) = (sealed([0; 32]), sealed([0xff; 32]));
    let inverted = one.iter().zip(&other).filter(|(one, other)| **one == !**other).count();
    assert!(inverted < 8, "{inverted} of 32 bytes");
}

#[test]
fn a_revoked_ticket_is_like_none() {
    let keys = tickets(&[KEY]);
    let ended = keys.mint(&a_session(), NOW, &[1; 16], None).unwrap();
    let good = keys.mint(&a_session(), NOW, &[2; 16], None).unwrap();
    let id = keys.ticket_id(ended.as_bytes(), NOW, None).unwrap();
    let open = |ticket: &str| keys.open_unless(ticket.as_bytes(), NOW, None, |asked| Ok::<_, ()>(asked == id));
    assert_eq!((open(&ended), open(&good)), (Ok(None), Ok(Some(a_session()))));
    let digits: Vec<String> = id.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(id.to_string(), digits.concat());
}

#[test]
fn nobody_is_asked_about_what_is_no_ticket_anyway() {
    let keys = tickets(&[KEY]);
    let good = keys.mint(&a_session(), NOW, &[1; 16], None).unwrap();
    for (ticket, now, principal) in
        [(&*good, NOW, Some(&b"mallory"[..])), (&good, NOW + DAY + 1, None), (&good[1..], NOW, None), ("", NOW, None)]
    {
        let opened = keys.open_unless(ticket.as_bytes(), now, principal, |_| Err("asked"));
        assert_eq!(opened, Ok(None));
    }
}

#[test]
fn a_look_up_that_fails_is_neither_yes_nor_no() {
    let keys = tickets(&[KEY]);
    let ticket = keys.mint(&a_session(), NOW, &[1; 16], None).unwrap();
    let opened = keys.open_unless(ticket.as_bytes(), NOW, None, |_| Err("the store is down"));
    assert_eq!(opened, Err("the store is down"));
}

#[test]
fn a_ticket_forgets_the_names_and_keeps_the_flags() {
    let declared = br#"{"extensions":{"com.example/a":{}},"experimental":{"b":{}},"sampling":{"tools":{}}}"#;
    let client = Arc::new(ClientCapabilities::parse(declared, None).unwrap());
    let session = Session::new(Revision::V2025_11_25, Some(Arc::clone(&client))).unwrap();
    assert_eq!(session.client(), Some(Arc::clone(&client)));
    let keys = tickets(&[KEY]);
    let ticket = keys.mint(&session, NOW, &[0; 16], None).unwrap();
    let back = opened(&keys, &ticket, NOW, None).unwrap();
    assert_eq!(back.client_features(), Some(client.features()));
    let without_names = back.client().unwrap();
    assert_eq!((without_names.features(), without_names.names_known()), (client.features(), false));
    assert!(client.names_known());
    assert_eq!(Session::new(Revision::V2025_11_25, Some(without_names)), Ok(back));
}

#[test]
fn nothing_that_is_printed_shows_a_secret() {
    let keys = tickets(&[KEY, OTHER_KEY]);
    let session = a_session().with_inner(*b"hush-hush");
    let shown = format!("{keys:?} {session:?} {:?}", SessionTickets::new(&[&KEY[..5]], DAY).unwrap_err());
    assert!(shown.contains("keys: 2") && shown.contains("9 bytes"));
    for secret in [&KEY[..], &OTHER_KEY, b"hush", &KEY[..5]] {
        let text = str::from_utf8(secret).unwrap();
        let list = format!("{:?}", &secret[..4]);
        let hex = format!("{:02x?}", &secret[..4]);
        assert!(!shown.contains(text));
        assert!(!shown.contains(list.trim_matches(['[', ']'])) && !shown.contains(hex.trim_matches(['[', ']'])));
    }
}

#[test]
fn what_is_refused_says_what_would_be_right() {
    let keys = tickets(&[KEY]);
    let long = a_session().with_inner([0; 257]);
    let modern = Revision::ALL.iter().copied().find(|revision| revision.era() == Era::Modern).unwrap();
    let none: [&[u8]; 0] = [];
    for (text, said) in [
        (keys.mint(&a_session(), NOW, b"", None).unwrap_err().to_string(), "a nonce of 0 bytes; it has at least 16"),
        (
            keys.mint(&long, NOW, &[0; 16], None).unwrap_err().to_string(),
            "an inner value of 257 bytes; it has at most 256",
        ),
        (
            keys.mint(&a_session(), 1 << 48, &[0; 16], None).unwrap_err().to_string(),
            "281474976710656 is no Unix time in seconds: it is below 281474976710656",
        ),
        (SessionTickets::new(&none, DAY).unwrap_err().to_string(), "tickets need at least one key"),
        (SessionTickets::new(&[b"k"], DAY).unwrap_err().to_string(), "key 0 has 1 bytes; a key has at least 32"),
        (SessionTickets::new(&[KEY], 0).unwrap_err().to_string(), "a lifetime of 0 seconds; it is at least 1"),
        (
            Session::with_features(modern, None).unwrap_err().to_string(),
            "2026-07-28 has no sessions; a session takes one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25",
        ),
    ] {
        assert_eq!(text, said);
    }
}

#[test]
fn tickets_go_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<SessionTickets>();
    shared::<Session>();
}
