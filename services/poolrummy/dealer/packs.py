"""Where the packs come from: a port, so that only the composition of tests can hand in a scripted pack."""

from collections.abc import Sequence
from typing import Protocol

from poolrummy.fairness import entropy, pack
from poolrummy.fairness.pack import DealtPack
from poolrummy.fairness.transcript import Transcript


class PackSource(Protocol):
    """Seeds, and the packs that follow from a seed and a transcript."""

    def fresh_seed(self, decks: int) -> bytes:
        """A seed nobody has seen before."""
        ...

    def shuffled(self, seed: bytes, transcript: Transcript) -> DealtPack:
        """The pack of a toss or of a deal; the same for the same arguments, for ever."""
        ...

    def reshuffled(self, seed: bytes, transcript: Transcript, faces: Sequence[str]) -> DealtPack:
        """A later generation of a deal's pack, made of these faces."""
        ...


class FairPacks:
    """Packs by deck transcript v1 and seeds of the operating system: the only source that ships."""

    def fresh_seed(self, decks: int) -> bytes:
        """A seed of the operating system."""
        return entropy.fresh_seed(decks)

    def shuffled(self, seed: bytes, transcript: Transcript) -> DealtPack:
        """The pack that the transcript says."""
        return pack.deal_pack(seed, transcript)

    def reshuffled(self, seed: bytes, transcript: Transcript, faces: Sequence[str]) -> DealtPack:
        """The generation that the transcript says."""
        return pack.reshuffled(seed, transcript, faces)
