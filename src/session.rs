//! Sessions of the handshake revisions, and tickets that carry them.
