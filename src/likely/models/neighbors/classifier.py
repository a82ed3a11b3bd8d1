"""The k nearest neighbours of a row vote for its class.

    P(c | x) = (k s_c + alpha) / (k + alpha K),   s_c = sum of the weights of the neighbours of class c / that of all

With alpha = 0 it is the share of the class among the k nearest (weighted where weights are). The model keeps its rows:
`merge` puts those of two together, `forget` takes some away, and every row can be judged by all others in one search.
"""

from collections.abc import Callable, Hashable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import ClassNames, PriorLike, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.distances.pairs import Metric
from likely.data.labels.target import Target, read_target
from likely.data.labels.weights import read_prior
from likely.errors import InputError, check_choice
from likely.models.any_classifier.outcome import Outcome
from likely.models.estimator import Classifier
from likely.models.neighbors.explain.column_evidence import asked_for, weighed
from likely.models.neighbors.fitting.tuning import Tuning, tuned
from likely.models.neighbors.neighbor_model import NeighborsWithClasses
from likely.models.neighbors.searching.known import Known
from likely.models.neighbors.searching.left_out import NeighborTable, each_left_out
from likely.models.neighbors.searching.reading import labelled_rows, over, present
from likely.models.neighbors.searching.search import Neighborhoods
from likely.models.neighbors.searching.votes import class_votes
from likely.models.traits.answers import Answers
from likely.models.traits.evidence import Evidence, told_in_kind
from likely.models.traits.one_class import note_one_class
from likely.models.traits.prior_shift import PriorShift
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.logspace import log_normalize, log_of, normalize
from likely.numeric.random_state import Seed, as_generator
from likely.statistics.counting.categories import union_of

_FLOOR = -745.0  # the logarithm of the smallest number above 0
TIES = ("first", "random", "nearest")


class NearestNeighbors(NeighborsWithClasses, PriorShift, Classifier):
    """k-nearest-neighbour classifier for tables of any kinds, with gaps.

    Parameters
    ----------
    n_neighbors : int or None
        How many rows vote; None: all of them (Shepard's method, with weights that fall with the distance). Where there
        are fewer rows, all of them vote. Rows at the same distance as the last one share its place.
    weights : "uniform", "distance", "inverse_square", "gaussian" or a function of an array of distances
        What a vote weighs: 1, 1 / d, 1 / d^2, exp(-d^2 / (2 bandwidth^2)). Rows at distance 0 decide alone under 1 / d
        and 1 / d^2.
    metric : a name or a function of two vectors
        "euclidean", "manhattan", "minkowski", "chebyshev", "hamming", "gower", "hvdm", "mahalanobis" or "edit": see
        `likely.data.TableDistance`.
    p : float
        The order of Minkowski's distance; below 1 it is no metric.
    scale : "auto", "minmax", "standard" or None
        What numbers are divided by; "auto": their range where the table has other kinds of columns too, else nothing.
    feature_weights : one number a column, or a mapping from column to number
        Of the differences (of Euclid: of their squares); 0 leaves a column out.
    bandwidth : float
        Of Gaussian weights.
    alpha : float
        Pseudo-count of every class beside the k votes; with 0 a class without a neighbour has probability 0.
    ties : "first", "random" or "nearest"
        Which of classes with equal votes is said: the first of `classes_` (of -1 and 1 that is -1), one at random, or
        that of the nearest among their neighbours.
    algorithm : "auto", "brute" or "kd_tree"
        How neighbours are found, which changes nothing but the time.
    random_state : int, generator or None
        For ties="random".
    kinds : "auto", a kind, or a mapping from column to kind

    Examples
    --------
    >>> import polars as pl
    >>> from likely import NearestNeighbors
    >>> table = pl.DataFrame({"age": [22, 35, None, 61, 48], "town": ["Rome", "Oslo", "Rome", None, "Oslo"]})
    >>> model = NearestNeighbors(n_neighbors=3).fit(table, ["no", "no", "no", "yes", "yes"])
    >>> query = pl.DataFrame({"age": [50.0], "town": ["Oslo"]})
    >>> model.predict(query), model.predict_proba(query).round(3)
    (array(['yes'], dtype='<U3'), array([[0.333, 0.667]]))
    >>> model.kneighbors(query).indices
    array([[4, 1, 3]])
    """

    tuning_: Tuning

    def __init__(
        self,
        n_neighbors: int | None = 5,
        weights: str | Callable[..., Any] = "uniform",
        metric: Metric = "euclidean",
        p: float = 2.0,
        scale: str | None = "auto",
        feature_weights: ArrayLike | str | None = None,
        bandwidth: float = 1.0,
        alpha: float = 0.0,
        ties: str = "first",
        algorithm: str = "auto",
        random_state: Seed = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.metric = metric
        self.p = p
        self.scale = scale
        self.feature_weights = feature_weights
        self.bandwidth = bandwidth
        self.alpha = alpha
        self.ties = ties
        self.algorithm = algorithm
        self.random_state = random_state
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Keep rows X with classes y; a row of weight w counts as w rows. Rows without a label are left out."""
        self._check_parameters()
        with self._anew():
            if isinstance(X, NeighborTable):
                known, classes = X.known, X.classes
                self._remember(known.plan.schema)
            else:
                known, classes = self._rows(X, y, sample_weight)
            known, classes = present(known, classes)
            self._settle(known, classes)
            note_one_class(classes, later=True)
        return self

    def partial_fit(
        self, X: TableLike, y: TargetLike = None, classes: ClassNames = None, sample_weight: PerRow = None
    ) -> Self:
        """Keep more rows; new classes and levels are welcome at any time. `classes` may be named before they come."""
        with self._onward():
            self._check_parameters()
            declared = () if classes is None else read_target(np.asarray(classes)).classes
            if not self.__sklearn_is_fitted__():
                with self._anew():
                    known, names = self._rows(X, y, sample_weight)
                    known, names = present(known, names)
                    self._settle(*over(known, names, declared))
                return self
            known, names = self._rows(X, y, sample_weight)
            before = tuple(self.classes_.tolist())
            mine, united = over(self.known_, before, union_of(names, declared))
            its, _ = over(known, names, united)
            self._settle(mine + its, united)
        return self

    def forget(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> Self:
        """Unlearn rows, changing this model: it becomes what it would be had it never seen them, and is returned.

        Rows are found by their cells and their class. Those that were not learned are refused, and the model stays as
        it was.
        """
        with self._onward():
            self._check_fitted()
            gone, names = self._rows(X, y, sample_weight)
            classes = tuple(self.classes_.tolist())
            for name in names:
                if name not in classes:
                    raise InputError(f"these rows cannot be forgotten: class {name!r} was never learned")
            left = self.known_.without(over(gone, names, classes)[0])
            self._settle(*present(left, classes))
        return self

    @of_one_state
    def predict(self, X: TableLike, prior: PriorLike | None = None) -> Array:
        """The class with the most votes, each worth what `prior` makes of it; of equal ones as `ties` says."""
        self._check_fitted()
        found = self._judged(X, self._said)
        if prior is not None:
            found = found * np.exp(self._shift(prior))
            found[~found.any(axis=1)] = read_prior(prior, self.classes_)
        return np.asarray(self.classes_[self._settled_ties(found)])

    @of_one_state
    def predict_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Probability of each class (n, k): its share of the votes, smoothed by `alpha`.

        `prior` replaces the classes' shares after fitting (prior shift).
        """
        self._check_fitted()
        found = np.asarray(self._judged(X, self._shares))
        return found if prior is None else normalize(self._shifted(log_of(found), prior))

    @of_one_state
    def predict_log_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Its logarithm."""
        found = log_of(self.predict_proba(X))
        return found if prior is None else log_normalize(self._shifted(found, prior))

    @of_one_state
    def _answers(self, X: TableLike) -> Answers:
        self._check_fitted()
        both = self._judged(X, lambda near: np.stack([self._said(near), self._shares(near)], axis=1))
        shares = np.ascontiguousarray(both[:, 1])
        return Answers(self.classes_[self._settled_ties(both[:, 0])], shares, log_of(shares))

    def decision_function(self, X: TableLike) -> Floats:
        """Log odds of the second of two classes (n,), else log posteriors (n, k); those of 0 are at the floor, -745."""
        found = np.maximum(self.predict_log_proba(X), _FLOOR)
        return np.asarray(found[:, 1] - found[:, 0] if found.shape[1] == 2 else found)

    @of_one_state
    @told_in_kind
    def evidence(
        self, X: TableLike, against: Hashable = None, for_class: Hashable = None, prior: PriorLike | None = None
    ) -> Evidence:
        """Weight of evidence: the bits that each column gives to the class that is said, against the rest.

        They sum, with the classes' shares under "prior", to the log odds of `predict_proba`. What a column gives is the
        mean of what it does alone and what it does last, after all others; see `column_evidence` for the rule. It takes
        two searches a column. Where a class has no vote and `alpha` is 0, the odds are endless.

        >>> X, y = [[0.0, 5.0], [1.0, 3.0], [4.0, 4.0], [5.0, 5.0], [6.0, 3.0]], ["a", "a", "b", "b", "b"]
        >>> model = NearestNeighbors(2, alpha=1.0).fit(X, y)
        >>> print(model.evidence([[5.0, 4.0]]).describe())
        b against a: 1.58 bits (odds 3 to 1)
          prior  +0.29
          x0     +1.05  ############
          x1     +0.24  ###
        """
        self._check_fitted()
        points = self._points(X)
        log_p = self.predict_log_proba(points, prior)
        answers = self.predict(points, prior)
        return weighed(self, points, asked_for(self, log_p, answers, for_class, against, self._shift(prior)))

    @of_one_state
    def evidence_after(self, X: TableLike, outcome: Outcome) -> Evidence:
        """The evidence for what a wrapper said of the rows in the end, its sum the odds of the wrapper's posterior."""
        self._check_fitted()
        return weighed(self, X, outcome)

    def out_of_fold(self, X: TableLike, y: TargetLike, folds: ArrayLike, sample_weight: PerRow = None) -> Floats:
        """Log posteriors (n, k) of every row by its neighbours in other folds; the classes are those of y, sorted.

        `folds` names the fold of each row (n,), or of several repeats (r, n) for posteriors (r, n, k); a fold for each
        row is leave-one-out. All rows are searched once. Of this model only the parameters are used.
        """
        table = self.parted(X, y, sample_weight)
        named = np.asarray(folds)
        if named.shape[-1] != len(table):
            raise InputError(f"folds has {named.shape[-1]} entries for {len(table)} rows: give one per row")
        found = [self._out_of_fold(table, one) for one in np.atleast_2d(named)]
        return found[0] if named.ndim == 1 else np.stack(found)

    def parted(
        self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None, beside: object = None
    ) -> NeighborTable:
        """The table read once: it stands for X, y and weights in `fit` and `out_of_fold`."""
        if isinstance(X, NeighborTable):
            return X
        fresh = type(self)(**self.get_params(deep=False))
        fresh._check_parameters()
        if isinstance(beside, NeighborTable) and isinstance(y, Target) and self._keeps_like(beside, y, sample_weight):
            fresh._remember(beside.known.plan.schema)
            return NeighborTable(fresh, beside.known, beside.classes)
        known, classes = fresh._rows(X, y, sample_weight, whole=True)
        return NeighborTable(fresh, known, classes)

    def _keeps_like(self, beside: NeighborTable, y: Target, sample_weight: PerRow) -> bool:
        """Whether this model would keep the rows as they are in the table of another."""
        other, known = beside.model, beside.known
        weight = np.ones(len(known)) if sample_weight is None else sample_weight
        return (
            other.kinds == self.kinds
            and (other.metric == "edit") == (self.metric == "edit")  # which takes levels for texts
            and beside.classes == y.classes
            and np.array_equal(known.y, y.codes)
            and np.array_equal(known.weight, np.asarray(weight))
        )

    def tune(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None, **choices: Any) -> Self:
        """Choose parameters by leave-one-out, set them, and fit; `tuning_` has the figures of all that were tried.

        Choices are lists of values by parameter: `n_neighbors` (by default 1, 3, 5, ... up to 31), `metric`, `scale`,
        `weights`, `feature_weights`, `alpha`. One search serves all numbers of neighbours, weights and pseudo-counts.
        Where more than 200 rows are compared by Mahalanobis's distance or "hvdm", all choices are judged by 200 folds.
        `scoring` is "error" (the default) or "log_loss". The figures of the best are those of a choice, and a little
        better than the truth: judge the tuned model by `cross_validate` around it.

        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> y = np.repeat([0, 1], 60)
        >>> X = rng.normal(size=(120, 2)) + 1.5 * y[:, None]
        >>> model = NearestNeighbors().tune(X, y, n_neighbors=[1, 5, 15])
        >>> model.n_neighbors, round(model.tuning_.best, 3)
        (15, 0.217)
        """
        table = self.parted(X, y, sample_weight)
        found = tuned(self, table, choices)
        self.set_params(**found.parameters)
        self.fit(table)
        self.tuning_ = found
        return self

    def _rows(
        self, X: TableLike, y: TargetLike, sample_weight: PerRow, whole: bool = False
    ) -> tuple[Known, tuple[Any, ...]]:
        if isinstance(X, NeighborTable):
            return X.known, X.classes
        return labelled_rows(self, X, y, sample_weight, whole)

    def _settle(self, known: Known, classes: tuple[Any, ...]) -> None:
        count = np.bincount(known.y, known.weight, len(classes)).astype(np.float64, copy=False)
        self._keep(known, self._search_of(known), classes, count)

    def merge(self, other: Self) -> Self:
        """Merge two models into a new one of the rows of both; neither of them changes."""
        one, two, united = self._side_by_side(other)
        mine, its = (tuple(model.classes_.tolist()) for model in (one, two))
        both = union_of(mine, its)
        united._settle(over(one.known_, mine, both)[0] + over(two.known_, its, both)[0], both)
        return united

    def _judged(self, X: TableLike, work: Any) -> Any:
        found = self.search_.each(self._points(X), self._k, lambda at, near: work(near))
        return np.concatenate(found)

    def _shares(self, near: Neighborhoods) -> Floats:
        votes = class_votes(near, self._weigh(near), self.known_.y, len(self.classes_))
        return self._smoothed(votes, near)

    def _smoothed(self, votes: Floats, near: Neighborhoods, possible: Array | None = None) -> Floats:
        """Probabilities from votes (q, k); classes that are not possible have none."""
        total = votes.sum(axis=1, keepdims=True)
        share = votes / np.where(total > 0, total, 1.0)
        if not self.alpha:
            return np.asarray(share)
        queries = len(near.start) - 1
        places = np.bincount(near.owner, near.mass, queries)[:, None]
        prior = np.full(votes.shape, float(self.alpha)) if possible is None else self.alpha * possible
        return np.asarray((places * share + prior) / (places + prior.sum(axis=1, keepdims=True)))

    def _said(self, near: Neighborhoods) -> Floats:
        """Votes (q, k), or where ties are settled by the nearest, votes of the tied classes alone."""
        size = self._weigh(near)
        votes = class_votes(near, size, self.known_.y, len(self.classes_))
        if self.ties != "nearest":
            return votes
        tied = _tied(votes)
        several = np.flatnonzero(tied.sum(axis=1) > 1)
        for i in several.tolist():
            rows = self.known_.y[near.row[near.start[i] : near.start[i + 1]]]
            first = rows[tied[i][rows]][0]
            votes[i] = np.arange(votes.shape[1]) == first
        return votes

    def _settled_ties(self, votes: Floats) -> Ints:
        if self.ties != "random":
            return np.asarray(votes.argmax(axis=1))
        tied = _tied(votes)
        draw = as_generator(self.random_state).random(votes.shape)
        return np.asarray(np.where(tied, draw, -1.0).argmax(axis=1))

    def _out_of_fold(self, table: NeighborTable, folds: Array) -> Floats:
        known, k = table.known, len(table.classes)
        fold = np.unique(folds, return_inverse=True)[1]
        count = np.zeros((int(fold.max()) + 1, k))
        np.add.at(count, (fold, known.y), known.weight)
        possible = (count.sum(axis=0) - count) > 1e-12 * count.sum(axis=0)

        def posterior(rows: Ints, near: Neighborhoods) -> Floats:
            votes = class_votes(near, self._weigh(near), known.y, k)
            return log_of(self._smoothed(votes, near, possible[fold[rows]]))

        return each_left_out(self, known, fold, posterior, self._k)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("ties", self.ties, TIES)
        if not (isinstance(self.alpha, int | float | np.number) and 0 <= self.alpha < np.inf):
            raise InputError(f"alpha must be a number from 0 up, got {self.alpha!r}")


def _tied(votes: Floats) -> Array:
    most = votes.max(axis=1, keepdims=True)
    return np.asarray(votes >= most * (1 - 1e-12))
