"""Leave-one-out in closed form equals a fit without the row, and is used wherever it should be."""

import itertools
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import BayesClassifier, GaussianBayes, NaiveBayes
from likely.distributions import (
    BernoulliFamily,
    CategoricalFamily,
    GaussianFamily,
    LogNormalFamily,
    MultivariateGaussianFamily,
    NegativeBinomialFamily,
    PoissonFamily,
)
from likely.errors import InputError
from likely.models.generative.folds import left_out as out_of_fold
from likely.statistics import Codes, Membership

COVARIANCES = ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")
RNG = np.random.default_rng(5)
N, K = 48, 3
LABELS = np.r_[np.repeat(np.arange(K), 2), RNG.integers(0, K, N - 2 * K)]
WEIGHTS = {"none": None, "some": RNG.uniform(0.2, 3, N), "uneven": RNG.choice([0.0, 0.1, 1.0, 1e7], N)}


def _rows(x, index):
    if isinstance(x, Codes):
        return replace(x, x=np.ascontiguousarray(x.x[index]))
    return np.ascontiguousarray(x[index])


def _both(family, x, weight=None, labels=LABELS):
    """Leave-one-out log densities, NaN rows and all, and those of a fit without each row."""
    groups = Membership.of_labels(labels, K, weight)
    got = family.leave_one_out(family.summarize(x, groups), x, groups)
    expected = []
    for i in range(len(labels)):
        others = np.arange(len(labels)) != i
        share = None if weight is None else weight[others]
        fitted = family.estimate(family.summarize(_rows(x, others), Membership.of_labels(labels[others], K, share)))
        expected.append(fitted.log_density(_rows(x, [i]))[0])
    return got, np.array(expected)


def _differences(got, expected):
    """Largest difference in the rows that have an answer, relative where it is large; and how many have none."""
    lost = np.isnan(got).any(axis=1)
    got, expected = got[~lost], expected[~lost]
    assert np.array_equal(np.isneginf(got), np.isneginf(expected))
    finite = np.isfinite(expected)
    away = np.abs(got[finite] - expected[finite]) / (1 + np.abs(expected[finite]))
    return float(away.max(initial=0.0)), int(lost.sum())


def _nominal():
    p = [0.3, 0.3, 0.2, 0.1, 0.05, 0.01, 0.01, 0.01, 0.01, 0.01]
    x = np.column_stack([RNG.choice(10, N, p=p), np.zeros(N), RNG.integers(0, 30, N)]).astype(np.int32)
    x[RNG.random(x.shape) < 0.1] = -1
    x[7] = [9, -1, 29]  # levels that only one row has
    return Codes(x, np.zeros(3, dtype=np.int64), (tuple("abcdefghij"), ("only",), tuple(range(30))))


NOMINAL = _nominal()
DECLARED = (("a", "b", "zz"), (), range(28))
SHARES = {"a": 0.5, "b": 0.25, "c": 0.25}


@pytest.mark.sample(4)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("unseen", ["ignore", "prior", "error"])
@pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
def test_levels(estimation, unseen, weight):
    priors = [(0.0, None, None), (1.0, None, None), (2.5, None, None), (1.0, 2.0, None), (1.0, 40.0, SHARES)]
    for (alpha, m, p), levels in itertools.product(priors, (None, DECLARED)):
        family = CategoricalFamily(alpha, estimation, m, p, levels, unseen)
        away, lost = _differences(*_both(family, NOMINAL, WEIGHTS[weight]))
        assert away < 1e-10, family
        assert unseen == "error" or weight == "uneven" or lost == 0, family


def test_a_level_that_only_one_row_has_is_refused_where_the_unseen_are():
    rows = _differences(*_both(CategoricalFamily(unseen="error"), NOMINAL))[1]
    codes = NOMINAL.x
    alone = [[np.sum(codes[:, j] == v) == 1 and v >= 0 for j, v in enumerate(row)] for row in codes]
    assert rows == np.any(alone, axis=1).sum() > 0


def _events():
    x = (RNG.random((N, 5)) < [0.5, 0.02, 0.0, 1.0, 0.3]).astype(float)
    x[RNG.random(x.shape) < 0.1] = np.nan
    x[:, 4] = np.nan
    x[3, 4], x[4, 4] = 1.0, 0.0  # constant without either
    x[9, 2] = 1.0
    return x


EVENTS = _events()


@pytest.mark.sample(4)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
@pytest.mark.parametrize("neutral", [False, True])
def test_events(estimation, neutral, weight):
    for alpha in (0.0, 1.0, 2.5):
        away, lost = _differences(*_both(BernoulliFamily(alpha, estimation, neutral), EVENTS, WEIGHTS[weight]))
        assert away < 1e-10
        assert weight == "uneven" or lost == 0


def test_events_in_sparse_rows():
    from scipy.sparse import csr_array

    groups = Membership.of_labels(LABELS, K)
    x = np.nan_to_num(EVENTS)
    family = BernoulliFamily()
    statistic = family.summarize(x, groups)
    dense = family.leave_one_out(statistic, x, groups)
    assert np.array_equal(dense, family.leave_one_out(statistic, csr_array(x), groups))


def _counts():
    x = RNG.poisson([1, 0.02, 5, 100, 0], (N, 5)).astype(float) * RNG.integers(0, 3, (N, 1))
    x[RNG.random(x.shape) < 0.1] = np.nan
    x[5, 4] = 3.0
    return x


COUNTS = _counts()


@pytest.mark.sample(3)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("family", [PoissonFamily(), PoissonFamily("map", 0.3), PoissonFamily("map", 5.0)], ids=repr)
def test_counts(family, weight):
    away, lost = _differences(*_both(family, COUNTS, WEIGHTS[weight]))
    assert away < 1e-10
    assert weight == "uneven" or lost == 0


@pytest.mark.parametrize("weight", ["none", "some"])
@pytest.mark.parametrize("estimation", ["ml", "map"])
def test_counts_with_a_dispersion(estimation, weight):
    away, lost = _differences(*_both(NegativeBinomialFamily(estimation), COUNTS[:, :3], WEIGHTS[weight]))
    assert away < 1e-10
    assert lost == (N if weight == "some" and estimation == "ml" else 0)


def test_large_counts_have_no_closed_form():
    x = COUNTS.copy()
    x[0, 2] = 1e8
    away, lost = _differences(*_both(PoissonFamily(), x))
    assert away < 1e-10
    assert lost == 1


def _vectors(n=N, d=4):
    return RNG.normal(size=(n, d)) @ RNG.normal(size=(d, d)) + LABELS[:n, None]


VECTORS = _vectors()


def _without_common_term(scores):
    return scores - scores.max(axis=1, keepdims=True)


@pytest.mark.sample(6)
@pytest.mark.parametrize("weight", ["none", "some"])
@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_vectors(covariance, ddof, weight):
    family = MultivariateGaussianFamily(covariance, ddof)
    x = np.column_stack([VECTORS, np.full(N, 7.0)])  # a constant column
    got, expected = _both(family, x, WEIGHTS[weight])
    away, lost = _differences(_without_common_term(got), _without_common_term(expected))
    assert away < 1e-10
    assert lost == 0
    if covariance != "shared":
        assert _differences(got, expected)[0] < 1e-10


@pytest.mark.sample(3)
@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("covariance", COVARIANCES[2:])
def test_variances_with_missing_cells_and_columns_without_spread(covariance, ddof):
    x = np.column_stack([VECTORS, np.full(N, 7.0), LABELS == 1, np.full(N, np.nan)])
    x[RNG.random(x.shape) < 0.1] = np.nan
    x[11, 6] = 2.0  # the only cell of its column
    got, expected = _both(MultivariateGaussianFamily(covariance, ddof), x)
    away, lost = _differences(_without_common_term(got), _without_common_term(expected))
    assert away < 1e-10
    assert lost <= (1 if covariance == "diagonal" else 2)


@pytest.mark.sample(3)
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_a_row_far_out_is_right_or_has_no_answer(covariance):
    x = VECTORS.copy()
    x[3, 1], x[17] = 1e9, -1e5
    got, expected = _both(MultivariateGaussianFamily(covariance), x)
    away, lost = _differences(_without_common_term(got), _without_common_term(expected))
    assert away < 1e-6  # the refits have no more digits
    assert lost <= 4 or covariance in ("full", "shared")


@pytest.mark.parametrize("case", ["missing cell", "repeated column", "constant in a class", "few rows"])
@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_what_is_not_plain_maximum_likelihood_has_no_closed_form(covariance, case):
    x = VECTORS.copy()
    if case == "missing cell":
        x[0, 0] = np.nan
    elif case == "repeated column":
        x[:, 3] = 2 * x[:, 1]
    elif case == "constant in a class":
        x[LABELS == 1, 2] = 4.0
    else:
        x = RNG.normal(size=(N, N + 3))
    groups = Membership.of_labels(LABELS, K)
    family = MultivariateGaussianFamily(covariance)
    got = family.leave_one_out(family.summarize(x, groups), x, groups)
    if case == "constant in a class" and covariance == "shared":
        assert not np.isnan(got).any()  # the other classes vary
    else:
        assert np.isnan(got).all()


@pytest.mark.sample(2)
@pytest.mark.parametrize("narrow", [1e-2, 1e-3, 1e-5])
@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_covariance_that_is_nearly_singular(covariance, narrow):
    x = VECTORS.copy()
    x[:, 3] = x[:, 0] - x[:, 1] + narrow * x[:, 3]
    got, expected = _both(MultivariateGaussianFamily(covariance), x)
    got, expected = _without_common_term(got), _without_common_term(expected)
    assert _differences(got, expected)[0] < 3e-13 / narrow**2  # the digits that the covariance leaves


@pytest.mark.parametrize("offset", [1e8, -3e8])
@pytest.mark.parametrize("covariance", ["independent", *COVARIANCES])
def test_values_far_from_zero_lose_nothing(covariance, offset):
    x = np.round(VECTORS * 2**20) / 2**20  # exact also far away
    family = GaussianFamily() if covariance == "independent" else MultivariateGaussianFamily(covariance)
    groups = Membership.of_labels(LABELS, K)
    here, there = (family.leave_one_out(family.summarize(z, groups), z, groups) for z in (x, x + offset))
    assert np.allclose(_without_common_term(there), _without_common_term(here), rtol=1e-13, atol=1e-13)


def test_options_without_a_closed_form_say_so():
    x, groups = VECTORS, Membership.of_labels(LABELS, K)
    for family in (
        GaussianFamily(estimation="map"),
        MultivariateGaussianFamily(estimation="bayes"),
        MultivariateGaussianFamily(missing="impute"),
        MultivariateGaussianFamily("shared_spherical", estimation="map"),
    ):
        assert not family.leaves_one_out
        assert np.isnan(family.leave_one_out(family.summarize(x, groups), x, groups)).all()
    counts = np.nan_to_num(COUNTS)
    family = PoissonFamily("bayes")
    assert not family.leaves_one_out
    assert np.isnan(family.leave_one_out(family.summarize(counts, groups), counts, groups)).all()


def test_log_normal_features():
    got, expected = _both(LogNormalFamily(), np.exp(VECTORS))
    assert _differences(_without_common_term(got), _without_common_term(expected))[0] < 1e-10


def _refitted(model, X, y, weight=None):
    classes = np.unique(y)
    out = np.full((len(y), len(classes)), -np.inf)
    for i in range(len(y)):
        others = np.delete(np.arange(len(y)), i)
        share = None if weight is None else weight[others]
        fitted = type(model)(**model.get_params(deep=False)).fit(X[others], y[others], sample_weight=share)
        out[i, np.searchsorted(classes, fitted.classes_)] = fitted.predict_log_proba(X[i : i + 1])[0]
    return out


def _table(rng, n, missing=0.1):
    y = rng.choice(["a", "b", "c"], n, p=[0.5, 0.4, 0.1])
    frame = pl.DataFrame(
        {
            "number": rng.normal(size=n) + (y == "b"),
            "rare": rng.choice([f"level {i}" for i in range(12)], n),
            "letter": rng.choice(["u", "v"], n),
            "flag": rng.random(n) < 0.3,
            "visits": rng.poisson(2, n),
        }
    )
    holes = rng.random(frame.shape) < missing
    columns = [pl.when(pl.Series(~holes[:, j])).then(pl.col(name)).alias(name) for j, name in enumerate(frame.columns)]
    return frame.with_columns(columns), y


KINDS = {"number": "numeric", "rare": "nominal", "letter": "nominal", "flag": "binary", "visits": "count"}
OPTIONS = [
    {},
    {"alpha": 0.0},
    {"missing": "evidence"},
    {"unseen": "prior"},
    {"class_prior": "uniform"},
    {"class_prior": {"a": 0.2, "b": 0.3, "c": 0.5}},
    {"class_alpha": 2.0, "ddof": 1},
    {"kinds": {**KINDS, "visits": "poisson"}},
]


@pytest.fixture
def fallbacks(monkeypatch):
    """How many rows took the general way, each time there was a closed form."""
    seen = []
    general = out_of_fold._without_each

    def counted(table, rows, out):
        seen.append(len(rows))
        general(table, rows, out)

    monkeypatch.setattr(out_of_fold, "_without_each", counted)
    return seen


@pytest.mark.sample(3)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_mixed_tables_without_the_general_way(options, weighted, fallbacks):
    rng = np.random.default_rng(11)
    frame, y = _table(rng, 60)
    weight = rng.uniform(0.5, 2.0, len(y)) if weighted else None
    model = NaiveBayes(**{"kinds": KINDS, **options})
    got = model.out_of_fold(frame, y, np.arange(len(y)), sample_weight=weight)
    expected = _refitted(model, frame, y, weight)
    assert np.array_equal(np.isneginf(got), np.isneginf(expected))
    assert np.abs(np.exp(got) - np.exp(expected)).max() < 1e-10
    assert fallbacks == [0]


@pytest.mark.sample(4)
@pytest.mark.parametrize("covariance", COVARIANCES)
@pytest.mark.parametrize("ddof", [0, 1])
def test_vectors_without_the_general_way(covariance, ddof, fallbacks):
    model = GaussianBayes(covariance, ddof=ddof, class_prior=[0.2, 0.3, 0.5])
    got = model.out_of_fold(VECTORS, LABELS, np.arange(N))
    assert np.abs(np.exp(got) - np.exp(_refitted(model, VECTORS, LABELS))).max() < 1e-10
    assert fallbacks == [0]


@pytest.mark.parametrize("groups", [None, 12])
@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_rows_with_missing_cells_take_the_general_way(covariance, groups, fallbacks, monkeypatch):
    if groups:
        monkeypatch.setattr(out_of_fold, "_GROUPS", groups)  # chunks of four rows
    x = VECTORS.copy()
    x[RNG.random(x.shape) < 0.05] = np.nan
    model = GaussianBayes(covariance)
    got = model.out_of_fold(x, LABELS, np.arange(N))
    assert np.abs(np.exp(got) - np.exp(_refitted(model, x, LABELS))).max() < 1e-10
    assert fallbacks == [N]


@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_missing_cells_of_a_single_column(covariance):
    x = VECTORS[:, :1].copy()
    x[3::7] = np.nan
    weight = WEIGHTS["some"]
    model = GaussianBayes(covariance)
    got = model.out_of_fold(x, LABELS, np.arange(N), sample_weight=weight)
    assert np.abs(np.exp(got) - np.exp(_refitted(model, x, LABELS, weight))).max() < 1e-10


def test_a_few_rows_take_the_general_way(fallbacks):
    x = VECTORS.copy()
    x[7, 2] = 1e6
    model = GaussianBayes("shared")
    got = model.out_of_fold(x, LABELS, np.arange(N))
    assert np.abs(np.exp(got) - np.exp(_refitted(model, x, LABELS))).max() < 1e-8
    assert 0 < fallbacks[0] < 5 or fallbacks == [N]


def test_a_row_that_outweighs_its_class(fallbacks):
    weight = np.ones(N)
    weight[20] = 1e12
    for model in (NaiveBayes(), GaussianBayes("shared"), GaussianBayes("spherical")):
        got = model.out_of_fold(VECTORS, LABELS, np.arange(N), sample_weight=weight)
        expected = _refitted(model, VECTORS, LABELS, weight)
        assert np.abs(np.exp(got[20]) - np.exp(expected[20])).max() < 1e-10
    assert all(rows >= 1 for rows in fallbacks)


def test_a_row_impossible_under_all_classes_has_the_prior():
    y = np.array(list("aaabbbb"))
    frame = pl.DataFrame({"one": list("uvwuvvv"), "two": list("xxyyyyx")})
    model = NaiveBayes("nominal", alpha=0.0)
    rows = np.arange(len(y))
    got, expected = model.out_of_fold(frame, y, rows), _refitted(model, frame, y)
    assert np.abs(np.exp(got) - np.exp(expected)).max() < 1e-12


def test_a_level_of_one_row_is_refused_by_name():
    frame, y = pl.DataFrame({"letter": list("aabbcaab")}), np.array(list("ppqqpqpq"))
    with pytest.raises(InputError, match="row 4 holds 'c', never seen"):
        NaiveBayes(unseen="error").out_of_fold(frame, y, np.arange(len(y)))


def test_levels_of_the_other_of_two_folds_do_not_leak():
    rng = np.random.default_rng(2)
    frame, y, folds = (
        pl.DataFrame({"l": rng.integers(0, 40, 60).astype(str)}),
        rng.choice(["p", "q"], 60),
        np.arange(60) % 2,
    )
    got = NaiveBayes("nominal").out_of_fold(frame, y, folds)
    for fold in (0, 1):
        fitted = NaiveBayes("nominal").fit(frame[np.flatnonzero(folds != fold)], y[folds != fold])
        expected = fitted.predict_log_proba(frame[np.flatnonzero(folds == fold)])
        assert np.abs(got[folds == fold] - expected).max() < 1e-12


def test_one_family_for_all_columns():
    for family in (MultivariateGaussianFamily("shared"), GaussianFamily(estimation="map")):
        model = BayesClassifier(family)
        got = model.out_of_fold(VECTORS, LABELS, np.arange(N))
        assert np.abs(np.exp(got) - np.exp(_refitted(model, VECTORS, LABELS))).max() < 1e-10


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(8, 24),
    missing=st.sampled_from([0.0, 0.2]),
    weighted=st.booleans(),
    alpha=st.sampled_from([0.0, 0.5, 1.0]),
    unseen=st.sampled_from(["ignore", "prior"]),
    prior=st.sampled_from([None, "uniform"]),
)
def test_small_random_tables(seed, n, missing, weighted, alpha, unseen, prior):
    rng = np.random.default_rng(seed)
    frame, y = _table(rng, n, missing)
    y = np.where(y == "c", "b", y)
    y[:4] = ["a", "a", "b", "b"]
    weight = rng.choice([0.5, 1.0, 3.0], n) if weighted else None
    model = NaiveBayes(KINDS, alpha=alpha, unseen=unseen, class_prior=prior)
    got = model.out_of_fold(frame, y, np.arange(n), sample_weight=weight)
    expected = _refitted(model, frame, y, weight)
    assert np.array_equal(np.isneginf(got), np.isneginf(expected))
    assert np.abs(np.exp(got) - np.exp(expected)).max() < 1e-10


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(8, 30),
    d=st.integers(1, 4),
    covariance=st.sampled_from(COVARIANCES),
    ddof=st.sampled_from([0, 1]),
    whole=st.booleans(),
)
def test_small_random_vectors(seed, n, d, covariance, ddof, whole):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d)) if not whole else rng.integers(0, 4, (n, d)).astype(float)
    y = np.r_[0, 0, 1, 1, rng.integers(0, 2, n - 4)]
    model = GaussianBayes(covariance, ddof=ddof)
    got = model.out_of_fold(x, y, np.arange(n))
    assert np.abs(np.exp(got) - np.exp(_refitted(model, x, y))).max() < 1e-8
