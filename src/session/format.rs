//! How a ticket is laid out, and the codes in it. `docs/tickets.md` shows the same.
//!
//! | bytes | what |
//! | --- | --- |
//! | 1 | the format, 1 |
//! | 4 | the key's id |
//! | 1 | the revision: its place among all, oldest first, from 0 |
//! | 4 | the client: bit 31 known, bits 0 to 15 what it declared, most significant byte first |
//! | 6 | issued, Unix seconds, most significant byte first |
//! | 16 | the ticket's id |
//! | 0, or 16 to 272 | the inner value, sealed: ciphertext and the AEAD's tag |
//! | 16 | HMAC-SHA-256, its first half |
//!
//! In Base64 of the URL alphabet without padding.

use crate::table::{ClientFeature, Revision};

pub(super) const FORMAT: u8 = 1;
pub(super) const KEY_ID_BYTES: usize = 4;
pub(super) const FACTS_BYTES: usize = 16;
pub(super) const ID_BYTES: usize = 16;
pub(super) const HEAD_BYTES: usize = FACTS_BYTES + ID_BYTES;
pub(super) const TAG_BYTES: usize = 16;
/// The first second that does not fit.
pub(super) const ISSUED_END: u64 = 1 << 48;

const CLIENT_KNOWN: u32 = 1 << 31;

/// What each client bit stands for, from bit 0 up.
///
/// Tickets outlive a release: append, and never reorder or remove. A bit that an older build does not know reads as
/// not declared there, which is what that build would have read in the handshake itself.
const CLIENT_BITS: [ClientFeature; 16] = [
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

/// What a ticket says in the clear, ahead of its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) key: [u8; KEY_ID_BYTES],
    pub(super) revision: Revision,
    pub(super) client: Option<ClientFeature>,
    /// Unix seconds, below [`ISSUED_END`].
    pub(super) issued: u64,
}

impl Facts {
    pub(super) fn write(self) -> [u8; FACTS_BYTES] {
        let [k0, k1, k2, k3] = self.key;
        #[expect(clippy::cast_possible_truncation, reason = "a place among a handful of revisions")]
        let revision = self.revision.index() as u8;
        let [c0, c1, c2, c3] = write_client(self.client).to_be_bytes();
        let [_, _, i0, i1, i2, i3, i4, i5] = self.issued.to_be_bytes();
        [FORMAT, k0, k1, k2, k3, revision, c0, c1, c2, c3, i0, i1, i2, i3, i4, i5]
    }

    /// None: another format, or a revision that this build does not know.
    pub(super) fn read(bytes: [u8; FACTS_BYTES]) -> Option<Self> {
        let [format, k0, k1, k2, k3, revision, c0, c1, c2, c3, i0, i1, i2, i3, i4, i5] = bytes;
        if format != FORMAT {
            return None;
        }
        Some(Self {
            key: [k0, k1, k2, k3],
            revision: *Revision::ALL.get(usize::from(revision))?,
            client: read_client(u32::from_be_bytes([c0, c1, c2, c3])),
            issued: u64::from_be_bytes([0, 0, i0, i1, i2, i3, i4, i5]),
        })
    }
}

fn write_client(client: Option<ClientFeature>) -> u32 {
    client.map_or(0, |declared| {
        CLIENT_BITS
            .iter()
            .enumerate()
            .filter(|(_, feature)| declared.contains(**feature))
            .fold(CLIENT_KNOWN, |bits, (place, _)| bits | 1 << place)
    })
}

fn read_client(bits: u32) -> Option<ClientFeature> {
    (bits & CLIENT_KNOWN != 0).then(|| {
        CLIENT_BITS
            .iter()
            .enumerate()
            .filter(|(place, _)| bits & 1 << place != 0)
            .map(|(_, feature)| *feature)
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_feature_has_one_bit() {
        let mut seen = ClientFeature::empty();
        for feature in CLIENT_BITS {
            assert_eq!(feature.bits().count_ones(), 1);
            assert!(!seen.intersects(feature), "{feature:?} stands twice");
            seen |= feature;
        }
        assert_eq!(seen, ClientFeature::all(), "append the new feature to CLIENT_BITS");
        assert!(CLIENT_BITS.len() < 31);
    }
}
