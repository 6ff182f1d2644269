"""A readable command on which our own code fails: it is parked, its table frozen, and every other table plays on."""

import time
from pathlib import Path

import pytest

from poolrummy.testing.live_platform import LivePlatform, Process
from poolrummy.testing.scripted_games import Players
from poolrummy_contracts.commands import Draw, OpenTable, Sit, UnfreezeTable
from poolrummy_contracts.events import TableFrozen, TurnMissed
from poolrummy_contracts.replies import CommandRefused

FAULTY_DEALER = Path(__file__).with_name("faulty_dealer.py")

pytestmark = pytest.mark.poison


def seated(platform: LivePlatform, table: str, **overrides: object) -> Players:
    players = Players(platform, table)
    players.do(
        OpenTable(
            id="open",
            table=table,
            profile="house",
            variant="101",
            seats=2,
            entry_fee=0,
            currency="practice",
            rake_bp=0,
            rejoin_payment="none",
            overrides=overrides,
        )
    )
    for seat in (1, 2):
        players.do(Sit(id=f"sit-{seat}", table=table, player=f"player-{seat}", seat=seat))
    players.until_phase("turn")
    return players


def draws(players: Players, name: str) -> Draw:
    deal = players.state.deal
    assert deal is not None
    assert deal.on_turn is not None
    return Draw(**{**players.who(deal.on_turn), "id": name}, deal=1, turn=deal.turn, source="stock")


def frozen(platform: LivePlatform, table: str) -> list[TableFrozen]:
    return [event for event in platform.events(table) if isinstance(event, TableFrozen)]


def revive_until_parked(platform: LivePlatform, first: Process, partition: int) -> int:
    """Start a dealer whenever the last one ended, until something is set aside; how many ended."""
    dealer = first
    for ended in range(8):
        end_s = time.monotonic() + 15
        while dealer.handle.poll() is None and not platform.parked(partition) and time.monotonic() < end_s:
            time.sleep(0.05)
        if platform.parked(partition):
            return ended
        dealer = Process([str(FAULTY_DEALER)], platform.environment, platform.folder / "faulty.log")
        platform.processes.append(dealer)
    return 8


def test_a_command_on_which_our_code_raises_freezes_its_table_alone(platform: LivePlatform) -> None:
    platform.start("dealer", program=FAULTY_DEALER)
    bad, good = seated(platform, "p00-bad"), seated(platform, "p00-good")

    answer = bad.say(draws(bad, "this-raises"))
    good.pass_turn(draws(good, "x").seat)

    assert isinstance(answer, CommandRefused)
    assert answer.code == "table-frozen"
    (event,) = frozen(platform, "p00-bad")
    assert event.actor == "system"
    (line,) = platform.parked(0)
    assert (line.why, line.table) == ("fault", "p00-bad")
    assert "a fault of our own" in line.detail
    refused = bad.say(draws(bad, "after"))
    assert isinstance(refused, CommandRefused)
    assert refused.code == "table-frozen"


def test_after_an_operator_has_looked_the_table_plays_on(platform: LivePlatform) -> None:
    platform.start("dealer", program=FAULTY_DEALER)
    players = seated(platform, "p00-mended")
    players.say(draws(players, "this-raises"))
    assert players.state.frozen

    players.do(UnfreezeTable(id="go-on", table="p00-mended", operator="ops-1", reason="looked at the parked command"))
    players.pass_turn(draws(players, "x").seat)

    assert not players.state.frozen


def test_a_command_that_takes_the_process_along_is_parked_by_the_third_owner(platform: LivePlatform) -> None:
    (first,) = platform.start("dealer", program=FAULTY_DEALER)
    bad, good = seated(platform, "p00-bad"), seated(platform, "p00-good")
    command = draws(bad, "this-kills")
    partition = 0
    after = platform.last_reply(partition)

    platform.send(command)
    revive_until_parked(platform, first, partition)
    platform.until(lambda: platform.parked(partition) or None, "the command to be parked")

    platform.until(lambda: platform.reply(partition, command.id, after), "its answer")
    assert len(frozen(platform, "p00-bad")) == 1
    good.pass_turn(draws(good, "x").seat)
    assert not good.state.frozen


def test_a_table_whose_clock_takes_the_process_along_is_frozen_by_the_fourth_owner_and_can_be_let_go_on(
    platform: LivePlatform,
) -> None:
    (first,) = platform.start("dealer", program=FAULTY_DEALER)
    bad = seated(platform, "p00-kills", turn_ms=5000, time_bank_ms=0)
    good = seated(platform, "p00-good")

    ended = revive_until_parked(platform, first, 0)
    platform.until(lambda: frozen(platform, "p00-kills") or None, "the table to be frozen")

    (line,) = platform.parked(0)
    assert ended == 3
    assert (line.why, line.table, line.size) == ("clock", "p00-kills", 0)
    assert line.detail == "3 owners in a row ended while they acted on a clock of p00-kills"
    assert [event.actor for event in frozen(platform, "p00-kills")] == ["system"]
    good.pass_turn(draws(good, "x").seat)
    assert not good.state.frozen
    assert "rummy_frozen_tables 1.0" in platform.processes[-1].metrics()

    platform.processes[-1].end()
    platform.start("dealer")
    bad.do(UnfreezeTable(id="go-on", table="p00-kills", operator="ops-1", reason="a mended dealer runs"))
    platform.until(lambda: any(isinstance(e, TurnMissed) for e in platform.events("p00-kills")) or None, "its clock")
