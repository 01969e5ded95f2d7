//! An event stream, shaped event by event, in whatever chunks it comes.

use std::borrow::Cow;

use super::answer::Answer;
use super::envelope::check_id;
use super::error::ShapeError;
use super::reader::{Reader, Request, ShapePolicy};
use super::walk::{BYTE_ORDER_MARK, Walk};
use super::{Shaped, To, shape_notification, shape_response, shape_server_request};
use crate::json::Cursor;
use crate::table::{ClientFeature, Feature, Method, Reading, Revision};

/// The type of the events that carry messages; also that of an event without a type.
const MESSAGE: &[u8] = b"message";

/// What becomes of a malformed message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnInvalid {
    /// It is an error, and goes nowhere.
    #[default]
    Error,
    /// It goes on untouched.
    Pass,
}

/// What a chunk gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fed {
    /// A part of the stream, for the client.
    pub to_client: Vec<u8>,
    /// Messages for the server: answers to requests of its own that the client cannot take.
    pub to_server: Vec<Vec<u8>>,
}

/// Shapes a server's event stream for its reader.
///
/// Ids, retries, comments and events of other types stay as they are; an event whose message may not be sent is left
/// out, but for its comments. What stands in the stream goes out as soon as its event ends; no more than one event is
/// held.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "where the stream stands is several questions")]
pub struct SseShaper {
    method: Option<Method>,
    revision: Revision,
    reading: Reading,
    client: Option<ClientFeature>,
    request: Option<Request<'static>>,
    policy: ShapePolicy,
    on_invalid: OnInvalid,
    max_event_bytes: usize,
    /// What came and was not handed on: the begun event, and after an error what follows it.
    held: Vec<u8>,
    /// Where the begun event begins.
    start: usize,
    /// Up to here `held` was split into lines.
    split: usize,
    /// Bytes of the line that `split` stands in.
    line: usize,
    /// The stream's first line is not over.
    first_line: bool,
    /// The stream's first event is not over.
    first_event: bool,
    /// The last byte was a carriage return: a line feed after it belongs to the same end of a line.
    after_return: Return,
    /// The event is longer than it may be.
    overlong: bool,
    acknowledged: bool,
    answered: bool,
    answers_pings: bool,
    fed: Fed,
}

/// Where a line feed after a carriage return goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Return {
    None,
    /// The event goes on.
    InEvent,
    /// It ended an event, which went to the client.
    Sent,
    /// It ended an event that was left out.
    LeftOut,
}

impl SseShaper {
    /// An event of so many bytes is refused unless said otherwise.
    pub const MAX_EVENT_BYTES: usize = 16 << 20;

    /// A shaper for the stream that answers a request of `method`, or for a stream of what the server sends unasked.
    #[must_use]
    pub fn new(method: Option<Method>, reader: &Reader<'_>, on_invalid: OnInvalid, max_event_bytes: usize) -> Self {
        Self {
            method,
            revision: reader.revision,
            reading: reader.reading,
            client: reader.client,
            request: reader.request.cloned().map(Request::into_owned),
            policy: reader.policy.clone(),
            on_invalid,
            max_event_bytes,
            held: Vec::new(),
            start: 0,
            split: 0,
            line: 0,
            first_line: true,
            first_event: true,
            after_return: Return::None,
            overlong: false,
            acknowledged: false,
            answered: false,
            answers_pings: false,
            fed: Fed::default(),
        }
    }

    /// A shaper for a reader that the server does not know: pings of the session are answered in its place.
    ///
    /// Spec: 2025-11-25 basic/utilities/ping.
    pub(crate) fn answering_pings(self) -> Self {
        Self { answers_pings: true, ..self }
    }

    /// Whether a response went out.
    #[must_use]
    pub const fn answered(&self) -> bool {
        self.answered
    }

    /// Takes the stream's next bytes, and gives what they complete.
    ///
    /// # Errors
    ///
    /// An event is malformed, or too long, under [`OnInvalid::Error`]. It is left out; what came before and after it
    /// comes with the next call, which may be without bytes.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<Fed, ShapeError> {
        self.held.extend_from_slice(chunk);
        let outcome = self.split_events();
        // What is done with goes once it is the greater part, so that no byte moves more than once or twice.
        if self.start > self.held.len() / 2 {
            self.held.drain(..self.start);
            self.split -= self.start;
            self.start = 0;
        }
        outcome.map(|()| std::mem::take(&mut self.fed))
    }

    /// The stream is over: an event that no blank line ended is no event, and is left out.
    ///
    /// The shaper is then as new, for the stream that takes this one up again.
    ///
    /// # Errors
    ///
    /// As for [`SseShaper::feed`], of events after one that was an error.
    pub fn close(&mut self) -> Result<Fed, ShapeError> {
        let fed = self.feed(&[])?;
        self.held.clear();
        (self.start, self.split, self.line) = (0, 0, 0);
        (self.first_line, self.first_event) = (true, true);
        (self.after_return, self.overlong, self.acknowledged) = (Return::None, false, false);
        Ok(fed)
    }

    /// Splits what is held into events.
    fn split_events(&mut self) -> Result<(), ShapeError> {
        loop {
            if self.after_return != Return::None && self.split < self.held.len() {
                self.line_feed_after_return();
            }
            let rest = self.held.get(self.split..).unwrap_or_default();
            let Some(offset) = memchr::memchr2(b'\r', b'\n', rest) else {
                self.line += rest.len();
                self.split = self.held.len();
                return self.bound();
            };
            self.line += offset;
            let end = self.split + offset + 1;
            let by_return = rest.get(offset) == Some(&b'\r');
            let marked = std::mem::replace(&mut self.first_line, false)
                && self.held.get(self.start..).is_some_and(|event| event.starts_with(BYTE_ORDER_MARK));
            let blank = self.line == if marked { BYTE_ORDER_MARK.len() } else { 0 };
            self.split = end;
            self.line = 0;
            self.after_return = if by_return { Return::InEvent } else { Return::None };
            let bounded = self.bound();
            if blank {
                let began = std::mem::replace(&mut self.start, end);
                let sent = self.event(began, end);
                let over = if matches!(sent, Ok(true)) { Return::Sent } else { Return::LeftOut };
                self.after_return = if by_return { over } else { Return::None };
                sent?;
            }
            bounded?;
        }
    }

    fn line_feed_after_return(&mut self) {
        let after = std::mem::replace(&mut self.after_return, Return::None);
        if self.held.get(self.split) != Some(&b'\n') {
            return;
        }
        self.split += 1;
        if after != Return::InEvent {
            self.start = self.split;
            if after == Return::Sent {
                self.fed.to_client.push(b'\n');
            }
        }
    }

    /// Lets go of an event that is longer than it may be.
    fn bound(&mut self) -> Result<(), ShapeError> {
        let began = self.start;
        if self.overlong || self.split - began > self.max_event_bytes {
            self.start = self.split;
            if self.on_invalid == OnInvalid::Pass {
                self.fed.to_client.extend_from_slice(self.held.get(began..self.split).unwrap_or_default());
            }
            if !std::mem::replace(&mut self.overlong, true) && self.on_invalid == OnInvalid::Error {
                return Err(ShapeError::new(format!("an event of more than {} bytes", self.max_event_bytes)));
            }
        }
        Ok(())
    }

    /// Shapes the event that stands there; whether something of it was sent.
    fn event(&mut self, start: usize, end: usize) -> Result<bool, ShapeError> {
        if std::mem::replace(&mut self.overlong, false) {
            return Ok(self.on_invalid == OnInvalid::Pass);
        }
        let held = std::mem::take(&mut self.held);
        let mut text = held.get(start..end).unwrap_or_default();
        if std::mem::replace(&mut self.first_event, false)
            && let Some(after) = text.strip_prefix(BYTE_ORDER_MARK)
        {
            self.fed.to_client.extend_from_slice(BYTE_ORDER_MARK);
            text = after;
        }
        let event = Event::read(text);
        let fate = self.fate(&event);
        let sent = fate.map(|fate| match fate {
            Fate::Untouched => event.write(&mut self.fed.to_client),
            Fate::Data(data) => event.write_with(&data, &mut self.fed.to_client),
            Fate::LeftOut => event.write_comments(&mut self.fed.to_client),
            Fate::Back(answer) => {
                self.fed.to_server.push(answer);
                event.write_comments(&mut self.fed.to_client)
            }
        });
        self.held = held;
        sent
    }

    fn fate(&mut self, event: &Event<'_>) -> Result<Fate, ShapeError> {
        if event.kind != MESSAGE || !event.has_id && event.data.is_none() {
            return Ok(Fate::Untouched);
        }
        let Some(data) = event.data.as_deref().filter(|data| !data.is_empty()) else {
            // Before there was a priming event, readers took each event for a message.
            let primes = self.revision.features(self.reading).contains(Feature::SSE_PRIMING_EVENT);
            return Ok(if primes { Fate::Untouched } else { Fate::LeftOut });
        };
        match self.message(data) {
            Err(_) if self.on_invalid == OnInvalid::Pass => Ok(Fate::Untouched),
            fate => fate,
        }
    }

    fn message(&mut self, data: &[u8]) -> Result<Fate, ShapeError> {
        let reader = Reader {
            revision: self.revision,
            reading: self.reading,
            client: self.client,
            request: self.request.as_ref(),
            policy: &self.policy,
        };
        let mut walk = Walk::new(Cursor::new(data, self.policy.limits)?, &reader);
        let [id, method] = walk.read_for(["id", "method"])?;
        if !method.is_present() {
            let fate = shape_response(data, self.method, &reader).map(Fate::of);
            self.answered |= fate.is_ok();
            return fate;
        }
        if id.is_present() {
            let named = method.text(data).and_then(|name| Method::parse(&name));
            if self.answers_pings && named == Some(Method::Ping) {
                check_id(id)?;
                return Ok(Fate::Back(Answer::Result(b"{}".to_vec()).message(id.token(data))));
            }
            return shape_server_request(data, &reader).map(Fate::of);
        }
        let acknowledges =
            method.text(data).is_some_and(|name| Method::parse(&name) == Some(Method::SubscriptionsAcknowledged));
        let shaped = shape_notification(data, &reader)?;
        if reader.listens().is_some() && reader.has(Feature::SUBSCRIPTIONS_LISTEN) {
            // The stream opens with its acknowledgement, and has one.
            let opened = self.acknowledged;
            self.acknowledged |= acknowledges;
            if acknowledges == opened {
                return Ok(Fate::LeftOut);
            }
        }
        Ok(shaped.map_or(Fate::LeftOut, Fate::of))
    }
}

/// What becomes of an event.
enum Fate {
    Untouched,
    Data(Vec<u8>),
    LeftOut,
    Back(Vec<u8>),
}

impl Fate {
    fn of(shaped: Shaped<'_>) -> Self {
        match (shaped.to, shaped.body) {
            (To::Server, body) => Self::Back(body.into_owned()),
            (To::Client, Cow::Borrowed(_)) => Self::Untouched,
            (To::Client, Cow::Owned(body)) => Self::Data(body),
        }
    }
}

/// An event as it stands in the stream.
struct Event<'t> {
    text: &'t [u8],
    kind: &'t [u8],
    has_id: bool,
    /// Its data lines, joined by line feeds.
    data: Option<Cow<'t, [u8]>>,
}

/// A line of an event.
struct Line<'t> {
    /// With its end.
    whole: &'t [u8],
    name: &'t [u8],
    value: &'t [u8],
    /// What stands before the value.
    prefix: &'t [u8],
    end: &'t [u8],
}

impl<'t> Event<'t> {
    fn read(text: &'t [u8]) -> Self {
        let mut event = Self { text, kind: MESSAGE, has_id: false, data: None };
        for line in lines(text) {
            match line.name {
                b"data" => {
                    event.data = Some(match event.data.take() {
                        None => line.value.into(),
                        Some(before) => {
                            let mut data = before.into_owned();
                            data.push(b'\n');
                            data.extend_from_slice(line.value);
                            data.into()
                        }
                    });
                }
                b"event" => event.kind = if line.value.is_empty() { MESSAGE } else { line.value },
                b"id" => event.has_id = true,
                _ => {}
            }
        }
        event
    }

    fn write(&self, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(self.text);
        true
    }

    /// With other data, where the first of its data lines stood.
    fn write_with(&self, data: &[u8], out: &mut Vec<u8>) -> bool {
        let mut data = Some(data);
        for line in lines(self.text) {
            if line.name != b"data" {
                push_line(line.whole, out);
                continue;
            }
            // A line may be the name alone, which says the empty value.
            let prefix = if line.prefix == b"data" { b"data:" } else { line.prefix };
            for part in data.take().into_iter().flat_map(|data| data.split(|byte| *byte == b'\n')) {
                out.extend_from_slice(prefix);
                out.extend_from_slice(part);
                out.extend_from_slice(line.end);
            }
        }
        true
    }

    /// Nothing but its comments, and nothing at all where there are none.
    fn write_comments(&self, out: &mut Vec<u8>) -> bool {
        let mut any = false;
        for line in lines(self.text) {
            if line.name.is_empty() && (any || line.whole.starts_with(b":")) {
                any = true;
                push_line(line.whole, out);
            }
        }
        any
    }
}

/// Writes a line after others than it stood behind: its line feed is not the second half of their carriage return.
fn push_line(line: &[u8], out: &mut Vec<u8>) {
    if line.starts_with(b"\n") && out.ends_with(b"\r") {
        out.push(b'\n');
    }
    out.extend_from_slice(line);
}

/// The lines of an event, the blank one that ends it too.
fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = memchr::memchr2(b'\r', b'\n', rest)?;
        let terminator = if rest.get(end..end + 2) == Some(b"\r\n") { 2 } else { 1 };
        let (whole, after) = rest.split_at_checked(end + terminator)?;
        rest = after;
        let (content, end) = whole.split_at_checked(end)?;
        // A comment has no name.
        let colon = memchr::memchr(b':', content).unwrap_or(content.len());
        let (name, value) = content.split_at_checked(colon)?;
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let prefix = if name.is_empty() { &[][..] } else { content.get(..content.len() - value.len())? };
        Some(Line { whole, name, value, prefix, end })
    })
}
