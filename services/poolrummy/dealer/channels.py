"""What each seat is told in private when these events are recorded: its cards, with their openings."""

from collections.abc import Iterable, Iterator

from poolrummy.dealer.vault import Vault
from poolrummy_contracts.events import (
    CardDrawn,
    DealScored,
    DealStarted,
    DealVoided,
    MatchEnded,
    MatchVoided,
    TableEvent,
)
from poolrummy_contracts.seat_lines import CardReceived, CardsDealt, SeatMessage
from poolrummy_contracts.terms import Seat


def lines_for(events: Iterable[TableEvent], vault: Vault) -> Iterator[SeatMessage]:
    """The private lines that belong to these events; the vault has seen the events already."""
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
                        cards=tuple(vault.opened(position) for position in hand.positions),
                    )
            case CardDrawn(source="stock"):
                assert event.deal is not None, "a card is drawn in a deal"
                yield CardReceived(
                    table=event.table,
                    seat=event.seat,
                    deal=event.deal,
                    v=event.v,
                    card=vault.opened(event.position),
                )
            case _:
                continue


def channels_over(events: Iterable[TableEvent], seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """The seats whose channels these events end: all, when a deal or the match is over or a new deal begins."""
    ends = (DealStarted, DealScored, DealVoided, MatchEnded, MatchVoided)
    return tuple(seats) if any(isinstance(event, ends) for event in events) else ()
