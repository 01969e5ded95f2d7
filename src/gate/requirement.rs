//! What a call needs of the client, by method and name (M7).

use std::collections::HashMap;

use crate::capabilities::Requirement;

/// The client capabilities that calls need.
#[derive(Clone, Debug, Default)]
pub struct Requirements {
    methods: HashMap<Box<[u8]>, MethodRequirements>,
}

#[derive(Clone, Debug, Default)]
struct MethodRequirements {
    whole: Option<Requirement>,
    named: HashMap<Box<[u8]>, Requirement>,
}

impl Requirements {
    /// Adds what a method needs; with a name, what it needs for that target alone.
    pub fn insert(&mut self, method: &str, name: Option<&str>, required: Requirement) {
        let of_method = self.methods.entry(method.as_bytes().into()).or_default();
        match name {
            Some(name) => drop(of_method.named.insert(name.as_bytes().into(), required)),
            None => of_method.whole = Some(required),
        }
    }

    /// Nothing is needed by anything.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// What a call of `method` on `name` needs, the whole method's first.
    pub(super) fn of(&self, method: &[u8], name: Option<&[u8]>) -> impl Iterator<Item = &Requirement> {
        let of_method = self.methods.get(method);
        let whole = of_method.and_then(|requirements| requirements.whole.as_ref());
        let named = of_method.zip(name).and_then(|(requirements, name)| requirements.named.get(name));
        whole.into_iter().chain(named)
    }
}
