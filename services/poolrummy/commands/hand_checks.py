"""What the arranger's commands accept: cards, wild card and terms, or a sentence that names what is wrong (rule 3)."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from poolrummy.commands.rule_diff import table_sizes, terms_of
from poolrummy.profile_files import load_all
from poolrummy.rules.meld_rules import MeldRules
from poolrummy_contracts.cards import FACES, PRINTED_JOKER, RANKS, Card, parse_card
from poolrummy_contracts.findings import nearest
from poolrummy_contracts.profiles import Profile

HAND: Final = 13
_NUMBERS: Final = {2: "twice", 3: "three times", 4: "four times"}


class Unreadable(Exception):
    """Something that is no hand of these terms; the sentence names it."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The rules that hands are arranged by, and the pack that they come from."""

    rules: MeldRules
    decks: int
    printed_jokers: int


def asked(profile: str, variant: str, folder: Path | None = None) -> Asked:
    """The rules and the pack of the largest table that a profile offers in a variant (rule 1.1)."""
    known: Mapping[str, Profile] = load_all(folder)
    if profile not in known:
        raise Unreadable(f"there is no rule profile {profile!r}; {nearest(profile, known)}")
    offered = known[profile].variants
    if variant not in offered:
        raise Unreadable(f"{profile} does not offer the variant {variant!r}; use one of: {', '.join(offered)}")
    terms = terms_of(known[profile], variant, max(table_sizes(known[profile], variant)))
    return Asked(
        rules=MeldRules.of(terms), decks=terms.decks, printed_jokers=terms.decks * terms.printed_jokers_per_deck
    )


def wild_of(text: str) -> str:
    """The wild card as the arranger takes it: a rank, a card, or JK for a printed joker, which makes aces wild.

    >>> wild_of("10"), wild_of("q"), wild_of("4♠"), wild_of("jk")
    ('T', 'Q', '4S', 'JK')
    """
    folded = text.strip().upper()
    rank = "T" if folded == "10" else folded
    if len(rank) == 1 and rank in RANKS:
        return rank
    try:
        return parse_card(text)
    except ValueError:
        raise Unreadable(f"{text!r} is no wild card: give a rank (4, 10, Q), a card (4S), or JK") from None


def hands_of(hand: Sequence[str] | None, file: Path | None) -> list[tuple[str, list[str]]]:
    """Where each hand stands, and its words; from the command line, or from the lines of a file."""
    if bool(hand) == (file is not None):
        raise Unreadable('give one hand, such as "5H 6H 7H …", or --file FILE, or --jsonl FILE')
    if file is None:
        return [("", words_of(" ".join(hand or [])))]
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8")
    except UnicodeDecodeError as garbled:
        raise Unreadable(f"{file} cannot be read: it is no text") from garbled
    except OSError as refused:
        raise Unreadable(f"{file} cannot be read: {refused.strerror}") from refused
    found = [(f"{file}, line {number}: ", words_of(line)) for number, line in enumerate(text.splitlines(), start=1)]
    if not any(words for _, words in found):
        raise Unreadable(f"{file} holds no hand; write one a line")
    return [(where, words) for where, words in found if words]


def words_of(line: str) -> list[str]:
    """The words of a line up to a #, separated by blanks or commas."""
    return line.partition("#")[0].replace(",", " ").split()


def cards_of(words: Sequence[str]) -> tuple[Card, ...]:
    """The cards of these words; every word that is no card is named."""
    try:
        return tuple([Card(word) if word in FACES else parse_card(word) for word in words])
    except ValueError:
        wrong = [repr(word) for word in words if not _is_card(word)]
    verb = "is no card" if len(wrong) == 1 else "are no cards"
    raise Unreadable(
        f"{', '.join(wrong)} {verb}: write rank then suit, such as 9H, TD or 10D, and JK for a printed joker"
    )


def refuse_wrong_number(cards: Sequence[Card], wanted: int = HAND) -> None:
    """Say so if a hand does not have the number of cards that was asked for (rule 3.1)."""
    if len(cards) == wanted:
        return
    mend = f"give {wanted}"
    if wanted == HAND and len(cards) == HAND + 1:
        mend += ", or add --discard to see what each discard leaves"
    elif wanted != HAND and len(cards) == HAND:
        mend += ", or leave out --discard"
    raise Unreadable(f"the hand has {len(cards)} card{'' if len(cards) == 1 else 's'} and not {wanted}; {mend}")


def refuse_impossible(cards: Sequence[Card], wild: str, pack: Asked) -> None:
    """Say so if the pack does not hold these cards; a card turned up as wild is out of it (rules 3.1 and 3.4)."""
    held = Counter(cards)
    if max(held.values(), default=0) < min(pack.decks, pack.printed_jokers):
        return
    for card, times in held.items():
        there = pack.printed_jokers if card == PRINTED_JOKER else pack.decks
        up = card == wild
        if times > there - up:
            often = _NUMBERS.get(times, f"{times} times")
            decks = "one deck" if pack.decks == 1 else f"{pack.decks} decks"
            turned = ", and one of them is turned up as wild card" if up else ""
            raise Unreadable(
                f"the hand holds {card} {often if times > 1 else 'once'}; {decks} hold it {_times(there)}{turned}"
            )


def _times(number: int) -> str:
    return "once" if number == 1 else _NUMBERS.get(number, f"{number} times")


def _is_card(word: str) -> bool:
    try:
        parse_card(word)
    except ValueError:
        return False
    return True
