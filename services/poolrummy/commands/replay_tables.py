"""How a replay looks in a terminal: steps, refused commands, standings."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from rich.table import Table
from rich.text import Text

from poolrummy.audit.dossier.names import visible
from poolrummy.audit.story import Step
from poolrummy.audit.wording import money
from poolrummy.projector.standings_view import SeatStands, StandingsView
from poolrummy_contracts.replies import CommandRefused

WIDE_COLUMNS: Final = 110
RED_SUITS: Final = "♥♦"
BAR_WIDTH: Final = 12
_ACTORS: Final = {"player": "", "timer": "yellow", "system": "dim", "operator": "magenta"}
_STATES: Final = {"won": "bold green", "eliminated": "red", "left": "red", "lost": "dim"}


def story_table(steps: Sequence[Step], *, wide: bool = True) -> Table:
    """The steps, one a row, with an empty row between deals; a narrow one names seats by number only."""
    table = Table("v", "time", "seat", "by", "what happened", "cards", "rule", box=None, pad_edge=False)
    table.columns[0].justify = table.columns[5].justify = "right"
    for column in (0, 1, 2, 3, 5, 6):
        table.columns[column].no_wrap = True
    before: Step | None = None
    for step in steps:
        if before is not None and before.deal != step.deal:
            table.add_row()
        who = "" if step.seat is None else f"{step.seat} {step.player or ''}".strip() if wide else str(step.seat)
        table.add_row(
            str(step.v),
            clock(step.at) if wide else clock(step.at)[:8],
            Text(visible(who)),
            Text(step.actor, _ACTORS[step.actor]),
            suited(step.text),
            "" if step.cards_left is None else str(step.cards_left),
            step.rule,
        )
        before = step
    return table


def refused_table(refused: Sequence[CommandRefused]) -> Table:
    """What was asked and refused: it stands in no log, since it changed nothing."""
    table = Table("at v", "command", "refused", "because", box=None, pad_edge=False, title="Refused commands")
    table.title_justify = "left"
    for one in refused:
        table.add_row(str(one.v), Text(visible(one.command)), Text(str(one.code)), Text(visible(one.sentence)))
    return table


def standings_table(standings: StandingsView, *, wide: bool = True) -> Table:
    """The standings after the last event; a narrow table leaves the bars out."""
    pool = money(standings.prize_pool, standings.currency)
    title = f"{standings.table}: {standings.variant}, deal {standings.deal}, prize pool {pool}"
    ending = "" if standings.how is None else f", {standings.state} ({standings.how})"
    heads = ["seat", "player", "total", "headroom", "drops left", "rejoins", "state", "prize"]
    table = Table(*heads, box=None, title=title + ending, title_justify="left", pad_edge=False)
    for column in (2, 3, 4, 5, 7):
        table.columns[column].justify = "right"
    for one in sorted(standings.seats, key=_rank):
        room = Text("" if one.headroom is None else f"{one.headroom:>3}")
        if wide:
            room.append(" ").append_text(headroom_bar(one, standings))
        state = f"{one.place}. {one.state}" if one.place else one.state
        table.add_row(
            str(one.seat),
            Text(visible(one.player) + (" (robot)" if wide and one.kind == "robot" else ""), no_wrap=True),
            str(one.total),
            room,
            str(one.drops_left),
            str(one.rejoins),
            Text(state, _STATES.get(one.state, ""), no_wrap=True),
            "" if one.prize is None else money(one.prize, ""),
        )
    return table


def headroom_bar(one: SeatStands, standings: StandingsView) -> Text:
    """How much room is left before the limit."""
    if one.headroom is None or not isinstance(standings.limit, int):
        return Text("")
    full = min(BAR_WIDTH, -(-one.headroom * BAR_WIDTH // standings.limit))
    colour = "green" if full > BAR_WIDTH // 2 else "yellow" if full > BAR_WIDTH // 5 else "red"
    return Text("█" * full, colour).append("·" * (BAR_WIDTH - full), "dim")


def clock(at_ms: int) -> str:
    """The time of day, UTC, to the millisecond.

    >>> clock(1_764_450_000_123)
    '21:00:00.123'
    """
    return datetime.fromtimestamp(at_ms // 1000, UTC).strftime("%H:%M:%S") + f".{at_ms % 1000:03d}"


def suited(text: str) -> Text:
    """A sentence with its hearts and diamonds in red, and nothing in it that steers a terminal."""
    text = visible(text)
    styled = Text(text)
    for place, letter in enumerate(text):
        if letter in RED_SUITS:
            start = text.rfind(" ", 0, place) + 1
            styled.stylize("red", start, place + 1)
    return styled


def _rank(one: SeatStands) -> tuple[int, int, int]:
    return (one.place or 99, one.total, one.seat)
