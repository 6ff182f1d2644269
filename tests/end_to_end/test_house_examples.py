"""The worked examples of the house profile, played through the running system with scripted packs."""

import time
from collections.abc import Callable

import pytest

from poolrummy.testing.scripted_games import Players
from poolrummy_contracts import events as e
from poolrummy_contracts import streams
from poolrummy_contracts.commands import AskRejoin, AskSplit, VoteSplit

Open = Callable[..., Players]


def last(players: Players, kind: type[e.Event]) -> e.Event:
    found = [event for event in players.platform.events(players.table) if isinstance(event, kind)]
    assert found, f"no {kind.__name__} in the log"
    return found[-1]


@pytest.mark.rule("10.3")
def test_the_third_seat_of_the_first_rebuy_example_is_offered_46(play: Open) -> None:
    players = play("p00-rebuy-one", 3, [(1, {2: 45, 3: 80}), (2, {1: 35, 3: 30})])

    players.play_deal(1)
    players.play_deal(2)

    assert players.totals() == {1: 35, 2: 45, 3: 110}
    assert last(players, e.RejoinOffered).offers == (e.RejoinOffer(seat=3, score=46, price=2500),)


@pytest.mark.rule("10.4")
def test_two_seats_come_back_one_after_the_other_in_order_of_acceptance(play: Open) -> None:
    players = play("p00-rebuy-two", 4, [(1, {2: 45, 3: 80, 4: 74}), (2, {1: 35, 3: 30, 4: 30})])
    players.play_deal(1)
    players.play_deal(2)
    assert players.totals() == {1: 35, 2: 45, 3: 110, 4: 104}
    window = players.state.windows

    players.do(AskRejoin(**players.who(4), window=window))
    players.do(AskRejoin(**players.who(3), window=window))
    players.until_phase("turn", deal=3)

    assert players.totals() == {1: 35, 2: 45, 3: 47, 4: 46}
    granted = last(players, e.RejoinGranted)
    assert (granted.seat, granted.prize_pool) == (3, 6 * 2500)


@pytest.mark.rule("11.6")
def test_three_seats_split_the_prize_by_the_drops_they_have_left(play: Open) -> None:
    # Six entries of 25.00. Deal by deal the last three are put out, and the first three stand at 30, 65 and 90.
    players = play(
        "p00-split",
        6,
        [
            (1, {2: 65, 3: 60, 4: 80, 5: 80, 6: 80}),
            (2, {1: 30, 3: 30, 4: 40, 5: 40, 6: 40}),
        ],
    )
    players.play_deal(1)
    players.play_deal(2)
    players.until_phase("splitting")  # with a survivor on 90 no rejoin is offered
    assert {seat: players.totals()[seat] for seat in (1, 2, 3)} == {1: 30, 2: 65, 3: 90}

    players.do(AskSplit(**players.who(1), window=players.state.windows))
    players.until_phase("voting")
    for seat in (2, 3):
        players.do(VoteSplit(**players.who(seat), window=players.state.windows, accept=True))
    players.until_phase("ended", "closed")

    ended = last(players, e.MatchEnded)
    assert {one.seat: one.prize for one in ended.places if one.prize} == {1: 9166, 2: 4167, 3: 1667}
    assert sum(one.amount for one in ended.obligations) == 15000


@pytest.mark.rule("12.1")
def test_with_one_survivor_the_match_of_two_seats_is_over(play: Open) -> None:
    players = play("p00-two-seats", 2, [(1, {2: 80}), (2, {1: 35}), (1, {2: 30})])

    for winner in (1, 2, 1):
        players.play_deal(winner)
    players.until_phase("ended", "closed")

    ended = last(players, e.MatchEnded)
    assert [(one.place, one.seat, one.total, one.prize) for one in ended.places] == [(1, 1, 35, 5000), (2, 2, 110, 0)]


@pytest.mark.rule("9.1")
@pytest.mark.rule("8.4")
def test_exactly_the_limit_is_out_and_a_hand_of_94_is_written_down_as_80(play: Open) -> None:
    players = play("p00-limit", 3, [(1, {2: 94, 3: 20}), (1, {2: 21, 3: 10})])
    players.play_deal(1)
    counted = [
        one for one in players.platform.events(players.table) if isinstance(one, e.HandCounted) and one.seat == 2
    ]
    assert [(one.raw, one.points) for one in counted] == [(94, 80)]

    players.play_deal(1)

    assert players.totals() == {1: 0, 2: 101, 3: 30}
    assert last(players, e.SeatEliminated).seat == 2


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(("draws_first", "points"), [(False, 20), (True, 40)])
def test_three_misses_cost_the_drop_of_that_moment(play: Open, draws_first: bool, points: int) -> None:
    players = play(f"p00-misses-{points}", 2, [(1, {2: 50})], turn_ms=1500, time_bank_ms=0)
    players.until_phase("turn", deal=1)
    if draws_first:
        players.pass_turn(1)
    while (state := players.state).deal_number == 1 and state.phase == "turn":
        if state.deal and state.deal.on_turn == 2:
            players.pass_turn(2)
        time.sleep(0.01)

    scored = last(players, e.DealScored)
    assert {one.seat: one.points for one in scored.scores} == {1: points, 2: 0}
    dropped = last(players, e.SeatDropped)
    assert (dropped.seat, dropped.kind, dropped.actor) == (1, "misses", "timer")


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(("highest", "offered"), [(39, True), (40, False)])
def test_in_the_51_pool_a_survivor_on_39_lets_a_seat_back_and_one_on_40_does_not(
    play: Open, highest: int, offered: bool
) -> None:
    players = play(f"p00-pool-51-{highest}", 3, [(1, {2: highest, 3: 60})], variant="51")

    players.play_deal(1)

    offers = [one for one in players.platform.events(players.table) if isinstance(one, e.RejoinOffered)]
    assert [one.offers[0].score for one in offers] == ([40] if offered else [])


@pytest.mark.rule("12.3")
@pytest.mark.parametrize(("second", "over"), [(11, True), (10, False)])
def test_best_of_three_ends_early_only_at_a_lead_of_more_than_80(play: Open, second: int, over: bool) -> None:
    players = play(f"p00-best-of-3-{second}", 2, [(1, {2: 70}), (1, {2: second})], variant="best_of_3")

    players.play_deal(1)
    state = players.play_deal(1)

    assert players.totals() == {1: 0, 2: 70 + second}
    assert (state.phase in {"ended", "closed"}) is over


FIRST_THREE = ("3H 4H 5H", "9C TC JC", "8S 8H 8D 8C")


@pytest.mark.rule("5.6")
@pytest.mark.parametrize(
    ("setting", "decks", "group", "valid"),
    [
        ("allowed", 2, "JK JK 2C", True),
        ("refused", 2, "JK JK 2C", False),
        ("allowed", 3, "JK JK JK", True),
        ("printed_only_refused", 3, "JK JK JK", False),
    ],
)
def test_a_group_of_jokers_alone_is_judged_by_the_terms(
    play: Open, setting: str, decks: int, group: str, valid: bool
) -> None:
    groups = (*FIRST_THREE, group)
    table = f"p00-jokers-{setting.replace('_', '-')}-{decks}"
    players = play(table, 2, [(1, {2: 70})], winning=groups, joker_only_group=setting, decks=decks)
    players.until_phase("turn", deal=1)

    players.show(1, groups)
    players.platform.until(
        lambda: [one for one in players.platform.events(table) if isinstance(one, e.ShowJudged)] or None, "the verdict"
    )

    judged = last(players, e.ShowJudged)
    assert (judged.valid, judged.points) == ((True, 0) if valid else (False, 80))
    assert valid or judged.reason == "invalid_group"


@pytest.mark.rule("2.4")
def test_the_toss_gives_the_order_of_play(play: Open) -> None:
    players = play("p00-toss", 3, [], toss=("TS", "KD", "KH"))

    assert last(players, e.TossDrawn).order == (3, 2, 1)


def test_views_and_a_replay_agree_with_what_was_played(play: Open) -> None:
    players = play("p00-replayed", 2, [(1, {2: 33})])
    players.play_deal(1)
    key = streams.view(0, "standings", "p00-replayed")

    def stored() -> bytes | None:
        return players.platform.client.get(key)

    view = players.platform.until(lambda: stored() if b'"total":33' in (stored() or b"") else None, "the view")

    assert b'"headroom":67' in view
