"""Refusal codes never change, and each has a sentence that a person understands."""

import pytest

from poolrummy_contracts.refusals import SENTENCES, Refusal, Refused

CODES = """
    already-declared already-drawn already-seated already-voted answer-not-awaited busy
    card-not-held cards-mismatch channel-key-missing channel-key-unusable closed-for-play drop-after-draw
    drop-already-asked drop-in-advance-not-allowed drop-not-allowed drop-not-asked edition-too-old
    log-missing malformed match-running middle-drop-not-allowed no-deal no-memory not-drawn-yet not-now
    not-the-finisher not-your-seat not-your-turn open-joker open-pile-empty presence-unchanged
    profile-unknown reason-missing rejoin-already-asked rejoin-not-offered rejoin-threshold-passed
    robots-not-allowed seat-eliminated seat-empty seat-gone seat-out-of-deal seat-seeds-off
    seat-taken seat-unknown seed-already-committed seed-already-revealed seed-commitments-closed
    seed-malformed seed-mismatch seed-not-committed split-amounts-wrong split-not-possible split-off
    split-rest-too-small stale-turn table-closed table-exists table-frozen table-not-frozen
    table-unknown terms-refused too-large too-late unknown-type unreadable wrong-deal wrong-window
"""
"""Every code that was ever given. Add to it; nothing else."""


def test_no_code_ever_goes_away_or_is_renamed() -> None:
    assert CODES.split() == sorted(refusal.value for refusal in Refusal)


def test_every_refusal_has_its_sentence_and_no_sentence_is_left_over() -> None:
    assert set(SENTENCES) == set(Refusal)


def test_the_sentences_stand_in_the_order_in_which_reasons_are_checked() -> None:
    in_order = [refusal for refusal in Refusal if refusal is not Refusal.TOO_LATE]

    assert [refusal for refusal in SENTENCES if refusal is not Refusal.TOO_LATE] == in_order


@pytest.mark.parametrize("refusal", Refusal)
def test_a_sentence_is_a_sentence(refusal: Refusal) -> None:
    assert refusal.sentence[0].isupper()
    assert refusal.sentence.endswith(".")
    assert refusal.name == refusal.value.upper().replace("-", "_")


def test_no_two_refusals_say_the_same() -> None:
    assert len(set(SENTENCES.values())) == len(SENTENCES)


def test_a_refusal_may_say_what_exactly_was_wrong() -> None:
    assert Refused(Refusal.TOO_LATE).sentence == "The command came after the deadline."
    assert Refused(Refusal.TOO_LATE, "It was 12 ms late.").sentence.endswith("deadline. It was 12 ms late.")
