"""What each seat is told in private when these events are recorded: its cards, with their openings."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from poolrummy.dealer.vault import Vault
from poolrummy.rules.state import Table
from poolrummy_contracts.cards import Position
from poolrummy_contracts.events import (
    CardDrawn,
    DealScored,
    DealStarted,
    DealVoided,
    MatchEnded,
    MatchVoided,
    OpenedCard,
    TableEvent,
)
from poolrummy_contracts.seat_lines import CardReceived, CardsDealt, PlainLine
from poolrummy_contracts.terms import Seat


def lines_for(events: Iterable[TableEvent], vault: Vault, table: Table) -> Iterator[PlainLine]:
    """The private lines that belong to these events; the vault has seen the events already."""

    def told(where: Position) -> OpenedCard:
        card = vault.opened(where)
        # Where only the auditor checks, a seat learns its cards without their openings (rule 3.9).
        return replace(card, salt="", path=()) if table.terms.reveal_policy == "auditor" else card

    for event in events:
        match event:
            case DealStarted():
                assert event.deal is not None, "a deal has a number"
                for hand in event.hands:
                    yield CardsDealt(
                        table=event.table,
                        seat=hand.seat,
                        deal=event.deal,
                        v=event.v,
                        cards=tuple(map(told, hand.positions)),
                    )
            case CardDrawn(source="stock"):
                assert event.deal is not None, "a card is drawn in a deal"
                yield CardReceived(
                    table=event.table,
                    seat=event.seat,
                    deal=event.deal,
                    v=event.v,
                    card=told(event.position),
                )
            case _:
                continue


def channels_over(events: Iterable[TableEvent], seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """The seats whose channels these events end: all, when a deal or the match is over or a new deal begins."""
    ends = (DealStarted, DealScored, DealVoided, MatchEnded, MatchVoided)
    return tuple(seats) if any(isinstance(event, ends) for event in events) else ()
