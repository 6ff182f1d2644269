"""`poolrummy verify BUNDLE`: the second verifier, a file that can be carried away and run alone."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final, NoReturn

import typer

from poolrummy.audit import second_verifier
from poolrummy.audit.findings import Unauditable
from poolrummy.audit.packed import ENDING, unpacked
from poolrummy.fairness.notary_keys import NotaryKeyUnreadable, parse_line

EXIT_USAGE: Final = 2

app = typer.Typer(help="Check a bundle with a verifier that shares no code with the system.", add_completion=False)


@app.command()
def check(
    bundle: Annotated[Path, typer.Argument(help="A bundle, as `poolrummy bundle` writes it.")],
    key: Annotated[
        list[str] | None,
        typer.Option("--key", help="A verifier key that you trust: a line of notary.pub, or the file."),
    ] = None,
) -> None:
    """Chain, checkpoints, promises, shuffles, openings, draws, shows, points, totals, rejoins, splits and prizes.

    The same as ``python second_verifier.py BUNDLE``. It says what it does not check. Ends with 0, 1 or 2 as an audit.
    """
    for one in key or []:
        _refuse_no_key(one)
    if bundle.name.endswith(ENDING):
        sys.exit(_unpacked(bundle, key or []))
    sys.exit(second_verifier.main([str(bundle), *(key or [])]))


def _unpacked(bundle: Path, keys: list[str]) -> int:
    """The file of an archive: unpacked first, as gunzip does it, since the verifier reads plain bundles only."""
    try:
        content = unpacked(bundle.read_bytes(), str(bundle))
    except OSError as refused:
        _refuse(f"{bundle} cannot be read: {refused.strerror}")
    except Unauditable as damaged:
        _refuse(str(damaged))
    with TemporaryDirectory() as folder:
        plain = Path(folder) / bundle.name.removesuffix(ENDING)
        plain.write_bytes(content)
        return second_verifier.main([str(plain), *keys])


def _refuse_no_key(named: str) -> None:
    """The second verifier trusts what it is told to trust; a slip in a name would look like an unsigned log."""
    try:
        text = Path(named).read_text("utf-8", "replace") if Path(named).exists() else named
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        for line in lines:
            parse_line(line, named)
    except OSError as refused:
        _refuse(f"{named} cannot be read: {refused.strerror}")
    except NotaryKeyUnreadable as wrong:
        _refuse(str(wrong))
    if not lines:
        _refuse(f"{named} holds no verifier key; name notary.pub, or a line of it")


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy verify: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
