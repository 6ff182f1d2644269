"""Rows as CSV and back, without loss and without a formula (R15).

As RFC 4180 has it: UTF-8, CRLF, a header, quotes where they are needed. A text that a spreadsheet would take for a
formula gets an apostrophe in front, and so does one that begins with an apostrophe: reading takes one off.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar, dataclass_transform, get_args, get_type_hints

import msgspec

FORMULA: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n", "'")

Row = TypeVar("Row", bound="TabularRow")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class TabularRow(msgspec.Struct, frozen=True, kw_only=True):
    """Base of a row: every field is a column."""


class NotTabular(ValueError):
    """The text is no CSV of these rows; the message says where."""


def written(kind: type[Row], rows: Iterable[Row]) -> str:
    """The rows as CSV, with a header."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(kind.__struct_fields__)
    for row in rows:
        writer.writerow([_cell(getattr(row, name)) for name in kind.__struct_fields__])
    return out.getvalue()


def read(kind: type[Row], text: str) -> tuple[Row, ...]:
    """The rows of a CSV that :func:`written` made; ``NotTabular`` where it is none."""
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(lines, None)
        if header != list(kind.__struct_fields__):
            raise NotTabular(f"its header is {header}, not {', '.join(kind.__struct_fields__)}")
        hints = get_type_hints(kind)
        return tuple(_row(kind, hints, line, number) for number, line in enumerate(lines, start=2))
    except csv.Error as broken:
        raise NotTabular(str(broken)) from broken


def _row(kind: type[Row], hints: Mapping[str, object], line: Sequence[str], number: int) -> Row:
    names = kind.__struct_fields__
    if len(line) != len(names):
        raise NotTabular(f"row {number} has {len(line)} cells, not {len(names)}")
    try:
        return kind(**{name: _value(hints[name], cell) for name, cell in zip(names, line, strict=True)})
    except ValueError as wrong:
        raise NotTabular(f"row {number}: {wrong}") from wrong


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int):
        return str(value)
    text = str(value)
    # An empty text is told from no value at all by its apostrophe.
    return f"'{text}" if not text or text.startswith(FORMULA) else text


def _value(hint: object, cell: str) -> object:
    if not cell and type(None) in get_args(hint):
        return None
    if hint is int or int in get_args(hint):
        return int(cell)
    return cell.removeprefix("'")
