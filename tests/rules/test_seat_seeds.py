"""Seats promise seeds, lay them open, and play never waits longer than the terms say (rule 3.8)."""

import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import terms_of
from poolrummy.testing.tables import TABLE, opened
from poolrummy_contracts.openings import seat_seed_commitment
from poolrummy_contracts.refusals import Refusal

SEED = "5e" * 32


def promise(seat, seed=SEED):
    return seat_seed_commitment(table=TABLE, seat=seat, player=f"p{seat}", seed=bytes.fromhex(seed))


def commit(table, seat, commitment=None):
    return c.CommitSeed(**table.who(seat), commitment=commitment or promise(seat))


def reveal(table, seat, seed=SEED):
    return c.RevealSeed(**table.who(seat), seed=seed)


def given_seeds(table):
    started = table.last(e.MatchStarted)
    return {one.seat: one.state for one in started.seat_seeds}


@pytest.mark.rule("3.8")
def test_a_full_table_starts_when_the_last_promised_seed_lies_open():
    table = opened(terms_of(seats=2))
    table.sit(1)
    given(table).when(commit(table, 1)).then(a(e.SeatSeedCommitted, seat=1, commitment=promise(1)))
    given(table).when(c.Sit(**table.who(2))).then(
        a(e.SeatTaken, seat=2), a(e.StartScheduled, starts_at=table.now_ms + 5000, rule="3.8")
    )

    given(table).when(reveal(table, 1)).then(
        a(e.SeatSeedRevealed, seat=1, seed=SEED), e.MatchStarted, e.TossDrawn, e.DealStarted, e.TurnStarted
    )
    assert given_seeds(table) == {1: "revealed", 2: "none"}


@pytest.mark.rule("3.8")
def test_a_full_table_where_nobody_promised_anything_starts_at_once():
    table = opened(terms_of(seats=2))
    table.sit(1, 2)

    assert table.table.phase == "turn"
    assert given_seeds(table) == {1: "none", 2: "none"}


@pytest.mark.rule("3.8")
def test_a_promise_that_is_not_kept_is_recorded_and_holds_nobody_up_for_longer_than_said():
    table = opened(terms_of(seats=2))
    table.do(c.Sit(**table.who(1), seed_commitment=promise(1)))
    table.sit(2)
    full_at = table.now_ms
    table.time_out()

    assert table.now_ms == full_at + 5000
    started = table.last(e.MatchStarted)
    assert started.seat_seeds[0] == e.SeatSeed(seat=1, state="withheld", commitment=promise(1))
    assert started.seat_seeds[1] == e.SeatSeed(seat=2, state="none")


@pytest.mark.rule("3.8")
def test_the_last_seat_can_promise_while_it_sits_down():
    table = opened(terms_of(seats=2))
    table.sit(1)
    given(table).when(c.Sit(**table.who(2), seed_commitment=promise(2))).then(
        a(e.SeatTaken, seat=2), a(e.SeatSeedCommitted, seat=2), e.StartScheduled
    )


@pytest.mark.rule("3.8")
@pytest.mark.parametrize(("early_ms", "answer"), [(5001, Refusal.NOT_NOW), (5000, e.SeatSeedRevealed)])
def test_at_a_table_that_is_not_full_seeds_lie_open_at_the_end_of_the_countdown_only(early_ms, answer):
    table = opened(terms_of(seats=3))
    table.sit(1, 2)
    table.do(commit(table, 1))
    table.now_ms = table.table.clock.ends_at - early_ms

    given(table).when(reveal(table, 1)).then(answer)


@pytest.mark.rule("3.8")
def test_nobody_promises_after_another_seat_has_laid_its_seed_open():
    table = opened(terms_of(seats=2))
    table.sit(1)
    table.do(commit(table, 1))
    table.do(c.Sit(**table.who(2), seed_commitment=promise(2)))
    table.do(reveal(table, 1))
    table.leave(2)

    given(table).when(c.Sit(**table.who(2), seed_commitment=promise(2))).then(Refusal.SEED_COMMITMENTS_CLOSED)


@pytest.mark.rule("3.8")
def test_who_leaves_takes_the_promise_along():
    table = opened(terms_of(seats=2))
    table.sit(1)
    table.do(commit(table, 1))
    table.leave(1)
    table.sit(1, 2)

    assert given_seeds(table) == {1: "none", 2: "none"}


@pytest.mark.rule("3.8")
@pytest.mark.parametrize("bad", ["", "5e", "5E" * 32, "zz" * 32, "5e" * 33])
def test_a_hash_and_a_seed_are_32_bytes_in_lower_case_hex(bad):
    table = opened(terms_of(seats=3))
    table.sit(1)
    given(table).when(c.CommitSeed(**table.who(1), commitment=bad)).then(Refusal.SEED_MALFORMED)
    table.do(commit(table, 1))
    table.sit(2)
    table.do(c.Sit(**table.who(3)))

    given(table).when(reveal(table, 1, bad)).then(Refusal.SEED_MALFORMED)


@pytest.mark.rule("3.8")
def test_a_seed_that_was_not_promised_is_refused_and_so_is_a_second_word():
    table = opened(terms_of(seats=2))
    table.sit(1)
    table.do(commit(table, 1))
    given(table).when(commit(table, 1)).then(Refusal.SEED_ALREADY_COMMITTED)
    table.do(c.Sit(**table.who(2), seed_commitment=promise(2)))

    given(table).when(reveal(table, 1, "5f" * 32)).then(Refusal.SEED_MISMATCH)
    table.do(reveal(table, 1))
    given(table).when(reveal(table, 1)).then(Refusal.SEED_ALREADY_REVEALED)


@pytest.mark.rule("3.8")
def test_a_promise_copied_from_another_seat_cannot_be_kept():
    table = opened(terms_of(seats=2))
    table.sit(1)
    table.do(commit(table, 1))
    table.do(c.Sit(**table.who(2), seed_commitment=promise(1)))

    given(table).when(reveal(table, 2)).then(Refusal.SEED_MISMATCH)


@pytest.mark.rule("3.8")
def test_after_the_start_and_without_a_promise_no_seed_is_taken():
    table = opened(terms_of(seats=2))
    table.sit(1)
    table.do(commit(table, 1))
    table.sit(2)
    given(table).when(reveal(table, 2)).then(Refusal.SEED_NOT_COMMITTED)
    table.time_out()

    given(table).when(reveal(table, 1)).then(Refusal.NOT_NOW)
    given(table).when(commit(table, 2)).then(Refusal.NOT_NOW)


@pytest.mark.rule("3.8")
def test_where_the_terms_say_0_seats_give_no_seeds():
    table = opened(terms_of(seats=2, seat_seed_ms=0))
    given(table).when(c.Sit(**table.who(1), seed_commitment=promise(1))).then(Refusal.SEAT_SEEDS_OFF)
    table.sit(1)

    given(table).when(commit(table, 1)).then(Refusal.SEAT_SEEDS_OFF)
    given(table).when(reveal(table, 1)).then(Refusal.SEAT_SEEDS_OFF)
