"""Cross-validation: every row judged by a model that has not seen it.

A model that learns in one pass is never refitted: its folds are summed once and added up. Any other classifier is
cloned and refitted for each fold, in threads (`models.held_out`). Both give the posteriors of all rows.

Splits that are no folds (ShuffleSplit, TimeSeriesSplit, LeavePOut) are held as repeats of one fold each, in which the
rows that a split does not judge have the number -1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

import numpy as np

from likely import engines
from likely.data.accepted import TableLike, TargetLike
from likely.data.frames import bare_table
from likely.data.labels.weights import read_weight
from likely.data.printing.html_table import as_html
from likely.errors import InputError
from likely.evaluation.measures.criteria import Criterion, MeasureLike, row_values
from likely.evaluation.measures.own_costs import criterion_for
from likely.evaluation.resampling.few_rows import no_surer_than, of_few, without_an_end
from likely.evaluation.resampling.optimism import Optimism, training_optimism
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import no_narrower
from likely.intervals.resampled import FoldSpread, corrected_t_interval, fold_spread
from likely.models.any_classifier.asking import Training
from likely.models.any_classifier.posteriors import read_classes
from likely.models.held_out.cv import FoldsLike, Split, read_parts
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.folds import fold_means, make_folds
from likely.models.held_out.refitting import check_classifier
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.random_state import Seed

IntervalMethod: TypeAlias = Literal["corrected_t", "nested"]

_EVEN_FOLDS = 10  # beside leave-one-out, whose rows lower the share of their own class


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Out-of-fold posteriors of every row, and the scores of every fold.

    Of splits that are no folds every split is a repeat of one fold; of the rows that it does not judge nothing is said.
    """

    classes: Array  # (k,)
    y: Array  # (n,)          codes of the true classes
    folds: Ints  # (repeats, n)  -1: the row is not judged in this split
    log_posterior: Floats | None  # (repeats, n, k)  None: the model gives no probabilities
    refitted: bool  # whether the model was fitted anew for each fold; otherwise exactly, from sums
    answers: Array | None = None  # (repeats, n)  codes of what was said; None: the most probable classes
    weight: Floats | None = None  # (n,)  of each row
    groups: Ints | None = None  # (n,)  of rows that depend on each other
    held_out: HeldOut | None = field(default=None, repr=False)  # the model and its rows
    learned: Ints | None = None  # (repeats,)  how many rows each split learned; None: folds, all rows of the others
    like: Any = field(default=None, repr=False)  # the user's table without columns (`bare_table`)

    @property
    def model(self) -> Any:
        """The model that was judged."""
        return None if self.held_out is None else self.held_out.model

    @property
    def repeats(self) -> int:
        """How often the rows were dealt into folds."""
        return len(self.folds)

    @property
    def n_folds(self) -> int:
        """Folds of each repeat."""
        return int(self.folds.max()) + 1

    @property
    def posterior(self) -> Floats:
        """Out-of-fold posteriors (repeats, n, k); NaN for a row that a split does not judge."""
        if self.log_posterior is None:
            raise InputError("the model has no predict_proba, so there are no posteriors; see `predictions`")
        return np.exp(self.log_posterior)

    @property
    def predictions(self) -> Array:
        """What was said of each row (repeats, n); of a row that was rejected, or not judged, nothing (None)."""
        said = self.answers if self.answers is not None else self._posterior().argmax(axis=2)
        said = np.where(self.folds < 0, -1, said)
        if (said < 0).any():
            return np.array([*self.classes.tolist(), None], dtype=object)[said]
        return np.asarray(self.classes[said])

    def criterion(self, measure: MeasureLike) -> Criterion:
        """What a measure means here: of a `Decider` that was judged, "cost" is that of its own costs."""
        return criterion_for([self.model], measure, self.classes)

    def row_scores(self, measure: MeasureLike = "accuracy") -> Floats:
        """A measure of every row in every repeat (repeats, n); NaN for a row that a split does not judge."""
        chosen = self.criterion(measure)
        values = np.full(self.folds.shape, np.nan)
        for repeat, fold in enumerate(self.folds):
            values[repeat, fold >= 0] = row_values(chosen, self.said(repeat))
        return values

    def scores(self, measure: MeasureLike = "accuracy") -> Floats:
        """A measure of each fold (repeats, folds): the mean over its rows, or the measure of all of them together.

        See `likely.evaluation.measures.criteria` for the measures. Rows count with their weights.
        """
        chosen = self.criterion(measure)
        return np.stack(engines.current().map(range(self.repeats), partial(self._fold_scores, chosen)))

    def spread(self, measure: MeasureLike = "accuracy") -> FoldSpread:
        """Mean and deviation of the folds' scores. The deviation says how much folds differ, and is no interval."""
        return fold_spread(self.scores(measure))

    def spread_in_words(self, measure: MeasureLike = "accuracy") -> str:
        """How much the folds differ, to stand beside an interval; empty where a fold has no such score.

        >>> import numpy as np
        >>> from likely import NaiveBayes
        >>> y = np.arange(60) % 2
        >>> x = np.random.default_rng(0).normal(size=(60, 2)) + y[:, None]
        >>> cross_validate(NaiveBayes(), x, y, cv=5).spread_in_words()
        'deviation of folds 0.112'
        """
        scores = self.scores(measure)
        if scores.size < 2 or not np.isfinite(scores).all():
            return ""
        return f"deviation of {self.parts} {fold_spread(scores).deviation:.3f}"

    def estimate(
        self, measure: MeasureLike = "accuracy", method: IntervalMethod = "corrected_t", confidence: float = 0.95
    ) -> Estimate:
        """A measure with an interval that allows for the folds' sharing most of their training rows.

        "corrected_t" is the corrected resampled t of the folds' scores. "nested" is nested cross-validation, which
        takes out the bias of training on fewer rows too; it costs models without two folds at a time, which are almost
        free for a model that learns in one pass and many refits for others. It wants several repeats.
        """
        chosen = self.criterion(measure)
        if method == "nested":
            from likely.evaluation.resampling.nested import nested_estimate

            found = no_narrower(nested_estimate(self, chosen, confidence), self.pooled(chosen, confidence))
        elif method == "corrected_t":
            found = self._by_folds(chosen, confidence)
            if self._in_even_folds is not None:
                found = no_surer_than(found, self._in_even_folds._by_folds(chosen, confidence))
        else:
            raise InputError(f"unknown method {method!r}; use 'corrected_t' or 'nested'")
        return without_an_end(self, found) if chosen.name == "log_loss" else found

    def _by_folds(self, chosen: Criterion, confidence: float) -> Estimate:
        scores = self.scores(chosen)
        undefined = int(np.isnan(scores).sum())
        if undefined:
            told = of_few(self, chosen, confidence)
            return replace(told, note=f"0/0 in {undefined} of {scores.size} {self.parts}: of all rows together")
        rows = self.pooled(chosen, confidence)
        if scores.size == 1:  # one model, whose rows alone say how sure the figure is
            return rows
        bounds, judged = chosen.limits(len(self.classes)), int((self.folds >= 0).any(axis=0).sum())
        found = corrected_t_interval(scores, self.test_ratio, confidence, bounds, judged, self.parts)
        return no_narrower(found, rows)

    @cached_property
    def _in_even_folds(self) -> "CrossValidation | None":
        """The same model in folds with even shares of the classes, where rows were left out one by one; else None.

        Who leaves out one row lowers the share of its class, and of no other: mistakes come more often than of new
        rows, and in step. Classes of a single row have no such folds.
        """
        single = self.learned is None and self.groups is None and self.n_folds == len(self.y)
        fewest = int(np.bincount(self.y, minlength=len(self.classes)).min())
        if not single or fewest < 2 or self.held_out is None:
            return None
        return judged_on(self.held_out, make_folds(self.y, min(_EVEN_FOLDS, fewest))[None])

    def pooled(self, measure: MeasureLike = "accuracy", confidence: float = 0.95) -> Estimate:
        """A measure of all rows together, each judged by a model without it: what the rows alone leave open.

        Folds may agree better than chance would have it, all of them perfect for one. The rows are as uncertain as
        ever, and no estimate is surer than this one. Of several repeats the mean of values and of ends. Of splits that
        are no folds every row counts once, as the first split that judges it says.
        """
        chosen = self.criterion(measure)
        each = [chosen.estimate(said, confidence) for said in self.said_once()]
        if len(each) == 1:
            return each[0]
        value, low, high = (float(np.mean([getattr(e, end) for e in each])) for end in ("value", "low", "high"))
        return replace(each[0], value=value, low=low, high=high)

    def optimism(self, measure: MeasureLike = "accuracy", confidence: float = 0.95) -> Optimism:
        """How much better the model looks on the rows it was trained on than on rows that it has not seen."""
        if self.held_out is None:
            raise InputError("this result does not know its model and data any more; cross-validate again")
        if self.learned is not None:
            raise InputError("optimism is of rows that are all judged, and not by these splits; use folds (cv=10)")
        chosen = self.criterion(measure)
        values = self.row_scores(chosen)
        return training_optimism(self.held_out, values, self.folds, self.test_ratio, chosen, confidence)

    def said(self, repeat: int = 0) -> Said:
        """What was said in one repeat, or of the rows that one split judges."""
        said = self._said(repeat)
        return said if self.learned is None else said.take(np.flatnonzero(self.folds[repeat] >= 0))

    def said_once(self) -> list[Said]:
        """What was said of every row once: in each repeat, or by the first split that judges the row."""
        if self.learned is None:
            return [self.said(repeat) for repeat in range(self.repeats)]
        rows = np.flatnonzero((self.folds >= 0).any(axis=0))
        return [self._said(((self.folds >= 0).argmax(axis=0), np.arange(len(self.y)))).take(rows)]

    @property
    def test_ratio(self) -> float:
        """Rows of a fold to rows outside it, or rows that a split judges to those it learns; their mean."""
        if self.learned is not None:
            return float(((self.folds >= 0).sum(axis=1) / self.learned).mean())
        sizes = np.stack([np.bincount(fold, minlength=self.n_folds) for fold in self.folds])
        return float((sizes / (len(self.y) - sizes)).mean())

    def frame(self) -> Any:
        """A row for each row that is judged, in each repeat: a Polars frame, or pandas with the user's index.

        The repeat, the row's number and fold (of a split that is no fold 0), its true class, what was said, and the
        probability of every class, p_<class>, where the model gives any.

        >>> from likely import NaiveBayes
        >>> print(cross_validate(NaiveBayes(), [[0.0], [1], [4], [5]], [0, 0, 1, 1], cv=2).frame().columns)
        ['repeat', 'row', 'fold', 'truth', 'said', 'p_0', 'p_1']
        """
        import polars as pl

        from likely.data.frames import told_like

        repeat, row = np.nonzero(self.folds >= 0)
        columns = {"repeat": repeat, "row": row, "fold": self.folds[repeat, row]}
        columns |= {"truth": self.classes[self.y[row]].tolist(), "said": self.predictions[repeat, row].tolist()}
        if self.log_posterior is not None:
            posterior = np.exp(self.log_posterior[repeat, row])
            columns |= {f"p_{name}": posterior[:, k] for k, name in enumerate(self.classes.tolist())}
        return told_like(pl.DataFrame(columns, strict=False), self.like, row)

    def __str__(self) -> str:
        names = ("accuracy", "log_loss")[: self._measurable()]
        told = [(f"{name:<9} {self.estimate(name)}", self.spread_in_words(name)) for name in names]
        lines = [f"{figure}; {spread}" if spread else figure for figure, spread in told]
        how = "refitted" if self.refitted else "without a refit"
        return "\n".join([f"{self.how_parted}, {len(self.y)} rows, {how}", *lines])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return as_html(str(self))

    def _measurable(self) -> int:
        return 1 if self.log_posterior is None else 2

    def _posterior(self) -> Floats:
        assert self.log_posterior is not None
        return self.log_posterior

    @property
    def how_parted(self) -> str:
        """The folds or splits, in words."""
        if self.learned is not None:
            return f"{self.repeats} {'split' if self.repeats == 1 else 'splits'}"
        return f"{self.n_folds}-fold cross-validation{'' if self.repeats == 1 else f', {self.repeats} times'}"

    @property
    def parts(self) -> str:
        """What the rows are divided into: folds, or splits that are none."""
        return "folds" if self.learned is None else "splits"

    def _said(self, at: Any) -> Said:
        """What was said at a repeat, or at the repeat of each row and the row."""
        log_posterior = None if self.log_posterior is None else self.log_posterior[at]
        answers = None if self.answers is None else self.answers[at]
        return Said(tuple(self.classes.tolist()), self.y, log_posterior, answers, self.weight, groups=self.groups)

    def _fold_scores(self, chosen: Criterion, repeat: int) -> Floats:
        said, fold, count = self.said(repeat), self.folds[repeat], self.n_folds
        fold = fold if self.learned is None else fold[fold >= 0]
        if chosen.fold is None:
            return fold_means(row_values(chosen, said), fold, count, said.weight)
        return np.array([chosen.fold(said.take(np.flatnonzero(fold == f))) for f in range(count)])


def cross_validate(
    model: Learner,
    X: TableLike,
    y: TargetLike,
    cv: FoldsLike = 10,
    repeats: int = 1,
    stratify: bool = True,
    groups: PerRow = None,
    leave_one_out: bool = False,
    sample_weight: PerRow = None,
    random_state: Seed = 0,
    fit_params: Mapping[str, Any] | None = None,
) -> CrossValidation:
    """Cross-validate a classifier: of this library, of scikit-learn, a pipeline, anything with fit and predict.

    `cv` is how many folds, or the fold of each row (n,), or of several repeats (r, n), or pairs of training and test
    rows, as a list or from an object with `split`. Pairs that leave out every row once are folds; others
    (ShuffleSplit, TimeSeriesSplit, LeavePOut) are judged split by split, each by a model of its training rows.
    `groups` names the group of each row when rows of a group depend on each other: they stay in one fold, and an
    object with `split` is given them. `y` may name a column of a frame X. Weights count in fitting and in judging.
    `fit_params` go to `fit` of the model, those with one value per row in the rows of each fold; the model is then
    refitted. Measures are asked of the result: `estimate("log_loss")`, `estimate(costs)` with costs[truth][said], and
    of a `Decider` `estimate("cost")`.

    >>> import numpy as np
    >>> from likely import NaiveBayes, cross_validate
    >>> X = np.array([[1.0], [1.2], [0.8], [5.0], [5.5], [4.5]])
    >>> result = cross_validate(NaiveBayes(), X, [0, 0, 0, 1, 1, 1], cv=3)
    >>> result.scores("accuracy").tolist(), result.refitted
    ([[1.0, 1.0, 1.0]], False)
    >>> from sklearn.model_selection import TimeSeriesSplit
    >>> cross_validate(NaiveBayes(), X, [0, 1, 0, 1, 0, 1], cv=TimeSeriesSplit(2)).scores("accuracy").tolist()
    [[1.0], [0.5]]
    """
    check_classifier(model)
    data = read_training(X, y, sample_weight)
    data = data.beside(groups, fit_params or {})
    members = data.groups
    parts = read_parts(cv, data, repeats, stratify, members, leave_one_out, random_state)
    held = HeldOut(model, data)
    return replace(judged_on(held, parts, members), like=bare_table(X))


def judged_on(held: HeldOut, parts: Ints | Sequence[Split], groups: Ints | None = None) -> CrossValidation:
    """Cross-validate on given folds (r, n), numbered from 0, or judge the test rows of splits that are no folds."""
    data, learned = held.data, None
    if isinstance(parts, np.ndarray):
        folds = parts
        (log_p, answers), refitted = held.once(folds)
    else:
        (log_p, answers), refitted = held.split(parts)
        folds = np.full((len(parts), len(data.codes)), -1, dtype=np.int64)
        for number, split in enumerate(parts):
            folds[number, split.test] = 0
        learned = np.array([len(split.train) for split in parts])
    classes = read_classes(data.classes, len(data.classes))
    return CrossValidation(classes, data.codes, folds, log_p, refitted, answers, data.weight, groups, held, learned)


def read_training(X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> Training:
    """Table, labels and weights to resample; every row must have a label, and there must be two classes."""
    data = Training.of(X, y, None)
    if len(data.classes) < 2:
        raise InputError(f"y has only one class, {data.classes[0]!r}: there is nothing to tell apart")
    return replace(data, codes=data.codes.astype(np.int32), weight=read_weight(sample_weight, len(data.codes)))
