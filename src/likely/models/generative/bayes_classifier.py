"""Bayes' theorem over any family: the general form of which the other classifiers are recipes."""

from dataclasses import replace
from typing import Any, Self

import numpy as np

from likely.data.inputs import Input, read_input, suggest
from likely.data.schema import schema_of
from likely.data.target import Target
from likely.distributions.categorical import CategoricalFamily
from likely.distributions.family import Family
from likely.distributions.gaussian import GaussianFamily
from likely.distributions.mixture import Mixture, MixtureFamily
from likely.distributions.multinomial import MultinomialFamily
from likely.distributions.multivariate import MultivariateGaussianFamily
from likely.distributions.poisson import PoissonFamily
from likely.distributions.product import Product
from likely.errors import InputError
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.generative.hidden import learn_in_passes
from likely.models.generative.layout import Layout
from likely.models.weights import read_weight
from likely.statistics import Labelled

NAMED: dict[str, type[Any]] = {
    "gaussian": GaussianFamily,
    "multivariate_gaussian": MultivariateGaussianFamily,
    "categorical": CategoricalFamily,
    "multinomial": MultinomialFamily,
    "poisson": PoissonFamily,
}


class BayesClassifier(GenerativeClassifier):
    """A classifier from any family of distributions over all columns.

    Parameters
    ----------
    family : a family of `likely.distributions`, or the name of one
        "gaussian" (independent features), "multivariate_gaussian", "categorical", "multinomial" or "poisson". It may
        be a `MixtureFamily`, or your own: see the page on writing a family.
    n_components : int or None
        How many classes to find when no row has a label; the classes are then 0, 1, 2, ...
    n_init : int
        Starts of EM where it is needed to place components; the most likely result is kept.
    class_prior, class_alpha, missing : as in NaiveBayes
    random_state : seed of `sample` and of the starts

    Examples
    --------
    Rows without a label are learned by EM, here two of each class with a label and one without:

    >>> from likely import BayesClassifier
    >>> X = [[1.0], [1.5], [0.5], [9.0], [9.5], [8.0]]
    >>> model = BayesClassifier("gaussian").fit(X, ["low", "low", None, "high", "high", None])
    >>> model.class_count_.round(2)
    array([3., 3.])
    """

    def __init__(
        self,
        family: Any = "gaussian",
        n_components: int | None = None,
        n_init: int = 5,
        class_prior: Any = None,
        class_alpha: float = 0.0,
        missing: str = "ignore",
        random_state: Any = None,
    ) -> None:
        self.family = family
        self.n_components = n_components
        self.n_init = n_init
        self.class_prior = class_prior
        self.class_alpha = class_alpha
        self.missing = missing
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from rows X with classes y; without any label, find `n_components` classes."""
        if y is None and self.n_components is not None:
            return self._find_classes(X, sample_weight)
        return super().fit(X, y, sample_weight)

    def _find_classes(self, X: Any, sample_weight: Any) -> Self:
        """A mixture over the whole data; its components are the classes."""
        self._reset()
        self._check_parameters()
        data = read_input(X)
        if data.rows is None or self.missing == "evidence":
            raise InputError("finding classes needs the data in memory, and missing='ignore' or 'error'")
        self._start(data)
        assert self.n_components is not None
        layout = self.layout_
        mixtures: Any = tuple(MixtureFamily(family, self.n_components) for family in layout.families)
        self.layout_ = replace(layout, families=mixtures)
        everything = Target(np.zeros(data.rows, dtype=np.int32), (0,))
        weight = read_weight(sample_weight, data.rows)
        prior, self.class_prior = self.class_prior, None  # of the components, not of the one class of this pass
        rest = learn_in_passes(self, data, everything, weight)
        self.class_prior = prior
        self.layout_ = layout
        mixture = rest.parameters.distribution.parts[0]
        assert isinstance(mixture, Mixture)
        self.distribution_ = Product((mixture.components,))
        components = tuple(range(self.n_components))
        part = rest.statistic.parts[0]
        self.statistic_ = Labelled(components, replace(rest.statistic, weight=part.weight, parts=(part,)))
        self.classes_ = np.arange(self.n_components)
        self.class_count_ = part.weight
        given = mixture.weights[0]
        self.class_prior_ = given if prior is None else self._prior_from(given, components)
        self.log_likelihoods_ = rest.log_likelihoods
        self.passes_ = len(rest.log_likelihoods)
        return self

    def _layout(self, data: Input) -> Layout:
        family = self._chosen()
        names = data.names or tuple(f"x{j}" for j in range(data.width))
        schema = schema_of(data, dict.fromkeys(names, "numeric" if family.form == "real" else "nominal"))
        return Layout.of(schema, [(family, range(schema.width))], self.missing)

    def _chosen(self) -> Family:
        if isinstance(self.family, str):
            if self.family not in NAMED:
                near = suggest(self.family, list(NAMED))
                raise InputError(f"unknown family {self.family!r}{near}; known are {', '.join(NAMED)}")
            return NAMED[self.family]()  # type: ignore[no-any-return]
        missing = [verb for verb in ("summarize", "estimate", "form") if not hasattr(self.family, verb)]
        if missing:
            raise InputError(f"{self.family!r} is no family: it lacks {', '.join(missing)}")
        return self.family  # type: ignore[no-any-return]

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.n_components is not None and self.n_components < 1:
            raise InputError(f"n_components must be at least 1, got {self.n_components}")
        if self.missing == "impute":
            raise InputError("missing='impute' belongs to NaiveBayes and GaussianBayes; here the family sees to it")
        if self.n_init < 1:
            raise InputError(f"n_init must be at least 1, got {self.n_init}")
