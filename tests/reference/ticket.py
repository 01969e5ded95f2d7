"""A session ticket as `docs/tickets.md` has it: HMAC-SHA256 and XChaCha20-Poly1305, nothing shared with the core."""

import base64
import hashlib
import hmac
import struct
from typing import NamedTuple


def mac(key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, hashlib.sha256).digest()


def framed(part: bytes | None) -> bytes:
    return b"\0" if part is None else b"\1" + struct.pack(">Q", len(part)) + part


def chacha_rounds(state: list[int]) -> list[int]:
    state = state.copy()
    for _ in range(10):
        for a, b, c, d in (
            *((i, i + 4, i + 8, i + 12) for i in range(4)),
            *((i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)),
        ):
            for into, add, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                state[into] = (state[into] + state[add]) % 2**32
                mixed = state[turned] ^ state[into]
                state[turned] = (mixed << by | mixed >> 32 - by) % 2**32
    return state


def chacha_state(key: bytes, rest: bytes) -> list[int]:
    return list(struct.unpack("<16I", b"expand 32-byte k" + key + rest))


def xchacha20_poly1305(key: bytes, nonce: bytes, head: bytes, text: bytes) -> bytes:
    derived = chacha_rounds(chacha_state(key, nonce[:16]))
    subkey = struct.pack("<8I", *derived[:4], *derived[12:])

    def block(counter: int) -> bytes:
        state = chacha_state(subkey, struct.pack("<I4x", counter) + nonce[16:])
        return struct.pack("<16I", *((a + b) % 2**32 for a, b in zip(state, chacha_rounds(state), strict=True)))

    stream = b"".join(block(1 + at) for at in range(-(-len(text) // 64)))
    sealed = bytes(a ^ b for a, b in zip(text, stream, strict=False))
    r = int.from_bytes(block(0)[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    padded = b"".join(part + bytes(-len(part) % 16) for part in (head, sealed))
    padded += struct.pack("<QQ", len(head), len(sealed))
    tag = 0
    for at in range(0, len(padded), 16):
        tag = (tag + int.from_bytes(padded[at : at + 16] + b"\1", "little")) * r % (2**130 - 5)
    return sealed + ((tag + int.from_bytes(block(0)[16:32], "little")) % 2**128).to_bytes(16, "little")


class Minted(NamedTuple):
    """All that goes into a ticket; ``place`` is the revision's."""

    key: bytes
    place: int
    client: int | None
    now: int
    nonce: bytes
    principal: bytes | None
    inner: bytes | None

    def by_the_docs(self) -> str:
        """Follow `docs/tickets.md` to the letter."""
        client = 0 if self.client is None else 1 << 31 | self.client
        root = mac(b"revcap session ticket 1", self.key)
        key_id, name, seal, sign = (mac(root, label + b"\1") for label in (b"key id", b"name", b"seal", b"sign"))
        ticket = b"\1" + key_id[:4] + struct.pack(">BI", self.place, client) + self.now.to_bytes(6, "big")
        ticket += mac(name, framed(self.principal) + framed(self.inner) + ticket + self.nonce)[:16]
        if self.inner is not None:
            ticket += xchacha20_poly1305(seal, ticket[16:32] + bytes(8), ticket[:32], self.inner)
        ticket += mac(sign, framed(self.principal) + ticket)[:16]
        return base64.urlsafe_b64encode(ticket).rstrip(b"=").decode()
