"""A deal step by step: who acted by which rule, what the reader sees of it, and how much time was left."""

from collections.abc import Iterator, Mapping, Sequence

from poolrummy.audit.dossier.content import CardSeen, HandSeen, Step
from poolrummy.audit.dossier.readings import in_hand_order, is_wild
from poolrummy.audit.history import Moment, Moments
from poolrummy.audit.story import Teller
from poolrummy.audit.time_left import time_left
from poolrummy.audit.views import Faces, Pack, View
from poolrummy.rules.state import Deal, Table
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.terms import Seat

Acts = e.CardDrawn | e.CardDiscarded | e.CardReturned | e.FinishCalled | e.SeatDropped | e.TurnMissed | e.ShowForfeited


class StepsOfView:
    """Tells the steps of a log to one reader; players are named as the log goes on."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._teller = Teller()

    def before_deals(self, moments: Moments) -> tuple[Step, ...]:
        """What happened before the first deal."""
        return tuple(self._step(one, Faces({})) for one in moments)

    def of_deal(self, moments: Moments, seen: Pack) -> tuple[Step, ...]:
        """The steps of a deal and of the break after it."""
        faces = Faces(seen)
        steps: list[Step] = []
        for one in moments:
            faces.learn(one.event)
            steps.append(self._step(one, faces))
        return tuple(steps)

    def _step(self, one: Moment, faces: Faces) -> Step:
        told = self._teller.step(one.after, one.event)
        deal = one.after.deal
        return Step(
            v=told.v,
            at=told.at,
            type=told.type,
            actor=told.actor,
            rule=told.rule,
            text=told.text,
            deal=told.deal,
            turn=told.turn,
            seat=told.seat,
            player=told.player,
            cause=told.cause,
            cards=tuple(_cards_of(one.event, faces, deal)),
            cards_left=told.cards_left,
            stock_left=len(deal.stock) if deal is not None and isinstance(one.event, Acts | e.TurnStarted) else None,
            clock=time_left(one.before, one.event),
            held=tuple(self._held(one, faces)),
            open_top=_top(deal, faces) if isinstance(one.event, e.TurnStarted) else None,
        )

    def _held(self, one: Moment, faces: Faces) -> Iterator[HandSeen]:
        """Hands at this moment: all that the reader may see when a turn begins, and the actor's before an act."""
        if isinstance(one.event, e.TurnStarted):
            yield from hands_seen(one.after, self._view, faces)
        elif isinstance(one.event, Acts) and one.before is not None and self._sees(one.event.seat):
            yield from hands_seen(one.before, View("seat", one.event.seat), faces)

    def _sees(self, seat: Seat) -> bool:
        return self._view.kind == "auditor" or self._view.seat == seat


def hands_seen(table: Table, view: View, faces: Faces) -> tuple[HandSeen, ...]:
    """The hands that a reader may see, of the seats that are in the deal."""
    deal = table.deal
    if deal is None or view.kind == "public":
        return ()
    players = {chair.seat: chair.player for chair in table.chairs}
    return tuple(
        HandSeen(
            seat=one.seat, player=players.get(one.seat, ""), cards=in_hand_order(cards_seen(one.hand, faces, deal))
        )
        for one in sorted(deal.seats, key=lambda one: one.seat)
        if one.hand and ((view.kind == "auditor" and one.standing == "playing") or view.seat == one.seat)
    )


def cards_seen(where: Sequence[Position], faces: Faces, deal: Deal) -> tuple[CardSeen, ...]:
    """Cards at these positions, with the faces that the reader knows."""
    return tuple(card_seen(position, faces.of(position), deal.wild_rank) for position in where)


def card_seen(position: Position | None, card: Card | None, wild_rank: str) -> CardSeen:
    """One card."""
    return CardSeen(position=position, card=card, wild=is_wild(card, wild_rank))


def _cards_of(event: e.TableEvent, faces: Faces, deal: Deal | None) -> Iterator[CardSeen]:
    wild_rank = "" if deal is None else deal.wild_rank
    match event:
        case e.CardDrawn() | e.CardDiscarded() | e.CardReturned() | e.FinishCalled():
            yield card_seen(event.position, faces.of(event.position), wild_rank)
        case e.DealStarted():
            yield card_seen(event.wild.position, event.wild.card, wild_rank)
            yield card_seen(event.open.position, event.open.card, wild_rank)
        case e.TossDrawn():
            for drawn_round in event.rounds:
                yield from (card_seen(None, drawn.card, "") for drawn in drawn_round)
        case _:
            return


def _top(deal: Deal | None, faces: Faces) -> CardSeen | None:
    if deal is None or not deal.pile:
        return None
    top = deal.pile[-1]
    return card_seen(top.position, faces.of(top.position) or top.card, deal.wild_rank)


def players_of(moments: Moments) -> Mapping[Seat, str]:
    """Who sat where, the last one in each seat; also after a seat is empty again."""
    found: dict[Seat, str] = {}
    for one in moments:
        if isinstance(one.event, e.SeatTaken):
            found[one.event.seat] = one.event.player
    return found
