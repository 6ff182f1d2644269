"""`poolrummy verify BUNDLE`: the second verifier, a file that can be carried away and run alone."""

from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer

from poolrummy.audit import second_verifier
from poolrummy.audit.findings import Unauditable
from poolrummy.audit.packed import ENDING, unpacked
from poolrummy.commands.reaching import AsJson
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
    *,
    as_json: AsJson = False,
) -> None:
    """Chain, checkpoints, promises, shuffles, openings, draws, shows, points, totals, rejoins, splits and prizes.

    The same as ``python second_verifier.py BUNDLE``. It says what it does not check. Ends with 0, 1 or 2 as an audit.
    """
    trusted = [line for one in key or [] for line in _key_lines(one)]
    try:
        report = second_verifier.verify(_content(bundle), trusted)
    except ValueError as wrong:
        _refuse(f"{bundle}: {wrong}; make one with `poolrummy bundle TABLE --out FILE`")
    typer.echo(
        msgspec.json.format(msgspec.json.encode(_told(report)), indent=2) if as_json else report.text(), nl=as_json
    )
    raise typer.Exit(report.exit_code)


def _told(report: second_verifier.Report) -> dict[str, object]:
    """The report for a program: of each check how often it was made, the first fault, and why it could not be made."""
    checks = {
        check: {
            "counted": report.counted[check],
            "fault": None if (fault := report.faults.get(check)) is None else {"version": fault[0], "what": fault[1]},
            "not_checked": report.unchecked.get(check),
        }
        for check in second_verifier.CHECKS
    }
    return {"exit": report.exit_code, "checks": checks, "beyond": second_verifier.BEYOND}


def _content(bundle: Path) -> bytes:
    """The bundle; the file of an archive is unpacked first, as gunzip does it, since the verifier reads plain ones."""
    try:
        content = bundle.read_bytes()
        return unpacked(content, str(bundle)) if bundle.name.endswith(ENDING) else content
    except OSError as refused:
        _refuse(f"{bundle} cannot be read: {refused.strerror}")
    except Unauditable as damaged:
        _refuse(str(damaged))


def _key_lines(named: str) -> list[str]:
    """The verifier keys of a file, or the one that was typed; a slip in a name would look like an unsigned log."""
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
    return lines


def _refuse(why: str) -> NoReturn:
    typer.echo(f"poolrummy verify: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)
