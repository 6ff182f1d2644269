"""Planted pairs (issue 5, 13): found on seeds that were not used in tuning, and honest pairs are left alone."""

import pytest

from poolrummy.testing.pair_trial import (
    EVALUATION_SEEDS,
    TUNING_SEEDS,
    club,
    false_permille,
    judged,
    recall_permille,
    report,
)
from poolrummy.testing.planted_pairs import ClubPlan, PlantedPact

SMALL = ClubPlan(
    seed=201,
    pacts=(PlantedPact(800, mutual=True), PlantedPact(800, mutual=False)),
    companions=5,
    singles=4,
    rounds=14,
)
"""18 players, 42 matches, some 220 deals; bounded for CI."""


def test_tuning_and_evaluation_share_no_seed() -> None:
    assert not set(TUNING_SEEDS) & set(EVALUATION_SEEDS)
    assert SMALL.seed not in {*TUNING_SEEDS, *EVALUATION_SEEDS}


def test_pairs_that_collude_are_marked_and_companions_who_play_fair_are_not() -> None:
    found = list(judged(SMALL, looks=(SMALL.rounds,)))

    assert recall_permille(found) == 1000, "\n".join(report(found))
    assert false_permille(found) <= 10, "\n".join(report(found))
    assert sum(one.companions for one in found) == 5, "every pair of companions met often enough to be judged"


@pytest.mark.nightly
@pytest.mark.timeout(2600)
def test_on_the_evaluation_seeds_nine_of_ten_planted_pairs_are_found_at_one_false_pair_in_a_hundred() -> None:
    found = [one for seed in EVALUATION_SEEDS for one in judged(club(seed), looks=(24, 32))]
    stated = [one for one in found if one.rounds == 32 and one.pact is not None and one.pact.strength_permille >= 800]
    each_other = [one for one in found if one.rounds == 32 and one.pact == PlantedPact(500, mutual=True)]
    honest = [one for one in found if one.pact is None]

    assert recall_permille(stated) >= 900, "\n".join(report(found))
    assert recall_permille(each_other) >= 900, "\n".join(report(found))
    assert false_permille(honest) <= 10, "\n".join(report(found))
    assert len(honest) > 150
