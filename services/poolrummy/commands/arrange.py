"""`poolrummy arrange` and `poolrummy judge`: hands and shows for people as pictures, for programs as JSON Lines."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from poolrummy.commands import hand_answers, hand_streams
from poolrummy.commands.hand_checks import (
    HAND,
    Asked,
    Unreadable,
    asked,
    cards_of,
    hands_of,
    refuse_impossible,
    refuse_wrong_number,
    wild_of,
    words_of,
)
from poolrummy.profile_files import ProfilesInvalid
from poolrummy_contracts.cards import Card

EXIT_USAGE: Final = 2
WILD_MISSING: Final = "the wild card is missing: add --wild with a rank (4), a card (4S), or JK"

arrange = typer.Typer(help="Arrange a hand, or a file of hands.", add_completion=False)
judge = typer.Typer(help="Judge shows.", add_completion=False)

Wild = Annotated[
    str | None, typer.Option("--wild", help="Wild card: a rank (4), the card turned up (4S), or JK: aces are wild.")
]
ProfileName = Annotated[str, typer.Option("--profile", help="Rule profile.")]
VariantName = Annotated[str, typer.Option("--variant", help="Variant of the profile.")]
Folder = Annotated[
    Path | None,
    typer.Option("--profiles", help="Folder with profiles of your own (*.toml).", envvar="POOLRUMMY_PROFILES_DIR"),
]
Lines = Annotated[Path | None, typer.Option("--jsonl", help="JSON Lines, one answer a line; - is standard input.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@arrange.command()
def arrange_hand(  # noqa: PLR0913 - each is an option of the command
    hand: Annotated[list[str] | None, typer.Argument(help='The cards, such as "5H 6H 10S … JK".')] = None,
    wild: Wild = None,
    profile: ProfileName = "house",
    variant: VariantName = "101",
    profiles: Folder = None,
    file: Annotated[Path | None, typer.Option("--file", help="Hands as text, one a line; - is standard input.")] = None,
    jsonl: Lines = None,
    *,
    discard: Annotated[bool, typer.Option("--discard", help="14 cards: what each discard leaves.")] = False,
    as_json: AsJson = False,
) -> None:
    """Lay a hand in the groups that count least, and say whether it can be shown (rules 6.2 and 8.2).

    --jsonl reads {"id","hand","wild"} a line and writes {"id","raw","points","declarable","groups","leftover"}.
    Ends with 0; 1 if a line of a stream is bad; 2 if there is no hand to arrange.
    """
    try:
        terms, turned = _terms(profile, variant, profiles, wild)
        if jsonl is not None:
            _refuse_beside_jsonl(hand, file, discard=discard)
            _stream("arrange", jsonl, terms, turned)
        up = _turned_up(turned)
        tell = hand_answers.tell_discards if discard else hand_answers.tell_hand
        for cards in [_checked(*each, up, terms, discard=discard) for each in hands_of(hand, file)]:
            tell(cards, up, terms.rules, as_json=as_json)
    except (Unreadable, ProfilesInvalid) as wrong:
        _refuse("arrange", wrong)


@judge.command()
def judge_show(
    show: Annotated[list[str] | None, typer.Argument(help='The groups, such as "5H 6H 7H / 9S JK JS / …".')] = None,
    wild: Wild = None,
    profile: ProfileName = "house",
    variant: VariantName = "101",
    profiles: Folder = None,
    jsonl: Lines = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Say whether a show is valid, and if not, the first reason against it (rule 6.3).

    --jsonl reads {"id","wild","hand","groups"} a line and writes {"id","valid","reason"}.
    Ends with 0 whatever the verdict; 1 if a line of a stream is bad; 2 if there is no show to judge.
    """
    try:
        terms, turned = _terms(profile, variant, profiles, wild)
        if jsonl is not None:
            _refuse_beside_jsonl(show, None, discard=False)
            _stream("judge", jsonl, terms, turned)
        up = _turned_up(turned)
        placed = _placed(show, up, terms)
        hand_answers.tell_show(placed, up, terms.rules, as_json=as_json)
    except (Unreadable, ProfilesInvalid) as wrong:
        _refuse("judge", wrong)


def _terms(profile: str, variant: str, folder: Path | None, wild: str | None) -> tuple[Asked, str | None]:
    return asked(profile, variant, folder), None if wild is None else wild_of(wild)


def _turned_up(wild: str | None) -> str:
    if wild is None:
        raise Unreadable(WILD_MISSING)
    return wild


def _refuse_beside_jsonl(words: Sequence[str] | None, file: Path | None, *, discard: bool) -> None:
    if words or file is not None or discard:
        raise Unreadable("--jsonl stands alone: leave out the cards, --file and --discard")


def _stream(name: str, path: Path, terms: Asked, wild: str | None) -> NoReturn:
    make = hand_streams.arranging if name == "arrange" else hand_streams.judging
    raise typer.Exit(hand_streams.streamed(name, path, make(terms, wild)))


def _placed(show: Sequence[str] | None, wild: str, terms: Asked) -> list[tuple[Card, ...]]:
    """The groups of a show; together they are the hand, of any size (rule 6.3 judges that)."""
    groups = [cards_of(words_of(part)) for part in " ".join(show or []).split("/")]
    if not any(groups):
        raise Unreadable('there is no show; give groups such as "5H 6H 7H / 9S JK JS", or --jsonl FILE')
    refuse_impossible([card for group in groups for card in group], wild, terms)
    return groups


def _checked(where: str, words: Sequence[str], wild: str, terms: Asked, *, discard: bool) -> tuple[Card, ...]:
    try:
        cards = cards_of(words)
        refuse_wrong_number(cards, HAND + 1 if discard else HAND)
        refuse_impossible(cards, wild, terms)
    except Unreadable as wrong:
        raise Unreadable(f"{where}{wrong}") from wrong
    return cards


def _refuse(name: str, why: Exception) -> NoReturn:
    typer.echo(f"poolrummy {name}: {why}", err=True)
    raise typer.Exit(EXIT_USAGE) from why
