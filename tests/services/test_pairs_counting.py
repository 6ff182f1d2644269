"""What the pair evidence counts of a deal, and how it weighs the counts (R28)."""

from functools import cache

import pytest

from poolrummy.audit.pairs.card_sense import could_show, fits, gives_up
from poolrummy.audit.pairs.deal_log import DealLog
from poolrummy.audit.pairs.folding import fold
from poolrummy.audit.pairs.habits import PRIOR, PRIOR_MAX, PRIOR_MIN, Habits, likeness
from poolrummy.audit.pairs.ranking import LOOK_MILLI
from poolrummy.audit.pairs.scoring import MOST, scored
from poolrummy.audit.pairs.sums import PairSums, Tally
from poolrummy.rules.meld_rules import HOUSE
from poolrummy.testing.matches import terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import started
from poolrummy_contracts.cards import Card, parse_cards
from poolrummy_contracts.events import DealScored, SeatTaken

# -- cards


@pytest.mark.parametrize(
    ("card", "hand", "fitting"),
    [
        ("7H", "5H 6H KS", True),
        ("7H", "6H 8H KS", True),
        ("7H", "5H 8H KS", False),
        ("7H", "7S 7D KS", True),
        ("7H", "7S 7S KS", False),
        ("7H", "7H 6H 5H", False),
        ("AS", "QS KS 2D", True),
        ("AS", "2S 3S KD", True),
        ("KS", "QS AS 2D", True),
        ("KS", "AS 2S QD", False),
        ("AS", "KS 2S 3D", False),
    ],
)
def test_a_card_fits_where_it_makes_three(card: str, hand: str, fitting: bool) -> None:
    assert fits(Card(card), parse_cards(hand)) is fitting


@pytest.mark.parametrize(
    ("card", "rest", "given_up"),
    [("7H", "9H KS", True), ("7H", "9H", False), ("7H", "TH KS", False), ("2H", "3H KS", False)],
)
def test_a_card_is_given_up_where_it_was_tied_and_a_loose_one_stayed(card: str, rest: str, given_up: bool) -> None:
    assert gives_up(Card(card), parse_cards(rest), "2") is given_up


def test_a_hand_that_can_be_shown_is_seen_also_where_jokers_tie_it() -> None:
    assert could_show(parse_cards("3H 4H 5H 6C 7C 8C 9S 9D 9C QD QC JK JK"), "2", HOUSE)
    assert not could_show(parse_cards("3H 4H 5H 6C 7C 8C 9S 9D 9C QD KC 4S 8D"), "2", HOUSE)


# -- a deal


@cache
def one_deal():
    """Seat 1 lays the queen that seat 2 needs; seat 2 waits a turn with its show; seat 3 drops before it."""
    hands = {1: "QS KS 4D 8S TD 4S 6S 9H JD 5S 7D 3C 4C", 2: "3H 4H 5H 6H 6C 7C 8C 9S 9D 9C QD QC 2D"}
    table = started(
        terms_of("house", "101", seats=3), DealScript(hands=hands, wild="AD", open="KC", stock="JH KH 3S TS 8H JC")
    )
    for card in ("JH", "KH", "3S", "QS"):
        table.draw("stock")
        table.discard(card)
    table.draw("open")
    table.discard("2D")
    table.drop(3)
    table.draw("stock")
    table.discard("8H")
    table.draw("stock")
    table.show("3H 4H 5H 6H / 6C 7C 8C / 9S 9D 9C / QD QC QS")
    table.declare(1, " ".join(table.hand(1)))
    table.judge()
    return tuple(table.log)


@cache
def shown_at_once():
    """Seat 1 draws the card that it needs and shows; seat 2 holds a poor hand, seat 3 nearly all of a show."""
    hands = {1: "3H 4H 5H 6H 6C 7C 8C 9S 9D 9C QD QC 2D", 3: "3D 4D 5D 6D 7S 8S 9S JC QC KC TH TS 4C"}
    table = started(terms_of("house", "101", seats=3), DealScript(hands=hands, wild="AD", open="KC", stock="QS"))
    table.draw("stock")
    table.show("3H 4H 5H 6H / 6C 7C 8C / 9S 9D 9C / QD QC QS", "2D")
    for seat in (2, 3):
        table.declare(seat, " ".join(table.hand(seat)))
    table.judge()
    return tuple(table.log)


def summed_deal(log, *faces):
    """The sums of one deal, and who sat where."""
    sums = PairSums()
    fold(sums, log, *faces)
    return sums, {event.seat: event.player for event in log if isinstance(event, SeatTaken)}


@pytest.fixture
def counted():
    """What the deal gives, by giver and taker seat: hits and chances of a signal in all strata."""
    sums, players = summed_deal(one_deal())

    def of(giver: int, taker: int, signal: str) -> tuple[int, int]:
        tallies = sums.direction(players[giver], players[taker]).tallies
        found = [tally for key, tally in tallies.items() if key.partition("/")[0] == signal]
        return sum(tally.k for tally in found), sum(tally.n for tally in found)

    return of


def test_a_discard_that_fits_the_next_seat_and_is_taken_is_counted_as_such(counted) -> None:
    assert counted(1, 2, "fitted") == (1, 3)
    assert counted(1, 2, "took") == (1, 3)
    assert counted(2, 1, "took") == (0, 1), "the two that seat 3 left lying was seat 2's"


def test_a_discard_is_counted_for_who_draws_next_and_for_nobody_else(counted) -> None:
    assert counted(1, 3, "took") == (0, 0)
    assert counted(3, 1, "took") == (0, 1)


def test_whoever_lays_off_with_a_hand_that_can_be_shown_spares_all_who_are_in(counted) -> None:
    assert counted(2, 1, "held-back") == (1, 1)
    assert counted(2, 3, "held-back") == (1, 1)
    assert counted(1, 2, "held-back") == (0, 0), "seat 1 had nothing to show"


def test_a_show_that_is_taken_at_once_is_a_chance_to_hold_it_back_that_was_not_used() -> None:
    sums, players = summed_deal(shown_at_once())

    tallies = sums.direction(players[1], players[2]).tallies
    assert tallies["held-back/"] == Tally(1, 0)
    assert "held-back/" not in sums.direction(players[1], players[3]).tallies, "seat 3 is close to a show itself"


def test_a_middle_drop_counts_for_who_wins_the_deal_if_its_hand_is_close_to_a_show(counted) -> None:
    assert counted(3, 2, "left-in-time") == (1, 1)
    assert counted(1, 2, "left-in-time") == (0, 2), "two turns on which seat 1 played on"
    assert counted(3, 1, "left-in-time") == (0, 0)


def test_a_first_turn_beside_a_hand_close_to_its_show_is_a_chance_to_stand_aside(counted) -> None:
    assert counted(1, 2, "stood-aside") == (0, 1)
    assert counted(3, 2, "stood-aside") == (0, 1)
    assert counted(1, 3, "stood-aside") == (0, 0)


def test_a_discard_is_fed_only_where_the_giver_had_a_choice(counted) -> None:
    sums, players = summed_deal(one_deal())

    tallies = sums.direction(players[1], players[2]).tallies
    assert {key: (tally.k, tally.n) for key, tally in tallies.items() if key.startswith("fitted")} == {
        "fitted/2": (0, 1),
        "fitted/3": (1, 2),
    }, "by how many of the giver's cards fitted"
    assert counted(2, 3, "fitted") == (0, 0), "seat 3 dropped: its hand is not known"


def test_the_winner_is_known_but_for_the_card_with_which_it_finished() -> None:
    log = DealLog(number=1, wild="A", seats=(1, 2), begins=1)
    log.faces = {at: Card("KS") for at in range(12)}

    assert log.known(tuple(range(13))) is None
    assert log.known(tuple(range(13)), but=1) == (Card("KS"),) * 12
    assert log.known(tuple(range(14)), but=1) is None


def test_a_hand_that_stays_closed_is_known_to_the_auditor_alone(counted) -> None:
    assert counted(3, 1, "held-back") == (0, 0), "seat 3 dropped: nobody sees what it kept"

    def taken(*faces) -> set[str]:
        sums, players = summed_deal(one_deal(), *faces)
        return {key for key in sums.direction(players[2], players[3]).tallies if key.startswith("took")}

    assert taken() == {"took/unknown"}
    assert taken(lambda _deal, _where: Card("KS")) == {"took/other"}


def test_a_void_or_unfinished_deal_counts_for_nobody() -> None:
    sums = PairSums()
    fold(sums, [event for event in one_deal() if not isinstance(event, DealScored)])

    assert sums.deals == 0
    assert not sums.pairs


# -- how it is weighed


def tallies_of(rates, n=200):
    return [Tally(n, round(rate * n)) for rate in rates]


def test_the_more_players_differ_the_less_everybody_says_about_one_of_them() -> None:
    alike, differing = tallies_of([0.19, 0.2, 0.21] * 5), tallies_of([0.05, 0.2, 0.35] * 5)

    assert likeness(alike) == PRIOR_MAX
    assert PRIOR_MIN <= likeness(differing) < PRIOR
    assert likeness(tallies_of([0.05, 0.2, 0.35])) == PRIOR, "three players say nothing about that"
    assert likeness(tallies_of([0.0] * 15)) == PRIOR


def held_back(known: int):
    """Everybody holds back one of ten shows, known from so many; of those beside b, a holds back two of six."""
    sums = PairSums()
    for at in range(12):
        count_of(sums.person(f"other {at}").gives, known, known // 10)
    count_of(sums.person("a").gives, known + 6, known // 10 + 2)
    count_of(sums.direction("a", "b").tallies, 6, 2)
    sums.person("b")
    return scored(sums.direction("a", "b"), Habits(sums), giver="a", taker="b")[0]


def count_of(tallies, n: int, k: int) -> None:
    tallies["held-back/"] = Tally(n, k)


def test_the_same_counts_say_less_where_the_habit_is_known_from_few_chances() -> None:
    sure, unsure = held_back(1000), held_back(10)

    assert (sure.n, sure.k) == (unsure.n, unsure.k) == (6, 2)
    assert sure.z_milli > unsure.z_milli > 0
    assert sure.score_milli > unsure.score_milli > 0


def test_one_kind_of_evidence_in_one_direction_marks_nobody() -> None:
    sums = PairSums()
    count_of(sums.person("a").gives, 1000, 100)
    count_of(sums.direction("a", "b").tallies, 90, 90)
    sums.person("b")

    found = scored(sums.direction("a", "b"), Habits(sums), giver="a", taker="b")

    assert [one.score_milli for one in found] == [round(1000 * MOST)]
    assert 1000 * MOST < LOOK_MILLI
