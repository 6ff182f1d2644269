"""Cards and totals drawn in HTML and SVG: no picture file, no script, and readable without colour.

A card says rank and suit as text, its suit again as a letter, and its whole name to a screen reader.
"""

from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup

from poolrummy.audit.dossier.content import CardSeen, TotalBar
from poolrummy.audit.dossier.names import visible
from poolrummy.audit.wording import face
from poolrummy_contracts.cards import PRINTED_JOKER, Card

SUITS = {"S": ("♠", "spades"), "H": ("♥", "hearts"), "D": ("♦", "diamonds"), "C": ("♣", "clubs")}
RANKS = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"}
_RANK_TEXT = {"T": "10"}


def card(seen: CardSeen) -> Markup:
    """One card, with what it stands for and its points where they matter."""
    return _card(seen.card, seen.wild, seen.stands_for, seen.points)


def hand(cards: Iterable[CardSeen]) -> Markup:
    """Cards in a row."""
    return Markup('<span class="hand">{}</span>').format(Markup("").join(card(seen) for seen in cards))


def small(cards: Iterable[CardSeen]) -> Markup:
    """Cards in a row of text, for hands that are looked up and not looked at."""
    return Markup('<span class="mini">{}</span>').format(
        Markup(" ").join(_small(seen.card, seen.wild) for seen in cards)
    )


def spoken(one: Card | None, *, wild: bool = False) -> str:
    """The whole name of a card.

    >>> spoken(Card("TH")), spoken(Card("JK")), spoken(Card("4S"), wild=True), spoken(None)
    ('ten of hearts', 'printed joker', 'four of spades, wild', 'a closed card')
    """
    if one is None:
        return "a closed card"
    if one == PRINTED_JOKER:
        return "printed joker"
    numbers = {"2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine"}
    name = f"{(RANKS | numbers)[one[0]]} of {SUITS[one[1]][1]}"
    return f"{name}, wild" if wild else name


@lru_cache(maxsize=4096)
def _card(one: Card | None, wild: bool, stands_for: Card | None, points: int | None) -> Markup:  # noqa: FBT001 - the key of a cache
    name = spoken(one, wild=wild)
    if stands_for is not None:
        name += " standing for " + ("no card in particular" if stands_for == PRINTED_JOKER else spoken(stands_for))
    if points is not None:
        name += f", {points} points"
    below = ""
    if stands_for is not None:
        below = "as " + ("any" if stands_for == PRINTED_JOKER else face(stands_for))
    elif points is not None:
        below = str(points)
    return Markup('<b class="c {}" role="img" aria-label="{}">{}{}</b>').format(
        _classes(one, wild=wild), name, _inside(one), Markup("<i>{}</i>").format(below) if below else ""
    )


def _inside(one: Card | None) -> Markup:
    if one is None:
        return Markup("<u>?</u>")
    if one == PRINTED_JOKER:
        return Markup("<u>JK</u><s>★</s>")
    return Markup("<u>{}</u><s>{}</s>").format(_RANK_TEXT.get(one[0], one[0]), SUITS[one[1]][0])


def _classes(one: Card | None, *, wild: bool) -> str:
    if one is None:
        return "back"
    kind = "jk" if one == PRINTED_JOKER else {"S": "s", "H": "h", "D": "d", "C": "k"}[one[1]]
    return f"{kind} w" if wild and one != PRINTED_JOKER else kind


@lru_cache(maxsize=256)
def _small(one: Card | None, wild: bool) -> Markup:  # noqa: FBT001 - the key of a cache
    return Markup('<b class="m {}" title="{}">{}</b>').format(
        _classes(one, wild=wild), spoken(one, wild=wild), "??" if one is None else face(one)
    )


def bars(found: Iterable[TotalBar], limit: int | None) -> Markup:
    """Each seat against the limit: what it had, what the deal cost, how much room is left."""
    rows = list(found)
    top = max([limit or 0, *(one.total for one in rows), 1])
    height = 46 * len(rows) + 26
    parts = [_bar(one, place, top) for place, one in enumerate(rows)]
    if limit is not None:
        x = _x(limit, top)
        parts.append(
            Markup(
                '<line class="limit" x1="{0}" x2="{0}" y1="6" y2="{1}"/>'
                '<text class="limit" x="{0}" y="{2}">limit {3}</text>'
            ).format(x, height - 20, height - 6, limit)
        )
    title = "; ".join(f"seat {one.seat}: {one.arithmetic}" for one in rows)
    return Markup(
        '<svg class="bars" viewBox="0 0 640 {}" role="img" aria-label="Totals after this deal. {}">{}</svg>'
    ).format(height, title, Markup("").join(parts))


LEFT, WIDTH = 120, 430


def _x(points: int, top: int) -> int:
    return LEFT + points * WIDTH // top


def _bar(one: TotalBar, place: int, top: int) -> Markup:
    y = 46 * place + 8
    start, middle, end = _x(0, top), _x(one.before, top), _x(one.total, top)
    room = "" if one.headroom is None else ("out" if one.state == "out" else f"room {one.headroom}")
    shown = visible(one.player)
    name = shown if len(shown) <= 13 else shown[:12] + "…"
    return Markup(
        '<g class="{state}"><text class="who" x="0" y="{t1}">Seat {seat}</text>'
        '<text class="name" x="0" y="{t2}">{name}</text>'
        '<rect class="track" x="{start}" y="{y}" width="{width}" height="22" rx="4"/>'
        '<rect class="had" x="{start}" y="{y}" width="{had}" height="22"/>'
        '<rect class="cost" x="{middle}" y="{y}" width="{cost}" height="22"/>'
        '<text class="sum" x="{start}" y="{t3}">{before} + {points} = {total} ({reason})</text>'
        '<text class="room" x="640" y="{t1}">{room}</text></g>'
    ).format(
        state=one.state, seat=one.seat, name=name, start=start, middle=middle, y=y, width=WIDTH,
        had=middle - start, cost=end - middle, t1=y + 15, t2=y + 31, t3=y + 34,
        before=one.before, points=one.points, total=one.total, reason=one.reason, room=room,
    )  # fmt: skip
