"""A whole process around a worker: logs, store, broker, health pages, signals, exit code."""

import asyncio
import gc
import importlib
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, Final

import structlog
from prometheus_client import CollectorRegistry

from poolrummy.runtime.broker import FastStreamPumps
from poolrummy.runtime.dealing import DealerTenure, MakeDealer
from poolrummy.runtime.errors import NoServer, RuntimeFault
from poolrummy.runtime.following import FeedTenure, MakeFollower
from poolrummy.runtime.health import Health, health_pages
from poolrummy.runtime.logs import configure_logs
from poolrummy.runtime.metrics import Metrics
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.runtime.server_clock import ServerClock
from poolrummy.runtime.settings import Settings
from poolrummy.runtime.software import Software
from poolrummy.runtime.store import DEALER, Lease, MemoryUse
from poolrummy.runtime.tenure import Surroundings
from poolrummy.runtime.watchdog import Watchdog
from poolrummy.runtime.worker import MakeTenure, Worker

EXIT_CLEAN: Final = 0
EXIT_FAULT: Final = 1
BEAT_S: Final = 0.25

log = structlog.get_logger()


def run_dealer(
    settings: Settings,
    make: MakeDealer,
    *,
    on_memory: Callable[[MemoryUse], None] | None = None,
    registry: CollectorRegistry | None = None,
    clock: ServerClock | None = None,
) -> int:
    """Be a dealer process until SIGTERM or SIGINT; its exit code."""

    def make_tenure(lease: Lease, around: Surroundings, on_end: Callable[[], None]) -> DealerTenure:
        return DealerTenure(lease, around, on_end, make)

    return run(live(DEALER, settings, make_tenure, on_memory=on_memory, registry=registry, clock=clock))


def run_follower(
    role: str,
    settings: Settings,
    make: MakeFollower,
    *,
    registry: CollectorRegistry | None = None,
    clock: ServerClock | None = None,
) -> int:
    """Be a process that follows the feed in this role until SIGTERM or SIGINT; its exit code."""

    def make_tenure(lease: Lease, around: Surroundings, on_end: Callable[[], None]) -> FeedTenure:
        return FeedTenure(lease, around, on_end, make)

    return run(live(role, settings, make_tenure, registry=registry, clock=clock))


def run(life: Coroutine[Any, Any, int]) -> int:
    """Run on uvloop where it is installed."""
    try:
        loop_factory = importlib.import_module("uvloop").new_event_loop
    except ImportError:
        loop_factory = None
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        return runner.run(life)


async def live(
    role: str,
    settings: Settings,
    make_tenure: MakeTenure,
    *,
    on_memory: Callable[[MemoryUse], None] | None = None,
    registry: CollectorRegistry | None = None,
    clock: ServerClock | None = None,
) -> int:
    """One process from start to exit code; a fault is said in one line that names the mend."""
    member = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    configure_logs(settings.log_format, settings.log_level, role=role, member=member)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        async with AsyncExitStack() as stack:
            around = await surroundings(role, settings, stack, registry=registry, clock=clock)
            # What a process is made of lives as long as it does. A full collection that walks it all
            # again was most of the longest pause of the arranger (rules/ARRANGER.md): 23 ms, 10 without.
            gc.collect()
            gc.freeze()
            await serve(Worker(role, member, around, make_tenure, on_memory), stop, stack)
    except RuntimeFault as fault:
        log.critical("process ends", fault=type(fault).__name__, reason=str(fault))
        print(f"{role}: {fault}", file=sys.stderr)  # noqa: T201 - the last line is for the person at the terminal
        return EXIT_FAULT
    log.info("process ends", fault=None)
    return EXIT_CLEAN


async def surroundings(
    role: str,
    settings: Settings,
    stack: AsyncExitStack,
    *,
    registry: CollectorRegistry | None,
    clock: ServerClock | None,
) -> Surroundings:
    """What all partitions of the process share; the clock is handed in where metrics read it as well."""
    if settings.redis_url is None:
        raise NoServer("POOLRUMMY_REDIS_URL and REDIS_URL are not set; name a server, or use: poolrummy run")
    pumps = FastStreamPumps(settings.redis_url, settings)
    client = await pumps.start()
    stack.push_async_callback(pumps.stop)
    store = RedisStore(
        client,
        replies_max=settings.replies_max,
        wait_replicas=settings.wait_replicas,
        expected_id=settings.store_id,
    )
    store.reach = settings.redis_url, settings
    stack.push_async_callback(store.let_go_of_nodes)
    metrics = Metrics(registry)
    metrics.begin(role, settings.partitions)
    return Surroundings(settings=settings, store=store, pumps=pumps, clock=clock or ServerClock(), metrics=metrics)


async def serve(worker: Worker, stop: asyncio.Event, stack: AsyncExitStack) -> None:
    """Work until ``stop``, with health pages and a watchdog."""
    settings, metrics = worker.around.settings, worker.around.metrics
    software = Software(worker.role, settings, metrics)

    def health() -> Health:
        return Health(
            role=worker.role,
            member=worker.member,
            partitions=sorted(worker.tenures),
            reasons=worker.why_not_ready(),
            store=worker.store_id,
        )

    pages = health_pages(settings.http_host, settings.http_port, health, metrics.registry, software.told)
    port = await stack.enter_async_context(pages)
    log.info(
        "process starts",
        http_host=settings.http_host,
        http_port=port,
        release=software.identity.release,
        software=software.identity.outcome,
        configuration=software.configuration,
    )
    watchdog = Watchdog(hang_s_max=settings.hang_s_max)
    watchdog.start()
    stack.callback(watchdog.stop)
    beside = [
        asyncio.create_task(beat(watchdog, worker, settings.hang_s_max)),
        asyncio.create_task(software.watch()),
    ]
    try:
        await worker.run(stop)
    finally:
        for task in beside:
            task.cancel()


async def beat(watchdog: Watchdog, worker: Worker, hang_s_max: float) -> None:
    """Tell the watchdog that the loop runs, as long as the worker makes its turns."""
    while True:
        if time.monotonic() - worker.turned_s < hang_s_max:
            watchdog.beat()
        await asyncio.sleep(BEAT_S)
