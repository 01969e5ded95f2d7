//! A server as another one advertises it: what is broken in the object is repaired, what is unknown kept.

use super::implementation::Implementation;
use super::invalid::InvalidIdentity;
use super::{Member, SERVER, ServerIdentity};
use crate::json::{Cursor, Kind, Limits, Node};
use crate::table::{CapabilityType, MethodSet, ServerFeature};

impl ServerIdentity {
    /// The server that publishes this `ServerCapabilities` object.
    ///
    /// Null and `false` switch a capability off; whatever else stands where an object belongs is an empty one; a
    /// boolean member counts when it is exactly `true`. Members that no revision knows are kept as they are.
    ///
    /// # Errors
    ///
    /// `text` is not one JSON object within the default [`Limits`], or an object that is read says a key twice.
    pub fn from_capabilities(implementation: Implementation, text: &[u8]) -> Result<Self, InvalidIdentity> {
        let mut cursor = Cursor::new(text, Limits::default())?;
        if cursor.peek() != Some(b'{') {
            return Err(InvalidIdentity::NotAnObject("capabilities".to_owned()));
        }
        let mut reader = Reader { cursor, on: ServerFeature::empty(), members: Vec::new() };
        reader.object(None)?;
        reader.cursor.end()?;
        if reader.cursor.saw_duplicate() {
            return Err(InvalidIdentity::DuplicateKey);
        }
        let elicitation = reader.on.contains(ServerFeature::ELICITATION).then_some(true);
        let (on, members) = (reader.on, reader.members);
        Ok(Self { implementation, instructions: None, on, elicitation, absent: MethodSet::default(), members })
    }
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    on: ServerFeature,
    members: Vec<Member>,
}

impl Reader<'_> {
    fn object(&mut self, parent: Option<usize>) -> Result<(), InvalidIdentity> {
        let text = self.cursor.text();
        let flag = parent.map_or(ServerFeature::empty(), |place| SERVER.feature(place));
        let mut members = self.cursor.open_object()?;
        while let Some(key) = self.cursor.next_member(&mut members)? {
            let name = key.name(text);
            match SERVER.member(parent, &name) {
                Some((_, row)) if row.kind() == CapabilityType::Boolean => {
                    if self.cursor.value()?.kind() == Kind::True {
                        self.on |= row.feature();
                    }
                }
                Some((_, row)) if row.extension_id().is_some() => {
                    let node = self.cursor.value()?;
                    if is_on(node) {
                        self.on |= row.feature();
                        self.keep_settings(parent, &name, repaired(node, text));
                    }
                }
                Some((place, row)) => self.capability(place, row.feature())?,
                None => {
                    let node = self.cursor.value()?;
                    let is_map = flag == ServerFeature::EXTENSIONS || flag == ServerFeature::EXPERIMENTAL;
                    if is_map && is_on(node) {
                        self.keep(parent, &name, repaired(node, text));
                    } else if !is_map && (parent.is_some() || is_on(node)) {
                        self.keep(parent, &name, node.token(text));
                    }
                }
            }
        }
        Ok(())
    }

    fn capability(&mut self, place: usize, flag: ServerFeature) -> Result<(), InvalidIdentity> {
        // What is published of it is always empty, so nothing inside counts.
        let is_bare = flag == ServerFeature::ELICITATION;
        if self.cursor.peek() == Some(b'{') && !is_bare {
            self.on |= flag;
            return self.object(Some(place));
        }
        let node = self.cursor.value()?;
        if is_on(node) && (node.is_object() || flag != ServerFeature::EXPERIMENTAL) {
            self.on |= flag;
        }
        Ok(())
    }

    /// Settings of an extension that is a switch; without any the switch says it all.
    fn keep_settings(&mut self, parent: Option<usize>, name: &[u8], value: &[u8]) {
        if value != b"{}" {
            self.keep(parent, name, value);
        }
    }

    fn keep(&mut self, parent: Option<usize>, name: &[u8], value: &[u8]) {
        let key = String::from_utf8_lossy(name).into_owned().into_boxed_str();
        self.members.push(Member { parent, key, value: value.into() });
    }
}

const fn is_on(node: Node) -> bool {
    !matches!(node.kind(), Kind::Absent | Kind::Null | Kind::False)
}

fn repaired(node: Node, text: &[u8]) -> &[u8] {
    if node.is_object() { node.token(text) } else { b"{}" }
}
