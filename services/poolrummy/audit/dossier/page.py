"""A dossier as one HTML page: no network, no script, and nothing that a player wrote is taken for markup."""

from collections.abc import Callable, Mapping
from typing import Final

import jinja2
from markupsafe import Markup

from poolrummy.audit.dossier import names, pictures, readings
from poolrummy.audit.dossier.content import Dossier
from poolrummy.audit.dossier.names import visible
from poolrummy.audit.wording import money


def page_of(dossier: Dossier) -> str:
    """The page."""
    rules = {one.number: one for one in dossier.rules}
    return _TEMPLATE.render(d=dossier, m=dossier.match, rules=rules, title=_title(dossier))


def _title(dossier: Dossier) -> str:
    parts = [f"Table {dossier.table}"]
    if dossier.deal is not None:
        parts.append(f"deal {dossier.deal}")
    if dossier.seat is not None:
        parts.append(f"seat {dossier.seat}")
    return ", ".join(parts)


def _plain(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


_CALLED: Final[Mapping[str, Callable[..., object]]] = {
    "card": pictures.card,
    "hand": pictures.hand,
    "small": pictures.small,
    "bars": pictures.bars,
    "clock": names.clock,
    "day": names.day,
    "span": names.span,
    "money": money,
    "wild_ones": readings.wild_ones,
}
"""What the templates may call."""


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("poolrummy.audit.dossier"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_plain,
    )
    environment.globals.update(_CALLED)  # pyright: ignore[reportCallIssue, reportArgumentType]  # jinja types its defaults, not what may be added
    return environment


_TEMPLATE: Final = _environment().get_template("page.html")
