"""Matches played by chance over all profiles and settings, and any command at any moment: what always holds."""

from collections import Counter
from typing import get_args

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as for_all
from hypothesis import strategies as st
from msgspec.structs import replace

from poolrummy.rules import table as rules
from poolrummy.testing.invariants import check_snapshot
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.random_play import RandomMatch
from poolrummy.testing.random_terms import random_terms
from poolrummy.testing.strategies import commands, tables
from poolrummy.testing.tables import started
from poolrummy_contracts import codec
from poolrummy_contracts.events import TableEvent
from poolrummy_contracts.refusals import Refusal, Refused

OFFERED = [
    *(("house", variant, seats) for variant in ("101", "201", "61", "51") for seats in (2, 3, 4, 5, 6)),
    *((profile, variant, seats) for profile in PROFILES[1:] for variant in ("101", "201") for seats in (2, 6)),
    ("house", "best_of_3", 2),
    ("classic", "best_of_3", 2),
]
OF_THE_MESSAGE = {
    Refusal.UNREADABLE,
    Refusal.TOO_LARGE,
    Refusal.UNKNOWN_TYPE,
    Refusal.MALFORMED,
    Refusal.BUSY,
    Refusal.NO_MEMORY,
    Refusal.CLOSED_FOR_PLAY,
    Refusal.LOG_MISSING,
}
"""What the dealer answers before anything is decided."""


@pytest.mark.parametrize(("profile", "variant", "seats"), OFFERED)
def test_every_invariant_holds_after_every_event_of_a_match(profile, variant, seats):
    match = RandomMatch(terms_of(profile, variant, seats=seats), seats)

    match.play()

    assert match.table.table.closed


@pytest.mark.parametrize("number", range(120))
def test_every_invariant_holds_with_any_mixture_of_settings(number):
    match = RandomMatch(random_terms(number), number)

    match.play()

    assert match.table.table.closed


@pytest.mark.nightly
def test_two_thousand_matches_reach_every_path_and_every_refusal():
    reached: Counter[str] = Counter()
    for number in range(2_000):
        match = RandomMatch(random_terms(number), number)
        match.play()
        reached += match.reached

    for path, count in sorted(reached.items()):
        print(f"{count:9} {path}")
    refused = {path.removeprefix("refused ") for path in reached if path.startswith("refused ")}
    assert {code.value for code in Refusal} - refused == {code.value for code in OF_THE_MESSAGE}
    assert {event.__name__ for event in get_args(TableEvent)} == {path.split()[0] for path in reached} - {"refused"}


@for_all(tables(), commands(), st.integers(-1_000, 10_000_000))
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
def test_decide_never_raises_and_a_refusal_changes_nothing(place, command, later):
    table, hidden = place
    decided = rules.decide(table, command, table.at + later, hidden)
    if isinstance(decided, Refused):
        return

    after = table
    for event in decided.events:
        after = rules.evolve(after, event)
        assert codec.decode_event(codec.encode(event)) == event
    assert len(decided.events) < 64
    assert after.v == table.v + len(decided.events)
    check_snapshot(after)


@pytest.mark.parametrize("number", [3, 5])
def test_the_same_commands_give_the_same_events(number):
    first, second = (RandomMatch(random_terms(number), number) for _ in range(2))

    first.play(400)
    second.play(400)

    assert first.table.log == second.table.log


def test_an_ordinary_move_holds_no_hidden_face():
    """A card that nobody may see is a position in every event but those that lay it open."""
    table = started(terms_of(), seats=6)
    table.play(26)
    stock = [event for event in table.log if type(event).__name__ == "CardDrawn" and event.source == "stock"]

    assert {event.card for event in stock} == {None}
    assert all(replace(event, card=None) == event for event in stock)
