"""The one generative classifier: prior times class-conditional distribution, by Bayes' theorem.

    p(class | x) = p(x | class) p(class) / sum over classes

Everything is derived from one statistic: fitting sums it, merging adds two, forgetting subtracts, and prediction scores
the distribution estimated from it. A recipe (naive Bayes, Gaussian discriminants) only says which family each
group of columns has, by `_layout`.
"""

from collections.abc import Hashable
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, Self, cast

import numpy as np

from likely.data.accepted import ClassNames, PriorLike, TableLike, TargetLike
from likely.data.columns.schema import Schema
from likely.data.columns.table_form import TableForm, form_of
from likely.data.inputs import Input, SourceInput
from likely.data.labels.target import Target, as_labels, class_array, read_target, split_target, target_name
from likely.data.labels.weights import learning_weight, read_prior
from likely.distributions.capabilities.operators import Graph
from likely.distributions.combined.product import Product
from likely.distributions.family import many_passes
from likely.errors import InputError, TierError, check_choice, check_number, check_whole
from likely.models.any_classifier.outcome import Outcome
from likely.models.estimator import Classifier
from likely.models.generative.answers import scoring
from likely.models.generative.answers.operators import generative_scores
from likely.models.generative.answers.sampling import draw
from likely.models.generative.em.hidden import learn_in_passes, of_weight, with_labels
from likely.models.generative.explain import display
from likely.models.generative.explain.linear_form import LinearForm, linear_form
from likely.models.generative.folds.exact import ExactFolds
from likely.models.generative.folds.parts import PartedTable
from likely.models.generative.summing.layout import MISSING, Layout
from likely.models.generative.summing.sums import learn, without_empty_classes
from likely.models.generative.uncertainty.unsure_parameters import UnsureParameters
from likely.models.traits.answers import ByJoint
from likely.models.traits.decision_function import DecisionFunction
from likely.models.traits.evidence import Evidence, told_in_kind, weigh_evidence
from likely.models.traits.face import Face
from likely.models.traits.one_class import note_one_class
from likely.models.traits.precision import in_the_type_of
from likely.models.traits.ready import Ready
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, PerRow
from likely.numeric.logspace import log_joint, log_of, log_sum_exp
from likely.numeric.random_state import Seed
from likely.statistics import Labelled


class GenerativeClassifier(ByJoint, ExactFolds, UnsureParameters, DecisionFunction, Classifier):
    """Fit, merge, forget, predict and explain; the recipe is in `_layout`."""

    class_prior: Any
    class_alpha: float
    missing: Any
    random_state: Seed
    hidden: str = "ignore"  # what becomes of rows without a label: left out, or "em"

    classes_: Array  # (k,)
    class_count_: Array  # (k,)  sum of weights
    class_prior_: Floats  # (k,)
    layout_: Layout
    statistic_: Labelled
    distribution_: Product
    log_likelihoods_: Floats  # after every pass of EM, where classes of rows were learned
    log_posteriors_: Floats  # the same with the log prior, which never falls
    passes_: int  # of EM
    like_: TableForm | None  # what the user's own table was; None: an array

    def _layout(self, data: Input) -> Layout:
        """The families of the columns; called once, at the first fit."""
        raise NotImplementedError

    def _weighted_layout(self, data: Input, sample_weight: PerRow) -> Layout:
        """The same where the weights of the rows matter to it, as they do to bins of equal weight."""
        return self._layout(data)

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y, forgetting anything learned before.

        X is an array, a sparse matrix, a frame or `likely.scan(path)`; y one label per row, or the name of a
        column of X. A row whose label is missing is left out with a note, or with hidden="em" (in `BayesClassifier`
        always) its class is learned by EM.
        """
        with self._anew():
            self._learn(X, as_labels(y), sample_weight, None)
            note_one_class(self.statistic_.classes, later=True)
        return self

    def partial_fit(
        self, X: TableLike, y: TargetLike = None, classes: ClassNames = None, sample_weight: PerRow = None
    ) -> Self:
        """Learn more rows. New classes and new categories are welcome at any time, in any order."""
        with self._onward():
            self._refuse_after_passes("partial_fit")
            y = as_labels(y)
            declared = () if classes is None else read_target(np.asarray(classes)).classes
            if self.__sklearn_is_fitted__():
                return self._learn(X, y, sample_weight, declared)
            with self._anew():
                return self._learn(X, y, sample_weight, declared)

    @of_one_state
    def predict_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Posterior probability of each class; `prior` replaces the class prior after fitting."""
        data = self._query(X)
        return in_the_type_of(X, self.layout_.schema.columns, scoring.posteriors(self, data, self._log_prior(prior)))

    @of_one_state
    def predict_joint_log_proba(self, X: TableLike) -> Floats:
        """Log p(x, class) for every row and class (n, k), as scikit-learn's naive Bayes calls it."""
        return np.asarray(self.log_likelihood(X) + self._log_prior(None))

    @of_one_state
    def log_likelihood(self, X: TableLike) -> Floats:
        """Log p(x | class) for every row and class (n, k)."""
        return scoring.log_densities(self, self._query(X))

    @of_one_state
    def log_evidence(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Log marginal likelihood ln p(x) of each row under the whole model; low values mark unusual rows."""
        return log_sum_exp(self.log_likelihood(X) + self._log_prior(prior), axis=1)

    @of_one_state
    @told_in_kind
    def evidence(
        self, X: TableLike, against: Hashable = None, for_class: Hashable = None, prior: PriorLike | None = None
    ) -> Evidence:
        """Weight of evidence: bits each feature gives to the predicted class against the rest, or a named one."""
        data = self._query(X)
        return self._weighed(data, self._log_prior(prior), for_class=for_class, against=against)

    @of_one_state
    def evidence_after(self, X: TableLike, outcome: Outcome) -> Evidence:
        """The evidence for what a wrapper said of the rows in the end, its sum the odds of the wrapper's posterior."""
        return self._weighed(self._query(X), self._log_prior(None), outcome=outcome)

    def _weighed(self, data: Input, log_prior: Floats, **sides: Any) -> Evidence:
        terms = scoring.terms_of_columns(self, data)
        return weigh_evidence(self.classes_, self.schema_.names, terms, log_prior, **sides)

    @of_one_state
    def as_linear(self) -> LinearForm:
        """The softmax (logistic) model with the same posteriors, where one exists."""
        self._check_fitted()
        return linear_form(self)

    @of_one_state
    def sample(self, n_samples: int = 1, random_state: Seed = None) -> tuple[Any, Array]:
        """Draw labelled rows (X, y) from the model, X in the form of the training table.

        The words of a text are drawn in no order that means anything.
        """
        self._check_fitted()
        check_whole("n_samples", n_samples)
        return draw(self, n_samples, self.random_state if random_state is None else random_state)

    def merge(self, other: Self) -> Self:
        """Merge two models into a new one of the data of both, as if trained on the union; neither of them changes."""
        if type(self) is not type(other):
            self._check_fitted()
            raise InputError(f"cannot merge {type(self).__name__} with {type(other).__name__}")
        self, other = self._as_it_is(), other._as_it_is()
        self._check_fitted()
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

    def forget(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> Self:
        """Unlearn rows, changing this model: it becomes what it would be had it never seen them, and is returned.

        Counts are exact to the bit; sums of numbers to the rounding of what remains, also where a far larger number is
        forgotten (a warning says by how much where that cannot be kept). Rows that were not learned are refused where
        that can be seen (a count below zero, more cells than rows left, a sum of squares below what is possible), and
        the model stays as it was.
        """
        with self._onward():
            return self._forget(X, y, sample_weight)

    def _forget(self, X: TableLike, y: TargetLike, sample_weight: PerRow) -> Self:
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
    @of_one_state
    def kinds_(self) -> dict[str, str]:
        """The kind of every column."""
        self._check_fitted()
        return self.schema_.kinds

    @property
    @of_one_state
    def n_parameters_(self) -> int:
        """Free parameters: those of the class-conditional distributions and the class prior."""
        self._check_fitted()
        return self.distribution_.n_parameters + len(self.classes_) - 1

    def _face(self) -> Face:
        return display.face(self)

    def _learn(self, X: TableLike, y: TargetLike, sample_weight: PerRow, declared: tuple[Hashable, ...] | None) -> Self:
        """Learn rows; `declared` are classes to know even without rows, None when everything comes at once."""
        self._check_parameters()
        if isinstance(X, PartedTable):
            self._become(X.started)
            self._settle(without_empty_classes(X.learned()))
            return self
        table = self._read(X)
        if not self.__sklearn_is_fitted__():
            self._start(split_target(table, y)[0], target_name(table, y), sample_weight)
        data, target, weight = self._training(table, y, sample_weight)
        target = target if isinstance(target, str) else of_weight(target, weight)
        if self.hidden == "ignore" and not isinstance(target, str) and target.hidden:
            data, target, weight = with_labels(data, target, weight)
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

    def _learn_in_passes(self, data: Input, target: Target | str, weight: Floats | None) -> Self:
        if isinstance(target, str):
            raise InputError("hidden labels and mixtures take many passes over data in memory: read the file first")

        def prior(weight: Array) -> Floats:
            return self._prior_from(weight, target.classes)

        n_init = getattr(self, "n_init", 1)
        alpha = float(self.class_alpha) if self.class_prior is None else 0.0
        rest = learn_in_passes(self.layout_, data, target, weight, prior, self.random_state, n_init, alpha)
        at = rest.parameters
        self._keep(Labelled(target.classes, rest.statistic), at.distribution, np.exp(at.log_prior))
        self._keep_passes(rest.log_likelihoods, rest.log_posteriors)
        return self

    def _needs_passes(self, target: Target | str) -> bool:
        return many_passes(self.layout_.family) or (not isinstance(target, str) and target.hidden)

    def _training(
        self, table: Input, y: TargetLike, sample_weight: PerRow
    ) -> tuple[Input, Target | str, Floats | None]:
        """Rows in line with the columns, their classes (or the name of the column in a file), and their weights."""
        data, labels = split_target(table, y)
        data = self._align(data)
        if isinstance(labels, str) and isinstance(data, SourceInput) and self._classes_are_text():
            data = data.with_text([labels])
        target = labels if isinstance(labels, str) else read_target(labels, data.rows)
        return data, target, learning_weight(sample_weight, data.rows)

    def _summarize(self, X: TableLike, y: TargetLike, sample_weight: PerRow) -> Labelled:
        data, target, weight = self._training(self._read(X), y, sample_weight)
        if not isinstance(target, str) and target.hidden:
            raise InputError("rows without a label cannot be forgotten")
        return without_empty_classes(learn(data, target, weight, self.layout_))

    def _start(self, data: Input, target: str | None = None, sample_weight: PerRow = None) -> None:
        self.layout_ = self._weighted_layout(data, sample_weight)
        self.like_ = form_of(getattr(data, "like", None))
        self._remember(replace(self.schema_, target=target))

    def _settle(self, statistic: Labelled) -> None:
        """Estimate everything from the statistic; the model changes only when all of it has succeeded."""
        prior = self._prior_from(statistic.weight, statistic.classes)
        fitted = self.layout_.family.estimate(self.layout_.for_estimating(cast(Any, statistic.given)))
        self._keep(statistic, fitted, prior)

    def _keep(self, statistic: Labelled, distribution: Product, prior: Floats) -> None:
        """All that was learned, at once."""
        self._become(
            {
                "classes_": _class_array(statistic.classes),
                "class_count_": statistic.weight,
                "statistic_": statistic,
                "distribution_": distribution,
                "class_prior_": prior,
            }
        )

    def _keep_passes(self, log_likelihoods: Floats, log_posteriors: Floats) -> None:
        passes = {
            "log_likelihoods_": log_likelihoods,
            "log_posteriors_": log_posteriors,
            "passes_": len(log_likelihoods),
        }
        self._become(passes)

    def _prior_from(self, weight: Array, classes: tuple[Hashable, ...]) -> Floats:
        if self.class_prior is not None:
            return read_prior(self.class_prior, _class_array(classes))
        if not self._estimates_prior:
            return np.full(len(classes), 1.0 / len(classes))
        smoothed = weight + self.class_alpha
        return np.asarray(smoothed / smoothed.sum())

    @property
    def _estimates_prior(self) -> bool:
        """Whether the class prior comes from the numbers of rows."""
        return self.class_prior is None

    def _log_prior(self, prior: PriorLike | None) -> Floats:
        self._check_fitted()
        return log_of(self.class_prior_ if prior is None else read_prior(prior, self.classes_))

    def _joint(self, X: TableLike, prior: PriorLike | None) -> Floats:
        """Log joints up to a term common to all classes; a row impossible under every class has the prior's."""
        return log_joint(scoring.log_ratios(self, self._query(X)), self._log_prior(prior))

    def _ready(self, X: TableLike) -> Any:
        """The rows as the families take them; they stand for X."""
        return Ready.of(self._query(X), partial(scoring.query_rows, self))

    def onnx_scores(self, graph: Graph) -> str:
        """The scores in plain operators of a graph (see `likely.store.to_onnx`)."""
        return generative_scores(self, graph)

    def _check_parameters(self) -> None:
        check_choice("missing", self.missing, MISSING)
        check_choice("hidden", self.hidden, ("ignore", "em"))
        check_number("class_alpha", self.class_alpha)

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
