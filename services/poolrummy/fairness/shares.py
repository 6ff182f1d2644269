"""A key in two shares: either alone says nothing about it, both together are it (rule 3.11).

A share is as long as the key; one is random, the other is the key with that added bit by bit.
"""

from typing import Final

from poolrummy.fairness import age
from poolrummy.fairness.entropy import fresh_bytes
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.keys import key_id

MARK: Final = "poolrummy-key-share-1"


class SharesDoNotFit(FairnessError):
    """What was joined is no key, or not the one that the shares name."""


def split(identities: list[str]) -> tuple[str, str]:
    """Two share files for these identities, line for line."""
    halves = [_halves(identity) for identity in identities]
    files = ("\n".join(half[number] for half in halves) for number in (0, 1))
    one, other = (f"# one of two shares of a key: useless without the other\n{text}\n" for text in files)
    return one, other


def joined(one: str, other: str) -> list[str]:
    """The identities that two share files make together; ``SharesDoNotFit`` says why they make none."""
    left, right = _read(one), _read(other)
    if not left or left.keys() != right.keys():
        raise SharesDoNotFit("the two files are not shares of the same keys; bring both shares of one split")
    return [_key(name, left[name], right[name]) for name in left]


def _halves(identity: str) -> tuple[str, str]:
    name = key_id(str(age.identity(identity).to_public()))
    raw = identity.encode()
    pad = fresh_bytes(len(raw))
    rest = bytes(a ^ b for a, b in zip(raw, pad, strict=True))
    return f"{MARK} {name} {pad.hex()}", f"{MARK} {name} {rest.hex()}"


def _read(text: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 3 and words[0] == MARK:
            try:
                found[words[1]] = bytes.fromhex(words[2])
            except ValueError:
                raise SharesDoNotFit(f"the share of key {words[1]} is damaged; restore it from its backup") from None
    return found


def _key(name: str, left: bytes, right: bytes) -> str:
    text = bytes(a ^ b for a, b in zip(left, right, strict=False)).decode("ascii", "replace")
    try:
        fits = len(left) == len(right) and key_id(str(age.identity(text).to_public())) == name
    except age.NotAnIdentity:
        fits = False
    if not fits:
        raise SharesDoNotFit(f"the two shares do not make key {name}; they are of different splits, or one is damaged")
    return text
