"""The board of a run fits the terminal, however many tables there are, and shows what a person looks for."""

import io
from collections.abc import Sequence

import pytest
from rich.console import Console

from poolrummy.commands.board import Scene, drawn
from poolrummy.commands.run_lag import Lag
from poolrummy.rules.state import Table
from poolrummy.testing.matches import terms_of
from poolrummy_contracts.terms import Seat

from .robots_at_a_table import RobotTable


def table_after(deals: int, *, seats: int = 6, variant: str = "101", seed: str = "1") -> Table:
    table = RobotTable(terms_of(variant=variant, seats=seats), seed=seed)
    table.play(until=lambda: table.table.table.deal_number > deals and table.table.table.phase == "turn")
    return table.table.table


SMALL_LAG = Lag(dealer_ms=12, validator=3, projector=14, notary=7)
LARGE_LAG = Lag(dealer_ms=12_345, validator=23_456, projector=34_567, notary=45_678)


def lines_of(
    tables: Sequence[Table],
    *,
    width: int = 80,
    height: int = 24,
    results: tuple[str, ...] = (),
    lag: Lag = SMALL_LAG,
) -> list[str]:
    scene = Scene(
        title="101 · house · tables",
        elapsed_ms=83_000,
        pools="1/4",
        deals=1234,
        deals_per_minute=999.4,
        moves=1_234_567,
        moves_per_second=1234.5,
        answer_ms=12,
        slow_answer_ms=345,
        lag=lag,
        processes=(("dealer", True), ("validator", False), ("projector", True), ("notary", True)),
        tables=tuple(tables),
        news=("0001  hari shows and wins deal 3", "0002  om is out with 104"),
        results=results,
    )
    out = io.StringIO()
    Console(file=out, width=width, height=height).print(drawn(scene, width=width, height=height))
    return out.getvalue().splitlines()


@pytest.mark.parametrize("count", [0, 1, 4, 5, 12, 18, 50])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 16), (132, 50)])
def test_the_board_never_needs_more_lines_or_columns_than_there_are(count: int, width: int, height: int) -> None:
    lines = lines_of([table_after(2)] * count, width=width, height=height, results=("0001  3 deals: hari",) * 30)

    assert len(lines) <= height
    assert max(map(len, lines)) <= width


def test_a_table_shows_deal_turn_cards_seats_totals_and_headroom() -> None:
    table = table_after(2)

    shown = "\n".join(lines_of([table]))

    assert f"deal {table.deal_number}" in shown
    assert "wild" in shown
    assert "█" in shown
    assert table.standings is not None
    assert all(f"{one.total:>4}" in shown for one in table.standings.seats)


def test_a_seat_that_is_out_has_no_bar() -> None:
    table = RobotTable(terms_of(variant="51", seats=6), seed="3")
    table.play(until=lambda: "eliminated" in table.table.states().values() if table.table.table.started else False)

    out = [seat for seat, state in table.table.states().items() if state == "eliminated"]
    shown = "\n".join(lines_of([table.table.table]))

    assert shown.count(" out ") >= len(out)


def test_fifty_tables_show_as_many_as_fit_and_say_how_many_there_are_more() -> None:
    lines = lines_of([table_after(1)] * 50)

    assert any("tables more" in line for line in lines)


def test_a_process_that_is_away_is_seen_and_how_far_each_is_behind() -> None:
    (line,) = [line for line in lines_of([]) if "dealer" in line]

    assert line.rstrip() == " lag  ● dealer 12 ms  ○ validator 3  ● projector 14  ● notary 7"


@pytest.mark.parametrize("width", [60, 80])
def test_however_far_they_are_behind_the_line_of_the_processes_is_one_line(width: int) -> None:
    (line,) = [line for line in lines_of([], width=width, lag=LARGE_LAG) if "dealer" in line]

    assert len(line) <= width
    assert width < 80 or line.rstrip().endswith("notary 45678")


def test_best_of_three_has_bars_although_it_has_no_limit() -> None:
    table = table_after(1, seats=2, variant="best_of_3")

    assert table.chair(Seat(1)) is not None
    assert "█" in "\n".join(lines_of([table]))
