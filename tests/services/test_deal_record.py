"""A deal record gives itself again byte for byte, in every view, and holds no card that its reader may not see."""

from functools import cache

import msgspec
import pytest

from poolrummy.audit import deal_record
from poolrummy.audit.deal_record import DealRecord, Unrecorded, read, write
from poolrummy.audit.history import Moment, deals_of, moments_of
from poolrummy.audit.known_packs import Known, known_packs
from poolrummy.audit.recording import NotInLog, cut, projected, rebuilt, record_of, states, stretch_of
from poolrummy.audit.views import View, own_positions
from poolrummy.rules.state import Table
from poolrummy.runtime.records import TableEntry
from poolrummy.testing.matches import terms_of
from poolrummy.testing.random_play import RandomMatch
from poolrummy.testing.robot_matches import robot_match
from poolrummy_contracts import codec
from poolrummy_contracts import events as e
from poolrummy_contracts.envelope import chain_next, chain_over, chain_start
from poolrummy_contracts.openings import check_card
from poolrummy_contracts.terms import Seat

from .dispute_tables import Dispute, PlainSealer
from .disputes import GOLDEN

VIEWS = (View("public"), View("seat", Seat(1)), View("seat", Seat(2)), View("auditor"))
Past = tuple[tuple[Moment, ...], Known]


def record(past: Past, deal: int, view: View) -> DealRecord:
    moments, known = past
    return record_of(cut(moments, deal, cards=known.packs.get(deal, {}), seed=known.seeds.get(deal)), view)


def of_dispute(table: Dispute) -> Past:
    return table.moments(), table.known()


@cache
def robots(number: int, variant: str = "101", seats: int = 6) -> Past:
    """A match with real packs, dealt again from the seeds that are sealed in its log."""
    match = robot_match(number, PlainSealer(), seats=seats, variant=variant)  # type: ignore[arg-type]  # a variant by its name
    match.play()
    entries = [
        TableEntry(version=v, payload=one.payload, chain=one.chain) for v, one in enumerate(match.stored, start=1)
    ]
    moments = moments_of(match.table, entries)
    return moments, known_packs(moments, PlainSealer())


@cache
def by_chance(number: int) -> Past:
    """A match of players who do whatever comes to their mind."""
    variant = ("101", "201", "61", "best_of_3")[number % 4]
    match = RandomMatch(terms_of(variant=variant, seats=2 + number % 4), number)
    match.play(800)
    table = match.table.log[0].table
    chain, entries = chain_start(table), list[TableEntry]()
    for event in match.table.log:
        payload = codec.encode(event)
        chain = chain_next(chain, payload)
        entries.append(TableEntry(version=event.v, payload=payload, chain=chain))
    return moments_of(table, entries), Known(packs={})


def check_round_trip(past: Past) -> int:
    """Every deal in every view: written, read, folded and made again; the number of records."""
    made = 0
    for deal, of_deal in deals_of(past[0]):
        for view in VIEWS:
            content = write(record(past, deal, view))
            again = read(content)
            assert write(again) == content
            assert write(rebuilt(again)) == content
            made += 1
        public = record(past, deal, View("public"))
        check_chain(public, of_deal)
        check_states(states(public), of_deal)
    return made


def check_chain(found: DealRecord, of_deal: tuple[Moment, ...]) -> None:
    stored = [bytes(move.event) for move in found.moves]
    chain = bytes.fromhex(found.before.chain)
    for one in stored:
        chain = chain_next(chain, one)
    assert stored == [one.stored for one in of_deal]
    assert chain.hex() == found.after.chain == of_deal[-1].chain.hex()


def check_states(found: tuple[Table, ...], of_deal: tuple[Moment, ...]) -> None:
    """What a record is played to is what the whole log is played to."""
    for state, one in zip(found, of_deal, strict=True):
        wanted = one.after
        assert state.deal == wanted.deal
        assert state.phase == wanted.phase
        assert state.clock == wanted.clock
        assert state.order == wanted.order
        assert state.standings == wanted.standings
        assert [state.bank_ms(seat) for seat in wanted.order] == [wanted.bank_ms(seat) for seat in wanted.order]


@pytest.mark.parametrize("name", GOLDEN)
def test_a_record_of_a_dispute_gives_itself_again(name: str) -> None:
    assert check_round_trip(of_dispute(GOLDEN[name].play()))


@pytest.mark.parametrize("number", range(1, 4))
def test_records_of_robot_matches_give_themselves_again(number: int) -> None:
    assert check_round_trip(robots(number)) >= 8


@pytest.mark.parametrize("number", range(12))
def test_records_of_matches_played_by_chance_give_themselves_again(number: int) -> None:
    check_round_trip(by_chance(number))


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(100, 400))
def test_records_of_many_matches_played_by_chance_give_themselves_again(number: int) -> None:
    check_round_trip(by_chance(number))


# -- views


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_view_is_a_projection_of_the_auditors_record(view: View) -> None:
    past = robots(1)
    for deal, _ in deals_of(past[0]):
        auditor = read(write(record(past, deal, View("auditor"))))

        assert write(projected(auditor, view)) == write(record(past, deal, view))


def test_a_record_gives_no_wider_view_than_its_own() -> None:
    public = record(robots(1), 1, View("public"))
    seat = record(robots(1), 1, View("seat", Seat(1)))

    for found, view in ((public, View("seat", Seat(1))), (seat, View("auditor")), (seat, View("seat", Seat(2)))):
        with pytest.raises(Unrecorded, match="does not hold"):
            projected(found, view)


@pytest.mark.parametrize("view", VIEWS[:3], ids=lambda view: view.name)
def test_a_record_holds_no_closed_card_but_the_readers_own(view: View) -> None:
    past = robots(2)
    for deal, of_deal in deals_of(past[0]):
        found = record(past, deal, view)
        own = set() if view.seat is None else set(own_positions(view.seat, of_deal))

        assert {card.position for card in found.cards} <= own
        for move in found.moves:
            event = codec.decode_event(bytes(move.event))
            if move.card is not None and isinstance(event, e.CardDrawn):
                assert event.seat == view.seat
        assert found.seed is None


def test_each_card_of_a_record_is_proved_against_the_root() -> None:
    found = record(robots(1), 1, View("seat", Seat(1)))
    start = codec.decode_event(bytes(found.moves[0].event))
    assert isinstance(start, e.DealStarted)

    assert len(found.cards) >= 13
    first = [card for card in found.cards if card.position.startswith("0-")]
    assert all(check_card(card, root=start.pack.root, generation=0, leaves=start.pack.cards) for card in first)


# -- what a record says


def test_a_record_says_what_the_log_says() -> None:
    found = record(of_dispute(GOLDEN["split"].play()), 2, View("public"))

    assert found.outcome.how == "last-seat"
    assert found.outcome.eliminated == (4,)
    assert found.outcome.match_ended == "split"
    assert [(one.seat, one.kind, one.amount) for one in found.outcome.postings] == [
        (1, "prize", 4166),
        (3, "prize", 4167),
        (2, "prize", 1667),
    ]
    assert [(one.seat, one.total) for one in found.before.seats] == [(1, 40), (2, 40), (3, 0), (4, 80)]
    assert [(one.seat, one.total, one.state, one.drops_left) for one in found.after.seats] == [
        (1, 40, "playing", 3),
        (2, 60, "playing", 2),
        (3, 40, "playing", 3),
        (4, 120, "eliminated", 0),
    ]


def test_the_chain_of_all_records_is_the_chain_of_the_log() -> None:
    moments, _ = past = robots(1)
    records = [record(past, deal, View("public")) for deal, _ in deals_of(moments)]

    assert [one.before.chain for one in records[1:]] == [one.after.chain for one in records[:-1]]
    assert records[-1].after.chain == chain_over(moments[0].event.table, [one.stored for one in moments]).hex()


def test_a_deal_that_is_not_there_is_named_with_the_last_one() -> None:
    moments, _ = of_dispute(GOLDEN["wrong-show"].play())

    with pytest.raises(NotInLog, match="there is no deal 7; the last one is 2"):
        cut(moments, 7, cards={})


# -- what is no record


def content() -> bytes:
    return write(record(of_dispute(GOLDEN["wrong-show"].play()), 1, View("seat", Seat(2))))


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"{}",
        b"[]",
        b'{"format":"poolrummy-deal-record-2"}',
        content()[:-1],
        content() + b"\n",
        content().replace(b'"deal":1', b'"deal": 1', 1),
        content().replace(b'"started":3', b'"started":3,"stranger":1', 1),
    ],
)
def test_what_is_no_record_is_refused(broken: bytes) -> None:
    with pytest.raises(Unrecorded):
        read(broken)


@pytest.mark.parametrize(
    ("change", "into"),
    [
        (b'"total":80', b'"total":70'),
        (b'"left_ms":23600', b'"left_ms":23601'),
        (b'"cards_left":14', b'"cards_left":15'),
        (b'"how":"last-seat"', b'"how":"show"'),
        (b'"winner":1', b'"winner":2'),
    ],
)
def test_a_record_that_was_changed_does_not_give_itself_again(change: bytes, into: bytes) -> None:
    before = content()
    changed = before.replace(change, into, 1)
    assert changed != before

    try:
        again = write(rebuilt(read(changed)))
    except Unrecorded:
        return
    assert again != changed


def test_events_out_of_order_are_no_record() -> None:
    found = read(content())
    mixed = msgspec.structs.replace(found, moves=(found.moves[0], *found.moves[2:]))

    with pytest.raises(Unrecorded, match="stands behind version"):
        rebuilt(mixed)


def test_a_stretch_keeps_the_stored_bytes() -> None:
    found = read(content())

    assert stretch_of(found).events == tuple(bytes(move.event) for move in found.moves)
    assert found.format == deal_record.FORMAT
