"""The story, part 5: verdicts, replies, the lines of a seat, and a message that was set aside."""

import base64
from typing import Final

from poolrummy.contracts_pages import story
from poolrummy.contracts_pages.story import ASHA, BHASKAR, CHITRA, OTHER_TABLE, TABLE
from poolrummy_contracts.refusals import Refusal
from poolrummy_contracts.replies import CommandAccepted, CommandRefused, Parked, ReplyMessage
from poolrummy_contracts.seat_lines import (
    CardReceived,
    CardsDealt,
    DropNoted,
    DropWithdrawn,
    GroupingSaved,
    SealedLine,
    SeatMessage,
)
from poolrummy_contracts.terms import EDITION
from poolrummy_contracts.verdicts import HandVerdict, RejoinPayment, ShowVerdict, VerdictMessage, verdict_id

_RUBBISH: Final = b'{"type":"draw",'

VERDICTS: Final[tuple[VerdictMessage, ...]] = (
    ShowVerdict(
        id=verdict_id(TABLE, 27),
        table=TABLE,
        ask=27,
        edition=EDITION,
        valid=True,
        reason="ok",
        group=None,
        groups=story.JUDGED_GROUPS,
        arrangement=None,
    ),
    HandVerdict(
        id=verdict_id(TABLE, 31),
        table=TABLE,
        ask=31,
        edition=EDITION,
        groups=story.COUNTED_GROUPS,
        leftover=story.LEFTOVER,
        raw=story.LEFTOVER_POINTS,
        points=story.LEFTOVER_POINTS,
        complete=False,
    ),
    RejoinPayment(id=verdict_id(TABLE, 55), table=TABLE, ask=55, seat=ASHA, paid=True),
)

REPLIES: Final[tuple[ReplyMessage, ...]] = (
    CommandAccepted(command="bhaskar-4", table=TABLE, v=14),
    CommandRefused(command="asha-2b", table=TABLE, v=15, code=Refusal.STALE_TURN, sentence=Refusal.STALE_TURN.sentence),
)

SEAT_LINES: Final[tuple[SeatMessage, ...]] = (
    CardsDealt(
        table=TABLE,
        seat=BHASKAR,
        deal=1,
        v=12,
        cards=tuple(story.opened(where) for where in story.hand_positions(BHASKAR)),
    ),
    CardReceived(table=TABLE, seat=BHASKAR, deal=1, v=14, card=story.opened(story.FIRST_STOCK)),
    GroupingSaved(table=TABLE, seat=ASHA, deal=1, v=17, groups=story.LOSING_GROUPS[:2]),
    DropNoted(table=TABLE, seat=CHITRA, deal=2, v=36, command="chitra-8"),
    DropWithdrawn(table=TABLE, seat=CHITRA, deal=2, v=36),
    SealedLine(table=OTHER_TABLE, seat=ASHA, deal=1, v=9, keys=("5b1f0c2d9a7e4433",), blob=story.SEALED.blob),
)

PARKED: Final[tuple[Parked, ...]] = (
    Parked(
        offset="1764450031200-0",
        why=Refusal.UNREADABLE.value,
        detail="Input data was truncated",
        table=None,
        size=len(_RUBBISH),
        payload=base64.b64encode(_RUBBISH).decode(),
    ),
)
