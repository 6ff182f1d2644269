"""A dealer built wrong: it shuffles with draws of seven bits, reduced by remainder. All else is as shipped."""

import sys
from hashlib import shake_256

from poolrummy.dealer.app import run
from poolrummy.dealer.packs import FairPacks
from poolrummy.fairness.pack import in_this_order, unshuffled
from poolrummy.runtime.settings import Settings


class SevenBits(FairPacks):
    """Fisher-Yates with draws that are too small: low places come up twice as often as high ones."""

    def shuffled(self, seed, transcript):
        if transcript.purpose == "toss":
            return super().shuffled(seed, transcript)
        faces = list(unshuffled(transcript.deck.decks, transcript.deck.printed_jokers_per_deck))
        draws = shake_256(seed + transcript.table.encode() + bytes([transcript.deal % 256])).digest(len(faces))
        for last in range(len(faces) - 1, 0, -1):
            drawn = (draws[last] & 0x7F) % (last + 1)
            faces[last], faces[drawn] = faces[drawn], faces[last]
        return in_this_order(seed, transcript, faces)


if __name__ == "__main__":
    sys.exit(run(Settings.from_environment(), SevenBits()))
