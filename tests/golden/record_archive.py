"""Record the archive of a release: ``python -m tests.golden.record_archive v0.1.0``.

Once, before the release: the files are never written again, and every later release has to find them right.
Beside the files of the archiver lie the keys that an operator keeps for as long: the auditor's, which opens the sealed
seeds, and the notary's public one. They belong to these matches of robots and to nothing else.
"""

import asyncio
import shutil
import sys
from pathlib import Path

from tests.services.archived_tables import archive_in, passed, recorded
from tests.services.signed_matches import KEYS, TRUSTED, match, notarised

from poolrummy.fairness.notary_keys import written
from poolrummy.runtime.memory_store import MemoryStore

MATCHES = ((1, 6, "101"), (7, 4, "61"), (5, 2, "best_of_3"))


async def main(release: str) -> None:
    """Write the archive of this release."""
    folder = Path(__file__).parent / "archived" / release
    for number, seats, variant in MATCHES:
        evidence = match(number, seats, variant)
        store = MemoryStore()
        await store.open_store(16)
        await recorded(store, evidence.table, evidence.lines, partitions=16)
        checkpoints = notarised(evidence.table, evidence.lines)
        done = await passed(store, archive_in(folder), checkpoints=checkpoints, trusted=(TRUSTED,))
        assert [one.table for one in done.gone] == [evidence.table], done.wrong
    keys = folder / "keys"
    keys.mkdir()
    shutil.copy(KEYS / "auditor.key", keys)
    (keys / "notary.pub").write_text(written(TRUSTED))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
