"""`poolrummy arrange --jsonl` and `poolrummy judge --jsonl`: hands and shows as streams for programs."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from poolrummy.commands.arrange import arrange, judge

CASES = Path(__file__).parents[1] / "rules" / "cases"
HANDS = (CASES / "arranger-hands.jsonl").read_bytes().splitlines()
SHOWS = (CASES / "arranger-groups.jsonl").read_bytes().splitlines()


def process(word, source="-", **streams):
    command = [sys.executable, "-m", "poolrummy.cli", word, "--jsonl", str(source)]
    return subprocess.Popen(command, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams})


def streamed(app, *lines, options=(), code=0):
    text = b"".join(line + b"\n" for line in lines)
    outcome = CliRunner().invoke(app, ["--jsonl", "-", *options], input=text)
    assert outcome.exit_code == code, outcome.output
    return [json.loads(line) for line in outcome.stdout.splitlines()], outcome.stderr


@pytest.mark.rule("8.2")
def test_a_stream_of_hands_counts_every_given_case_as_it_is_known():
    expected = [json.loads(line) for line in HANDS]

    answers, told = streamed(arrange, *HANDS)

    keys = ("min_deadwood_raw", "min_deadwood", "valid_declaration")
    known = [(case["id"], *(case[key] for key in keys)) for case in expected]
    assert [(one["id"], one["raw"], one["points"], one["declarable"]) for one in answers] == known
    assert told == ""


@pytest.mark.rule("6.2")
def test_the_groups_and_the_leftover_cards_of_an_answer_are_the_hand():
    answers, _ = streamed(arrange, *HANDS[:300])

    for line, answer in zip(HANDS, answers, strict=False):
        assert list(answer) == ["id", "raw", "points", "declarable", "groups", "leftover"]
        cards = [card for group in answer["groups"] for card in group["cards"]] + answer["leftover"]
        assert sorted(cards) == sorted(json.loads(line)["hand"])
        assert all(list(group) == ["kind", "cards"] for group in answer["groups"])


@pytest.mark.rule("6.3")
def test_a_stream_of_shows_gives_every_given_case_its_reason():
    expected = [json.loads(line) for line in SHOWS]

    answers, told = streamed(judge, *SHOWS)

    assert answers == [{key: case[key] for key in ("id", "valid", "reason")} for case in expected]
    assert told == ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"id": 1, "hand": ["5H"', "truncated"),
        (b'{"id": 1, "wild": "4"}', "missing required field `hand`"),
        (b'{"id": 1, "hand": "5H 6H", "wild": "4"}', "Expected `array`"),
        (b'{"id": 1, "hand": ["5H", "ZZ"], "wild": "4"}', "'ZZ' is no card"),
        (b'{"id": 1, "hand": ["5H", "6H"], "wild": "4"}', "the hand has 2 cards and not 13"),
        (b'{"id": 1, "hand": ["5H", "6H"], "wild": "XX"}', "'XX' is no wild card"),
        (b'{"id": 1, "hand": ["5H", "6H"]}', "the wild card is missing"),
        (b"\xff\xfe", "malformed"),
        (b'{"id": 1, "nested": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "recursion"),
    ],
)
def test_a_bad_line_is_told_with_its_number_and_the_others_go_on(line, says):
    answers, told = streamed(arrange, HANDS[0], line, b"", HANDS[1], code=1)

    assert [one["id"] for one in answers] == ["uniform2-0001", "uniform2-0002"]
    assert "line 2: " in told
    assert says in told


def test_the_wild_card_of_the_command_is_for_lines_that_name_none():
    case = json.loads(HANDS[0])
    bare = json.dumps({"id": 7, "hand": case["hand"]}).encode()

    answers, _ = streamed(arrange, bare, options=["--wild", case["wild"]])

    assert (answers[0]["id"], answers[0]["raw"]) == (7, case["min_deadwood_raw"])


@pytest.mark.parametrize(("word", "line"), [("arrange", HANDS[0]), ("judge", SHOWS[0])])
def test_each_answer_comes_before_the_next_question(word, line):
    with process(word, stdin=subprocess.PIPE) as running:
        for _ in range(3):
            running.stdin.write(line + b"\n")
            running.stdin.flush()

            assert json.loads(running.stdout.readline())["id"] == json.loads(line)["id"]

        running.stdin.close()
        assert running.wait(20) == 0


def test_a_reader_who_has_enough_ends_the_stream_without_a_traceback():
    with process("arrange", CASES / "arranger-hands.jsonl") as running:
        running.stdout.readline()
        running.stdout.close()

        assert running.stderr.read() == b""
        assert running.wait(20) == 1


def test_progress_is_told_on_a_terminal_only():
    ours, theirs = pty.openpty()
    with process("arrange", CASES / "arranger-hands.jsonl", stderr=theirs) as running:
        answers = running.stdout.read().splitlines()
    os.close(theirs)

    told = os.read(ours, 10_000)
    os.close(ours)
    assert len(answers) == 3000
    assert b"\r\x1b[K" in told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--jsonl", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
        (["--jsonl", "-", "5H"], "--jsonl stands alone"),
        (["--jsonl", "-", "--discard"], "--jsonl stands alone"),
    ],
)
def test_a_stream_that_cannot_begin_is_refused(arguments, says):
    outcome = CliRunner().invoke(arrange, arguments)

    assert outcome.exit_code == 2
    assert says in outcome.stderr
