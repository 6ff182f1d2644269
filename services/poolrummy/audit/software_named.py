"""Which software a log says that it was dealt by, beside the one that audits it (R33)."""

from collections.abc import Iterable
from functools import lru_cache

from poolrummy.identity import identity
from poolrummy_contracts import events as e

SHOWN = 12


def software_of(events: Iterable[e.TableEvent]) -> tuple[str, ...]:
    """The digests in the order in which the log names them; none in a log of a release that did not."""
    named = (event.software for event in events if isinstance(event, e.TableOpened | e.DealStarted))
    return tuple(dict.fromkeys(digest for digest in named if digest is not None))


def software_note(events: Iterable[e.TableEvent]) -> str:
    """What a person should know about it. Another one is no fault: every step is decided again by our own rules."""
    named = software_of(events)
    if not named:
        return ""
    told = ", then ".join(f"{digest[:SHOWN]}…" for digest in named)
    same = named == (_own(),)
    return f"dealt by software {told}" + (", as this audit is" if same else f"; this audit is {_own()[:SHOWN]}…")


@lru_cache(maxsize=1)
def _own() -> str:
    return identity().outcome
