//! M0 to M8: the tail of the modern era.

use crate::capabilities::Requirement;
use crate::headers::{EVENT_STREAM, Field, accepts};
use crate::json::{Kind, Node};
use crate::table::meta_key::{CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION};
use crate::table::{ClientFeature, Era, LogLevel, Method, Needs, Revision, ServerFeature};

use super::ladder::{Climb, Top};
use super::message::Message;
use super::policy::Accept;
use super::{ClientSource, MessageKind, Rejection};

impl Climb<'_, '_> {
    pub(super) fn modern(
        &mut self,
        message: &Message,
        method: Option<Method>,
        revision: Revision,
    ) -> Result<Top, Rejection> {
        match self.facts.kind {
            Some(MessageKind::Request) => {}
            Some(MessageKind::Notification) => {
                self.method_header(message.method, false)?;
                return Ok(self.notification(method, revision));
            }
            _ => {
                self.object(Rejection::Response)?;
                return Ok(Top::Forward);
            }
        }
        self.modern_envelope(message, revision)?;
        self.method_header(message.method, true)?;
        // M3
        if !self.gate().has_method(method, revision) {
            self.object(self.no_such_method(message.method, Era::Modern))?;
        }
        self.parameters(message, method, revision)?;
        self.name_header(method, revision)?;
        self.param_headers(message)?;
        self.requirements(message, method, revision)?;
        self.listen_stream(method)?;
        Ok(self.top(method, revision, message.id))
    }

    /// M1: what a modern request says of itself and its client.
    ///
    /// Spec: 2026-07-28 basic, Request metadata.
    fn modern_envelope(&mut self, message: &Message, revision: Revision) -> Result<(), Rejection> {
        let meta = &message.meta;
        let missing = [(PROTOCOL_VERSION, meta.claim), (CLIENT_CAPABILITIES, meta.client_capabilities)];
        if missing.iter().any(|(_, node)| !node.is_present()) {
            let keys: Vec<&str> = missing.iter().filter(|(_, node)| !node.is_present()).map(|(key, _)| *key).collect();
            self.object(Rejection::Envelope(format!("_meta is missing {}", keys.join(", ")).into()))?;
        }
        if meta.client_capabilities.is_present() {
            self.client(meta.client_capabilities, &meta.declared, revision, |wrong| {
                Rejection::Envelope(format!("_meta {CLIENT_CAPABILITIES}: {wrong}").into())
            })?;
        } else {
            self.facts.client = ClientSource::Body(Node::ABSENT.span());
        }
        if meta.client_info.is_object() {
            self.facts.client_info = meta.client_info;
        } else if !meta.client_info.is_absent_or_null() {
            self.object(Rejection::Envelope(format!("_meta {CLIENT_INFO} must be an object").into()))?;
        }
        if !meta.log_level.is_absent_or_null() {
            if self.is_log_level(meta.log_level) {
                self.facts.log_level = meta.log_level;
            } else {
                self.object(Rejection::Envelope(format!("_meta {LOG_LEVEL} must be a logging level").into()))?;
            }
        }
        match meta.progress_token.kind() {
            Kind::Absent | Kind::Null => {}
            Kind::String | Kind::EscapedString | Kind::Integer => self.facts.progress_token = meta.progress_token,
            _ => self.object(Rejection::Envelope("_meta progressToken must be a string or an integer".into()))?,
        }
        Ok(())
    }

    pub(super) fn is_log_level(&self, node: Node) -> bool {
        node.text(self.body()).is_some_and(|level| LogLevel::parse(&level).is_some())
    }

    /// M7: what the call needs, the client declared.
    ///
    /// Spec: 2026-07-28 basic, client capabilities (-32021).
    fn requirements(&mut self, message: &Message, method: Option<Method>, revision: Revision) -> Result<(), Rejection> {
        let mut flags = ClientFeature::empty();
        if let Some(Needs::All(server)) = method.map(|method| method.server_needs(revision))
            && server.contains(ServerFeature::TASKS_EXTENSION)
        {
            flags |= ClientFeature::TASKS_EXTENSION;
        }
        if method == Some(Method::SubscriptionsListen) && message.fields.filter.task_ids_are_strings {
            flags |= ClientFeature::TASKS_EXTENSION;
        }
        if flags.is_empty() && self.gate().requirements().is_empty() {
            return Ok(());
        }
        let body = self.body();
        let name = self.facts.name.text(body);
        let called = message.method.text(body).unwrap_or_default();
        let needed = self
            .gate()
            .requirements()
            .of(&called, name.as_deref())
            .fold(Requirement::from(flags), |sum, requirement| sum.union(requirement))
            .within(revision);
        match needed.missing(self.facts.client_features, &message.meta.declared, body) {
            Some(missing) => self.object(Rejection::missing_capability(missing)),
            None => Ok(()),
        }
    }

    /// M8: a listen request is answered by a stream.
    fn listen_stream(&mut self, method: Option<Method>) -> Result<(), Rejection> {
        let Some(headers) = self.headers() else {
            return Ok(());
        };
        if method != Some(Method::SubscriptionsListen)
            || self.gate().policy().accept == Accept::Pass
            || accepts(headers.lines(Field::Accept), EVENT_STREAM)
        {
            return Ok(());
        }
        self.object(Rejection::AcceptListen)
    }
}
