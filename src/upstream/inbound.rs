//! What came back: the client's answer, in the client's words.

use std::borrow::Cow;

use super::answer::{Answer, Outcome, has_event_id};
use super::exchange::Exchange;
use super::headers::lines_of;
use super::{Outbound, Upstream};
use crate::gate::{MessageKind, Rejection, Reply};
use crate::handshake::settled_on;
use crate::headers::{EVENT_STREAM, Field, is_media, is_printable};
use crate::shape::{OnInvalid, SseShaper, shape_response};
use crate::table::{Era, Feature, Method};

/// What a backend answered, whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Received<'r> {
    /// The HTTP status; none where nothing came, or the hop has none.
    pub status: Option<u16>,
    /// Name and value of each header line.
    pub headers: &'r [(&'r [u8], &'r [u8])],
    /// The body, without a content coding; empty where there is none.
    pub body: &'r [u8],
}

impl Received<'_> {
    fn header(&self, name: &'static str) -> Option<&[u8]> {
        lines_of(self.headers, name).next()
    }

    fn is_stream(&self) -> bool {
        self.header("content-type").is_some_and(|media| is_media(media, EVENT_STREAM))
    }

    fn is_success(&self) -> bool {
        self.status.is_none_or(|status| (200..300).contains(&status))
    }
}

/// Headers of an answer that is relayed as it is.
const RELAYED: &[&str] = &["content-type", "cache-control", "allow", "retry-after", "www-authenticate"];
/// Headers of a stream.
const OF_STREAM: &[&str] = &["content-type", "cache-control", "x-accel-buffering"];

impl Upstream {
    /// What the client gets for what the backend answered.
    ///
    /// Whatever came, the answer is a well-formed one: of a backend that failed or answered nonsense the client hears an
    /// internal error, and nothing more. A stream that is here as a whole is shaped as a whole; to hand one on as it
    /// comes, use [`Upstream::stream_head`] and [`Upstream::stream_shaper`].
    #[must_use]
    pub fn inbound(&self, sent: &Outbound, received: &Received<'_>) -> Reply {
        if let Some(reply) = &sent.reply {
            return reply.clone();
        }
        let exchange = &sent.exchange;
        match exchange.kind {
            MessageKind::Request => self.response(sent, received),
            MessageKind::Stream | MessageKind::SessionEnd => self.relayed(exchange, received),
            _ if received.is_success() => Reply::empty(202),
            _ if exchange.is_relayed => self.relayed(exchange, received),
            _ => failed(exchange),
        }
    }

    fn response(&self, sent: &Outbound, received: &Received<'_>) -> Reply {
        let exchange = &sent.exchange;
        if received.is_stream() && received.is_success() {
            return self.whole_stream(sent, received);
        }
        // The gateway's own session is gone, which is not the client's affair.
        if received.status == Some(404) && exchange.session.is_some() && !exchange.is_relayed {
            return failed(exchange);
        }
        let content_type = received.header("content-type");
        let Some(answer) = Answer::find(content_type, received.body) else {
            let asks_for_credentials = matches!(received.status, Some(401 | 403)) && self.forwards("authorization");
            let passes = exchange.is_relayed && !received.is_success() || asks_for_credentials;
            return if passes { self.relayed(exchange, received) } else { failed(exchange) };
        };
        let mut reader = exchange.reader();
        if exchange.is_relayed && exchange.method == Some(Method::Initialize)
            // The session is the backend's: its answer decides the revision.
            && let Outcome::Result(result) = answer.outcome
            && let Some(settled) = settled_on(&answer.text, result).filter(|settled| settled.era() == Era::Legacy)
        {
            reader.revision = settled;
        }
        let Ok(shaped) = shape_response(&answer.text, exchange.method, &reader) else {
            return failed(exchange);
        };
        // A client with a session of its own reads the backend's status: 404 is a session that is gone.
        let refused = received.status.filter(|status| exchange.is_relayed && *status >= 400);
        let mut reply = Reply::json(refused.unwrap_or(shaped.status), shaped.body.into_owned());
        self.add_headers(&mut reply, exchange, received, &[]);
        reply
    }

    fn whole_stream(&self, sent: &Outbound, received: &Received<'_>) -> Reply {
        let mut shaper = self.stream_shaper(sent);
        let fed = shaper.feed(received.body).and_then(|first| Ok((first, shaper.close()?)));
        let Ok((mut first, last)) = fed else { return failed(&sent.exchange) };
        first.to_client.extend(last.to_client);
        let is_open_ended = sent.exchange.method == Some(Method::SubscriptionsListen);
        if !is_open_ended && !shaper.answered() && !has_event_id(&first.to_client) {
            // Nobody can take it up again, so nobody gets an answer out of it.
            return failed(&sent.exchange);
        }
        let (status, headers) = self.stream_head(sent, received);
        let length = first.to_client.len().to_string();
        let mut reply = Reply { status, headers, body: first.to_client };
        reply.headers.push(("content-length", length.into()));
        reply
    }

    /// Status and headers of a stream, before its first byte.
    #[must_use]
    pub fn stream_head(
        &self,
        sent: &Outbound,
        received: &Received<'_>,
    ) -> (u16, Vec<(&'static str, Cow<'static, str>)>) {
        let mut reply = Reply { status: received.status.unwrap_or(200), headers: Vec::new(), body: Vec::new() };
        self.add_headers(&mut reply, &sent.exchange, received, OF_STREAM);
        (reply.status, reply.headers)
    }

    /// What shapes a stream that answers `sent`, as it comes.
    #[must_use]
    pub fn stream_shaper(&self, sent: &Outbound) -> SseShaper {
        let exchange = &sent.exchange;
        let reader = exchange.reader();
        let shaper = SseShaper::new(exchange.method, &reader, OnInvalid::Error, SseShaper::MAX_EVENT_BYTES);
        // The peer of a session that is not the client's is the gateway.
        let is_peer = exchange.hop.era() == Era::Legacy && !exchange.is_relayed;
        if is_peer { shaper.answering_pings() } else { shaper }
    }

    /// An answer as it came, less what belongs to the other hop.
    fn relayed(&self, exchange: &Exchange, received: &Received<'_>) -> Reply {
        let Some(status) = received.status.filter(|status| (200..600).contains(status)) else {
            return failed(exchange);
        };
        let mut reply = Reply { status, headers: Vec::new(), body: received.body.to_vec() };
        self.add_headers(&mut reply, exchange, received, RELAYED);
        reply.headers.push(("content-length", reply.body.len().to_string().into()));
        reply
    }

    /// Appends the backend's lines that the client may have; a value that no header holds stays out.
    fn add_headers(&self, reply: &mut Reply, exchange: &Exchange, received: &Received<'_>, names: &[&'static str]) {
        let own_session = exchange.is_relayed && exchange.hop.era() == Era::Legacy;
        let more = [
            (Field::McpSessionId.name(), own_session),
            ("www-authenticate", self.forwards("authorization")),
            ("set-cookie", self.forwards("cookie")),
        ];
        let more = more.into_iter().filter(|(name, on)| *on && !names.contains(name)).map(|(name, _)| name);
        for name in names.iter().copied().chain(more) {
            for value in lines_of(received.headers, name).filter(|value| is_printable(value)) {
                reply.headers.push((name, String::from_utf8_lossy(value).into_owned().into()));
            }
        }
    }
}

/// The backend did not answer, or not so that anybody could read it.
fn failed(exchange: &Exchange) -> Reply {
    let id = exchange.id.as_deref().filter(|_| exchange.kind == MessageKind::Request);
    Reply::rejected(&Rejection::Internal, id, false)
}

impl Upstream {
    /// Tells the backend that nobody waits for the answer to `sent` any more; none where the end of the connection says
    /// it.
    ///
    /// Spec: 2025-11-25 basic/utilities/cancellation.
    #[must_use]
    pub fn cancellation(&self, sent: &Outbound) -> Option<Outbound> {
        let exchange = &sent.exchange;
        let is_open = exchange.kind == MessageKind::Request && sent.reply.is_none();
        // A handshake is not taken back.
        if !is_open || exchange.method == Some(Method::Initialize) || !exchange.hop.has(Feature::CANCELLED_OVER_HTTP) {
            return None;
        }
        let params = [b"{\"requestId\":", exchange.asked_as.as_deref()?, b"}"].concat();
        let text = super::body::message_text(Method::Cancelled.as_str(), Some(&params), None);
        let sending = super::Sending { session: exchange.session.as_deref(), ..super::Sending::default() };
        self.at(exchange.hop)?.own(&text, &sending).ok()
    }
}
