//! Which revisions a gateway serves, given those that its backends speak.

use crate::table::Revision;

/// How several backends' revisions become the gateway's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServeRule {
    /// Those that every backend speaks.
    Intersection,
    /// Those that at least one backend speaks.
    Union,
    /// Every revision up to the newest one of the backend that lags furthest behind; messages are shaped for the rest.
    Min,
}

impl ServeRule {
    /// Every rule.
    pub const ALL: &'static [Self] = &[Self::Intersection, Self::Union, Self::Min];

    /// The rule's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Intersection => "intersection",
            Self::Union => "union",
            Self::Min => "min",
        }
    }
}

/// The revisions to serve, oldest first; none where the backends have nothing in common, or there are no backends.
///
/// `upstreams` are the revisions that each backend speaks; one that speaks none of them takes part all the same.
/// `overrides` switch single revisions on or off, whatever the rule says.
#[must_use]
pub fn served_revisions(upstreams: &[Vec<Revision>], rule: ServeRule, overrides: &[(Revision, bool)]) -> Vec<Revision> {
    let speak = |revision: &Revision| upstreams.iter().filter(|spoken| spoken.contains(revision)).count();
    let newest = |spoken: &Vec<Revision>| spoken.iter().map(|revision| revision.index() + 1).max().unwrap_or(0);
    let lowest = upstreams.iter().map(newest).min().unwrap_or(0);
    let by_rule = |revision: &Revision| match rule {
        ServeRule::Intersection => !upstreams.is_empty() && speak(revision) == upstreams.len(),
        ServeRule::Union => speak(revision) > 0,
        ServeRule::Min => revision.index() < lowest,
    };
    let switched = |revision: &Revision| overrides.iter().rfind(|(given, _)| given == revision).map(|(_, on)| *on);
    let is_served = |revision: &Revision| switched(revision).unwrap_or_else(|| by_rule(revision));
    Revision::ALL.iter().copied().filter(is_served).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Revision::*;

    #[test]
    fn each_rule_gives_what_its_name_says() {
        let upstreams =
            [vec![V2025_03_26, V2025_06_18, V2025_11_25], vec![V2025_06_18], vec![V2025_06_18, V2026_07_28]];
        let served = |rule| served_revisions(&upstreams, rule, &[]);
        assert_eq!(served(ServeRule::Intersection), [V2025_06_18]);
        assert_eq!(served(ServeRule::Union), [V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28]);
        assert_eq!(served(ServeRule::Min), [V2024_11_05, V2025_03_26, V2025_06_18]);
    }

    #[test]
    fn overrides_have_the_last_word() {
        let upstreams = [vec![V2025_06_18]];
        let overrides = [(V2025_06_18, false), (V2026_07_28, false), (V2026_07_28, true)];
        assert_eq!(served_revisions(&upstreams, ServeRule::Union, &overrides), [V2026_07_28]);
    }

    #[test]
    fn no_backend_is_no_revision() {
        for rule in ServeRule::ALL {
            assert!(served_revisions(&[], *rule, &[]).is_empty());
            assert!(served_revisions(&[vec![], vec![]], *rule, &[]).is_empty());
        }
        assert!(served_revisions(&[vec![V2024_11_05], vec![]], ServeRule::Min, &[]).is_empty());
    }
}
