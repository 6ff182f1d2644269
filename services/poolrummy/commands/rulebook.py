"""The rulebook, read paragraph by paragraph: text, settings, the module that decides it, its test, its sources."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

_HEADING: Final = re.compile(r"^### (\d+\.\d+[a-z]?) +(.+?) *$")
_FIELD: Final = re.compile(r"(Settings|Decides|Tests?|Sources?): *")
_CITED: Final = re.compile(r"[\w./-]+")
_ASIDE: Final = re.compile(r"\([^)]*\)|= *[^,`]*")


class Paragraph(msgspec.Struct, frozen=True, kw_only=True):
    """One numbered paragraph."""

    number: str
    title: str
    text: str
    settings: tuple[str, ...] = ()
    decides: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    sources: str = ""


def read_book(path: Path | None = None) -> tuple[Paragraph, ...]:
    """The paragraphs of the rulebook; of the package's own where no path is given."""
    return tuple(paragraphs((path or book_path()).read_text(encoding="utf-8")))


def book_path() -> Path:
    """In a wheel beside the contracts; in a checkout one folder up."""
    package = Path(str(files("poolrummy_contracts")))
    inside = package / "RULEBOOK.md"
    return inside if inside.is_file() else package.parent / "RULEBOOK.md"


def paragraphs(book: str) -> Iterator[Paragraph]:
    """The paragraphs of a book: a heading ``### 10.3 Title``, the text, a line ``Settings: … · Decides: …``."""
    number, title, lines = "", "", list[str]()
    for line in [*book.splitlines(), "# end"]:
        heading = _HEADING.match(line)
        if heading or line.startswith(("# ", "## ", "### ")):
            if number:
                yield _paragraph(number, title, lines)
            number, title, lines = (heading[1], heading[2], []) if heading else ("", "", [])
        else:
            lines.append(line)


def _paragraph(number: str, title: str, lines: list[str]) -> Paragraph:
    start = next((place for place, line in enumerate(lines) if _FIELD.match(line)), len(lines))
    fields = dict(_fields(" ".join(line.strip() for line in lines[start:])))
    return Paragraph(
        number=number,
        title=title,
        text="\n".join(lines[:start]).strip(),
        settings=_cited(fields.get("Settings", "")),
        decides=_cited(fields.get("Decides", "")),
        tests=_cited(fields.get("Test", "")),
        sources=fields.get("Source", ""),
    )


def _fields(line: str) -> Iterator[tuple[str, str]]:
    names = [*_FIELD.finditer(line)]
    for place, found in enumerate(names):
        end = names[place + 1].start() if place + 1 < len(names) else len(line)
        name = (
            "Settings" if found[1] == "Settings" else found[1].removesuffix("s") if found[1] != "Decides" else "Decides"
        )
        yield name, line[found.end() : end].strip(" ·")


def _cited(text: str) -> tuple[str, ...]:
    """The names in a field; ``none``, ``-``, a value after ``=`` and what stands in brackets are no names."""
    return tuple(name for name in _CITED.findall(_ASIDE.sub("", text)) if name not in {"none", "-", "and"})
