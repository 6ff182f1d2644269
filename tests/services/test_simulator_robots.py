"""Robots play by the public table and their own channel, to the end, whatever gets lost on the way."""

from typing import cast

import pytest

from poolrummy.profile_files import load_all
from poolrummy.runtime.redis_calls import Calls
from poolrummy.simulator.play import Play, clock_ms
from poolrummy.simulator.speeds import SPEEDS
from poolrummy.simulator.styles import CAREFUL, IMPATIENT, LOOSE, style_of
from poolrummy.simulator.tally import Tally
from poolrummy.simulator.tournament import SLACK_MS, Plan, Tournament
from poolrummy.testing.matches import terms_of
from poolrummy.testing.tables import TABLE
from poolrummy_contracts import commands as c
from poolrummy_contracts import events as e
from poolrummy_contracts.profiles import resolve
from poolrummy_contracts.terms import Seat, Terms

from .robots_at_a_table import RobotTable


@pytest.mark.parametrize(("variant", "seats"), [("101", 3), ("201", 2), ("61", 6), ("51", 4), ("best_of_3", 2)])
def test_robots_play_a_match_of_every_variant_to_its_end(variant: str, seats: int) -> None:
    table = RobotTable(terms_of(variant=variant, seats=seats))

    table.play()

    assert table.room.over
    assert table.room.places
    assert len(table.refusals) < len(table.carried_out) // 20


@pytest.mark.parametrize(
    ("profile", "variant", "seats"),
    [("classic", "101", 4), ("deccan", "201", 6), ("rummypassion", "201", 6), ("scorekeeper", "201", 6)],
)
def test_robots_play_by_the_rules_of_every_profile(profile: str, variant: str, seats: int) -> None:
    table = RobotTable(terms_of(profile, variant, seats=seats))

    table.play()

    assert table.room.over


def test_robots_are_marked_as_robots_in_the_log() -> None:
    table = RobotTable(terms_of(seats=3))

    table.play(until=lambda: table.table.table.started)

    assert {event.kind for event in table.table.log if isinstance(event, e.SeatTaken)} == {"robot"}


@pytest.mark.rule("4.2")
def test_a_robot_knows_no_card_that_it_was_not_told() -> None:
    table = RobotTable(terms_of(seats=3))
    held: dict[Seat, set[str]] = {}

    def watch() -> bool:
        deal = table.table.table.deal
        for one in deal.seats if deal is not None else ():
            held.setdefault(one.seat, set()).update(one.hand)
        return table.table.table.deal_number > 1

    table.play(until=watch)

    for seat, robot in table.robots.items():
        assert set(robot.own._faces) <= held[seat]


def test_the_same_seed_makes_the_same_choices() -> None:
    one, other, third = (RobotTable(terms_of(seats=3), seed=seed) for seed in ("7", "7", "8"))

    for table in (one, other, third):
        table.play()

    assert one.sent == other.sent
    assert one.sent != third.sent


def test_a_robot_that_gets_no_answer_sends_the_same_command_again() -> None:
    table = RobotTable(terms_of(seats=3), loses=lambda number: number % 5 == 0)

    table.play()

    assert len(table.sent) > len({command.id for command in table.sent})
    assert len(table.carried_out) == len(set(table.carried_out))


def test_robots_that_start_again_go_on_where_they_were() -> None:
    table = RobotTable(terms_of(seats=3))
    table.play(until=lambda: table.table.table.deal_number == 2 and table.table.table.phase == "turn")
    for _ in range(9):
        table.step()

    table.restart_the_robots()
    table.play()

    assert table.room.over
    assert len(table.carried_out) == len(set(table.carried_out))


@pytest.mark.rule("13.5")
def test_robots_are_silent_while_their_table_is_frozen_and_play_on_after_it() -> None:
    table = RobotTable(terms_of(seats=3))
    table.play(until=lambda: table.table.table.deal_number == 1 and table.table.table.phase == "turn")
    table.table.do(c.FreezeTable(id="f", table="p00-test", operator="ana", reason="a look"))
    table._follow()

    said = list(table.room.speak(table.table.now_ms))
    table.table.do(c.UnfreezeTable(id="u", table="p00-test", operator="ana", reason="all well"))
    table._follow()
    table.play()

    assert said == []
    assert table.room.over


def test_a_void_match_is_over_for_the_robots() -> None:
    table = RobotTable(terms_of(seats=3))
    table.play(until=lambda: table.table.table.phase == "turn")
    table.table.do(c.VoidMatch(id="v", table="p00-test", operator="ana", reason="a test"))

    table._follow()

    assert table.room.over
    assert table.room.places == ()


def test_among_many_deals_robots_drop_time_out_show_wrongly_rejoin_and_split() -> None:
    tables = [RobotTable(terms_of(), seed=str(seed)) for seed in range(10)]
    for table in tables:
        table.play()

    happened = {type(event) for table in tables for event in table.table.log}
    sent = {type(command) for table in tables for command in table.sent}

    assert happened >= {e.SeatDropped, e.TurnMissed, e.RejoinGranted, e.SeatAway, e.SeatBack, e.ShowJudged}
    assert sent >= {c.Drop, c.SaveGroups, c.AskRejoin, c.RefuseRejoin, c.Declare, c.Finish}


def test_every_table_has_all_three_styles() -> None:
    assert [style_of(1, seat) for seat in (1, 2, 3)] == [IMPATIENT, CAREFUL, LOOSE]


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("profile", sorted(load_all()))
def test_the_clocks_of_every_speed_are_legal_in_every_profile(speed: str, profile: str) -> None:
    rules = load_all()[profile]
    for variant in rules.variants:
        seats = 2 if variant == "best_of_3" else 6
        terms = resolve(
            rules,
            variant=variant,
            seats=seats,
            entry_fee=10_000,
            currency="practice",
            rake_bp=0,
            rejoin_payment="none",
            overrides=SPEEDS[speed].overrides,
        )

        assert isinstance(terms, Terms), terms


@pytest.mark.rule("3.8")
def test_some_robots_give_a_seed_of_their_own_before_the_match() -> None:
    table = RobotTable(terms_of())

    table.play(until=lambda: table.table.table.started)

    assert any(isinstance(event, e.SeatSeedRevealed) for event in table.table.log)


def test_a_frozen_table_is_stuck_and_so_is_one_that_stands_still_beyond_its_clocks() -> None:
    table = RobotTable(terms_of())
    table.play(until=lambda: table.table.table.phase == "turn")
    play = Play(cast("Calls", None), Tally(0))
    play.rooms[TABLE] = table.room
    tournament = Tournament(play, PLAN, run="r1", partitions=1)
    table.room.moved_ms = clock_ms()
    moving = tournament.stuck()

    table.room.moved_ms = clock_ms() - table.table.terms.turn_ms - table.table.terms.time_bank_ms - SLACK_MS - 1
    still = tournament.stuck()
    table.room.moved_ms = clock_ms() - 1
    table.table.do(c.FreezeTable(id="f", table=TABLE, operator="ana", reason="a look"))
    table._follow()
    table.room.moved_ms = clock_ms() - 1
    frozen = tournament.stuck()

    assert moving == []
    assert "p00-test is stuck: phase turn, last event turn-started" in still[0].sentence
    assert "phase frozen in turn" in frozen[0].sentence


PLAN = Plan(
    tables=1,
    seats=3,
    variant="101",
    profile="house",
    pools=1,
    duration_ms=None,
    speed=SPEEDS["max"],
    seed="1",
)
