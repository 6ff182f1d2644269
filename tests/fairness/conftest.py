import importlib.util
import json
from pathlib import Path

import pytest

from poolrummy.fairness.transcript import DeckSpec, SeatPlace, without_seat_seeds

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def independent():
    """The second implementation, which shares no code with the first."""
    spec = importlib.util.spec_from_file_location("independent", HERE / "independent.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def vectors():
    return json.loads((HERE / "vectors.json").read_text())


@pytest.fixture(scope="session")
def seed():
    return bytes(range(80))


@pytest.fixture(scope="session")
def transcript():
    return without_seat_seeds(
        deck=DeckSpec(decks=2, printed_jokers_per_deck=1),
        rules="5e" * 32,
        table="p07-9f2c",
        deal=3,
        seats=[SeatPlace(seat="south", player="p-1"), SeatPlace(seat="west", player="p-2")],
    )
