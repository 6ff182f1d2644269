"""Terms for the arranger to be tried under: each setting by itself, and mixtures that bite together."""

from typing import Final

from poolrummy.rules.meld_rules import UNLIMITED, MeldRules

SETTINGS: Final[dict[str, MeldRules]] = {
    "house": MeldRules(),
    "wild cards never natural in a pure sequence": MeldRules(wild_natural_pure=False),
    "no group of jokers only": MeldRules(joker_only_group="refused"),
    "no group of printed jokers only": MeldRules(joker_only_group="printed_only_refused"),
    "one joker in a group": MeldRules(max_jokers_per_group=1),
    "two jokers in a group": MeldRules(max_jokers_per_group=2),
    "three jokers in a group": MeldRules(max_jokers_per_group=3),
    "sets of five": MeldRules(max_set_size=5),
    "sets of any size": MeldRules(max_set_size=UNLIMITED),
    "sequences of three": MeldRules(max_sequence_length=3),
    "sequences up to four": MeldRules(max_sequence_length=4),
    "sequences up to five": MeldRules(max_sequence_length=5),
    "sequences up to six": MeldRules(max_sequence_length=6),
    "extra groups of three": MeldRules(max_extra_group_size=3),
    "extra groups up to four": MeldRules(max_extra_group_size=4),
    "unmatched always (classic)": MeldRules(loser_count="unmatched_always", max_extra_group_size=4),
    "unmatched if pure (scorekeeper)": MeldRules(loser_count="unmatched_if_pure", wild_natural_pure=False),
    "all unless two sequences": MeldRules(loser_count="all_unless_two_sequences"),
    "flat full count": MeldRules(no_pure_count="flat_full"),
    "flat full count unless two sequences": MeldRules(
        no_pure_count="flat_full", loser_count="all_unless_two_sequences", full_count_cap=60
    ),
    "one joker, wild never pure": MeldRules(max_jokers_per_group=1, wild_natural_pure=False),
    "two jokers, not printed only": MeldRules(max_jokers_per_group=2, joker_only_group="printed_only_refused"),
    "two jokers, never only": MeldRules(max_jokers_per_group=2, joker_only_group="refused"),
    "two jokers, wild never pure, not printed only": MeldRules(
        max_jokers_per_group=2, wild_natural_pure=False, joker_only_group="printed_only_refused"
    ),
    "one joker, sequences of three": MeldRules(max_jokers_per_group=1, max_sequence_length=3),
    "two jokers, sequences up to four": MeldRules(max_jokers_per_group=2, max_sequence_length=4),
    "one joker, sets of five": MeldRules(max_jokers_per_group=1, max_set_size=5),
    "everything short": MeldRules(max_sequence_length=3, max_extra_group_size=3, max_jokers_per_group=1),
    "sequences of three, wild never pure, not printed only": MeldRules(
        max_sequence_length=3, wild_natural_pure=False, joker_only_group="printed_only_refused"
    ),
    "unmatched always, one joker": MeldRules(loser_count="unmatched_always", max_jokers_per_group=1),
    "unmatched if pure, two jokers, not printed only": MeldRules(
        loser_count="unmatched_if_pure", max_jokers_per_group=2, joker_only_group="printed_only_refused"
    ),
    "all unless two, two jokers, never only": MeldRules(
        loser_count="all_unless_two_sequences", max_jokers_per_group=2, joker_only_group="refused"
    ),
}
