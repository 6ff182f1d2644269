"""The JSON Schema of a deal record; `make fix` writes it to ``contracts/schemas/deal-record.1.json``."""

from typing import Final

import msgspec

from poolrummy.audit.deal_record import DealRecord
from poolrummy.contracts_pages.schemas import DIALECT, JsonObject, pretty

DEAL_RECORD: Final = "deal-record.1.json"


def deal_record_page() -> bytes:
    """The schema; events are described in their own files beside it."""
    (top,), found = msgspec.json.schema_components([DealRecord], ref_template="#/$defs/{name}")
    assert "$ref" in top, "a record is a named struct"
    definitions: dict[str, JsonObject] = dict(msgspec.convert(found, dict[str, JsonObject]))
    own = definitions.pop(DealRecord.__name__)
    event: JsonObject = {
        "description": "A recorded event as it was stored; schemas/events/<type>.1.json describes it.",
        "type": "object",
        "required": ["type", "v", "table", "at", "actor", "rule"],
    }
    _put(own, "opened", {"$ref": "#/$defs/Event"})
    _put(own, "match", {"type": "array", "items": {"$ref": "#/$defs/Event"}})
    _put(definitions["Move"], "event", {"$ref": "#/$defs/Event"})
    head: JsonObject = {"$schema": DIALECT, "$id": "poolrummy:deal-record:1"}
    return pretty(head | own | {"$defs": {"Event": event} | dict(sorted(definitions.items()))})


def _put(schema: JsonObject, name: str, what: JsonObject) -> None:
    properties = dict(msgspec.convert(schema["properties"], dict[str, JsonObject]))
    schema["properties"] = properties | {name: what}
