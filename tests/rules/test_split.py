import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolrummy.rules import split
from poolrummy.testing.matches import PROFILES, standings_of, terms_of
from poolrummy_contracts.commands import SplitAmount
from poolrummy_contracts.events import SplitShare
from poolrummy_contracts.refusals import Refusal

OUT = 120
WITH = {0: 90, 1: 70, 2: 50, 3: 30, 4: 10}
"""A total in the 101 pool with so many drops left."""


def left_with(drops, started=6, pool=None, terms=None):
    """The seats that are left have so many drops; the others went out before."""
    totals = [WITH[one] for one in drops] + [OUT] * (started - len(drops))
    return standings_of(terms or terms_of(), totals, pool=pool)


def paid(outcome):
    return outcome if isinstance(outcome, Refusal) else [one.amount for one in outcome]


def amounts(**by_seat):
    return tuple(SplitAmount(int(seat[1:]), amount) for seat, amount in by_seat.items())


@pytest.mark.rule("11.6")
@pytest.mark.parametrize("profile", ["house", "rummypassion"])
def test_the_example_of_the_source_e_65(profile):
    outcome = split.shares(left_with((3, 1, 0), pool=15000, terms=terms_of(profile)))

    assert outcome == (
        SplitShare(seat=1, drops_left=3, bonus=7500, share=1666, amount=9166),
        SplitShare(seat=2, drops_left=1, bonus=2500, share=1667, amount=4167),
        SplitShare(seat=3, drops_left=0, bonus=0, share=1667, amount=1667),
    )


@pytest.mark.rule("11.6")
@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [8333, 3333, 834]),
        ({"split_residue": "lowest_payout_first"}, [8333, 3333, 834]),
        ({"split_residue": "last_seat_first"}, [8333, 3333, 834]),
        ({"split_residue": "leader_absorbs"}, [8334, 3333, 833]),
        ({"split_rest_cmp": "gt"}, Refusal.SPLIT_REST_TOO_SMALL),
    ],
)
def test_a_rest_of_exactly_one_entry_fee_e_66(settings, expected):
    assert paid(split.shares(left_with((3, 1, 0), started=5, pool=12500, terms=terms_of(**settings)))) == expected


@pytest.mark.rule("11.6")
@pytest.mark.parametrize(
    ("residue", "expected"),
    [
        ("fewest_drops_first", [1667, 9166, 4167]),
        ("lowest_payout_first", [1667, 9166, 4167]),
        ("last_seat_first", [1666, 9167, 4167]),
        ("leader_absorbs", [1667, 9166, 4167]),
    ],
)
def test_who_gets_the_odd_units_does_not_hang_on_the_seat_unless_the_terms_say_so(residue, expected):
    assert paid(split.shares(left_with((0, 3, 1), pool=15000, terms=terms_of(split_residue=residue)))) == expected


@pytest.mark.rule("11.6")
@pytest.mark.parametrize(("totals", "odd"), [((70, 75, 62), 2), ((70, 70, 62), 2), ((75, 70, 62), 1)])
def test_with_equal_drops_the_odd_unit_goes_to_the_higher_score_and_then_to_the_later_seat(totals, odd):
    state = standings_of(terms_of(), [*totals, OUT], pool=10000)

    assert paid(split.shares(state)) == [3334 if seat == odd else 3333 for seat in (1, 2, 3)]


@pytest.mark.rule("11.6")
@pytest.mark.parametrize("started", [3, 4])
@pytest.mark.parametrize("profile", ["house", "rummypassion"])
def test_a_rest_below_one_entry_fee_is_refused_e_67_e_68(profile, started):
    terms = terms_of(profile, split_three_left_needs_started=3)

    assert split.shares(left_with((3, 1, 0), started=started, terms=terms)) is Refusal.SPLIT_REST_TOO_SMALL


@pytest.mark.rule("11.6")
def test_only_the_excess_drops_are_paid_e_69():
    terms = terms_of("house", "201", entry_fee=10000)
    outcome = split.shares(standings_of(terms, (60, 110, 140, 210, 210, 210)))

    assert [(one.drops_left, one.bonus, one.amount) for one in outcome] == [
        (5, 30000, 36666),
        (3, 10000, 16667),
        (2, 0, 6667),
    ]


@pytest.mark.rule("11.6")
@pytest.mark.parametrize(
    ("drops", "settings", "expected"),
    [
        ((1, 0), {}, [5000, 2500]),
        ((2, 0), {}, [6250, 1250]),
        ((2, 0), {"split_rest_cmp": "gt"}, Refusal.SPLIT_REST_TOO_SMALL),
        ((3, 0), {}, Refusal.SPLIT_REST_TOO_SMALL),
    ],
)
def test_two_left_of_three_e_70(drops, settings, expected):
    assert paid(split.shares(left_with(drops, started=3, terms=terms_of(**settings)))) == expected


@pytest.mark.rule("11.4")
@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ("house", Refusal.SPLIT_NOT_POSSIBLE),
        ("rummypassion", [2500, 2500, 2500]),
        ("classic", Refusal.SPLIT_OFF),
        ("deccan", Refusal.SPLIT_OFF),
        ("scorekeeper", Refusal.SPLIT_NOT_POSSIBLE),
    ],
)
def test_three_started_and_three_left_e_71(profile, expected):
    assert paid(split.shares(left_with((1, 1, 1), started=3, terms=terms_of(profile)))) == expected


@pytest.mark.rule("11.4")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("started", "left", "allowed_in"),
    [
        pytest.param(6, 4, (), id="E-72"),
        pytest.param(2, 2, (), id="E-73"),
        pytest.param(3, 3, ("rummypassion",), id="E-71"),
        pytest.param(4, 3, ("house", "rummypassion"), id="three of four"),
        pytest.param(3, 2, ("house", "rummypassion", "scorekeeper"), id="two of three"),
        pytest.param(6, 1, (), id="one left"),
    ],
)
def test_a_split_needs_the_right_numbers_of_seats(profile, started, left, allowed_in):
    why_not = split.refusal(left_with((1,) * left, started=started, terms=terms_of(profile)))
    off = profile in ("classic", "deccan")

    assert why_not is (None if profile in allowed_in else Refusal.SPLIT_OFF if off else Refusal.SPLIT_NOT_POSSIBLE)


@pytest.mark.rule("11.4")
def test_a_seat_that_left_has_started_but_is_not_left_to_split():
    assert split.refusal(standings_of(terms_of(), (50, 60, 40), left={3: 2})) is None


@pytest.mark.rule("11.6")
@pytest.mark.parametrize(
    ("settings", "expected"),
    [({}, [8366, 3367, 867]), ({"split_drop_value": "net_entry"}, [7700, 3500, 1400])],
)
def test_a_drop_is_worth_the_gross_or_the_net_entry_e_76(settings, expected):
    state = left_with((3, 1, 0), terms=terms_of(rake_bp=1600, **settings))

    assert state.prize_pool == 12600
    assert paid(split.shares(state)) == expected


@pytest.mark.rule("11.6")
def test_rake_can_make_the_rest_too_small_e_77():
    state = left_with((3, 1, 0), terms=terms_of(rake_bp=2000))

    assert state.prize_pool == 12000
    assert split.shares(state) is Refusal.SPLIT_REST_TOO_SMALL


@pytest.mark.rule("11.6")
def test_paise_are_split_without_losing_one_e_78():
    state = left_with((1, 0), started=3, terms=terms_of(entry_fee=500, rake_bp=1500))

    assert state.prize_pool == 1275
    assert paid(split.shares(state)) == [887, 388]


@pytest.mark.rule("11.6")
@pytest.mark.parametrize(
    ("drops", "expected"),
    [
        ((0, 0), [40000, 40000]),
        ((1, 0), [45000, 35000]),
        ((2, 0), [50000, 30000]),
        ((3, 0), [55000, 25000]),
        ((4, 0), [60000, 20000]),
    ],
)
def test_the_table_of_another_operator_comes_out_of_the_formula_e_80_f44(drops, expected):
    assert paid(split.shares(left_with(drops, started=5, pool=80000, terms=terms_of(entry_fee=10000)))) == expected


@pytest.mark.rule("11.6")
def test_a_split_pays_by_drops_left_and_not_by_points_f44():
    state = standings_of(terms_of(entry_fee=10000), (45, 88, OUT, OUT, OUT), pool=80000)

    assert paid(split.shares(state)) == [50000, 30000]


@pytest.mark.rule("11.9")
@pytest.mark.parametrize(("pool", "expected"), [(15000, [5000, 5000, 5000]), (10000, [3333, 3333, 3334])])
def test_an_equal_split_knows_no_drops(pool, expected):
    assert paid(split.shares(left_with((3, 1, 0), pool=pool, terms=terms_of(split_formula="equal")))) == expected


@pytest.mark.rule("11.9")
@pytest.mark.parametrize(("pool", "expected"), [(10000, [3334, 3333, 3333]), (20000, [6666, 6667, 6667])])
def test_in_an_equal_split_the_leader_may_absorb_the_difference(pool, expected):
    terms = terms_of(split_formula="equal", split_residue="leader_absorbs")

    assert paid(split.shares(left_with((3, 1, 0), pool=pool, terms=terms))) == expected


@pytest.mark.rule("11.7")
@pytest.mark.parametrize(
    ("proposal", "expected"),
    [
        pytest.param(amounts(s1=5000, s2=2500), [5000, 2500], id="E-70"),
        pytest.param(amounts(s2=7500, s1=0), [0, 7500], id="nothing for the leader"),
        pytest.param(amounts(s1=5000, s2=2501), Refusal.SPLIT_AMOUNTS_WRONG, id="more than the pool"),
        pytest.param(amounts(s1=5000, s2=2499), Refusal.SPLIT_AMOUNTS_WRONG, id="less than the pool"),
        pytest.param(amounts(s1=7600, s2=-100), Refusal.SPLIT_AMOUNTS_WRONG, id="below 0"),
        pytest.param(amounts(s1=7500), Refusal.SPLIT_AMOUNTS_WRONG, id="a seat is missing"),
        pytest.param(amounts(s1=5000, s3=2500), Refusal.SPLIT_AMOUNTS_WRONG, id="a seat that is out"),
        pytest.param(amounts(s1=2500, s2=2500, s3=2500), Refusal.SPLIT_AMOUNTS_WRONG, id="one seat too many"),
        pytest.param((*amounts(s1=5000), *amounts(s1=0, s2=2500)), Refusal.SPLIT_AMOUNTS_WRONG, id="a seat twice"),
        pytest.param((), Refusal.SPLIT_AMOUNTS_WRONG, id="nothing proposed"),
    ],
)
def test_an_agreed_split_names_an_amount_for_every_seat_that_is_left(proposal, expected):
    state = left_with((1, 0), started=3, terms=terms_of("scorekeeper"))

    assert paid(split.agreed(state, proposal)) == expected
    assert paid(split.proposed(state, proposal)) == expected


@pytest.mark.rule("11.7")
def test_an_agreed_split_with_three_left_is_refused_in_scorekeeper_e_72():
    state = left_with((1, 1, 0), terms=terms_of("scorekeeper"))

    assert split.agreed(state, amounts(s1=5000, s2=5000, s3=5000)) is Refusal.SPLIT_NOT_POSSIBLE


@pytest.mark.rule("11.7")
def test_where_amounts_are_agreed_there_is_no_formula():
    assert split.shares(left_with((1, 0), terms=terms_of("scorekeeper"))) is Refusal.SPLIT_AMOUNTS_WRONG


@pytest.mark.rule("11.4")
@pytest.mark.parametrize(("started", "expected"), [(3, Refusal.SPLIT_AMOUNTS_WRONG), (2, Refusal.SPLIT_NOT_POSSIBLE)])
def test_where_a_formula_holds_no_amounts_are_proposed(started, expected):
    assert split.proposed(left_with((1, 0), started=started), amounts(s1=5000, s2=2500)) is expected


@pytest.mark.rule("11.4")
def test_an_ask_without_amounts_proposes_what_the_formula_gives():
    assert paid(split.proposed(left_with((1, 0), started=3), ())) == [5000, 2500]


@pytest.mark.rule("11.8")
@pytest.mark.parametrize(
    ("variant", "setting", "totals", "happens"),
    [
        pytest.param("101", "at_or_above", (80, 95, OUT), True, id="E-81 at"),
        pytest.param("101", "above", (80, 95, OUT), False, id="E-81 above"),
        pytest.param("101", "above", (81, 95, OUT), True, id="the first above"),
        pytest.param("101", "at_or_above", (79, 95, OUT), False, id="the last below"),
        pytest.param("201", "above", (175, 190, 210), False, id="201 one drop left"),
        pytest.param("201", "above", (176, 190, 210), True, id="201"),
        pytest.param("201", "at_or_above", (175, 190, 210), True, id="201 at"),
        pytest.param("101", "above", (95, 95), False, id="two started"),
        pytest.param("101", "above", (95, 95, 95), False, id="three of three"),
        pytest.param("101", "above", (95, 95, 95, OUT), True, id="three of four"),
        pytest.param("101", "above", (95, OUT, OUT), False, id="one left"),
    ],
)
def test_an_auto_split_comes_when_no_seat_that_is_left_has_a_drop(variant, setting, totals, happens):
    state = standings_of(terms_of("house", variant, auto_split=setting), totals)

    assert split.auto(state) is happens


@pytest.mark.rule("11.8")
@pytest.mark.parametrize("profile", PROFILES)
def test_auto_split_is_off_in_every_profile_e_81(profile):
    assert not split.auto(standings_of(terms_of(profile), (90, 95, OUT)))


@pytest.mark.rule("11.8")
def test_an_auto_split_is_equal_and_asks_for_no_manual_one():
    state = standings_of(terms_of(auto_split="above", split_formula="off"), (90, 95, OUT), pool=7501)

    assert paid(split.auto_shares(state)) == [3750, 3751]
    assert split.amounts_of(split.auto_shares(state)) == amounts(s1=3750, s2=3751)


@pytest.mark.rule("11.8")
def test_above_means_that_no_drop_is_left_with_gt_too():
    terms = terms_of(auto_split="above", elimination_cmp="gt")

    assert not split.auto(standings_of(terms, (81, 95, OUT)))
    assert split.auto(standings_of(terms, (82, 95, OUT)))


@pytest.mark.rule("11.6")
@given(
    st.sampled_from(["101", "201", "61", "51"]),
    st.lists(st.integers(0, 50), min_size=2, max_size=3),
    st.integers(0, 1_000_000),
    st.fixed_dictionaries(
        {
            "entry_fee": st.integers(0, 50_000),
            "rake_bp": st.integers(0, 10_000),
            "split_formula": st.sampled_from(["drops", "equal"]),
            "split_residue": st.sampled_from(
                ["fewest_drops_first", "lowest_payout_first", "last_seat_first", "leader_absorbs"]
            ),
            "split_drop_value": st.sampled_from(["gross_entry", "net_entry"]),
        }
    ),
)
def test_a_split_is_exact_to_the_paisa_and_nobody_pays(variant, totals, pool, settings):
    terms = terms_of("house", variant, **settings)
    outcome = split.shares(standings_of(terms, [*totals, 500, 500], pool=pool))
    if isinstance(outcome, Refusal):
        assert outcome is Refusal.SPLIT_REST_TOO_SMALL
        return

    assert sum(one.amount for one in outcome) == pool
    assert all(one.amount == one.bonus + one.share and one.share >= 0 for one in outcome)
    spread = {one.share for one in outcome}
    assert max(spread) - min(spread) <= 1
