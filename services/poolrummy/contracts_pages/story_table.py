"""The story, part 1: the table fills, starts and ends; and what may happen to it at any time."""

from typing import Final

from poolrummy.contracts_pages import story
from poolrummy.contracts_pages.story import (
    ASHA,
    BHASKAR,
    CHITRA,
    ENTRY,
    OPENED_AT,
    OPERATOR,
    ORDER,
    OTHER_TABLE,
    PACK,
    TABLE,
)
from poolrummy.contracts_pages.story_terms import TERMS
from poolrummy_contracts import events
from poolrummy_contracts.cards import Card
from poolrummy_contracts.events import Obligation, Place, SeatedPlayer, SeatSeed, TableEvent, TossCard
from poolrummy_contracts.terms import EDITION, terms_hash

_PLAYERS: Final = {ASHA: "asha", BHASKAR: "bhaskar", CHITRA: "chitra-bot"}

BEFORE_THE_MATCH: Final[tuple[TableEvent, ...]] = (
    events.TableOpened(
        v=1,
        table=TABLE,
        at=OPENED_AT,
        actor="player",
        rule="1.1",
        cause="lobby-301",
        terms=TERMS,
        terms_hash=terms_hash(TERMS),
        edition=EDITION,
        fill_until=OPENED_AT + TERMS.fill_timeout_ms,
        software=story.SOFTWARE,
    ),
    events.SeedsCommitted(
        v=2,
        table=TABLE,
        at=OPENED_AT,
        actor="system",
        rule="3.6",
        cause="lobby-301",
        batch=1,
        count=story.BATCH_COUNT,
        root=story.BATCH_ROOT,
        sealed=story.SEALED,
    ),
    events.SeatTaken(
        v=3,
        table=TABLE,
        at=OPENED_AT + 4_100,
        actor="player",
        rule="1.2",
        cause="asha-1",
        seat=ASHA,
        player="asha",
        kind="person",
    ),
    events.SeatSeedCommitted(
        v=4,
        table=TABLE,
        at=OPENED_AT + 5_000,
        actor="player",
        rule="3.8",
        cause="asha-1b",
        seat=ASHA,
        commitment=story.SEAT_COMMITMENT,
    ),
    events.StartScheduled(
        v=6,
        table=TABLE,
        at=OPENED_AT + 9_300,
        actor="system",
        rule="1.3",
        cause="bhaskar-1",
        starts_at=OPENED_AT + 19_300,
    ),
    events.SeatVacated(
        v=7,
        table=TABLE,
        at=OPENED_AT + 12_000,
        actor="player",
        rule="1.4",
        cause="bhaskar-2",
        seat=BHASKAR,
        player="bhaskar",
    ),
    events.StartCancelled(
        v=8,
        table=TABLE,
        at=OPENED_AT + 12_000,
        actor="system",
        rule="1.4",
        cause="bhaskar-2",
        fill_until=OPENED_AT + 612_000,
    ),
    events.SeatSeedRevealed(
        v=9,
        table=TABLE,
        at=OPENED_AT + 22_000,
        actor="player",
        rule="3.8",
        cause="asha-1c",
        seat=ASHA,
        seed=story.SEAT_SEED.hexdigest(),
    ),
    events.MatchStarted(
        v=10,
        table=TABLE,
        at=OPENED_AT + 23_000,
        actor="system",
        rule="1.3",
        cause="chitra-1",
        seats=tuple(
            SeatedPlayer(seat=seat, player=player, kind="robot" if seat == CHITRA else "person")
            for seat, player in _PLAYERS.items()
        ),
        obligations=tuple(
            Obligation(seat=seat, player=player, kind="entry", amount=ENTRY) for seat, player in _PLAYERS.items()
        ),
        prize_pool=3 * ENTRY,
        seat_seeds=(
            SeatSeed(ASHA, "revealed", commitment=story.SEAT_COMMITMENT, seed=story.SEAT_SEED.hexdigest()),
            SeatSeed(BHASKAR, "none"),
            SeatSeed(CHITRA, "none"),
        ),
    ),
    events.TossDrawn(
        v=11,
        table=TABLE,
        at=OPENED_AT + 23_000,
        actor="system",
        rule="2.1",
        cause="chitra-1",
        pack=events.PackCommitment(cards=104, root=PACK.transcript, transcript=PACK.root),
        proof=story.proof(0),
        seed=story.seed(0),
        rounds=(
            (
                TossCard(seat=ASHA, card=Card("9H")),
                TossCard(seat=BHASKAR, card=Card("KD")),
                TossCard(seat=CHITRA, card=Card("9H")),
            ),
            (TossCard(seat=ASHA, card=Card("QS")), TossCard(seat=CHITRA, card=Card("5C"))),
        ),
        order=ORDER,
    ),
)

AT_ANY_TIME: Final[tuple[TableEvent, ...]] = (
    events.SeatAway(
        v=18, table=TABLE, at=OPENED_AT + 39_000, actor="player", rule="13.4", cause="asha-3", deal=1, turn=2, seat=ASHA
    ),
    events.SeatBack(
        v=23,
        table=TABLE,
        at=OPENED_AT + 119_500,
        actor="player",
        rule="13.4",
        cause="asha-4",
        deal=1,
        turn=3,
        seat=ASHA,
    ),
    events.TableFrozen(
        v=71,
        table=TABLE,
        at=OPENED_AT + 400_000,
        actor="operator",
        rule="13.5",
        cause="desk-17",
        deal=3,
        turn=4,
        reason="A player reports a card that he did not draw.",
        operator=OPERATOR,
    ),
    events.TableUnfrozen(
        v=72,
        table=TABLE,
        at=OPENED_AT + 460_000,
        actor="operator",
        rule="13.5",
        cause="desk-18",
        deal=3,
        turn=4,
        reason="Looked at; the deal will be voided.",
        operator=OPERATOR,
        ms=60_000,
    ),
    events.ClocksShifted(
        v=90,
        table=TABLE,
        at=OPENED_AT + 520_000,
        actor="system",
        rule="4.9",
        deal=4,
        turn=6,
        ms=2_140,
        reason="takeover",
    ),
    events.SeedsUnsealed(
        v=91,
        table=TABLE,
        at=OPENED_AT + 530_000,
        actor="operator",
        rule="3.11",
        cause="desk-20",
        deal=4,
        turn=6,
        operators=(OPERATOR, "jonas"),
        reason="A player disputes the pack of deal 2.",
    ),
)

THE_END: Final[tuple[TableEvent, ...]] = (
    events.SeatForfeited(
        v=33,
        table=OTHER_TABLE,
        at=OPENED_AT + 200_000,
        actor="player",
        rule="13.1",
        cause="devi-9",
        deal=1,
        seat=ASHA,
        player="devi",
    ),
    events.MatchVoided(
        v=40,
        table=OTHER_TABLE,
        at=OPENED_AT + 230_000,
        actor="operator",
        rule="13.3",
        cause="desk-21",
        deal=1,
        reason="The venue lost its network; the players agreed.",
        obligations=(
            Obligation(seat=ASHA, player="devi", kind="refund", amount=ENTRY),
            Obligation(seat=BHASKAR, player="emil", kind="refund", amount=ENTRY),
        ),
        operator=OPERATOR,
    ),
    events.MatchEnded(
        v=161,
        table=TABLE,
        at=OPENED_AT + 947_000,
        actor="system",
        rule="11.5",
        cause="chitra-44",
        deal=6,
        how="split",
        places=(
            Place(place=1, seat=BHASKAR, player="bhaskar", total=60, prize=3_000),
            Place(place=2, seat=CHITRA, player="chitra-bot", total=85, prize=1_000),
            Place(place=3, seat=ASHA, player="asha", total=121, prize=0),
        ),
        obligations=(
            Obligation(seat=BHASKAR, player="bhaskar", kind="prize", amount=3_000),
            Obligation(seat=CHITRA, player="chitra-bot", kind="prize", amount=1_000),
        ),
    ),
    events.BatchClosed(
        v=167,
        table=TABLE,
        at=OPENED_AT + 947_000,
        actor="system",
        rule="3.9",
        cause="chitra-44",
        deal=6,
        batch=1,
        used=tuple(range(7)),
        unused=tuple(range(7, story.BATCH_COUNT)),
    ),
    events.TableClosed(
        v=168, table=TABLE, at=OPENED_AT + 947_000, actor="system", rule="12.1", cause="chitra-44", deal=6
    ),
)
