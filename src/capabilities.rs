//! What a client declared.
