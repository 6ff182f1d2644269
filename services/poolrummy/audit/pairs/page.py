"""A ranking of pairs as one HTML page: no network, no script, and nothing that a player wrote is taken for markup."""

from typing import Final

import jinja2
from markupsafe import Markup

from poolrummy.audit.dossier.names import visible
from poolrummy.audit.pairs.ranking import Link, Ranking
from poolrummy.audit.pairs.signals import BY_NAME
from poolrummy.audit.pairs.telling import thousandths, told_by, told_of

STEPS_MAX: Final = 8
"""So many steps of a deal are linked; the dossier shows the others."""


def page_of(ranking: Ranking, *, compared: int, skipped: int = 0) -> str:
    """The page: first that it is no verdict, then the marked pairs with links to dossiers, then innocent reasons.

    Pairs below the mark are counted and not named: they are no suspects.
    """
    marked = [pair for pair in ranking.pairs if pair.look]
    told = [BY_NAME[name] for name in told_of(marked)]
    return _TEMPLATE.render(ranking=ranking, marked=marked, told=told, compared=compared, skipped=skipped)


def dossier_of(link: Link) -> str:
    """The file in which `poolrummy dossier TABLE --deal N` writes this deal."""
    return f"dossier-{link.table}-deal-{link.deal}-public.html"


def _plain(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("poolrummy.audit.pairs"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_plain,
    )
    called = {"told_by": told_by, "thousandths": thousandths, "dossier_of": dossier_of, "STEPS_MAX": STEPS_MAX}
    environment.globals.update(called)  # pyright: ignore[reportCallIssue, reportArgumentType]  # jinja types its defaults, not what may be added
    return environment


_TEMPLATE: Final = _environment().get_template("pairs.html")
