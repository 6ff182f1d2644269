"""The seven tests on final output, a planted bias that is seen, and the rolling statistic of production (R6, R7)."""

from random import Random

import msgspec
import pytest
from typer.testing import CliRunner

from poolrummy.commands.fairness import app
from poolrummy.dealer.packs import FairPacks
from poolrummy.dealer.watched_packs import WatchedPacks, Window
from poolrummy.fairness import sampling
from poolrummy.fairness.pack import DealtPack, unshuffled
from poolrummy.fairness.statistics import chi_square_p, position_by_face, seven_tests
from poolrummy.fairness.transcript import DeckSpec, SeatPlace, without_seat_seeds

CARDS = 106


def biased(orders, percent, *, card=52, position=0, random=None):
    """In so many of a hundred deals this card comes to this position, whatever was drawn."""
    random = random or Random("bias")
    for order in orders:
        if random.random() * 100 < percent:
            changed = list(order)
            there = changed.index(card)
            changed[position], changed[there] = changed[there], changed[position]
            yield changed
        else:
            yield order


def by_name(outcomes):
    return {one.name: one for one in outcomes}


def test_two_thousand_deals_pass_all_seven_at_99_percent():
    outcomes = seven_tests(sampling.orders("smoke", 2_000, CARDS), CARDS)

    assert [one.name for one in outcomes] == [
        "chi-square",
        "overlaps",
        "coupon collector",
        "runs",
        "interplay correlation",
        "serial correlation",
        "duplicates",
    ]
    assert all(one.passed for one in outcomes), outcomes


@pytest.mark.nightly
@pytest.mark.timeout(2700)
def test_a_million_deals_pass_all_seven_at_99_percent():
    outcomes = seven_tests(sampling.orders("million", 1_000_000, CARDS), CARDS)

    assert all(one.passed for one in outcomes), outcomes


def random_orders(deals, label):
    random = Random(label)
    for _ in range(deals):
        order = list(range(CARDS))
        random.shuffle(order)
        yield order


def test_a_card_that_comes_one_percent_too_often_to_one_position_is_caught():
    found = by_name(seven_tests(biased(random_orders(120_000, "planted"), 1), CARDS))

    assert not found["chi-square"].passed
    assert found["chi-square"].p < 1e-4


def neighbours(order):
    """The second card is the one after the first."""
    swapped = list(order)
    there = swapped.index((order[0] + 1) % CARDS)
    swapped[1], swapped[there] = swapped[there], swapped[1]
    return tuple(swapped)


@pytest.mark.parametrize(
    ("fault", "caught_by"),
    [
        (lambda orders: list(orders) + list(orders)[:400], "duplicates"),
        (lambda orders: [order for order in orders for _ in range(2)], "overlaps"),
        (sorted, "serial correlation"),
        (sorted, "runs"),
        (lambda orders: [(0, *(card for card in order if card)) for order in orders], "chi-square"),
        (lambda orders: [neighbours(order) for order in orders], "interplay correlation"),
        (lambda orders: [order for order in orders if order[0] % 8 or order[0] < 16], "coupon collector"),
    ],
)
def test_each_test_catches_the_fault_it_is_there_for(fault, caught_by):
    orders = [tuple(order) for order in random_orders(2_000, "faults")]

    assert by_name(seven_tests(orders, CARDS))[caught_by].passed
    assert not by_name(seven_tests(fault(orders), CARDS))[caught_by].passed


@pytest.mark.parametrize(("square", "free", "p"), [(6.635, 1, 0.01), (20.090, 8, 0.01), (135.807, 100, 0.01)])
def test_probabilities_are_those_of_the_tables(square, free, p):
    assert chi_square_p(square, free) == pytest.approx(p, abs=0.0015)


# -- in production


def laid(faces):
    return DealtPack(generation=0, root="", leaves=len(faces), faces=tuple(faces), salts=(), tree=())


class Biased(FairPacks):
    """A build that brings a joker on top one time in ten."""

    def __init__(self, percent):
        self.random, self.percent = Random("build"), percent

    def shuffled(self, seed, transcript):
        faces = list(unshuffled(2, 1))
        self.random.shuffle(faces)
        if self.random.random() * 100 < self.percent:
            joker = faces.index("JK")
            faces[0], faces[joker] = faces[joker], faces[0]
        return laid(faces)


@pytest.mark.parametrize(("percent", "alarm"), [(0, False), (10, True)])
def test_a_biased_build_trips_the_alarm_of_production_and_a_sound_one_does_not(percent, alarm):
    packs = WatchedPacks(Biased(percent))
    said = without_seat_seeds(
        deck=DeckSpec(decks=2, printed_jokers_per_deck=1),
        rules="5e" * 32,
        table="p07-9f2c",
        deal=1,
        seats=[SeatPlace(seat="1", player="p")],
    )
    for _ in range(6_000):
        packs.shuffled(b"", said)
    ((deck, window),) = packs.windows

    assert deck == (2, 1)
    assert window.packs == 6_000
    assert (window.z > 6) == alarm


def test_a_toss_is_not_counted():
    packs = WatchedPacks(FairPacks())
    said = without_seat_seeds(
        deck=DeckSpec(decks=2, printed_jokers_per_deck=1), rules="5e" * 32, table="p", deal=0, seats=[], purpose="toss"
    )
    packs.shuffled(bytes(80), said)

    assert not list(packs.windows)


def test_the_window_forgets_in_halves():
    window = Window((2, 1), half=10)
    pack = unshuffled(2, 1)
    for _ in range(25):
        window.take(pack)

    assert window.packs == 15
    assert window.z > 6, "the same pack every time"


def test_copies_of_a_face_are_allowed_for():
    random = Random("copies")
    pack = unshuffled(2, 1)
    figures = []
    for _ in range(12):
        window = Window((2, 1))
        for _ in range(300):
            faces = list(pack)
            random.shuffle(faces)
            window.take(faces)
        figures.append(window.z)

    assert abs(sum(figures)) / 12 < 1
    assert position_by_face([], []) == 0.0


# -- the command


def test_the_command_measures_and_says_so_in_its_exit_code():
    found = CliRunner().invoke(app, ["test", "--deals", "2000", "--name", "smoke", "--json"])

    assert found.exit_code == 0, found.output
    told = msgspec.json.decode(found.output)
    assert (told["deals"], told["cards"], len(told["tests"])) == (2000, 106, 7)


@pytest.mark.parametrize(("kind", "size"), [("draws", 3 * 1024), ("cards", 3 * (3 * 106))])
def test_raw_output_is_written_for_a_laboratory(tmp_path, kind, size):
    out = tmp_path / "raw"
    CliRunner().invoke(app, ["export", "--out", str(out), "--kind", kind, "--deals", "3", "--name", "lab"])

    assert len(out.read_bytes()) == size
    if kind == "cards":
        packs = [line.split() for line in out.read_text().splitlines()]
        assert all(sorted(pack) == sorted(unshuffled(2, 1)) for pack in packs)
