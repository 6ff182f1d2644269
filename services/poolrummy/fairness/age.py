"""The few calls of the age library that are used here, with their types; it ships none."""

from collections.abc import Sequence
from typing import Protocol, cast

import pyrage


class Recipient(Protocol):
    """The public half of a key; its text begins with ``age1``."""


class Identity(Protocol):
    """A key that opens; its text begins with ``AGE-SECRET-KEY-1``."""

    def to_public(self) -> Recipient:
        """Return the public half."""
        ...


class _Identities(Protocol):
    def generate(self) -> Identity: ...
    def from_str(self, text: str, /) -> Identity: ...


class _Recipients(Protocol):
    def from_str(self, text: str, /) -> Recipient: ...


class _X25519(Protocol):
    Identity: _Identities
    Recipient: _Recipients


class _Age(Protocol):
    x25519: _X25519
    IdentityError: type[Exception]
    RecipientError: type[Exception]
    DecryptError: type[Exception]

    def encrypt(self, plain: bytes, recipients: Sequence[Recipient], /) -> bytes: ...
    def decrypt(self, sealed: bytes, identities: Sequence[Identity], /) -> bytes: ...


_age = cast("_Age", pyrage)

NotAnIdentity = _age.IdentityError
NotARecipient = _age.RecipientError
NotOpened = _age.DecryptError


def new_identity() -> Identity:
    """A new key."""
    return _age.x25519.Identity.generate()


def identity(text: str) -> Identity:
    """The key that this text writes; ``NotAnIdentity`` where there is none."""
    return _age.x25519.Identity.from_str(text)


def recipient(text: str) -> Recipient:
    """The public half that this text writes; ``NotARecipient`` where there is none."""
    return _age.x25519.Recipient.from_str(text)


def encrypt(plain: bytes, recipients: Sequence[Recipient]) -> bytes:
    """One age file that each of the recipients can open."""
    return _age.encrypt(plain, recipients)


def decrypt(sealed: bytes, identities: Sequence[Identity]) -> bytes:
    """What stands in an age file; ``NotOpened`` where none of the identities fits or a byte was changed."""
    return _age.decrypt(sealed, identities)
