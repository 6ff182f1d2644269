"""Hypothesis strategies: tables in the middle of anything, and commands of every kind from anybody."""

from functools import lru_cache
from typing import Final

from hypothesis import strategies as st

from poolrummy.rules.state import Table
from poolrummy.testing.packs import Script
from poolrummy.testing.random_play import RandomMatch
from poolrummy.testing.random_terms import random_terms
from poolrummy.testing.tables import TABLE, Command
from poolrummy_contracts import commands as c
from poolrummy_contracts.cards import Position, position
from poolrummy_contracts.terms import EDITION, Seat
from poolrummy_contracts.verdicts import HandVerdict, RejoinPayment, ShowVerdict

MATCHES: Final = 60
STEPS: Final = 300

texts = st.text(max_size=12)
names = st.sampled_from(["p1", "p2", "p3", "p6", "stranger"])
seats = st.integers(-1, 8).map(Seat)
small = st.integers(-2, 40)
numbers = st.one_of(small, st.integers())
positions = st.one_of(
    st.builds(position, st.integers(0, 2), st.integers(0, 110)),
    texts.map(Position),
)
groups = st.lists(st.lists(positions, max_size=5).map(tuple), max_size=6).map(tuple)
amounts = st.lists(st.builds(c.SplitAmount, seat=seats, amount=numbers), max_size=4).map(tuple)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, Script]:
    """A table somewhere in a match, with what only the dealer knows of it."""
    return _played(draw(st.integers(0, MATCHES)), draw(st.integers(1, 12)) * STEPS // 12)


@lru_cache(maxsize=256)
def _played(number: int, steps: int) -> tuple[Table, Script]:
    match = RandomMatch(random_terms(number), number)
    match.play(steps)
    return match.table.table, match.table.script


def commands() -> st.SearchStrategy[Command]:
    """Anything that decodes."""
    who = {"id": texts, "table": st.just(TABLE), "player": names, "seat": seats}
    turn = {**who, "deal": small, "turn": small}
    window = {**who, "window": small}
    by = {"id": texts, "table": st.just(TABLE), "operator": texts, "reason": texts}
    verdict = {"id": texts, "table": st.just(TABLE), "ask": st.integers(0, 400), "edition": st.integers(0, EDITION + 1)}
    return st.one_of(
        st.builds(c.Sit, **who, kind=st.sampled_from(["person", "robot"])),
        st.builds(c.Leave, **who),
        st.builds(c.SetAway, **who),
        st.builds(c.SetBack, **who),
        st.builds(c.Draw, **turn, source=st.sampled_from(["stock", "open"])),
        st.builds(c.Discard, **turn, position=positions),
        st.builds(c.Finish, **turn, position=positions),
        st.builds(c.Drop, **who, deal=small),
        st.builds(c.WithdrawDrop, **who, deal=small),
        st.builds(c.SaveGroups, **who, deal=small, groups=groups),
        st.builds(c.Declare, **who, deal=small, groups=groups),
        st.builds(c.AskRejoin, **window),
        st.builds(c.RefuseRejoin, **window),
        st.builds(c.AskSplit, **window, amounts=amounts),
        st.builds(c.VoteSplit, **window, accept=st.booleans()),
        st.builds(c.FreezeTable, **by),
        st.builds(c.UnfreezeTable, **by),
        st.builds(c.VoidDeal, **by),
        st.builds(c.VoidMatch, **by),
        st.builds(c.OpenTable, id=texts, table=st.just(TABLE), profile=st.none() | texts),
        st.builds(c.RunClock, table=st.just(TABLE), deadline=st.integers(0, 400)),
        st.builds(c.ShiftClocks, table=st.just(TABLE), ms=numbers, reason=texts),
        st.builds(c.FreezeFault, table=st.just(TABLE), reason=texts),
        st.builds(
            ShowVerdict,
            **verdict,
            valid=st.booleans(),
            reason=st.just("ok"),
            group=st.none(),
            groups=st.just(()),
            arrangement=st.none(),
        ),
        st.builds(
            HandVerdict,
            **verdict,
            groups=st.just(()),
            leftover=st.just(()),
            raw=numbers,
            points=numbers,
            complete=st.booleans(),
        ),
        st.builds(
            RejoinPayment,
            id=texts,
            table=st.just(TABLE),
            ask=st.integers(0, 400),
            seat=seats,
            paid=st.booleans(),
            reason=texts,
        ),
    )
