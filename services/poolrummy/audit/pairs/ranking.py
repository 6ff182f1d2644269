"""Pairs in the order of their evidence, each with what speaks for it and the deals to open first."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from poolrummy.audit.pairs.habits import Habits
from poolrummy.audit.pairs.scoring import Scored, scored, total_milli
from poolrummy.audit.pairs.sums import Direction, Moment, PairSums

LOOK_MILLI: Final = 3000
"""From this score on a pair is worth a look. Chosen on the tuning seeds alone: PAIRS.md says how, and how it does."""

DEALS_MIN: Final = 30
"""Fewer common deals say too little, in either direction."""

LINKS_MAX: Final = 5

VERDICT: Final = (
    "This is evidence, not a verdict: a high score says that two players did more for each other than they do for "
    "others, not why. Open the deals before anybody is accused; PAIRS.md names innocent reasons."
)


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A deal that weighs much: what was seen there, and the versions of its log to look at."""

    table: str
    deal: int
    what: tuple[str, ...]
    versions: tuple[int, ...]
    weight_milli: int


class OneWay(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks for the giver having helped the taker."""

    giver: str
    taker: str
    score_milli: int
    signals: tuple[Scored, ...]
    stake: int
    """What the giver paid for the matches that both started, in minor units."""
    flowed: int
    """The part of it that went to the taker."""
    flowed_expected: int
    """The part that would have gone there at the share of the pools that the taker wins elsewhere."""
    points: int
    """Points that the giver took in deals that the taker won."""
    points_expected: int
    """As many deals at the points that deals won by others cost the giver."""
    rejoins: int
    """How often the giver came back while the taker was in, of ``rejoin_offers``."""
    rejoin_offers: int


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two players and the evidence about them."""

    rank: int
    players: tuple[str, str]
    score_milli: int
    look: bool
    deals: int
    matches: int
    matches_expected_milli: int
    """How many common matches chance would give to two players as active as these."""
    overlap_z_milli: int
    ways: tuple[OneWay, OneWay]
    links: tuple[Link, ...]


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs with enough common deals, most suspicious first."""

    verdict: str
    look_milli: int
    deals_min: int
    tables: int
    deals: int
    players: int
    pairs: tuple[Pair, ...]


def ranked(sums: PairSums, *, deals_min: int = DEALS_MIN, look_milli: int = LOOK_MILLI) -> Ranking:
    """All pairs with so many common deals."""
    habits = Habits(sums)
    found = sorted(_pairs(sums, habits, deals_min), key=lambda pair: (-pair.score_milli, pair.players))
    pairs = (
        msgspec.structs.replace(pair, rank=rank, look=pair.score_milli >= look_milli)
        for rank, pair in enumerate(found, start=1)
    )
    return Ranking(
        verdict=VERDICT,
        look_milli=look_milli,
        deals_min=deals_min,
        tables=len(sums.tables),
        deals=sums.deals,
        players=len(sums.people),
        pairs=tuple(pairs),
    )


def _pairs(sums: PairSums, habits: Habits, deals_min: int) -> Iterator[Pair]:
    seats = sum(person.matches for person in sums.people.values())
    for giver, takers in sorted(sums.pairs.items()):
        for taker, direction in sorted(takers.items()):
            if giver < taker and direction.deals >= deals_min:
                yield _pair(sums, habits, (giver, taker), seats)


def _pair(sums: PairSums, habits: Habits, players: tuple[str, str], seats: int) -> Pair:
    one, other = players
    there, back = _one_way(sums, habits, one, other), _one_way(sums, habits, other, one)
    direction, person = sums.pairs[one][other], sums.people[one]
    elsewhere = seats - person.matches
    expected = person.others * sums.people[other].matches / elsewhere if elsewhere else 0.0
    ways = (sums.pairs[one][other], there), (sums.pairs[other][one], back)
    return Pair(
        rank=0,
        players=players,
        # One may help the other, or both each other: what speaks for both ways adds up.
        score_milli=max(there.score_milli, back.score_milli, there.score_milli + back.score_milli),
        look=False,
        deals=direction.deals,
        matches=direction.matches,
        matches_expected_milli=round(1000 * expected),
        overlap_z_milli=round(1000 * (direction.matches - expected) / math.sqrt(expected)) if expected else 0,
        ways=(there, back),
        links=links(ways),
    )


def _one_way(sums: PairSums, habits: Habits, giver: str, taker: str) -> OneWay:
    direction, of_giver, of_taker = sums.pairs[giver][taker], sums.people[giver], sums.people[taker]
    signals = scored(direction, habits, giver=giver, taker=taker)
    lost = (of_giver.lost.n - direction.points.n, of_giver.lost.k - direction.points.k)
    return OneWay(
        giver=giver,
        taker=taker,
        score_milli=total_milli(signals),
        signals=signals,
        stake=direction.stake,
        flowed=direction.flowed,
        flowed_expected=direction.stake * of_taker.prizes // of_taker.pools if of_taker.pools else 0,
        points=direction.points.k,
        points_expected=direction.points.n * lost[1] // lost[0] if lost[0] else 0,
        rejoins=direction.rejoins.k,
        rejoin_offers=direction.rejoins.n,
    )


def links(ways: Iterable[tuple[Direction, OneWay]], most: int = LINKS_MAX) -> tuple[Link, ...]:
    """The deals that weigh most: each moment counts as much as its signal, by its share of that signal's evidence."""
    weights: dict[tuple[str, int], int] = {}
    moments: dict[tuple[str, int], list[Moment]] = {}
    for direction, way in ways:
        scores = {one.signal: one.score_milli for one in way.signals}
        for what, kept in direction.moments.items():
            score, sum_of_weights = max(scores.get(what, 0), 0), sum(one.weight for one in kept)
            for moment in kept:
                where = (moment.table, moment.deal)
                weights[where] = weights.get(where, 0) + score * moment.weight // sum_of_weights
                if score:
                    moments.setdefault(where, []).append(moment)
    order = sorted(moments, key=lambda where: (-weights[where], where))
    return tuple(_link(table, deal, moments[table, deal], weights[table, deal]) for table, deal in order[:most])


def _link(table: str, deal: int, moments: Sequence[Moment], weight: int) -> Link:
    return Link(
        table=table,
        deal=deal,
        what=tuple(sorted({moment.what for moment in moments})),
        versions=tuple(sorted({v for moment in moments for v in moment.versions})),
        weight_milli=weight,
    )
