"""`poolrummy`: one command with a word for each job; only the module of the chosen word is imported."""

import sys
from importlib import import_module
from typing import Final

import click
import typer

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "run": ("poolrummy.commands.run", "play real pools to the end, watch them, and prove the result from the log"),
    "dealer": ("poolrummy.commands.services", "deal and run the tables"),
    "validator": ("poolrummy.commands.services", "judge shows and count hands"),
    "projector": ("poolrummy.commands.services", "turn the log into standings and views"),
    "replay": ("poolrummy.commands.replay", "tell a table's story and standings from its log"),
    "rebuild": ("poolrummy.commands.rebuild", "make all views anew from the logs, or compare them"),
    "arrange": ("poolrummy.commands.arrange", "arrange a hand, or a file of hands"),
    "judge": ("poolrummy.commands.arrange", "judge declarations from a file"),
    "rules": ("poolrummy.commands.rules", "list, show, compare, check and explain rule profiles"),
    "bench": ("poolrummy.commands.bench", "measure, beside a baseline taken in the same run"),
}
"""The word, the module that holds a Typer ``app`` of this name or a group, and what it is for."""


class Words(click.Group):
    """A group that knows its words without importing what they do."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The words, in the order in which they are told."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command behind a word; only now is its module imported."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = import_module(COMMANDS[cmd_name][0])
        app = getattr(module, cmd_name, None) or module.app
        return typer.main.get_command(app)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of words for ``--help``."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(word, what) for word, (_, what) in COMMANDS.items()])


def main() -> None:
    """Run the command that the arguments name."""
    words = Words(name="poolrummy", help="Backend of a 13-card Indian Pool Rummy platform.", no_args_is_help=True)
    sys.exit(words.main(prog_name="poolrummy", standalone_mode=True))


if __name__ == "__main__":
    main()
