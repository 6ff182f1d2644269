"""A match as plain tables: nothing that regulators ask for is missing, and CSV gives it back (R9, R14, R15)."""

import csv
import io
import json
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from poolrummy.audit.bundle import written as bundled
from poolrummy.audit.csv_form import FORMULA, NotTabular, read, written
from poolrummy.audit.deal_record import write
from poolrummy.audit.history import Moment, deals_of, moments_of
from poolrummy.audit.recording import cut, record_of
from poolrummy.audit.tabular import KINDS, OWN, Player, Points, Tables, tables_of
from poolrummy.audit.views import View
from poolrummy.commands.export import app
from poolrummy.runtime.records import TableEntry
from poolrummy_contracts import codec
from poolrummy_contracts import events as e

from .signed_matches import match, small_matches

FEES = {"entry-fee", "rejoin-fee"}
PAID = {"prize", "refund"}


@cache
def matches() -> tuple[tuple[Moment, ...], ...]:
    """Robot matches of several kinds, a long one with rejoins among them."""
    found = [*small_matches(), match(5, 6, "201")]
    return tuple(
        moments_of(
            one.table,
            [TableEntry(version=v, payload=line.payload, chain=line.chain) for v, line in enumerate(one.lines, 1)],
        )
        for one in found
    )


def all_tables() -> list[tuple[tuple[Moment, ...], Tables]]:
    return [(moments, tables_of(moments)) for moments in matches()]


def test_every_closed_deal_has_start_end_result_and_the_points_of_every_seat_dealt_in() -> None:
    ends = set()
    for moments, tables in all_tables():
        deals = dict(deals_of(moments))
        assert [deal.deal for deal in tables.deals] == list(deals)
        for deal in tables.deals:
            scores = [row for row in tables.points if row.deal == deal.deal]
            ends.add(deal.how)
            assert deal.ended_at is not None
            assert deal.started_at <= deal.ended_at
            assert deal.wild
            assert len(deal.root) == 64
            assert {str(row.seat) for row in scores} == set(deal.order.split())
            assert [row.seat for row in scores if row.reason == "won"] == [deal.winner]
            assert all(row.player and row.total >= row.points >= 0 for row in scores)
    assert {"show", "last-seat"} <= ends


def test_entries_rejoins_eliminations_fees_and_payouts_are_all_there_and_sum_up() -> None:
    kinds, acts = set(), set()
    for moments, tables in all_tables():
        (played,) = tables.matches
        kinds |= {row.kind for row in tables.money}
        acts |= {row.event for row in tables.acts}
        pool = sum(row.amount for row in tables.money if row.kind in {"entry", "rejoin"})
        assert played.prize_pool == pool == sum(row.amount for row in tables.money if row.kind in PAID)
        assert played.started_at is not None
        assert played.ended_at is not None
        assert played.opened_at <= played.started_at <= played.ended_at
        assert all((played.terms_hash, played.edition, played.ended_how, played.chain))
        for player in tables.players:
            own = [row for row in tables.money if row.seat == player.seat]
            entries = [row for row in own if row.event == "match-started" and row.kind == "entry"]
            rejoins = [row for row in own if row.kind == "rejoin"]
            assert (len(entries), len(rejoins)) == (1, player.rejoins)
            assert player.owes == sum(row.amount for row in own if row.kind not in PAID)
            assert player.is_owed == player.prize == sum(row.amount for row in own if row.kind in PAID)
        assert min(one.place for one in tables.players if one.place) == 1
        assert len(tables.acts) == len(moments)
    assert {"entry", "rejoin", "prize"} <= kinds
    assert {"seat-eliminated", "rejoin-granted", "match-ended", "seat-taken"} <= acts


def test_every_choice_and_phase_comes_back_from_its_row_byte_for_byte() -> None:
    for moments, tables in all_tables():
        rows = read(KINDS["acts"], written(KINDS["acts"], tables.acts))
        for moment, row in zip(moments, rows, strict=True):
            columns = {name: getattr(row, name) for name in OWN - {"type"} if getattr(row, name) is not None}
            event = {**columns, **json.loads(row.details), "type": row.event}
            assert codec.encode(codec.decode_event(msgspec.json.encode(event))) == moment.stored
            assert row.actor != "player" or row.cause, "a player's choice names the command that made it"


def test_the_record_of_every_closed_deal_says_who_played_for_what_and_what_came_of_it() -> None:
    for moments in matches():
        for number, _ in deals_of(moments):
            told = json.loads(write(record_of(cut(moments, number, cards={}), View("public"))))
            opened, started = told["opened"], told["match"][0]
            assert {"table", "deal", "edition", "terms_hash", "before", "after", "moves", "outcome"} <= set(told)
            assert {"entry_fee", "currency", "rake_bp", "profile"} <= set(opened["terms"])
            assert all(one["player"] and "total" in one for one in (*told["before"]["seats"], *told["after"]["seats"]))
            assert started["obligations"]
            assert all({"kind", "amount", "player"} <= set(one) for one in started["obligations"])
            assert told["before"]["at"] <= told["moves"][0]["event"]["at"] <= told["after"]["at"]
            assert told["outcome"]["how"] in {"show", "last-seat", "lowest-count", "void"}
            acts = [move["event"] for move in told["moves"] if move["event"]["actor"] == "player"]
            assert all(act["cause"] and act["rule"] for act in acts)


# -- CSV


NASTY = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20
) | st.sampled_from(
    [
        "",
        "'",
        "''",
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\tx",
        "\r\n",
        'a"b',
        "a,b",
        "a\nb",
        "'=x",
        "=HYPERLINK(0)",
        " ",
        "\n=1+1",
        "\uff1d1+1",
        "\u0966",
    ]
)
POINTS = st.builds(
    Points,
    table=NASTY,
    deal=st.integers(0, 99),
    seat=st.integers(1, 6),
    player=NASTY,
    points=st.integers(0, 80),
    reason=NASTY,
    total=st.integers(0, 2**53),
)
PLAYERS = st.builds(
    Player,
    table=NASTY,
    seat=st.integers(1, 6),
    player=NASTY,
    kind=NASTY,
    total=st.integers(0, 200),
    state=NASTY,
    rejoins=st.integers(0, 9),
    place=st.none() | st.integers(1, 6),
    prize=st.integers(0, 10**12),
    owes=st.integers(0, 10**12),
    is_owed=st.integers(0, 10**12),
)


@given(st.lists(POINTS, max_size=4), st.lists(PLAYERS, max_size=4))
def test_whatever_a_name_holds_csv_gives_it_back_and_no_cell_is_a_formula(
    points: list[Points], players: list[Player]
) -> None:
    for kind, rows in ((Points, points), (Player, players)):
        text = written(kind, rows)

        assert read(kind, text) == tuple(rows)
        cells = [cell for line in csv.reader(io.StringIO(text, newline="")) for cell in line]
        assert not [cell for cell in cells if cell.startswith(tuple(set(FORMULA) - {"'"}))]


def test_the_form_is_that_of_rfc_4180() -> None:
    row = Points(table="p00-a", deal=1, seat=2, player='as"ha, b', points=20, reason="dropped", total=20)

    assert written(Points, [row]) == (
        'table,deal,seat,player,points,reason,total\r\np00-a,1,2,"as""ha, b",20,dropped,20\r\n'
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "its header is None"),
        ("table,deal\r\n", "its header is"),
        ("table,deal,seat,player,points,reason,total\r\na,1,2\r\n", "row 2 has 3 cells, not 7"),
        ("table,deal,seat,player,points,reason,total\r\na,x,2,b,1,c,1\r\n", "row 2: invalid literal"),
        ('table,deal,seat,player,points,reason,total\r\n"a\r\n', "unexpected end"),
    ],
)
def test_what_is_no_csv_of_ours_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotTabular, match=why):
        read(Points, text)


# -- the command


def test_a_bundle_is_exported_and_its_files_are_the_rows(tmp_path: Path) -> None:
    evidence = small_matches()[0]
    file = tmp_path / "b.jsonl"
    file.write_bytes(bundled(evidence))

    result = CliRunner().invoke(app, [str(file), "--out", str(tmp_path / "csv"), "--json"])

    assert result.exit_code == 0, result.output
    told = {one["kind"]: one["rows"] for one in json.loads(result.stdout)}
    moments = next(one for one in matches() if one[0].event.table == evidence.table)
    tables = msgspec.structs.asdict(tables_of(moments))
    for name, kind in KINDS.items():
        content = (tmp_path / "csv" / f"{evidence.table}.{name}.csv").read_bytes().decode("utf-8")
        assert read(kind, content) == tables[name]
        assert told[name] == len(tables[name])


def test_no_closed_card_stands_in_what_is_exported() -> None:
    for moments, tables in all_tables():
        drawn = [row for row in tables.acts if row.event == "card-drawn" and '"source":"stock"' in row.details]
        assert drawn
        assert not [row for row in drawn if '"card"' in row.details]
        assert not any(
            isinstance(one.event, e.SeedRevealed) for one in moments if one.after.terms.reveal_policy != "public"
        )


@pytest.mark.parametrize("table", ["../evil", "/tmp/evil", "p00-a/../../evil", "P00-a", ""])
def test_a_bundle_whose_table_is_a_path_writes_nothing(table: str, tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_bytes(bundled(msgspec.structs.replace(match(3), table=table)))

    result = CliRunner().invoke(app, [str(tmp_path / "b.jsonl"), "--out", str(tmp_path / "out")])

    assert result.exit_code == 2
    assert "is no id of a table" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["b.jsonl"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("nonsense", "--out", "{}"), "neither a table id"),
        (("{}/none.jsonl", "--out", "{}"), "neither a table id"),
        (("{}/b.jsonl", "--out", "{}/b.jsonl"), "cannot be written"),
        (("{}/empty.jsonl", "--out", "{}/out"), "is no bundle"),
    ],
)
def test_bad_input_is_answered_in_one_sentence(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_bytes(bundled(match(3)))
    (tmp_path / "empty.jsonl").write_bytes(b"")

    result = CliRunner().invoke(app, [word.format(tmp_path) for word in words])

    assert result.exit_code == 2
    assert why in result.stderr
