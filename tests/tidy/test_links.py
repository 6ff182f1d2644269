"""Every link between our pages leads to a file that is there, and to a heading that stands in it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page
    for folder in (ROOT, ROOT / "contracts", ROOT / "services", ROOT / "deploy", ROOT / "tests")
    for page in (folder.glob("*.md") if folder == ROOT else folder.rglob("*.md"))
)


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    prose = re.sub(r"`[^`]*`", "", page.read_text("utf-8"))
    links = re.findall(r"\]\(([^)\s]+)\)", prose)
    lost = []
    for link in links:
        path, _, anchor = link.partition("#")
        target = page if not path else page.parent / path
        if "://" not in link and (
            not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target))
        ):
            lost.append(link)

    assert not lost
