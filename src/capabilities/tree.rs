//! Capability rows as a tree: each row knows its parent, so a key is looked up among its siblings alone.

use crate::json::{Name, head};
use crate::table::CapabilityRow;

/// The parent of a top member.
const ROOT: u8 = u8::MAX;

/// Rows with the place of each one's parent.
#[derive(Debug)]
pub(crate) struct Tree<F: 'static, const N: usize> {
    rows: &'static [CapabilityRow<F>],
    parents: [u8; N],
    /// The first row below the object itself, and for each row the first below it and the next beside it.
    top: u8,
    below: [u8; N],
    beside: [u8; N],
    names: [&'static str; N],
    /// The same as they stand in a text.
    keys: [Name; N],
}

/// Finds the parents; a row whose parent does not stand above it stops the compiler.
pub(crate) const fn tree<F: Copy, const N: usize>(rows: &'static [CapabilityRow<F>]) -> Tree<F, N> {
    assert!(rows.len() == N && N <= u32::BITS as usize, "a set of rows is 32 bits wide");
    let mut parents = [ROOT; N];
    let mut at = 0;
    while at < N {
        let path = rows[at].path();
        let mut above = at;
        while path.len() > 1 && parents[at] == ROOT {
            assert!(above > 0, "a capability row stands above its parent");
            above -= 1;
            if begins(path, rows[above].path()) {
                #[allow(clippy::cast_possible_truncation, reason = "fewer than 32 rows")]
                let place = above as u8;
                parents[at] = place;
            }
        }
        at += 1;
    }
    let (mut top, mut below, mut beside) = (ROOT, [ROOT; N], [ROOT; N]);
    // From the last row on, so that each chain is in the order of the rows.
    while at > 0 {
        at -= 1;
        let first = if parents[at] == ROOT { &mut top } else { &mut below[parents[at] as usize] };
        beside[at] = *first;
        #[allow(clippy::cast_possible_truncation, reason = "fewer than 32 rows")]
        let place = at as u8;
        *first = place;
    }
    let mut names = [""; N];
    let mut keys = [Name::new(""); N];
    while at < N {
        let path = rows[at].path();
        names[at] = path[path.len() - 1];
        keys[at] = Name::new(names[at]);
        at += 1;
    }
    Tree { rows, parents, top, below, beside, names, keys }
}

/// Whether `path` is `parent` and one more name.
const fn begins(path: &[&str], parent: &[&str]) -> bool {
    if parent.len() + 1 != path.len() {
        return false;
    }
    let mut at = 0;
    while at < parent.len() {
        if !same(path[at].as_bytes(), parent[at].as_bytes()) {
            return false;
        }
        at += 1;
    }
    true
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

impl<F: Copy, const N: usize> Tree<F, N> {
    /// The member `key` of the row `parent`; of the capabilities object itself where that is none.
    #[inline]
    pub(crate) fn member(&self, parent: Option<usize>, key: &[u8]) -> Option<(usize, &'static CapabilityRow<F>)> {
        let mut place = self.first(parent);
        while let Some(name) = self.names.get(place) {
            if name.as_bytes() == key {
                return Some((place, self.rows.get(place)?));
            }
            place = usize::from(*self.beside.get(place)?);
        }
        None
    }

    /// The place of the member of `parent` whose name stands at `at`, the first byte inside a key, and the index after
    /// its colon.
    #[inline]
    pub(crate) fn member_at(&self, parent: Option<usize>, text: &[u8], at: u32) -> Option<(usize, u32)> {
        let head = head(text, at)?;
        let mut place = self.first(parent);
        while let Some(key) = self.keys.get(place) {
            if let Some(end) = key.end(head, text, at) {
                return Some((place, end));
            }
            place = usize::from(*self.beside.get(place)?);
        }
        None
    }

    /// The row at a place.
    #[inline]
    pub(crate) fn row(&self, place: usize) -> Option<&'static CapabilityRow<F>> {
        self.rows.get(place)
    }

    /// The first row below `parent`; a place that no row has where there is none.
    #[inline]
    fn first(&self, parent: Option<usize>) -> usize {
        usize::from(match parent {
            None => self.top,
            Some(place) => self.below.get(place).copied().unwrap_or(ROOT),
        })
    }

    /// The rows right below `parent`, with their places.
    #[inline]
    pub(crate) fn members(
        &self,
        parent: Option<usize>,
    ) -> impl Iterator<Item = (usize, &'static CapabilityRow<F>)> + use<'_, F, N> {
        let next = |place: &usize| self.beside.get(*place).map(|beside| usize::from(*beside));
        std::iter::successors(Some(self.first(parent)), next).map_while(|at| Some((at, self.rows.get(at)?)))
    }

    /// Every row with its place, a parent before its members.
    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = (usize, &'static CapabilityRow<F>)> {
        self.rows.iter().enumerate()
    }

    /// The flag of the row at a place; that of no row is empty.
    pub(crate) fn feature(&self, place: usize) -> F
    where
        F: Default,
    {
        self.rows.get(place).map_or_else(F::default, CapabilityRow::feature)
    }

    /// The place of a row's parent.
    pub(crate) fn parent(&self, place: usize) -> Option<usize> {
        self.parents.get(place).filter(|above| **above != ROOT).map(|above| usize::from(*above))
    }

    /// The rows at the places of `wanted` and all that lead to them, as bits by place.
    pub(crate) fn with_parents(&self, wanted: impl Iterator<Item = usize>) -> u32 {
        let mut bits = 0;
        for place in wanted {
            let mut at = Some(place);
            while let Some(place) = at {
                bits |= 1 << place;
                at = self.parent(place);
            }
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{CLIENT_PATHS, ClientFeature, SERVER_PATHS, ServerFeature};

    // Made while the test runs, as the compiler makes those that are used.
    fn client() -> Tree<ClientFeature, { CLIENT_PATHS.len() }> {
        tree(CLIENT_PATHS)
    }

    #[test]
    fn every_row_is_found_by_its_path_and_by_no_other() {
        let (client, server) = (client(), tree::<ServerFeature, { SERVER_PATHS.len() }>(SERVER_PATHS));
        for row in CLIENT_PATHS {
            let mut parent = None;
            for name in row.path() {
                parent = client.member(parent, name.as_bytes()).map(|(place, _)| place);
                assert!(parent.is_some());
            }
            assert_eq!(CLIENT_PATHS[parent.unwrap()].path(), row.path());
        }
        assert!(client.member(None, b"url").is_none());
        assert!(server.member(None, b"call").is_none());
        assert!(server.member(None, b"").is_none());
    }

    #[test]
    fn a_path_begins_with_its_parent_alone() {
        assert!(begins(&["a"], &[]) && begins(&["a", "b"], &["a"]));
        for other in [&["b"][..], &["ab"], &["a", "b"], &["a", "b", "c"], &[]] {
            assert!(!begins(&["a", "b"], other), "{other:?}");
        }
    }

    #[test]
    fn a_set_grows_by_all_that_lead_to_it() {
        let create = CLIENT_PATHS.iter().position(|row| row.feature() == ClientFeature::TASKS_SAMPLING).unwrap();
        let grown = client().with_parents(std::iter::once(create));
        let paths: Vec<String> =
            (0..32).filter(|place| grown >> place & 1 == 1).map(|place| CLIENT_PATHS[place].path().join(".")).collect();
        let expected = ["tasks", "tasks.requests", "tasks.requests.sampling", "tasks.requests.sampling.createMessage"];
        assert_eq!(paths, expected);
    }
}
