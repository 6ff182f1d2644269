"""What every value of every setting means, as a sentence that a product person reads.

By setting and word; ``n`` is any number, ``list`` a list of numbers. ``{n}`` stands for the number (a duration in words
where the setting ends in ``_ms``), ``{list}`` for the numbers.
"""

from collections.abc import Mapping
from typing import Final

Sentences = Mapping[str, str]

SENTENCES: Final[Mapping[str, Sentences]] = {
    # -- pack and start
    "seats_allowed": {"list": "Tables have {list} seats."},
    "decks": {"1": "The table plays with one deck.", "n": "The table plays with {n} decks."},
    "printed_jokers_per_deck": {
        "1": "Each deck has one printed joker.",
        "n": "Each deck has {n} printed jokers.",
    },
    "printed_wild_rule": {
        "aces": "Where a printed joker is turned up as the wild card, the aces are wild.",
        "redraw": "Where a printed joker is turned up as the wild card, another card is turned.",
    },
    "wild_draw_point": {
        "before_deal": "The wild card is turned before the cards are dealt.",
        "after_deal": "The wild card is turned after the cards are dealt.",
    },
    "open_card_point": {
        "before_wild": "The first open card is turned before the wild card.",
        "after_wild": "The first open card is turned after the wild card.",
    },
    "toss_orders": {
        "all": "The cards of the toss, from high to low, give the whole order of play.",
        "first": "The highest card of the toss plays first; the others follow in the order of their seats.",
    },
    "min_to_start": {"n": "A match can start with {n} seats taken."},
    "start_countdown_ms": {
        "0": "A match starts at once when enough seats are taken.",
        "n": "A table that is not full starts {n} after enough seats are taken.",
    },
    "fill_timeout_ms": {"n": "A table that has not filled after {n} is void."},
    "robots": {
        "practice_only": "Robots, marked as such, may sit at practice tables only.",
        "never": "Robots may sit at no table.",
    },
    "seat_seed_ms": {
        "0": "Seats give no seeds of their own to the shuffles.",
        "n": "A seat may promise a seed of its own; a table that is full waits {n} at most for promised seeds.",
    },
    "reveal_policy": {
        "auditor": "The auditor alone can check the packs.",
        "own_cards": "Each seat can check each of its cards; only the auditor can check whole packs.",
        "public": "After each deal its seed is laid open, so that anybody can check the pack.",
    },
    # -- groups and the show
    "declare_validation": {
        "player_groups": "A show is judged by the groups as the player laid them.",
        "best_arrangement": "A show is valid if its 13 cards can be arranged validly in any way.",
    },
    "wild_natural_pure": {
        "true": "A card of the wild rank in its own place leaves a sequence pure.",
        "false": "A card of the wild rank is always a joker, so a sequence with one is not pure.",
    },
    "joker_only_group": {
        "allowed": "Three or more jokers and nothing else are an impure sequence.",
        "printed_only_refused": "Jokers alone are a group unless all of them are printed jokers.",
        "refused": "Jokers alone are no group, unless they are a natural one by themselves.",
    },
    "max_jokers_per_group": {
        "none": "A group may hold any number of jokers.",
        "1": "A group may hold one joker.",
        "n": "A group may hold at most {n} jokers.",
    },
    "max_set_size": {
        "none": "A set may have any number of cards.",
        "n": "A set has at most {n} cards, jokers included.",
    },
    "max_sequence_length": {
        "none": "A sequence may have any length.",
        "n": "A sequence has at most {n} cards.",
    },
    "max_extra_group_size": {
        "none": "A group beyond the two required sequences may have any size that its kind allows.",
        "n": "In a show a group beyond the two required sequences has at most {n} cards.",
    },
    # -- turns, clocks, piles
    "turn_ms": {"n": "A turn lasts {n}."},
    "time_bank_ms": {
        "0": "There is no extra time beyond the turn.",
        "n": "A player has {n} of extra time for turns that run over.",
    },
    "time_bank_scope": {
        "deal": "The extra time is filled up again with every deal.",
        "match": "The extra time is for the whole match.",
    },
    "declare_ms": {"n": "After Finish a player has {n} to lay out the show."},
    "others_declare_ms": {"n": "After a valid show the others have {n} to lay out their hands."},
    "late_grace_ms": {
        "0": "A move that arrives after its deadline does not count.",
        "n": "A move still counts up to {n} after its deadline.",
    },
    "finish_timeout": {
        "wrong_show": "A finisher who does not declare in time has made a wrong show.",
        "validate_current_groups": "A finisher who does not declare in time shows the groups saved by then.",
        "best_arrangement": "A finisher who does not declare in time shows the best arrangement of the hand.",
    },
    "open_joker_pick": {
        "first_open_card": "A joker on the open pile may be taken only while it is the first open card of the deal.",
        "first_open_card_first_turn": "A joker on the open pile may be taken only in the first turn of the deal.",
        "never": "A joker on the open pile may never be taken.",
        "always": "A joker on the open pile may be taken like any card.",
    },
    "reshuffle_dropped_hands": {
        "true": "The hands of seats that dropped go into the new stock at a reshuffle.",
        "false": "The hands of seats that dropped stay out at a reshuffle.",
    },
    "max_reshuffles": {
        "unlimited": "The open pile is reshuffled as often as the stock runs out.",
        "0": "The open pile is never reshuffled.",
        "1": "The open pile is reshuffled at most once in a deal.",
        "n": "The open pile is reshuffled at most {n} times in a deal.",
    },
    "on_stock_exhausted": {
        "void_deal": "A deal that runs out of cards is void: nobody gets points.",
        "lowest_count_wins": "A deal that runs out of cards is won by the lowest count.",
    },
    "finish_card_after_wrong_show": {
        "dead": "After a wrong show the finish card is out of play.",
        "open_pile": "After a wrong show the finish card goes on the open pile.",
    },
    "auto_drop_after_misses": {
        "off": "Missed turns put nobody out of the deal.",
        "1": "One missed turn puts a seat out of the deal.",
        "n": "{n} missed turns in a row put a seat out of the deal.",
    },
    "auto_drop_points": {
        "as_drop": "Going out by missed turns costs what a drop costs at that moment.",
        "middle_drop": "Going out by missed turns always costs the middle drop.",
        "full_count": "Going out by missed turns costs the full count.",
        "points": "Going out by missed turns costs {n} points.",
    },
    "disconnection_policy": {
        "none": "A seat that is away misses its turns like any other.",
        "auto_turns": "A seat that is away gets {n} automatic turns, then it drops.",
        "smaller_of_saved_groups_and_middle_drop": "A seat that is away gets {n} automatic turns, "
        "then pays at most the middle drop, less while its saved groups count less.",
    },
    # -- drops
    "voluntary_drop": {
        "both": "A player may drop before drawing a first card, and later.",
        "first_only": "A player may take the first drop only.",
        "none": "A player may not drop.",
    },
    "first_drop_points": {"none": "There is no first drop.", "n": "A first drop costs {n} points."},
    "middle_drop_points": {"none": "There is no middle drop.", "n": "A middle drop costs {n} points."},
    "first_drop_basis": {
        "no_card_drawn": "It is a first drop as long as the seat has drawn no card in the deal.",
        "first_turn": "It is a first drop in the seat's first turn only.",
    },
    "drop_window": {
        "before_draw_only": "A player drops before drawing, not after.",
        "any_time_in_turn": "A player may drop at any time in the own turn; a drawn card first goes to the open pile.",
    },
    "drop_in_advance": {
        "true": "A drop may be asked for before the own turn; it acts when the turn comes.",
        "false": "A drop may be asked for on the own turn only.",
    },
    # -- points of a deal
    "loser_count": {
        "tiered": "A loser without a pure sequence counts all cards, with only a pure one all but that, "
        "with two sequences the unmatched cards.",
        "unmatched_always": "A loser counts the unmatched cards, with or without a pure sequence.",
        "unmatched_if_pure": "A loser with a pure sequence counts the unmatched cards, without one all cards.",
        "all_unless_two_sequences": "A loser counts all cards unless the hand has two sequences, one of them pure.",
    },
    "no_pure_count": {
        "sum_capped": "A hand without a pure sequence counts its cards, up to the full count.",
        "flat_full": "A hand without a pure sequence costs the full count.",
    },
    "full_count_cap": {"n": "A hand counts at most {n} points."},
    "wrong_show_points": {"n": "A wrong show costs {n} points."},
    "loser_hand": {
        "count_best": "A loser's hand is counted in its best arrangement.",
        "as_placed": "A loser's hand is counted in the groups that the player declares.",
        "saved_groups": "A loser's hand is counted in the groups that the player saved last.",
    },
    "late_loser": {
        "count_best": "A loser who does not declare in time is counted in the best arrangement.",
        "saved_groups": "A loser who does not declare in time is counted in the groups saved last.",
        "full_count": "A loser who does not declare in time pays the full count.",
    },
    "complete_undeclared_points": {
        "0": "A complete hand that was not declared costs nothing.",
        "n": "A complete hand that was not declared costs {n} points.",
    },
    "no_turn_points": {
        "count": "A loser who has had no turn yet counts the hand like any other.",
        "half_count": "A loser who has had no turn yet pays half of what the hand counts.",
        "first_drop": "A loser who has had no turn yet pays the first drop.",
        "points": "A loser who has had no turn yet pays {n} points.",
        "at_most": "A loser who has had no turn yet pays what the hand counts, at most {n} points.",
    },
    # -- elimination and rejoin
    "limit": {"none": "There is no limit: the totals are compared at the end.", "n": "The limit of the pool is {n}."},
    "elimination_cmp": {
        "gte": "A seat is out when its total reaches the limit.",
        "gt": "A seat is out when its total passes the limit; exactly on the limit it is in.",
    },
    "rejoin_enabled": {"true": "An eliminated seat may come back.", "false": "A seat that is out stays out."},
    "rejoin_max_per_player": {
        "unlimited": "A player may come back any number of times.",
        "1": "A player may come back once.",
        "n": "A player may come back at most {n} times.",
    },
    "rejoin_threshold": {
        "none": "A seat may come back however high the others stand.",
        "n": "A seat may come back while the highest of the others stands on {n} or less.",
        "lt": "A seat may come back while the highest of the others stands on less than {n}.",
    },
    "rejoin_cmp": {
        "lte": "With the highest score exactly on the threshold a seat may still come back.",
        "lt": "With the highest score exactly on the threshold a seat may no longer come back.",
    },
    "rejoin_population": {
        "survivors": "Whether a seat may come back depends on the seats that are in.",
        "all_others": "Whether a seat may come back depends on all other seats, also on those that are out.",
    },
    "rejoin_offset": {
        "1": "A seat comes back on one point more than the highest seat that is in.",
        "-1": "A seat comes back on one point less than the highest seat that is in.",
    },
    "rejoin_sequencing": {
        "by_acceptance": "Several who come back in one break do so one after the other, each above the one before.",
        "snapshot": "Several who come back in one break all look at the scores at the end of the deal.",
    },
    "rejoin_recheck_threshold": {
        "each": "For each of them it is looked at anew whether a seat may still come back.",
        "once": "Whether seats may come back is looked at once for the break.",
    },
    "rejoin_when_one_survivor": {
        "match_over": "When only one seat is in, the match is over and nobody is asked to come back.",
        "window_first": "When only one seat is in, the others may still come back before the match ends.",
    },
    "rejoin_window_ms": {"n": "The offer to come back stands for {n}."},
    "rejoin_fee": {
        "entry_fee": "Coming back costs the entry fee.",
        "amount": "Coming back costs {n} (in minor units).",
    },
    "rejoin_adds_to_pool": {
        "true": "The price of coming back goes into the prize pool.",
        "false": "The price of coming back does not go into the prize pool.",
    },
    # -- prize and split
    "prize_shares_bp": {"1": "The winner takes the whole prize.", "list": "The places share the prize: {list}."},
    "prize_shares_by": {
        "seats": "How many prizes there are depends on the seats of the table.",
        "started": "A second prize exists only if three or more started.",
    },
    "rake_on_rejoin": {
        "true": "Rake is taken from a rejoin as from an entry.",
        "false": "No rake is taken from a rejoin.",
    },
    "split_formula": {
        "off": "The prize cannot be split.",
        "drops": "Players may split the prize: the drops they have left are paid out first, the rest in equal parts.",
        "equal": "Players may split the prize in equal parts.",
        "agreed": "Players may split the prize in any way that all of them accept.",
    },
    "split_min_started": {"n": "A split needs at least {n} players who started."},
    "split_max_left": {"2": "Only the last two can split.", "n": "The last {n} or fewer can split."},
    "split_three_left_needs_started": {"n": "Three who are left can split if at least {n} started."},
    "split_rest_cmp": {
        "gte": "A split needs a rest of at least one entry fee after the drops are paid.",
        "gt": "A split needs a rest of more than one entry fee after the drops are paid.",
    },
    "split_drop_value": {
        "gross_entry": "In a split a drop is worth the full entry fee.",
        "net_entry": "In a split a drop is worth the entry fee without its rake.",
    },
    "split_residue": {
        "fewest_drops_first": "Odd minor units of a split go to the fewest drops left, then to the higher score.",
        "lowest_payout_first": "Odd minor units of a split go to the lowest payout first.",
        "last_seat_first": "Odd minor units of a split go to the last seat first.",
        "leader_absorbs": "The leader takes the odd minor units of a split.",
    },
    "split_ask_ms": {
        "0": "No time is kept for asking for a split.",
        "n": "A split may be asked for during {n} between deals.",
    },
    "split_vote_ms": {"n": "The others have {n} to accept a split; silence is a no."},
    "auto_split": {
        "off": "The prize is never split without asking.",
        "above": "The prize is split equally without asking when nobody left can afford a first drop.",
        "at_or_above": "The prize is split equally without asking when nobody left can drop with a point to spare.",
    },
    # -- best of 3
    "deals": {"none": "The number of deals is open.", "n": "The totals are compared after {n} deals."},
    "early_end_lead": {
        "none": "The match does not end early.",
        "n": "The match is over after deal 2 when the leader is more than {n} points ahead.",
    },
}
