"""`poolrummy arrange` and `poolrummy judge`: one hand, one show, for a person."""

import json
from importlib.resources import files

import pytest
from typer.testing import CliRunner

from poolrummy.commands.arrange import arrange, judge

HAND = "5H 6H 7H 8H 8S 8D 9S TS 4C JK QC KC 2D"
SHOW = "5H 6H 7H / 8S 8D 8H / 9S TS 4C / QC KC JK JC"


def run(app, *arguments, code=0, **environment):
    env = {"COLUMNS": "110", "NO_COLOR": "1", **environment}
    outcome = CliRunner(env=env).invoke(app, list(arguments))
    assert outcome.exit_code == code, outcome.output
    return outcome


def test_a_hand_is_drawn_with_groups_side_by_side():
    drawn = run(arrange, HAND, "--wild", "4").stdout.splitlines()

    assert drawn[0].split() == ["pure", "sequence", "sequence", "sequence", "set"]
    assert "│ 9♠  ││ 10♠ ││ 4♣* │  │ Q♣  ││ K♣  ││ JK  │  │ 8♠  ││ 8♥  ││ 8♦  │" in drawn[2]
    assert "=J♠" in drawn[3]
    assert {"4♣ stands for J♠", "JK stands for A♣"} <= {part.strip() for part in drawn[5].split("  ")}
    assert drawn[-2:] == ["2 points: 2♦ 2", "This hand cannot be shown: 2♦ fits into no group."]


def test_colours_are_used_where_the_terminal_has_them():
    drawn = CliRunner(env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}).invoke(arrange, [HAND, "--wild", "4"])

    assert "\x1b[1;31m 5♥  " in drawn.stdout


@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        ("5H 6H 7H 8S 8D 8H 9S TS 4C QC KC JK JC", "This hand can be shown: all 13 cards are in groups"),
        (HAND, "2♦ fits into no group."),
        ("2S 9H TD QC KC 3H 5D 7C 8S JH JD QD AS", "there is no second sequence and only the pure one counts."),
        ("2S 9H TD QC KC 3H 5D 7C 8S JH 6D QD AS", "it holds nothing to lay down as a pure sequence"),
    ],
)
def test_a_sentence_says_whether_a_hand_can_be_shown(hand, sentence):
    told = json.loads(run(arrange, hand, "--wild", "4", "--json").stdout)

    assert sentence in told["sentence"]


@pytest.mark.rule("8.4")
def test_a_count_over_the_cap_says_both():
    drawn = run(arrange, "2S 9H TD QC KC 3H 5D 7C 8S JH KD QD AS", "--wild", "4").stdout

    assert "80 points: A♠ 10 + 2♠ 2 + 8♠ 8" in drawn
    assert "= 104, counted as 80" in " ".join(drawn.split())


def test_json_names_groups_jokers_and_points_of_each_card_left_over():
    told = json.loads(run(arrange, HAND, "--wild", "4", "--json").stdout)

    assert told["groups"][1] == {"kind": "sequence", "cards": ["9S", "TS", "4C"], "stands_for": ["9S", "TS", "JS"]}
    assert told["leftover"] == [{"card": "2D", "points": 2}]
    assert (told["raw"], told["points"], told["declarable"]) == (2, 2, False)


def test_each_discard_of_fourteen_cards_says_what_it_leaves():
    told = json.loads(run(arrange, f"{HAND} JC", "--wild", "4", "--discard", "--json").stdout)
    drawn = run(arrange, f"{HAND} JC", "--wild", "4", "--discard").stdout

    assert told["best"] == next(one["card"] for one in told["discards"] if one["allows_show"])
    assert len(told["discards"]) == 14
    assert told["discards"][12] == {"card": "2D", "raw": 0, "points": 0, "allows_show": True}
    assert "│ 2♦      │           0 │ yes           │" in drawn


def test_a_printed_joker_turned_up_makes_aces_wild():
    named, by_rank = (run(arrange, "AS AH 5H 6H 7H 8D 9D TD 2C 3C 4C KC KD", "--wild", wild) for wild in ("jk", "A"))

    assert named.stdout == by_rank.stdout


def test_hands_of_a_file_are_drawn_one_after_the_other(tmp_path):
    (tmp_path / "hands.txt").write_text(f"# two hands\n{HAND}\n\n{HAND}  # again\n")

    drawn = run(arrange, "--file", str(tmp_path / "hands.txt"), "--wild", "4").stdout

    assert drawn.count("2 points: 2♦ 2") == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([HAND], "the wild card is missing"),
        ([HAND, "--wild", "44"], "'44' is no wild card"),
        ([" ".join(f"X{number}" for number in range(14)), "--wild", "4"], "'X0', 'X1', 'X2'"),
        (["5H 5H 5H 5H 8S 8D 9S TS 4C JK QC KC 2D", "--wild", "4"], "5H four times; 2 decks hold it twice"),
        (["4S 4S 5H 6H 8S 8D 9S TS 4C JK QC KC 2D", "--wild", "4S"], "one of them is turned up as wild card"),
        (["JK JK JK 6H 8S 8D 9S TS 4C 5H QC KC 2D", "--wild", "4"], "JK three times; 2 decks hold it twice"),
        (["5H 6H 7H 8H 8S 8D 9S TS 4C JK QC KC", "--wild", "4"], "has 12 cards and not 13"),
        ([f"{HAND} 3D", "--wild", "4"], "or add --discard"),
        ([HAND, "--wild", "4", "--discard"], "has 13 cards and not 14; give 14, or leave out --discard"),
        ([HAND, "--wild", "4", "--profile", "hous"], "did you mean house?"),
        ([HAND, "--wild", "4", "--variant", "102"], "use one of: 101, 201"),
        (["--wild", "4"], "give one hand"),
        (["--wild", "4", "--file", "nowhere.txt"], "nowhere.txt cannot be read"),
    ],
)
def test_rubbish_is_refused_by_its_name(arguments, says):
    refused = run(arrange, *arguments, code=2)

    assert says in refused.stderr
    assert refused.stdout == ""


@pytest.mark.rule("6.3")
@pytest.mark.parametrize(
    ("show", "reason", "sentence"),
    [
        (SHOW, "ok", "The show is valid: every card is in a group, and two sequences are there, one of them pure."),
        (SHOW.replace(" JC", ""), "wrong_hand_size", "the hand does not have 13 cards"),
        (SHOW.replace(" KC JK JC", " / KC JK JC"), "group_too_small", "group 4 (Q♣) has fewer than three cards"),
        (SHOW.replace("8H", "7S"), "invalid_group", "group 2 (8♠ 8♦ 7♠) is neither a sequence nor a set"),
        (SHOW.replace("6H", "4H"), "no_pure_sequence", "no group is a pure sequence"),
        ("5H 6H 7H / 8S 8D 8H / 9S 9C 9D / QC QD QH JK", "too_few_sequences", "only one group is a sequence"),
    ],
)
def test_a_sentence_says_why_a_show_is_valid_or_not(show, reason, sentence):
    told = json.loads(run(judge, show, "--wild", "4", "--json").stdout)
    drawn = run(judge, show, "--wild", "4").stdout

    assert told["reason"] == reason
    assert sentence in told["sentence"]
    assert sentence in " ".join(drawn.split())


def test_an_invalid_show_of_cards_that_could_be_shown_is_drawn_as_it_could():
    drawn = run(judge, "5H 6H 7H 8S / 8D 8H 9S / TS 4C QC / KC JK JC", "--wild", "4").stdout

    assert "The same cards could have been shown:" in " ".join(drawn.split())
    assert "pure sequence" in drawn


def test_a_show_without_a_wild_card_or_without_groups_is_refused():
    assert "the wild card is missing" in run(judge, SHOW, code=2).stderr
    assert "there is no show" in run(judge, "--wild", "4", code=2).stderr


def test_the_page_about_the_arranger_follows_the_hand_that_is_drawn_here():
    page = (files("poolrummy") / "rules" / "ARRANGER.md").read_text(encoding="utf-8")

    assert f'poolrummy arrange "{HAND}" --wild 4' in page
    assert "set 8S 8H 8D · left over 2D" in page


@pytest.mark.rule("8.2")
def test_a_set_that_costs_nothing_at_first_is_not_taken_for_the_best_one():
    told = json.loads(run(arrange, "JH QH TS QS QD QC TC TD JK 2C 3C 4C 5D", "--wild", "9", "--json").stdout)

    assert (told["raw"], [one["card"] for one in told["leftover"]]) == (5, ["5D"])
