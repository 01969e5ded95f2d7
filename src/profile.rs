//! What a revision permits, resolved once.
