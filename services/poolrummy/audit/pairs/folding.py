"""The projection: the events of a table, folded into the partial sums."""

from collections.abc import Iterable

from poolrummy.audit.pairs.deal_log import DealReader, Faces
from poolrummy.audit.pairs.observing import Observer
from poolrummy.audit.pairs.sums import Moment, PairSums, Tally, count, keep, key_of
from poolrummy.rules.meld_rules import MeldRules
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Card, Position
from poolrummy_contracts.terms import Seat


def nothing_opened(_deal: int, _where: Position) -> Card | None:
    """Only what lies open in the log is known."""
    return None


def fold(sums: PairSums, events: Iterable[e.TableEvent], faces: Faces = nothing_opened) -> None:
    """Add one table to the sums: its scored deals, and the match if it has ended."""
    reader: _TableReader | None = None
    for event in events:
        if isinstance(event, e.TableOpened):
            reader = _TableReader(sums, event, faces)
        assert reader is not None, "a log begins with table-opened"
        reader.take(event)


class _TableReader:
    def __init__(self, sums: PairSums, opened: e.TableOpened, faces: Faces) -> None:
        assert opened.table not in sums.tables, f"{opened.table} is counted already"
        sums.tables.add(opened.table)
        self._sums = sums
        self._table = opened.table
        self._rules = MeldRules.of(opened.terms)
        self._faces = faces
        self._players: dict[Seat, str] = {}
        self._in: set[Seat] = set()
        self._stakes: dict[Seat, int] = {}
        self._pool = 0
        self._deal: DealReader | None = None
        self._offered: dict[Seat, tuple[Seat, ...]] = {}
        self._asker: Seat | None = None

    def take(self, event: e.TableEvent) -> None:  # noqa: C901 - one case an event
        """Follow the next event."""
        match event:
            case e.MatchStarted():
                self._players = {one.seat: one.player for one in event.seats}
                self._in = set(self._players)
                self._pay(event.obligations, event.prize_pool)
            case e.DealStarted():
                self._deal = DealReader(event, self._faces)
            case e.DealVoided():
                self._deal = None
            case e.SeatEliminated() | e.SeatForfeited():
                self._in.discard(event.seat)
            case e.RejoinOffered():
                self._offered = {one.seat: tuple(sorted(self._in)) for one in event.offers}
            case e.RejoinGranted():
                self._rejoin(event.seat, granted=True)
                self._in.add(event.seat)
                self._pay(event.obligations, event.prize_pool)
            case e.RejoinDeclined():
                self._rejoin(event.seat, granted=False)
            case e.SplitAsked():
                self._asker = event.seat
            case e.SplitVoted():
                self._voted(event)
            case e.MatchEnded():
                self._ended(event)
            case _:
                self._within(event)

    def _within(self, event: e.TableEvent) -> None:
        """An event of a running deal, or one that tells nothing."""
        scored = None if self._deal is None else self._deal.take(event)
        if scored is not None:
            Observer(self._sums, self._table, self._players, self._rules).deal(scored)
            self._deal = None

    def _pay(self, obligations: tuple[e.Obligation, ...], pool: int) -> None:
        self._pool = pool
        for one in obligations:
            if one.kind in {"entry", "rejoin"}:
                self._stakes[one.seat] = self._stakes.get(one.seat, 0) + one.amount

    def _rejoin(self, seat: Seat, *, granted: bool) -> None:
        beside = self._offered.pop(seat, ())
        self._sums.person(self._players[seat]).rejoins.add(1, int(granted))
        for other in beside:
            self._sums.direction(self._players[seat], self._players[other]).rejoins.add(1, int(granted))

    def _voted(self, event: e.SplitVoted) -> None:
        if self._asker is None or self._asker == event.seat:
            return
        voter, asker = self._players[event.seat], self._players[self._asker]
        key = key_of("split", "")
        count(self._sums.person(voter).gives, key, hit=event.accept)
        count(self._sums.person(asker).takes, key, hit=event.accept)
        direction = self._sums.direction(voter, asker)
        count(direction.tallies, key, hit=event.accept)
        if event.accept:
            keep(direction, Moment(1, self._table, event.deal or 0, (event.v,), "split"))

    def _ended(self, event: e.MatchEnded) -> None:
        prizes = {place.seat: place.prize for place in event.places}
        highest, key = max(prizes.values(), default=0), key_of("prize-beside", str(len(self._players)))
        for taker, player in self._players.items():
            person, prize = self._sums.person(player), prizes.get(taker, 0)
            person.matches += 1
            person.others += len(self._players) - 1
            person.stake += self._stakes.get(taker, 0)
            person.prizes += prize
            person.pools += self._pool
            hit = 0 < prize == highest
            count(person.takes, key, hit=hit)
            for giver, other in self._players.items():
                if giver == taker:
                    continue
                direction = self._sums.direction(other, player)
                direction.matches += 1
                direction.stake += self._stakes.get(giver, 0)
                direction.flowed += self._stakes.get(giver, 0) * prize // self._pool if self._pool else 0
                direction.tallies.setdefault(key, Tally()).add(1, int(hit))
                if hit:
                    keep(direction, Moment(1, self._table, event.deal or 0, (event.v,), "prize-beside"))
