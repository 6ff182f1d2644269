"""An archiver that is killed at one of its steps: ``killed_archiver.py URL FOLDER STEP``.

A step is whatever it does to the archive or to the store; SIGKILL comes before it is done, or in the middle of it.
"""

import asyncio
import os
import signal
import stat
import sys
from pathlib import Path

from poolrummy.archive.filing import Archive
from poolrummy.archive.passing import Pass, Wanted
from poolrummy.keeping.checkpoint_folder import FolderKeeper
from poolrummy.runtime.redis_store import RedisStore


class Steps:
    """Counts steps, and ends the process at one of them."""

    def __init__(self, fatal: int) -> None:
        self.left = fatal

    def take(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class Watched(FolderKeeper):
    def __init__(self, root: Path, steps: Steps) -> None:
        super().__init__(root)
        self.steps = steps

    def get(self, name):
        self.steps.take()
        return super().get(name)

    def put_once(self, name, content):
        self.steps.take()
        super().put_once(name, content)
        self.steps.take()


class WatchedStore(RedisStore):
    steps: Steps

    async def archive(self, step):
        self.steps.take()
        code = await super().archive(step)
        self.steps.take()
        return code


async def main(url: str, folder: str, fatal: int) -> None:
    steps = Steps(fatal)
    sound = os.fsync

    def fsync(file):
        if stat.S_ISREG(os.fstat(file).st_mode):
            steps.take()  # the draft is written, and has no name yet
        sound(file)

    os.fsync = fsync
    store = WatchedStore.at(url)
    store.steps = steps
    await store.open_store(3)
    passing = Pass(store, Archive(Watched(Path(folder), steps), folder), Wanted(older_than_ms=0, at_once=1))
    await passing.run(lambda _done, _known: None)
    await store.aclose()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
