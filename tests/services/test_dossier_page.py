"""The page of a dossier shows its reader not one card too many, needs nothing, and takes no name for markup."""

import re
from functools import cache
from html.parser import HTMLParser

import msgspec
import pytest

from poolrummy.audit.dossier.content import Dossier
from poolrummy.audit.dossier.making import Asked, dossier_of
from poolrummy.audit.dossier.page import page_of
from poolrummy.audit.history import deals_of
from poolrummy.audit.known_packs import Known
from poolrummy.audit.views import View, own_positions
from poolrummy.commands.dossier import as_bytes
from poolrummy.commands.rulebook import read_book
from poolrummy.testing.packs import DealScript
from poolrummy_contracts import codec
from poolrummy_contracts.terms import Seat

from .disputes import (
    BROKEN,
    GOLDEN,
    LOSER,
    MIXED,
    Dispute,
    auditor_asks,
    cards,
    dispute_at,
    late_move,
    play_turn,
    public_asks,
    seat_asks,
    split,
    wrong_show,
    wrong_show_by,
)

BOOK = {one.number: (one.title, one.text) for one in read_book()}


def dossier(table: Dispute, asked: Asked) -> Dossier:
    return dossier_of(table.moments(), asked, table.known(), book=BOOK, refused=table.refused)


def sentence(table: Dispute, asked: Asked) -> str:
    return dossier(table, asked).answer.sentence


# -- what a reader may not see


def named_cards(value: object) -> set[tuple[str, str]]:
    """Everything in some JSON that says which card lies at a position."""
    match value:
        case {"card": str(card), "position": str(position), **rest}:
            return {(position, card)} | named_cards(list(rest.values()))
        case dict():
            return named_cards(list(value.values()))
        case list():
            return set().union(*map(named_cards, value))
        case _:
            return set()


def known_to(table: Dispute, view: View, deal: int) -> set[str]:
    """The positions of a deal that this reader may know: laid open in the log, or the reader's own."""
    moments = [one for one in table.moments() if one.event.deal == deal]
    public = set().union(*(named_cards(msgspec.json.decode(one.stored)) for one in moments))
    own = set(own_positions(view.seat, moments)) if view.seat is not None else set[str]()
    return {position for position, _ in public} | own


@pytest.mark.parametrize("name", GOLDEN)
@pytest.mark.parametrize("view", [View("public"), View("seat", Seat(1)), View("seat", Seat(2))], ids=lambda v: v.name)
def test_no_card_that_the_reader_may_not_see_stands_in_the_json(name: str, view: View) -> None:
    table = GOLDEN[name].play()
    content = msgspec.json.decode(as_bytes(dossier(table, Asked(view=view))))

    for deal in content["deals"]:
        assert {position for position, _ in named_cards(deal)} <= known_to(table, view, deal["deal"])


@pytest.mark.parametrize("name", GOLDEN)
def test_the_auditor_sees_more_than_any_seat(name: str) -> None:
    table = GOLDEN[name].play()
    auditor, seat = (
        named_cards(msgspec.json.decode(as_bytes(dossier(table, Asked(view=view)))))
        for view in (View("auditor"), View("seat", Seat(1)))
    )

    assert seat < auditor


@pytest.mark.parametrize("name", GOLDEN)
@pytest.mark.parametrize("view", [View("public"), View("seat", Seat(1)), View("seat", Seat(2))], ids=lambda v: v.name)
def test_a_page_is_the_same_whether_or_not_its_maker_knew_what_the_reader_may_not(name: str, view: View) -> None:
    table = GOLDEN[name].play()
    moments, known = table.moments(), table.known()
    own = (
        {}
        if view.seat is None
        else {
            deal: {where: known.packs[deal][where] for where in own_positions(view.seat, of_deal)}
            for deal, of_deal in deals_of(moments)
        }
    )
    asked = Asked(view=view)

    knowing = page_of(dossier_of(moments, asked, known, book={}))
    assert knowing == page_of(dossier_of(moments, asked, Known(packs=own), book={}))


@cache
def two_packs() -> tuple[Dispute, Dispute]:
    """The same play twice with packs that differ only in cards that nobody but seat 1 has seen."""
    return unseen("AS"), unseen("AH")


def unseen(ace: str) -> Dispute:
    hands = {1: LOSER.replace("AS", ace), 2: MIXED}
    table = dispute_at(2, {1: DealScript(hands=hands, wild="7S", open="6D", stock="2C 8D")})
    play_turn(table)
    play_turn(table)
    table.pass_time(900)
    table.drop(1)
    return table


@pytest.mark.parametrize("asked", [public_asks(1, 1), seat_asks(2, 1)], ids=["public", "seat 2"])
def test_a_dropped_hand_changes_no_byte_of_what_others_read(asked: Asked) -> None:
    one, other = (strip(page_of(dossier(table, asked))) for table in two_packs())

    assert one == other


def test_a_dropped_hand_is_in_the_view_of_its_own_seat_and_of_the_auditor() -> None:
    for asked in (seat_asks(1, 1), auditor_asks(1, 1)):
        one, other = (strip(page_of(dossier(table, asked))) for table in two_packs())
        assert one != other


def strip(page: str) -> str:
    """Without commitments and chain hashes, which follow from the whole pack."""
    return re.sub(r"[0-9a-f]{16,}", "", page)


def test_the_public_and_other_seats_read_no_refused_command() -> None:
    table = late_move()

    assert not dossier(table, public_asks(2, 1)).refused
    assert not dossier(table, seat_asks(1, 1)).refused
    assert [one.code for one in dossier(table, seat_asks(2, 1)).refused] == ["too-late"]
    assert [one.code for one in dossier(table, auditor_asks(2, 1)).refused] == ["too-late"]


def test_the_seed_is_told_to_the_auditor_only() -> None:
    table = wrong_show()
    seed = table.known().seeds[1]

    assert seed in page_of(dossier(table, auditor_asks(2, 1)))
    assert seed not in page_of(dossier(table, seat_asks(2, 1)))
    assert seed not in page_of(dossier(table, public_asks(2, 1)))


# -- the page


class Page(HTMLParser):
    """What stands in a page: tags, ids, links, and whether all that opens is closed."""

    VOID = frozenset({"meta", "br", "rect", "line", "hr", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name in {"href", "src"} and value]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag


@pytest.mark.parametrize("name", GOLDEN)
def test_the_page_is_whole_and_needs_neither_network_nor_script(name: str) -> None:
    golden = GOLDEN[name]
    text = page_of(dossier(golden.play(), golden.asked))
    page = Page(text)

    assert not page.open
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert all(link.startswith("#") for link in page.links)
    assert "url(" not in text
    assert "@import" not in text
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


@pytest.mark.parametrize("name", GOLDEN)
def test_every_card_is_named_for_who_does_not_see_it(name: str) -> None:
    golden = GOLDEN[name]
    text = page_of(dossier(golden.play(), golden.asked))

    drawn = re.findall(r'<b class="c [^"]*"([^>]*)>', text)
    assert drawn
    assert all('role="img" aria-label="' in attributes for attributes in drawn)


HOSTILE = {1: "<script>alert(1)</script>", 2: '"><img src=x onerror=y>', 3: "a\u202e&amp;<b>"}


def test_a_players_name_is_never_markup() -> None:
    deals = {1: DealScript(hands={1: cards(BROKEN), 2: LOSER, 3: MIXED}, wild="7S", open="6D", stock="AD 2D 3S 4D")}
    table = dispute_at(3, deals, HOSTILE)
    wrong_show_by(table, 1)
    table.drop(2)

    for asked in (seat_asks(1, 1), auditor_asks(1, 1), Asked(deal=1)):
        text = page_of(dossier(table, asked))
        page = Page(text)
        assert not {"script", "img"} & set(page.tags)
        assert not [name for name, _ in page.attributes if name.startswith("on")]
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
        assert "\u202e" not in text


def test_the_json_is_canonical() -> None:
    content = as_bytes(dossier(split(), auditor_asks(1, 2)))

    assert codec.canonical(content.rstrip(b"\n"))
