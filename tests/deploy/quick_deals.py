"""Many short deals on a running platform: at tables of two whoever is on turn drops, and the deal is over."""

from collections.abc import Callable
from itertools import count
from typing import cast

from poolrummy.testing.live_platform import LivePlatform
from poolrummy_contracts import codec, streams
from poolrummy_contracts.commands import Drop, OpenTable, PlatformCommand, Sit
from poolrummy_contracts.events import MatchEnded, TurnStarted

SECONDS_MAX = 120.0


class QuickDeals:
    """Keeps so many tables of two at play, by public streams alone."""

    def __init__(self, platform: LivePlatform, *, tables: int = 8, partitions: int = 2) -> None:
        self.platform = platform
        self.deals = 0
        self.over: list[str] = []
        """Tables whose match has ended."""
        self._numbers = count(1)
        self._partitions = partitions
        self._after = {streams.feed(partition): "0-0" for partition in range(partitions)}
        for _ in range(tables):
            self._open()

    def play_until(self, done: Callable[[], bool]) -> None:
        """Play on until something is so; asked after each look at the feeds."""
        self.platform.until(lambda: self._look() or done() or None, "the deals to be played", SECONDS_MAX)

    def _open(self) -> None:
        number = next(self._numbers)
        table = f"p{number % self._partitions:02d}-quick-{number}"
        opening = OpenTable(
            id="open",
            table=table,
            profile="house",
            variant="201",
            seats=2,
            entry_fee=1000,
            currency="practice",
            rake_bp=1000,
            rejoin_payment="none",
        )
        self._send(opening, *(Sit(id=f"sit-{s}", table=table, player=f"player-{s}", seat=s) for s in (1, 2)))

    def _send(self, *commands: PlatformCommand) -> None:
        with self.platform.client.pipeline(transaction=False) as pipe:
            for command in commands:
                pipe.xadd(streams.inbox(streams.partition_of(command.table)), {"e": codec.encode(command)})
            pipe.execute()

    def _look(self) -> None:
        found = self.platform.client.xread(cast("dict[bytes, str]", self._after), count=1000, block=200)
        drops: list[PlatformCommand] = []
        for feed, entries in cast("list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]]", found):
            self._after[feed.decode()] = entries[-1][0].decode()
            for _, fields in entries:
                match event := codec.decode_event(fields[b"e"]):
                    case TurnStarted():
                        drops.append(
                            Drop(
                                id=f"drop-{event.v}",
                                table=event.table,
                                player=f"player-{event.seat}",
                                seat=event.seat,
                                deal=event.deal,
                            )
                        )
                        self.deals += 1
                    case MatchEnded():
                        self._open()
                        self.over.append(event.table)
                    case _:
                        continue
        self._send(*drops)
