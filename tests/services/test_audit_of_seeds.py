"""Matches with seeds of the seats and several batches derive again from their logs, with and without a key."""

import pytest

from poolrummy.audit.derivation import Derivation
from poolrummy.audit.oracle import Oracle
from poolrummy.audit.packs import Seeds
from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.testing.seed_givers import seeded_match


@pytest.fixture(scope="module")
def sealer(tmp_path_factory):
    return AgeSealer(load_or_create_keys(tmp_path_factory.mktemp("keys")))


@pytest.mark.rule("3.8")
@pytest.mark.parametrize("policy", ["auditor", "own_cards", "public"])
@pytest.mark.parametrize("opens", [True, False])
def test_every_step_of_a_match_with_seat_seeds_is_decided_again(sealer, policy, opens):
    match = seeded_match(8, sealer, per_batch=4, overrides={"reveal_policy": policy}, withhold=frozenset({2}))
    match.play()
    oracle = Oracle(match.events, Seeds(match.events, sealer if opens else None))
    derived = Derivation(match.events, oracle).run()

    assert derived.difference is None
    assert derived.reached == len(match.events)
    assert not oracle.wrong
