"""The server of our own: found, started on its folder, kept apart, stopped."""

import os
import socket
from pathlib import Path

import msgspec
import pytest
import redis

from poolrummy.runtime import embedded
from poolrummy.runtime.errors import NoServer, ServerUnfit


@pytest.fixture
def program() -> embedded.ServerProgram:
    return embedded.find_server()


def test_data_are_there_again_at_the_next_start(tmp_path: Path) -> None:
    with embedded.embedded_server(tmp_path / "new" / "data") as server, redis.Redis.from_url(server.url) as client:
        client.set("kept", "yes")
        config = {name: client.config_get(name)[name] for name in ("appendfsync", "maxmemory-policy")}
        first_pid = server.pid
    with embedded.embedded_server(tmp_path / "new" / "data") as server, redis.Redis.from_url(server.url) as client:
        assert client.get("kept") == b"yes"
        assert server.pid != first_pid

    assert config == {"appendfsync": "everysec", "maxmemory-policy": "noeviction"}
    with pytest.raises(ProcessLookupError):
        os.kill(first_pid, 0)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with (
        embedded.embedded_server(tmp_path) as server,
        pytest.raises(ServerUnfit, match=f"pid {server.pid}"),
        embedded.embedded_server(tmp_path),
    ):
        pass


@pytest.mark.parametrize(
    ("change", "allowed"),
    [({"kind": "other"}, False), ({"version": "99.0.0"}, False), ({"version": "8.0.0"}, True)],
)
def test_a_folder_of_another_kind_or_of_a_newer_release_is_refused(
    tmp_path: Path, program: embedded.ServerProgram, change: dict[str, str], allowed: bool
) -> None:
    kind = {"redis": "valkey", "valkey": "redis"}[program.kind] if "kind" in change else program.kind
    version = change.get("version", program.version)
    written = msgspec.structs.replace(program, kind=kind, version=version)
    (tmp_path / "server.json").write_bytes(msgspec.json.encode(written))
    if allowed and program.major >= 8:
        with embedded.embedded_server(tmp_path):
            pass
    else:
        with pytest.raises(ServerUnfit, match="may not read it"), embedded.embedded_server(tmp_path):
            pass


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(NoServer, match="did not start"), embedded.embedded_server(tmp_path, port=port):
            pass


def test_without_any_server_the_mend_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(embedded, "wheel_path", lambda: None)
    with pytest.raises(NoServer, match=r"no redis-server on PATH.*POOLRUMMY_REDIS_URL"):
        embedded.find_server()


def test_a_server_that_is_too_old_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "redis-server"
    old.write_text("#!/bin/sh\necho 'Redis server v=6.0.16 sha=00000000:0 malloc=jemalloc bits=64'\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert embedded.probed(str(old), "PATH") is None
    assert embedded.find_server().path != str(old)


def test_a_folder_may_be_named_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with embedded.embedded_server(Path("data")) as server, redis.Redis.from_url(server.url) as client:
        assert client.config_get("dir")["dir"] == str(tmp_path / "data")


@pytest.mark.parametrize("content", [b"", b"rubbish", b"[]"])
def test_a_note_that_says_no_server_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "server.json").write_bytes(content)
    with pytest.raises(ServerUnfit, match=r"server\.json.*unreadable"), embedded.embedded_server(tmp_path):
        pass


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ServerUnfit, match="cannot be used as a data folder"), embedded.embedded_server(path):
            pass
