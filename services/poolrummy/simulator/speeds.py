"""How fast a run goes: clocks that are recorded in the terms of its tables, and think times of its robots.

The dealer's clock is never touched: a fast table is a table with short turns, as its log says.
"""

from typing import Final, Literal

import msgspec

from poolrummy_contracts.commands import SettingValue

SpeedName = Literal["human", "fast", "max"]


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """Terms that the tables are opened with, the range of think times, and how often streams are read."""

    name: SpeedName
    overrides: dict[str, SettingValue]
    think_ms_min: int
    think_ms_max: int
    pulse_ms: int

    def think_ms(self, dice: int) -> int:
        """A think time for a throw from 0 to 999: short ones are frequent, long ones are rare."""
        return self.think_ms_min + (self.think_ms_max - self.think_ms_min) * dice * dice // 1_000_000


SPEEDS: Final[dict[str, Speed]] = {
    "human": Speed(
        name="human",
        overrides={"start_countdown_ms": 3000},
        think_ms_min=900,
        think_ms_max=9000,
        pulse_ms=50,
    ),
    "fast": Speed(
        name="fast",
        overrides={
            "start_countdown_ms": 1000,
            "seat_seed_ms": 1500,
            "fill_timeout_ms": 120_000,
            "turn_ms": 2500,
            "time_bank_ms": 1500,
            "declare_ms": 3000,
            "others_declare_ms": 3000,
            "rejoin_window_ms": 3000,
            "split_ask_ms": 500,
            "split_vote_ms": 2500,
        },
        think_ms_min=40,
        think_ms_max=320,
        pulse_ms=20,
    ),
    "max": Speed(
        name="max",
        overrides={
            "start_countdown_ms": 500,
            "seat_seed_ms": 1500,
            "fill_timeout_ms": 300_000,
            "turn_ms": 2000,
            "time_bank_ms": 1000,
            "declare_ms": 2000,
            "others_declare_ms": 2000,
            "rejoin_window_ms": 2000,
            "split_ask_ms": 60,
            "split_vote_ms": 2000,
        },
        think_ms_min=0,
        think_ms_max=0,
        pulse_ms=8,
    ),
}
