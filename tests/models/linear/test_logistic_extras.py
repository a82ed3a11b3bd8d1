"""Logistic regression beyond its optimum: penalties chosen, standard errors, tests, intervals, starts, online rules."""

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm

import likely
from likely import LogisticRegression
from likely.errors import InputError, TierError
from likely.models.linear import StepSizes
from likely.models.linear.log_odds.choosing_penalty import LeftOutLosses
from likely.models.linear.log_odds.objective import softmax_curvature

RNG = np.random.default_rng(11)
X = RNG.normal(size=(200, 5))
TWO = (X[:, 0] - X[:, 1] + RNG.logistic(size=200) > 0).astype(int)
THREE = np.argmax(X[:, :3] + RNG.gumbel(size=(200, 3)), axis=1)
SCALED = (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_the_penalty_chosen_is_nearly_that_of_refits(y):
    choice = LogisticRegression(C="auto").fit(X, y).choice_
    assert choice.approximate and choice.tried[choice.with_surprise.argmin()] == choice.C
    for C in (choice.C, 0.01):
        loss = 0.0
        for i in range(200):
            rest = np.delete(np.arange(200), i)
            one = LogisticRegression(C=C, standardize=False).fit(SCALED[rest], y[rest])
            loss -= one.predict_log_proba(SCALED[[i]])[0, y[i]] / 200
        assert np.interp(np.log(C), np.log(choice.tried), choice.losses) == pytest.approx(loss, abs=2e-3)


@pytest.mark.parametrize(("k", "m"), [(3, 4), (6, 4), (6, 1), (5, 201)])
def test_the_curvature_is_that_of_its_definition(k, m):
    rng = np.random.default_rng(1)
    x, p = rng.normal(size=(300, m)), rng.dirichlet(np.ones(k), size=300)
    for weight in (np.empty(0), rng.uniform(0.1, 2.0, 300)):
        w = weight if len(weight) else np.ones(300)
        shares = w[:, None, None] * (np.eye(k) * p[:, :, None] - p[:, :, None] * p[:, None, :])
        by_rows = np.einsum("ncb,ni,nj->cibj", shares, x, x, optimize=True).reshape(k * m, k * m)
        np.testing.assert_allclose(softmax_curvature(x, p, weight), by_rows, rtol=1e-9, atol=1e-10)


def test_rows_of_classes_that_do_not_overlap_do_not_ask_for_no_penalty():
    """Log odds of 105 came of 205 rows, and one test row cost 14 nats."""
    at = np.random.default_rng(2).uniform(-1.0, 1.0, size=(200, 2))
    for y in ((at[:, 0] > 0.1).astype(int), np.digitize(at[:, 0], [-0.4, 0.4])):
        model = LogisticRegression(C="auto").fit(at, y)
        choice = model.choice_
        assert choice.C <= 100.0 < choice.tried[choice.losses.argmin()]
        assert (choice.with_surprise > choice.losses).all()
        assert np.abs(np.diff(model.predict_log_proba(at))).max() < 80.0


def test_half_a_row_is_half_a_row_in_any_unit_of_weights():
    weight = np.random.default_rng(3).uniform(0.5, 1.5, 200)
    small = LogisticRegression(C="auto").fit(X, TWO, sample_weight=weight).choice_
    assert small.with_surprise == pytest.approx(small.losses, abs=0.02)
    found = LeftOutLosses(own=2.0, others=6.0, weight=4.0, squares=16.0, whole=True)
    assert found.with_surprise == pytest.approx((2.0 + 0.5 * 1.5) / 4.5)
    for unit in (1.0, 1e-3):
        part = LeftOutLosses(2.5 * unit, 7.5 * unit, 5.0 * unit, 12.5 * unit**2, False)  # two rows' worth
        assert part.with_surprise == pytest.approx((2.0 * 0.5 + 0.5 * 1.5) / 2.5)


def test_a_penalty_chosen_in_folds_where_weights_are_many(monkeypatch):
    monkeypatch.setattr("likely.models.linear.log_odds.logistic_regression.MOST_LEFT_OUT", 3)
    model = LogisticRegression(C="auto").fit(np.column_stack([X, RNG.normal(size=(200, 30))]), TWO)
    assert not model.choice_.approximate and 0.001 < model.C_ < 1.0


def test_a_penalty_is_chosen_on_a_fifth_of_the_rows_once_where_weights_are_very_many(monkeypatch):
    """Five folds of 784 columns and ten classes took minutes for each fit."""
    monkeypatch.setattr("likely.models.linear.log_odds.logistic_regression.MOST_LEFT_OUT", 3)
    monkeypatch.setattr("likely.models.linear.log_odds.choosing_penalty.MOST_CURVED", 10)
    wide, held = np.column_stack([X, RNG.normal(size=(200, 30))]), np.arange(200) % 5 == 0
    weight = RNG.uniform(0.5, 2.0, 200)
    model = LogisticRegression(C="auto", standardize=False).fit(wide, TWO, sample_weight=weight)
    assert 0.001 < model.C_ < 1.0
    one = LogisticRegression(C=model.C_, standardize=False).fit(wide[~held], TWO[~held], sample_weight=weight[~held])
    loss = -np.average(one.predict_log_proba(wide[held])[np.arange(40), TWO[held]], weights=weight[held])
    choice = model.choice_
    assert choice.losses[choice.tried == choice.C] == pytest.approx(loss, abs=2e-3)


def test_weights_one_and_repeated_rows_choose_alike():
    times = RNG.integers(1, 3, size=200)
    again = np.repeat(np.arange(200), times)
    one = LogisticRegression(C="auto").fit(X, TWO, sample_weight=np.ones(200)).choice_
    assert np.allclose(one.losses, LogisticRegression(C="auto").fit(X, TWO).choice_.losses)
    assert LogisticRegression(C=0.3).fit(X[again], TWO[again]).C_ == 0.3


def test_standard_errors_and_tests_are_those_of_statsmodels():
    theirs = sm.Logit(TWO, sm.add_constant(X)).fit(disp=0)
    model = LogisticRegression(penalty=None).fit(X, TWO)
    found = model.coefficients()
    assert np.allclose([e.standard_error for e in found.estimates[0]], np.roll(theirs.bse, -1), rtol=1e-5)
    assert np.allclose([found.of("x1").low, found.of("x1").high], theirs.conf_int()[2], rtol=1e-5)
    frame = found.frame()
    assert np.allclose(frame["p"], np.roll(theirs.pvalues, -1), atol=1e-8)
    tests = model.test_columns(X, TWO)
    reduced = sm.Logit(TWO, sm.add_constant(X[:, 1:])).fit(disp=0)
    assert tests.of("x0").statistic == pytest.approx(2 * (theirs.llf - reduced.llf), rel=1e-5)
    assert tests.log_likelihood == pytest.approx(theirs.llf, rel=1e-9) and tests.of("x0").degrees == 1
    assert tests.of("x0").p < 1e-6 < tests.of("x4").p
    assert "x0" in str(tests) and tests.frame().height == 5 and "x0" in str(found)


def test_differences_of_classes_have_the_errors_of_the_multinomial_model():
    theirs = sm.MNLogit(THREE, sm.add_constant(X)).fit(disp=0)
    model = LogisticRegression(penalty=None).fit(X, THREE)
    blocks = model._covariance().reshape(3, 6, 3, 6)
    scale = model.design_.affine[1]
    spread = blocks[1, 0, 1, 0] + blocks[0, 0, 0, 0] - 2 * blocks[1, 0, 0, 0]
    assert np.sqrt(spread) / scale[0] == pytest.approx(theirs.bse[1, 0], rel=1e-4)
    assert model.coefficients().of("x0", 1).n == 200
    table = pl.DataFrame({"x": X[:, 0], "colour": RNG.choice(["red", "blue", "green"], 200)})
    assert LogisticRegression().test_columns(table, THREE).of("colour").degrees == 4


def test_what_is_not_known_of_weights_is_said():
    with pytest.raises(InputError, match="smooth penalty"):
        LogisticRegression(penalty="l1").fit(X, TWO).coefficients()
    with pytest.raises(InputError, match="no coefficient"):
        LogisticRegression().fit(X, TWO).coefficients().of("y")
    with pytest.raises(InputError, match="name a class"):
        LogisticRegression().fit(X, THREE).coefficients().of("x0")


@pytest.mark.parametrize("options", [{"penalty": None}, {}], ids=str)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say(options, k):
    rng = np.random.default_rng(0)
    held = []
    for _ in range(100):
        weights = rng.normal(size=(3, k)) * 0.7
        x, query = rng.normal(size=(120, 3)), rng.normal(size=(20, 3))
        chance, truth = (_softmax(v @ weights) for v in (x, query))
        y = (chance.cumsum(axis=1) < rng.random((120, 1))).sum(axis=1)
        ends = LogisticRegression(**options).fit(x, y).predict_interval(query, 0.9, n_draws=300)
        held.append(np.mean((ends[..., 0] <= truth) & (truth <= ends[..., 1])))
    assert 0.86 <= np.mean(held) <= 0.95


def _softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def test_intervals_hold_what_is_said_and_narrow_with_rows():
    for y in (TWO, THREE):
        few, many = (LogisticRegression().fit(np.tile(X, (t, 1)), np.tile(y, t)) for t in (1, 9))
        wide, narrow = (m.predict_interval(X[:5], n_draws=400) for m in (few, many))
        said = few.predict_proba(X[:5])
        assert np.all((wide[..., 0] <= said) & (said <= wide[..., 1]))
        assert np.ptp(narrow, axis=2).mean() < 0.5 * np.ptp(wide, axis=2).mean()
        shifted = few.predict_interval(X[:5], prior="uniform", n_draws=400)
        assert not np.allclose(shifted, wide)


def test_a_generative_start_is_nearer_and_ends_in_the_same_place():
    there = LogisticRegression(start="generative", solver="gradient", max_iter=2000).fit(X, THREE)
    nothing = LogisticRegression(solver="gradient", max_iter=2000).fit(X, THREE)
    assert there.history_.objective[0] < nothing.history_.objective[0]
    assert np.allclose(there.coef_, nothing.coef_, atol=1e-5)
    given = LogisticRegression(start=nothing.weights_).fit(X, THREE)
    assert given.n_iter_ <= 1
    wide = np.column_stack([X, RNG.normal(size=(200, 510))])
    assert LogisticRegression(start="generative", C=0.01, solver="lbfgs").fit(wide, TWO).converged_
    for wrong in ("magic", [[1.0]]):
        with pytest.raises(InputError, match="start"):
            LogisticRegression(start=wrong).fit(X, TWO)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_online_learning_comes_near(y):
    exact = LogisticRegression().fit(X, y)
    online = LogisticRegression(solver="sgd", learning_rate=0.5, max_iter=200, random_state=0).fit(X, y)
    assert np.abs(online.predict_proba(X) - exact.predict_proba(X)).max() < 0.06
    wandering = LogisticRegression(solver="sgd", learning_rate=0.5, max_iter=200, random_state=0, decay=0).fit(X, y)
    assert np.abs(wandering.weights_ - exact.weights_).max() > np.abs(online.weights_ - exact.weights_).max()
    stream = LogisticRegression(kinds="numeric")
    for part in np.array_split(np.arange(200), 8):
        stream.partial_fit(X[part], y[part], classes=np.unique(y))
    assert stream.steps_ == 200 and stream.score(X, y) > 0.5
    assert np.array_equal(likely.load(_saved(stream)).predict_proba(X), stream.predict_proba(X))


def _saved(model):
    import tempfile

    path = f"{tempfile.mkdtemp()}/model.likely"
    likely.save(model, path)
    return path


def test_online_learning_of_what_it_cannot_learn_is_refused():
    with pytest.raises(InputError, match="classes="):
        LogisticRegression().partial_fit(X, np.zeros(200))
    model = LogisticRegression().partial_fit(X, TWO)
    with pytest.raises(InputError, match="not among the classes"):
        model.partial_fit(X, TWO + 5)
    with pytest.raises(TierError, match="choose the penalty"):
        LogisticRegression(C="auto").partial_fit(X, TWO)
    with pytest.raises(InputError, match="slopes"):
        LogisticRegression(penalty="l1").partial_fit(X, TWO)


def test_prior_variance_is_another_name_and_bad_parameters_are_refused():
    assert np.array_equal(
        LogisticRegression(prior_variance=0.2).fit(X, TWO).coef_, LogisticRegression(C=0.2).fit(X, TWO).coef_
    )
    for wrong in ({"C": "best"}, {"prior_variance": -1.0}, {"C": "auto", "penalty": "l1"}, {"decay": -1.0}):
        with pytest.raises(InputError):
            LogisticRegression(**wrong).fit(X, TWO)


def test_at_the_optimum_probabilities_add_up():
    model = LogisticRegression(penalty=None).fit(X, TWO)
    p = model.predict_proba(X)[:, 1]
    assert p.sum() == pytest.approx(TWO.sum()) and np.allclose((TWO - p) @ X, 0, atol=1e-4)


def test_step_sizes_know_whether_they_arrive():
    assert [StepSizes(power).allowed for power in (0, 0.5, 0.6, 1, 2)] == [False, False, True, True, False]
    assert StepSizes(2.0).sum == pytest.approx(np.pi**2 / 6) and StepSizes(1.0)(1000).sum() == pytest.approx(7.48547086)
    with pytest.raises(InputError):
        StepSizes(-1.0)
