"""`poolrummy table`: an operator stops a table, lets it play on, voids its deal and its match (R22, R23)."""

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from poolrummy.commands import table as command
from poolrummy.testing.live_platform import LivePlatform
from poolrummy.testing.scripted_games import Players
from poolrummy_contracts.commands import Draw, Sit
from poolrummy_contracts.events import DealVoided, MatchVoided, TableClosed, TableFrozen, TableUnfrozen
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandRefused

from .conftest import opening

TABLE = "p00-desk"
WHO = ("--operator", "meera", "--reason", "a complaint")


def act(platform_url: str, *words: str) -> Result:
    return CliRunner().invoke(command.app, [*words, "--url", platform_url])


def test_an_operator_stops_a_table_lets_it_play_on_and_voids(redis_url: str, tmp_path: Path) -> None:
    with LivePlatform(redis_url, tmp_path) as platform:
        platform.start("dealer")
        platform.ask(opening(TABLE, "house", 2, "101", 0, {}))
        for seat in (1, 2):
            platform.ask(Sit(id=f"sit-{seat}", table=TABLE, player=f"player-{seat}", seat=seat))
        players = Players(platform, TABLE)
        players.until_phase("turn")
        seat = players.on_turn()

        frozen = act(redis_url, "freeze", TABLE, *WHO)
        assert (frozen.exit_code, "freeze-table recorded" in frozen.stdout) == (0, True), frozen.output
        refused = platform.ask(Draw(**players.who(seat), deal=1, turn=1, source="stock"))
        assert isinstance(refused, CommandRefused)
        assert refused.code is Refusal.TABLE_FROZEN
        again = act(redis_url, "freeze", TABLE, *WHO)
        assert again.exit_code == 1
        assert "freeze-table refused: This table is frozen" in again.stderr

        for word in ("unfreeze", "void-deal"):
            done = act(redis_url, word, TABLE, *WHO, "--json")
            assert (done.exit_code, json.loads(done.stdout)["type"]) == (0, "accepted"), done.output
        players.until_phase("turn", deal=2)
        assert act(redis_url, "void-match", TABLE, *WHO).exit_code == 0

        log = platform.events(TABLE)
        kinds = (TableFrozen, TableUnfrozen, DealVoided, MatchVoided)
        acts = [event for event in log if isinstance(event, kinds)]
        assert [type(event) for event in acts] == list(kinds)
        assert {(event.operator, event.reason, event.actor) for event in acts} == {("meera", "a complaint", "operator")}
        assert isinstance(log[-1], TableClosed)
        assert "refused: This table is closed" in act(redis_url, "void-match", TABLE, *WHO).stderr
        closed = act(redis_url, "void-match", TABLE, *WHO, "--json")
        assert (closed.exit_code, json.loads(closed.stdout)["code"]) == (1, "table-closed")


def test_bad_input_and_a_dealer_that_is_away_are_told_in_a_sentence(
    redis_url: str, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(command, "PATIENCE_S", 0.3)
    with LivePlatform(redis_url, tmp_path) as platform:
        platform.start("projector")
        answers = [
            (act(redis_url, "freeze", "desk", *WHO), "'desk' is no table id"),
            (act(redis_url, "freeze", TABLE, "--operator", " ", "--reason", "x"), "an act needs a name"),
            (act(redis_url, "freeze", TABLE, "--operator", "x", "--reason", "y" * 501), "a reason (to 500)"),
            (act(redis_url, "freeze", TABLE, *WHO), "no dealer has answered within 0 s"),
        ]

    for found, why in answers:
        assert found.exit_code == 2
        assert why in found.stderr
        assert "Traceback" not in found.stderr
