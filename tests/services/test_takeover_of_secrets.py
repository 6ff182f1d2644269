"""A dealer that takes over deals the same packs on, from what stands sealed in the log (rules 3.6 and 3.10)."""

import pytest
from msgspec.structs import replace

from poolrummy.dealer.seed_keeper import SeedKeeper, SeedMismatch
from poolrummy.dealer.vault import PackMismatch, Vault
from poolrummy.fairness import age
from poolrummy.fairness.checks import public_faults
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.opened_lines import NotForThisKey, opened_line
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.fairness.seating import drawn_seat
from poolrummy.rules import table as rules
from poolrummy.testing.seed_givers import NumberedPacks, seeded_match
from poolrummy_contracts import codec
from poolrummy_contracts.commands import Draw, Drop, SaveGroups
from poolrummy_contracts.events import DealStarted, SeatTaken, SeedsCommitted, TossDrawn
from poolrummy_contracts.seat_lines import CardReceived, CardsDealt, DropNoted, GroupingSaved, SealedLine

from .test_dealer_partition import TABLE, House, opening, sit


@pytest.fixture(scope="module")
def sealer(tmp_path_factory):
    return AgeSealer(load_or_create_keys(tmp_path_factory.mktemp("keys")))


@pytest.fixture(scope="module")
def match(sealer):
    played = seeded_match(8, sealer, per_batch=4)
    played.play()
    return played


def new_vault(match, sealer):
    source = NumberedPacks(999)
    keeper = SeedKeeper(match.table, decks=2, source=source, sealer=sealer, per_batch=4)
    return Vault(match.table, match.terms, source=source, sealer=sealer, keeper=keeper)


@pytest.mark.rule("3.6")
def test_the_whole_log_gives_the_same_packs_through_several_batches(match, sealer):
    vault, state, deals = new_vault(match, sealer), None, 0
    for event in match.events:
        state = rules.evolve(state, event)
        vault.observe(event, state)
        if isinstance(event, DealStarted):
            deals += 1
            assert vault.opened(event.open.position) == event.open
            assert vault.opened(event.wild.position) == event.wild

    assert len([event for event in match.events if isinstance(event, SeedsCommitted)]) == 3
    assert deals >= 5


@pytest.mark.rule("3.6")
def test_at_any_deal_a_snapshot_holds_the_promises_that_it_needs(match, sealer):
    first, state = new_vault(match, sealer), None
    for event in match.events:
        state = rules.evolve(state, event)
        first.observe(event, state)
        if isinstance(event, DealStarted):
            later = new_vault(match, sealer)
            for promise in first.promises():
                later.observe(promise, state)
            later.observe(event, state)
            assert later.opened(event.open.position) == event.open
            assert later.commit(len(state.batches) + 1).root == first.commit(len(state.batches) + 1).root, (
                "the next batch follows from the last, whoever draws it"
            )


def follow(vault, events, forge):
    state = None
    for event in events:
        state = rules.evolve(state, event)
        vault.observe(forge(event), state)


@pytest.mark.rule("3.6")
def test_seeds_that_are_not_the_promised_ones_stop_the_table(match, sealer):
    def forge(event):
        return replace(event, root="5e" * 32) if isinstance(event, SeedsCommitted) else event

    with pytest.raises(SeedMismatch):
        follow(new_vault(match, sealer), match.events, forge)


@pytest.mark.rule("3.6")
def test_a_pack_that_is_not_the_promised_one_stops_the_table(match, sealer):
    def forge(event):
        return replace(event, pack=replace(event.pack, root="5e" * 32)) if isinstance(event, DealStarted) else event

    with pytest.raises(PackMismatch):
        follow(new_vault(match, sealer), match.events, forge)


@pytest.mark.rule("3.10")
async def test_sealed_lines_are_for_their_seat_alone_and_a_later_dealer_finds_what_it_needs(tmp_path):
    house = House(tmp_path)
    await house.take_over()
    mine, other = age.new_identity(), age.new_identity()
    await house.say(
        opening(),
        replace(sit(1), channel_key=str(mine.to_public())),
        replace(sit(2), channel_key=str(other.to_public())),
    )
    (held,) = house.handler.tables
    deal = held.state.deal
    on_turn, waits = deal.on_turn, next(one.seat for one in deal.seats if one.seat != deal.on_turn)
    keys = {1: str(mine), 2: str(other)}
    hand = deal.of(waits).hand
    groups = (hand[:4], hand[4:])
    who = {"table": TABLE, "deal": 1}
    await house.say(
        Draw(id="d", player=f"player-{on_turn}", seat=on_turn, turn=1, source="stock", **who),
        SaveGroups(id="s", player=f"player-{waits}", seat=waits, groups=groups, **who),
        Drop(id="noted", player=f"player-{waits}", seat=waits, **who),
    )

    stored = {seat: await house.store.read_seat(TABLE, seat, "0-0", 100) for seat in (1, 2)}
    lines = {seat: [codec.decode_seat_line(line.payload) for line in found] for seat, found in stored.items()}
    assert all(isinstance(line, SealedLine) for found in lines.values() for line in found)
    opened = {seat: [opened_line(line, keys[seat]) for line in found] for seat, found in lines.items()}
    assert {type(line) for line in opened[on_turn]} == {CardsDealt, CardReceived}
    assert {CardsDealt, DropNoted} <= {type(line) for line in opened[waits]} <= {CardsDealt, DropNoted, GroupingSaved}
    with pytest.raises(NotForThisKey):
        opened_line(lines[1][0], keys[2])
    ring = house.sealer
    assert not ring.holds(lines[1][0].keys), "the dealer itself cannot read cards back from a channel"

    await house.take_over("second")
    (again,) = house.handler.tables
    assert again.vault.saved(waits) == groups
    assert again.vault.noted_drop(waits) == "noted"


@pytest.mark.rule("3.12")
async def test_seats_drawn_before_and_after_a_takeover_come_from_the_seed_of_the_toss(tmp_path):
    house = House(tmp_path)
    await house.take_over()
    await house.say(opening(seats=3, overrides={"min_to_start": 3}), replace(sit(1), seat=0))
    await house.take_over("second")
    await house.say(replace(sit(2), seat=0), replace(sit(3), seat=0))

    events = await house.events()
    taken = [event for event in events if isinstance(event, SeatTaken)]
    (toss,) = [event for event in events if isinstance(event, TossDrawn)]
    free = [1, 2, 3]
    for number, event in enumerate(taken, start=1):
        assert event.drawn == number
        assert event.seat == drawn_seat(bytes.fromhex(toss.seed), table=TABLE, number=number, free=free)
        free.remove(event.seat)
    assert not public_faults(events)
