"""Planted pairs (issue 5, 13): found on seeds that were not used in tuning, and honest pairs are left alone."""

import pytest

from poolrummy.testing.pair_trial import (
    EVALUATION_SEEDS,
    ROUNDS,
    STATED,
    TUNING_SEEDS,
    club,
    false_permille,
    interval_permille,
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


@pytest.mark.parametrize(("hits", "of", "low", "high"), [(0, 300, 0, 13), (45, 48, 828, 987), (8, 8, 630, 1000)])
def test_the_interval_holds_every_rate_that_agrees_with_the_counts(hits: int, of: int, low: int, high: int) -> None:
    assert interval_permille(hits, of) == (low, high)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_on_the_evaluation_seeds_nine_of_ten_planted_pairs_are_found_at_one_false_pair_in_a_hundred() -> None:
    found = [one for seed in EVALUATION_SEEDS for one in judged(club(seed))]

    for rounds in ROUNDS:
        stated = [one for one in found if one.rounds == rounds and one.pact in STATED]
        honest = [one for one in found if one.rounds == rounds and one.pact is None]
        assert len(stated) == len(STATED) * len(EVALUATION_SEEDS)
        assert len(honest) > 15 * len(EVALUATION_SEEDS), "companions meet often enough to be judged"
        assert recall_permille(stated) >= 900, "\n".join(report(found))
        assert false_permille(honest) <= 10, "\n".join(report(found))
