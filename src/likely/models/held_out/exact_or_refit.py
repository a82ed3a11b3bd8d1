"""Rows judged by models that have not seen them: by the model's exact way, or else by refitting it.

A model that learns in one pass gives these posteriors from sums of parts of the rows, without a refit:

    out_of_fold(X, y, folds, sample_weight)          once: row i without its own fold; one row a fold is leave-one-out
    out_of_two_folds(X, y, folds, sample_weight)     twice: row i without its own fold and fold j (nested)
    growing_posteriors(X, y, stages, sample_weight)  growing: all rows under models that learn more and more of them

Each is asked for where the model has it. A model that refuses (a TierError: it learns in many passes), or that has no
such method, is cloned and fitted again for each part, in threads.

`parted(X, y, sample_weight, beside)` of a model, where it has that method, is the table read and encoded once, which
stands for X in all three and in `fit`; `at(rows)` of it are some of its rows, and `leaves_one_out` says whether single
rows can be left out in closed form. `beside` is such a table of another
model, whose reading and encoding are taken over where they are the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from likely.data.labels.target import Target
from likely.errors import InputError, TierError
from likely.models.any_classifier.asking import Training, fitted_clone, scores
from likely.models.held_out.cv import FoldsLike, Split, is_number, named_folds, read_splits, splits_of
from likely.models.held_out.folds import make_folds, refuse_single, stratified_folds
from likely.models.held_out.refitting import Verdict, refit, verdict_of
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.random_state import Seed

FEW_ROWS = 2_000  # up to which each row may take an estimate of its own


class LeftOut(NamedTuple):
    """Rows that were left out, and what models that had not seen them make of them."""

    rows: Ints  # (n,)
    scores: Floats  # (n,) or (n, k)
    fold: Ints | None  # (n,)  which rows one model judged; None: the model itself judged all


@dataclass(frozen=True, eq=False)
class HeldOut:
    """A model and the rows to hold out from it; of the model only the parameters are used."""

    model: Learner
    data: Training
    beside: Any = None  # the table of another model on the same rows, to be shared

    @cached_property
    def table(self) -> Any:
        """The rows as the model takes them in parts, encoded once; None: it takes many passes, or knows no parts."""
        parted = getattr(self.model, "parted", None)
        if isinstance(self.model, type) or parted is None or self.data.options:
            return None
        target = Target(self.data.codes.astype(np.int32, copy=False), self.data.classes)
        try:
            return parted(self.data.X, target, self.data.weight, self.beside)
        except TierError:
            return None

    @property
    def exact(self) -> bool:
        """Whether rows can be left out without a refit: the model has a way, and a table where it knows parts."""
        known = hasattr(self.model, "out_of_fold") and not self.data.options
        return known and (getattr(self.model, "parted", None) is None or self.table is not None)

    def once(self, folds: Ints) -> tuple[Verdict, bool]:
        """Of every row under the models of the other folds, in each repeat of folds (r, n); and whether it took refits.

        Log posteriors are (r, n, k), answers (r, n).
        """
        exact = self._exactly("out_of_fold", folds)
        if exact is not None:
            return Verdict(exact), False
        splits = splits_of(folds)
        found = self._refitted(splits, "folds")
        shape, count = folds.shape, len(splits) // len(folds)
        return _gathered(found, [(i // count, split.test) for i, split in enumerate(splits)], shape), True

    def split(self, splits: Sequence[Split]) -> tuple[Verdict, bool]:
        """Of the test rows of each split, once its training rows are learned; and whether it took refits.

        Log posteriors are (s, n, k), NaN of rows that a split does not judge; answers (s, n), -1 of those.
        """
        exact = list(takewhile(lambda found: found is not None, map(self._exactly_after, splits)))
        refitted = len(exact) < len(splits)
        found = self._refitted(splits, "splits") if refitted else [Verdict(table) for table in exact]
        places = [(number, split.test) for number, split in enumerate(splits)]
        return _gathered(found, places, (len(splits), len(self.data.codes))), refitted

    def twice(self, fold: Ints, what: str = "pairs of folds") -> Verdict:
        """Of row i under the model without its own fold and fold j, folds (n,): log posteriors (f, n, k)."""
        exact = self.exactly_twice(fold)
        if exact is not None:
            return Verdict(exact)
        count = int(fold.max()) + 1
        pairs = [(i, j) for i in range(count) for j in range(i, count)]
        held = [np.flatnonzero((fold == i) | (fold == j)) for i, j in pairs]
        rest = [np.flatnonzero((fold != i) & (fold != j)) for i, j in pairs]
        found = self._refitted(list(map(Split, rest, held)), what)
        pieces, places = [], []
        for (i, j), rows, verdict in zip(pairs, held, found, strict=True):
            for one, other in {(i, j), (j, i)}:
                own = fold[rows] == one
                pieces.append(_part(verdict, own))
                places.append((other, rows[own]))
        return _gathered(pieces, places, (count, len(fold)))

    def exactly_twice(self, fold: Ints) -> Floats | None:
        """Like `twice`, without a refit; None where it takes some."""
        return self._exactly("out_of_two_folds", fold)

    def growing(self, splits: Sequence[Split], sizes: Sequence[int]) -> list[list[tuple[Verdict, Verdict]]]:
        """For each split and each size, of the test rows and of the training rows, once so many first are learned."""
        exact = list(takewhile(bool, (self._grown(split, sizes) for split in splits)))
        if len(exact) == len(splits):
            return exact
        fits = [
            Split(split.train[:size], np.concatenate([split.test, split.train[:size]]))
            for split in splits
            for size in sizes
        ]
        found = [
            (_part(verdict, slice(0, -len(fit.train))), _part(verdict, slice(-len(fit.train), None)))
            for fit, verdict in zip(fits, self._refitted(fits, "training sizes"), strict=True)
        ]
        return [found[at : at + len(sizes)] for at in range(0, len(found), len(sizes))]

    def after(self, split: Split) -> Verdict:
        """Of the test rows of a split, once its training rows are learned."""
        exact = self._exactly_after(split)
        return self._refitted([split], "rows")[0] if exact is None else Verdict(exact)

    def leave_one_out(self) -> Floats | None:
        """Log posteriors (n, k) of every row under the model of all others; None where it takes a fit for each.

        A model of sums that has no closed form makes an estimate for each row, of few rows only.
        """
        told = self.model if self.table is None else self.table
        if len(self.data.codes) > FEW_ROWS and not getattr(told, "leaves_one_out", False):
            return None
        return self._exactly("out_of_fold", np.arange(len(self.data.codes)))

    def learned(self) -> Verdict:
        """Of every row under the model of all of them."""
        exact = self._exactly("growing_posteriors", np.zeros(len(self.data.codes), dtype=np.int64))
        return verdict_of(self.fitted(), self.data.X, self.data.classes) if exact is None else Verdict(exact[0])

    def fitted(self) -> Any:
        """A clone that has learned all rows."""
        return fitted_clone(self.model, self.data if self.table is None else replace(self.data, X=self.table))

    def scores(self, cv: FoldsLike, random_state: Seed = None) -> LeftOut:
        """Rows that were left out, and their scores (see `asking.scores`) under models that had not seen them.

        A number of folds is dealt in the order of the data, unless a `random_state` shuffles the rows before. Of splits
        that judge a row often it counts once, as the first of them says: copies would pass for rows of their own.
        """
        data = self.data
        refuse_single(data.codes, data.classes)
        folds = self._named_or_dealt(cv, random_state)
        if folds is not None:
            exact = self._exactly("out_of_fold", folds)
            if exact is not None:
                return LeftOut(np.arange(len(folds)), np.asarray(exact, dtype=np.float64), folds)
            splits = splits_of(folds)
        else:
            splits = _judging_once(read_splits(cv, data), len(data.codes))
        if not splits:
            raise InputError("cv gives no folds")
        for split in splits:
            data.check_several(split.train)
        found = refit(self.model, data, splits, lambda fitted, X: scores(fitted, X, data.classes))
        tests = [split.test for split in splits]
        fold = np.repeat(np.arange(len(tests)), [len(test) for test in tests])
        return LeftOut(np.concatenate(tests), np.concatenate(found), fold)

    def _named_or_dealt(self, cv: FoldsLike, random_state: Seed) -> Ints | None:
        """The fold of each row (n,), of several repeats in the first; None: `cv` gives pairs of rows."""
        data = self.data
        if not is_number(cv):
            named = named_folds(cv, data)
            return None if named is None else named[0]
        if data.groups is None:
            return stratified_folds(data.codes, int(cv), random_state)
        return make_folds(data.codes, int(cv), groups=data.groups, random_state=random_state)

    def _exactly(self, method: str, parts: Ints, rows: Ints | None = None) -> Floats | None:
        """By the model's own way, of all rows or some of them; None where it has none."""
        exact = getattr(self.model, method, None)
        if exact is None or self.data.options:
            return None
        try:
            if getattr(self.model, "parted", None) is None:
                data = self.data if rows is None else self.data.taken(rows)
                return np.asarray(exact(data.X, data.y, parts, sample_weight=data.weight))
            if self.table is None:
                return None
            return np.asarray(exact(self.table if rows is None else self.table.at(rows), None, parts))
        except TierError:  # this it cannot do without a refit
            return None

    def _exactly_after(self, split: Split) -> Floats | None:
        """Like `after`, without a refit; None where it takes one."""
        rows = np.concatenate(split)
        stages = np.repeat([0, -1], [len(split.train), len(split.test)])
        exact = self._exactly("growing_posteriors", stages, rows)
        return None if exact is None else np.asarray(exact[0][len(split.train) :])

    def _grown(self, split: Split, sizes: Sequence[int]) -> list[tuple[Verdict, Verdict]]:
        """Without a refit; nothing where it takes some."""
        learned = split.train[: sizes[-1]]
        stages = np.full(len(learned) + len(split.test), -1)
        stages[: len(learned)] = np.searchsorted(sizes, np.arange(len(learned)), side="right")
        exact = self._exactly("growing_posteriors", stages, np.concatenate([learned, split.test]))
        if exact is None:
            return []
        return [
            (Verdict(table[len(learned) :]), Verdict(table[:size])) for table, size in zip(exact, sizes, strict=True)
        ]

    def _refitted(self, splits: Sequence[Split], what: str) -> list[Verdict]:
        classes = self.data.classes
        return refit(self.model, self.data, splits, lambda fitted, X: verdict_of(fitted, X, classes), what)


def _judging_once(splits: Sequence[Split], rows: int) -> list[Split]:
    """Splits that judge only what none before them did; those with nothing left to judge are left out."""
    seen, first = np.zeros(rows, dtype=bool), list[Split]()
    for train, test in splits:
        new = test[~seen[test]]
        seen[new] = True
        if len(new):
            first.append(Split(train, new))
    return first


def _part(verdict: Verdict, rows: Any) -> Verdict:
    return Verdict(*(None if part is None else part[rows] for part in verdict))


def _gathered(found: Sequence[Verdict], places: Sequence[tuple[int, Ints]], shape: tuple[int, ...]) -> Verdict:
    """Verdicts on some rows each as one of all rows (shape, k); each has a place in front and the numbers of rows.

    Where there is no verdict, log posteriors are NaN and answers -1.
    """

    def put(parts: Sequence[Array | None]) -> Any:
        if parts[0] is None:
            return None
        nothing = np.nan if parts[0].dtype.kind == "f" else -1
        whole = np.full((*shape, *parts[0].shape[1:]), nothing, dtype=parts[0].dtype)
        for part, (front, rows) in zip(parts, places, strict=True):
            whole[front, rows] = part
        return whole

    return Verdict(put([verdict.log_posterior for verdict in found]), put([verdict.answers for verdict in found]))
