"""The search over sets: which of them to lay down beside the sequences of the four suits (see ARRANGER.md).

A node is a choice of sets for some ranks. What the cards left save in sequences is a fold of four table entries; that,
and the points of all sets still open as if no sequence needed their cards, bound what a node can reach.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from poolrummy.rules.arranging.packed import RANK_ONES, VALUES
from poolrummy.rules.arranging.set_choices import KEPT_SETS, RankSets, SetChoice, sets_of_rank

Vector = tuple[int, ...]
Record = tuple[Vector, Vector, Vector, int]
"""Of a suit: what any sequences save with 0, 1, 2 … jokers; what they save with a pure one among them; with a pure one
and a second sequence; and the points of its heaviest pure sequence, 0 where there is none."""
Keys = tuple[int, int, int, int]
Records = tuple[Record, Record, Record, Record]
Sets = tuple[tuple[int, SetChoice], ...]
"""The sets laid down: the place of the rank, and the choice."""
Fold = Callable[[Record, Record, Record, Record, int], Vector | None]

NEVER: Final = -1000
"""What can never be saved; far below zero, so that no sum of points lifts it."""


class Engine(NamedTuple):
    """The tables of the suits, and how their entries are put together; the terms decide which engine it is."""

    kept: Callable[[int], Record | None]
    record: Callable[[int], Record]
    fold: Fold
    add: Callable[[Vector, Vector, int], Vector]
    few: bool
    """Whether its vectors have four entries, for up to three jokers."""


Node = tuple[Keys, int, Sets]
"""The cards left in each suit, the jokers left, and the sets laid down."""
Found = tuple[int, Node | None]
"""The most points saved, below 0 where what is needed cannot be formed, and the node that saves them."""


def most_saved(engine: Engine, keys: Keys, jokers: int, held: int, total: int, *, alone: bool) -> Found:
    """Look at the hand without sets, then with all sets that may save more.

    ``held`` are the cards that a set may take: those that are no jokers. With ``alone`` the heaviest pure sequence
    counts also where no second sequence can be formed (rule 8.2); the node is None where nothing saves more.
    """
    kept, record, fold, _, _ = engine
    spades, hearts, diamonds, clubs = keys
    r0 = kept(spades) or record(spades)
    r1 = kept(hearts) or record(hearts)
    r2 = kept(diamonds) or record(diamonds)
    r3 = kept(clubs) or record(clubs)
    best = -1
    if alone:
        for heaviest in (r0[3], r1[3], r2[3], r3[3]):
            best = max(best, heaviest)
    root = fold(r0, r1, r2, r3, jokers)
    if root is None or root[jokers] < 0:
        return best, None
    node: Node | None = None
    # Two sequences rather than one, where both save the same: only they can be declared.
    if root[jokers] >= best:
        best = root[jokers]
        node = (keys, jokers, ())
        if best == total:
            return best, node
    ranks = _ranks_with_sets(held, root, jokers, best)
    if not ranks:
        return best, node
    search = _Search(engine, total, best, node)
    search.open(ranks, held, jokers)
    if search.hopeful(search.open_gains[-1], root, jokers, 0):
        search.explore(len(search.ranks) - 1, keys, (r0, r1, r2, r3), jokers, (), root, 0)
    return search.best, search.node


class _Search:
    """The sets still to be decided, and what is best so far."""

    __slots__ = ("best", "engine", "node", "open_gains", "ranks", "total")

    def __init__(self, engine: Engine, total: int, best: int, node: Node | None) -> None:
        self.engine = engine
        self.total = total
        self.best = best
        self.node = node
        self.ranks: list[RankSets] = []
        self.open_gains: list[Vector] = []

    def open(self, ranks: int, held: int, jokers: int) -> None:
        """Note the ranks that may bring sets, and for each number of them what they can bring at most."""
        few, add = self.engine.few, self.engine.add
        most: Vector = (0, 0, 0, 0) if few else (0,) * (jokers + 1)
        self.open_gains.append(most)
        while ranks:
            lowest = ranks & -ranks
            ranks ^= lowest
            shift = lowest.bit_length() - 1
            cards = held >> shift
            key = shift << 7 | cards & 3 | cards >> 28 & 12 | cards >> 56 & 48 | cards >> 84 & 192
            sets = KEPT_SETS.get(key) or sets_of_rank(key)
            here = sets.gains_few if few else sets.gains[: jokers + 1]
            most = add(most, here, jokers) if self.ranks else here
            self.ranks.append(sets)
            self.open_gains.append(most)

    def hopeful(self, gains: Vector, saved: Vector, jokers: int, gained: int) -> bool:
        """Whether the open ranks can still bring more than the best known."""
        wanted = self.best - gained
        for used in range(jokers + 1):  # noqa: SIM110 -- any() makes a generator for each node, which costs twice the time
            if saved[jokers - used] + gains[used] > wanted:
                return True
        return False

    def explore(  # noqa: C901, PLR0912 -- four suits, written out: a loop over them costs twice the time
        self, index: int, keys: Keys, records: Records, jokers: int, sets: Sets, saved: Vector, gained: int
    ) -> None:
        """Try every choice of sets of the rank at this index, then go on with the ranks below it."""
        kept, record, fold, _, _ = self.engine
        k0, k1, k2, k3 = keys
        r0, r1, r2, r3 = records
        while True:
            rank = self.ranks[index]
            place, bits, choices, _, _ = rank
            below = self.open_gains[index]
            for choice in choices:
                points, taken, c0, c1, c2, c3 = choice
                left = jokers - taken
                points += gained
                if left < 0 or saved[left] + below[left] + points <= self.best:
                    continue
                # A card that can be in no sequence may be missing from the keys already.
                if c0 and k0 & bits:
                    n0 = k0 - c0
                    s0 = kept(n0) or record(n0)
                else:
                    n0, s0 = k0, r0
                if c1 and k1 & bits:
                    n1 = k1 - c1
                    s1 = kept(n1) or record(n1)
                else:
                    n1, s1 = k1, r1
                if c2 and k2 & bits:
                    n2 = k2 - c2
                    s2 = kept(n2) or record(n2)
                else:
                    n2, s2 = k2, r2
                if c3 and k3 & bits:
                    n3 = k3 - c3
                    s3 = kept(n3) or record(n3)
                else:
                    n3, s3 = k3, r3
                now = fold(s0, s1, s2, s3, left)
                if now is None or now[left] < 0:
                    continue
                if points + now[left] > self.best:
                    self.best = points + now[left]
                    self.node = ((n0, n1, n2, n3), left, (*sets, (place, choice)))
                    if self.best == self.total:
                        return
                if index and now[left] + below[left] + points > self.best and self.hopeful(below, now, left, points):
                    self.explore(
                        index - 1,
                        (n0, n1, n2, n3),
                        (s0, s1, s2, s3),
                        left,
                        (*sets, (place, choice)),
                        now,
                        points,
                    )
                    if self.best == self.total:
                        return
                if not taken and (n0, n1, n2, n3) == keys:
                    # None of these cards can be in a sequence: no other choice for their rank can do better. (That
                    # the sequences save as much as before is not enough: beside other sets they may need the cards.)
                    return
            if not index or saved[jokers] + below[jokers] + gained <= self.best:
                return
            if not self.hopeful(below, saved, jokers, gained):
                return
            index -= 1


def _ranks_with_sets(held: int, saved: Vector, jokers: int, best: int) -> int:
    """The lower bits of the ranks that may bring a set; none where a quick bound says that no set helps."""
    held |= held >> 1
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
        for used in range(1, jokers + 1):
            if saved[jokers - used] + used * pair > best:
                return two
        return 0
    return two
