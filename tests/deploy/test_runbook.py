"""The run book has a section for each alert, and what it tells to type and to look at is there."""

import re
from collections import Counter

import pytest

from poolrummy.cli import COMMANDS
from poolrummy.commands import table

from .queries import DEPLOY, Scrape, rules

pytestmark = pytest.mark.xdist_group("scrape")  # one scrape for all

BOOK = (DEPLOY / "RUNBOOK.md").read_text("utf-8")
SECTIONS = {
    text.partition("\n")[0].strip(): text.partition("\n")[2] for text in re.split(r"^## ", BOOK, flags=re.MULTILINE)[1:]
}
ALERTS = [rule for rule in rules() if rule.alerts]
METRIC = re.compile(r"`?\b((?:pool)?rummy_[a-z_]+)\b(?!\.|/)")


def test_every_alert_has_a_section_and_every_section_an_alert() -> None:
    assert list(SECTIONS) == list(dict.fromkeys(SECTIONS)), "a section stands there twice"
    assert set(SECTIONS) == {alert.name for alert in ALERTS}


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: f"{alert.name} {alert.labels.get('window', '')}")
def test_an_alert_says_how_grave_it_is_what_is_the_matter_and_where_to_read_on(alert) -> None:
    assert alert.labels["severity"] in {"page", "ticket"}
    assert alert.annotations["summary"].endswith((".", "?"))
    assert alert.annotations["runbook"] == f"deploy/RUNBOOK.md#{alert.name.lower()}"
    assert alert.annotations["dashboard"] == "/d/poolrummy-throughput"


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_tells_what_to_type_first_and_what_is_safe(name: str) -> None:
    means, _, rest = SECTIONS[name].partition("```bash\n")
    typed, _, after = rest.partition("\n```")

    assert len(means.split()) > 8, "it says what the alert means"
    assert typed.strip()
    assert re.search(r"^\*\*Safe:\*\* ", after, re.MULTILINE)


def test_every_metric_of_the_book_is_told_by_some_process(scrape: Scrape) -> None:
    named = {name for name in METRIC.findall(BOOK) if not name.startswith("poolrummy_contracts")}
    told = set(scrape.series)

    assert named
    for name in named:
        assert any(series.startswith(name) for series in told), f"{name} is told by nobody"


def test_every_command_of_ours_in_the_book_exists() -> None:
    words = {word for word in re.findall(r"poolrummy ([a-z-]+)\b", BOOK) if not word.startswith("-")}

    assert words <= set(COMMANDS), words - set(COMMANDS)


def test_every_act_on_a_table_that_the_book_tells_is_one_of_the_command() -> None:
    acts = Counter(re.findall(r"`poolrummy table ([a-z-]+)(?: p07-9f2c --operator YOU --reason '[^']+'| …|)`", BOOK))

    assert set(acts) == {"list", "freeze", "unfreeze", "void-deal", "void-match"}
    assert set(acts) == {one.name for one in table.app.registered_commands}
    assert sum(acts.values()) == BOOK.count("`poolrummy table ")


def test_every_line_of_the_journal_that_the_book_looks_for_is_written_by_some_module() -> None:
    looked_for = set(re.findall(r"grep -F '([a-z][a-z ]+)'", BOOK)) - {"failed", "deal-voided"}
    written = "\n".join(path.read_text("utf-8") for path in (DEPLOY.parent / "services").rglob("*.py"))

    assert looked_for
    assert not [line for line in looked_for if line not in written]
