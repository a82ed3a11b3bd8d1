"""Joint tables against enumeration in exact fractions, pandas and SciPy, their laws, and what they refuse."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from likely.data import bundled
from likely.errors import InputError, InputTypeError
from likely.probability import Conditional, ImpossibleEvent, Joint, SampleSpace, V

VALUES = {"w": ("sun", "rain", "snow"), "x": (True, False), "y": (1, 2, 5), "z": ("a", "b")}


@st.composite
def tables(draw, names=tuple(VALUES)):
    """Whole masses by world over two or more variables, some of them zero, and the table of them."""
    chosen = draw(st.permutations(names))[: draw(st.integers(2, len(names)))]
    worlds = list(itertools.product(*(VALUES[name] for name in chosen)))
    mass = draw(st.lists(st.integers(0, 9), min_size=len(worlds), max_size=len(worlds)).filter(any))
    exact = {world: Fraction(m, sum(mass)) for world, m in zip(worlds, mass, strict=True)}
    levels = {name: VALUES[name] for name in chosen}
    kind = draw(st.sampled_from(["counts", "fractions", "floats"]))
    if kind == "counts":
        return Joint(dict(zip(worlds, mass, strict=True)), chosen, levels, counts=True), exact
    numbers = exact if kind == "fractions" else {world: float(p) for world, p in exact.items()}
    return Joint(numbers, chosen, levels), exact


@st.composite
def evidence(draw, joint, names=None):
    """Some values of some variables: as the mapping, and as a predicate of worlds."""
    chosen = draw(st.lists(st.sampled_from(names or joint.names), min_size=1, unique=True))
    said = {name: draw(st.lists(st.sampled_from(joint.levels[name]), min_size=1, unique=True)) for name in chosen}
    return said, lambda world: all(world[joint.names.index(name)] in values for name, values in said.items())


def summed(exact, holds):
    return sum((p for world, p in exact.items() if holds(world)), Fraction(0))


def close(value, exact):
    return math.isclose(value, float(exact), rel_tol=4e-15, abs_tol=0)


@given(st.data(), tables())
def test_probabilities_are_sums_over_worlds(data, both):
    joint, exact = both
    a, in_a = data.draw(evidence(joint))
    b, in_b = data.draw(evidence(joint))
    assert close(joint.p(a), summed(exact, in_a))
    assert close(joint.p(**b), summed(exact, in_b))
    p_b = summed(exact, in_b)
    if not p_b:
        with pytest.raises(ImpossibleEvent, match="probability zero"):
            joint.p(a, given=b)
        return
    assert close(joint.p(a, given=b), summed(exact, lambda w: in_a(w) and in_b(w)) / p_b)
    assert joint.p(given=b) == 1
    assert joint.worlds(b) == [world for world, p in exact.items() if p and in_b(world)]


@given(st.data(), tables())
def test_marginals_in_any_order(data, both):
    joint, exact = both
    names = data.draw(st.lists(st.sampled_from(joint.names), min_size=1, unique=True))
    marginal = joint.marginal(*names)
    places = [joint.names.index(name) for name in names]
    for world in marginal.space:
        p = summed(exact, lambda w, world=world: tuple(w[i] for i in places) == world)
        assert close(marginal.p(dict(zip(names, world, strict=True))), p)
    step = joint
    for name in data.draw(st.permutations([name for name in joint.names if name not in names])):
        step = step.marginal(*(kept for kept in step.names if kept != name))  # one variable after another
    np.testing.assert_allclose(step.marginal(*names).cells, marginal.cells, rtol=1e-14)


@given(st.data(), tables())
def test_conditioning_twice_is_conditioning_on_both(data, both):
    joint, exact = both
    a, in_a = data.draw(evidence(joint))
    b, in_b = data.draw(evidence(joint))
    if not summed(exact, lambda w: in_a(w) and in_b(w)):
        with pytest.raises(ImpossibleEvent):
            joint.condition(a).condition(b)
        return
    once = joint.condition(a).condition(b)
    assert once == joint.condition(b).condition(a)
    for world, p in exact.items():
        expected = p / summed(exact, lambda w: in_a(w) and in_b(w)) if in_a(world) and in_b(world) else 0
        assert close(once.p(dict(zip(joint.names, world, strict=True))), expected)


@given(st.data(), tables())
def test_axioms(data, both):
    joint, _ = both
    a, b = (data.draw(evidence(joint))[0] for _ in range(2))
    this, that = (_expression(said) for said in (a, b))
    assert joint.p(this | that) == pytest.approx(joint.p(this) + joint.p(that) - joint.p(this & that), abs=1e-15)
    assert joint.p(this | ~this) == 1
    assert joint.p(this & ~this) == 0
    assert joint.p(~this) == pytest.approx(1 - joint.p(this), abs=1e-15)
    assert 0 <= joint.p(this & that) <= joint.p(this) <= joint.p(this | that) <= 1


def _expression(said):
    whole = None
    for name, values in said.items():
        part = V(name).isin(values)
        whole = part if whole is None else whole & part
    return whole


@given(st.data(), tables())
def test_the_chain_rule_gives_every_cell_back(data, both):
    joint, exact = both
    order = data.draw(st.permutations(joint.names))
    factors = joint.chain(*order)
    product = factors[0]
    for factor in factors[1:]:
        product = product * factor
    np.testing.assert_allclose(product.cells, joint.marginal(*order).cells, rtol=1e-13)
    for world, p in exact.items():
        if not p:
            continue
        named = dict(zip(joint.names, world, strict=True))
        parts = [factors[0].p({order[0]: named[order[0]]})]
        parts += [factor.p({name: named[name] for name in factor.space.names}) for factor in factors[1:]]
        assert math.prod(parts) == pytest.approx(float(p), rel=1e-13)


@given(st.data(), tables())
def test_conditional_tables(data, both):
    joint, _ = both
    given_names = data.draw(
        st.lists(st.sampled_from(joint.names), min_size=1, max_size=len(joint.names) - 1, unique=True)
    )
    of = [name for name in joint.names if name not in given_names]
    table = joint.conditional(of, given_names)
    for world in table.space:
        named = dict(zip(table.space.names, world, strict=True))
        condition = {name: named[name] for name in given_names}
        if joint.p(condition) == 0:
            with pytest.raises(ImpossibleEvent, match="impossible"):
                table.p(named)
        else:
            assert table.p(named) == pytest.approx(joint.p(named, given=condition), rel=1e-13)
    assert ((table.cells.sum(axis=tuple(range(len(given_names), table.cells.ndim))) - table.defined) < 1e-14).all()


@given(st.data(), tables(names=("x", "y", "w")))
def test_expectation_and_variance_by_fractions(data, both):
    joint, exact = both
    worth = {world: data.draw(st.integers(-5, 5)) for world in exact}
    mean = sum(p * worth[world] for world, p in exact.items())
    variance = sum(p * (worth[world] - mean) ** 2 for world, p in exact.items())
    assert joint.expectation(worth) == pytest.approx(float(mean), abs=1e-14)
    assert joint.variance(worth) == pytest.approx(float(variance), abs=1e-13)
    if "y" in joint.names:
        at = joint.names.index("y")
        squares = sum(p * world[at] ** 2 for world, p in exact.items())
        for of in ("y * y", V("y") * V("y"), lambda y: y**2):
            assert joint.expectation(of) == pytest.approx(float(squares), rel=1e-14)
        assert joint.expectation("y > 1") == pytest.approx(joint.p("y > 1"), rel=1e-14)
        doubled = joint.define("double", "2 * y + 1")
        assert doubled.expectation("double") == pytest.approx(float(2 * joint.expectation("y") + 1), rel=1e-14)
        assert doubled.variance("double") == pytest.approx(4 * joint.variance("y"), abs=1e-13)


@given(tables())
def test_entropies(both):
    joint, exact = both
    assert joint.entropy() == pytest.approx(scipy.stats.entropy([float(p) for p in exact.values()], base=2), abs=1e-13)
    assert joint.entropy(base=math.e) == pytest.approx(joint.entropy() * math.log(2), rel=1e-13)
    order = joint.names
    steps = [joint.entropy(name, given=order[:i]) for i, name in enumerate(order)]  # given nothing, the first
    assert sum(steps) == pytest.approx(joint.entropy(), abs=1e-13)
    assert all(0 <= step <= joint.entropy(name) + 1e-13 for name, step in zip(order, steps, strict=True))
    a, b = order[:2]
    information = joint.mutual_information(a, b)
    assert information >= 0
    assert information == joint.mutual_information(b, a) or information == pytest.approx(joint.mutual_information(b, a))
    assert information == pytest.approx(joint.entropy(a) + joint.entropy(b) - joint.entropy(a, b), abs=1e-13)
    rest = order[2:]
    if rest:
        between = joint.mutual_information(a, b, given=rest)
        assert between >= 0
        assert between == pytest.approx(joint.entropy(a, given=rest) - joint.entropy(a, given=[b, *rest]), abs=1e-13)
        averaged = sum(
            joint.p(dict(zip(rest, world, strict=True)))
            * joint.mutual_information(a, b, given=dict(zip(rest, world, strict=True)))
            for world in joint.marginal(*rest).worlds()
        )
        assert between == pytest.approx(averaged, abs=1e-13)
        whole = joint.mutual_information(a, [b, *rest])
        assert whole == pytest.approx(joint.mutual_information(a, list(rest)) + between, abs=1e-13)  # chain rule


def test_expectation_of_one_variable():
    weather = Joint({"sun": 0.5, "rain": 0.3, "snow": 0.2, "hail": 0.0}, "weather")
    assert weather.expectation({"sun": 10, "rain": -5, "snow": 0}) == 3.5  # hail need not be worth anything
    assert weather.expectation({"sun": 10, "rain": -5, "snow": 0}, given="weather != sun") == -3
    far = Joint.uniform({"k": [1e8, 1e8 + 1, 1e8 + 2]})
    assert far.variance("k") == pytest.approx(2 / 3, rel=1e-7)
    assert far.variance("k - 100000000") == pytest.approx(2 / 3, rel=1e-14)


def test_every_form_is_the_same_table():
    worlds = {("sun", True): 0.25, ("sun", False): 0.25, ("rain", False): 0.5}
    names = ["weather", "picnic"]
    same = Joint(worlds, names)
    levels = [["sun", "rain"], [True, False]]
    forms = [
        Joint({"sun": {True: 0.25, False: 0.25}, "rain": {False: 0.5}}, names),
        Joint([[0.25, 0.25], [0, 0.5]], names, levels),
        Joint(np.array([[1, 1], [0, 2]]), names, dict(zip(names, levels, strict=True)), normalize=True),
        Joint({("sun", True): Fraction(1, 4), "sun": {False: Fraction(1, 4)}, "rain": {False: Fraction(1, 2)}}, names),
        Joint({"sun": 0.5, "rain": 0.5}, "weather") * Conditional({"sun": 0.5, "rain": 0.0}, "picnic", "weather"),
    ]
    for form in forms:
        assert form == same
        assert hash(form) == hash(same)
        assert form.n is None
    counted = Joint([[1, 1], [0, 2]], names, levels, counts=True)
    assert counted != same
    assert counted.n == 4
    assert counted.counts.tolist() == [[1, 1], [0, 2]]
    np.testing.assert_array_equal(counted.cells, same.cells)
    assert Joint(bundled.fruit_boxes(), counts=True).n == 12
    assert Joint({"a": 1}, "x").p(x="a") == 1
    assert Joint({("a",): 0.5, ("b",): 0.5}, ["x"]).p(x="b") == 0.5


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, dict, lambda columns: pl.LazyFrame(columns)])
def test_observations_against_pandas_crosstab(make):
    rng = np.random.default_rng(0)
    columns = {"g": rng.choice(["u", "v", "w"], 200), "k": rng.integers(0, 3, 200), "t": rng.random(200) < 0.3}
    weight = rng.integers(1, 4, 200)
    joint = Joint.observed(make({name: list(values) for name, values in columns.items()}))
    assert joint.n == 200
    assert joint.counts.dtype.kind == "i"
    expected = pd.crosstab(columns["g"], columns["k"])
    assert joint.marginal("g", "k").counts.tolist() == expected.to_numpy().tolist()
    assert joint.levels == {"g": ("u", "v", "w"), "k": (0, 1, 2), "t": (False, True)}
    shares = pd.crosstab(columns["k"], columns["t"], normalize="index")
    np.testing.assert_allclose(joint.conditional("t", given="k").cells, shares.to_numpy(), rtol=1e-15)
    heavy = Joint.observed(make({name: list(v) for name, v in columns.items()}), ["g", "t"], sample_weight=weight)
    summed = pd.crosstab(columns["g"], columns["t"], values=weight, aggfunc="sum")
    assert heavy.counts.tolist() == summed.to_numpy().tolist()
    assert heavy.n == weight.sum()


def test_rows_records_and_declared_levels():
    rows = [["b", 1], ["a", 1], ["b", 3]]
    joint = Joint.observed(rows, ["l", "k"], levels={"k": [3, 2, 1]})
    assert joint.levels == {"l": ("a", "b"), "k": (3, 2, 1)}
    assert joint.counts.tolist() == [[0, 0, 1], [1, 0, 1]]
    assert Joint.observed([{"l": a, "k": b} for a, b in rows]).p("l == b and k >= 2") == 1 / 3
    sizes = pd.Series(pd.Categorical(["m", "s"], ["s", "m", "l"], ordered=True))
    assert Joint.observed(pd.DataFrame({"size": sizes})).levels == {"size": ("s", "m", "l")}
    assert Joint.observed(np.array([["x", "1"], ["y", "2"]]), ["a", "b"]).levels["b"] == (1, 2)
    days = pl.Series([1, 2]).cast(pl.Date)
    assert Joint.observed(pl.DataFrame({"day": days})).p(day=days[0]) == 0.5


def test_tiny_probabilities_keep_their_digits():
    joint = Joint({("a", 1): 1e-300, ("a", 2): 3e-300, ("b", 1): 1.0}, ["x", "y"])
    assert joint.p(y=2, given={"x": "a"}) == 0.75
    assert joint.condition(x="a").condition(y=1).cells.tolist() == [[1, 0], [0, 0]]
    assert joint.p("x != b") == 4e-300  # and not 1 - 1
    assert joint.condition(x="a").entropy("y") == pytest.approx(-0.25 * math.log2(0.25) - 0.75 * math.log2(0.75))
    assert joint.conditional("y", given="x").p(x="a", y=1) == pytest.approx(0.25, rel=1e-15)
    assert joint.p(x="a", given="y == 2") == 1
    t = 1e-200
    faint = Joint([[1.0, t], [t, t]], ["x", "y"])  # products of the margins underflow
    exact = t - 2 * t * math.log(2) + t * (-math.log(t) - 2 * math.log(2))  # in nats, to first order
    assert faint.mutual_information("x", "y", base=math.e) == pytest.approx(exact, rel=1e-12, abs=0)
    assert not faint.independent("x", "y")
    least = Joint({"a": 5e-324, "b": 1.0}, "x")
    assert least.condition(x="a").p(x="a") == 1
    (product,) = [least.condition(x="a") * Joint({"c": 5e-324, "d": 1.0}, "y").condition(y="c")]
    assert product.p(x="a", y="c") == 1


def test_sums_are_rounded_once():
    tenth = Joint.uniform({"k": range(10)})
    assert Joint([0.1] * 10, "k").p("k < 3") == pytest.approx(0.3, abs=1e-16)
    assert tenth.p("k < 3") == 0.3
    assert Joint([1e16, 1, 1], "k", normalize=True).p("k > 0") == 2 / (1e16 + 2)
    small = Joint([1.0] + [1e-16] * 200 + [1.0], "k", normalize=True)
    assert small.p("k <= 200") == (1 + 2e-14) / (2 + 2e-14)  # where 1 + 1e-16 is 1
    assert math.fsum(DENTAL.mass.ravel()) != 1
    assert DENTAL.p("cavity or not cavity") == DENTAL.p(given="catch") == 1
    assert DENTAL.p("toothache") == 0.2
    assert Joint([2**62, 2**62], "k", counts=True).p(k=0) == 0.5  # the sum is no 64-bit integer
    assert Joint(np.array([2**63, 2**63], dtype=np.uint64), "k", counts=True).p(k=0) == 0.5
    assert Joint(np.full(3, 1 / 3, dtype=np.float32), "k").p(k=0) == 1 / 3


def test_a_million_cells():
    cells = np.random.default_rng(0).random((100, 100, 100))
    joint = Joint(cells, ["a", "b", "c"], normalize=True)
    assert joint.p("a < 50 and b == 3 or c > 7", given="a != 3") == pytest.approx(0.92, abs=0.01)
    np.testing.assert_allclose(joint.marginal("c").cells, cells.sum(axis=(0, 1)) / cells.sum(), rtol=1e-13)
    assert 0 < joint.mutual_information("a", "b", given="c") < 0.3
    assert joint.expectation("a + b * c") == pytest.approx(49.5 + 49.5**2, rel=0.01)
    assert len(joint.sample(10_000, random_state=0)) == 10_000
    assert "and 9,980 rows more" in str(Joint(cells[:, :, :2], ["a", "b", "c"], normalize=True))


def test_draws_follow_the_table():
    joint = Joint({("a", 1): 0.5, ("a", 2): 0.2, ("b", 1): 0.3, ("b", 2): 0.0}, ["x", "y"])
    drawn = joint.sample(20_000, random_state=3)
    seen = Joint.observed(drawn, levels=joint.levels)
    assert seen.counts[1, 1] == 0
    expected = joint.cells[joint.cells > 0] * 20_000
    assert scipy.stats.chisquare(seen.counts[joint.cells > 0], expected).pvalue > 0.01
    assert drawn.equals(joint.sample(20_000, random_state=np.random.default_rng(3)))
    assert joint.sample(0).shape == (0, 2)
    mixed = Joint({"a": 0.5, 1: 0.25, (2, 3): 0.25}, "x")
    assert set(mixed.sample(50, random_state=0)["x"].to_list()) == {"a", 1, (2, 3)}
    assert mixed.p(x=(2, 3)) == 0.25


def test_frame_of_a_table():
    joint = Joint({("a", 1): 3, ("b", 2): 1}, ["x", "y"], counts=True)
    frame = joint.to_frame("share")
    assert frame.columns == ["x", "y", "share", "count"]
    assert frame.rows() == [("a", 1, 0.75, 3), ("a", 2, 0.0, 0), ("b", 1, 0.0, 0), ("b", 2, 0.25, 1)]
    with pytest.raises(InputError, match="a variable is called 'x' too"):
        joint.to_frame("x")


@given(tables(names=("w", "x")), tables(names=("y", "z")))
def test_products_are_independent(first, second):
    (a, p), (b, q) = first, second
    both = a * b
    for u, v in itertools.product(p, q):
        world = dict(zip(both.names, (*u, *v), strict=True))
        assert both.p(world) == pytest.approx(float(p[u] * q[v]), rel=1e-13)
    assert both.independent(a.names, b.names)
    assert both.n is None


def test_the_product_rule_with_several_given():
    prior = Joint({("a", 1): 0.5, ("b", 1): 0.3, ("b", 2): 0.2}, ["x", "y"])
    table = {(1, "a"): {"u": 0.1, "v": 0.9}, (1, "b"): {"u": 0.5, "v": 0.5}, (2, "b"): {"v": 1.0}}
    both = prior * Conditional(table, of="z", given=["y", "x"])  # given in another order, levels too
    assert both.names == ("x", "y", "z")
    assert both.p(x="a", y=1, z="u") == pytest.approx(0.05)
    assert both.p(x="b", y=2, z="u") == 0
    assert both.p(z="v") == pytest.approx(0.5 * 0.9 + 0.3 * 0.5 + 0.2)
    again = both.conditional("z", given=["y", "x"]) * prior
    np.testing.assert_allclose(again.cells, both.cells, rtol=1e-14)
    cells = np.random.default_rng(0).random((2, 3, 4, 2))
    four = Joint(cells, ["a", "b", "c", "d"], normalize=True)
    turned = four.marginal("a", "b", "c") * four.conditional("d", given=["c", "a", "b"])
    np.testing.assert_allclose(turned.cells, four.cells, rtol=1e-14)
    with pytest.raises(InputError, match="no distribution of z given y = 2, x = 'b'"):
        prior * Conditional({(1, "a"): {"u": 1.0}, (1, "b"): {"u": 1.0}}, of="z", given=["y", "x"])
    with pytest.raises(InputError, match="z is a variable of both"):
        both * Conditional(table, of="z", given=["y", "x"])


def test_defined_variables():
    dice = Joint.uniform({"first": range(1, 7), "second": range(1, 7)}).define("sum", "first + second")
    assert dice.levels["sum"] == tuple(range(2, 13))
    np.testing.assert_allclose(dice.marginal("sum").cells, (6 - np.abs(np.arange(2, 13) - 7)) / 36, rtol=1e-15)
    best = dice.define("best", lambda first, second: max(first, second))
    assert best.p(best=6) == 11 / 36
    assert best.define("high", V("sum") > 9).levels["high"] == (True, False)
    named = best.define("word", {world: "low" if world[2] < 7 else "high" for world in best.space})
    assert named.p(word="low") == dice.p("sum < 7")
    assert dice.define("half", "first / 2").levels["half"] == (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
    with pytest.raises(InputError, match="already"):
        dice.define("sum", "first")
    with pytest.raises(InputTypeError, match="name of a variable"):
        dice.define(3, "first")


def test_printed_tables():
    weather = Joint(bundled.weather_and_cavity())
    assert str(weather).splitlines()[2].split() == ["cavity", "sunny", "rainy", "cloudy", "snow"]
    assert "0.576" in repr(weather)
    assert str(Joint.observed({"x": [1, 1, 2]})).startswith("P(x), 3 observations\nx  probability\n1       0.6667")
    impossible = Joint({("a", 1): 0.5, ("a", 2): 0.5}, ["x", "y"], levels={"x": ["a", "b"]}).conditional("y", given="x")
    assert str(impossible).splitlines()[-1].split() == ["b", "–", "–"]
    long = str(Joint.uniform({"k": range(30)}))
    assert long.endswith("... and 10 rows more")


def test_tables_do_not_change():
    cells = np.array([0.5, 0.5])
    joint = Joint(cells, "x")
    cells[0] = 7
    assert joint.p(x=0) == 0.5
    for array in (joint.cells, joint.mass):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        joint.total = 2


REFUSED_TABLES = [
    (lambda: Joint({"a": 0.5, "b": 0.4}, "x"), r"sum to 0\.9, not to 1.*counts=True.*normalize=True"),
    (lambda: Joint({"a": 1.5, "b": -0.5}, "x"), r"the number of 'b' is negative: -0\.5"),
    (lambda: Joint([[0.5, 0.6], [-0.1, 0.0]], ["x", "y"]), r"negative: -0\.1 in cell \(1, 0\)"),
    (lambda: Joint({"a": math.nan, "b": 1}, "x"), "number of 'a' is not a finite number"),
    (lambda: Joint({"a": math.inf, "b": 1}, "x", counts=True), "not a finite number: inf"),
    (lambda: Joint([0, 0], "x", counts=True), "all cells are zero"),
    (lambda: Joint([1e308, 1e308], "x", normalize=True), "too large"),
    (lambda: Joint({math.nan: 1.0}, "x"), "cannot be a value"),
    (lambda: Joint([0.5, 0.5], "x", [["a", "a"]]), "the value 'a' twice"),
    (lambda: Joint([0.5, 0.5], "x", [[1, True]]), "twice"),
    (lambda: Joint([[0.5, 0.5]], ["x", "x"]), "different names"),
    (lambda: Joint([[0.5, 0.5]], ["x"]), "2 axes does not fit 1 variables"),
    (lambda: Joint([0.5, 0.5], "x", [["a"]]), "does not fit"),
    (lambda: Joint([0.5, 0.5], "x", {"y": ["a"]}), "no variable 'y'"),
    (lambda: Joint([0.5, 0.5], "x", [["a", "b"], ["c"]]), "levels are given for 2 variables"),
    (lambda: Joint({"a": 1.0}), "give their names"),
    (lambda: Joint({}, "x"), "empty"),
    (lambda: Joint({("a", "b"): 0.5, ("c",): 0.5}, ["x", "y"]), "names 1 values and there are 2"),
    (lambda: Joint({"a": {"b": {"c": 1.0}}}, ["x", "y"]), "names 3 values"),
    (lambda: Joint({"a": [0.5, 0.5]}, "x"), "holds a list"),
    (lambda: Joint({("suny", 1): 1.0}, ["x", "y"], {"x": ["sunny", "rainy"]}), "did you mean 'sunny'"),
    (lambda: Joint.observed({"x": []}), "no observations"),
    (lambda: Joint.observed({"x": ["a", None]}), "column 'x' has 1 missing cells, the first in row 1"),
    (lambda: Joint.observed({"x": [1.0, math.nan]}), "missing"),
    (lambda: Joint.observed({"x": [1, 2]}, sample_weight=[1, -1]), "a weight is negative"),
    (lambda: Joint.observed({"x": [1, 2]}, sample_weight=[1]), "one weight for each of the 2 rows"),
    (lambda: Joint.observed({"x": [1, 2]}, sample_weight=[0, 0]), "all cells are zero"),
    (lambda: Joint.observed({"weather": [1, 2]}, ["wether"]), "did you mean 'weather'"),
    (lambda: Joint.observed([[1, 2]], ["x"]), "1 names"),
    (lambda: Joint.observed({"x": [1, 2]}, levels={"x": [1, 3]}), "no value 2"),
    (lambda: Joint.observed({"x": range(70_000), "y": range(70_000)}), "4,900,000,000 cells"),
    (lambda: Joint.uniform({}), "no variables"),
    (lambda: Joint.uniform({"x": []}), "no values"),
    (lambda: SampleSpace.of({f"x{i}": [0] for i in range(40)}), "40 variables"),
    (lambda: Conditional({}, "x", "y"), "got none"),
    (lambda: Conditional({"a": {"u": 0.5, "v": 0.6}}, "x", "y"), r"given y = 'a' sum to 1\.1"),
    (lambda: Conditional({"a": 1.5}, "x", "y"), "no distribution of x"),
    (lambda: Conditional({"a": 0.5}, ["x", "z"], "y"), "not enough"),
]
DENTAL = Joint(bundled.dental())
REFUSED_QUESTIONS = [
    (lambda: DENTAL.marginal(), "name the variables"),
    (lambda: DENTAL.marginal("cavity", "cavity"), "named twice"),
    (lambda: DENTAL.marginal("cavty"), "did you mean 'cavity'"),
    (lambda: DENTAL.marginal(V("cavity")), "did you mean 'cavity'"),
    (lambda: DENTAL.chain("cavity", "cavity"), "named twice"),
    (lambda: DENTAL.conditional("cavity", given=[]), "both sides"),
    (lambda: DENTAL.conditional("cavity", given="cavity"), "named twice"),
    (lambda: DENTAL.conditional("cavity", given="catch").p(cavity=True), "no value for catch"),
    (lambda: DENTAL.counts, "no counts"),
    (lambda: DENTAL.sample(-1), "whole number"),
    (lambda: DENTAL.sample(1.5), "whole number"),
    (lambda: DENTAL.entropy("tooth"), "no variable 'tooth'"),
    (lambda: DENTAL.entropy(base=1), "base"),
    (lambda: DENTAL.expectation({(True, True): 1}), "no world"),
    (lambda: DENTAL.expectation({(True, True, True): 1}), "has no number"),
    (lambda: DENTAL.expectation(lambda tooth: 1), "no variable 'tooth'"),
    (lambda: DENTAL.expectation(lambda: 1), "takes nothing"),
    (lambda: DENTAL.expectation(lambda cavity: math.inf), "not a finite number"),
    (lambda: Joint(bundled.weather_and_cavity()).expectation("weather"), "'sunny'"),
    (lambda: DENTAL.expectation("1 / cavity"), "no value in some world"),
    (lambda: DENTAL * DENTAL, "both tables"),
    (lambda: DENTAL.define("more", lambda cavity: [1]), "texts, numbers or truth values"),
]


@pytest.mark.parametrize(("make", "said"), REFUSED_TABLES + REFUSED_QUESTIONS)
def test_mistakes_are_explained(make, said):
    with pytest.raises(InputError, match=said):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Joint({"a": "half"}, "x"),
        lambda: Joint({"a": None}, "x"),
        lambda: Joint({"a": 1j}, "x"),
        lambda: Joint([[0.5, 0.5], [0.5]], ["x", "y"]),
        lambda: Joint([0.5, 0.5], 3),
        lambda: Joint([0.5, 0.5], [3]),
        lambda: Joint([0.5, 0.5], "x", "ab"),
        lambda: Joint.uniform(["a", "b"]),
        lambda: Joint.uniform({"x": "ab"}),
        lambda: Joint.observed(7),
        lambda: DENTAL.expectation(7),
        lambda: DENTAL * 2,
        lambda: DENTAL.conditional("cavity", given=3),
        lambda: DENTAL.entropy(given=3),
        lambda: Conditional({"a": 0.5}, 3, "y"),
    ],
)
def test_things_of_another_type_are_refused(make):
    with pytest.raises(TypeError):
        make()


def test_what_is_known_has_no_uncertainty():
    assert DENTAL.entropy("cavity", given="cavity") == 0
    assert DENTAL.entropy("cavity", given=V("cavity")) == 0
    assert DENTAL.entropy(given=["cavity"]) == pytest.approx(DENTAL.entropy() - DENTAL.entropy("cavity"))
    assert DENTAL.entropy("cavity", given="not toothache and catch") == pytest.approx(
        scipy.stats.entropy([0.072, 0.144], base=2)
    )


def test_tuples_are_worlds_or_values():
    split = Joint({("a", 1): {"u": 0.25, "v": 0.25}, ("b", 2): {"u": 0.5}}, ["x", "y", "z"])
    assert split.p(x="a", y=1, z="v") == 0.25
    places = {((0, 1), "u"): 0.5, ((2, 3), "v"): 0.5}
    nested = {(0, 1): {"u": 0.5}, (2, 3): {"v": 0.5}}
    for form in (places, nested):
        joint = Joint(form, ["place", "letter"])
        assert joint.levels["place"] == ((0, 1), (2, 3))
        assert joint.p(place=(2, 3), letter="v") == 0.5
        assert joint.p(place=[(0, 1), (2, 3)]) == 1
        assert joint.p("place == (2, 3)") == joint.p("place in {(2, 3)}") == 0.5


@given(st.data())
def test_observations_add_up(data):
    cell = st.tuples(st.sampled_from("abc"), st.integers(0, 2))
    rows = data.draw(st.lists(cell, min_size=2, max_size=12))
    cut = data.draw(st.integers(1, len(rows) - 1))
    whole, first, second = (Joint.observed(part, ["x", "y"]) for part in (rows, rows[:cut], rows[cut:]))
    assert first + second == second + first == whole
    kept = whole - second
    assert all(kept.marginal("x").p(x=x) == first.marginal("x").p(x=x) for x in first.levels["x"])
    assert kept.n == first.n == cut
    turned = first + second.marginal("y", "x")
    assert turned == whole
    falling = Joint.observed(rows, ["x", "y"], levels={"y": [2, 1, 0]})
    assert (falling + second).levels["y"] == (2, 1, 0)  # an order that was declared stays
    with pytest.raises(InputError, match="less often"):
        second - whole


def test_weights_are_forgotten_to_within_rounding():
    first, second = ({"x": ["a", "b"], "y": [1, 1]}, {"x": ["a", "b"], "y": [1, 2]})
    whole = Joint.observed(first, sample_weight=[0.1, 0.3]) + Joint.observed(second, sample_weight=[0.2, 0.7])
    kept = whole - Joint.observed(first, sample_weight=[0.1, 0.3])
    assert kept.counts[1, 0] == 0  # exactly, so that it is impossible again
    assert kept.n == pytest.approx(0.9)
    assert (whole - Joint.observed(first, sample_weight=[0.1 + 0.2, 0.3])).p(x="b") == 1


def test_only_counts_of_the_same_variables_add_up():
    seen = Joint.observed({"x": [1, 2]})
    with pytest.raises(InputError, match="no counts"):
        seen + Joint.uniform({"x": [1, 2]})
    with pytest.raises(InputError, match="not about the same"):
        seen + Joint.observed({"y": [1, 2]})
    with pytest.raises(InputError, match="1 was observed less often"):
        seen - Joint.observed({"x": [1, 1]})
    with pytest.raises(TypeError):
        seen + 1


def test_decimals_sum_as_they_are_written():
    assert DENTAL.p("cavity") == 0.2
    assert DENTAL.p("not cavity") == 0.8
    assert DENTAL.p("cavity or toothache") == 0.28
    assert Joint([0.1] * 10, "x").p("x < 3") == 0.3
    tiny = Joint({"a": 1e-300, "b": 1e-320, "c": 1.0}, "x")
    assert tiny.p("x in {a, b}") == pytest.approx(1e-300)


def test_names_come_one_by_one_or_as_a_list():
    assert DENTAL.marginal(["catch", "cavity"]) == DENTAL.marginal("catch", "cavity")
    assert DENTAL.marginal(("catch",), "cavity") == DENTAL.marginal("catch", "cavity")
    assert DENTAL.entropy(["catch", "cavity"]) == DENTAL.entropy("catch", "cavity")
    assert DENTAL.chain(["catch", "cavity"]) == DENTAL.chain("catch", "cavity")
    with pytest.raises(InputError, match="name the variables"):
        DENTAL.marginal([])


def test_conditional_tables_are_equal_by_value():
    assert DENTAL.conditional("catch", "cavity") == DENTAL.conditional("catch", "cavity")
    assert hash(DENTAL.conditional("catch", "cavity")) == hash(DENTAL.conditional("catch", "cavity"))
    assert DENTAL.conditional("catch", "cavity") != DENTAL.conditional("catch", "toothache")
    assert DENTAL.conditional("catch", "cavity") != DENTAL.condition(cavity=True).conditional("catch", "cavity")
    assert DENTAL.conditional("catch", "cavity") != 1


def test_a_variable_tells_all_of_itself():
    h, i = DENTAL.entropy, DENTAL.mutual_information
    assert i("cavity", "cavity") == h("cavity")
    assert i("cavity", "cavity", given="catch") == pytest.approx(h("cavity", given="catch"), abs=1e-15)
    assert i("cavity", "cavity", given="cavity") == i("cavity", "catch", given="cavity") == 0
    both = i(["cavity", "catch"], ["cavity", "toothache"])
    exact = h("cavity", "catch") + h("cavity", "toothache") - h("cavity", "catch", "toothache")
    assert both == pytest.approx(exact, abs=1e-14)
    assert i("cavity", ["catch", "cavity"], given={"toothache": True}) == pytest.approx(
        h("cavity", given={"toothache": True}), abs=1e-14
    )


def test_rows_with_missing_cells_are_dropped_if_asked():
    rows = {"x": ["a", None, "b", "a"], "y": [1.0, 2.0, math.nan, 2.0], "z": [None, 1, 1, 1]}
    with pytest.raises(InputError, match=r"column 'x' has 1 missing cells.*say missing='drop'"):
        Joint.observed(rows, ["x", "y"])
    seen = Joint.observed(rows, ["x", "y"], sample_weight=[1, 9, 9, 2], missing="drop")
    whole = Joint.observed({"x": ["a", "a"], "y": [1.0, 2.0]}, sample_weight=[1, 2])
    assert seen == whole
    assert (seen.dropped, whole.dropped) == (2, 0)
    assert (seen.marginal("y").dropped, seen.condition(y=2).dropped, (seen + seen).dropped) == (2, 2, 4)
    assert "3 observations (2 rows with missing cells left out)" in repr(seen)
    with pytest.raises(InputError, match="every one of the 2 rows"):
        Joint.observed({"x": ["a", None], "y": [None, 1]}, missing="drop")
    with pytest.raises(InputError, match="'error' or 'drop'"):
        Joint.observed(rows, missing="ignore")
