"""What a tree and a forest share: tables in, posteriors and evidence out."""

from collections.abc import Hashable, Iterator
from math import log2, sqrt
from typing import Any, NamedTuple

import numpy as np

from likely.data.accepted import ClassWeight, PriorLike, TableLike, TargetLike
from likely.data.inputs import whole_table
from likely.data.labels.target import Target, class_array
from likely.distributions.capabilities.operators import Graph
from likely.errors import InputError, check_choice, check_number
from likely.models.estimator import Classifier
from likely.models.learning.batches import Tasks
from likely.models.learning.labelled import labelled_tasks, weight_of_classes
from likely.models.learning.operators import log_of_share
from likely.models.traits.answers import Answers, ByLogPosterior
from likely.models.traits.decision_function import DecisionFunction
from likely.models.traits.evidence import Evidence, log_steps, weigh_evidence
from likely.models.traits.ready import Ready, encoded
from likely.models.traits.state import of_one_state
from likely.models.traits.weighed_columns import WeighedColumns
from likely.models.trees.grove import Grove
from likely.models.trees.growing.coding import Coding
from likely.models.trees.growing.growth import CRITERIA, Rules
from likely.models.trees.operators import Leaves, sum_of_leaves
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.logspace import log_normalize, log_of, normalize
from likely.statistics.counting.categories import union_of

EXACT_ROWS = 20_000  # up to so many rows every value is a threshold; beyond, numbers are put into bins
MAX_BINS = 255
_EXPLAINED = 1 << 20  # cells that are explained at a time


class Learned(NamedTuple):
    """Rows as trees learn them."""

    x: Array  # (n, d)  cells as numbers
    codes: Array  # (n,) int32  classes
    weight: Floats  # (n,)
    class_weight: Floats  # (k,)


class TreeClassifier(ByLogPosterior, DecisionFunction, WeighedColumns, Classifier):
    """A classifier whose posterior is the mean of the leaves that a row comes to."""

    _reads_levels = True

    criterion: str
    max_depth: int | None
    min_samples_split: float
    min_samples_leaf: float
    min_gain: float
    max_features: Any
    smoothing: float
    splits: str
    class_weight: ClassWeight
    kinds: Any

    _how_it_learns = "chooses its tests by all rows together"

    coding_: Coding  # how cells become numbers
    grove_: Grove  # the trees
    class_count_: Floats  # (k,)  sum of weights
    class_prior_: Floats  # (k,)

    @of_one_state
    def predict_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Probability of each class (n, k); `prior` replaces the classes' shares after fitting (prior shift)."""
        self._check_fitted()
        found = self._posterior(X)
        return found if prior is None else normalize(self._shifted(log_of(found), prior))

    @of_one_state
    def predict_log_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Logarithm of the probability."""
        self._check_fitted()
        found = np.minimum(log_of(self._posterior(X)), 0.0)
        return found if prior is None else log_normalize(self._shifted(found, prior))

    @of_one_state
    def _answers(self, X: TableLike) -> Answers:
        self._check_fitted()
        found = self._posterior(X)
        log_posterior = np.minimum(log_of(found), 0.0)
        return Answers(self.classes_[log_posterior.argmax(axis=1)], found, log_posterior)

    @of_one_state
    def apply(self, X: TableLike) -> Ints:
        """The number of the leaf that each row comes to, in each tree (n, trees); of one tree (n,)."""
        found = np.concatenate([self.grove_.leaf_of(x) for _, x in self._cells(X)])
        return found[:, 0] if self.grove_.n_trees == 1 else found

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in what all tests gain, weighed by the rows they are asked of (d,).

        Columns of many values gain something by chance alone: `permutation_importance` on rows that were not learned is
        the fairer figure, and has an interval.
        """
        grove = self.grove_
        inner = np.flatnonzero(grove.child >= 0)
        tree = np.searchsorted(grove.roots, inner, "right") - 1
        worth = grove.gain[inner] * grove.counts[inner].sum(axis=1) / grove.counts[grove.roots[tree]].sum(axis=1)
        found = np.zeros((grove.n_trees, self.n_features_in_))
        np.add.at(found, (tree, grove.feature[inner]), worth)
        total = found.sum(axis=1, keepdims=True)
        mean = np.divide(found, total, out=np.zeros_like(found), where=total > 0).mean(axis=0)
        return np.asarray(mean / mean.sum() if mean.sum() > 0 else mean)

    def _weighed(self, X: TableLike, shift: Floats, **sides: Any) -> Evidence:
        """The shares of the root stand under "prior". Each test moves the shares of the classes; a column has the sum
        of what its own tests did, and together they are the log odds of `predict_proba`. Of one tree that is in
        logarithms. Of a forest, whose posterior is a mean of probabilities, it is what the column did to that mean,
        divided by the logarithmic mean of the probability before and after all tests.
        """
        grove = self.grove_
        size = max(1, _EXPLAINED // max(1, self.n_features_in_ * len(self.classes_)))

        def blocks() -> Iterator[tuple[int, Floats]]:
            for start, x in self._cells(X):
                for first in range(0, len(x), size):
                    yield start + first, terms_of(grove, x[first : first + size])

        base = log_of(grove.share[grove.roots].mean(axis=0))
        return weigh_evidence(self.classes_, self.schema_.names, blocks(), base + shift, **sides)

    def onnx_scores(self, graph: Graph) -> str:
        """The scores in plain operators of a graph: the logarithm of the mean of the leaves."""
        grove, k = self.grove_, len(self.classes_)
        share = grove.share[grove.leaves].ravel() / grove.n_trees
        leaves = Leaves(np.repeat(grove.leaves, k), np.tile(np.arange(k), len(grove.leaves)), share)
        return log_of_share(graph, sum_of_leaves(grove, self.coding_, k, leaves, graph))

    def _posterior(self, X: TableLike) -> Floats:
        found = [self._of_cells(x) for _, x in self._cells(X)]
        return found[0] if len(found) == 1 else np.concatenate(found)

    def _of_cells(self, x: Array) -> Floats:
        """The posterior of rows whose cells are numbers (n, k)."""
        return self.grove_.posterior(x)

    def _cells(self, X: TableLike) -> Iterator[tuple[int, Array]]:
        """The cells of a table as numbers, an array at once and other tables batch by batch."""
        data = self._query(X)
        if not isinstance(data, Ready) and data.rows is not None and isinstance(whole_table(data), np.ndarray):
            yield 0, self.coding_.numbers(whole_table(data), 0)
            return
        yield from encoded(data, self.coding_.numbers)

    def _ready(self, X: TableLike) -> Ready:
        """The rows as cells that are numbers; they stand for X."""
        return Ready.of(self._query(X), self.coding_.numbers)

    def _learn(self, X: TableLike, y: TargetLike, sample_weight: PerRow) -> Learned:
        """Read a table: its columns, levels and classes are known then; its rows as numbers."""
        tasks, schema = labelled_tasks(self, X, y, sample_weight)
        data, target, weight = tasks.data, tasks.target, tasks.weight
        if isinstance(target, Target):
            classes, codes, batches = target.classes, target.codes, [(0, whole_table(data))]
            coding = Coding.learned(schema, batches)
            x = coding.numbers(whole_table(data), 0, learning=True)
        else:
            coding = Coding.learned(schema, ((start, rows) for start, rows, _, _ in tasks.batches()))
            classes, codes, x = _gathered(coding, tasks)
        if not len(codes):
            raise InputError("the file has no rows: there is nothing to learn from")
        weight = np.ones(len(codes)) if weight is None else weight
        count = np.bincount(codes, weight, len(classes))
        scale = weight_of_classes(self.class_weight, classes, count)
        scale = np.ones(len(classes)) if scale is None else scale
        share = count * scale
        self._become(
            {
                "coding_": coding,
                "classes_": class_array(classes),
                "class_count_": count,
                "class_prior_": share / share.sum(),
            }
        )
        self._remember(schema)
        return Learned(x, codes, weight, scale)

    def _rules(self) -> Rules:
        return Rules(
            self.criterion,
            self.max_depth,
            self.min_samples_split,
            self.min_samples_leaf,
            self.min_gain,
            columns_tried(self.max_features, self.n_features_in_),
            self.smoothing,
        )

    def _bins(self, rows: int) -> int | None:
        """Into how many bins numbers are put; None: every value is one."""
        binned = self.splits == "binned" or (self.splits == "auto" and rows > EXACT_ROWS)
        return MAX_BINS if binned else None

    def _check_parameters(self) -> None:
        check_choice("criterion", self.criterion, CRITERIA)
        check_choice("splits", self.splits, ("auto", "exact", "binned"))
        check_number("max_depth", self.max_depth, also=(None,))
        for name in ("min_samples_split", "min_samples_leaf", "min_gain", "smoothing"):
            check_number(name, getattr(self, name))


def terms_of(grove: Grove, x: Array) -> Floats:
    """What the tests on each column add to the log posterior of each class (n, d, k), over that of the roots."""
    if grove.n_trees == 1:
        return grove.steps(x, log_of(grove.share))
    steps = grove.steps(x, grove.share)
    before = grove.share[grove.roots].mean(axis=0)
    return log_steps(steps, before, grove.posterior(x))


def columns_tried(max_features: int | float | str | None, d: int) -> int:
    """How many columns a node tries: a number, a share, "sqrt" or "log2" of all; None: all.

    >>> [columns_tried(given, 30) for given in (None, "sqrt", "log2", 7, 0.5, 100)]
    [30, 5, 4, 7, 15, 30]
    """
    if max_features is None:
        return d
    if isinstance(max_features, str):
        if max_features not in ("sqrt", "log2"):
            raise InputError(f"unknown max_features={max_features!r}; choose from sqrt, log2, a number, a share, None")
        return max(1, int(sqrt(d) if max_features == "sqrt" else log2(d)))
    check_number("max_features", max_features, above=True)
    if isinstance(max_features, int | np.integer):
        return min(d, int(max_features))
    return max(1, min(d, int(float(max_features) * d)))


def _gathered(coding: Coding, tasks: Tasks) -> tuple[tuple[Hashable, ...], Array, Array]:
    """Classes, codes and cells of a file, batch after batch."""
    seen = [
        (labels.classes, labels.codes, coding.numbers(rows, start, True)) for start, rows, labels, _ in tasks.batches()
    ]
    classes: tuple[Hashable, ...] = ()
    for names, _, _ in seen:
        classes = union_of(classes, names)
    place = {name: at for at, name in enumerate(classes)}
    codes = [np.array([place[name] for name in names], dtype=np.int32)[of] for names, of, _ in seen]
    if not codes:
        return classes, np.zeros(0, dtype=np.int32), np.zeros((0, coding.schema.width))
    return classes, np.concatenate(codes), np.concatenate([x for _, _, x in seen])
