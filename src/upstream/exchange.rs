//! What is kept of a message that went up, to read its answer by.

use std::borrow::Cow;

use super::answer::members;
use super::outbound::Sending;
use super::{Incoming, Upstream};
use crate::gate::{Gate, MessageKind};
use crate::json::{Kind, Node};
use crate::shape::{LogLevel, Reader, Request, ShapePolicy};
use crate::table::{ClientFeature, Method, Reading, Revision, meta_key};

/// One exchange with a backend.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    pub(super) kind: MessageKind,
    pub(super) method: Option<Method>,
    /// The client's id, as it is spelt in JSON.
    pub(super) id: Option<Box<[u8]>>,
    /// The id that the backend was asked under.
    pub(super) asked_as: Option<Box<[u8]>>,
    /// The revision of the hop.
    pub(super) hop: Revision,
    /// The revision of whoever reads the answer.
    pub(super) client: Revision,
    /// The client and the backend keep a session of their own: answers are relayed.
    pub(super) is_relayed: bool,
    /// The session header that went up.
    pub(super) session: Option<Box<[u8]>>,
    reading: Reading,
    features: Option<ClientFeature>,
    request: Option<Request<'static>>,
    policy: ShapePolicy,
}

impl Exchange {
    pub(super) fn new(incoming: &Incoming<'_>, hop: Revision, sending: &Sending<'_>) -> Self {
        let client = incoming.revision.unwrap_or(hop);
        let id: Option<Box<[u8]>> = incoming.id.as_deref().map(Into::into);
        let replaced = sending.id.filter(|_| incoming.kind == MessageKind::Request);
        let session = match incoming.own_session {
            Some(own) => own.id,
            None => sending.session,
        };
        let gate = incoming.judged.map(|(gate, _, _)| gate);
        Self {
            kind: incoming.kind,
            method: incoming.method,
            asked_as: replaced.map(Into::into).or_else(|| id.clone()),
            id,
            hop,
            client,
            is_relayed: incoming.own_session.is_some(),
            session: session.map(Into::into),
            reading: gate.map_or(Reading::Record, Gate::reading),
            features: incoming.client(),
            request: asked(incoming).map(|request| {
                // What the two ends of a session say to each other under their own ids is theirs.
                let own = incoming.id.as_deref().filter(|_| incoming.own_session.is_none());
                let asked_as = sending.id.or(own);
                Request { asked_as: asked_as.map(Cow::Borrowed), ..request }.into_owned()
            }),
            policy: gate.map_or(ShapePolicy::DEFAULT, |gate| gate.shape_policy(client)),
        }
    }

    /// The reader of the answer.
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader {
            revision: self.client,
            reading: self.reading,
            client: self.features,
            request: self.request.as_ref(),
            policy: &self.policy,
        }
    }
}

/// The facts of a request that decide what its reader gets.
fn asked<'a>(incoming: &'a Incoming<'_>) -> Option<Request<'a>> {
    if incoming.kind != MessageKind::Request {
        return None;
    }
    if let Some((_, decision, body)) = incoming.judged {
        return decision.shape_request(body);
    }
    let text = &*incoming.text;
    let [params] = members(text, Node::between(Kind::Object, 0, text.len()), ["params"])?;
    let meta = members(text, params, ["_meta"]).map(|[meta]| meta);
    let said = meta.and_then(|meta| members(text, meta, [meta_key::PROGRESS_TOKEN, meta_key::LOG_LEVEL]));
    let [token, level] = said.unwrap_or_default();
    Some(Request {
        id: incoming.id.as_deref().map(Cow::Borrowed),
        progress_token: (!token.is_absent_or_null()).then(|| token.token(text).into()),
        log_level: level.text(text).and_then(|level| LogLevel::parse(&level)),
        ..Request::default()
    })
}

impl Upstream {
    /// Whether the host sends this client header on.
    pub(super) fn forwards(&self, name: &str) -> bool {
        self.config.forwarded.contains(name)
    }
}
