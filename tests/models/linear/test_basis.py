"""Fixed basis functions: those of scikit-learn, and exclusive or separated by two of them."""

import numpy as np
import polars as pl
import pytest
from sklearn.preprocessing import PolynomialFeatures, SplineTransformer
from sklearn.utils.estimator_checks import check_estimator

from likely import LeastSquaresClassifier, LogisticRegression
from likely.errors import InputError
from likely.models.linear import PolynomialBasis, RadialBasis, SplineBasis

RNG = np.random.default_rng(2)
X = RNG.normal(size=(80, 2))


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`")
@pytest.mark.parametrize("kind", [RadialBasis, PolynomialBasis, SplineBasis])
def test_they_pass_every_check_of_scikit_learn(kind):
    results = check_estimator(kind(), on_skip=None, on_fail=None)
    assert not {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}


def test_products_and_splines_are_those_of_scikit_learn():
    theirs = PolynomialFeatures(3, include_bias=False).fit_transform(X)
    assert np.allclose(PolynomialBasis(3, standardize=False).fit_transform(X), theirs)
    peer = SplineTransformer(5, degree=3, knots="quantile", extrapolation="constant").fit(X[:, :1])
    ours = SplineBasis(5, standardize=False).fit(X[:, :1])
    grid = np.linspace(-2, 2, 30)[:, None]
    inside = LogisticRegression(C=1e6).fit(ours.transform(X[:, :1]), X[:, 0] > 0.3)
    assert ours.transform(grid).shape == peer.transform(grid).shape and inside.score(
        ours.transform(X[:, :1]), X[:, 0] > 0.3
    ) == pytest.approx(1.0, abs=0.05)
    assert np.allclose(ours.transform(grid).sum(axis=1), 1.0)


def test_exclusive_or_is_separated_by_two_bumps_and_by_products():
    corners, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), [0, 1, 1, 0]
    for basis in (RadialBasis([[1, 1], [0, 0]], standardize=False, kinds="numeric"), PolynomialBasis(2)):
        z = basis.fit_transform(corners)
        assert LeastSquaresClassifier().fit(z, y).predict(z).tolist() == y
    assert LeastSquaresClassifier().fit(corners, y).score(corners, y) < 1


def test_tables_of_any_kinds_and_bad_questions():
    table = pl.DataFrame({"x": [1.0, None, 3.0, 4.0], "town": ["Rome", "Oslo", None, "Rome"]})
    for basis in (RadialBasis(2), PolynomialBasis(), SplineBasis(3)):
        assert np.isfinite(basis.fit_transform(table)).all()
    for wrong in (
        RadialBasis(0), RadialBasis([[1.0]]), RadialBasis(gamma=0), PolynomialBasis(0), PolynomialBasis(40),
        SplineBasis(1),
    ):  # fmt: skip
        with pytest.raises(InputError):
            wrong.fit(RNG.normal(size=(9, 30)))
    assert PolynomialBasis().fit(X).get_feature_names_out()[:3].tolist() == ["x0", "x1", "x0 x0"]
