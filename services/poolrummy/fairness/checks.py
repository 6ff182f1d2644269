"""What anybody can check of a table's promises, and what the holder of its seeds can check besides (rules 3.6 to 3.9).

Pure: events in, findings out. Without seeds: that promises came in time, were used in order, were all kept. With seeds:
that every pack is the one that was promised. Nobody finds out here whether a first batch was chosen among many: it
was promised before anybody sat down, and a seat that gave a seed of its own made every such choice worthless.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise

import msgspec

from poolrummy.fairness import pack
from poolrummy.fairness.batch import SeedBatch, next_batch
from poolrummy.fairness.pack import DealtPack
from poolrummy.fairness.seat_seed_checks import seat_seed_faults
from poolrummy.fairness.seating import drawn_seat
from poolrummy.fairness.transcript import (
    BatchPlace,
    DeckSpec,
    SeatPlace,
    SeatSeed,
    Transcript,
    canonical,
    of_generation,
)
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import position
from poolrummy_contracts.openings import card_fault, check_seed_proof, seed_leaf
from poolrummy_contracts.terms import Seat

Events = Sequence[e.TableEvent]
Shuffled = e.TossDrawn | e.DealStarted


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """What does not fit, at which version of the log (0: nowhere in particular)."""

    v: int
    what: str


def public_faults(events: Events) -> list[Fault]:
    """Everything that the log alone gives away, without a single seed."""
    return sorted(
        [
            *_promised_in_time(events),
            *_used_in_order(events),
            *_kept(events),
            *_accounted_for(events),
            *_openings(events),
            *_seats_drawn(events),
            *(Fault(v=v, what=what) for v, what in seat_seed_faults(events)),
        ],
        key=lambda fault: fault.v,
    )


def seed_faults(events: Events, batches: Mapping[int, SeedBatch]) -> list[Fault]:
    """What the holder of the seeds sees besides: batches that are not the promised ones, packs of other seeds."""
    promised = {event.batch: event for event in events if isinstance(event, e.SeedsCommitted)}
    found: list[Fault] = []
    for number, event in promised.items():
        batch = batches.get(number)
        if batch is None or batch.root != event.root or len(batch.seeds) != event.count:
            found.append(Fault(v=event.v, what=f"the seeds of batch {number} are not the promised ones"))
        elif number - 1 in batches and next_batch(batches[number - 1]).seeds != batch.seeds:
            found.append(Fault(v=event.v, what=f"batch {number} does not come from the last seed of the one before"))
    return found or list(_packs(events, batches))


def repeated_seeds(batches: Iterable[SeedBatch]) -> list[str]:
    """Seeds that stand in more than one place, over any number of tables (R5)."""
    places = Counter(seed for batch in batches for seed in batch.seeds)
    return sorted(sha256(seed).hexdigest() for seed, times in places.items() if times > 1)


def transcript_of(events: Events, event: Shuffled) -> Transcript:
    """The transcript of a toss or deal, put together from the public log alone."""
    opened = next(one for one in events if isinstance(one, e.TableOpened))
    started = next(one for one in events if isinstance(one, e.MatchStarted))
    root = next(one.root for one in events if isinstance(one, e.SeedsCommitted) and one.batch == event.proof.batch)
    players = {one.seat: one.player for one in started.seats}
    given = {one.seat: one for one in started.seat_seeds}
    is_deal = isinstance(event, e.DealStarted)
    order = event.order if is_deal else tuple(sorted(players))
    return Transcript(
        deck=DeckSpec(decks=opened.terms.decks, printed_jokers_per_deck=opened.terms.printed_jokers_per_deck),
        rules=opened.terms_hash,
        table=event.table,
        deal=event.deal or 0 if is_deal else 0,
        purpose="deal" if is_deal else "toss",
        seats=tuple(SeatPlace(seat=str(seat), player=players[seat]) for seat in order),
        batch=BatchPlace(batch=event.proof.batch, index=event.proof.index, root=root),
        seat_seeds=tuple(_given(given[seat]) for seat in order),
    )


def _given(one: e.SeatSeed) -> SeatSeed:
    return SeatSeed(seat=str(one.seat), state=one.state, commitment=one.commitment, seed=one.seed)


def _shuffles(events: Events) -> list[Shuffled]:
    return [event for event in events if isinstance(event, Shuffled)]


def _promised_in_time(events: Events) -> Iterator[Fault]:
    """The first batch stands right behind the opening; later ones follow while a seed is left, one after the other."""
    promised = [event for event in events if isinstance(event, e.SeedsCommitted)]
    if len(events) < 2 or not isinstance(events[1], e.SeedsCommitted):
        yield Fault(v=2, what="no seeds are promised when the table opens")
    for number, event in enumerate(promised, start=1):
        if event.batch != number:
            yield Fault(v=event.v, what=f"batch {event.batch} is promised where batch {number} should be")
    for before, event in pairwise(promised):
        used = [one.proof.index for one in _shuffles(events) if one.v < event.v and one.proof.batch == before.batch]
        if len(used) != before.count - 2:
            yield Fault(v=event.v, what=f"batch {event.batch} is promised while batch {before.batch} is not at its end")


def _used_in_order(events: Events) -> Iterator[Fault]:
    counts = {event.batch: event.count for event in events if isinstance(event, e.SeedsCommitted)}
    roots = {event.batch: event.root for event in events if isinstance(event, e.SeedsCommitted)}
    batch, index = 1, 0
    for event in _shuffles(events):
        if index >= counts.get(batch, 0) - 1:
            batch, index = batch + 1, 0
        proof = event.proof
        if (proof.batch, proof.index) != (batch, index):
            yield Fault(
                v=event.v, what=f"seed {proof.index} of batch {proof.batch} is used, {index} of {batch} is next"
            )
        elif not check_seed_proof(proof, root=roots.get(batch, ""), count=counts.get(batch, 0)):
            yield Fault(v=event.v, what=f"seed {index} of batch {batch} was not promised")
        batch, index = proof.batch, proof.index + 1


def _kept(events: Events) -> Iterator[Fault]:
    """Every deal that began was scored or voided; a void one was laid open; what lies open is what was promised."""
    ended = {event.deal for event in events if isinstance(event, e.DealScored | e.DealVoided)}
    voided = {event.deal for event in events if isinstance(event, e.DealVoided)}
    shown = {event.of_deal: event for event in events if isinstance(event, e.SeedRevealed)}
    over = {event.deal for event in events if isinstance(event, e.MatchVoided)}
    terms = next((event.terms for event in events if isinstance(event, e.TableOpened)), None)
    # The deal that runs where the log ends has no end yet.
    running = None if any(isinstance(event, e.TableClosed) for event in events) else _last_deal(events)
    for number, event in enumerate((one for one in events if isinstance(one, e.DealStarted)), start=1):
        if event.deal != number:
            yield Fault(v=event.v, what=f"deal {event.deal} follows where deal {number} should be")
        if event.deal == running and event.deal not in ended:
            continue
        if event.deal not in ended and event.deal not in over:
            yield Fault(v=event.v, what=f"deal {event.deal} began and never ended: its promise is an orphan")
        must_show = event.deal in voided or (terms is not None and terms.reveal_policy == "public")
        if event.deal not in shown and (must_show or event.deal not in ended):
            yield Fault(v=event.v, what=f"the seed of deal {event.deal} was not laid open")
        elif event.deal in shown and not _is_the_promised(event, shown[event.deal].seed):
            yield Fault(v=shown[event.deal].v, what=f"what was laid open is not the seed of deal {event.deal}")
    for toss in (one for one in events if isinstance(one, e.TossDrawn)):
        if not _is_the_promised(toss, toss.seed):
            yield Fault(v=toss.v, what="what was laid open is not the seed of the toss")


def _last_deal(events: Events) -> int | None:
    return next((event.deal for event in reversed(events) if isinstance(event, e.DealStarted)), None)


def _is_the_promised(event: Shuffled, seed: str) -> bool:
    try:
        raw = bytes.fromhex(seed)
    except ValueError:
        return False
    proof = event.proof
    return seed_leaf(table=event.table, batch=proof.batch, index=proof.index, seed=raw).hex() == proof.leaf


def _accounted_for(events: Events) -> Iterator[Fault]:
    """Before a table closes, each of its batches is accounted for, seed by seed."""
    if not events or not isinstance(events[-1], e.TableClosed):
        return
    closed = {event.batch: event for event in events if isinstance(event, e.BatchClosed)}
    promised = [event for event in events if isinstance(event, e.SeedsCommitted)]
    for event in promised:
        used = {one.proof.index for one in _shuffles(events) if one.proof.batch == event.batch}
        used |= {event.count - 1} if event.batch < len(promised) else set()
        unused = tuple(index for index in range(event.count) if index not in used)
        account = closed.get(event.batch)
        if account is None:
            yield Fault(v=event.v, what=f"batch {event.batch} is never accounted for")
        elif (account.used, account.unused) != (tuple(sorted(used)), unused):
            yield Fault(v=account.v, what=f"the account of batch {event.batch} does not fit the deals")


def _seats_drawn(events: Events) -> Iterator[Fault]:
    """Seats that were drawn are those that the seed of the toss gives; it lies open once the match has begun."""
    toss = next((event for event in events if isinstance(event, e.TossDrawn)), None)
    opened = next((event for event in events if isinstance(event, e.TableOpened)), None)
    if toss is None or opened is None or not _is_the_promised(toss, toss.seed):
        return
    free, number = set(map(Seat, range(1, opened.terms.seats + 1))), 0
    for event in events:
        if isinstance(event, e.SeatTaken):
            number += event.drawn is not None
            wanted = event.seat
            if event.drawn is not None and free:
                wanted = drawn_seat(bytes.fromhex(toss.seed), table=event.table, number=number, free=sorted(free))
            if event.drawn not in {None, number} or event.seat != wanted:
                yield Fault(v=event.v, what=f"seat {event.seat} is not the one that was drawn")
            free.discard(event.seat)
        elif isinstance(event, e.SeatVacated):
            free.add(event.seat)


def _openings(events: Events) -> Iterator[Fault]:
    """Wild card and open card are those that were promised."""
    for event in events:
        if isinstance(event, e.DealStarted):
            for card in (event.wild, event.open, *event.set_aside):
                wrong = card_fault(card, root=event.pack.root, generation=0, leaves=event.pack.cards)
                if wrong is not None:
                    yield Fault(v=event.v, what=wrong)


def _packs(events: Events, batches: Mapping[int, SeedBatch]) -> Iterator[Fault]:
    """Each pack dealt again: roots, transcripts, and every card that was laid open."""
    transcript: Transcript | None = None
    seed, faces = b"", dict[str, str]()
    for event in events:
        match event:
            case e.TossDrawn() | e.DealStarted():
                transcript, seed = transcript_of(events, event), _seed(event, batches)
                dealt = pack.deal_pack(seed, transcript)
                faces = _faces(dealt)
                yield from _differs(event.v, event.pack, dealt, transcript)
                if not _is_the_promised(event, seed.hex()):
                    yield Fault(v=event.v, what="the pack was promised with the hash of another seed")
                if isinstance(event, e.TossDrawn):
                    yield from _toss(event, dealt)
            case e.StockReshuffled():
                assert transcript is not None, "a stock is reshuffled in a deal"
                again = of_generation(transcript, event.generation)
                dealt = pack.reshuffled(seed, again, [faces.get(where, "") for where in event.taken])
                faces |= _faces(dealt)
                yield from _differs(event.v, event.pack, dealt, again)
            case _:
                yield from _laid_open(event, faces)


def _toss(event: e.TossDrawn, dealt: DealtPack) -> Iterator[Fault]:
    drawn = [one.card for cards in event.rounds for one in cards]
    if drawn != list(dealt.faces[: len(drawn)]):
        yield Fault(v=event.v, what="the cards of the toss are not those on top of its pack")


def _differs(v: int, promised: e.PackCommitment, dealt: DealtPack, transcript: Transcript) -> Iterator[Fault]:
    of = sha256(canonical(transcript)).hexdigest()
    if (promised.cards, promised.root, promised.transcript) != (dealt.leaves, dealt.root, of):
        yield Fault(v=v, what=f"the pack is not the one that its seed gives (root {dealt.root[:16]}…)")


def _laid_open(event: e.TableEvent, faces: Mapping[str, str]) -> Iterator[Fault]:
    shown: tuple[tuple[str, str], ...] = ()
    match event:
        case e.CardDiscarded() | e.CardReturned():
            shown = ((event.position, event.card),)
        case e.ShowDeclared() | e.HandLaidOpen():
            shown = tuple((one.position, one.card) for one in event.hand)
        case _:
            pass
    for where, card in shown:
        if faces.get(where) != card:
            yield Fault(v=event.v, what=f"{card} was laid open at {where}, where {faces.get(where)} lies")


def _seed(event: Shuffled, batches: Mapping[int, SeedBatch]) -> bytes:
    seeds = batches[event.proof.batch].seeds
    return seeds[event.proof.index] if event.proof.index < len(seeds) else b""


def _faces(dealt: DealtPack) -> dict[str, str]:
    return {position(dealt.generation, place): face for place, face in enumerate(dealt.faces)}
