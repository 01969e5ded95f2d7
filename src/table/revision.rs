//! The revisions, oldest first; the only place that spells their dates.

/// How a revision's messages carry their version.
///
/// Spec: 2026-07-28 basic/versioning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// The `initialize` handshake settles the revision for what follows.
    Legacy,
    /// Each request carries its revision and the client's capabilities itself.
    Modern,
}

impl Era {
    /// `legacy` or `modern`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }
}

macro_rules! revisions {
    ($($name:ident = $text:literal, $era:ident;)+) => {
        /// A protocol revision.
        ///
        /// There is no order on it: ask [`Revision::has`] what a revision has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Revision {
            $(#[doc = concat!("The revision `", $text, "`.")] $name,)+
        }

        impl Revision {
            /// Every revision, oldest first.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];
            /// How many there are.
            pub const COUNT: usize = Self::ALL.len();

            /// The revision's own spelling.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// The era that the revision belongs to.
            #[must_use]
            pub const fn era(self) -> Era {
                match self { $(Self::$name => Era::$era,)+ }
            }

            /// The place in [`Revision::ALL`].
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }
        }
    };
}

revisions! {
    V2024_11_05 = "2024-11-05", Legacy;
    V2025_03_26 = "2025-03-26", Legacy;
    V2025_06_18 = "2025-06-18", Legacy;
    V2025_11_25 = "2025-11-25", Legacy;
    V2026_07_28 = "2026-07-28", Modern;
}

impl Revision {
    /// The revision of this exact spelling, if there is one.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        Self::ALL.iter().copied().find(|revision| revision.as_str().as_bytes() == text)
    }
}
