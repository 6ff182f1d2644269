import hashlib

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolrummy.fairness import merkle
from poolrummy.fairness.pack import deal_pack

# The roots of the first 1, 2, … 8 entries of the Certificate Transparency reference tests.
CT_ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
CT_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


@pytest.fixture(scope="module")
def dealt(seed, transcript):
    return deal_pack(seed, transcript)


def verifies(opening, dealt, **changed):
    return merkle.check_opening(
        opening, **{"root": dealt.root, "leaves": dealt.leaves, "generation": dealt.generation, **changed}
    )


def flipped(text, at, bit):
    return text[:at] + chr(ord(text[at]) ^ 1 << bit) + text[at + 1 :]


def changed_by_one_bit(opening, bits):
    """The opening with one bit of its text flipped, for every place in it and these bits of each character."""
    for at in range(len(opening.salt)):
        for bit in bits(at):
            yield msgspec.structs.replace(opening, salt=flipped(opening.salt, at, bit))
    for at in range(len(opening.face)):
        for bit in bits(at):
            yield msgspec.structs.replace(opening, face=flipped(opening.face, at, bit))
    for bit in range(40):
        yield msgspec.structs.replace(opening, position=opening.position ^ 1 << bit)
    for step, text in enumerate(opening.path):
        for at in range(len(text)):
            for bit in bits(at):
                path = (*opening.path[:step], flipped(text, at, bit), *opening.path[step + 1 :])
                yield msgspec.structs.replace(opening, path=path)


def test_the_roots_are_those_of_certificate_transparency():
    leaves = [hashlib.sha256(b"\0" + bytes.fromhex(entry)).digest() for entry in CT_ENTRIES]

    assert [merkle.root(merkle.levels(leaves[:size])) for size in range(1, 9)] == CT_ROOTS


@settings(max_examples=40, deadline=None)
@given(size=st.integers(1, 180))
def test_trees_of_every_size_are_those_of_rfc_6962(independent, size):
    leaves = [hashlib.sha256(b"%d" % leaf).digest() for leaf in range(size)]
    tree = merkle.levels(leaves)

    assert merkle.root(tree) == independent.tree_head(leaves).hex()
    for position in {0, size // 3, size // 2, size - 1}:
        wanted = tuple(step.hex() for step in independent.audit_path(position, leaves))
        assert merkle.path(tree, position) == wanted


def test_the_opening_of_each_of_106_positions_verifies(dealt):
    assert [verifies(dealt.opening(position), dealt) for position in range(106)] == [True] * 106


def test_no_opening_verifies_with_a_flipped_bit_in_any_of_its_characters(dealt):
    for position in range(106):
        opening = dealt.opening(position)
        assert not any(verifies(other, dealt) for other in changed_by_one_bit(opening, lambda at: [at % 8]))


@pytest.mark.parametrize("position", [0, 63, 104, 105])
def test_no_opening_verifies_with_any_bit_flipped(dealt, position):
    opening = dealt.opening(position)

    assert not any(verifies(other, dealt) for other in changed_by_one_bit(opening, lambda _: range(8)))


def test_an_opening_holds_for_its_own_root_size_and_generation_only(dealt):
    opening = dealt.opening(104)

    for bit in range(4):
        assert not any(verifies(opening, dealt, root=flipped(dealt.root, at, bit)) for at in range(64))
    assert not any(verifies(opening, dealt, leaves=leaves) for leaves in [*range(-1, 106), 107, 128, 212])
    assert not any(verifies(opening, dealt, generation=generation) for generation in [1, -1, 1 << 32])


@pytest.mark.parametrize("root", ["", "zz", "00" * 31, "00" * 33])
def test_a_root_that_is_none_verifies_nothing_however_broken_the_opening_is(dealt, root):
    broken = msgspec.structs.replace(dealt.opening(0), path=())

    assert not verifies(broken, dealt, root=root)


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path[:-1],
        lambda path: (*path, path[0]),
        lambda path: path[::-1],
        lambda path: (path[0].upper(), *path[1:]),
        lambda path: (path[0] + " ", *path[1:]),
        lambda path: ("é" * 64, *path[1:]),
    ],
)
def test_a_path_of_another_form_does_not_verify(dealt, change):
    opening = dealt.opening(10)
    other = msgspec.structs.replace(opening, path=change(opening.path))
    assert other != opening

    assert not verifies(other, dealt)


@pytest.mark.parametrize("face", ["", "9h", "10H", "9H ", "\ud800", "9" * 70_000])
def test_a_face_that_is_no_card_does_not_verify(dealt, face):
    assert not verifies(msgspec.structs.replace(dealt.opening(3), face=face), dealt)


@settings(max_examples=100, deadline=None)
@given(
    opening=st.builds(
        merkle.Opening,
        position=st.integers(),
        face=st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
        salt=st.text(max_size=70),
        path=st.lists(st.text(max_size=70), max_size=9).map(tuple),
    )
)
def test_whatever_is_sent_as_an_opening_gets_an_answer(dealt, opening):
    assert not verifies(opening, dealt)
