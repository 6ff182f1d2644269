"""A key in two shares (rule 3.11)."""

import pytest

from poolrummy.fairness import age, shares
from poolrummy.fairness.shares import SharesDoNotFit


@pytest.fixture
def identities():
    return [str(age.new_identity()) for _ in range(2)]


@pytest.mark.rule("3.11")
def test_two_shares_make_the_keys_again_in_their_order(identities):
    one, other = shares.split(identities)

    assert shares.joined(one, other) == identities
    assert shares.joined(other, one) == identities


@pytest.mark.rule("3.11")
def test_one_share_says_nothing_about_the_key(identities):
    one, other = shares.split(identities)

    for text in (one, other):
        raw = b"".join(bytes.fromhex(line.split()[2]) for line in text.splitlines() if line[0] != "#")
        assert b"AGE-SECRET" not in raw
    assert shares.split(identities)[0] != one
    with pytest.raises(SharesDoNotFit):
        shares.joined(one, one)


@pytest.mark.rule("3.11")
def test_shares_of_two_splits_or_of_other_keys_make_nothing(identities):
    one, _ = shares.split(identities)
    _, of_another_split = shares.split(identities)
    _, of_another_key = shares.split([str(age.new_identity())])

    for other in (of_another_split, of_another_key, "", "nonsense"):
        with pytest.raises(SharesDoNotFit):
            shares.joined(one, other)
