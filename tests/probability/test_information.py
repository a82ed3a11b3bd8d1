"""Information in bits: against SciPy, and its laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from likely.errors import InputError
from likely.probability import cross_entropy, entropy, information_content, kl_divergence

weights = arrays(np.float64, st.integers(2, 8), elements=st.floats(0, 1)).filter(lambda w: w.sum() > 0.1)
pairs = st.integers(2, 8).flatmap(
    lambda k: st.tuples(*(arrays(np.float64, k, elements=st.floats(1e-6, 1)) for _ in range(2)))
)


@given(weights)
def test_entropy_is_scipys(w):
    p = w / w.sum()
    assert float(entropy(p)) == pytest.approx(stats.entropy(p, base=2), rel=1e-12, abs=1e-12)
    assert float(entropy(p, base=np.e)) == pytest.approx(stats.entropy(p), rel=1e-12, abs=1e-12)
    assert 0 <= float(entropy(p)) <= np.log2(len(p)) + 1e-12


@given(pairs)
def test_divergence_and_cross_entropy(pair):
    p, q = (w / w.sum() for w in pair)
    apart = float(kl_divergence(p, q))
    assert apart == pytest.approx(stats.entropy(p, q, base=2), rel=1e-9, abs=1e-12)
    assert apart >= 0
    assert float(cross_entropy(p, q)) == pytest.approx(float(entropy(p)) + apart, rel=1e-9, abs=1e-9)
    assert float(kl_divergence(p, p)) == 0.0


def test_axes_of_tables():
    table = np.array([[0.1, 0.2], [0.3, 0.4]])
    assert float(entropy(table, axis=None)) == pytest.approx(stats.entropy(table.ravel(), base=2))
    rows = table / table.sum(axis=1, keepdims=True)
    assert entropy(rows) == pytest.approx(stats.entropy(rows, base=2, axis=1))
    columns = table / table.sum(axis=0)
    assert entropy(columns, axis=0) == pytest.approx(stats.entropy(columns, base=2, axis=0))
    assert kl_divergence(rows, [0.5, 0.5]) == pytest.approx([stats.entropy(row, [0.5, 0.5], base=2) for row in rows])


def test_chain_rule_of_information():
    assert information_content([0.5, 0.25]).sum() == information_content(0.125)
    assert information_content(0.0) == np.inf
    assert information_content(1.0) == 0.0
    assert np.signbit(information_content(1.0)) == np.False_


def test_zero_has_no_weight():
    assert float(entropy([1.0, 0.0])) == 0.0
    assert float(entropy([0.5, 0.5, 0.0])) == 1.0
    assert float(kl_divergence([1.0, 0.0], [0.5, 0.5])) == 1.0
    assert float(cross_entropy([0.5, 0.5], [1.0, 0.0])) == np.inf


def test_mappings_are_matched_by_name():
    p, q = {"a": 0.25, "b": 0.75}, {"b": 0.5, "a": 0.5}
    assert float(kl_divergence(p, q)) == pytest.approx(float(kl_divergence([0.25, 0.75], [0.5, 0.5])))
    assert float(entropy(p)) == pytest.approx(float(entropy([0.25, 0.75])))
    with pytest.raises(InputError, match="differ in their outcomes"):
        kl_divergence(p, {"a": 0.5, "c": 0.5})
    with pytest.raises(InputError, match="both distributions as mappings"):
        kl_divergence(p, [0.5, 0.5])


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (entropy, ([0.5, 0.6],), "sum to 1.1"),
        (entropy, ([[0.5, 0.5], [0.5, 0.4]],), "sum to 0.9"),
        (entropy, ([-0.5, 1.5],), "not between 0 and 1"),
        (entropy, ([],), "at least one"),
        (entropy, (["a", "b"],), "must be numbers"),
        (entropy, ([0.5, 0.5], 1.0), "base"),
        (entropy, ([0.5, np.nan],), "nan"),
        (information_content, (1.5,), "no probability"),
        (cross_entropy, ([0.5, 0.5], [0.2, 0.3, 0.5]), "do not go together"),
    ],
)
def test_mistakes_are_named(function, arguments, message):
    with pytest.raises(InputError, match=message):
        function(*arguments)


def test_one_distribution_gives_a_float():
    for value in (
        entropy([0.5, 0.5]),
        information_content(0.5),
        cross_entropy([0.5, 0.5], [0.5, 0.5]),
        kl_divergence([0.5, 0.5], [0.25, 0.75]),
        entropy([[0.25, 0.25], [0.25, 0.25]], axis=None),
    ):
        assert type(value) is float
    assert repr(entropy({"head": 0.5, "tail": 0.5})) == "1.0"


def test_a_wrong_sum_says_what_to_do():
    with pytest.raises(InputError, match=r"sum to 1\.1, not to 1; correct them, or divide them by their sum"):
        entropy([0.5, 0.6])
