//! Who a server is, and how much of it a revision can be told.

use super::invalid::InvalidIdentity;
use crate::json::{Cursor, Kind, Limits, Node, ObjectWriter};
use crate::table::{Feature, Revision};

/// The fields of an `Implementation`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implementation {
    name: Box<str>,
    version: Box<str>,
    title: Option<Box<str>>,
    description: Option<Box<str>>,
    website_url: Option<Box<str>>,
    /// A JSON array of icons; none where there are none.
    icons: Option<Box<[u8]>>,
}

impl Implementation {
    /// A name for programs, and a version.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            title: None,
            description: None,
            website_url: None,
            icons: None,
        }
    }

    /// With a name for people, and some words on what it is.
    #[must_use]
    pub fn described(self, title: Option<String>, description: Option<String>) -> Self {
        Self { title: title.map(Into::into), description: description.map(Into::into), ..self }
    }

    /// With its website.
    ///
    /// # Errors
    ///
    /// `url` is no URI.
    pub fn with_website_url(self, url: Option<String>) -> Result<Self, InvalidIdentity> {
        if url.as_deref().is_some_and(|url| !is_uri(url)) {
            return Err(InvalidIdentity::NotAUri("website_url".to_owned()));
        }
        Ok(Self { website_url: url.map(Into::into), ..self })
    }

    /// With icons: a JSON array of objects with a `src` and, if known, `mimeType`, `sizes` and `theme`.
    ///
    /// # Errors
    ///
    /// `icons` is something else.
    pub fn with_icons(self, icons: &[u8]) -> Result<Self, InvalidIdentity> {
        let some = check_icons(icons)?;
        Ok(Self { icons: some.then(|| icons.into()), ..self })
    }

    /// The name for programs.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The name for people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What it is.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The website.
    #[must_use]
    pub fn website_url(&self) -> Option<&str> {
        self.website_url.as_deref()
    }

    /// The icons, a JSON array.
    #[must_use]
    pub fn icons(&self) -> &[u8] {
        self.icons.as_deref().unwrap_or(b"[]")
    }

    /// Appends the object that a client of `revision` can read.
    pub fn write(&self, out: &mut Vec<u8>, revision: Revision) {
        let mut object = ObjectWriter::open(out);
        object.string(out, "name", &self.name);
        object.string(out, "version", &self.version);
        for (key, value, feature) in [
            ("title", &self.title, Feature::IMPLEMENTATION_TITLE),
            ("description", &self.description, Feature::IMPLEMENTATION_DESCRIPTION),
            ("websiteUrl", &self.website_url, Feature::IMPLEMENTATION_WEBSITE_URL),
        ] {
            if let Some(value) = value.as_deref().filter(|_| revision.has(feature)) {
                object.string(out, key, value);
            }
        }
        if let Some(icons) = self.icons.as_deref().filter(|_| revision.has(Feature::IMPLEMENTATION_ICONS)) {
            object.member(out, "icons", icons);
        }
        object.close(out);
    }
}

/// Whether there are any.
fn check_icons(text: &[u8]) -> Result<bool, InvalidIdentity> {
    let mut cursor = Cursor::new(text, Limits::default())?;
    if cursor.peek() != Some(b'[') {
        return Err(InvalidIdentity::Icon { field: "icons".to_owned(), expected: "a sequence of icons" });
    }
    let mut elements = cursor.open_array()?;
    let mut count = 0;
    while cursor.next_element(&mut elements)? {
        check_icon(&mut cursor, count)?;
        count += 1;
    }
    cursor.end()?;
    Ok(count > 0)
}

fn check_icon(cursor: &mut Cursor<'_>, index: usize) -> Result<(), InvalidIdentity> {
    let text = cursor.text();
    let fault = |member: &str, expected| InvalidIdentity::Icon { field: format!("icons[{index}]{member}"), expected };
    if cursor.peek() != Some(b'{') {
        return Err(fault("", "an object with a src"));
    }
    let mut members = cursor.open_object()?;
    let mut src = Node::ABSENT;
    while let Some(key) = cursor.next_member(&mut members)? {
        match key.name(text).as_ref() {
            b"src" => src = cursor.value()?,
            b"mimeType" if !cursor.value()?.is_string() => return Err(fault(".mimeType", "a string")),
            b"theme" if !is_theme(cursor.value()?, text) => return Err(fault(".theme", "\"light\" or \"dark\"")),
            b"sizes" if !are_strings(cursor)? => return Err(fault(".sizes", "a sequence of strings")),
            b"mimeType" | b"theme" | b"sizes" => {}
            _ => {
                cursor.value()?;
            }
        }
    }
    if cursor.saw_duplicate() {
        return Err(fault("", "an object that says no key twice"));
    }
    match src.text(text) {
        Some(uri) if std::str::from_utf8(&uri).is_ok_and(is_uri) => Ok(()),
        _ => Err(fault(".src", "a URI, such as https://example.com/icon.png")),
    }
}

fn is_theme(node: Node, text: &[u8]) -> bool {
    node.text(text).is_some_and(|theme| matches!(theme.as_ref(), b"light" | b"dark"))
}

fn are_strings(cursor: &mut Cursor<'_>) -> Result<bool, InvalidIdentity> {
    if cursor.peek() != Some(b'[') {
        return Ok(false);
    }
    let mut elements = cursor.open_array()?;
    let mut all = true;
    while cursor.next_element(&mut elements)? {
        all &= matches!(cursor.value()?.kind(), Kind::String | Kind::EscapedString);
    }
    Ok(all)
}

/// A scheme, a colon, and characters that RFC 3986 lets stand in a URI, each `%` with two hexadecimal digits.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let scheme = scheme.as_bytes();
    let scheme_is_good = scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let rest = rest.as_bytes();
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(byte);
    let escapes = rest.iter().enumerate().filter(|(_, byte)| **byte == b'%');
    let hex = |at: usize| rest.get(at).is_some_and(u8::is_ascii_hexdigit);
    scheme_is_good
        && !rest.is_empty()
        && rest.iter().all(allowed)
        && escapes.map(|(at, _)| at).all(|at| hex(at + 1) && hex(at + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_has_a_scheme_and_only_characters_of_its_grammar() {
        for good in ["https://example.com/", "data:image/png;base64,AA==", "urn:x", "a:%20"] {
            assert!(is_uri(good), "{good}");
        }
        for bad in ["", "example.com", ":x", "1a:x", "https:", "https://a b", "https://é", "a:%2", "a:\n", "a:{x}"] {
            assert!(!is_uri(bad), "{bad}");
        }
    }

    #[test]
    fn icons_are_checked_member_by_member() {
        let icons =
            |text: &str| Implementation::new("n", "1").with_icons(text.as_bytes()).map(|it| it.icons().to_vec());
        let good = r#"[{"src":"https://e.com/i.png","mimeType":"image/png","sizes":["48x48"],"theme":"dark","x":1}]"#;
        assert_eq!(icons(good).unwrap(), good.as_bytes());
        assert_eq!(icons("[]").unwrap(), b"[]");
        for (bad, field) in [
            ("{}", "icons must be"),
            ("[1]", "icons[0] must be"),
            ("[{}]", "icons[0].src must be"),
            (r#"[{"src":"a:b"},{"src":"nowhere"}]"#, "icons[1].src must be"),
            (r#"[{"src":"a:b","theme":"blue"}]"#, "icons[0].theme must be"),
            (r#"[{"src":"a:b","sizes":"48x48"}]"#, "icons[0].sizes must be"),
            (r#"[{"src":"a:b","sizes":[48]}]"#, "icons[0].sizes must be"),
            (r#"[{"src":"a:b","mimeType":null}]"#, "icons[0].mimeType must be"),
        ] {
            let said = icons(bad).unwrap_err().to_string();
            assert!(said.starts_with(field), "{said}");
        }
    }
}
