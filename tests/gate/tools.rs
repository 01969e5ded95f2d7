//! Annotated parameters: what a list of tools asks for, and what is wrong with it.

use revcap::gate::{AnnotatedTools, AnnotationError, Annotations, ToolAnnotations};

fn tool(schema: &str) -> String {
    format!(r#"{{"tools":[{{"name":"t","inputSchema":{schema}}}]}}"#)
}

fn property(property: &str) -> String {
    tool(&format!(r#"{{"properties":{{"a":{property}}}}}"#))
}

#[test]
fn what_is_wrong_with_a_tool_is_said_in_words() {
    let good = r#"{"name":"t","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}"#;
    let two = r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}"#;
    for (list, words) in [
        (r#"{"tools":[{"name":"t"}]}"#.to_owned(), "a tool needs a name and an inputSchema object"),
        (format!(r#"{{"tools":[{good},{good}]}}"#), "an earlier tool has the same name"),
        (property(r#"{"type":"string","type":"string","x-mcp-header":"A"}"#), "its schema says a key twice"),
        (property(r#"{"type":"string","x-mcp-header":7}"#), "x-mcp-header of a must be a string"),
        (
            property(r#"{"type":"number","x-mcp-header":"A"}"#),
            "a has x-mcp-header but is no string, integer or boolean",
        ),
        (
            tool(r#"{"items":{"type":"string","x-mcp-header":"A"}}"#),
            "x-mcp-header stands where no chain of properties leads from the root",
        ),
        (tool(two), r#"two parameters of one tool are mirrored as "a": names must differ"#),
    ] {
        let said: Vec<String> =
            AnnotatedTools::read(list.as_bytes()).unwrap().problems.iter().map(|(_, why)| why.to_string()).collect();
        assert_eq!(said, [words], "{list}");
    }
    for (text, words) in [("{}", "there is no list of tools"), ("[", "unexpected end")] {
        let said = AnnotatedTools::read(text.as_bytes()).unwrap_err().to_string();
        assert!(said.contains(words), "{text} {said}");
    }
}

#[test]
fn what_is_wrong_with_an_annotation_is_said_in_words() {
    let refused = |parameters: &[(&[&'static str], &'static str)]| {
        ToolAnnotations::new(parameters.iter().map(|(path, name)| (path.iter().copied(), *name))).unwrap_err()
    };
    for (error, expected, words) in [
        (
            refused(&[(&["a"], "A B")]),
            AnnotationError::NotAToken("A B".into()),
            r#""A B" cannot stand in a header name: use letters, digits and -_."#,
        ),
        (
            refused(&[(&["a"], "A"), (&["b"], "a")]),
            AnnotationError::Repeated("a".into()),
            r#"two parameters of one tool are mirrored as "a": names must differ"#,
        ),
        (
            refused(&[(&[], "A")]),
            AnnotationError::EmptyPath,
            "a mirrored parameter needs a path of at least one property",
        ),
        (
            refused(&[(&["a", "b"], "A"), (&["a", "b"], "B")]),
            AnnotationError::PathTwice(vec!["a".into(), "b".into()]),
            r#"the parameter "a.b" is mirrored twice"#,
        ),
    ] {
        assert_eq!(error, expected);
        assert_eq!(error.to_string(), words);
    }
}

#[test]
fn a_tools_annotations_are_found_under_its_name() {
    let mut all = Annotations::default();
    all.insert("t", ToolAnnotations::new([(["a"], "A"), (["b"], "B")]).unwrap());
    assert_eq!(all.of("t").map(|tool| tool.headers().collect::<Vec<_>>()), Some(vec!["A", "B"]));
    assert!(all.of("T").is_none());
}
