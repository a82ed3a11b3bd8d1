import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from scipy.optimize import minimize_scalar
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency, check_estimator

from likely import BayesClassifier, GaussianBayes, NaiveBayes, Pool
from likely.decisions import Calibrated, Decider
from likely.decisions.calibration import IsotonicMap, LogisticMap, TemperatureMap
from likely.decisions.calibration.choosing import MAPS, PRIOR, best_map
from likely.distributions import GaussianFamily, MixtureFamily
from likely.errors import InputError, InputTypeError, NotFittedError
from likely.models.held_out.folds import stratified_folds

METHODS = ["logistic", "isotonic", "temperature", "beta"]
SKIPPED = {"check_array_api_input"}  # runs only where the user has switched SciPy's array API on


def overlapping(n=1000, seed=0, classes=2):
    """Features that repeat each other: naive Bayes is over-confident on them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    evidence = rng.normal(y, 1.5)
    return np.column_stack([evidence + rng.normal(0, 0.1, n) for _ in range(5)]), y


def mean_log_loss(p, y):
    return -np.log(p[np.arange(len(y)), y]).mean()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:y has only one class")
@pytest.mark.filterwarnings("ignore:.*does not inherit from `sklearn.base.BaseEstimator`")
@pytest.mark.parametrize("method", ["logistic", "isotonic"])
def test_scikit_learns_checks(method):
    reason = "the map is learned on folds, and a row that stands twice is in other folds than one of weight 2"
    expected = {f"check_sample_weight_equivalence_on_{form}_data": reason for form in ("dense", "sparse")}
    model = Calibrated(NaiveBayes("numeric"), method=method)
    results = check_estimator(model, on_fail=None, on_skip=None, expected_failed_checks=expected)
    failed = [(r["check_name"], str(r["exception"])) for r in results if r["status"] == "failed"]
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= SKIPPED


def test_columns_keep_their_names():
    check_dataframe_column_names_consistency("Calibrated", Calibrated(LogisticRegression()))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("method", METHODS)
def test_calibration_helps_an_over_confident_model(method, classes):
    X, y = overlapping(3000, classes=classes)
    new, truth = overlapping(3000, 1, classes)
    raw = NaiveBayes().fit(X, y).predict_proba(new)
    model = Calibrated(NaiveBayes(), method=method).fit(X, y)
    p = model.predict_proba(new)
    assert mean_log_loss(p, truth) < mean_log_loss(raw.clip(1e-300), truth) - 0.1
    assert np.allclose(p.sum(axis=1), 1)
    assert np.allclose(p.mean(axis=0), np.bincount(truth) / len(truth), atol=0.03)
    assert (model.predict(new) == p.argmax(axis=1)).all()
    assert np.allclose(np.exp(model.predict_log_proba(new)), p)
    assert np.allclose(model.class_prior_, np.bincount(y) / len(y))


def test_gaussian_scores_are_calibrated_in_closed_form():
    """Two classes; the formula where they are balanced, and their shares as the prior where they are not."""
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], [900, 100])
    X = rng.normal(y, 1.0)[:, None] + np.array([0.0, 100.0])  # twice the same evidence
    model = Calibrated(GaussianBayes("diagonal"), "gaussian").fit(X, y)
    assert isinstance(model.map_, LogisticMap)
    new = rng.normal(np.repeat([0, 1], [9000, 1000]), 1.0)[:, None] + np.array([0.0, 100.0])
    p, truth = model.predict_proba(new)[:, 1], np.repeat([0, 1], [9000, 1000])
    best = 1 / (1 + np.exp(-(new[:, 0] - 0.5 + np.log(1 / 9))))
    assert np.abs(p - best).max() < 0.06 and p.mean() == pytest.approx(truth.mean(), abs=0.02)
    half = slice(800, 1000)
    balanced = Calibrated(MeanScore(), "gaussian", cv="prefit").fit(X[half], y[half])
    score = X[half, 0]
    spread = (score[:100].var() + score[100:].var()) / 2 * 200 / 198
    slope = (score[100:].mean() - score[:100].mean()) / spread
    middle = (score[:100].mean() + score[100:].mean()) / 2
    assert np.allclose(balanced.predict_proba(new)[:, 1], 1 / (1 + np.exp(-slope * (new[:, 0] - middle))))


class MeanScore:
    """A classifier that only gives a score: the first column."""

    classes_ = np.array([0, 1])
    n_features_in_ = 2

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


def test_scores_come_from_rows_that_were_left_out():
    X, y = overlapping(200)
    folds = stratified_folds(y, 5)
    model = Calibrated(GaussianNB(), "logistic", cv=5).fit(X, y)
    left_out = np.empty((200, 2))
    for fold in range(5):
        train, test = folds != fold, folds == fold
        left_out[test] = GaussianNB().fit(X[train], y[train]).predict_log_proba(X[test])
    by_hand = LogisticMap.fit(left_out, y, prior=PRIOR)
    assert np.allclose(model.map_.coefficients, by_hand.coefficients, rtol=1e-8)
    whole = GaussianNB().fit(X, y).predict_log_proba(X)
    assert np.allclose(model.predict_log_proba(X), by_hand.log_posterior(whole), atol=1e-8)


@pytest.mark.parametrize("estimator", [NaiveBayes(kinds="gaussian"), GaussianBayes("shared"), GaussianBayes("full")])
def test_models_that_learn_by_sums_are_not_fitted_again(estimator, monkeypatch):
    X, y = overlapping(300, classes=3)
    fits = []
    original = type(estimator).fit
    monkeypatch.setattr(type(estimator), "fit", lambda self, *a, **k: (fits.append(1), original(self, *a, **k))[1])
    exact = Calibrated(estimator, "logistic", cv=4).fit(X, y)
    assert len(fits) == 1
    folds = stratified_folds(y, 4)
    splits = [(np.flatnonzero(folds != f), np.flatnonzero(folds == f)) for f in range(4)]
    refitted = Calibrated(estimator, "logistic", cv=splits).fit(X, y)
    assert len(fits) == 1 + 5
    assert np.allclose(exact.map_.slope, refitted.map_.slope, rtol=1e-7)
    assert np.allclose(exact.predict_proba(X), refitted.predict_proba(X), atol=1e-9)


@pytest.mark.slow
def test_a_model_of_many_passes_is_fitted_again():
    X, y = overlapping(120)
    mixture = BayesClassifier(MixtureFamily(GaussianFamily(), 2), random_state=0)
    model = Calibrated(mixture, cv=2).fit(X[:, :1], y)
    assert np.allclose(model.predict_proba(X[:, :1]).sum(axis=1), 1)


class Exact:
    """A classifier that knows its own out-of-fold scores."""

    calls = 0

    def __init__(self, offset=0.0):
        self.offset = offset

    def get_params(self, deep=True):
        return {"offset": self.offset}

    def set_params(self, **parameters):
        self.__dict__.update(parameters)
        return self

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-np.asarray(X)[:, 0]))
        return np.column_stack([1 - p, p])

    def out_of_fold(self, X, y, folds, sample_weight=None):
        type(self).calls += 1
        assert folds.dtype == np.int64 and folds.shape == (len(y),) and set(folds) == {0, 1, 2}
        self.weight = sample_weight
        return np.log(self.predict_proba(np.asarray(X) / 2))


def test_the_method_out_of_fold_is_asked():
    X, y = overlapping(90)
    model = Calibrated(Exact(), "logistic", cv=3).fit(X, y, sample_weight=np.ones(90))
    assert Exact.calls == 1 and model.estimator_.weight.shape == (90,)
    assert np.allclose(model.map_.coefficients, LogisticMap.fit(X[:, 0] / 2, y, prior=PRIOR).coefficients)
    Calibrated(Exact(), cv=KFold(3)).fit(X, y)
    assert Exact.calls == 1


def test_it_agrees_with_scikit_learn_on_the_same_folds():
    X, y = overlapping(600)
    folds = StratifiedKFold(5)
    theirs = CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=folds, ensemble=False).fit(X, y)
    ours = Calibrated(GaussianNB(), method="isotonic", cv=folds, smoothing=None).fit(X, y)
    # theirs interpolates between steps and works in probabilities, which tie near 0 and 1
    assert np.mean(np.abs(ours.predict_proba(X) - theirs.predict_proba(X))) < 0.02
    steep = LogisticRegression(C=1e-3).fit(X, y)
    ours = LogisticMap.fit(steep.decision_function(X), y)
    again = LogisticRegression(C=np.inf, tol=1e-10).fit(steep.decision_function(X)[:, None], y)
    assert np.allclose(ours.coefficients, (again.coef_[0, 0], again.intercept_[0]), rtol=1e-4, atol=1e-5)


@pytest.mark.sample(4)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "estimator",
    [
        LinearSVC(random_state=0),
        SVC(),
        RandomForestClassifier(20, random_state=0),
        make_pipeline(StandardScaler(), LogisticRegression()),
    ],
    ids=["decision function", "kernel", "certain forest", "pipeline"],
)
@pytest.mark.parametrize("data", [load_breast_cancer, load_iris], ids=["two", "three"])
def test_any_classifier_of_scikit_learns(estimator, method, data):
    X, y = data(return_X_y=True)
    X = X / X.std(axis=0)
    model = Calibrated(estimator, method=method, cv=3, random_state=0).fit(X[::2], y[::2])
    p = model.predict_proba(X[1::2])
    assert model.score(X[1::2], y[1::2]) > 0.85
    assert np.allclose(p.sum(axis=1), 1)
    assert mean_log_loss(p, y[1::2]) < 0.35  # finite, though the forest says 0 and 1


def test_it_works_inside_scikit_learn():
    X, y = make_classification(200, random_state=0)
    model = Calibrated(NaiveBayes(kinds="gaussian"))
    assert clone(model).get_params()["estimator__kinds"] == "gaussian"
    assert cross_val_score(model, X, y, cv=3, scoring="neg_log_loss").mean() > -0.6
    search = GridSearchCV(model, {"method": ["logistic", "isotonic"], "estimator__class_alpha": [0.0, 1.0]}, cv=2)
    assert search.fit(X, y).best_score_ > 0.8
    assert repr(model) == "Calibrated(estimator=NaiveBayes(kinds='gaussian'))"


@pytest.mark.parametrize("kind", ["pandas", "polars", "dict", "list", "sparse", "arrow"])
def test_tables_of_every_kind(kind):
    X, y = overlapping(100)
    columns = {f"x{j}": X[:, j] for j in range(5)}
    table = {
        "pandas": lambda: pd.DataFrame(columns),
        "polars": lambda: pl.DataFrame(columns),
        "dict": lambda: columns,
        "list": lambda: X.tolist(),
        "sparse": lambda: sparse.csr_array(X),
        "arrow": lambda: pl.DataFrame(columns).to_arrow(),
    }[kind]()
    expected = Calibrated(NaiveBayes(kinds="gaussian"), cv=KFold(4)).fit(X, y).predict_proba(X)
    model = Calibrated(NaiveBayes(kinds="gaussian"), cv=KFold(4)).fit(table, y.tolist())
    assert np.allclose(model.predict_proba(table), expected, atol=1e-9)
    if kind in ("pandas", "polars", "dict"):
        assert model.feature_names_in_.tolist() == list(columns)
        names = np.array(["no", "yes"])[y]
        with_target = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "dict": dict}[kind]({**columns, "y": names})
        named = Calibrated(NaiveBayes(kinds="gaussian"), cv=KFold(4)).fit(with_target, "y")
        assert named.classes_.tolist() == ["no", "yes"]
        assert np.allclose(named.predict_proba(table), expected, atol=1e-9)


def test_prefit_keeps_the_estimator():
    X, y = overlapping(400)
    fitted = GaussianNB().fit(X[:200], y[:200])
    model = Calibrated(fitted, method="isotonic", cv="prefit").fit(X[200:], y[200:])
    assert model.estimator_ is fitted
    steps = IsotonicMap.fit(fitted.predict_log_proba(X[200:]), y[200:])
    assert np.allclose(model.predict_proba(X)[:, 1], steps.probability(fitted.predict_log_proba(X)))


def test_weights():
    X, y = overlapping(60)
    weight = np.random.default_rng(0).integers(0, 3, 60).astype(float)
    kept = weight > 0
    here = Calibrated(GaussianNB()).fit(X, y, weight)
    there = Calibrated(GaussianNB()).fit(X[kept], y[kept], weight[kept])
    assert np.allclose(here.predict_proba(X), there.predict_proba(X))
    assert not np.allclose(here.predict_proba(X), Calibrated(GaussianNB()).fit(X, y).predict_proba(X))
    last_step = Calibrated(make_pipeline(GaussianNB())).fit(X, y, weight)
    assert np.allclose(here.predict_proba(X), last_step.predict_proba(X))


def test_folds_are_even_and_seeded():
    y = np.repeat([0, 1, 2], [23, 11, 4])
    folds = stratified_folds(y, 4)
    assert np.ptp(np.bincount(folds)) <= 1
    for k in range(3):
        assert np.ptp(np.bincount(folds[y == k], minlength=4)) <= 1
    shuffled = stratified_folds(y, 4, random_state=1)
    assert not np.array_equal(folds, shuffled)
    assert np.array_equal(shuffled, stratified_folds(y, 4, random_state=1))
    assert np.ptp(np.bincount(shuffled)) <= 1
    X, y = overlapping(100)
    one, two = (Calibrated(GaussianNB(), random_state=seed).fit(X, y).map_.slope for seed in (1, 2))
    assert not np.array_equal(one, two)


def test_smoothing_reaches_the_map():
    X, y = overlapping(100)
    X = X + 2 * y[:, None]  # pure at both ends
    shares = {
        smoothing: Calibrated(GaussianNB(), "isotonic", smoothing=smoothing).fit(X, y).map_.steps[0].share
        for smoothing in ("ends", "all", None)
    }
    assert shares[None][0] == 0 < shares["ends"][0]
    assert not np.array_equal(shares["ends"], shares["all"])


@pytest.mark.filterwarnings("ignore:y has only one class")
@pytest.mark.parametrize(
    ("model", "y", "error", "word"),
    [
        (Calibrated(NaiveBayes(), method="platt"), [0, 1] * 5, InputError, "unknown method"),
        (Calibrated(NaiveBayes(), method="gaussian"), [0, 1, 2, 0, 1, 2, 0, 1, 2, 0], InputError, "two classes"),
        (Calibrated(NaiveBayes(), cv="fold"), [0, 1] * 5, InputError, "unknown cv"),
        (Calibrated(NaiveBayes(), cv=1), [0, 1] * 5, InputError, "between 2"),
        (Calibrated(NaiveBayes(), cv=0.5), [0, 1] * 5, InputError, "number of folds"),
        (Calibrated(NaiveBayes(), cv=[]), [0, 1] * 5, InputError, "no folds"),
        (Calibrated(NaiveBayes(), cv="prefit"), [0, 1] * 5, NotFittedError, "not; fit it"),
        (Calibrated(NaiveBayes().fit([[0.0], [1.0]], [0, 1]), cv="prefit"), [1] * 10, InputError, "one class"),
        (Calibrated(NaiveBayes()), [0] * 9 + [1], InputError, "one sample"),
        (Calibrated(NaiveBayes()), [None] * 10, InputError, "missing"),
        (Calibrated(NaiveBayes()), [0, 1], InputError, "inconsistent"),
        (Calibrated(NaiveBayes), [0, 1] * 5, InputTypeError, "expected a classifier"),
        (Calibrated(StandardScaler()), [0, 1] * 5, InputTypeError, "no classifier"),
        (Calibrated(NaiveBayes()), "target", InputError, "no named columns"),
    ],
)
def test_mistakes_are_told_in_words(model, y, error, word):
    X = np.arange(20.0).reshape(10, 2)
    with pytest.raises(error, match=word):
        model.fit(X, y)


def test_more_mistakes_are_told_in_words():
    X, y = np.arange(20.0).reshape(10, 2), np.array([0, 1] * 5)
    with pytest.raises(NotFittedError):
        Calibrated(NaiveBayes()).predict(X)
    with pytest.raises(InputError, match="takes no sample_weight"):
        Calibrated(KNeighborsClassifier(2)).fit(X, y, np.ones(10))
    fitted = GaussianNB().fit(np.arange(30.0).reshape(15, 2), [0, 1, 2] * 5)
    with pytest.raises(InputError, match="class 2 does not occur"):
        Calibrated(fitted, cv="prefit").fit(X, y)
    with pytest.raises(InputError, match="class 3"):
        Calibrated(fitted, cv="prefit").fit(X, [0, 3] * 5)
    with pytest.raises(InputError, match="no target column"):
        Calibrated(NaiveBayes()).fit(pl.DataFrame(X), "y")
    halves = [(np.arange(5), np.arange(5, 10))]
    with pytest.raises(InputError, match="only class 'a'"):
        Calibrated(LinearSVC(), cv=[(np.arange(0, 10, 2), np.arange(1, 10, 2))]).fit(
            X, ["a", "b", "a", "b", "a", "b", "a", "b", "a", "b"]
        )
    assert Calibrated(NaiveBayes(), cv=halves).fit(X, y).map_.slope.shape == (2,)


@pytest.mark.parametrize("method", ["temperature", "logistic", "beta", "isotonic"])
def test_scores_that_are_all_equal_are_calibrated_to_the_share(method):
    from likely.models import MajorityClassifier

    y = np.repeat([0, 1], [107, 43])
    X = np.zeros((150, 1))
    model = Calibrated(MajorityClassifier().fit(X, y), method, cv="prefit").fit(X, y)
    assert model.predict_proba(X[:1])[0, 1] == pytest.approx(43 / 150, abs=2e-3)  # softened labels move it a little


def test_later_tables_may_hold_the_target():
    X, y = overlapping(60)
    table = pl.DataFrame({"a": X[:, 0], "kind": y})
    for model in (Calibrated(NaiveBayes()), Decider(NaiveBayes()), Decider(Calibrated(NaiveBayes()))):
        model.fit(table, "kind")
        assert np.array_equal(model.predict_proba(table), model.predict_proba(table.drop("kind")))


def test_no_map_is_worse_than_none():
    """Sure and right: softened labels would take its certainty; few rows; a model that is off by hundreds in a few."""
    iris = load_iris(return_X_y=True)
    raw, mapped = (-cross_val_score(m, *iris, cv=StratifiedKFold(5), scoring="neg_log_loss").mean()
                   for m in (NaiveBayes(), Calibrated(NaiveBayes())))  # fmt: skip
    assert mapped < raw + 0.03
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 400)
    sure = 300.0 * np.eye(3)[codes]
    sure[:4] = -sure[:4]  # four rows off by hundreds
    for kind in (LogisticMap, TemperatureMap):
        fitted = kind.fit(sure - 300.0, codes, prior=PRIOR)
        assert fitted.slope[0] > 0.2 and not fitted.softened
        assert -fitted.log_posterior(sure - 300.0)[np.arange(400), codes].mean() < 0.2
    apart = LogisticMap.fit(sure[4:] - 300.0, codes[4:], prior=PRIOR)
    assert 1 <= apart.slope[0] < 2  # separated: no slope without end, none crushed


def test_the_map_is_chosen_by_rows_left_out():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, 2_000)
    odds = rng.normal(2.0 * codes - 1.0) * 2.0
    chosen = {}
    for name, seen in {
        "right": odds,
        "too sure": 2.5 * odds,
        "shifted": 2.5 * odds + 4,
        "bent": np.sign(odds) * odds**4,
    }.items():
        scores = np.stack([np.zeros(2_000), seen], axis=1)
        chosen[name] = best_map(scores, codes)[0]
    assert chosen == {"right": "none", "too sure": "temperature", "shifted": "logistic", "bent": "isotonic"}
    assert best_map(odds, codes)[0] == "logistic"  # a decision function is no posterior: it always has a map
    few = np.stack([np.zeros(2_000), 3 * odds], axis=1)[:40]
    assert best_map(few, np.int64(odds[:40] > 0))[0] == "temperature"  # too few to choose
    X, y = overlapping(400)
    model = Calibrated(NaiveBayes()).fit(X, y)
    assert model.method_ in MAPS and isinstance(model.map_, MAPS[model.method_])


def test_no_map_gives_way_to_one_that_is_better_by_more_than_noise():
    rng = np.random.default_rng(5)
    kept = 0
    for _ in range(30):
        codes = rng.integers(0, 2, 150)
        odds = rng.normal(2.0 * codes - 1.0) * 2.0  # as they should be: every map can only harm
        kept += best_map(np.stack([np.zeros(150), odds], axis=1), codes)[0] == "none"
    assert kept >= 24


def test_temperature_of_many_classes_needs_no_matrix():
    rng = np.random.default_rng(2)
    k = 60
    codes = np.concatenate([np.arange(k), rng.integers(0, k, 600)])
    scores = rng.normal(size=(len(codes), k))
    scores[np.arange(len(codes)), codes] += 2.0
    fitted = TemperatureMap.fit(5.0 * scores, codes)

    def loss(slope):
        z = slope * 5.0 * scores
        return (np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(codes)), codes]).mean()

    best = minimize_scalar(loss, (0.05, 0.3), tol=1e-12)
    assert fitted.slope[0] == pytest.approx(best.x, rel=1e-6)


def test_calibration_of_noise_says_nearly_the_shares_of_the_classes():
    rng = np.random.default_rng(4)
    noise, labels = rng.normal(size=(14, 3)), np.repeat([0, 1], [9, 5])
    said = Calibrated(NaiveBayes()).fit(noise, labels).predict_proba(noise)
    assert np.allclose(said, [9 / 14, 5 / 14], atol=0.1)
    far = noise + 4 * labels[:, None]
    assert Calibrated(NaiveBayes()).fit(far, labels).predict_proba(far)[np.arange(14), labels].min() > 0.6


def test_a_class_of_one_row_is_refused_with_what_to_do():
    x, y = np.arange(9.0)[:, None], ["a", "b"] * 4 + ["rare"]
    for model in (Calibrated(NaiveBayes()), Pool([NaiveBayes()])):
        with pytest.raises(InputError, match=r"class 'rare' has one sample.*leave it out"):
            model.fit(x, y)


def test_its_face_names_the_map():
    x = np.random.default_rng(0).normal(size=(60, 1))
    model = Calibrated(NaiveBayes(), method="isotonic").fit(x, x[:, 0] > 0.3)
    assert "calibration  isotonic" in str(model)


@pytest.mark.parametrize("method", ["auto", "logistic", "gaussian"])
def test_scores_of_noise_are_not_turned_around(method):
    rng = np.random.default_rng(0)
    excess = []
    for _ in range(3):
        X, y, new, came = rng.normal(size=(40, 3)), np.arange(40) % 2, rng.normal(size=(500, 3)), np.arange(500) % 2
        model = Calibrated(RidgeClassifier(alpha=1000.0), method, cv=40).fit(X, y)  # each without one row leans away
        assert (model.map_.slope >= 0).all()
        excess.append(-model.predict_log_proba(new)[np.arange(500), came].mean() - np.log(2))
    assert max(excess) < 0.05


def test_a_map_turns_scores_around_unless_they_are_known_to_rise():
    score, y = np.array([3.0, 2.0, 1.0, 2.5, 0.5, 1.5]), np.array([0, 0, 1, 0, 1, 1])
    assert LogisticMap.fit(score, y).slope[1] < 0
    held = LogisticMap.fit(score, y, rising=True)
    assert not held.slope.any() and np.allclose(held.probability(score), 0.5) and not held.softened
