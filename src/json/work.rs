//! How much work texts made: told in debug builds and under fuzzing, where a bound is held; a release counts nothing.

#[cfg(any(debug_assertions, fuzzing))]
mod counted {
    use std::cell::Cell;

    /// What this thread's cursors did since [`forget_work`].
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Work {
        /// Bytes that were passed: by the UTF-8 check, by a cursor on its way, by reading what a string says.
        pub bytes: u64,
        /// Single looks at a text: at a byte or at a block of them.
        pub looks: u64,
    }

    thread_local! {
        static WORK: Cell<Work> = const { Cell::new(Work { bytes: 0, looks: 0 }) };
    }

    /// What was counted on this thread.
    #[must_use]
    pub fn work() -> Work {
        WORK.get()
    }

    /// Counts from nothing again, on this thread.
    pub fn forget_work() {
        WORK.set(Work::default());
    }

    pub(in crate::json) fn passed(bytes: usize) {
        let work = WORK.get();
        WORK.set(Work { bytes: work.bytes + bytes as u64, ..work });
    }

    pub(in crate::json) fn looked() {
        let work = WORK.get();
        WORK.set(Work { looks: work.looks + 1, ..work });
    }
}

#[cfg(not(any(debug_assertions, fuzzing)))]
mod counted {
    #[inline]
    pub(in crate::json) const fn passed(_bytes: usize) {}

    #[inline]
    pub(in crate::json) const fn looked() {}
}

#[cfg(any(debug_assertions, fuzzing))]
pub use counted::{Work, forget_work, work};
pub(super) use counted::{looked, passed};
