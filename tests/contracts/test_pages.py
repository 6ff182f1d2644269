"""The pages say what the contracts say, and no more."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from faststream.specification.asyncapi.v3_0_0.schema import ApplicationSchema

from poolrummy.contracts_pages import pages
from poolrummy.contracts_pages.asyncapi import asyncapi
from poolrummy.contracts_pages.examples import EXAMPLES, example_of
from poolrummy.contracts_pages.fields import fields_of, structs_in
from poolrummy.contracts_pages.keys import OTHER_KEYS, STREAMS
from poolrummy.contracts_pages.messages import FAMILIES, Family, MessageClass, sentence_of, tag_of
from poolrummy.contracts_pages.schemas import schema_of, schema_path
from poolrummy_contracts import codec
from poolrummy_contracts.refusals import SENTENCES

ROOT = Path(__file__).parents[2]
ALL = [pytest.param(family, message, id=tag_of(message)) for family in FAMILIES for message in family.classes]
CATALOGUE = ROOT / "contracts/README.md"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the pages are written into."""
    shutil.copytree(ROOT / "contracts/schemas", tmp_path / "contracts/schemas")
    shutil.copytree(ROOT / "tests/contracts/lines", tmp_path / "tests/contracts/lines")
    shutil.copy(CATALOGUE, tmp_path / "contracts/README.md")
    shutil.copy(ROOT / "README.md", tmp_path / "README.md")
    pages.write(tmp_path)
    return tmp_path


def test_no_page_is_stale() -> None:
    found = [str(path) for path in pages.stale(ROOT)]

    assert not found, f"the contracts changed and these pages did not: {found}; mend it with: make fix"


def test_what_was_written_is_not_stale(checkout: Path) -> None:
    assert pages.stale(checkout) == []
    assert pages.write(checkout) == []


def test_a_changed_missing_or_left_over_page_is_stale_and_written_anew(checkout: Path) -> None:
    schemas = checkout / "contracts/schemas"
    (checkout / "contracts/README.md").write_text("nothing", "utf-8")
    (schemas / "events/card-drawn.1.json").unlink()
    (schemas / "events/card-eaten.1.json").write_text("{}", "utf-8")
    (checkout / "tests/contracts/lines/card-drawn.1.json").unlink()

    found = [path.as_posix() for path in pages.stale(checkout)]

    assert found == [
        "contracts/README.md",
        "contracts/schemas/events/card-drawn.1.json",
        "contracts/schemas/events/card-eaten.1.json",
        "tests/contracts/lines/card-drawn.1.json",
    ]
    assert [path.as_posix() for path in pages.write(checkout)] == found
    assert pages.stale(checkout) == []


def test_a_recorded_line_is_never_written_over(checkout: Path) -> None:
    line = checkout / "tests/contracts/lines/card-drawn.1.json"
    line.write_bytes(b"as it was recorded")

    pages.write(checkout)

    assert line.read_bytes() == b"as it was recorded"


def test_the_check_names_the_mend_and_the_code_says_whether_all_is_well() -> None:
    asked = [sys.executable, "-m", "poolrummy.contracts_pages", "--check"]

    ended = subprocess.run(asked, capture_output=True, text=True, check=False, cwd=ROOT)

    assert ended.returncode == (1 if pages.stale(ROOT) else 0)
    assert ("make fix" in ended.stderr) == (ended.returncode == 1)


@pytest.mark.parametrize(("family", "message"), ALL)
def test_the_catalogue_shows_every_message_with_sentence_and_example(family: Family, message: MessageClass) -> None:
    text = CATALOGUE.read_text("utf-8")
    example = codec.encode(example_of(tag_of(message))).decode()

    assert f"\n### {tag_of(message)}\n\n{sentence_of(message)}\n" in text
    assert example[:700] in text
    assert (ROOT / "contracts/schemas" / schema_path(family, message)).exists()


@pytest.mark.parametrize(("family", "message"), ALL)
def test_every_field_has_a_meaning(family: Family, message: MessageClass) -> None:
    nameless = [
        (struct.__name__, field.name)
        for struct in structs_in(message)
        for field in fields_of(struct)
        if not field.meaning
    ]

    assert not nameless, (
        f"{family.name} {tag_of(message)}: write a docstring under the field, or a line of meanings.toml"
    )


@pytest.mark.parametrize(("family", "message"), ALL)
def test_a_schema_stands_alone_and_shows_a_valid_example(family: Family, message: MessageClass) -> None:
    schema = schema_of(family, message)
    text = json.dumps(schema)

    assert schema["$id"] == f"poolrummy:{family.name}:{tag_of(message)}:1"
    assert schema["properties"]["type"] == {"enum": [tag_of(message)]}
    assert schema["description"]
    assert all(f'"{name}": {{' in text for name in schema.get("$defs", {}))
    assert text.count('"$ref"') == text.count('"$ref": "#/$defs/')
    (example,) = schema["examples"]
    assert set(schema["required"]) <= set(example) <= set(schema["properties"])


def test_the_catalogue_lists_every_key_and_every_refusal() -> None:
    text = CATALOGUE.read_text("utf-8")

    assert all(f"`{key.pattern}`".replace("|", "\\|") in text for key in (*STREAMS, *OTHER_KEYS))
    assert all(f"| `{refusal}` | {sentence} |" in text for refusal, sentence in SENTENCES.items())


def test_every_link_of_the_catalogue_leads_somewhere() -> None:
    text = CATALOGUE.read_text("utf-8")
    headings = {line.lstrip("# ").lower().replace(" ", "-") for line in text.splitlines() if line.startswith("#")}

    for target in (part.partition(")")[0] for part in text.split("](")[1:]):
        known = target[1:] in headings if target.startswith("#") else (ROOT / "contracts" / target).exists()
        assert known or target == "RULEBOOK.md", target


def test_the_asyncapi_document_is_one_for_faststream_too() -> None:
    document = asyncapi()

    read = ApplicationSchema.model_validate(document)

    assert read.asyncapi == "3.0.0"
    assert set(read.channels) == {key.name for key in STREAMS}
    assert len(document["components"]["messages"]) == len(EXAMPLES)


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    document = asyncapi()

    for reference in references(document):
        if reference.startswith("#/"):
            found = document
            for part in reference[2:].split("/"):
                found = found[part]
        else:
            assert (ROOT / "contracts/schemas" / reference).exists()


def test_the_rules_table_goes_between_its_markers(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "readme_table", lambda: "| the table |")
    (checkout / "README.md").write_text("before\n<!-- rules:begin -->old<!-- rules:end -->\nafter\n", "utf-8")

    assert pages.stale(checkout) == [Path("README.md")]
    pages.write(checkout)

    text = (checkout / "README.md").read_text("utf-8")
    assert text == "before\n<!-- rules:begin -->\n\n| the table |\n\n<!-- rules:end -->\nafter\n"
    assert pages.stale(checkout) == []


def test_a_readme_without_both_markers_is_left_alone(checkout: Path) -> None:
    for text in ("nothing", pages.RULES_BEGIN, pages.RULES_END, pages.RULES_END + pages.RULES_BEGIN):
        (checkout / "README.md").write_text(text, "utf-8")

        assert pages.stale(checkout) == []


def references(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if "$ref" in value else []
        return own + [found for inner in value.values() for found in references(inner)]
    return [found for inner in value for found in references(inner)] if isinstance(value, list) else []
