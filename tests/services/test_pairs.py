"""Pair evidence (R28): what is counted, that sums merge, what the ranking says and what a person sees."""

import json
from functools import cache

import pytest
from typer.testing import CliRunner, Result

from poolrummy.audit.bundle import written
from poolrummy.audit.evidence import Evidence, StoredLine
from poolrummy.audit.pairs.card_sense import could_show, fits, gives_up
from poolrummy.audit.pairs.folding import fold
from poolrummy.audit.pairs.ranking import VERDICT, ranked
from poolrummy.audit.pairs.reading import add
from poolrummy.audit.pairs.sums import MOMENTS_MAX, Direction, Moment, PairSums, decode, encode, keep, merged
from poolrummy.commands.pairs import app
from poolrummy.rules.meld_rules import HOUSE
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.testing.matches import terms_of
from poolrummy.testing.packs import DealScript
from poolrummy.testing.planted_pairs import ClubPlan, OpenSealer, PlantedPact, play
from poolrummy.testing.tables import started
from poolrummy_contracts import codec
from poolrummy_contracts.cards import Card, parse_cards
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.events import DealScored, SeatTaken

from .played_logs import Recorder, eventful, named

PLAN = ClubPlan(seed=301, pacts=(PlantedPact(1000, mutual=True),), companions=1, singles=2, rounds=6)


@cache
def club():
    """A few matches of six players; two of them help each other whenever they can."""
    return tuple(play(PLAN))


def summed(matches):
    sums = PairSums()
    for match in matches:
        fold(sums, match.events)
    return sums


def evidence(match):
    chain, lines = chain_start(match.table), []
    for stored in match.stored:
        chain = chain_next(chain, stored.payload)
        lines.append(StoredLine(stored.payload, chain))
    return Evidence(source=match.table, table=match.table, lines=tuple(lines))


def run(*words: str) -> Result:
    env = {"COLUMNS": "200", "REDIS_URL": "", "POOLRUMMY_REDIS_URL": None}
    return CliRunner().invoke(app, list(words), env=env)


@pytest.fixture
def folder(tmp_path):
    """The club's matches as bundles."""
    for match in club():
        (tmp_path / f"{match.table}.jsonl").write_bytes(written(evidence(match)))
    return tmp_path


# -- cards


@pytest.mark.parametrize(
    ("card", "hand", "fitting"),
    [
        ("7H", "5H 6H KS", True),
        ("7H", "6H 8H KS", True),
        ("7H", "5H 8H KS", False),
        ("7H", "7S 7D KS", True),
        ("7H", "7S 7S KS", False),
        ("7H", "7H 6H 5H", False),
        ("AS", "QS KS 2D", True),
        ("AS", "2S 3S KD", True),
        ("KS", "QS AS 2D", True),
        ("KS", "AS 2S QD", False),
    ],
)
def test_a_card_fits_where_it_makes_three(card: str, hand: str, fitting: bool) -> None:
    assert fits(Card(card), parse_cards(hand)) is fitting


@pytest.mark.parametrize(
    ("card", "rest", "given_up"),
    [("7H", "9H KS", True), ("7H", "9H", False), ("7H", "TH KS", False), ("2H", "3H KS", False)],
)
def test_a_card_is_given_up_where_it_was_tied_and_a_loose_one_stayed(card: str, rest: str, given_up: bool) -> None:
    assert gives_up(Card(card), parse_cards(rest), "2") is given_up


def test_a_hand_that_can_be_shown_is_seen_also_where_jokers_tie_it() -> None:
    assert could_show(parse_cards("3H 4H 5H 6C 7C 8C 9S 9D 9C QD QC JK JK"), "2", HOUSE)
    assert not could_show(parse_cards("3H 4H 5H 6C 7C 8C 9S 9D 9C QD KC 4S 8D"), "2", HOUSE)


# -- a deal


@cache
def one_deal():
    """Seat 1 lays the queen that seat 2 needs; seat 2 waits a turn with its show; seat 3 drops before it."""
    hands = {1: "QS KS 4D 8S TD 4S 6S 9H JD 5S 7D 3C 4C", 2: "3H 4H 5H 6H 6C 7C 8C 9S 9D 9C QD QC 2D"}
    table = started(
        terms_of("house", "101", seats=3), DealScript(hands=hands, wild="AD", open="KC", stock="JH KH 3S TS 8H JC")
    )
    for card in ("JH", "KH", "3S", "QS"):
        table.draw("stock")
        table.discard(card)
    table.draw("open")
    table.discard("2D")
    table.drop(3)
    table.draw("stock")
    table.discard("8H")
    table.draw("stock")
    table.show("3H 4H 5H 6H / 6C 7C 8C / 9S 9D 9C / QD QC QS")
    table.declare(1, " ".join(table.hand(1)))
    table.judge()
    return tuple(table.log)


@pytest.fixture
def counted():
    """What the deal gives, by giver and taker seat: hits and chances of a signal in all strata."""
    sums = PairSums()
    fold(sums, one_deal())
    players = {event.seat: event.player for event in one_deal() if isinstance(event, SeatTaken)}

    def of(giver: int, taker: int, signal: str) -> tuple[int, int]:
        tallies = sums.direction(players[giver], players[taker]).tallies
        found = [tally for key, tally in tallies.items() if key.partition("/")[0] == signal]
        return sum(tally.k for tally in found), sum(tally.n for tally in found)

    return of


def test_a_discard_that_fits_the_next_seat_and_is_taken_is_counted_as_such(counted) -> None:
    assert counted(1, 2, "fitted") == (1, 3)
    assert counted(1, 2, "took") == (1, 3)
    assert counted(2, 1, "took") == (0, 1), "the two that seat 3 left lying was seat 2's"


def test_a_discard_is_counted_for_who_draws_next_and_for_nobody_else(counted) -> None:
    assert counted(1, 3, "took") == (0, 0)
    assert counted(3, 1, "took") == (0, 1)


def test_whoever_lays_off_with_a_hand_that_can_be_shown_spares_all_who_are_in(counted) -> None:
    assert counted(2, 1, "held-back") == (1, 1)
    assert counted(2, 3, "held-back") == (1, 1)
    assert counted(1, 2, "held-back") == (0, 1)


def test_a_middle_drop_counts_for_who_wins_the_deal(counted) -> None:
    assert counted(3, 2, "left-in-time") == (1, 1)
    assert counted(1, 2, "left-in-time") == (0, 1)
    assert counted(3, 1, "left-in-time") == (0, 0)


def test_a_hand_that_stays_closed_is_known_to_the_auditor_alone(counted) -> None:
    assert counted(3, 1, "held-back") == (0, 0), "seat 3 dropped: nobody sees what it kept"

    sums = PairSums()
    fold(sums, one_deal(), lambda _deal, _where: Card("KS"))
    directions = [one for takers in sums.pairs.values() for one in takers.values()]
    assert sum(tally.n for one in directions for key, tally in one.tallies.items() if key.startswith("held-back")) == 6


def test_a_void_or_unfinished_deal_counts_for_nobody() -> None:
    sums = PairSums()
    fold(sums, [event for event in one_deal() if not isinstance(event, DealScored)])

    assert sums.deals == 0
    assert not sums.pairs


# -- sums


def test_sums_of_parts_in_any_order_are_the_sums_of_the_whole() -> None:
    whole, parts = summed(club()), [summed([match]) for match in club()]

    assert encode(merged(parts)) == encode(merged(reversed(parts)))
    assert encode(merged(parts)) == encode(whole)
    assert encode(decode(encode(whole))) == encode(whole)


def test_a_table_that_would_count_twice_is_refused() -> None:
    once = summed(club()[:1])

    with pytest.raises(ValueError, match="is in two of the sums"):
        merged([once, once])
    left_out = add(once, evidence(club()[0]))
    assert left_out is not None
    assert "counted already" in left_out.why


def test_of_many_moments_those_are_kept_that_weigh_most() -> None:
    direction = Direction()
    for number in range(3 * MOMENTS_MAX):
        keep(direction, Moment(1 + number % 2, f"p00-{number:03d}", 1, (number,), "took"))

    kept = direction.moments["took"]
    assert len(kept) == MOMENTS_MAX
    assert {one.weight for one in kept} == {2}
    assert kept[0].table == "p00-001"


def test_the_same_plan_plays_the_same_matches() -> None:
    again = next(play(PLAN))

    assert [one.payload for one in again.stored] == [one.payload for one in club()[0].stored]


# -- the ranking


def test_the_pair_of_a_pact_stands_first_and_its_deals_can_be_opened() -> None:
    ranking = ranked(summed(club()), deals_min=10)
    first = ranking.pairs[0]

    assert first.players == PLAN.pairs[0]
    assert ranking.verdict == VERDICT
    assert "evidence, not a verdict" in VERDICT
    tables = {match.table: match for match in club()}
    assert first.links
    for link in first.links:
        events = [codec.decode_event(tables[link.table].stored[v - 1].payload) for v in link.versions]
        assert {event.deal for event in events} == {link.deal}


def test_the_ranking_holds_whole_numbers_only() -> None:
    def numbers(thing):
        if isinstance(thing, dict):
            return [number for value in thing.values() for number in numbers(value)]
        if isinstance(thing, list):
            return [number for value in thing for number in numbers(value)]
        return [thing] if isinstance(thing, float) else []

    stored = codec.encode(ranked(summed(club()), deals_min=1))

    assert not numbers(json.loads(stored))
    assert stored == codec.canonical(stored)


def test_nothing_read_gives_an_empty_ranking() -> None:
    assert ranked(PairSums()).pairs == ()


# -- the command


def test_a_person_reads_first_that_it_is_no_verdict_and_then_where_to_look(folder) -> None:
    found = run(str(folder), "--min-deals", "10", "--top", "3")

    assert found.exit_code == 0, found.output
    assert "evidence, not a verdict" in found.output.splitlines()[0]
    for words in (PLAN.pairs[0][0], "innocent reasons", "poolrummy dossier TABLE --deal N", " deal "):
        assert words in found.output


def test_saved_sums_give_the_same_ranking_as_the_logs(folder, tmp_path) -> None:
    saved = tmp_path / "club.sums.json"
    from_logs = run(*map(str, sorted(folder.glob("*.jsonl"))), "--json", "--save", str(saved))
    from_sums = run(str(saved), "--json")

    assert from_logs.exit_code == from_sums.exit_code == 0
    assert from_logs.stdout == from_sums.stdout
    assert json.loads(from_sums.stdout)["ranking"]["tables"] == len(club())


def test_a_log_that_is_not_what_was_written_is_left_out_and_named(folder) -> None:
    broken = folder / f"{club()[0].table}.jsonl"
    broken.write_bytes(broken.read_bytes().replace(b'\\"points\\":20', b'\\"points\\":10', 1))

    told = json.loads(run(str(folder), "--json").stdout)

    assert [one["source"] for one in told["skipped"]] == [str(broken)]
    assert told["ranking"]["tables"] == len(club()) - 1


def test_the_auditors_view_knows_more_hands_than_the_public_one() -> None:
    public, opened = PairSums(), PairSums()
    add(public, evidence(club()[0]))
    add(opened, evidence(club()[0]), OpenSealer())

    def known(sums: PairSums) -> int:
        directions = [one for takers in sums.pairs.values() for one in takers.values()]
        return sum(tally.n for one in directions for key, tally in one.tallies.items() if key.startswith("fitted"))

    assert known(opened) > known(public)
    assert opened.deals == public.deals


@pytest.fixture
async def platform(redis_url: str) -> str:
    """A server with two tables that were played to the end."""
    store = RedisStore.at(redis_url)
    recorder = await Recorder.on(store)
    for table in ("p00-a", "p00-b"):
        await recorder.record(named(eventful(), table))
    await store.aclose()
    return redis_url


def test_without_a_name_every_table_of_the_store_is_read(platform: str) -> None:
    everything = json.loads(run("--url", platform, "--min-deals", "1", "--json").stdout)
    one = json.loads(run("p00-b", "--url", platform, "--min-deals", "1", "--json").stdout)

    assert everything["ranking"]["tables"] == 2
    assert one["ranking"]["tables"] == 1
    assert everything["ranking"]["deals"] == 2 * one["ranking"]["deals"] > 0
    assert one["pairs_compared"] == 3


@pytest.mark.parametrize("words", [("p00-nothing", "--url", "redis://127.0.0.1:1/0"), ("no table",)])
def test_what_is_not_there_is_told_in_a_sentence(words) -> None:
    found = run(*words)

    assert found.exit_code == 2
    assert found.output.startswith("poolrummy pairs: ")


def test_where_nothing_can_be_read_it_ends_with_two(tmp_path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    found = run(str(tmp_path))

    assert found.exit_code == 2
    assert "empty.jsonl is no bundle" in found.output


def test_sums_that_cannot_be_written_are_named(folder, tmp_path) -> None:
    found = run(str(folder), "--save", str(tmp_path / "none" / "x.sums.json"))

    assert found.exit_code == 2
    assert "cannot be written" in found.output
