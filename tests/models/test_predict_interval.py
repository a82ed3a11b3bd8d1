"""Intervals of predicted probabilities: closed forms, coverage by simulation, and where they are wide or narrow."""

import numpy as np
import polars as pl
import pytest
from scipy import sparse, stats

from likely import BayesClassifier, GaussianBayes, NaiveBayes, engines, scan
from likely.decisions import Decider, MajorityClassifier
from likely.distributions import CategoricalFamily, GaussianFamily, MultinomialFamily, TextFamily
from likely.errors import InputError, TierError
from likely.models.generative import TextBayes
from likely.models.generative.uncertainty import predict_interval


@pytest.fixture(autouse=True)
def in_one_thread():
    with engines.use(engines.Serial()):
        yield


def widths(intervals):
    return (intervals[..., 1] - intervals[..., 0]).mean()


def test_a_row_without_cells_has_the_interval_of_the_class_prior():
    X, y = np.array([[1.0], [0.0], [1.0], [0.0], [1.0], [1.0]]), list("aaabbb")
    model = NaiveBayes("bernoulli", class_alpha=1.0).fit(np.vstack([X, X[:3]]), [*y, "a", "a", "a"])
    ends = model.predict_interval([[np.nan]], 0.9, n_draws=4000)[0]
    np.testing.assert_allclose(ends, model.parameter_posterior().interval(0.9), atol=0.02)
    certain = model.predict_interval([[np.nan]], prior=[0.3, 0.7])[0]
    np.testing.assert_allclose(certain, [[0.3, 0.3], [0.7, 0.7]])


def test_one_event_against_quadrature():
    """Of p / (p + q) with p and q Beta, by numerical integration."""
    X, y = np.repeat([[1], [0], [1], [0]], [6, 2, 3, 5], axis=0), np.repeat(["a", "b"], 8)
    model = NaiveBayes("bernoulli", class_prior="uniform").fit(X, y)
    a, b = (model.parameter_posterior(0)[name] for name in "ab")
    grid = (np.arange(4000) + 0.5) / 4000
    p, q = (np.array([one.quantile(u) for u in grid]) for one in (a, b))
    for confidence in (0.5, 0.95):
        low, high = model.predict_interval([[1]], confidence, n_draws=40_000)[0, 0]
        # P(p / (p + q) < t) = E over q of P(p < t q / (1 - t))
        for end, tail in ((low, (1 - confidence) / 2), (high, (1 + confidence) / 2)):
            assert np.mean(np.searchsorted(p, end * q / (1 - end)) / 4000) == pytest.approx(tail, abs=0.008)


def test_covers_the_truth_as_often_as_it_says_events_and_levels():
    """Parameters drawn from the prior, data from them: on average over the prior 90 % is exact."""
    rng = np.random.default_rng(0)
    query = np.array([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]], dtype=object)
    bits, levels = query.astype(int).T
    kinds = {0: CategoricalFamily(levels=((0, 1),)), 1: CategoricalFamily(levels=((0, 1, 2),))}
    inside = []
    for trial in range(250):
        prior = rng.dirichlet([1, 1])
        bit, level = rng.beta(1, 1, 2), rng.dirichlet([1, 1, 1], 2)
        y = rng.choice(2, 25, p=prior)
        drawn = (rng.random((25, 1)) > np.cumsum(level, axis=1)[y]).sum(axis=1).clip(max=2)
        rows = np.column_stack([rng.random(25) < bit[y], drawn]).astype(object)
        model = NaiveBayes(kinds, class_alpha=1.0).partial_fit(rows, y, classes=[0, 1])
        both = prior * np.where(bits[:, None] == 1, bit, 1 - bit) * level.T[levels]
        truth = both[:, 0] / both.sum(axis=1)
        ends = model.predict_interval(query, 0.9, random_state=trial, n_draws=200)[:, 0]
        inside.append((ends[:, 0] <= truth) & (truth <= ends[:, 1]))
    assert np.mean(inside) == pytest.approx(0.91, abs=0.03)  # the prediction is taken in where it lies outside


def coverage(model, columns, sizes, trials):
    """Of 90 % intervals, at one truth and rows drawn from it."""
    rng = np.random.default_rng(1)
    mean = np.outer([0, 1], np.r_[1.0, np.full(columns - 1, 0.5)]) * 1.5 / np.sqrt(columns)
    other = np.ones(columns) if model.get_params().get("covariance") == "shared" else np.linspace(0.6, 1.6, columns)
    variance, y, inside = np.array([np.ones(columns), other]), np.repeat([0, 1], sizes), []
    for trial in range(trials):
        rows, query = (rng.normal(mean[k], np.sqrt(variance[k])) for k in (y, np.arange(8) % 2))
        log = -0.5 * (np.square(query[:, None] - mean) / variance + np.log(variance)).sum(axis=2)
        truth = 1 / (1 + np.exp(log[:, 1] - log[:, 0]))
        ends = model.fit(rows, y).predict_interval(query, 0.9, trial, n_draws=200, prior=[0.5, 0.5])[:, 0]
        inside.append((ends[:, 0] <= truth) & (truth <= ends[:, 1]))
    return np.mean(inside)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("model", "columns", "sizes"),
    [
        (NaiveBayes("gaussian"), 2, (20, 20)),
        (NaiveBayes("gaussian"), 5, (15, 15)),
        (GaussianBayes("full"), 2, (20, 20)),
        (GaussianBayes("full"), 5, (15, 15)),
        (GaussianBayes("full"), 8, (20, 100)),
        (GaussianBayes("shared"), 5, (10, 10)),
    ],
)
def test_covers_the_truth_about_as_often_as_it_says_normals(model, columns, sizes):
    """With the reference prior, however few rows there are for the columns."""
    trials = 80 if model.get_params().get("covariance") == "shared" else 120
    assert coverage(model, columns, sizes, trials) == pytest.approx(0.9, abs=0.035)


def test_rows_with_gaps_are_scored_by_their_own_columns():
    """What the vectors' other columns are does not matter to a row without them, but for chance."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    query = rng.normal(size=(6, 3))
    query[:, 1] = np.nan
    query[0] = np.nan
    ends = GaussianBayes("full").fit(X, y).predict_interval(query, n_draws=8000, prior=[0.3, 0.7])
    less = GaussianBayes("full").fit(X[:, [0, 2]], y)
    np.testing.assert_allclose(ends, less.predict_interval(query[:, [0, 2]], n_draws=8000, prior=[0.3, 0.7]), atol=0.03)
    np.testing.assert_allclose(ends[0], [[0.3, 0.3], [0.7, 0.7]])


def test_confidence_is_not_capped_by_the_draws():
    X, y = rows_of(40)
    model = NaiveBayes({"bit": "bernoulli"}, class_prior="uniform").fit(X.select("bit"), y)
    a, b = (model.parameter_posterior("bit")[name] for name in ("no", "yes"))
    q = stats.beta(b.a, b.b).ppf((np.arange(5000) + 0.5) / 5000)
    query, width = pl.DataFrame({"bit": [1]}), []
    for confidence in (0.99, 0.999):
        ends = np.array([model.predict_interval(query, confidence, seed)[0, 0] for seed in range(8)])
        # P(p / (p + q) > t) = E over q of P(p > t q / (1 - t))
        above = [stats.beta(a.a, a.b).sf(q * high / (1 - high)).mean() for _, high in ends]
        assert np.mean(above) == pytest.approx((1 - confidence) / 2, rel=0.3)
        width.append(ends[:, 1] - ends[:, 0])
    width.append(np.diff(model.predict_interval(query, 0.9999)[0, 0]))
    assert width[0].max() < width[1].min() < width[1].max() < width[2]
    with pytest.raises(InputError, match=r"20,000,000 draws.*choose at most 0.9999"):
        model.predict_interval(pl.DataFrame({"bit": [1]}), 0.999999)


@pytest.mark.parametrize("model", [NaiveBayes("gaussian"), GaussianBayes("full"), GaussianBayes("shared")])
def test_where_no_class_can_be_told_from_another_nothing_is_known(model):
    X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [1.0, 1.5], [2.0, 3.0], [3.0, 2.0], [4.0, 4.5], [3.0, 5.0]])
    model.fit(X, list("aaaabbbb"))
    for far in (1e150, 1e154, 1e200, 1e300):
        query = np.array([[far, far], [-far, far]])
        ends, p = model.predict_interval(query), model.predict_proba(query)
        assert ((ends[..., 0] <= p) & (p <= ends[..., 1])).all()
        for end in ends[(p > 0) & (p < 1)]:
            np.testing.assert_array_equal(end, [0.0, 1.0])
    alone = NaiveBayes("gaussian").fit(X, list("aaaabbbb"))
    np.testing.assert_array_equal(alone.predict_interval([[1e155, 1.0]])[0], [[0.0, 1.0], [0.0, 1.0]])


def rows_of(n, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    table = pl.DataFrame(
        {
            "bit": (rng.random(n) < 0.3 + 0.4 * y).astype(int),
            "level": [("low", "mid", "high")[i] for i in rng.integers(0, 3, n)],
            "size": rng.normal(size=n) + y,
            "calls": rng.poisson(2 + 3 * y),
            "wait": rng.exponential(1 + y),
            "amount": rng.gamma(3, 1 + y),
        }
    )
    return table, np.where(y, "yes", "no")


KINDS = {
    "bit": "bernoulli",
    "level": "nominal",
    "size": "gaussian",
    "calls": "poisson",
    "wait": "exponential",
    "amount": "gamma",
}


def test_narrows_like_one_over_the_root_of_n_and_holds_the_prediction():
    query = rows_of(30, seed=9)[0]
    wide = []
    for n in (20, 320, 5120):
        X, y = rows_of(n)
        model = NaiveBayes(KINDS).fit(X, y)
        ends, p = model.predict_interval(query), model.predict_proba(query)
        assert ends.shape == (30, 2, 2) and ((ends[..., 0] <= p) & (p <= ends[..., 1])).all()
        assert (ends >= 0).all() and (ends <= 1).all()
        np.testing.assert_allclose(ends[:, 0], 1 - ends[:, 1, ::-1], atol=1e-9)  # two classes: mirrored
        wide.append(widths(ends))
    assert wide[0] > 2 * wide[1] > 6 * wide[2]
    assert 2.5 < wide[1] / wide[2] < 5  # the root of 16


@pytest.mark.parametrize(
    "kind", ["gaussian", "log_normal", "histogram", "kde", "gamma", "negative_binomial", "poisson"]
)
def test_every_kind_of_column_has_an_interval(kind):
    column = "calls" if kind in ("negative_binomial", "poisson") else "amount"
    wide = []
    for n in (30, 3000):
        X, y = rows_of(n)
        model = NaiveBayes({column: kind}).fit(X.select(column), y)
        ends = model.predict_interval(X.select(column)[:20])
        assert np.isfinite(ends).all()
        wide.append(widths(ends))
    assert wide[0] > 3 * wide[1] > 0


def test_wider_for_more_confidence_and_where_no_rows_are():
    X, y = rows_of(60)
    model = NaiveBayes({"size": "gaussian"}).fit(X.select("size"), y)
    query = pl.DataFrame({"size": [0.5, 6.0]})
    narrow, wide = (widths(model.predict_interval(query, c)) for c in (0.5, 0.99))
    assert narrow < wide
    mixed = NaiveBayes({"level": "nominal"}).fit(
        pl.DataFrame({"level": ["a"] * 50 + ["b"] + ["a"] * 30 + ["b"]}), ["x"] * 51 + ["y"] * 31
    )
    common, rare = mixed.predict_interval(pl.DataFrame({"level": ["a", "b"]}))[:, 0]
    assert rare[1] - rare[0] > 2 * (common[1] - common[0])


def test_a_missing_cell_is_left_out():
    X, y = rows_of(80)
    both = NaiveBayes({"size": "gaussian", "calls": "poisson"}).fit(X.select("size", "calls"), y)
    alone = NaiveBayes({"size": "gaussian"}).fit(X.select("size"), y)
    query = X.select("size", "calls")[:5].with_columns(calls=pl.lit(None, dtype=pl.Int64))
    with_gap = both.predict_interval(query, n_draws=8000)
    np.testing.assert_allclose(with_gap, alone.predict_interval(query.select("size"), n_draws=8000), atol=0.02)
    Z = X.select("size", "amount").to_numpy()
    full = GaussianBayes("full").fit(Z, y).predict_interval([[0.2, np.nan]], n_draws=2000)
    one = GaussianBayes("full").fit(Z[:, :1], y).predict_interval([[0.2]], n_draws=2000)
    np.testing.assert_allclose(full, one, atol=0.05)


@pytest.mark.parametrize("missing", ["evidence", "impute"])
def test_other_treatments_of_missing_cells(missing):
    X, y = rows_of(80)
    X = X.select("bit", "size").with_columns(size=pl.when(pl.int_range(pl.len()) % 4 == 0).then(None).otherwise("size"))
    model = NaiveBayes({"bit": "bernoulli"}, missing=missing).fit(X, y)
    ends, p = model.predict_interval(X), model.predict_proba(X)
    assert np.isfinite(ends).all() and ((ends[..., 0] <= p) & (p <= ends[..., 1])).all()


def test_maximum_likelihood_s_impossible_values_are_only_improbable():
    """Nothing counted is no proof: the prediction is 0, the interval goes beyond it."""
    model = NaiveBayes("categorical", alpha=0).fit(np.array([["u"], ["u"], ["v"], ["u"]], dtype=object), list("aabb"))
    query = np.array([["v"]], dtype=object)
    assert model.predict_proba(query)[0, 0] == 0.0
    low, high = model.predict_interval(query)[0, 0]
    assert low == 0.0 and high > 0.3


def test_seeds_blocks_and_engines_do_not_change_the_answer(monkeypatch):
    X, y = rows_of(200)
    model = NaiveBayes(KINDS).fit(X, y)
    once = model.predict_interval(X, n_draws=200)
    np.testing.assert_array_equal(once, model.predict_interval(X, n_draws=200, random_state=0))
    assert (once != model.predict_interval(X, n_draws=200, random_state=1)).any()
    with engines.use(engines.Threads()):
        monkeypatch.setattr(predict_interval, "_PREDICTIONS", 2000)
        monkeypatch.setattr(predict_interval, "_PARAMETERS", 2000)  # drawn again for every block
        small = model.predict_interval(X, n_draws=200)
        monkeypatch.setattr(predict_interval, "_PREDICTIONS", 2**22)
        np.testing.assert_array_equal(small, model.predict_interval(X, n_draws=200))
    generator = np.random.default_rng(0)
    monkeypatch.setattr(predict_interval, "_PARAMETERS", 2**22)
    np.testing.assert_array_equal(once, model.predict_interval(X, n_draws=200, random_state=generator))


@pytest.mark.parametrize(
    "covariance", ["full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical"]
)
@pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
def test_gaussian_classes_of_every_shape(covariance, estimation):
    rng = np.random.default_rng(2)
    wide = []
    for n in (24, 2400):
        y = np.arange(n) % 3
        X = rng.normal(size=(n, 3)) + 0.7 * y[:, None]
        X[rng.random(X.shape) < 0.05] = np.nan
        X = np.column_stack([X, np.full(n, 2.0)])
        model = GaussianBayes(covariance, estimation=estimation).fit(X, y)
        ends, p = model.predict_interval(X[:20], n_draws=150), model.predict_proba(X[:20])
        assert np.isfinite(ends).all() and ((ends[..., 0] <= p) & (p <= ends[..., 1])).all()
        wide.append(widths(ends))
    assert wide[0] > 3 * wide[1]


def test_texts_counts_and_sparse_rows():
    texts = [
        "free money now",
        "free prize",
        "money prize lunch",
        "lunch at noon",
        "noon call free",
        "call at lunch now",
    ]
    y = ["spam"] * 3 + ["ham"] * 3
    for kind in ("multinomial", "bernoulli"):
        few = TextBayes(kind).fit(texts, y)
        many = TextBayes(kind).fit(texts * 200, y * 200)
        query = ["free lunch", "now never seen", ""]
        assert widths(few.predict_interval(query)) > 5 * widths(many.predict_interval(query))
        mixed = NaiveBayes({"text": TextFamily(kind, unseen="smooth"), "bit": "bernoulli"})
        mixed.fit(pl.DataFrame({"text": texts, "bit": [1, 1, 0, 0, 0, 1]}), y)
        ends = mixed.predict_interval(pl.DataFrame({"text": ["free lunch", None], "bit": [1, 0]}))
        assert np.isfinite(ends).all()
    X = sparse.csr_matrix(np.random.default_rng(0).poisson(1.0, (40, 6)).astype(float))
    model = BayesClassifier(MultinomialFamily()).fit(X, np.arange(40) % 2)
    np.testing.assert_allclose(model.predict_interval(X), model.predict_interval(X.toarray()), atol=1e-12)


GAPS = np.array([[np.nan, 1.0], [np.nan, 2.0], [2.0, 3.0], [4.0, 5.0], [np.nan, 2.0]])
ODD = {
    "classes of one row": (np.array([[3.0, 1.0], [3.0, 2.0], [3.0, 5.0], [3.0, 1.0]]), list("aabc")),
    "a class without cells": (GAPS, [0, 0, 1, 1, 0]),
    "a column without cells": (np.column_stack([GAPS[:, 1], np.full(5, np.nan)]), [0, 0, 1, 1, 0]),
    "nothing varies": (np.full((4, 2), 2.0), [0, 0, 1, 1]),
    "far from zero": (GAPS + 1e8, [0, 0, 1, 1, 0]),
}
KINDS_OF_AMOUNTS = (
    *("gaussian", "log_normal", "gamma", "exponential", "poisson", "negative_binomial", "multinomial"),
    *("histogram", "kde"),
)


@pytest.mark.parametrize("case", ODD)
def test_degenerate_data_have_an_interval_with_the_prediction_inside(case):
    X, y = ODD[case]
    models = [NaiveBayes(kind) for kind in KINDS_OF_AMOUNTS]
    models += [
        GaussianBayes(shape, estimation=how) for shape in ("full", "shared_spherical") for how in ("ml", "bayes")
    ]
    for model in models:
        for weight in (None, np.linspace(0.3, 2.0, len(y))):
            model.fit(X, y, sample_weight=weight)
            ends, p = model.predict_interval(X, n_draws=40), model.predict_proba(X)
            assert np.isfinite(ends).all() and ((ends[..., 0] <= p) & (p <= ends[..., 1])).all(), model
            assert ((ends >= 0) & (ends <= 1)).all()


def test_more_columns_than_rows_and_a_single_class():
    rng = np.random.default_rng(0)
    model = GaussianBayes("full").fit(rng.normal(size=(6, 10)), [0, 0, 0, 1, 1, 1])
    assert widths(model.predict_interval(rng.normal(size=(5, 10)), n_draws=100)) > 0.1
    alone = NaiveBayes("gaussian").partial_fit([[1.0], [2.0]], ["a", "a"])
    np.testing.assert_array_equal(alone.predict_interval([[1.0]]), [[[1.0, 1.0]]])


def test_files(tmp_path):
    X, y = rows_of(50)
    model = NaiveBayes({"bit": "bernoulli"}).fit(X, y)
    X.write_csv(tmp_path / "rows.csv")
    np.testing.assert_allclose(
        model.predict_interval(scan(tmp_path / "rows.csv")), model.predict_interval(X), atol=1e-9
    )


def test_mistakes_are_named():
    X, y = rows_of(40)
    model = NaiveBayes({"size": GaussianFamily()}).fit(X.select("size"), y)
    for options, said in [
        ({"confidence": 1.0}, "confidence must lie"),
        ({"n_draws": 1}, "n_draws must be"),
        ({"n_draws": 1.5}, "n_draws must be"),
        ({"prior": [0.2, 0.2]}, "prior"),
    ]:
        with pytest.raises(InputError, match=said):
            model.predict_interval(X.select("size"), **options)
    score = TextBayes("complement").fit(["free money", "lunch at noon"], ["spam", "ham"])
    with pytest.raises(InputError, match="'complement' is a score"):
        score.predict_interval(["free"])
    hidden = BayesClassifier("gaussian").fit([[1.0], [1.5], [0.5], [9.0], [9.5]], ["a", "a", None, "b", "b"])
    with pytest.raises(TierError, match="hidden labels"):
        hidden.predict_interval([[1.0]])
    levels = NaiveBayes({"level": "nominal"}, unseen="error").fit(X.select("level"), y)
    with pytest.raises(InputError, match="row 1 holds 'other'"):
        levels.predict_interval(pl.DataFrame({"level": ["low", "other"]}))


def test_the_majority_knows_the_shares_of_the_classes_as_far_as_they_were_counted():
    model = MajorityClassifier().fit(np.zeros((40, 1)), ["a"] * 30 + ["b"] * 10)
    ends = model.predict_interval([[0.0], [5.0]], 0.9)
    np.testing.assert_allclose(ends[0, 0], stats.beta(30.5, 10.5).ppf([0.05, 0.95]))
    np.testing.assert_allclose(ends[0, 1], 1 - ends[0, 0, ::-1])
    np.testing.assert_array_equal(ends[0], ends[1])
    np.testing.assert_allclose(model.predict_interval([[0.0]], prior=[0.4, 0.6])[0], [[0.4, 0.4], [0.6, 0.6]])
    held = Decider(model).fit(np.zeros((40, 1)), ["a"] * 30 + ["b"] * 10)
    np.testing.assert_allclose(held.predict_interval([[0.0]], 0.9), ends[:1])
    sure = MajorityClassifier().fit([[1], [2]], ["a", "a"])
    np.testing.assert_array_equal(sure.predict_interval([[7]]), [[[1.0, 1.0]]])
