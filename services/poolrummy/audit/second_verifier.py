"""A second verifier of bundles: one file, standard library and Ed25519 only, no code of the system.

    python second_verifier.py BUNDLE [VERIFIER_KEY | NOTARY.PUB ...]

It checks the file, the chain, signed checkpoints, the promises of seeds, drawn seats, shuffles, openings, every card that
moves, clocks, shows, counts by their groups, points, totals, eliminations, rejoins, splits and prizes of the house profile.
It says what it does not check. Exit code 0: all of it is right, 1: something is wrong, 2: something could not be checked.
"""
# fmt: off
# ruff: noqa: C901, D102, D103, E501, E701, FBT001, PLR0912, PLR0915 -- kept short, so that one person can read all of it

import base64
import hashlib
import hmac
import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final, cast

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Json = dict[str, Any]
RANKS: Final = "A23456789TJQK"
CHECKS: Final = ["file", "chain", "checkpoints", "promises", "seats", "shuffles", "openings", "draws", "clocks", "shows", "counts", "points", "eliminations", "rejoins", "splits", "prizes", "money"]
BEYOND: Final = ("Not checked here: why a show is wrong, whether another arrangement counts less, which paragraph or author is "
                 "named, what is sealed, whether something else had to happen. `poolrummy audit` checks these.")
LASTS: Final = {"table-opened": "fill_timeout_ms", "start-scheduled": "start_countdown_ms", "start-cancelled": "fill_timeout_ms", "turn-started": "turn_ms",
                "finish-called": "declare_ms", "declare-window-opened": "others_declare_ms", "rejoin-offered": "rejoin_window_ms", "split-offered": "split_ask_ms", "split-asked": "split_vote_ms"}
IN_TIME: Final = ["card-drawn", "card-discarded", "finish-called", "show-declared", "hand-declared", "rejoin-asked", "rejoin-queued", "split-requested", "split-asked", "split-voted"]
HOUSE: Final = {
    "counts": "loser_count=tiered no_pure_count=sum_capped no_turn_points=count loser_hand=count_best late_loser=count_best disconnection_policy=none complete_undeclared_points=0",
    "points": "first_drop_basis=no_card_drawn disconnection_policy=none", "eliminations": "elimination_cmp=gte",
    "rejoins": "rejoin_cmp=lte rejoin_population=survivors rejoin_sequencing=by_acceptance rejoin_fee=entry_fee rejoin_adds_to_pool=True rake_on_rejoin=True",
    "splits": "split_formula=drops split_drop_value=gross_entry split_residue=fewest_drops_first auto_split=off", "prizes": "prize_shares_bp=[10000] auto_split=off"}
NONE: Final[Json] = {"state": "none", "commitment": None, "seed": None}
MALFORMED: Final = (LookupError, TypeError, ValueError, AttributeError, StopIteration, ArithmeticError)

class Report:
    """Counts, the first fault of each check, and what could not be checked."""
    def __init__(self) -> None:
        self.counted, self.faults, self.unchecked = Counter[str](), dict[str, tuple[int, str]](), dict[str, str]()
    def ok(self, check: str, right: bool, v: int, what: str) -> None:
        self.counted[check] += 1
        if not right and v < self.faults.get(check, (v + 1, ""))[0]:
            self.faults[check] = (v, what)
    @property
    def exit_code(self) -> int: return 1 if self.faults else 2 if self.unchecked else 0
    def line(self, check: str) -> str:
        fault, note, counted = self.faults.get(check), self.unchecked.get(check), self.counted[check]
        told = f"not checked  {note}" if note else f"OK           {counted}" if counted else "none"
        return f"{check:<14}" + (f"WRONG        version {fault[0]}: {fault[1]}" if fault else told)
    def text(self) -> str: return "\n".join([*map(self.line, CHECKS), BEYOND, ""])

def main(argv: list[str]) -> int:
    """Verify the bundle that the first argument names; the others are keys to trust, or files of them."""
    try:
        keys = [Path(word).read_text("utf-8") if Path(word).is_file() else word for word in argv[1:]]
        report = verify(Path(argv[0]).read_bytes(), [line for text in keys for line in text.splitlines() if line.strip() and line[0] != "#"])
    except (OSError, *MALFORMED) as unreadable:
        sys.stderr.write(f"verify: {argv[0]}: {unreadable}\n")
        return 2
    sys.stdout.write(report.text())
    return report.exit_code
def verify(content: bytes, trusted: list[str] | None = None) -> Report:
    """Everything that this file checks; ``ValueError`` where the content is no bundle."""
    report, found, lines = Report(), dict[str, list[Json]](), content.split(b"\n")[:-1]
    manifest = parsed(lines[0]) if lines else {}
    if manifest.get("type") != "manifest" or manifest.get("format") != 1:
        raise ValueError("this is no bundle of format 1")
    for number, line in enumerate(lines[1:], start=2):
        one, v = parsed(line), len(found.get("event", [])) + 1
        report.ok("file", bool(one) and "end" not in found, v, f"line {number} is unreadable or out of place")
        found.setdefault(str(one.get("type")), []).append(one)
    events, leaves = chained(report, manifest, found.get("event", []))
    body = sha(b"".join(line + b"\n" for line in lines[:-1])).hex()
    report.ok("file", content.endswith(b"\n") and found.get("end", [{}])[0].get("sha256") == body, len(events) + 1, "the file is not as it was written")
    check_signed(report, manifest, found, leaves, trusted or [])
    table = Table(report, str(manifest["table"]), found, events)
    for v, event in enumerate(events, start=1):
        try:
            table.take(v, event)
        except MALFORMED as broken:
            report.ok("file", False, v, f"the event does not fit where it stands: {broken!r}")
    table.end(len(events))
    return report
def sha(data: bytes) -> bytes: return hashlib.sha256(data).digest()
def canonical(value: object) -> bytes: return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def parsed(line: bytes) -> Json:
    """The object in a canonical line; an empty one where there is none. All numbers are integers below 2^53: others raise in ``int``."""
    try:
        found: Any = json.loads(line, parse_float=int, parse_constant=int, parse_int=lambda digits: int(digits if abs(int(digits)) < 2**53 else "beyond"))
        return cast("Json", found) if canonical(found) == line and isinstance(found, dict) else {}
    except (ValueError, RecursionError):
        return {}
def chained(report: Report, manifest: Json, lines: list[Json]) -> tuple[list[Json], list[bytes]]:
    """The events, each readable, in its place and chained, and the leaves of the tree over them."""
    events, leaves, chain, at = list[Json](), list[bytes](), sha(b"poolrummy/table-log/1\0" + str(manifest["table"]).encode()), -1
    for v, line in enumerate(lines, start=1):
        stored = str(line.get("stored")).encode(errors="replace")
        chain, event = sha(chain + len(stored).to_bytes(8, "big") + stored), parsed(stored)
        report.ok("chain", line.get("chain") == chain.hex(), v, "the chain hash is not the one that follows")
        before, at = at, event["at"] if isinstance(event.get("at"), int) else -1
        placed = (event.get("v"), event.get("table"), line.get("v")) == (v, manifest["table"], v) and at >= before
        report.ok("file", placed and bool(event.get("rule")) and str(event.get("actor")) in {"player", "timer", "system", "operator"}, v, "unreadable, out of place, back in time, or without author")
        events.append(event)
        leaves.append(sha(b"\0" + stored))
    report.ok("file", len(events) == manifest.get("events"), len(events) + 1, "the manifest says another number of events")
    report.ok("chain", (manifest.get("chain"), manifest.get("root")) == (chain.hex(), root(leaves).hex()), len(events), "the manifest says another chain hash or root")
    return events, leaves
def root(leaves: list[bytes]) -> bytes:
    """The RFC 6962 root."""
    level = leaves or [sha(b"")]
    while len(level) > 1:
        level = [sha(b"\1" + a + b) for a, b in zip(level[::2], level[1::2], strict=False)] + level[len(level) & ~1 :]
    return level[0]
def check_signed(report: Report, manifest: Json, found: dict[str, list[Json]], leaves: list[bytes], trusted: list[str]) -> None:
    """Signed checkpoints: a key that counts, and the root over so many lines."""
    keys, reached = trusted or [str(line.get("line")) for line in found.get("key", [])], 0
    for line in found.get("checkpoint", []):
        text, _, signatures = str(line.get("note")).rpartition("\n\n")
        right, size = False, 0
        try:
            origin, lines, tree, _, time = text.split("\n")
            size = int(lines)
            right = origin == f"poolrummy/{manifest['table']}" and 0 < size <= len(leaves) and base64.b64decode(tree) == root(leaves[:size])
            right = right and any(signs(key, signatures, text + "\n", int(time.removeprefix("time "))) for key in keys)
        except (ValueError, InvalidSignature):
            right = False
        report.ok("checkpoints", right, reached + 1, f"no valid checkpoint over {size} lines of this log")
        reached = max(reached, size) if right else reached
    if found.get("checkpoint") and not trusted:
        report.unchecked["checkpoints"] = "signed by keys that only the file names; give the key that you trust"
    elif trusted and reached < len(leaves):
        report.unchecked["checkpoints"] = f"only {reached} of {len(leaves)} lines are signed"
def signs(key_line: str, signatures: str, text: str, time: int) -> bool:
    """Whether this verifier key has signed the text, in the time in which the key counts."""
    word, *rest = key_line.split()
    name, _, code = word.split("+", 2)
    key, times = base64.b64decode(code), dict(zip(rest[::2], map(int, rest[1::2]), strict=True))
    for line in signatures.splitlines():
        raw = base64.b64decode(line.rpartition(" ")[2])
        if line.startswith(f"— {name} ") and raw[:4] == sha(name.encode() + b"\n" + key)[:4]:
            Ed25519PublicKey.from_public_bytes(key[1:]).verify(raw[4:], text.encode())
            return times.get("from", 0) <= time <= times.get("until", time)
    return False
def leaf(domain: str, *parts: bytes) -> bytes: return sha(b"\0" + b"".join(len(part).to_bytes(2, "big") + part for part in (domain.encode(), *parts)))
def word(value: int) -> bytes: return value.to_bytes(4, "big")
def owed(parts: list[Json]) -> list[tuple[int, int]]: return sorted((one["seat"], one["amount"]) for one in parts)
def leads(rising: bytes, path: list[str], place: int, size: int, to: str) -> bool:
    """Whether a Merkle path leads from a leaf at this place to the root."""
    last, left = size - 1, [bytes.fromhex(step) for step in path]
    while last > 0:
        if place % 2 or place < last:
            beside = left.pop(0)
            rising = sha(b"\1" + (beside + rising if place % 2 else rising + beside))
        place, last = place // 2, last // 2
    return not left and place == 0 and rising.hex() == to
def kdf(seed: bytes, label: bytes, context: bytes, size: int) -> bytes:
    """NIST SP 800-108 in counter mode with HMAC-SHA-512."""
    fixed = label + b"\0" + context + word(size * 8)
    return b"".join(hmac.digest(seed, word(i) + fixed, "sha512") for i in range(1, size // 64 + 2))[:size]
def draws(seed: bytes, stem: bytes, context: bytes) -> Iterator[int]:
    """Endless numbers of 16 bits."""
    blocks = (kdf(seed, stem + b"/shuffle/%d" % chunk, context, 1024) for chunk in count())
    return (int.from_bytes(block[at : at + 2], "big") for block in blocks for at in range(0, 1024, 2))
def drawn(bound: int, stream: Iterator[int]) -> int:
    """The next number below the bound, each with the same chance."""
    return next(draw for draw in stream if draw < 65536 - 65536 % bound) % bound
def shuffled(seed: bytes, transcript: Json, faces: list[str]) -> tuple[list[str], str]:
    """The pack that a seed and a transcript give, and its root."""
    context, order = hashlib.sha512(canonical(transcript)).digest(), list(faces)
    named = [str(transcript[name]) for name in ("format", "purpose", "deal", "generation")]
    stem = "/".join([*named, sha(canonical(faces)).hex()]).encode()
    stream = draws(seed, stem, context)
    for last in range(len(order) - 1, 0, -1):
        other = drawn(last + 1, stream)
        order[last], order[other] = order[other], order[last]
    salts, generation = kdf(seed, stem + b"/salts/0", context, 32 * len(order)), word(transcript["generation"])
    leaves = [leaf("poolrummy-pack-leaf-v1", generation, word(at), face.encode(), salts[32 * at : 32 * at + 32]) for at, face in enumerate(order)]
    return order, root(leaves).hex()

class Hand:
    """A seat in a deal."""
    def __init__(self, cards: list[str]) -> None:
        self.cards, self.drawn, self.missed, self.points, self.counted, self.out = cards, False, 0, 0, -1, ""

class Table:
    """One table, followed event by event."""
    def __init__(self, report: Report, table: str, found: dict[str, list[Json]], events: list[Json]) -> None:
        self.report, self.id, self.v, self.unproven = report, table, 0, False
        self.seeds = {one.get("of_deal", 0): str(one.get("seed")) for one in events if one.get("type") == "seed-revealed"} | {one.get("deal", 0): str(one.get("seed")) for one in found.get("seed", [])}
        self.proofs, self.terms, self.given, self.batches = found.get("opening", []), dict[str, Any](), dict[int, Json](), dict[int, Json]()
        self.players, self.promises, self.foreign, self.lots = dict[int, str](), dict[int, str](), dict[str, str](), list[tuple[int, int, list[int]]]()
        self.totals, self.out, self.banks, self.amounts, self.left, self.votes, self.paid = *(dict[int, int]() for _ in range(4)), set[int](), set[int](), Counter[int]()
        self.pool = self.deal = self.turn = self.last_in = self.winner = self.generation = self.turn_of = self.at = self.since = self.ends = self.turn_ends = 0
        self.roots, self.seen, self.known, self.hands = dict[tuple[int, int], Json](), dict[tuple[int, str], str](), dict[str, str](), dict[int, Hand]()
        self.circle, self.order, self.stock, self.pile = list[int](), list[int](), list[str](), list[str]()
        self.scored, self.took, self.wild, self.made, self.shown = False, "", "", dict[str, Any](), dict[str, Any]()
    def ok(self, check: str, right: bool, what: str) -> None:
        if check in self.foreign:
            self.report.unchecked[check] = f"not {self.foreign[check]}, as in the house profile"
        else:
            self.report.ok(check, bool(right), self.v, what)
    def most(self, setting: str) -> int: return self.terms[setting] if isinstance(self.terms[setting], int) else sys.maxsize
    def take(self, v: int, event: Json) -> None:
        """Terms, seats and promises; every card that moves; what a deal cost; eliminations, rejoins, splits, the end."""
        self.v, seat, position, fee = v, event.get("seat", 0), event.get("position", ""), self.terms.get("entry_fee", 0)
        hand = self.hands.get(seat, Hand([]))
        match event["type"]:
            case "table-opened":
                self.terms = event["terms"]
                self.foreign = {check: one for check, ours in HOUSE.items() for one in ours.split() if one != f"{one.split('=')[0]}={self.terms.get(one.split('=')[0])}"}
                self.ok("file", sha(canonical(self.terms)).hex() == event["terms_hash"], "other terms than hashed")
            case "seeds-committed":
                self.ok("promises", event["batch"] == len(self.batches) + 1, "a batch out of turn")
                self.batches[event["batch"]] = {"root": event["root"], "count": event["count"], "used": 0}
            case "seat-taken":
                self.ok("file", (event["kind"] == "person" or self.terms["currency"] == "practice") and event["player"] not in self.players.values(), "a player who sits already, or a robot for money")
                if "drawn" in event:
                    self.lots.append((v, seat, [one for one in range(1, self.terms["seats"] + 1) if one not in self.players]))
                    self.ok("seats", event["drawn"] == len(self.lots), "a draw out of turn")
                self.players[seat], _, _ = event["player"], self.promises.pop(seat, None), self.given.pop(seat, None)
            case "seat-vacated":
                self.players = {one: player for one, player in self.players.items() if one != seat}
            case "seat-seed-committed": self.promises[seat] = event["commitment"]
            case "seat-seed-revealed":
                made = leaf("poolrummy-seat-seed-v1", self.id.encode(), word(seat), self.players[seat].encode(), bytes.fromhex(event["seed"]))
                self.ok("promises", made.hex() == self.promises.get(seat), "not the seed that the seat promised")
                self.given[seat] = {"state": "revealed", "commitment": made.hex(), "seed": event["seed"]}
            case "match-started":
                self.totals = {one["seat"]: 0 for one in event["seats"]}
                self.ok("money", {one["seat"]: one["player"] for one in event["seats"]} == self.players, "other seats than were taken")
                self.pay("money", event, sorted(self.totals), "entry")
                self.given = {one: {"state": "withheld", "commitment": kept, "seed": None} for one, kept in self.promises.items()} | self.given
                for one in event.get("seat_seeds", []):
                    self.ok("promises", {name: one.get(name) for name in NONE} == self.given.get(one["seat"], NONE), "another seed of a seat")
            case "batch-closed":
                batch = self.batches[event["batch"]]
                used = list(range(batch["used"])) + ([batch["count"] - 1] if event["batch"] + 1 in self.batches else [])
                self.ok("promises", (event["used"], event["unused"]) == (used, [index for index in range(batch["count"]) if index not in used]), "a promised seed is not accounted for")
                batch["closed"] = True
            case "table-closed":
                self.ok("promises", all(batch.get("closed") for batch in self.batches.values()), "a batch of seeds never ends")
            case "toss-drawn": self.toss(event)
            case "deal-started": self.start(event)
            case "turn-started":
                at, self.turn = self.order.index(self.turn_of) + 1, self.turn + 1
                self.turn_of = next(one for one in self.order[at:] + self.order[:at] if not self.hands[one].out)
                self.ok("draws", (seat, event["turn"], self.took) == (self.turn_of, self.turn, ""), "another seat's turn")
            case "card-drawn":
                stock = event["source"] == "stock"
                top = self.stock.pop(0) if stock else self.pile.pop()
                self.ok("draws", (seat, self.took, position, "card" in event) == (self.turn_of, "", top, not stock), f"the card on top is {top}, and seat {self.turn_of} is on turn")
                hand.cards, hand.drawn, self.took = [*hand.cards, top], True, top
                if not stock:
                    self.face(event)
            case "card-discarded" | "card-returned" | "finish-called":
                self.ok("draws", seat == self.turn_of and self.took != "" and position in hand.cards, "the seat on turn does not hold that card, or has not drawn")
                hand.cards, self.took = [one for one in hand.cards if one != position], ""
                hand.missed = hand.missed if event["actor"] == "timer" else 0
                if "card" in event:
                    self.face(event)
                    self.pile.append(position)
            case "stock-reshuffled":
                dropped = [self.hands[one] for one in self.order if self.hands[one].out in {"dropped", "left"} and self.terms["reshuffle_dropped_hands"]]
                taken = self.pile[:-1] + [card for one in dropped for card in one.cards]
                for one in dropped:
                    one.cards = []
                self.generation, stock = self.generation + 1, [f"{self.generation + 1}-{place}" for place in range(len(taken))]
                self.ok("draws", (event["generation"], event["taken"], event["stock"], self.stock) == (self.generation, taken, stock, []), "not the open cards but the top")
                pack, later = event["pack"], self.made | {"generation": self.generation}
                self.roots[self.deal, self.generation], self.stock, self.pile = pack, stock, self.pile[-1:]
                self.known |= dict(zip(stock, self.pack(later, [self.known[card] for card in taken], pack), strict=False))
            case "show-declared" | "hand-laid-open":
                self.shown = event
                self.ok("draws", sorted(one["position"] for one in event["hand"]) == sorted(hand.cards) and event["wild_rank"] == self.wild, "not the cards that the seat holds")
                for one in event["hand"]:
                    self.face(one)
            case "seat-dropped":
                kind, auto = event["kind"], cast("Any", self.terms["auto_drop_points"] if event["kind"] == "misses" else "as_drop")
                price: Any = self.terms["middle_drop_points" if hand.drawn or auto == "middle_drop" else "first_drop_points"]
                price = auto["n"] if not isinstance(auto, str) else price if isinstance(price, int) and self.most("limit") < sys.maxsize and auto != "full_count" else self.terms["full_count_cap"]
                asked = self.terms["voluntary_drop"] in {"both", f"{kind}_only"} and seat == self.turn_of and not self.took
                may = {"first": asked and not hand.drawn, "middle": asked and hand.drawn, "misses": hand.missed >= self.most("auto_drop_after_misses")}.get(kind, True)
                self.ok("points", event["points"] == price and may and not hand.out, f"a drop costs {price} here, if the seat may drop")
                hand.out, hand.points = "left" if event["kind"] == "left" else "dropped", event["points"]
            case "show-judged" if event["valid"]:
                groups = event.get("arrangement") or event["groups"]
                placed = [sorted(one["card"] for one in group) for group in self.shown["groups"]]
                cards = sorted(card for group in groups for card in group["cards"])
                right = len(cards) == 13 and cards == sorted(one["card"] for one in self.shown["hand"]) and [sorted(group["cards"]) for group in event["groups"]] == placed and self.shows(groups)
                self.ok("shows", right and (seat, event["points"]) == (self.shown["seat"], 0), "the groups are no valid show of this hand, or it costs something")
                self.winner = seat
            case "show-judged" | "show-forfeited":
                self.ok("points", event["points"] == self.terms["wrong_show_points"], "not the price of a wrong show")
                hand.out, hand.points = "wrong-show", event["points"]
                if event.get("finish_card"):
                    self.face(event["finish_card"])
                    self.pile.append(event["finish_card"]["position"])
            case "hand-counted":
                cards, groups = [self.known[card] for card in hand.cards], event["groups"]
                whole = sorted([card for group in groups for card in group["cards"]] + event["leftover"]) == sorted(cards)
                saved, kinds = [self.worth(group["cards"]) for group in groups], [group["kind"] for group in groups]
                if len(kinds) - kinds.count("set") < 2:
                    saved = [max((one for one, kind in zip(saved, kinds, strict=True) if kind == "pure_sequence"), default=0)]
                raw = self.worth(cards) - (sum(saved) if "pure_sequence" in kinds else 0)
                told, right = min(raw, self.terms["full_count_cap"]), whole and all(self.legal(group) for group in groups)
                self.ok("counts", right and (event["raw"], event["counted"], event["points"]) == (raw, told, told), f"its groups count {told}")
                hand.counted = event["points"]
            case "deal-scored":
                lowest, self.scored = min((one.counted for one in self.hands.values() if one.counted >= 0), default=0), True
                playing = [one for one in self.order if not self.hands[one].out]
                best = next((one for one in playing if len(playing) == 1 or self.hands[one].counted == lowest), 0)
                self.ok("points", event["winner"] == (self.winner or best) and sorted(self.hands) == [one["seat"] for one in event["scores"]], "another winner, or a seat left out")
                for one in event["scores"]:
                    hand, seat = self.hands[one["seat"]], one["seat"]
                    free = playing == [seat] or seat == self.winner or (event["how"] == "lowest-count" and hand.counted == lowest)
                    points = hand.points if hand.out else 0 if free else hand.counted
                    if points < 0:
                        points, self.report.unchecked["points"] = one["points"], "a charge without a count: not of the house profile"
                    self.totals[seat] += points
                    self.ok("points", (one["points"], one["total"]) == (points, self.totals[seat]), f"seat {seat} has {points}, together {self.totals[seat]}")
            case "seat-eliminated":
                self.ok("eliminations", event["total"] == self.totals[seat] >= self.most("limit") and seat not in self.out, f"seat {seat} is on {self.totals[seat]}, the limit is {self.most('limit')}")
                self.out[seat] = self.deal
            case "seat-forfeited":
                self.out.setdefault(seat, self.deal)
                self.left, self.last_in = self.left | {seat}, seat if len(self.out) == len(self.totals) else 0
            case "rejoin-granted":
                highest = max(total for one, total in self.totals.items() if one not in self.out)
                may, score = highest <= self.most("rejoin_threshold") and self.out.get(seat) == self.deal and seat not in self.left, max(highest + self.terms["rejoin_offset"], 0)
                self.ok("rejoins", may and event["score"] == score < self.most("limit"), f"it comes back on {score}, if at all")
                self.pay("rejoins", event, [seat], "rejoin")
                self.totals[seat] = score
                self.out.pop(seat, None)
            case "split-asked":
                seats = sorted(set(self.totals) - set(self.out))
                drops = {one: max(self.most("limit") - 1 - self.totals[one], 0) // self.terms["first_drop_points"] for one in seats}
                bonus = {one: (drops[one] - min(drops.values())) * fee for one in seats}
                each, odd = divmod(self.pool - sum(bonus.values()), len(seats))
                served = sorted(seats, key=lambda one: (drops[one], -self.totals[one], -one))
                self.amounts, self.votes = {one: bonus[one] + each + (served.index(one) < odd) for one in seats}, {seat}
                self.ok("splits", owed(event["shares"]) == sorted(self.amounts.items()) and each * len(seats) + odd >= fee, f"the formula gives {self.amounts}")
            case "split-voted":
                self.votes |= {seat} if event["accept"] else set[int]()
            case "split-agreed":
                self.ok("splits", owed(event["amounts"]) == sorted(self.amounts.items()) and self.votes == set(self.amounts), "not what was asked, or not by all")
                self.amounts = dict(owed(event["amounts"]))
            case "match-ended":
                rank = {one: (one in self.out and one != self.last_in, -self.out.get(one, 0), total) for one, total in self.totals.items()}
                places = {one: 1 + sum(other < rank[one] for other in rank.values()) for one in rank}
                first = sorted(one for one, place in places.items() if place == 1)
                each, odd = divmod(self.pool, len(first))
                prizes = self.amounts if event["how"] == "split" else {one: each + int(first.index(one) < odd) for one in first}
                ended = {one["seat"]: (one["place"], one["total"], one["prize"]) for one in event["places"]}
                self.ok("prizes", ended == {one: (places[one], self.totals[one], prizes.get(one, 0)) for one in rank}, "other places or prizes")
                self.ok("money", owed(event["obligations"]) == sorted((one, end[2]) for one, end in ended.items() if end[2]) and sum(end[2] for end in ended.values()) == self.pool, "prizes are not the pool")
            case "match-voided":
                self.ok("money", owed(event["obligations"]) == sorted((one, amount) for one, amount in self.paid.items() if amount), "not what every seat had paid")
            case "turn-missed":
                hand.missed += 1
                self.ok("clocks", (seat, event["misses"]) == (self.turn_of, hand.missed), f"{hand.missed} turns were missed in a row")
            case _: pass
        self.time(event, event["type"], seat, event["at"])
    def time(self, event: Json, kind: str, seat: int, at: int) -> None:
        """The running deadline: how long it is, how far pauses move it; no clock acts before it, no seat moves after it."""
        due, pause, own, turn = self.ends + self.terms["late_grace_ms"], event.get("ms", 0), seat == self.turn_of, kind == "turn-started"
        latest = due + (5000 if self.terms["rejoin_payment"] == "none" else sys.maxsize)  # a payment that is awaited holds a window open
        if event["actor"] == "timer" or event["rule"] in {"4.5", "4.8", "7.4"}:
            self.ok("clocks", event["actor"] == "timer" and due <= at <= latest, f"the clock runs until {due} and acts within 5 s, this is {at}")
        if event["actor"] == "player" and kind in IN_TIME and event["rule"] != "13.1":
            self.ok("clocks", at <= due, f"the clock runs until {due}, this is {at}")
        if own and self.turn_ends and kind in {"card-discarded", "card-returned", "finish-called", "turn-missed", "seat-dropped"}:
            self.banks[seat], self.turn_ends = max(self.banks[seat] - max(at - self.turn_ends, 0), 0), 0
        if kind == "match-started" or (kind == "deal-started" and self.terms["time_bank_scope"] == "deal"):
            self.banks = dict.fromkeys(self.totals, int(self.terms["time_bank_ms"]))
        if kind in LASTS:
            ends, bank = at + self.terms["seat_seed_ms" if event["rule"] == "3.8" else LASTS[kind]], self.banks[seat] if turn else 0
            self.ok("clocks", (event.get("ends_at", event.get("starts_at", event.get("fill_until"))), event.get("bank_ms", 0)) == (ends, bank), f"it lasts until {ends}, and {bank} ms of the bank are left")
            self.since, self.turn_ends, self.ends = at, ends if turn else 0, ends + bank
        if kind in {"clocks-shifted", "table-unfrozen"}:
            self.ok("clocks", pause <= at - self.at and at - pause <= latest if kind == "clocks-shifted" else pause == at - self.since, "another pause than the log has room for")
            self.turn_ends, self.ends = self.turn_ends + pause if self.turn_ends else 0, self.ends + pause
        self.since, self.at = at if kind == "table-frozen" else self.since, at
    def end(self, v: int) -> None:
        self.v = v
        for proof in self.proofs:
            try:
                generation, place = map(int, proof["position"].split("-"))
                shown = self.seen.pop((proof["deal"], proof["position"]), proof["card"]) == proof["card"]
                self.ok("openings", shown and self.proves(proof, generation, place, self.roots[proof["deal"], generation]), f"{proof['card']} is not at {proof['position']} of its pack")
            except MALFORMED as broken:
                self.ok("openings", False, f"a proof does not fit: {broken!r}")
        self.report.unchecked |= {"shuffles": "the seeds are sealed: verify a bundle made with --open-seeds"} if self.unproven else {}
        self.report.unchecked |= {"draws": f"{len(self.seen)} faces are held against themselves only: no seeds, no openings"} if self.unproven and self.seen else {}
        self.report.unchecked |= {"seats": f"{len(self.lots)} seats were drawn by the seed of a toss that never came"} if self.lots and 0 not in self.seeds else {}
    def proves(self, opening: Json, generation: int, place: int, pack: Json) -> bool:
        return leads(leaf("poolrummy-pack-leaf-v1", word(generation), word(place), opening["card"].encode(), bytes.fromhex(opening["salt"])), opening["path"], place, pack["cards"], pack["root"])
    def pay(self, check: str, event: Json, seats: list[int], kind: str) -> None:
        """Each of these seats owes its price: one part goes into the pool, the rake to the house."""
        rake, told = self.terms["entry_fee"] * self.terms["rake_bp"] // 10000, sorted((one["seat"], one["kind"], one["amount"]) for one in event["obligations"])
        price = [(seat, *part) for seat in seats for part in ((kind, self.terms["entry_fee"] - rake), (f"{kind}-fee", rake)) if part[1]]
        self.pool += sum(amount for _, name, amount in told if name == kind)
        self.ok(check, told == price and event["prize_pool"] == self.pool, "what is paid is not the price")
        self.paid.update({seat: sum(one[2] for one in told if one[0] == seat) for seat in seats})
    def transcript(self, seats: list[int], proof: Json) -> Json:
        """The deck transcript, version 1; the seed has to be the one whose turn it is."""
        deal, seed = self.deal, self.seeds.get(self.deal)
        batch, place = self.batches[proof["batch"]], (self.id.encode(), word(proof["batch"]), word(proof["index"]))
        kept = proof["index"] == batch["used"] < batch["count"] - 1 and leads(bytes.fromhex(proof["leaf"]), proof["path"], proof["index"], batch["count"], batch["root"])
        self.ok("promises", kept and (seed is None or leaf("poolrummy-seed-leaf-v1", *place, bytes.fromhex(seed)).hex() == proof["leaf"]), "not the seed whose turn it is")
        batch["used"] += 1
        return {"format": "poolrummy-deck-transcript-v1", "table": self.id, "deal": deal, "generation": 0, "beacon": None, "purpose": "deal" if deal else "toss",
                "deck": {name: self.terms[name] for name in ("decks", "printed_jokers_per_deck")}, "rules": sha(canonical(self.terms)).hex(),
                "seats": [{"seat": str(seat), "player": self.players[seat]} for seat in seats], "batch": {"batch": proof["batch"], "index": proof["index"], "root": batch["root"]},
                "seat_seeds": [{"seat": str(seat), **self.given.get(seat, NONE)} for seat in seats]}
    def pack(self, transcript: Json, faces: list[str], pack: Json) -> list[str]:
        """The cards in their order, where the seed is known; what is promised is a pack of this transcript in any case."""
        order, top = shuffled(bytes.fromhex(self.seeds[self.deal]), transcript, faces) if self.deal in self.seeds else ([], pack["root"])
        self.ok("shuffles", (pack["root"], pack["transcript"], pack["cards"]) == (top, sha(canonical(transcript)).hex(), len(faces)), "seed and transcript do not give this pack")
        return order
    def faces(self, jokers: int) -> list[str]: return ([rank + suit for suit in "SHDC" for rank in RANKS] + ["JK"] * jokers) * int(self.terms["decks"])
    def toss(self, event: Json) -> None:
        seats, self.seeds[0], seed = sorted(self.totals), event["seed"], bytes.fromhex(event["seed"])
        for number, (v, seat, free) in enumerate(self.lots, start=1):
            lot = drawn(len(free), draws(seed, b"poolrummy-seating-v1/%d" % number, hashlib.sha512(self.id.encode()).digest()))
            self.report.ok("seats", seat == free[lot], v, f"the seed of the toss draws seat {free[lot]}")
        pack = iter(self.pack(self.transcript(seats, event["proof"]), self.faces(0), event["pack"]))
        strength, tied, right = {seat: list[int]() for seat in seats}, seats, True
        for cards in event["rounds"]:
            right = right and [(one["seat"], one["card"]) for one in cards] == [(seat, next(pack)) for seat in tied]
            for one in cards:
                strength[one["seat"]] += ["23456789TJQKA".index(one["card"][0]), "CDHS".index(one["card"][1])]
            tied = [seat for seat in seats if list(strength.values()).count(strength[seat]) > 1]
        best = sorted(seats, key=lambda seat: strength[seat], reverse=True)
        self.circle = sorted(seats, key=lambda seat: (seat < best[0], seat)) if self.terms["toss_orders"] == "first" else best
        self.ok("draws", right and not tied and event["order"] == self.circle, "the toss does not give this order of play")
    def start(self, event: Json) -> None:
        """A pack, dealt from the top in order of play."""
        self.deal, self.order = event["deal"], event["order"]
        self.circle = self.circle[1:] + self.circle[:1] if self.scored else self.circle
        while self.circle[0] in self.out:
            self.circle = self.circle[1:] + self.circle[:1]
        self.ok("draws", self.order == [seat for seat in self.circle if seat not in self.out], "not the seats that are in, in order of play")
        self.ok("eliminations", max(self.totals[seat] for seat in self.order) < self.most("limit"), "a seat at the limit plays on")
        self.made, self.unproven = self.transcript(self.order, event["proof"]), self.unproven or self.deal not in self.seeds
        unshuffled, pack = self.faces(self.terms["printed_jokers_per_deck"]), event["pack"]
        self.roots[self.deal, 0] = pack
        self.known = {f"0-{place}": face for place, face in enumerate(self.pack(self.made, unshuffled, pack))}
        top, aside = iter([f"0-{place}" for place in range(len(unshuffled))]), event.get("set_aside", [])
        late = ["hands", "open", "wild"] if self.terms["open_card_point"] == "before_wild" else ["hands", "wild", "open"]
        seats, sizes = len(self.order), {"hands": 13 * len(self.order), "wild": 1 + len(aside), "open": 1}
        dealt = {step: [next(top) for _ in range(sizes[step])] for step in (["wild", "hands", "open"] if self.terms["wild_draw_point"] == "before_deal" else late)}
        shown = [*aside, event["wild"], event["open"]]
        right = [(one["seat"], one["positions"]) for one in event["hands"]] == [(seat, dealt["hands"][at::seats]) for at, seat in enumerate(self.order)] and [one["position"] for one in shown] == dealt["wild"] + dealt["open"]
        self.ok("draws", right and event["stock"] == list(top) and event["dealer"] == self.order[-1], "the cards are not dealt in order from the top")
        wild, aces = event["wild"]["card"], self.terms["printed_wild_rule"] == "aces"
        self.ok("draws", event["wild_rank"] == ("A" if aces and wild == "JK" else wild[0]) and all(one["card"] == "JK" for one in aside), "another rank is wild")
        for one in shown:
            self.ok("openings", self.proves(one, 0, int(one["position"][2:]), pack), f"{one['card']} is not a card of this pack")
            self.face(one)
            self.seen.pop((self.deal, one["position"]), None)
        self.hands, self.wild = {one["seat"]: Hand(list(one["positions"])) for one in event["hands"]}, event["wild_rank"]
        self.stock, self.pile, self.turn_of = list(event["stock"]), [event["open"]["position"]], self.order[-1]
        self.turn, self.took, self.generation, self.winner, self.scored = 0, "", 0, 0, False
    def face(self, shown: Json) -> None:
        """A card that is laid open: the one in the pack, or the one that it was before."""
        known = self.known.setdefault(shown["position"], shown["card"])
        self.ok("draws", known == shown["card"], f"{shown['position']} is {known}, not {shown['card']}")
        if self.deal not in self.seeds:
            self.seen[self.deal, shown["position"]] = shown["card"]
    def shows(self, groups: list[Json]) -> bool:
        kinds, large = ([group["kind"] for group in groups if len(group["cards"]) > size] for size in (0, self.most("max_extra_group_size")))
        extra = "set" in large or len(large) > 2 or large == ["sequence"] * 2
        return "pure_sequence" in kinds and len(kinds) - kinds.count("set") >= 2 and not extra and all(map(self.legal, groups))
    def legal(self, group: Json) -> bool:
        """Whether each card is what it stands for, or a joker, and these are a group of this kind (chapter 5)."""
        cards, named, kind, size = group["cards"], group["stands_for"], group["kind"], len(group["cards"])
        jokers = [card == "JK" or card[0] == self.wild for card in cards]
        acting = [card != name or card == "JK" for card, name in zip(cards, named, strict=True)]
        alone, free, rule, both = all(jokers), named.count("JK"), self.terms["joker_only_group"], list(zip(acting, jokers, strict=True))
        if (True, False) in both or sum(acting) > self.most("max_jokers_per_group") or kind not in {"set", "sequence", "pure_sequence"}:
            return False
        if kind == "set":
            faces = [name for name in named if name != "JK"]
            lawful = len({face[0] for face in faces}) == 1 and len(set(faces)) == len(faces) and (not free or size > 4)
            return lawful and 3 <= size <= self.most("max_set_size") and not all(acting) and not (alone and any(acting) and rule == "refused")
        lawful = 3 <= size <= min(13, self.most("max_sequence_length")) and not (alone and rule == "refused")
        if free:
            return lawful and kind == "sequence" and free == size and alone and rule == "allowed"
        line = "".join(name[0] for name in named) in RANKS + "A" and len({name[1] for name in named}) == 1
        pure = not any(acting) and (self.terms["wild_natural_pure"] or (False, True) not in both)
        return lawful and line and not all(acting) and kind == ("pure_sequence" if pure else "sequence")
    def worth(self, cards: list[str]) -> int: return sum(0 if card == "JK" or card[0] == self.wild else 10 if card[0] in "ATJQK" else int(card[0]) for card in cards)
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
