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
    /// What a handshake client speaks that says nothing of its version.
    ///
    /// Spec: 2025-11-25 basic/transports, Protocol Version Header.
    pub const ASSUMED: Self = Self::V2025_03_26;

    /// The revision of this exact spelling, if there is one.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let text = <&[u8; DATE]>::try_from(text).ok()?;
        Self::ALL.iter().copied().rfind(|revision| revision.date() == text)
    }

    /// The newest revision that is not after this date; none before the oldest, and for what is no date.
    ///
    /// A date is `YYYY-MM-DD` in ASCII digits, and one of the calendar.
    #[must_use]
    pub fn nearest(text: &[u8]) -> Option<Self> {
        let date = <&[u8; DATE]>::try_from(text).ok().filter(|date| is_date(date))?;
        // Dates of this shape stand in the order of their bytes; the only place that orders them.
        Self::ALL.iter().copied().rfind(|revision| revision.date() <= date)
    }

    fn date(self) -> &'static [u8; DATE] {
        self.as_str().as_bytes().first_chunk().unwrap_or(&[0; DATE])
    }
}

/// The length of a date, in bytes.
const DATE: usize = 10;

const _: () = {
    let mut at = 0;
    while at < Revision::COUNT {
        assert!(Revision::ALL[at].as_str().len() == DATE, "a revision is a date");
        at += 1;
    }
};

fn is_date(text: &[u8; DATE]) -> bool {
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text else { return false };
    let (Some(year), Some(month), Some(day)) = (number(&[y1, y2, y3, y4]), number(&[m1, m2]), number(&[d1, d2])) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

fn number(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + u16::from(digit - b'0')))
}
