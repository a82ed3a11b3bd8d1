"""What scikit-learn's tools read from a classifier besides fit and predict."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone
from sklearn.cluster import KMeans as PeerKMeans
from sklearn.decomposition import PCA as PeerPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression as PeerLogisticRegression
from sklearn.linear_model import Perceptron as PeerPerceptron
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, learning_curve
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from likely import (
    PCA,
    BayesClassifier,
    BoostedTrees,
    Calibrated,
    Decider,
    DecisionForest,
    DecisionTree,
    DependenceBayes,
    FisherDiscriminant,
    GaussianBayes,
    InstanceLearner,
    KernelPerceptron,
    KMeans,
    LeastSquaresClassifier,
    LogisticRegression,
    NaiveBayes,
    NearestExemplar,
    NearestNeighbors,
    NeuralNetwork,
    Perceptron,
    Pool,
    TextBayes,
)
from likely.errors import InputError
from likely.models import MajorityClassifier

today = pytest.mark.skipif(sklearn.__version__ < "1.9", reason="compared with scikit-learn as it is since 1.9")

rng = np.random.default_rng(3)
Y = rng.integers(0, 3, 90)
X = rng.normal(Y[:, None], 1.2, (90, 4))
TWO = Y < 2
MODELS = [NaiveBayes(), GaussianBayes(), GaussianBayes("shared"), MajorityClassifier(), Calibrated(NaiveBayes()),
          Decider(NaiveBayes())]  # fmt: skip
LINEAR = [LogisticRegression(), Perceptron(), LeastSquaresClassifier(), FisherDiscriminant()]
EVERY = [*MODELS, *LINEAR, DependenceBayes(), KernelPerceptron(), NeuralNetwork(random_state=0), DecisionTree(),
         DecisionForest(5), BoostedTrees(max_iter=5), NearestNeighbors(), NearestExemplar(), InstanceLearner(),
         Pool([NaiveBayes(), LogisticRegression()])]  # fmt: skip


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_decision_functions_are_log_odds_or_log_posteriors(model):
    scores = model.fit(X, Y).decision_function(X)
    assert np.allclose(np.exp(scores), model.predict_proba(X))
    assert np.array_equal(model.classes_[scores.argmax(axis=1)], model.predict(X))
    model.fit(X[TWO], Y[TWO])
    odds, p = model.decision_function(X), model.predict_proba(X)
    assert odds.shape == (90,) and np.allclose(odds, np.log(p[:, 1] / p[:, 0]))
    assert np.array_equal(model.classes_[(odds > 0).astype(int)], model.predict(X))
    assert roc_auc_score(Y[TWO], odds[TWO]) == roc_auc_score(Y[TWO], p[TWO, 1])


@pytest.mark.parametrize("model", EVERY, ids=repr)
def test_every_classifier_ranks_by_its_decision_function(model):
    scores = clone(model).fit(X, Y).decision_function(X)
    assert scores.shape == (90, 3) and np.isfinite(scores).all()
    two = clone(model).fit(X[TWO], Y[TWO])
    odds = two.decision_function(X[TWO])
    assert odds.shape == (TWO.sum(),)
    assert roc_auc_score(Y[TWO], odds) > (0.4 if isinstance(model, MajorityClassifier) else 0.6)
    said = two.predict(X[TWO])
    assert (said[odds > 0] == 1).all() and (said[odds < 0] == 0).all()


@pytest.mark.parametrize("model", [one for one in EVERY if not isinstance(one, MajorityClassifier)], ids=repr)
def test_one_class_is_the_answer_and_it_is_said(model):
    with pytest.warns(match="y has only one class, 'a'"):
        fitted = clone(model).fit(X, np.full(90, "a"))
    assert (fitted.predict(X) == "a").all() and fitted.predict_proba(X).tolist() == [[1.0]] * 90
    assert fitted.decision_function(X).shape == (90, 1)


def test_what_is_impossible_has_a_finite_score():
    model = NaiveBayes("categorical", alpha=0).fit([[0], [0], [1], [1]], [0, 0, 0, 1])
    assert np.isneginf(model.predict_log_proba([[0]])[0, 1])
    assert model.decision_function([[0]]) == -1e290


@today
def test_the_linear_form_of_two_classes_is_one_row():
    model = GaussianBayes("shared").fit(X[TWO], Y[TWO])
    peer = LinearDiscriminantAnalysis().fit(X[TWO], Y[TWO])
    assert model.coef_.shape == (1, 4) and model.intercept_.shape == (1,)
    assert np.allclose(model.coef_, peer.coef_, rtol=1e-8) and np.allclose(model.intercept_, peer.intercept_, rtol=1e-8)
    assert np.allclose(model.decision_function(X), peer.decision_function(X), rtol=1e-8)
    assert np.allclose(X @ model.coef_[0] + model.intercept_, model.decision_function(X), rtol=1e-8)
    assert GaussianBayes("shared").fit(X, Y).coef_.shape == (3, 4)


@pytest.mark.parametrize("model", LINEAR, ids=repr)
def test_coefficients_of_every_linear_model(model):
    assert (model.fit(X, Y).coef_.shape, model.intercept_.shape) == ((3, 4), (3,))
    assert (model.fit(X[TWO], Y[TWO]).coef_.shape, model.intercept_.shape) == ((1, 4), (1,))


def test_the_estimator_inside_is_set_before_its_parameters():
    model = Calibrated(GaussianBayes()).set_params(estimator__alpha=3.0, estimator=NaiveBayes(), cv=3)
    assert isinstance(model.estimator, NaiveBayes) and model.estimator.alpha == 3.0 and model.cv == 3
    with pytest.raises(InputError, match="Invalid parameter"):
        model.set_params(estimator__no_such=1)
    with pytest.raises(InputError, match="has no parameters to set"):
        model.set_params(cv__n_splits=1)


@pytest.mark.parametrize("form", [list, dict])
def test_named_members_of_a_pool_are_its_parameters(form):
    first = NaiveBayes()
    pool = Pool(given := form([("bayes", first), ("line", GaussianBayes("shared"))]))
    assert pool.get_params()["bayes"] is first and "bayes" not in pool.get_params(deep=False)
    pool.set_params(line__ddof=0, bayes__alpha=3.0, line=GaussianBayes("full"))
    assert first.alpha == 3.0 and repr(pool.get_params()["line"]) == repr(GaussianBayes("full", ddof=0))
    assert repr(dict(given)["line"]) == repr(GaussianBayes("shared"))  # the user's own list is as it was
    search = GridSearchCV(pool, {"bayes__var_smoothing": [0.0, 1e-9], "cv": [3]}, cv=2).fit(X, Y)
    assert search.best_params_["cv"] == 3
    with pytest.raises(InputError, match="'bayes', 'cv'"):
        pool.set_params(no_such=1)
    with pytest.raises(InputError, match="no parameters to set"):
        NaiveBayes().set_params(alpha__=1.0)
    assert set(Pool([NaiveBayes()]).get_params()) == set(Pool().get_params())


@pytest.mark.parametrize("kind", [pd.Series, pl.Series, np.array], ids=["pandas", "polars", "numpy"])
def test_parameters_that_compare_cell_by_cell_are_printed_and_cloned(kind):
    model = clone(NaiveBayes(class_prior=kind([0.2, 0.3, 0.5])))
    assert "class_prior" in repr(model) and "0.5" in repr(model)
    assert np.array_equal(model.fit(X, Y).class_prior_, [0.2, 0.3, 0.5])
    assert "costs" in repr(Decider(NaiveBayes(), costs=pd.DataFrame([[0, 1], [2, 0]])))


def test_tags_say_texts_and_categories():
    assert get_tags(NaiveBayes()).input_tags.string and get_tags(NaiveBayes()).input_tags.categorical
    assert get_tags(Calibrated(NaiveBayes())).input_tags.categorical
    levels = [*LINEAR, DependenceBayes(), DecisionTree(), NearestNeighbors(), NeuralNetwork(), Pool([DecisionTree()])]
    assert all(get_tags(model).input_tags.string and get_tags(model).input_tags.categorical for model in levels)
    assert not get_tags(Pool([NaiveBayes(), GaussianNB()])).input_tags.categorical
    for numbers in (get_tags(GaussianBayes()).input_tags, get_tags(NaiveBayes("gaussian")).input_tags):
        assert not numbers.string and not numbers.categorical
    assert get_tags(TextBayes()).input_tags.string and get_tags(Decider(TextBayes())).input_tags.one_d_array


@pytest.mark.filterwarnings("ignore:y has only one class")
def test_tools_that_meet_one_class():
    lopsided = np.r_[np.zeros(85), np.ones(5)]
    bag = BaggingClassifier(NaiveBayes(), n_estimators=5, max_samples=6, random_state=0).fit(X, lopsided)
    assert np.allclose(bag.predict_proba(X).sum(axis=1), 1)
    several = MultiOutputClassifier(GaussianBayes()).fit(X, np.c_[Y, np.zeros(90)])
    assert (several.predict(X)[:, 1] == 0).all()
    _, _, tested = learning_curve(NaiveBayes(), X, np.sort(Y), train_sizes=[5, 60], cv=3, error_score="raise")
    assert tested.shape == (2, 3)


def test_one_column_of_labels_is_ravelled_with_a_warning():
    for y in (Y[:, None], Y[:, None].tolist()):
        with pytest.warns(match="column-vector y"):
            assert np.array_equal(NaiveBayes().fit(X, y).predict(X), NaiveBayes().fit(X, Y).predict(X))


@pytest.mark.parametrize(
    "model",
    [
        *(NaiveBayes(), NaiveBayes(weighting="exponents"), GaussianBayes(), BayesClassifier(n_components=2)),
        *(DependenceBayes(), DependenceBayes(bins="mdl"), LogisticRegression(), DecisionTree(), NearestNeighbors()),
    ],
    ids=repr,
)
def test_a_column_of_labels_is_warned_of_once(model):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model.fit(X, Y[:, None])
    assert ["column-vector" in str(one.message) for one in told] == [True]


SINGLE = [
    (NaiveBayes(), GaussianNB()),
    (GaussianBayes("shared"), LinearDiscriminantAnalysis()),
    (LogisticRegression(), PeerLogisticRegression()),
    (Perceptron(), PeerPerceptron()),
    (LeastSquaresClassifier(), RidgeClassifier()),
    (FisherDiscriminant(), LinearDiscriminantAnalysis()),
    (NeuralNetwork(random_state=0), MLPClassifier(max_iter=5)),
    (DecisionTree(), DecisionTreeClassifier()),
    (NearestNeighbors(), KNeighborsClassifier()),
    (PCA(2), PeerPCA(2)),
    (KMeans(3), PeerKMeans(3)),
]


@today
@pytest.mark.parametrize("model, peer", SINGLE, ids=[repr(model) for model, _ in SINGLE])
@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")  # the peer need not arrive
def test_single_precision_in_is_single_precision_out(model, peer):
    single = X.astype(np.float32)
    for learned in (X, single):
        model.fit(learned, Y), peer.fit(learned, Y)
        for asked in (X, single, pd.DataFrame(single)):
            for way in ("predict_proba", "decision_function", "transform"):
                if hasattr(model, way) and hasattr(peer, way):
                    ours = getattr(model, way)(asked)
                    assert ours.dtype == getattr(peer, way)(np.asarray(asked)).dtype, way
                    assert np.allclose(ours, getattr(model, way)(np.asarray(asked, float)), atol=1e-5)


def test_joint_log_probabilities_are_those_of_the_peer():
    ours = NaiveBayes("gaussian", var_smoothing=1e-9).fit(X, Y).predict_joint_log_proba(X)
    assert np.allclose(ours, GaussianNB().fit(X, Y).predict_joint_log_proba(X), rtol=1e-9)
