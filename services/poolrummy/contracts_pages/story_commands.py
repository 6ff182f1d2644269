"""The story, part 4: the commands that led to it."""

from typing import Final

from poolrummy.contracts_pages import story
from poolrummy.contracts_pages.story import ASHA, BHASKAR, CHITRA, ENTRY, OPERATOR, OTHER_TABLE, TABLE
from poolrummy_contracts import commands
from poolrummy_contracts.commands import PlatformCommand

COMMANDS: Final[tuple[PlatformCommand, ...]] = (
    commands.OpenTable(
        id="lobby-301",
        table=TABLE,
        profile="house",
        variant="101",
        seats=3,
        entry_fee=ENTRY,
        currency="practice",
        rake_bp=0,
        rejoin_payment="none",
    ),
    commands.Sit(id="asha-1", table=TABLE, player="asha", seat=ASHA),
    commands.CommitSeed(id="asha-1b", table=TABLE, player="asha", seat=ASHA, commitment=story.SEAT_COMMITMENT),
    commands.RevealSeed(id="asha-1c", table=TABLE, player="asha", seat=ASHA, seed=story.SEAT_SEED.hexdigest()),
    commands.Leave(id="bhaskar-2", table=TABLE, player="bhaskar", seat=BHASKAR),
    commands.SetAway(id="asha-3", table=TABLE, player="asha", seat=ASHA),
    commands.SetBack(id="asha-4", table=TABLE, player="asha", seat=ASHA),
    commands.Draw(id="bhaskar-4", table=TABLE, player="bhaskar", seat=BHASKAR, deal=1, turn=1, source="stock"),
    commands.Discard(
        id="bhaskar-5", table=TABLE, player="bhaskar", seat=BHASKAR, deal=1, turn=1, position=story.FIRST_STOCK
    ),
    commands.Drop(id="chitra-2", table=TABLE, player="chitra-bot", seat=CHITRA, deal=1),
    commands.WithdrawDrop(id="chitra-9", table=TABLE, player="chitra-bot", seat=CHITRA, deal=2),
    commands.Finish(
        id="bhaskar-7", table=TABLE, player="bhaskar", seat=BHASKAR, deal=1, turn=4, position=story.FINISH_CARD
    ),
    commands.SaveGroups(id="asha-2", table=TABLE, player="asha", seat=ASHA, deal=1, groups=story.LOSING_GROUPS[:2]),
    commands.Declare(id="bhaskar-8", table=TABLE, player="bhaskar", seat=BHASKAR, deal=1, groups=story.SHOWN_GROUPS),
    commands.AskRejoin(id="asha-19", table=TABLE, player="asha", seat=ASHA, window=1),
    commands.RefuseRejoin(id="asha-40", table=TABLE, player="asha", seat=ASHA, window=2),
    commands.AskSplit(id="bhaskar-80", table=TABLE, player="bhaskar", seat=BHASKAR, window=4),
    commands.VoteSplit(id="chitra-44", table=TABLE, player="chitra-bot", seat=CHITRA, window=4, accept=True),
    commands.FreezeTable(
        id="desk-17", table=TABLE, operator=OPERATOR, reason="A player reports a card that he did not draw."
    ),
    commands.UnfreezeTable(id="desk-18", table=TABLE, operator=OPERATOR, reason="Looked at; the deal will be voided."),
    commands.VoidDeal(id="desk-19", table=TABLE, operator=OPERATOR, reason="A phone showed another hand than the log."),
    commands.UnsealSeeds(
        id="desk-20",
        table=TABLE,
        operator=OPERATOR,
        second_operator="jonas",
        reason="A player disputes the pack of deal 2.",
    ),
    commands.VoidMatch(
        id="desk-21", table=OTHER_TABLE, operator=OPERATOR, reason="The venue lost its network; the players agreed."
    ),
)
