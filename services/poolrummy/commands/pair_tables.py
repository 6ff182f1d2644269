"""How a ranking of pairs looks in a terminal: what it is first, then the pairs, then where to look."""

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from poolrummy.audit.pairs.ranking import OneWay, Pair, Ranking
from poolrummy.audit.pairs.reading import Skipped
from poolrummy.audit.pairs.signals import BY_NAME

TELLING_MILLI: Final = 700
"""Signals below this are left out of the table; --json has them all."""

SKIPPED_MAX: Final = 5


def show(console: Console, ranking: Ranking, compared: int, skipped: Sequence[Skipped]) -> None:
    """The ranking, with a warning in front of it and the innocent reasons behind it."""
    console.print(Panel(Text(ranking.verdict, "bold yellow"), title="evidence, not a verdict", expand=False))
    head = f"{ranking.tables:,} tables, {ranking.deals:,} deals, {ranking.players:,} players: {compared:,} pairs with "
    console.print(head + f"{ranking.deals_min} common deals or more, {len(ranking.pairs)} shown", highlight=False)
    for one in skipped[:SKIPPED_MAX]:
        console.print(Text(f"not counted: {one.source}: {one.why}", "yellow"))
    if len(skipped) > SKIPPED_MAX:
        console.print(f"and {len(skipped) - SKIPPED_MAX} more that were not counted; --json names them")
    if not ranking.pairs:
        console.print("no pair met often enough; lower --min-deals, or read more tables")
        return
    console.print(_table(ranking.pairs))
    marked = [pair for pair in ranking.pairs if pair.look]
    console.print(f"◆ score of {thousandths(ranking.look_milli)} or more: worth a look", highlight=False)
    console.print("open a deal: poolrummy dossier TABLE --deal N, or poolrummy replay TABLE --deal N", highlight=False)
    told = {
        one.signal for pair in marked for way in pair.ways for one in way.signals if one.score_milli > TELLING_MILLI
    }
    if told:
        console.print("innocent reasons for what is marked:")
    for name in sorted(told):
        console.print(f"  {name}: {BY_NAME[name].hit}. It may be that: {BY_NAME[name].innocent}.", highlight=False)


def _table(pairs: Sequence[Pair]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    for name in ("", "score", "players", "deals", "matches\n(by chance)"):
        table.add_column(name, justify="left" if name in {"", "players"} else "right", no_wrap=name != "players")
    table.add_column("what speaks for it: hits of chances (expected, z)")
    table.add_column("look at")
    for pair in pairs:
        table.add_row(
            Text(f"{'◆' if pair.look else ' '} {pair.rank}", "bold red" if pair.look else ""),
            thousandths(pair.score_milli),
            Text("\n".join(pair.players)),
            f"{pair.deals}",
            f"{pair.matches} ({thousandths(pair.matches_expected_milli, 1)})",
            Text("\n".join(line for way in pair.ways for line in _way(way))),
            Text("\n".join(f"{one.table} deal {one.deal} v{_versions(one.versions)}" for one in pair.links)),
        )
    return table


def _way(way: OneWay) -> list[str]:
    telling = sorted((one for one in way.signals if one.score_milli > TELLING_MILLI), key=lambda one: -one.score_milli)
    if not telling:
        return []
    lines = [f"{way.giver} → {way.taker}"]
    lines += [
        f"  {one.signal} {one.k} of {one.n} ({thousandths(one.expected_milli, 1)}, z {thousandths(one.z_milli, 1)})"
        for one in telling
    ]
    if way.flowed > way.flowed_expected:
        lines.append(f"  of {way.stake:,} paid, {way.flowed:,} went over ({way.flowed_expected:,})")
    return lines


def _versions(versions: Sequence[int]) -> str:
    shown = ",".join(map(str, versions[:4]))
    return shown + ("…" if len(versions) > 4 else "")


def thousandths(milli: int, places: int = 2) -> str:
    """A number in thousandths as people write it.

    >>> thousandths(-1250), thousandths(940, 1)
    ('-1.25', '0.9')
    """
    return f"{milli / 1000:.{places}f}"
