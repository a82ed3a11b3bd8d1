"""Splitters with groups, parameters for `fit` of the model inside, and labels of rows that are not answered."""

import re

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, get_scorer
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut, PredefinedSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from likely import Calibrated, Decider, GaussianBayes, NaiveBayes, Pool, cross_validate, evaluate
from likely.errors import InputError

rng = np.random.default_rng(5)
Y = rng.integers(0, 2, 120)
X = rng.normal(Y[:, None], 1.5, (120, 2))
GROUPS = np.array(list("abcdef"))[np.arange(120) % 6]


class Told(ClassifierMixin, BaseEstimator):
    """Asserts that what it is told in `fit` belongs to its rows, and answers by a naive Bayes."""

    def fit(self, X, y, mark=None, level=None):
        assert np.array_equal(mark, X[:, 0]) and level == 3
        self.inside_ = NaiveBayes().fit(X, y)
        self.classes_ = self.inside_.classes_
        return self

    def predict(self, X):
        return self.inside_.predict(X)

    def predict_proba(self, X):
        return self.inside_.predict_proba(X)


@pytest.mark.parametrize("kind", [Calibrated, lambda model, **o: Decider(model, max_error=0.4, confidence=None, **o)])
@pytest.mark.parametrize("inside", [NaiveBayes(), LogisticRegression()], ids=repr)
def test_splitters_are_given_the_groups(kind, inside):
    pairs = list(GroupKFold(3).split(X, Y, GROUPS))
    by_pairs = kind(inside, cv=pairs).fit(X, Y).predict_proba(X)
    assert np.allclose(kind(inside, cv=GroupKFold(3)).fit(X, Y, groups=GROUPS).predict_proba(X), by_pairs)
    with pytest.raises(ValueError, match="groups"):
        kind(inside, cv=LeaveOneGroupOut()).fit(X, Y)


def test_a_number_of_folds_keeps_groups_whole():
    copies = np.repeat(np.arange(40), 3)
    rows, y = rng.normal(size=(40, 2))[copies], rng.integers(0, 2, 40)[copies]
    from sklearn.neighbors import KNeighborsClassifier

    model = KNeighborsClassifier(1)
    apart = Calibrated(model, cv=5, random_state=0).fit(rows, y, groups=copies).predict_proba(rows).max(axis=1).mean()
    mixed = Calibrated(model, cv=5, random_state=0).fit(rows, y).predict_proba(rows).max(axis=1).mean()
    assert apart < 0.75 < mixed  # the labels are noise: only folds that mix copies believe otherwise


@pytest.mark.parametrize("kind", [Calibrated, Decider])
def test_parameters_for_fit_go_with_their_rows(kind):
    model = kind(Told(), cv=3).fit(X, Y, mark=X[:, 0], level=3)
    assert np.allclose(model.predict_proba(X), kind(NaiveBayes(), cv=3).fit(X, Y).predict_proba(X))
    weight = np.where(np.arange(120) % 5 == 0, 0.0, 1.0)
    piped = make_pipeline(StandardScaler(), LogisticRegression())
    with_weights = kind(piped).fit(X, Y, logisticregression__sample_weight=weight)
    assert np.isfinite(with_weights.predict_proba(X)).all()
    with pytest.raises(TypeError):
        kind(NaiveBayes()).fit(X, Y, no_such=1)


def test_cross_validation_takes_groups_splitters_and_parameters_for_fit():
    found = cross_validate(NaiveBayes(), X, Y, cv=GroupKFold(3), groups=GROUPS)
    peer = cross_val_score(NaiveBayes(), X, Y, cv=GroupKFold(3), groups=GROUPS)
    assert np.allclose(found.scores()[0], peer) and not found.refitted
    told = cross_validate(Told(), X, Y, cv=GroupKFold(3), groups=GROUPS, fit_params={"mark": X[:, 0], "level": 3})
    assert np.allclose(told.posterior, found.posterior) and told.refitted
    with pytest.raises(InputError, match="groups has 3 entries"):
        cross_validate(NaiveBayes(), X, Y, groups=[1, 2, 3])


@pytest.mark.parametrize(
    "names, label",
    [(np.array(["ill", "well"]), "rejected"), (np.array([0, 1]), -1), (np.array([-1, 1]), -2),
     (np.array([1.0, 2.0]), -1), (np.array(["rejected", "well"]), "rejected_")],
    ids=str,
)  # fmt: skip
def test_a_row_without_an_answer_has_a_label_of_the_classes_own_type(names, label):
    y = names[Y]
    model = Decider(GaussianBayes(), reject=0.2).fit(X, y)
    said = model.predict(X)
    rejected = model.decide(X).rejected
    assert rejected.any() and model.reject_label_ == label and (said[rejected] == label).all()
    assert said.dtype.kind in (y.dtype.kind, "i")
    assert get_scorer("accuracy")(model, X, y) == accuracy_score(y, said) == model.score(X, y)
    assert np.isfinite(cross_val_score(Decider(GaussianBayes(), reject=0.2), X, y, scoring="f1_macro")).all()
    judged = evaluate(model, X, y)
    assert judged.confusion.rejected.sum() == rejected.sum() and set(judged.classes) == set(names)
    assert Decider(GaussianBayes()).fit(X, y).reject_label_ is None
    assert Decider(GaussianBayes(), reject=0.2, reject_label="ask").fit(X, y).reject_label_ == "ask"
    again = cross_validate(Decider(GaussianBayes(), reject=0.2), X, y, cv=3)
    assert None in again.predictions[0].tolist()


FOLDS = np.arange(120) % 4
WEIGHT = np.where(np.arange(120) == 7, 0.0, 1.0)


@pytest.mark.parametrize("model", [NaiveBayes(), LogisticRegression()], ids=repr)
@pytest.mark.parametrize(
    "named", [FOLDS, np.array(list("cadb"))[FOLDS], FOLDS.tolist(), np.stack([FOLDS, FOLDS[::-1]])]
)
def test_the_fold_of_each_row_is_what_its_pairs_are(model, named):
    """A `Calibrated` met an array with a bare TypeError."""
    expected = Calibrated(model, cv=PredefinedSplit(FOLDS)).fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(Calibrated(model, cv=named).fit(X, Y).predict_proba(X), expected, rtol=1e-6)


def _weights(cv, y, weight):
    return list(Pool([NaiveBayes(), GaussianBayes()], cv=cv).fit(X, y, weight).weights_.values())


@pytest.mark.parametrize("cv", [FOLDS, PredefinedSplit(FOLDS), list(PredefinedSplit(FOLDS).split())], ids=type)
def test_folds_of_all_rows_serve_where_some_are_left_out(cv):
    kept = WEIGHT > 0
    expected = list(Pool([NaiveBayes(), GaussianBayes()], cv=FOLDS[kept]).fit(X[kept], Y[kept]).weights_.values())
    np.testing.assert_allclose(_weights(cv, Y, WEIGHT), expected, rtol=1e-6)
    hidden = np.where(kept, Y, np.nan)
    with pytest.warns(UserWarning, match="label"):
        np.testing.assert_allclose(_weights(cv, hidden, None), expected, rtol=1e-6)
    assert cross_validate(NaiveBayes(), X, Y, cv=cv, sample_weight=WEIGHT).scores("accuracy").shape == (1, 4)
    for model in (Calibrated(NaiveBayes(), cv=cv), Decider(NaiveBayes(), max_error=0.4, confidence=None, cv=cv)):
        assert model.fit(X, Y, sample_weight=WEIGHT).predict(X).shape == (120,)


def test_a_pool_leaves_rows_without_weight_out_of_its_folds():
    pool, kept = Pool([NaiveBayes(), GaussianBayes()]), WEIGHT > 0
    found = pool.out_of_fold(X, Y, FOLDS, WEIGHT)
    np.testing.assert_allclose(found[kept], pool.out_of_fold(X[kept], Y[kept], FOLDS[kept]), rtol=1e-9)
    assert np.isnan(found[7]).all()
    with pytest.raises(InputError, match=r"folds has shape \(3,\), expected \(120,\)"):
        pool.out_of_fold(X, Y, [1, 2, 3])


@pytest.mark.parametrize(
    ("cv", "says"),
    [
        ([1, 2, 3], "cv has shape (3,) for 120 rows"),
        ([[1, 2], [3]], "cv holds pairs of training and test rows"),
        (PredefinedSplit(np.arange(200) % 3), "cv names row 199 of 120"),
        (5.0, "cv is a number of folds"),
        (np.zeros(120), "at least two"),
    ],
)
@pytest.mark.parametrize("kind", [Calibrated, lambda model, cv: Pool([model, GaussianBayes()], cv=cv)])
def test_what_is_no_cv_is_refused_in_words(kind, cv, says):
    with pytest.raises(InputError, match=re.escape(says)):
        kind(NaiveBayes(), cv=cv).fit(X, Y)
