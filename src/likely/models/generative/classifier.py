"""The one generative classifier: prior times class-conditional distribution, by Bayes' theorem.

    p(class | x) = p(x | class) p(class) / sum over classes

Everything is derived from one statistic: fitting sums it, merging adds two, forgetting subtracts, and prediction scores
the distribution estimated from it. A recipe (naive Bayes, Gaussian discriminants) only says which family each
group of columns has, by `_layout`.
"""

from collections.abc import Hashable
from copy import copy
from dataclasses import replace
from typing import Any, Self, cast

import numpy as np

from likely.data.inputs import Input
from likely.data.schema import Schema
from likely.data.target import Target, class_array, read_target, split_target, target_name
from likely.data.weights import read_prior, read_weight
from likely.distributions.combined.product import Product
from likely.distributions.family import many_passes
from likely.errors import InputError, TierError
from likely.models.estimator import Classifier
from likely.models.face import Face
from likely.models.generative import scoring
from likely.models.generative.explain import display
from likely.models.generative.explain.evidence import Evidence, weigh_evidence
from likely.models.generative.explain.linear_form import LinearForm, linear_form
from likely.models.generative.folds.exact import ExactFolds
from likely.models.generative.folds.parts import PartedTable
from likely.models.generative.hidden import learn_in_passes, of_weight
from likely.models.generative.layout import MISSING, Layout
from likely.models.generative.learning import learn, without_empty_classes
from likely.models.generative.sampling import draw
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_normalize, log_of, log_sum_exp
from likely.statistics import Labelled


class GenerativeClassifier(ExactFolds, Classifier):
    """Fit, merge, forget, predict and explain; the recipe is in `_layout`."""

    class_prior: Any
    class_alpha: float
    missing: Any
    random_state: Any

    classes_: Array  # (k,)
    class_count_: Array  # (k,)  sum of weights
    class_prior_: Floats  # (k,)
    layout_: Layout
    statistic_: Labelled
    distribution_: Product
    like_: Any  # the user's own table without its rows; None: an array

    def _layout(self, data: Input) -> Layout:
        """The families of the columns; called once, at the first fit."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from rows X with classes y, forgetting anything learned before.

        X is an array, a sparse matrix, a frame or `likely.scan(path)`; y one label per row, or the name of a
        column of X. A row whose label is missing has a hidden class, which is learned by EM.
        """
        with self._anew():
            self._learn(X, y, sample_weight, None)
            if len(self.classes_) < 2:
                raise InputError(
                    f"y has only one class, {self.statistic_.classes[0]!r}: there is nothing to tell apart. To begin "
                    "with one class and learn others later, use partial_fit"
                )
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows. New classes and new categories are welcome at any time, in any order."""
        self._refuse_after_passes("partial_fit")
        declared = () if classes is None else read_target(np.asarray(classes)).classes
        if self.__sklearn_is_fitted__():
            return self._learn(X, y, sample_weight, declared)
        with self._anew():
            return self._learn(X, y, sample_weight, declared)

    def predict(self, X: Any, prior: Any = None) -> Array:
        """The most probable class of each row; the first of equally probable ones."""
        self._check_fitted()
        return np.asarray(self.classes_[self._joint(X, prior).argmax(axis=1)])

    def predict_proba(self, X: Any, prior: Any = None) -> Floats:
        """Posterior probability of each class; `prior` replaces the class prior after fitting."""
        data = self._query(X)
        return scoring.posteriors(self, data, self._log_prior(prior))

    def predict_log_proba(self, X: Any, prior: Any = None) -> Floats:
        """Logarithm of the posterior, exact also where the probability rounds to 0 or 1."""
        return log_normalize(self._joint(X, prior))

    def log_likelihood(self, X: Any) -> Floats:
        """Log p(x | class) for every row and class (n, k)."""
        return scoring.log_densities(self, self._query(X))

    def log_evidence(self, X: Any, prior: Any = None) -> Floats:
        """Log marginal likelihood ln p(x) of each row under the whole model; low values mark unusual rows."""
        return log_sum_exp(self.log_likelihood(X) + self._log_prior(prior), axis=1)

    def evidence(self, X: Any, against: Any = None, for_class: Any = None, prior: Any = None) -> Evidence:
        """Weight of evidence: bits each feature gives to the predicted class against the rest, or a named one."""
        data = self._query(X)
        return weigh_evidence(self, data, self._log_prior(prior), for_class, against)

    def as_linear(self) -> LinearForm:
        """The softmax (logistic) model with the same posteriors, where one exists."""
        self._check_fitted()
        return linear_form(self)

    def parameter_posterior(self, column: Any = None) -> Any:
        """Posterior of a column's parameters in each class; without a column, of the class prior.

        The values are conjugate posteriors of `likely.estimation`, with the model's own pseudo-counts as the prior.

        Parameters
        ----------
        column : name or place of a column, or None
            The column whose parameters are asked for, or a list of columns that the model takes as one vector. None
            asks for the probabilities of the classes.

        Returns
        -------
        belief
            Of a column a mapping from each class to its `Beta`, `Dirichlet`, `Gamma`, `NormalInverseGamma` or
            `NormalInverseWishart` (of gamma and negative binomial columns: normal about the estimate, for many rows);
            of the classes one `Dirichlet`.

        >>> from likely import NaiveBayes
        >>> model = NaiveBayes("bernoulli").fit([[1], [1], [0], [0]], ["spam", "spam", "spam", "ham"])
        >>> model.parameter_posterior(0)["spam"]
        Beta(a=3.0, b=2.0)
        >>> model.parameter_posterior().levels
        ('ham', 'spam')
        """
        from likely.models.generative.uncertainty.parameter_posterior import parameter_posterior

        self._check_fitted()
        return parameter_posterior(self, column)

    def predict_interval(
        self, X: Any, confidence: float = 0.95, random_state: Any = 0, n_draws: int = 1000, prior: Any = None
    ) -> Floats:
        """Credible interval of each posterior probability, the parameters being uncertain: ends (n, k, 2).

        All parameters are drawn from what the model believes of them, and the rows are predicted with each draw. This
        is of the model itself: wrappers that change its probabilities or turn them into decisions (`Calibrated`,
        `Decider`) have no such interval.

        Parameters
        ----------
        X : table (n, d)
            The rows to predict, as for `predict_proba`.
        confidence : float
            How much of the draws the interval holds, between 0 and 1.
        random_state : None, int or numpy Generator
            What the draws come from; the same number gives the same interval.
        n_draws : int
            How many sets of parameters are drawn; at least 20 / (1 - confidence) are.
        prior : mapping from class to probability, sequence in the order of `classes_`, or None
            Class probabilities to predict with instead of the learned ones; they are then not drawn.

        Returns
        -------
        ends : array (n, k, 2)
            The low and the high end for each row and each class, in the order of `classes_`.

        >>> from likely import NaiveBayes
        >>> model = NaiveBayes("bernoulli").fit([[1], [1], [0], [0]], ["spam", "spam", "spam", "ham"])
        >>> model.predict_interval([[1]], 0.9).shape
        (1, 2, 2)
        """
        from likely.models.generative.uncertainty.predict_interval import predict_interval

        return predict_interval(self, self._query(X), confidence, random_state, n_draws, prior)

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Any, Array]:
        """Draw labelled rows (X, y) from the model, X in the form of the training table.

        The words of a text are drawn in no order that means anything.
        """
        self._check_fitted()
        if not isinstance(n_samples, int | np.integer) or n_samples < 1:
            raise InputError(f"n_samples must be a whole number from 1 up, got {n_samples!r}")
        return draw(self, n_samples, self.random_state if random_state is None else random_state)

    def merge(self, other: Self) -> Self:
        """Merge two models into a new one of the data of both, as if trained on the union; neither of them changes."""
        self._check_fitted()
        if type(self) is not type(other):
            raise InputError(f"cannot merge {type(self).__name__} with {type(other).__name__}")
        other._check_fitted()
        self._refuse_after_passes("merge")
        other._refuse_after_passes("merge")
        if not self.layout_.alike(other.layout_):
            raise InputError(
                "these models do not describe the same columns in the same way, so their data cannot be added: "
                + display.how_layouts_differ(self.layout_, other.layout_)
            )
        united = copy(self)
        united._settle(self.statistic_ + other.statistic_)
        return united

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, GenerativeClassifier):
            return NotImplemented
        return self.merge(other)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Unlearn rows, changing this model: it becomes what it would be had it never seen them, and is returned.

        Counts are exact to the bit; sums of numbers to rounding, which is relative to the largest number that was ever
        learned. Rows that were not learned are refused where that can be seen (a count below zero, a sum of squares
        below what is possible), and the model stays as it was.
        """
        self._check_fitted()
        self._refuse_after_passes("forget")
        removed = self._summarize(X, y, sample_weight)
        for name in removed.classes:
            if name not in self.statistic_.classes:
                raise InputError(f"these rows cannot be forgotten: class {name!r} was never learned")
        left = self.statistic_.without(removed)
        if not left.classes:
            raise InputError("forgetting these rows would leave nothing; make a new model instead")
        self._settle(left)
        return self

    @property
    def schema_(self) -> Schema:
        """The columns of the training table, and the kind of each."""
        return self.layout_.schema

    @schema_.setter
    def schema_(self, schema: Schema) -> None:
        self.layout_ = replace(self.layout_, schema=schema)

    @property
    def kinds_(self) -> dict[str, str]:
        """The kind of every column."""
        self._check_fitted()
        return self.schema_.kinds

    @property
    def n_parameters_(self) -> int:
        """Free parameters: those of the class-conditional distributions and the class prior."""
        self._check_fitted()
        return self.distribution_.n_parameters + len(self.classes_) - 1

    def _face(self) -> Face:
        return display.face(self)

    def _learn(self, X: Any, y: Any, sample_weight: Any, declared: tuple[Hashable, ...] | None) -> Self:
        """Learn rows; `declared` are classes to know even without rows, None when everything comes at once."""
        self._check_parameters()
        if isinstance(X, PartedTable):
            vars(self).update(X.started)
            self._settle(without_empty_classes(X.learned()))
            return self
        table = self._read(X)
        if not self.__sklearn_is_fitted__():
            self._start(split_target(table, y)[0], target_name(table, y))
        data, target, weight = self._training(table, y, sample_weight)
        target = target if isinstance(target, str) else of_weight(target, weight)
        if self._needs_passes(target):
            if declared is not None:
                raise TierError("hidden labels and mixtures need all data at once: use fit, not partial_fit")
            return self._learn_in_passes(data, target, weight)
        declared = declared or ()
        seen = learn(data, target, weight, self.layout_)
        if declared:
            empty = seen.given.taken(np.zeros(len(declared), dtype=np.int64)) * 0
            seen = Labelled(declared, empty) + seen
        if hasattr(self, "statistic_"):
            seen = self.statistic_ + seen
            declared = (*declared, *self.statistic_.classes)
        seen = without_empty_classes(seen, declared)
        if not seen.classes:
            raise InputError("y names no class: every label is missing")
        self._settle(seen)
        return self

    def _learn_in_passes(self, data: Input, target: Any, weight: Floats | None) -> Self:
        if isinstance(target, str):
            raise InputError("hidden labels and mixtures take many passes over data in memory: read the file first")

        def prior(weight: Array) -> Floats:
            return self._prior_from(weight, target.classes)

        n_init = getattr(self, "n_init", 1)
        rest = learn_in_passes(self.layout_, data, target, weight, prior, self.random_state, n_init)
        at = rest.parameters
        self._keep(Labelled(target.classes, rest.statistic), at.distribution, np.exp(at.log_prior))
        self._keep_passes(rest.log_likelihoods)
        return self

    def _needs_passes(self, target: Any) -> bool:
        return many_passes(self.layout_.family) or (not isinstance(target, str) and target.hidden)

    def _training(self, table: Input, y: Any, sample_weight: Any) -> tuple[Input, Target | str, Floats | None]:
        """Rows in line with the columns, their classes (or the name of the column in a file), and their weights."""
        data, labels = split_target(table, y)
        data = self._align(data)
        target = labels if isinstance(labels, str) else read_target(labels, data.rows)
        return data, target, read_weight(sample_weight, data.rows)

    def _summarize(self, X: Any, y: Any, sample_weight: Any) -> Labelled:
        data, target, weight = self._training(self._read(X), y, sample_weight)
        if not isinstance(target, str) and target.hidden:
            raise InputError("rows without a label cannot be forgotten")
        return without_empty_classes(learn(data, target, weight, self.layout_))

    def _start(self, data: Input, target: str | None = None) -> None:
        self.layout_ = self._layout(data)
        self.like_ = getattr(data, "like", None)
        self._remember(replace(self.schema_, target=target))

    def _settle(self, statistic: Labelled) -> None:
        """Estimate everything from the statistic; the model changes only when all of it has succeeded."""
        prior = self._prior_from(statistic.weight, statistic.classes)
        fitted = self.layout_.family.estimate(self.layout_.for_estimating(cast(Any, statistic.given)))
        self._keep(statistic, fitted, prior)

    def _keep(self, statistic: Labelled, distribution: Product, prior: Floats) -> None:
        """All that was learned, at once."""
        self.classes_, self.class_count_ = _class_array(statistic.classes), statistic.weight
        self.statistic_, self.distribution_, self.class_prior_ = statistic, distribution, prior

    def _keep_passes(self, log_likelihoods: Floats) -> None:
        self.log_likelihoods_, self.passes_ = log_likelihoods, len(log_likelihoods)

    def _prior_from(self, weight: Array, classes: tuple[Hashable, ...]) -> Floats:
        if self.class_prior is not None:
            return read_prior(self.class_prior, _class_array(classes))
        smoothed = weight + self.class_alpha
        return np.asarray(smoothed / smoothed.sum())

    @property
    def _estimates_prior(self) -> bool:
        """Whether the class prior comes from the numbers of rows."""
        return self.class_prior is None

    def _log_prior(self, prior: Any) -> Floats:
        self._check_fitted()
        return log_of(self.class_prior_ if prior is None else read_prior(prior, self.classes_))

    def _joint(self, X: Any, prior: Any) -> Floats:
        """Log joints up to a term common to all classes; a row impossible under every class has the prior's."""
        ratios = scoring.log_ratios(self, self._query(X))
        joint = ratios + self._log_prior(prior)
        joint[np.isneginf(joint).all(axis=1)] = self._log_prior(prior)
        return joint

    def _check_parameters(self) -> None:
        if self.missing not in MISSING:
            raise InputError(f"unknown missing={self.missing!r}; choose from {', '.join(MISSING)}")
        if not 0 <= self.class_alpha < np.inf:
            raise InputError(f"class_alpha must be a finite number, not negative, got {self.class_alpha}")

    def _refuse_after_passes(self, verb: str) -> None:
        if hasattr(self, "passes_"):
            raise TierError(
                f"{verb} is exact only for models learned in one pass; this one learned hidden labels or mixtures "
                f"in {self.passes_} passes of EM. Fit again on all the data."
            )


def _class_array(classes: tuple[Hashable, ...]) -> Array:
    if len({isinstance(name, str) for name in classes}) > 1:
        raise InputError(f"the classes {', '.join(map(repr, classes[:6]))} mix text and numbers; use one of them")
    return class_array(classes)
