"""No manipulation is accepted, and the first bad event is named: thousands of them, at random places (R13, R46)."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from poolrummy.audit import bundle, second_verifier
from poolrummy.audit.auditing import audited
from poolrummy.audit.findings import Result, Unauditable
from poolrummy.fairness.notary_keys import written

from . import signed_matches
from .disturbed_matches import signed_disturbed_matches
from .tampering import KINDS, Tampered, tampered
from .tampering_by_operator import OPERATOR_KINDS, SECOND_LEAVES_OUT, SEEN_LATER, by_the_operator

EACH = 24
NAMED_SHARE_LEAST = 0.95


def examined(case: Tampered, *, outside: bool, original: int) -> Result | str:
    """What the audit says of a bundle: with the checkpoints that the auditor holds, or with those in the file."""
    try:
        evidence = bundle.read(case.content, "tampered.jsonl")
    except Unauditable as why:
        return str(why)
    if outside:
        held = signed_matches.small_matches()[original]
        evidence = replace(evidence, notes=held.notes, leaves=held.leaves)
    return audited(evidence, signed_matches.MEANS)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("outside", [True, False], ids=["own checkpoints", "those of the file"])
def test_no_manipulation_is_accepted_and_the_first_bad_event_is_named(outside: bool) -> None:
    bundles = [signed_matches.bundled(one) for one in signed_matches.small_matches()]
    dice = Random(7 if outside else 8)
    named, misnamed, accepted, seen = 0, Counter[str](), [], Counter[str]()
    for name in KINDS:
        for number in range(EACH if outside else EACH // 3):
            at = number % len(bundles)
            case = tampered(name, bundles[at], dice, bundles[at - 1])
            if case is None or (outside and name.startswith(("checkpoint", "byte of a checkpoint", "last checkpoint"))):
                continue
            seen[name] += 1
            found = examined(case, outside=outside, original=at)
            if isinstance(found, Result) and found.exit_code == 0:
                accepted.append(case)
            elif case.v is not None and isinstance(found, Result):
                right = found.first is not None and found.first.v == case.v and not found.first.until
                named += right
                if not right:
                    misnamed[f"{name}: {case.v}, said {found.first}"] += 1

    assert not accepted, [(case.kind, case.v) for case in accepted[:5]]
    assert len(seen) >= 40
    assert named / (named + misnamed.total()) >= NAMED_SHARE_LEAST, misnamed.most_common(20)


@pytest.mark.timeout(600)
def test_who_holds_the_signing_key_and_makes_everything_fit_is_found_out_by_the_rules() -> None:
    """Nothing but the rules says that a log is wrong which is chained, signed and complete."""
    bundles = [signed_matches.bundled(one, open_seeds=True) for one in signed_disturbed_matches()]
    trusted = [written(signed_matches.TRUSTED).strip()]
    dice = Random(11)
    named, misnamed, accepted, accepted_twice = 0, Counter[str](), [], []
    for name in OPERATOR_KINDS:
        for number in range(EACH // 2):
            case = tampered(name, bundles[number % len(bundles)], dice, bundles[number % len(bundles) - 1])
            content = None if case is None else by_the_operator(case)
            if case is None or content is None:
                continue
            result = audited(bundle.read(content, "tampered.jsonl"), signed_matches.MEANS)
            if result.exit_code == 0:
                accepted.append((name, case.v))
            elif name not in SEEN_LATER:
                right = result.first is not None and result.first.v == case.v and not result.first.until
                named += right
                misnamed[f"{name}: {case.v}, said {result.first}"] += not right
            if name not in SECOND_LEAVES_OUT and second_verifier.verify(content, trusted).exit_code == 0:
                accepted_twice.append((name, case.v))

    assert not accepted
    assert not accepted_twice
    assert named / (named + misnamed.total()) >= NAMED_SHARE_LEAST, misnamed.most_common(20)


@pytest.mark.timeout(600)
def test_the_second_verifier_accepts_no_manipulation_either() -> None:
    bundles = [signed_matches.bundled(one, open_seeds=True) for one in signed_matches.small_matches()]
    trusted = [written(signed_matches.TRUSTED).strip()]
    assert [second_verifier.verify(one, trusted).exit_code for one in bundles] == [0] * len(bundles)
    dice = Random(9)
    accepted: list[tuple[str, int | None]] = []
    for name in KINDS:
        for number in range(EACH // 3):
            at = number % len(bundles)
            case = tampered(name, bundles[at], dice, bundles[at - 1])
            if case is None:
                continue
            try:
                if second_verifier.verify(case.content, trusted).exit_code == 0:
                    accepted.append((name, case.v))
            except ValueError:
                continue

    assert not accepted
