"""The story, part 3: between deals. Asha is out after deal 2, comes back on 21, and stays out after deal 5."""

from typing import Final

from poolrummy.contracts_pages.story import ASHA, BHASKAR, CHITRA, ENTRY, OPENED_AT, OTHER_TABLE, TABLE
from poolrummy_contracts import events
from poolrummy_contracts.commands import SplitAmount
from poolrummy_contracts.events import Obligation, RejoinOffer, SplitShare, TableEvent

_DEAL_2_OVER: Final = OPENED_AT + 300_000
_DEAL_5_OVER: Final = OPENED_AT + 800_000
_DEAL_6_OVER: Final = OPENED_AT + 930_000

REJOIN: Final[tuple[TableEvent, ...]] = (
    events.SeatEliminated(
        v=53,
        table=TABLE,
        at=_DEAL_2_OVER,
        actor="system",
        rule="9.2",
        cause="judge:p07-9f2c:51",
        deal=2,
        seat=ASHA,
        total=115,
    ),
    events.RejoinOffered(
        v=54,
        table=TABLE,
        at=_DEAL_2_OVER,
        actor="system",
        rule="10.1",
        cause="judge:p07-9f2c:51",
        deal=2,
        window=1,
        ends_at=_DEAL_2_OVER + 30_000,
        offers=(RejoinOffer(seat=ASHA, score=21, price=ENTRY),),
    ),
    events.RejoinAsked(
        v=55,
        table=TABLE,
        at=_DEAL_2_OVER + 11_000,
        actor="player",
        rule="10.6",
        cause="asha-19",
        deal=2,
        window=1,
        seat=ASHA,
        price=ENTRY,
        payment="none",
    ),
    events.RejoinQueued(
        v=29,
        table=OTHER_TABLE,
        at=OPENED_AT + 190_000,
        actor="player",
        rule="10.4",
        cause="emil-31",
        deal=1,
        window=1,
        seat=BHASKAR,
    ),
    events.RejoinGranted(
        v=56,
        table=TABLE,
        at=_DEAL_2_OVER + 11_000,
        actor="system",
        rule="10.3",
        cause="asha-19",
        deal=2,
        window=1,
        seat=ASHA,
        score=21,
        price=ENTRY,
        obligations=(Obligation(seat=ASHA, player="asha", kind="rejoin", amount=ENTRY),),
        prize_pool=4 * ENTRY,
    ),
    events.RejoinDeclined(
        v=131,
        table=TABLE,
        at=_DEAL_5_OVER + 7_000,
        actor="player",
        rule="10.7",
        cause="asha-40",
        deal=5,
        window=2,
        seat=ASHA,
        why="player",
    ),
    events.RejoinClosed(
        v=132, table=TABLE, at=_DEAL_5_OVER + 7_000, actor="system", rule="10.7", cause="asha-40", deal=5, window=2
    ),
)

SPLIT: Final[tuple[TableEvent, ...]] = (
    events.SplitOffered(
        v=133,
        table=TABLE,
        at=_DEAL_5_OVER + 7_000,
        actor="system",
        rule="11.4",
        cause="asha-40",
        deal=5,
        window=3,
        ends_at=_DEAL_5_OVER + 17_000,
    ),
    events.SplitClosed(
        v=134, table=TABLE, at=_DEAL_5_OVER + 17_000, actor="timer", rule="11.4", deal=5, window=3, why="not-asked"
    ),
    events.SplitRequested(
        v=130,
        table=TABLE,
        at=_DEAL_5_OVER + 2_000,
        actor="player",
        rule="11.4",
        cause="bhaskar-70",
        deal=5,
        window=2,
        seat=BHASKAR,
    ),
    events.SplitAsked(
        v=158,
        table=TABLE,
        at=_DEAL_6_OVER + 4_000,
        actor="player",
        rule="11.4",
        cause="bhaskar-80",
        deal=6,
        window=4,
        seat=BHASKAR,
        shares=(
            SplitShare(seat=BHASKAR, drops_left=2, bonus=2_000, share=1_000, amount=3_000),
            SplitShare(seat=CHITRA, drops_left=0, bonus=0, share=1_000, amount=1_000),
        ),
        ends_at=_DEAL_6_OVER + 34_000,
    ),
    events.SplitVoted(
        v=159,
        table=TABLE,
        at=_DEAL_6_OVER + 17_000,
        actor="player",
        rule="11.5",
        cause="chitra-44",
        deal=6,
        window=4,
        seat=CHITRA,
        accept=True,
    ),
    events.SplitAgreed(
        v=160,
        table=TABLE,
        at=_DEAL_6_OVER + 17_000,
        actor="system",
        rule="11.5",
        cause="chitra-44",
        deal=6,
        window=4,
        amounts=(SplitAmount(seat=BHASKAR, amount=3_000), SplitAmount(seat=CHITRA, amount=1_000)),
    ),
)
