"""Cards and groups drawn in a terminal: readable without colour, and in letters where suits cannot be printed."""

from collections.abc import Sequence
from typing import Final

from rich.columns import Columns
from rich.console import Console
from rich.console import Group as Stack
from rich.table import Table
from rich.text import Text

from poolrummy.audit.wording import face
from poolrummy.commands import hand_sentences as say
from poolrummy.rules.arranger import Arrangement
from poolrummy.rules.discards import Discard
from poolrummy.rules.meld_rules import MeldRules, is_joker, wild_rank
from poolrummy_contracts.cards import PRINTED_JOKER, Card, card_points
from poolrummy_contracts.verdicts import Group

COLOURS: Final = {"S": "bold", "H": "bold red", "D": "bold bright_blue", "C": "bold green"}
"""Four colours, since red and black leave two suits alike."""
JOKER: Final = "bold magenta"
_LETTERS: Final = str.maketrans("♠♥♦♣╭╮╰╯─│", "SHDC++++-|")
_WIDTH: Final = 5


def console() -> Console:
    """Where the pictures go; colours and width are the terminal's own."""
    return Console(highlight=False, emoji=False, markup=False)


def show_arrangement(out: Console, found: Arrangement, wild: str, rules: MeldRules) -> None:
    """The groups side by side, what is left over with its points, and whether the hand can be shown."""
    if found.groups:
        _say(out, _side_by_side([_drawn(group, wild) for group in found.groups]))
    if found.leftover:
        rank = wild_rank(wild)
        below = [str(card_points(card, rank)) for card in found.leftover]
        title = "left over" if found.groups else "no group counts"
        _say(out, _block(title, found.leftover, below, wild, out.width // (_WIDTH + 2)))
    _say(out, Text(say.of_points(found, wild)))
    _say(out, Text(say.of_hand(found, rules), "bold green" if found.declarable else "bold"))


def show_groups(out: Console, groups: Sequence[Group], wild: str) -> None:
    """Groups side by side."""
    _say(out, _side_by_side([_drawn(group, wild) for group in groups]))


def show_discards(out: Console, discards: Sequence[Discard]) -> None:
    """Each discard with the count of what stays, the best first."""
    table = Table("discard", "points left", "allows a show")
    table.columns[1].justify = "right"
    for one in sorted(dict.fromkeys(discards), key=by_worth):
        counted = str(one.points) if one.points == one.raw else f"{one.points} (of {one.raw})"
        table.add_row(Text(face(one.card), COLOURS.get(one.card[1], JOKER)), counted, "yes" if one.allows_show else "-")
    _say(out, table)


def by_worth(one: Discard) -> tuple[bool, int]:
    """Sorts discards: one that allows a show before all others, then the fewest points."""
    return not one.allows_show, one.raw


def show_sentence(out: Console, sentence: str, *, good: bool) -> None:
    """One sentence, wrapped."""
    _say(out, Text(sentence, "bold green" if good else "bold"))


def _drawn(group: Group, wild: str) -> Stack:
    below = [
        "" if group.kind == "none" or (card == name != PRINTED_JOKER) else _standing_for(name)
        for card, name in zip(group.cards, group.stands_for, strict=True)
    ]
    names = () if group.kind == "none" else say.of_jokers(group)
    drawn = _block(say.KINDS[group.kind], group.cards, below, wild, len(group.cards))
    return Stack(drawn, *(Text(line, "dim") for line in names))


def _standing_for(name: Card) -> str:
    return "=any" if name == PRINTED_JOKER else f"={face(name)}"


def _block(title: str, cards: Sequence[Card], below: Sequence[str], wild: str, across: int) -> Stack:
    """A title, and under it the cards with a word below each; so many cards in a row."""
    rows: list[Text] = [Text(title, "bold underline")]
    for start in range(0, len(cards), max(1, across)):
        some = range(start, min(start + max(1, across), len(cards)))
        rows += [Text(), Text(), Text(), Text()]
        for index in some:
            card = cards[index]
            colour = COLOURS.get(card[1], JOKER)
            mark = "*" if card != PRINTED_JOKER and is_joker(card, wild_rank(wild)) else ""
            rows[-4].append(f"╭{'─' * _WIDTH}╮", "dim")
            rows[-3].append("│", "dim").append(f"{face(card) + mark:^{_WIDTH}}", colour).append("│", "dim")
            rows[-2].append("│", "dim").append(f"{below[index]:^{_WIDTH}}").append("│", "dim")
            rows[-1].append(f"╰{'─' * _WIDTH}╯", "dim")
    return Stack(*rows)


def _side_by_side(drawn: Sequence[Stack]) -> Columns:
    return Columns(drawn, padding=(0, 2))


def _say(out: Console, what: Columns | Stack | Text | Table) -> None:
    """Print it; where the terminal has no suits and lines, in letters."""
    if out.encoding.lower().startswith("utf"):
        out.print(what)
        return
    with out.capture() as caught:
        out.print(what)
    out.out(caught.get().translate(_LETTERS).encode(out.encoding, "replace").decode(out.encoding), end="")
