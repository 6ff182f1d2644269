"""What is recorded lasts for ever: tags never go away, and every event says who, when, where and why."""

import inspect
import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from poolrummy.contracts_pages import story
from poolrummy.contracts_pages.examples import EXAMPLES
from poolrummy.contracts_pages.fields import structs_in
from poolrummy.contracts_pages.messages import FAMILIES, MessageClass, tag_of
from poolrummy.fairness.merkle import Opening, check_opening
from poolrummy.rules import arranger, declaration
from poolrummy_contracts import profiles
from poolrummy_contracts.cards import FACES
from poolrummy_contracts.commands import OpenTable, SystemCommand
from poolrummy_contracts.events import Event, TableEvent, TableOpened
from poolrummy_contracts.streams import is_table_id
from poolrummy_contracts.terms import terms_hash

ALL = [message for family in FAMILIES for message in family.classes]
EVENTS = get_args(TableEvent)

TAGS = {
    "command": """
        ask-rejoin ask-split commit-seed declare discard draw drop finish freeze-table leave open-table
        refuse-rejoin reveal-seed save-groups set-away set-back sit unfreeze-table unseal-seeds void-deal
        void-match vote-split withdraw-drop
    """,
    "event": """
        batch-closed card-discarded card-drawn card-returned clocks-shifted deal-scored deal-started deal-voided
        declare-window-opened finish-called hand-counted hand-declared hand-laid-open match-ended
        match-started match-voided rejoin-asked rejoin-closed rejoin-declined rejoin-granted rejoin-offered
        rejoin-queued seat-away seat-back seat-dropped seat-eliminated seat-forfeited
        seat-seed-committed seat-seed-revealed seat-taken seat-vacated seed-revealed seeds-committed seeds-unsealed
        show-declared show-forfeited show-judged split-agreed split-asked
        split-closed split-offered split-requested split-voted start-cancelled start-scheduled
        stock-reshuffled table-closed table-frozen table-opened table-unfrozen toss-drawn turn-missed
        turn-started
    """,
    "verdict": """
        hand-verdict rejoin-payment show-verdict
    """,
    "reply": """
        accepted refused
    """,
    "seat-line": """
        card-received cards-dealt drop-noted drop-withdrawn grouping-saved sealed-line
    """,
    "parked": """
        parked
    """,
}
"""Every tag that was ever in use. Add to it; whatever else changes it breaks somebody's client or an old log."""


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_no_tag_ever_goes_away_or_is_renamed(family) -> None:
    assert TAGS[family.name].split() == sorted(map(tag_of, family.classes))


def test_a_tag_names_one_message_across_all_families() -> None:
    tags = [tag_of(message) for message in (*ALL, *get_args(SystemCommand))]

    assert len(tags) == len(set(tags))


@pytest.mark.parametrize("message", ALL, ids=tag_of)
def test_a_tag_is_a_literal_under_type_in_kebab_case(message: MessageClass) -> None:
    assert message.__struct_config__.tag_field == "type"
    assert tag_of(message) == tag_of(message).lower()
    assert tag_of(message).replace("-", "").isalpha()
    assert "tag=" in source_of(message)


@pytest.mark.parametrize("message", ALL, ids=tag_of)
def test_a_message_cannot_be_changed(message: MessageClass) -> None:
    assert message.__struct_config__.frozen


@pytest.mark.parametrize("message", ALL, ids=tag_of)
def test_no_field_of_a_message_may_be_a_float_or_anything(message: MessageClass) -> None:
    for struct in structs_in(message):
        for field in msgspec.structs.fields(struct):
            assert "float" not in str(field.type), f"{struct.__name__}.{field.name}"
            assert field.type not in (object, dict, list)


@pytest.mark.parametrize("event", EVENTS, ids=tag_of)
def test_every_event_says_where_when_and_by_whom(event: type[Event]) -> None:
    fields = {field.name: field for field in msgspec.structs.fields(event)}

    assert all(fields[name].required for name in ("v", "table", "at", "actor", "rule"))
    assert not any(fields[name].required for name in ("cause", "deal", "turn"))


@pytest.mark.parametrize("event", EVENTS, ids=tag_of)
def test_a_reader_of_an_old_version_may_meet_new_fields(event: type[Event]) -> None:
    assert not event.__struct_config__.forbid_unknown_fields
    assert event.__struct_config__.omit_defaults


def test_every_message_has_exactly_one_example() -> None:
    assert sorted(tag_of(type(message)) for message in EXAMPLES) == sorted(map(tag_of, ALL))


# -- the story that the examples tell ----------------------------------------------------------------------------

RECORDED = [message for message in EXAMPLES if isinstance(message, Event)]


def test_the_story_has_one_time_line() -> None:
    for table in {event.table for event in RECORDED}:
        events = sorted((event for event in RECORDED if event.table == table), key=lambda event: event.v)

        assert [event.at for event in events] == sorted(event.at for event in events)
        assert len({event.v for event in events}) == len(events)


def test_a_clock_has_no_cause_and_everybody_else_has_one() -> None:
    for event in RECORDED:
        by_clock = event.actor == "timer" or event.cause is None
        assert (event.cause is None) == by_clock, event


def test_the_story_cites_paragraphs_that_the_rulebook_has() -> None:
    text = (Path(__file__).parents[2] / "contracts/RULEBOOK.md").read_text("utf-8")

    assert not {event.rule for event in RECORDED if f"\n### {event.rule} " not in text}


def test_every_table_of_the_story_has_a_proper_id() -> None:
    assert all(is_table_id(message.table) for message in EXAMPLES if getattr(message, "table", None))


def test_the_terms_of_the_story_carry_their_hash() -> None:
    (opened,) = (event for event in RECORDED if isinstance(event, TableOpened))

    assert opened.terms_hash == terms_hash(opened.terms)


def test_the_terms_of_the_story_are_those_of_the_profile_that_its_command_names() -> None:
    text = (Path(__file__).parents[2] / "contracts/profiles/house.toml").read_text("utf-8")
    house = profiles.parse(text, "house", {})
    (command,) = (message for message in EXAMPLES if isinstance(message, OpenTable))
    (opened,) = (event for event in RECORDED if isinstance(event, TableOpened))

    assert profiles.resolve_command(command, {"house": house}) == opened.terms


def test_what_the_winners_of_the_story_get_is_what_lies_in_the_pool() -> None:
    by_tag = {tag_of(type(event)): event for event in RECORDED}

    assert sum(place.prize for place in by_tag["match-ended"].places) == by_tag["rejoin-granted"].prize_pool
    assert sum(share.amount for share in by_tag["split-asked"].shares) == by_tag["rejoin-granted"].prize_pool


def test_every_card_of_the_story_is_a_card_and_is_proved_against_its_root() -> None:
    for where in story.hand_positions(story.BHASKAR):
        card = story.opened(where)
        proof = Opening(position=int(where[2:]), face=card.card, salt=card.salt, path=card.path)
        assert card.card in FACES
        assert check_opening(proof, root=story.PACK.root, leaves=story.PACK.cards, generation=0)


def test_the_verdicts_of_the_story_are_those_of_our_own_arranger() -> None:
    shown = [[card.card for card in group] for group in story.shown(story.SHOWN_GROUPS)]
    judged = declaration.judge(shown, [story.face_of(where) for where in story.SHOWN_HAND], "4D")
    counted = arranger.arrange([story.face_of(where) for where in story.hand_positions(story.ASHA)], "4D")

    assert (judged.valid, judged.groups) == (True, story.JUDGED_GROUPS)
    assert (counted.groups, counted.leftover) == (story.COUNTED_GROUPS, story.LEFTOVER)
    assert counted.points == story.LEFTOVER_POINTS


def test_no_hidden_card_stands_in_an_event_of_the_story() -> None:
    (drawn,) = (event for event in RECORDED if tag_of(type(event)) == "card-drawn")

    assert drawn.position == story.FIRST_STOCK
    assert story.face_of(story.FIRST_STOCK) not in json.dumps(msgspec.to_builtins(drawn))


def source_of(message: MessageClass) -> str:

    return inspect.getsource(message).split(":\n")[0]
