"""The end of the match: places, and who is owed which prize (rules 12.1 to 12.4)."""

from typing import Final

from poolrummy.rules import prizes, seeds
from poolrummy.rules.recorder import Recorder
from poolrummy_contracts.commands import SplitAmount
from poolrummy_contracts.events import MatchEnd, MatchEnded, TableClosed

_RULES: Final[dict[MatchEnd, str]] = {
    "last-seat": "12.1",
    "deals": "12.2",
    "lead": "12.3",
    "split": "11.5",
    "auto-split": "11.8",
}


def end(rec: Recorder, how: MatchEnd, amounts: tuple[SplitAmount, ...] = ()) -> None:
    """The match is decided."""
    places, owed = prizes.places_and_prizes(rec.standings, how, amounts)
    rec.record(MatchEnded(**rec.follow(_RULES[how]), how=how, places=places, obligations=owed))


def close(rec: Recorder) -> None:
    """All promises are accounted for; then the last event of a table."""
    seeds.close_batches(rec)
    rec.record(TableClosed(**rec.follow("13.3" if rec.table.phase == "voided" else "12.1")))
