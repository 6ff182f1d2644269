"""Many questions to something slow that is not the store, side by side in threads: the event loop goes on meanwhile."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

AT_ONCE: Final = 16
_THREADS: Final = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="side-by-side")

Question = TypeVar("Question")
Answer = TypeVar("Answer")


async def side_by_side(ask: Callable[[Question], Answer], questions: Sequence[Question]) -> list[Answer]:
    """The answers in the order of the questions; the first exception ends it, what still runs is forgotten."""
    loop = asyncio.get_running_loop()
    return await asyncio.gather(*(loop.run_in_executor(_THREADS, ask, question) for question in questions))
