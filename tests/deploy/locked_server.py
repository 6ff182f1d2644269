"""A real server with the settings and users that are recommended, on a free port and in a folder of its own."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import redis

from poolrummy.runtime.embedded import find_server, free_port

from .queries import DEPLOY

CONFIG = DEPLOY / "redis" / "redis.conf"


class LockedServer:
    """Started with ``deploy/redis/redis.conf``; only where it lies and listens is said anew."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.secrets = folder / "secrets"
        self.port = free_port()
        subprocess.run([sys.executable, DEPLOY / "redis" / "write_acl.py", "--secrets", self.secrets], check=True)
        (folder / "data").mkdir()
        self.settings = {"port": self.port, "dir": folder / "data", "aclfile": self.secrets / "users.acl"}

    def __enter__(self) -> Self:
        lines = CONFIG.read_text("utf-8").splitlines()
        elsewhere = [f"{name} {value}" for name, value in self.settings.items()]
        kept = [line for line in lines if line.partition(" ")[0] not in self.settings]
        assert len(lines) - len(kept) == len(elsewhere), "the file says where it lies and listens"
        config = self.folder / "redis.conf"
        config.write_text("\n".join(kept + elsewhere) + "\n")
        self.log = self.folder / "server.log"
        with self.log.open("ab") as out:
            self.handle = subprocess.Popen([find_server().path, str(config)], stdout=out, stderr=out)
        end_s = time.monotonic() + 20
        while not self.answers():
            assert self.handle.poll() is None, self.log.read_text()
            assert time.monotonic() < end_s, self.log.read_text()
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        self.handle.terminate()
        self.handle.wait(20)

    def answers(self) -> bool:
        try:
            with self.client("admin") as client:
                return bool(client.ping())
        except redis.ConnectionError:
            return False

    def url(self, user: str) -> str:
        """The address, with a user and the password that was made for it."""
        password = (self.secrets / f"{user}.password").read_text()
        return f"redis://{user}:{password}@127.0.0.1:{self.port}/0"

    def client(self, user: str) -> redis.Redis:
        return redis.Redis.from_url(self.url(user), socket_timeout=10)
