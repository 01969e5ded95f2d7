//! Arrays, element by element.

use super::cursor::{Cursor, Read};
use super::fault::FaultKind;

/// An array that is being read element by element.
#[derive(Debug)]
pub struct Elements {
    begun: bool,
}

impl Elements {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { begun: false }
    }
}

impl Cursor<'_> {
    /// Opens the array that stands here.
    ///
    /// # Errors
    ///
    /// No array stands here, or it is nested too deeply.
    #[inline]
    pub fn open_array(&mut self) -> Read<Elements> {
        if self.peek() == Some(b'[') {
            self.descend();
        } else {
            self.fail(FaultKind::NoValue, self.at);
        }
        match self.fault {
            None => Ok(Elements::new()),
            Some(fault) => Err(fault),
        }
    }

    /// Whether another element follows; the cursor then stands at it. `false` closes the array.
    ///
    /// # Errors
    ///
    /// The text breaks the grammar.
    #[inline]
    pub fn next_element(&mut self, elements: &mut Elements) -> Read<bool> {
        let another = self.element(elements);
        self.told(another)
    }

    /// The same, for a caller that asks for faults at the end only: a fault closes the array.
    #[inline]
    pub(crate) fn element(&mut self, elements: &mut Elements) -> bool {
        match self.peek() {
            Some(b']') => {
                self.at += 1;
                self.depth -= 1;
                false
            }
            Some(b',') if elements.begun => {
                self.at += 1;
                if self.peek() == Some(b']') {
                    self.fail(FaultKind::NoValue, self.at);
                }
                true
            }
            _ if elements.begun => {
                self.fail(FaultKind::NoComma, self.at);
                false
            }
            None => {
                self.fail(FaultKind::NoValue, self.at);
                false
            }
            _ => {
                elements.begun = true;
                true
            }
        }
    }
}
