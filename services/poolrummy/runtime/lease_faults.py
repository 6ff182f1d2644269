"""What is said to an owner whose lease, store or feed is no longer what it was; both stores say the same."""

from poolrummy.runtime.errors import StoreChanged
from poolrummy.runtime.records import DEALER, Lease, Renewal


def changed(partition: int) -> str:
    """What is said when the store is another one."""
    return (
        f"partition {partition} no longer belongs to the store that this process opened: it was flushed or "
        "replaced; check the server and its data, then start again"
    )


def unexpected(expected: str, found: str) -> str:
    """What is said when the store is not the one that the settings name; ``found`` is empty where there is none."""
    there = f"the server holds the store {found}" if found else "the server holds no store: it is new, or was emptied"
    return (
        f"{there}, and POOLRUMMY_STORE_ID expects {expected}; name the right server or put its data back; "
        "to begin or go on with another store on purpose, leave POOLRUMMY_STORE_ID out"
    )


def went_back(partition: int, here: int, there: int) -> str:
    """What is said when a feed is shorter than what was read from it."""
    return (
        f"the feed of partition {partition} went back from {here} to {there}: the server lost data; "
        "start again, so that all state is built from what is stored now"
    )


def refuse_rewind(lease: Lease, seen: Renewal) -> None:
    """Raise ``StoreChanged`` if a follower has committed more than its feed holds."""
    here, there = int(seen.offset.partition("-")[0]), int(seen.last_id.partition("-")[0])
    if lease.role != DEALER and there < here:
        raise StoreChanged(went_back(lease.partition, here, there))


def fenced(lease: Lease) -> str:
    """What is said to a former owner."""
    return f"{lease.member} no longer holds {lease.role} of partition {lease.partition}; its state must be dropped"


def left_behind(lease: Lease) -> str:
    """What is said to a consumer that lagged too long."""
    return f"{lease.role} of partition {lease.partition} lagged beyond its bound at {lease.offset}; it must rebuild"
