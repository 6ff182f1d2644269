"""The proofs of a dossier: chain, commitments with the openings that lead to them, terms, edition."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from poolrummy.audit.dossier.proof_content import BatchProof, PackProof, Proofs
from poolrummy.audit.history import Moments, deals_of
from poolrummy.audit.views import Pack, View
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import place_of
from poolrummy_contracts.envelope import chain_start
from poolrummy_contracts.openings import check_card, check_seed_proof
from poolrummy_contracts.terms import terms_hash


def proofs_of(
    moments: Moments, told: Moments, seen: Mapping[int, Pack], seeds: Mapping[int, str], view: View
) -> Proofs:
    """What holds this dossier to the log; ``told`` is the stretch that it tells."""
    opened = moments[0].event
    assert isinstance(opened, e.TableOpened), "a log begins with the opening of its table"
    first_v = told[0].v
    before = chain_start(opened.table) if first_v == 1 else moments[first_v - 2].chain
    return Proofs(
        events=len(moments),
        chain_first=moments[0].chain.hex(),
        chain_before=before.hex(),
        chain_last=moments[-1].chain.hex(),
        first_v=first_v,
        last_v=told[-1].v,
        terms_hash=opened.terms_hash,
        terms_hash_good=terms_hash(opened.terms) == opened.terms_hash,
        edition=opened.edition,
        packs=tuple(_packs(told, _batches(moments), seen, seeds, view)),
        batches=tuple(
            BatchProof(batch=one.batch, v=one.v, count=one.count, root=one.root, sealed_to=one.sealed.keys)
            for one in _batches(moments).values()
        ),
        software=tuple(dict.fromkeys(one.after.software for one in moments if one.after.software is not None)),
    )


def _batches(moments: Moments) -> dict[int, e.SeedsCommitted]:
    return {one.event.batch: one.event for one in moments if isinstance(one.event, e.SeedsCommitted)}


def _packs(
    told: Moments,
    batches: Mapping[int, e.SeedsCommitted],
    seen: Mapping[int, Pack],
    seeds: Mapping[int, str],
    view: View,
) -> Iterator[PackProof]:
    for deal, of_deal in deals_of(told):
        revealed = {one.event.of_deal: one.event.seed for one in of_deal if isinstance(one.event, e.SeedRevealed)}
        seed = revealed.get(deal) or (seeds.get(deal) if view.kind == "auditor" else None)
        start = of_deal[0].event
        assert isinstance(start, e.DealStarted), "a deal begins with its start"
        promise = _Promise(start.proof, batches.get(start.proof.batch), seed)
        openings = (start.wild, start.open, *start.set_aside, *_of(seen, deal, 0))
        yield _proof(deal, 0, start.pack, promise, openings)
        for one in of_deal:
            if isinstance(one.event, e.StockReshuffled):
                number = one.event.generation
                yield _proof(deal, number, one.event.pack, promise, _of(seen, deal, number))


def _of(seen: Mapping[int, Pack], deal: int, generation: int) -> tuple[e.OpenedCard, ...]:
    """The cards of a generation that come with an opening."""
    found = seen.get(deal, {}).items()
    return tuple(card for where, card in found if place_of(where)[0] == generation and card.salt)


class _Promise(NamedTuple):
    proof: e.SeedProof
    batch: e.SeedsCommitted | None
    seed: str | None

    @property
    def kept(self) -> bool:
        """Whether the seed was in the batch that was promised."""
        batch = self.batch
        return batch is not None and check_seed_proof(self.proof, root=batch.root, count=batch.count)


def _proof(
    deal: int, generation: int, pack: e.PackCommitment, promise: _Promise, openings: tuple[e.OpenedCard, ...]
) -> PackProof:
    distinct = {card.position: card for card in openings}.values()
    good = [check_card(card, root=pack.root, generation=generation, leaves=pack.cards) for card in distinct]
    return PackProof(
        deal=deal,
        generation=generation,
        root=pack.root,
        transcript=pack.transcript,
        cards=pack.cards,
        batch=promise.proof.batch,
        index=promise.proof.index,
        seed_promised=promise.kept,
        openings=len(good),
        openings_good=sum(good),
        seed=promise.seed,
    )
