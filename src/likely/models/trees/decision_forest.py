"""A decision forest: many randomised trees, whose leaf distributions are averaged.

    P(c | x) = 1/T sum over trees of P_t(c | x)

Each tree is grown from rows drawn with replacement (a bootstrap sample), each of its nodes from columns drawn at
random, so that trees err differently. A row is out of bag for the trees that did not draw it: their mean is a posterior
of the row by trees that have not seen it, which costs no further fit.

Rows are drawn from the table in an order that depends on their cells alone, each as wide as its weight. So the order of
the rows is no matter, and a row of weight 2 is drawn as a row that stands there twice.
"""

from dataclasses import replace
from math import exp, inf, sqrt
from typing import Self

import numpy as np

from likely import engines
from likely.data.accepted import ClassWeight, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.engines.progress import progress
from likely.errors import InputError, check_whole
from likely.intervals import Estimate, mean_interval, proportion_interval
from likely.models.traits.face import Face, Section
from likely.models.traits.one_class import note_one_class
from likely.models.trees.classifier import Learned, TreeClassifier
from likely.models.trees.grove import PLACES_IN, Grove
from likely.models.trees.growing.coding import Binned
from likely.models.trees.growing.gathering import Gathering, InTurn
from likely.models.trees.growing.growth import Places, grow
from likely.models.trees.out_of_bag import OutOfBag, Told
from likely.numeric.arrays import Array, Floats, PerRow
from likely.numeric.kernels.trees.marking import hash_rows
from likely.numeric.random_state import Seed, as_generator


class DecisionForest(TreeClassifier):
    """A forest of randomised decision trees for any table.

    Parameters
    ----------
    n_estimators : int
        Trees.
    criterion, max_depth, min_samples_split, min_samples_leaf, min_gain, splits, class_weight, kinds
        As of `DecisionTree`.
    max_features : "sqrt", "log2", int, float or None
        Columns that each node tries.
    bootstrap : bool
        Whether each tree has a sample of the rows, drawn with replacement; otherwise all of them.
    oob_score : bool
        Whether out-of-bag posteriors and their scores are computed (with bootstrap only).
    smoothing : float
        Rows by which the shares of a node are drawn towards those of the node above it.
    random_state : of the rows and columns drawn; the same trees for any number of threads

    Attributes
    ----------
    grove_ : the nodes of all trees
    oob_decision_function_ : (n, k), the posterior of each row by trees that did not draw it; NaN where every tree did
    oob_accuracy_, oob_log_loss_ : Estimate, out of bag (log-loss in nats, for as many trees as the forest has)
    oob_score_ : float, the accuracy
    feature_importances_ : (d,)

    Examples
    --------
    >>> import numpy as np
    >>> from likely import DecisionForest
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    >>> model = DecisionForest(50, random_state=0).fit(X, y)
    >>> model.predict([[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]])
    array(['same', 'other'], dtype='<U5')
    >>> model.oob_accuracy_.low > 0.8
    True
    """

    n_estimators: int
    oob_decision_function_: Floats  # (n, k)
    oob_accuracy_: Estimate
    oob_log_loss_: Estimate
    oob_score_: float

    def __init__(
        self,
        n_estimators: int = 100,
        criterion: str = "gain",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        max_features: int | float | str | None = "sqrt",
        bootstrap: bool = True,
        oob_score: bool = True,
        smoothing: float = 0.5,
        splits: str = "auto",
        class_weight: ClassWeight = None,
        random_state: Seed = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.smoothing = smoothing
        self.splits = splits
        self.class_weight = class_weight
        self.random_state = random_state
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y: an array, a frame or `likely.scan(path)`; y may name a column of X."""
        self._check_parameters()
        with self._anew():
            rows = self._learn(X, y, sample_weight)
            note_one_class(self.classes_)
            nominal, rules, k = self.coding_.nominal, self._rules(), len(self.classes_)
            some = rules.columns_tried < self.n_features_in_
            table = Binned.of(rows.x, self.coding_, self._bins(len(rows.x)), by_row=some)
            seeds = as_generator(self.random_state).integers(2**63, size=int(self.n_estimators))
            judged = bool(self.bootstrap and self.oob_score)
            told = OutOfBag.none(rows.codes, len(self.classes_))
            drawing = Drawing.of(table.codes, rows) if self.bootstrap else None
            nodes, places = Gathering(len(seeds), PLACES_IN), Places()

            def keep(grown: tuple[Grove, Told | None]) -> None:
                nodes.add(grown[0].nodes)
                if grown[1] is not None:
                    told.add(grown[1])

            in_turn = InTurn(keep)
            with progress(len(seeds), "trees") as done:

                def one(item: tuple[int, int]) -> None:
                    number, seed = item
                    times = rows.weight if drawing is None else drawing.draw(np.random.default_rng(seed))
                    mass = times * rows.class_weight[rows.codes]
                    tree = grow(table, nominal, rows.codes, mass, k, rules, seed, places)
                    said = Told.by(tree, rows.x, np.flatnonzero(times <= 0)) if judged else None
                    in_turn.put(number, (tree.in_short(), said))
                    done()

                engines.current().map(enumerate(seeds.tolist()), one)
            self.grove_ = Grove(**nodes.together(), smoothing=float(self.smoothing))
            if judged:
                self._keep_out_of_bag(rows, told)
        return self

    def merge(self, other: "DecisionForest") -> Self:
        """Merge two forests into a new one of all their trees, whose posterior is their mean; neither of them changes.

        Both know the same columns and classes. Out-of-bag figures, of each forest's own rows, are left behind.
        """
        if not isinstance(other, DecisionForest):
            raise InputError(f"a forest merges with a forest, not with {type(other).__name__}")
        mine, its = self._as_it_is(), other._as_it_is()
        mine._check_fitted()
        its._check_fitted()
        if mine.classes_.tolist() != its.classes_.tolist():
            raise InputError(
                f"the forests know different classes, {mine.classes_.tolist()} and {its.classes_.tolist()}: their "
                "leaves cannot be averaged"
            )
        if mine.schema_.names != its.schema_.names or mine.coding_.levels != its.coding_.levels:
            raise InputError(
                "the forests were grown from tables with other columns or levels: grow both from tables with the same "
                "columns and a row of every level"
            )
        weight = mine.class_prior_ * mine.class_count_.sum() + its.class_prior_ * its.class_count_.sum()
        both = type(self)(**self.get_params(deep=False))
        both._become(
            {
                "coding_": mine.coding_,
                "classes_": mine.classes_,
                "grove_": Grove.joined([mine.grove_, replace(its.grove_, smoothing=mine.grove_.smoothing)]),
                "class_count_": mine.class_count_ + its.class_count_,
                "class_prior_": weight / weight.sum(),
            }
        )
        both._remember(mine.schema_)
        return both

    def _keep_out_of_bag(self, rows: Learned, told: "OutOfBag") -> None:
        some = told.trees > 0
        self.oob_decision_function_ = told.posterior
        if not some.any():
            return
        p, codes, weight = told.posterior[some], rows.codes[some], rows.weight[some]
        right = (p.argmax(axis=1) == codes).astype(np.float64)
        loss = told.log_loss(self.grove_.n_trees)[some]
        alike = bool((weight == weight[0]).all())
        uneven = None if alike else weight
        if alike:
            accuracy = proportion_interval(float(right.sum()), len(right))
        else:
            accuracy = mean_interval(right, sample_weight=uneven, bounds=(0.0, 1.0))
        if np.isfinite(loss).all():
            log_loss = _widened(mean_interval(loss, sample_weight=uneven))
        else:
            log_loss = Estimate(inf, 0.0, inf, 0.95, "a class was impossible: smooth the leaves", float(len(loss)))
        self._become(
            {
                "oob_score_": float(np.average(right, weights=weight)),
                "oob_accuracy_": _widened(accuracy, 1.0),
                "oob_log_loss_": log_loss,
            }
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_whole("n_estimators", self.n_estimators)

    def _face(self) -> Face:
        grove = self.grove_
        rows = [(f"{grove.n_trees} trees of {grove.n_nodes / grove.n_trees:.0f} nodes",)]
        face = super()._face().with_section(Section(("trees",), rows, "trees"))
        if hasattr(self, "oob_accuracy_"):
            figures = [("accuracy", f"{self.oob_accuracy_:.3f}"), ("log-loss", f"{self.oob_log_loss_:.3f}")]
            face = face.with_section(Section(("figure", "value"), figures, "out of bag"))
        order = np.argsort(-self.feature_importances_, kind="stable")[:5]
        worth = [(self.schema_.names[j], f"{self.feature_importances_[j]:.2f}") for j in order]
        return face.with_section(Section(("column", "share"), worth, "share of the gain"))


class Drawing:
    """Rows in an order that depends on their cells alone, each as wide as its weight."""

    def __init__(self, owner: Array, ends: Floats | None, weight: Floats) -> None:
        self.owner, self.ends, self.weight = owner, ends, weight

    @classmethod
    def of(cls, codes: Array, rows: Learned) -> Self:
        """Of a table of codes: equal rows side by side, those of one class before those of another."""
        mark = np.empty(codes.shape[1], dtype=np.uint64)
        hash_rows(codes, mark)
        size = np.bincount(rows.codes, rows.weight * (mark >> np.uint64(11)).astype(np.float64), len(rows.class_weight))
        order = np.lexsort((size[rows.codes], mark))
        width = rows.weight[order]
        if (width == np.floor(width)).all() and width.sum() < 1 << 31:
            return cls(np.repeat(order, width.astype(np.int64)), None, rows.weight)
        return cls(order, np.cumsum(width), rows.weight)

    def draw(self, rng: np.random.Generator) -> Floats:
        """How often each row is drawn, times what a draw weighs (n,)."""
        n = len(self.weight)
        if self.ends is None:
            drawn = self.owner[rng.integers(0, len(self.owner), size=len(self.owner))]
            return np.bincount(drawn, minlength=n).astype(np.float64)
        total = float(self.ends[-1])
        place = np.searchsorted(self.ends, rng.random(n) * total, "right")
        return np.asarray(np.bincount(self.owner[np.minimum(place, n - 1)], minlength=n) * (total / n))


def _widened(found: Estimate, most: float = inf) -> Estimate:
    """An interval of rows that were also learned, as wide as the corrected resampled t would have it.

    A tree is judged by e^-1 of the rows and learns from the others, so the variance is larger by the ratio of both.
    """
    by = sqrt(1 + exp(-1) / (1 - exp(-1)))
    low, high = found.value - by * (found.value - found.low), found.value + by * (found.high - found.value)
    method = f"{found.method}, widened {by:.2f} times because rows out of bag of one tree are learned by others"
    error = by * found.standard_error
    return replace(found, low=max(low, 0.0), high=min(high, most), method=method, standard_error=error)
