"""Reading a seat's sealed line with the seat's own key (rule 3.10): what a client or a gateway does."""

import base64
import binascii

from poolrummy.fairness import age
from poolrummy_contracts import codec
from poolrummy_contracts.seat_lines import PlainLine, SealedLine


class NotForThisKey(ValueError):
    """The line is sealed to somebody else, or was changed."""


def opened_line(line: SealedLine, keys: str) -> PlainLine:
    """The line; ``keys`` is the text of an age identity file."""
    identities = [age.identity(text) for text in map(str.strip, keys.splitlines()) if text and text[0] != "#"]
    try:
        plain = age.decrypt(base64.b64decode(line.blob, validate=True), identities)
    except (age.NotOpened, binascii.Error, ValueError) as refused:
        raise NotForThisKey(f"this line is sealed to {', '.join(line.keys)}, and the given key does not open it") from (
            refused
        )
    found = codec.decode_seat_line(plain)
    if isinstance(found, SealedLine):
        raise NotForThisKey("a sealed line holds another sealed line")
    return found
