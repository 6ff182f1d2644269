"""The deck transcript, version 1, written a second time from its README with the standard library alone.

It shares no code with the product. ``python tests/fairness/independent.py`` wrote ``vectors.json`` once, and with the
argument ``fair-pack`` it wrote ``contracts/vectors/fair-pack-1.json``, with ``seating`` ``seating-1.json``; none is
ever written again, because logs that were recorded with them last for ever.
"""

import hashlib
import hmac
import json
import sys

FORMAT = "poolrummy-deck-transcript-v1"


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def kdf(seed, label, context, size):
    out, i = b"", 0
    while len(out) < size:
        i += 1
        message = i.to_bytes(4, "big") + label + b"\x00" + context + (size * 8).to_bytes(4, "big")
        out += hmac.new(seed, message, hashlib.sha512).digest()
    return out[:size]


def pack_of(decks, jokers):
    one = [r + s for s in "SHDC" for r in ["A", *"23456789", *"TJQK"]] + ["JK"] * jokers
    return one * decks


def stem_of(transcript, faces):
    digest = hashlib.sha256(canonical(faces)).hexdigest()
    return "/".join(
        [FORMAT, transcript["purpose"], str(transcript["deal"]), str(transcript["generation"]), digest]
    ).encode()


class Draws:
    def __init__(self, seed, stem, context):
        self.seed, self.stem, self.context = seed, stem, context
        self.chunk, self.left = 0, b""

    def take(self):
        if not self.left:
            self.left = kdf(self.seed, self.stem + b"/shuffle/" + str(self.chunk).encode(), self.context, 1024)
            self.chunk += 1
        value, self.left = self.left[0] * 256 + self.left[1], self.left[2:]
        return value

    def below(self, bound):
        while True:
            value = self.take()
            if value < 65536 // bound * bound:
                return value % bound


def shuffled(faces, draws):
    faces = list(faces)
    i = len(faces) - 1
    while i > 0:
        j = draws.below(i + 1)
        faces[i], faces[j] = faces[j], faces[i]
        i -= 1
    return faces


def lengthed(part):
    return len(part).to_bytes(2, "big") + part


def leaf(generation, position, face, salt):
    data = lengthed(b"poolrummy-pack-leaf-v1") + lengthed(generation.to_bytes(4, "big"))
    data += lengthed(position.to_bytes(4, "big")) + lengthed(face.encode()) + lengthed(salt)
    return hashlib.sha256(b"\x00" + data).digest()


def split(n):
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def tree_head(leaves):
    """MTH of RFC 6962, section 2.1, by its recursive definition."""
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return hashlib.sha256(b"\x01" + tree_head(leaves[:k]) + tree_head(leaves[k:])).digest()


def audit_path(m, leaves):
    """PATH of RFC 6962, section 2.1.1, by its recursive definition."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*audit_path(m, leaves[:k]), tree_head(leaves[k:])]
    return [*audit_path(m - k, leaves[k:]), tree_head(leaves[:k])]


def pack(seed, transcript, faces=None):
    """All that a deal's seed and transcript decide; ``faces`` is what goes into a reshuffle."""
    if faces is None:
        deck = transcript["deck"]
        jokers = 0 if transcript["purpose"] == "toss" else deck["printed_jokers_per_deck"]
        faces = pack_of(deck["decks"], jokers)
    context = hashlib.sha512(canonical(transcript)).digest()
    stem = stem_of(transcript, faces)
    lying = shuffled(faces, Draws(seed, stem, context))
    salt_bytes = kdf(seed, stem + b"/salts/0", context, 32 * len(lying))
    salts = [salt_bytes[32 * p : 32 * p + 32] for p in range(len(lying))]
    leaves = [leaf(transcript["generation"], p, lying[p], salts[p]) for p in range(len(lying))]
    return {
        "transcript": canonical(transcript).decode(),
        "context": context.hex(),
        "stem": stem.decode(),
        "faces": " ".join(lying),
        "root": tree_head(leaves).hex(),
        "openings": [
            {
                "position": p,
                "face": lying[p],
                "salt": salts[p].hex(),
                "path": [step.hex() for step in audit_path(p, leaves)],
            }
            for p in sorted({0, min(1, len(lying) - 1), len(lying) // 2, len(lying) - 1})
        ],
    }


def transcript_of(seats, **given):
    names = [f"seat{number}" for number in range(1, seats + 1)]
    return {
        "batch": None,
        "beacon": None,
        "deal": 1,
        "deck": {"decks": 2, "printed_jokers_per_deck": 1},
        "format": FORMAT,
        "generation": 0,
        "purpose": "deal",
        "rules": hashlib.sha256(b"terms").hexdigest(),
        "seat_seeds": [{"commitment": None, "seat": name, "seed": None, "state": "none"} for name in names],
        "seats": [{"player": f"player-{name}", "seat": name} for name in names],
        "table": "p07-9f2c",
        **given,
    }


def vectors():
    short, long = bytes(range(80)), bytes(range(100, 220))
    pile = ["9H", "JK", "TD", "AS", "AS", "2C", "KD", "9H", "QS"]
    odd = transcript_of(2, deal=12)
    odd["seats"][0]["player"] = 'zoë "7♥" \\ \u0001\u007f\U0001f0cf'
    cases = [
        ("two decks, six seats", short, transcript_of(6), None),
        ("two decks of two jokers", short, transcript_of(2, deck={"decks": 2, "printed_jokers_per_deck": 2}), None),
        ("three decks", long, transcript_of(6, deck={"decks": 3, "printed_jokers_per_deck": 1}, deal=9), None),
        ("one deck", short, transcript_of(2, deck={"decks": 1, "printed_jokers_per_deck": 1}), None),
        ("toss", short, transcript_of(6, purpose="toss", deal=0), None),
        ("a reshuffle of the open pile", short, transcript_of(6, generation=1), pile),
        ("a second reshuffle", short, transcript_of(6, generation=2), pile),
        ("a reshuffle of one card", short, transcript_of(6, generation=3), ["TD"]),
        ("a name that must be escaped", short, odd, None),
        ("a pile that needs a second chunk of draws", short, transcript_of(2, generation=4), pack_of(10, 1)),
    ]
    return [
        {"name": name, "seed": seed.hex(), "goes_in": faces and " ".join(faces), **pack(seed, transcript, faces)}
        for name, seed, transcript, faces in cases
    ]


def leaf_of(domain, *parts):
    return hashlib.sha256(b"\x00" + lengthed(domain) + b"".join(map(lengthed, parts))).digest()


def number(value):
    return value.to_bytes(4, "big")


def batch_of(table, which, seeds):
    leaves = [
        leaf_of(b"poolrummy-seed-leaf-v1", table.encode(), number(which), number(index), seed)
        for index, seed in enumerate(seeds)
    ]
    return {
        "table": table,
        "batch": which,
        "seeds": [seed.hex() for seed in seeds],
        "sealed_plain_sha256": hashlib.sha256(b"".join(seeds)).hexdigest(),
        "root": tree_head(leaves).hex(),
        "proofs": [
            {
                "batch": which,
                "index": index,
                "leaf": leaves[index].hex(),
                "path": [step.hex() for step in audit_path(index, leaves)],
            }
            for index in sorted({0, 1, len(seeds) - 1})
        ],
    }


def next_batch(table, which, seeds):
    """The seeds of the batch behind ``which``: from its last seed."""
    context = hashlib.sha512(table.encode()).digest()
    label = f"poolrummy-seed-batch-v1/{which + 1}/"
    return [kdf(seeds[-1], f"{label}{index}".encode(), context, len(seeds[-1])) for index in range(len(seeds))]


def seat_commitment(table, seat, player, seed):
    return leaf_of(b"poolrummy-seat-seed-v1", table.encode(), number(seat), player.encode(), seed).hex()


def chain(table, entries):
    """The chain hash before the first entry and behind each."""
    found = [hashlib.sha256(b"poolrummy/table-log/1\x00" + table.encode()).digest()]
    for entry in entries:
        found.append(hashlib.sha256(found[-1] + len(entry).to_bytes(8, "big") + entry).digest())
    return [one.hex() for one in found]


def fair_pack():
    """Everything of FAIRNESS.md in figures, for one table: promises, seeds of seats, packs, openings, chain."""
    table, players = "p07-9f2c", {1: "asha", 2: "bhaskar", 3: "zo\u00eb"}
    seeds = [hashlib.shake_256(b"vector seed %d" % index).digest(80) for index in range(32)]
    second = next_batch(table, 1, seeds)
    batches = [batch_of(table, 1, seeds), batch_of(table, 2, second)]
    given = {seat: hashlib.sha256(b"vector seat seed %d" % seat).digest() for seat in (1, 2)}
    promised = {seat: seat_commitment(table, seat, players[seat], seed) for seat, seed in given.items()}
    told = {
        1: {"seat": "1", "state": "revealed", "commitment": promised[1], "seed": given[1].hex()},
        2: {"seat": "2", "state": "withheld", "commitment": promised[2], "seed": None},
        3: {"seat": "3", "state": "none", "commitment": None, "seed": None},
    }

    def case(name, order, batch, index, goes_in=None, **fields):
        seed = (seeds if batch == 1 else second)[index]
        said = transcript_of(0) | dict(
            table=table,
            seats=[{"seat": str(seat), "player": players[seat]} for seat in order],
            seat_seeds=[told[seat] for seat in order],
            batch={"batch": batch, "index": index, "root": batches[batch - 1]["root"]},
            **fields,
        )
        found = pack(seed, said, goes_in)
        context = bytes.fromhex(found["context"])
        stream = kdf(seed, found["stem"].encode() + b"/shuffle/0", context, 1024)
        return {"name": name, "seed": seed.hex(), "goes_in": goes_in, "stream_begins": stream[:64].hex(), **found}

    pile = ["9H", "JK", "TD", "AS", "AS", "2C", "KD", "9H", "QS"]
    entries = [b'{"type":"table-opened","v":1}', b'{"type":"seeds-committed","v":2}', '{"player":"zo\u00eb"}'.encode()]
    return {
        "format": "poolrummy-fair-pack-vectors-1",
        "batches": batches,
        "seat_seeds": [
            {
                "table": table,
                "seat": seat,
                "player": players[seat],
                "seed": given[seat].hex(),
                "commitment": promised[seat],
            }
            for seat in given
        ],
        "packs": [
            case("the toss", (1, 2, 3), 1, 0, purpose="toss", deal=0),
            case("deal 1", (2, 1, 3), 1, 1, deal=1),
            case("the pile of deal 1 becomes the stock", (2, 1, 3), 1, 1, pile, deal=1, generation=1),
            case("deal 31, the first of the second batch", (1, 3, 2), 2, 0, deal=31),
        ],
        "chain": {"table": table, "entries": [entry.decode() for entry in entries], "hashes": chain(table, entries)},
    }


def drawn_seat(seed, table, which, free):
    """The seat that comes out of the draw of this number."""
    stem = f"poolrummy-seating-v1/{which}".encode()
    return sorted(free)[Draws(seed, stem, hashlib.sha512(table.encode()).digest()).below(len(free))]


def seating():
    """Seats that are drawn by the first promised seed: one table after the other fills up, some seats being taken."""
    draws = []
    for table, seats, taken in (("p07-9f2c", 6, ()), ("p00-a", 2, ()), ("p15-zo-1", 6, (2, 5)), ("p01-b", 3, (1,))):
        seed, free = hashlib.shake_256(b"vector seating " + table.encode()).digest(80), list(range(1, seats + 1))
        free = [seat for seat in free if seat not in taken]
        for which in range(1, len(free) + 1):
            seat = drawn_seat(seed, table, which, free)
            draws.append({"seed": seed.hex(), "table": table, "number": which, "free": list(free), "seat": seat})
            free.remove(seat)
    return {"format": "poolrummy-seating-vectors-1", "draws": draws}


if __name__ == "__main__":
    written = fair_pack() if "fair-pack" in sys.argv else seating() if "seating" in sys.argv else vectors()
    print(json.dumps(written, indent=1, ensure_ascii=True))
