"""How every promise ends, by the policy of the table (rule 3.9)."""

import pytest

from poolrummy.fairness.keys import load_or_create_keys
from poolrummy.fairness.sealing import AgeSealer
from poolrummy.testing.robot_matches import robot_match
from poolrummy_contracts.events import (
    BatchClosed,
    DealScored,
    DealStarted,
    SeedRevealed,
    SeedsCommitted,
    TableClosed,
    TossDrawn,
)
from poolrummy_contracts.openings import check_seed_proof, seed_leaf


@pytest.fixture(scope="module")
def sealer(tmp_path_factory):
    return AgeSealer(load_or_create_keys(tmp_path_factory.mktemp("keys")))


@pytest.fixture(scope="module", params=["auditor", "own_cards", "public"])
def match(request, sealer):
    played = robot_match(7, sealer, seats=2, variant="51", overrides={"reveal_policy": request.param})
    played.play()
    return request.param, played.events


def of(events, kind):
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.rule("3.9")
def test_each_seed_is_used_once_or_never_and_the_log_says_which(match):
    _, events = match
    (promised,), (closed,) = of(events, SeedsCommitted), of(events, BatchClosed)
    used = [event.proof.index for event in events if isinstance(event, TossDrawn | DealStarted)]

    assert used == list(range(len(used)))
    assert closed.used == tuple(used)
    assert sorted((*closed.used, *closed.unused)) == list(range(promised.count))
    assert isinstance(events[-1], TableClosed)


@pytest.mark.rule("3.6")
def test_the_promise_stands_before_any_seat_is_taken_and_every_pack_is_under_it(match):
    _, events = match

    assert isinstance(events[1], SeedsCommitted)
    for event in of(events, TossDrawn | DealStarted):
        assert check_seed_proof(event.proof, root=events[1].root, count=events[1].count)


@pytest.mark.rule("3.9")
def test_seeds_are_laid_open_after_the_deal_where_the_policy_is_public_and_only_there(match):
    policy, events = match
    started = {event.deal: event for event in of(events, DealStarted)}
    revealed = {event.of_deal: event for event in of(events, SeedRevealed)}

    if policy != "public":
        assert not revealed
        assert of(events, BatchClosed)[0].seeds == ()
        return
    assert set(revealed) == set(started)
    for deal, event in revealed.items():
        proof = started[deal].proof
        seed = bytes.fromhex(event.seed)
        assert seed_leaf(table=event.table, batch=1, index=proof.index, seed=seed).hex() == proof.leaf
        assert isinstance(events[event.v - 2], DealScored), "right after the deal, never during it"
    assert [one.index for one in of(events, BatchClosed)[0].seeds] == list(of(events, BatchClosed)[0].unused)
