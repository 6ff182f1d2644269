"""`poolrummy check-card`: whether each card that a seat was told is the one that was promised (rule 3.7)."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer

from poolrummy.commands.reaching import AsJson
from poolrummy.fairness import age
from poolrummy.fairness.opened_lines import NotForThisKey, opened_line
from poolrummy_contracts import codec
from poolrummy_contracts.events import DealStarted, OpenedCard, StockReshuffled
from poolrummy_contracts.openings import card_fault
from poolrummy_contracts.seat_lines import CardReceived, CardsDealt, SealedLine

EXIT_FALSE: Final = 1
EXIT_USAGE: Final = 2
EXAMPLE: Final = "give a deal-started or stock-reshuffled event beside the cards, or --root HEX --cards NUMBER"
LINES: Final = (
    "a line is a seat line, an opening or an event, and sealed ones need --identity "
    "(a deal record is checked by `poolrummy record FILE --check`)"
)

app = typer.Typer(help="Check cards against the promise in the log.", add_completion=False)


class Promise(msgspec.Struct, frozen=True, kw_only=True):
    """The root that a card has to lead to; without a deal it is for every card of its generation."""

    root: str
    cards: int
    generation: int
    deal: int | None = None
    table: str | None = None


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A card that somebody was told, and where."""

    card: OpenedCard
    deal: int | None = None
    table: str | None = None


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one card."""

    card: str
    position: str
    deal: int | None
    proved: bool
    fault: str | None = None


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Files of JSON lines: seat lines, openings, events; - reads on.")],
    root: Annotated[str | None, typer.Option("--root", help="Root of the pack, 64 hex digits.")] = None,
    cards: Annotated[int, typer.Option("--cards", help="Cards in the pack of that root.", min=1)] = 106,
    generation: Annotated[int, typer.Option("--generation", help="Number of the reshuffle; 0 as dealt.", min=0)] = 0,
    identity: Annotated[Path | None, typer.Option("--identity", help="Age identity that opens sealed lines.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Check each card with its opening against the root that stood in the log before anybody saw the card.

    The files hold one JSON object a line: seat lines (cards-dealt, card-received, sealed-line), bare openings
    {card, position, salt, path}, and the events that promise packs (deal-started, stock-reshuffled).
    Ends with 0 if every card is proved, 1 if one is not, 2 if something cannot be read or no promise fits.
    """
    told, promises = _read(files, identity)
    if root is not None:
        promises.append(Promise(root=root, cards=cards, generation=generation))
    if not told:
        _refuse("there is no card to check in what was given; give a line of a seat's channel, or an opening")
    checked = [_checked(one, promises) for one in told]
    if as_json:
        print(msgspec.json.encode(checked).decode())  # noqa: T201 - what the command is for
    else:
        for one in checked:
            verdict = "is the promised card" if one.proved else f"IS NOT PROVED: {one.fault}"
            print(f"{one.card:<3} at {one.position:<6} {verdict}")  # noqa: T201 - what the command is for
        print(f"{sum(one.proved for one in checked)} of {len(checked)} cards are proved")  # noqa: T201 - what the command is for
    raise typer.Exit(0 if all(one.proved for one in checked) else EXIT_FALSE)


def _checked(told: Told, promises: Sequence[Promise]) -> Checked:
    card = told.card
    of = card.position.partition("-")[0]
    fits = [
        one
        for one in promises
        if str(one.generation) == of and told.deal in {None, one.deal or told.deal} and one.table in {None, told.table}
    ]
    if not fits:
        _refuse(f"nothing given promises {card.card} at {card.position} of deal {told.deal or '?'}: {EXAMPLE}")
    if len({one.root for one in fits}) > 1:
        _refuse(f"several packs may hold {card.card} at {card.position}: name the deal, or give one promise")
    fault = card_fault(card, root=fits[0].root, generation=fits[0].generation, leaves=fits[0].cards)
    return Checked(card=card.card, position=card.position, deal=told.deal, proved=fault is None, fault=fault)


def _read(files: Sequence[Path], identity: Path | None) -> tuple[list[Told], list[Promise]]:
    told: list[Told] = []
    promises: list[Promise] = []
    for where, line in _lines(files):
        try:
            found = _parsed(line, identity)
        except (codec.WireError, msgspec.MsgspecError, UnicodeDecodeError, NotForThisKey) as unreadable:
            _refuse(f"{where}: {unreadable}; {LINES}")
        except OSError as missing:
            _refuse(f"--identity {identity} cannot be read ({missing.strerror}); name the file of your age identity")
        for one in found:
            if isinstance(one, Promise):
                promises.append(one)
            else:
                told.append(one)
    return told, promises


def _lines(files: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    for path in files:
        try:
            content = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        except OSError as missing:
            _refuse(f"{path} cannot be read: {missing.strerror}")
        for number, line in enumerate(content.splitlines(), start=1):
            if line.strip():
                yield f"{path}, line {number}", line


def _parsed(line: bytes, identity: Path | None) -> list[Told | Promise]:
    tagged = codec.tagged(line)
    match tagged.type if tagged else "":
        case "deal-started" | "stock-reshuffled":
            event = codec.decode_event(line)
            assert isinstance(event, DealStarted | StockReshuffled), "the tag says what it is"
            generation = event.generation if isinstance(event, StockReshuffled) else 0
            promise = Promise(
                root=event.pack.root,
                cards=event.pack.cards,
                generation=generation,
                deal=event.deal,
                table=event.table,
            )
            return [promise, *_turned_up(event)]
        case "cards-dealt" | "card-received" | "sealed-line":
            return list(_of_line(line, identity))
        case "":
            return [Told(card=msgspec.json.decode(line, type=OpenedCard))]
        case _:
            return []


def _turned_up(event: DealStarted | StockReshuffled) -> list[Told]:
    """The cards that lie open are checked along."""
    if isinstance(event, StockReshuffled):
        return []
    opened = (event.wild, event.open, *event.set_aside)
    return [Told(card=card, deal=event.deal, table=event.table) for card in opened]


def _of_line(line: bytes, identity: Path | None) -> Iterator[Told]:
    said = codec.decode_seat_line(line)
    if isinstance(said, SealedLine):
        keys = "" if identity is None else identity.read_text("utf-8")
        try:
            said = opened_line(said, keys)
        except age.NotAnIdentity as unreadable:
            raise NotForThisKey(f"{identity} holds no age identity") from unreadable
    match said:
        case CardsDealt():
            yield from (Told(card=card, deal=said.deal, table=said.table) for card in said.cards)
        case CardReceived():
            yield Told(card=said.card, deal=said.deal, table=said.table)
        case _:
            return


def _refuse(sentence: str) -> NoReturn:
    print(f"poolrummy check-card: {sentence}", file=sys.stderr)  # noqa: T201 - for the person at the terminal
    raise typer.Exit(EXIT_USAGE)
