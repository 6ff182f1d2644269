"""What is closed to new play is folded from the acts: the last act of a scope counts (R23, R29)."""

import pytest
from msgspec.structs import replace

from poolrummy.testing.matches import terms_of
from poolrummy_contracts import codec
from poolrummy_contracts.closures import PlayClosed, PlayOpened, Scope, against, decode, encode, evolve

PRACTICE, MONEY = terms_of("house", "101"), replace(terms_of("house", "101"), currency="INR")
CLASSIC = terms_of("classic", "101")
WHO = {"at": 1, "operator": "meera", "reason": "an incident"}


def closed(n: int = 1, **scope: object) -> PlayClosed:
    return PlayClosed(n=n, **WHO, **scope)


@pytest.mark.parametrize(
    ("scope", "terms", "player", "shut"),
    [
        ({}, PRACTICE, "asha", True),
        ({}, MONEY, None, True),
        ({"money_only": True}, PRACTICE, "asha", False),
        ({"money_only": True}, MONEY, "asha", True),
        ({"profile": "classic"}, CLASSIC, None, True),
        ({"profile": "classic"}, PRACTICE, None, False),
        ({"variant": "101"}, CLASSIC, "asha", True),
        ({"variant": "201"}, CLASSIC, "asha", False),
        ({"profile": "house", "variant": "101"}, CLASSIC, "asha", False),
        ({"player": "asha"}, PRACTICE, "asha", True),
        ({"player": "asha"}, PRACTICE, "bhaskar", False),
        ({"player": "asha"}, PRACTICE, None, False),
        ({"player": "asha", "money_only": True}, PRACTICE, "asha", False),
        ({"player": "asha", "money_only": True}, MONEY, "asha", True),
    ],
)
def test_a_closure_holds_where_all_of_its_scope_applies(scope, terms, player, shut) -> None:
    act = closed(**scope)

    assert against(evolve({}, act), terms, player) == (act if shut else None)


def test_who_plays_already_is_turned_away_only_by_what_is_about_that_player() -> None:
    everything = evolve({}, closed())
    one = evolve({}, closed(player="asha"))

    assert against(everything, PRACTICE, "asha", playing=True) is None
    assert against(one, PRACTICE, "asha", playing=True) is not None


def test_a_closure_ends_by_an_act_of_exactly_its_scope() -> None:
    both = evolve(evolve({}, closed()), closed(2, player="asha"))
    other = evolve(both, PlayOpened(n=3, **WHO, player="asha", money_only=True))
    without = evolve(both, PlayOpened(n=3, **WHO, player="asha"))

    assert set(other) == set(both) == {Scope(), Scope(player="asha")}
    assert set(without) == {Scope()}
    assert evolve(evolve(both, closed(3)), PlayOpened(n=4, **WHO)).keys() == {Scope(player="asha")}


def test_an_act_is_canonical_and_comes_back() -> None:
    for act in (closed(player="asha", money_only=True), PlayOpened(n=2, **WHO)):
        assert codec.canonical(encode(act)) == encode(act)
        assert decode(encode(act)) == act


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"{}",
        b'{"type":"play-closed","n":1}',
        b'{"type":"play-shut","n":1,"at":1,"operator":"a","reason":"b"}',
        b'{"type":"play-closed","n":1,"at":1,"operator":"","reason":"b"}',
    ],
)
def test_what_is_no_act_is_refused(stored: bytes) -> None:
    with pytest.raises(ValueError, match="no act on new play"):
        decode(stored)
