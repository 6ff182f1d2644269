"""Kinds of manipulation of a bundle, each at a random place: what the audit and the second verifier must not accept.

Three kinds of attackers. One changes stored bytes. One rebuilds everything that needs no key: versions, chain, root,
manifest, hash of the file. One signs with a key of his own. ``Tampered.v`` is the first event that is not what it was.
"""

import json
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any, Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from poolrummy.fairness.checkpoint import SIGNER, Checkpoint, signed
from poolrummy.fairness.log_tree import LogTree, leaf_of
from poolrummy.fairness.notary_keys import written
from poolrummy.fairness.signed_note import public_of
from poolrummy_contracts.envelope import chain_next, chain_start

Json = dict[str, Any]
FORGER: Final = Ed25519PrivateKey.generate()


class Tampered(NamedTuple):
    """A bundle that is not what was written."""

    kind: str
    content: bytes
    v: int | None
    """The first event that differs; None where no event does."""


class File:
    """A bundle, taken apart."""

    def __init__(self, content: bytes) -> None:
        self.lines: list[Json] = [json.loads(line) for line in content.splitlines()]
        self.events = [line for line in self.lines if line["type"] == "event"]
        self.told: list[Json] = [json.loads(line["stored"]) for line in self.events]

    @property
    def table(self) -> str:
        return self.lines[0]["table"]

    def of(self, kind: str) -> list[Json]:
        return [line for line in self.lines if line["type"] == kind]

    def indexes(self, *kinds: str) -> list[int]:
        return [at for at, event in enumerate(self.told) if event["type"] in kinds]

    def raw(self) -> bytes:
        """The file with these lines; its own hash is made anew."""
        first = next((at for at, line in enumerate(self.lines) if line["type"] == "event"), 0)
        rest = [line for line in self.lines if line["type"] not in {"event", "end"}]
        before = [line for line in self.lines[:first] if line in rest]
        after = [line for line in rest if line not in before]
        body = b"".join(canonical(line) + b"\n" for line in (*before, *self.events, *after))
        end = {"type": "end", "lines": len(before) + len(self.events) + len(after), "sha256": sha256(body).hexdigest()}
        return body + canonical(end) + b"\n"

    def rebuilt(self) -> bytes:
        """Everything that needs no key is made to fit what is told."""
        chain, tree, lines = chain_start(self.table), LogTree(), []
        for v, event in enumerate(self.told, start=1):
            event["v"] = v
            stored = canonical(event)
            chain = chain_next(chain, stored)
            tree.grow(leaf_of(stored))
            lines.append({"type": "event", "v": v, "stored": stored.decode(), "chain": chain.hex()})
        self.events = lines
        self.lines[0] |= {"events": len(lines), "chain": chain.hex(), "root": tree.root.hex()}
        for line in self.of("terms"):
            line["terms"], line["hash"] = self.told[0]["terms"], self.told[0]["terms_hash"]
        return self.raw()


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


Kind = Callable[[File, Random, File], "tuple[bytes, int | None] | None"]
KINDS: dict[str, Kind] = {}
"""Name to the act; it answers the bytes and the first event concerned, or None where the match gives no occasion."""


def kind(act: Kind) -> Kind:
    KINDS[act.__name__.replace("_", " ").strip()] = act
    return act


def tampered(name: str, content: bytes, dice: Random, other: bytes) -> Tampered | None:
    """The bundle after one manipulation; None where there was no occasion, or nothing changed by it."""
    found = KINDS[name](File(content), dice, File(other))
    return None if found is None or found[0] == content else Tampered(name, *found)


# -- stored bytes change


@kind
def byte_of_an_event(file: File, dice: Random, other: File):
    at = dice.randrange(len(file.events))
    stored = bytearray(file.events[at]["stored"].encode())
    place = dice.randrange(len(stored))
    stored[place] = dice.choice([code for code in range(32, 127) if code != stored[place]])
    file.events[at]["stored"] = stored.decode()
    return file.raw(), at + 1


@kind
def byte_of_a_chain_hash(file: File, dice: Random, other: File):
    at = dice.randrange(len(file.events))
    file.events[at]["chain"] = flipped(file.events[at]["chain"], dice)
    return file.raw(), at + 1


@kind
def drop_of_an_event(file: File, dice: Random, other: File):
    at = dice.randrange(len(file.events) - 1)
    del file.events[at]
    return file.raw(), at + 1


@kind
def swap_of_neighbours(file: File, dice: Random, other: File):
    at = dice.randrange(len(file.events) - 1)
    file.events[at], file.events[at + 1] = file.events[at + 1], file.events[at]
    return file.raw(), at + 1


@kind
def event_twice(file: File, dice: Random, other: File):
    at = dice.randrange(len(file.events))
    file.events.insert(at + 1, dict(file.events[at]))
    return file.raw(), at + 2


@kind
def cut_of_the_tail(file: File, dice: Random, other: File):
    at = dice.randrange(1, len(file.events))
    file.events = file.events[:at]
    return file.raw(), at + 1


@kind
def splice_of_two_matches(file: File, dice: Random, other: File):
    at = dice.randrange(2, min(len(file.events), len(other.events)))
    file.events = file.events[:at] + other.events[at:]
    return file.raw(), at + 1


@kind
def reversed_stretch(file: File, dice: Random, other: File):
    at = dice.randrange(len(file.events) - 4)
    file.events[at : at + 4] = file.events[at : at + 4][::-1]
    return file.raw(), at + 1


@kind
def torn_file(file: File, dice: Random, other: File):
    content = file.raw()
    head = len(canonical(file.lines[0])) + 1
    cut = content[: dice.randrange(head, len(content) - 1)]
    whole = [line for line in cut.splitlines(keepends=True) if line.endswith(b"\n")]
    events = sum(b'"type":"event"' in line for line in whole)
    return cut, events + 1 if events < len(file.events) else None


@kind
def byte_of_the_file(file: File, dice: Random, other: File):
    content = bytearray(file.raw())
    place = dice.randrange(len(canonical(file.lines[0])) + 1, len(content))
    content[place] ^= 1 << dice.randrange(5)
    return bytes(content), None


# -- rebuilt without a key: everything fits but the signatures and the rules


def changed(file: File, at: int, change: Callable[[Json], None]):
    before = canonical(file.told[at])
    change(file.told[at])
    return (file.rebuilt(), at + 1) if canonical(file.told[at]) != before else None


def one_of(file: File, dice: Random, *kinds: str) -> int | None:
    found = file.indexes(*kinds)
    return dice.choice(found) if found else None


def field(name: str, kinds: tuple[str, ...], value: Callable[[Any, Random], Any]) -> Kind:
    """Another value in one field of an event."""

    def act(file: File, dice: Random, other: File):
        at = one_of(file, dice, *kinds)
        if at is None or name not in file.told[at]:
            return None
        return changed(file, at, lambda event: event.update({name: value(event[name], dice)}))

    return act


def more(value: int, dice: Random) -> int:
    return value + dice.choice((-1, 1, 5, 20))


def another_seat(value: int, dice: Random) -> int:
    return dice.choice([seat for seat in range(1, 5) if seat != value])


def another_card(value: str, dice: Random) -> str:
    return dice.choice([card for card in ("AS", "7D", "QH", "2C", "JK") if card != value])


def flipped(text: str, dice: Random) -> str:
    place = dice.randrange(len(text))
    return (
        text[:place] + dice.choice([digit for digit in "0123456789abcdef" if digit != text[place]]) + text[place + 1 :]
    )


def in_part(part: str, name: str, kinds: tuple[str, ...], value: Callable[[Any, Random], Any]) -> Kind:
    """Another value in one of the parts of an event."""

    def act(file: File, dice: Random, other: File):
        at = one_of(file, dice, *kinds)
        if at is None or not file.told[at].get(part):
            return None
        chosen = file.told[at][part]
        one = chosen if isinstance(chosen, dict) else dice.choice(chosen)
        return changed(file, at, lambda event: one.update({name: value(one[name], dice)}))

    return act


ANY: Final = ("card-drawn", "card-discarded", "turn-started", "hand-counted", "deal-scored", "seat-taken")
KINDS |= {
    "time of an event": field("at", ANY, lambda value, dice: value + dice.choice((-700, 1, 40))),
    "actor": field("actor", ANY, lambda value, dice: "timer" if value != "timer" else "player"),
    "rule": field("rule", ANY, lambda value, dice: "4.8"),
    "seat that drew": field("seat", ("card-drawn",), another_seat),
    "position that was drawn": field("position", ("card-drawn",), lambda value, dice: f"0-{dice.randrange(106)}"),
    "face of a discard": field("card", ("card-discarded",), another_card),
    "position of a discard": field("position", ("card-discarded",), lambda value, dice: f"0-{dice.randrange(106)}"),
    "end of a turn": field("ends_at", ("turn-started", "finish-called"), lambda value, dice: value + 1000),
    "price of a drop": field("points", ("seat-dropped",), more),
    "points of a deal": in_part("scores", "points", ("deal-scored",), more),
    "total": in_part("scores", "total", ("deal-scored",), more),
    "winner of a deal": field("winner", ("deal-scored",), another_seat),
    "prize": in_part("places", "prize", ("match-ended",), more),
    "place": in_part("places", "place", ("match-ended",), more),
    "who is owed": in_part("obligations", "seat", ("match-ended", "match-started"), another_seat),
    "what is owed": in_part("obligations", "amount", ("match-ended", "match-started", "rejoin-granted"), more),
    "prize pool": field("prize_pool", ("match-started", "rejoin-granted"), more),
    "score of a rejoin": field("score", ("rejoin-granted",), more),
    "share of a split": in_part("shares", "amount", ("split-asked",), more),
    "total at elimination": field("total", ("seat-eliminated",), more),
    "count of a hand": field("counted", ("hand-counted",), more),
    "charge of a hand": field("points", ("hand-counted",), more),
    "raw count of a hand": field("raw", ("hand-counted",), more),
    "seed of the toss": field("seed", ("toss-drawn",), flipped),
    "root of a pack": in_part("pack", "root", ("deal-started", "toss-drawn"), flipped),
    "transcript of a pack": in_part("pack", "transcript", ("deal-started",), flipped),
    "hash of a promised seed": in_part("proof", "leaf", ("deal-started", "toss-drawn"), flipped),
    "index of a promised seed": in_part("proof", "index", ("deal-started",), lambda value, dice: value + 1),
    "root of the promises": field("root", ("seeds-committed",), flipped),
    "wild card": in_part("wild", "card", ("deal-started",), another_card),
    "first open card": in_part("open", "card", ("deal-started",), another_card),
    "seed of a seat": field("seed", ("seat-seed-revealed",), flipped),
    "promise of a seat": field("commitment", ("seat-seed-committed",), flipped),
    "limit without its hash": in_part(
        "terms", "limit", ("table-opened",), lambda value, dice: 51 if value != 51 else 61
    ),
    "face in a show": in_part("hand", "card", ("show-declared", "hand-laid-open"), another_card),
    "player of a seat": field("player", ("seat-taken",), lambda value, dice: f"{value}x"),
}


@kind
def verdict_on_a_show(file: File, dice: Random, other: File):
    at = one_of(file, dice, "show-judged")
    if at is None:
        return None
    wrong = {"valid": False, "reason": "no_pure_sequence", "points": 80, "rule": "6.5"}
    right = {"valid": True, "reason": "ok", "points": 0, "rule": "6.2"}
    return changed(file, at, lambda event: event.update(wrong if event["valid"] else right))


@kind
def group_of_a_count(file: File, dice: Random, other: File):
    at = one_of(file, dice, "hand-counted")
    if at is None or not file.told[at]["leftover"]:
        return None
    event = file.told[at]
    group = {"kind": "set", "cards": event["leftover"][:3], "stands_for": event["leftover"][:3]}
    return changed(
        file, at, lambda event: event.update({"groups": [*event["groups"], group], "leftover": event["leftover"][3:]})
    )


@kind
def terms_with_their_hash(file: File, dice: Random, other: File):
    terms = file.told[0]["terms"]
    name = dice.choice(("full_count_cap", "wrong_show_points", "turn_ms", "entry_fee", "rejoin_offset"))
    terms[name] += 1 if name != "entry_fee" else 100
    file.told[0]["terms_hash"] = sha256(canonical(terms)).hexdigest()
    return file.rebuilt(), 1


@kind
def sealed_seeds(file: File, dice: Random, other: File):
    at = file.indexes("seeds-committed")[0]
    blob = b64encode(dice.randbytes(300)).decode()
    return changed(file, at, lambda event: event["sealed"].update({"blob": blob}))


@kind
def orphan_promise(file: File, dice: Random, other: File):
    at = file.indexes("batch-closed")[-1]
    del file.told[at]
    return file.rebuilt(), at + 1


@kind
def promise_not_accounted_for(file: File, dice: Random, other: File):
    at = file.indexes("batch-closed")[-1]
    return changed(file, at, lambda event: event.update({"unused": event["unused"][1:]}))


@kind
def left_out(file: File, dice: Random, other: File):
    at = one_of(
        file, dice, "card-drawn", "card-discarded", "turn-started", "seat-eliminated", "hand-counted", "deal-scored"
    )
    del file.told[at]
    return file.rebuilt(), at + 1


@kind
def invented_drop(file: File, dice: Random, other: File):
    at = one_of(file, dice, "turn-started")
    turn = file.told[at]
    drop = {name: turn[name] for name in ("at", "deal", "seat", "table", "turn")}
    drop |= {"actor": "timer", "kind": "misses", "points": 15, "rule": "7.4", "type": "seat-dropped"}
    file.told.insert(at + 1, drop)
    return file.rebuilt(), at + 2


@kind
def move_twice(file: File, dice: Random, other: File):
    at = one_of(file, dice, "card-drawn", "card-discarded")
    file.told.insert(at + 1, json.loads(json.dumps(file.told[at])))
    return file.rebuilt(), at + 2


@kind
def cut_and_closed(file: File, dice: Random, other: File):
    """The match ends after a deal, as if nothing had come after it."""
    at = one_of(file, dice, "deal-scored")
    if at is None or at > len(file.told) - 6:
        return None
    file.told = file.told[: at + 1] + file.told[-1:]
    return file.rebuilt(), at + 2


@kind
def rebuilt_splice(file: File, dice: Random, other: File):
    at = dice.randrange(3, min(len(file.told), len(other.told)) - 1)
    tail = other.told[at:]
    for event in tail:
        event["table"] = file.table
    file.told = file.told[:at] + tail
    return file.rebuilt(), at + 1


# -- somebody signs who may not


def signed_anew(content: File, key: Ed25519PrivateKey) -> bytes:
    """The file with one checkpoint over all of it, by this key."""
    tree, chain = LogTree(), b""
    for line in content.events:
        tree.grow(leaf_of(line["stored"].encode()))
        chain = bytes.fromhex(line["chain"])
    whole = Checkpoint(table=content.table, size=tree.size, root=tree.root, chain=chain, at_ms=content.told[-1]["at"])
    content.lines = [line for line in content.lines if line["type"] not in {"checkpoint", "leaves"}]
    content.lines.insert(1, {"type": "checkpoint", "note": signed(whole, key).decode()})
    return content.raw()


def resigned(file: File, *, name_own_key: bool) -> bytes:
    content = File(signed_anew(File(file.rebuilt()), FORGER))
    if name_own_key:
        for line in content.of("key"):
            line["line"] = written(public_of(FORGER, SIGNER)).strip()
    return content.raw()


@kind
def fork_signed_anew(file: File, dice: Random, other: File):
    at = one_of(file, dice, "card-discarded")
    file.told[at]["at"] += 1
    return resigned(file, name_own_key=dice.random() < 0.5), at + 1


@kind
def checkpoints_taken_away(file: File, dice: Random, other: File):
    file.lines = [line for line in file.lines if line["type"] not in {"checkpoint", "leaves"}]
    return file.raw(), None


@kind
def last_checkpoint_taken_away(file: File, dice: Random, other: File):
    file.lines.remove(file.of("checkpoint")[-1])
    return file.raw(), None


@kind
def byte_of_a_checkpoint(file: File, dice: Random, other: File):
    line = dice.choice(file.of("checkpoint"))
    place = dice.randrange(len(line["note"]) - 1)
    if line["note"][place] == "\n":
        return None
    line["note"] = line["note"][:place] + ("x" if line["note"][place] != "x" else "y") + line["note"][place + 1 :]
    return file.raw(), None


@kind
def checkpoint_of_another_table(file: File, dice: Random, other: File):
    if other.table == file.table:
        return None
    file.of("checkpoint")[-1]["note"] = other.of("checkpoint")[-1]["note"]
    return file.raw(), None
