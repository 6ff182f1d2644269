"""Old shapes of events, and how each becomes the shape of today.

A new shape is a new tag, an entry here, and a line in ``tests/contracts/lines/`` that is kept for ever. The table
is empty as long as every shape that was ever recorded is still the shape of today.
"""

from collections.abc import Callable
from typing import Final

Json = dict[str, object]
Upcast = Callable[[Json], Json]

UPCASTS: Final[dict[str, Upcast]] = {}
"""Old tag to the function that gives the object one shape newer."""


def upcast(tag: str, event: Json) -> Json:
    """The event in the shape of today, through as many steps as it needs."""
    while step := UPCASTS.get(tag):
        event = step(event)
        new_tag = event["type"]
        assert isinstance(new_tag, str), f"the upcast of {tag} gives no tag"
        assert new_tag != tag, f"the upcast of {tag} does not change the tag"
        tag = new_tag
    return event
