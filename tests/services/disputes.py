"""Tables on which every kind of dispute comes up, played by commands with packs that are written down.

Openings and commitments are real; only where the cards lie is scripted, and the seal is a plain one, so that the same
bytes come out every time.
"""

from collections.abc import Callable, Mapping
from functools import cache

import msgspec

from poolrummy.audit.dossier.content import About
from poolrummy.audit.dossier.making import Asked
from poolrummy.audit.views import View
from poolrummy.testing.matches import terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.tables import TABLE
from poolrummy_contracts import commands as c
from poolrummy_contracts.refusals import Refused
from poolrummy_contracts.terms import Seat

from .dispute_tables import PLAYERS, Dispute

VALID = "3H 4H 5H / 9C TC JC / 8S 8H 8D / QS QD QH QC"
BROKEN = "3H 4H 5H / 9C TC QC / 8S 8H 8D / KS KD KH KC"
NO_PURE = "3H 4H JK / 9C 2C JC / 8S 8H 8D / QS QD QH QC"
MIXED = "2S 4S 6S 8C TH QH AC 3C 5D 7D 9D JD KH"
LOSER = "AS KD 9H 7C 5S 3D 6H TD JS 4C 2H 9S KC"


def cards(groups: str) -> str:
    return groups.replace("/", "")


def dispute_at(
    seats: int, deals: Mapping[int, DealScript], players: Mapping[int, str] = PLAYERS, **settings: object
) -> Dispute:
    """A table on which the match has begun: seat 1 is on turn."""
    terms = terms_of("house", "101", seats=seats, currency="INR", rejoin_payment="cashier", **settings)
    table = Dispute(terms, deals, players)
    table.do(c.OpenTable(id="open", table=TABLE, terms=terms))
    for seat in range(1, seats + 1):
        table.pass_time(1200)
        table.sit(seat)
    return table


def play_turn(table: Dispute, ms: int = 2300) -> None:
    """A turn of drawing from the stock and throwing the card away."""
    table.pass_time(ms)
    table.draw()
    table.pass_time(ms // 2)
    table.discard()


def declare_rest(table: Dispute) -> None:
    """The losers declare in one heap; they are counted by the best arrangement anyway."""
    for seat in table.deal.waiting:
        table.pass_time(900)
        table.declare(seat, " ".join(table.hand(seat)))
    table.judge()


class Golden(msgspec.Struct, frozen=True, kw_only=True):
    """A golden dossier: the table that is played, and what is asked."""

    play: Callable[[], Dispute]
    asked: Asked


def seat_asks(seat: int, deal: int, about: About | None = None) -> Asked:
    return Asked(view=View("seat", Seat(seat)), deal=deal, seat=Seat(seat), about=about)


def auditor_asks(seat: int, deal: int, about: About | None = None) -> Asked:
    return Asked(view=View("auditor"), deal=deal, seat=Seat(seat), about=about)


def public_asks(seat: int, deal: int, about: About | None = None) -> Asked:
    return Asked(view=View("public"), deal=deal, seat=Seat(seat), about=about)


def wrong_show_by(table: Dispute, seat: int) -> None:
    """The seat on turn shows the hand that is none."""
    table.pass_time(6400)
    table.draw()
    table.pass_time(3100)
    table.finish()
    table.pass_time(11_800)
    table.declare(seat, BROKEN)
    table.judge()


@cache
def wrong_show() -> Dispute:
    """Three seats; the second shows a hand whose second group is no group."""
    hands = {1: LOSER, 2: cards(BROKEN), 3: MIXED}
    table = dispute_at(3, {1: DealScript(hands=hands, wild="7S", open="6D", stock="AD 2D 3S 4D 5C")})
    play_turn(table)
    wrong_show_by(table, 2)
    play_turn(table)
    play_turn(table)
    table.pass_time(2000)
    table.drop(3)
    return table


@cache
def missing_pure_sequence() -> Dispute:
    """Two seats; the show has two sequences, and a joker in each."""
    table = dispute_at(2, {1: DealScript(hands={1: cards(NO_PURE), 2: LOSER}, wild="2S", open="6D", stock="AD 5D")})
    table.pass_time(9100)
    table.draw()
    table.pass_time(4000)
    table.finish()
    table.pass_time(15_250)
    table.declare(1, NO_PURE)
    table.judge()
    return table


@cache
def late_move() -> Dispute:
    """Three seats; a discard comes 412 ms after the turn and its time bank are over."""
    hands = {1: LOSER, 2: MIXED, 3: "AD 3S 5C 7H 9C JH KS 2D 4H 6C 8S TS QD"}
    table = dispute_at(3, {1: DealScript(hands=hands, wild="7S", open="6D", stock="2C 8D 9D TC 5H 4D")})
    play_turn(table)
    table.pass_time(21_700)
    table.draw()
    late = c.Discard(**table.turn(), position=table.held(2, "KH"))
    table.time_out()
    table.pass_time(412)
    assert isinstance(table.send(late), Refused)
    play_turn(table)
    table.pass_time(1500)
    table.drop(1)
    table.pass_time(1500)
    table.drop(2)
    return table


@cache
def auto_drop() -> Dispute:
    """Two seats; the second lets three turns in a row run out."""
    hands = {1: LOSER, 2: MIXED}
    table = dispute_at(2, {1: DealScript(hands=hands, wild="7S", open="6D")})
    play_turn(table)
    play_turn(table)
    for _ in range(3):
        play_turn(table)
        table.time_out()
    return table


@cache
def elimination_at_the_limit() -> Dispute:
    """Three seats; the third has 80 from a wrong show and is counted 21: exactly the limit. It refuses to come back."""
    first = {3: cards(BROKEN), 1: LOSER, 2: MIXED}
    second = {2: cards(VALID), 1: "5H 6H 7H 9C TC JC AD 2D 3D QH 7C 2C 3S", 3: "3D 4D 5D 6S 7S 8S 2C 2H 2D 8C 6H 4H 3C"}
    table = dispute_at(
        3,
        {
            1: DealScript(hands=first, wild="7S", open="6D", stock="AD 2D 3S 4D"),
            2: DealScript(hands=second, wild="KS", open="6D", stock="4S 4D 3C 3S", order=2),
        },
    )
    play_turn(table)
    play_turn(table)
    wrong_show_by(table, 3)
    table.pass_time(2200)
    table.drop(1)
    table.pass_time(4000)
    table.draw()
    table.finish()
    table.pass_time(9000)
    table.declare(2, VALID)
    table.judge()
    declare_rest(table)
    table.pass_time(6000)
    table.do(c.RefuseRejoin(**table.who(3), window=table.table.windows))
    return table


@cache
def rejoin_refused() -> Dispute:
    """Three seats; the highest score that is in is 80, one above the threshold."""
    first = {1: cards(BROKEN), 2: LOSER, 3: MIXED}
    second = {2: cards(BROKEN), 1: LOSER, 3: MIXED}
    table = dispute_at(
        3,
        {
            1: DealScript(hands=first, wild="7S", open="6D", stock="AD 2D 3S 4D"),
            2: DealScript(hands=second, wild="7S", open="6D", stock="AD 2D 3S 4D", order=2),
        },
    )
    wrong_show_by(table, 1)
    play_turn(table)
    play_turn(table)
    table.pass_time(2200)
    table.drop(2)
    wrong_show_by(table, 2)
    table.pass_time(2500)
    table.drop(3)
    table.pass_time(4000)
    assert isinstance(table.send(c.AskRejoin(**table.who(2), window=1)), Refused)
    return table


@cache
def split() -> Dispute:
    """Four seats, one goes out; the three that are left split 100.00 by drops left, with two paise over."""
    first = {1: LOSER, 2: MIXED, 4: cards(BROKEN)}
    table = dispute_at(
        4,
        {
            1: DealScript(hands=first, wild="7S", open="6D", stock="AD 2D 3S 4D"),
            2: DealScript(wild="7S", open="6D", order=2),
        },
    )
    for _ in range(3):
        play_turn(table)
    wrong_show_by(table, 4)
    for seat in (1, 2):
        table.pass_time(1200)
        table.drop(seat)
    table.pass_time(1500)
    table.drop(2)
    for _ in range(3):
        play_turn(table)
    for seat in (3, 4):
        table.pass_time(1700)
        table.drop(seat)
    table.pass_time(5000)
    table.do(c.RefuseRejoin(**table.who(4), window=table.table.windows))
    table.pass_time(4000)
    table.do(c.AskSplit(**table.who(1), window=table.table.windows))
    for seat in (2, 3):
        table.pass_time(3000)
        table.do(c.VoteSplit(**table.who(seat), window=table.table.windows, accept=True))
    return table


GOLDEN: Mapping[str, Golden] = {
    "wrong-show": Golden(play=wrong_show, asked=seat_asks(2, 1)),
    "missing-pure-sequence": Golden(play=missing_pure_sequence, asked=public_asks(1, 1)),
    "late-move": Golden(play=late_move, asked=seat_asks(2, 1, "move")),
    "auto-drop": Golden(play=auto_drop, asked=seat_asks(2, 1)),
    "elimination-at-the-limit": Golden(play=elimination_at_the_limit, asked=auditor_asks(3, 2, "elimination")),
    "rejoin-refused": Golden(play=rejoin_refused, asked=seat_asks(2, 2, "rejoin")),
    "split": Golden(play=split, asked=auditor_asks(1, 2, "split")),
}
