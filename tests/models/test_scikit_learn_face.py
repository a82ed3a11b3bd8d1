"""What scikit-learn's tools read from a classifier besides fit and predict."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import BaggingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import learning_curve
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import get_tags

from likely import Calibrated, Decider, GaussianBayes, NaiveBayes, TextBayes
from likely.errors import InputError
from likely.models import MajorityClassifier

rng = np.random.default_rng(3)
Y = rng.integers(0, 3, 90)
X = rng.normal(Y[:, None], 1.2, (90, 4))
TWO = Y < 2
MODELS = [NaiveBayes(), GaussianBayes(), GaussianBayes("shared"), MajorityClassifier(), Calibrated(NaiveBayes()),
          Decider(NaiveBayes())]  # fmt: skip


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


def test_what_is_impossible_has_a_finite_score():
    model = NaiveBayes("categorical", alpha=0).fit([[0], [0], [1], [1]], [0, 0, 0, 1])
    assert np.isneginf(model.predict_log_proba([[0]])[0, 1])
    assert model.decision_function([[0]]) == np.finfo(float).min


def test_the_linear_form_of_two_classes_is_one_row():
    model = GaussianBayes("shared").fit(X[TWO], Y[TWO])
    peer = LinearDiscriminantAnalysis().fit(X[TWO], Y[TWO])
    assert model.coef_.shape == (1, 4) and model.intercept_.shape == (1,)
    assert np.allclose(model.coef_, peer.coef_, rtol=1e-8) and np.allclose(model.intercept_, peer.intercept_, rtol=1e-8)
    assert np.allclose(model.decision_function(X), peer.decision_function(X), rtol=1e-8)
    assert np.allclose(X @ model.coef_[0] + model.intercept_, model.decision_function(X), rtol=1e-8)
    assert GaussianBayes("shared").fit(X, Y).coef_.shape == (3, 4)


def test_the_estimator_inside_is_set_before_its_parameters():
    model = Calibrated(GaussianBayes()).set_params(estimator__alpha=3.0, estimator=NaiveBayes(), cv=3)
    assert isinstance(model.estimator, NaiveBayes) and model.estimator.alpha == 3.0 and model.cv == 3
    with pytest.raises(InputError, match="Invalid parameter"):
        model.set_params(estimator__no_such=1)
    with pytest.raises(InputError, match="has no parameters to set"):
        model.set_params(cv__n_splits=1)


def test_tags_say_texts_and_categories():
    assert get_tags(NaiveBayes()).input_tags.string and get_tags(NaiveBayes()).input_tags.categorical
    assert get_tags(Calibrated(NaiveBayes())).input_tags.categorical
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


def test_single_precision_in_is_single_precision_out():
    single = X.astype(np.float32)
    for model, peer in ((NaiveBayes(), GaussianNB()), (GaussianBayes("shared"), LinearDiscriminantAnalysis())):
        for learned in (X, single):
            model.fit(learned, Y), peer.fit(learned, Y)
            for asked in (X, single):
                ours = model.predict_proba(asked)
                assert ours.dtype == peer.predict_proba(asked).dtype
                assert model.predict_log_proba(asked).dtype == model.decision_function(asked).dtype == ours.dtype
                assert np.allclose(ours, model.fit(learned, Y).predict_proba(asked.astype(float)), atol=1e-6)


def test_joint_log_probabilities_are_those_of_the_peer():
    ours = NaiveBayes("gaussian", var_smoothing=1e-9).fit(X, Y).predict_joint_log_proba(X)
    assert np.allclose(ours, GaussianNB().fit(X, Y).predict_joint_log_proba(X), rtol=1e-9)
