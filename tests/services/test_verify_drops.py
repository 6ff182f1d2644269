"""What turns that ran out cost, in each profile: the second verifier works it out as the rules do."""

import pytest

from poolrummy.audit import bundle, second_verifier
from poolrummy.audit.evidence import Evidence, StoredLine
from poolrummy.testing.tables import TABLE
from poolrummy_contracts.events import SeatDropped
from poolrummy_contracts.terms import Points

from .disputes import dispute_at, play_turn


@pytest.mark.parametrize("draws", [False, True])
@pytest.mark.parametrize("setting", ["as_drop", "middle_drop", "full_count", Points(37)], ids=str)
def test_the_second_verifier_knows_every_price_of_turns_that_ran_out(setting: str | Points, *, draws: bool) -> None:
    table = dispute_at(2, {}, auto_drop_points=setting)
    if draws:
        play_turn(table)
        play_turn(table)
    while not any(isinstance(event, SeatDropped) for event in table.log):
        play_turn(table)
        table.time_out()
    lines = tuple(StoredLine(one.payload, one.chain) for one in table.entries())

    report = second_verifier.verify(bundle.written(Evidence(source="b", table=TABLE, lines=lines)), [])

    # The packs of the test are scripted, so that their shuffles do not pass.
    assert "a drop costs" not in report.text(), report.text()
    assert report.counted["points"] > 0
