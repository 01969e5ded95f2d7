"""`SessionTickets`, beside a second reading of `docs/tickets.md` that shares no code with the core."""

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.ticket import Minted
from revcap import (
    ClientCapabilities,
    ClientFeature,
    RevcapError,
    Revision,
    Session,
    SessionTickets,
)

NOW = 1_785_000_000
DAY = 86_400
NONCE = b"sixteen bytes ok"
KEY = b"an example key that is no secret"
OTHER_KEY = b"another key, no secret as before"
HANDSHAKE = [revision for revision in Revision if revision is not Revision.LATEST]

# In the order of the bits: the flag, and how a client declares it.
BITS: list[tuple[ClientFeature, dict[str, Any]]] = [
    (ClientFeature.EXPERIMENTAL, {"experimental": {}}),
    (ClientFeature.EXTENSIONS, {"extensions": {}}),
    (ClientFeature.ROOTS, {"roots": {}}),
    (ClientFeature.ROOTS_LIST_CHANGED, {"roots": {"listChanged": True}}),
    (ClientFeature.SAMPLING, {"sampling": {}}),
    (ClientFeature.SAMPLING_TOOLS, {"sampling": {"tools": {}}}),
    (ClientFeature.SAMPLING_CONTEXT, {"sampling": {"context": {}}}),
    (ClientFeature.ELICITATION, {"elicitation": {}}),
    (ClientFeature.ELICITATION_FORM, {"elicitation": {"form": {}}}),
    (ClientFeature.ELICITATION_URL, {"elicitation": {"url": {}}}),
    (ClientFeature.TASKS, {"tasks": {}}),
    (ClientFeature.TASKS_LIST, {"tasks": {"list": {}}}),
    (ClientFeature.TASKS_CANCEL, {"tasks": {"cancel": {}}}),
    (ClientFeature.TASKS_SAMPLING, {"tasks": {"requests": {"sampling": {"createMessage": {}}}}}),
    (ClientFeature.TASKS_ELICITATION, {"tasks": {"requests": {"elicitation": {"create": {}}}}}),
    (ClientFeature.TASKS_EXTENSION, {"extensions": {"io.modelcontextprotocol/tasks": {}}}),
]


def tickets(*keys: bytes, ttl: int = DAY, revoked: Callable[[str], bool] | None = None) -> SessionTickets:
    return SessionTickets(keys=list(keys or [KEY]), ttl=ttl, revoked=revoked)


def client_of(bits: int) -> ClientCapabilities:
    declared: dict[str, Any] = {}

    def merge(into: dict[str, Any], more: dict[str, Any]) -> None:
        for name, value in more.items():
            if isinstance(value, dict):
                merge(into.setdefault(name, {}), value)
            else:
                into[name] = value

    for place, (_, declaration) in enumerate(BITS):
        if bits >> place & 1:
            merge(declared, declaration)
    return ClientCapabilities.from_dict(declared)


A_SESSION = Session("2025-06-18", ClientCapabilities.parse(b'{"elicitation":{}}'))


def open_at(now: float, ticket: str | bytes, **given: Any) -> Session | None:
    return tickets().open(ticket, now=now, **given)


@pytest.mark.parametrize(
    ("session", "principal", "inner", "ticket"),
    [
        (A_SESSION, None, None, "AUC8Yb4CgAABgAAAamTwQMwe0D4rGRDWrIUBNg3qh66A6hbjh1XTKG0gRuoilWMQ"),
        (
            Session("2025-11-25", client_of(0xFFFF)),
            "alice",
            None,
            "AUC8Yb4DgAD__wAAamTwQFbLQYZXiZnWcw269ExGNwiLcC_moB9fmtKWh6qLf8eD",
        ),
        (
            Session("2025-03-26", client_of(0)),
            b"alice",
            b"backend-1",
            "AUC8Yb4BgAAAAAAAamTwQNJyPEwrIMauyso4yL0NHK8X3GDiOB7Y3Bm58cLQLaTw6KNzkky6wo7iYyT3UqaKr3zEK5ayjvBdRw",
        ),
    ],
)
def test_the_tickets_of_the_first_release_open_for_good(
    session: Session, principal: str | bytes | None, inner: bytes | None, ticket: str
) -> None:
    assert tickets().mint(session, now=NOW, nonce=NONCE, principal=principal, inner=inner) == ticket
    opened = open_at(NOW, ticket, principal=principal)
    assert opened is not None
    assert (opened.revision, opened.inner) == (session.revision, inner)


@given(
    st.builds(
        Minted,
        key=st.binary(min_size=32, max_size=130),
        place=st.integers(0, len(HANDSHAKE) - 1),
        client=st.none() | st.integers(0, 0xFFFF),
        now=st.integers(0, 2**48 - 1),
        nonce=st.binary(min_size=16, max_size=70),
        principal=st.none() | st.binary(max_size=80),
        inner=st.none() | st.binary(max_size=256),
    )
)
def test_the_documentation_is_enough_to_make_a_ticket(minted: Minted) -> None:
    made = tickets(minted.key)
    session = Session(HANDSHAKE[minted.place], None if minted.client is None else client_of(minted.client))
    ticket = made.mint(session, now=minted.now, nonce=minted.nonce, principal=minted.principal, inner=minted.inner)
    if session.client is not None:
        # A declared member declares its parents, so there may be more than was asked for.
        bits = sum(1 << place for place, (feature, _) in enumerate(BITS) if session.client.supports(feature))
        minted = minted._replace(client=bits)
    assert ticket == minted.by_the_docs()
    opened = made.open(ticket, now=minted.now, principal=minted.principal)
    assert opened is not None
    assert (opened.revision, opened.inner) == (session.revision, minted.inner)


@given(bits=st.integers(0, 0xFFFF), place=st.integers(0, len(HANDSHAKE) - 1))
def test_every_declaration_comes_back_as_its_flags(bits: int, place: int) -> None:
    client = client_of(bits)
    opened = open_at(NOW, tickets().mint(Session(HANDSHAKE[place], client), now=NOW, nonce=NONCE))
    assert opened is not None
    assert opened.client is not None
    assert opened.client.features == client.features
    assert opened.client.extensions is None
    assert opened.client.experimental is None


def test_a_client_that_is_unknown_stays_unknown() -> None:
    opened = open_at(NOW, tickets().mint(Session("2025-11-25"), now=NOW, nonce=NONCE))
    assert opened == Session("2025-11-25")
    assert opened.client is None


def test_an_opened_session_is_pickled_without_its_ticket() -> None:
    opened = open_at(NOW, tickets().mint(A_SESSION, now=NOW, nonce=NONCE, inner=b"abc"))
    assert pickle.loads(pickle.dumps(opened)) == opened


def test_a_repr_shows_no_inner_value_and_no_key() -> None:
    assert repr(Session("2024-11-05", None, b"hush")) == "Session('2024-11-05', None, <4 bytes>)"
    assert repr(Session("2024-11-05")) == "Session('2024-11-05', None)"
    assert repr(A_SESSION) == f"Session('2025-06-18', {A_SESSION.client!r})"
    many = tickets(KEY, OTHER_KEY, ttl=60, revoked=lambda _id: False)
    assert repr(many) == "SessionTickets(<2 keys>, ttl=60, revocable=True)"
    assert repr(tickets()) == "SessionTickets(<1 key>, ttl=86400, revocable=False)"


def test_keys_cannot_be_read_back() -> None:
    made = tickets()
    assert {name for name in dir(made) if not name.startswith("_")} == {"mint", "open", "revocable", "ticket_id", "ttl"}
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError):
            pickle.dumps(made, protocol)
    for copied in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            copied(made)


def test_an_inner_value_travels_with_its_session() -> None:
    carrying = Session("2025-06-18", None, b"backend-1")
    first = open_at(NOW, tickets().mint(carrying, now=NOW, nonce=NONCE))
    assert first == carrying
    second = open_at(NOW, tickets().mint(first, now=NOW, nonce=NONCE, inner=b"backend-2"))
    assert second == Session("2025-06-18", None, b"backend-2")


@pytest.mark.parametrize(("size", "chars"), [(0, 86), (1, 87), (256, 427)])
def test_an_inner_value_has_up_to_256_bytes(size: int, chars: int) -> None:
    ticket = tickets().mint(A_SESSION, now=NOW, nonce=NONCE, inner=bytes(size))
    assert len(ticket) == chars <= 512
    opened = open_at(NOW, ticket)
    assert opened is not None
    assert opened.inner == bytes(size)


def test_a_longer_inner_value_is_refused() -> None:
    with pytest.raises(RevcapError, match="inner value of 257 bytes; it has at most 256"):
        tickets().mint(A_SESSION, now=NOW, nonce=NONCE, inner=bytes(257))


def test_a_ticket_is_64_characters_that_a_header_can_carry() -> None:
    ticket = tickets().mint(A_SESSION, now=NOW, nonce=NONCE)
    assert len(ticket) == 64
    assert ticket.isascii()
    assert ticket.isprintable()
    assert " " not in ticket


def test_a_ticket_lives_its_lifetime_to_the_second() -> None:
    ticket = tickets().mint(A_SESSION, now=NOW, nonce=NONCE)
    for now, alive in [
        (NOW - 61, False),
        (NOW - 60, True),
        (NOW, True),
        (NOW + DAY, True),
        (NOW + DAY + 0.9, True),
        (NOW + DAY + 1, False),
        (2**64 - 1, False),
        (0, False),
    ]:
        assert (open_at(now, ticket) is not None) is alive, now


def test_the_time_of_time_time_is_cut_to_the_second() -> None:
    assert tickets().mint(A_SESSION, now=NOW + 0.999, nonce=NONCE) == tickets().mint(A_SESSION, now=NOW, nonce=NONCE)


@pytest.mark.parametrize(
    "now", [-1, -0.5, 2**64, pytest.param(10**5000, id="huge"), 1e16, float("nan"), float("inf"), float("-inf")]
)
def test_a_time_that_is_none_is_refused(now: float) -> None:
    with pytest.raises(RevcapError, match="now must be"):
        tickets().mint(A_SESSION, now=now, nonce=NONCE)
    with pytest.raises(RevcapError, match="now must be"):
        tickets().open("", now=now)


@pytest.mark.parametrize("now", [2**48, 2**64 - 1])
def test_a_time_that_fits_no_ticket_is_refused(now: int) -> None:
    with pytest.raises(RevcapError, match=str(now)):
        tickets().mint(A_SESSION, now=now, nonce=NONCE)


PRINCIPALS: list[str | bytes | None] = [None, "", "\0", "alice", "Alice", "alice\0", "alic", "älice", "a" * 1000]


@pytest.mark.parametrize("minted_for", PRINCIPALS)
def test_a_ticket_is_its_principals_alone(minted_for: str | None) -> None:
    ticket = tickets().mint(A_SESSION, now=NOW, nonce=NONCE, principal=minted_for)
    for presented_by in PRINCIPALS:
        opened = open_at(NOW, ticket, principal=presented_by)
        assert (opened is not None) is (minted_for == presented_by)


def test_a_principal_of_text_is_its_utf_8() -> None:
    ticket = tickets().mint(A_SESSION, now=NOW, nonce=NONCE, principal="älice")
    assert open_at(NOW, ticket, principal="älice".encode()) is not None
    assert open_at(NOW, ticket, principal="älice".encode("latin-1")) is None


def test_a_principal_that_has_no_utf_8_is_refused() -> None:
    with pytest.raises(RevcapError, match="principal"):
        tickets().mint(A_SESSION, now=NOW, nonce=NONCE, principal="\ud800")
    with pytest.raises(RevcapError, match="principal"):
        open_at(NOW, "", principal="\ud800")


def test_the_first_key_mints_and_every_key_opens() -> None:
    from_old = tickets(KEY).mint(A_SESSION, now=NOW, nonce=NONCE)
    from_new = tickets(OTHER_KEY, KEY).mint(A_SESSION, now=NOW, nonce=NONCE)
    assert from_new == tickets(OTHER_KEY).mint(A_SESSION, now=NOW, nonce=NONCE)
    for keys, opens_old, opens_new in [
        ([KEY], True, False),
        ([OTHER_KEY, KEY], True, True),
        ([KEY, OTHER_KEY], True, True),
        ([OTHER_KEY], False, True),
    ]:
        assert (tickets(*keys).open(from_old, now=NOW) is not None) is opens_old
        assert (tickets(*keys).open(from_new, now=NOW) is not None) is opens_new


def test_what_arrives_from_the_network_never_raises() -> None:
    ticket = tickets().mint(A_SESSION, now=NOW, nonce=NONCE)
    assert open_at(NOW, ticket.encode()) is not None
    for text in ["", "\0", "é" * 64, "\ud800" * 64, ticket + "=", ticket + "\n", ticket[:-1], ticket * 100, "A" * 64]:
        assert open_at(NOW, text) is None
        assert open_at(NOW, text.encode("utf-8", "surrogatepass")) is None
        assert tickets().ticket_id(text, now=NOW) is None


@given(st.text(max_size=600) | st.binary(max_size=600))
def test_no_noise_is_a_ticket(text: str | bytes) -> None:
    assert open_at(NOW, text) is None


def test_a_key_may_be_a_bytearray_that_is_cleared_afterwards() -> None:
    key = bytearray(KEY)
    made = SessionTickets([key])
    key[:] = bytes(32)
    assert made.open(tickets().mint(A_SESSION, now=NOW, nonce=NONCE), now=NOW) is not None


@pytest.mark.parametrize("keys", [[], (), iter([])])
def test_tickets_need_a_key(keys: Any) -> None:
    with pytest.raises(RevcapError, match="tickets need at least one key"):
        SessionTickets(keys)


def test_a_short_key_is_refused_without_showing_it() -> None:
    short = b"hunter2" * 4
    with pytest.raises(RevcapError, match="key 1 has 28 bytes; a key has at least 32") as raised:
        SessionTickets([KEY, short])
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "keys", [KEY, KEY.decode(), bytearray(KEY), 1, None, [KEY.decode()], [KEY, 1], [memoryview(KEY)], [[KEY]], {1: KEY}]
)
def test_keys_of_wrong_types_are_a_type_error_that_shows_none(keys: Any) -> None:
    with pytest.raises(TypeError) as raised:
        SessionTickets(keys)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("ttl", [0, -1, 2**64, pytest.param(10**5000, id="huge")])
def test_a_lifetime_is_at_least_a_second(ttl: int) -> None:
    with pytest.raises(RevcapError, match="ttl"):
        SessionTickets([KEY], ttl=ttl)


@pytest.mark.parametrize("ttl", [True, 1.5, "60", None, [1]])
def test_a_lifetime_is_a_whole_number(ttl: Any) -> None:
    with pytest.raises(TypeError, match="ttl"):
        SessionTickets([KEY], ttl=ttl)


def test_a_lifetime_is_a_day_unless_said_otherwise() -> None:
    assert SessionTickets([KEY]).ttl == DAY
    assert SessionTickets([KEY], ttl=60).ttl == 60


@pytest.mark.parametrize("size", [0, 15])
def test_a_short_nonce_is_refused(size: int) -> None:
    with pytest.raises(RevcapError, match=f"nonce of {size} bytes; it has at least 16"):
        tickets().mint(A_SESSION, now=NOW, nonce=bytes(size))


@pytest.mark.parametrize(
    "given",
    [
        {"session": None},
        {"session": "2025-06-18"},
        {"now": None},
        {"now": True},
        {"now": "1785000000"},
        {"nonce": None},
        {"nonce": "sixteen chars ok"},
        {"nonce": 16},
        {"principal": 1},
        {"principal": ["alice"]},
        {"inner": "text"},
        {"inner": 1},
    ],
)
def test_minting_with_wrong_types_is_a_type_error(given: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"session": A_SESSION, "now": NOW, "nonce": NONCE} | given
    with pytest.raises(TypeError):
        tickets().mint(arguments.pop("session"), **arguments)


@pytest.mark.parametrize("given", [{"ticket": None}, {"ticket": 1}, {"now": None}, {"now": "1"}, {"principal": 1}])
def test_opening_with_wrong_types_is_a_type_error(given: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"ticket": "", "now": NOW} | given
    with pytest.raises(TypeError):
        tickets().open(**arguments)


def test_now_and_nonce_must_be_said() -> None:
    with pytest.raises(TypeError, match="now"):
        tickets().open("")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="nonce"):
        tickets().mint(A_SESSION, now=NOW)  # type: ignore[call-arg]


def test_a_revoked_ticket_is_like_none() -> None:
    ended: set[str] = set()
    made = tickets(revoked=ended.__contains__)
    ticket = made.mint(A_SESSION, now=NOW, nonce=NONCE, principal="alice")
    ticket_id = made.ticket_id(ticket, now=NOW, principal="alice")
    assert made.open(ticket, now=NOW, principal="alice") is not None
    assert ticket_id is not None
    assert len(ticket_id) == 32
    assert int(ticket_id, 16) >= 0
    ended.add(ticket_id)
    assert made.open(ticket, now=NOW, principal="alice") is None
    assert made.ticket_id(ticket, now=NOW, principal="alice") == ticket_id
    assert made.ticket_id(ticket, now=NOW) is None
    assert made.revocable
    assert not tickets().revocable


def test_nobody_is_asked_about_what_is_no_ticket_anyway() -> None:
    asked: list[str] = []

    def revoked(ticket_id: str) -> bool:
        asked.append(ticket_id)
        return False

    made = tickets(revoked=revoked)
    ticket = made.mint(A_SESSION, now=NOW, nonce=NONCE)
    assert made.open(ticket, now=NOW, principal="mallory") is None
    assert made.open(ticket, now=NOW + DAY + 1) is None
    assert made.open(ticket[:-1] + ("A" if ticket[-1] != "A" else "B"), now=NOW) is None
    assert asked == []
    assert made.open(ticket, now=NOW) is not None
    assert asked == [made.ticket_id(ticket, now=NOW)]


def test_what_revoked_raises_is_raised() -> None:
    def revoked(_id: str) -> bool:
        raise ConnectionError("the store is down")

    made = tickets(revoked=revoked)
    ticket = made.mint(A_SESSION, now=NOW, nonce=NONCE)
    with pytest.raises(ConnectionError, match="the store is down"):
        made.open(ticket, now=NOW)
    assert made.open("", now=NOW) is None


@pytest.mark.parametrize("answer", [None, 0, 1, "no", []])
def test_revoked_answers_true_or_false(answer: Any) -> None:
    made = tickets(revoked=lambda _id: answer)
    ticket = made.mint(A_SESSION, now=NOW, nonce=NONCE)
    with pytest.raises(TypeError, match="revoked must return True or False"):
        made.open(ticket, now=NOW)


def test_a_coroutine_is_no_answer() -> None:
    async def revoked(_id: str) -> bool:
        return False

    made = tickets(revoked=revoked)  # type: ignore[arg-type]
    ticket = made.mint(A_SESSION, now=NOW, nonce=NONCE)
    with pytest.raises(TypeError, match="not coroutine"), pytest.warns(RuntimeWarning, match="never awaited"):
        made.open(ticket, now=NOW)


@pytest.mark.parametrize("revoked", [1, "callable", {}])
def test_revoked_is_a_callable(revoked: Any) -> None:
    with pytest.raises(TypeError, match="revoked"):
        SessionTickets([KEY], revoked=revoked)


def test_tickets_that_hold_their_holder_are_collected() -> None:
    class App:
        def __init__(self) -> None:
            self.tickets = tickets(revoked=self.is_revoked)

        def is_revoked(self, _id: str) -> bool:
            return False

    app = weakref.ref(App())
    gc.collect()
    assert app() is None
