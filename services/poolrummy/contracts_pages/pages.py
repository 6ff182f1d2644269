"""All pages of a checkout: which there should be, which are stale, and how they are written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from poolrummy.commands.rules import readme_table
from poolrummy.contracts_pages.asyncapi import asyncapi_page
from poolrummy.contracts_pages.catalogue import catalogue_page
from poolrummy.contracts_pages.deal_record import DEAL_RECORD, deal_record_page
from poolrummy.contracts_pages.examples import example_of
from poolrummy.contracts_pages.messages import FAMILIES, tag_of
from poolrummy.contracts_pages.schemas import SHAPE, schema_pages
from poolrummy_contracts import codec

CATALOGUE: Final = Path("contracts/README.md")
SCHEMAS: Final = Path("contracts/schemas")
LINES: Final = Path("tests/contracts/lines")
README: Final = Path("README.md")
RULES_BEGIN: Final = "<!-- rules:begin -->"
RULES_END: Final = "<!-- rules:end -->"


def stale(root: Path) -> list[Path]:
    """Pages that are missing, differ from the contracts, or belong to no message any more."""
    wanted = pages(root)
    differing = [path for path, content in wanted.items() if not _is(root / path, content)]
    return sorted([*differing, *_left_over(root, wanted)])


def write(root: Path) -> list[Path]:
    """Write what is stale; the paths that changed."""
    wanted, found = pages(root), stale(root)
    for path in found:
        if path not in wanted:
            (root / path).unlink()
            continue
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(wanted[path])
    return found


def pages(root: Path) -> dict[Path, bytes]:
    """Path below the root to the bytes that should stand there."""
    found = {CATALOGUE: catalogue_page(), SCHEMAS / "asyncapi.json": asyncapi_page()}
    found |= {SCHEMAS / path: content for path, content in schema_pages().items()}
    found[SCHEMAS / DEAL_RECORD] = deal_record_page()
    found |= dict(_new_lines(root))
    readme = _with_rules_table(root / README)
    return found if readme is None else found | {README: readme}


def _new_lines(root: Path) -> Iterator[tuple[Path, bytes]]:
    """A recorded line for each event that has none. One that stands there is kept for ever, whatever it says."""
    for family in FAMILIES:
        if family.name != "event":
            continue
        for tag in map(tag_of, family.classes):
            path = LINES / f"{tag}.{SHAPE}.json"
            if not (root / path).exists():
                yield path, codec.encode(example_of(tag))


def _with_rules_table(readme: Path) -> bytes | None:
    """The README with the table of rules between its markers; None where it has no such markers."""
    text = readme.read_text("utf-8") if readme.exists() else ""
    before, begin, rest = text.partition(RULES_BEGIN)
    _, end, after = rest.partition(RULES_END)
    if not begin or not end:
        return None
    return f"{before}{RULES_BEGIN}\n\n{readme_table().strip()}\n\n{RULES_END}{after}".encode()


def _left_over(root: Path, wanted: dict[Path, bytes]) -> list[Path]:
    found = (path.relative_to(root) for path in (root / SCHEMAS).rglob("*.json"))
    return [path for path in found if path not in wanted]


def _is(path: Path, content: bytes) -> bool:
    return path.exists() and path.read_bytes() == content
