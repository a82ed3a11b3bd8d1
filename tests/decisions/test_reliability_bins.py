import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve

from likely.decisions import reliability
from likely.errors import InputError


def draw(n=500, seed=0):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 2, n)
    return (rng.random(n) < p).astype(int), p


def test_shares_have_clopper_pearson_limits():
    y, p = draw()
    table = reliability(y, p, confidence=0.9)
    for hits, n, low, high in zip(
        table.share * table.count, table.count, table.share_low, table.share_high, strict=True
    ):
        exact = binomtest(round(hits), n).proportion_ci(0.9, method="exact")
        assert np.allclose((low, high), (exact.low, exact.high), atol=1e-9)


@pytest.mark.parametrize("bins", ["uniform", "quantile"])
def test_bins_agree_with_scikit_learn(bins):
    y, p = draw()
    share, mean = calibration_curve(y, p, n_bins=8, strategy=bins)
    table = reliability(y, p, strategy=bins, n_bins=8)
    assert np.allclose(table.share, share, atol=1e-9 if bins == "uniform" else 0.03)
    assert np.allclose(table.mean_prediction, mean, atol=1e-9 if bins == "uniform" else 0.01)
    assert table.count.sum() == 500


@given(st.lists(st.tuples(st.integers(0, 10), st.booleans()), min_size=2, max_size=80), st.integers(1, 12))
def test_every_row_is_in_one_bin_and_equal_predictions_stay_together(rows, n_bins):
    p, y = np.array([r[0] / 10 for r in rows]), np.array([r[1] for r in rows])
    table = reliability(y, p, n_bins=n_bins, pos_label=True)
    assert table.count.sum() == len(rows) and len(table) <= n_bins
    assert np.isclose((table.share * table.count).sum(), y.sum())
    assert np.isclose((table.mean_prediction * table.count).sum(), p.sum())
    assert (table.low <= table.mean_prediction).all() and (table.mean_prediction <= table.high).all()
    assert (table.share_low <= table.share).all() and (table.share <= table.share_high).all()
    place = [np.flatnonzero((table.low <= v) & (v <= table.high)) for v in np.unique(p)]
    assert sum(len(bins) for bins in place) == len(place)


def test_quantile_bins_hold_about_equally_many():
    y, p = draw(1000)
    counts = reliability(y, p, n_bins=10).count
    assert counts.tolist() == [100] * 10


def test_given_edges_and_empty_bins():
    y, p = np.array([0, 1, 1]), np.array([0.1, 0.15, 0.9])
    table = reliability(y, p, edges=[0, 0.2, 0.5, 1])
    assert table.count.tolist() == [2, 1] and table.low.tolist() == [0, 0.5] and table.share.tolist() == [0.5, 1]
    assert table.share_high[1] == 1 and table.share_low[1] > 0
    assert reliability(y, np.full(3, 0.5)).count.tolist() == [3]


def test_several_classes():
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(3), 400)
    y = np.array(["a", "b", "c"])[(rng.random(400)[:, None] > p.cumsum(axis=1)).sum(axis=1)]
    one = reliability(y, p, pos_label="b")
    assert np.allclose(one.share, reliability(y == "b", p[:, 1]).share)
    best = p.argmax(axis=1)
    top = reliability(y, p)
    assert np.allclose(top.share, reliability(y == np.array(["a", "b", "c"])[best], p.max(axis=1)).share)
    few = y != "c"
    assert reliability(y[few], p[few], pos_label="b", classes=["a", "b", "c"]).count.sum() == few.sum()
    assert reliability(["a", "a"], [0.2, 0.3], pos_label="b").share.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("y", "p", "options", "word"),
    [
        ([0, 1], [0.1, np.nan], {}, "row 1"),
        ([0, 1], [0.1, 1.2], {}, "row 1"),
        ([0, 1, 1], [0.1, 0.2], {}, "2 predictions and 3 labels"),
        ([0, 0], [0.1, 0.2], {}, "one class"),
        ([0, 1, 2], [0.1, 0.2, 0.3], {}, "3"),
        ([0, 1], [[0.1, 0.2, 0.7]] * 2, {}, "give classes="),
        ([0, 1], [0.1, 0.2], {"strategy": "equal"}, "unknown strategy"),
        ([0, 1], [0.1, 0.2], {"edges": [0, 0]}, "rising"),
        ([0, 1], [0.1, 0.2], {"edges": [0.15, 1]}, "every prediction"),
        ([0, 1], [0.1, 0.2], {"n_bins": 0}, "n_bins"),
        ([0, 1], [0.1, 0.2], {"confidence": 95}, "confidence"),
        ([0, 1], [0.1, 0.2], {"pos_label": 7}, "positive class 7"),
        ([], [], {}, "shape"),
    ],
)
def test_bad_input_is_refused_in_words(y, p, options, word):
    with pytest.raises(InputError, match=word):
        reliability(y, p, **options)
