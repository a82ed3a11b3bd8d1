"""The regressor is one of scikit-learn's in every respect."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

from likely import NearestNeighborsRegressor


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`")
def test_the_regressor_passes_every_check():
    results = check_estimator(NearestNeighborsRegressor(), on_skip=None, on_fail=None)
    assert len(results) > 50
    assert not {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
