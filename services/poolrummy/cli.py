"""`poolrummy`: one command with a word for each job; only the module of the chosen word is imported."""

import sys
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from inspect import getdoc
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    import typer

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "run": ("run", "play real pools to the end, watch them, and prove the result from the log"),
    "dealer": ("services", "deal and run the tables"),
    "validator": ("services", "judge shows and count hands"),
    "projector": ("services", "turn the log into standings and views"),
    "notary": ("notary", "sign checkpoints of the logs, and keep them outside the server"),
    "replay": ("replay", "tell a table's story and standings from its log"),
    "audit": ("audit", "check everything that a table's log claims"),
    "bundle": ("bundle", "put a table into one file that can be audited anywhere"),
    "verify": ("verify", "check a bundle with a second verifier that shares no code with the system"),
    "dossier": ("dossier", "show from the log, on one page, why a seat was charged"),
    "pairs": ("pairs", "rank pairs of players by evidence of collusion"),
    "record": ("record", "write one deal as a deal record (.rdr.json), check or narrow one"),
    "export": ("export", "write a match as CSV files: players, deals, points, money, acts"),
    "accept-rewind": ("accept_rewind", "let a log play on that goes back behind a checkpoint"),
    "archive": ("archive", "move closed tables out of the server, each into one file that can be audited anywhere"),
    "rebuild": ("rebuild", "make all views anew from the logs, or compare them"),
    "arrange": ("arrange", "arrange a hand, or a file of hands"),
    "judge": ("arrange", "judge declarations from a file"),
    "rules": ("rules", "list, show, compare, check and explain rule profiles"),
    "check-card": ("check_card", "check a card against the promise about its pack"),
    "keys": ("keys", "make, list, rotate and split the keys that seeds are sealed to"),
    "play": ("play", "close new play, open it again, or list what is closed"),
    "table": ("table", "name the tables; freeze one, let it play on, void its deal or its match"),
    "unseal": ("unseal", "open the sealed seeds of a table, as two persons, on the record"),
    "fairness": ("fairness", "measure shuffles, or write raw ones out for a laboratory"),
    "identity": ("identity", "say which software this is, and whether it is what was approved"),
    "bench": ("poolrummy.bench.command", "measure, beside a baseline taken in the same run"),
}
"""The word, the module of ``poolrummy.commands`` that holds its Typer app, and what it is for."""

EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130


def main() -> None:
    """Run the command that the arguments name."""
    word, *rest = sys.argv[1:] or ["--help"]
    if (odd := not_text([word, *rest])) is not None:
        print(f"poolrummy: {odd!a} is no text in UTF-8; write it in UTF-8", file=sys.stderr)
        sys.exit(EXIT_USAGE)
    if word in {"--help", "-h", "help"}:
        print(overview())
        sys.exit(0)
    if word in {"--version", "version"}:
        print(f"poolrummy {version('poolrummy')}")
        sys.exit(0)
    if word not in COMMANDS:
        near = get_close_matches(word, COMMANDS, n=1)
        print(f"poolrummy: there is no command {word!r}; {mend(near)}", file=sys.stderr)
        sys.exit(EXIT_USAGE)
    try:
        app_of(word)(args=rest, prog_name=f"poolrummy {word}")
    except KeyboardInterrupt:  # while the command is still being loaded
        sys.exit(EXIT_INTERRUPTED)


def app_of(word: str) -> "typer.Typer":
    """The Typer app behind a word."""
    name = COMMANDS[word][0]
    module = import_module(name if "." in name else f"poolrummy.commands.{name}")
    app = cast("typer.Typer", getattr(module, word) if hasattr(module, word) else module.app)
    for command in app.registered_commands:
        command.help = command.help or flowing(getdoc(command.callback) or "")
    return app


def flowing(text: str) -> str:
    r"""A docstring without its line breaks, which are those of the source and not of the terminal; paragraphs stay.

    >>> flowing("One.\n\nTwo\nthree, ``four``.")
    'One.\n\nTwo three, `four`.'
    """
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n")).replace("``", "`")


def overview() -> str:
    """What ``poolrummy --help`` prints."""
    lines = [f"  {word:<13} {what}" for word, (_, what) in COMMANDS.items()]
    head = "Usage: poolrummy COMMAND [OPTIONS]\n\nBackend of a 13-card Indian Pool Rummy platform.\n"
    return "\n".join([head, *lines, "", "poolrummy COMMAND --help tells more; poolrummy --version says which this is."])


def not_text(words: list[str]) -> str | None:
    r"""The first word that is no text: a reason or a name of such bytes could not be put on record.

    >>> not_text(["--reason", "an incident"]), not_text(["--reason", "\udcff"])
    (None, '\udcff')
    """
    return next((word for word in words if any("\ud800" <= sign <= "\udfff" for sign in word)), None)


def mend(near: list[str]) -> str:
    """What to type instead."""
    return f"did you mean {near[0]}?" if near else "poolrummy --help lists them"


if __name__ == "__main__":
    main()
