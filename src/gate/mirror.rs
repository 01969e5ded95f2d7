//! M2, M5 and M6: the mirror headers against the body.
//!
//! A router in front decided by these headers; the body must say the same. Spec: 2026-07-28
//! basic/transports/streamable-http, standard and custom headers.

use crate::headers::{Field, Lines, decode, is_printable};
use crate::json::{Kind, Node};
use crate::table::{Method, Revision};

use super::Rejection;
use super::decimal::Decimal;
use super::ladder::Climb;
use super::message::Message;
use super::mismatch::{How, Mismatch};

const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";

/// The value of a header that must be there once.
fn only(lines: Lines<'_>, collapse: bool) -> Result<&[u8], How> {
    let Some(value) = lines.first() else {
        return Err(How::Missing);
    };
    if lines.is_repeated() && !(collapse && lines.all_equal()) {
        return Err(How::Repeated);
    }
    if !is_printable(value) {
        return Err(How::InvalidCharacters);
    }
    Ok(value)
}

impl Climb<'_, '_> {
    /// M2: `Mcp-Method` is the body's method, to the letter; a notification may leave it out.
    #[inline]
    pub(super) fn method_header(&mut self, method: Node, is_required: bool) -> Result<(), Rejection> {
        let Some(headers) = self.headers() else {
            return Ok(());
        };
        let lines = headers.lines(Field::McpMethod);
        if !is_required && lines.first().is_none() {
            return Ok(());
        }
        let mismatch = match only(lines, self.gate().policy().collapse_header_copies) {
            Ok(value) => {
                let in_body = method.text(self.body()).unwrap_or_default();
                if *value == *in_body {
                    return Ok(());
                }
                Mismatch::differs(METHOD, value, &in_body)
            }
            Err(how) => Mismatch::new(METHOD, how),
        };
        self.object(Rejection::Method(mismatch))
    }

    /// M5: `Mcp-Name` is the parameter that names the target.
    #[inline]
    pub(super) fn name_header(&mut self, method: Option<Method>, revision: Revision) -> Result<(), Rejection> {
        let Some(headers) = self.headers() else {
            return Ok(());
        };
        let lines = headers.lines(Field::McpName);
        let policy = self.gate().policy();
        let has_source = method.is_some_and(|method| self.name_source(method, revision).is_some());
        if !has_source {
            let how = if lines.is_repeated() && !(policy.collapse_header_copies && lines.all_equal()) {
                How::Repeated
            } else if policy.reject_stray_name_header && lines.first().is_some() {
                How::NoBodyValue
            } else {
                return Ok(());
            };
            return self.object(Rejection::Name(Mismatch::new(NAME, how)));
        }
        // Without its source field, which a rung above has reported, there is nothing to compare.
        let Some(in_body) = self.facts.name.text(self.body()) else {
            return Ok(());
        };
        let mismatch = match only(lines, policy.collapse_header_copies) {
            Ok(value) => match decode(value) {
                Ok(decoded) if *decoded == *in_body => return Ok(()),
                Ok(decoded) => Mismatch::differs(NAME, &decoded, &in_body),
                Err(_) => Mismatch::new(NAME, How::Undecodable),
            },
            Err(how) => Mismatch::new(NAME, how),
        };
        self.object(Rejection::Name(mismatch))
    }

    /// M6: each `Mcp-Param-*` that the called tool's schema asks for is the argument it mirrors.
    pub(super) fn param_headers(&mut self, message: &Message) -> Result<(), Rejection> {
        let annotations = self.gate().annotations();
        let called =
            message.param_values.as_ref().and_then(|values| Some((values, annotations.of_call(message, self.body())?)));
        let (Some(headers), Some((values, tool))) = (self.headers(), called) else {
            return Ok(());
        };
        for (name, value) in tool.headers().zip(&values.values) {
            let mut lines = headers.param(name);
            let first = lines.next();
            let is_repeated = lines.next().is_some();
            let header = format!("Mcp-Param-{name}");
            if let Some(mismatch) = param_mismatch(&header, first, is_repeated, *value, self.body()) {
                self.object(Rejection::Param(mismatch))?;
            }
        }
        Ok(())
    }
}

fn param_mismatch(name: &str, line: Option<&[u8]>, is_repeated: bool, argument: Node, body: &[u8]) -> Option<Mismatch> {
    let has_value = !matches!(argument.kind(), Kind::Absent | Kind::Null | Kind::Array | Kind::Object);
    let Some(line) = line else {
        return has_value.then(|| Mismatch::new(name.to_owned(), How::Missing));
    };
    if is_repeated {
        return Some(Mismatch::new(name.to_owned(), How::Repeated));
    }
    if !is_printable(line) {
        return Some(Mismatch::new(name.to_owned(), How::InvalidCharacters));
    }
    if !has_value {
        return Some(Mismatch::new(name.to_owned(), How::NoArgument));
    }
    let Ok(decoded) = decode(line) else {
        return Some(Mismatch::new(name.to_owned(), How::Undecodable));
    };
    let token = argument.token(body);
    let in_body = argument.text(body).unwrap_or(token.into());
    let is_equal = match argument.kind() {
        Kind::Integer | Kind::Number => Decimal::is_plain(&decoded) && Decimal::read(&decoded) == Decimal::read(token),
        _ => *decoded == *in_body,
    };
    (!is_equal).then(|| Mismatch::differs(name.to_owned(), &decoded, &in_body))
}
