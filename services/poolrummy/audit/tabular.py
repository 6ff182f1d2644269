"""A table's log as rows: match, players, deals, points, money, acts (R9, R14).

Times are milliseconds since 1970, money is minor units. Rows are for everybody: no closed card stands in them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from poolrummy.audit.csv_form import TabularRow
from poolrummy.audit.history import Moment, Moments, deals_of
from poolrummy_contracts import codec
from poolrummy_contracts import events as e

OWN: Final = frozenset({"type", "v", "table", "at", "actor", "rule", "cause", "deal", "turn", "seat"})
"""Fields of an event that have a column of their own in :class:`Act`."""


class Match(TabularRow):
    """What was played, by which rules and software, and what came of it."""

    table: str
    profile: str
    variant: str
    seats: int
    currency: str
    entry_fee: int
    rake_bp: int
    terms_hash: str
    edition: int
    software: str | None
    opened_at: int
    started_at: int | None
    ended_at: int | None
    ended_how: str | None
    prize_pool: int
    events: int
    chain: str


class Player(TabularRow):
    """Somebody who started, and how the match ended for him."""

    table: str
    seat: int
    player: str
    kind: str
    total: int
    state: str
    rejoins: int
    place: int | None
    prize: int
    owes: int
    """Entry, rejoins and the fees on them."""
    is_owed: int
    """Prizes and refunds."""


class Deal(TabularRow):
    """One deal from its start to its end."""

    table: str
    deal: int
    started_at: int
    ended_at: int | None
    how: str
    winner: int | None
    dealer: int
    order: str
    cards: int
    wild: str
    open: str
    reshuffles: int
    root: str
    software: str | None


class Points(TabularRow):
    """What a deal cost a seat."""

    table: str
    deal: int
    seat: int
    player: str
    points: int
    reason: str
    total: int


class Money(TabularRow):
    """An obligation: money that is owed from this event on."""

    table: str
    v: int
    at: int
    deal: int | None
    event: str
    seat: int
    player: str
    kind: str
    amount: int
    currency: str


class Act(TabularRow):
    """One event: who did what when, by which rule, on which command; the rest of it as JSON."""

    table: str
    v: int
    at: int
    actor: str
    rule: str
    cause: str | None
    deal: int | None
    turn: int | None
    seat: int | None
    event: str
    details: str


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """All rows of one match, by kind."""

    matches: tuple[Match, ...]
    players: tuple[Player, ...]
    deals: tuple[Deal, ...]
    points: tuple[Points, ...]
    money: tuple[Money, ...]
    acts: tuple[Act, ...]


KINDS: Final[Mapping[str, type[TabularRow]]] = {
    "matches": Match,
    "players": Player,
    "deals": Deal,
    "points": Points,
    "money": Money,
    "acts": Act,
}


def tables_of(moments: Moments) -> Tables:
    """The rows of a log that begins with the opening of its table."""
    money = tuple(_money(moments))
    return Tables(
        matches=(_match(moments),),
        players=tuple(_players(moments, money)),
        deals=tuple(_deal(number, stretch) for number, stretch in deals_of(moments)),
        points=tuple(_points(moments)),
        money=money,
        acts=tuple(_act(one) for one in moments),
    )


def _match(moments: Moments) -> Match:
    opened, last = moments[0].event, moments[-1]
    assert isinstance(opened, e.TableOpened), "a log begins with the opening of its table"
    started = next((one.event.at for one in moments if isinstance(one.event, e.MatchStarted)), None)
    ended = next((one.event for one in moments if isinstance(one.event, e.MatchEnded | e.MatchVoided)), None)
    terms = opened.terms
    return Match(
        table=opened.table,
        profile=terms.profile,
        variant=terms.variant,
        seats=terms.seats,
        currency=terms.currency,
        entry_fee=terms.entry_fee,
        rake_bp=terms.rake_bp,
        terms_hash=opened.terms_hash,
        edition=opened.edition,
        software=opened.software,
        opened_at=opened.at,
        started_at=started,
        ended_at=None if ended is None else ended.at,
        ended_how=None if ended is None else ended.how if isinstance(ended, e.MatchEnded) else "void",
        prize_pool=0 if last.after.standings is None else last.after.standings.prize_pool,
        events=len(moments),
        chain=last.chain.hex(),
    )


def _players(moments: Moments, money: Sequence[Money]) -> Iterator[Player]:
    standings = moments[-1].after.standings
    placed = {
        one.seat: one for moment in moments if isinstance(moment.event, e.MatchEnded) for one in moment.event.places
    }
    for one in () if standings is None else standings.seats:
        own = [row for row in money if row.seat == one.seat]
        place = placed.get(one.seat)
        yield Player(
            table=moments[0].event.table,
            seat=one.seat,
            player=one.player,
            kind=one.kind,
            total=one.total,
            state=one.state,
            rejoins=one.rejoins,
            place=None if place is None else place.place,
            prize=0 if place is None else place.prize,
            owes=sum(row.amount for row in own if row.kind not in {"prize", "refund"}),
            is_owed=sum(row.amount for row in own if row.kind in {"prize", "refund"}),
        )


def _deal(number: int, stretch: Moments) -> Deal:
    start = stretch[0].event
    assert isinstance(start, e.DealStarted), "a deal begins with its start"
    # A match that is voided while a deal is played ends that deal as well.
    ended = next(
        (one.event for one in stretch if isinstance(one.event, e.DealScored | e.DealVoided | e.MatchVoided)), None
    )
    scored = ended if isinstance(ended, e.DealScored) else None
    return Deal(
        table=start.table,
        deal=number,
        started_at=start.at,
        ended_at=None if ended is None else ended.at,
        how="open" if ended is None else "void" if scored is None else scored.how,
        winner=None if scored is None else scored.winner,
        dealer=start.dealer,
        order=" ".join(map(str, start.order)),
        cards=start.pack.cards,
        wild=start.wild.card,
        open=start.open.card,
        reshuffles=sum(isinstance(one.event, e.StockReshuffled) for one in stretch),
        root=start.pack.root,
        software=stretch[0].after.software,
    )


def _points(moments: Moments) -> Iterator[Points]:
    for one in moments:
        if isinstance(one.event, e.DealScored):
            players = {chair.seat: chair.player for chair in one.after.chairs}
            for score in one.event.scores:
                yield Points(
                    table=one.event.table,
                    deal=one.event.deal or 0,
                    seat=score.seat,
                    player=players[score.seat],
                    points=score.points,
                    reason=score.reason,
                    total=score.total,
                )


def _money(moments: Moments) -> Iterator[Money]:
    for one in moments:
        if isinstance(one.event, e.MatchStarted | e.RejoinGranted | e.MatchEnded | e.MatchVoided):
            for owed in one.event.obligations:
                yield Money(
                    table=one.event.table,
                    v=one.v,
                    at=one.event.at,
                    deal=one.event.deal,
                    event=_tag(one.event),
                    seat=owed.seat,
                    player=owed.player,
                    kind=owed.kind,
                    amount=owed.amount,
                    currency=one.after.terms.currency,
                )


def _act(one: Moment) -> Act:
    event = one.event
    fields: dict[str, object] = msgspec.json.decode(codec.encode(event))
    rest = {name: value for name, value in fields.items() if name not in OWN}
    return Act(
        table=event.table,
        v=event.v,
        at=event.at,
        actor=event.actor,
        rule=event.rule,
        cause=event.cause,
        deal=event.deal,
        turn=event.turn,
        seat=getattr(event, "seat", None),
        event=_tag(event),
        details=msgspec.json.encode(rest, order="sorted").decode(),
    )


def _tag(event: e.TableEvent) -> str:
    return str(event.__struct_config__.tag)
