"""What a dossier is asked about, and the stretch of the log that it looks at."""

import msgspec

from poolrummy.audit.dossier.content import About, RefusedCommand, Statement
from poolrummy.audit.dossier.names import Who
from poolrummy.audit.history import Moments
from poolrummy_contracts import events as e
from poolrummy_contracts.terms import Seat, Terms


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """The question, with everything that its answer is read from."""

    moments: Moments
    of_deal: Moments
    deal: int | None
    seat: Seat | None
    about: About | None
    who: Who
    refused: tuple[RefusedCommand, ...]
    whole: bool = False
    """Whether the whole match is told, and the deal was chosen for the answer alone."""

    @property
    def terms(self) -> Terms:
        """The rules of the table."""
        return self.moments[-1].after.terms


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """An answer before it is put into its place."""

    question: str
    sentence: str
    rules: tuple[str, ...]
    at_v: int | None = None

    @property
    def statement(self) -> Statement:
        """The answer beside another one."""
        return Statement(text=self.sentence, rules=self.rules)


def score_of(case: Case, seat: Seat) -> tuple[e.DealScored, e.SeatScore] | None:
    """What the deal cost the seat, if it was scored and the seat was dealt in."""
    for one in case.of_deal:
        if isinstance(one.event, e.DealScored):
            return next(((one.event, score) for score in one.event.scores if score.seat == seat), None)
    return None
