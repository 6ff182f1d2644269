"""Pair evidence (R28): what is counted, that sums merge, what the ranking says and what a person sees."""

import io
import json
from functools import cache

import msgspec
import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from poolrummy.audit.bundle import written
from poolrummy.audit.evidence import Evidence, StoredLine
from poolrummy.audit.pairs.card_sense import could_show, fits, gives_up
from poolrummy.audit.pairs.deal_log import DealLog
from poolrummy.audit.pairs.folding import fold
from poolrummy.audit.pairs.habits import PRIOR, PRIOR_MAX, PRIOR_MIN, Habits, likeness
from poolrummy.audit.pairs.page import page_of
from poolrummy.audit.pairs.ranking import LOOK_MILLI, VERDICT, ranked
from poolrummy.audit.pairs.reading import add
from poolrummy.audit.pairs.scoring import MOST, scored
from poolrummy.audit.pairs.sums import MOMENTS_MAX, Direction, Moment, PairSums, Tally, decode, encode, keep, merged
from poolrummy.commands.pair_tables import show
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
        ("AS", "KS 2S 3D", False),
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


@cache
def shown_at_once():
    """Seat 1 draws the card that it needs and shows; seat 2 holds a poor hand, seat 3 nearly all of a show."""
    hands = {1: "3H 4H 5H 6H 6C 7C 8C 9S 9D 9C QD QC 2D", 3: "3D 4D 5D 6D 7S 8S 9S JC QC KC TH TS 4C"}
    table = started(terms_of("house", "101", seats=3), DealScript(hands=hands, wild="AD", open="KC", stock="QS"))
    table.draw("stock")
    table.show("3H 4H 5H 6H / 6C 7C 8C / 9S 9D 9C / QD QC QS", "2D")
    for seat in (2, 3):
        table.declare(seat, " ".join(table.hand(seat)))
    table.judge()
    return tuple(table.log)


def summed_deal(log, *faces):
    """The sums of one deal, and who sat where."""
    sums = PairSums()
    fold(sums, log, *faces)
    return sums, {event.seat: event.player for event in log if isinstance(event, SeatTaken)}


@pytest.fixture
def counted():
    """What the deal gives, by giver and taker seat: hits and chances of a signal in all strata."""
    sums, players = summed_deal(one_deal())

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
    assert counted(1, 2, "held-back") == (0, 0), "seat 1 had nothing to show"


def test_a_show_that_is_taken_at_once_is_a_chance_to_hold_it_back_that_was_not_used() -> None:
    sums, players = summed_deal(shown_at_once())

    tallies = sums.direction(players[1], players[2]).tallies
    assert tallies["held-back/"] == Tally(1, 0)
    assert "held-back/" not in sums.direction(players[1], players[3]).tallies, "seat 3 is close to a show itself"


def test_a_middle_drop_counts_for_who_wins_the_deal_if_its_hand_is_close_to_a_show(counted) -> None:
    assert counted(3, 2, "left-in-time") == (1, 1)
    assert counted(1, 2, "left-in-time") == (0, 2), "two turns on which seat 1 played on"
    assert counted(3, 1, "left-in-time") == (0, 0)


def test_a_first_turn_beside_a_hand_close_to_its_show_is_a_chance_to_stand_aside(counted) -> None:
    assert counted(1, 2, "stood-aside") == (0, 1)
    assert counted(3, 2, "stood-aside") == (0, 1)
    assert counted(1, 3, "stood-aside") == (0, 0)


def test_a_discard_is_fed_only_where_the_giver_had_a_choice(counted) -> None:
    sums, players = summed_deal(one_deal())

    tallies = sums.direction(players[1], players[2]).tallies
    assert {key: (tally.k, tally.n) for key, tally in tallies.items() if key.startswith("fitted")} == {
        "fitted/2": (0, 1),
        "fitted/3": (1, 2),
    }, "by how many of the giver's cards fitted"
    assert counted(2, 3, "fitted") == (0, 0), "seat 3 dropped: its hand is not known"


def test_the_winner_is_known_but_for_the_card_with_which_it_finished() -> None:
    log = DealLog(number=1, wild="A", seats=(1, 2), begins=1)
    log.faces = {at: Card("KS") for at in range(12)}

    assert log.known(tuple(range(13))) is None
    assert log.known(tuple(range(13)), but=1) == (Card("KS"),) * 12
    assert log.known(tuple(range(14)), but=1) is None


def test_a_hand_that_stays_closed_is_known_to_the_auditor_alone(counted) -> None:
    assert counted(3, 1, "held-back") == (0, 0), "seat 3 dropped: nobody sees what it kept"

    def taken(*faces) -> set[str]:
        sums, players = summed_deal(one_deal(), *faces)
        return {key for key in sums.direction(players[2], players[3]).tallies if key.startswith("took")}

    assert taken() == {"took/unknown"}
    assert taken(lambda _deal, _where: Card("KS")) == {"took/other"}


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


@pytest.mark.parametrize("edition", [b"", b'"edition":1,', b'"edition":3,'])
def test_sums_of_another_edition_are_left_out_and_the_mend_is_named(edition: bytes, folder, tmp_path) -> None:
    (tmp_path / "old.sums.json").write_bytes(encode(PairSums()).replace(b'"edition":2,', edition))

    told = json.loads(run(str(tmp_path), "--json").stdout)

    assert [one["why"] for one in told["skipped"]] == [
        "counted by another edition of the software; read the logs again"
    ]


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


# -- how it is weighed


def tallies_of(rates, n=200):
    return [Tally(n, round(rate * n)) for rate in rates]


def test_the_more_players_differ_the_less_everybody_says_about_one_of_them() -> None:
    alike, differing = tallies_of([0.19, 0.2, 0.21] * 5), tallies_of([0.05, 0.2, 0.35] * 5)

    assert likeness(alike) == PRIOR_MAX
    assert PRIOR_MIN <= likeness(differing) < PRIOR
    assert likeness(tallies_of([0.05, 0.2, 0.35])) == PRIOR, "three players say nothing about that"
    assert likeness(tallies_of([0.0] * 15)) == PRIOR


def held_back(known: int):
    """Everybody holds back one of ten shows, known from so many; of those beside b, a holds back two of six."""
    sums = PairSums()
    for at in range(12):
        count_of(sums.person(f"other {at}").gives, known, known // 10)
    count_of(sums.person("a").gives, known + 6, known // 10 + 2)
    count_of(sums.direction("a", "b").tallies, 6, 2)
    sums.person("b")
    return scored(sums.direction("a", "b"), Habits(sums), giver="a", taker="b")[0]


def count_of(tallies, n: int, k: int) -> None:
    tallies["held-back/"] = Tally(n, k)


def test_the_same_counts_say_less_where_the_habit_is_known_from_few_chances() -> None:
    sure, unsure = held_back(1000), held_back(10)

    assert (sure.n, sure.k) == (unsure.n, unsure.k) == (6, 2)
    assert sure.z_milli > unsure.z_milli > 0
    assert sure.score_milli > unsure.score_milli > 0


def test_one_kind_of_evidence_in_one_direction_marks_nobody() -> None:
    sums = PairSums()
    count_of(sums.person("a").gives, 1000, 100)
    count_of(sums.direction("a", "b").tallies, 90, 90)
    sums.person("b")

    found = scored(sums.direction("a", "b"), Habits(sums), giver="a", taker="b")

    assert [one.score_milli for one in found] == [round(1000 * MOST)]
    assert 1000 * MOST < LOOK_MILLI


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


def test_pairs_below_the_mark_are_ranked_in_a_line_and_no_deal_of_theirs_is_named() -> None:
    ranking = ranked(summed(club()), deals_min=10)
    below = msgspec.structs.replace(ranking, pairs=tuple(pair for pair in ranking.pairs if not pair.look))
    console = Console(width=80, record=True, file=io.StringIO())

    show(console, below, len(below.pairs), ())

    told = console.export_text()
    assert "nothing here asks for a look" in told
    assert all(player in told for pair in below.pairs for player in pair.players)
    assert " deal " not in told
    assert max(map(len, told.splitlines())) <= 80


def test_the_page_says_that_it_is_no_verdict_and_links_the_deals_of_marked_pairs_alone(folder, tmp_path) -> None:
    page = tmp_path / "pairs.html"
    found = run(str(folder), "--min-deals", "10", "--html", str(page), "--json")
    pairs = json.loads(found.stdout)["ranking"]["pairs"]
    text = page.read_text()

    assert text.index("Evidence, not a verdict.") < text.index(pairs[0]["players"][0])
    assert "It may be that:" in text
    assert "<script" not in text
    links = [link for pair in pairs if pair["look"] for link in pair["links"]]
    assert links
    for link in links:
        assert f'href="dossier-{link["table"]}-deal-{link["deal"]}-public.html#v{link["versions"][0]}"' in text
    quiet = {player for pair in pairs if not pair["look"] for player in pair["players"]} - set(PLAN.pairs[0])
    assert quiet
    assert not any(player in text for player in quiet)


def test_a_players_name_is_never_markup() -> None:
    ranking = ranked(summed(club()), deals_min=10)
    named = msgspec.structs.replace(ranking.pairs[0], players=("<b>a", "\u202eb"))

    text = page_of(msgspec.structs.replace(ranking, pairs=(named,)), compared=1)

    assert "&lt;b&gt;a" in text
    assert "\u202e" not in text


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


@pytest.mark.parametrize("option", ["--save", "--html"])
def test_a_file_that_cannot_be_written_is_named(option: str, folder, tmp_path) -> None:
    found = run(str(folder), option, str(tmp_path / "none" / "x.sums.json"))

    assert found.exit_code == 2
    assert "cannot be written" in found.output
