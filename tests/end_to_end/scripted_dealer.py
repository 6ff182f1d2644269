"""A dealer that is told its packs: the composition of tests, the only one that can do that."""

import os
import sys
from pathlib import Path

import msgspec

from poolrummy.dealer.app import run
from poolrummy.runtime.settings import Settings
from poolrummy.testing.scripted_packs import Script, ScriptedPacks
from poolrummy_contracts.terms import Terms


class Told(msgspec.Struct):
    """Scripts and terms by table."""

    scripts: dict[str, Script]
    terms: dict[str, Terms]


if __name__ == "__main__":
    told = msgspec.json.decode(Path(os.environ.pop("TEST_SCRIPTS")).read_bytes(), type=Told)
    sys.exit(run(Settings.from_environment(), ScriptedPacks(told.scripts, told.terms)))
