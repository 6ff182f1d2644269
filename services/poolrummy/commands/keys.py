"""`poolrummy keys`: make, list, rotate and split the keys that seeds are sealed to (R46)."""

import sys
from pathlib import Path
from typing import Annotated, Final, Literal, NoReturn

import msgspec
import typer

from poolrummy.commands.reaching import AsJson
from poolrummy.fairness.checkpoint import SIGNER
from poolrummy.fairness.errors import FairnessError
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.notary_keys import load_or_create_signing_key, written
from poolrummy.fairness.rotation import KeyLine, listed, rotate, split_auditor
from poolrummy.fairness.signed_note import public_of

EXIT_USAGE: Final = 2

Folder = Annotated[Path, typer.Option("--dir", help="Folder of the keys; the dealer finds it by POOLRUMMY_KEYS_DIR.")]

app = typer.Typer(help="Make, list, rotate and split keys.", add_completion=False, no_args_is_help=True)


@app.command("new")
def new(folder: Folder, *, as_json: AsJson = False) -> None:
    """Make a key for the dealer and one for the auditor, unless they are there."""
    try:
        load_or_create_keys(folder)
        _print(listed(folder), as_json=as_json)
    except FairnessError as wrong:
        _refuse(wrong)


@app.command("list")
def show(folder: Folder, *, as_json: AsJson = False) -> None:
    """Name the keys of a folder: role, id, whether new seeds are sealed to it, whether it can open."""
    try:
        _print(listed(folder), as_json=as_json)
    except FairnessError as wrong:
        _refuse(wrong)


@app.command("rotate")
def turn(
    folder: Folder,
    role: Annotated[Literal["dealer", "auditor"], typer.Option("--role", help="Whose key.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Put a new key on top: new tables are sealed to it once the dealer is started again; old keys open old seeds."""
    try:
        rotate(folder, role)
        _print(listed(folder), as_json=as_json)
    except FairnessError as wrong:
        _refuse(wrong)


@app.command("notary")
def notary(folder: Folder) -> None:
    """Make the key that signs checkpoints, unless it is there, and print the line by which others know it.

    notary.key stays where `poolrummy notary` runs (its POOLRUMMY_KEYS_DIR). Copy notary.pub into the folder of the
    dealer, of the auditor, and of whoever checks.
    """
    try:
        signing = load_or_create_signing_key(folder)
    except FairnessError as wrong:
        _refuse(wrong)
    print(written(public_of(signing, SIGNER)), end="")  # noqa: T201 - what the command is for


@app.command("split")
def split(
    folder: Folder,
    one: Annotated[Path, typer.Option("--one", help="File for the first share.")],
    other: Annotated[Path, typer.Option("--other", help="File for the second share.")],
) -> None:
    """Cut the auditor's key in two shares for two persons; the folder keeps the public half alone."""
    try:
        names = split_auditor(folder, one, other)
    except FairnessError as wrong:
        _refuse(wrong)
    print(f"auditor key {', '.join(names)}: two shares in {one} and {other}")  # noqa: T201 - what the command is for
    print("give each to one person, and destroy every copy of auditor.key, backups included")  # noqa: T201 - what the command is for


def _print(keys: list[KeyLine], *, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode(keys).decode())  # noqa: T201 - what the command is for
        return
    for key in keys:
        use = "seals new seeds" if key.current else "opens old seeds only"
        here = "" if key.opens else ", its secret half is elsewhere"
        print(f"{key.role:<8} {key.id}  {key.recipient}  {use}{here}")  # noqa: T201 - what the command is for


def _refuse(wrong: FairnessError) -> NoReturn:
    print(f"poolrummy keys: {wrong}", file=sys.stderr)  # noqa: T201 - for the person at the terminal
    raise typer.Exit(EXIT_USAGE)
