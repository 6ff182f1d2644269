import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import terms_of
from poolrummy.testing.tables import TABLE, opened, started
from poolrummy_contracts.refusals import Refusal


def unseal(first="meera", second="jonas", reason="A player disputes deal 2."):
    return c.UnsealSeeds(id="u", table=TABLE, operator=first, second_operator=second, reason=reason)


@pytest.mark.rule("3.11")
def test_an_unsealing_stands_in_the_log_with_both_names_and_the_reason():
    table = started(terms_of(seats=2))

    given(table).when(unseal()).then(
        a(e.SeedsUnsealed, operators=("meera", "jonas"), reason="A player disputes deal 2.", actor="operator")
    )
    assert table.table.phase == "turn", "the game goes on"


@pytest.mark.rule("3.11")
@pytest.mark.parametrize("names", [("meera", "meera"), ("meera", "Meera "), (" ", "jonas"), ("meera", " ")])
def test_one_person_alone_unseals_nothing(names):
    given(opened(terms_of(seats=2))).when(unseal(*names)).then(Refusal.REASON_MISSING)


@pytest.mark.rule("3.11")
def test_nobody_unseals_without_a_reason():
    given(opened(terms_of(seats=2))).when(unseal(reason=" ")).then(Refusal.REASON_MISSING)
