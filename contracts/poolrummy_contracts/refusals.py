"""Why a command was not carried out: a stable code, and a sentence that a person understands.

A refusal changes nothing. Within a command the reasons are checked in the order in which they stand here; the
first that applies is the answer.
"""

from enum import StrEnum
from typing import Final

import msgspec


class Refusal(StrEnum):
    """The codes. They never change; new ones may come."""

    # -- the message itself
    UNREADABLE = "unreadable"
    TOO_LARGE = "too-large"
    UNKNOWN_TYPE = "unknown-type"
    MALFORMED = "malformed"
    BUSY = "busy"
    NO_MEMORY = "no-memory"
    CLOSED_FOR_PLAY = "closed-for-play"
    # -- the table
    TABLE_UNKNOWN = "table-unknown"
    TABLE_EXISTS = "table-exists"
    TABLE_CLOSED = "table-closed"
    LOG_MISSING = "log-missing"
    TABLE_FROZEN = "table-frozen"
    TABLE_NOT_FROZEN = "table-not-frozen"
    PROFILE_UNKNOWN = "profile-unknown"
    TERMS_REFUSED = "terms-refused"
    REASON_MISSING = "reason-missing"
    # -- the seat
    MATCH_RUNNING = "match-running"
    SEAT_UNKNOWN = "seat-unknown"
    SEAT_TAKEN = "seat-taken"
    SEAT_EMPTY = "seat-empty"
    NOT_YOUR_SEAT = "not-your-seat"
    ALREADY_SEATED = "already-seated"
    ROBOTS_NOT_ALLOWED = "robots-not-allowed"
    SEAT_GONE = "seat-gone"
    SEAT_ELIMINATED = "seat-eliminated"
    SEAT_OUT_OF_DEAL = "seat-out-of-deal"
    PRESENCE_UNCHANGED = "presence-unchanged"
    CHANNEL_KEY_MISSING = "channel-key-missing"
    CHANNEL_KEY_UNUSABLE = "channel-key-unusable"
    SEAT_SEEDS_OFF = "seat-seeds-off"
    # -- the moment
    NO_DEAL = "no-deal"
    WRONG_DEAL = "wrong-deal"
    NOT_NOW = "not-now"
    TOO_LATE = "too-late"
    NOT_YOUR_TURN = "not-your-turn"
    STALE_TURN = "stale-turn"
    # -- a seed of one's own
    SEED_MALFORMED = "seed-malformed"
    SEED_ALREADY_COMMITTED = "seed-already-committed"
    SEED_COMMITMENTS_CLOSED = "seed-commitments-closed"
    SEED_NOT_COMMITTED = "seed-not-committed"
    SEED_ALREADY_REVEALED = "seed-already-revealed"
    SEED_MISMATCH = "seed-mismatch"
    # -- the move
    ALREADY_DRAWN = "already-drawn"
    NOT_DRAWN_YET = "not-drawn-yet"
    OPEN_PILE_EMPTY = "open-pile-empty"
    OPEN_JOKER = "open-joker"
    CARD_NOT_HELD = "card-not-held"
    DROP_NOT_ALLOWED = "drop-not-allowed"
    MIDDLE_DROP_NOT_ALLOWED = "middle-drop-not-allowed"
    DROP_AFTER_DRAW = "drop-after-draw"
    DROP_IN_ADVANCE_NOT_ALLOWED = "drop-in-advance-not-allowed"
    DROP_ALREADY_ASKED = "drop-already-asked"
    DROP_NOT_ASKED = "drop-not-asked"
    NOT_THE_FINISHER = "not-the-finisher"
    CARDS_MISMATCH = "cards-mismatch"
    ALREADY_DECLARED = "already-declared"
    # -- between deals
    REJOIN_NOT_OFFERED = "rejoin-not-offered"
    REJOIN_THRESHOLD_PASSED = "rejoin-threshold-passed"
    REJOIN_ALREADY_ASKED = "rejoin-already-asked"
    WRONG_WINDOW = "wrong-window"
    SPLIT_OFF = "split-off"
    SPLIT_NOT_POSSIBLE = "split-not-possible"
    SPLIT_REST_TOO_SMALL = "split-rest-too-small"
    SPLIT_AMOUNTS_WRONG = "split-amounts-wrong"
    ALREADY_VOTED = "already-voted"
    # -- answers of validators and of the cashier
    ANSWER_NOT_AWAITED = "answer-not-awaited"
    EDITION_TOO_OLD = "edition-too-old"

    @property
    def sentence(self) -> str:
        """What a person reads."""
        return SENTENCES[self]


SENTENCES: Final[dict[Refusal, str]] = {
    Refusal.UNREADABLE: "The message is not readable JSON.",
    Refusal.TOO_LARGE: "The message is larger than the limit.",
    Refusal.UNKNOWN_TYPE: "There is no command of this type.",
    Refusal.MALFORMED: "A field of the command is missing, unknown or of the wrong kind.",
    Refusal.BUSY: "The platform is busy; send the same command again in a moment.",
    Refusal.NO_MEMORY: "No new table opens while the server is short of memory.",
    Refusal.CLOSED_FOR_PLAY: "This is closed to new play for now; matches that run are played to their end.",
    Refusal.TABLE_UNKNOWN: "There is no table with this id.",
    Refusal.TABLE_EXISTS: "A table with this id exists, or existed; choose another id.",
    Refusal.TABLE_CLOSED: "This table is closed.",
    Refusal.LOG_MISSING: "A log of this id was signed, and it is gone: choose another id, and tell an operator.",
    Refusal.TABLE_FROZEN: "This table is frozen until an operator has looked at it.",
    Refusal.TABLE_NOT_FROZEN: "This table is not frozen.",
    Refusal.PROFILE_UNKNOWN: "There is no rule profile of this name.",
    Refusal.TERMS_REFUSED: "These terms contradict themselves or cannot be played.",
    Refusal.REASON_MISSING: "An operator's act needs a name and a reason.",
    Refusal.MATCH_RUNNING: "The match has begun: nobody joins a running match.",
    Refusal.SEAT_UNKNOWN: "The table has no seat of this number.",
    Refusal.SEAT_TAKEN: "Somebody sits there already.",
    Refusal.SEAT_EMPTY: "Nobody sits there.",
    Refusal.NOT_YOUR_SEAT: "Another player sits in this seat.",
    Refusal.ALREADY_SEATED: "You have a seat at this table already.",
    Refusal.ROBOTS_NOT_ALLOWED: "Robots may not sit at this table.",
    Refusal.SEAT_GONE: "This seat has left the match.",
    Refusal.SEAT_ELIMINATED: "This seat is eliminated.",
    Refusal.SEAT_OUT_OF_DEAL: "This seat is out of the deal.",
    Refusal.PRESENCE_UNCHANGED: "The seat is in that state already.",
    Refusal.CHANNEL_KEY_MISSING: "At a table for money a seat names a key that its cards are sealed to.",
    Refusal.CHANNEL_KEY_UNUSABLE: "Nothing can be sealed to this channel key.",
    Refusal.SEAT_SEEDS_OFF: "At this table seats give no seeds of their own.",
    Refusal.NO_DEAL: "No deal is being played.",
    Refusal.WRONG_DEAL: "The command speaks of another deal.",
    Refusal.NOT_NOW: "This cannot be done at this moment of the match.",
    Refusal.NOT_YOUR_TURN: "It is another seat's turn.",
    Refusal.STALE_TURN: "The command speaks of a turn that is over.",
    Refusal.TOO_LATE: "The command came after the deadline.",
    Refusal.SEED_MALFORMED: "A commitment or a seed is 32 bytes, written as 64 lower-case hex digits.",
    Refusal.SEED_ALREADY_COMMITTED: "This seat has promised a seed already.",
    Refusal.SEED_COMMITMENTS_CLOSED: "A seat has laid its seed open: nobody promises one after that.",
    Refusal.SEED_NOT_COMMITTED: "This seat has promised no seed.",
    Refusal.SEED_ALREADY_REVEALED: "This seat has laid its seed open already.",
    Refusal.SEED_MISMATCH: "This is not the seed that the seat has promised.",
    Refusal.ALREADY_DRAWN: "You have drawn a card in this turn already.",
    Refusal.NOT_DRAWN_YET: "Draw a card first.",
    Refusal.OPEN_PILE_EMPTY: "There is no card on the open pile.",
    Refusal.OPEN_JOKER: "A joker on the open pile may not be taken now.",
    Refusal.CARD_NOT_HELD: "You do not hold this card.",
    Refusal.DROP_NOT_ALLOWED: "There is no drop in this variant.",
    Refusal.MIDDLE_DROP_NOT_ALLOWED: "Only the first drop is allowed at this table.",
    Refusal.DROP_AFTER_DRAW: "After drawing a card you may not drop in this turn.",
    Refusal.DROP_IN_ADVANCE_NOT_ALLOWED: "You may drop on your own turn only.",
    Refusal.DROP_ALREADY_ASKED: "Your drop is noted already; it acts when your turn comes.",
    Refusal.DROP_NOT_ASKED: "There is no noted drop to withdraw.",
    Refusal.NOT_THE_FINISHER: "Another seat has called finish.",
    Refusal.CARDS_MISMATCH: "The groups do not hold exactly your 13 cards.",
    Refusal.ALREADY_DECLARED: "You have declared already.",
    Refusal.REJOIN_NOT_OFFERED: "No rejoin is offered to this seat.",
    Refusal.REJOIN_THRESHOLD_PASSED: "The highest score still in play is too high for a rejoin.",
    Refusal.REJOIN_ALREADY_ASKED: "You have answered this offer already.",
    Refusal.WRONG_WINDOW: "The command speaks of a window that is closed.",
    Refusal.SPLIT_OFF: "This table has no split.",
    Refusal.SPLIT_NOT_POSSIBLE: "A split is not possible with the seats that started and those that are left.",
    Refusal.SPLIT_REST_TOO_SMALL: "What is left after paying the excess drops is less than one entry fee.",
    Refusal.SPLIT_AMOUNTS_WRONG: "The proposed amounts do not sum to the prize pool.",
    Refusal.ALREADY_VOTED: "You have voted already.",
    Refusal.ANSWER_NOT_AWAITED: "The table does not wait for this answer (any more).",
    Refusal.EDITION_TOO_OLD: "The answer comes from an older edition of the rules than the table's.",
}


class Refused(msgspec.Struct, frozen=True):
    """A player's mistake, as a value: the code, and what exactly was wrong."""

    refusal: Refusal
    detail: str = ""

    @property
    def sentence(self) -> str:
        """The sentence, and the detail where there is one."""
        return f"{self.refusal.sentence} {self.detail}".strip()
