"""The live board of a run: tables, seats, headroom, pace and lag, made for a plain terminal of 80 by 24."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.text import Text

from poolrummy.commands.run_lag import Lag
from poolrummy.commands.run_news import number
from poolrummy.rules.standings import SeatStanding, headroom
from poolrummy.rules.state import Table
from poolrummy.simulator.names import short
from poolrummy_contracts.cards import PRINTED_JOKER
from poolrummy_contracts.terms import Seat

HEAD_LINES: Final = 4
NEWS_LINES: Final = 4
BAR_CELLS: Final = 8
SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
LEVELS: Final = "▁▂▃▄▅▆▇█"
PHASES: Final = {
    "seating": "seats are taken",
    "starting": "about to start",
    "finishing": "lays out a show",
    "judging": "the show is judged",
    "declaring": "hands are laid out",
    "counting": "hands are counted",
    "rejoining": "who comes back?",
    "splitting": "a split?",
    "voting": "a split is voted on",
    "between": "between deals",
    "ended": "the match is over",
    "voided": "void",
    "closed": "closed",
}


class Scene(Struct, frozen=True, kw_only=True):
    """All that the board shows at one moment."""

    title: str
    elapsed_ms: int
    pools: str
    deals: int
    deals_per_minute: float
    moves: int
    moves_per_second: float
    answer_ms: int
    slow_answer_ms: int
    lag: Lag
    processes: tuple[tuple[str, bool], ...]
    tables: tuple[Table, ...]
    news: tuple[str, ...]
    results: tuple[str, ...] = ()
    """Pools that are over, the last one first: they fill what the tables leave free."""


def drawn(scene: Scene, *, width: int, height: int) -> RenderableType:
    """The board for a terminal of this size; it never needs more lines than there are."""
    room = max(height - HEAD_LINES - NEWS_LINES - 1, 3)
    rows = list(_tables(scene.tables, width=width, room=room))
    rows += list(_results(scene.results, width=width, room=room - len(rows)))
    filler = [Text("")] * (room - len(rows))
    news = [Text(f" {line}"[:width], style="dim") for line in scene.news[-(NEWS_LINES - 1) :]]
    news += [Text("")] * (NEWS_LINES - 1 - len(news))
    return Group(*_head(scene, width), *rows, *filler, _rule(width), *news)


def _head(scene: Scene, width: int) -> Iterator[Text]:
    minutes, seconds = divmod(scene.elapsed_ms // 1000, 60)
    clock = f"{minutes:02d}:{seconds:02d} "
    title = Text(" ")
    title.append("♠", "bold").append("♥", "bold red").append("♦", "bold red").append("♣ ", "bold")
    title.append("poolrummy  ", "bold").append(scene.title)
    title.append(" " * max(width - title.cell_len - len(clock), 1)).append(clock, "bold cyan")
    yield title
    yield _figures(
        ("pools", scene.pools, ""),
        ("deals", f"{scene.deals:,}", f"{scene.deals_per_minute:.0f}/min"),
        ("moves", f"{scene.moves:,}", f"{scene.moves_per_second:.0f}/s"),
        ("answer", f"{scene.answer_ms} ms", f"slow {scene.slow_answer_ms}"),
    )
    lag = scene.lag
    parts = Text(" lag", "dim")
    behind = {
        "dealer": f"{lag.dealer_ms} ms",
        "validator": str(lag.validator),
        "projector": str(lag.projector),
        "notary": str(lag.notary),
    }
    for role, runs in scene.processes:
        parts.append("  ● " if runs else "  ○ ", "green" if runs else "bold red")
        parts.append(f"{role} ", "not dim").append(behind.get(role, "0"), "dim")
    parts.truncate(width, overflow="ellipsis")
    yield parts
    yield _rule(width)


def _figures(*figures: tuple[str, str, str]) -> Text:
    line = Text(" ")
    for name, value, pace in figures:
        line.append(f"{name} ", "dim").append(value, "bold")
        line.append(f" ({pace})" if pace else "", "dim").append("   ")
    return line


def _rule(width: int) -> Text:
    return Text("─" * width, style="dim")


def _tables(tables: Sequence[Table], *, width: int, room: int) -> Iterator[Text]:
    """As much of each table as there is room for: with air, without, or one line each."""
    lines = [list(_table(table, width)) for table in tables]
    needed = sum(map(len, lines))
    if needed + len(tables) - 1 <= room:
        for place, block in enumerate(lines):
            yield from block
            if place < len(lines) - 1:
                yield Text("")
    elif needed <= room:
        yield from (line for block in lines for line in block)
    else:
        shown = tables if len(tables) <= room else tables[: room - 1]
        yield from (_one_line(table, width) for table in shown)
        if len(shown) < len(tables):
            yield Text(f" and {len(tables) - len(shown)} tables more", style="dim")


def _results(results: Sequence[str], *, width: int, room: int) -> Iterator[Text]:
    """As many of the last results as there is room for, below an empty line."""
    if results and room > 1:
        yield Text("")
        for line in results[: room - 1]:
            yield Text(" ✓ ", "green").append(line[: width - 4], "dim")


def _table(table: Table, width: int) -> Iterator[Text]:
    yield _headline(table, width)
    across = 3 if width >= 78 else 2
    cells = [_cell(table, seat, (width - 2) // across) for seat in _seats(table)]
    for start in range(0, len(cells), across):
        yield Text(" ").append_text(Text("").join(cells[start : start + across]))


def _headline(table: Table, width: int) -> Text:
    line = Text(" ")
    line.append(number(table.id), "bold cyan")
    if table.deal_number:
        line.append(f"  deal {table.deal_number}", "bold")
    deal = table.deal
    if deal is not None and table.phase == "turn":
        line.append(f"  turn {deal.turn}")
    elif table.phase in PHASES:
        line.append(f"  {PHASES[table.phase]}", "italic")
    right = Text("")
    if deal is not None:
        if deal.pile:
            right.append("open ", "dim").append_text(_face(deal.pile[-1].card)).append("  ")
        right.append("wild ", "dim").append(deal.wild_rank, "bold magenta")
        right.append("  stock ", "dim").append(f"{len(deal.stock):>2}")
    elif table.standings is not None:
        right.append("prize ", "dim").append(f"{table.standings.prize_pool / 100:,.2f}", "bold")
    line.append(" " * max(width - line.cell_len - right.cell_len - 1, 1)).append_text(right)
    return line


def _cell(table: Table, seat: Seat, width: int) -> Text:
    chair, standing = table.chair(seat), _standing(table, seat)
    on_turn = table.deal is not None and seat in (table.deal.on_turn, table.deal.finisher)
    cell = Text("").append("▸" if on_turn else " ", "bold yellow")
    name = "·" if chair is None else short(chair.player)
    note, look = _state(table, seat, standing)
    cell.append(f"{name[:6]:<6} ", "bold" if on_turn else look)
    if standing is None:
        cell.append("waiting" if chair is None else "ready", "dim")
    elif standing.state != "playing":
        cell.append(f"{note:<{BAR_CELLS}} {standing.total:>3}", "dim strike" if standing.state == "left" else "dim")
    else:
        cell.append_text(_bar(table, standing)).append(f" {standing.total:>3}", look).append(f" {note}", "dim")
    cell.truncate(width)
    cell.pad_right(width - cell.cell_len)
    return cell


def _bar(table: Table, standing: SeatStanding) -> Text:
    """Points left before elimination: a full bar is a seat without points."""
    left, whole = _headroom(table, standing)
    eighths = max(left * BAR_CELLS * 8 // whole, min(left, 1))
    full, rest = divmod(eighths, 8)
    bar = "█" * full + (EIGHTHS[rest] if rest else "")
    return Text(f"{bar:<{BAR_CELLS}}", f"{_colour(left, whole)} on grey15")


def _one_line(table: Table, width: int) -> Text:
    line = Text(" ")
    line.append(number(table.id), "bold cyan").append(f" d{table.deal_number:<2}")
    line.append(f"t{table.deal.turn:<3}" if table.deal is not None else "    ", "dim")
    for seat in _seats(table):
        standing, chair = _standing(table, seat), table.chair(seat)
        on_turn = table.deal is not None and table.deal.on_turn == seat
        name = "·" if chair is None else short(chair.player)
        line.append("▸" if on_turn else " ", "bold yellow").append(f"{name[:5]:<5}", "bold" if on_turn else "")
        if standing is None or standing.state != "playing":
            line.append("     " if standing is None else "  out", "dim")
            continue
        left, whole = _headroom(table, standing)
        line.append(LEVELS[min(left * 8 // whole, 7)], _colour(left, whole)).append(f"{standing.total:>3} ")
    line.truncate(width)
    return line


def _state(table: Table, seat: Seat, standing: SeatStanding | None) -> tuple[str, str]:
    """A word for the state of a seat, and how its name looks."""
    chair, mine = table.chair(seat), None if table.deal is None else table.deal.of(seat)
    if standing is not None and standing.state == "left":
        return "left", "dim"
    if standing is not None and standing.state == "eliminated":
        return "out", "dim"
    if mine is not None and mine.standing != "playing":
        return ("drop" if mine.standing == "dropped" else "bad"), "dim"
    if chair is not None and chair.away:
        return "away", "dim italic"
    if table.deal is not None and table.deal.winner == seat:
        return "won", "bold green"
    return "", ""


def _face(card: str) -> Text:
    if card == PRINTED_JOKER:
        return Text("JK", "bold magenta")
    return Text(card[0].replace("T", "10") + SUITS[card[1]], "bold red" if card[1] in "HD" else "bold")


def _seats(table: Table) -> Iterable[Seat]:
    return map(Seat, range(1, table.terms.seats + 1))


def _standing(table: Table, seat: Seat) -> SeatStanding | None:
    seats = () if table.standings is None else table.standings.seats
    return next((one for one in seats if one.seat == seat), None)


def _headroom(table: Table, standing: SeatStanding) -> tuple[int, int]:
    """Points left, and what a seat without points has left; best of 3 knows no limit, so a bar of 240 stands in."""
    terms = table.terms
    left, whole = headroom(standing.total, terms), headroom(0, terms)
    if left is None or whole is None:
        return max(240 - standing.total, 0), 240
    return left, max(whole, 1)


def _colour(left: int, whole: int) -> str:
    return "green" if left * 2 > whole else "yellow" if left * 5 > whole else "red"
