"""How far the processes are behind what was sent and recorded, read from the store itself."""

from collections.abc import Iterable

from msgspec import Struct

from poolrummy.runtime.redis_calls import Calls, text
from poolrummy_contracts import streams


class Lag(Struct, frozen=True, kw_only=True):
    """Milliseconds of inbox that no dealer has handled, and feed entries that followers have not committed."""

    dealer_ms: int = 0
    validator: int = 0
    projector: int = 0

    @property
    def settled(self) -> bool:
        """Whether everything that was recorded is projected and judged."""
        return not self.validator and not self.projector


async def measured(calls: Calls, partitions: Iterable[int]) -> Lag:
    """The largest lag of a dealer, and the sums of the others, over these partitions."""
    wanted = list(partitions)
    questions: list[tuple[str | int, ...]] = []
    for partition in wanted:
        questions += [
            ("XREVRANGE", streams.inbox(partition), "+", "-", "COUNT", 1),
            ("HMGET", streams.dealer(partition), "offset", "feed"),
            ("HGET", streams.role(partition, "validator"), "offset"),
            ("HGET", streams.role(partition, "projector"), "offset"),
        ]
    answers = await calls.ask_all(questions)
    dealer_ms = validator = projector = 0
    for place in range(len(wanted)):
        inbox, (offset, feed), judged, viewed = answers[4 * place : 4 * place + 4]
        last = inbox[0][0] if inbox else None
        dealer_ms = max(dealer_ms, _first(last) - _first(offset))
        validator += max(_first(feed) - _first(judged), 0)
        projector += max(_first(feed) - _first(viewed), 0)
    return Lag(dealer_ms=dealer_ms, validator=validator, projector=projector)


def _first(entry_id: bytes | None) -> int:
    return int(text(entry_id or b"0").partition("-")[0])
