"""Rows left out exactly: what a model that learns by sums says of them, without being fitted again."""

from typing import Any

from likely.data.accepted import TableLike, TargetLike
from likely.models.generative.folds.left_out import growing_posteriors, held_out_posteriors, twice_held_out_posteriors
from likely.models.generative.folds.parts import PartedTable
from likely.numeric.arrays import Floats, PerRow


class ExactFolds:
    """Posteriors of rows that a model has not seen, from the sums of the others."""

    def out_of_fold(self, X: TableLike, y: TargetLike, folds: Any, sample_weight: PerRow = None) -> Floats:
        """Log posteriors (n, k) of every row under a model of the other folds; the classes are those of y, sorted.

        `folds` names the fold of each row (n,), or of several repeats (r, n) for posteriors (r, n, k). Nothing is
        refitted: the folds' statistics are summed once and added up. Of this model only the parameters are used.
        """
        return held_out_posteriors(self.parted(X, y, sample_weight), folds)

    def out_of_two_folds(self, X: TableLike, y: TargetLike, folds: Any, sample_weight: PerRow = None) -> Floats:
        """Log posteriors (f, n, k): [j, i] is row i under a model that has seen neither its own fold nor fold j.

        `folds` (n,) names the fold of each row; j counts the names in sorted order. All pairs of folds are left out, at
        the price of one pass over the rows: nested cross-validation needs them.
        """
        return twice_held_out_posteriors(self.parted(X, y, sample_weight), folds)

    def growing_posteriors(self, X: TableLike, y: TargetLike, stages: Any, sample_weight: PerRow = None) -> Floats:
        """Log posteriors (s, n, k) of withheld and of learned rows as the model grows stage by stage.

        `stages` (n,) is when a row is learned, 0, 1, ...; -1: never, it is withheld. [s, i] is row i under the model of
        the stages up to s; NaN for rows of later stages.
        """
        return growing_posteriors(self.parted(X, y, sample_weight), stages)

    def parted(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None, beside: object = None) -> PartedTable:
        """The table read and encoded once: it stands for X, y and weights in `fit` and the methods above.

        `beside`, such a table of another model of the same X, lends its encoded rows where both take them alike.
        """
        return X if isinstance(X, PartedTable) else PartedTable.of(self, X, y, sample_weight, beside)
