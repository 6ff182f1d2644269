"""Pair evidence (R28): that sums merge, what the ranking says and what a person sees."""

import io
import json
from functools import cache

import msgspec
import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from poolrummy.audit.bundle import written
from poolrummy.audit.evidence import Evidence, StoredLine
from poolrummy.audit.pairs.folding import fold
from poolrummy.audit.pairs.page import page_of
from poolrummy.audit.pairs.ranking import VERDICT, ranked
from poolrummy.audit.pairs.reading import add
from poolrummy.audit.pairs.sums import MOMENTS_MAX, Direction, Moment, PairSums, decode, encode, keep, merged
from poolrummy.commands.pair_tables import show
from poolrummy.commands.pairs import app
from poolrummy.runtime.redis_store import RedisStore
from poolrummy.testing.planted_pairs import ClubPlan, OpenSealer, PlantedPact, play
from poolrummy_contracts import codec
from poolrummy_contracts.envelope import chain_next, chain_start

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


def test_where_every_pair_shown_is_marked_it_is_told_that_there_may_be_more(folder, tmp_path) -> None:
    page = tmp_path / "pairs.html"
    cut = run(str(folder), "--min-deals", "10", "--top", "1", "--html", str(page))
    whole = run(str(folder), "--min-deals", "10", "--top", "100")

    assert "there may be more: raise --top" in cut.output
    assert "there may be more" in page.read_text()
    assert "there may be more" not in whole.output


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
