//! Which MCP revision a request speaks, what that revision permits, and whether the request may go on.
//!
//! The way down: [`Gate`](gate) reads a request once, climbs an ordered ladder of small rungs, and every rung asks
//! the one [`table`]. The core does no I/O, reads no clock and remembers nothing between requests.
#![forbid(unsafe_code)]

pub mod advertise;
pub mod capabilities;
pub mod gate;
pub mod handshake;
pub mod headers;
pub mod json;
pub mod profile;
pub mod relay;
pub mod session;
pub mod shape;
pub mod table;
pub mod upstream;

#[cfg(feature = "python")]
mod py;
