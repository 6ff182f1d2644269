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
from .tampering import KINDS, Tampered, tampered

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
