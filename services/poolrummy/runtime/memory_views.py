"""Read models in memory, one dictionary for each shape that Redis knows."""

from poolrummy.runtime.effects import (
    Drop,
    DropField,
    Exclude,
    Include,
    Put,
    PutField,
    Rank,
    Unrank,
    ViewEffect,
)


class MemoryViews:
    """What the effects of consumers left behind. An empty view is no view, as in Redis."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        self.hashes: dict[str, dict[str, bytes]] = {}
        self.members: dict[str, set[str]] = {}
        self.rankings: dict[str, dict[str, int]] = {}

    def keys(self) -> tuple[str, ...]:
        """All keys, sorted."""
        return tuple(sorted([*self.values, *self.hashes, *self.members, *self.rankings]))

    def apply(self, effect: ViewEffect) -> None:  # noqa: C901 - one line for each kind
        """Change one view."""
        match effect:
            case Put(key, value):
                self._forget(key)
                self.values[key] = value
            case Drop(key):
                self._forget(key)
            case PutField(key, field, value):
                self.hashes.setdefault(key, {})[field] = value
            case DropField(key, field):
                self.hashes.get(key, {}).pop(field, None)
            case Include(key, member):
                self.members.setdefault(key, set()).add(member)
            case Exclude(key, member):
                self.members.get(key, set()).discard(member)
            case Rank(key, member, score):
                self.rankings.setdefault(key, {})[member] = score
            case Unrank(key, member):
                self.rankings.get(key, {}).pop(member, None)
        for shape in (self.hashes, self.members, self.rankings):
            if effect.key in shape and not shape[effect.key]:
                del shape[effect.key]

    def _forget(self, key: str) -> None:
        for shape in (self.values, self.hashes, self.members, self.rankings):
            shape.pop(key, None)
