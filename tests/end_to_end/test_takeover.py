"""A dealer dies, freezes or comes back as a zombie while a match is played; the match goes on as if it had not."""

import os
import signal
import time

import pytest

from poolrummy.rules.clocks import LATE_MS_MAX
from poolrummy.testing.live_platform import LivePlatform, Process
from poolrummy.testing.scripted_games import Players
from poolrummy_contracts.commands import OpenTable, SaveGroups, Sit
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import ClocksShifted, ShowJudged, TurnMissed, TurnStarted
from poolrummy_contracts.streams import table as log_key

TABLE = "p00-takeover"

pytestmark = pytest.mark.takeover


def seated(platform: LivePlatform, **overrides: object) -> Players:
    players = Players(platform, TABLE)
    players.do(
        OpenTable(
            id="open",
            table=TABLE,
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
        players.do(Sit(id=f"sit-{seat}", table=TABLE, player=f"player-{seat}", seat=seat))
    players.until_phase("turn")
    return players


def on_turn(players: Players) -> int:
    deal = players.state.deal
    assert deal is not None
    assert deal.on_turn is not None
    return deal.on_turn


def log_is_whole(platform: LivePlatform) -> bool:
    """Versions without a gap, and the chain over the stored bytes is the stored chain."""
    chain, version = chain_start(TABLE), 0
    for entry, fields in platform.client.xrange(log_key(TABLE)):
        version += 1
        chain = chain_next(chain, fields[b"e"])
        if entry != f"{version}-0".encode() or fields[b"h"] != chain.hex().encode():
            return False
    return version > 0


def kill(process: Process) -> None:
    process.handle.kill()
    process.handle.wait(10)


def test_the_next_dealer_deals_on_with_the_same_pack_and_the_clock_moves(platform: LivePlatform) -> None:
    (first,) = platform.start("dealer")
    players = seated(platform)
    players.pass_turn(on_turn(players))
    before = players.state
    assert before.clock is not None

    kill(first)
    time.sleep(1.5)
    platform.start("dealer")
    players.pass_turn(on_turn(players))

    shifted = [event for event in platform.events(TABLE) if isinstance(event, ClocksShifted)]
    assert len(shifted) == 1
    assert shifted[0].ms >= 1000
    assert (shifted[0].actor, shifted[0].v) == ("system", before.v + 1)
    # Every card that was drawn since opens against the root of the pack that the dead dealer had committed to.
    assert set(platform.cards(TABLE, 1)) | set(platform.cards(TABLE, 2)) >= {
        position for seat in (before.deal.seats if before.deal else ()) for position in seat.hand
    }
    assert log_is_whole(platform)


def test_a_turn_is_not_missed_because_nobody_dealt(platform: LivePlatform) -> None:
    (first,) = platform.start("dealer")
    players = seated(platform, turn_ms=2500, time_bank_ms=0)
    seat = on_turn(players)

    kill(first)
    time.sleep(3)
    platform.start("dealer")
    players.pass_turn(seat)

    turns = [event for event in platform.events(TABLE) if isinstance(event, TurnStarted)]
    assert [turn.seat for turn in turns] == [seat, 3 - seat]


def test_a_verdict_that_is_under_way_reaches_the_next_dealer(platform: LivePlatform) -> None:
    (first,) = platform.start("dealer")
    players = seated(platform)
    seat = on_turn(players)
    position = players.draw(seat)
    deal = players.state.deal
    assert deal is not None
    players.finish(seat, position)
    players.declare_as_dealt(seat)
    assert players.state.phase == "judging"

    kill(first)
    platform.start("validator")
    platform.start("dealer")
    platform.until(
        lambda: [event for event in platform.events(TABLE) if isinstance(event, ShowJudged)] or None, "the verdict"
    )

    (judged,) = [event for event in platform.events(TABLE) if isinstance(event, ShowJudged)]
    assert not judged.valid
    assert log_is_whole(platform)


def test_a_frozen_dealer_that_wakes_up_writes_nothing(platform: LivePlatform) -> None:
    (frozen,) = platform.start("dealer")
    players = seated(platform)
    os.kill(frozen.handle.pid, signal.SIGSTOP)
    try:
        platform.start("dealer")
        players.pass_turn(on_turn(players))
        version = players.state.v
    finally:
        os.kill(frozen.handle.pid, signal.SIGCONT)
    players.pass_turn(on_turn(players))

    assert players.state.v > version
    assert log_is_whole(platform)
    platform.until(
        lambda: (frozen.handle.poll() is None and frozen.ready) or None, "the woken dealer to be ready again"
    )


def test_a_dealer_that_stood_still_alone_moves_the_clock_before_it_acts_on_it(platform: LivePlatform) -> None:
    """Nobody takes over from a dealer that is the only one: its lease tells nothing, the clock does (rule 4.9)."""
    (dealer,) = platform.start("dealer")
    seated(platform, turn_ms=1500, time_bank_ms=0)
    os.kill(dealer.handle.pid, signal.SIGSTOP)
    try:
        time.sleep(1.5 + LATE_MS_MAX / 1000 + 1)
    finally:
        os.kill(dealer.handle.pid, signal.SIGCONT)
    platform.until(
        lambda: [event for event in platform.events(TABLE) if isinstance(event, TurnMissed)] or None, "a turn to end"
    )

    kinds = [type(event) for event in platform.events(TABLE) if isinstance(event, ClocksShifted | TurnMissed)]
    assert kinds[:2] == [ClocksShifted, TurnMissed]
    assert log_is_whole(platform)


def test_what_is_private_survives_its_dealer(platform: LivePlatform) -> None:
    (first,) = platform.start("dealer")
    players = seated(platform, finish_timeout="validate_current_groups", declare_ms=1500)
    seat = on_turn(players)
    position = players.draw(seat)
    deal = players.state.deal
    assert deal is not None
    holder = deal.of(seat)
    assert holder is not None
    hand = [one for one in holder.hand if one != position]
    saved = (tuple(hand[:6]), tuple(hand[6:]))
    players.do(SaveGroups(**players.who(seat), deal=1, groups=saved))

    kill(first)
    platform.start("dealer", "validator")
    players.finish(seat, position)
    platform.until(
        lambda: [event for event in platform.events(TABLE) if isinstance(event, ShowJudged)] or None, "the verdict"
    )

    shown = next(event for event in platform.events(TABLE) if type(event).__name__ == "ShowDeclared")
    assert shown.timed_out
    assert tuple(tuple(card.position for card in group) for group in shown.groups) == saved


def test_two_dealers_and_two_validators_share_the_partitions(platform: LivePlatform) -> None:
    dealers = platform.start("dealer", "dealer")
    validators = platform.start("validator", "validator")

    def owned(process: Process) -> int | None:
        lines = [line for line in process.metrics().splitlines() if line.startswith("poolrummy_partitions_owned{")]
        return int(float(lines[0].rsplit(" ", 1)[1])) if lines else None

    def shared(processes: list[Process]) -> bool | None:
        return [owned(process) for process in processes] == [1, 1] or None

    platform.until(lambda: shared(dealers), "the dealers to share")
    platform.until(lambda: shared(validators), "the validators to share")
    assert dealers[0].end() == 0
    platform.until(lambda: owned(dealers[1]) == 2 or None, "the other dealer to take over")
