"""A source of packs that counts which face comes to which position: the rolling statistic of production (R7).

Counts over thousands of packs are no secret. The window turns over in halves, so that a fault of today is not lost
among the packs of last month.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import structlog

from poolrummy.dealer.packs import PackSource
from poolrummy.fairness.pack import DealtPack, unshuffled
from poolrummy.fairness.statistics import position_by_face
from poolrummy.fairness.transcript import Transcript

HALF_WINDOW: Final = 5_000
TOLD_EVERY: Final = 500
ABNORMAL_SIGMAS: Final = 6.0
"""From here on, either way, chance is no explanation: too even is as strange as uneven.

The alert ``PacksUneven`` in ``deploy/prometheus`` has the same number.
"""

log = structlog.get_logger()

Deck = tuple[int, int]


class Window:
    """Position x face over the last packs of one deck, at least ``half`` of them once so many were dealt."""

    def __init__(self, deck: Deck, half: int = HALF_WINDOW) -> None:
        pack = unshuffled(*deck)
        copies = Counter(pack)
        self._half = half
        self._column = {face: number for number, face in enumerate(copies)}
        self._copies = list(copies.values())
        self._now = self._empty(len(pack))
        self._before = self._empty(len(pack))
        self._packs_now = 0
        self._packs_before = 0
        self._told: tuple[int, float] | None = None

    @property
    def packs(self) -> int:
        """How many packs are counted."""
        return self._packs_now + self._packs_before

    @property
    def told(self) -> tuple[int, float] | None:
        """Packs and unevenness as published: anew after each 500 packs, so that no figure tells of one pack."""
        return self._told

    @property
    def z(self) -> float:
        """How far the counts are from even, in standard deviations: 6 and more is no chance."""
        both = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(self._now, self._before, strict=True)]
        return position_by_face(both, self._copies)

    def take(self, faces: Sequence[str]) -> None:
        """Count one more pack."""
        for row, face in zip(self._now, faces, strict=True):
            row[self._column[face]] += 1
        self._packs_now += 1
        if self.packs % TOLD_EVERY == 0:
            self._told = self.packs, self.z
        if self._packs_now == self._half:
            self._before, self._packs_before = self._now, self._packs_now
            self._now, self._packs_now = self._empty(len(self._before)), 0

    def _empty(self, positions: int) -> list[list[int]]:
        return [[0] * len(self._column) for _ in range(positions)]


class WatchedPacks:
    """Another source's packs, counted as they are dealt."""

    def __init__(self, source: PackSource) -> None:
        self._source = source
        self._windows: dict[Deck, Window] = {}

    @property
    def windows(self) -> Iterable[tuple[Deck, Window]]:
        """The windows by deck: number of decks, printed jokers in each."""
        return self._windows.items()

    def fresh_seed(self, decks: int) -> bytes:
        """A seed of the source."""
        return self._source.fresh_seed(decks)

    def shuffled(self, seed: bytes, transcript: Transcript) -> DealtPack:
        """A pack of the source; those of deals are counted, a toss is of another pack."""
        dealt = self._source.shuffled(seed, transcript)
        if transcript.purpose == "deal":
            deck = transcript.deck.decks, transcript.deck.printed_jokers_per_deck
            if deck not in self._windows:
                self._windows[deck] = Window(deck)
            self._count(deck, dealt.faces)
        return dealt

    def _count(self, deck: Deck, faces: Sequence[str]) -> None:
        window = self._windows[deck]
        before = window.told
        window.take(faces)
        if window.told != before and window.told is not None and abs(window.told[1]) > ABNORMAL_SIGMAS:
            packs, sigmas = window.told
            log.critical("packs uneven", decks=deck[0], printed_jokers=deck[1], packs=packs, sigmas=round(sigmas, 1))

    def reshuffled(self, seed: bytes, transcript: Transcript, faces: Sequence[str]) -> DealtPack:
        """A later generation; it holds what the players threw away, so it is not counted."""
        return self._source.reshuffled(seed, transcript, faces)
