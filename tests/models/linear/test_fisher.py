"""Fisher's discriminant: its equivalences, its projection, and that of the line of means."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from likely import FisherDiscriminant, GaussianBayes, LeastSquaresClassifier
from likely.errors import InputError
from likely.models.linear import fisher_direction, fisher_ratio

RNG = np.random.default_rng(5)
Y = np.arange(150) % 3
X = (
    RNG.normal(size=(150, 4)) @ RNG.normal(size=(4, 4))
    + Y[:, None] * [1, 0, -1, 0.5]
    + (Y == 1)[:, None] * [0, 2, 0, 0]
)
TWO = Y > 0


def test_it_is_the_gaussian_classifier_of_one_covariance():
    ours, bayes = FisherDiscriminant().fit(X, Y), GaussianBayes("shared").fit(X, Y)
    assert np.allclose(ours.predict_proba(X), bayes.predict_proba(X), atol=1e-12)
    theirs = LinearDiscriminantAnalysis().fit(X, Y)
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=0.02)  # which divides by n - k
    mine, its = ours.transform(X), theirs.transform(X)
    for j in range(2):
        assert abs(np.corrcoef(mine[:, j], its[:, j])[0, 1]) > 1 - 1e-12
    within = sum(np.cov(mine[c == Y].T, ddof=0) * (c == Y).sum() for c in range(3)) / 150
    assert np.allclose(within, np.eye(2))


def test_least_squares_has_its_direction():
    fisher, squares = FisherDiscriminant().fit(X, TWO), LeastSquaresClassifier().fit(X, TWO)
    ratio = fisher.coef_ / squares.coef_
    assert np.allclose(ratio, ratio.mean())
    calibrated = LeastSquaresClassifier(posterior="calibrated").fit(X, Y)
    assert np.allclose(calibrated.predict_proba(X), FisherDiscriminant().fit(X, Y).predict_proba(X), atol=1e-10)


def test_no_direction_has_a_larger_ratio():
    model = FisherDiscriminant(standardize=False).fit(X, TWO)
    means = [X[c == TWO].mean(axis=0) for c in (True, False)]
    spreads = [np.cov(X[c == TWO].T, ddof=0) * (c == TWO).sum() for c in (True, False)]
    best = fisher_ratio(model.directions_[:, 0], *means, *spreads)
    directions = RNG.normal(size=(200, 4))
    assert best >= max(fisher_ratio(w, *means, *spreads) for w in directions)
    w = fisher_direction(*means, *spreads)
    assert abs(np.corrcoef(X @ w, model.transform(X)[:, 0])[0, 1]) > 1 - 1e-12


def test_the_line_of_means_is_another_projection():
    line = FisherDiscriminant(direction="means", standardize=False).fit(X, TWO)
    step = X[TWO].mean(axis=0) - X[~TWO].mean(axis=0)
    assert np.allclose(line.directions_[:, 0], step / np.linalg.norm(step))
    assert line.ratios_[0] < FisherDiscriminant().fit(X, TWO).ratios_[0]
    plane = FisherDiscriminant(direction="means").fit(X, Y)
    assert plane.transform(X).shape == (150, 2)


def test_fewer_directions_decide_with_less():
    one, two = FisherDiscriminant(n_components=1).fit(X, Y), FisherDiscriminant().fit(X, Y)
    assert one.transform(X).shape == (150, 1) and one.get_feature_names_out().tolist() == ["fisherdiscriminant0"]
    assert np.allclose(one.transform(X)[:, 0], two.transform(X)[:, 0])
    theirs = LinearDiscriminantAnalysis(n_components=1).fit(X, Y)
    assert abs(np.corrcoef(theirs.transform(X)[:, 0], one.transform(X)[:, 0])[0, 1]) > 1 - 1e-12
    assert not np.allclose(one.predict_proba(X), two.predict_proba(X))


def test_bad_questions_are_refused():
    for wrong in ({"direction": "up"}, {"n_components": 0}):
        with pytest.raises(InputError):
            FisherDiscriminant(**wrong).fit(X, Y)
    with pytest.raises(InputError, match="no inverse"):
        fisher_direction([1, 0], [0, 0], np.zeros((2, 2)), np.zeros((2, 2)))
    with pytest.raises(InputError, match="no spread"):
        fisher_ratio([1, 0], [1, 0], [0, 0], np.zeros((2, 2)), np.zeros((2, 2)))
    with pytest.raises(InputError, match="do not go"):
        fisher_direction([1, 0, 1], [0, 0, 0], np.eye(2), np.eye(2))
