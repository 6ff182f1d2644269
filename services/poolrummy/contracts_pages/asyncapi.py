"""The AsyncAPI 3.0 document of all streams.

Built by hand from our own table of keys. FastStream's generator describes the subscribers of one process: it knows
neither the keys that are read and written by script, nor entry ids and fields of a raw stream, nor a payload that is
no pydantic model (ag2ai/faststream#2101). A test reads this document back with FastStream's own models of AsyncAPI.
"""

from typing import Final

from poolrummy.contracts_pages.keys import OTHER_KEYS, STREAMS, Key
from poolrummy.contracts_pages.messages import FAMILIES, Family, MessageClass, sentence_of, tag_of
from poolrummy.contracts_pages.schemas import JsonObject, pretty, schema_path
from poolrummy_contracts import streams

WIRE_VERSION: Final = "1.0.0"
PROCESSES: Final = ("dealer", "validator", "projector", "notary", "audit", "platform", "operator")

_PARAMETERS: Final[dict[str, JsonObject]] = {
    "partition": {
        "description": "Hash tag of the partition, braces included; the id of a table begins with its letters.",
        "examples": [streams.tag(0), streams.tag(7)],
    },
    "table": {"description": "Id of the table.", "examples": ["p07-9f2c"]},
    "seat": {"description": "Number of the seat, from 1.", "examples": ["1", "2"]},
}


def asyncapi_page() -> bytes:
    """The bytes of ``contracts/schemas/asyncapi.json``."""
    return pretty(asyncapi())


def asyncapi() -> JsonObject:
    """The whole document: a channel for each stream, an operation for each process that writes or reads it."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "poolrummy",
            "version": WIRE_VERSION,
            "description": "Streams of a partition. All keys of a partition lie in one slot of a cluster. "
            "Keys that are no streams stand under x-keys.",
        },
        "defaultContentType": "application/json",
        "servers": {
            "store": {
                "host": "localhost:6379",
                "pathname": "/",
                "protocol": "redis",
                "description": "Redis >= 7, Valkey >= 8",
            }
        },
        "channels": {key.name: _channel(key) for key in STREAMS},
        "operations": {name: body for key in STREAMS for name, body in _operations(key).items()},
        "components": {
            "messages": {
                tag_of(message): _message(family, message) for family in FAMILIES for message in family.classes
            }
        },
        "x-keys": {key.name: _other(key) for key in OTHER_KEYS},
    }


def address_of(key: Key) -> str:
    """The pattern of a key with AsyncAPI's parameters: there braces belong to the parameter, here to the hash tag."""
    return key.pattern.replace("{pNN}", "{partition}").replace("<id>", "{table}").replace("<seat>", "{seat}")


def _channel(key: Key) -> JsonObject:
    address = address_of(key)
    return {
        "address": address,
        "title": key.pattern,
        "description": f"{key.holds}. Entry id: {key.entry_id}.",
        "parameters": {name: body for name, body in _PARAMETERS.items() if f"{{{name}}}" in address},
        "messages": {
            tag_of(message): {"$ref": f"#/components/messages/{tag_of(message)}"}
            for family in FAMILIES
            if family.name in key.families
            for message in family.classes
        },
        "x-example": key.example,
        "x-entry-id": key.entry_id,
        "x-fields": key.fields,
        "x-written-by": list(key.writers),
        "x-read-by": list(key.readers),
    }


def _operations(key: Key) -> dict[str, JsonObject]:
    written = {
        f"{process}-writes-{key.name}": _operation(key, "send", f"The {process} writes the {key.name} stream.")
        for process in PROCESSES
        if process in key.writers
    }
    read = {
        f"{process}-reads-{key.name}": _operation(key, "receive", f"The {process} reads the {key.name} stream.")
        for process in PROCESSES
        if process in key.readers
    }
    return written | read


def _operation(key: Key, action: str, summary: str) -> JsonObject:
    return {"action": action, "channel": {"$ref": f"#/channels/{key.name}"}, "summary": summary}


def _message(family: Family, message: MessageClass) -> JsonObject:
    return {
        "name": tag_of(message),
        "title": message.__name__,
        "summary": sentence_of(message),
        "contentType": "application/json",
        "payload": {
            "schemaFormat": "application/schema+json;version=draft-2020-12",
            "schema": {"$ref": schema_path(family, message)},
        },
        "tags": [{"name": family.name}],
    }


def _other(key: Key) -> JsonObject:
    return {
        "address": address_of(key),
        "kind": key.kind,
        "description": key.holds,
        "fields": key.fields,
        "x-example": key.example,
        "x-written-by": list(key.writers),
        "x-read-by": list(key.readers),
    }
