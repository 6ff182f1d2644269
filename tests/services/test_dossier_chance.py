"""Whatever happens at a table, every seat of every deal gets an answer with its points, and the page stands."""

import pytest

from poolrummy.audit.dossier.answering import ABOUT_A_SEAT
from poolrummy.audit.dossier.making import Asked, dossier_of
from poolrummy.audit.dossier.page import page_of
from poolrummy.audit.history import Moment, deals_of, moments_of
from poolrummy.audit.known_packs import Known, known_packs
from poolrummy.audit.views import View
from poolrummy.runtime.records import TableEntry
from poolrummy.testing.matches import PROFILES, terms_of
from poolrummy.testing.random_play import RandomMatch
from poolrummy.testing.robot_matches import robot_match
from poolrummy_contracts import codec
from poolrummy_contracts import events as e
from poolrummy_contracts.envelope import chain_next, chain_start

from .dispute_tables import PlainSealer

Past = tuple[tuple[Moment, ...], Known]


def by_chance(number: int) -> Past:
    """A match of players who do whatever comes to their mind, under the rules of one of the profiles."""
    profile = PROFILES[number % len(PROFILES)]
    match = RandomMatch(terms_of(profile, ("101", "201")[number % 2], seats=(2, 6)[number % 2]), number)
    match.play(700)
    table = match.table.log[0].table
    chain, entries = chain_start(table), list[TableEntry]()
    for event in match.table.log:
        payload = codec.encode(event)
        chain = chain_next(chain, payload)
        entries.append(TableEntry(version=event.v, payload=payload, chain=chain))
    return moments_of(table, entries), Known(packs={})


def by_robots(number: int) -> Past:
    """A match of robots with real packs."""
    match = robot_match(number, PlainSealer(), seats=4)
    lines = match.play()
    entries = [TableEntry(version=v, payload=one.payload, chain=one.chain) for v, one in enumerate(lines, 1)]
    moments = moments_of(match.table, entries)
    return moments, known_packs(moments, PlainSealer())


def check(past: Past) -> None:
    moments, known = past
    for view in (View("public"), View("auditor")):
        assert page_of(dossier_of(moments, Asked(view=view), known, book={})).endswith("</html>\n")
    for deal, of_deal in deals_of(moments):
        scored = [one.event for one in of_deal if isinstance(one.event, e.DealScored)]
        for score in scored[0].scores if scored else ():
            asked = Asked(view=View("seat", score.seat), deal=deal, seat=score.seat)
            answer = dossier_of(moments, asked, known, book={}).answer
            cost = f"was charged {score.points} in deal {deal}" if score.points else f"paid nothing in deal {deal}"
            assert cost in answer.sentence
            assert answer.rules
            for about in ABOUT_A_SEAT:
                told = dossier_of(
                    moments, Asked(view=asked.view, deal=deal, seat=score.seat, about=about), known, book={}
                )
                assert told.answer.sentence


@pytest.mark.parametrize("number", range(10))
def test_every_seat_of_a_match_played_by_chance_gets_its_answer(number: int) -> None:
    check(by_chance(number))


@pytest.mark.parametrize("number", range(1, 4))
def test_every_seat_of_a_robot_match_gets_its_answer(number: int) -> None:
    check(by_robots(number))


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(100, 200))
def test_every_seat_of_many_matches_gets_its_answer(number: int) -> None:
    check(by_chance(number))
