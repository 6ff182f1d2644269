"""`poolrummy notary`: the same as ``python -m poolrummy.audit``."""

import sys

import typer

from poolrummy.audit.app import main as be_notary

app = typer.Typer(help="Sign checkpoints of the logs; settings come from POOLRUMMY_* variables.", add_completion=False)


@app.command()
def run_the_notary() -> None:
    """Sign checkpoints of the logs until SIGTERM.

    Settings are POOLRUMMY_* variables: services/README.md lists them. A wrong or unknown one stops the process.
    """
    sys.exit(be_notary())
