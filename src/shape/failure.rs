//! Errors: codes that a revision does not have are told in those that it has.

use super::answer::{Answer, url_elicitations};
use super::error::ShapeError;
use super::response::Outcome;
use super::walk::{Walk, Walked};
use crate::json::{Kind, Node};
use crate::table::{ClientFeature, Code, Definition, Era, Method, Origin, http_status};

const NO_WORD_FOR_URLS: &str = "Internal error: an url elicitation cannot be delivered to this client";

impl Walk<'_, '_> {
    /// Walks an error.
    pub(super) fn failure(&mut self, method: Option<Method>) -> Walked<Outcome> {
        let [number, message, data] = self.look_for(["code", "message", "data"])?;
        if number.kind() != Kind::Integer {
            return Err(ShapeError::new("must be an integer").in_member(b"code"));
        }
        if !message.is_string() {
            return Err(ShapeError::new("must be a string").in_member(b"message"));
        }
        self.object(Definition::Error)?;
        let said: Option<i64> =
            std::str::from_utf8(number.token(self.text())).ok().and_then(|digits| digits.parse().ok());
        let told = match (said.and_then(Code::from_number), self.reader.era()) {
            // Whatever is told as the one is told as the other, so that shaping twice is shaping once.
            (Some(Code::InvalidParams | Code::MissingRequiredClientCapability), Era::Legacy)
                if self.names_missing_resource(method, data)? =>
            {
                Code::ResourceNotFound
            }
            (Some(Code::ResourceNotFound), Era::Modern)
            | (Some(Code::MissingRequiredClientCapability), Era::Legacy) => Code::InvalidParams,
            (Some(Code::HeaderMismatch | Code::UnsupportedProtocolVersion), Era::Legacy) => {
                return Ok(Outcome::Instead(Answer::error(Code::InternalError, "Internal error")));
            }
            (Some(code @ Code::UrlElicitationRequired), era) if !code.is_in(self.reader.revision) => {
                let answer = match era {
                    Era::Modern => self.url_elicitation(method, data).map_err(|error| error.in_member(b"data"))?,
                    Era::Legacy => Answer::error(Code::InternalError, NO_WORD_FOR_URLS),
                };
                return Ok(Outcome::Instead(answer));
            }
            _ => {
                let status = said.map_or(200, |number| http_status(number, self.reader.era(), Origin::Handler));
                return Ok(Outcome::Shaped { status });
            }
        };
        self.patch.put(number.span(), &[told.number().to_string().as_bytes()]);
        Ok(Outcome::Shaped { status: told.http_status(self.reader.era(), Origin::Handler) })
    }

    /// Whether an error about a parameter is about a resource that does not exist.
    ///
    /// Spec: SEP-2164, `data.uri`.
    fn names_missing_resource(&self, method: Option<Method>, data: Node) -> Walked<bool> {
        if method != Some(Method::ResourcesRead) || !data.is_object() {
            return Ok(false);
        }
        let [uri] = self.inside(data).look_for(["uri"]).map_err(|error| error.in_member(b"data"))?;
        Ok(uri.is_string())
    }

    /// What a revision without the error does instead: it asks for input.
    ///
    /// Spec: 2026-07-28 changelog, minor 11; basic/patterns/mrtr.
    fn url_elicitation(&self, method: Option<Method>, data: Node) -> Walked<Answer> {
        let refused = Answer::error(Code::InternalError, NO_WORD_FOR_URLS);
        let may_ask = method.is_some_and(|method| method.takes_input_responses(self.reader.revision));
        if !may_ask || !self.reader.policy.elicitation || !data.is_object() {
            return Ok(refused);
        }
        let mut inside = self.inside(data);
        let [list] = inside.look_for(["elicitations"])?;
        if list.kind() != Kind::Array {
            return Ok(refused);
        }
        let mut entries = Vec::new();
        let mut inside = self.inside(list);
        inside
            .elements(|walk| {
                let [message, url] = walk.look_for(["message", "url"])?;
                for (node, name) in [(message, "message"), (url, "url")] {
                    if !node.is_string() {
                        return Err(ShapeError::new("must be a string").in_member(name.as_bytes()));
                    }
                }
                entries.push((message.token(self.text()), url.token(self.text())));
                walk.cursor.value()?;
                Ok(())
            })
            .map_err(|error| error.in_member(b"elicitations"))?;
        if entries.is_empty() {
            return Ok(refused);
        }
        if self.reader.lacks(ClientFeature::ELICITATION_URL) {
            return Ok(Answer::missing(ClientFeature::ELICITATION_URL, self.reader.client.unwrap_or_default()));
        }
        Ok(Answer::Result(url_elicitations(Method::ElicitationCreate.as_str(), &entries)))
    }
}
