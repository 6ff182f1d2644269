"""Who should own how many partitions, so that members share the work without talking to each other."""

from collections.abc import Collection, Sequence


def fair_share(partitions: int, members: int) -> int:
    """How many partitions one member may hold.

    >>> fair_share(16, 3), fair_share(16, 16), fair_share(1, 4)
    (6, 1, 1)
    """
    return -(-partitions // max(1, members))


def surplus(owned: Collection[int], share: int) -> Sequence[int]:
    """What a member gives back, the highest first.

    >>> surplus({1, 2, 3, 9}, 2)
    (9, 3)
    """
    return tuple(sorted(owned, reverse=True)[: max(0, len(owned) - share)])


def wanted(partitions: int, owned: Collection[int], members: Sequence[str], member: str) -> Sequence[int]:
    """Partitions to ask for, in the order of asking: members begin at different places.

    >>> wanted(4, {0}, ("a", "b"), "b")
    (2, 3, 1)
    """
    start = members.index(member) * partitions // len(members) if member in members else 0
    return tuple(p for p in ((start + step) % partitions for step in range(partitions)) if p not in owned)
