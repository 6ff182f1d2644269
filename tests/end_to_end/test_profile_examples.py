"""The worked examples of the other profiles, played through the running system with scripted packs."""

import time
from collections.abc import Callable

import pytest

from poolrummy.testing.scripted_games import Players
from poolrummy_contracts import events as e
from poolrummy_contracts.commands import AskRejoin, Drop

Open = Callable[..., Players]

COMPLETE = "3H 4H 5H 9D TD JD 6S 6H 6D KS KD KH KC"
"""A second hand that can be declared as it lies."""


def last(players: Players, kind: type[e.Event]) -> e.Event:
    found = [event for event in players.platform.events(players.table) if isinstance(event, kind)]
    assert found, f"no {kind.__name__} in the log"
    return found[-1]


def show_and_wait(players: Players, winner: int) -> dict[int, int]:
    """The winner shows as soon as possible, the others let their declare time run out; the points of the deal."""
    players.until_phase("turn")
    number = players.state.deal_number
    while (on_turn := players.on_turn()) != winner:
        players.pass_turn(on_turn)
    players.show(winner, ("5H 6H 7H", "9C TC JC", "8S 8H 8D", "QS QD QH QC"))

    def scored() -> bool | None:
        scores = [one for one in players.platform.events(players.table) if isinstance(one, e.DealScored)]
        return any(one.deal == number for one in scores) or None

    players.platform.until(scored, "the score")
    return {one.seat: one.points for one in last(players, e.DealScored).scores}


@pytest.mark.rule("10.8")
def test_rummypassion_offers_the_loser_of_two_seats_a_return_on_36(play: Open) -> None:
    players = play("p00-rp-two", 2, [(1, {2: 80}), (2, {1: 35}), (1, {2: 30})], profile="rummypassion")
    for winner in (1, 2):
        players.play_deal(winner)
    players.play_deal(1)
    state = players.until_phase("rejoining")

    assert last(players, e.RejoinOffered).offers == (e.RejoinOffer(seat=2, score=36, price=2500),)
    players.do(AskRejoin(**players.who(2), window=state.windows))
    players.until_phase("turn", deal=4)
    assert players.totals() == {1: 35, 2: 36}


@pytest.mark.rule("10.3")
def test_scorekeeper_takes_a_seat_back_one_below_the_highest_survivor(play: Open) -> None:
    players = play("p00-sk", 3, [(1, {2: 74, 3: 60}), (1, {2: 50, 3: 28})], profile="scorekeeper")
    players.play_deal(1)
    players.until_phase("turn", deal=2)
    while (players.state.deal.turn if players.state.deal else 0) < 4:
        players.pass_turn(players.on_turn())
    while (on_turn := players.on_turn()) != 2:
        players.pass_turn(on_turn)
    players.do(Drop(**players.who(2), deal=2))
    while (on_turn := players.on_turn()) != 1:
        players.pass_turn(on_turn)
    players.show(1, ("5H 6H 7H", "9C TC JC", "8S 8H 8D", "QS QD QH QC"))
    players.until_phase("declaring")
    players.declare_as_dealt(3)
    state = players.until_phase("rejoining")

    assert players.totals() == {1: 0, 2: 114, 3: 88}
    assert last(players, e.RejoinOffered).offers[0].score == 87
    players.do(AskRejoin(**players.who(2), window=state.windows))
    players.until_phase("turn", deal=3)
    assert players.totals() == {1: 0, 2: 87, 3: 88}


@pytest.mark.rule("8.6")
@pytest.mark.parametrize(("profile", "points"), [("house", 0), ("classic", 80), ("deccan", 2)])
def test_a_complete_hand_that_is_not_declared_costs_what_its_profile_says(
    play: Open, profile: str, points: int
) -> None:
    players = play(f"p00-undeclared-{profile}", 2, [(2, {1: COMPLETE})], profile=profile, others_declare_ms=800)

    assert show_and_wait(players, 2) == {1: points, 2: 0}


@pytest.mark.rule("8.7")
def test_deccan_charges_a_seat_without_a_turn_20(play: Open) -> None:
    players = play("p00-no-turn", 2, [(1, {2: 75})], profile="deccan", others_declare_ms=800)

    assert show_and_wait(players, 1) == {1: 0, 2: 20}


@pytest.mark.rule("11.2")
def test_deccan_pays_two_prizes_at_a_table_of_six(play: Open) -> None:
    # 6 x 100.00 less 10 %. The winner plays last in deal 1; who has no turn before a show is charged 20.
    players = play(
        "p00-two-prizes",
        6,
        [
            (6, {1: 80, 2: 80, 3: 80, 4: 80, 5: 60}),
            (6, {1: 50, 2: 40, 3: 40, 4: 40, 5: 30}),
            (6, {1: 50, 5: 40}),
        ],
        profile="deccan",
        rake_bp=1000,
    )
    for _ in range(3):
        players.play_deal(6)
    players.until_phase("ended", "closed")

    ended = last(players, e.MatchEnded)
    assert [(one.seat, one.total, one.prize) for one in ended.places if one.prize] == [(6, 0, 37_800), (1, 120, 16_200)]


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(("profile", "points"), [("classic", 40), ("scorekeeper", 40), ("deccan", 40)])
def test_three_misses_without_a_card_drawn_cost_40_outside_the_house_profile(
    play: Open, profile: str, points: int
) -> None:
    players = play(f"p00-missed-{profile}", 2, [(1, {2: 50})], profile=profile, turn_ms=1500, time_bank_ms=0)
    players.until_phase("turn", deal=1)
    while (state := players.state).deal_number == 1 and state.phase == "turn":
        if state.deal and state.deal.on_turn == 2:
            players.pass_turn(2)
        time.sleep(0.01)

    scored = last(players, e.DealScored)
    assert {one.seat: one.points for one in scored.scores} == {1: points, 2: 0}


@pytest.mark.rule("2.4")
def test_in_classic_the_toss_decides_only_who_begins(play: Open) -> None:
    players = play("p00-toss-first", 3, [], profile="classic", toss=("TS", "KD", "KH"))

    assert last(players, e.TossDrawn).order == (3, 1, 2)
