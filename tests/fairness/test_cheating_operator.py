"""An operator who cheats with the packs is exposed every time, and an honest one never (R1 to R8)."""

from random import Random

import pytest

from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.testing import cheating_operator as cheats
from poolrummy.testing.cheating_operator import CHEATS, Case, GrindingKeeper, exposed, honest
from poolrummy.testing.seed_givers import batches_of, seeded_match

MATCHES = 6
ONLY_THE_AUDITOR_SEES = (
    cheats.uses_the_seeds_of_another_table,
    cheats.goes_on_with_chosen_seeds,
    cheats.swaps_two_cards_before_the_promise,
    cheats.swaps_a_card_after_the_promise,
)


@pytest.fixture(scope="module")
def sealer(tmp_path_factory):
    return AgeSealer(load_or_create_keys(tmp_path_factory.mktemp("keys")))


@pytest.fixture(scope="module")
def matches(sealer):
    """Matches long enough that there is something to cheat with."""
    played = (honest(number, sealer, reveal_policy="public" if number % 2 else "own_cards") for number in range(14))
    long = [case for case in played if len(case.batches) > 2]
    assert len(long) >= MATCHES
    return long[:MATCHES]


def test_an_honest_match_gives_no_cause_for_suspicion(matches):
    assert [exposed(case) for case in matches] == [[]] * len(matches)


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_every_cheat_is_exposed_in_every_match(cheat, matches):
    for number, case in enumerate(matches):
        for attempt in range(3):
            assert exposed(cheat(case, Random(f"{number} {attempt}"))), f"match {number}, attempt {attempt}"


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_most_cheats_can_be_seen_by_anybody_and_the_rest_by_the_auditor(cheat, matches):
    by = "auditor" if cheat in ONLY_THE_AUDITOR_SEES else "anybody"
    sealed = next(case for case in matches if case.events[0].terms.reveal_policy == "own_cards")

    assert exposed(cheat(sealed, Random("once")))[0].startswith(by)


def test_a_dealer_built_to_choose_later_seeds_is_exposed_by_the_auditor(sealer):
    match = seeded_match(1, sealer, per_batch=4, keeper=GrindingKeeper)
    match.play()
    case = Case(events=tuple(match.events), batches=batches_of(match.events, sealer))

    assert len(case.batches) > 1
    assert "does not come from the last seed" in exposed(case)[0]
