"""A player may be called anything: no name and no reason steers the terminal of whoever settles the dispute."""

from io import StringIO

import pytest
from rich.console import Console, RenderableType

from poolrummy.audit.dossier.making import Asked, dossier_of
from poolrummy.audit.history import moments_of
from poolrummy.audit.known_packs import nothing_known
from poolrummy.audit.story import Teller
from poolrummy.audit.views import View
from poolrummy.commands.replay_tables import refused_table, standings_table, story_table
from poolrummy.projector import board
from poolrummy.projector.standings_view import standings_view
from poolrummy.runtime.records import TableEntry
from poolrummy.testing.matches import terms_of
from poolrummy.testing.tables import TABLE, TestTable, opened
from poolrummy_contracts import codec
from poolrummy_contracts import commands as c
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandRefused

EVIL = "\x1b[2J\x1b]0;owned\x07\u202ehari\r"
STEERING = ("\x1b", "\x07", "\u202e", "\r")


@pytest.fixture
def table() -> TestTable:
    made = opened(terms_of(seats=2))
    for seat, player in ((1, EVIL), (2, "bhaskar")):
        made.do(c.Sit(id=f"sit-{seat}", table=TABLE, player=player, seat=seat))
    made.do(c.VoidMatch(id=EVIL, table=TABLE, operator=EVIL, reason=EVIL))
    return made


def entries(table: TestTable) -> list[TableEntry]:
    chain, made = chain_start(TABLE), []
    for event in table.log:
        payload = codec.encode(event)
        chain = chain_next(chain, payload)
        made.append(TableEntry(version=event.v, payload=payload, chain=chain))
    return made


def printed(what: RenderableType) -> str:
    out = StringIO()
    Console(file=out, width=200).print(what)
    return out.getvalue()


def steers(text: str) -> list[str]:
    return [one for one in STEERING if one in text]


def test_a_replay_prints_no_name_that_steers_the_terminal(table: TestTable) -> None:
    teller, moments = Teller(), moments_of(TABLE, entries(table))
    steps = [teller.step(moment.after, moment.event) for moment in moments]
    shown = None
    for event in table.log:
        shown = board.evolve(shown, event)
    assert shown is not None
    refused = CommandRefused(command=EVIL, table=TABLE, v=1, code=Refusal.NOT_NOW, sentence=f"No, {EVIL}.")

    told = "".join(map(printed, (story_table(steps), refused_table([refused]), standings_table(standings_view(shown)))))

    assert "hari" in told
    assert not steers(told)


def test_a_dossier_answers_without_a_name_that_steers_the_terminal(table: TestTable) -> None:
    asked = Asked(view=View("public"), deal=None, seat=None, about=None)

    found = dossier_of(moments_of(TABLE, entries(table)), asked, nothing_known(), book={}, refused=())

    assert "hari" in found.answer.sentence
    assert not steers(found.answer.sentence)
