"""``contracts/README.md``: what crosses the wire, for people."""

import inspect
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

import msgspec

from poolrummy.contracts_pages.examples import example_of
from poolrummy.contracts_pages.fields import Field, fields_of, structs_in
from poolrummy.contracts_pages.keys import OTHER_KEYS, STREAMS, Key
from poolrummy.contracts_pages.messages import FAMILIES, Family, MessageClass, sentence_of, tag_of
from poolrummy.contracts_pages.preface import LIFE_OF_A_DEAL, PREFACE, WRITTEN_BY_HAND
from poolrummy.contracts_pages.schemas import schema_path
from poolrummy_contracts import codec
from poolrummy_contracts.refusals import SENTENCES

EXAMPLE_CHARACTERS_MAX: Final = 700


def catalogue_page() -> bytes:
    """The bytes of the catalogue."""
    parts = [PREFACE, _keys(), LIFE_OF_A_DEAL, *map(_family, FAMILIES), _structures(), _refusals(), WRITTEN_BY_HAND]
    return ("\n\n".join(part.strip() for part in parts) + "\n").encode()


def _keys() -> str:
    rows = [
        (f"`{key.pattern}`", key.kind, key.holds, ", ".join(key.writers), ", ".join(key.readers))
        for key in (*STREAMS, *OTHER_KEYS)
    ]
    entries = [(f"`{key.pattern}`", key.entry_id, _key_fields(key)) for key in (*STREAMS, *OTHER_KEYS) if key.fields]
    return "\n\n".join(
        (
            "## Streams and keys",
            _table(("key", "kind", "what it holds", "written by", "read by"), rows),
            "Entries of the streams, and fields of the hashes:",
            _table(("key", "entry id", "fields"), entries),
        )
    )


def _key_fields(key: Key) -> str:
    return "; ".join(f"`{name}` {meaning}" for name, meaning in key.fields.items())


def _family(family: Family) -> str:
    base = family_base(family)
    shared = (
        [] if base is None else [_module_says(base), "All of them have these fields:", _field_table(fields_of(base))]
    )
    contents = ", ".join(f"[`{tag_of(message)}`](#{tag_of(message)})" for message in family.classes)
    return "\n\n".join(
        (f"## {family.title}", family.where, *shared, contents, *(_message(family, one) for one in family.classes))
    )


def family_base(family: Family) -> type[msgspec.Struct] | None:
    """The struct whose fields all messages of a family share; None where there is only one message."""
    if len(family.classes) == 1:
        return None
    first, *others = family.classes
    return next(
        base
        for base in first.__mro__
        if base.__module__.startswith("poolrummy_contracts") and all(issubclass(other, base) for other in others)
    )


def _module_says(base: type[msgspec.Struct]) -> str:
    """What the module of these messages says of them, without its first line."""
    module = inspect.getmodule(base)
    _, _, text = inspect.cleandoc((module and module.__doc__) or "").partition("\n\n")
    return text.replace("``", "`").replace(":data:", "")


def _message(family: Family, message: MessageClass) -> str:
    base = family_base(family)
    known = {field.name for field in fields_of(base)} if base else set[str]()
    own = [field for field in fields_of(message) if field.name not in known]
    tag = tag_of(message)
    table = [_field_table(own)] if own else []
    example = _example(tag, schema_path(family, message))
    return "\n\n".join((f"### {tag}", sentence_of(message), *table, *example))


def _example(tag: str, schema: str) -> Iterator[str]:
    text = codec.encode(example_of(tag)).decode()
    if len(text) > EXAMPLE_CHARACTERS_MAX:
        yield f"Its beginning; the whole example stands in [its schema](schemas/{schema}):"
        text = text[:EXAMPLE_CHARACTERS_MAX] + "…"
    yield f"```\n{text}\n```"


def _structures() -> str:
    messages = {message for family in FAMILIES for message in family.classes}
    found = dict.fromkeys(chain.from_iterable(structs_in(message) for message in messages))
    inner = sorted((struct for struct in found if struct not in messages), key=lambda struct: struct.__name__)
    names = (
        ("Card", "A face: rank `A 2 … 9 T J Q K`, then suit `S H D C`; `JK` is a printed joker."),
        ("Position", "A place in the pack of a deal: `<generation>-<place>`, counted from 0."),
        ("Seat", "Number of a seat at the table, from 1."),
    )
    words = _table(("name", "meaning"), names)
    return "\n\n".join(("## What messages are made of", words, *map(_structure, inner)))


def _structure(struct: type[msgspec.Struct]) -> str:
    tag = struct.__struct_config__.tag
    word = f" Its `{struct.__struct_config__.tag_field}` is `{tag}`." if tag else ""
    return f"### {struct.__name__}\n\n{sentence_of(struct)}{word}\n\n{_field_table(fields_of(struct))}"


def _refusals() -> str:
    rows = [(f"`{refusal.value}`", sentence) for refusal, sentence in SENTENCES.items()]
    return "\n\n".join(
        (
            "## Refusal",
            "Codes never change; new ones may come. The first reason that applies is the answer, in this order.",
            _table(("code", "sentence"), rows),
        )
    )


def _field_table(fields: Iterable[Field]) -> str:
    rows = [
        (f"`{field.name}`", field.type_text + ("" if field.required else " (may be absent)"), field.meaning)
        for field in fields
    ]
    return _table(("field", "type", "meaning"), rows)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
