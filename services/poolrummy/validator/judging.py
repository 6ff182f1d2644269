"""From an ask in the feed to the verdict: pure, so that the audit can ask the same question again."""

from poolrummy.rules import declaration
from poolrummy.rules.answers import arranged, faces, show_rules
from poolrummy.rules.meld_rules import MeldRules
from poolrummy_contracts.events import HandLaidOpen, ShowDeclared
from poolrummy_contracts.terms import EDITION, Terms
from poolrummy_contracts.verdicts import HandVerdict, ShowVerdict, verdict_id


def judge_show(ask: ShowDeclared, terms: Terms) -> ShowVerdict:
    """Whether the show is valid, and if not, the first reason (rules 6.2, 6.3 and 6.8)."""
    found = declaration.judge(tuple(map(faces, ask.groups)), faces(ask.hand), ask.wild_rank, show_rules(ask, terms))
    return ShowVerdict(
        id=verdict_id(ask.table, ask.v),
        table=ask.table,
        ask=ask.v,
        edition=EDITION,
        valid=found.valid,
        reason=found.reason,
        group=found.group,
        groups=found.groups,
        arrangement=found.arrangement,
    )


def count_hand(ask: HandLaidOpen, terms: Terms) -> HandVerdict:
    """What the hand counts, as its holder is counted: in the best arrangement, or as it was placed (rule 8.2)."""
    found = arranged(ask, MeldRules.of(terms))
    return HandVerdict(
        id=verdict_id(ask.table, ask.v),
        table=ask.table,
        ask=ask.v,
        edition=EDITION,
        groups=found.groups,
        leftover=found.leftover,
        raw=found.raw,
        points=found.points,
        complete=found.declarable,
    )
