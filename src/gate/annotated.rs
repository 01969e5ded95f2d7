//! Which parameters the tools of a `tools/list` result ask to have mirrored.
//!
//! One tool whose annotations break a rule is no reason to forget the others: it is left out and told. Spec: 2026-07-28
//! basic/transports/streamable-http, custom headers from tool parameters.

use std::borrow::Cow;
use std::fmt;

use crate::json::{Cursor, Fault, Kind, Limits, Node};

use super::params::{AnnotationError, ToolAnnotations};

/// The keyword that asks for a mirror.
const KEYWORD: &[u8] = b"x-mcp-header";

/// A parameter's path into the arguments, and the name after `Mcp-Param-`.
pub type MirroredParameter = (Vec<String>, String);

/// What a list of tools asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnnotatedTools {
    /// The tools that have annotations, with their parameters.
    pub tools: Vec<(String, Vec<MirroredParameter>)>,
    /// The tools that are left out, each with why.
    pub problems: Vec<(String, ToolProblem)>,
}

/// Why a tool's annotations cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolProblem {
    /// The tool has no name, or its schema is no object.
    NotATool,
    /// An earlier tool has the same name.
    NameTwice,
    /// An object of the schema says a key twice.
    DuplicateKey,
    /// The annotation is no string.
    NotAName(String),
    /// The annotated parameter is no string, integer or boolean.
    WrongType(String),
    /// The annotation stands where no chain of `properties` leads.
    OutOfReach,
    /// The names do not fit headers, or each other.
    Names(AnnotationError),
}

impl fmt::Display for ToolProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATool => f.write_str("a tool needs a name and an inputSchema object"),
            Self::NameTwice => f.write_str("an earlier tool has the same name"),
            Self::DuplicateKey => f.write_str("its schema says a key twice"),
            Self::NotAName(path) => write!(f, "x-mcp-header of {path} must be a string"),
            Self::WrongType(path) => write!(f, "{path} has x-mcp-header but is no string, integer or boolean"),
            Self::OutOfReach => f.write_str("x-mcp-header stands where no chain of properties leads from the root"),
            Self::Names(error) => error.fmt(f),
        }
    }
}

/// A text that is no list of tools.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoTools {
    /// It is not JSON within the limits.
    Json(Fault),
    /// There is no array at `result.tools`, nor at `tools`.
    Missing,
}

impl fmt::Display for NoTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(fault) => fault.fmt(f),
            Self::Missing => f.write_str("there is no list of tools"),
        }
    }
}

impl std::error::Error for NoTools {}

impl AnnotatedTools {
    /// Reads a `tools/list` result, or the whole response that carries it.
    ///
    /// # Errors
    ///
    /// The text is no JSON, or has no list of tools.
    pub fn read(text: &[u8]) -> Result<Self, NoTools> {
        let mut cursor = Cursor::new(text, Limits::default()).map_err(NoTools::Json)?;
        let whole = cursor.value().map_err(NoTools::Json)?;
        cursor.end().map_err(NoTools::Json)?;
        let result = member(&cursor, whole, b"result").filter(|node| node.is_object()).unwrap_or(whole);
        let list = member(&cursor, result, b"tools").filter(|node| node.kind() == Kind::Array);
        let list = list.ok_or(NoTools::Missing)?;
        let mut found = Self::default();
        let mut tools = cursor.again(list.span());
        let mut elements = tools.open_array().map_err(NoTools::Json)?;
        while tools.next_element(&mut elements).map_err(NoTools::Json)? {
            let tool = tools.value().map_err(NoTools::Json)?;
            found.tool(&cursor, tool);
        }
        Ok(found)
    }

    fn tool(&mut self, cursor: &Cursor<'_>, tool: Node) {
        let text = cursor.text();
        let name = member(cursor, tool, b"name").and_then(|node| node.text(text));
        let schema = member(cursor, tool, b"inputSchema").filter(|node| node.is_object());
        let (Some(name), Some(schema)) = (name, schema) else {
            self.problems.push((String::new(), ToolProblem::NotATool));
            return;
        };
        let name = String::from_utf8_lossy(&name).into_owned();
        match Schema::read(cursor, schema) {
            Err(problem) => self.problems.push((name, problem)),
            Ok(parameters) if parameters.is_empty() => {}
            Ok(_) if self.tools.iter().any(|(had, _)| *had == name) => {
                self.problems.push((name, ToolProblem::NameTwice));
            }
            Ok(parameters) => self.tools.push((name, parameters)),
        }
    }
}

/// The value of a member of an object, the last one that has the name.
fn member(cursor: &Cursor<'_>, object: Node, name: &[u8]) -> Option<Node> {
    if !object.is_object() {
        return None;
    }
    let mut again = cursor.again(object.span());
    let mut members = again.open_object().ok()?;
    let mut found = None;
    while let Some(key) = again.next_unchecked_member(&mut members).ok()? {
        let value = again.value().ok()?;
        if *key.name(again.text()) == *name {
            found = Some(value);
        }
    }
    found
}

/// A walk over a tool's input schema.
#[derive(Default)]
struct Schema {
    parameters: Vec<MirroredParameter>,
    problem: Option<ToolProblem>,
}

/// Where the walk stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A schema that a chain of `properties` leads to.
    Reached,
    /// Anything else in which an annotation would be one.
    Elsewhere,
}

impl Schema {
    fn read(cursor: &Cursor<'_>, schema: Node) -> Result<Vec<MirroredParameter>, ToolProblem> {
        let mut walk = Self::default();
        let mut again = cursor.again(schema.span());
        walk.schema(&mut again, Place::Reached, &mut Vec::new());
        if again.saw_duplicate() {
            return Err(ToolProblem::DuplicateKey);
        }
        if let Some(problem) = walk.problem {
            return Err(problem);
        }
        let parameters = walk.parameters.iter();
        let pairs = parameters.map(|(path, name)| (path.iter().map(String::as_str), name.as_str()));
        ToolAnnotations::new(pairs).map_err(ToolProblem::Names)?;
        Ok(walk.parameters)
    }

    fn fail(&mut self, problem: ToolProblem) {
        self.problem.get_or_insert(problem);
    }

    /// The schema that the cursor stands at, `path` being the properties that lead to it.
    fn schema(&mut self, cursor: &mut Cursor<'_>, place: Place, path: &mut Vec<String>) {
        if cursor.peek() != Some(b'{') {
            self.inside(cursor);
            return;
        }
        let text = cursor.text();
        let (mut header, mut kind) = (None, None);
        let mut members = cursor.enter_object();
        while let Some(key) = cursor.member(&mut members) {
            let name = key.name(text);
            match &*name {
                KEYWORD => header = Some(cursor.pass()),
                b"type" => kind = Some(cursor.pass()),
                b"properties" => self.properties(cursor, place, path),
                // Values, not schemas: whatever they hold is data.
                b"const" | b"default" | b"enum" | b"examples" => {
                    cursor.pass();
                }
                _ => self.inside(cursor),
            }
        }
        let Some(header) = header else {
            return;
        };
        if place == Place::Elsewhere || path.is_empty() {
            return self.fail(ToolProblem::OutOfReach);
        }
        let is_primitive = kind.and_then(|kind| kind.text(text)).is_some_and(|kind| is_primitive(&kind));
        match header.text(text) {
            None => self.fail(ToolProblem::NotAName(path.join("."))),
            Some(_) if !is_primitive => self.fail(ToolProblem::WrongType(path.join("."))),
            Some(name) => self.parameters.push((path.clone(), String::from_utf8_lossy(&name).into_owned())),
        }
    }

    fn properties(&mut self, cursor: &mut Cursor<'_>, place: Place, path: &mut Vec<String>) {
        if cursor.peek() != Some(b'{') {
            return self.inside(cursor);
        }
        let text = cursor.text();
        let mut members = cursor.enter_object();
        while let Some(key) = cursor.member(&mut members) {
            let name: Cow<'_, [u8]> = key.name(text);
            path.push(String::from_utf8_lossy(&name).into_owned());
            self.schema(cursor, place, path);
            path.pop();
        }
    }

    /// A value under any other keyword: an annotation in it is out of reach.
    fn inside(&mut self, cursor: &mut Cursor<'_>) {
        match cursor.peek() {
            Some(b'{') => self.schema(cursor, Place::Elsewhere, &mut Vec::new()),
            Some(b'[') => {
                let Ok(mut elements) = cursor.open_array() else { return };
                while let Ok(true) = cursor.next_element(&mut elements) {
                    self.inside(cursor);
                }
            }
            _ => {
                cursor.pass();
            }
        }
    }
}

fn is_primitive(kind: &[u8]) -> bool {
    matches!(kind, b"string" | b"integer" | b"boolean")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(schema: &str) -> AnnotatedTools {
        AnnotatedTools::read(format!(r#"{{"tools":[{{"name":"t","inputSchema":{schema}}}]}}"#).as_bytes()).unwrap()
    }

    fn problem(schema: &str) -> ToolProblem {
        let found = read(schema);
        assert!(found.tools.is_empty(), "{schema}");
        found.problems.into_iter().next().unwrap().1
    }

    #[test]
    fn annotated_properties_are_found_at_any_depth() {
        let found = read(
            r#"{"properties":{"region":{"x-mcp-header":"Region","type":"string"},"n":{"type":"integer"},
                "filter":{"type":"object","properties":{"tenant":{"type":"boolean","x-mcp-header":"Tenant"},
                "x-mcp-header":{"type":"string"}}}}}"#,
        );
        let expected = vec![
            (vec!["region".to_owned()], "Region".to_owned()),
            (vec!["filter".to_owned(), "tenant".to_owned()], "Tenant".to_owned()),
        ];
        assert_eq!(found.tools, [("t".to_owned(), expected)]);
        assert!(found.problems.is_empty());
    }

    #[test]
    fn a_tool_that_breaks_a_rule_is_left_out_and_told() {
        let annotated = r#"{"x-mcp-header":"X","type":"string"}"#;
        for out_of_reach in [
            r#"{"x-mcp-header":"X","type":"string"}"#.to_owned(),
            format!(r#"{{"items":{annotated}}}"#),
            format!(r#"{{"properties":{{"a":{{"items":{{"properties":{{"b":{annotated}}}}}}}}}}}"#),
            format!(r#"{{"allOf":[{{"properties":{{"a":{annotated}}}}}]}}"#),
            format!(r#"{{"$defs":{{"a":{annotated}}}}}"#),
            format!(r#"{{"if":{{"properties":{{"a":{annotated}}}}}}}"#),
        ] {
            assert_eq!(problem(&out_of_reach), ToolProblem::OutOfReach, "{out_of_reach}");
        }
        for wrong in [r#""number""#, r#""object""#, r#"["string","null"]"#, "null"] {
            let schema = format!(r#"{{"properties":{{"a":{{"type":{wrong},"x-mcp-header":"X"}}}}}}"#);
            assert_eq!(problem(&schema), ToolProblem::WrongType("a".into()), "{wrong}");
        }
        assert_eq!(problem(r#"{"properties":{"a":{"x-mcp-header":"X"}}}"#), ToolProblem::WrongType("a".into()));
        let name =
            |name: &str| problem(&format!(r#"{{"properties":{{"a":{{"type":"string","x-mcp-header":{name}}}}}}}"#));
        assert_eq!(name("1"), ToolProblem::NotAName("a".into()));
        for bad in [r#""""#, r#""a b""#, r#""a:b""#, r#""a\r\nb""#, r#""é""#] {
            assert!(matches!(name(bad), ToolProblem::Names(AnnotationError::NotAToken(_))), "{bad}");
        }
        let twice =
            r#"{"properties":{"a":{"type":"string","x-mcp-header":"X"},"b":{"type":"string","x-mcp-header":"x"}}}"#;
        assert!(matches!(problem(twice), ToolProblem::Names(AnnotationError::Repeated(_))));
        let duplicate = r#"{"properties":{"a":{"type":"string","x-mcp-header":"X","x-mcp-header":"Y"}}}"#;
        assert_eq!(problem(duplicate), ToolProblem::DuplicateKey);
    }

    #[test]
    fn data_in_a_schema_is_no_annotation_and_one_bad_tool_stops_nothing() {
        let found = AnnotatedTools::read(
            br#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"bad","inputSchema":{"x-mcp-header":"X"}},7,
                {"name":"data","inputSchema":{"default":{"x-mcp-header":"X"},"enum":[{"x-mcp-header":1}]}},
                {"name":"good","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}},
                {"name":"good","inputSchema":{"properties":{"b":{"type":"string","x-mcp-header":"B"}}}}]}}"#,
        )
        .unwrap();
        assert_eq!(found.tools, [("good".to_owned(), vec![(vec!["a".to_owned()], "A".to_owned())])]);
        let problems: Vec<&str> = found.problems.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(problems, ["bad", "", "good"]);
        assert_eq!(AnnotatedTools::read(b"{}"), Err(NoTools::Missing));
        assert!(matches!(AnnotatedTools::read(b"{"), Err(NoTools::Json(_))));
    }
}
