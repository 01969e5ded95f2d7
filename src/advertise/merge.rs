//! Several servers as a client sees them behind one name.

use std::collections::{HashMap, HashSet};

use super::implementation::Implementation;
use super::{Member, SERVER, ServerIdentity, with_parents_alone};
use crate::json::{Cursor, Limits, ObjectWriter, canonical};
use crate::table::{Method, MethodSet, Needs, Revision, ServerFeature};

/// The open maps: their entries are the server's own.
const MAPS: ServerFeature = ServerFeature::EXPERIMENTAL.union(ServerFeature::EXTENSIONS);

/// How one capability of several servers becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// What any of them has.
    Union,
    /// What all of them have.
    Intersection,
}

/// How the capabilities of several servers become one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergePolicy {
    /// The same way for every capability.
    Every(Join),
    /// Top members by name, each its own way; what is not named is left out.
    Named(Vec<(Box<str>, Join)>),
}

impl MergePolicy {
    fn join(&self, name: &str) -> Option<Join> {
        match self {
            Self::Every(join) => Some(*join),
            Self::Named(names) => names.iter().find(|(given, _)| given.as_ref() == name).map(|(_, join)| *join),
        }
    }
}

impl ServerIdentity {
    /// The server that stands before `upstreams`; of none, a server without any capability.
    ///
    /// Where the settings of an extension or a vendor's value differ, a union holds the members of all of them, those
    /// of the first on conflict, and an intersection the members that are equal in all.
    #[must_use]
    pub fn merged(implementation: Implementation, upstreams: &[Self], policy: &MergePolicy) -> Self {
        let mut on = ServerFeature::empty();
        for (place, row) in SERVER.rows() {
            let top = row.path().first().copied().unwrap_or_default();
            let has = |server: &Self| server.on.contains(row.feature());
            let joined = match policy.join(top) {
                Some(Join::Union) => upstreams.iter().any(has),
                Some(Join::Intersection) => !upstreams.is_empty() && upstreams.iter().all(has),
                None => false,
            };
            on.set(SERVER.feature(place), joined);
        }
        on = with_parents_alone(on);
        let elicitation = match policy.join("elicitation") {
            Some(join) => join_elicitation(upstreams, join),
            None => None,
        };
        let mut server = Self {
            implementation,
            instructions: None,
            on,
            elicitation,
            absent: join_absent(upstreams, policy),
            members: join_members(upstreams, policy),
        };
        server.on.set(ServerFeature::ELICITATION, server.elicitation == Some(true));
        server.settle_members();
        server
    }

    /// This server under the name, the instructions and the limits of the one that clients talk to.
    ///
    /// A capability or handler that `gateway` lacks goes; extensions and members that no revision knows stay.
    #[must_use]
    pub fn limited_to(self, gateway: &Self) -> Self {
        let elicitation = match (self.elicitation, gateway.elicitation) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        let mut server = Self {
            implementation: gateway.implementation.clone(),
            instructions: gateway.instructions.clone(),
            on: with_parents_alone(self.on & (gateway.on | MAPS)),
            elicitation,
            absent: self.absent.union(gateway.absent),
            members: self.members,
        };
        server.on.set(ServerFeature::ELICITATION, elicitation == Some(true));
        server.settle_members();
        server
    }

    /// Whether any revision's clients can call this method here.
    fn handles_at_all(&self, method: Method) -> bool {
        !self.absent.contains(method)
            && Revision::ALL.iter().any(|revision| match method.server_needs(*revision) {
                Needs::Nothing => false,
                Needs::All(flags) | Needs::Switch(flags) => self.on.contains(flags),
                Needs::Any(flags) => self.on.intersects(flags),
            })
    }
}

fn join_elicitation(upstreams: &[ServerIdentity], join: Join) -> Option<bool> {
    let any = |value| upstreams.iter().any(|server| server.elicitation == value);
    let (strong, weak) = match join {
        Join::Union => (true, false),
        Join::Intersection => (false, true),
    };
    if any(Some(strong)) {
        Some(strong)
    } else if any(None) || upstreams.is_empty() {
        None
    } else {
        Some(weak)
    }
}

/// A union lacks a handler that none of its servers has; an intersection one that any of them lacks.
fn join_absent(upstreams: &[ServerIdentity], policy: &MergePolicy) -> MethodSet {
    let lacking = upstreams.iter().fold(MethodSet::default(), |set, server| set.union(server.absent));
    lacking.iter().fold(MethodSet::default(), |set, method| {
        let is_intersected = top_of(method).is_some_and(|top| policy.join(top) == Some(Join::Intersection));
        let is_absent = is_intersected || !upstreams.iter().any(|server| server.handles_at_all(method));
        if is_absent { set.with(method) } else { set }
    })
}

/// The capability that a method belongs to, where it is one.
fn top_of(method: Method) -> Option<&'static str> {
    Revision::ALL.iter().find_map(|revision| match method.server_needs(*revision) {
        Needs::All(flags) | Needs::Switch(flags) => {
            let row = SERVER.rows().find(|(_, row)| row.feature() == flags);
            row.and_then(|(_, row)| row.path().first().copied())
        }
        Needs::Nothing | Needs::Any(_) => None,
    })
}

fn join_members(upstreams: &[ServerIdentity], policy: &MergePolicy) -> Vec<Member> {
    let mut values: HashMap<(Option<usize>, &str), Vec<&[u8]>> = HashMap::new();
    for member in upstreams.iter().flat_map(|server| &server.members) {
        values.entry((member.parent, &member.key)).or_default().push(&member.value);
    }
    let mut joined = Vec::new();
    for member in upstreams.iter().flat_map(|server| &server.members) {
        let Some(join) = policy.join(member.top()) else { continue };
        let Some(values) = values.remove(&(member.parent, &*member.key)) else { continue }; // joined already
        let value = match join {
            Join::Union => Some(union(&values)),
            Join::Intersection if values.len() < upstreams.len() => None,
            Join::Intersection => intersection(&values),
        };
        if let Some(value) = value {
            joined.push(Member { parent: member.parent, key: member.key.clone(), value: value.into() });
        }
    }
    joined
}

impl Member {
    /// The top member that it stands in, or is.
    fn top(&self) -> &str {
        let row = self.parent.and_then(|place| SERVER.rows().nth(place));
        row.and_then(|(_, row)| row.path().first().copied()).unwrap_or(&self.key)
    }
}

/// The members of all objects, the first one's on conflict; of other values the first.
fn union(values: &[&[u8]]) -> Vec<u8> {
    let first = values.first().copied().unwrap_or(b"{}");
    let Some(objects) = values.iter().map(|value| members_of(value)).collect::<Option<Vec<_>>>() else {
        return first.to_vec();
    };
    if objects.len() < 2 {
        return first.to_vec();
    }
    let mut out = Vec::new();
    let mut object = ObjectWriter::open(&mut out);
    let mut seen = HashSet::new();
    for (key, value) in objects.iter().flatten() {
        if seen.insert(key) {
            object.member(&mut out, key, value);
        }
    }
    object.close(&mut out);
    out
}

/// The value that all share; of objects that differ, the members that are equal in all; of other values none.
fn intersection(values: &[&[u8]]) -> Option<Vec<u8>> {
    let (first, rest) = values.split_first()?;
    if rest.iter().all(|value| is_equal(first, value)) {
        return Some(first.to_vec());
    }
    let rest = rest.iter().map(|value| Some(members_of(value)?.into_iter().collect())).collect::<Option<Vec<_>>>()?;
    let mut out = Vec::new();
    let mut object = ObjectWriter::open(&mut out);
    for (key, value) in members_of(first)? {
        let has = |other: &HashMap<String, &[u8]>| other.get(&key).is_some_and(|it| is_equal(it, value));
        if rest.iter().all(has) {
            object.member(&mut out, &key, value);
        }
    }
    object.close(&mut out);
    Some(out)
}

/// What a member's text may hold; it was checked when it was read.
const CHECKED: Limits = Limits { max_depth: Limits::DEEPEST, max_number_chars: usize::MAX };

fn is_equal(one: &[u8], other: &[u8]) -> bool {
    one == other || canonical(one, CHECKED).is_ok_and(|one| canonical(other, CHECKED).is_ok_and(|other| one == other))
}

/// The members of an object; none for any other value.
fn members_of(text: &[u8]) -> Option<Vec<(String, &[u8])>> {
    let mut cursor = Cursor::resume(text, 0, 0, CHECKED);
    let mut members = cursor.open_object().ok()?;
    let mut found = Vec::new();
    while let Some(key) = cursor.next_unchecked_member(&mut members).ok()? {
        let value = cursor.value().ok()?.token(text);
        found.push((String::from_utf8_lossy(&key.name(text)).into_owned(), value));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advertise::Switches;
    use crate::table::Reading;

    fn upstream(text: &str) -> ServerIdentity {
        ServerIdentity::from_capabilities(Implementation::new("n", "1"), text.as_bytes()).unwrap()
    }

    fn merged(upstreams: &[ServerIdentity], policy: &MergePolicy) -> String {
        let server = ServerIdentity::merged(Implementation::new("gw", "1"), upstreams, policy);
        String::from_utf8(server.all_capabilities()).unwrap()
    }

    const UNION: MergePolicy = MergePolicy::Every(Join::Union);
    const INTERSECTION: MergePolicy = MergePolicy::Every(Join::Intersection);

    #[test]
    fn a_union_has_what_any_has_and_an_intersection_what_all_have() {
        let two = [
            upstream(r#"{"tools":{"listChanged":true},"extensions":{"a/b":{"x":1,"y":2},"c/d":{}},"v":1}"#),
            upstream(r#"{"tools":{},"prompts":{},"extensions":{"a/b":{"y":3,"x":1.0}},"v":2,"w":{}}"#),
        ];
        assert_eq!(
            merged(&two, &UNION),
            r#"{"extensions":{"a/b":{"x":1,"y":2},"c/d":{}},"prompts":{},"tools":{"listChanged":true},"v":1,"w":{}}"#
        );
        assert_eq!(merged(&two, &INTERSECTION), r#"{"extensions":{"a/b":{"x":1}},"tools":{}}"#);
        for policy in [UNION, INTERSECTION] {
            assert_eq!(merged(&[], &policy), "{}");
            assert_eq!(merged(&two[1..], &policy), String::from_utf8(two[1].all_capabilities()).unwrap());
        }
    }

    #[test]
    fn a_named_policy_leaves_out_what_it_does_not_name() {
        let two = [
            upstream(r#"{"tools":{},"prompts":{},"logging":{},"v":1}"#),
            upstream(r#"{"tools":{},"resources":{},"v":1}"#),
        ];
        let named = [
            ("tools", Join::Intersection),
            ("resources", Join::Union),
            ("prompts", Join::Intersection),
            ("v", Join::Intersection),
        ];
        let policy = MergePolicy::Named(named.map(|(name, join)| (name.into(), join)).into());
        assert_eq!(merged(&two, &policy), r#"{"resources":{},"tools":{},"v":1}"#);
    }

    #[test]
    fn a_handler_is_missing_from_a_union_only_when_nobody_has_it() {
        let newest_handshake =
            Revision::ALL.iter().rev().copied().find(|it| it.era() == crate::table::Era::Legacy).unwrap();
        let subscribes = |upstreams: &[ServerIdentity], policy| {
            let server = ServerIdentity::merged(Implementation::new("gw", "1"), upstreams, &policy);
            server.advertised(newest_handshake, Reading::Record, true).contains(ServerFeature::RESOURCES_SUBSCRIBE)
        };
        let full = || upstream(r#"{"resources":{"subscribe":true}}"#);
        let without = || full().without(&["resources/subscribe"]).unwrap();
        assert!(subscribes(&[full(), without()], UNION));
        assert!(!subscribes(&[full(), without()], INTERSECTION));
        assert!(!subscribes(&[without(), upstream(r#"{"tools":{}}"#)], UNION));
    }

    #[test]
    fn the_gateway_limits_what_it_serves_and_keeps_what_nobody_knows() {
        let server =
            upstream(r#"{"tools":{"listChanged":true},"prompts":{},"elicitation":{},"extensions":{"a/b":{}},"v":1}"#);
        let switches = Switches { prompts: false, tools_list_changed: Some(false), ..Switches::default() };
        let gateway = ServerIdentity::new(Implementation::new("gw", "2"), &switches).unwrap();
        let gateway = gateway.with_instructions(Some("hello".to_owned()));
        let limited = server.clone().limited_to(&gateway);
        assert_eq!(limited.all_capabilities(), br#"{"extensions":{"a/b":{}},"tools":{},"v":1}"#);
        assert_eq!((limited.implementation().name(), limited.instructions()), ("gw", Some("hello")));
        let open = Switches { elicitation: Some(true), ..Switches::default() };
        let gateway = ServerIdentity::new(Implementation::new("gw", "2"), &open).unwrap();
        assert_eq!(server.clone().limited_to(&gateway).all_capabilities(), server.all_capabilities());
        let closed = Switches { elicitation: Some(false), ..Switches::default() };
        let gateway = ServerIdentity::new(Implementation::new("gw", "2"), &closed).unwrap();
        assert!(!server.limited_to(&gateway).may_elicit());
    }
}
