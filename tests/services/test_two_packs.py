"""The same game with packs that differ only in cards nobody saw leaves the same bytes everywhere (R27)."""

import json
import re
from random import Random

import pytest
import structlog
from prometheus_client import CollectorRegistry, generate_latest

from poolrummy.dealer.limits import Limits
from poolrummy.dealer.metrics import TableMetrics
from poolrummy.dealer.opening import Opening
from poolrummy.dealer.partition import DealerPartition
from poolrummy.dealer.vault import Vault
from poolrummy.dealer.watched_packs import WatchedPacks
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.pack import in_this_order
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.profile_files import load_all
from poolrummy.projector.metrics import GameMetrics
from poolrummy.rules.deal_out import deal_out
from poolrummy.runtime.memory_store import MemoryStore
from poolrummy.runtime.store import DEALER
from poolrummy.testing.seed_givers import NumberedPacks
from poolrummy_contracts import codec
from poolrummy_contracts import commands as c
from poolrummy_contracts.events import CardDrawn, DealStarted
from poolrummy_contracts.seat_lines import CardsDealt

from .played_logs import everything, follow

TABLE = "p00-twice"
OPENING = {"variant": "101", "seats": 3, "entry_fee": 0, "currency": "practice", "rake_bp": 0, "rejoin_payment": "none"}
SEEN_OF_STOCK = 6
"""So many cards of the stock are drawn at most, and seen by somebody: they are the same in both games."""


class Swapped(NumberedPacks):
    """Packs in which the cards that nobody sees are mixed by another number: hands that drop, and the deep stock."""

    def __init__(self, mixed_by, keeps):
        super().__init__(1)
        self.mixed_by, self.keeps, self.terms = mixed_by, keeps, None

    def shuffled(self, seed, transcript):
        dealt = super().shuffled(seed, transcript)
        if transcript.purpose == "toss":
            return dealt
        order = [int(place.seat) for place in transcript.seats]
        layout = deal_out(self.terms, order, dealt.faces)
        unseen = [place for seat, hand in zip(order, layout.hands, strict=True) if seat != self.keeps for place in hand]
        unseen += layout.stock[SEEN_OF_STOCK:]
        mixed = list(unseen)
        Random(f"{self.mixed_by} {transcript.deal}").shuffle(mixed)
        faces = list(dealt.faces)
        for place, source in zip(unseen, mixed, strict=True):
            faces[place] = dealt.faces[source]
        return in_this_order(seed, transcript, faces)


class Game:
    """A dealer and a projector over the memory store, with a clock that the test moves."""

    def __init__(self, keys, mixed_by, keeps=1):
        self.now_ms = 1_764_450_000_000
        self.store = MemoryStore(clock=lambda: self.now_ms)
        self.packs = Swapped(mixed_by, keeps)
        self.source = WatchedPacks(self.packs)
        self.sealer = AgeSealer(load_or_create_keys(keys))
        self.dealer_metrics = TableMetrics(self.source, now_ms=lambda: self.now_ms)
        self.sent = 0

    def new_vault(self, table, terms):
        self.packs.terms = terms
        return Vault(table, terms, source=self.source, sealer=self.sealer)

    async def begin(self):
        await self.store.open_store(1)
        lease = await self.store.acquire(0, DEALER, "one", lease_ms=10**9)
        limits = Limits(payload_bytes_max=65_536, inbox_age_ms_max=10**9)
        self.handler = self.dealer_metrics.watch(
            0, DealerPartition(new_vault=self.new_vault, opening=Opening(load_all(), money=False), limits=limits)
        )
        await self.handler.load(lease, self.store)
        self.offset = lease.offset

    async def say(self, command, **fields):
        self.sent += 1
        self.now_ms += 700
        await self.store.send(0, codec.encode(command(id=f"c{self.sent}", table=TABLE, **fields)))
        batch = await self.store.read_inbox(0, self.offset, 10)
        await self.handler.gather(batch, self.store)
        await self.store.append(self.handler.handle(batch, caution=False))
        self.offset = batch[-1].id

    async def seat(self, command, seat, **fields):
        await self.say(command, player=f"p{seat}", seat=seat, **fields)

    async def wait(self, ms):
        self.now_ms += ms
        await self.store.append(self.handler.due(self.now_ms, self.offset))

    async def events(self):
        return [codec.decode_event(entry.payload) for entry in await self.store.read_table(TABLE, 1, 1000)]

    async def turn(self, act="pass"):
        """The seat on turn draws and throws the card away, or drops; with what everybody can see."""
        (held,) = self.handler.tables
        deal = held.state.deal
        who = {"seat": deal.on_turn, "deal": deal.number}
        if act == "drop":
            await self.seat(c.Drop, **who)
            return
        await self.seat(c.Draw, **who, turn=deal.turn, source="stock")
        drawn = [event for event in await self.events() if isinstance(event, CardDrawn)][-1]
        await self.seat(c.Discard, **who, turn=deal.turn, position=drawn.position)


async def played(keys, mixed_by):
    """Two deals and a bit: turns, a missed turn, drops, a noted drop, a saved grouping, refused commands."""
    game = Game(keys, mixed_by)
    with structlog.testing.capture_logs() as logs:
        await game.begin()
        await game.say(c.OpenTable, profile="house", **OPENING)
        for seat in (1, 2, 3):
            await game.seat(c.Sit, seat)
        (held,) = game.handler.tables
        for _ in range(2):
            keeper = held.state.deal.of(1)
            await game.seat(c.SaveGroups, 1, deal=held.state.deal_number, groups=(keeper.hand[:3], keeper.hand[3:]))
            await game.turn()
            await game.seat(c.Draw, 2, deal=9, turn=1, source="open")
            await game.wait(120_000)
            while held.state.deal.on_turn == 1:
                await game.turn()
            await game.turn("drop")
            while held.state.deal.on_turn == 1:
                await game.turn()
            await game.turn("drop")
        await follow(game.store, [1000])
    return game, logs


def masked(stored):
    """Commitments and sealed blobs are what may differ: the root of a pack, the openings under it, age's own dice."""
    text = stored if isinstance(stored, str) else json.dumps(json.loads(stored), sort_keys=True)
    text = re.sub(r'"cards": (\d+), "root": "[0-9a-f]{64}"', r'"cards": \1, "root": "pack"', text)
    text = re.sub(r'"salt": "[0-9a-f]{64}"', '"salt": ""', text)
    text = re.sub(r'("path": \[)[^\]]*(\], "position"|\], "salt")', r"\1\2", text)
    return re.sub(r'"blob": "[^"]+"', '"blob": ""', text)


async def traces(game, logs):
    """Everything that anybody but the seats concerned can read."""
    store = game.store
    registry = CollectorRegistry()
    registry.register(game.dealer_metrics)
    games = GameMetrics()
    registry.register(games)
    feed = await store.read_feed(0, 0, 1000)
    return {
        "log": [masked(entry.payload) for entry in await store.read_table(TABLE, 1, 1000)],
        "feed": [(entry.n, entry.table, entry.version, masked(entry.payload)) for entry in feed],
        "replies": [line.payload for line in await store.read_replies(0, "0-0", 1000)],
        "views": {
            name: masked(view) if isinstance(view, bytes) else repr(view) for name, view in everything(store).items()
        },
        "logs": [repr(line) for line in logs],
        "metrics": generate_latest(registry).decode(),
        "own channel": [masked(line.payload) for line in await store.read_seat(TABLE, 1, "0-0", 1000)],
    }


def _view(view):
    return masked(view) if isinstance(view, bytes) and view[:1] == b"{" else masked(repr(view))


@pytest.mark.rule("3.9")
async def test_cards_that_nobody_saw_leave_no_trace(tmp_path):
    one, its_logs = await played(tmp_path, 1)
    other, other_logs = await played(tmp_path, 2)
    left, right = await traces(one, its_logs), await traces(other, other_logs)

    for place, found in left.items():
        assert found == right[place], place
    assert len(left["log"]) > 25


async def test_the_two_games_did_have_different_packs(tmp_path):
    (one, _), (other, _) = await played(tmp_path, 1), await played(tmp_path, 2)
    roots = [
        [event.pack.root for event in await game.events() if isinstance(event, DealStarted)] for game in (one, other)
    ]
    hands = [
        [codec.decode_seat_line(line.payload) for line in await game.store.read_seat(TABLE, 2, "0-0", 10)]
        for game in (one, other)
    ]

    assert len(roots[0]) == 3
    assert not set(roots[0]) & set(roots[1])
    dealt = [[card.card for card in line.cards] for lines in hands for line in lines if isinstance(line, CardsDealt)]
    assert dealt[0] != dealt[1]


async def test_a_card_that_was_seen_does_leave_a_trace(tmp_path):
    """The comparison is not blind: where a seen card differs, so do log, feed and views."""
    one, its_logs = await played(tmp_path, 1)
    other = Game(tmp_path, 1, keeps=0)
    other.packs.mixed_by = 3
    with structlog.testing.capture_logs() as logs:
        await other.begin()
        await other.say(c.OpenTable, profile="house", **OPENING)
        for seat in (1, 2, 3):
            await other.seat(c.Sit, seat)
    left, right = await traces(one, its_logs), await traces(other, logs)

    assert left["own channel"][:1] != right["own channel"][:1]
