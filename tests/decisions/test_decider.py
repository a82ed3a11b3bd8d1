import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency, check_estimator

from likely import NaiveBayes
from likely.decisions import Calibrated, Decider, MajorityClassifier, decide, estimate_prior, recalibrate, shift_prior
from likely.errors import InputError, InputTypeError, NotFittedError
from likely.models.held_out.folds import stratified_folds

SKIPPED = {"check_array_api_input"}  # runs only where the user has switched SciPy's array API on
COSTS = {"ill": {"well": 10}, "well": {"ill": 1}}


def patients(n=600, seed=0, ill=0.5, gap=1.5):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < ill, "ill", "well")
    return rng.normal(np.where(y == "ill", gap, 0.0))[:, None], y


@pytest.mark.sample(1)
@pytest.mark.filterwarnings("ignore:y has only one class")
@pytest.mark.filterwarnings("ignore:.*does not inherit from `sklearn.base.BaseEstimator`")
@pytest.mark.parametrize("model", [Decider(NaiveBayes()), Decider(LogisticRegression(), prior="uniform")], ids=repr)
def test_scikit_learns_checks(model):
    reason = "a row that stands twice is in other folds than one of weight 2, and folds show the need of calibration"
    expected = {f"check_sample_weight_equivalence_on_{form}_data": reason for form in ("dense", "sparse")}
    results = check_estimator(model, on_fail=None, on_skip=None, expected_failed_checks=expected)
    failed = [(r["check_name"], str(r["exception"])) for r in results if r["status"] == "failed"]
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= SKIPPED


def test_columns_keep_their_names():
    check_dataframe_column_names_consistency("Decider", Decider(LogisticRegression()))


def test_without_costs_it_says_what_the_classifier_says():
    X, y = load_iris(return_X_y=True)
    for estimator in (GaussianNB(), RandomForestClassifier(10, random_state=0), NaiveBayes(kinds="gaussian")):
        plain = clone(estimator).fit(X, y)
        model = Decider(estimator).fit(X, y)
        assert (model.predict(X) == plain.predict(X)).all()
        assert np.allclose(model.predict_proba(X), plain.predict_proba(X), atol=1e-12)
        assert model.n_features_in_ == 4 and model.classes_.tolist() == [0, 1, 2]


def test_it_takes_the_decision_of_the_costs():
    X, y = patients()
    model = Decider(GaussianNB(), costs=COSTS).fit(X, y)
    p = GaussianNB().fit(X, y).predict_proba(X)
    expected = decide(p, ["ill", "well"], COSTS)
    found = model.decide(X)
    assert (found.best == expected.best).all() and (model.predict(X) == expected.best).all()
    assert np.allclose(found.expected_cost, expected.expected_cost)
    # it misses fewer of the ill than the plain classifier, at less cost in all
    plain = GaussianNB().fit(X, y).predict(X)
    assert ((model.predict(X) == "well") & (y == "ill")).sum() < ((plain == "well") & (y == "ill")).sum()

    def cost(said):
        return 10 * ((said == "well") & (y == "ill")).sum() + ((said == "ill") & (y == "well")).sum()

    assert cost(model.predict(X)) < cost(plain)
    per_row = np.broadcast_to([[0, 10], [1, 0]], (len(X), 2, 2))
    assert (model.decide(X, costs=per_row).best == expected.best).all()


def test_another_prior_is_that_of_a_model_trained_there():
    X, y = patients(20_000, ill=0.5)
    there, truth = patients(20_000, 1, ill=0.05)
    model = Decider(GaussianNB()).fit(X, y)
    native = GaussianNB().fit(there, truth)
    shifted = model.predict_proba(there, prior={"ill": 0.05, "well": 0.95})
    assert np.abs(shifted - native.predict_proba(there)).max() < 0.06
    assert np.allclose(shifted, shift_prior(model.predict_proba(there), model.training_prior_, [0.05, 0.95]))
    fixed = Decider(GaussianNB(), prior=[0.05, 0.95]).fit(X, y)
    assert np.allclose(fixed.predict_proba(there), shifted)
    assert fixed.score(there, truth) > model.score(there, truth)
    own = Decider(NaiveBayes(kinds="gaussian")).fit(X, y)
    assert np.allclose(
        own.predict_proba(there, prior=[0.05, 0.95]),
        NaiveBayes(kinds="gaussian").fit(X, y).predict_proba(there, prior=[0.05, 0.95]),
    )


def test_the_prior_is_estimated_from_unlabelled_rows():
    X, y = patients(4000)
    there, truth = patients(2000, 1, ill=0.2)
    model = Decider(LogisticRegression()).fit(X, y)
    found = model.estimate_prior(there)
    assert found.low[0] <= (truth == "ill").mean() <= found.high[0]
    assert found.classes.tolist() == ["ill", "well"]
    by_hand = estimate_prior(model.predict_proba(there), model.training_prior_)
    assert np.allclose(found.value, by_hand.value, atol=1e-6)
    adapted = model.decide(there, prior=found.value)
    assert (adapted.best == truth).mean() > (model.predict(there) == truth).mean()


def test_an_estimated_prior_holds_what_is_not_known_of_the_model():
    """With 60 training rows and 1,000 queries the rows alone promise far too much."""
    held = {"drawn": 0, "rows alone": 0}
    for seed in range(6):
        X, y = patients(60, seed=seed)
        there, _ = patients(1_000, seed=100 + seed, ill=0.2)
        for options in ({"calibrate": None}, {"calibrate": "logistic"}):
            model = Decider(NaiveBayes(), **options).fit(X, y)
            found = model.estimate_prior(there, n_draws=100)
            assert "100 draws of the model" in found.method
            alone = estimate_prior(model.estimator_.predict_proba(there), model.training_prior_)
            assert np.allclose(alone.value, found.value, atol=1e-6)
            assert (found.low <= alone.low).all() and (alone.high <= found.high).all()
            held["drawn"] += found.low[0] <= 0.2 <= found.high[0]
            held["rows alone"] += alone.low[0] <= 0.2 <= alone.high[0]
    assert held["drawn"] >= 11 and held["rows alone"] <= 9  # of 12
    fixed = Decider(GaussianNB()).fit(X, y).estimate_prior(there)
    assert "the posteriors taken for true" in str(fixed)
    many = model.estimate_prior(np.vstack([there] * 5), n_draws=20)
    assert many.n == 5_000
    with pytest.raises(InputError, match="n_draws"):
        model.estimate_prior(there, n_draws=0)
    with pytest.raises(InputError, match=r"\(rows, draws, 2\)"):
        estimate_prior([[0.5, 0.5]], [0.5, 0.5], drawn=np.zeros((3, 2)))


def test_where_the_training_prior_comes_from():
    X, y = patients(500, ill=0.2)
    shares = np.array([(y == "ill").mean(), (y == "well").mean()])
    assert np.allclose(Decider(LogisticRegression()).fit(X, y).training_prior_, shares)
    assert np.allclose(Decider(GaussianNB(priors=[0.4, 0.6])).fit(X, y).training_prior_, [0.4, 0.6])
    assert np.allclose(Decider(NaiveBayes(class_prior="uniform")).fit(X, y).training_prior_, 0.5)
    balanced = LogisticRegression(class_weight="balanced")
    model = Decider(balanced, prior=shares, training_prior="uniform").fit(X, y)
    assert np.abs(model.predict_proba(X) - LogisticRegression().fit(X, y).predict_proba(X)).max() < 0.05
    weight = np.where(y == "ill", 4.0, 1.0)
    weighted = Decider(LogisticRegression()).fit(X, y, weight).training_prior_
    assert np.isclose(weighted[0], 4 * shares[0] / (4 * shares[0] + shares[1]))


def test_maximum_likelihood_ignores_how_frequent_the_classes_were():
    X, y = patients(20_000, ill=0.03)
    model = Decider(GaussianNB(), rule="likelihood").fit(X, y)
    boundary = X[model.predict(X) == "ill"].min()
    assert abs(boundary - 0.75) < 0.1  # halfway between the means
    uniform = Decider(GaussianNB(), prior="uniform").fit(X, y)
    assert (uniform.predict(X) == model.predict(X)).all()


def test_recalibrated_likelihood_learns_its_weights_out_of_fold():
    X, y = patients(400, ill=0.1)
    model = Decider(LogisticRegression(), costs=COSTS, rule="recalibrated", cv=KFold(4)).fit(X, y)
    left_out = cross_val_predict(LogisticRegression(), X, y, cv=KFold(4), method="predict_log_proba")
    by_hand = recalibrate(y, left_out - np.log(model.training_prior_), costs=COSTS)
    assert np.allclose(model.recalibrated_.log_weight, by_hand.log_weight)
    score = LogisticRegression().fit(X, y).predict_log_proba(X) - np.log(model.training_prior_) + by_hand.log_weight
    assert (model.predict(X) == model.classes_[score.argmax(axis=1)]).all()
    X, y = load_iris(return_X_y=True)
    three = Decider(NaiveBayes(kinds="gaussian"), rule="recalibrated").fit(X, y)
    assert three.recalibrated_.loss_after <= three.recalibrated_.loss_before
    assert three.score(X, y) > 0.9


def test_rejecting_at_a_cost():
    X, y = patients()
    model = Decider(GaussianNB(), reject=0.2, reject_label="ask").fit(X, y)
    p = GaussianNB().fit(X, y).predict_proba(X)
    unsure = 1 - p.max(axis=1) > 0.2
    assert ((model.predict(X) == "ask") == unsure).all()
    assert np.allclose(model.decide(X).expected_cost, np.minimum(1 - p.max(axis=1), 0.2))
    assert model.decide(X, reject=0.5).rejected.sum() == 0
    silent = Decider(GaussianNB(), reject=0.2).fit(X, y).predict(X)
    assert set(silent[unsure]) == {"rejected"} and set(silent[~unsure]) == {"ill", "well"}


def test_the_share_of_mistakes_stays_below_the_limit():
    X, y = patients(4000)
    model = Decider(LogisticRegression(), max_error=0.05).fit(X, y)
    new, truth = patients(20_000, 1)
    said = model.decide(new)
    kept = ~said.rejected
    assert 0.05 < kept.mean() < 0.9
    assert (said.best[kept] != truth[kept]).mean() <= 0.05
    assert (said.best != truth).mean() > 0.2
    boldly = Decider(LogisticRegression(), max_error=0.05, confidence=None).fit(X, y)
    assert boldly.error_threshold_ > model.error_threshold_
    assert (said.error[kept] <= model.error_threshold_).all()
    alone = model.decide(new[:5])
    assert (alone.rejected == said.rejected[:5]).all()  # a row is decided alike in any company
    looser = Decider(LogisticRegression(), max_error=0.1).fit(X, y)
    assert looser.error_threshold_ > model.error_threshold_
    assert (said.expected_cost[said.rejected] == 0).all()
    priced = Decider(LogisticRegression(), max_error=0.05, reject=0.4).fit(X, y).decide(new)
    assert (priced.expected_cost[priced.rejected] == 0.4).all()


def test_the_limit_holds_under_another_prior():
    X, y = patients(6000)
    new, truth = patients(20_000, 1, ill=0.1)
    model = Decider(LogisticRegression(), prior=[0.1, 0.9], max_error=0.05).fit(X, y)
    said = model.decide(new)
    kept = ~said.rejected
    assert (said.best[kept] != truth[kept]).mean() <= 0.05
    assert kept.mean() > 0.3


def test_prefit_learns_from_the_rows_it_is_given():
    X, y = patients(2000)
    fitted = GaussianNB().fit(X[:1000], y[:1000])
    model = Decider(fitted, costs=COSTS, rule="recalibrated", max_error=0.1, cv="prefit").fit(X[1000:], y[1000:])
    assert model.estimator_ is fitted
    by_hand = recalibrate(y[1000:], fitted.predict_log_proba(X[1000:]) - np.log(fitted.class_prior_), costs=COSTS)
    assert np.allclose(model.recalibrated_.log_weight, by_hand.log_weight)


def test_exact_folds_and_refitted_ones_agree():
    X, y = patients(300)
    exact = Decider(NaiveBayes(kinds="gaussian"), rule="recalibrated", max_error=0.1, cv=4).fit(X, y)
    codes = (y == "well").astype(int)
    folds = stratified_folds(codes, 4)
    splits = [(np.flatnonzero(folds != f), np.flatnonzero(folds == f)) for f in range(4)]
    refitted = Decider(NaiveBayes(kinds="gaussian"), rule="recalibrated", max_error=0.1, cv=splits).fit(X, y)
    assert np.allclose(exact.recalibrated_.log_weight, refitted.recalibrated_.log_weight, atol=1e-9)
    assert np.isclose(exact.error_threshold_, refitted.error_threshold_, atol=1e-9)


def test_random_ties_are_seeded():
    X, y = np.zeros((40, 1)), np.tile([0, 1], 20)
    model = Decider(MajorityClassifier(), ties="random", random_state=0).fit(X, y)
    assert set(model.predict(X)) == {0, 1} and (model.predict(X) == model.predict(X)).all()
    assert set(Decider(MajorityClassifier(), ties="last").fit(X, y).predict(X)) == {1}


def test_it_works_inside_scikit_learn_and_around_calibrated():
    X, y = patients(300)
    model = Decider(Calibrated(make_pipeline(StandardScaler(), LinearSVC())), costs=COSTS)
    search = GridSearchCV(model, {"estimator__method": ["logistic", "isotonic"]}, cv=StratifiedKFold(2))
    assert search.fit(X, y).best_estimator_.decide(X).expected_cost.shape == (300,)
    table = pl.DataFrame({"score": X[:, 0], "state": y})
    named = Decider(NaiveBayes(), costs=COSTS).fit(table, "state")
    assert named.feature_names_in_.tolist() == ["score"]
    assert set(named.predict(table.select("score"))) == {"ill", "well"}


def test_a_single_class_is_always_said():
    model = Decider(GaussianNB()).fit(np.arange(6.0)[:, None], ["a"] * 6)
    assert model.predict([[3.0]]).tolist() == ["a"] and model.decide([[3.0]]).expected_cost.tolist() == [0]


def test_a_new_fit_forgets_the_old_one():
    X, y = patients(100)
    model = Decider(GaussianNB(), rule="recalibrated", max_error=0.1, confidence=None).fit(X, y)
    model.set_params(rule="risk", max_error=None).fit(X, y)
    assert not hasattr(model, "recalibrated_") and not hasattr(model, "error_threshold_")


@pytest.mark.parametrize(
    ("model", "error", "word"),
    [
        (Decider(GaussianNB(), costs=np.ones((3, 3))), InputError, "3 classes"),
        (Decider(GaussianNB(), costs={"ill": {"wel": 1}, "wel": {"ill": 1}}), InputError, "did you mean 'wel'"),
        (Decider(GaussianNB(), costs=[[0, np.nan], [1, 0]]), InputError, "nan"),
        (Decider(GaussianNB(), rule="best"), InputError, "unknown rule"),
        (Decider(GaussianNB(), prior=[0.2, 0.9]), InputError, "prior: .*sums to 1.1"),
        (Decider(GaussianNB(), prior={"ill": 1.0}), InputError, "'well'"),
        (Decider(GaussianNB(), training_prior=[1.0]), InputError, "training prior"),
        (Decider(GaussianNB(), max_error=1.5), InputError, "max_error"),
        (Decider(LinearSVC()), InputTypeError, "likely.Calibrated"),
        (Decider("GaussianNB"), InputTypeError, "expected a classifier"),
        (Decider(GaussianNB(), cv="prefit"), NotFittedError, "prefit"),
        (Decider(GaussianNB(), rule="recalibrated", cv="five"), InputError, "unknown cv"),
        (Decider(GaussianNB(), rule="recalibrated", training_prior=[0, 1]), InputError, "training prior 0"),
    ],
)
def test_mistakes_are_told_in_words(model, error, word):
    X, y = patients(60)
    with pytest.raises(error, match=word):
        model.fit(X, y)


def test_mistakes_of_a_call_are_told_in_words():
    X, y = patients(60)
    with pytest.raises(NotFittedError):
        Decider(GaussianNB()).decide(X)
    model = Decider(GaussianNB()).fit(X, y)
    with pytest.raises(InputError, match="5 rows"):
        model.decide(X, costs=np.ones((5, 2, 2)))
    with pytest.raises(InputError, match="sums to"):
        model.predict_proba(X, prior=[0.5, 0.4])

    class Broken(GaussianNB):
        def predict_log_proba(self, X):
            return np.full((len(X), 2), np.nan)

    with pytest.raises(InputError, match="NaN as a probability for row 0"):
        Decider(Broken()).fit(X, y).predict(X)
