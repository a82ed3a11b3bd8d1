"""Nearest neighbours that keep few rows: those that are needed, or those that can be trusted.

    IB2        one pass; a row is stored if the rows stored so far get it wrong
    IB3        as IB2, and stored rows keep a record of their success: accepted ones answer, poor ones are dropped
    condensed  IB2 again and again over the rows not stored, until the stored ones get all rows right (Hart)
    edited     rows that their k nearest neighbours outvote are dropped (Wilson)

IB2, IB3 and condensing depend on the order of the rows, so such models do not merge or forget. In IB3, while no row
is accepted the nearest stored one speaks.

Ties, as between equal rows of different classes: while rows come (IB2, IB3, condensed), of stored rows that are equally
near the one stored first speaks, so the order of the rows decides what is stored; condensing ends when the answers are
right, too, but for rows that a row of another class equals. In answers, and where "edited"
judges, equally near rows share the places among the nearest that they compete for, and of classes with equal votes the
first of `classes_` is said: there the order of the rows is no matter.
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.distances.pairs import Metric
from likely.data.distances.table_distance import TableDistance
from likely.errors import InputError, check_choice, check_number, check_whole
from likely.models.estimator import Classifier
from likely.models.neighbors.acceptance import ACCEPT, REJECT, Acceptance, acceptance
from likely.models.neighbors.neighbor_model import NeighborsWithClasses
from likely.models.neighbors.searching.known import Known
from likely.models.neighbors.searching.misread import misread
from likely.models.neighbors.searching.reading import labelled_rows, present
from likely.models.neighbors.searching.search import Neighborhoods
from likely.models.neighbors.searching.votes import class_votes
from likely.models.traits.answers import Answers
from likely.models.traits.decision_function import DecisionFunction
from likely.models.traits.one_class import note_one_class
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.kernels.distances.instances import keep_mistakes, keep_records
from likely.numeric.logspace import log_of

RULES = ("IB2", "IB3", "edited", "condensed")
_BLOCK = 256


class InstanceLearner(DecisionFunction, NeighborsWithClasses, Classifier):
    """Instance-based learner that stores few of the rows, for tables of any kinds, with gaps.

    Parameters
    ----------
    rule : "IB2", "IB3", "edited" or "condensed"
        Which rows are stored.
    n_neighbors : int
        How many stored rows vote in the end.
    edit_neighbors : int
        How many neighbours judge a row under "edited".
    accept : float
        One-sided level of the intervals by which IB3 accepts a row as a witness.
    reject : float
        One-sided level of those by which it drops one.
    weights, metric, p, scale, feature_weights, bandwidth, algorithm, kinds
        As in `NearestNeighbors`.

    Attributes
    ----------
    stored_ : numbers of the training rows that are stored; under IB3 those accepted answer, if there are any
    trace_ : for IB2 and IB3, whether each row, when it came, was "stored" or "dropped"

    Examples
    --------
    >>> from likely import InstanceLearner
    >>> X = [[1.0], [1.2], [4.0], [3.8], [1.1], [2.6], [2.4], [4.2]]
    >>> model = InstanceLearner("IB2").fit(X, ["a", "a", "b", "b", "b", "b", "a", "b"])
    >>> model.stored_
    array([0, 2, 4, 6])
    """

    _how_it_learns = "stores rows by the order in which they come"

    stored_: Ints
    stored_codes_: Ints
    trace_: Array
    right_: Floats
    tries_: Floats
    seen_: Floats

    def __init__(
        self,
        rule: str = "IB3",
        n_neighbors: int = 1,
        weights: str | Callable[..., Any] = "uniform",
        metric: Metric = "euclidean",
        p: float = 2.0,
        scale: str | None = "auto",
        feature_weights: ArrayLike | str | None = None,
        bandwidth: float = 1.0,
        edit_neighbors: int = 3,
        accept: float = ACCEPT,
        reject: float = REJECT,
        algorithm: str = "auto",
        kinds: Kinds = "auto",
    ) -> None:
        self.rule = rule
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.metric = metric
        self.p = p
        self.scale = scale
        self.feature_weights = feature_weights
        self.bandwidth = bandwidth
        self.edit_neighbors = edit_neighbors
        self.accept = accept
        self.reject = reject
        self.algorithm = algorithm
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None) -> Self:
        """Store some of rows X with classes y, in their order."""
        self._check_parameters()
        with self._anew():
            known, classes = present(*labelled_rows(self, X, y, None))
            distance = self._distance(known)
            rows, trace = np.arange(len(known)), np.full(len(known), "stored")
            right = tries = np.zeros(0)
            seen = np.bincount(np.append(known.y, [len(classes)] * len(known))).astype(np.float64)
            if self.rule == "edited":
                rows = self._edited(known, len(classes))
                trace = np.where(np.isin(np.arange(len(known)), rows), "stored", "dropped")
            elif self.rule == "IB3":
                rows, trace, right, tries, seen = self._with_records(known, distance, len(classes))
            else:
                rows, trace = self._mistakes(known, distance, rows)
                while self.rule == "condensed":
                    more, _ = self._mistakes(known, distance, np.setdiff1d(np.arange(len(known)), rows), rows)
                    if not len(more):
                        more = misread(distance, distance.points(known.cells), known.y, len(classes), rows)
                    if not len(more):
                        break
                    rows = np.concatenate([rows, more])
                if self.rule == "condensed":
                    trace = np.where(np.isin(np.arange(len(known)), rows), "stored", "dropped")
            self._become({"stored_": rows, "trace_": trace, "right_": right, "tries_": tries, "seen_": seen})
            self.stored_codes_ = known.y[rows]
            accepted = [one.status == "accepted" for one in self._judged()]
            speakers = rows[accepted] if any(accepted) else rows
            answering, count = known.taken(speakers), np.bincount(known.y, minlength=len(classes))
            self._keep(answering, self._search_of(answering, distance), classes, count.astype(np.float64))
            note_one_class(classes)
        return self

    @of_one_state
    def predict(self, X: TableLike) -> Array:
        """The class with the most votes among the nearest stored rows; of equal ones the first."""
        self._check_fitted()
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    @of_one_state
    def predict_proba(self, X: TableLike) -> Floats:
        """The share of each class (n, k) among the nearest stored rows; under IB3 those accepted, if there are any."""
        self._check_fitted()
        known, k = self.known_, len(self.classes_)

        def shares(_: slice, near: Neighborhoods) -> Floats:
            votes = class_votes(near, self._weigh(near), known.y, k)
            return np.asarray(votes / votes.sum(axis=1, keepdims=True))

        return np.concatenate(self.search_.each(self._points(X), self._k, shares))

    @of_one_state
    def _answers(self, X: TableLike) -> Answers:
        found = self.predict_proba(X)
        return Answers(self.classes_[found.argmax(axis=1)], found, log_of(found))

    def predict_log_proba(self, X: TableLike) -> Floats:
        """Its logarithm."""
        return log_of(self.predict_proba(X))

    @of_one_state
    def records(self) -> Any:
        """The stored rows of IB3 and their records as a Polars frame: successes, limits, status."""
        self._check_fitted()
        import polars as pl

        if self.rule != "IB3":
            raise InputError(f"the rule {self.rule!r} keeps no records; IB3 does")
        judged = self._judged()
        columns = {
            "row": self.stored_,
            "class": self.classes_[self.stored_codes_].tolist(),
            "correct": self.right_,
            "tries": self.tries_,
            "low": [one.accept_interval[0] for one in judged],
            "high": [one.accept_interval[1] for one in judged],
            "class_high": [one.class_accept_interval[1] for one in judged],
            "status": [one.status for one in judged],
        }
        return pl.DataFrame(columns)

    def _judged(self) -> list[Acceptance]:
        """Every stored row of IB3 by its record; of other rules nothing."""
        records = zip(self.right_.tolist(), self.tries_.tolist(), self.stored_codes_.tolist(), strict=False)
        seen = self.seen_.tolist()
        return [acceptance(r, n, seen[c], seen[-1], self.accept, self.reject) for r, n, c in records]

    def _edited(self, known: Known, classes: int) -> Ints:
        """Rows that their neighbours do not outvote; all of them where none would be left."""
        if len(known) < 2:
            return np.arange(len(known))

        def outvoted(rows: slice, near: Neighborhoods) -> Array:
            votes = class_votes(near, near.mass, known.y, classes)
            own = votes[np.arange(len(votes)), known.y[rows]]
            return np.asarray(own < votes.max(axis=1) * (1 - 1e-12))

        search, everyone = self._search_of(known), np.arange(len(known))
        found = search.each(search.points, float(self.edit_neighbors), outvoted, everyone, everyone)
        kept = np.flatnonzero(~np.concatenate(found))
        return kept if len(kept) else np.arange(len(known))

    def _mistakes(
        self, known: Known, distance: TableDistance, rows: Ints, before: Ints | None = None
    ) -> tuple[Ints, Array]:
        """Rows that those stored before them get wrong, in order."""
        points = distance.points(known.cells)
        stored = np.empty(0, dtype=np.int64) if before is None else before
        trace, new = list[Array](), list[Ints]()
        for at in range(0, len(rows), _BLOCK):
            some = rows[at : at + _BLOCK]
            q = points.at(some)
            nearest, said = np.full(len(some), np.inf), np.full(len(some), -1, dtype=np.int64)
            if len(stored):
                apart = distance.tile(q, points.at(stored))
                first = apart.argmin(axis=1)
                nearest, said = apart[np.arange(len(some)), first], known.y[stored[first]]
            kept, answered = np.zeros(len(some), dtype=bool), np.empty(len(some), dtype=np.int64)
            keep_mistakes(nearest, said, distance.tile(q, q), known.y[some], kept, answered)
            trace.append(np.where(kept, "stored", "dropped"))
            new.append(some[kept])
            stored = np.concatenate([stored, some[kept]])
        return np.concatenate([*new, np.empty(0, dtype=np.int64)]), np.concatenate([*trace, np.empty(0, dtype="<U7")])

    def _with_records(
        self, known: Known, distance: TableDistance, classes: int
    ) -> tuple[Ints, Array, Floats, Floats, Floats]:
        """What IB3 has stored when all rows have come, and the records of these rows."""
        from scipy.special import ndtri

        limits = float(ndtri(1 - self.accept)), float(ndtri(1 - self.reject))
        points = distance.points(known.cells)
        rows = np.empty(0, dtype=np.int64)
        right, tries, seen = np.zeros(0), np.zeros(0), np.zeros(classes + 1)
        trace = list[Array]()
        for at in range(0, len(known), _BLOCK):
            some = np.arange(at, min(at + _BLOCK, len(known)))
            both = np.concatenate([rows, some])
            apart = distance.tile(points.at(some), points.at(both))
            stored = np.concatenate([known.y[rows], np.full(len(some), -1)])
            alive = stored >= 0
            right, tries = (np.concatenate([part, np.zeros(len(some))]) for part in (right, tries))
            answered = np.empty(len(some), dtype=np.int64)
            keep_records(apart, len(rows), known.y[some], stored, alive, right, tries, seen, *limits, answered)
            trace.append(np.where(answered != known.y[some], "stored", "dropped"))
            rows, right, tries = both[alive], right[alive], tries[alive]
        if not len(rows):  # every stored row was dropped in the end: the first speaks for all
            rows, right, tries = np.array([0]), np.zeros(1), np.zeros(1)
        return rows, np.concatenate(trace), right, tries, seen

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("rule", self.rule, RULES)
        for name in ("accept", "reject"):
            check_number(name, getattr(self, name), high=0.5, above=True, below=True)
        check_whole("edit_neighbors", self.edit_neighbors)
