"""Principal components: agreement, algebra, gaps, wide and sparse tables, intervals, and data that would trip them."""

import warnings

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from sklearn.decomposition import PCA as Reference

import likely
from likely import PCA, Hierarchy, KMeans
from likely.data.design import DesignPlan
from likely.errors import InputError, TierError
from likely.models.components import explained_share, project


def rows(n=200, d=6, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d) * 3


@pytest.mark.parametrize("count", [None, 3, 0.9])
@pytest.mark.parametrize("whiten", [False, True])
def test_agrees_with_scikit_learn(count, whiten):
    x = rows()
    ours, theirs = PCA(count, whiten=whiten).fit(x), Reference(count, whiten=whiten, svd_solver="full").fit(x)
    assert ours.n_components_ == theirs.n_components_
    for name in ("explained_variance_", "explained_variance_ratio_", "singular_values_", "mean_", "noise_variance_"):
        assert np.allclose(getattr(ours, name), getattr(theirs, name), atol=1e-12), name
    assert np.allclose(np.abs(ours.components_), np.abs(theirs.components_))
    assert np.allclose(np.abs(ours.transform(x)), np.abs(theirs.transform(x)))
    assert np.allclose(ours.inverse_transform(ours.transform(x)), theirs.inverse_transform(theirs.transform(x)))


def test_loadings_are_correlations_of_columns_and_scores():
    x = rows()
    for standardize in (False, True):
        model = PCA(3, standardize=standardize).fit(x)
        scores = model.transform(x)
        expected = [[np.corrcoef(x[:, j], scores[:, i])[0, 1] for i in range(3)] for j in range(6)]
        assert np.allclose(model.loadings_, expected)


def test_standardised_components_do_not_depend_on_units():
    x = rows()
    one, other = (PCA(2, standardize=True).fit(each) for each in (x, x * [1, 10, 100, 1e3, 1e4, 1e5]))
    assert np.allclose(one.components_, other.components_)
    assert not np.allclose(PCA(2).fit(x).components_, one.components_)


def test_merged_forgotten_learned_on_and_read_from_a_file(tmp_path):
    x = rows(300) + 1e7
    whole = PCA(3).fit(x)
    merged = PCA(3).fit(x[:100]) + PCA(3).fit(x[100:])
    onward = PCA(3)
    for part in np.array_split(x, 5):
        onward.partial_fit(part)
    more = rows(50, seed=9) + 1e7
    forgot = PCA(3).fit(np.concatenate([x, more])).forget(more)
    pl.DataFrame(x, schema=list("abcdef")).write_parquet(tmp_path / "x.parquet")
    of_file = PCA(3).fit(likely.scan(tmp_path / "x.parquet"))
    for model in (merged, onward, of_file):
        assert np.allclose(model.components_, whole.components_, atol=1e-9)
        assert np.allclose(model.explained_variance_, whole.explained_variance_, rtol=1e-9)
    assert np.allclose(forgot.explained_variance_, whole.explained_variance_, rtol=1e-6)
    assert forgot.n_samples_ == 300
    with pytest.raises(InputError, match="same parameters"):
        whole.merge(PCA(2).fit(x))
    with pytest.raises(InputError, match="not with a"):
        whole.merge(3)
    with pytest.raises(TierError, match="cannot merge"):
        wide = PCA(2, solver="randomized", random_state=0).fit(x)
        wide.merge(wide)


def test_tables_of_other_levels_do_not_merge():
    one, two = pl.DataFrame({"a": ["x", "y"] * 5, "b": range(10)}), pl.DataFrame({"a": ["x", "z"] * 5, "b": range(10)})
    with pytest.raises(InputError, match=r"same columns or levels \(a=z\)"):
        PCA(1).fit(one).merge(PCA(1).fit(two))
    with pytest.raises(InputError, match=r"same columns or levels \(a=z\)"):
        PCA(1).fit(one).partial_fit(two)
    both = PCA(1).fit(one[:6]) + PCA(1).fit(one[6:])
    assert np.allclose(both.components_, PCA(1).fit(one).components_)


def test_gaps_by_maximum_likelihood():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 2)) @ rng.normal(size=(2, 5)) + 0.1 * rng.normal(size=(400, 5))
    gaps = np.where(rng.random(x.shape) < 0.25, np.nan, x)
    model, pairs = PCA(2).fit(gaps), PCA(2, missing="pairs").fit(gaps)
    truth = PCA(2).fit(x)
    assert (np.diff(model.log_likelihoods_) > -1e-8).all() and model.n_iter_ > 1
    assert np.allclose(model.explained_variance_, truth.explained_variance_, rtol=0.1)
    planes = [each.components_.T @ each.components_ for each in (model, truth)]
    assert np.abs(planes[0] - planes[1]).max() < 0.02
    filled = model.complete(gaps)
    holes = np.isnan(gaps)
    assert np.array_equal(filled[~holes], gaps[~holes]) or np.allclose(filled[~holes], gaps[~holes])
    assert np.sqrt(np.mean((filled - x)[holes] ** 2)) < 0.6 * x.std()  # of some rows only one cell is left
    assert np.isfinite(model.transform(gaps)).all() and np.isfinite(pairs.transform(gaps)).all()
    assert len(pairs.log_likelihoods_) == 0
    assert not np.allclose(pairs.explained_variance_, model.explained_variance_)
    assert np.allclose(
        (PCA(2, missing="pairs").fit(gaps[:200]) + PCA(2, missing="pairs").fit(gaps[200:])).mean_, pairs.mean_
    )
    short = PCA(2, max_iter=2).fit(gaps)
    assert len(short.log_likelihoods_) == 2


def test_a_row_with_no_cell_is_at_the_mean():
    x = rows()
    model = PCA(2).fit(x)
    assert np.allclose(model.transform(np.full((1, 6), np.nan)), 0.0)


def test_randomised_finds_the_leading_components():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 5)) * [10, 8, 6, 4, 2] @ np.linalg.qr(rng.normal(size=(60, 5)))[0].T
    x += 0.1 * rng.normal(size=x.shape) + 100
    exact = PCA(4).fit(x)
    for given in (x, csr_matrix(x)):
        for standardize in (False, True):
            found = PCA(4, solver="randomized", standardize=standardize, random_state=0).fit(given)
            exact = PCA(4, standardize=standardize).fit(x)
            assert np.allclose(found.explained_variance_, exact.explained_variance_, rtol=1e-6)
            assert np.allclose(found.components_, exact.components_, atol=1e-4)
            assert found.explained_variance_ratio_.sum() == pytest.approx(exact.explained_variance_ratio_.sum())
            assert np.allclose(found.transform(given), exact.transform(x), atol=1e-2)
    with pytest.raises(InputError, match="not a share"):
        PCA(0.9, solver="randomized").fit(x)


def test_texts_have_components():
    texts = pl.DataFrame(
        {"text": [f"{a} {b}" for a in ("sun moon", "bread milk") for b in ("one", "two", "three")] * 9}
    )
    model = PCA(1, kinds={"text": "text"}, random_state=0).fit(texts)
    scores = model.transform(texts)[:, 0].reshape(9, 2, 3)
    assert (np.sign(scores[:, 0]) != np.sign(scores[:, 1])).all()


def test_weights_are_that_many_rows():
    x, weight = rows(60), np.random.default_rng(1).integers(0, 4, 60)
    weighed, repeated = PCA(3).fit(x, sample_weight=weight), PCA(3).fit(np.repeat(x, weight, axis=0))
    assert np.allclose(weighed.components_, repeated.components_)
    assert np.allclose(weighed.explained_variance_, repeated.explained_variance_)


@pytest.mark.parametrize("trials", [60, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("tails", ["normal", "heavy"])
def test_intervals_of_shares_cover(trials, tails):
    rng = np.random.default_rng(0)

    def draw():
        return rng.normal(size=(150, 4)) if tails == "normal" else rng.standard_t(5, size=(150, 4)) / np.sqrt(5 / 3)

    variances = np.array([5.0, 3.0, 1.0, 0.5])
    truth = np.cumsum(variances) / variances.sum()
    inside = np.zeros(3)
    for _ in range(trials):
        x = draw() * np.sqrt(variances)
        found = PCA().fit(x).share_intervals(None if tails == "normal" else x)
        inside += [truth[i] in found[i] for i in range(3)]
    margin = 3.5 * np.sqrt(0.95 * 0.05 / trials)
    assert (inside / trials > 0.95 - 0.03 - margin).all() and (inside / trials < 0.99 + margin).all()


def test_degenerate_tables():
    flat = PCA().fit(np.ones((5, 3)))
    assert flat.explained_variance_.tolist() == [0, 0, 0] and np.isfinite(flat.transform(np.ones((2, 3)))).all()
    assert [float(each) for each in flat.share_intervals()] == [0, 0, 0] and not flat.loadings_.any()
    assert PCA(whiten=True).fit(np.ones((5, 3))).transform([[2.0, 1.0, 1.0]]).tolist() == [[0, 0, 0]]
    one = PCA().fit([[1.0], [2.0], [4.0]])
    assert one.components_.tolist() == [[1.0]]
    with pytest.raises(InputError, match="every cell"):
        PCA().fit(np.full((4, 2), np.nan))
    with pytest.warns(UserWarning, match="'x1' has no value"):
        hollow = PCA(1).fit(np.column_stack([np.arange(6.0), np.full(6, np.nan)]))
    assert np.allclose(hollow.components_, [[1.0, 0.0]])
    few = PCA().fit(rows(3))
    assert few.n_components_ == 3 and few.explained_variance_[2] == 0
    assert np.allclose(few.components_ @ few.components_.T, np.eye(3))
    single = PCA().fit([[1.0, 2.0]])
    assert single.n_components_ == 1 and single.explained_variance_.tolist() == [0.0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n_components": 0}, "n_components is"),
        ({"n_components": 1.5}, "n_components is"),
        ({"n_components": "mle"}, "n_components is"),
        ({"n_components": 9}, "n_components=9 must be at most 6"),
        ({"solver": "full"}, "unknown solver='full'"),
        ({"missing": "drop"}, "unknown missing='drop'"),
        ({"max_iter": 0}, "max_iter must be"),
    ],
)
def test_bad_parameters_are_named(options, said):
    with pytest.raises(InputError, match=said):
        PCA(**options).fit(rows())


def test_scores_of_another_number_of_components_are_refused():
    with pytest.raises(InputError, match="expected scores of 2 components"):
        PCA(2).fit(rows()).inverse_transform([[1.0]])


def test_projections_and_shares_are_checked():
    assert project([[5.0, 0.0]], [0.6, 0.8]).tolist() == [[3.0]]
    for wrong in ([[1.0, 1.0]], [[1.0, 0.0], [0.6, 0.8]], [[1.0, 0.0, 0.0]]):
        with pytest.raises(InputError):
            project([[5.0, 0.0]], *wrong)
    with pytest.raises(InputError):
        explained_share([1.0, -1.0], 1)
    with pytest.raises(InputError):
        explained_share([1.0], 2)
    assert explained_share([0.0, 0.0], 1) == 1.0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("gaps", [False, True])
def test_the_scatter_of_numbers_says_what_the_design_needs(weighted, gaps, monkeypatch):
    rng = np.random.default_rng(8)
    x = rng.normal(size=(300, 4)) @ rng.normal(size=(4, 4)) + [0.0, 5.0, -3.0, 1e4]
    if gaps:
        x[rng.random(x.shape) < 0.1] = np.nan
    weight = rng.integers(0, 3, size=300).astype(np.float64) if weighted else None
    monkeypatch.setattr(DesignPlan, "summarize", None)  # one pass over the table, not two
    once = PCA().fit(x, sample_weight=weight)
    monkeypatch.undo()
    design = once.design_.plan.summarize(x, 0, weight)
    for name in ("count", "mean", "second"):
        own, its = (
            getattr(part.about(design.parts[0].origin), name) for part in (once.sums_.parts[0], design.parts[0])
        )
        assert np.allclose(own, its, rtol=1e-12)
    assert np.array_equal(once.sums_.weight, design.weight)
    assert np.allclose(once.statistic_.mean, once.sums_.parts[0].mean, rtol=1e-14)


@pytest.mark.parametrize("kept", [{}, {"missing": "pairs"}, {"solver": "randomized", "n_components": 3}])
@pytest.mark.parametrize("third", [[np.nan, np.nan, np.nan], [0.1, np.nan, 0.1]])
def test_a_column_that_does_not_vary_has_no_part_of_the_variance_whatever_its_gaps(kept, third):
    x = np.random.default_rng(0).normal(size=(120, 2)) @ [[2.0, 1.0], [0.0, 1.0]]
    table = np.column_stack([x, np.resize(third, 120)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that nothing was observed
        model = PCA(standardize=True, random_state=0, **kept).fit(table)
    alone = PCA(standardize=True).fit(x)
    assert model.explained_variance_ratio_ == pytest.approx([*alone.explained_variance_ratio_, 0.0], abs=1e-9)
    assert not model.loadings_[2].any() and model.scale_[2] == 1.0
    assert [each.value for each in model.share_intervals()][:2] == pytest.approx(
        [each.value for each in alone.share_intervals()]
    )


@pytest.mark.parametrize("make", [lambda: PCA(), lambda: KMeans(2, random_state=0), lambda: Hierarchy()])
def test_a_column_without_a_value_is_named(make):
    table = pl.DataFrame(
        {"a": [1.0, 2.0, 5.0], "b": [None, None, None], "c": [2.0, 1.0, 7.0]}, schema_overrides={"b": pl.Float64}
    )
    with pytest.warns(UserWarning, match="column 'b' has no value in any row: it says nothing"):
        make().fit(table)
    make().fit(table.drop("b"))  # no warning


def test_rows_that_are_all_equal_have_shares_of_nothing():
    model = PCA(2).fit(np.ones((9, 3)))
    shares = model.share_intervals()
    assert [(each.value, each.low, each.high) for each in shares] == [(0.0, 0.0, 0.0)] * 2
    assert not model.explained_variance_ratio_.any()


def test_one_as_a_float_is_no_share():
    x = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(InputError, match=r"n_components=1\.0 is neither a share below 1 nor the whole number 1"):
        PCA(1.0).fit(x)
