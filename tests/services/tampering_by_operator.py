"""Kinds of manipulation by who runs the platform and holds the key that signs its logs: only the rules can show them.

Everything is made to fit (versions, chain, root), and the whole log is signed anew with the key that everybody trusts.
The kinds are of the corpus as well (`tampering.KINDS`), where the auditor's own checkpoints show them too.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from itertools import pairwise
from random import Random
from typing import Final

from poolrummy.rules.clocks import LATE_MS_MAX

from .signed_matches import NOTARY
from .tampering import KINDS, File, Json, Tampered, canonical, kind, one_of, signed_anew

DEADLINES: Final = ("ends_at", "starts_at", "fill_until")

NOT_IN_A_LOG: Final = {
    "time of an event": "a stamp that breaks no rule is the operator's word; only checkpoints handed out speak",
    "checkpoints taken away": "signed anew",
    "last checkpoint taken away": "signed anew",
    "byte of a checkpoint": "signed anew",
    "checkpoint of another table": "signed anew",
    "cut of the tail": "an open table looks like that; checkpoints that were handed out say otherwise",
    "fork signed anew": "the time of an event",
    "byte of a chain hash": "made to fit",
    "event twice": "made to fit: move twice",
    "torn file": "a file, not a log",
    "byte of the file": "a file, not a log",
}
"""What the rules alone do not show when all is signed anew, and why."""


def by_the_operator(case: Tampered) -> bytes | None:
    """The same manipulation, signed with the key that everybody trusts; None where bytes are no events any more."""
    try:
        file = File(case.content)
        return signed_anew(File(file.rebuilt()), NOTARY)
    except (ValueError, KeyError):
        return None


def table_of(file: File) -> Json:
    return file.told[0]["terms"]


def steps_of_the_clock(file: File) -> list[int]:
    """Where a step of the clock begins: the first of the events that it led to."""
    told = file.told
    return [
        at
        for at in file.indexes(
            "turn-missed", "card-returned", "card-discarded", "declare-window-closed", "rejoin-closed"
        )
        if told[at]["actor"] == "timer" and told[at - 1]["actor"] != "timer"
    ]


def moved(event: Json, ms: int) -> None:
    """Later by so many milliseconds, with what it says of later times."""
    for name in ("at", *DEADLINES):
        if name in event:
            event[name] += ms


# -- pauses


def pause(before: Json, after: Json, ms: int) -> Json:
    """A pause that is told between two events."""
    names = ("deal", "table", "turn")
    told = {name: before[name] for name in names if name in before}
    return told | {
        "type": "clocks-shifted",
        "actor": "system",
        "rule": "4.9",
        "at": after["at"],
        "ms": ms,
        "reason": "x",
    }


@kind
def invented_pause(file: File, dice: Random, other: File):
    at = one_of(file, dice, "turn-started", "finish-called", "rejoin-offered")
    if at is None or at + 1 == len(file.told):
        return None
    before, after = file.told[at : at + 2]
    file.told.insert(at + 1, pause(before, after, after["at"] - before["at"] + dice.randrange(1, 60_000)))
    return file.rebuilt(), at + 2


@kind
def pause_too_long(file: File, dice: Random, other: File):
    at = one_of(file, dice, "clocks-shifted")
    if at is None:
        return None
    silence_ms = file.told[at]["at"] - file.told[at - 1]["at"]
    file.told[at]["ms"] = silence_ms + dice.randrange(1, 60_000)
    return file.rebuilt(), at + 1


def outlasted(file: File, dice: Random) -> tuple[int, int] | None:
    """A pause that was longer than what the clock before it had left, and for how long it outlasted that."""
    found: list[tuple[int, int]] = []
    ends = 0
    for at, event in enumerate(file.told):
        ends = next((event[name] for name in DEADLINES if name in event), ends) + event.get("bank_ms", 0)
        if event["type"] == "clocks-shifted":
            over_ms = event["at"] - ends - table_of(file)["late_grace_ms"]
            if over_ms > LATE_MS_MAX + 1:
                found.append((at, over_ms))
            ends += event["ms"]
        if event["type"] == "table-unfrozen":
            ends += event["ms"]
    return dice.choice(found) if found else None


@kind
def pause_too_short(file: File, dice: Random, other: File):
    """The player is left with a clock that was over before the pause is said to have begun."""
    found = outlasted(file, dice)
    if found is None:
        return None
    at, over_ms = found
    file.told[at]["ms"] = dice.randrange(1, over_ms - LATE_MS_MAX)
    return file.rebuilt(), at + 1


@kind
def pause_left_out(file: File, dice: Random, other: File):
    """What happened after it stands there as if nobody had been away."""
    found = outlasted(file, dice)
    if found is None:
        return None
    del file.told[found[0]]
    return file.rebuilt(), found[0] + 1


# -- clocks


@kind
def clock_that_acts_late(file: File, dice: Random, other: File):
    """A timeout waits until it suits somebody, and everything after it comes later."""
    steps = steps_of_the_clock(file)
    if not steps:
        return None
    at, late_ms = dice.choice(steps), LATE_MS_MAX + dice.randrange(1, 60_000)
    for event in file.told[at:]:
        moved(event, late_ms)
    return file.rebuilt(), at + 1


@kind
def clock_that_acts_early(file: File, dice: Random, other: File):
    steps = steps_of_the_clock(file)
    steps = [at for at in steps if file.told[at]["at"] - file.told[at - 1]["at"] > 500]
    if not steps:
        return None
    at = dice.choice(steps)
    for event in file.told[at:]:
        moved(event, -dice.randrange(1, 400) if event is file.told[at] else 0)
    same = [event for event in file.told[at : at + 12] if event["at"] - file.told[at]["at"] < 400]
    for event in same:
        event["at"] = file.told[at]["at"]
    return file.rebuilt(), at + 1


@kind
def late_move_before_the_timeout(file: File, dice: Random, other: File):
    """The player's move after the time was over counts, and the timeout is put behind it."""
    steps = [at for at in steps_of_the_clock(file) if file.told[at]["type"] == "turn-missed"]
    if not steps:
        return None
    at = dice.choice(steps)
    missed = file.told[at]
    drawn = next((one for one in file.told[at:] if one["type"] == "card-drawn" and one["source"] == "stock"), None)
    if drawn is None or drawn["deal"] != missed["deal"]:
        return None
    late_ms = dice.randrange(2, 900)
    move = {name: missed[name] for name in ("deal", "table", "turn", "seat")}
    move |= {"type": "card-drawn", "actor": "player", "cause": "late.1", "rule": "4.2", "source": "stock"}
    file.told.insert(at, move | {"at": missed["at"] + late_ms, "position": drawn["position"]})
    for event in file.told[at + 1 :]:
        moved(event, late_ms)
    return file.rebuilt(), at + 1


@kind
def time_bank_filled_up(file: File, dice: Random, other: File):
    at = one_of(file, dice, "turn-started")
    if at is None:
        return None
    file.told[at]["bank_ms"] += dice.choice((1, 500, 5000))
    return file.rebuilt(), at + 1


# -- who did what


@kind
def clock_in_place_of_a_player(file: File, dice: Random, other: File):
    """A move that a player made is said to be the platform's."""
    at = one_of(file, dice, "card-drawn", "card-discarded", "finish-called", "split-voted")
    if at is None or file.told[at]["actor"] != "player":
        return None
    file.told[at]["actor"] = "timer"
    del file.told[at]["cause"]
    return file.rebuilt(), at + 1


@kind
def player_in_place_of_the_clock(file: File, dice: Random, other: File):
    """A timeout is said to be what the player wanted."""
    steps = steps_of_the_clock(file)
    if not steps:
        return None
    at = dice.choice(steps)
    file.told[at] |= {"actor": "player", "cause": "x.1"}
    return file.rebuilt(), at + 1


@kind
def commands_in_another_order(file: File, dice: Random, other: File):
    """Two moves change places and keep their times."""
    pairs = [
        at
        for at in file.indexes("card-drawn")
        if at + 1 < len(file.told) and file.told[at + 1]["type"] in {"card-discarded", "finish-called"}
    ]
    at = dice.choice(pairs)
    one, two = file.told[at], file.told[at + 1]
    one["at"], two["at"] = two["at"], one["at"]
    file.told[at], file.told[at + 1] = two, one
    return file.rebuilt(), at + 1


@kind
def command_that_acts_twice(file: File, dice: Random, other: File):
    """The id of a command that was carried out stands behind another act as well."""
    moves = [at for at in file.indexes("card-drawn", "card-discarded") if file.told[at]["actor"] == "player"]
    found = [(one, two) for one, two in pairwise(moves) if file.told[one]["deal"] == file.told[two]["deal"]]
    if not found:
        return None
    one, two = dice.choice(found)
    before = file.told[two]["cause"]
    for event in file.told[two:]:
        if event.get("cause") == before:
            event["cause"] = file.told[one]["cause"]
    return file.rebuilt(), two + 1


@kind
def robot_with_a_seat_for_money(file: File, dice: Random, other: File):
    """The table was for money all along, and nobody said that some who sat there were robots."""
    terms = table_of(file)
    terms |= {"currency": "INR", "rejoin_payment": "cashier"}
    file.told[0]["terms_hash"] = sha256(canonical(terms)).hexdigest()
    return file.rebuilt(), file.indexes("seat-taken")[0] + 1


# -- money


@kind
def rake_of_one_more(file: File, dice: Random, other: File):
    """Each entry gives one paisa more to the house, and everything that follows sums."""
    fees = [one for one in file.told[file.indexes("match-started")[0]]["obligations"] if one["kind"] == "entry-fee"]
    at = file.indexes("match-started")[0]
    event = file.told[at]
    entries = [one for one in event["obligations"] if one["kind"] == "entry"]
    if not fees:
        return None
    for one in (*entries, *fees):
        one["amount"] += 1 if one["kind"] == "entry-fee" else -1
    lost = len(entries)
    for later in file.told[at:]:
        if "prize_pool" in later:
            later["prize_pool"] -= lost
        if later["type"] == "match-ended" and later["how"] != "split":
            winner = max(later["places"], key=lambda one: one["prize"])
            winner["prize"] -= lost
            next(one for one in later["obligations"] if one["seat"] == winner["seat"])["amount"] -= lost
    return file.rebuilt(), at + 1


def obligation(file: File, dice: Random, change: Callable[[list[Json], Random], object]):
    at = one_of(file, dice, "match-started", "rejoin-granted", "match-ended", "match-voided")
    if at is None or not file.told[at].get("obligations"):
        return None
    change(file.told[at]["obligations"], dice)
    return file.rebuilt(), at + 1


@kind
def obligation_left_out(file: File, dice: Random, other: File):
    return obligation(file, dice, lambda owed, dice: owed.pop(dice.randrange(len(owed))))


@kind
def obligation_twice(file: File, dice: Random, other: File):
    return obligation(file, dice, lambda owed, dice: owed.insert(0, deepcopy(dice.choice(owed))))


# -- seats


def renamed(event: Json, one: int, two: int) -> Json:
    """The same event with two seats changed for one another, wherever they are named."""
    names = {one: two, two: one}
    text = json.loads(json.dumps(event))

    def change(part: object, name: str = "") -> object:
        if isinstance(part, dict):
            return {key: change(value, key) for key, value in part.items()}
        if isinstance(part, list):
            return [change(value, name) for value in part]
        seats = name in {"seat", "winner", "dealer", "order", "seats", "invited"}
        return names.get(part, part) if seats and isinstance(part, int) else part

    return change(text)  # type: ignore[return-value]  # a dict goes in


@kind
def seats_changed_between_deals(file: File, dice: Random, other: File):
    """From a deal on two players have each other's seat, with everything that happens to it."""
    at = one_of(file, dice, "deal-started")
    if at is None:
        return None
    one, two = dice.sample(file.told[at]["order"], 2)
    file.told[at:] = [renamed(event, one, two) for event in file.told[at:]]
    return file.rebuilt(), at + 1


@kind
def another_lot(file: File, dice: Random, other: File):
    """Who asked for any seat got one that was not drawn; everything is played from there."""
    drawn = [at for at in file.indexes("seat-taken") if "drawn" in file.told[at]]
    if not drawn:
        return None
    at = dice.choice(drawn)
    one = file.told[at]["seat"]
    free = set(range(1, table_of(file)["seats"] + 1)) - {one}
    free -= {event["seat"] for event in file.told[:at] if event["type"] == "seat-taken"}
    if not free:
        return None
    two = dice.choice(sorted(free))
    file.told[at:] = [renamed(event, one, two) for event in file.told[at:]]
    return file.rebuilt(), at + 1


@kind
def lot_that_is_called_a_choice(file: File, dice: Random, other: File):
    """A draw out of turn: the number of the draw is another one, so that another seat comes out."""
    drawn = [at for at in file.indexes("seat-taken") if "drawn" in file.told[at]]
    if not drawn:
        return None
    at = dice.choice(drawn)
    file.told[at]["drawn"] += dice.choice((1, 2))
    return file.rebuilt(), at + 1


SEEN_LATER: Final = ("player of a seat", "promise of a seat", "terms with their hash")
"""What stands at the beginning is contradicted by what follows from it: the first event that does is named."""

SECOND_LEAVES_OUT: Final = {
    "rule": "which paragraph is named",
    "actor": "which author is named, where no clock runs",
    "byte of an event": "whatever else it leaves out",
    "sealed seeds": "what is sealed",
    "root of the promises": "what is sealed, as long as no pack is shuffled by it",
    "command that acts twice": "whether something else had to happen",
    "drop of an event": "whether something else had to happen",
    "swap of neighbours": "whether something else had to happen",
    "verdict on a show": "why a show is wrong",
}
"""Kinds of which the second verifier may accept some, as it says itself."""

OPERATOR_KINDS: Final = tuple(name for name in KINDS if name not in NOT_IN_A_LOG)
