"""`poolrummy identity`: which software this is, and whether it is what was approved (R33, R35)."""

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, Literal, NoReturn

import msgspec
import typer
from rich.console import Console

from poolrummy import identity as software
from poolrummy import libraries
from poolrummy.audit.dossier.names import visible
from poolrummy.commands.reaching import AsJson
from poolrummy.identity import Identity
from poolrummy.libraries import Library

EXIT_DIFFERENT: Final = 1
EXIT_USAGE: Final = 2
NAMED_MAX: Final = 20

app = typer.Typer(help="Say which software this is, and whether it is what was approved.", add_completion=False)


class Approved(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Software whose outcomes somebody has approved: its digest, who, why, when, and each file by its SHA-256."""

    release: str
    outcome: str
    approved_by: str
    reason: str
    approved_on: str
    files: dict[str, str]


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What the command answers as JSON."""

    identity: Identity
    others: dict[str, str]
    stale_bytecode: tuple[str, ...]
    """Modules whose kept bytecode is not what their source gives: what runs is not what the digest tells."""
    libraries: tuple[Library, ...]
    """With --libraries: each library of others, file by file."""
    approved: Approved | None
    changed: tuple[str, ...]
    """Deciding files that are new, gone or changed since the approval."""

    @property
    def exit_code(self) -> int:
        """0: as it says; 1: not what was approved, or not what it says."""
        changed = any(library.changed for library in self.libraries)
        wrong = (
            changed
            or self.stale_bytecode
            or (self.approved is not None and self.approved.outcome != self.identity.outcome)
        )
        return EXIT_DIFFERENT if wrong else 0


@app.command()
def tell(
    against: Annotated[
        Path | None, typer.Option("--against", help="File of approved software to hold this one against.")
    ] = None,
    manifest: Annotated[
        Literal["outcome", "whole"] | None,
        typer.Option("--manifest", help="Print the lines that the digest is made of, as sha256sum writes them."),
    ] = None,
    approve: Annotated[
        Path | None, typer.Option("--approve", help="Write this software as approved into this file.")
    ] = None,
    by: Annotated[str, typer.Option("--by", help="Who approves.")] = "",
    reason: Annotated[str, typer.Option("--reason", help="What was looked at before.")] = "",
    *,
    hash_libraries: Annotated[
        bool, typer.Option("--libraries", help="Read every file of the libraries of others as well.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Digest of the files that decide outcomes, of all files, and the versions of what others wrote.

    Ends with 0; with 1 if kept bytecode or a library is not what it should be, or if --against names other outcomes:
    then the next release is a major one, and the golden replays have to be approved again by hand.
    """
    try:
        shipped = software.shipped_files()
    except software.Unreadable as unreadable:
        _refuse(str(unreadable))
    deciding = {path: content for path, content in shipped.items() if software.decides(path)}
    if manifest is not None:
        print(software.manifest(deciding if manifest == "outcome" else shipped), end="")  # noqa: T201 - what the command is for
        return
    now = software.identity_of(shipped, software.release())
    hashes = {path: sha256(content).hexdigest() for path, content in deciding.items()}
    if approve is not None:
        _write(approve, now, hashes, by=by.strip(), reason=reason.strip())
        return
    approved = None if against is None else _approved(against)
    told = Told(
        identity=now,
        others=libraries.versions(),
        stale_bytecode=tuple(software.stale_bytecode(shipped)),
        libraries=tuple(libraries.libraries()) if hash_libraries else (),
        approved=approved,
        changed=() if approved is None else _changed(approved.files, hashes),
    )
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())  # noqa: T201 - what the command is for
    else:
        _show(Console(markup=False), told)
    raise typer.Exit(told.exit_code)


def _approved(file: Path) -> Approved:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Approved)
    except OSError as refused:
        _refuse(f"{file} cannot be read ({refused.strerror}); name a file that --approve has written")
    except msgspec.DecodeError as broken:
        _refuse(f"{file} names no approved software ({broken}); name a file that --approve has written")


def _write(file: Path, now: Identity, hashes: dict[str, str], *, by: str, reason: str) -> None:
    if not by or not reason:
        _refuse("an approval needs a name and a reason: add --by NAME --reason TEXT")
    today = datetime.now(UTC).date().isoformat()
    approved = Approved(
        release=now.release,
        outcome=now.outcome,
        approved_by=by,
        reason=reason,
        approved_on=today,
        files=dict(sorted(hashes.items())),
    )
    try:
        file.write_bytes(msgspec.json.format(msgspec.json.encode(approved), indent=2) + b"\n")
    except OSError as refused:
        _refuse(f"{file} cannot be written ({refused.strerror}); name another one")
    typer.echo(f"outcome {now.outcome} of release {now.release} stands as approved in {file}")


def _changed(before: dict[str, str], now: dict[str, str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in {*before, *now} if before.get(path) != now.get(path)))


def _show(console: Console, told: Told) -> None:
    now = told.identity
    rows = [("release", now.release, ""), ("outcome", now.outcome, "what decides how a game comes out")]
    rows += [(f"  {part.name}", part.digest, f"{part.files} files") for part in now.parts]
    rows.append(("whole", now.whole, "every file that is shipped"))
    for name, digest, note in rows:
        console.print(f"{name:<12} {digest}  {note}".rstrip(), soft_wrap=True, highlight=False)
    others = ", ".join(f"{name} {number}" for name, number in told.others.items())
    console.print(f"by others, in no digest above: {others}", style="dim", soft_wrap=True)
    for library in told.libraries:
        console.print(
            f"{library.name:<24} {library.version:<12} {library.digest}  {library.files} files", soft_wrap=True
        )
        for path in library.changed[:NAMED_MAX]:
            console.print(f"WRONG: {path} is not what was installed", style="bold red", soft_wrap=True)
    for path in told.stale_bytecode[:NAMED_MAX]:
        console.print(f"WRONG: the kept bytecode of {path} is not what its source gives", style="bold red")
    if told.approved is not None:
        _show_approval(console, told, told.approved)


def _show_approval(console: Console, told: Told, approved: Approved) -> None:
    who = visible(
        f"approved as {approved.release} on {approved.approved_on} by {approved.approved_by}: {approved.reason}"
    )
    if approved.outcome == told.identity.outcome:
        console.print(f"outcomes are what was {who}", style="green", soft_wrap=True)
        return
    console.print(
        f"MAJOR: {len(told.changed)} deciding files are not those {who}; approve the golden replays again by hand",
        style="bold yellow",
        soft_wrap=True,
    )
    for path in told.changed[:NAMED_MAX]:
        console.print(f"  {visible(path)}", soft_wrap=True)
    if len(told.changed) > NAMED_MAX:
        console.print(f"  and {len(told.changed) - NAMED_MAX} more; --json tells them all")


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy identity: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
