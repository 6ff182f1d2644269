"""One valid example of every message. The story that they tell together stands in ``story.py``."""

from typing import Final

from poolrummy.contracts_pages import story_answers, story_between, story_commands, story_deal, story_table
from poolrummy.contracts_pages.messages import Message, tag_of

EXAMPLES: Final[tuple[Message, ...]] = (
    *story_commands.COMMANDS,
    *story_table.BEFORE_THE_MATCH,
    *story_deal.TURNS,
    *story_deal.SHOW,
    *story_deal.SCORE,
    *story_between.REJOIN,
    *story_between.SPLIT,
    *story_table.AT_ANY_TIME,
    *story_table.THE_END,
    *story_answers.VERDICTS,
    *story_answers.REPLIES,
    *story_answers.SEAT_LINES,
    *story_answers.PARKED,
)

EXAMPLE_OF: Final = {tag_of(type(message)): message for message in EXAMPLES}
"""Tag to example."""


def example_of(tag: str) -> Message:
    """The example of a message; who adds a message writes one."""
    assert tag in EXAMPLE_OF, f"{tag} has no example: write one into services/poolrummy/contracts_pages/story_*.py"
    return EXAMPLE_OF[tag]
