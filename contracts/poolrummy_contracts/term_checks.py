"""Which terms contradict themselves or cannot be played: every contradiction, each naming the key and the mend."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from poolrummy_contracts.findings import Finding
from poolrummy_contracts.setting_sheet import RANGES, WORD_RANGES, legal, word_of, written
from poolrummy_contracts.terms import Terms, WordWithNumber

_CURRENCY: Final = re.compile(r"practice|[A-Z]{3}")
_PROFILE: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def check(terms: Terms, *, spoiled: frozenset[str] = frozenset()) -> tuple[Finding, ...]:
    """Everything that is wrong with these terms; nothing is said about what hangs on a ``spoiled`` key."""
    found = [finding for finding in _out_of_range(terms) if finding.key not in spoiled]
    spoiled |= {finding.key for finding in found}
    for keys, find in _CONTRADICTIONS:
        if spoiled.isdisjoint(keys):
            found.extend(find(terms))
    return tuple(found)


def _out_of_range(terms: Terms) -> Iterator[Finding]:
    for key, (low, high) in RANGES.items():
        value: object = getattr(terms, key)
        if isinstance(value, int) and (not low <= value <= high or (key == "rejoin_offset" and value == 0)):
            yield Finding(key, written(value), "this number is out of range", f"use {legal(key)}")
    for key in ("auto_drop_points", "disconnection_policy", "no_turn_points", "rejoin_fee"):
        word: object = getattr(terms, key)
        if isinstance(word, WordWithNumber):
            low, high = WORD_RANGES[word_of(word)]
            if not low <= word.n <= high:
                yield Finding(key, written(word), "this number is out of range", f"use {low} to {high}")
    if not _CURRENCY.fullmatch(terms.currency):
        yield Finding("currency", terms.currency, "this is no currency", "use practice or an ISO 4217 code such as INR")
    if not _PROFILE.fullmatch(terms.profile):
        yield Finding("profile", terms.profile, "this is no name", "use up to 64 of a-z 0-9 _ -, a letter first")
    seats = terms.seats_allowed
    if not seats or not all(2 <= each <= 6 for each in seats) or list(seats) != sorted(set(seats)):
        yield Finding("seats_allowed", written(seats), "table sizes are 2 to 6, each once, ascending", "use [2, 6]")
    if any(not 0 <= share <= 10_000 for share in terms.prize_shares_bp):
        shares = written(terms.prize_shares_bp)
        yield Finding("prize_shares_bp", shares, "a share is 0 to 10000 basis points", "use [10000] or [7000, 3000]")


def _pack(terms: Terms) -> Iterator[Finding]:
    cards = terms.decks * (52 + terms.printed_jokers_per_deck)
    needed = 13 * terms.seats + 3
    if cards < needed:
        yield Finding(
            "decks",
            written(terms.decks),
            f"the pack has {cards} cards, and {terms.seats} seats need {needed}: 13 each, the wild card, the open card "
            "and one card of stock",
            "use more decks or fewer seats",
        )


def _seats(terms: Terms) -> Iterator[Finding]:
    if terms.seats not in terms.seats_allowed:
        sizes = ", ".join(map(str, terms.seats_allowed))
        yield Finding("seats", written(terms.seats), "no table of these rules has this size", f"use one of: {sizes}")


def _min_to_start(terms: Terms) -> Iterator[Finding]:
    if terms.min_to_start > terms.seats:
        yield Finding(
            "min_to_start",
            written(terms.min_to_start),
            f"a table of {terms.seats} seats would never start",
            f"use 2 to {terms.seats}",
        )


def _wild_and_open_card(terms: Terms) -> Iterator[Finding]:
    if terms.wild_draw_point == "before_deal" and terms.open_card_point == "before_wild":
        yield Finding(
            "open_card_point",
            "before_wild",
            "the open card is turned after the deal, so it cannot come before a wild card turned before the deal",
            "use after_wild, or wild_draw_point = after_deal",
        )


def _drop_points(terms: Terms) -> Iterator[Finding]:
    first, middle = terms.first_drop_points, terms.middle_drop_points
    if terms.voluntary_drop != "none":
        for key, points in (("first_drop_points", first), ("middle_drop_points", middle)):
            if points == "none":
                why = f"voluntary_drop is {terms.voluntary_drop}, so a drop needs its points"
                yield Finding(key, "none", why, "give a number, or use voluntary_drop = none")
    if isinstance(first, int) and isinstance(middle, int) and first > middle:
        why = f"a first drop costs more than a middle drop ({middle})"
        yield Finding("first_drop_points", written(first), why, f"use at most {middle}")


def _auto_drop(terms: Terms) -> Iterator[Finding]:
    needs_first = terms.auto_drop_points == "as_drop" and terms.first_drop_points == "none"
    needs_middle = terms.auto_drop_points in {"as_drop", "middle_drop"} and terms.middle_drop_points == "none"
    if needs_first or needs_middle:
        yield Finding(
            "auto_drop_points",
            written(terms.auto_drop_points),
            "this variant has no drop points",
            "use full_count or { points = n }, or give the drop points",
        )


def _no_turn(terms: Terms) -> Iterator[Finding]:
    if terms.no_turn_points == "first_drop" and terms.first_drop_points == "none":
        yield Finding(
            "no_turn_points",
            "first_drop",
            "this variant has no first drop",
            "use count, half_count, { points = n } or { at_most = n }, or give first_drop_points",
        )


def _rejoin_threshold(terms: Terms) -> Iterator[Finding]:
    limit, threshold = terms.limit, terms.rejoin_threshold
    if not terms.rejoin_enabled or limit == "none":
        return
    highest_in = limit - 1 if terms.elimination_cmp == "gte" else limit
    allowed = highest_in if threshold == "none" else threshold - (terms.rejoin_cmp == "lt")
    back = allowed + terms.rejoin_offset
    if back > highest_in:
        room = highest_in - terms.rejoin_offset + (terms.rejoin_cmp == "lt")
        yield Finding(
            "rejoin_threshold",
            written(threshold),
            f"a seat could come back on {back}, which is out at once (limit {limit})",
            f"use at most {room}" + ("" if terms.rejoin_offset < 0 else ", or rejoin_offset = -1"),
        )


def _switches(terms: Terms) -> Iterator[Finding]:
    without = "this variant has no limit"
    if terms.limit == "none":
        if terms.rejoin_enabled:
            yield Finding("rejoin_enabled", "true", f"{without}, so nobody is ever out", "use false")
        if terms.split_formula == "drops":
            yield Finding(
                "split_formula", "drops", f"{without}, so drops cannot be counted", "use off, equal or agreed"
            )
        if terms.auto_split != "off":
            yield Finding("auto_split", terms.auto_split, f"{without}, so drops cannot be counted", "use off")
        return
    if terms.first_drop_points == "none":
        if terms.split_formula == "drops":
            why = "first_drop_points is none, so drops cannot be counted"
            yield Finding("split_formula", "drops", why, "use off, equal or agreed, or give first_drop_points")
        if terms.auto_split != "off":
            why = "first_drop_points is none, so drops cannot be counted"
            yield Finding("auto_split", terms.auto_split, why, "use off, or give first_drop_points")


def _limit(terms: Terms) -> Iterator[Finding]:
    if (terms.limit == "none") != (terms.variant == "best_of_3"):
        why = "best of 3 has no limit" if terms.variant == "best_of_3" else f"the {terms.variant} pool needs a limit"
        yield Finding(
            "limit", written(terms.limit), why, "use none" if terms.variant == "best_of_3" else "give a number"
        )


def _prize_shares(terms: Terms) -> Iterator[Finding]:
    shares = terms.prize_shares_bp
    if sum(shares) != 10_000:
        why = f"the shares sum to {sum(shares)}, not to 10000"
        yield Finding("prize_shares_bp", written(shares), why, "change them so that they sum to 10000")


def _prize_places(terms: Terms) -> Iterator[Finding]:
    shares = terms.prize_shares_bp
    if len(shares) > terms.seats:
        why = f"there are {len(shares)} shares and {terms.seats} seats"
        yield Finding("prize_shares_bp", written(shares), why, f"give at most {terms.seats} shares")


def _rejoin_payment(terms: Terms) -> Iterator[Finding]:
    if terms.rejoin_payment == "none" and terms.currency != "practice":
        why = f"the table plays for {terms.currency}: somebody must answer for the price of a rejoin"
        yield Finding("rejoin_payment", "none", why, "use cashier, or currency = practice")


def _deals(terms: Terms) -> Iterator[Finding]:
    if terms.limit == "none":
        if terms.deals == "none":
            yield Finding("deals", "none", "without a limit and without a number of deals a match never ends", "use 3")
        return
    for key, value in (("deals", terms.deals), ("early_end_lead", terms.early_end_lead)):
        if value != "none":
            yield Finding(key, written(value), f"a pool ends at its limit ({terms.limit}), not after deals", "use none")


def _three_left(terms: Terms) -> Iterator[Finding]:
    if terms.split_three_left_needs_started < terms.split_min_started:
        yield Finding(
            "split_three_left_needs_started",
            written(terms.split_three_left_needs_started),
            f"no split at all is possible below split_min_started ({terms.split_min_started})",
            f"use at least {terms.split_min_started}, or lower split_min_started",
        )


_CONTRADICTIONS: Final[tuple[tuple[frozenset[str], Callable[[Terms], Iterator[Finding]]], ...]] = (
    (frozenset({"decks", "printed_jokers_per_deck", "seats"}), _pack),
    (frozenset({"seats", "seats_allowed"}), _seats),
    (frozenset({"min_to_start", "seats"}), _min_to_start),
    (frozenset({"wild_draw_point", "open_card_point"}), _wild_and_open_card),
    (frozenset({"voluntary_drop", "first_drop_points", "middle_drop_points"}), _drop_points),
    (frozenset({"auto_drop_points", "first_drop_points", "middle_drop_points"}), _auto_drop),
    (frozenset({"no_turn_points", "first_drop_points"}), _no_turn),
    (
        frozenset({"rejoin_enabled", "limit", "elimination_cmp", "rejoin_threshold", "rejoin_cmp", "rejoin_offset"}),
        _rejoin_threshold,
    ),
    (frozenset({"limit", "rejoin_enabled", "split_formula", "auto_split", "first_drop_points"}), _switches),
    (frozenset({"limit", "variant"}), _limit),
    (frozenset({"prize_shares_bp"}), _prize_shares),
    (frozenset({"prize_shares_bp", "seats"}), _prize_places),
    (frozenset({"rejoin_payment", "currency"}), _rejoin_payment),
    (frozenset({"deals", "early_end_lead", "limit"}), _deals),
    (frozenset({"split_three_left_needs_started", "split_min_started"}), _three_left),
)
"""Each with the settings it looks at."""
