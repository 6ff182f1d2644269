"""What can be seen without deciding anything again: terms, authors, openings, money."""

from collections.abc import Iterable, Iterator, Sequence

from poolrummy.audit.bundle_lines import OpeningLine
from poolrummy.audit.findings import Check, Finding
from poolrummy.audit.laid_open import laid_open
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.openings import card_fault
from poolrummy_contracts.profiles import check as contradictions
from poolrummy_contracts.terms import EDITION, Terms, terms_hash

POOL = ("entry", "rejoin")


def terms_findings(opened: e.TableOpened) -> Iterator[Finding]:
    """The terms are those of the hash, can be played, and are of an edition that is known (R31)."""
    if terms_hash(opened.terms) != opened.terms_hash:
        yield _found(
            Check.TERMS, opened, f"the terms have the hash {terms_hash(opened.terms)}, not {opened.terms_hash}"
        )
    if not 1 <= opened.edition <= EDITION:
        yield _found(Check.TERMS, opened, f"edition {opened.edition} of the rules is not known here, {EDITION} is")
    for finding in contradictions(opened.terms):
        yield _found(Check.TERMS, opened, finding.sentence)


def author_findings(events: Sequence[e.TableEvent]) -> Iterator[Finding]:
    """Nothing happens without an author and a rule; a player sits once, a robot never for money (R18, R24, R25)."""
    terms: Terms | None = None
    seated: dict[int, str] = {}
    for event in events:
        if not event.rule:
            yield _found(Check.AUTHORS, event, "no rule stands behind it")
        if event.actor in ("player", "operator") and not event.cause:
            yield _found(Check.AUTHORS, event, f"a {event.actor} did it, and no command of one is named")
        if event.actor == "timer" and event.cause is not None:
            yield _found(Check.AUTHORS, event, "a clock did it, and a command is named")
        match event:
            case e.TableOpened():
                terms = event.terms
            case e.SeatTaken():
                if event.player in seated.values():
                    yield _found(Check.AUTHORS, event, f"{event.player} sits at this table already")
                if event.kind == "robot" and terms is not None and terms.currency != "practice":
                    yield _found(Check.AUTHORS, event, "a robot at a table for money")
                seated[event.seat] = event.player
            case e.SeatVacated():
                seated.pop(event.seat, None)
            case _:
                continue


def openings(events: Iterable[e.TableEvent]) -> tuple[int, tuple[Finding, ...]]:
    """How many cards were laid open at deals, and those that do not lead to the root of their pack."""
    counted = 0
    wrong: list[Finding] = []
    for event in events:
        if not isinstance(event, e.DealStarted):
            continue
        for opened in (event.wild, event.open, *event.set_aside):
            counted += 1
            fault = card_fault(opened, root=event.pack.root, generation=0, leaves=event.pack.cards)
            if fault is not None:
                wrong.append(_found(Check.OPENINGS, event, fault))
    return counted, tuple(wrong)


class Proven:
    """Cards that a bundle proves by their openings, and whether these are all that the log lays open."""

    def __init__(self, events: Sequence[e.TableEvent], proofs: Sequence[OpeningLine], *, whole: bool) -> None:
        """Hold the proofs against these events; where they are not the ``whole`` log, a pack may stand in the rest."""
        self.findings: list[Finding] = []
        self.counted = len(proofs)
        roots = {(event.deal, generation): pack for event, generation, pack in _packs(events)}
        shown = {(event.deal, where): (card, event) for event in events for where, card in laid_open(event)}
        proven: set[tuple[int | None, str]] = set()
        for proof in proofs:
            opened = e.OpenedCard(Card(proof.card), Position(proof.position), proof.salt, proof.path)
            generation = proof.position.partition("-")[0]
            pack = roots.get((proof.deal, int(generation) if generation.isdigit() else -1))
            if pack is None and not (whole and events):
                continue
            card, event = shown.get((proof.deal, opened.position), (None, events[-1]))
            fault = (
                "no pack of this log has such a card"
                if pack is None
                else card_fault(opened, root=pack.root, generation=int(generation), leaves=pack.cards)
            )
            if fault is None and card is not None and card != opened.card:
                fault = f"{card} is laid open at {opened.position}, the pack has {opened.card} there"
            if fault is not None:
                self.findings.append(_found(Check.OPENINGS, event, fault))
            proven.add((proof.deal, opened.position))
        self.all_shown = bool(proofs) and shown.keys() <= proven


def _packs(events: Iterable[e.TableEvent]) -> Iterator[tuple[e.TableEvent, int, e.PackCommitment]]:
    for event in events:
        if isinstance(event, e.DealStarted):
            yield event, 0, event.pack
        elif isinstance(event, e.StockReshuffled):
            yield event, event.generation, event.pack


def money_findings(events: Iterable[e.TableEvent]) -> Iterator[Finding]:
    """Entries and rejoins make the pool; prizes are the pool; a void match gives back what was paid in (chapter 11)."""
    pool = 0
    paid: dict[int, int] = {}
    for event in events:
        if isinstance(event, e.MatchStarted | e.RejoinGranted):
            pool += _sum(event.obligations, POOL)
            for one in event.obligations:
                paid[one.seat] = paid.get(one.seat, 0) + one.amount
            if event.prize_pool != pool:
                yield _found(Check.MONEY, event, f"the pool is {event.prize_pool}, what was paid into it is {pool}")
        elif isinstance(event, e.MatchEnded):
            owed, prizes = _sum(event.obligations, ("prize",)), sum(place.prize for place in event.places)
            if owed != pool or prizes != pool:
                yield _found(Check.MONEY, event, f"prizes of {prizes}, {owed} owed, and a pool of {pool}")
        elif isinstance(event, e.MatchVoided):
            for one in event.obligations:
                if one.amount != paid.get(one.seat, 0):
                    what = f"seat {one.seat} gets back {one.amount}, it had paid {paid.get(one.seat, 0)}"
                    yield _found(Check.MONEY, event, what)


def _sum(obligations: Iterable[e.Obligation], kinds: Sequence[str]) -> int:
    return sum(one.amount for one in obligations if one.kind in kinds)


def _found(check: Check, event: e.TableEvent, what: str) -> Finding:
    kind = str(event.__struct_config__.tag)
    return Finding(check=check, v=event.v, what=what, rule=event.rule, kind=kind)
