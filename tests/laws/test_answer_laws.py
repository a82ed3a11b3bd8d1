"""Every public clusterer, transformer and regressor obeys the laws of answers, and each law catches what breaks it."""

import numpy as np
import pytest
from discovery import regressors, unlabelled

from likely import PCA
from likely.engines import Serial, current, use
from likely.testing import LawBroken, check_estimator

pytestmark = pytest.mark.filterwarnings("ignore:.*(not converge|stopped|max_iter|clusters? ha(ve|s) no rows)")
RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 3))
AMOUNTS = X @ [1.0, -2.0, 0.5] + RNG.normal(scale=0.1, size=40)


def test_there_are_some():
    assert len(regressors()) >= 2 and len(unlabelled()) >= 3


@pytest.mark.parametrize("kind", [*unlabelled(), *regressors()], ids=lambda kind: kind.__name__)
def test_the_default_obeys(kind):
    check_estimator(kind(), X, AMOUNTS if kind in regressors() else None, examples=1)


class OfCompany(PCA):
    def transform(self, X):
        found = super().transform(X)
        return found - found[0]


class Remembering(PCA):
    def fit(self, X, y=None):
        self.times = getattr(self, "times", 0) + 1
        return super().fit(X)

    def transform(self, X):
        return super().transform(X) * self.times


class Counting(PCA):
    asked = 0

    def transform(self, X):
        self.asked += 1
        return super().transform(X) + self.asked // 3


class OnThreads(PCA):
    def fit(self, X, y=None):
        self.workers = current().workers
        return super().fit(X)

    def transform(self, X):
        return super().transform(X) * self.workers


@pytest.mark.parametrize(
    ("kind", "law"),
    [
        (OfCompany, "depends on its row alone"),
        (Remembering, "fitting again"),
        (OnThreads, "engines give"),
        (Counting, "asking changes nothing|fitting again"),
    ],
)
def test_a_control_is_caught(kind, law):
    with pytest.raises(LawBroken, match=law), use(Serial()):
        check_estimator(kind(), X, examples=1)
