"""The port that seals: to dealer and auditor a server seed, to a seat its cards.

A sealed blob is one age file for all its recipients. It names its keys, so that a ring of several identities
knows which one opens it and a missing one can be asked for by name. It proves nothing about who sealed it: what
is inside is checked against the root in the log.
"""

import base64
import binascii
from collections.abc import Collection
from typing import Protocol

import msgspec

from poolrummy.fairness import age
from poolrummy.fairness.errors import KeyForeignError, KeyUnreadableError, SealBrokenError
from poolrummy.fairness.keys import KeyRing, key_id


class Sealed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bytes that only the holders of the named keys can read; ``base64 -d`` of the blob is an age file."""

    key_ids: tuple[str, ...]
    blob: str


class Sealer(Protocol):
    """Closes bytes for some and opens what was closed for the holder of this ring."""

    @property
    def own(self) -> str:
        """The recipient that this process opens itself: the dealer's key."""
        ...

    def holds(self, key_ids: Collection[str]) -> bool:
        """Whether this ring has one of these keys."""
        ...

    def seal(self, plain: bytes, *recipients: str) -> Sealed:
        """Close the bytes for each of the recipients."""
        ...

    def open(self, sealed: Sealed) -> bytes:
        """Open what was closed for one of this ring's keys."""
        ...


class AgeSealer:
    """Seals with age: X25519 for the keys, ChaCha20-Poly1305 for the bytes."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring

    @property
    def own(self) -> str:
        """The dealer's key."""
        return self._ring.dealer

    def holds(self, key_ids: Collection[str]) -> bool:
        """Whether this ring has one of these keys."""
        return bool(self._ring.fitting(key_ids))

    def seal(self, plain: bytes, *recipients: str) -> Sealed:
        """Close the bytes for these recipients; without any, for dealer and auditor."""
        named = recipients or self._ring.recipients
        blob = age.encrypt(plain, [_recipient(text) for text in named])
        return Sealed(key_ids=tuple(key_id(text) for text in named), blob=base64.b64encode(blob).decode())

    def open(self, sealed: Sealed) -> bytes:
        """Open it, or say which key is missing, or that the blob is not what was sealed."""
        identities = self._ring.fitting(sealed.key_ids)
        if not identities:
            raise KeyForeignError(sealed.key_ids, tuple(self._ring.identities))
        try:
            return age.decrypt(base64.b64decode(sealed.blob, validate=True), identities)
        except (age.NotOpened, binascii.Error, ValueError) as refused:
            raise SealBrokenError(sealed.key_ids, str(refused)) from refused


def _recipient(text: str) -> age.Recipient:
    try:
        return age.recipient(text)
    except age.NotARecipient:
        raise KeyUnreadableError("the list of recipients", "this is no age recipient", key_id(text)) from None
