"""The read models are pure functions of a log: what each shows, and what none of them may show."""

from itertools import pairwise

import msgspec
import pytest

from poolrummy.projector import board as boards
from poolrummy.projector import views
from poolrummy.projector.board import Board
from poolrummy.projector.lobby import lobby_entry
from poolrummy.projector.score_sheet import score_sheet
from poolrummy.projector.standings_view import StandingsView, standings_view
from poolrummy.projector.table_view import table_view
from poolrummy.testing.matches import terms_of
from poolrummy.testing.tables import TestTable, started
from poolrummy_contracts import commands as c
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat

from .played_logs import Log, dull, eventful, in_a_deal, seating, six_seats_two_back


def folded(log: Log) -> Board:
    board: Board | None = None
    for event in log:
        board = boards.evolve(board, event)
    assert board is not None
    return board


def up_to(log: Log, kind: type[e.TableEvent], number: int = 1) -> Board:
    """The board after so many events of this type."""
    places = [place for place, event in enumerate(log, start=1) if isinstance(event, kind)]
    return folded(log[: places[number - 1]])


def totals(standings: StandingsView) -> dict[int, int]:
    return {one.seat: one.total for one in standings.seats}


# -- standings


@pytest.mark.rule("9.3")
@pytest.mark.rule("9.4")
def test_headroom_is_what_a_seat_can_still_take_and_be_in() -> None:
    standings = standings_view(up_to(eventful(), e.DealScored))

    assert [(one.seat, one.total, one.headroom, one.drops_left) for one in standings.seats] == [
        (1, 0, 100, 5),
        (2, 16, 84, 4),
        (3, 80, 20, 1),
    ]


@pytest.mark.rule("10.4")
def test_two_seats_that_come_back_in_one_break_both_stand_in_the_prize_pool() -> None:
    """Case F42: 8 entries of 100; the highest survivor has 45, one is back on 46 and the other on 47."""
    offered = standings_view(up_to(six_seats_two_back(), e.RejoinOffered))
    after_one = standings_view(up_to(six_seats_two_back(), e.RejoinGranted))
    after_both = standings_view(up_to(six_seats_two_back(), e.RejoinGranted, 2))

    assert offered.prize_pool == 600
    assert {one.seat: one.rejoin.score for one in offered.seats if one.rejoin} == {3: 46, 4: 46}
    assert after_one.prize_pool == 700
    assert {one.seat: one.rejoin.score for one in after_one.seats if one.rejoin} == {4: 47}
    assert after_both.prize_pool == 800
    assert totals(after_both) == {1: 45, 2: 40, 3: 46, 4: 47, 5: 30, 6: 5}


@pytest.mark.rule("11.1")
def test_the_prize_pool_does_not_shrink_when_somebody_leaves() -> None:
    """Case F47: 6 entries of 50, one leaves in deal 2."""
    table = started(terms_of("house", "101", seats=6, entry_fee=50))
    while table.table.deal_number == 1:
        table.drop()
    table.leave(4)

    standings = standings_view(folded(tuple(table.log)))

    assert standings.prize_pool == 300
    assert next(one for one in standings.seats if one.seat == 4).state == "left"
    assert next(one for one in standings.seats if one.seat == 4).headroom == 0


def test_standings_end_with_places_prizes_and_who_has_won() -> None:
    standings = standings_view(folded(eventful()))

    winners = [one for one in standings.seats if one.state == "won"]
    assert standings.state == "ended"
    assert len(winners) == 1
    assert winners[0].place == 1
    assert sum(one.prize or 0 for one in standings.seats) == standings.prize_pool == 4 * 2250


def test_whoever_shares_a_split_has_won() -> None:
    table = two_left_and_splitting()

    standings = standings_view(folded(tuple(table.log)))

    assert standings.how == "split"
    assert {one.seat for one in standings.seats if one.state == "won"} == {1, 2}
    assert sum(one.prize or 0 for one in standings.seats) == standings.prize_pool


def test_an_eliminated_seat_has_no_headroom_and_no_drop() -> None:
    standings = standings_view(up_to(eventful(), e.SeatEliminated))

    out = next(one for one in standings.seats if one.state == "eliminated")
    assert (out.headroom, out.drops_left) == (0, 0)


# -- the table


def test_a_gateway_sees_who_is_on_turn_until_when_and_with_which_bank() -> None:
    view = table_view(up_to(eventful(), e.TurnStarted))

    assert view.deal is not None
    assert view.clock is not None
    assert (view.phase, view.deal.on_turn, view.deal.turn) == ("turn", 1, 1)
    assert (view.clock.what, view.clock.ends_at - view.at, view.clock.bank_ms) == ("turn", 30_000, 40_000)


def test_open_pile_stock_and_hands_are_counted_as_they_lie() -> None:
    view = table_view(folded(in_a_deal()))

    assert view.deal is not None
    on_turn = view.deal.on_turn
    cards = {one.seat: one.deal.cards for one in view.seats if one.deal}
    assert cards[on_turn] == 14
    assert view.deal.drawn == "open"
    assert view.deal.pile_size == len(view.deal.pile)
    in_play = sum(cards.values()) + view.deal.pile_size + view.deal.stock_size + 1
    assert in_play == 106
    assert [one.deal.standing for one in view.seats if one.deal] == ["playing", "playing", "playing", "dropped"]


def test_a_wrong_show_stands_at_its_seat_and_as_the_last_show() -> None:
    view = table_view(up_to(eventful(), e.ShowJudged, 2))

    assert view.last_show is not None
    assert (view.last_show.valid, view.last_show.reason, view.last_show.points) == (False, "invalid_group", 80)
    wrong = next(one for one in view.seats if one.seat == 3)
    assert wrong.deal is not None
    assert (wrong.deal.standing, wrong.deal.points) == ("wrong-show", 80)


def test_a_split_shows_its_shares_and_who_has_accepted() -> None:
    view = table_view(up_to(tuple(two_left_and_splitting().log), e.SplitAsked))

    assert view.split is not None
    assert view.split.asker == view.split.accepted[0]
    assert sum(share.amount for share in view.split.shares) == 2 * 2500


def test_a_frozen_table_says_so() -> None:
    assert table_view(up_to(eventful(), e.TableFrozen)).frozen
    assert not table_view(up_to(eventful(), e.TableUnfrozen)).frozen
    assert lobby_entry(up_to(eventful(), e.TableFrozen)).state == "frozen"


@pytest.mark.parametrize("log", [eventful(), in_a_deal(), dull(), six_seats_two_back()])
def test_no_view_names_a_card_that_the_log_has_not_laid_open(log: Log) -> None:
    seen: set[str] = set()
    board: Board | None = None
    for event in log:
        board = boards.evolve(board, event)
        seen |= positions_with_faces(msgspec.to_builtins(event))
        for value in views.values(board).values():
            assert positions_with_faces(msgspec.json.decode(value)) <= seen
            assert b'"hand"' not in value
            assert b'"stock":[' not in value


def positions_with_faces(value: object) -> set[str]:
    """Every place of the pack that stands beside a face."""
    match value:
        case {"card": str(card), "position": str(where)}:
            return {f"{where}={card}"}
        case dict():
            return set().union(*(positions_with_faces(inner) for inner in value.values()))
        case list() | tuple():
            return set().union(*(positions_with_faces(inner) for inner in value))
        case _:
            return set()


# -- score sheet


def test_board_projection_and_record_tell_the_same_points() -> None:
    """Case F33: one event carries the points, and all three read it."""
    log = eventful()
    sheet = score_sheet(folded(log))
    recorded = [event for event in log if isinstance(event, e.DealScored)]

    assert [row.scores for row in sheet.deals if row.how != "void"] == [event.scores for event in recorded]
    for number, event in enumerate(recorded, start=1):
        board = up_to(log, e.DealScored, number)
        on_the_table = {one.seat: one.total for one in table_view(board).seats}
        settled = {score.seat: score.total for score in event.scores}
        assert settled.items() <= totals(standings_view(board)).items()
        assert settled.items() <= on_the_table.items()


def test_every_total_is_the_one_before_plus_the_points_or_what_a_rejoin_gave() -> None:
    rows = score_sheet(folded(eventful())).deals
    before = {Seat(seat): 0 for seat in (1, 2, 3)}
    for row, after in pairwise([*rows, rows[-1]]):
        for score in row.scores:
            assert score.total == before[score.seat] + score.points
            before[score.seat] = score.total
        for back in row.rejoins:
            before[back.seat] = back.score
        assert after.deal >= row.deal


def test_a_void_deal_is_a_line_without_scores() -> None:
    void = [row for row in score_sheet(folded(eventful())).deals if row.how == "void"]

    assert [(row.deal, row.winner, row.scores, row.reason) for row in void] == [(3, None, (), "a complaint")]


def test_a_rejoin_stands_in_the_line_of_the_deal_before_it() -> None:
    row = score_sheet(folded(eventful())).deals[1]

    assert row.eliminated == (3,)
    assert [(back.seat, back.score, back.price) for back in row.rejoins] == [(3, 21, 2500)]


# -- lobby


def test_the_lobby_says_who_can_still_sit_down_and_until_when() -> None:
    entry = lobby_entry(folded(seating()))

    assert (entry.state, entry.taken, entry.seats, entry.variant) == ("starting", 2, 6, "201")
    assert entry.waits_until is not None
    assert entry.started_at is None


def two_left_and_splitting() -> TestTable:
    """Two of two seats ask for a split and agree."""
    table = started(terms_of("house", "101", seats=2, split_min_started=2))
    while table.table.phase == "turn":
        table.drop()
    assert table.table.phase == "splitting", table.table.phase
    asker, other = 1, 2
    table.do(c.AskSplit(**table.who(asker), window=table.table.windows))
    table.do(c.VoteSplit(**table.who(other), window=table.table.windows, accept=True))
    assert table.table.closed
    return table


@pytest.mark.rule("13.1")
def test_who_leaves_during_a_deal_stands_in_its_line_and_who_leaves_between_deals_in_the_line_before() -> None:
    table = started(terms_of("house", "101", seats=4), totals=(10, 20, 30, 90))
    table.leave(2)
    while table.table.phase == "turn":
        table.drop()
    assert table.table.phase == "rejoining"
    table.leave(3)

    first, second = score_sheet(folded(tuple(table.log))).deals

    assert {score.seat: score.reason for score in first.scores}[Seat(2)] == "left"
    assert (first.left, first.eliminated) == ((), ())
    assert (second.left, second.eliminated) == ((3,), (4,))
