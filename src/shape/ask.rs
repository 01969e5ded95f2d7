//! What a server asks of a client: with a request of its own, or inside a result.

use super::error::ShapeError;
use super::plan::{Fate, Role, Row};
use super::reader::IncludeContext;
use super::walk::{Care, Walk, Walked};
use crate::table::{Channel, ClientFeature, Definition, Feature, Method, Shape, Standing, Tag};

/// What stands against asking this client.
#[derive(Debug, Default)]
pub(super) struct Objections {
    /// It may not be asked at all, and why.
    pub(super) unfit: Option<&'static str>,
    /// What it did not declare.
    pub(super) missing: ClientFeature,
}

impl Objections {
    fn need(&mut self, walk: &Walk<'_, '_>, feature: ClientFeature) {
        if let Some(declared) = walk.reader.client {
            self.missing |= feature - declared;
        }
    }

    fn unfit(&mut self, why: &'static str) {
        self.unfit.get_or_insert(why);
    }
}

impl Walk<'_, '_> {
    /// Walks the parameters of a request to the client, and notes what stands against it.
    pub(super) fn asked(&mut self, method: Method, objections: &mut Objections) -> Walked<()> {
        let mut definition = method.params();
        let task = match method {
            Method::SamplingCreateMessage => ClientFeature::TASKS_SAMPLING,
            Method::ElicitationCreate => {
                definition = self.mode(objections)?;
                ClientFeature::TASKS_ELICITATION
            }
            _ => ClientFeature::empty(),
        };
        self.met_tool_content = false;
        self.object_with(definition, &mut Parameters { objections: &mut *objections, task })?;
        if self.met_tool_content {
            if self.reader.revision.client_features().contains(ClientFeature::SAMPLING_TOOLS) {
                objections.need(self, ClientFeature::SAMPLING_TOOLS);
            } else {
                objections.unfit("this revision has no tool_use and no tool_result content");
            }
        }
        Ok(())
    }

    /// Whether a request of `method` has parameters that it cannot do without.
    pub(super) fn needs_params(&self, method: Method) -> bool {
        match method.params().shape() {
            Shape::Object(members) => {
                members.iter().any(|member| member.is_required() && member.span().has(self.reader.revision))
            }
            _ => true,
        }
    }

    /// Which parameters an elicitation has.
    fn mode(&mut self, objections: &mut Objections) -> Walked<Definition> {
        let choice = Definition::ElicitRequestParams;
        let Shape::Choice(Tag::Text(tag), _) = choice.shape() else { return Ok(choice) };
        let [mode] = self.look_for([tag])?;
        let form = Definition::ElicitRequestFormParams;
        let said = mode.text(self.text()).map(|text| choice.alternative(&text, self.reader.revision));
        let definition = match said {
            _ if mode.is_absent_or_null() => form,
            Some(Standing::Has(definition)) => definition,
            _ => {
                objections.unfit("this revision has no such elicitation mode");
                return Ok(form);
            }
        };
        let needed = match definition {
            Definition::ElicitRequestURLParams => ClientFeature::ELICITATION_URL,
            _ => ClientFeature::ELICITATION_FORM,
        };
        objections.need(self, needed);
        Ok(definition)
    }

    /// Walks a request that travels inside a result.
    pub(super) fn input_request(&mut self, objections: &mut Objections) -> Walked<()> {
        let [method, params] = self.look_for(["method", "params"])?;
        let Some(name) = method.text(self.text()) else {
            let what = if method.is_present() { "must be a string" } else { "is missing" };
            return Err(ShapeError::new(what).in_member(b"method"));
        };
        let revision = self.reader.revision;
        let permitted = revision.methods(Channel::InputRequest, self.reader.reading);
        let method = Method::parse(&name).filter(|method| permitted.contains(*method));
        let (Some(method), Standing::Has(definition)) = (method, Definition::InputRequest.alternative(&name, revision))
        else {
            objections.unfit("no such request may travel in a result");
            self.cursor.value()?;
            return Ok(());
        };
        if method == Method::ElicitationCreate && !self.reader.policy.elicitation {
            objections.unfit("the server may not ask the user");
        }
        let base = method.client_needs(Channel::InputRequest, revision);
        // Without the one mode that is asked for, nothing is known of the other.
        objections.need(self, base - ClientFeature::ELICITATION);
        if self.needs_params(method) && params.is_absent_or_null() {
            return Err(ShapeError::new("is missing").in_member(b"params"));
        }
        self.object_with(definition, &mut InputRequest { method, objections }).map(drop)
    }
}

struct InputRequest<'o> {
    method: Method,
    objections: &'o mut Objections,
}

impl Care for InputRequest<'_> {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        // Parameters that may be left out ask for nothing that a client could lack.
        if row.role != Role::Params || row.optional {
            return walk.member(row);
        }
        walk.asked(self.method, self.objections)?;
        Ok(true)
    }

    fn unknown(&mut self, walk: &mut Walk<'_, '_>, name: &[u8]) -> Walked<bool> {
        walk.cursor.value()?;
        // What makes a message of a request on the wire has no place inside another message.
        Ok(Definition::JSONRPCRequest.members().iter().all(|member| member.name().as_bytes() != name))
    }
}

struct Parameters<'o> {
    objections: &'o mut Objections,
    /// What a client declares that runs this request as a task.
    task: ClientFeature,
}

impl Care for Parameters<'_> {
    fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        match row.role {
            Role::Offer => {
                let keep = walk.member(row)?;
                if keep {
                    self.objections.need(walk, ClientFeature::SAMPLING_TOOLS);
                }
                Ok(keep)
            }
            Role::Task => Ok(walk.member(row)? && !walk.reader.lacks(self.task)),
            Role::IncludeContext => {
                let node = walk.cursor.value()?;
                let asks = node.text(walk.text()).is_some_and(|text| matches!(&*text, b"thisServer" | b"allServers"));
                let declared_apart = walk.has(Feature::SAMPLING_CONTEXT);
                let keep = row.fate != Fate::Cut && node.kind() != crate::json::Kind::Null;
                if !asks || !declared_apart || !walk.reader.lacks(ClientFeature::SAMPLING_CONTEXT) {
                    return Ok(keep);
                }
                match walk.reader.policy.include_context {
                    IncludeContext::Strip => Ok(false),
                    IncludeContext::Require => {
                        self.objections.need(walk, ClientFeature::SAMPLING_CONTEXT);
                        Ok(keep)
                    }
                }
            }
            _ => walk.member(row),
        }
    }
}
