"""What any family may have, and models ask for: rows in its own form, folds that would take too long."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from likely import BayesClassifier
from likely.distributions import GaussianFamily
from likely.errors import TierError


@dataclass(frozen=True)
class OfLogarithms:
    """Gaussian in the logarithms, which it takes itself."""

    inside: GaussianFamily = GaussianFamily()
    form: ClassVar[Any] = "real"

    def prepare(self, rows: Any, learning: bool) -> Any:
        return np.log(rows)

    def check_folds(self, folds: int, rows: int) -> None:
        if folds > 10:
            raise TierError("too many folds")

    def __getattr__(self, name: str) -> Any:
        if name not in ("summarize", "estimate", "standard_errors"):
            raise AttributeError(name)
        return getattr(self.inside, name)


X = np.exp(np.random.default_rng(3).normal(size=(40, 2)) + np.arange(40)[:, None] % 2)
Y = np.arange(40) % 2


def test_a_family_prepares_its_own_rows():
    own, plain = BayesClassifier(OfLogarithms()), BayesClassifier(GaussianFamily())
    assert np.allclose(own.fit(X, Y).predict_proba(X), plain.fit(np.log(X), Y).predict_proba(np.log(X)))
    folds = np.arange(40) % 4
    assert np.allclose(own.out_of_fold(X, Y, folds), plain.out_of_fold(np.log(X), Y, folds))


def test_a_family_says_which_folds_would_take_too_long():
    with pytest.raises(TierError, match="too many folds"):
        BayesClassifier(OfLogarithms()).out_of_fold(X, Y, np.arange(40))
