//! The methods and notifications: who may send each, in which revisions, and what it needs.

use super::Revision::{self, *};
use super::capability::{ClientFeature, ServerFeature, TASKS_EXTENSION};
use super::{Feature, Reading, Span, Spans};

/// The way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// A request from the client.
    ClientRequest,
    /// A notification from the client.
    ClientNotification,
    /// A request from the server, on the wire.
    ServerRequest,
    /// A notification from the server.
    ServerNotification,
    /// A request that travels inside an `input_required` result.
    InputRequest,
}

impl Channel {
    /// Every channel.
    pub const ALL: &'static [Self] = &[
        Self::ClientRequest,
        Self::ClientNotification,
        Self::ServerRequest,
        Self::ServerNotification,
        Self::InputRequest,
    ];

    /// Whether what goes this way is answered.
    #[must_use]
    pub const fn is_request(self) -> bool {
        matches!(self, Self::ClientRequest | Self::ServerRequest | Self::InputRequest)
    }
}

/// The server capabilities without which a method does not exist on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Needs {
    /// None.
    Nothing,
    /// All of these, published.
    All(ServerFeature),
    /// At least one of these, published.
    Any(ServerFeature),
    /// The server's own switch for these: the revision has the method and no key to publish it under.
    Switch(ServerFeature),
}

macro_rules! methods {
    ($($name:ident = $text:literal;)+) => {
        /// A method or notification name of any revision, direction or known extension.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Method {
            $(#[doc = concat!("`", $text, "`.")] $name,)+
        }

        impl Method {
            /// Every method, in the order of the enum.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];
            /// How many there are.
            pub const COUNT: usize = Self::ALL.len();

            /// The name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

methods! {
    Initialize = "initialize";
    Ping = "ping";
    ServerDiscover = "server/discover";
    ToolsList = "tools/list";
    ToolsCall = "tools/call";
    PromptsList = "prompts/list";
    PromptsGet = "prompts/get";
    ResourcesList = "resources/list";
    ResourcesTemplatesList = "resources/templates/list";
    ResourcesRead = "resources/read";
    ResourcesSubscribe = "resources/subscribe";
    ResourcesUnsubscribe = "resources/unsubscribe";
    SubscriptionsListen = "subscriptions/listen";
    LoggingSetLevel = "logging/setLevel";
    CompletionComplete = "completion/complete";
    TasksGet = "tasks/get";
    TasksResult = "tasks/result";
    TasksList = "tasks/list";
    TasksCancel = "tasks/cancel";
    TasksUpdate = "tasks/update";
    RootsList = "roots/list";
    SamplingCreateMessage = "sampling/createMessage";
    ElicitationCreate = "elicitation/create";
    Cancelled = "notifications/cancelled";
    Progress = "notifications/progress";
    Initialized = "notifications/initialized";
    RootsListChanged = "notifications/roots/list_changed";
    Message = "notifications/message";
    ToolsListChanged = "notifications/tools/list_changed";
    PromptsListChanged = "notifications/prompts/list_changed";
    ResourcesListChanged = "notifications/resources/list_changed";
    ResourcesUpdated = "notifications/resources/updated";
    SubscriptionsAcknowledged = "notifications/subscriptions/acknowledged";
    ElicitationComplete = "notifications/elicitation/complete";
    TasksStatus = "notifications/tasks/status";
    Tasks = "notifications/tasks";
}

/// One method's facts on one channel, for one run of revisions.
///
/// A method that went and came back, or whose needs changed, has a row for each run.
#[derive(Clone, Copy, Debug)]
pub struct MethodRow {
    method: Method,
    channel: Channel,
    spans: Spans,
    server: Needs,
    client: ClientFeature,
    target: Option<&'static str>,
    is_name_source: bool,
    takes_input_responses: bool,
    is_cacheable: bool,
    extension: Option<&'static str>,
    deprecated_in: Option<Revision>,
}

const fn row(method: Method, channel: Channel, since: Revision, until: Option<Revision>) -> MethodRow {
    MethodRow {
        method,
        channel,
        spans: Spans::new(since, until),
        server: Needs::Nothing,
        client: ClientFeature::empty(),
        target: None,
        is_name_source: false,
        takes_input_responses: false,
        is_cacheable: false,
        extension: None,
        deprecated_in: None,
    }
}

impl MethodRow {
    const fn server(self, flag: ServerFeature) -> Self {
        Self { server: Needs::All(flag), ..self }
    }

    const fn server_any(self, flags: ServerFeature) -> Self {
        Self { server: Needs::Any(flags), ..self }
    }

    const fn server_switch(self, flag: ServerFeature) -> Self {
        Self { server: Needs::Switch(flag), ..self }
    }

    const fn client(self, flag: ClientFeature) -> Self {
        Self { client: flag, ..self }
    }

    const fn target(self, parameter: &'static str) -> Self {
        Self { target: Some(parameter), ..self }
    }

    /// The target, and what `Mcp-Name` repeats in the modern era.
    const fn name(self, parameter: &'static str) -> Self {
        Self { target: Some(parameter), is_name_source: true, ..self }
    }

    const fn input_responses(self) -> Self {
        Self { takes_input_responses: true, ..self }
    }

    const fn cacheable(self) -> Self {
        Self { is_cacheable: true, ..self }
    }

    const fn extension(self, id: &'static str) -> Self {
        Self { extension: Some(id), ..self }
    }

    const fn deprecated(self, revision: Revision) -> Self {
        Self { deprecated_in: Some(revision), ..self }
    }

    const fn exact(self, since: Revision, until: Option<Revision>) -> Self {
        Self { spans: self.spans.exact(Some(Span::new(since, until))), ..self }
    }

    /// The method.
    #[must_use]
    pub const fn method(&self) -> Method {
        self.method
    }

    /// The way it goes.
    #[must_use]
    pub const fn channel(&self) -> Channel {
        self.channel
    }

    /// The revisions of this row.
    #[must_use]
    pub const fn spans(&self) -> Spans {
        self.spans
    }

    /// The server capabilities that it needs.
    #[must_use]
    pub const fn server_needs(&self) -> Needs {
        self.server
    }

    /// The client capabilities that it needs, all of them.
    #[must_use]
    pub const fn client_needs(&self) -> ClientFeature {
        self.client
    }

    /// The parameter that names what it is about.
    #[must_use]
    pub const fn target_parameter(&self) -> Option<&'static str> {
        self.target
    }

    /// The extension that brings it, where it is not the core's.
    #[must_use]
    pub const fn extension_id(&self) -> Option<&'static str> {
        self.extension
    }

    /// The revision that marks it deprecated.
    #[must_use]
    pub const fn deprecated_in(&self) -> Option<Revision> {
        self.deprecated_in
    }
}

use Channel::{ClientNotification, ClientRequest, InputRequest, ServerNotification, ServerRequest};
use ClientFeature as C;
use Method as M;
use ServerFeature as S;

/// What a listen stream can be about: without any of these there is nothing to listen to.
const WATCHABLE: ServerFeature = S::TOOLS_LIST_CHANGED
    .union(S::PROMPTS_LIST_CHANGED)
    .union(S::RESOURCES_LIST_CHANGED)
    .union(S::RESOURCES_SUBSCRIBE)
    .union(S::TASKS_EXTENSION);

#[rustfmt::skip]
const ROWS: &[MethodRow] = &[
    //  method                        channel             first with   first without
    row(M::Initialize,                ClientRequest,      V2024_11_05, Some(V2026_07_28)),
    row(M::Ping,                      ClientRequest,      V2024_11_05, Some(V2026_07_28)),
    row(M::ServerDiscover,            ClientRequest,      V2026_07_28, None).cacheable(),
    row(M::ToolsList,                 ClientRequest,      V2024_11_05, None).server(S::TOOLS).cacheable(),
    row(M::ToolsCall,                 ClientRequest,      V2024_11_05, None)
        .server(S::TOOLS).name("name").input_responses(),
    row(M::PromptsList,               ClientRequest,      V2024_11_05, None).server(S::PROMPTS).cacheable(),
    row(M::PromptsGet,                ClientRequest,      V2024_11_05, None)
        .server(S::PROMPTS).name("name").input_responses(),
    row(M::ResourcesList,             ClientRequest,      V2024_11_05, None).server(S::RESOURCES).cacheable(),
    row(M::ResourcesTemplatesList,    ClientRequest,      V2024_11_05, None).server(S::RESOURCES).cacheable(),
    row(M::ResourcesRead,             ClientRequest,      V2024_11_05, None)
        .server(S::RESOURCES).name("uri").input_responses().cacheable(),
    row(M::ResourcesSubscribe,        ClientRequest,      V2025_06_18, Some(V2026_07_28))
        .exact(V2024_11_05, Some(V2026_07_28)).server(S::RESOURCES_SUBSCRIBE).target("uri"),
    row(M::ResourcesUnsubscribe,      ClientRequest,      V2025_06_18, Some(V2026_07_28))
        .exact(V2024_11_05, Some(V2026_07_28)).server(S::RESOURCES_SUBSCRIBE).target("uri"),
    row(M::SubscriptionsListen,       ClientRequest,      V2026_07_28, None).server_any(WATCHABLE),
    row(M::LoggingSetLevel,           ClientRequest,      V2024_11_05, Some(V2026_07_28)).server(S::LOGGING),
    row(M::CompletionComplete,        ClientRequest,      V2024_11_05, Some(V2025_03_26))
        .server_switch(S::COMPLETIONS).target("ref"),
    row(M::CompletionComplete,        ClientRequest,      V2025_03_26, None).server(S::COMPLETIONS).target("ref"),
    row(M::TasksGet,                  ClientRequest,      V2025_11_25, Some(V2026_07_28))
        .server(S::TASKS).target("taskId"),
    row(M::TasksResult,               ClientRequest,      V2025_11_25, Some(V2026_07_28))
        .server(S::TASKS).target("taskId"),
    row(M::TasksList,                 ClientRequest,      V2025_11_25, Some(V2026_07_28)).server(S::TASKS_LIST),
    row(M::TasksCancel,               ClientRequest,      V2025_11_25, Some(V2026_07_28))
        .server(S::TASKS_CANCEL).target("taskId"),
    row(M::TasksGet,                  ClientRequest,      V2026_07_28, None)
        .extension(TASKS_EXTENSION).server(S::TASKS_EXTENSION).client(C::TASKS_EXTENSION).name("taskId"),
    row(M::TasksUpdate,               ClientRequest,      V2026_07_28, None)
        .extension(TASKS_EXTENSION).server(S::TASKS_EXTENSION).client(C::TASKS_EXTENSION).name("taskId"),
    row(M::TasksCancel,               ClientRequest,      V2026_07_28, None)
        .extension(TASKS_EXTENSION).server(S::TASKS_EXTENSION).client(C::TASKS_EXTENSION).name("taskId"),

    row(M::Cancelled,                 ClientNotification, V2024_11_05, None),
    row(M::Progress,                  ClientNotification, V2024_11_05, Some(V2026_07_28)),
    row(M::Initialized,               ClientNotification, V2024_11_05, Some(V2026_07_28)),
    row(M::RootsListChanged,          ClientNotification, V2024_11_05, Some(V2026_07_28)).client(C::ROOTS_LIST_CHANGED),
    row(M::TasksStatus,               ClientNotification, V2025_11_25, Some(V2026_07_28))
        .client(C::TASKS).target("taskId"),

    row(M::Ping,                      ServerRequest,      V2024_11_05, Some(V2026_07_28)),
    row(M::RootsList,                 ServerRequest,      V2024_11_05, Some(V2026_07_28)).client(C::ROOTS),
    row(M::SamplingCreateMessage,     ServerRequest,      V2024_11_05, Some(V2026_07_28)).client(C::SAMPLING),
    row(M::ElicitationCreate,         ServerRequest,      V2025_06_18, Some(V2026_07_28)).client(C::ELICITATION),
    row(M::TasksGet,                  ServerRequest,      V2025_11_25, Some(V2026_07_28))
        .client(C::TASKS).target("taskId"),
    row(M::TasksResult,               ServerRequest,      V2025_11_25, Some(V2026_07_28))
        .client(C::TASKS).target("taskId"),
    row(M::TasksList,                 ServerRequest,      V2025_11_25, Some(V2026_07_28)).client(C::TASKS_LIST),
    row(M::TasksCancel,               ServerRequest,      V2025_11_25, Some(V2026_07_28))
        .client(C::TASKS_CANCEL).target("taskId"),

    row(M::Cancelled,                 ServerNotification, V2024_11_05, None),
    row(M::Progress,                  ServerNotification, V2024_11_05, None),
    row(M::Message,                   ServerNotification, V2024_11_05, None).server(S::LOGGING).deprecated(V2026_07_28),
    row(M::ToolsListChanged,          ServerNotification, V2024_11_05, None).server(S::TOOLS_LIST_CHANGED),
    row(M::PromptsListChanged,        ServerNotification, V2024_11_05, None).server(S::PROMPTS_LIST_CHANGED),
    row(M::ResourcesListChanged,      ServerNotification, V2024_11_05, None).server(S::RESOURCES_LIST_CHANGED),
    row(M::ResourcesUpdated,          ServerNotification, V2025_06_18, None)
        .exact(V2024_11_05, None).server(S::RESOURCES_SUBSCRIBE).target("uri"),
    row(M::TasksStatus,               ServerNotification, V2025_11_25, Some(V2026_07_28))
        .server(S::TASKS).target("taskId"),
    row(M::ElicitationComplete,       ServerNotification, V2025_11_25, Some(V2026_07_28))
        .client(C::ELICITATION_URL).target("elicitationId"),
    row(M::SubscriptionsAcknowledged, ServerNotification, V2026_07_28, None).server_any(WATCHABLE),
    row(M::Tasks,                     ServerNotification, V2026_07_28, None)
        .extension(TASKS_EXTENSION).server(S::TASKS_EXTENSION).client(C::TASKS_EXTENSION).target("taskId"),

    row(M::RootsList,                 InputRequest,       V2026_07_28, None).client(C::ROOTS).deprecated(V2026_07_28),
    row(M::SamplingCreateMessage,     InputRequest,       V2026_07_28, None)
        .client(C::SAMPLING).deprecated(V2026_07_28),
    row(M::ElicitationCreate,         InputRequest,       V2026_07_28, None).client(C::ELICITATION),
];

/// For each method, channel and revision the place of its row in [`ROWS`], plus one.
static PLACES: [[[u8; Revision::COUNT]; Channel::ALL.len()]; Method::COUNT] = const {
    let mut places = [[[0_u8; Revision::COUNT]; Channel::ALL.len()]; Method::COUNT];
    let mut at = 0;
    while at < ROWS.len() {
        let row = &ROWS[at];
        at += 1;
        let mut revision = 0;
        while revision < Revision::COUNT {
            if row.spans.has_at_all(Revision::ALL[revision]) {
                let place = &mut places[row.method as usize][row.channel as usize][revision];
                assert!(*place == 0, "two rows of a Method overlap");
                assert!(at < 256, "a place is one byte");
                #[allow(clippy::cast_possible_truncation, reason = "asserted on the line above")]
                let next = at as u8;
                *place = next;
            }
            revision += 1;
        }
    }
    places
};

static SETS: [[[MethodSet; Revision::COUNT]; Channel::ALL.len()]; Reading::ALL.len()] = const {
    let mut sets = [[[MethodSet(0); Revision::COUNT]; Channel::ALL.len()]; Reading::ALL.len()];
    let mut at = 0;
    while at < ROWS.len() {
        let row = &ROWS[at];
        at += 1;
        let mut revision = 0;
        while revision < Revision::COUNT {
            let mut reading = 0;
            while reading < Reading::ALL.len() {
                if row.spans.has(Revision::ALL[revision], Reading::ALL[reading]) {
                    let set = &mut sets[reading][row.channel as usize][revision];
                    *set = set.with(row.method);
                }
                reading += 1;
            }
            revision += 1;
        }
    }
    sets
};

const REQUESTS: MethodSet = named(true);
const NOTIFICATIONS: MethodSet = named(false);

const fn named(request: bool) -> MethodSet {
    let mut set = MethodSet(0);
    let mut at = 0;
    while at < ROWS.len() {
        if ROWS[at].channel.is_request() == request {
            set = set.with(ROWS[at].method);
        }
        at += 1;
    }
    set
}

const _: () = {
    assert!(REQUESTS.0 | NOTIFICATIONS.0 == (1 << Method::COUNT) - 1, "a Method has no row");
    assert!(REQUESTS.0 & NOTIFICATIONS.0 == 0, "a Method is a request here and a notification there");
};

/// A set of methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MethodSet(u64);

impl MethodSet {
    /// With `method` in it too.
    #[must_use]
    pub const fn with(self, method: Method) -> Self {
        Self(self.0 | 1 << method as u32)
    }

    /// Whether `method` is in it.
    #[must_use]
    pub const fn contains(self, method: Method) -> bool {
        self.0 >> method as u32 & 1 == 1
    }

    /// What is in either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether nothing is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The methods in it, in the order of [`Method::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Method> {
        Method::ALL.iter().copied().filter(move |method| self.contains(*method))
    }
}

impl FromIterator<Method> for MethodSet {
    fn from_iter<I: IntoIterator<Item = Method>>(methods: I) -> Self {
        methods.into_iter().fold(Self::default(), Self::with)
    }
}

impl Revision {
    /// What may go this way under this revision; an extension's methods are in it too.
    #[must_use]
    pub const fn methods(self, channel: Channel, reading: Reading) -> MethodSet {
        SETS[reading as usize][channel as usize][self.index()]
    }
}

impl Method {
    /// Every row, channel by channel.
    #[must_use]
    pub fn rows() -> &'static [MethodRow] {
        ROWS
    }

    /// The row for this way and revision, of whichever reading has one.
    #[must_use]
    pub fn row(self, channel: Channel, revision: Revision) -> Option<&'static MethodRow> {
        let place = PLACES[self as usize][channel as usize][revision.index()];
        ROWS.get(usize::from(place).checked_sub(1)?)
    }

    /// Whether it is a request in any revision or direction.
    #[must_use]
    pub const fn is_request_anywhere(self) -> bool {
        REQUESTS.contains(self)
    }

    /// Whether it is a notification in any revision or direction.
    #[must_use]
    pub const fn is_notification_anywhere(self) -> bool {
        NOTIFICATIONS.contains(self)
    }

    /// The extension that brings it into this revision; none where it is the core's, or absent.
    #[must_use]
    pub fn extension(self, revision: Revision) -> Option<&'static str> {
        Channel::ALL.iter().find_map(|channel| self.row(*channel, revision)?.extension)
    }

    /// What a server must have for this request of a client.
    #[must_use]
    pub fn server_needs(self, revision: Revision) -> Needs {
        self.row(ClientRequest, revision).map_or(Needs::Nothing, |row| row.server)
    }

    /// What a client must have declared before this goes that way: all of these.
    #[must_use]
    pub fn client_needs(self, channel: Channel, revision: Revision) -> ClientFeature {
        self.row(channel, revision).map_or(ClientFeature::empty(), |row| row.client)
    }

    /// The parameter of a client's request that the header `Mcp-Name` repeats.
    ///
    /// Spec: 2026-07-28 basic/transports/streamable-http, standard headers; SEP-2663.
    #[must_use]
    pub fn name_source(self, revision: Revision) -> Option<&'static str> {
        self.row(ClientRequest, revision).filter(|row| row.is_name_source)?.target
    }

    /// Whether a client's request may carry `inputResponses`, and its result ask for input.
    ///
    /// Spec: 2026-07-28 basic/patterns/mrtr.
    #[must_use]
    pub fn takes_input_responses(self, revision: Revision) -> bool {
        revision.has(Feature::INPUT_REQUIRED)
            && self.row(ClientRequest, revision).is_some_and(|row| row.takes_input_responses)
    }

    /// Whether a complete result of it carries cache hints.
    ///
    /// Spec: 2026-07-28 server/utilities/caching.
    #[must_use]
    pub fn is_cacheable(self, revision: Revision) -> bool {
        revision.has(Feature::CACHE_HINTS) && self.row(ClientRequest, revision).is_some_and(|row| row.is_cacheable)
    }

    /// The method of this exact name.
    ///
    /// The length and four bytes find the only candidate, one comparison settles it.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let candidate = *Self::ALL.get(usize::from(SLOTS.candidates[slot(text, SLOTS.factor)?]))?;
        (candidate.as_str().as_bytes() == text).then_some(candidate)
    }
}

/// A slot for each name, by a hash that the compiler searches for until no two names meet.
struct Slots {
    factor: u64,
    candidates: [u8; 1 << SLOT_BITS],
}

const SLOT_BITS: u32 = 8;

static SLOTS: Slots = const {
    let mut factor: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 over the golden ratio: spreads well
    let mut tries = 0;
    'factor: loop {
        assert!(tries < 100, "no factor keeps the names apart: let the hash read one more byte");
        tries += 1;
        let mut candidates = [u8::MAX; 1 << SLOT_BITS];
        let mut at = 0;
        while at < Method::COUNT {
            let Some(slot) = slot(Method::ALL[at].as_str().as_bytes(), factor) else { panic!("a Method has no name") };
            if candidates[slot] != u8::MAX {
                factor = factor.wrapping_add(0x9E37_79B9_7F4A_7C16);
                continue 'factor;
            }
            #[allow(clippy::cast_possible_truncation, reason = "a MethodSet has room for 64")]
            let method = at as u8;
            candidates[slot] = method;
            at += 1;
        }
        break Slots { factor, candidates };
    }
};

/// The slot of a name: its length and the four bytes in which the names of one length differ.
const fn slot(text: &[u8], factor: u64) -> Option<usize> {
    const PREFIX: usize = "notifications/".len();
    let Some(last) = text.len().checked_sub(1) else { return None };
    let middle = if last < PREFIX { last } else { PREFIX };
    let second = if last < 1 { last } else { 1 };
    let bytes = text[0] as u64 | (text[second] as u64) << 8 | (text[middle] as u64) << 16 | (text[last] as u64) << 24;
    let mixed = (bytes << 8 | text.len() as u64).wrapping_mul(factor);
    Some((mixed >> (u64::BITS - SLOT_BITS)) as usize)
}
