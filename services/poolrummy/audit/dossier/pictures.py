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


WIDTH, ROW, BAR = 440, 44, 18


def bars(found: Iterable[TotalBar], limit: int | None) -> Markup:
    """Each seat against the limit: what it had, what the deal cost, how much room is left."""
    rows = list(found)
    top = max([limit or 0, *(one.total for one in rows), 1])
    height = ROW * len(rows) + 18
    parts = [_bar(one, ROW * place, top) for place, one in enumerate(rows)]
    if limit is not None:
        x = limit * WIDTH // top
        parts += [_limit_mark(x, ROW * place + 14) for place in range(len(rows))]
        text = Markup('<text class="limit" x="{}" y="{}" text-anchor="{}">limit {}</text>')
        parts.append(text.format(x, height - 4, "end" if x > WIDTH - 40 else "middle", limit))
    title = "; ".join(f"seat {one.seat}: {one.arithmetic}" for one in rows)
    return Markup(
        '<svg class="bars" viewBox="-1 0 {} {}" role="img" aria-label="Totals after this deal. {}">{}</svg>'
    ).format(WIDTH + 2, height, title, Markup("").join(parts))


def _limit_mark(x: int, y: int) -> Markup:
    return Markup('<line class="limit" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>').format(x, y, y + BAR + 6)


def _bar(one: TotalBar, y: int, top: int) -> Markup:
    middle, end = one.before * WIDTH // top, one.total * WIDTH // top
    room = "" if one.headroom is None else ("out" if one.state == "out" else f"room {one.headroom}")
    shown = visible(one.player)
    name = shown if len(shown) <= 14 else shown[:13] + "…"
    return Markup(
        '<g class="{state}"><text y="{text}"><tspan class="who">Seat {seat}</tspan> <tspan class="name">{name}</tspan> '
        "{before} + {points} = {total} ({reason})</text>"
        '<text class="room" x="{width}" y="{text}">{room}</text>'
        '<rect class="track" y="{y}" width="{width}" height="{bar}" rx="3"/>'
        '<rect class="had" y="{y}" width="{middle}" height="{bar}"/>'
        '<rect class="cost" x="{middle}" y="{y}" width="{cost}" height="{bar}"/></g>'
    ).format(
        state=one.state,
        seat=one.seat,
        name=name,
        before=one.before,
        points=one.points,
        total=one.total,
        reason=one.reason,
        room=room,
        width=WIDTH,
        bar=BAR,
        y=y + 17,
        text=y + 12,
        middle=middle,
        cost=end - middle,
    )
