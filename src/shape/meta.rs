//! `_meta`: reserved keys come and go with the revisions, everybody else's stay.

use super::plan::Row;
use super::walk::{Object, Walk, Walked};
use crate::json::Kind;
use crate::table::meta_key::SUBSCRIPTION_ID;
use crate::table::{Definition, Holds, SERVER_PATHS, Standing};

impl Walk<'_, '_> {
    /// Walks a `_meta`; whether anything of it is left.
    pub(super) fn meta(&mut self) -> Walked<bool> {
        let mut object = self.enter()?;
        while let Some(key) = self.next(&mut object)? {
            let name = key.name(self.text());
            let keep = self.meta_key(&name).map_err(|error| error.in_member(&name))?;
            self.settle(&mut object, keep);
        }
        Ok(!object.is_emptied())
    }

    fn meta_key(&mut self, name: &[u8]) -> Walked<bool> {
        match Definition::meta_key(name, self.reader.revision) {
            Standing::Has(member) => match member.holds() {
                Holds::One(definition) if self.cursor.peek() == Some(b'{') => {
                    self.one(definition)?;
                    Ok(true)
                }
                _ => Ok(self.cursor.value()?.kind() != Kind::Null || member.is_required()),
            },
            Standing::Lacks => {
                self.cursor.value()?;
                Ok(false)
            }
            Standing::Unknown => {
                self.cursor.value()?;
                Ok(true)
            }
        }
    }

    /// Walks a `_meta` and makes it name the listen request `id`; whether it could be done in place.
    fn stamped_meta(&mut self, id: &[u8]) -> Walked<bool> {
        if self.cursor.peek() != Some(b'{') {
            self.cursor.value()?;
            return Ok(false);
        }
        let mut object = self.enter()?;
        let mut said = false;
        while let Some(key) = self.next(&mut object)? {
            let name = key.name(self.text());
            let keep = if name.as_ref() == SUBSCRIPTION_ID.as_bytes() {
                let said_here = self.cursor.value()?.span();
                // What the backend says twice is still said once.
                if !said && said_here.of(self.text()) != id {
                    self.patch.put(said_here, &[id]);
                }
                !std::mem::replace(&mut said, true)
            } else {
                self.meta_key(&name).map_err(|error| error.in_member(&name))?
            };
            self.settle(&mut object, keep);
        }
        if !said {
            self.add(&mut object, SUBSCRIPTION_ID, &[id]);
        }
        Ok(true)
    }

    /// Walks the capabilities of a server: members of other revisions go.
    pub(super) fn server_capabilities(&mut self) -> Walked<()> {
        self.capabilities_below(&[])
    }

    /// It goes no deeper than the table's paths.
    fn capabilities_below(&mut self, parent: &'static [&'static str]) -> Walked<()> {
        let mut object = self.enter()?;
        while let Some(key) = self.next(&mut object)? {
            let name = key.name(self.text());
            let row = SERVER_PATHS.iter().find(|row| {
                row.path().split_last().is_some_and(|(last, above)| above == parent && last.as_bytes() == name.as_ref())
            });
            let keep = match row {
                Some(row) if self.publishes(row.spans(), row.feature()) => match self.cursor.peek() {
                    Some(b'{') => {
                        self.capabilities_below(row.path()).map_err(|error| error.in_member(&name))?;
                        true
                    }
                    _ => !matches!(self.cursor.value()?.kind(), Kind::Null | Kind::False),
                },
                Some(_) => {
                    self.cursor.value()?;
                    false
                }
                None => {
                    self.cursor.value()?;
                    true
                }
            };
            self.settle(&mut object, keep);
        }
        Ok(())
    }

    fn publishes(&self, spans: crate::table::Spans, feature: crate::table::ServerFeature) -> bool {
        let reader = self.reader;
        spans.has(reader.revision, reader.reading)
            || reader.policy.legacy_extensions
                && !feature.is_empty()
                && reader.revision.server_features_by_policy().contains(feature)
    }
}

/// The `_meta` of parameters or of a result, which on a listen stream must name the stream's request.
#[derive(Debug, Default)]
pub(super) struct Stamp<'s> {
    id: Option<&'s [u8]>,
    done: bool,
}

impl<'s> Stamp<'s> {
    pub(super) const fn new(id: Option<&'s [u8]>) -> Self {
        Self { id, done: false }
    }

    /// Reads the member `_meta`.
    pub(super) fn member(&mut self, walk: &mut Walk<'_, '_>, row: &Row) -> Walked<bool> {
        match self.id {
            Some(id) => {
                self.done = walk.stamped_meta(id)?;
                Ok(self.done)
            }
            None => walk.member(row),
        }
    }

    /// Adds the `_meta` that was not there.
    pub(super) fn end(&mut self, walk: &mut Walk<'_, '_>, object: &mut Object) {
        if let Some(id) = self.id.filter(|_| !self.done) {
            walk.add(object, "_meta", &stamp(id));
        }
    }
}

/// A `_meta` that says nothing else.
pub(super) const fn stamp(id: &[u8]) -> [&[u8]; 5] {
    [b"{\"", SUBSCRIPTION_ID.as_bytes(), b"\":", id, b"}"]
}
