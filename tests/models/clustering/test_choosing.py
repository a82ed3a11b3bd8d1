"""How many clusters: agreement with scikit-learn's figures, the right number, and none where there are none."""

import warnings

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import adjusted_rand_score, silhouette_samples

from likely import KMeans
from likely.errors import InputError
from likely.models.clustering import adjusted_rand, choose_clusters, choosing, silhouette


def blobs(groups=3, rows=90, apart=8.0):
    rng = np.random.default_rng(groups)
    centres = apart * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[:groups]
    return rng.normal(size=(rows, 2)) + centres[np.arange(rows) % groups]


def test_figures_are_scikit_learns():
    rng = np.random.default_rng(0)
    x, a, b = rng.normal(size=(60, 3)), rng.integers(4, size=60), rng.integers(3, size=60)
    found = silhouette(x, a)
    assert np.allclose(found.values, silhouette_samples(x, a))
    assert found.mean.value == pytest.approx(found.values.mean()) and found.mean.low < found.mean.value
    assert found.by_cluster()[0] == pytest.approx(found.values[a == 0].mean())
    assert adjusted_rand(a, b) == pytest.approx(adjusted_rand_score(a, b))


def test_a_row_alone_has_none_and_gaps_are_measured_around():
    x = np.array([[0.0, 0.0], [0.1, np.nan], [9.0, 9.0]])
    assert silhouette(x, [0, 0, 1]).values[2] == 0
    assert silhouette(x, [0, 0, 1]).values[0] > 0.9
    with pytest.raises(InputError, match="two different values"):
        silhouette(x, [1, 1, 1])
    with pytest.raises(InputError, match="as many labels"):
        silhouette(x, [1, 2])


@pytest.mark.parametrize("groups", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_the_right_number_is_found(groups):
    found = choose_clusters(blobs(groups), 5, n_init=5, resamples=5, null=19)
    assert found.clustered and found.best == groups
    assert found.by_criterion()["bic"] == found.by_criterion()["silhouette"] == groups
    assert (np.diff(found.error) < 0).all()
    frame = found.frame()
    assert frame["clusters"].to_list() == [1, 2, 3, 4, 5] and frame["silhouette"][0] is None
    assert "chosen by bic" in str(found)
    assert found.stability[groups - 1] > 0.95


def test_a_single_cloud_is_said_to_be_one():
    x = np.random.default_rng(1).normal(size=(80, 2)) @ [[2.0, 1.0], [0.0, 0.5]]
    with pytest.warns(UserWarning, match="the table shows no clusters"):
        found = choose_clusters(x, 3, n_init=2, resamples=2, null=19)
    assert found.best == 1 and not found.clustered and "one cloud would show as much" in str(found)


def test_too_little_to_choose_from():
    with pytest.raises(InputError, match="three rows at least"):
        choose_clusters([[1.0], [2.0]], 5)
    with pytest.raises(InputError, match="resamples"):
        choose_clusters(blobs(), 3, resamples=1)
    with pytest.warns(UserWarning, match="no clusters"):
        assert choose_clusters(np.ones((8, 2)), 3, n_init=1, resamples=2, null=19).best == 1


def test_a_column_without_a_cell_has_no_say():
    x = blobs(2)
    found = choose_clusters(np.c_[x, np.full(len(x), np.nan)], 3, n_init=2, resamples=2, null=19)
    assert found.clustered and found.best == 2


def test_many_rows_are_halved_in_part(monkeypatch):
    held = []
    fit = KMeans.fit
    monkeypatch.setattr(KMeans, "fit", lambda self, x, *rest: held.append(len(x)) or fit(self, x, *rest))
    monkeypatch.setattr(choosing, "_HALVED", 50)
    found = choose_clusters(blobs(2), 2, n_init=1, resamples=3, null=19)
    assert held.count(25) == 6 and found.stability[1] > 0.95


@pytest.mark.slow
def test_one_cloud_passes_for_clusters_as_seldom_as_it_says():
    import warnings

    rng = np.random.default_rng(0)
    found = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(60):
            found += choose_clusters(rng.normal(size=(50, 2)), 3, n_init=1, resamples=2, null=19).clustered
    assert found <= 9  # 5 % of 60 is 3; 10 or more have a chance of 0.001


def test_the_interval_of_silhouettes_counts_what_rows_do_to_each_other():
    """The derivative of the mean by each row's weight, against differences with the row given twice."""
    rng = np.random.default_rng(2)
    x, labels = rng.normal(size=(40, 2)) + 2.0 * (np.arange(40) % 3)[:, None], np.arange(40) % 3
    found = silhouette(x, labels)
    n, mean = len(x), found.mean.value
    moved = []
    for i in range(n):  # a copy of weight e, by mixing two tables: 0 apart from its original, so a and b are weighted
        apart = np.linalg.norm(x[:, None] - x, axis=2)

        def weighted(e, i=i, apart=apart):
            weight = np.ones(n)
            weight[i] += e
            sums = np.stack([apart[:, labels == c] @ weight[labels == c] for c in range(3)], axis=1)
            size = np.array([weight[labels == c].sum() for c in range(3)])
            less = np.eye(n)[i] * e  # what a row's own further weight is not among
            a = sums[np.arange(n), labels] / (size[labels] - 1 - less)
            others = sums / size
            others[np.arange(n), labels] = np.inf
            b = others.min(axis=1)
            return (weight @ ((b - a) / np.maximum(a, b))) / weight.sum()

        moved.append(n * (weighted(1e-6) - mean) / 1e-6)
    expected = np.sqrt(np.square(moved).sum() / (n * (n - 1)))
    assert found.mean.standard_error == pytest.approx(expected, rel=1e-3)


@pytest.mark.slow
def test_intervals_of_silhouettes_hold_the_mean_of_other_tables():
    from likely import KMeans

    def table(seed):
        rng = np.random.default_rng(seed)
        return np.array([[0, 0], [3, 0], [0, 3]])[rng.integers(0, 3, 150)] + rng.normal(size=(150, 2))

    found = []
    for seed in range(300):
        x = table(seed)
        found.append(silhouette(x, KMeans(3, n_init=3, random_state=seed).fit(x).labels_).mean)
    truth = np.mean([each.value for each in found])
    assert np.mean([each.low <= truth <= each.high for each in found]) > 0.9


@pytest.mark.parametrize("numbers", [False, True])
def test_levels_that_know_nothing_of_each_other_are_no_clusters(numbers):
    rng = np.random.default_rng(2)
    told = rng.integers(0, 2, size=(120, 4)) if numbers else rng.choice(list("abc"), size=(120, 4))
    table = pl.DataFrame({f"c{j}": column.astype(float) if numbers else column for j, column in enumerate(told.T)})
    with pytest.warns(UserWarning, match="the table shows no clusters"):
        assert choose_clusters(table, 3, n_init=2, resamples=2, null=19).best == 1


def test_levels_that_go_together_are_clusters():
    rng = np.random.default_rng(3)
    kind = rng.integers(0, 2, 120)
    cells = np.where(rng.random((120, 5)) < 0.9, kind[:, None], 1 - kind[:, None])
    table = pl.DataFrame({f"c{j}": np.array(["no", "yes"])[column] for j, column in enumerate(cells.T)})
    found = choose_clusters(table, 3, n_init=2, resamples=2, null=19)
    assert found.clustered and found.best == 2


@pytest.mark.parametrize("unit", [(1.0, 0.0), (3.7, 0.3)])
def test_as_many_clusters_as_combinations_of_levels_do_not_hide_two_exact_points(unit):
    x = np.repeat([[0.0, 0.0], [1.0, 1.0]], 20, axis=0) * unit[0] + unit[1]
    found = choose_clusters(x, 5, resamples=2, null=19)
    assert found.clustered and found.best == 2
    assert found.numbers.tolist() == [1, 2]  # of two different rows there are no more
    x[0], x[-1] = [x[0, 0], x[-1, 1]], [x[-1, 0], x[0, 1]]
    assert choose_clusters(x, 5, resamples=2, null=19).clustered  # with an exception in each


@pytest.mark.slow
def test_few_independent_levels_seldom_pass_for_clusters():
    rng, passed = np.random.default_rng(4), 0
    for _ in range(40):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = rng.integers(2, size=(40, 3)).astype(float)
            passed += choose_clusters(table, 8, n_init=1, resamples=2, null=19).clustered
    assert passed <= 6  # of 40, one in twenty: 2 are expected


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_clusters": 1}, "max_clusters"),
        ({"max_clusters": 2.5}, "max_clusters"),
        ({"max_clusters": "four"}, "max_clusters"),
        ({"n_init": 0}, "n_init"),
        ({"resamples": True}, "resamples"),
        ({"null": 5}, "null"),
    ],
)
def test_mistakes_are_refused(options, words):
    with pytest.raises(InputError, match=f"{words} must be a whole number"):
        choose_clusters(blobs(), **options)


def test_bic_counts_the_cells_that_are_there():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2)) + 8.0 * (np.arange(60) % 2)[:, None]
    own = KMeans(2, random_state=0).fit(x)
    empty = np.column_stack([x, np.full(60, np.nan)])  # a column without a cell says nothing
    with pytest.warns(UserWarning, match="'x2' has no value in any row"):
        other = KMeans(2, init=np.column_stack([own.centres_, [0.0, 0.0]]), kinds="numeric").fit(empty)
    assert choosing._bic(other, empty) == pytest.approx(choosing._bic(own, x))
    holes = np.where(rng.random(x.shape) < 0.3, np.nan, x)
    fit = KMeans(2, init=own.centres_).fit(holes)
    away = np.square(holes - fit.centres_[fit.labels_])
    cells, rows = int((~np.isnan(holes)).sum()), np.bincount(fit.labels_)
    variance = np.nansum(away) / (cells - 4)
    densities = -0.5 * np.nansum(away / variance + np.log(2 * np.pi * variance) * ~np.isnan(holes))
    height = densities + rows @ np.log(rows / 60)
    assert choosing._bic(fit, holes) == pytest.approx(-2 * height + 6 * np.log(60))
