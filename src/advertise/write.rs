//! The `ServerCapabilities` object for one revision.

use super::{SERVER, ServerIdentity};
use crate::json::ObjectWriter;
use crate::table::{CapabilityType, Reading, Revision, ServerFeature};

impl ServerIdentity {
    /// The object that goes to a client of `revision`, as JSON text.
    ///
    /// It holds the members of [`ServerIdentity::advertised`] and what no revision knows; no nulls.
    #[must_use]
    pub fn capabilities(&self, revision: Revision, reading: Reading, legacy_extensions: bool) -> Vec<u8> {
        self.write(self.advertised(revision, reading, legacy_extensions))
    }

    /// The object that goes to a client whose version is unknown.
    #[must_use]
    pub fn capabilities_for_unknown(&self) -> Vec<u8> {
        self.write(self.advertised_to_unknown())
    }

    /// The object with everything that is switched on, of all revisions; reading it back gives the same switches.
    #[must_use]
    pub fn all_capabilities(&self) -> Vec<u8> {
        self.write(self.on)
    }

    fn write(&self, set: ServerFeature) -> Vec<u8> {
        let mut out = Vec::with_capacity(256);
        self.write_object(&mut out, None, set);
        out
    }

    fn write_object(&self, out: &mut Vec<u8>, parent: Option<usize>, set: ServerFeature) {
        let mut object = ObjectWriter::open(out);
        for (place, row) in SERVER.members(parent) {
            let key = row.path().last().copied().unwrap_or_default();
            let flag = row.feature();
            if flag.is_empty() {
                if self.leads_anywhere(place, set) {
                    object.key(out, key);
                    self.write_object(out, Some(place), set);
                }
            } else if set.contains(flag) {
                object.key(out, key);
                match row.kind() {
                    CapabilityType::Boolean => out.extend_from_slice(b"true"),
                    CapabilityType::Object if row.extension_id().is_some() => {
                        out.extend_from_slice(self.tasks_settings());
                    }
                    CapabilityType::Object => self.write_object(out, Some(place), set),
                }
            }
        }
        for member in self.members.iter().filter(|member| member.parent == parent && !member.is_tasks_extension()) {
            object.member(out, &member.key, &member.value);
        }
        object.close(out);
    }

    /// Whether a member that only leads to others has anything in it.
    fn leads_anywhere(&self, place: usize, set: ServerFeature) -> bool {
        self.members.iter().any(|member| member.parent == Some(place))
            || SERVER.members(Some(place)).any(|(below, row)| {
                let flag = row.feature();
                if flag.is_empty() { self.leads_anywhere(below, set) } else { set.contains(flag) }
            })
    }

    fn tasks_settings(&self) -> &[u8] {
        self.members.iter().find(|member| member.is_tasks_extension()).map_or(b"{}", |member| &member.value)
    }
}
