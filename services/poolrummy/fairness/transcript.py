"""What a shuffle depends on, and nothing else: the deck transcript in one canonical byte form (R4, R8)."""

import hashlib
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

FORMAT: Final = "poolrummy-deck-transcript-v1"

Purpose = Literal["deal", "toss"]
SeedState = Literal["none", "revealed", "withheld"]


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the transcript: every field is written, also an empty one."""


class DeckSpec(_Part, frozen=True, kw_only=True):
    """The decks that make up the pack."""

    decks: int
    printed_jokers_per_deck: int


class SeatPlace(_Part, frozen=True, kw_only=True):
    """Who sits where, in the order of the seats."""

    seat: str
    player: str


class BatchPlace(_Part, frozen=True, kw_only=True):
    """Which seed of which batch: the server was bound to it before any seat was filled (rule 3.6)."""

    batch: int
    index: int
    root: str


class SeatSeed(_Part, frozen=True, kw_only=True):
    """What a seat gave to the shuffle: nothing, a seed, or a promise that it did not keep (rule 3.8)."""

    seat: str
    state: SeedState = "none"
    commitment: str | None = None
    seed: str | None = None


class Transcript(_Part, frozen=True, kw_only=True):
    """Everything public that goes into the order of one pack."""

    format: Literal["poolrummy-deck-transcript-v1"] = FORMAT
    deck: DeckSpec
    rules: str
    """The hash of the terms in force, in hex (R31)."""
    table: str
    deal: int
    generation: int = 0
    purpose: Purpose = "deal"
    seats: tuple[SeatPlace, ...]
    batch: BatchPlace | None = None
    """Where the server seed was committed to beforehand; None outside of a table."""
    seat_seeds: tuple[SeatSeed, ...]
    beacon: None = None
    """The value of a public beacon's round; later."""


def without_seat_seeds(
    *,
    deck: DeckSpec,
    rules: str,
    table: str,
    deal: int,
    seats: Sequence[SeatPlace],
    purpose: Purpose = "deal",
    generation: int = 0,
) -> Transcript:
    """The transcript of a pack to which no seat gave a seed."""
    return Transcript(
        deck=deck,
        rules=rules,
        table=table,
        deal=deal,
        generation=generation,
        purpose=purpose,
        seats=tuple(seats),
        seat_seeds=tuple(SeatSeed(seat=place.seat) for place in seats),
    )


def of_generation(transcript: Transcript, generation: int) -> Transcript:
    """The same deal after a reshuffle: only the generation differs."""
    return msgspec.structs.replace(transcript, generation=generation)


def canonical(transcript: Transcript) -> bytes:
    """The one byte form of a transcript: sorted keys, compact, as in RFC 8785."""
    return msgspec.json.encode(transcript, order="sorted")


def parse(stored: bytes) -> Transcript:
    """The transcript in these bytes; ``ValueError`` when they are not its one canonical form."""
    transcript = msgspec.json.decode(stored, type=Transcript)
    if canonical(transcript) != stored:
        raise ValueError("the bytes are a transcript, but not in their canonical form")
    return transcript


def context(transcript: Transcript) -> bytes:
    """The 64 bytes that bind a stream of draws to this transcript: its SHA-512."""
    return hashlib.sha512(canonical(transcript)).digest()
