"""The keeper of checkpoints that a setting or an option names."""

import re
import time
from pathlib import Path
from typing import Final

from poolrummy.keeping.folder_keeper import FolderKeeper
from poolrummy.keeping.keeper import MARK, Keeper, KeeperAway, KeeperUnfit

URL: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+):(?P<slashes>/*)")
SCHEMES: Final = ("s3", "gs", "az")


def keeper_of(place: str) -> Keeper:
    """The keeper that a setting or an option names: a folder, or a bucket such as ``s3://bucket/prefix``."""
    found = URL.match(place)
    if found is None:
        return FolderKeeper(Path(place))
    if found["scheme"] not in SCHEMES or found["slashes"] != "//":
        raise KeeperUnfit(
            f"{_without_secrets(place)} is no place for checkpoints: name a folder, or a bucket such as "
            "s3://bucket/prefix (gs:// and az:// the same)"
        )
    try:
        from poolrummy.keeping.object_keeper import ObjectKeeper  # noqa: PLC0415 - an extra, for those who ask for it
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] != "obstore":
            raise
        raise KeeperUnfit(
            f"{_without_secrets(place)} needs the package obstore, which is not installed: "
            "pip install 'poolrummy[object-store]'"
        ) from missing
    return ObjectKeeper(place)


def marked(place: str, *, patience_s: float = 0, pause_s: float = 0.25) -> Keeper:
    """The keeper of a place that a notary has marked: who reads elsewhere would find nothing, and refuse nothing.

    A place that is not there yet, does not answer or bears no mark is looked at again until the patience ends: the
    notary may be about to start.
    """
    keeper = keeper_of(place)
    end_s = time.monotonic() + patience_s
    while True:
        try:
            _refuse_unmarked(keeper, place)
        except KeeperAway:
            if time.monotonic() >= end_s:
                raise
            time.sleep(pause_s)
        else:
            return keeper


def _refuse_unmarked(keeper: Keeper, place: str) -> None:
    keeper.refuse_unusable(writing=False)
    if keeper.get(MARK) is None:
        raise KeeperAway(
            f"no notary has kept checkpoints in {_without_secrets(place)} yet: start `poolrummy notary`, which marks "
            "the place, or name the one that it uses"
        )


def _without_secrets(place: str) -> str:
    """A person may have put a password into an address; nobody else has to read it."""
    return re.sub(r"//[^/@]*@", "//…@", place)
