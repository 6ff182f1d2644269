"""The toss, and the deal: who gets which places of the pack (chapters 2 and 3)."""

from poolrummy.rules import conservation, seeds, toss
from poolrummy.rules.deal_out import deal_out
from poolrummy.rules.order import in_play, next_order, same_order
from poolrummy.rules.recorder import Recorder
from poolrummy_contracts.cards import Position, position
from poolrummy_contracts.events import DealStarted, DealtHand, TossDrawn


def toss_up(rec: Recorder) -> None:
    """Draw the toss, which decides the order of play (rules 2.1 to 2.4)."""
    seats = tuple(one.seat for one in rec.standings.seats)
    pack = rec.hidden.toss(seeds.next_basis(rec.table, seats))
    rounds = toss.draw(pack.faces, seats)
    order = toss.order_of_play(rounds, seats, rec.table.terms.toss_orders)
    rec.record(
        TossDrawn(
            **rec.follow("2.1"), pack=pack.commitment, proof=pack.proof, seed=pack.seed, rounds=rounds, order=order
        )
    )


def deal(rec: Recorder) -> None:
    """Commit to a pack and deal it (rules 2.5 to 2.8 and chapter 3)."""
    seeds.commit_ahead(rec)
    table = rec.table
    circle = (next_order if table.scored else same_order)(table.order, rec.standings)
    order = in_play(circle, rec.standings)
    number = table.deal_number + 1
    pack = rec.hidden.pack(number, seeds.next_basis(table, order))
    conservation.check_pack(pack.faces, table.terms)
    layout = deal_out(table.terms, order, pack.faces)
    rec.record(
        DealStarted(
            **rec.follow("3.1", deal=number),
            pack=pack.commitment,
            proof=pack.proof,
            order=order,
            dealer=order[-1],
            hands=tuple(
                DealtHand(seat=seat, positions=_positions(places))
                for seat, places in zip(order, layout.hands, strict=True)
            ),
            wild=pack.opened(layout.wild),
            wild_rank=layout.wild_rank,
            open=pack.opened(layout.open),
            stock=_positions(layout.stock),
            set_aside=tuple(pack.opened(place) for place in layout.set_aside),
            software=None if rec.hidden.software == table.software else rec.hidden.software,
        )
    )


def _positions(places: tuple[int, ...]) -> tuple[Position, ...]:
    return tuple(position(0, place) for place in places)
