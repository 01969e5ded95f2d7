//! What is to change in a text: places, and what comes there instead.

use crate::json::Span;

/// One place of the text and its replacement, a part of [`Patch::inserted`].
#[derive(Clone, Copy, Debug)]
struct Edit {
    at: Span,
    from: usize,
    to: usize,
}

/// A text's changes, noted while it is read and applied in one go.
///
/// Everything that no edit names is copied as it stands: order, spacing and the spelling of numbers are the sender's.
#[derive(Debug, Default)]
pub(super) struct Patch {
    edits: Vec<Edit>,
    inserted: Vec<u8>,
}

/// A point to go back to: see [`Patch::undo`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(u32);

impl Patch {
    /// Nothing is to change.
    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "an edit changes at least one byte of the text")]
    pub(super) const fn mark(&self) -> Mark {
        Mark(self.edits.len() as u32)
    }

    /// Forgets what was noted since `mark`.
    #[inline]
    pub(super) fn undo(&mut self, mark: Mark) {
        self.edits.truncate(mark.0 as usize);
    }

    /// Leaves `text[start..end]` out.
    #[inline]
    pub(super) fn cut(&mut self, start: u32, end: u32) {
        match self.edits.last_mut() {
            // A run of neighbours is one edit: fewer copies, and whoever closes an object can take it back.
            Some(last) if last.at.end == start && last.from == last.to => last.at.end = end,
            _ => self.push(Span { start, end }, &[]),
        }
    }

    /// Takes back the last [`Patch::cut`] if it is the run that begins at `start`.
    #[inline]
    pub(super) fn uncut(&mut self, start: u32) {
        if self.edits.last().is_some_and(|last| last.at.start == start && last.from == last.to) {
            self.edits.pop();
        }
    }

    /// Puts `parts`, one after the other, in place of this span; where it is empty, in between.
    pub(super) fn put(&mut self, at: Span, parts: &[&[u8]]) {
        self.push(at, parts);
    }

    fn push(&mut self, at: Span, parts: &[&[u8]]) {
        let from = self.inserted.len();
        for part in parts {
            self.inserted.extend_from_slice(part);
        }
        self.edits.push(Edit { at, from, to: self.inserted.len() });
    }

    /// The changed text.
    pub(super) fn apply(mut self, text: &[u8]) -> Vec<u8> {
        if !self.edits.is_sorted_by_key(|edit| edit.at.start) {
            self.edits.sort_by_key(|edit| edit.at.start); // stable: what was put at one place stays in order
        }
        let mut out = Vec::with_capacity(text.len() + self.inserted.len());
        let mut copied = 0;
        for edit in &self.edits {
            let (start, end) = (edit.at.start as usize, edit.at.end as usize);
            out.extend_from_slice(text.get(copied..start).unwrap_or_default());
            out.extend_from_slice(self.inserted.get(edit.from..edit.to).unwrap_or_default());
            copied = copied.max(end);
        }
        out.extend_from_slice(text.get(copied..).unwrap_or_default());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_apply_in_the_order_of_the_text() {
        let mut patch = Patch::default();
        patch.cut(1, 2);
        patch.cut(2, 3);
        patch.put(Span::new(5, 6), &[b"E", b"!"]);
        patch.put(Span::new(4, 4), &[b"<"]);
        assert_eq!(patch.apply(b"012345678"), b"03<4E!678");
    }

    #[test]
    fn a_run_of_cuts_is_one_edit_which_can_be_taken_back() {
        let mut patch = Patch::default();
        patch.put(Span::new(0, 1), &[b"x"]);
        patch.cut(1, 2);
        patch.cut(2, 4);
        assert_eq!(patch.edits.len(), 2);
        patch.uncut(2);
        patch.uncut(0);
        assert_eq!(patch.edits.len(), 2);
        patch.uncut(1);
        patch.uncut(0);
        assert_eq!(patch.edits.len(), 1);
        assert_eq!(patch.apply(b"0123"), b"x123");
    }

    #[test]
    fn what_was_noted_since_a_mark_can_be_forgotten() {
        let mut patch = Patch::default();
        patch.cut(0, 1);
        let mark = patch.mark();
        patch.put(Span::new(2, 3), &[b"x"]);
        patch.undo(mark);
        assert_eq!(patch.apply(b"012"), b"12");
        assert!(Patch::default().is_empty());
    }
}
