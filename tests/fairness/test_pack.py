import itertools
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolrummy.fairness import merkle, pack
from poolrummy.fairness.transcript import canonical, of_generation
from poolrummy_contracts.cards import FACES

PILE = ["9H", "JK", "TD", "AS", "AS", "2C", "KD", "9H", "QS"]


def with_(transcript, **changed):
    return msgspec.structs.replace(transcript, **changed)


def test_the_unshuffled_pack_is_listed_deck_by_deck():
    assert " ".join(pack.unshuffled(2, 1)[:53]) == (
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH "
        "AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC JK"
    )
    assert pack.unshuffled(2, 1)[53:] == pack.unshuffled(1, 1)
    assert set(pack.unshuffled(1, 2)) == FACES


def test_the_toss_pack_has_no_printed_jokers(seed, transcript):
    tossed = pack.deal_pack(seed, with_(transcript, purpose="toss"))

    assert Counter(tossed.faces) == Counter(pack.toss_pack(2))
    assert "JK" not in tossed.faces
    assert tossed.leaves == 104


@pytest.mark.parametrize(("decks", "jokers"), [(1, 0), (2, 1), (2, 2), (3, 1)])
def test_the_deal_has_the_cards_of_the_decks_and_no_others(seed, transcript, decks, jokers):
    deck = with_(transcript.deck, decks=decks, printed_jokers_per_deck=jokers)
    dealt = pack.deal_pack(seed, with_(transcript, deck=deck))

    assert Counter(dealt.faces) == Counter(pack.unshuffled(decks, jokers))
    assert dealt.leaves == len(dealt.faces)


def test_a_dealer_that_was_killed_has_the_same_pack_again(seed, transcript):
    assert pack.deal_pack(seed, transcript) == pack.deal_pack(bytes(seed), of_generation(transcript, 0))


@pytest.mark.parametrize(
    "changed",
    [
        {"table": "p07-9f2d"},
        {"deal": 4},
        {"rules": "5f" * 32},
        {"generation": 1},
        {"seats": ()},
    ],
)
def test_whatever_the_transcript_says_otherwise_gives_another_pack(seed, transcript, changed):
    one, other = pack.deal_pack(seed, transcript), pack.deal_pack(seed, with_(transcript, **changed))

    assert one.faces != other.faces
    assert not set(one.salts) & set(other.salts)
    assert one.root != other.root


def test_a_leaked_seed_says_nothing_about_the_next_deal(seed, transcript):
    packs = [pack.deal_pack(bytes([first]) + seed[1:], with_(transcript, deal=4)) for first in range(3)]

    assert all(one.faces != other.faces for one, other in itertools.combinations(packs, 2))


def test_a_reshuffle_has_the_cards_that_go_in_and_a_commitment_of_its_own(seed, transcript):
    again = pack.reshuffled(seed, of_generation(transcript, 1), PILE)

    assert Counter(again.faces) == Counter(PILE)
    assert (again.generation, again.leaves) == (1, len(PILE))
    assert all(
        merkle.check_opening(opening, root=again.root, leaves=len(PILE), generation=1)
        for opening in again.openings(range(len(PILE)))
    )


def test_each_reshuffle_of_a_deal_is_another_order(seed, transcript):
    packs = [pack.reshuffled(seed, of_generation(transcript, g), pack.unshuffled(1, 1)) for g in range(4)]

    assert len({one.faces for one in packs}) == 4
    assert len({salt for one in packs for salt in one.salts}) == 4 * 53


def test_where_a_discard_will_lie_is_open_until_the_last_discard(seed, transcript):
    numbered = [f"{number}" for number in range(40)]
    one = pack.reshuffled(seed, of_generation(transcript, 1), [*numbered, "AS"])
    other = pack.reshuffled(seed, of_generation(transcript, 1), [*numbered, "AH"])

    moved = sum(one.faces.index(face) != other.faces.index(face) for face in numbered)
    assert moved > 30


@pytest.mark.parametrize(("position", "there"), [(0, True), (105, True), (-1, False), (106, False)])
def test_only_a_position_of_the_pack_has_an_opening(seed, transcript, position, there):
    dealt = pack.deal_pack(seed, transcript)
    if there:
        assert dealt.opening(position).position == position
        return

    with pytest.raises(AssertionError, match="no position"):
        dealt.opening(position)


def test_no_hidden_card_stands_in_any_public_value(seed, transcript):
    dealt = pack.deal_pack(seed, transcript)
    public = f"{dealt!r} {dealt} {dealt.root} {canonical(transcript).decode()}"

    assert not [face for face in FACES if face in public]
    assert not [salt for salt in dealt.salts if salt.hex() in public or repr(salt) in public]
    assert seed.hex() not in public


def test_the_openings_of_one_hand_show_no_other_card(seed, transcript):
    dealt = pack.deal_pack(seed, transcript)
    hand = range(0, 26, 2)
    shown = msgspec.json.encode(dealt.openings(hand)).decode()

    assert not [p for p in set(range(106)) - set(hand) if dealt.salts[p].hex() in shown]


def test_a_hidden_leaf_beside_an_opened_one_cannot_be_guessed_from_what_was_shown(seed, transcript):
    """The path of an opened card names its neighbour's leaf: without the salt no face can be tried on it."""
    dealt = pack.deal_pack(seed, transcript)
    shown = dealt.openings(range(0, 106, 2))
    known = [bytes.fromhex(opening.salt) for opening in shown] + [bytes(32), b"", seed]

    for opening in shown[:20]:
        hidden = opening.path[0]
        tried = (
            merkle.leaf_hash(generation=0, position=opening.position + 1, face=face, salt=salt).hex()
            for face in FACES
            for salt in known
        )
        assert hidden not in tried


@settings(max_examples=30, deadline=None)
@given(
    seed=st.binary(min_size=80, max_size=80), faces=st.lists(st.sampled_from(sorted(FACES)), min_size=1, max_size=60)
)
def test_two_implementations_agree_on_any_pile(independent, transcript, seed, faces):
    ours = pack.reshuffled(seed, of_generation(transcript, 7), faces)
    theirs = independent.pack(seed, msgspec.to_builtins(of_generation(transcript, 7)), faces)

    assert (" ".join(ours.faces), ours.root) == (theirs["faces"], theirs["root"])
