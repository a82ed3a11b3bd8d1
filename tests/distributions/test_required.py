"""A family of a user's own that lacks a method is told which, by the models and by the laws."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from likely import BayesClassifier, NaiveBayes
from likely.distributions import GaussianFamily
from likely.errors import InputError
from likely.testing import LawBroken, check_family

X = np.random.default_rng(0).normal(size=(40, 2))
Y = np.arange(40) % 2


class Without:
    """Something that passes on everything but one name."""

    def __init__(self, inner, name):
        self.inner, self.name = inner, name

    def __getattr__(self, name):
        if name == self.name:
            raise AttributeError(name)
        return getattr(self.inner, name)


@dataclass(frozen=True)
class Partial:
    """Gaussian features whose distribution lacks a name, or the family does."""

    of_distribution: str = ""
    of_family: str = ""
    form: ClassVar[str] = "real"

    def __getattribute__(self, name):
        if name in ("standard_errors", "estimate", "summarize") and name == object.__getattribute__(self, "of_family"):
            raise AttributeError(name)
        return object.__getattribute__(self, name)

    def summarize(self, x, membership):
        return GaussianFamily().summarize(x, membership)

    def estimate(self, statistic):
        return Without(GaussianFamily().estimate(statistic), self.of_distribution)

    def standard_errors(self, statistic):
        return GaussianFamily().standard_errors(statistic)


@pytest.mark.parametrize("name", ["log_density", "log_density_terms"])
def test_a_model_says_what_a_distribution_lacks(name):
    for model in (BayesClassifier(Partial(name)), NaiveBayes({0: Partial(name)})):
        with pytest.raises(InputError, match=f"the distribution Without lacks {name}: write the method"):
            model.fit(X, Y).predict(X)


def test_samples_are_asked_for_where_they_are_drawn():
    model = BayesClassifier(Partial("sample")).fit(X, Y)
    assert set(model.predict(X)) <= {0, 1}
    with pytest.raises(InputError, match="lacks sample"):
        model.sample(3)


def test_what_only_the_laws_ask_for_is_optional_in_a_model():
    for family in (Partial("members"), Partial("n_parameters"), Partial(of_family="standard_errors")):
        assert BayesClassifier(family).fit(X, Y).predict_proba(X).shape == (40, 2)


@pytest.mark.parametrize("name", ["log_density", "log_density_terms", "members", "n_parameters", "sample"])
def test_the_laws_say_what_a_distribution_lacks(name):
    with pytest.raises(LawBroken, match=f"Without lacks {name}: see likely.distributions.Distribution"):
        check_family(Partial(name), X, examples=1)


@pytest.mark.parametrize("name", ["summarize", "estimate", "standard_errors"])
def test_the_laws_say_what_a_family_lacks(name):
    with pytest.raises(LawBroken, match=f"Partial lacks {name}: see likely.distributions.Family"):
        check_family(Partial(of_family=name), X, examples=1)
