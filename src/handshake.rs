//! The answers to `initialize` and `server/discover`.
