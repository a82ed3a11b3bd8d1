"""Gaussian models cross-validated with all folds side by side, against the general way and against refits."""

from dataclasses import replace

import numpy as np
import pytest

from likely import BayesClassifier, GaussianBayes, NaiveBayes
from likely.distributions.amounts.gaussian import GaussianFamily
from likely.distributions.vectors.family import MultivariateGaussianFamily
from likely.engines import Serial, Threads, use
from likely.models.generative.folds import left_out as out_of_fold
from likely.models.generative.folds.dense import DenseFolds
from likely.models.generative.folds.parts import PartedTable
from likely.numeric.kernels.densities.covariances import whiten_groups
from likely.numeric.kernels.left_out import fold_scores

MODELS = {
    "naive": NaiveBayes(),
    "naive with priors": NaiveBayes(class_prior=[0.5, 0.3, 0.2]),
    "naive map": BayesClassifier(GaussianFamily(estimation="map", ddof=1)),
    "naive bayes": BayesClassifier(GaussianFamily(estimation="bayes")),
    "full": GaussianBayes("full"),
    "full, ddof 1": GaussianBayes("full", ddof=1),
    "full map": BayesClassifier(MultivariateGaussianFamily("full", estimation="map")),
    "shared": GaussianBayes("shared", class_alpha=1.0),
    "shared, ddof 1": GaussianBayes("shared", ddof=1),
    "diagonal": GaussianBayes("diagonal"),
    "shared spherical": GaussianBayes("shared_spherical"),
}


def rows(n=300, d=6, offset=0.0, seed=0, sizes=None):
    """Three classes of correlated columns, and the folds of three repeats."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 if sizes is None else np.repeat(np.arange(len(sizes)), sizes))
    mix = rng.normal(size=(3, d, d)) / 2 + np.eye(d)
    x = np.einsum("nij,nj->ni", mix[y % 3], rng.normal(size=(len(y), d))) + y[:, None] * 0.4 + offset
    folds = np.stack([rng.permutation(np.arange(len(y)) % 5) for _ in range(3)])
    return np.ascontiguousarray(x), y, folds


def in_general(monkeypatch, model, x, y, folds, weight=None):
    with monkeypatch.context() as patch:
        patch.setattr(out_of_fold.DenseFolds, "of", classmethod(lambda cls, *_: None))
        return model.out_of_fold(x, y, folds, weight)


def refitted(model, x, y, fold, weight=None):
    classes = np.unique(y)
    out = np.full((len(y), len(classes)), -np.inf)
    for f in np.unique(fold):
        seen, test = fold != f, fold == f
        fitted = type(model)(**model.get_params(deep=False))
        fitted.fit(x[seen], y[seen], sample_weight=None if weight is None else weight[seen])
        out[np.ix_(np.flatnonzero(test), np.isin(classes, fitted.classes_))] = fitted.predict_log_proba(x[test])
    return out


def folded(model, x, y, folds):
    table = PartedTable.of(model, x, y)
    return DenseFolds.of(table, list(folds), [int(fold.max()) + 1 for fold in folds])


def close(a, b, tolerance=1e-10):
    np.testing.assert_allclose(np.exp(a), np.exp(b), rtol=0, atol=tolerance)
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", MODELS)
def test_equal_to_the_general_way_and_to_refits(monkeypatch, name):
    model = MODELS[name]
    x, y, folds = rows()
    assert folded(model, x, y, folds) is not None
    quick = model.out_of_fold(x, y, folds)
    close(quick, in_general(monkeypatch, model, x, y, folds))
    close(quick[1], refitted(model, x, y, folds[1]))


class Doubting(GaussianFamily):
    """A user's own: what it inherits of shorter ways would not be the way to its estimate."""

    def estimate(self, statistic):
        fitted = super().estimate(statistic)
        return replace(fitted, variance=2 * fitted.variance)


def test_a_subclass_that_estimates_otherwise_has_no_shorter_way():
    x, y, folds = rows(n=60)
    model = BayesClassifier(Doubting())
    assert folded(model, x, y, folds) is None
    close(model.out_of_fold(x, y, folds)[0], refitted(model, x, y, folds[0]))
    every = np.arange(len(y))
    close(model.out_of_fold(x, y, every), refitted(model, x, y, every))


@pytest.mark.parametrize("name", ["naive", "full", "shared"])
def test_scores_take_the_quick_way_wherever_they_can(monkeypatch, name):
    x, y, folds = rows()
    monkeypatch.setattr(PartedTable, "_judged", lambda *_: pytest.fail("the general way was taken"))
    quick = MODELS[name].out_of_fold(x, y, folds)
    np.testing.assert_allclose(np.exp(quick).sum(axis=2), 1.0, rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", ["naive", "full", "shared"])
@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 7, 8, 15, 16, 17])
def test_any_number_of_columns(monkeypatch, name, d):
    x, y, folds = rows(n=211, d=d, seed=d)
    close(MODELS[name].out_of_fold(x, y, folds), in_general(monkeypatch, MODELS[name], x, y, folds))


@pytest.mark.parametrize("name", ["naive", "full", "shared"])
def test_far_from_the_origin(monkeypatch, name):
    """Deviations are exact at 1e8; what differs is how the last bit of a mean is rounded, 1.5e-8 of a deviation."""
    x, y, folds = rows(offset=1e8)
    quick = MODELS[name].out_of_fold(x, y, folds)
    close(quick, in_general(monkeypatch, MODELS[name], x, y, folds), 1e-6)
    near = MODELS[name].out_of_fold(x - 1e8, y, folds)
    close(quick, near, 1e-6)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["naive", "full", "shared"])
def test_float32(monkeypatch, name):
    x, y, folds = rows()
    single = x.astype(np.float32)
    quick = MODELS[name].out_of_fold(single, y, folds)
    close(quick, in_general(monkeypatch, MODELS[name], single, y, folds))
    close(quick, MODELS[name].out_of_fold(single.astype(np.float64), y, folds))


@pytest.mark.sample(7)
@pytest.mark.parametrize("name", ["naive", "full", "shared", "diagonal"])
@pytest.mark.parametrize("sizes", [(200, 40, 1), (200, 40, 2), (200, 6, 5), (120, 120, 8), (9, 3, 2)])
def test_tiny_classes(monkeypatch, name, sizes):
    x, y, folds = rows(sizes=sizes)
    quick = MODELS[name].out_of_fold(x, y, folds)
    close(quick, in_general(monkeypatch, MODELS[name], x, y, folds))
    close(quick[0], refitted(MODELS[name], x, y, folds[0]))


def spoiled(kind):
    x, y, folds = rows()
    if kind == "constant":
        x[:, 2] = 7.0
    elif kind == "constant but for one fold":
        x[:, 2] = np.where(folds[0] == 3, x[:, 2], 7.0)
    elif kind == "constant in a class":
        x[y == 1, 2] = 7.0
    elif kind == "repeated":
        x[:, 4] = 2 * x[:, 1] - x[:, 0]
    elif kind == "almost repeated":
        x[:, 4] = x[:, 1] + 1e-7 * x[:, 4]
    elif kind == "units":
        x *= 10.0 ** np.array([-120, 120, 0, 30, -30, 5])
    elif kind == "outlier":
        x[11, 3] = 1e12
    elif kind == "a class in one fold only":
        folds[0] = np.where(y == 2, 0, folds[0])
    return x, y, folds


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", ["naive", "naive map", "full", "shared", "shared, ddof 1"])
@pytest.mark.parametrize(
    "kind",
    ["constant", "constant but for one fold", "constant in a class", "repeated", "units", "a class in one fold only"],
)
def test_out_of_the_ordinary(monkeypatch, name, kind):
    x, y, folds = spoiled(kind)
    quick = MODELS[name].out_of_fold(x, y, folds)
    close(quick, in_general(monkeypatch, MODELS[name], x, y, folds))
    close(quick[0], refitted(MODELS[name], x, y, folds[0]))


@pytest.mark.parametrize("name", ["naive", "full", "shared"])
@pytest.mark.parametrize(("kind", "tolerance"), [("almost repeated", 1e-4), ("outlier", 1e-3)])
def test_hard_on_the_digits(monkeypatch, name, kind, tolerance):
    """Both ways lose the digits that the data ask for; neither loses more than that."""
    x, y, folds = spoiled(kind)
    quick = np.exp(MODELS[name].out_of_fold(x, y, folds))
    assert np.isfinite(quick).all()
    general = np.exp(in_general(monkeypatch, MODELS[name], x, y, folds))
    np.testing.assert_allclose(quick, general, rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", ["naive", "full", "shared"])
def test_missing_cells_and_weights_take_the_general_way(name):
    x, y, folds = rows()
    weight = np.random.default_rng(1).uniform(0.5, 2, len(y))
    assert DenseFolds.of(PartedTable.of(MODELS[name], x, y, weight), list(folds), [5, 5, 5]) is None
    weighted = MODELS[name].out_of_fold(x, y, folds, weight)
    close(weighted[0], refitted(MODELS[name], x, y, folds[0], weight))
    x[np.random.default_rng(2).random(x.shape) < 0.02] = np.nan
    assert folded(MODELS[name], x, y, folds) is None
    close(MODELS[name].out_of_fold(x, y, folds)[2], refitted(MODELS[name], x, y, folds[2]))


def test_repeats_of_different_numbers_of_folds_take_the_general_way():
    x, y, folds = rows()
    folds[1] %= 3
    assert folded(NaiveBayes(), x, y, folds) is None
    close(NaiveBayes().out_of_fold(x, y, folds)[1], refitted(NaiveBayes(), x, y, folds[1]))


@pytest.mark.parametrize("name", ["naive", "full", "shared"])
def test_the_same_bits_on_any_engine(name):
    x, y, folds = rows(n=20_000)
    with use(Serial()):
        one = MODELS[name].out_of_fold(x, y, folds)
    with use(Threads(3)):
        np.testing.assert_array_equal(one, MODELS[name].out_of_fold(x, y, folds))


def test_sums_in_several_pieces(monkeypatch):
    x, y, folds = rows(n=1000)
    whole = GaussianBayes("full").out_of_fold(x, y, folds)
    monkeypatch.setattr("likely.models.generative.folds.dense._SORTED_CELLS", 1)
    monkeypatch.setattr("likely.models.generative.folds.dense._GATHERED", 64)
    close(GaussianBayes("full").out_of_fold(x, y, folds), whole)


def test_values_far_beyond_the_rest_keep_every_score_finite():
    x = np.array([[0.0], [1e200], [1.0]])
    mean, inverse, constant = np.zeros((1, 2, 4)), np.ones((1, 2, 4)), np.array([[0.0, 1.0]])
    out = np.empty((2, 3))
    fold_scores.gaussian_scores(x, np.array([2, 1, 0]), np.array([3]), mean, inverse, constant, out)
    assert np.isfinite(out).all()
    np.testing.assert_array_equal(out[:, 0], [-0.5, 0.5])


def test_whitening_of_one_group_is_that_of_its_covariance():
    rng = np.random.default_rng(3)
    z = rng.normal(size=(50, 3)) @ rng.normal(size=(3, 3))
    origin, k, d = np.array([[4.0, -1.0, 2.0]]), 1, 3
    made = [np.zeros((k, d)), np.zeros(d), np.zeros(d), np.zeros((k, d)), np.zeros((k, d, d)), np.zeros(k)]
    sums = (origin, np.array([50]), z.sum(axis=0)[None], (z.T @ z)[None])
    assert whiten_groups(*sums, False, 1, *made)
    mean, centre, inverse_scale, _, whitening, half = made
    covariance = np.cov(z.T)
    np.testing.assert_allclose(mean[0], z.mean(axis=0) + origin[0])
    np.testing.assert_allclose(centre, mean[0])
    np.testing.assert_allclose(np.linalg.inv(whitening[0] * inverse_scale), np.linalg.cholesky(covariance), atol=1e-12)
    assert half[0] == pytest.approx(np.linalg.slogdet(covariance)[1] / 2)
    few = (origin, np.array([3]), z[:3].sum(axis=0)[None], (z[:3].T @ z[:3])[None])
    assert not whiten_groups(*few, False, 1, *made)
