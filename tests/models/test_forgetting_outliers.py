"""A model that has forgotten an outlier answers as one that never saw it, and merging has an end."""

import numpy as np
import pytest

from likely import GaussianBayes, NaiveBayes, TextBayes
from likely.errors import InputError


def _data(rows=400):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, rows)
    return rng.normal(size=(rows, 3)) + 0.8 * y[:, None], y


@pytest.mark.parametrize("out", [1e6, 1e9])
@pytest.mark.parametrize(
    "model", [NaiveBayes("gaussian"), *map(GaussianBayes, ("full", "shared", "diagonal", "shared_spherical"))], ids=repr
)
def test_forgetting_an_outlier_is_as_if_it_had_never_been_learned(model, out):
    x, y = _data()
    wild, of = np.array([[out, -out, 2 * out]]), np.array([0])
    model.fit(np.vstack([x[:200], wild, x[200:]]), np.r_[y[:200], of, y[200:]])
    polluted = model.score(x, y)
    model.forget(wild, of)
    never = type(model)(**model.get_params()).fit(x, y)
    assert np.allclose(model.predict_proba(x), never.predict_proba(x), rtol=0, atol=1e-9)
    assert model.score(x, y) == never.score(x, y) > max(0.7, polluted)


def test_a_model_merged_with_itself_too_often_is_refused():
    x, y = _data(40)
    words = np.where(y == 1, "red dog", "blue cat")
    for model in (NaiveBayes("gaussian").fit(x, y), NaiveBayes("bernoulli").fit(x > 0, y), TextBayes().fit(words, y)):
        with pytest.raises(InputError, match="merged with itself"):
            for _ in range(70):
                model = model.merge(model)
        assert np.isfinite(model.class_count_).all() and (model.class_count_ > 0).all()
