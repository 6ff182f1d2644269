"""`poolrummy notary`: the same as ``python -m poolrummy.audit``."""

import sys

import typer

from poolrummy.audit.app import main as be_notary

app = typer.Typer(help="Sign checkpoints of the logs; settings come from POOLRUMMY_* variables.", add_completion=False)


@app.command()
def run_the_notary() -> None:
    """Sign checkpoints of the logs until SIGTERM."""
    sys.exit(be_notary())
