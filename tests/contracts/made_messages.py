"""Hypothesis strategies that make any message from its annotations alone: an oracle that no example knows."""

import types
import typing
from enum import Enum

import msgspec
from hypothesis import strategies as st

from poolrummy_contracts.codec import INTEGER_MAX

SCALARS = {
    int: st.integers(min_value=-INTEGER_MAX, max_value=INTEGER_MAX),
    bool: st.booleans(),
    str: st.text(max_size=12),
    types.NoneType: st.none(),
}


def messages_of(union: object) -> st.SearchStrategy[msgspec.Struct]:
    """Any message of these classes."""
    return st.sampled_from(typing.get_args(union)).flatmap(struct_of)


def struct_of(struct: type[msgspec.Struct]) -> st.SearchStrategy[msgspec.Struct]:
    return st.builds(struct, **{field.name: value_of(field.type) for field in msgspec.structs.fields(struct)})


def value_of(annotation: object) -> st.SearchStrategy:
    if annotation in SCALARS:
        return SCALARS[annotation]
    if isinstance(annotation, typing.NewType):
        return value_of(annotation.__supertype__)
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return st.deferred(lambda: struct_of(annotation))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return st.sampled_from(annotation)
    return composed(typing.get_origin(annotation), typing.get_args(annotation))


def composed(origin: object, inner: tuple[object, ...]) -> st.SearchStrategy:
    if origin is typing.Annotated:
        return bounded(value_of(inner[0]), inner[1])
    if origin is typing.Literal:
        return st.sampled_from(inner)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*map(value_of, inner))
    if origin is dict:
        return st.dictionaries(st.text("abcdefgh_", min_size=1, max_size=6), value_of(inner[1]), max_size=3)
    assert origin in (tuple, list), origin
    return st.lists(value_of(inner[0]), max_size=3).map(origin)


def bounded(values: st.SearchStrategy, meta: msgspec.Meta) -> st.SearchStrategy:
    least, most = meta.min_length or 0, meta.max_length or 1_000
    return values.filter(lambda value: least <= len(value) <= most)
