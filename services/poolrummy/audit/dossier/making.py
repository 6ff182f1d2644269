"""A dossier from a log, for one reader: what was asked, what the reader may see, and what is known of the cards."""

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from poolrummy.audit.dossier import content
from poolrummy.audit.dossier.answering import answer_of
from poolrummy.audit.dossier.case import Case
from poolrummy.audit.dossier.content import About, Answer, DealTold, Dossier, Match, RefusedCommand, SeatInMatch
from poolrummy.audit.dossier.names import Who
from poolrummy.audit.dossier.proving import proofs_of
from poolrummy.audit.dossier.shows import counts_of, shows_of
from poolrummy.audit.dossier.steps import StepsOfView, card_seen, hands_seen, players_of
from poolrummy.audit.dossier.sums import sums_of
from poolrummy.audit.dossier.totals import bars_of, ending_of, sheet_of
from poolrummy.audit.history import Moments, before_deals, deals_of
from poolrummy.audit.known_packs import Known
from poolrummy.audit.views import Faces, Pack, View, seen_packs
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat

Book = Mapping[str, tuple[str, str]]
"""Title and text of each paragraph of the rulebook, by number."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What a dossier is to be about; without a deal the whole match is told."""

    view: View = View("public")
    deal: int | None = None
    seat: Seat | None = None
    about: About | None = None


class NoSuchDeal(ValueError):
    """The log has no deal of this number."""

    def __init__(self, deal: int, last: int) -> None:
        super().__init__(f"there is no deal {deal}; the last one is {last}")


def dossier_of(
    moments: Moments, asked: Asked, known: Known, *, book: Book, refused: Iterable[RefusedCommand] = ()
) -> Dossier:
    """Everything that this reader is told."""
    deals = dict(deals_of(moments))
    if asked.deal is not None and asked.deal not in deals:
        raise NoSuchDeal(asked.deal, max(deals, default=0))
    players = players_of(moments)
    chosen = deals if asked.deal is None else {asked.deal: deals[asked.deal]}
    told = moments if asked.deal is None else chosen[asked.deal]
    seen = seen_packs(asked.view, moments, known.packs)
    asks = tuple(_refused(refused, asked, told, moments))
    case = Case(
        moments=moments,
        of_deal=deals.get(asked.deal or 0, ()),
        deal=asked.deal,
        seat=asked.seat,
        about=asked.about,
        who=Who(players),
        refused=asks,
    )
    steps, answer = StepsOfView(asked.view), answer_of(case)
    dossier = Dossier(
        format=content.FORMAT,
        table=moments[0].event.table,
        view=asked.view.kind,
        view_seat=asked.view.seat,
        deal=asked.deal,
        seat=asked.seat,
        answer=answer,
        match=_match(moments, players),
        sheet=sheet_of(moments),
        opening=steps.before_deals(before_deals(moments)),
        deals=tuple(
            _told(number, of_deal, asked.view, steps, seen.get(number, {})) for number, of_deal in chosen.items()
        ),
        refused=asks,
        proofs=proofs_of(moments, told, seen, known.seeds, asked.view),
        rules=(),
        notes=tuple(_notes(asked, answer, known, seen, told)),
    )
    return msgspec.structs.replace(dossier, rules=tuple(_cited(dossier, book)))


def _told(number: int, of_deal: Moments, view: View, steps: StepsOfView, seen: Pack) -> DealTold:
    start = of_deal[0].event
    assert isinstance(start, e.DealStarted), "a deal begins with its start"
    who = Who(players_at(of_deal))
    faces = Faces(seen)
    faces.learn(start)
    return DealTold(
        deal=number,
        order=start.order,
        dealer=start.dealer,
        wild=card_seen(start.wild.position, start.wild.card, start.wild_rank),
        wild_rank=start.wild_rank,
        open=card_seen(start.open.position, start.open.card, start.wild_rank),
        ending=ending_of(of_deal, who),
        first_v=of_deal[0].v,
        last_v=of_deal[-1].v,
        hands=hands_seen(of_deal[0].after, view, faces),
        steps=steps.of_deal(of_deal, seen),
        bars=bars_of(of_deal, who),
        shows=shows_of(of_deal, who),
        counts=counts_of(of_deal, who),
        sums=sums_of(of_deal, who),
    )


def players_at(of_deal: Moments) -> dict[Seat, str]:
    """Who sits where in this deal."""
    return {chair.seat: chair.player for chair in of_deal[0].after.chairs}


def _match(moments: Moments, players: Mapping[Seat, str]) -> Match:
    last, opened = moments[-1].after, moments[0].event
    assert isinstance(opened, e.TableOpened), "a log begins with the opening of its table"
    terms = opened.terms
    ended = next((one.event for one in moments if isinstance(one.event, e.MatchEnded)), None)
    places = {} if ended is None else {place.seat: place for place in ended.places}
    kinds: dict[Seat, e.SeatKind] = {
        one.event.seat: one.event.kind for one in moments if isinstance(one.event, e.SeatTaken)
    }
    standing = {} if last.standings is None else {one.seat: one for one in last.standings.seats}
    seats = tuple(
        SeatInMatch(
            seat=seat,
            player=players[seat],
            kind=kinds[seat],
            total=standing[seat].total if seat in standing else 0,
            state=standing[seat].state if seat in standing else "seated",
            rejoins=standing[seat].rejoins if seat in standing else 0,
            place=places[seat].place if seat in places else None,
            prize=places[seat].prize if seat in places else None,
        )
        for seat in sorted(players)
    )
    return Match(
        profile=terms.profile,
        variant=terms.variant,
        edition=opened.edition,
        terms_hash=opened.terms_hash,
        limit=terms.limit if isinstance(terms.limit, int) else None,
        currency=terms.currency,
        entry_fee=terms.entry_fee,
        prize_pool=0 if last.standings is None else last.standings.prize_pool,
        opened_at=opened.at,
        phase=last.phase,
        how=None if ended is None else ended.how,
        seats=seats,
    )


BETWEEN_DEALS = frozenset({"ask-rejoin", "refuse-rejoin", "ask-split", "vote-split"})


def _refused(
    refused: Iterable[RefusedCommand], asked: Asked, told: Moments, moments: Moments
) -> Iterator[RefusedCommand]:
    """The refused commands that the reader may see: all for the auditor, its own for a seat, none for the public.

    What is asked of the break between deals may come when the next deal has begun: it belongs to the break.
    """
    first, last = told[0].v - 1, told[-1].v
    break_ends = next((one.v for one in moments if one.v > last and isinstance(one.event, _ENDS)), moments[-1].v)
    for one in refused:
        until = break_ends if one.what in BETWEEN_DEALS else last
        mine = asked.view.kind == "auditor" or (asked.view.kind == "seat" and one.seat == asked.view.seat)
        if mine and first <= one.v <= until:
            yield one


_ENDS = e.DealScored | e.DealVoided


def _notes(asked: Asked, answer: Answer, known: Known, seen: Mapping[int, Pack], told: Moments) -> Iterator[str]:
    match asked.view.kind:
        case "public":
            yield "This is the public view: hands that were not laid open, and refused commands, are not in it."
        case "seat":
            yield (
                f"This is the view of seat {asked.view.seat}: beside what is public it shows that seat's own cards and "
                "its own refused commands; hands that others did not lay open are not in it."
            )
        case "auditor":
            yield "This is the auditor's view: it shows cards that no player has seen. Hand it to nobody at the table."
    if asked.about not in (None, answer.about):
        yield f"Nothing in this log answers a question about the {asked.about}; the answer is about the {answer.about}."
    missing = [deal for deal, _ in deals_of(told) if not seen.get(deal)] if asked.view.kind != "public" else []
    if missing:
        yield (
            f"The closed cards of deal {', '.join(map(str, missing))} are not known here: their seeds are sealed; name "
            "the folder with the auditor's key with --keys."
        )
    yield from (f"A pack could not be dealt again: {trouble}." for trouble in known.troubles)


def _cited(dossier: Dossier, book: Book) -> Iterator[content.Paragraph]:
    numbers = {
        *dossier.answer.rules,
        *(rule for one in dossier.answer.also for rule in one.rules),
        *(step.rule for step in dossier.opening),
    }
    for deal in dossier.deals:
        numbers.update(step.rule for step in deal.steps)
        numbers.update(rule for show in deal.shows for rule in show.verdict.rules)
        numbers.update(rule for count in deal.counts for rule in count.explanation.rules)
        numbers.update(rule for one in deal.sums for line in one.lines for rule in line.rules)
    for number in sorted(numbers, key=_by_number):
        title, text = book.get(number, ("", ""))
        yield content.Paragraph(number=number, title=title, text=reflowed(text))


def reflowed(text: str) -> str:
    """A paragraph without the line breaks of its file; lists and tables keep theirs.

    >>> reflowed(chr(10).join(("one", "two", "- three"))).splitlines()
    ['one two', '- three']
    """
    return re.sub(r"(?<!\n)\n(?![\n|*-]|\d+\. )", " ", text)


def _by_number(number: str) -> tuple[int, int, str]:
    chapter, _, paragraph = number.partition(".")
    digits = "".join(letter for letter in paragraph if letter.isdigit()) or "0"
    return int(chapter) if chapter.isdigit() else 99, int(digits), paragraph
