"""Every step of a log decided again: whatever was played, the rules give the same events, and nothing else passes."""

import pytest
from msgspec.structs import replace

from poolrummy.audit.auditing import Means, audited
from poolrummy.audit.derivation import Derivation
from poolrummy.audit.evidence import StoredLine
from poolrummy.audit.findings import Check
from poolrummy.audit.oracle import Oracle
from poolrummy.audit.packs import Seeds
from poolrummy.audit.reading import read_log
from poolrummy.rules.hidden import ShuffleBasis, Toss
from poolrummy.testing.packs import Script
from poolrummy.testing.random_play import RandomMatch
from poolrummy.testing.random_terms import random_terms
from poolrummy_contracts import codec
from poolrummy_contracts import events as e
from poolrummy_contracts.envelope import chain_next, chain_start

from . import signed_matches
from .signed_matches import MEANS, SEALER, match


class ScriptedToss(Oracle):
    """Matches of chance have written packs: only their toss is not what a seed gives."""

    def toss(self, basis: ShuffleBasis) -> Toss:
        assert self._terms is not None
        return Script(self._terms).toss(basis)


@pytest.mark.parametrize("number", range(40))
def test_whatever_is_played_by_any_terms_the_rules_give_the_same_events_again(number: int) -> None:
    played = RandomMatch(random_terms(number), number)
    played.play(600)

    derived = Derivation(played.table.log, ScriptedToss(played.table.log, Seeds((), None))).run()

    assert derived.difference is None
    assert derived.reached == len(played.table.log)


@pytest.mark.parametrize("evidence", signed_matches.small_matches(), ids=lambda one: one.table)
def test_an_honest_match_passes_every_check(evidence) -> None:
    result = audited(evidence, MEANS)

    assert result.first is None
    assert result.exit_code == 0
    assert {line.verdict for line in result.lines} <= {"ok", "none"}
    assert result.chain == evidence.lines[-1].chain.hex()


def test_without_the_key_nothing_that_needs_it_is_called_right() -> None:
    result = audited(match(3), Means(trust=MEANS.trust))
    verdicts = {line.check: line.verdict for line in result.lines}

    assert result.exit_code == 2
    assert (verdicts[Check.PACKS], verdicts[Check.CARDS], verdicts[Check.COMMITMENTS]) == ("unchecked",) * 3
    assert verdicts[Check.POINTS] == verdicts[Check.SHOWS] == verdicts[Check.COMMANDS] == "ok"
    assert "--keys" in result.mend


def test_what_nobody_signed_is_not_called_right_where_it_has_to_be_signed() -> None:
    unsigned = replace(match(3), notes=(), leaves=())

    assert audited(unsigned, MEANS).exit_code == 2
    assert audited(unsigned, Means(sealer=SEALER)).exit_code == 0


@pytest.mark.parametrize(("beyond", "found"), [(0, 0), (1, 1), (2**61, 1)])
def test_a_number_that_not_every_reader_can_hold_is_not_canonical(beyond: int, found: int) -> None:
    first = replace(codec.decode_event(match(3).lines[0].payload), at=codec.INTEGER_MAX + beyond)
    stored = codec.encode(first)
    chain = chain_next(chain_start(first.table), stored)
    evidence = replace(match(3), lines=(StoredLine(stored, chain),), head_version=1, head_chain=chain)

    findings = read_log(evidence).findings

    assert [one.v for one in findings] == [1] * found
    assert all("is beyond 2^53 - 1" in one.what for one in findings)


def test_a_clock_that_acts_too_early_is_named_with_its_paragraph() -> None:
    evidence = match(8, 2, "51")
    events = list(_events(evidence))
    early = next(event for event in events if event.actor == "timer")
    at = events.index(early)
    events[at] = replace(early, at=events[at - 1].at)

    derived = Derivation(events, Oracle(events, Seeds(events, SEALER))).run()

    assert derived.difference is not None
    assert (derived.difference.v, derived.difference.rule, derived.difference.clock) == (early.v, early.rule, True)
    assert "was not due" in derived.difference.what


def test_a_full_search_agrees_with_every_count() -> None:
    result = audited(match(3), replace(MEANS, exhaustive=True))

    assert result.exit_code == 0
    assert result.exhaustive_ms > 0


def _events(evidence) -> tuple[e.TableEvent, ...]:
    return read_log(evidence).events
