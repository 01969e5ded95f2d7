//! V1 to V4: which version a message speaks, and whether the gate serves it.
//!
//! Two carriers can say it, the header and the claim in the body; they never outvote each other. Only a claim moves a
//! message to the modern era, and only a header that agrees lets it in.

use std::borrow::Cow;

use crate::headers::{Field, Lines, is_visible, trim};
use crate::json::{Kind, Node, echo};
use crate::table::{Era, Revision};

use super::ladder::Climb;
use super::mismatch::{How, Mismatch};
use super::{Rejection, VersionSource};

/// The header's own spelling, as messages about it write it.
const NAME: &str = "MCP-Protocol-Version";

/// The longest token that can be a version.
const LONGEST: usize = 64;

/// What the version header says (C.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header<'h> {
    Absent,
    Served(Revision),
    /// A token that names no served revision.
    Unknown(&'h [u8]),
    Malformed,
    Duplicated,
}

impl<'h> Header<'h> {
    /// Reads the header's lines; a comma within a line repeats it as a second line does.
    #[inline]
    pub(super) fn read(lines: Lines<'h>, serves: impl Fn(Revision) -> bool, collapse: bool) -> Self {
        let Some(first) = lines.first() else {
            return Self::Absent;
        };
        // What nearly every client sends; no revision has a comma.
        if !lines.is_repeated()
            && let Some(revision) = Revision::parse(first).filter(|revision| serves(*revision))
        {
            return Self::Served(revision);
        }
        let mut token = first;
        if lines.is_repeated() || memchr::memchr(b',', first).is_some() {
            let mut members = lines.iter().flat_map(|line| line.split(|byte| *byte == b',')).map(trim);
            token = members.next().unwrap_or_default();
            if !(collapse && members.all(|member| member == token)) {
                return Self::Duplicated;
            }
        }
        match Revision::parse(token) {
            Some(revision) if serves(revision) => Self::Served(revision),
            None if token.is_empty() || token.len() > LONGEST || !is_visible(token) => Self::Malformed,
            _ => Self::Unknown(token),
        }
    }

    /// The token, where there is one.
    fn token(self) -> Option<&'h [u8]> {
        match self {
            Self::Served(revision) => Some(revision.as_str().as_bytes()),
            Self::Unknown(token) => Some(token),
            Self::Absent | Self::Malformed | Self::Duplicated => None,
        }
    }

    /// Whether it names a served modern revision.
    pub(super) const fn is_modern(self) -> bool {
        matches!(self, Self::Served(revision) if matches!(revision.era(), Era::Modern))
    }
}

/// What the body claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Claim<'a> {
    Absent,
    Served(Revision),
    Unknown(Cow<'a, [u8]>),
    WrongType,
}

impl<'a> Claim<'a> {
    #[inline]
    pub(super) fn read(node: Node, text: &'a [u8], serves: impl Fn(Revision) -> bool) -> Self {
        if node.kind() == Kind::Absent {
            return Self::Absent;
        }
        let Some(claim) = node.text(text) else {
            return Self::WrongType;
        };
        match Revision::parse(&claim) {
            Some(revision) if serves(revision) => Self::Served(revision),
            _ => Self::Unknown(claim),
        }
    }

    fn text(&self) -> Option<&[u8]> {
        match self {
            Self::Served(revision) => Some(revision.as_str().as_bytes()),
            Self::Unknown(text) => Some(text),
            Self::Absent | Self::WrongType => None,
        }
    }
}

/// What the carriers agree on; only this file makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Agreed(Said);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// A revision, and who said it.
    Revision(Revision, VersionSource),
    /// Nothing: a handshake client's session or the assumed revision decides.
    Nothing,
    /// Nothing, and there is no handshake to fall back on: the modern tail says what is missing.
    NothingModern(Revision),
    /// It is a handshake.
    Handshake,
}

/// What the tails need of an agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// The handshake itself.
    Handshake,
    /// A handshake revision, if anything but a session says one.
    Legacy(Option<(Revision, VersionSource)>),
    /// A modern revision.
    Modern(Revision, VersionSource),
}

impl Agreed {
    pub(super) const fn tail(self) -> Tail {
        match self.0 {
            Said::Handshake => Tail::Handshake,
            Said::Nothing => Tail::Legacy(None),
            Said::NothingModern(revision) => Tail::Modern(revision, VersionSource::Assumed),
            Said::Revision(revision, source) => match revision.era() {
                Era::Legacy => Tail::Legacy(Some((revision, source))),
                Era::Modern => Tail::Modern(revision, source),
            },
        }
    }
}

fn mismatch(how: How) -> Rejection {
    Rejection::Version(Mismatch::new(NAME, how))
}

fn differs(header: Header<'_>, claim: &Claim<'_>) -> Rejection {
    Rejection::Version(Mismatch::differs(NAME, header.token().unwrap_or_default(), claim.text().unwrap_or_default()))
}

impl Climb<'_, '_> {
    /// V1 to V3 for any message but `initialize`: the matrix of header and claim.
    ///
    /// Disagreement is reported before ignorance. Spec: 2026-07-28 basic/transports/streamable-http, Protocol Version
    /// Header; 2025-11-25 basic/transports, Protocol Version Header.
    #[inline]
    pub(super) fn agree(&mut self, header: Header<'_>, claim: &Claim<'_>) -> Result<Agreed, Rejection> {
        match self.matrix(header, claim) {
            Ok(agreed) => Ok(agreed),
            Err(rejection) => {
                self.object_to_carriers(rejection, claim)?;
                self.after_report(header, claim).map(Agreed)
            }
        }
    }

    /// V1 or V2; where V1 is only reported, V2 comes next.
    fn object_to_carriers(&mut self, rejection: Rejection, claim: &Claim<'_>) -> Result<(), Rejection> {
        let is_claims = rejection == Rejection::Claim;
        self.object(rejection)?;
        if *claim == Claim::WrongType && !is_claims { self.object(Rejection::Claim) } else { Ok(()) }
    }

    pub(super) fn matrix(&self, header: Header<'_>, claim: &Claim<'_>) -> Result<Agreed, Rejection> {
        if self.is_direct() {
            return self.without_headers(claim);
        }
        let said = match (header, claim) {
            (Header::Duplicated, _) => return Err(mismatch(How::Repeated)),
            (Header::Malformed, _) => return Err(mismatch(How::Malformed)),
            (_, Claim::WrongType) => return Err(Rejection::Claim),
            (Header::Absent, Claim::Absent) => Said::Nothing,
            (Header::Absent, Claim::Served(claimed)) if claimed.era() == Era::Legacy => {
                Said::Revision(*claimed, VersionSource::Body)
            }
            (Header::Absent, _) => return Err(mismatch(How::Missing)),
            (Header::Served(named), Claim::Absent) => Said::Revision(named, VersionSource::Header),
            (Header::Served(named), Claim::Served(claimed)) if named == *claimed => {
                let source = match named.era() {
                    Era::Legacy => VersionSource::Header,
                    Era::Modern => VersionSource::Body,
                };
                Said::Revision(named, source)
            }
            (Header::Unknown(token), Claim::Absent) => return Err(self.unsupported(token)),
            (Header::Unknown(token), Claim::Unknown(claimed)) if token == &**claimed => {
                return Err(self.unsupported(claimed));
            }
            _ => return Err(differs(header, claim)),
        };
        Ok(Agreed(said))
    }

    /// The claim alone decides where there are no headers (D55).
    fn without_headers(&self, claim: &Claim<'_>) -> Result<Agreed, Rejection> {
        Ok(Agreed(match claim {
            Claim::WrongType => return Err(Rejection::Claim),
            Claim::Unknown(claimed) => return Err(self.unsupported(claimed)),
            Claim::Served(claimed) => Said::Revision(*claimed, VersionSource::Body),
            Claim::Absent => self.nothing_said(),
        }))
    }

    /// Nobody says a version: a handshake decides, but on a hop without headers that has none to offer.
    fn nothing_said(&self) -> Said {
        match self.gate().served().newest_modern() {
            Some(modern) if self.is_direct() && self.gate().served().newest_handshake().is_none() => {
                Said::NothingModern(modern)
            }
            _ => Said::Nothing,
        }
    }

    /// What a message goes on with whose version was refused, and the refusal only reported.
    fn after_report(&mut self, header: Header<'_>, claim: &Claim<'_>) -> Result<Said, Rejection> {
        let named = |text: Option<&[u8]>| text.and_then(Revision::parse);
        let said = named(claim.text())
            .map(|revision| (revision, VersionSource::Body))
            .or_else(|| named(header.token()).map(|revision| (revision, VersionSource::Header)));
        let Some((revision, source)) = said else {
            return Ok(self.nothing_said());
        };
        self.served(revision)?;
        Ok(Said::Revision(revision, source))
    }

    /// V3: the version is one that this gate serves.
    ///
    /// Spec: 2026-07-28 basic/versioning, Protocol Version Negotiation (-32022, HTTP 400).
    pub(super) fn served(&mut self, revision: Revision) -> Result<(), Rejection> {
        if self.gate().served().contains(revision) {
            return Ok(());
        }
        let rejection = self.unsupported(revision.as_str().as_bytes());
        self.object(rejection)
    }

    pub(super) fn unsupported(&self, requested: &[u8]) -> Rejection {
        Rejection::UnsupportedVersion { requested: echo(requested), supported: self.gate().supported().to_vec() }
    }

    /// The same for `initialize`, whose header is not read unless it names a modern revision (C.3).
    ///
    /// Spec: 2025-11-25 basic/lifecycle, Version Negotiation; 2026-07-28 basic/versioning.
    pub(super) fn agree_on_handshake(
        &mut self,
        header: Header<'_>,
        claim: &Claim<'_>,
        requested: Node,
    ) -> Result<Agreed, Rejection> {
        let rejection = match self.handshake(header, claim, requested) {
            Ok(agreed) => return Ok(agreed),
            Err(rejection) => rejection,
        };
        self.object_to_carriers(rejection, claim)?;
        let claims_modern = claim.text().and_then(Revision::parse).is_some_and(|claimed| claimed.era() == Era::Modern);
        if claims_modern { self.after_report(header, claim).map(Agreed) } else { Ok(Agreed(Said::Handshake)) }
    }

    fn handshake(&self, header: Header<'_>, claim: &Claim<'_>, requested: Node) -> Result<Agreed, Rejection> {
        if header == Header::Duplicated {
            return Err(mismatch(How::Repeated));
        }
        let claims_handshake = match claim {
            Claim::Absent => true,
            Claim::Served(claimed) => claimed.era() == Era::Legacy,
            Claim::Unknown(_) | Claim::WrongType => false,
        };
        if !claims_handshake {
            return self.matrix(header, claim);
        }
        if header.is_modern() {
            return match claim {
                Claim::Absent => Err(mismatch(How::WithoutInitialize)),
                _ => self.matrix(header, claim),
            };
        }
        if self.gate().served().newest_handshake().is_some() {
            return Ok(Agreed(Said::Handshake));
        }
        // A modern-only gate: what the client asked for is the only version there is to speak of.
        Err(match requested.text(self.body()) {
            Some(text) if !Revision::parse(&text).is_some_and(|asked| self.gate().served().contains(asked)) => {
                self.unsupported(&text)
            }
            _ => Rejection::InitializeUnserved(self.gate().supported().to_vec()),
        })
    }

    /// V4: a handshake client that says nothing speaks the assumed revision, where it is served.
    ///
    /// Spec: 2025-11-25 basic/transports, Protocol Version Header.
    pub(super) fn assumed(&mut self) -> Result<Revision, Rejection> {
        match self.served_assumption() {
            Ok(revision) => Ok(revision),
            Err(rejection) => {
                self.object(rejection)?;
                Ok(self.gate().policy().assumed_revision.unwrap_or(Revision::ASSUMED))
            }
        }
    }

    pub(super) fn served_assumption(&self) -> Result<Revision, Rejection> {
        let assumed = self.gate().policy().assumed_revision;
        assumed.filter(|revision| self.gate().served().contains(*revision)).ok_or(Rejection::VersionMissing)
    }
}

/// The version header of a request.
#[inline]
pub(super) fn header_of<'h>(climb: &Climb<'h, '_>) -> Header<'h> {
    let Some(headers) = climb.headers() else {
        return Header::Absent;
    };
    let gate = climb.gate();
    Header::read(
        headers.lines(Field::McpProtocolVersion),
        |revision| gate.served().contains(revision),
        gate.policy().collapse_header_copies,
    )
}
