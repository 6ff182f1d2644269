"""`poolrummy dealer`, `validator` and `projector`: the same as ``python -m poolrummy.dealer`` and so on."""

import sys

import typer

from poolrummy.dealer.app import main as be_dealer
from poolrummy.projector.app import main as be_projector
from poolrummy.validator.app import main as be_validator

dealer = typer.Typer(help="Deal and run the tables; settings come from POOLRUMMY_* variables.", add_completion=False)
validator = typer.Typer(
    help="Judge shows and count hands; settings come from POOLRUMMY_* variables.", add_completion=False
)
projector = typer.Typer(
    help="Turn the log into standings and views; settings come from POOLRUMMY_* variables.", add_completion=False
)


@dealer.command()
def run_the_dealer() -> None:
    """Deal and run the tables until SIGTERM.

    Settings are POOLRUMMY_* variables: services/README.md lists them. A wrong or unknown one stops the process.
    """
    sys.exit(be_dealer())


@validator.command()
def run_the_validator() -> None:
    """Judge shows and count hands until SIGTERM.

    Settings are POOLRUMMY_* variables: services/README.md lists them. A wrong or unknown one stops the process.
    """
    sys.exit(be_validator())


@projector.command()
def run_the_projector() -> None:
    """Keep the views until SIGTERM.

    Settings are POOLRUMMY_* variables: services/README.md lists them. A wrong or unknown one stops the process.
    """
    sys.exit(be_projector())
