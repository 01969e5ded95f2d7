//! The gateway's own hop to a backend, which may be of another revision than the client.
//!
//! [`probe`] asks a backend which era it is of and [`read_probe`] reads the answer. An [`Upstream`] then turns what the
//! gate admitted into what goes up ([`Upstream::outbound`]), and what came back into what the client gets
//! ([`Upstream::inbound`]). An [`UpstreamSession`] holds the handshake with a backend on behalf of clients that made
//! none. Nothing here does I/O or reads a clock: each step hands out a request to send and takes its answer.
//!
//! Headers are made anew for this hop and never copied, but for those that the host lists.

mod answer;
mod arguments;
mod body;
mod bridge;
mod exchange;
mod headers;
mod hop;
mod inbound;
mod incoming;
mod outbound;
mod probe;
mod served;
mod server;
mod session;
mod state;

pub use headers::{ForwardError, Forwarded, Line};
pub use hop::{Upstream, UpstreamConfig, UpstreamError};
pub use inbound::Received;
pub use incoming::{Incoming, NotAMessage};
pub use outbound::{Outbound, Sending};
pub use probe::{Probed, probe, read_probe};
pub use served::{ServeRule, served_revisions};
pub use session::{NoSession, UpstreamSession};
pub use state::{Failure, SealError, SessionState};
