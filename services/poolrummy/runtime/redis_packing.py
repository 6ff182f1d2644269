"""Commands packed in C: redis-py's asynchronous connections pack word by word, half of a dealer's whole time."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, cast

import hiredis

PACKING: Final = "Packing"

pack = cast("Callable[[tuple[Any, ...]], bytes]", cast("Any", hiredis).pack_command)  # hiredis types it by half


def pack_in_c(client: Any) -> None:  # noqa: ANN401 - clients come from redis-py and from FastStream
    """Let every connection that this client makes from now on pack its commands with hiredis."""
    pool = getattr(client, "connection_pool", None)  # a cluster's client has none, and its nodes' clients are packed
    if pool is not None and not pool.connection_class.__name__.startswith(PACKING):
        pool.connection_class = packing(pool.connection_class)


@cache
def packing(connection: type[Any]) -> type[Any]:
    """The same kind of connection, with another way to pack."""

    def pack_command(self: object, *words: Any) -> list[bytes]:  # noqa: ANN401 - what redis-py takes
        del self
        name, *rest = words
        if isinstance(name, str) and " " in name:  # "CONFIG GET" is two words on the wire
            words = (*name.split(), *rest)
        return [pack(words)]

    made = type(f"{PACKING}{connection.__name__}", (connection,), {"pack_command": pack_command})
    return cast("type[Any]", made)
