"""Independence of tables by exact fractions and by its laws; tests of counts against SciPy; sizes of tables."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from likely.data import bundled
from likely.errors import InputError
from likely.probability import Conditional, Joint, V, independence_test, mutual_independence_test, table_sizes

NAMES = ("X", "Y", "Z", "W")
SIZES = {"X": 2, "Y": 2, "Z": 3, "W": 2}
LEVELS = {name: range(size) for name, size in SIZES.items()}


def shares(draw, size, most=6):
    """A distribution in whole parts, some of them zero."""
    return draw(st.lists(st.integers(0, most), min_size=size, max_size=size).filter(any))


@st.composite
def cells(draw):
    """Whole masses (X, Y, Z, W): any; a product of factors; or X apart from (Y, W) given Z, from Y, from W."""
    shape = tuple(SIZES.values())
    kind = draw(st.sampled_from(["any", "product", "x|z|yw", "x|zy|w", "x|z|y w", "xy|z|w"]))

    def factor(*names):
        size = math.prod(SIZES[name] for name in names)
        # an axis of length one for each name left out
        return np.array(shares(draw, size)).reshape([SIZES[name] if name in names else 1 for name in NAMES])

    if kind == "any":
        mass = factor(*NAMES)
    elif kind == "product":
        mass = math.prod((factor(name) for name in NAMES), start=np.ones((1, 1, 1, 1), dtype=int))
    elif kind == "x|z|yw":
        mass = factor("X", "Z") * factor("Y", "Z", "W")
    elif kind == "x|zy|w":
        mass = factor("X", "Y", "Z") * factor("Y", "Z", "W")
    elif kind == "x|z|y w":
        mass = factor("X", "Z") * factor("Y", "Z") * factor("Z", "W")
    else:
        mass = factor("X", "Y", "Z") * factor("Z", "W")
    mass = np.broadcast_to(mass, shape)
    assume(mass.any())
    return mass


def truly(mass, a, b, given=()):
    """Independence in whole numbers: n(a, b, c) n(c) = n(a, c) n(b, c) for all values."""

    def margin(names):
        return mass.sum(axis=tuple(i for i, name in enumerate(NAMES) if name not in names), keepdims=True)

    a, b, c = (tuple(part) for part in (a, b, given))
    return bool((margin(a + b + c) * margin(c) == margin(a + c) * margin(b + c)).all())


SPLITS = [
    (("X",), ("Y",), ()),
    (("X",), ("Y", "W"), ()),
    (("X",), ("Y",), ("Z",)),
    (("X",), ("Y", "W"), ("Z",)),
    (("X",), ("W",), ("Z", "Y")),
    (("X", "Y"), ("Z", "W"), ()),
    (("W",), ("Y", "X"), ("Z",)),
    (("Z",), ("X", "Y", "W"), ()),
]


@given(cells())
def test_tables_are_judged_exactly(mass):
    p = Joint(mass / mass.sum(), NAMES)
    counted = Joint(mass, NAMES, counts=True)
    for a, b, c in SPLITS:
        expected = truly(mass, a, b, c)
        assert p.independent(a, b, given=c or None) == expected, (a, b, c)
        assert counted.independent(a, b, given=c or None) == expected
        bits = p.mutual_information(a, b, given=c or None)
        assert bits >= 0
        assert (bits < 1e-12) == expected


@given(cells())
def test_laws_of_independence(mass):
    """Symmetry, decomposition, weak union and contraction, as implications, over tables in which premises do hold."""
    joint = Joint(mass / mass.sum(), NAMES)

    def apart(a, b, given):
        return joint.independent(a, b, given=given)

    for x, y, z, w in itertools.permutations(NAMES):
        whole = apart(x, [y, w], [z])
        assert whole == apart([y, w], x, [z])
        if whole:
            assert apart(x, y, [z])
            assert apart(x, w, [z])
            assert apart(x, y, [z, w])
            assert apart(x, w, [z, y])
        if apart(x, y, [z]) and apart(x, w, [z, y]):
            assert whole


def test_laws_have_premises_that_hold():
    rng = np.random.default_rng(0)
    z = rng.dirichlet(np.ones(3))
    joint = (
        Joint(z, "Z")
        * Conditional({k: dict(enumerate(rng.dirichlet(np.ones(2)))) for k in range(3)}, of="X", given="Z")
        * Conditional(
            {
                k: dict(zip(itertools.product(range(2), range(4)), rng.dirichlet(np.ones(8)), strict=True))
                for k in range(3)
            },
            of=["Y", "W"],
            given="Z",
        )
    )
    assert joint.independent("X", ["Y", "W"], given="Z")
    assert joint.independent("X", "W", given=["Y", "Z"])
    assert not joint.independent("Y", "W", given="Z")
    assert not joint.independent("X", ["Y", "W"])
    assert joint.mutual_information("X", ["Y", "W"], given="Z") == pytest.approx(0, abs=1e-15)


def test_the_tolerance_is_relative_to_the_cell():
    p = np.outer([0.2, 0.8], [0.72, 0.28])
    assert Joint(p, ["a", "b"]).independent("a", "b")
    off = p + 1e-6 * np.array([[1, -1], [-1, 1]])
    assert not Joint(off, ["a", "b"]).independent("a", "b")
    assert Joint(off, ["a", "b"]).independent("a", "b", tolerance=1e-4)
    rare = np.outer([1e-12, 1 - 1e-12], [1e-12, 1 - 1e-12])
    assert Joint(rare, ["a", "b"]).independent("a", "b")
    rare[0, 0] *= 2  # in absolute terms nothing
    assert not Joint(rare, ["a", "b"]).independent("a", "b")
    tiny = np.stack([p, 1e-304 * np.array([[0.4, 0.1], [0.1, 0.4]])], axis=2)
    joint = Joint(tiny, ["a", "b", "c"])
    assert not joint.independent("a", "b", given="c")  # a stratum counts however improbable
    assert joint.independent("a", "b", given={"c": 0})
    with pytest.raises(InputError, match="tolerance"):
        joint.independent("a", "b", tolerance=-1)


@given(
    st.lists(st.integers(0, 5), min_size=6, max_size=6).filter(any),
    st.sets(st.integers(0, 5)),
    st.sets(st.integers(0, 5)),
)
def test_events_are_independent_as_their_definition_says(mass, a, b):
    joint = Joint(mass, "k", counts=True)

    def p(values):
        return Fraction(sum(mass[k] for k in values), sum(mass))

    first, second = V("k").isin(sorted(a)), V("k").isin(sorted(b))
    assert joint.independent(first, second) == (p(a & b) == p(a) * p(b))


def test_either_kind_of_independence_without_the_other():
    dental = Joint(bundled.dental())
    assert dental.independent("toothache", "catch", given="cavity")
    assert not dental.independent("toothache", "catch")
    coins = Joint.uniform({"x": [0, 1], "y": [0, 1]}).define("same", "x == y")
    assert coins.independent("x", "y")
    assert coins.independent("x", "same")
    assert not coins.independent("x", "y", given="same")
    assert not coins.independent("x", ["y", "same"])  # pairs do not make the whole
    assert coins.mutual_information("x", ["y", "same"]) == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda j: j.independent("X", "X"), "X is named on two sides"),
        (lambda j: j.independent("X", ["Y", "X"]), "X is named on two sides"),
        (lambda j: j.independent("X", "Y", given="X"), "X is named on two sides"),
        (lambda j: j.independent("X", []), "names no variable"),
        (lambda j: j.independent("X", "U"), "no variable 'U'"),
        (lambda j: j.independent("X", "Y", given=["U"]), "no variable 'U'"),
        (lambda j: j.mutual_information("X", "Y", base=0), "base"),
        (lambda j: independence_test(j, "X", "Y"), "a test needs counts"),
        (lambda j: independence_test({"X": [1], "Y": [2]}, "X", "Y", method="f"), "'g' or 'pearson'"),
        (lambda j: independence_test({"X": [1, None], "Y": [2, 3]}, "X", "Y"), "missing"),
        (lambda j: table_sizes({}), "no variables"),
        (lambda j: table_sizes(j, [["X", "U"]]), "no variable 'U'"),
        (lambda j: table_sizes(j, [["X"], ["X", "Y"]]), "named twice"),
        (lambda j: table_sizes({"a": 0}), "at least 1"),
    ],
)
def test_mistakes_in_questions_of_independence(ask, said):
    with pytest.raises(InputError, match=said):
        ask(Joint.uniform(LEVELS))


@pytest.mark.parametrize(("method", "power"), [("g", "log-likelihood"), ("pearson", "pearson")])
@pytest.mark.parametrize("seed", range(5))
def test_against_scipy(method, power, seed):
    counts = np.random.default_rng(seed).poisson(6, (3, 4)) + 1
    found = independence_test(Joint(counts, ["a", "b"], counts=True), "a", "b", method=method)
    statistic, p, degrees, expected = scipy.stats.chi2_contingency(counts, correction=False, lambda_=power)
    assert found.statistic == pytest.approx(statistic, rel=1e-12)
    assert found.p_value == pytest.approx(p, rel=1e-12)
    assert (found.degrees, found.n, found.strata) == (degrees, counts.sum(), 1)
    assert found.least_expected == pytest.approx(expected.min())
    assert str(found).startswith(f"a and b independent: {'G' if method == 'g' else 'X2'} = ")


@pytest.mark.parametrize(("method", "power"), [("g", "log-likelihood"), ("pearson", "pearson")])
@given(seed=st.integers(0, 10**6))
def test_strata_are_summed_over_what_was_observed(method, power, seed):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.8, (3, 3, 4))
    counts[:, :, 3] = 0  # a stratum that never occurred
    assume(counts.any())
    statistic, degrees, strata = 0.0, 0, 0
    for c in range(4):
        part = counts[:, :, c]
        part = part[part.any(axis=1)][:, part.any(axis=0)]  # SciPy refuses rows and columns without observations
        if part.size:
            found = scipy.stats.chi2_contingency(part, correction=False, lambda_=power)
            statistic, degrees, strata = statistic + found.statistic, degrees + found.dof, strata + 1
    result = independence_test(Joint(counts, ["a", "b", "c"], counts=True), "a", "b", given="c", method=method)
    assert result.statistic == pytest.approx(statistic, abs=1e-10)
    assert (result.degrees, result.strata, result.n) == (degrees, strata, counts.sum())
    assert result.p_value == pytest.approx(scipy.stats.chi2.sf(statistic, degrees) if degrees else 1.0, abs=1e-12)


def test_sets_frames_events_and_weights():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"a": rng.integers(0, 2, 300), "b": rng.integers(0, 3, 300), "c": rng.integers(0, 2, 300)})
    pairs = frame["b"] * 2 + frame["c"]
    expected = scipy.stats.chi2_contingency(pd.crosstab(frame["a"], pairs), correction=False, lambda_="log-likelihood")
    found = independence_test(frame, "a", ["b", "c"])
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.degrees == expected.dof == 5
    table = pd.crosstab(frame["a"], frame["b"] > 0)
    event = independence_test(frame, "a", V("b") > 0)
    assert event.statistic == pytest.approx(
        scipy.stats.chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic, rel=1e-9
    )
    within = independence_test(frame, "a", "b", given={"c": 1})
    assert within.n == (frame["c"] == 1).sum()
    assert "given c = 1" in str(within)
    twice = independence_test(Joint.observed(frame, sample_weight=np.full(300, 2.0)), "a", "b")
    assert twice.statistic == pytest.approx(2 * independence_test(frame, "a", "b").statistic, rel=1e-9)
    assert "given (b, c)" in str(independence_test(frame.assign(d=0), "a", "d", given=["b", "c"]))


def test_nothing_to_test():
    one = independence_test({"a": ["u", "u", "u"], "b": [1, 2, 2]}, "a", "b")
    assert (one.statistic, one.degrees, one.p_value) == (0, 0, 1)
    assert "nothing to test" in str(one)
    declared = Joint.observed({"a": ["u", "v"], "b": [1, 2]}, levels={"a": ["u", "v", "never"], "b": [0, 1, 2, 3]})
    assert independence_test(declared, "a", "b").degrees == 1
    assert "the smallest expected count is 0.5, so p is rough" in str(independence_test(declared, "a", "b"))


def test_many_observations_do_not_cancel():
    """Counts of 1e15 whose G is about one: exact by fractions and Taylor's series of the logarithm."""
    n, away = 10**15, 2 * 10**7
    counts = np.array([[n + away, n - away], [n - away, n + away]])
    found = independence_test(Joint(counts, ["a", "b"], counts=True), "a", "b")
    u = Fraction(away, n)
    exact = 4 * n * (u**2 + u**4 / 6)  # 2 sum over signs of 2 n [(1 + u) log(1 + u) - u], to fourth order
    assert found.statistic == pytest.approx(float(exact), rel=1e-8)


def test_g_is_mutual_information():
    seen = Joint.observed(bundled.weather().frame())
    found = independence_test(seen, "outlook", "play", given="windy")
    bits = seen.mutual_information("outlook", "play", given="windy")
    assert found.statistic == pytest.approx(2 * seen.n * math.log(2) * bits, rel=1e-12)


def test_p_values_are_uniform_under_independence():
    rng = np.random.default_rng(7)
    p = [
        independence_test(
            Joint(
                rng.multinomial(400, np.outer([0.3, 0.7], [0.2, 0.5, 0.3]).ravel()).reshape(2, 3),
                ["a", "b"],
                counts=True,
            ),
            "a",
            "b",
        ).p_value
        for _ in range(400)
    ]
    assert scipy.stats.kstest(p, "uniform").pvalue > 0.01
    dependent = Joint(rng.multinomial(400, [0.3, 0.1, 0.1, 0.5]).reshape(2, 2), ["a", "b"], counts=True)
    assert independence_test(dependent, "a", "b").p_value < 1e-10


def test_sizes_of_tables():
    assert table_sizes(Joint(bundled.dental())) == {
        "joint cells": 8,
        "joint parameters": 7,
        "independent cells": 6,
        "independent parameters": 3,
    }
    whole = table_sizes({"a": 2, "b": ["x", "y", "z"]}, blocks=[["a", "b"]])
    assert whole["joint cells"] == whole["independent cells"] == 6
    assert whole["joint parameters"] == whole["independent parameters"] == 5
    assert table_sizes({f"x{i}": 2 for i in range(100)})["joint cells"] == 2**100


def test_only_the_columns_that_are_named_are_read():
    rng = np.random.default_rng(0)
    n = 120
    frame = pd.DataFrame({f"number {i}": rng.normal(size=n) for i in range(5)})
    frame["species"], frame["sex"] = rng.choice(["a", "b"], n), rng.choice(["f", "m"], n)
    frame["island"] = rng.choice(["x", "y"], n)
    frame.loc[3, "number 0"] = np.nan
    both = Joint.observed(frame, ["species", "sex", "island"])
    for sides in (
        ("species", "sex"),
        ("species", ["sex", "island"]),
        ("species", "sex", "island"),
        ("species", "sex", ["island"]),
        ("species", "sex", {"island": ["x"]}),
        ("species", "sex", "island == x"),
        ("species", "sex", V("island") == "x"),
        (V("species") == "a", V("sex")),
    ):
        assert independence_test(frame, *sides) == independence_test(both, *sides), sides
    with pytest.raises(InputError, match="did you mean 'species'"):
        independence_test(frame, "specis", "sex")
    with pytest.raises(InputError, match="no variable 'iland'"):
        independence_test(frame, "species", "sex", {"iland": "x"})


def test_rows_with_missing_cells_are_refused_or_counted():
    frame = pd.DataFrame({"a": ["u", "v", None, "u", "v"] * 10, "b": ["x", "y", "x", None, "x"] * 10, "c": [None] * 50})
    with pytest.raises(InputError, match="'a' has 10 missing cells, the first in row 2; say missing='drop'"):
        independence_test(frame, "a", "b")
    found = independence_test(frame, "a", "b", missing="drop")
    assert (found.n, found.dropped) == (30, 20)
    assert "(30 observations, 20 rows with missing cells left out)" in str(found)
    assert found.p_value == independence_test(frame[["a", "b"]].dropna(), "a", "b").p_value


def mutually(mass, names, given=()):
    """Mutual independence in whole numbers: n(a, b, d, c) n(c)^2 = n(a, c) n(b, c) n(d, c) for all values."""

    def margin(kept):
        out = tuple(i for i, name in enumerate(NAMES) if name not in kept)
        return mass.astype(object).sum(axis=out, keepdims=True)

    whole = margin(given)
    product = math.prod((margin((name, *given)) for name in names), start=np.array(1, dtype=object))
    return bool(np.all(margin((*names, *given)) * whole ** (len(names) - 1) == product))


@given(cells())
def test_mutual_independence_is_that_of_whole_numbers(mass):
    joint = Joint(mass, NAMES, LEVELS, counts=True)
    for names, c in ((("X", "Y", "W"), ()), (("X", "Y", "W"), ("Z",)), (NAMES, ())):
        expected = mutually(mass, names, c)
        assert joint.mutually_independent(*names, given=list(c) or None) == expected
        if expected:  # and then every pair, and every set against the rest
            assert all(joint.independent(*pair, given=list(c) or None) for pair in itertools.combinations(names, 2))
            assert joint.independent(names[0], names[1:], given=list(c) or None)


def test_three_facts_that_are_independent_in_pairs_only():
    coins = Joint.uniform({"x": [0, 1], "y": [0, 1]}).define("differ", "x != y")
    assert all(coins.independent(*pair) for pair in itertools.combinations(("x", "y", "differ"), 2))
    assert not coins.mutually_independent("x", "y", "differ")
    events = Joint.uniform({"a": [0, 1], "b": [0, 1], "c": [0, 1]})
    assert events.mutually_independent(V("a") == 1, V("b") == 1, V("c") == 1)
    with pytest.raises(InputError, match="x is named on two sides"):
        coins.mutually_independent("x", "y", "x")
    with pytest.raises(InputError, match="two parts or more"):
        coins.mutually_independent(["x", "y"])


@pytest.mark.parametrize("method", ["g", "pearson"])
def test_mutual_independence_is_tested_as_scipy_does(method):
    rng = np.random.default_rng(0)
    counts = rng.poisson(12, size=(2, 3, 2, 2))
    table = Joint(counts, ["a", "b", "c", "d"], counts=True)
    found = mutual_independence_test(table, "a", "b", "c", "d", method=method)
    peer = scipy.stats.chi2_contingency(
        counts, correction=False, lambda_="log-likelihood" if method == "g" else "pearson"
    )
    assert found.statistic == pytest.approx(peer.statistic) and found.degrees == peer.dof
    assert found.p_value == pytest.approx(peer.pvalue)
    assert found.least_expected == pytest.approx(peer.expected_freq.min())
    assert str(found).startswith("a, b, c and d independent: ")
    # given d: a test for each of its values, and their sum
    found = mutual_independence_test(table, "a", "b", "c", given="d", method=method)
    parts = [mutual_independence_test(table, "a", "b", "c", given={"d": value}, method=method) for value in (0, 1)]
    assert found.statistic == pytest.approx(sum(part.statistic for part in parts))
    assert found.degrees == sum(part.degrees for part in parts) and found.strata == 2


def test_a_value_never_seen_takes_its_degrees_with_it():
    counts = np.random.default_rng(1).poisson(9, size=(2, 3, 2))
    wide = np.insert(counts, 1, 0, axis=1)
    tables = (Joint(cells, ["a", "b", "c"], counts=True) for cells in (wide, counts))
    found, same = (mutual_independence_test(table, "a", "b", "c") for table in tables)
    assert (found.statistic, found.degrees) == (pytest.approx(same.statistic), same.degrees)


def test_the_p_of_mutual_independence_is_uniform():
    rng, n, runs = np.random.default_rng(2), 400, 400
    p = [
        mutual_independence_test({name: rng.integers(0, 2 + (name == "b"), n) for name in "abc"}, "a", "b", "c").p_value
        for _ in range(runs)
    ]
    assert scipy.stats.kstest(p, "uniform").pvalue > 0.01
