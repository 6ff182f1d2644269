"""What operators and orchestrators ask a process: does it live, does it work, what does it count."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from aiohttp import web
from msgspec import Struct
from prometheus_client import CollectorRegistry, generate_latest

from poolrummy.runtime.errors import SettingsInvalid


class Health(Struct, frozen=True, kw_only=True):
    """The state of a process in one answer."""

    role: str
    member: str
    partitions: Sequence[int]
    reasons: Sequence[str]
    """Why it is not ready; empty if it is."""
    store: str | None
    """Id of the store that it works on: what ``POOLRUMMY_STORE_ID`` is set to."""


@asynccontextmanager
async def health_pages(
    host: str,
    port: int,
    health: Callable[[], Health],
    registry: CollectorRegistry,
    identity: Callable[[], Awaitable[Mapping[str, object]]] | None = None,
) -> AsyncGenerator[int]:
    """Serve ``/live``, ``/ready``, ``/metrics`` and ``/identity``; the port that was taken."""

    async def live(_: web.Request) -> web.Response:
        return web.json_response({"live": True, "role": health().role, "member": health().member})

    async def ready(_: web.Request) -> web.Response:
        now = health()
        body = {
            "ready": not now.reasons,
            "role": now.role,
            "member": now.member,
            "partitions": list(now.partitions),
            "reasons": list(now.reasons),
            "store": now.store,
        }
        return web.json_response(body, status=503 if now.reasons else 200)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(registry), content_type="text/plain", charset="utf-8")

    async def which_software(_: web.Request) -> web.Response:
        return web.json_response({} if identity is None else dict(await identity()))

    pages = {"/live": live, "/ready": ready, "/metrics": metrics, "/identity": which_software}
    app = web.Application()
    app.add_routes([web.get(path, page) for path, page in pages.items()])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        try:
            await site.start()
        except OSError as taken:
            finding = f"POOLRUMMY_HTTP_PORT={port} on {host} cannot be used ({taken.strerror}); 0 takes any free one"
            raise SettingsInvalid((finding,)) from taken
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
