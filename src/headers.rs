//! Picks the protocol's headers out of a request.
