"""Bayes' theorem over any family: the general form of which the other classifiers are recipes."""

from dataclasses import replace
from typing import Any, Self

import numpy as np

from likely.data.accepted import PriorLike, TableLike, TargetLike
from likely.data.columns.kinds import Kind
from likely.data.columns.schema import schema_of
from likely.data.inputs import Input, read_input
from likely.data.labels.target import Target, as_labels, read_target, split_target, target_name
from likely.data.labels.weights import learning_weight
from likely.distributions.capabilities.required import OF_FAMILY, lacking
from likely.distributions.combined.mixture import MixtureDistribution, MixtureFamily
from likely.distributions.combined.product import Product
from likely.distributions.family import Family
from likely.distributions.names import family_named
from likely.errors import InputError, check_whole
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.generative.em.hidden import learn_in_passes
from likely.models.generative.folds.parts import PartedTable
from likely.models.generative.summing.layout import Layout
from likely.numeric.arrays import PerRow
from likely.numeric.random_state import Seed
from likely.statistics import Labelled


class BayesClassifier(GenerativeClassifier):
    """The Bayes classifier: class-conditional distributions of any family over all columns.

    Parameters
    ----------
    family : a family of `likely.distributions`, or the name of one
        "gaussian" (independent features), "multivariate_gaussian", "categorical", "multinomial", "poisson", or any
        other. It may be a `MixtureFamily`, a `Mixture` (not fitted), or your own: see the page on writing a family.
    n_components : int or None
        How many classes to find when no row has a label; the classes are then 0, 1, 2, ... With labels it plays no
        part.
    n_init : int
        Starts of EM where it is needed to place components; the most likely result is kept.
    class_prior, class_alpha : as in NaiveBayes
    missing : "ignore", "evidence" or "error"
        The family leaves a missing cell out; being missing is a feature of its own; or an error.
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

    hidden = "em"

    def __init__(
        self,
        family: Family | str = "gaussian",
        n_components: int | None = None,
        n_init: int = 5,
        class_prior: PriorLike | None = None,
        class_alpha: float = 0.0,
        missing: str = "ignore",
        random_state: Seed = None,
    ) -> None:
        self.family = family
        self.n_components = n_components
        self.n_init = n_init
        self.class_prior = class_prior
        self.class_alpha = class_alpha
        self.missing = missing
        self.random_state = random_state

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y; without any label, find `n_components` classes."""
        if y is None and not isinstance(X, PartedTable):
            X = self._read(X)
            y = target_name(X, y)
        if self.n_components is None and y is None:
            raise InputError(
                "this estimator requires y to be passed, but the target y is None: give labels, or "
                "n_components=... to find classes without them"
            )
        y = as_labels(y)
        if self.n_components is None or isinstance(X, PartedTable) or _has_labels(X, y):
            return super().fit(X, y, sample_weight)
        with self._anew():
            return self._find_classes(X, y, sample_weight)

    def _find_classes(self, X: TableLike, y: TargetLike, sample_weight: PerRow) -> Self:
        """A mixture over the whole data; its components are the classes."""
        self._check_parameters()
        table = read_input(X)
        data = table if y is None else split_target(table, y)[0]
        if data.rows is None or self.missing == "evidence":
            raise InputError("finding classes needs the data in memory, and missing='ignore' or 'error'")
        self._start(data, y if isinstance(y, str) else None)
        assert self.n_components is not None
        m = int(self.n_components)
        mixtures: Any = tuple(MixtureFamily(family, m) for family in self.layout_.families)
        rest = learn_in_passes(
            replace(self.layout_, families=mixtures),
            data,
            Target(np.zeros(data.rows, dtype=np.int32), (0,)),
            learning_weight(sample_weight, data.rows),
            np.ones_like,  # all rows are one class; the class prior is that of the components, below
            self.random_state,
            self.n_init,
        )
        mixture = rest.parameters.distribution.parts[0]
        assert isinstance(mixture, MixtureDistribution)
        components = tuple(range(m))
        part = rest.statistic.parts[0]
        seen = Labelled(components, replace(rest.statistic, weight=part.weight, parts=(part,)))
        prior = self._prior_from(mixture.weights[0] * part.weight.sum(), components)
        self._keep(seen, Product((mixture.components,)), prior)
        self._keep_passes(rest.log_likelihoods, rest.log_posteriors)
        return self

    def _layout(self, data: Input) -> Layout:
        family = self._chosen()
        kinds: dict[str, Kind] = {"real": "numeric", "codes": "nominal", "text": "text"}
        kind = kinds[family.form]
        schema = schema_of(data, kind)
        columns = range(schema.width)
        parts = [(family, (j,)) for j in columns] if kind == "text" else [(family, columns)]
        return Layout.of(schema, parts, self.missing)

    def _chosen(self) -> Family:
        if isinstance(self.family, str):
            return family_named(self.family)  # type: ignore[no-any-return]
        if hasattr(self.family, "as_family"):
            return self.family.as_family()  # type: ignore[no-any-return]
        if absent := lacking(self.family, OF_FAMILY):
            raise InputError(f"{self.family!r} is no family: it lacks {absent}")
        return self.family

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_whole("n_components", self.n_components, also=(None,))
        if self.missing == "impute":
            raise InputError("missing='impute' belongs to NaiveBayes and GaussianBayes; here the family sees to it")
        check_whole("n_init", self.n_init)


def _has_labels(X: TableLike, y: TargetLike) -> bool:
    if y is None:
        return False
    data, labels = split_target(read_input(X), y)
    return isinstance(labels, str) or bool(read_target(labels, data.rows).classes)
