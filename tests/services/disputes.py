"""Tables on which every kind of dispute comes up, played by commands with packs that are written down.

Openings and commitments are real; only where the cards lie is scripted, and the seal is a plain one, so that the same
bytes come out every time.
"""

import base64
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from hashlib import sha512

import msgspec

from poolrummy.audit.dossier.content import About, RefusedCommand
from poolrummy.audit.dossier.making import Asked
from poolrummy.audit.history import Moment, moments_of
from poolrummy.audit.known_packs import Known
from poolrummy.audit.views import View
from poolrummy.dealer.vault import Vault
from poolrummy.fairness.pack import DealtPack, deal_pack, reshuffled, toss_pack
from poolrummy.fairness.sealing import Sealed
from poolrummy.fairness.transcript import Transcript
from poolrummy.rules import table as rules
from poolrummy.rules.state import Table
from poolrummy.runtime.store import TableEntry
from poolrummy.testing.matches import terms_of
from poolrummy.testing.packs import DealScript, faces_for
from poolrummy.testing.scripted_packs import laid, rest
from poolrummy.testing.tables import TABLE, Command, TestTable, Who
from poolrummy_contracts import codec
from poolrummy_contracts import commands as c
from poolrummy_contracts import events as e
from poolrummy_contracts.cards import Position, parse_cards, position
from poolrummy_contracts.envelope import chain_next, chain_start
from poolrummy_contracts.refusals import Refused
from poolrummy_contracts.seat_lines import PlainLine
from poolrummy_contracts.terms import Seat, Terms

BEGAN_MS = 1_764_450_000_000
PLAYERS = {1: "Asha", 2: "Bhaskar", 3: "Chitra", 4: "Devan", 5: "Esha", 6: "Farid"}

VALID = "3H 4H 5H / 9C TC JC / 8S 8H 8D / QS QD QH QC"
BROKEN = "3H 4H 5H / 9C TC QC / 8S 8H 8D / KS KD KH KC"
NO_PURE = "3H 4H JK / 9C 2C JC / 8S 8H 8D / QS QD QH QC"
MIXED = "2S 4S 6S 8C TH QH AC 3C 5D 7D 9D JD KH"
LOSER = "AS KD 9H 7C 5S 3D 6H TD JS 4C 2H 9S KC"


def cards(groups: str) -> str:
    return groups.replace("/", "")


class PlainSealer:
    """Seals nothing: the golden dossiers carry the same blob every time."""

    @property
    def own(self) -> str:
        return "a-dealer-key"

    def holds(self, key_ids: Collection[str]) -> bool:
        return True

    def seal(self, plain: bytes, *recipients: str) -> Sealed:
        return Sealed(key_ids=recipients or ("a-dealer-key", "an-auditor-key"), blob=base64.b64encode(plain).decode())

    def open(self, sealed: Sealed) -> bytes:
        return base64.b64decode(sealed.blob)


class WrittenPacks:
    """Packs by deal, as they were written down; what was not is shuffled from the same seed."""

    def __init__(self, terms: Terms, deals: Mapping[int, DealScript]) -> None:
        self._terms, self._deals = terms, deals

    def fresh_seed(self, decks: int) -> bytes:
        return sha512(b"a written pack").digest() + bytes(56 if decks > 2 else 16)

    def shuffled(self, seed: bytes, transcript: Transcript) -> DealtPack:
        if transcript.purpose == "toss":
            highest_first = parse_cards(" ".join(f"{rank}S" for rank in "AKQJT9"[: len(transcript.seats)]))
            return laid(seed, transcript, highest_first + rest(toss_pack(transcript.deck.decks), highest_first))
        order = [Seat(int(place.seat)) for place in transcript.seats]
        script = self._deals.get(transcript.deal)
        if script is None:
            return deal_pack(seed, transcript)
        return laid(seed, transcript, faces_for(self._terms, order, script))

    def reshuffled(self, seed: bytes, transcript: Transcript, faces: Sequence[str]) -> DealtPack:
        return reshuffled(seed, transcript, faces)


class VaultScript:
    """The secrets of a table as the test table asks for them, kept by the dealer's own vault."""

    def __init__(self, terms: Terms, deals: Mapping[int, DealScript]) -> None:
        self._vault = Vault(TABLE, terms, source=WrittenPacks(terms, deals), sealer=PlainSealer())
        self._state: Table | None = None
        self._deal = 0
        self.packs: dict[int, dict[Position, e.OpenedCard]] = {}
        self.seeds: dict[int, str] = {}

    def __getattr__(self, name: str) -> object:
        """Everything that the rules ask is the vault's to answer."""
        return getattr(self._vault, name)

    def follow(self, events: Sequence[e.TableEvent], lines: Sequence[PlainLine]) -> None:
        for event in events:
            self._state = rules.evolve(self._state, event)
            self._vault.observe(event, self._state)
            match event:
                case e.DealStarted():
                    self._deal = event.deal or 0
                    self.packs[self._deal] = self._generation(0, event.pack.cards)
                    self.seeds[self._deal] = self._vault.seed(self._deal)
                case e.StockReshuffled():
                    self.packs[self._deal] |= self._generation(event.generation, event.pack.cards)
                case _:
                    pass
        for line in lines:
            self._vault.keep(line)

    def _generation(self, generation: int, size: int) -> dict[Position, e.OpenedCard]:
        where = (position(generation, place) for place in range(size))
        return {one: self._vault.opened(one) for one in where}


class Dispute(TestTable):
    """A table whose log is kept as a store keeps it, with the commands that it refused."""

    def __init__(self, terms: Terms, deals: Mapping[int, DealScript], players: Mapping[int, str] = PLAYERS) -> None:
        super().__init__(terms, VaultScript(terms, deals), now_ms=BEGAN_MS)  # type: ignore[arg-type]  # the same by shape
        self.players = players
        self.refused: list[RefusedCommand] = []

    def who(self, seat: int) -> Who:
        return {**super().who(seat), "player": self.players[seat]}

    def send(self, command: Command) -> rules.Decided | Refused:
        decided = super().send(command)
        if isinstance(decided, Refused) and isinstance(command, c.PlatformCommand):
            self.refused.append(
                RefusedCommand(
                    at=self.now_ms,
                    v=0 if self.state is None else self.state.v,
                    command=command.id,
                    code=decided.refusal.value,
                    sentence=decided.sentence,
                    what=str(command.__struct_config__.tag),
                    seat=getattr(command, "seat", None),
                    deal=getattr(command, "deal", None),
                )
            )
        return decided

    def pass_time(self, ms: int) -> None:
        """Time passes in which a player thinks."""
        self.now_ms += ms

    def entries(self) -> list[TableEntry]:
        chain, found = chain_start(TABLE), list[TableEntry]()
        for event in self.log:
            payload = codec.encode(event)
            chain = chain_next(chain, payload)
            found.append(TableEntry(version=event.v, payload=payload, chain=chain))
        return found

    def moments(self) -> tuple[Moment, ...]:
        return moments_of(TABLE, self.entries())

    def known(self) -> Known:
        script = self.script
        assert isinstance(script, VaultScript)
        return Known(packs=script.packs, seeds=script.seeds)


def dispute_at(
    seats: int, deals: Mapping[int, DealScript], players: Mapping[int, str] = PLAYERS, **settings: object
) -> Dispute:
    """A table on which the match has begun: seat 1 is on turn."""
    terms = terms_of("house", "101", seats=seats, currency="INR", rejoin_payment="cashier", **settings)
    table = Dispute(terms, deals, players)
    table.do(c.OpenTable(id="open", table=TABLE, terms=terms))
    for seat in range(1, seats + 1):
        table.pass_time(1200)
        table.sit(seat)
    return table


def play_turn(table: Dispute, ms: int = 2300) -> None:
    """A turn of drawing from the stock and throwing the card away."""
    table.pass_time(ms)
    table.draw()
    table.pass_time(ms // 2)
    table.discard()


def declare_rest(table: Dispute) -> None:
    """The losers declare in one heap; they are counted by the best arrangement anyway."""
    for seat in table.deal.waiting:
        table.pass_time(900)
        table.declare(seat, " ".join(table.hand(seat)))
    table.judge()


class Golden(msgspec.Struct, frozen=True, kw_only=True):
    """A golden dossier: the table that is played, and what is asked."""

    play: Callable[[], Dispute]
    asked: Asked


def seat_asks(seat: int, deal: int, about: About | None = None) -> Asked:
    return Asked(view=View("seat", Seat(seat)), deal=deal, seat=Seat(seat), about=about)


def auditor_asks(seat: int, deal: int, about: About | None = None) -> Asked:
    return Asked(view=View("auditor"), deal=deal, seat=Seat(seat), about=about)


def public_asks(seat: int, deal: int, about: About | None = None) -> Asked:
    return Asked(view=View("public"), deal=deal, seat=Seat(seat), about=about)


def wrong_show_by(table: Dispute, seat: int) -> None:
    """The seat on turn shows the hand that is none."""
    table.pass_time(6400)
    table.draw()
    table.pass_time(3100)
    table.finish()
    table.pass_time(11_800)
    table.declare(seat, BROKEN)
    table.judge()


@cache
def wrong_show() -> Dispute:
    """Three seats; the second shows a hand whose second group is no group."""
    hands = {1: LOSER, 2: cards(BROKEN), 3: MIXED}
    table = dispute_at(3, {1: DealScript(hands=hands, wild="7S", open="6D", stock="AD 2D 3S 4D 5C")})
    play_turn(table)
    wrong_show_by(table, 2)
    play_turn(table)
    play_turn(table)
    table.pass_time(2000)
    table.drop(3)
    return table


@cache
def missing_pure_sequence() -> Dispute:
    """Two seats; the show has two sequences, and a joker in each."""
    table = dispute_at(2, {1: DealScript(hands={1: cards(NO_PURE), 2: LOSER}, wild="2S", open="6D", stock="AD 5D")})
    table.pass_time(9100)
    table.draw()
    table.pass_time(4000)
    table.finish()
    table.pass_time(15_250)
    table.declare(1, NO_PURE)
    table.judge()
    return table


@cache
def late_move() -> Dispute:
    """Three seats; a discard comes 412 ms after the turn and its time bank are over."""
    hands = {1: LOSER, 2: MIXED, 3: "AD 3S 5C 7H 9C JH KS 2D 4H 6C 8S TS QD"}
    table = dispute_at(3, {1: DealScript(hands=hands, wild="7S", open="6D", stock="2C 8D 9D TC 5H 4D")})
    play_turn(table)
    table.pass_time(21_700)
    table.draw()
    late = c.Discard(**table.turn(), position=table.held(2, "KH"))
    table.time_out()
    table.pass_time(412)
    assert isinstance(table.send(late), Refused)
    play_turn(table)
    table.pass_time(1500)
    table.drop(1)
    table.pass_time(1500)
    table.drop(2)
    return table


@cache
def auto_drop() -> Dispute:
    """Two seats; the second lets three turns in a row run out."""
    hands = {1: LOSER, 2: MIXED}
    table = dispute_at(2, {1: DealScript(hands=hands, wild="7S", open="6D")})
    play_turn(table)
    play_turn(table)
    for _ in range(3):
        play_turn(table)
        table.time_out()
    return table


@cache
def elimination_at_the_limit() -> Dispute:
    """Three seats; the third has 80 from a wrong show and is counted 21: exactly the limit. It refuses to come back."""
    first = {3: cards(BROKEN), 1: LOSER, 2: MIXED}
    second = {2: cards(VALID), 1: "5H 6H 7H 9C TC JC AD 2D 3D QH 7C 2C 3S", 3: "3D 4D 5D 6S 7S 8S 2C 2H 2D 8C 6H 4H 3C"}
    table = dispute_at(
        3,
        {
            1: DealScript(hands=first, wild="7S", open="6D", stock="AD 2D 3S 4D"),
            2: DealScript(hands=second, wild="KS", open="6D", stock="4S 4D 3C 3S", order=2),
        },
    )
    play_turn(table)
    play_turn(table)
    wrong_show_by(table, 3)
    table.pass_time(2200)
    table.drop(1)
    table.pass_time(4000)
    table.draw()
    table.finish()
    table.pass_time(9000)
    table.declare(2, VALID)
    table.judge()
    declare_rest(table)
    table.pass_time(6000)
    table.do(c.RefuseRejoin(**table.who(3), window=table.table.windows))
    return table


@cache
def rejoin_refused() -> Dispute:
    """Three seats; the highest score that is in is 80, one above the threshold."""
    first = {1: cards(BROKEN), 2: LOSER, 3: MIXED}
    second = {2: cards(BROKEN), 1: LOSER, 3: MIXED}
    table = dispute_at(
        3,
        {
            1: DealScript(hands=first, wild="7S", open="6D", stock="AD 2D 3S 4D"),
            2: DealScript(hands=second, wild="7S", open="6D", stock="AD 2D 3S 4D", order=2),
        },
    )
    wrong_show_by(table, 1)
    play_turn(table)
    play_turn(table)
    table.pass_time(2200)
    table.drop(2)
    wrong_show_by(table, 2)
    table.pass_time(2500)
    table.drop(3)
    table.pass_time(4000)
    assert isinstance(table.send(c.AskRejoin(**table.who(2), window=1)), Refused)
    return table


@cache
def split() -> Dispute:
    """Four seats, one goes out; the three that are left split 100.00 by drops left, with two paise over."""
    first = {1: LOSER, 2: MIXED, 4: cards(BROKEN)}
    table = dispute_at(
        4,
        {
            1: DealScript(hands=first, wild="7S", open="6D", stock="AD 2D 3S 4D"),
            2: DealScript(wild="7S", open="6D", order=2),
        },
    )
    for _ in range(3):
        play_turn(table)
    wrong_show_by(table, 4)
    for seat in (1, 2):
        table.pass_time(1200)
        table.drop(seat)
    table.pass_time(1500)
    table.drop(2)
    for _ in range(3):
        play_turn(table)
    for seat in (3, 4):
        table.pass_time(1700)
        table.drop(seat)
    table.pass_time(5000)
    table.do(c.RefuseRejoin(**table.who(4), window=table.table.windows))
    table.pass_time(4000)
    table.do(c.AskSplit(**table.who(1), window=table.table.windows))
    for seat in (2, 3):
        table.pass_time(3000)
        table.do(c.VoteSplit(**table.who(seat), window=table.table.windows, accept=True))
    return table


GOLDEN: Mapping[str, Golden] = {
    "wrong-show": Golden(play=wrong_show, asked=seat_asks(2, 1)),
    "missing-pure-sequence": Golden(play=missing_pure_sequence, asked=public_asks(1, 1)),
    "late-move": Golden(play=late_move, asked=seat_asks(2, 1, "move")),
    "auto-drop": Golden(play=auto_drop, asked=seat_asks(2, 1)),
    "elimination-at-the-limit": Golden(play=elimination_at_the_limit, asked=auditor_asks(3, 2, "elimination")),
    "rejoin-refused": Golden(play=rejoin_refused, asked=seat_asks(2, 2, "rejoin")),
    "split": Golden(play=split, asked=auditor_asks(1, 2, "split")),
}
