//! The closed list of reasons: every verdict has exactly one.

macro_rules! reasons {
    ($($(#[$doc:meta])+ $name:ident = $text:literal $(, $reportable:ident)?;)+) => {
        /// Why a verdict is what it is; closed, and fit for a metric label.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reason {
            $($(#[$doc])+ $name,)+
        }

        impl Reason {
            /// Every reason, in the order of the ladder.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The label.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// Whether `enforce` may report it instead of refusing: it stands on a V, L or M rung, and letting the
            /// request through leaves something to go on with.
            #[must_use]
            pub const fn is_reportable(self) -> bool {
                match self { $(Self::$name => reasons!(@flag $($reportable)?),)+ }
            }

            /// The reason of this label.
            #[must_use]
            pub fn parse(label: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|reason| reason.as_str() == label)
            }
        }
    };
    (@flag reportable) => { true };
    (@flag) => { false };
}

reasons! {
    /// Nothing refused; the request goes on.
    Admitted = "admitted";
    /// Nothing refused; the gate answered a handshake method itself.
    Answered = "answered";
    /// H1: the `Origin` is not an allowed one.
    OriginRefused = "origin_refused";
    /// H1: the `Host` is not an allowed one.
    HostRefused = "host_refused";
    /// H2, or GET and DELETE under a modern version header.
    MethodNotAllowed = "method_not_allowed";
    /// H3: not one JSON body in UTF-8.
    UnsupportedMediaType = "unsupported_media_type";
    /// H4, GET, M8: the client does not take what the answer would be.
    NotAcceptable = "not_acceptable", reportable;
    /// H5: the body is over the cap.
    BodyTooLarge = "body_too_large";
    /// P1: not one JSON text within the limits.
    ParseError = "parse_error";
    /// P3: neither an object nor an array.
    NotAMessage = "not_a_message";
    /// P4: an object that the gate reads says a key twice.
    DuplicateKey = "duplicate_key";
    /// P5: not a JSON-RPC message.
    InvalidMessage = "invalid_message";
    /// P2: a rule for the whole batch is broken.
    BatchRefused = "batch_refused";
    /// V1: the carriers of the version contradict each other.
    VersionHeaderMismatch = "version_header_mismatch", reportable;
    /// V2: the claim is not a string.
    ClaimMalformed = "claim_malformed", reportable;
    /// V3: the agreed version is not served.
    UnsupportedVersion = "unsupported_version", reportable;
    /// V4: no version anywhere, and the assumed one is not served.
    VersionMissing = "version_missing", reportable;
    /// L1: a session is needed.
    SessionRequired = "session_required", reportable;
    /// L1: more than one session header.
    SessionRepeated = "session_repeated", reportable;
    /// L1: the session is not known; the client starts anew.
    SessionUnknown = "session_unknown";
    /// L0, L2, M3: the method does not exist here.
    MethodNotFound = "method_not_found", reportable;
    /// L3, L4, M4: a parameter that the gate reads has the wrong shape.
    InvalidParams = "invalid_params", reportable;
    /// M0: a client posted a response.
    ResponseRefused = "response_refused", reportable;
    /// M1: the envelope is incomplete or ill-typed.
    EnvelopeInvalid = "envelope_invalid", reportable;
    /// M2: `Mcp-Method` disagrees with the body.
    MethodHeaderMismatch = "method_header_mismatch", reportable;
    /// M5: `Mcp-Name` disagrees with the body.
    NameHeaderMismatch = "name_header_mismatch", reportable;
    /// M6: `Mcp-Param-*` disagrees with the body.
    ParamHeaderMismatch = "param_header_mismatch", reportable;
    /// M7: the client did not declare what the call needs.
    MissingClientCapability = "missing_client_capability", reportable;
    /// The host's look-up failed, or the gate itself did.
    Internal = "internal";
}
