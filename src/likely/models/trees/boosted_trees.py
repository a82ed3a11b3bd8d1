"""Gradient-boosted trees: every tree corrects the scores of those before it, along the slopes of the log-loss.

    log P(c | x) = F_c(x) - log sum over classes of exp F          F_c(x) = log share of c + sum over rounds of T_rc(x)

Each tree is grown, test after test, where the log-loss falls most in its second-order expansion; a leaf adds
- learning_rate * sum g / (sum h + l2) to the score, g and h the derivatives of the log-loss of its rows. Of two classes
there is one score, the log odds.

How many rounds are honest is told by rows that the trees have not learned: models of folds (few rows) or of a share of
the rows (many) grow beside that of all rows, round by round, until their held-out log-loss falls no more. The model
keeps the rounds up to its minimum.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from likely import engines
from likely.data.accepted import ClassWeight, PriorLike, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.distributions.capabilities.operators import Graph
from likely.engines.progress import progress
from likely.errors import check_choice, check_number, check_whole
from likely.models.estimator import Classifier
from likely.models.learning.order_dependent import OrderDependent
from likely.models.traits.answers import Answers
from likely.models.traits.evidence import Evidence, weigh_evidence
from likely.models.traits.face import Face, Section
from likely.models.traits.one_class import note_one_class
from likely.models.traits.state import of_one_state
from likely.models.trees.classifier import TreeClassifier, columns_tried
from likely.models.trees.grove import Grove
from likely.models.trees.growing.boosting import BoostedRows, Booster, Steps, held_loss, no_test
from likely.models.trees.growing.coding import Binned
from likely.models.trees.operators import Leaves, sum_of_leaves, tree_of_nodes
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.logspace import log_normalize, normalize
from likely.numeric.random_state import Seed, as_generator

FOLDS = 5
FEW_ROWS, FEW_SCORES = 2_000, 10_000  # up to so many rows, and rows times classes, rounds are chosen on folds
_STRETCH = 8  # rounds between two looks at the rows held out
_EXPLAINED = 1 << 20  # cells that are explained at a time


class History(NamedTuple):
    """Mean log-loss before the first round and after each, in nats."""

    loss: Floats  # (rounds + 1,)  of the rows learned
    validation_loss: Floats  # (rounds + 1,)  of those held out; empty without any


class BoostedTrees(OrderDependent, TreeClassifier):
    """Gradient-boosted trees for any table: numbers, levels and gaps as they are.

    Parameters
    ----------
    learning_rate : float
        By what share of its Newton step a leaf moves the scores.
    max_iter : int
        Rounds at most: a tree for each class in each, of two classes one.
    max_leaf_nodes : "auto", int or None
        Leaves of a tree at most. "auto": 8, and of more than 4,000 rows as many more as the root of their number is
        larger, up to 31; a tree of few leaves takes few rows to be true.
    max_depth : int or None
        Tests on the way to a leaf at most.
    min_samples_leaf : float
        Weight of the rows of a leaf at least.
    l2_regularization : float
        Inverse variance of a Gaussian prior of what a leaf adds to the score.
    min_hessian : float
        Sum of second derivatives in a leaf at least.
    max_bins : int
        Into how many bins of about equal weight numbers are put at most; levels are never put together.
    max_features : "auto", "sqrt", "log2", int, float or None
        Columns that each node tries, drawn at random; None: all. "auto": half of them, of more than 1,000 rows all.
    smoothing : float
        Levels are ordered by sum g / (sum h + smoothing): rare ones come to stand in the middle.
    early_stopping : "auto", True or False
        How rounds are chosen: True, on `validation_fraction` of the rows; "auto", so, or on five folds of at most 2,000
        rows (and 10,000 rows times classes); False, not at all: there are `max_iter`. The model is always of all rows.
    validation_fraction : float
        Share of the rows that is held out to choose the number of rounds.
    n_iter_no_change : int
        Rounds without a lower held-out log-loss, after which no more are tried.
    class_weight : None, "balanced" or a mapping from class to weight
    random_state : of the columns drawn
    kinds : "auto", a kind, or a mapping from column to kind

    Attributes
    ----------
    n_iter_ : rounds that are kept
    history_ : `loss` of the rows learned and `validation_loss` of those held out, before the first round and after each
    feature_importances_ : (d,)
    grove_, value_, baseline_ : the nodes of all trees, class after class in each round; what each adds to the score;
        the scores before the first round

    Notes
    -----
    Neither merging nor forgetting: every tree depends on those before it. A late level is a missing cell. Rows in
    any order, and in any number of threads, give the same trees; weight 2 is the row twice.

    Examples
    --------
    >>> import numpy as np
    >>> from likely import BoostedTrees
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 3))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    >>> model = BoostedTrees(random_state=0).fit(X, y)
    >>> model.predict([[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]])
    array(['same', 'other'], dtype='<U5')
    >>> bool(model.history_.validation_loss[model.n_iter_] < 0.3)
    True
    """

    _how_it_learns = "adds tree after tree, each for what those before it leave of all rows"

    grove_: Grove
    value_: Floats  # (nodes,)  what a node adds to the score of its tree's class
    baseline_: Floats  # (k,)  scores before the first round; (1,) of two classes
    history_: History
    n_iter_: int

    def __init__(
        self,
        learning_rate: float = 0.1,
        max_iter: int = 500,
        max_leaf_nodes: int | str | None = "auto",
        max_depth: int | None = None,
        min_samples_leaf: float = 5,
        l2_regularization: float = 1.0,
        min_hessian: float = 1e-3,
        max_bins: int = 255,
        max_features: int | float | str | None = "auto",
        smoothing: float = 10.0,
        early_stopping: bool | str = "auto",
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 20,
        class_weight: ClassWeight = None,
        random_state: Seed = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.min_hessian = min_hessian
        self.max_bins = max_bins
        self.max_features = max_features
        self.smoothing = smoothing
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.random_state = random_state
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y: an array, a frame or `likely.scan(path)`; y may name a column of X."""
        self._check_parameters()
        with self._anew():
            rows = self._learn(X, y, sample_weight)
            note_one_class(self.classes_)
            k = len(self.classes_)
            table = Binned.of(rows.x, self.coding_, int(self.max_bins))
            mass = rows.weight * rows.class_weight[rows.codes]
            given = BoostedRows.of(table, self.coding_.nominal, rows.codes, mass, k)
            held, steps = self._held_out(given), self._steps(len(given.codes))
            boosters = [Booster(given, each, steps) for each in held]
            boosters.append(Booster(given, None, steps, alone=not len(held)))
            self._keep(boosters, self._rounds(boosters) if k > 1 else 0)
        return self

    def _held_out(self, rows: BoostedRows) -> Floats:
        """The weights of rows that are held out (models, n): folds of few, a share of many; none."""
        if self.early_stopping is False or rows.n_classes == 1:
            return np.empty((0, len(rows.codes)))
        few = len(rows.codes) <= FEW_ROWS and len(rows.codes) * rows.n_classes <= FEW_SCORES
        if self.early_stopping == "auto" and few:
            return rows.folds(FOLDS)
        return rows.folds(max(2, round(1.0 / self.validation_fraction)))[:1]

    def _rounds(self, boosters: list[Booster]) -> int:
        """Let all learn side by side, until nothing is gained on rows held out; how many rounds are best there."""
        rng, most = as_generator(self.random_state), int(self.max_iter)
        judged, patience = len(boosters) > 1, int(self.n_iter_no_change)
        best, done_rounds = 0, 0
        with progress(most, "rounds") as done:
            while done_rounds < most:
                stretch = min(_STRETCH, most - done_rounds)
                seeds = rng.integers(2**63, size=stretch).tolist()
                engines.current().map(boosters, partial(Booster.learn, seeds=seeds))
                done_rounds += stretch
                done(stretch)
                if judged:
                    best = int(held_loss(boosters[:-1]).argmin())
                    if done_rounds - best >= patience:
                        break
        return best if judged else done_rounds

    def _keep(self, boosters: Sequence[Booster], rounds: int) -> None:
        whole = boosters[-1]
        trees = whole.trees[: rounds * len(whole.scores)] or [no_test()] * len(whole.scores)
        self._become(
            {
                "grove_": Grove.joined([tree.nodes for tree in trees]),
                "value_": np.concatenate([tree.value for tree in trees]),
                "baseline_": whole.base,
                "history_": History(np.array(whole.loss), held_loss(boosters[:-1])),
                "n_iter_": rounds,
            }
        )

    @of_one_state
    def predict_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Probability of each class (n, k); `prior` replaces the classes' shares after fitting (prior shift)."""
        self._check_fitted()
        return normalize(self._shifted(self._joint(X), prior))

    @of_one_state
    def predict_log_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Logarithm of the probability."""
        self._check_fitted()
        return log_normalize(self._shifted(self._joint(X), prior))

    @of_one_state
    def _answers(self, X: TableLike) -> Answers:
        self._check_fitted()
        joint = self._joint(X)
        found = log_normalize(joint.copy())
        return Answers(self.classes_[found.argmax(axis=1)], normalize(joint), found)

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in what the tests of all trees take from the log-loss of the rows learned (d,)."""
        grove = self.grove_
        inner = grove.feature >= 0
        worth = np.bincount(grove.feature[inner], grove.gain[inner], self.n_features_in_)
        return np.asarray(worth / worth.sum() if worth.sum() > 0 else worth)

    def _weighed(self, X: TableLike, shift: Floats, **sides: Any) -> Evidence:
        """The score of a class is a sum over trees, and in each tree a sum over the tests on the row's way: a test adds
        the value of the node that it leads to less that of the node it is asked in. A column has the sum over its
        tests. The classes' shares and the values of the roots stand under "prior"; in all it is the log odds.
        """
        grove, value = self.grove_, self.value_[:, None]
        size = max(1, _EXPLAINED // max(1, self.n_features_in_ * len(self.classes_)))

        def blocks() -> Iterator[tuple[int, Floats]]:
            for start, x in self._cells(X):
                for first in range(0, len(x), size):
                    part = x[first : first + size]
                    steps = [grove.sums_of_steps(part, value, roots) for roots in self._roots]
                    yield start + first, self._of_classes(np.concatenate(steps, axis=2))

        at_roots = np.array([self.value_[roots].sum() for roots in self._roots])
        base = self._of_classes(self.baseline_ + at_roots)
        return weigh_evidence(self.classes_, self.schema_.names, blocks(), base + shift, **sides)

    def onnx_scores(self, graph: Graph) -> str:
        """The scores in plain operators of a graph: the sum of the leaves, up to a term common to the classes."""
        grove, k, ends = self.grove_, len(self.classes_), self.grove_.leaves
        target = tree_of_nodes(grove)[ends] % len(self.baseline_) + (k == 2)
        found = sum_of_leaves(grove, self.coding_, k, Leaves(ends, target, self.value_[ends]), graph)
        return graph.add("Add", found, graph.constant(self._of_classes(self.baseline_)))

    @property
    def _roots(self) -> list[Ints]:
        """The trees of each score."""
        scores = len(self.baseline_)
        return [np.ascontiguousarray(self.grove_.roots[c::scores]) for c in range(scores)]

    def _of_classes(self, scores: Floats) -> Floats:
        """Figures of scores (..., s) as those of classes (..., k): of two classes the first has 0."""
        return np.concatenate([np.zeros_like(scores), scores], axis=-1) if len(self.classes_) == 2 else scores

    def _joint(self, X: TableLike) -> Floats:
        """Scores of the classes (n, k)."""
        found = [self._scores(x) for _, x in self._cells(X)]
        return found[0] if len(found) == 1 else np.concatenate(found)

    def _scores(self, x: Array) -> Floats:
        value = self.value_[self.grove_.leaves, None]
        found = np.concatenate([self.grove_.sums(x, value, roots) for roots in self._roots], axis=1)
        return self._of_classes(found + self.baseline_)

    def _of_cells(self, x: Array) -> Floats:
        return normalize(self._scores(x))

    def _steps(self, rows: int) -> Steps:
        return Steps(
            float(self.learning_rate),
            leaves_of(self.max_leaf_nodes, rows),
            None if self.max_depth is None else int(self.max_depth),
            float(self.min_samples_leaf),
            float(self.min_hessian),
            float(self.l2_regularization),
            float(self.smoothing),
            columns_tried(features_of(self.max_features, rows), self.n_features_in_),
        )

    def _check_parameters(self) -> None:
        check_options(self)

    def _face(self) -> Face:
        grove, history = self.grove_, self.history_
        rows = [("rounds", f"{self.n_iter_} of at most {self.max_iter}"), ("nodes", f"{grove.n_nodes:,}")]
        rows.append(("log-loss of the rows learned", f"{history.loss[self.n_iter_]:.4g}"))
        if len(history.validation_loss):
            rows.append(("log-loss of rows held out", f"{history.validation_loss[self.n_iter_]:.4g}"))
        face = Classifier._face(self).with_section(Section(("boosting", ""), rows))
        order = np.argsort(-self.feature_importances_, kind="stable")[:5]
        worth = [(self.schema_.names[j], f"{self.feature_importances_[j]:.2f}") for j in order]
        return face.with_section(Section(("column", "share"), worth, "share of the gain"))


def leaves_of(max_leaf_nodes: int | str | None, rows: float) -> int | None:
    """Leaves of a tree at most.

    >>> [leaves_of("auto", rows) for rows in (100, 4_000, 16_000, 1_000_000)]
    [8, 8, 16, 31]
    """
    if max_leaf_nodes == "auto":
        return int(min(31, max(8, 8 * (rows / 4_000) ** 0.5)))
    return None if max_leaf_nodes is None else int(max_leaf_nodes)


def features_of(max_features: int | float | str | None, rows: float) -> Any:
    """Columns that a node tries.

    >>> features_of("auto", 200), features_of("auto", 5_000), features_of("sqrt", 200)
    (0.5, None, 'sqrt')
    """
    if isinstance(max_features, str) and max_features == "auto":
        return 0.5 if rows <= 1_000 else None
    return max_features


def check_options(model: BoostedTrees) -> None:
    """Refuse options that make no sense."""
    for name, least in (("max_iter", 1), ("n_iter_no_change", 1), ("max_bins", 2)):
        check_whole(name, getattr(model, name), least)
    check_whole("max_leaf_nodes", model.max_leaf_nodes, 2, also=("auto", None))
    check_whole("max_depth", model.max_depth, also=(None,))
    for name in ("min_samples_leaf", "l2_regularization", "min_hessian", "smoothing"):
        check_number(name, getattr(model, name))
    check_number("learning_rate", model.learning_rate, above=True)
    check_number("validation_fraction", model.validation_fraction, high=0.5, above=True)
    check_choice("early_stopping", model.early_stopping, ("auto", True, False))
