"""What regulators ask of every game, held against many logs: authors, seats, stakes, rejoins, operators' acts."""

from collections import Counter
from functools import cache
from typing import get_args

import msgspec
import pytest

from poolrummy.rules.state import Table
from poolrummy.rules.table import evolve
from poolrummy.testing.random_play import RandomMatch
from poolrummy.testing.random_terms import random_terms
from poolrummy_contracts import codec
from poolrummy_contracts import commands as c
from poolrummy_contracts import events as e

from .signed_matches import match, small_matches

Log = tuple[e.TableEvent, ...]
STAKES = {"entry", "entry-fee", "rejoin", "rejoin-fee"}
ACTED_BY_OPERATORS = (e.TableFrozen, e.TableUnfrozen, e.DealVoided, e.MatchVoided, e.SeedsUnsealed)


@cache
def logs() -> tuple[Log, ...]:
    """Matches of robots, and matches played by chance under all sorts of terms."""
    robots = [
        tuple(codec.decode_event(line.payload) for line in one.lines) for one in (*small_matches(), match(5, 6, "201"))
    ]
    by_chance = []
    for number in range(40):
        played = RandomMatch(random_terms(number), number)
        played.play(700)
        by_chance.append(tuple(played.table.log))
    return (*robots, *by_chance)


def test_every_act_has_its_author_and_its_paragraph_and_no_move_comes_from_nowhere() -> None:
    """R18: what the platform did for an absent player is told from what the player did."""
    authors = Counter[str]()
    for log in logs():
        for event in log:
            authors[event.actor] += 1
            assert event.rule
            assert event.actor not in {"player", "operator"} or event.cause
            if isinstance(event, e.CardDiscarded | e.FinishCalled | e.CardDrawn) and event.cause is None:
                assert event.actor in {"timer", "system"}, f"nobody asked for {event}"
    assert set(authors) == {"player", "timer", "system", "operator"}


def test_a_player_never_sits_twice_and_a_robot_never_for_money() -> None:
    """R24, R25."""
    seated = 0
    for log in logs():
        opened = log[0]
        assert isinstance(opened, e.TableOpened)
        chairs: dict[int, str] = {}
        for event in log:
            if isinstance(event, e.SeatTaken):
                assert event.player not in chairs.values()
                assert event.kind == "person" or opened.terms.currency == "practice"
                chairs[event.seat] = event.player
                seated += 1
            if isinstance(event, e.SeatVacated):
                del chairs[event.seat]
    assert seated > 100


def test_at_every_version_what_is_held_is_what_was_paid_in_and_at_the_end_nothing_is() -> None:
    """R17: entries and rejoins, less what has gone back, are prize pool and fees; a closed table owes all of it out."""
    closed = 0
    for log in logs():
        state: Table | None = None
        paid = out = fees = 0
        over = False
        for event in log:
            state = evolve(state, event)
            for one in getattr(event, "obligations", ()):
                paid += one.amount if one.kind in STAKES else 0
                fees += one.amount if one.kind.endswith("-fee") else 0
                out += one.amount if one.kind not in STAKES else 0
            over = over or isinstance(event, e.MatchEnded | e.MatchVoided)
            if state.standings is not None and not over:
                assert out == 0, "nothing goes out before the end"
                assert state.standings.prize_pool == paid - fees
        if isinstance(log[-1], e.TableClosed):
            closed += 1
            voided = any(isinstance(event, e.MatchVoided) for event in log)
            assert out == (paid if voided else paid - fees)
    assert closed > 10


def test_nobody_comes_back_without_asking_for_it_himself() -> None:
    """R42: each rejoin stands behind an ask of that player, with a command id of its own."""
    granted = 0
    for log in logs():
        asked: list[tuple[int, int, str]] = []
        causes: set[str] = set()
        for event in log:
            if isinstance(event, e.RejoinAsked | e.RejoinQueued):
                assert event.actor == "player" or any(one[:2] == (event.seat, event.window) for one in asked)
                if event.actor == "player":
                    assert event.cause is not None
                    assert event.cause not in causes, "one command buys one return"
                    causes.add(event.cause)
                    asked.append((event.seat, event.window, event.cause))
            if isinstance(event, e.RejoinGranted):
                granted += 1
                assert any(one[:2] == (event.seat, event.window) for one in asked)
    assert granted >= 5


def test_whoever_is_away_is_seen_to_be_away_by_everybody() -> None:
    """R30: the event is public, and the state that every view is made of says so."""
    seen = 0
    for log in logs():
        state: Table | None = None
        for event in log:
            state = evolve(state, event)
            if isinstance(event, e.SeatAway | e.SeatBack):
                chair = state.chair(event.seat)
                assert chair is not None
                assert chair.away is isinstance(event, e.SeatAway)
                assert event.actor == "player"
                seen += 1
    assert seen > 10


# -- operators


@pytest.mark.parametrize("kind", c.OperatorCommand.__subclasses__(), ids=lambda kind: kind.__name__)
def test_no_command_of_an_operator_without_a_name_and_a_reason(kind: type[c.OperatorCommand]) -> None:
    """R34."""
    fields = {field.name: field.required for field in msgspec.structs.fields(kind)}

    assert fields["operator"]
    assert fields["reason"]


def test_every_act_of_an_operator_names_him_and_says_why_and_what_it_changed() -> None:
    """R34: before and after are the states on both sides of the event, and some of it stands in the event."""
    acts = Counter[str]()
    for log in logs():
        state: Table | None = None
        for event in log:
            before, state = state, evolve(state, event)
            if event.actor != "operator":
                continue
            assert isinstance(event, ACTED_BY_OPERATORS), f"{event} has no place for a name and a reason"
            named = event.operators if isinstance(event, e.SeedsUnsealed) else (event.operator,)
            assert all(named)
            assert event.reason
            assert event.cause
            acts[type(event).__name__] += 1
            assert before is not None
            if isinstance(event, e.TableFrozen | e.TableUnfrozen):
                assert before.frozen is not state.frozen
            if isinstance(event, e.DealVoided):
                assert (before.deal is None, state.deal is None) == (False, True)
    assert set(acts) >= {"TableFrozen", "TableUnfrozen", "DealVoided", "MatchVoided", "SeedsUnsealed"}


def test_every_event_that_an_operator_can_bring_about_has_room_for_his_name_and_reason() -> None:
    """R34: no event may carry an operator without a reason beside him."""
    for kind in get_args(e.TableEvent):
        fields = {field.name for field in msgspec.structs.fields(kind)}
        if fields & {"operator", "operators"}:
            assert "reason" in fields
            assert kind in ACTED_BY_OPERATORS
