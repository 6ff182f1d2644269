"""Commands that nobody should send, and verdicts that nobody has found: for the invariants of random play."""

from random import Random
from typing import Final

import msgspec
from msgspec.structs import replace

from poolrummy.testing.tables import CHANNEL_KEY, TABLE, Command, TestTable, Who
from poolrummy_contracts import commands as c
from poolrummy_contracts.cards import Position
from poolrummy_contracts.openings import seat_seed_commitment
from poolrummy_contracts.terms import EDITION, Seat
from poolrummy_contracts.verdicts import HandVerdict, ShowVerdict

Operator = c.FreezeTable | c.UnfreezeTable | c.VoidDeal | c.VoidMatch

SEED = "5e" * 32

PLAYER_COMMANDS: Final[tuple[type[c.SeatCommand], ...]] = (
    c.Sit,
    c.CommitSeed,
    c.RevealSeed,
    c.Leave,
    c.SetAway,
    c.SetBack,
    c.Draw,
    c.Discard,
    c.Drop,
    c.WithdrawDrop,
    c.Finish,
    c.SaveGroups,
    c.Declare,
    c.AskRejoin,
    c.RefuseRejoin,
    c.AskSplit,
    c.VoteSplit,
)


def openings(table: TestTable) -> tuple[Command, ...]:
    """Attempts to open the table, and the one that does."""
    terms = table.terms
    return (
        c.Leave(**table.who(1)),
        c.OpenTable(id="no rules", table=TABLE),
        c.OpenTable(id="no pack", table=TABLE, terms=replace(terms, decks=0)),
        c.OpenTable(id="open", table=TABLE, terms=terms),
        c.OpenTable(id="again", table=TABLE, terms=terms),
    )


def nonsense(random: Random, table: TestTable) -> Command:
    """Anything that decodes, at any moment, from anybody."""
    if random.random() < 0.03:
        return unsealed(random)
    roll = random.random()
    late = _late_rejoin(random, table)
    if late is not None and roll < 0.2:
        return late
    return operated(random, c.UnfreezeTable if roll < 0.25 else c.VoidDeal) if roll < 0.26 else _any(random, table)


def operated(random: Random, kind: type[Operator]) -> Operator:
    """An operator's act, now and then without a reason."""
    reason = "" if random.random() < 0.1 else "looked into it"
    return kind(id=f"o{random.random()}", table=TABLE, operator="ops", reason=reason)


def unsealed(random: Random) -> c.UnsealSeeds:
    """Two persons join the auditor's key, or one does alone."""
    second, number = random.choice(("ops", "auditor")), random.random()
    return c.UnsealSeeds(id=f"u{number}", table=TABLE, operator="ops", second_operator=second, reason="a dispute")


def seed_of_a_seat(random: Random, seat: int, who: Who) -> c.CommitSeed | c.RevealSeed:
    """A promise of a seed, or the seed itself; now and then not as it should be."""
    promise = seat_seed_commitment(table=TABLE, seat=Seat(seat), player=f"p{seat}", seed=bytes.fromhex(SEED))
    if random.random() < 0.4:
        return c.CommitSeed(**who, commitment=promise if random.random() < 0.9 else "5E")
    return c.RevealSeed(**who, seed=random.choice((SEED, SEED, SEED, "00" * 32, "no hex")))


def made_up_verdict(random: Random, table: TestTable) -> ShowVerdict | HandVerdict:
    """How a verdict was found is nothing that a table depends on; thinking it up is fast."""
    deal = table.deal
    if deal.ask is not None:
        valid = random.random() < 0.7
        return ShowVerdict(
            id="verdict",
            table=TABLE,
            ask=deal.ask,
            edition=EDITION,
            valid=valid,
            reason="ok" if valid else "invalid_group",
            group=None,
            groups=(),
            arrangement=None,
        )
    ask = random.choice(deal.asks)
    points = random.choice((0, 2, 12, 35, 61, 80, _up_to_the_threshold(table, ask.seat)))
    return HandVerdict(
        id="verdict",
        table=TABLE,
        ask=ask.v,
        edition=EDITION,
        groups=(),
        leftover=(),
        raw=points,
        points=points,
        complete=points == 0,
    )


def _up_to_the_threshold(table: TestTable, seat: int) -> int:
    """Points that bring a seat exactly to the threshold of a rejoin, where some do."""
    threshold = table.terms.rejoin_threshold
    points = threshold - table.totals()[seat] if isinstance(threshold, int) else 0
    return points if 0 <= points <= table.terms.full_count_cap else 80


def _late_rejoin(random: Random, table: TestTable) -> Command | None:
    """An ask for the last window, though its time or its threshold has passed."""
    window = table.table.rejoin
    if window is None:
        return None
    return c.AskRejoin(**table.who(random.choice(window.too_high or window.invited)), window=window.number)


def _any(random: Random, table: TestTable) -> Command:
    pick = random.choice
    seat = Seat(random.randint(0, 7))
    near: dict[str, object] = {
        "id": f"n{random.random()}",
        "table": TABLE,
        "player": f"p{seat}" if random.random() < 0.7 else pick(("stranger", "p1")),
        "seat": seat,
        "deal": table.table.deal_number + pick((0, 0, 0, 1, -1)),
        "turn": pick((0, 1, 2, 9)) if table.table.deal is None else table.deal.turn + pick((0, 0, 0, -1, 1)),
        "window": table.table.windows + pick((0, 0, 1, -1)),
        "position": Position(pick(("0-0", "0-5", "0-17", "1-0", "x", ""))),
        "source": pick(("stock", "open")),
        "groups": pick(((), (("0-0",),), (("0-0", "0-0"), ("nonsense",)))),
        "accept": pick((True, False)),
        "amounts": pick(((), ({"seat": seat, "amount": -5},))),
        "kind": pick(("person", "robot")),
        "channel_key": pick((None, CHANNEL_KEY, "no key")),
        "seed_commitment": pick((None, None, SEED, "5e")),
        "commitment": SEED,
        "seed": SEED,
    }
    kind = pick(PLAYER_COMMANDS)
    wanted = {name: near[name] for name in kind.__struct_fields__}
    command: Command = msgspec.convert({**wanted, "type": kind.__struct_config__.tag}, c.PlatformCommand)
    return command
