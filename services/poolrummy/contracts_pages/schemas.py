"""JSON Schema of every message: one self-contained file each, with descriptions and an example."""

import json
from typing import Final

import msgspec

from poolrummy.contracts_pages.examples import example_of
from poolrummy.contracts_pages.fields import fields_of, structs_in
from poolrummy.contracts_pages.messages import FAMILIES, Family, MessageClass, sentence_of, tag_of
from poolrummy_contracts import codec

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SHAPE: Final = 1
"""A message that changes gets a new tag; the number at the end of an ``$id`` is kept for that day."""

JsonObject = dict[str, object]


def schema_pages() -> dict[str, bytes]:
    """Path below ``contracts/schemas/`` to the bytes of the file."""
    return {
        schema_path(family, message): pretty(schema_of(family, message))
        for family in FAMILIES
        for message in family.classes
    }


def schema_path(family: Family, message: MessageClass) -> str:
    """Where the schema of a message lies, below ``contracts/schemas/``."""
    return f"{family.folder}/{tag_of(message)}.{SHAPE}.json"


def schema_of(family: Family, message: MessageClass) -> JsonObject:
    """The whole schema: the message on top, what it mentions under ``$defs``."""
    _, found = msgspec.json.schema_components([message], ref_template="#/$defs/{name}")
    described = {struct.__name__: _described(struct, found[struct.__name__]) for struct in structs_in(message)}
    own = described.pop(message.__name__)
    definitions = {name: described.get(name, body) for name, body in found.items() if name != message.__name__}
    tag = tag_of(message)
    example: object = json.loads(codec.encode(example_of(tag)))
    head: JsonObject = {"$schema": DIALECT, "$id": f"poolrummy:{family.name}:{tag}:{SHAPE}"}
    return head | own | {"examples": [example]} | ({"$defs": definitions} if definitions else {})


def pretty(document: JsonObject) -> bytes:
    """Indented JSON that gives small diffs."""
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"


def _described(struct: type[msgspec.Struct], schema: JsonObject) -> JsonObject:
    """The same schema with the sentence of the struct and the meaning of each field."""
    properties = dict(msgspec.convert(schema["properties"], dict[str, JsonObject]))
    for field in fields_of(struct):
        properties[field.name] = {"description": field.meaning} | properties[field.name]
    return schema | {"description": sentence_of(struct), "properties": properties}
