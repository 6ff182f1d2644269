"""How a ranking of pairs looks in a terminal: what it is first, then the pairs, then where to look."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from poolrummy.audit.dossier.names import visible
from poolrummy.audit.pairs.ranking import Link, OneWay, Pair, Ranking
from poolrummy.audit.pairs.reading import Skipped
from poolrummy.audit.pairs.signals import BY_NAME
from poolrummy.audit.pairs.telling import thousandths, told_by, told_of

SKIPPED_MAX: Final = 5


def show(console: Console, ranking: Ranking, compared: int, skipped: Sequence[Skipped]) -> None:
    """The ranking, with a warning in front of it and the innocent reasons behind it."""
    console.print(Panel(Text(ranking.verdict, "bold yellow"), title="evidence, not a verdict", expand=False))
    _told(
        console,
        f"{ranking.tables:,} tables, {ranking.deals:,} deals, {ranking.players:,} players; "
        f"{compared:,} pairs with {ranking.deals_min} common deals or more, {len(ranking.pairs)} shown",
    )
    for one in skipped[:SKIPPED_MAX]:
        console.print(Text(f"not counted: {one.source}: {one.why}", "yellow"))
    if len(skipped) > SKIPPED_MAX:
        _told(console, f"and {len(skipped) - SKIPPED_MAX} more that were not counted; --json names them")
    if not ranking.pairs:
        _told(console, "no pair met often enough; lower --min-deals, or read more tables")
        return
    marked = [pair for pair in ranking.pairs if pair.look]
    for pair in marked:
        _pair(console, pair)
    _unmarked(console, ranking, len(marked), compared)
    told = told_of(marked)
    if told:
        _told(console, "\ninnocent reasons for what is marked:")
    for name in told:
        _told(console, f"{name}: {BY_NAME[name].hit}. It may be that: {BY_NAME[name].innocent}.", 2)


def _pair(console: Console, pair: Pair) -> None:
    console.print()
    console.print(Text(f"◆ {pair.rank}  {_both(pair)}   score {thousandths(pair.score_milli)}", "bold"))
    by_chance = thousandths(pair.matches_expected_milli, 1)
    _told(console, f"{pair.deals} common deals, {pair.matches} common matches ({by_chance} by chance)", 5)
    for way in pair.ways:
        _way(console, way)
    _told(console, "look at", 5)
    for link in pair.links:
        _told(console, _link(link), 7)


def _way(console: Console, way: OneWay) -> None:
    telling = told_by(way)
    if not telling:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(Text(f"{visible(way.giver)} → {visible(way.taker)}"), min_width=30)
    for name in ("hits of chances", "expected", "z"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in telling:
        hits, expected = f"{one.k} of {one.n}", thousandths(one.expected_milli, 1)
        table.add_row(f"  {one.signal}", hits, expected, thousandths(one.z_milli, 1))
    console.print(Padding(table, (0, 0, 0, 5)))
    if way.flowed > way.flowed_expected:
        paid = f"of {way.stake:,} paid for common matches {way.flowed:,} went over, {way.flowed_expected:,} expected"
        _told(console, f"{paid} (minor units)", 7)


def _link(link: Link) -> str:
    versions = " ".join(f"v{v}" for v in link.versions[:2]) + (" …" if len(link.versions) > 2 else "")
    return f"{link.table} deal {link.deal} {versions}: {', '.join(link.what)}"


def _unmarked(console: Console, ranking: Ranking, marked: int, compared: int) -> None:
    """Whoever stays below the mark is named and not more."""
    console.print()
    look = thousandths(ranking.look_milli)
    if marked:
        _told(console, f"◆ {marked} of them reach {look}: worth a look, and no more than that")
        _told(console, "open a deal: poolrummy dossier TABLE --deal N, or poolrummy replay TABLE --deal N")
    else:
        _told(console, f"none of them reaches {look}: nothing here asks for a look")
    rest = [pair for pair in ranking.pairs if not pair.look]
    if not rest and len(ranking.pairs) < compared:
        _told(console, "all that are shown reach it, so there may be more: raise --top")
    if rest:
        _told(console, f"below {look}, no reason to look:")
    for line in _in_short(rest):
        _told(console, line, 2)


def _in_short(pairs: Sequence[Pair]) -> Iterator[str]:
    for pair in pairs:
        yield f"{pair.rank:3}  {thousandths(pair.score_milli):>6}  {_both(pair)}, {pair.deals} deals"


def _both(pair: Pair) -> str:
    return " and ".join(map(visible, pair.players))


def _told(console: Console, what: str, indent: int = 0) -> None:
    console.print(Padding(Text(what), (0, 0, 0, indent)) if indent else Text(what), highlight=False)
