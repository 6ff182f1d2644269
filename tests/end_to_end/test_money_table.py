"""A table for money: given keys, a channel key for each seat, and cards that their seat alone can read and check."""

import json

import pytest
from typer.testing import CliRunner

from poolrummy.commands.check_card import app
from poolrummy.fairness import age
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.testing.live_platform import LivePlatform
from poolrummy_contracts import codec
from poolrummy_contracts.commands import OpenTable, Sit
from poolrummy_contracts.events import DealStarted
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandRefused
from poolrummy_contracts.seat_lines import SealedLine

TABLE = "p00-money"
OPENING = {"profile": "house", "variant": "101", "seats": 2, "entry_fee": 2500, "currency": "INR", "rake_bp": 1000}


@pytest.mark.rule("3.10")
def test_at_a_table_for_money_cards_are_sealed_to_their_seat(platform: LivePlatform, tmp_path) -> None:
    load_or_create_keys(tmp_path / "given")
    platform.start("dealer", POOLRUMMY_KEYS_DIR=str(tmp_path / "given"))
    platform.ask(OpenTable(id="open", table=TABLE, **OPENING, rejoin_payment="cashier"))
    keys = {seat: age.new_identity() for seat in (1, 2)}

    refused = platform.ask(Sit(id="without", table=TABLE, player="p1", seat=1))
    assert isinstance(refused, CommandRefused)
    assert refused.code is Refusal.CHANNEL_KEY_MISSING
    broken = platform.ask(Sit(id="broken", table=TABLE, player="p1", seat=1, channel_key="age1nonsense"))
    assert broken.code is Refusal.CHANNEL_KEY_UNUSABLE
    for seat, key in keys.items():
        sit = Sit(id=f"sit-{seat}", table=TABLE, player=f"p{seat}", seat=seat, channel_key=str(key.to_public()))
        platform.ask(sit)

    (started,) = [event for event in platform.events(TABLE) if isinstance(event, DealStarted)]
    (line,) = platform.lines(TABLE, 1)
    assert isinstance(line, SealedLine)
    told = tmp_path / "told.jsonl"
    told.write_bytes(codec.encode(started) + b"\n" + codec.encode(line))
    results = {}
    for seat, key in keys.items():
        identity = tmp_path / f"{seat}.key"
        identity.write_text(str(key))
        results[seat] = CliRunner().invoke(app, [str(told), "--identity", str(identity), "--json"])
    assert results[1].exit_code == 0, results[1].output
    assert len(json.loads(results[1].output)) == 15, "13 cards of the hand, and two that lie open"
    assert results[2].exit_code == 2, "another seat's key opens nothing"


@pytest.mark.rule("3.10")
def test_no_table_for_money_opens_with_keys_made_on_the_spot(platform: LivePlatform) -> None:
    platform.start("dealer")
    refused = platform.ask(OpenTable(id="open", table=TABLE, **OPENING, rejoin_payment="cashier"))

    assert isinstance(refused, CommandRefused)
    assert refused.code is Refusal.TERMS_REFUSED
    assert "POOLRUMMY_KEYS_DIR" in refused.sentence
