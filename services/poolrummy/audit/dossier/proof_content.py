"""What ties a dossier to the log, as it stands in the dossier."""

from poolrummy.audit.dossier.part import Part


class PackProof(Part):
    """The commitment to the pack of a deal (or one generation of it), and how many openings lead to it.

    ``seed_promised`` says whether the seed that shuffled it was promised in its batch before a seat was filled.
    """

    deal: int
    generation: int
    root: str
    transcript: str
    cards: int
    batch: int
    index: int
    seed_promised: bool
    openings: int
    openings_good: int
    seed: str | None = None


class BatchProof(Part):
    """A promise about seeds, and the keys that it is sealed to."""

    batch: int
    v: int
    count: int
    root: str
    sealed_to: tuple[str, ...]


class Proofs(Part):
    """What ties this dossier to the log: chain hashes, commitments, terms, edition."""

    events: int
    chain_first: str
    chain_before: str
    chain_last: str
    first_v: int
    last_v: int
    terms_hash: str
    terms_hash_good: bool
    edition: int
    packs: tuple[PackProof, ...]
    batches: tuple[BatchProof, ...]
    software: tuple[str, ...] = ()
    """The software that dealt, as the log names it; several where it changed during the match."""
