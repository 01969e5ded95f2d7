//! The log levels, from the least to the most severe; the same in every revision.

macro_rules! levels {
    ($($name:ident = $text:literal;)+) => {
        /// A log level; a greater one is more severe.
        ///
        /// Spec: 2025-11-25 server/utilities/logging, Log Levels.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum LogLevel {
            $(#[doc = concat!("`", $text, "`")] $name,)+
        }

        impl LogLevel {
            /// Every level, the least severe first.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The word on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

levels! {
    Debug = "debug";
    Info = "info";
    Notice = "notice";
    Warning = "warning";
    Error = "error";
    Critical = "critical";
    Alert = "alert";
    Emergency = "emergency";
}

impl LogLevel {
    /// The level of this exact word.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        Self::ALL.iter().copied().find(|level| level.as_str().as_bytes() == text)
    }
}
