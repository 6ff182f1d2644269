"""`poolrummy verify BUNDLE`: the second verifier, a file that can be carried away and run alone."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from poolrummy.audit import second_verifier

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
    sys.exit(second_verifier.main([str(bundle), *(key or [])]))
