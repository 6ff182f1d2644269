"""One fresh process of the arranger's benchmark: ``python -m poolrummy.bench.arranging_process count|groups|discard``.

Reads hands from standard input, answers in JSON. It imports as little as a user of the arranger would, so that the
import, the filling of the tables and the memory are the arranger's own.
"""

import gc
import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from poolrummy_contracts.cards import Card

RERUNS: Final = 3
OUTLIERS: Final = 50
BASELINE_S: Final = 3.0


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """CPU times in microseconds, memory in MB."""

    mean_us: float
    p99_us: float
    worst_first_us: float
    """The slowest hand as it was met."""
    worst_us: float
    """The slowest after the slowest ones were run again, the least time of each counted."""
    memory_mb: float
    """What the process grew by while it arranged: tables and caches."""
    import_ms: float
    baseline_us: float


def main() -> None:
    """Measure what the argument says on the hands of standard input."""
    what = sys.argv[1]
    hands = msgspec.json.decode(sys.stdin.buffer.read(), type=list[tuple[tuple[Card, ...], str]])
    began = time.process_time()
    job = _job(what)
    job(*hands[0])
    import_ms = (time.process_time() - began) * 1e3
    times, clock = [0] * len(hands), time.process_time_ns
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for index, (hand, wild) in enumerate(hands):
        start = clock()
        job(hand, wild)
        times[index] = clock() - start
    memory_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    ordered = sorted(times)
    measured = Measured(
        mean_us=sum(times) / len(times) / 1e3,
        p99_us=ordered[len(ordered) * 99 // 100] / 1e3,
        worst_first_us=ordered[-1] / 1e3,
        worst_us=_worst(job, hands, times) / 1e3,
        memory_mb=memory_mb,
        import_ms=import_ms,
        baseline_us=_baseline(what, hands),
    )
    sys.stdout.buffer.write(msgspec.json.encode(measured))


def _job(what: str) -> Callable[[Sequence[Card], str], object]:
    """The function measured; imported here, so that its import is measured as well."""
    if what == "discard":
        from poolrummy.rules.discards import best_discard  # noqa: PLC0415 - its import is part of the measure

        return best_discard
    from poolrummy.rules.arranger import arrange, count  # noqa: PLC0415 - its import is part of the measure

    return count if what == "count" else arrange


def _worst(
    job: Callable[[Sequence[Card], str], object], hands: Sequence[tuple[tuple[Card, ...], str]], times: Sequence[int]
) -> int:
    """The slowest hand, in nanoseconds: what else the machine did is left out by running the slowest again."""
    slowest = sorted(range(len(times)), key=times.__getitem__)[-OUTLIERS:]
    least: list[int] = []
    for index in slowest:
        took = [times[index]]
        for _ in range(RERUNS):
            start = time.process_time_ns()
            job(*hands[index])
            took.append(time.process_time_ns() - start)
        least.append(min(took))
    return max(least)


def _baseline(what: str, hands: Sequence[tuple[tuple[Card, ...], str]]) -> float:
    """Microseconds a hand of the plain depth-first search, on as many hands as three seconds allow."""
    from poolrummy.bench.depth_first import least_points  # noqa: PLC0415 - no part of the arranger's import
    from poolrummy.rules.arranger import count  # noqa: PLC0415 - no part of the arranger's import

    began, done = time.process_time(), 0
    spent = 0.0
    for hand, wild in hands:
        start = time.process_time()
        lefts = [hand[:index] + hand[index + 1 :] for index in range(14)] if what == "discard" else [hand]
        found = [least_points(left, wild) for left in lefts]
        spent += time.process_time() - start
        done += 1
        assert found == [count(left, wild) for left in lefts], f"the baseline disagrees on {hand}, wild {wild}"
        if time.process_time() - began > BASELINE_S:
            break
    return spent / done * 1e6


if __name__ == "__main__":
    main()
