"""The drill: the server dies, its disk is gone, a copy is put back; the audit says OK and play goes on (R45).

An older copy than what was signed is not played on until somebody takes that on himself, by name.
"""

import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from poolrummy.commands import accept_rewind, audit
from poolrummy.fairness.checkpoint import unverified
from poolrummy.keeping.checkpoint_folder import FolderKeeper, Kept, kept
from poolrummy.runtime.embedded import embedded_server
from poolrummy.testing.live_platform import LivePlatform
from poolrummy.testing.scripted_games import Players
from poolrummy_contracts.commands import Drop, Sit
from poolrummy_contracts.events import ClocksShifted, DealScored, TableClosed
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandAccepted, CommandRefused

from .conftest import opening

TABLE = "p00-drill"
ROLES = ("dealer", "validator", "projector", "audit")


class Drill:
    """A platform whose server can be killed, whose disk can be lost, and whose copies can be put back."""

    def __init__(self, folder: Path) -> None:
        self.disk, self.outside = folder / "disk", folder / "outside"
        self.outside.mkdir()
        self.stack = ExitStack()
        self.server = self.stack.enter_context(embedded_server(self.disk))
        self.port = self.server.port
        self.platform = LivePlatform(
            self.server.url, self.outside, checkpoints_dir=self.outside / "checkpoints", data_dir=self.outside
        )
        self.players = Players(self.platform, TABLE)

    def copy(self, name: str) -> None:
        """Copy the files of the running server, as they lie there."""
        leave = shutil.ignore_patterns("lock", "temp-*")
        shutil.copytree(self.disk, self.outside / name, ignore=leave)

    def lose_everything(self) -> None:
        """Kill everything that runs, and then the disk."""
        os.kill(self.server.pid, signal.SIGKILL)
        for process in self.platform.processes:
            process.handle.kill()
            process.handle.wait()
        self.platform.processes.clear()
        self.stack.close()
        shutil.rmtree(self.disk)

    def restore(self, name: str) -> None:
        """Put a copy back and start everything on it."""
        shutil.copytree(self.outside / name, self.disk)
        self.stack = ExitStack()
        self.server = self.stack.enter_context(embedded_server(self.disk, port=self.port))
        self.platform.start(*ROLES)

    def play_a_deal(self, *, turns: int = 0) -> None:
        """Some turns, and then whoever is on turn drops."""
        state = self.players.until_phase("turn")
        for _ in range(turns):
            self.players.pass_turn(self.players.on_turn())
        seat = self.players.on_turn()
        self.players.do(Drop(**self.players.who(seat), deal=state.deal_number))  # type: ignore[arg-type]  # from a test

    def signed(self) -> int:
        """How many events of the table are signed."""
        return max((unverified(note).size for note in self._kept().notes), default=0)

    def _kept(self) -> Kept:
        return kept(FolderKeeper(self.outside / "checkpoints"), TABLE)

    def wait_until_signed(self, events: int) -> None:
        """Wait for the notary."""
        self.platform.until(lambda: self.signed() >= events or None, f"{events} events to be signed")

    def audit(self) -> Result:
        """What the audit says of the table, with the keys and checkpoints that lie outside the server."""
        where = ["--keys", str(self.outside / "keys"), "--checkpoints", str(self.outside / "checkpoints")]
        return CliRunner().invoke(audit.app, [TABLE, "--url", self.server.url, *where])


@pytest.fixture
def drill(tmp_path: Path) -> Iterator[Drill]:
    begun = Drill(tmp_path)
    with begun.platform as platform:
        platform.start(*ROLES)
        players = begun.players
        players.do(opening(TABLE, "house", 2, "61", 0, {}))
        for seat in (1, 2):
            players.do(Sit(id=f"sit-{seat}", table=TABLE, player=f"player-{seat}", seat=seat))
        begun.play_a_deal(turns=4)
        yield begun
    begun.stack.close()


def scored(drill: Drill) -> list[int]:
    return [event.v for event in drill.platform.events(TABLE) if isinstance(event, DealScored)]


def test_a_copy_that_was_put_back_is_right_and_is_played_to_the_end(drill: Drill) -> None:
    drill.play_a_deal(turns=1)
    drill.players.until_phase("turn", deal=3)
    drill.wait_until_signed(scored(drill)[-1])
    drill.players.draw(drill.players.on_turn())
    before = drill.platform.events(TABLE)
    drill.copy("copy")

    drill.lose_everything()
    drill.restore("copy")

    assert drill.platform.events(TABLE)[: len(before)] == before
    holder = drill.players.on_turn()
    drill.players.throw(holder, drill.platform.table(TABLE).deal.drawn.position)
    while drill.platform.table(TABLE).phase != "closed":
        drill.play_a_deal()
        drill.players.until_phase("turn", "rejoining", "closed")
        if drill.platform.table(TABLE).phase == "rejoining":
            drill.players.until_phase("closed")
    drill.wait_until_signed(drill.platform.table(TABLE).v)
    result = drill.audit()

    log = drill.platform.events(TABLE)
    assert any(isinstance(event, ClocksShifted) for event in log), "nobody pays for the time in which nothing ran"
    assert isinstance(log[-1], TableClosed)
    assert result.exit_code == 0, result.output
    assert "OK: the log is what the rules give" in result.output


def test_a_copy_that_is_older_than_what_was_signed_is_not_played_on_until_somebody_says_so(drill: Drill) -> None:
    drill.copy("old")
    known = len(drill.platform.events(TABLE))
    drill.play_a_deal(turns=1)
    drill.wait_until_signed(scored(drill)[-1])
    assert drill.signed() > known

    drill.lose_everything()
    drill.restore("old")

    drop = Drop(id="again", table=TABLE, player="player-1", seat=1, deal=2)
    refused = drill.platform.ask(drop)
    assert isinstance(refused, CommandRefused)
    assert refused.code is Refusal.TABLE_FROZEN
    assert "poolrummy accept-rewind" in refused.sentence
    assert len(drill.platform.events(TABLE)) == known, "nothing was written behind it"
    told = drill.audit()
    assert told.exit_code == 1, told.output
    assert "checkpoint" in told.output

    for process in drill.platform.processes:
        process.end()
    drill.platform.processes.clear()
    words = ["--operator", "meera", "--reason", "disk lost, copy of the night", "--url", drill.server.url]
    words += ["--checkpoints", str(drill.outside / "checkpoints"), "--keys", str(drill.outside / "keys")]
    accepted = CliRunner().invoke(accept_rewind.app, [TABLE, *words, "--json"])
    assert accepted.exit_code == 0, accepted.output
    told = json.loads(accepted.stdout)
    assert told["size"] == known < min(told["superseded"])
    drill.platform.start(*ROLES)
    drill.players.until_phase("turn")
    seat = drill.players.on_turn()

    assert isinstance(drill.players.say(Drop(**drill.players.who(seat), deal=2)), CommandAccepted)
