"""The partial sums behind the pair evidence: counts that can be added up in any order, from any number of logs."""

from collections.abc import Iterable
from typing import Final

import msgspec

from poolrummy.audit.pairs.signals import Name

MOMENTS_MAX: Final = 48
"""How many moments of a signal a direction keeps: those that weigh most, so that sums stay small."""


EDITION: Final = 2
"""Of what is counted; sums of another edition cannot be added to these. The first one counted drops by deal."""


class Tally(msgspec.Struct):
    """Of ``n`` chances, ``k`` were used."""

    n: int = 0
    k: int = 0

    def add(self, n: int, k: int) -> None:
        """Count more of them."""
        self.n += n
        self.k += k


Tallies = dict[str, Tally]
"""By signal and stratum, such as ``took/fits``."""


class Moment(msgspec.Struct, frozen=True, order=True):
    """Something that was counted, and where to look at it; ``weight`` says how telling it is among its kind."""

    weight: int
    table: str
    deal: int
    versions: tuple[int, ...]
    what: Name


class Direction(msgspec.Struct, kw_only=True):
    """What went from a giver to a taker."""

    tallies: Tallies = {}
    moments: dict[str, list[Moment]] = {}
    deals: int = 0
    matches: int = 0
    points: Tally = msgspec.field(default_factory=Tally)
    """Deals that the taker won; the points that the giver took in them."""
    stake: int = 0
    """What the giver paid for the matches that both started, minor units."""
    flowed: int = 0
    """The part of it that went to the taker as a prize."""
    rejoins: Tally = msgspec.field(default_factory=Tally)
    """Offers to the giver while the taker was in; how many it took."""


class Person(msgspec.Struct, kw_only=True):
    """What one player did, whoever else was there."""

    matches: int = 0
    others: int = 0
    """Seats beside the player, summed over its matches."""
    gives: Tallies = {}
    takes: Tallies = {}
    lost: Tally = msgspec.field(default_factory=Tally)
    """Deals that somebody else won; the points that the player took in them."""
    stake: int = 0
    prizes: int = 0
    pools: int = 0
    """The prize pools of its matches."""
    rejoins: Tally = msgspec.field(default_factory=Tally)


class PairSums(msgspec.Struct, kw_only=True, tag_field="edition", tag=EDITION):
    """Everything that the ranking needs, of any number of tables."""

    tables: set[str] = set()
    deals: int = 0
    people: dict[str, Person] = {}
    pairs: dict[str, dict[str, Direction]] = {}
    """By giver, then by taker."""

    def person(self, player: str) -> Person:
        """The sums of this player."""
        return self.people.setdefault(player, Person())

    def direction(self, giver: str, taker: str) -> Direction:
        """The sums of this direction."""
        return self.pairs.setdefault(giver, {}).setdefault(taker, Direction())


class _Counted(msgspec.Struct):
    edition: int = 1


def key_of(signal: Name, stratum: str) -> str:
    """The key of a tally."""
    return f"{signal}/{stratum}"


def signal_of(key: str) -> str:
    """The signal of a key."""
    return key.partition("/")[0]


def count(tallies: Tallies, key: str, *, hit: bool) -> None:
    """One more chance, used or not."""
    tallies.setdefault(key, Tally()).add(1, int(hit))


def keep(direction: Direction, moment: Moment) -> None:
    """Keep a moment, if it is among those that weigh most."""
    kept = direction.moments.setdefault(moment.what, [])
    kept.append(moment)
    _shorten(kept)


def encode(sums: PairSums) -> bytes:
    """The sums as canonical JSON, to be kept and merged later."""
    return msgspec.json.encode(sums, order="sorted")


def decode(stored: bytes) -> PairSums:
    """The sums in these bytes; a validation error that says so if they count something else."""
    if msgspec.json.decode(stored, type=_Counted).edition != EDITION:
        raise msgspec.ValidationError("counted by another edition of the software; read the logs again")
    return msgspec.json.decode(stored, type=PairSums)


def merged(parts: Iterable[PairSums]) -> PairSums:
    """The sums of all parts; a table that is in two of them would count twice, so it is an error."""
    total = PairSums()
    for part in parts:
        twice = total.tables & part.tables
        if twice:
            raise ValueError(f"{min(twice)} is in two of the sums; count every table once")
        total.tables |= part.tables
        total.deals += part.deals
        for player, person in part.people.items():
            _add_person(total.person(player), person)
        for giver, takers in part.pairs.items():
            for taker, direction in takers.items():
                _add_direction(total.direction(giver, taker), direction)
    return total


def _add_person(into: Person, more: Person) -> None:
    into.matches += more.matches
    into.others += more.others
    _add_tallies(into.gives, more.gives)
    _add_tallies(into.takes, more.takes)
    into.lost.add(more.lost.n, more.lost.k)
    into.stake += more.stake
    into.prizes += more.prizes
    into.pools += more.pools
    into.rejoins.add(more.rejoins.n, more.rejoins.k)


def _add_direction(into: Direction, more: Direction) -> None:
    _add_tallies(into.tallies, more.tallies)
    for what, moments in more.moments.items():
        kept = into.moments.setdefault(what, [])
        kept.extend(moments)
        _shorten(kept)
    into.deals += more.deals
    into.matches += more.matches
    into.points.add(more.points.n, more.points.k)
    into.stake += more.stake
    into.flowed += more.flowed
    into.rejoins.add(more.rejoins.n, more.rejoins.k)


def _add_tallies(into: Tallies, more: Tallies) -> None:
    for key, tally in more.items():
        into.setdefault(key, Tally()).add(tally.n, tally.k)


def _shorten(kept: list[Moment]) -> None:
    """In one order whatever came first, so that sums of parts are the sums of the whole."""
    kept.sort(key=lambda one: (-one.weight, one.table, one.deal, one.versions))
    del kept[MOMENTS_MAX:]
