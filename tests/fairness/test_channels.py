"""Private lines of a money table are sealed to the seat (rule 3.10)."""

import pytest

from poolrummy.testing.given import a, c, e, given
from poolrummy.testing.matches import terms_of
from poolrummy.testing.tables import CHANNEL_KEY, opened
from poolrummy_contracts.refusals import Refusal


@pytest.mark.rule("3.10")
def test_at_a_table_for_money_a_seat_names_a_key():
    table = opened(terms_of(seats=2, currency="INR", rejoin_payment="cashier"))

    given(table).when(c.Sit(**table.who(1))).then(Refusal.CHANNEL_KEY_MISSING)
    given(table).when(c.Sit(**table.who(1), channel_key="age2nonsense")).then(Refusal.CHANNEL_KEY_UNUSABLE)
    given(table).when(c.Sit(**table.who(1), channel_key=CHANNEL_KEY)).then(a(e.SeatTaken, channel_key=CHANNEL_KEY))


@pytest.mark.rule("3.10")
def test_at_a_practice_table_a_seat_may_name_one():
    table = opened(terms_of(seats=2))

    given(table).when(c.Sit(**table.who(1), channel_key=CHANNEL_KEY)).then(a(e.SeatTaken, channel_key=CHANNEL_KEY))
    given(table).when(c.Sit(**table.who(2))).then(a(e.SeatTaken, channel_key=None), *STARTS)


STARTS = (e.MatchStarted, e.TossDrawn, e.DealStarted, e.TurnStarted)
