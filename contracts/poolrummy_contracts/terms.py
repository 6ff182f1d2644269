"""The terms of a table: every rule setting, as data, complete and recorded with the table.

A replay asks the recorded terms, never today's code. Times are milliseconds, money is minor units, shares
are basis points (10 000 = all). A word that carries a number is written ``{"n":40,"word":"points"}``; where a
number may be missing it is the word ``"none"``, ``"off"`` or ``"unlimited"``, never null.
"""

from hashlib import sha256
from typing import Final, Literal, NewType

import msgspec

Seat = NewType("Seat", int)
"""Number of a seat at the table, from 1. Seat order is the order of these numbers, not the order of play."""

EDITION: Final = 1
"""Edition of the rules. A changed outcome of a rule is a new edition; old ones stay decidable."""

Variant = Literal["101", "201", "61", "51", "best_of_3"]
NoneWord = Literal["none"]


class WordWithNumber(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="word"):
    """A word that carries a number: ``{"n":40,"word":"points"}``, in a profile file ``{ points = 40 }``."""

    n: int


class Points(WordWithNumber, frozen=True, tag="points"):
    """A fixed number of points."""


class AtMost(WordWithNumber, frozen=True, tag="at_most"):
    """The smaller of this and what the hand counts."""


class AutoTurns(WordWithNumber, frozen=True, tag="auto_turns"):
    """So many automatic turns for an absent seat, then it drops (D-36)."""


class SavedOrMiddleDrop(WordWithNumber, frozen=True, tag="smaller_of_saved_groups_and_middle_drop"):
    """So many automatic turns, then the smaller of the saved groups' count and the middle drop (D-36)."""


class Amount(WordWithNumber, frozen=True, tag="amount"):
    """A fixed amount of money, in minor units."""


class Terms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One complete set of rules; the settings are explained in RULEBOOK.md, paragraph by paragraph."""

    # -- given when the table is opened
    profile: str
    variant: Variant
    seats: int
    entry_fee: int
    currency: str
    rake_bp: int
    rejoin_payment: Literal["none", "cashier"]

    # -- pack and start (chapters 1 to 3)
    seats_allowed: tuple[int, ...]
    decks: int
    printed_jokers_per_deck: int
    printed_wild_rule: Literal["aces", "redraw"]
    wild_draw_point: Literal["before_deal", "after_deal"]
    open_card_point: Literal["before_wild", "after_wild"]
    toss_orders: Literal["all", "first"]
    min_to_start: int
    start_countdown_ms: int
    fill_timeout_ms: int
    robots: Literal["practice_only", "never"]
    seat_seed_ms: int
    reveal_policy: Literal["auditor", "own_cards", "public"]

    # -- groups and the show (chapters 5 and 6)
    declare_validation: Literal["player_groups", "best_arrangement"]
    wild_natural_pure: bool
    joker_only_group: Literal["allowed", "printed_only_refused", "refused"]
    max_jokers_per_group: int | NoneWord
    max_set_size: int | NoneWord
    max_sequence_length: int | NoneWord
    max_extra_group_size: int | NoneWord

    # -- turns, clocks, piles (chapter 4)
    turn_ms: int
    time_bank_ms: int
    time_bank_scope: Literal["deal", "match"]
    declare_ms: int
    others_declare_ms: int
    late_grace_ms: int
    finish_timeout: Literal["wrong_show", "validate_current_groups", "best_arrangement"]
    open_joker_pick: Literal["first_open_card", "first_open_card_first_turn", "never", "always"]
    reshuffle_dropped_hands: bool
    max_reshuffles: int | Literal["unlimited"]
    on_stock_exhausted: Literal["void_deal", "lowest_count_wins"]
    finish_card_after_wrong_show: Literal["dead", "open_pile"]
    auto_drop_after_misses: int | Literal["off"]
    auto_drop_points: Literal["as_drop", "middle_drop", "full_count"] | Points
    disconnection_policy: NoneWord | AutoTurns | SavedOrMiddleDrop

    # -- drops (chapter 7)
    voluntary_drop: Literal["both", "first_only", "none"]
    first_drop_points: int | NoneWord
    middle_drop_points: int | NoneWord
    first_drop_basis: Literal["no_card_drawn", "first_turn"]
    drop_window: Literal["before_draw_only", "any_time_in_turn"]
    drop_in_advance: bool

    # -- points of a deal (chapter 8)
    loser_count: Literal["tiered", "unmatched_always", "unmatched_if_pure", "all_unless_two_sequences"]
    no_pure_count: Literal["sum_capped", "flat_full"]
    full_count_cap: int
    wrong_show_points: int
    loser_hand: Literal["count_best", "as_placed", "saved_groups"]
    late_loser: Literal["count_best", "saved_groups", "full_count"]
    complete_undeclared_points: int
    no_turn_points: Literal["count", "half_count", "first_drop"] | Points | AtMost

    # -- elimination and rejoin (chapters 9 and 10)
    limit: int | NoneWord
    elimination_cmp: Literal["gte", "gt"]
    rejoin_enabled: bool
    rejoin_max_per_player: int | Literal["unlimited"]
    rejoin_threshold: int | NoneWord
    rejoin_cmp: Literal["lte", "lt"]
    rejoin_population: Literal["survivors", "all_others"]
    rejoin_offset: int
    rejoin_sequencing: Literal["by_acceptance", "snapshot"]
    rejoin_recheck_threshold: Literal["each", "once"]
    rejoin_when_one_survivor: Literal["match_over", "window_first"]
    rejoin_window_ms: int
    rejoin_fee: Literal["entry_fee"] | Amount
    rejoin_adds_to_pool: bool

    # -- prize and split (chapter 11)
    prize_shares_bp: tuple[int, ...]
    prize_shares_by: Literal["seats", "started"]
    rake_on_rejoin: bool
    split_formula: Literal["off", "drops", "equal", "agreed"]
    split_min_started: int
    split_max_left: int
    split_three_left_needs_started: int
    split_rest_cmp: Literal["gte", "gt"]
    split_drop_value: Literal["gross_entry", "net_entry"]
    split_residue: Literal["fewest_drops_first", "lowest_payout_first", "last_seat_first", "leader_absorbs"]
    split_ask_ms: int
    split_vote_ms: int
    auto_split: Literal["off", "above", "at_or_above"]

    # -- best of 3 (chapter 12)
    deals: int | NoneWord
    early_end_lead: int | NoneWord


_CANONICAL: Final = msgspec.json.Encoder(order="sorted")


def terms_hash(terms: Terms) -> str:
    """SHA-256 (hex) of the canonical form: it stands in the log of every table, and names the rules in force."""
    return sha256(_CANONICAL.encode(terms)).hexdigest()
