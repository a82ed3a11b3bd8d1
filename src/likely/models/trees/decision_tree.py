"""A decision tree: tests on one column at a time, chosen greedily, and the shares of the classes in each leaf.

    gain = H(D) - (N_L / N) H(D_L) - (N_R / N) H(D_R)          in bits, H(D) = - sum of p_c log2 p_c over the classes

At each node, from the root, the test of the largest gain is taken: of a number whether it is below a threshold halfway
between two values that occur, of a level whether it is in a set of levels. It goes on until a node is pure, too small
or too deep. What a tree learns depends on the order of its choices, so trees do not merge; the counts of its leaves are
sums, which rows can be added to and taken from, the tests staying as they are.
"""

from typing import Any, ClassVar, Self

import numpy as np

from likely.data.accepted import ClassWeight, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.labels.target import read_target, split_target
from likely.data.labels.weights import learning_weight
from likely.errors import InputError
from likely.models.traits.face import Face, Section
from likely.models.traits.one_class import note_one_class
from likely.models.traits.state import of_one_state
from likely.models.trees.growing.coding import Binned
from likely.models.trees.growing.growth import grow
from likely.models.trees.growing.pruning import TreeLength, description, shortened
from likely.models.trees.reading import Rule, as_tree, rules_of
from likely.models.trees.unsure_leaves import UnsureLeaves
from likely.numeric.arrays import Array, PerRow
from likely.numeric.random_state import Seed, as_generator

_FACE_DEPTH = 3


class DecisionTree(UnsureLeaves):
    """A decision tree for any table: numbers, levels as they are, missing cells where they belong.

    Parameters
    ----------
    criterion : "gain", "gain_ratio", "normalized_gain" or "gini"
        What a test is chosen by: the information it gains about the class, in bits; the gain divided by the entropy of
        its sides, which favours few large steps (of columns with at least average gain, the threshold of each by gain);
        the gain divided by the entropy that is left, which ranks tests of one node as the gain does and differs in what
        is shown; or the fall of Gini's impurity.
    max_depth : int or None
        Tests on the way to a leaf, at most; 1 is a stump.
    min_samples_split : float
        Least weight of rows in a node that is split. A weight of 2 is a row twice.
    min_samples_leaf : float
        Least weight of rows in a leaf.
    min_gain : float
        A test that gains less is not asked; in bits, or of Gini's impurity.
    max_features : None, "sqrt", "log2", int or float
        Columns that each node tries, drawn at random; None: all.
    mdl_pruning : bool
        Whether tests are taken away, from the leaves up, that do not save as many bits of exceptions as they cost.
    smoothing : float
        Rows by which the shares of a node are drawn towards those of the node above it; 0: as counted.
    splits : "auto", "exact" or "binned"
        Thresholds between all values, or between 255 bins of about as many rows each (columns of no more values are
        exact either way). "auto": exact up to 20,000 rows.
    class_weight : None, "balanced" or a mapping from class to weight
    random_state : of the columns drawn
    kinds : "auto", a kind, or a mapping from column to kind

    Attributes
    ----------
    grove_ : the nodes: tests, gains, and the weight of each class
    feature_importances_ : (d,)
    description_length_ : bits of the tree, and of its exceptions

    Examples
    --------
    >>> from likely import DecisionTree
    >>> table = {"sky": ["sun", "sun", "rain", "rain", None, "sun"], "wind": [2, 9, 3, 8, 5, 1]}
    >>> model = DecisionTree(smoothing=0).fit(table, ["play", "rest", "play", "rest", "play", "play"])
    >>> print(model.as_text())
    wind < 6.5: play (p 1, 4 rows)
    wind >= 6.5: rest (p 1, 2 rows)
    >>> print(*model.rules(), sep="\\n")
    if wind < 6.5: play (p 1, 4 rows, +0.58 bits)
    if wind >= 6.5: rest (p 1, 2 rows, +1.58 bits)
    """

    _instead: ClassVar = {
        "merge": ", count rows into the leaves by add_rows, or use DecisionForest, whose trees stand side by side",
        "forget": ", or take them out of the counts of the leaves by remove_rows",
        "partial_fit": ", or count rows into the leaves by add_rows",
    }

    def __init__(
        self,
        criterion: str = "gain",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        max_features: int | float | str | None = None,
        mdl_pruning: bool = False,
        smoothing: float = 1.0,
        splits: str = "auto",
        class_weight: ClassWeight = None,
        random_state: Seed = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.max_features = max_features
        self.mdl_pruning = mdl_pruning
        self.smoothing = smoothing
        self.splits = splits
        self.class_weight = class_weight
        self.random_state = random_state
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y.

        X is an array, a sparse matrix (read as a dense one), a frame or `likely.scan(path)`; y one label per row, or
        the name of a column of X. Rows without a label are left out, and a warning says so.
        """
        self._check_parameters()
        with self._anew():
            rows = self._learn(X, y, sample_weight)
            note_one_class(self.classes_)
            table = Binned.of(rows.x, self.coding_, self._bins(len(rows.x)))
            seed = int(as_generator(self.random_state).integers(2**63))
            mass = rows.weight * rows.class_weight[rows.codes]
            nominal, k = self.coding_.nominal, len(self.classes_)
            grove = grow(table, nominal, rows.codes, mass, k, self._rules(), seed)
            self.grove_ = shortened(grove, self.n_features_in_) if self.mdl_pruning else grove
        return self

    @property
    def description_length_(self) -> TreeLength:
        """Bits of the tree, and of the exceptions to what its leaves say."""
        return description(self.grove_, self.n_features_in_)

    def get_depth(self) -> int:
        """Tests on the longest way."""
        self._check_fitted()
        return int(self.grove_.depth.max())

    def get_n_leaves(self) -> int:
        """How many leaves it has: one more than tests."""
        self._check_fitted()
        return len(self.grove_.leaves)

    @of_one_state
    def as_text(self, max_depth: int | None = None) -> str:
        """The tree in lines, what is below a test set in."""
        self._check_fitted()
        return as_tree(self.grove_, self.coding_, self.classes_, max_depth)

    @of_one_state
    def rules(self, X: TableLike | None = None) -> list[Rule]:
        """A rule for each leaf, from left to right; of rows X, for each row that of the leaf it comes to."""
        self._check_fitted()
        return rules_of(self.grove_, self.coding_, self.classes_, None if X is None else self.apply(X))

    def add_rows(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> Self:
        """Count more rows in the leaves they come to, and in all nodes above; the tests stay as they are.

        The counts are then those of the same tests over all rows, exactly. That is not the tree that would be grown
        from all rows: for that, fit again.
        """
        return self._recount(X, y, sample_weight, 1.0)

    def remove_rows(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> Self:
        """Take rows out of the counts of the nodes they came to, exactly; the tests they helped to choose stay."""
        return self._recount(X, y, sample_weight, -1.0)

    def _recount(self, X: TableLike, y: TargetLike, sample_weight: PerRow, sign: float) -> Self:
        self._check_fitted()
        with self._onward():
            table, labels = split_target(self._read(X), y)
            if isinstance(labels, str):
                raise InputError("rows are counted from memory: read the file first")
            target = read_target(labels, table.rows)
            weight = learning_weight(sample_weight, table.rows)
            codes = self._codes_of(target)
            weight = np.ones(len(codes)) if weight is None else weight
            x = np.concatenate([cells for _, cells in self._cells(table)])
            scale = np.divide(
                self.class_prior_ * self.grove_.counts[0].sum(),
                self.class_count_,
                out=np.zeros_like(self.class_prior_),
                where=self.class_count_ > 0,
            )
            scale = np.ones_like(scale) if self.class_weight is None else scale
            grove = self.grove_.with_rows(x, codes, weight * scale[codes], sign)
            count = self.class_count_ + sign * np.bincount(codes, weight, len(self.classes_))
            if min(count.min(), grove.counts.min()) < -1e-9 * max(1.0, float(self.class_count_.max())):
                raise InputError("these rows were not all learned: some leaf would count fewer than none")
            if not (count > 0).any():
                raise InputError("no row would be left")
            share = grove.counts[0] / grove.counts[0].sum()
            self._become({"grove_": grove, "class_count_": count, "class_prior_": np.asarray(share)})
        return self

    def _codes_of(self, target: Any) -> Array:
        known = {name: at for at, name in enumerate(self.classes_.tolist())}
        place = np.array([known.get(name, -1) for name in target.classes] or [-1], dtype=np.int32)
        codes = np.where(target.codes < 0, -1, place[target.codes])
        if (codes < 0).any():
            row = int(np.flatnonzero(codes < 0)[0])
            raise InputError(
                f"row {row} of y has no class that the tree knows ({', '.join(map(str, known))}): its leaves have no "
                "count for it; fit again"
            )
        return np.asarray(codes)

    def _face(self) -> Face:
        leaves, depth = self.get_n_leaves(), self.get_depth()
        text = as_tree(self.grove_, self.coding_, self.classes_, _FACE_DEPTH)
        rows = [(line, "") for line in text.splitlines()]
        size = f"{leaves} lea{'ves' if leaves != 1 else 'f'}, depth {depth}"
        return (
            super()
            ._face()
            .with_section(Section(("tree",), [(size,)], "tree"))
            .with_section(Section(("node", ""), rows))
        )
