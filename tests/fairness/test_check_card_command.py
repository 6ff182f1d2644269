"""`poolrummy check-card`: a line of a seat against the event that promised the pack (rule 3.7)."""

import json

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from poolrummy.commands.check_card import app
from poolrummy.contracts_pages import story
from poolrummy.contracts_pages.examples import EXAMPLES
from poolrummy.fairness import age
from poolrummy.fairness.keys import KeyRing
from poolrummy.fairness.sealing import AgeSealer
from poolrummy_contracts import codec
from poolrummy_contracts.cards import Card
from poolrummy_contracts.events import DealStarted
from poolrummy_contracts.seat_lines import CardReceived, CardsDealt, SealedLine

STARTED = next(one for one in EXAMPLES if isinstance(one, DealStarted))
DEALT = next(one for one in EXAMPLES if isinstance(one, CardsDealt))
RECEIVED = next(one for one in EXAMPLES if isinstance(one, CardReceived))


def run(*words, given=None):
    return CliRunner().invoke(app, list(map(str, words)), input=given)


@pytest.fixture
def file(tmp_path):
    def write(*messages):
        path = tmp_path / "lines.jsonl"
        path.write_bytes(b"\n".join(codec.encode(message) for message in messages))
        return path

    return write


@pytest.mark.rule("3.7")
def test_all_cards_of_a_seat_are_proved_and_so_are_those_that_lie_open(file):
    found = run(file(STARTED, DEALT, RECEIVED))

    assert found.exit_code == 0, found.output
    assert "16 of 16 cards are proved" in found.output


@pytest.mark.rule("3.7")
def test_a_card_that_was_not_promised_ends_with_1_and_names_itself(file):
    forged = replace(RECEIVED, card=replace(RECEIVED.card, card=Card("AS")))
    found = run(file(STARTED, forged), "--json")

    assert found.exit_code == 1
    wrong = [one for one in json.loads(found.output) if not one["proved"]]
    assert [(one["card"], one["position"]) for one in wrong] == [("AS", "0-41")]
    assert "another card was promised" in wrong[0]["fault"]


@pytest.mark.rule("3.7")
def test_a_bare_opening_is_checked_against_a_root_from_elsewhere():
    opening = codec.encode(RECEIVED.card)
    good = run("-", "--root", story.PACK.root, given=opening)
    bad = run("-", "--root", "5e" * 32, given=opening)

    assert (good.exit_code, bad.exit_code) == (0, 1)


@pytest.mark.rule("3.10")
def test_a_sealed_line_is_opened_with_the_key_of_its_seat(file, tmp_path):
    identity = age.new_identity()
    key = tmp_path / "seat.key"
    key.write_text(f"# my key\n{identity}\n")
    sealed = AgeSealer(KeyRing(dealer="", auditor="", identities={})).seal(
        codec.encode(DEALT), str(identity.to_public())
    )
    line = SealedLine(table=DEALT.table, seat=DEALT.seat, deal=1, v=DEALT.v, keys=sealed.key_ids, blob=sealed.blob)

    assert run(file(STARTED, line), "--identity", key).exit_code == 0
    assert run(file(STARTED, line)).exit_code == 2
    away = run(file(STARTED, line), "--identity", tmp_path / "nowhere.key")
    assert (away.exit_code, "nowhere.key cannot be read" in away.output) == (2, True), away.output


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"{", "line 1"),
        (codec.encode(RECEIVED), "deal-started"),
        (codec.encode(STARTED).replace(b"deal-started", b"table-closed"), "no card to check"),
    ],
)
def test_what_cannot_be_checked_ends_with_2_and_says_what_is_missing(given, said):
    found = run("-", given=given)

    assert found.exit_code == 2
    assert said in found.output


def test_a_file_that_is_not_there_is_named(tmp_path):
    found = run(tmp_path / "nothing.jsonl")

    assert found.exit_code == 2
    assert "nothing.jsonl" in found.output
