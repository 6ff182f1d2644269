"""The fields of a struct as a reader wants them: name, type in words, meaning, and whether it may be absent."""

import ast
import inspect
import textwrap
import tomllib
import types
import typing
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from importlib.resources import files
from typing import Final

import msgspec

_MEANINGS: Final[dict[str, dict[str, str]]] = tomllib.loads(
    files("poolrummy.contracts_pages").joinpath("meanings.toml").read_text("utf-8")
)
_PLAIN: Final[dict[object, str]] = {int: "integer", str: "string", bool: "boolean", types.NoneType: "null"}


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field on the wire."""

    name: str
    type_text: str
    required: bool
    meaning: str


def fields_of(struct: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields in the order of the struct, the tag left out."""
    return tuple(
        Field(
            name=field.encode_name,
            type_text=type_text(field.type),
            required=field.required,
            meaning=_meaning(struct, field.name),
        )
        for field in msgspec.structs.fields(struct)
    )


def type_text(annotation: object) -> str:
    """The type in words, as Markdown; a struct is a link to its own table.

    >>> type_text(tuple[int, ...] | None)
    'list of integer, or null'
    """
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if isinstance(annotation, typing.NewType):
        return annotation.__name__
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct | Enum):
        return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
    return _composed(typing.get_origin(annotation), typing.get_args(annotation))


def _composed(origin: object, inner: tuple[object, ...]) -> str:
    if origin is typing.Annotated:
        return type_text(inner[0])
    if origin is typing.Literal:
        return ", ".join(f"`{word}`" for word in inner)
    if origin is typing.Union or origin is types.UnionType:
        return ", or ".join(type_text(one) for one in inner)
    if origin is tuple or origin is list:
        return f"list of {type_text(inner[0])}"
    assert origin is dict, f"no words for the type {origin} of {inner}"
    return f"object of {type_text(inner[1])}"


def structs_in(annotation: object) -> Iterator[type[msgspec.Struct]]:
    """All structs that a type mentions, itself and the fields of what it mentions included."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
        for field in msgspec.structs.fields(annotation):
            yield from structs_in(field.type)
    for inner in typing.get_args(annotation):
        yield from structs_in(inner)


def _meaning(struct: type[msgspec.Struct], name: str) -> str:
    for owner in struct.__mro__:
        if (written := _docstrings(owner).get(name)) is not None:
            return written
        if (written := _MEANINGS.get(owner.__name__, {}).get(name)) is not None:
            return written
    return _MEANINGS["everywhere"].get(name, "")


@lru_cache
def _docstrings(owner: type) -> dict[str, str]:
    """The docstrings that stand under fields in the class body."""
    if not owner.__module__.startswith("poolrummy_contracts"):
        return {}
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    assert isinstance(body, ast.ClassDef), f"{owner} is no class"
    found: dict[str, str] = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(doc))):
                found[name] = " ".join(doc.split()).replace("``", "`")
            case _:
                continue
    return found
