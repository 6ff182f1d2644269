"""What the dealer trusts in an answer: its content, held against the rules; never its id or its sender."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from poolrummy.dealer.held import HeldTable
from poolrummy.dealer.opening import Opening
from poolrummy.dealer.partition import DealerPartition
from poolrummy.dealer.vault import Vault
from poolrummy.profile_files import load_all
from poolrummy.testing.scripted_games import WINNING, scripted_deal
from poolrummy.testing.scripted_packs import Script, ScriptedPacks
from poolrummy.validator.judging import count_hand, judge_show
from poolrummy_contracts import codec
from poolrummy_contracts.cards import parse_cards
from poolrummy_contracts.commands import Declare, Draw, Finish, SetAway
from poolrummy_contracts.events import DealScored, HandLaidOpen, ShowDeclared, ShowJudged
from poolrummy_contracts.profiles import resolve_command
from poolrummy_contracts.terms import Terms
from poolrummy_contracts.verdicts import Group, HandVerdict, ShowVerdict, verdict_id

from .test_dealer_partition import TABLE, House, opening, sit

HUGE = 10**17
"""More than an integer of the wire may be."""
LOSER_COUNTS = 31


class ScriptedHouse(House):
    """A dealer whose first deal is known: seat 1 can show at once."""

    async def load(self) -> None:
        assert self.lease is not None
        terms = resolve_command(opening(), load_all())
        assert isinstance(terms, Terms)
        script = Script(toss="AS KS", deals={"1": scripted_deal(terms, 1, {2: LOSER_COUNTS})})
        packs = ScriptedPacks({TABLE: script}, {TABLE: terms})
        self.handler = DealerPartition(
            new_vault=lambda table, terms: Vault(table, terms, source=packs, sealer=self.sealer),
            opening=Opening(load_all(), money=False),
            limits=self.limits,
        )
        self.offset = self.lease.offset
        await self.handler.load(self.lease, self.store)

    @property
    def held(self) -> HeldTable:
        (held,) = self.handler.tables
        return held

    async def show(self, groups: tuple[str, ...] = WINNING) -> ShowDeclared:
        """Seat 1 draws, finishes with that card, and lays out these groups."""
        who = {"table": TABLE, "player": "player-1", "seat": 1, "deal": 1}
        await self.say(opening(), sit(1), sit(2), Draw(id="draw", turn=1, source="stock", **who))
        assert self.held.state.deal is not None
        drawn = self.held.state.deal.drawn
        assert drawn is not None
        await self.say(Finish(id="finish", turn=1, position=drawn.position, **who))
        await self.say(Declare(id="show", groups=self.placed(1, groups), **who))
        (ask,) = [event for event in await self.events() if isinstance(event, ShowDeclared)]
        return ask

    async def lose(self) -> HandLaidOpen:
        """Seat 1 has shown validly, and seat 2 lays out its hand."""
        ask = await self.show()
        await self.answer(judge_show(ask, self.held.state.terms))
        deal = self.held.state.deal
        assert deal is not None
        hand = deal.seats[1].hand
        await self.say(Declare(id="lost", table=TABLE, player="player-2", seat=2, deal=1, groups=(hand,)))
        (laid,) = [event for event in await self.events() if isinstance(event, HandLaidOpen)]
        return laid

    def placed(self, seat: int, groups: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        deal = self.held.state.deal
        assert deal is not None
        left = [*next(one.hand for one in deal.seats if one.seat == seat)]
        made: list[tuple[str, ...]] = []
        for group in groups:
            found = [
                left.pop(next(n for n, where in enumerate(left) if self.held.vault.face(where) == card))
                for card in parse_cards(group)
            ]
            made.append(tuple(found))
        return tuple(made)

    async def answer(self, verdict: ShowVerdict | HandVerdict) -> None:
        await self.store.send(0, codec.encode(verdict))
        await self.work()

    async def parked(self) -> list[str]:
        lines = await self.store.read_parked(0, "0-0", 100)
        return [codec.decode_parked(line.payload).why for line in lines]


@pytest.fixture
async def house(tmp_path: Path) -> ScriptedHouse:
    made = ScriptedHouse(tmp_path)
    await made.take_over()
    return made


WRONG = ("5H 6H 7H", "9C TC JC", "8S 8H 8D QS", "QD QH QC")
LIES = {
    "valid": lambda v: replace(v, valid=True, reason="ok", group=None),
    "valid, and still with a reason": lambda v: replace(v, valid=True),
    "another reason": lambda v: replace(v, reason="no_pure_sequence", group=None),
    "another group": lambda v: replace(v, group=-1),
    "a group far away": lambda v: replace(v, group=10**9),
    "no groups": lambda v: replace(v, groups=()),
    "other groups": lambda v: replace(v, groups=v.arrangement),
    "a reading of another length": lambda v: replace(v, groups=(replace(v.groups[0], stands_for=()), *v.groups[1:])),
    "no arrangement": lambda v: replace(v, arrangement=None),
    "an empty arrangement": lambda v: replace(v, arrangement=()),
    "an arrangement of nothing": lambda v: replace(v, arrangement=(Group("set", (), ()),)),
    "an edition that no log can hold": lambda v: replace(v, edition=2**53),
    "cards that are none": lambda v: replace(v, arrangement=(Group("set", ("?", "", "XX"), ("?", "", "XX")),)),
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_forged_verdict_on_a_show_is_set_aside_and_the_true_one_still_counts(
    house: ScriptedHouse, lie: str
) -> None:
    ask = await house.show(WRONG)
    true = judge_show(ask, house.held.state.terms)
    assert true.reason == "invalid_group"
    assert true.arrangement

    await house.answer(LIES[lie](true))

    assert not [event for event in await house.events() if isinstance(event, ShowJudged)]
    assert await house.parked() == ["answer-wrong"]
    await house.answer(true)
    (judged,) = [event for event in await house.events() if isinstance(event, ShowJudged)]
    assert (judged.valid, judged.points) == (False, 80)


async def test_a_valid_show_cannot_be_called_wrong(house: ScriptedHouse) -> None:
    ask = await house.show()
    true = judge_show(ask, house.held.state.terms)

    await house.answer(replace(true, valid=False, reason="no_pure_sequence"))
    await house.answer(true)
    await house.answer(replace(true, valid=False, reason="no_pure_sequence"))

    assert [event.valid for event in await house.events() if isinstance(event, ShowJudged)] == [True]


COUNTS = {
    "negative": lambda v: replace(v, raw=-5, points=-5),
    "too much": lambda v: replace(v, raw=80, points=80),
    "far too much": lambda v: replace(v, raw=HUGE, points=HUGE),
    "beyond any machine word": lambda v: replace(v, raw=2**63 - 1, points=2**63 - 1),
    "nothing": lambda v: replace(v, raw=0, points=0, complete=True),
    "complete": lambda v: replace(v, complete=True),
    "raw and points apart": lambda v: replace(v, points=v.points - 1),
    "the right count, without its groups": lambda v: replace(v, groups=()),
    "the right count, with cards of somebody else": lambda v: replace(v, leftover=(*v.leftover[1:], "JK")),
    "an edition that no log can hold": lambda v: replace(v, edition=2**53),
    "a group of no kind": lambda v: replace(v, groups=(Group("none", ("2S",), ("2S",)), *v.groups)),
}


@pytest.mark.parametrize("lie", COUNTS)
async def test_a_forged_count_is_set_aside_and_the_true_one_still_counts(house: ScriptedHouse, lie: str) -> None:
    ask = await house.lose()
    true = count_hand(ask, house.held.state.terms)
    assert true.points == LOSER_COUNTS
    assert true.groups

    await house.answer(COUNTS[lie](true))
    assert await house.parked() == ["answer-wrong"]
    await house.answer(true)
    await house.answer(COUNTS[lie](true))

    (scored,) = [event for event in await house.events() if isinstance(event, DealScored)]
    assert {score.seat: score.points for score in scored.scores} == {1: 0, 2: LOSER_COUNTS}


async def test_an_answer_to_another_kind_of_question_is_set_aside(house: ScriptedHouse) -> None:
    ask = await house.show()
    forged = HandVerdict(
        id=verdict_id(TABLE, ask.v),
        table=TABLE,
        ask=ask.v,
        edition=1,
        groups=(),
        leftover=(),
        raw=0,
        points=0,
        complete=True,
    )

    await house.answer(forged)

    assert await house.parked() == ["answer-wrong"]


async def test_a_player_who_uses_the_id_of_a_verdict_does_not_keep_the_verdict_away(house: ScriptedHouse) -> None:
    ask = await house.show()

    await house.say(SetAway(id=verdict_id(TABLE, ask.v + 1), table=TABLE, player="player-1", seat=1))
    await house.say(SetAway(id=verdict_id(TABLE, ask.v), table=TABLE, player="player-2", seat=2))
    await house.answer(judge_show(ask, house.held.state.terms))

    assert any(isinstance(event, ShowJudged) for event in await house.events())


async def test_a_verdict_that_comes_before_its_question_does_not_use_up_the_answer(house: ScriptedHouse) -> None:
    await house.say(opening(), sit(1), sit(2))
    early = ShowVerdict(
        id="", table=TABLE, ask=0, edition=1, valid=True, reason="ok", group=None, groups=(), arrangement=None
    )
    for v in range(1, 40):
        await house.answer(replace(early, id=verdict_id(TABLE, v), ask=v))

    ask = await house.show()
    await house.answer(judge_show(ask, house.held.state.terms))

    assert any(isinstance(event, ShowJudged) for event in await house.events())


async def test_the_next_owner_holds_answers_against_the_same_question(house: ScriptedHouse) -> None:
    ask = await house.show(WRONG)
    true = judge_show(ask, house.held.state.terms)
    await house.take_over("second")

    await house.answer(replace(true, valid=True, reason="ok", group=None))
    await house.answer(true)

    assert await house.parked() == ["answer-wrong"]
    assert [event.valid for event in await house.events() if isinstance(event, ShowJudged)] == [False]
