"""`poolrummy rules`: list, show, compare, check and explain rule profiles."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from poolrummy.commands.rule_diff import differences, table_sizes
from poolrummy.commands.rule_show import Row, rows
from poolrummy.commands.rule_values import cell
from poolrummy.commands.rulebook import Paragraph, read_book
from poolrummy.commands.rules_readme import readme_table
from poolrummy.profile_files import ProfilesInvalid, load_all
from poolrummy_contracts.findings import Finding, nearest
from poolrummy_contracts.profiles import Profile, parse
from poolrummy_contracts.setting_sheet import SETTINGS, TITLES
from poolrummy_contracts.terms import Variant

__all__ = ["app", "readme_table"]

PAGES: Final = {
    "000": "RummyPassion page",
    "001": "FAQ-style page",
    "002": "DeccanRummy page",
    "003": "score-keeping guide",
    "004": "score-keeping guide",
}
"""The rule pages that the rulebook names by a number."""

app = typer.Typer(
    name="rules",
    help="List, show, compare, check and explain rule profiles.",
    no_args_is_help=True,
    add_completion=False,
)

Folder = Annotated[
    Path | None,
    typer.Option("--profiles", help="Folder with profiles of your own (*.toml).", envvar="POOLRUMMY_PROFILES_DIR"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
def list_profiles(profiles: Folder = None, *, as_json: AsJson = False) -> None:
    """Every profile: what it is, its variants, its hash."""
    known = _load(profiles)
    if as_json:
        keys = ("name", "title", "inherits", "variants", "hash")
        options = [{"options": sorted(profile.options)} for profile in known.values()]
        plain = [{key: getattr(profile, key) for key in keys} for profile in known.values()]
        _print_json([each | extra for each, extra in zip(plain, options, strict=True)])
        return
    table = Table("profile", "what it is", "variants", "options", "hash")
    for profile in known.values():
        what = profile.title + (f" (inherits {profile.inherits})" if profile.inherits else "")
        table.add_row(
            Text(profile.name, "bold"), what, ", ".join(profile.variants), ", ".join(profile.options), profile.hash[:12]
        )
    Console().print(table)


@app.command()
def show(
    profile: Annotated[str, typer.Argument(help="Name of a profile.")],
    variant: Annotated[str | None, typer.Option(help="101, 201, 61, 51 or best_of_3.")] = None,
    seats: Annotated[int | None, typer.Option(help="Size of the table; needs --variant.")] = None,
    profiles: Folder = None,
    *,
    meaning: Annotated[bool, typer.Option("--meaning", help="Add a sentence for each value; needs --variant.")] = False,
    as_json: AsJson = False,
) -> None:
    """All settings of a profile by chapter, each with its value and where that comes from."""
    chosen = _named(profile, _load(profiles))
    offered = _offered(chosen, variant)
    if offered is None and (seats is not None or meaning):
        _refuse(f"--{'seats' if seats is not None else 'meaning'} needs --variant; add --variant {chosen.variants[0]}")
    if offered is not None and seats is not None and seats not in table_sizes(chosen, offered):
        sizes = ", ".join(map(str, table_sizes(chosen, offered)))
        _refuse(f"{chosen.name} has no tables of {seats} seats in {offered}; use one of: {sizes}")
    found = rows(chosen, offered, seats)
    if as_json:
        _print_json(
            {"profile": chosen.name, "hash": chosen.hash, "variant": offered, "seats": seats, "settings": found}
        )
        return
    console = Console()
    console.print(Text(f"{chosen.name}: {chosen.title}", "bold"))
    for section, title in TITLES.items():
        console.print(_chapter(title, [row for row in found if row.section == section], meaning=meaning))


@app.command()
def diff(
    left: Annotated[str, typer.Argument(help="Name of a profile.")],
    right: Annotated[str, typer.Argument(help="Name of the other.")],
    profiles: Folder = None,
    *,
    as_json: AsJson = False,
) -> None:
    """In what two profiles differ, rule by rule, in sentences."""
    known = _load(profiles)
    found = differences(_named(left, known), _named(right, known))
    if as_json:
        _print_json({"left": left, "right": right, "differences": found})
        return
    console = Console()
    if not found:
        console.print(f"{left} and {right} have the same rules.")
    for section, title in TITLES.items():
        table = Table("setting", left, right, title=title, title_justify="left", expand=True)
        table.columns[0].ratio, table.columns[1].ratio, table.columns[2].ratio = 2, 3, 3
        for each in found:
            if each.section == section:
                name = Text(each.setting, "bold").append(f"\n{each.where}" if each.where else "", "not bold dim")
                table.add_row(name, _said(each.left_sentence, each.left), _said(each.right_sentence, each.right))
        if table.row_count:
            console.print(table)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A profile file (*.toml).")],
    profiles: Folder = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Everything that is wrong with a profile file; exit 1 if there is anything."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        _refuse(f"{file} cannot be read ({error}); name a profile file")
    outcome = parse(text, file.stem, _load(profiles))
    findings = () if isinstance(outcome, Profile) else outcome
    if as_json:
        _print_json({"file": str(file), "findings": findings})
    elif isinstance(outcome, Profile):
        Console().print(f"{file}: nothing wrong; variants {', '.join(outcome.variants)}, hash {outcome.hash}")
    else:
        Console().print(_findings(outcome))
    if findings:
        raise typer.Exit(1)


@app.command()
def explain(
    paragraph: Annotated[str, typer.Argument(help="A paragraph of the rulebook (10.3) or a setting (rejoin_offset).")],
    profiles: Folder = None,
    book: Annotated[Path | None, typer.Option(help="Another rulebook.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """A paragraph of the rulebook, with its settings and their values in every profile."""
    known = _load(profiles)
    try:
        paragraphs = read_book(book)
    except (OSError, UnicodeDecodeError) as error:
        _refuse(f"the rulebook cannot be read ({error}); name it with --book")
    wanted = paragraph.removeprefix("§").strip()
    found = [each for each in paragraphs if each.number == wanted or wanted in each.settings]
    if not found:
        near = nearest(wanted, [*(each.number for each in paragraphs), *SETTINGS])
        mend = near if near.startswith("did you") else "name a paragraph such as 10.3, or a setting of `rules show`"
        _refuse(f"the rulebook has no paragraph and no setting {wanted!r}; {mend}")
    if as_json:
        _print_json([_with_values(each, known) for each in found])
        return
    for each in found:
        _print_paragraph(each, known)


def _load(folder: Path | None) -> Mapping[str, Profile]:
    try:
        return load_all(folder)
    except ProfilesInvalid as error:
        _refuse(str(error))


def _named(name: str, known: Mapping[str, Profile]) -> Profile:
    if name not in known:
        _refuse(f"there is no rule profile {name!r}; {nearest(name, known)}")
    return known[name]


def _offered(profile: Profile, variant: str | None) -> Variant | None:
    offered: Variant | None = next((each for each in profile.variants if each == variant), None)
    if variant is not None and offered is None:
        _refuse(f"{profile.name} does not offer the variant {variant!r}; use one of: {', '.join(profile.variants)}")
    return offered


def _refuse(message: str) -> NoReturn:
    typer.echo(f"poolrummy rules: {message}", err=True)
    raise typer.Exit(2)


def _print_json(content: object) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(content), indent=2).decode())


def _chapter(title: str, found: list[Row], *, meaning: bool) -> Table:
    table = Table("setting", "value", *(["what it means"] if meaning else []), "source", title=title, expand=True)
    table.title_justify = "left"
    for row in found:
        style = "dim" if row.idle else ""
        source = f"{row.stated_by}: {row.source}" if row.inherited else row.source
        table.add_row(
            Text(row.setting, style or "bold"),
            Text(row.value, style or "cyan"),
            *([Text(row.sentence, style)] if meaning else []),
            Text(source, "dim" if row.inherited else ""),
        )
    return table


def _said(sentence: str, value: str) -> Text:
    return Text(sentence).append(f"\n{value}", "cyan dim")


def _findings(findings: tuple[Finding, ...]) -> Table:
    table = Table("setting", "value", "what is wrong", "mend", title=f"{len(findings)} findings", title_justify="left")
    for each in findings:
        why = each.why + (f" ({each.where})" if each.where else "")
        table.add_row(Text(each.key, "bold"), Text(each.value, "red"), Text(why), Text(each.mend, "green"))
    return table


def _with_values(paragraph: Paragraph, known: Mapping[str, Profile]) -> dict[str, object]:
    values = {key: _values(key, known) for key in paragraph.settings if key in SETTINGS}
    plain: dict[str, object] = msgspec.structs.asdict(paragraph)
    return plain | {"values": values}


def _values(key: str, known: Mapping[str, Profile]) -> dict[str, str]:
    return {name: cell(profile, key) for name, profile in known.items()}


def _print_paragraph(paragraph: Paragraph, known: Mapping[str, Profile]) -> None:
    console = Console()
    console.print(Text(f"§ {paragraph.number} {paragraph.title}", "bold"))
    console.print(Text("\n\n".join(" ".join(part.split()) for part in paragraph.text.split("\n\n"))))
    table = Table("setting", *known)
    for key in paragraph.settings:
        if key in SETTINGS:
            table.add_row(Text(key, "bold"), *map(Text, _values(key, known).values()))
    if table.row_count:
        console.print(table)
    decided = f"Decided by {', '.join(paragraph.decides)}, shown by {', '.join(paragraph.tests)}."
    sources = re.sub(r"\b00[0-4]\b", lambda number: PAGES[number[0]], paragraph.sources)
    console.print(Text(f"{decided} Sources: {sources}", "dim"))
