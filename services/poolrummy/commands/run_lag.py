"""How far the processes are behind what was sent and recorded, read from the store itself."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from poolrummy.runtime.redis_calls import Calls, text
from poolrummy_contracts import streams

FOLLOWERS: Final = ("validator", "projector", "notary")


class Lag(Struct, frozen=True, kw_only=True):
    """Milliseconds of inbox that no dealer has handled, and feed entries that followers have not committed."""

    dealer_ms: int = 0
    validator: int = 0
    projector: int = 0
    notary: int = 0

    @property
    def settled(self) -> bool:
        """Whether everything that was recorded is judged, projected and signed."""
        return not (self.validator or self.projector or self.notary)


async def measured(calls: Calls, partitions: Iterable[int]) -> Lag:
    """The largest lag of a dealer, and the sums of the others, over these partitions."""
    wanted = list(partitions)
    questions: list[tuple[str | int, ...]] = []
    for partition in wanted:
        questions += [
            ("XREVRANGE", streams.inbox(partition), "+", "-", "COUNT", 1),
            ("HMGET", streams.dealer(partition), "offset", "feed"),
            *(("HGET", streams.role(partition, role), "offset") for role in FOLLOWERS),
        ]
    answers = await calls.ask_all(questions)
    dealer_ms, behind = 0, dict.fromkeys(FOLLOWERS, 0)
    each = len(questions) // max(len(wanted), 1)
    for place in range(len(wanted)):
        inbox, (offset, feed), *followed = answers[each * place : each * (place + 1)]
        last = inbox[0][0] if inbox else None
        dealer_ms = max(dealer_ms, _first(last) - _first(offset))
        for role, reached in zip(FOLLOWERS, followed, strict=True):
            behind[role] += max(_first(feed) - _first(reached), 0)
    return Lag(dealer_ms=dealer_ms, **behind)


def _first(entry_id: bytes | None) -> int:
    return int(text(entry_id or b"0").partition("-")[0])
