"""The deck transcript, version 1, written a second time from its README with the standard library alone.

It shares no code with the product. ``python tests/fairness/independent.py`` wrote ``vectors.json`` once; that
file is never written again, because logs that were recorded with it last for ever.
"""

import hashlib
import hmac
import json

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


if __name__ == "__main__":
    print(json.dumps(vectors(), indent=1, ensure_ascii=True))
