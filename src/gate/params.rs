//! `Mcp-Param-*`: which arguments of which tool are mirrored, and what the body says of them.
//!
//! Spec: 2026-07-28 basic/transports/streamable-http, custom headers from tool parameters.

use std::collections::HashMap;

use crate::headers::is_token;
use crate::json::{Cursor, Kind, Node};
use crate::table::Method;

use super::message::Message;

/// The annotated parameters of every tool.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    tools: HashMap<Box<[u8]>, ToolAnnotations>,
}

/// The annotated parameters of one tool.
#[derive(Clone, Debug, Default)]
pub struct ToolAnnotations {
    headers: Vec<Box<str>>,
    root: Place,
}

/// A property of the arguments: whether it is mirrored, and what is mirrored inside it.
#[derive(Clone, Debug, Default)]
struct Place {
    header: Option<usize>,
    inside: Vec<(Box<str>, Place)>,
}

/// The values of a call's annotated parameters, in the order of the tool's headers.
#[derive(Debug)]
pub(crate) struct ParamValues {
    pub values: Vec<Node>,
    pub duplicate: bool,
    pub case_variant: bool,
}

/// Why an annotation cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnnotationError {
    /// The name is no token that a header name may hold.
    NotAToken(Box<str>),
    /// Two parameters of a tool share a name, in whatever case.
    Repeated(Box<str>),
    /// A parameter without a path.
    EmptyPath,
    /// One parameter is given twice.
    PathTwice(Vec<Box<str>>),
}

impl std::fmt::Display for AnnotationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAToken(name) => write!(f, "{name:?} cannot stand in a header name: use letters, digits and -_."),
            Self::Repeated(name) => write!(f, "two parameters of one tool are mirrored as {name:?}: names must differ"),
            Self::EmptyPath => f.write_str("a mirrored parameter needs a path of at least one property"),
            Self::PathTwice(path) => write!(f, "the parameter {:?} is mirrored twice", path.join(".")),
        }
    }
}

impl std::error::Error for AnnotationError {}

impl ToolAnnotations {
    /// The annotations of a tool: each parameter's path into the arguments, and the name after `Mcp-Param-`.
    ///
    /// # Errors
    ///
    /// A name is not a token, or used twice.
    pub fn new<'p, P, I>(parameters: I) -> Result<Self, AnnotationError>
    where
        P: IntoIterator<Item = &'p str>,
        I: IntoIterator<Item = (P, &'p str)>,
    {
        let mut tool = Self::default();
        for (path, name) in parameters {
            if !is_token(name) {
                return Err(AnnotationError::NotAToken(name.into()));
            }
            if tool.headers.iter().any(|have| have.eq_ignore_ascii_case(name)) {
                return Err(AnnotationError::Repeated(name.into()));
            }
            let path: Vec<Box<str>> = path.into_iter().map(Into::into).collect();
            if path.is_empty() {
                return Err(AnnotationError::EmptyPath);
            }
            let mut place = &mut tool.root;
            for step in &path {
                place = place.child(step);
            }
            if place.header.replace(tool.headers.len()).is_some() {
                return Err(AnnotationError::PathTwice(path));
            }
            tool.headers.push(name.into());
        }
        Ok(tool)
    }

    /// The names after `Mcp-Param-`.
    pub fn headers(&self) -> impl Iterator<Item = &str> {
        self.headers.iter().map(|name| &**name)
    }

    /// The second look, at the arguments alone.
    pub(crate) fn read(&self, cursor: &Cursor<'_>, arguments: Node) -> ParamValues {
        let mut values = vec![Node::ABSENT; self.headers.len()];
        let mut again = cursor.again(arguments.span());
        // The span was read before: a fault here would be one there.
        if arguments.is_object() {
            self.root.read(&mut again, &mut values);
        }
        ParamValues { values, duplicate: again.saw_duplicate(), case_variant: again.saw_case_variant() }
    }
}

impl Place {
    fn child(&mut self, step: &str) -> &mut Self {
        let at = self.inside.iter().position(|(name, _)| **name == *step).unwrap_or_else(|| {
            self.inside.push((step.into(), Self::default()));
            self.inside.len() - 1
        });
        &mut self.inside[at].1
    }

    fn read(&self, cursor: &mut Cursor<'_>, values: &mut [Node]) {
        let names: Vec<&str> = self.inside.iter().map(|(name, _)| &**name).collect();
        let mut members = cursor.enter_object_reading(&names);
        while let Some(key) = cursor.member(&mut members) {
            let name = key.name(cursor.text());
            let Some((_, place)) = self.inside.iter().find(|(have, _)| have.as_bytes() == &*name) else {
                cursor.pass();
                continue;
            };
            let start = cursor.next_start();
            let node = if !place.inside.is_empty() && cursor.peek() == Some(b'{') {
                place.read(cursor, values);
                Node::between(Kind::Object, start, cursor.position())
            } else {
                cursor.pass()
            };
            if let Some(value) = place.header.and_then(|header| values.get_mut(header)) {
                *value = node;
            }
        }
    }
}

impl Annotations {
    /// Adds a tool's annotations, in place of earlier ones of that name.
    pub fn insert(&mut self, tool: &str, annotations: ToolAnnotations) {
        self.tools.insert(tool.as_bytes().into(), annotations);
    }

    /// The annotations of the tool of this name.
    #[must_use]
    pub fn of(&self, tool: &str) -> Option<&ToolAnnotations> {
        self.tools.get(tool.as_bytes())
    }

    /// The annotations of the tool that a message calls.
    #[inline]
    pub(super) fn of_call(&self, message: &Message, text: &[u8]) -> Option<&ToolAnnotations> {
        if self.tools.is_empty() {
            return None;
        }
        let called = Method::parse(&message.method.text(text)?)?;
        (called == Method::ToolsCall).then(|| self.tools.get(&*message.fields.name.text(text)?))?
    }
}
