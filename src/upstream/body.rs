//! The body of a message that goes up: shaped for the backend, under the backend's names.

use super::answer::members;
use super::outbound::Sending;
use super::{Incoming, Upstream};
use crate::gate::{MessageKind, Rejection};
use crate::json::{Kind, Limits, Node, ObjectWriter, Span, push_string};
use crate::shape::{Reader, ShapePolicy, shape_client_request_from};
use crate::table::{Channel, Definition, Feature, Method, MethodRow, Revision, ServerFeature, Standing, meta_key};

/// A body that was written, and what its headers say of it.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) text: Vec<u8>,
    /// What the message is about, under the backend's name for it.
    pub(super) name: Option<String>,
    /// A header repeats it.
    pub(super) is_name_mirrored: bool,
}

impl Written {
    /// The call's arguments; none where the members on the way stand there twice.
    pub(super) fn arguments(&self) -> Option<Node> {
        let [params] = members(&self.text, message(&self.text), ["params"])?;
        members(&self.text, params, ["arguments"]).map(|[arguments]| arguments)
    }
}

/// What is to change in a message.
pub(super) struct Changes<'a> {
    pub(super) upstream: &'a Upstream,
    pub(super) incoming: &'a Incoming<'a>,
    pub(super) sending: &'a Sending<'a>,
    pub(super) hop: Revision,
}

/// A part of a text, and what comes there instead.
type Edit = (Span, Vec<u8>);

impl Changes<'_> {
    /// Writes the body; every byte that no rule names stays.
    pub(super) fn write(&self) -> Result<Written, Rejection> {
        let Self { upstream, incoming, hop, .. } = *self;
        let policy = self.policy();
        let reader = Reader { policy: &policy, ..Reader::of(hop) };
        let capabilities = &upstream.config.client_capabilities;
        // Of a message that no gate has seen nobody knows more than it claims.
        let client = incoming.judged.and(incoming.revision);
        let shaped = shape_client_request_from(client, &incoming.text, capabilities, &reader)
            .map_err(|_| Rejection::Internal)?
            .body;
        let text = &*shaped;
        if incoming.kind == MessageKind::Response {
            return Ok(Written { text: text.to_vec(), ..Written::default() });
        }
        let mut written = Written::default();
        let edits = self.edits(text, &mut written).ok_or(Rejection::Internal)?;
        written.text = splice(text, edits);
        Ok(written)
    }

    fn policy(&self) -> ShapePolicy {
        // Whoever settled a revision with the backend has read what it publishes; the gate cut what that excludes.
        let keeps_task = self.incoming.own_session.is_some()
            || self.upstream.runs_core_tasks()
                && self.incoming.revision.is_none_or(|client| client.has(Feature::TASK_PARAMETER));
        let server =
            if keeps_task { ServerFeature::all() } else { ServerFeature::all() - ServerFeature::TASKS_TOOLS_CALL };
        let limits = self.incoming.judged.map_or(Limits::DEFAULT, |(gate, _, _)| gate.policy().limits);
        ShapePolicy { limits, server, ..ShapePolicy::DEFAULT }
    }

    /// What the shaped text is to be changed in; none where a name that counts stands there twice.
    fn edits(&self, text: &[u8], written: &mut Written) -> Option<Vec<Edit>> {
        let Self { incoming, sending, hop, .. } = *self;
        let [id, params] = members(text, message(text), ["id", "params"])?;
        let mut edits = Vec::new();
        let is_request = incoming.kind == MessageKind::Request;
        if let Some(new) = sending.id.filter(|_| is_request) {
            edits.push((id.span(), new.to_vec()));
        }
        if !params.is_object() {
            return Some(edits);
        }
        let is_cancellation = incoming.method == Some(Method::Cancelled);
        let parameter = incoming.method.and_then(|method| self.target(method));
        let [target, meta, cancelled] = members(text, params, [parameter.unwrap_or_default(), "_meta", "requestId"])?;
        if parameter.is_some() {
            self.name(text, target, written, &mut edits)?;
        }
        if incoming.method == Some(Method::Initialize) {
            // A backend that keeps the client's session is asked for what the gate settled on: it may know revisions
            // that the gate does not serve, and would agree on one of those.
            let [version] = members(text, params, ["protocolVersion"])?;
            if version.is_string() && version.text(text).is_none_or(|asked| *asked != *hop.as_str().as_bytes()) {
                edits.push((version.span(), format!("\"{}\"", hop.as_str()).into_bytes()));
            }
        }
        if let Some(new) = sending.id.filter(|_| is_cancellation && cancelled.is_present()) {
            edits.push((cancelled.span(), new.to_vec()));
        }
        if hop.has(Feature::STATELESS) && meta.is_object() {
            let [claim, info] = members(text, meta, [meta_key::PROTOCOL_VERSION, meta_key::CLIENT_INFO])?;
            if is_request {
                self.client_info(meta, info, &mut edits);
            } else if claim.is_present() {
                // A notification needs no claim; the one that it has is the header's.
                edits.push((claim.span(), format!("\"{}\"", hop.as_str()).into_bytes()));
            }
        }
        edits.sort_by_key(|(span, _)| span.start);
        Some(edits)
    }

    /// The parameter that names what a request is about.
    fn target(&self, method: Method) -> Option<&'static str> {
        let row = |revision| method.row(Channel::ClientRequest, revision);
        row(self.hop).or_else(|| self.incoming.revision.and_then(row)).and_then(MethodRow::target_parameter)
    }

    /// Notes the backend's name for it.
    fn name(&self, text: &[u8], mut target: Node, written: &mut Written, edits: &mut Vec<Edit>) -> Option<()> {
        if target.is_object() {
            target = self.reference(text, target)?;
        } else {
            written.is_name_mirrored =
                self.incoming.method.is_some_and(|method| method.name_source(self.hop).is_some());
        }
        let Some(name) = target.text(text) else {
            written.is_name_mirrored = false;
            return Some(());
        };
        match self.sending.rename {
            None => written.name = Some(String::from_utf8_lossy(&name).into_owned()),
            Some(new) => {
                if name != new.as_bytes() {
                    let mut quoted = Vec::with_capacity(new.len() + 2);
                    push_string(&mut quoted, new);
                    edits.push((target.span(), quoted));
                }
                written.name = Some(new.to_owned());
            }
        }
        Some(())
    }

    /// The part of a completion's reference that names what it refers to: a prompt's name, a template's URI.
    ///
    /// Absent where its kind is nobody's.
    fn reference(&self, text: &[u8], reference: Node) -> Option<Node> {
        const KIND: &str = "type";
        let [kind] = members(text, reference, [KIND])?;
        let kind = kind.text(text).unwrap_or_default();
        let Standing::Has(definition) = Definition::CompletionReference.alternative(&kind, self.hop) else {
            return Some(Node::ABSENT);
        };
        let named = definition.members().iter().find(|member| member.is_required() && member.name() != KIND);
        let Some(named) = named else { return Some(Node::ABSENT) };
        members(text, reference, [named.name()]).map(|[name]| name)
    }

    /// Adds who the gateway is, where the request says nobody.
    fn client_info(&self, meta: Node, said: Node, edits: &mut Vec<Edit>) {
        let Some(info) = self.upstream.config.client_info.as_ref().filter(|_| !said.is_present()) else { return };
        // The envelope's other keys stand before it.
        let brace = meta.span().end as usize - 1;
        let mut member = b",".to_vec();
        push_string(&mut member, meta_key::CLIENT_INFO);
        member.push(b':');
        member.extend_from_slice(info);
        edits.push((Span::new(brace, brace), member));
    }
}

/// The object that a checked text is.
const fn message(text: &[u8]) -> Node {
    Node::between(Kind::Object, 0, text.len())
}

/// The text with its edits, which are in the order of the text.
fn splice(text: &[u8], edits: Vec<Edit>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 128);
    let mut copied = 0;
    for (span, new) in edits {
        out.extend_from_slice(text.get(copied..span.start as usize).unwrap_or_default());
        out.extend_from_slice(&new);
        copied = span.end as usize;
    }
    out.extend_from_slice(text.get(copied..).unwrap_or_default());
    out
}

/// A request, or without an id a notification; `params` and `id` are JSON texts.
pub(super) fn message_text(method: &str, params: Option<&[u8]>, id: Option<&[u8]>) -> Vec<u8> {
    let mut out = Vec::with_capacity(128);
    let mut message = ObjectWriter::open(&mut out);
    message.string(&mut out, "jsonrpc", "2.0");
    if let Some(id) = id {
        message.member(&mut out, "id", id);
    }
    message.string(&mut out, "method", method);
    if let Some(params) = params {
        message.member(&mut out, "params", params);
    }
    message.close(&mut out);
    out
}
