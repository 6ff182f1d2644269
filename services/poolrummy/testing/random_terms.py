"""Terms drawn by chance: a profile in one of its variants, with some settings changed to any of their other values."""

from collections.abc import Mapping
from random import Random
from typing import Final

from msgspec.structs import replace

from poolrummy.profile_files import load_all
from poolrummy_contracts.profiles import check, resolve
from poolrummy_contracts.terms import AtMost, AutoTurns, Points, SavedOrMiddleDrop, Terms

OTHERS: Final[Mapping[str, tuple[object, ...]]] = {
    "min_to_start": (2, 3),
    "start_countdown_ms": (0, 10_000),
    "robots": ("practice_only", "never"),
    "currency": ("practice", "INR"),
    "seat_seed_ms": (0, 5_000),
    "reveal_policy": ("auditor", "own_cards", "public"),
    "printed_wild_rule": ("aces", "redraw"),
    "wild_draw_point": ("before_deal", "after_deal"),
    "toss_orders": ("all", "first"),
    "printed_jokers_per_deck": (1, 2),
    "turn_ms": (5_000, 30_000),
    "time_bank_ms": (0, 40_000),
    "time_bank_scope": ("deal", "match"),
    "late_grace_ms": (0, 250),
    "finish_timeout": ("wrong_show", "validate_current_groups", "best_arrangement"),
    "open_joker_pick": ("first_open_card", "first_open_card_first_turn", "never", "always"),
    "reshuffle_dropped_hands": (True, False),
    "max_reshuffles": (0, 1, "unlimited"),
    "on_stock_exhausted": ("void_deal", "lowest_count_wins"),
    "finish_card_after_wrong_show": ("dead", "open_pile"),
    "auto_drop_after_misses": (1, 2, 3, "off"),
    "auto_drop_points": ("as_drop", "middle_drop", "full_count", Points(40)),
    "disconnection_policy": ("none", AutoTurns(1), AutoTurns(3), SavedOrMiddleDrop(2)),
    "voluntary_drop": ("both", "first_only", "none"),
    "first_drop_basis": ("no_card_drawn", "first_turn"),
    "drop_window": ("before_draw_only", "any_time_in_turn"),
    "drop_in_advance": (True, False),
    "loser_hand": ("count_best", "as_placed", "saved_groups"),
    "late_loser": ("count_best", "saved_groups", "full_count"),
    "complete_undeclared_points": (0, 2),
    "no_turn_points": ("count", "half_count", "first_drop", Points(20), AtMost(20)),
    "elimination_cmp": ("gte", "gt"),
    "rejoin_enabled": (True, False),
    "rejoin_threshold": (5, 30),
    "rejoin_max_per_player": (1, "unlimited"),
    "rejoin_population": ("survivors", "all_others"),
    "rejoin_sequencing": ("by_acceptance", "snapshot"),
    "rejoin_recheck_threshold": ("each", "once"),
    "rejoin_when_one_survivor": ("match_over", "window_first"),
    "rejoin_adds_to_pool": (True, False),
    "rake_on_rejoin": (True, False),
    "rake_bp": (0, 1_500),
    "entry_fee": (0, 500, 2_500),
    "split_formula": ("off", "drops", "equal", "agreed"),
    "split_max_left": (2, 3),
    "split_ask_ms": (0, 10_000),
    "auto_split": ("off", "above", "at_or_above"),
}


def random_terms(number: int, *, changed: int = 14) -> Terms:
    """Terms that a table opens with: contradictions are left out, as loading refuses them."""
    random = Random(number)  # noqa: S311 - repeatable on purpose
    profiles = load_all()
    profile = profiles[random.choice(sorted(profiles))]
    variant = random.choice(profile.variants)
    sizes = (2, 6) if profile.name in ("rummypassion", "deccan") else (2, 3, 6)
    seats = 2 if variant == "best_of_3" else random.choice(sizes)
    paid = random.choice(("none", "cashier"))
    terms = resolve(
        profile, variant=variant, seats=seats, entry_fee=2_500, currency="practice", rake_bp=0, rejoin_payment=paid
    )
    assert isinstance(terms, Terms), terms
    for setting in random.sample(sorted(OTHERS), k=random.randint(0, changed)):
        other = replace(terms, **{setting: random.choice(OTHERS[setting])})
        terms = terms if check(other) else other
    return terms
