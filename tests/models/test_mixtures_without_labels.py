"""Mixtures without labels: against scikit-learn, on mixed tables with gaps, hostile data, and as classes' families."""

import warnings

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.utils.estimator_checks import check_estimator

import likely
from likely import BayesClassifier, KMeans, Mixture, cross_validate, engines, load, save
from likely.data.bundled import penguins
from likely.distributions import GaussianFamily, MixtureDistribution, MixtureFamily, MultivariateGaussian, fit
from likely.errors import InputError, LikelyError, TierError
from likely.models import mixture_path

COVARIANCES = {"full": "full", "shared": "tied", "diagonal": "diag", "spherical": "spherical"}


def blobs(seed=0, n=300):
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, 3, n)
    centre = np.array([[-4.0, 4.0], [0.0, 0.0], [5.0, -5.0]])[hidden]
    return rng.normal(centre, [1.0, 0.7]), hidden


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_the_maximum_is_that_of_scikit_learn(covariance):
    x, _ = blobs()
    ours = Mixture(3, covariance=covariance, pseudo_rows=0, n_init=3, tol=1e-12, random_state=0).fit(x)
    theirs = GaussianMixture(3, covariance_type=COVARIANCES[covariance], reg_covar=0, tol=1e-10, max_iter=500, n_init=3)
    theirs.set_params(random_state=0).fit(x)
    assert ours.score(x) == pytest.approx(theirs.score(x), rel=1e-7)
    assert ours.bic(x) == pytest.approx(theirs.bic(x), rel=1e-7)
    assert ours.aic(x) == pytest.approx(theirs.aic(x), rel=1e-7)
    order, its = np.argsort(ours.means_[:, 0]), np.argsort(theirs.means_[:, 0])
    assert ours.means_[order] == pytest.approx(theirs.means_[its], abs=1e-4)
    assert ours.predict_proba(x)[:, order] == pytest.approx(theirs.predict_proba(x)[:, its], abs=1e-4)


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`")
def test_it_is_an_estimator_of_scikit_learn():
    reason = "takes predict_proba for that of a classifier, with as many columns as y has classes"
    expected = {f"check_estimator_sparse_{form}": reason for form in ("array", "matrix")}
    model = Mixture(n_init=2, random_state=0)
    results = check_estimator(model, on_fail=None, on_skip=None, expected_failed_checks=expected)
    assert len(results) > 40
    assert not {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}


def table(seed=0, n=400):
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, 2, n)
    levels = [["red", "green", "blue"][c] if rng.random() > 0.2 else None for c in (hidden + (rng.random(n) < 0.2)) % 3]
    a = np.where(rng.random(n) < 0.1, np.nan, rng.normal(5 * hidden))
    columns = {
        "a": a,
        "b": rng.normal(-3.0 * hidden + a * 0.3),
        "colour": levels,
        "visits": rng.poisson(2 + 9 * hidden),
    }
    return pl.DataFrame(columns), hidden


@pytest.mark.parametrize("seed", range(3))
def test_mixed_tables_with_gaps_climb_without_a_fall_and_find_what_is_hidden(seed):
    x, hidden = table(seed)
    model = Mixture(
        2, {"a": "gaussian", "b": "gaussian", "colour": "nominal", "visits": "poisson"}, random_state=0
    ).fit(x)
    assert np.diff(model.log_posteriors_).min() > -1e-9 * abs(model.log_posteriors_[-1])
    assert adjusted_rand_score(hidden, model.predict(x)) > 0.9
    assert model.converged_ and len(model.starts_) == 10 and model.starts_.max() == model.log_posteriors_.max()
    auto = Mixture(2, "auto", random_state=0).fit(x)
    assert adjusted_rand_score(hidden, auto.predict(x)) > 0.9
    drawn, component = auto.sample(50, random_state=0)
    assert drawn.columns == x.columns and set(component) <= {0, 1}


def test_species_are_found_among_penguins():
    birds = penguins().drop_nulls()
    measures = birds.select("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
    model = Mixture(3, n_init=5, random_state=0).fit(measures)
    assert adjusted_rand_score(birds["species"], model.predict(measures)) > 0.8


def test_order_weights_chunks_and_threads_are_no_matter():
    x, _ = blobs(3)
    plain = Mixture(3, n_init=2, random_state=0).fit(x)
    shuffled = np.random.default_rng(1).permutation(len(x))
    again = Mixture(3, n_init=2, random_state=0).fit(x[shuffled])
    assert again.means_ == pytest.approx(plain.means_, rel=1e-9)
    times = np.random.default_rng(2).integers(0, 3, len(x))
    weighed = Mixture(3, n_init=2, random_state=0).fit(x, sample_weight=times)
    repeated = Mixture(3, n_init=2, random_state=0).fit(np.repeat(x, times, axis=0))
    assert weighed.means_ == pytest.approx(repeated.means_, rel=1e-7)
    with engines.use(engines.Serial()):
        assert np.array_equal(Mixture(3, n_init=2, random_state=0).fit(x).means_, plain.means_)


def test_starts_that_are_told():
    x, _ = blobs(4)
    start = MixtureDistribution(np.full((1, 3), 1 / 3), MultivariateGaussian.of(x[:3], np.stack([np.eye(2)] * 3)))
    first = Mixture(3, init=start, max_iter=1, tol=0).fit(x)
    assert first.n_iter_ == 1 and len(first.log_likelihoods_) == 2
    assert Mixture(3, init="random", n_init=3, random_state=0).fit(x).score(x) > first.score(x)
    with pytest.raises(InputError, match="weights of shape"):
        Mixture(2, init=start).fit(x)


def test_starts_side_by_side_leave_the_filters_of_warnings_alone():
    before = list(warnings.filters)
    for _ in range(5):
        Mixture(2, n_init=4, random_state=0).fit(blobs(5, 60)[0])
    assert warnings.filters == before


def test_hostile_rows_have_an_answer():
    same = np.ones((20, 2))
    with pytest.warns(UserWarning, match="shrunk"):
        assert np.isfinite(Mixture(2, random_state=0).fit(same).predict_proba(same)).all()
    with pytest.raises(InputError, match="a component needs a row"):
        Mixture(4).fit([[0.0], [1.0]])
    for nothing in (np.full((10, 2), np.nan), pl.DataFrame({"a": [None] * 10, "b": [np.nan] * 10})):
        with pytest.raises(InputError, match="every cell of the table is missing"):
            Mixture(2, random_state=0).fit(nothing)
    x, _ = blobs(5, 60)
    far = np.vstack([x, [[60.0, 60.0]]])
    with pytest.warns(UserWarning, match="shrunk to fewer than 2 rows"):
        model = Mixture(4, n_init=3, random_state=0).fit(far)
    assert np.isfinite(model.log_posteriors_).all()
    shifted = Mixture(3, n_init=2, random_state=0).fit(x + 1e8)
    assert shifted.means_ - 1e8 == pytest.approx(Mixture(3, n_init=2, random_state=0).fit(x).means_, abs=1e-3)
    with pytest.warns(UserWarning, match="did not come to rest"):
        Mixture(3, max_iter=1, n_init=1, init="random", random_state=0).fit(x)


def test_counts_that_die_out_of_a_component_do_not_stop_the_climb():
    rng = np.random.default_rng(0)
    rate = np.array([[9.0, 0.0, 4.0], [0.0, 7.0, 1.0], [3.0, 3.0, 0.0]])[rng.integers(0, 3, 240)]
    x = rng.poisson(rate).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Mixture(3, "poisson", n_init=4, random_state=0).fit(x)
    assert model.converged_ and (np.diff(model.log_posteriors_) > -1e-9).all()
    assert (np.asarray(model.distribution_.parts[0].rate) > 0).all()
    assert Mixture(3, "poisson", pseudo_rows=5.0, n_init=2, random_state=0).fit(x).score(x) < model.score(x)
    gone = np.column_stack([x, np.zeros(len(x))])  # a column that says nothing
    gone[::7, 0] = np.nan
    assert np.isfinite(Mixture(3, "poisson", n_init=2, random_state=0).fit(gone).score_samples(gone)).all()


def test_dispersions_are_sought_in_silence_and_giving_up_is_told():
    rng = np.random.default_rng(1)
    x = rng.negative_binomial(1, 0.2, size=(150, 4)) * rng.integers(0, 2, size=(150, 4))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = Mixture(3, "negative_binomial", n_init=2, max_iter=300, random_state=0).fit(x)
    assert all("EM" in str(each.message) for each in said)
    assert model.converged_ or "gave up after" in str(said[0].message)


def test_a_face_tells_of_components_and_of_the_climb():
    x, _ = blobs()
    model = Mixture(3, n_init=2, random_state=0).fit(x)
    told = str(model)
    assert "components  0 (" in told and "passes, at rest" in told and "starts  2, of log posteriors from" in told
    table = penguins()
    assert "0.0 % missing" not in str(Mixture(2, "auto", n_init=1, random_state=0).fit(table.drop("species")))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_components": 0}, "n_components must be"),
        ({"init": "far"}, "unknown init"),
        ({"pseudo_rows": -1}, "pseudo_rows must be"),
        ({"alpha": -1}, "alpha must be"),
        ({"tol": np.nan}, "tol must be"),
        ({"missing": "impute"}, "not for mixtures"),
        ({"family": "nosuch"}, "unknown kind"),
    ],
)
def test_mistakes_are_refused(options, words):
    with pytest.raises(InputError, match=words):
        Mixture(**options).fit(blobs()[0])


def test_words_are_sent_to_mixed_tables():
    with pytest.raises(InputError, match=r"'island' holds words.*family='auto'"):
        Mixture(2).fit(penguins())


def test_many_passes_neither_merge_nor_forget():
    x, _ = blobs()
    model = Mixture(3, n_init=1, random_state=0).fit(x)
    assert not hasattr(model, "partial_fit")
    with pytest.raises(TierError, match="merge is exact only"):
        model.merge(model)
    with pytest.raises(TierError, match="forget is exact only"):
        model.forget(x[:1], [0])


def test_the_number_of_components_is_found():
    x, _ = blobs(6)
    path = mixture_path(x, range(1, 6), n_init=3, random_state=0)
    assert path.best().n_components == path.best("icl").n_components == 3
    assert path.frame()["components"].to_list() == [1, 2, 3, 4, 5]
    assert np.diff(path.log_likelihood).min() > -1  # more components are no less likely, up to their prior
    with pytest.raises(InputError, match="unknown criterion"):
        path.best("r2")
    best = path.best()
    assert best.icl(x) >= best.bic(x)
    assert best.description_length(x) == pytest.approx(best.bic(x) / (2 * np.log(2)))


def test_classes_that_are_mixtures_each():
    x, hidden = blobs(7)
    y = np.where(hidden == 1, "middle", "outside")  # two bumps, one on each side of the other class
    model = BayesClassifier(Mixture(2, covariance="diagonal"), random_state=0).fit(x, y)
    plain = BayesClassifier("gaussian").fit(x, y)
    assert model.score(x, y) > 0.98 > plain.score(x, y) - 0.1
    assert isinstance(Mixture(2).as_family(), MixtureFamily)
    with pytest.raises(InputError, match="one family for all columns"):
        BayesClassifier(Mixture(2, "auto")).fit(x, y)


def test_a_mixture_family_is_fitted_in_one_call():
    x, _ = blobs(8)
    found = fit(MixtureFamily(GaussianFamily(), 3), x)
    assert found.log_density(x).mean() == pytest.approx(
        Mixture(3, covariance="diagonal", n_init=3, random_state=0).fit(x).score(x), abs=0.02
    )


def test_products_about_one_origin_are_those_about_each_groups_own():
    from likely.statistics import Membership
    from likely.statistics.summing.scatter import Scatter

    rng = np.random.default_rng(0)
    for apart in (1.0, 1e3):  # near groups are summed together, far ones each about its own origin
        group = rng.integers(0, 3, 40_000)
        x = rng.normal(size=(40_000, 3)) + apart * group[:, None]
        shares = np.eye(3)[group] * 0.9 + 0.1 * np.eye(3)[(group + 1) % 3] * (apart == 1.0)
        seen = Scatter.of(x, Membership.of_shares(shares))
        for c in range(3):
            mean = np.average(x, axis=0, weights=shares[:, c])
            direct = (x - mean).T @ ((x - mean) * shares[:, c : c + 1])
            assert seen.mean[c] == pytest.approx(mean, rel=1e-10)
            assert seen.deviations[c] == pytest.approx(direct, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical", "shared_diagonal"])
@pytest.mark.filterwarnings("ignore:1 component of 3 has shrunk")
def test_one_far_value_does_not_widen_all_components(covariance):
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=(150, 2)), rng.normal(size=(150, 2)) + 9])
    plain = Mixture(2, covariance=covariance, random_state=0).fit(x)
    far = Mixture(3, covariance=covariance, random_state=0).fit(np.vstack([x, [[1e6, -1e6]]]))
    assert np.all(np.diff(far.log_posteriors_) > -1e-8 * np.abs(far.log_posteriors_[0]))
    kept = np.argsort(far.weights_)[1:]
    order = kept[np.argsort(far.means_[kept, 0])]
    own = np.argsort(plain.means_[:, 0])
    assert np.allclose(far.means_[order], plain.means_[own], atol=0.05)
    assert np.allclose(far.covariances_[order], plain.covariances_[own], atol=0.05)


def test_a_file_is_learned_as_the_table_is_and_on_every_engine(tmp_path):
    rng = np.random.default_rng(1)
    table = pl.DataFrame({"a": rng.normal(size=300) + 6 * (np.arange(300) % 2), "b": rng.normal(size=300)})
    table = table.with_columns(c=pl.Series(np.where(np.arange(300) % 2, "x", "y")), b=pl.col("b").clip(-2, None))
    table.write_parquet(tmp_path / "rows.parquet")
    source = likely.scan(tmp_path / "rows.parquet", batch_rows=64)
    for family in ("auto", {"a": "gaussian", "b": "gaussian", "c": "categorical"}):
        one = Mixture(2, family, n_init=3, random_state=0).fit(table)
        read = Mixture(2, family, n_init=3, random_state=0).fit(source)
        assert np.allclose(one.log_posteriors_, read.log_posteriors_, rtol=1e-10)
        assert np.allclose(one.predict_proba(table), read.predict_proba(source), atol=1e-8)
        with engines.use(engines.Serial()):
            alone = Mixture(2, family, n_init=3, random_state=0).fit(source)
        assert np.array_equal(alone.log_posteriors_, read.log_posteriors_)
    with pytest.raises(InputError, match="no sample_weight"):
        Mixture(2, "auto").fit(source, sample_weight=np.ones(300))


def test_components_are_no_classes():
    x, y = rows_in_two_groups(), np.arange(60) % 3
    model = Mixture(2, random_state=0).fit(x)
    for name in ("out_of_fold", "growing_posteriors", "partial_fit"):
        assert not hasattr(model, name)
    with pytest.raises(LikelyError, match="components, which are no classes of y"):
        model.out_of_fold(x, y, y)
    for groups in (Mixture(2), KMeans(2)):
        with pytest.raises(LikelyError, match="finds groups without labels"):
            cross_validate(groups, x, y, cv=3)


def test_a_face_names_families_in_words_and_counts_gaps(tmp_path):
    x = rows_in_two_groups()
    x[:6, 1] = np.nan
    model = Mixture(2, random_state=0).fit(x)
    assert "gaussian   10.0 % missing" in str(model) and "Family" not in str(model)
    assert model.missing_rates_ == pytest.approx([0.0, 0.1])
    save(model, tmp_path / "mixture.likely")
    assert str(load(tmp_path / "mixture.likely")) == str(model)
    x[:, 1] = np.nan
    with pytest.warns(UserWarning, match="column 'x1' has no value in any row"):
        hollow = Mixture(2, random_state=0).fit(x)
    assert hollow.missing_rates_[1] == 1.0 and np.isfinite(hollow.means_).all()


def test_description_length_picks_what_bic_picks():
    path = mixture_path(rows_in_two_groups(), (1, 2, 3), random_state=0)
    assert path.best("mdl") is path.best("bic")
    assert path.mdl[1] == pytest.approx(path.mixtures[1].description_length(rows_in_two_groups()))


def rows_in_two_groups():
    return np.random.default_rng(0).normal(size=(60, 2)) + 6.0 * (np.arange(60) % 2)[:, None]
