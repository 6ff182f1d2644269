"""A test table whose log is kept as a store keeps it, with real commitments and packs that are written down."""

import base64
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha512

from poolrummy.audit.dossier.content import RefusedCommand
from poolrummy.audit.history import Moment, moments_of
from poolrummy.audit.known_packs import Known
from poolrummy.dealer.vault import Vault
from poolrummy.fairness.pack import DealtPack, deal_pack, reshuffled, toss_pack
from poolrummy.fairness.sealing import Sealed
from poolrummy.fairness.transcript import Transcript
from poolrummy.rules import table as rules
from poolrummy.rules.state import Table
from poolrummy.runtime.store import TableEntry
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
