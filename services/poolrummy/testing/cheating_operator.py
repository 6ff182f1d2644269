"""An operator who cheats with the packs, in every way that we could think of; each log is made up as well as it can be.

Versions are numbered anew after each act, and the operator holds all keys of the platform. What he cannot do is take
back what seats and auditor have seen: promises in a log whose checkpoints are outside, seeds of seats, openings.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Final

import msgspec
from msgspec.structs import replace

from poolrummy.dealer.seed_keeper import SeedKeeper
from poolrummy.fairness import checks, pack
from poolrummy.fairness.batch import SeedBatch, batch_of, next_batch
from poolrummy.fairness.sealing import Sealer
from poolrummy.fairness.transcript import canonical
from poolrummy.testing.seed_givers import batches_of, seeded_match
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, position
from poolrummy_contracts.terms import Seat

Log = list[e.TableEvent]


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """What lies before those who check: the public log, and for the auditor the seeds of this and of other tables."""

    events: tuple[e.TableEvent, ...]
    batches: dict[int, SeedBatch]
    other_tables: tuple[SeedBatch, ...] = ()


def exposed(case: Case) -> list[str]:
    """What is found out, by the public first and else by the auditor."""
    public = checks.public_faults(case.events)
    if public:
        return [f"anybody: version {fault.v}, {fault.what}" for fault in public]
    found = [f"auditor: version {fault.v}, {fault.what}" for fault in checks.seed_faults(case.events, case.batches)]
    twice = checks.repeated_seeds([*case.batches.values(), *case.other_tables])
    return found + [f"auditor: seed {digest[:16]} is used twice" for digest in twice]


def honest(number: int, sealer: Sealer, **settings: str | int) -> Case:
    """A match as it should be: three robots, two with seeds of their own, batches of four seeds."""
    match = seeded_match(number, sealer, per_batch=4, overrides=dict(settings), withhold=frozenset())
    match.play()
    return Case(events=tuple(match.events), batches=batches_of(match.events, sealer))


def grinds_after_the_seats_have_spoken(case: Case, _: Random) -> Case:
    """Draws the seeds only when he knows those of the seats."""
    promise = case.events[1]
    others = [event for event in case.events if event is not promise]
    at = next(n for n, event in enumerate(others) if isinstance(event, e.MatchStarted))
    return _case(case, [*others[:at], promise, *others[at:]])


def skips_a_seed(case: Case, random: Random) -> Case:
    """Deals with a later seed of the batch, since that one suits him better."""
    deal = _some_deal(case, random, lambda event: event.proof.index + 2 < len(case.batches[event.proof.batch].seeds))
    return _dealt_with(case, deal, batch=deal.proof.batch, index=deal.proof.index + 1)


def reuses_a_seed(case: Case, random: Random) -> Case:
    """Deals with the seed of an earlier pack."""
    deal = _some_deal(case, random, lambda event: event.proof.index > 0)
    return _dealt_with(case, deal, batch=deal.proof.batch, index=deal.proof.index - 1)


def uses_the_seeds_of_another_table(case: Case, random: Random) -> Case:
    """Promises seeds that another table has dealt with already."""
    known = random.choice(case.batches[1].seeds)
    other = batch_of("p00-another", 1, (known, *(bytes([n]) * 80 for n in range(1, 4))))
    return msgspec.structs.replace(case, other_tables=(other,))


def goes_on_with_chosen_seeds(case: Case, random: Random) -> Case:
    """Draws a second batch of his own choice, now that he knows the seeds of the seats."""
    chosen = batch_of(case.events[0].table, 2, tuple(random.randbytes(80) for _ in case.batches[1].seeds))
    batches = {**case.batches, 2: chosen}
    later = chosen
    for number in sorted(batches)[2:]:
        later = batches[number] = next_batch(later)
    roots = {number: batch.root for number, batch in batches.items()}
    events = [
        replace(event, root=roots[event.batch]) if isinstance(event, e.SeedsCommitted) else event
        for event in case.events
    ]
    case = Case(events=tuple(events), batches=batches)
    return _all_dealt_again(case)


def lets_a_friend_promise_last(case: Case, _: Random) -> Case:
    """A seat in league with him chooses its seed when the others lie open."""
    seat = next(event.seat for event in case.events if isinstance(event, e.SeatSeedCommitted))
    promise = next(event for event in case.events if isinstance(event, e.SeatSeedCommitted) and event.seat == seat)
    events = [event for event in case.events if event is not promise]
    at = 1 + next(n for n, one in enumerate(events) if isinstance(one, e.SeatSeedRevealed) and one.seat != seat)
    own = next(n for n, one in enumerate(events) if isinstance(one, e.SeatSeedRevealed) and one.seat == seat)
    shown = events.pop(own)
    at -= own < at
    return _case(case, [*events[:at], promise, shown, *events[at:]])


def changes_the_seed_of_a_seat(case: Case, random: Random) -> Case:
    """Writes another seed for a seat than the one that it gave, and deals by that."""
    other = random.randbytes(32).hex()
    changed: Log = []
    for event in case.events:
        if isinstance(event, e.MatchStarted):
            given = tuple(replace(one, seed=other) if one.seat == Seat(1) else one for one in event.seat_seeds)
            changed.append(replace(event, seat_seeds=given))
        else:
            changed.append(event)
    return _all_dealt_again(Case(events=tuple(changed), batches=case.batches))


def leaves_out_the_seed_of_a_seat(case: Case, _: Random) -> Case:
    """Says that a seat kept its seed back, though it lay open."""
    changed: Log = []
    for event in case.events:
        if isinstance(event, e.MatchStarted):
            given = tuple(replace(one, state="withheld", seed=None) for one in event.seat_seeds[:1])
            changed.append(replace(event, seat_seeds=(*given, *event.seat_seeds[1:])))
        else:
            changed.append(event)
    return _all_dealt_again(Case(events=tuple(changed), batches=case.batches))


def drops_an_unlucky_deal(case: Case, random: Random) -> Case:
    """Takes a whole deal out of the log, as if it had never been dealt."""
    deal = _some_deal(case, random, lambda event: any(_begins(one, (event.deal or 0) + 1) for one in case.events))
    begins = case.events.index(deal)
    ends = next(n for n, one in enumerate(case.events) if _begins(one, (deal.deal or 0) + 1))
    return _case(case, [*case.events[:begins], *case.events[ends:]])


def breaks_off_an_unlucky_deal(case: Case, random: Random) -> Case:
    """Lets a deal end without a score and without a word."""
    deal = _some_deal(case, random)
    return _case(case, [one for one in case.events if not (isinstance(one, e.DealScored) and one.deal == deal.deal)])


def voids_an_unlucky_deal_in_the_dark(case: Case, random: Random) -> Case:
    """Voids a deal, and does not lay its seed open."""
    deal = _some_deal(case, random)
    void: Log = []
    for event in case.events:
        if isinstance(event, e.DealScored) and event.deal == deal.deal:
            stamp = {name: getattr(event, name) for name in ("v", "table", "at", "actor", "deal", "turn", "cause")}
            void.append(e.DealVoided(**stamp, rule="13.2", reason="a fault of the network", operator="mallory"))
        elif not (isinstance(event, e.SeedRevealed) and event.of_deal == deal.deal):
            void.append(event)
    return _case(case, void)


def lays_another_seed_open(case: Case, random: Random) -> Case:
    """Voids a deal, and lays a seed open that leads to a harmless pack."""
    dark = voids_an_unlucky_deal_in_the_dark(case, random)
    at = next(n for n, event in enumerate(dark.events) if isinstance(event, e.DealVoided))
    void = dark.events[at]
    shown = e.SeedRevealed(
        v=void.v, table=void.table, at=void.at, actor="system", rule="13.2", deal=void.deal,
        of_deal=void.deal or 0, seed=random.randbytes(80).hex(),
    )  # fmt: skip
    return _case(case, [*dark.events[: at + 1], shown, *dark.events[at + 1 :]])


def swaps_two_cards_before_the_promise(case: Case, random: Random) -> Case:
    """Promises a pack with two cards swapped, with openings that fit."""
    deal = _some_deal(case, random)
    transcript = checks.transcript_of(case.events, deal)
    faces = list(_dealt(case, deal).faces)
    one, other = random.sample(range(len(faces)), 2)
    while faces[one] == faces[other]:
        one, other = random.sample(range(len(faces)), 2)
    faces[one], faces[other] = faces[other], faces[one]
    seed = case.batches[deal.proof.batch].seeds[deal.proof.index]
    return _with(case, deal, _promised(deal, pack.in_this_order(seed, transcript, faces), canonical(transcript)))


def swaps_a_card_after_the_promise(case: Case, random: Random) -> Case:
    """Lays another card open than the one that lay there."""
    thrown = random.choice([event for event in case.events if isinstance(event, e.CardDiscarded)])
    other = random.choice([face for face in ("AS", "7H", "JK") if face != thrown.card])
    return _with(case, thrown, replace(thrown, card=Card(other)))


def turns_up_another_wild_card(case: Case, random: Random) -> Case:
    """Tells another wild card than the one that was promised."""
    deal = _some_deal(case, random)
    other = next(face for face in ("AS", "7H") if face != deal.wild.card)
    return _with(case, deal, replace(deal, wild=replace(deal.wild, card=Card(other)), wild_rank=other[0]))


def forgets_a_batch(case: Case, _: Random) -> Case:
    """Closes the table without an account of the seeds that were never used."""
    return _case(case, [event for event in case.events if not isinstance(event, e.BatchClosed)])


CHEATS: Final[tuple[Callable[[Case, Random], Case], ...]] = (
    grinds_after_the_seats_have_spoken,
    skips_a_seed,
    reuses_a_seed,
    uses_the_seeds_of_another_table,
    goes_on_with_chosen_seeds,
    lets_a_friend_promise_last,
    changes_the_seed_of_a_seat,
    leaves_out_the_seed_of_a_seat,
    drops_an_unlucky_deal,
    breaks_off_an_unlucky_deal,
    voids_an_unlucky_deal_in_the_dark,
    lays_another_seed_open,
    swaps_two_cards_before_the_promise,
    swaps_a_card_after_the_promise,
    turns_up_another_wild_card,
    forgets_a_batch,
)


class GrindingKeeper(SeedKeeper):
    """A dealer's keeper of seeds that draws its later batches until they suit it: a real dealer can be built on it."""

    def _draw(self, number: int) -> SeedBatch:
        if number == 1:
            return super()._draw(number)
        drawn = [
            batch_of(self._table, number, tuple(self._source.fresh_seed(self._decks) for _ in range(self._per_batch)))
            for _ in range(8)
        ]
        return min(drawn, key=lambda batch: batch.seeds[0])


def _some_deal(case: Case, random: Random, fits: Callable[[e.DealStarted], bool] = lambda _: True) -> e.DealStarted:
    deals = [event for event in case.events if isinstance(event, e.DealStarted) and fits(event)]
    assert deals, "this match has no such deal"
    return random.choice(deals)


def _begins(event: e.TableEvent, deal: int) -> bool:
    return isinstance(event, e.DealStarted) and event.deal == deal


def _dealt(case: Case, deal: e.TossDrawn | e.DealStarted) -> pack.DealtPack:
    seed = case.batches[deal.proof.batch].seeds[deal.proof.index]
    return pack.deal_pack(seed, checks.transcript_of(case.events, deal))


def _dealt_with(case: Case, deal: e.DealStarted, *, batch: int, index: int) -> Case:
    moved = replace(deal, proof=case.batches[batch].proof(index))
    dealt = _dealt(case, moved)
    return _with(case, deal, _promised(moved, dealt, canonical(checks.transcript_of(case.events, moved))))


def _promised(deal: e.DealStarted, dealt: pack.DealtPack, transcript: bytes) -> e.DealStarted:
    """The start of the deal with this pack: its root, and the cards that were turned up."""

    def opened(card: e.OpenedCard) -> e.OpenedCard:
        found = dealt.opening(int(card.position.partition("-")[2]))
        return e.OpenedCard(Card(found.face), position(0, found.position), found.salt, found.path)

    promise = e.PackCommitment(cards=dealt.leaves, root=dealt.root, transcript=sha256(transcript).hexdigest())
    return replace(
        deal, pack=promise, wild=opened(deal.wild), open=opened(deal.open), set_aside=tuple(map(opened, deal.set_aside))
    )


def _all_dealt_again(case: Case) -> Case:
    """Every promise about a pack made anew, with the cards that were turned up."""
    for number in [event.deal for event in case.events if isinstance(event, e.DealStarted)]:
        deal = next(one for one in case.events if isinstance(one, e.DealStarted) and one.deal == number)
        case = _dealt_with(case, deal, batch=deal.proof.batch, index=deal.proof.index)
    return case


def _with(case: Case, old: e.TableEvent, new: e.TableEvent) -> Case:
    return _case(case, [new if event is old else event for event in case.events])


def _case(case: Case, events: Sequence[e.TableEvent]) -> Case:
    return msgspec.structs.replace(case, events=tuple(_numbered(events)))


def _numbered(events: Sequence[e.TableEvent]) -> Iterator[e.TableEvent]:
    """The log without a gap: versions, and numbers of deals, go on one by one."""
    deal = 0
    for v, event in enumerate(events, start=1):
        deal += isinstance(event, e.DealStarted)
        renumbered = replace(event, v=v) if event.deal is None else replace(event, v=v, deal=deal)
        if isinstance(renumbered, e.SeedRevealed):
            renumbered = replace(renumbered, of_deal=deal)
        yield renumbered
