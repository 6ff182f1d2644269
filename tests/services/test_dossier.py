"""The dossier answers first, shows everything that its reader may see, and not one card more."""

import pytest

from poolrummy.audit.dossier.content import Dossier
from poolrummy.audit.dossier.making import Asked, NoSuchDeal, dossier_of
from poolrummy.audit.views import View
from poolrummy.commands.rulebook import read_book
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat

from .disputes import (
    GOLDEN,
    Dispute,
    auditor_asks,
    auto_drop,
    elimination_at_the_limit,
    late_move,
    public_asks,
    rejoin_refused,
    seat_asks,
    split,
    wrong_show,
)

BOOK = {one.number: (one.title, one.text) for one in read_book()}


def dossier(table: Dispute, asked: Asked) -> Dossier:
    return dossier_of(table.moments(), asked, table.known(), book=BOOK, refused=table.refused)


def sentence(table: Dispute, asked: Asked) -> str:
    return dossier(table, asked).answer.sentence


# -- the first screen


def test_a_wrong_show_is_answered_with_the_group_and_what_is_wrong_with_it() -> None:
    found = dossier(wrong_show(), seat_asks(2, 1)).answer

    assert found.sentence == (
        "Seat 2 (Bhaskar) was charged 80 in deal 1 because its show was not valid: group 2 (9♣ 10♣ Q♣) is neither a "
        "sequence nor a set: J♣ is missing, and there is no joker to fill the gap."
    )
    assert found.rules == ("6.3", "6.5")


def test_a_missing_pure_sequence_is_answered_with_what_each_joker_stands_for() -> None:
    table = GOLDEN["missing-pure-sequence"].play()

    assert sentence(table, public_asks(1, 1)).endswith(
        "none of its groups is a pure sequence (3♥ 4♥ JK uses JK as 5♥ and 9♣ 2♣ J♣ uses 2♣ as 10♣)."
    )


def test_a_late_move_is_answered_with_both_times_and_by_how_much_it_missed() -> None:
    found = dossier(late_move(), seat_asks(2, 1, "move")).answer

    assert "it came 0.412 s too late" in found.sentence
    assert "it ended at 21:01:17.050" in found.sentence
    assert found.rules == ("4.7", "4.5")


def test_an_automatic_drop_is_answered_with_the_turns_that_ran_out() -> None:
    assert "3 times in a row (turns 4, 6 and 8)" in sentence(auto_drop(), seat_asks(2, 1))


def test_an_elimination_is_answered_with_the_addition_and_the_limit() -> None:
    found = sentence(elimination_at_the_limit(), auditor_asks(3, 2, "elimination"))

    assert found.endswith("80 + 21 = 101, and 101 ≥ 101.")


def test_a_rejoin_that_was_refused_is_answered_with_the_score_that_stands_against_it() -> None:
    found = sentence(rejoin_refused(), seat_asks(2, 2, "rejoin"))

    assert found.endswith(
        "the highest score among the seats that are in is 80, that of seat 1 (Asha); a rejoin is allowed up to 79."
    )


def test_a_rejoin_that_was_asked_in_vain_is_told_though_the_next_deal_had_begun() -> None:
    found = dossier(rejoin_refused(), seat_asks(2, 2, "rejoin"))

    assert [(one.what, one.code) for one in found.refused] == [("ask-rejoin", "rejoin-not-offered")]


def test_a_split_is_answered_with_what_each_seat_gets_and_shown_line_by_line() -> None:
    found = dossier(split(), auditor_asks(1, 2, "split"))
    (asked,) = (one for one in found.deals[0].sums if one.title.startswith("Split asked"))
    lines = [line.text for line in asked.lines]

    assert "seat 1 (Asha) 41.66 INR, seat 3 (Chitra) 41.67 INR and seat 2 (Bhaskar) 16.67 INR" in found.answer.sentence
    assert "Check: 4166 + 1667 + 4167 = 10000, exactly the pool." in lines
    assert "Rest: 10000 - 5000 = 5000 paise; 5000 ≥ 2500, one entry fee: a split is possible." in lines


def test_without_a_deal_the_whole_match_is_told() -> None:
    found = dossier(split(), Asked(view=View("public")))

    assert [deal.deal for deal in found.deals] == [1, 2]
    assert found.answer.about == "match"
    assert found.answer.sentence.startswith("The match ended after deal 2")


def test_a_seat_without_a_deal_is_answered_with_the_deal_that_put_it_out() -> None:
    found = dossier(split(), Asked(view=View("public"), seat=Seat(4)))

    assert found.answer.sentence.startswith("Seat 4 (Devan) went out in deal 2")
    assert [deal.deal for deal in found.deals] == [1, 2]


def test_a_question_that_the_log_does_not_answer_is_said_to_be_one() -> None:
    found = dossier(wrong_show(), public_asks(2, 1, "split"))

    assert found.answer.about == "charge"
    assert "Nothing in this log answers a question about the split; the answer is about the charge." in found.notes


def test_a_deal_without_a_seat_is_answered_for_every_seat() -> None:
    found = dossier(wrong_show(), Asked(view=View("public"), deal=1))

    assert found.answer.question == "What happened in deal 1?"
    assert [one.text[:6] for one in found.answer.also] == ["Seat 1", "Seat 2", "Seat 3"]


def test_a_deal_that_is_not_there_is_named_with_the_last_one() -> None:
    with pytest.raises(NoSuchDeal, match="there is no deal 9; the last one is 2"):
        dossier(wrong_show(), Asked(deal=9))


# -- the numbers are those of the log


@pytest.mark.parametrize("name", GOLDEN)
def test_every_count_adds_up_card_by_card(name: str) -> None:
    found = dossier(GOLDEN[name].play(), Asked(view=View("public")))

    for deal in found.deals:
        for count in deal.counts:
            assert sum(one.points or 0 for one in count.counting) == count.raw


@pytest.mark.parametrize("name", GOLDEN)
def test_the_totals_are_those_that_the_log_tells(name: str) -> None:
    table = GOLDEN[name].play()
    scored = [event for event in table.log if isinstance(event, e.DealScored)]
    found = dossier(table, Asked(view=View("public")))

    told = [[(cell.seat, cell.points, cell.total) for cell in row.cells] for row in found.sheet if row.cells]
    assert told == [[(one.seat, one.points, one.total) for one in event.scores] for event in scored]
    for deal in found.deals:
        assert all(bar.before + bar.points == bar.total for bar in deal.bars)


@pytest.mark.parametrize("name", GOLDEN)
def test_every_step_of_the_log_is_told_once_with_its_author_and_rule(name: str) -> None:
    table = GOLDEN[name].play()
    found = dossier(table, Asked(view=View("auditor")))
    told = [*found.opening, *(step for deal in found.deals for step in deal.steps)]

    assert [(one.v, one.actor, one.rule) for one in told] == [(one.v, one.actor, one.rule) for one in table.log]


@pytest.mark.parametrize("name", GOLDEN)
def test_every_opening_that_is_shown_leads_to_its_root_and_every_seed_was_promised(name: str) -> None:
    found = dossier(GOLDEN[name].play(), Asked(view=View("auditor"))).proofs

    assert all(pack.openings == pack.openings_good == pack.cards for pack in found.packs)
    assert all(pack.seed_promised for pack in found.packs)
    assert found.terms_hash_good
