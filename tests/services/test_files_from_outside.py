"""A bundle that somebody else made: whatever stands in it, every command answers in a sentence."""

import json
from collections.abc import Callable
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from poolrummy.audit import bundle
from poolrummy.cli import app_of
from poolrummy.runtime.appends import NewEvent
from poolrummy_contracts.envelope import chain_next, chain_start

from .signed_matches import match, of_lines

Event = dict[str, Any]


def changed(kind: str, change: Callable[[Event], None]) -> bytes:
    """A bundle in which every event of this kind is changed, chained again, signed by nobody."""
    honest = match(3)
    events: list[Event] = [json.loads(line.payload) for line in honest.lines]
    for event in events:
        if event["type"] == kind:
            change(event)
    stored = [json.dumps(one, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() for one in events]
    chains = islice(accumulate(stored, chain_next, initial=chain_start(honest.table)), 1, None)
    return bundle.written(of_lines(honest.table, [NewEvent(*one) for one in zip(stored, chains, strict=True)]))


CASES = {
    "a turn without a number": changed("turn-started", lambda event: event.update(turn=None)),
    "a card that is none": changed("card-discarded", lambda event: event.update(card="\u202e")),
    "a position that is none": changed("card-drawn", lambda event: event.update(position="")),
    "a seat that is none": changed("deal-scored", lambda event: event["scores"][0].update(seat=99)),
    "a counted card that is none": changed(
        "hand-counted", lambda event: event.update(leftover=["", *event["leftover"]])
    ),
    "an author that is an object": changed("card-discarded", lambda event: event.update(actor={})),
}


@pytest.mark.parametrize("case", CASES)
def test_no_command_breaks_on_a_file_and_no_verifier_accepts_it(case: str, tmp_path: Path) -> None:
    file = tmp_path / "b.jsonl"
    file.write_bytes(CASES[case])
    for word in ("dossier", "record", "export"):
        told = CliRunner().invoke(app_of(word), [str(file), "--out", str(tmp_path / word)])
        assert told.exit_code in {0, 2}, (word, told.output)
        assert told.exception is None or isinstance(told.exception, SystemExit), (word, told.exception)
        assert told.exit_code == 0 or f"poolrummy {word}: " in told.stderr

    assert CliRunner().invoke(app_of("audit"), [str(file)]).exit_code == 1
    verified = CliRunner().invoke(app_of("verify"), [str(file)])
    assert verified.exit_code in {1, 2}
    assert verified.exception is None or isinstance(verified.exception, SystemExit)
