//! The answer to a client's request.

use super::answer::Answer;
use super::ask::Objections;
use super::content::Payload;
use super::envelope::check_id;
use super::error::ShapeError;
use super::meta::Stamp;
use super::notification::same_token;
use super::plan::{Role, Row};
use super::reader::Reader;
use super::walk::{Care, Object, Walk, Walked};
use super::{Shaped, To};
use crate::handshake::{CacheScope, settled_on};
use crate::json::{Cursor, Kind, Node, echo};
use crate::table::{Channel, Code, Definition, Era, Feature, Method, Reading, Revision};

/// The kind of result that is delivered everywhere.
const COMPLETE: &[u8] = b"complete";
const INPUT_REQUIRED: &[u8] = b"input_required";
const TASK: &[u8] = b"task";

/// Shapes the answer to a request of `method`, where that is one of the specification's.
///
/// # Errors
///
/// The message is malformed where shaping reads it.
pub fn shape_response<'a>(
    message: &'a [u8],
    method: Option<Method>,
    reader: &Reader<'_>,
) -> Result<Shaped<'a>, ShapeError> {
    let cursor = || Cursor::new(message, reader.policy.limits);
    let mut reader = *reader;
    if method == Some(Method::Initialize) && reader.era() == Era::Legacy {
        let [result] = Walk::new(cursor()?, &reader).look_for(["result"])?;
        // Who is answered with an older revision than it asked for reads under that from here on.
        let settled = settled_on(message, result).unwrap_or(reader.revision);
        reader.revision = Revision::ALL[settled.index().min(reader.revision.index())];
    }
    let mut walk = Walk::new(cursor()?, &reader);
    let (id, own, outcome) = walk.response(method)?;
    Ok(match outcome {
        Outcome::Shaped { status } => Shaped { body: walk.finish(), status, to: To::Client },
        Outcome::Instead(answer) => {
            let id = if id.is_present() { id.token(message) } else { b"null" };
            Shaped {
                body: answer.message(own.unwrap_or(id)).into(),
                status: answer.status(reader.era()),
                to: To::Client,
            }
        }
    })
}

/// What became of a response.
pub(super) enum Outcome {
    /// It is delivered, as the patch has it.
    Shaped { status: u16 },
    /// This is delivered in its place.
    Instead(Answer),
}

impl<'r> Walk<'_, 'r> {
    /// Walks a whole response: its id, the id that takes its place, and what it says.
    fn response(&mut self, method: Option<Method>) -> Walked<(Node, Option<&'r [u8]>, Outcome)> {
        let mut object = self.enter()?;
        let [mut version, mut id] = [Node::ABSENT; 2];
        let mut outcome = None;
        let mut is_error = false;
        while let Some(key) = self.next(&mut object)? {
            let name = key.name(self.text());
            let held = match name.as_ref() {
                b"jsonrpc" => Some(&mut version),
                b"id" => Some(&mut id),
                b"result" | b"error" => {
                    if outcome.is_some() {
                        return Err(ShapeError::new("a response has one result or one error").in_member(&name));
                    }
                    is_error = name.as_ref() == b"error";
                    let walked = if is_error { self.failure(method) } else { self.result(method) };
                    outcome = Some(walked.map_err(|error| error.in_member(&name))?);
                    None
                }
                b"method" => return Err(ShapeError::new("a response has no method").in_member(&name)),
                _ => {
                    self.cursor.value()?;
                    None
                }
            };
            if let Some(held) = held {
                if held.is_present() {
                    return Err(ShapeError::new("stands here twice").in_member(&name));
                }
                *held = self.cursor.value()?;
            }
            self.settle(&mut object, true);
        }
        self.cursor.end()?;
        self.check_version(version)?;
        let outcome = outcome.ok_or_else(|| ShapeError::new("a response has a result or an error"))?;
        let may_lack_id = is_error && !matches!(outcome, Outcome::Instead(Answer::Result(_)));
        if !may_lack_id || !id.is_absent_or_null() {
            check_id(id)?;
        }
        let own = self.own_id(id, is_error)?;
        if let Some(own) = own {
            if !id.is_present() {
                self.add(&mut object, "id", &[own]);
            } else if id.token(self.text()) != own {
                self.patch.put(id.span(), &[own]);
            }
        }
        Ok((id, own, outcome))
    }

    /// The id of the request that is answered, where the backend was asked under one of the gateway's.
    ///
    /// Whoever could not read the request could not read its id either, so an error is taken for what it is.
    fn own_id(&self, id: Node, is_error: bool) -> Walked<Option<&'r [u8]>> {
        let Some(request) = self.reader.request else { return Ok(None) };
        let (Some(own), Some(asked)) = (request.id.as_deref(), request.asked_as.as_deref()) else { return Ok(None) };
        if !is_error && !same_token(asked, id, self.text()) {
            return Err(ShapeError::new("answers another request").in_member(b"id"));
        }
        Ok(Some(own))
    }

    /// Walks a result.
    fn result(&mut self, method: Option<Method>) -> Walked<Outcome> {
        if method.is_some_and(|method| !is_asked_by_clients(method)) {
            self.cursor.value()?; // what a client answers is no result of a server's
            return Ok(Outcome::Shaped { status: 200 });
        }
        let (place, mark) = (self.cursor.place(), self.patch.mark());
        let mut care = ResultCare::new(self.reader, method);
        let walked = self.object_with(ResultKind::Complete.definition(method), &mut care);
        let Some(turn) = care.turn.take() else {
            walked?;
            return Ok(care.outcome());
        };
        // It says late what it is: once more from its beginning, now that it is known.
        self.cursor.go_back(place);
        self.patch.undo(mark);
        match turn {
            Turn::Undeliverable(kind) => {
                self.cursor.value()?;
                Ok(Outcome::Instead(undeliverable(&kind)))
            }
            Turn::Again(kind) => {
                let mut care = ResultCare { kind, ..ResultCare::new(self.reader, method) };
                self.object_with(kind.definition(method), &mut care)?;
                Ok(care.outcome())
            }
        }
    }
}

fn is_asked_by_clients(method: Method) -> bool {
    let asked = |revision: &Revision| revision.methods(Channel::ClientRequest, Reading::SchemaExact).contains(method);
    Revision::ALL.iter().any(asked)
}

/// What a request's complete result is made of.
fn payload_definition(method: Method) -> Option<Definition> {
    match method.result() {
        // What a client's task gives is given by a tool: no other request of a client becomes one.
        Some(Definition::GetTaskPayloadResult) => Some(Definition::CallToolResult),
        definition => definition,
    }
}

#[cold]
fn undeliverable(kind: &str) -> Answer {
    let message = format!("Internal error: result type {kind} cannot be delivered to this client");
    Answer::error(Code::InternalError, message)
}

/// What a result says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultKind {
    Complete,
    InputRequired,
    Task,
    Other,
}

impl ResultKind {
    /// What such a result to `method` is made of.
    fn definition(self, method: Option<Method>) -> Definition {
        match self {
            Self::Complete => method.and_then(payload_definition).unwrap_or(Definition::EmptyResult),
            Self::InputRequired => Definition::InputRequiredResult,
            Self::Task => Definition::CreateTaskResult,
            Self::Other => Definition::EmptyResult,
        }
    }
}

/// The result turned out to be another than it was walked as.
enum Turn {
    /// Of a kind that the reader has no word for.
    Undeliverable(Box<str>),
    Again(ResultKind),
}

/// Who cares for a result's own members.
#[allow(clippy::struct_excessive_bools, reason = "each tells of one member whether it was met")]
struct ResultCare<'r> {
    reader: &'r Reader<'r>,
    method: Option<Method>,
    kind: ResultKind,
    payload: Payload,
    stamp: Stamp<'r>,
    /// The result carries cache hints, so the missing ones are added.
    hints: bool,
    turn: Option<Turn>,
    met_type: bool,
    met_ttl: bool,
    met_scope: bool,
    /// There was a task of the core, which the reader does not know.
    lost_task: bool,
    asks: bool,
    has_state: bool,
    objections: Objections,
}

impl<'r> ResultCare<'r> {
    fn new(reader: &'r Reader<'r>, method: Option<Method>) -> Self {
        Self {
            reader,
            method,
            kind: ResultKind::Complete,
            payload: Payload::default(),
            stamp: Stamp::new(reader.stamp()),
            hints: method.is_some_and(|method| method.is_cacheable(reader.revision)),
            turn: None,
            met_type: false,
            met_ttl: false,
            met_scope: false,
            lost_task: false,
            asks: false,
            has_state: false,
            objections: Objections::default(),
        }
    }

    fn says_type(&self) -> bool {
        self.reader.has(Feature::RESULT_TYPE)
    }

    /// A task of the core, in the place of a tool's result.
    fn task(&mut self, walk: &mut Walk<'_, '_>, name: &[u8]) -> Walked<bool> {
        let row = walk.row(Definition::CreateTaskResult, name).filter(|_| walk.has(Feature::TASK_PARAMETER));
        let keep = match row {
            Some(row) => walk.member(row)?,
            None => walk.cursor.value().map(|_| false)?,
        };
        self.lost_task = !keep;
        Ok(keep)
    }

    fn outcome(self) -> Outcome {
        if self.lost_task && !self.payload.has_content() {
            return Outcome::Instead(undeliverable("task"));
        }
        if self.kind == ResultKind::InputRequired {
            let may_ask = self.method.is_some_and(|method| method.takes_input_responses(self.reader.revision));
            if !may_ask || !(self.asks || self.has_state) || self.objections.unfit.is_some() {
                let message = "Internal error: invalid input_required result";
                return Outcome::Instead(Answer::error(Code::InternalError, message));
            }
            if !self.objections.missing.is_empty() {
                let declared = self.reader.client.unwrap_or_default();
                return Outcome::Instead(Answer::missing(self.objections.missing, declared));
            }
        }
        Outcome::Shaped { status: 200 }
    }

    fn turns<T>(&mut self, turn: Turn) -> Walked<T> {
        self.turn = Some(turn);
        Err(ShapeError::new(""))
    }

    fn result_type(&mut self, walk: &mut Walk<'_, '_>) -> Walked<bool> {
        let node = walk.cursor.value()?;
        if node.kind() == Kind::Null {
            return Ok(false);
        }
        let Some(said) = node.text(walk.text()) else {
            return Err(ShapeError::new("must be a string"));
        };
        if !self.says_type() {
            return if said.as_ref() == COMPLETE { Ok(false) } else { self.turns(Turn::Undeliverable(echo(&said))) };
        }
        let kind = match said.as_ref() {
            COMPLETE => ResultKind::Complete,
            INPUT_REQUIRED => ResultKind::InputRequired,
            TASK => ResultKind::Task,
            _ => ResultKind::Other,
        };
        if kind != self.kind {
            return self.turns(Turn::Again(kind));
        }
        self.met_type = true;
        Ok(true)
    }

    /// Whether the cache hints of this result are the specification's: else they are somebody else's members.
    fn has_hints(&self) -> bool {
        self.hints && self.kind == ResultKind::Complete
    }

    fn ttl(&mut self, walk: &mut Walk<'_, '_>) -> Walked<bool> {
        let node = walk.cursor.value()?;
        self.met_ttl = true;
        let token = node.token(walk.text());
        let is_ttl = node.kind() == Kind::Integer && !token.starts_with(b"-");
        if self.retry() && token != b"0" || !is_ttl {
            walk.patch.put(node.span(), &[self.own_ttl().as_bytes()]);
        }
        Ok(true)
    }

    fn scope(&mut self, walk: &mut Walk<'_, '_>) -> Walked<bool> {
        let node = walk.cursor.value()?;
        self.met_scope = true;
        let said = node.text(walk.text());
        let said = said.and_then(|said| {
            [CacheScope::Public, CacheScope::Private]
                .into_iter()
                .find(|scope| scope.as_str().as_bytes() == said.as_ref())
        });
        let scope = self.own_scope(said);
        if said != Some(scope) {
            let parts: [&[u8]; 3] = [b"\"", scope.as_str().as_bytes(), b"\""];
            walk.patch.put(node.span(), &parts);
        }
        Ok(true)
    }

    fn retry(&self) -> bool {
        self.reader.request.is_some_and(|request| request.retry)
    }

    fn own_ttl(&self) -> String {
        if self.retry() { String::from("0") } else { self.reader.policy.default_ttl_ms.to_string() }
    }

    fn own_scope(&self, said: Option<CacheScope>) -> CacheScope {
        if self.retry() || self.reader.policy.per_caller {
            return CacheScope::Private;
        }
        said.unwrap_or(self.reader.policy.default_cache_scope)
    }

    /// The three members that no older result has, whatever the method.
    fn hint(&mut self, walk: &mut Walk<'_, '_>, role: Role) -> Option<Walked<bool>> {
        match role {
            Role::ResultType => Some(self.result_type(walk)),
            Role::TtlMs | Role::CacheScope if !self.says_type() || self.kind == ResultKind::InputRequired => {
                Some(walk.cursor.value().map(|_| false).map_err(Into::into))
            }
            Role::TtlMs if self.has_hints() => Some(self.ttl(walk)),
            Role::CacheScope if self.has_hints() => Some(self.scope(walk)),
            _ => None,
        }
    }
}

impl Care for ResultCare<'_> {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        match row.role {
            Role::None => walk.member(row),
            Role::Meta => self.stamp.member(walk, row),
            Role::Content | Role::StructuredContent => self.payload.member(walk, row),
            Role::InputRequests => {
                if walk.cursor.peek() == Some(b'n') {
                    return walk.member(row);
                }
                self.asks = true;
                walk.input_requests(&mut self.objections)?;
                Ok(true)
            }
            Role::RequestState => {
                let node = walk.cursor.value()?;
                if !node.is_string() && node.kind() != Kind::Null {
                    return Err(ShapeError::new("must be a string"));
                }
                self.has_state = node.is_string();
                Ok(self.has_state)
            }
            role => self.hint(walk, role).unwrap_or_else(|| walk.member(row)),
        }
    }

    fn unknown(&mut self, walk: &mut Walk<'_, '_>, name: &[u8]) -> Walked<bool> {
        let role = match name {
            b"resultType" => Role::ResultType,
            b"ttlMs" => Role::TtlMs,
            b"cacheScope" => Role::CacheScope,
            b"task" if self.method == Some(Method::ToolsCall) => Role::Task,
            _ => Role::None,
        };
        if role == Role::Task {
            return self.task(walk, name);
        }
        self.hint(walk, role).unwrap_or_else(|| {
            walk.cursor.value()?;
            Ok(true)
        })
    }

    fn end(&mut self, walk: &mut Walk<'_, '_>, object: &mut Object) {
        self.payload.end(walk, object);
        self.stamp.end(walk, object);
        if !self.says_type() {
            return;
        }
        if !self.met_type {
            walk.add(object, "resultType", &[b"\"", COMPLETE, b"\""]);
        }
        if self.has_hints() && !self.met_ttl {
            walk.add(object, "ttlMs", &[self.own_ttl().as_bytes()]);
        }
        if self.has_hints() && !self.met_scope {
            walk.add(object, "cacheScope", &[b"\"", self.own_scope(None).as_str().as_bytes(), b"\""]);
        }
    }
}
