//! One ticket key: what is derived from it, and nothing of it readable.

use chacha20poly1305::aead::inout::InOutBuf;
use chacha20poly1305::{AeadInOut, KeyInit, XChaCha20Poly1305};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::format::{ID_BYTES, KEY_ID_BYTES, TAG_BYTES};

type HmacSha256 = Hmac<Sha256>;

/// The salt of the derivation: another format, or another use of the same key, derives other keys.
const SALT: &[u8] = b"revcap session ticket 1";
const NONCE_BYTES: usize = 24;

/// What a ticket is read and made with. Every part wipes itself when it is dropped.
pub(super) struct TicketKey {
    id: [u8; KEY_ID_BYTES],
    signing: HmacSha256,
    naming: HmacSha256,
    sealing: XChaCha20Poly1305,
}

impl TicketKey {
    /// Derives the parts by HKDF-SHA-256 (RFC 5869), so that no two of them share a key.
    pub(super) fn derive(secret: &[u8]) -> Self {
        let mut extract = keyed(SALT);
        extract.update(secret);
        let root = keyed(&*output(extract));
        let expand = |info: &[u8]| {
            let mut part = root.clone();
            part.update(info);
            part.update(&[1]);
            output(part)
        };
        let mut id = [0; KEY_ID_BYTES];
        id.copy_from_slice(&expand(b"key id")[..KEY_ID_BYTES]);
        Self {
            id,
            signing: keyed(&*expand(b"sign")),
            naming: keyed(&*expand(b"name")),
            sealing: XChaCha20Poly1305::new((&*expand(b"seal")).into()),
        }
    }

    /// The name of the key in a ticket; it says nothing about the key.
    pub(super) const fn id(&self) -> [u8; KEY_ID_BYTES] {
        self.id
    }

    #[cfg(test)]
    pub(super) fn renamed(&self, id: [u8; KEY_ID_BYTES]) -> Self {
        Self { id, signing: self.signing.clone(), naming: self.naming.clone(), sealing: self.sealing.clone() }
    }

    /// The tag over everything before it, for this principal alone.
    pub(super) fn sign(&self, principal: Option<&[u8]>, signed: &[u8]) -> [u8; TAG_BYTES] {
        let mut mac = self.signing.clone();
        frame(&mut mac, principal);
        mac.update(signed);
        leading(mac)
    }

    /// Whether `tag` is what [`sign`](Self::sign) gives, in a time that does not depend on either.
    pub(super) fn signed(&self, principal: Option<&[u8]>, signed: &[u8], tag: &[u8; TAG_BYTES]) -> bool {
        self.sign(principal, signed)[..].ct_eq(&tag[..]).into()
    }

    /// The ticket's id, made from the caller's nonce and from all that the ticket says.
    ///
    /// The seal takes its nonce from the id. A caller's nonce that repeats therefore gives equal ids only to tickets
    /// that are equal in everything, and the seal's nonce never meets two plaintexts.
    pub(super) fn name(
        &self,
        nonce: &[u8],
        principal: Option<&[u8]>,
        inner: Option<&[u8]>,
        facts: &[u8],
    ) -> [u8; ID_BYTES] {
        let mut mac = self.naming.clone();
        frame(&mut mac, principal);
        frame(&mut mac, inner);
        mac.update(facts);
        mac.update(nonce);
        leading(mac)
    }

    /// Encrypts `text` in place and gives its tag; None only where the cipher refuses, which no length here does.
    pub(super) fn seal(&self, head: &[u8], id: [u8; ID_BYTES], text: &mut [u8]) -> Option<[u8; TAG_BYTES]> {
        let nonce = seal_nonce(id);
        self.sealing.encrypt_inout_detached((&nonce).into(), head, InOutBuf::from(text)).ok().map(Into::into)
    }

    /// Decrypts `text` in place; None, and nothing decrypted, when it was not sealed under this head.
    pub(super) fn unseal(&self, head: &[u8], id: [u8; ID_BYTES], text: &mut [u8], tag: &[u8; TAG_BYTES]) -> Option<()> {
        let nonce = seal_nonce(id);
        self.sealing.decrypt_inout_detached((&nonce).into(), head, InOutBuf::from(text), tag.into()).ok()
    }
}

/// The id, filled up with zeros: 128 bits of a keyed hash, unique as long as no id repeats.
fn seal_nonce(id: [u8; ID_BYTES]) -> [u8; NONCE_BYTES] {
    let mut nonce = [0; NONCE_BYTES];
    nonce[..ID_BYTES].copy_from_slice(&id);
    nonce
}

/// HMAC-SHA-256 under a key of at most one block, filled up with zeros as RFC 2104 has it.
fn keyed(key: &[u8]) -> HmacSha256 {
    let mut block = Zeroizing::new([0; 64]);
    for (place, byte) in block.iter_mut().zip(key) {
        *place = *byte;
    }
    HmacSha256::new((&*block).into())
}

fn output(mac: HmacSha256) -> Zeroizing<[u8; 32]> {
    Zeroizing::new(mac.finalize().into_bytes().into())
}

/// The first half of the HMAC: 128 bits, no fewer.
fn leading(mac: HmacSha256) -> [u8; 16] {
    let whole = output(mac);
    let mut half = [0; 16];
    half.copy_from_slice(&whole[..16]);
    half
}

/// Adds an optional part so that no two sequences of parts ever read the same.
///
/// Absent is one byte 0; present is 1, the length as eight bytes, and the bytes.
fn frame(mac: &mut HmacSha256, part: Option<&[u8]>) {
    match part {
        None => mac.update(&[0]),
        Some(bytes) => {
            mac.update(&[1]);
            mac.update(&(bytes.len() as u64).to_be_bytes());
            mac.update(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeroize::ZeroizeOnDrop;

    #[test]
    fn what_holds_key_material_wipes_itself() {
        fn wiped<T: ZeroizeOnDrop>() {}
        wiped::<Sha256>(); // both halves of an HMAC are this
        wiped::<XChaCha20Poly1305>();
        wiped::<Zeroizing<[u8; 64]>>();
    }

    #[test]
    fn the_parts_of_a_key_differ() {
        let key = TicketKey::derive(&[7; 32]);
        assert_ne!(
            key.sign(None, b"x"),
            leading({
                let mut mac = key.naming.clone();
                frame(&mut mac, None);
                mac.update(b"x");
                mac
            })
        );
    }
}
