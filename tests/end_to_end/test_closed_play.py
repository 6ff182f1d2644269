"""`poolrummy play`: an operator closes play on a running platform; what is closed does nothing any more (R23)."""

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from poolrummy.commands.play import app
from poolrummy.testing.live_platform import LivePlatform
from poolrummy.testing.scripted_games import Players
from poolrummy_contracts import closures, codec
from poolrummy_contracts.closures import PlayClosed
from poolrummy_contracts.commands import Drop, Sit
from poolrummy_contracts.events import MatchVoided
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandAccepted, CommandRefused
from poolrummy_contracts.streams import closures as closures_key

from .conftest import opening

RUNS, WAITS = "p00-runs", "p01-waits"
WHO = ("--operator", "meera", "--reason", "an incident")


def play(url: str, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--url", url])


def sits(platform: LivePlatform, table: str, seat: int, player: str = "") -> CommandAccepted | CommandRefused:
    player = player or f"player-{seat}"
    return platform.ask(Sit(id=f"sit-{seat}-{player}", table=table, player=player, seat=seat))


def test_an_operator_closes_play_everywhere_and_opens_it_again(redis_url: str, tmp_path: Path) -> None:
    with LivePlatform(redis_url, tmp_path) as platform:
        platform.start("dealer")
        for table in (RUNS, WAITS):
            platform.ask(opening(table, "house", 2, "101", 0, {}))
            sits(platform, table, 1)
        sits(platform, RUNS, 2)
        players = Players(platform, RUNS)
        players.until_phase("turn")

        closed = play(redis_url, "close", *WHO)

        assert closed.exit_code == 0, closed.output
        assert "tables that had not started, now voided: 1" in closed.stdout
        players = Players(platform, RUNS)
        for number in (0, 1):
            refused = platform.ask(opening(f"p0{number}-new", "house", 2, "101", 0, {}))
            assert isinstance(refused, CommandRefused)
            assert refused.code is Refusal.CLOSED_FOR_PLAY
        platform.until(lambda: platform.table(WAITS).closed or None, "the waiting table to be voided")
        voided = next(event for event in platform.events(WAITS) if isinstance(event, MatchVoided))
        assert (voided.operator, voided.reason, voided.obligations) == ("meera", "an incident", ())
        seat = players.on_turn()
        assert isinstance(players.say(Drop(**players.who(seat), deal=1)), CommandAccepted)
        players.until_phase("turn", deal=2)

        listed = play(redis_url, "list", "--json")
        assert listed.exit_code == 0, listed.output
        (one,) = json.loads(listed.stdout)["closed"]
        assert (one["operator"], one["reason"]) == ("meera", "an incident")
        assert abs(one["at"] - platform.events(WAITS)[-1].at) < 60_000

        reopened = play(redis_url, "open", *WHO, "--json")
        assert reopened.exit_code == 0, reopened.output
        assert json.loads(reopened.stdout)["act"]["type"] == "play-opened"
        answer = platform.ask(opening("p01-new-again", "house", 2, "101", 0, {}))
        assert isinstance(answer, CommandAccepted)
        told = play(redis_url, "list")
        assert told.exit_code == 0
        assert "nothing is closed" in told.stdout
        assert "closed: all tables" in told.stdout, "what was is told for ever"


def test_acts_that_were_tampered_with_or_left_out_are_told(redis_url: str, tmp_path: Path) -> None:
    with LivePlatform(redis_url, tmp_path) as platform:
        platform.start("dealer")
        assert play(redis_url, "close", *WHO, "--player", "asha").exit_code == 0
        payload = closures.encode(PlayClosed(n=2, at=1, operator="x", reason="y", profile="classic"))
        platform.client.xadd(closures_key(1), {"e": payload, "h": "00" * 32}, id="2-0")

        found = play(redis_url, "list")

        assert found.exit_code == 1
        assert "the acts of partition 1 are not what was written" in found.stdout
        assert "partition 0 has not had every act" in found.stdout
        assert codec.canonical(payload) == payload


BAD = (
    (("close", "--operator", " ", "--reason", "x"), "needs a name"),
    (("close", "--operator", "x", "--reason", ""), "needs a name"),
    (("close", "--operator", "x", "--reason", "y" * 501), "a reason (to 500"),
    (("close", *WHO, "--player", ""), "a name of 1 to 64"),
    (("open", *WHO), "nothing of this kind is closed: all tables"),
    (("open", *WHO, "--player", "x\x1b[2J"), "nothing of this kind is closed"),
)


def test_bad_input_is_answered_in_one_sentence(redis_url: str, tmp_path: Path) -> None:
    with LivePlatform(redis_url, tmp_path) as platform:
        platform.start("projector")
        answers = [(play(redis_url, *words), why) for words, why in BAD]

    for found, why in answers:
        assert found.exit_code == 2
        assert why in found.stderr
        assert "\x1b" not in found.stderr
    nowhere = CliRunner().invoke(app, ["list", "--data", str(tmp_path / "none")])
    assert nowhere.exit_code == 2
    assert "is no data folder" in nowhere.stderr
