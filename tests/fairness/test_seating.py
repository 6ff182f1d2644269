"""A seat that is drawn comes from the promised seed, each with the same chance (rule 3.12)."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from poolrummy.fairness.checks import public_faults
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.fairness.seating import drawn_seat
from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import terms_of
from poolrummy.testing.robot_matches import robot_match
from poolrummy.testing.tables import opened
from poolrummy_contracts.refusals import Refusal


@pytest.mark.rule("3.12")
def test_who_asks_for_any_seat_gets_a_free_one_and_the_log_says_that_it_was_drawn():
    table = opened(terms_of(seats=3, min_to_start=3))
    given(table).when(c.Sit(**table.who(7) | {"seat": 0})).then(a(e.SeatTaken, seat=3, drawn=1, rule="3.12"))
    table.sit(1)
    given(table).when(c.Sit(**table.who(8) | {"seat": 0})).then(
        a(e.SeatTaken, seat=2, drawn=2), e.MatchStarted, e.TossDrawn, e.DealStarted, e.TurnStarted
    )


@pytest.mark.rule("3.12")
def test_nobody_is_drawn_into_two_seats_and_no_seat_is_drawn_twice():
    table = opened(terms_of(seats=6))
    table.do(c.Sit(**table.who(1) | {"seat": 0}))
    given(table).when(c.Sit(**table.who(1) | {"seat": 0})).then(Refusal.ALREADY_SEATED)
    given(table).when(c.Sit(**table.who(2) | {"seat": 6})).then(Refusal.SEAT_TAKEN)
    given(table).when(c.Sit(**table.who(2) | {"seat": -1})).then(Refusal.SEAT_UNKNOWN)


@pytest.mark.rule("3.12")
def test_every_free_seat_is_as_likely_as_any_other():
    seeds = [hashlib.shake_256(b"seating %d" % n).digest(80) for n in range(3000)]
    found = Counter(drawn_seat(seed, table="p07-9f2c", number=1, free=(1, 2, 4, 5, 6)) for seed in seeds)

    assert set(found) == {1, 2, 4, 5, 6}
    assert all(abs(count - 600) < 5 * 22 for count in found.values()), found


@pytest.mark.rule("3.12")
def test_a_seat_that_was_not_the_drawn_one_is_seen_by_anybody(tmp_path):
    match = robot_match(3, AgeSealer(load_or_create_keys(tmp_path)), seats=2, variant="51")
    match.play()
    events = list(match.events)
    at, first = next((n, one) for n, one in enumerate(events) if isinstance(one, e.SeatTaken))
    toss = next(one for one in events if isinstance(one, e.TossDrawn))
    right = drawn_seat(bytes.fromhex(toss.seed), table=first.table, number=1, free=(1, 2))

    events[at] = replace(first, drawn=1)
    seen = [fault.what for fault in public_faults(events)]
    assert ("is not the one that was drawn" in " ".join(seen)) == (first.seat != right)
    events[at] = replace(first, drawn=2)
    assert "is not the one that was drawn" in public_faults(events)[0].what


@pytest.mark.rule("3.12")
def test_the_independent_implementation_still_gives_the_published_draws(independent):
    published = Path(__file__).parents[2] / "contracts/vectors/seating-1.json"

    assert independent.seating() == json.loads(published.read_text())
