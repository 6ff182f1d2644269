"""The search over sets: which of them to lay down beside the sequences of the four suits (see ARRANGER.md).

A node is a choice of sets for some ranks. What the cards left save in sequences is a fold of four table entries; that,
and the points of all sets still open as if no sequence needed their cards, bound what a node can reach.
"""

from collections.abc import Callable
from typing import NamedTuple

from poolrummy.rules.packed import RANK_ONES, VALUES
from poolrummy.rules.set_choices import SetChoice, choices, gains

Vector = tuple[int, ...]
Record = tuple[Vector, Vector, Vector, int]
"""Of a suit: what any sequences save with 0, 1, 2 … jokers; what they save with a pure one among them; with a pure one
and a second sequence; and the points of its heaviest pure sequence, 0 where there is none."""
Keys = tuple[int, int, int, int]
Records = tuple[Record, Record, Record, Record]
Sets = tuple[tuple[int, SetChoice], ...]
Node = tuple[Keys, int, Sets]
"""The cards left in each suit, the jokers left, and the sets laid down: for each the place of its rank and the choice."""


Fold = Callable[[Record, Record, Record, Record, int], Vector | None]


class Engine(NamedTuple):
    """The tables of the suits, and how their entries are put together; the terms decide which engine it is."""

    kept: Callable[[int], Record | None]
    record: Callable[[int], Record]
    fold: Fold
    add: Callable[[Vector, Vector, int], Vector]
    width: int
    """How many numbers a vector of set points must have; 0 where it may have any."""


class Search:
    """One hand: the most points saved so far, and the node that saves them."""

    __slots__ = ("best", "engine", "keys", "leaf", "open_gains", "ranks", "total")

    def __init__(self, engine: Engine, total: int, best: int) -> None:
        self.engine = engine
        self.total = total
        self.best = best
        self.keys: Keys = (0, 0, 0, 0)
        self.leaf: Node | None = None
        self.ranks: list[tuple[int, int]] = []
        self.open_gains: list[Vector] = []

    def run(self, keys: Keys, jokers: int, held: int, *, alone: bool = False) -> None:
        """Look at the hand without sets, then with all sets that may save more.

        ``held`` are the cards that a set may take: those that are no jokers. With ``alone`` the heaviest pure sequence
        counts also where no second sequence can be formed (rule 8.2); ``leaf`` stays empty where nothing saves more.
        """
        kept, record = self.engine.kept, self.engine.record
        self.keys = keys
        spades, hearts, diamonds, clubs = keys
        records = (
            kept(spades) or record(spades),
            kept(hearts) or record(hearts),
            kept(diamonds) or record(diamonds),
            kept(clubs) or record(clubs),
        )
        if alone:
            self.best = max([suit[3] for suit in records])
        root = self.engine.fold(*records, jokers)
        if root is None:
            return
        saved = root[jokers]
        if saved < 0:
            return
        # Two sequences rather than one, where both save the same: only they can be declared.
        if saved >= self.best:
            self.best = saved
            self.leaf = (keys, jokers, ())
            if saved == self.total:
                return
        ranks = _ranks_with_sets(held, root, jokers, self.best)
        if ranks:
            self._open(ranks, held, jokers)
            last = len(self.ranks)
            if self._hopeful(last, root, jokers, 0):
                self._explore(last - 1, (keys, jokers, ()), records, root, 0)

    def _open(self, ranks: int, held: int, jokers: int) -> None:
        """Note the ranks that may bring sets, and for each number of them what they can bring at most."""
        width = self.engine.width or jokers + 1
        add = self.engine.add
        total: Vector = (0,) * width
        self.open_gains.append(total)
        while ranks:
            lowest = ranks & -ranks
            ranks ^= lowest
            shift = lowest.bit_length() - 1
            cards = held >> shift
            pattern = cards & 3 | cards >> 28 & 12 | cards >> 56 & 48 | cards >> 84 & 192
            here = gains(shift >> 1, pattern)[:width]
            total = add(total, here, jokers) if self.ranks else here
            self.ranks.append((shift >> 1, pattern))
            self.open_gains.append(total)

    def _hopeful(self, ranks: int, saved: Vector, jokers: int, gained: int) -> bool:
        """Whether so many ranks can still bring more than the best known."""
        wanted = self.best - gained
        for used, more in enumerate(self.open_gains[ranks]):
            if used > jokers:
                break
            if saved[jokers - used] + more > wanted:
                return True
        return False

    def _explore(self, index: int, node: Node, records: Records, saved: Vector, gained: int) -> None:
        """Try every choice of sets of the rank at this index, then go on with the ranks below it."""
        kept, record = self.engine.kept, self.engine.record
        keys, jokers, sets = node
        while True:
            place, pattern = self.ranks[index]
            bits = 3 << 2 * place
            below = self.open_gains[index]
            for choice in choices(place, pattern):
                points, taken, c0, c1, c2, c3 = choice
                left = jokers - taken
                points += gained
                if left < 0 or saved[left] + below[left] + points <= self.best:
                    continue
                k0, k1, k2, k3 = keys
                r0, r1, r2, r3 = records
                # A card that can be in no sequence may be missing from the keys already.
                if c0 and k0 & bits:
                    k0 -= c0
                    r0 = kept(k0) or record(k0)
                if c1 and k1 & bits:
                    k1 -= c1
                    r1 = kept(k1) or record(k1)
                if c2 and k2 & bits:
                    k2 -= c2
                    r2 = kept(k2) or record(k2)
                if c3 and k3 & bits:
                    k3 -= c3
                    r3 = kept(k3) or record(k3)
                now = self.engine.fold(r0, r1, r2, r3, left)
                if now is None or now[left] < 0:
                    continue
                if points + now[left] > self.best:
                    self.best = points + now[left]
                    self.leaf = ((k0, k1, k2, k3), left, (*sets, (place, choice)))
                    if self.best == self.total:
                        return
                if index and self._hopeful(index, now, left, points):
                    child = ((k0, k1, k2, k3), left, (*sets, (place, choice)))
                    self._explore(index - 1, child, (r0, r1, r2, r3), now, points)
                    if self.best == self.total:
                        return
                if not taken and now == saved:
                    # This set costs the sequences nothing: no other choice for its rank can do better.
                    return
            if not index or not self._hopeful(index, saved, jokers, gained):
                return
            index -= 1


def _ranks_with_sets(held: int, saved: Vector, jokers: int, best: int) -> int:
    """The lower bits of the ranks that may bring a set; none where a quick bound says that no set helps."""
    held = held | held >> 1
    spades, hearts, diamonds, clubs = held, held >> 30, held >> 60, held >> 90
    both, others = spades & hearts, diamonds & clubs
    one, other = spades | hearts, diamonds | clubs
    three = (both & other | others & one) & RANK_ONES
    if not jokers or saved[jokers - 1] < 0:
        return three
    two = (both | others | one & other) & RANK_ONES
    if two and not three:
        # Pairs only: two cards of the highest rank for each joker are the most they bring.
        pair = 20 if two & 1 else 2 * VALUES[two.bit_length() - 1 >> 1]
        if all(saved[jokers - used] + used * pair <= best for used in range(1, jokers + 1)):
            return 0
    return two
