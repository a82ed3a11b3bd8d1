"""The class of the nearest exemplar: a point in the middle of each class, or several.

    mean      numbers by their mean, levels by the commonest: under Euclid, the basic linear classifier
    median    numbers by the geometric median, levels by the commonest: less moved by rows far away
    centroid  numbers by the median of each column, levels by the commonest: the middle under Manhattan's distance
    medoid    the row with the least total distance to the others of its class, under any metric

With one exemplar a class and Euclid's distance, the boundary between two classes is the line halfway between their
exemplars, w x = t with w = m_a - m_b, t = (|m_a|^2 - |m_b|^2) / 2. Probabilities are those of classes that are equally
frequent and spread alike about their exemplars, exp(-d^2 / (2 s^2)), s^2 the mean square of the training rows' own d
per column.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from likely import engines
from likely.data.accepted import PriorLike, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.distances.cells import CellPlan, Cells
from likely.data.distances.exemplars import geometric_median
from likely.data.distances.pairs import Metric
from likely.data.distances.table_distance import Points, TableDistance
from likely.data.inputs import Input
from likely.data.labels.target import class_array
from likely.data.labels.weights import read_prior
from likely.errors import InputError, check_choice, check_whole
from likely.models.any_classifier.outcome import Outcome
from likely.models.estimator import Classifier
from likely.models.neighbors.explain.column_evidence import asked_for, column_parts
from likely.models.neighbors.middles import commonest, farthest_first, first_row, median
from likely.models.neighbors.searching.known import Known
from likely.models.neighbors.searching.reading import labelled_rows, plan_of, present
from likely.models.traits.answers import ByLogPosterior
from likely.models.traits.decision_function import DecisionFunction
from likely.models.traits.evidence import Evidence, told_in_kind, weigh_evidence
from likely.models.traits.one_class import note_one_class
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.logspace import log_normalize, log_of
from likely.numeric.random_state import Seed, as_generator

EXEMPLARS = ("mean", "median", "centroid", "medoid")
_ROUNDS = 50
_BLOCK = 1_024  # rows whose distances are there at a time
_SAMPLE = 4_000  # rows of a class among which a medoid is looked for


class LinearBoundary(NamedTuple):
    """Where two exemplars are equally far: normal . x = offset; beyond it lies the first class."""

    normal: Floats  # (d,)
    offset: float


class NearestExemplar(ByLogPosterior, DecisionFunction, Classifier):
    """Nearest-exemplar classifier, for tables of any kinds, with gaps.

    Parameters
    ----------
    exemplar : "mean", "median", "centroid" or "medoid"
        What stands for a class.
    metric, p, scale, feature_weights, kinds
        The distance, as in `NearestNeighbors`.
    exemplars_per_class : int
        With more than one, the rows of each class are grouped about so many (Lloyd's algorithm with these exemplars).
    random_state : int, generator or None
        From where the groups start.

    Attributes
    ----------
    exemplars_ : the exemplars, `exemplars_.numbers` (m, a) and `exemplars_.codes` (m, b) among them
    exemplar_classes_ : (m,) the class of each
    scale_ : s in the probabilities

    Examples
    --------
    >>> from likely import NearestExemplar
    >>> model = NearestExemplar().fit([[4.0, 1.0], [0.0, 0.0]], ["+", "-"])
    >>> model.boundary("+", "-")
    LinearBoundary(normal=array([4., 1.]), offset=8.5)
    >>> model.predict([[3.0, 3.0], [0.0, 5.0]])
    array(['+', '-'], dtype='<U1')
    """

    _reads_levels = True
    _how_it_learns = "takes its scales and middles from all rows together, which it does not keep"
    _instead: ClassVar = dict.fromkeys(
        ("merge", "forget", "partial_fit"),
        ", or use GaussianBayes('shared_spherical'), the nearest mean from sums that merge, forget and learn on",
    )

    classes_: Array
    class_count_: Floats
    class_prior_: Floats
    exemplars_: Cells
    exemplar_classes_: Array
    exemplar_codes_: Ints
    exemplar_rows_: Ints
    plan_: CellPlan
    distance_: TableDistance
    scale_: float

    def __init__(
        self,
        exemplar: str = "mean",
        metric: Metric = "euclidean",
        exemplars_per_class: int = 1,
        p: float = 2.0,
        scale: str | None = "auto",
        feature_weights: ArrayLike | str | None = None,
        random_state: Seed = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.exemplar = exemplar
        self.metric = metric
        self.exemplars_per_class = exemplars_per_class
        self.p = p
        self.scale = scale
        self.feature_weights = feature_weights
        self.random_state = random_state
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Find the exemplars of each class."""
        self._check_parameters()
        with self._anew():
            known, classes = present(*labelled_rows(self, X, y, sample_weight))
            if known.cells.texts and self.exemplar != "medoid":
                raise InputError("texts have no mean: use exemplar='medoid'")
            distance = self._distance(known)
            rng = as_generator(self.random_state)
            found = [
                self._of_class(known.taken(np.flatnonzero(known.y == c)), distance, rng) for c in range(len(classes))
            ]
            exemplars = found[0]
            for one in found[1:]:
                exemplars = exemplars + one
            codes = np.repeat(np.arange(len(classes)), [len(one) for one in found])
            self._settle(
                known.plan, distance, exemplars, codes, classes, np.bincount(known.y, known.weight).astype(np.float64)
            )
            apart = self._apart(distance.points(known.cells), own=known.y)
            width = max(known.plan.schema.width, 1)
            finite = np.isfinite(apart)
            square = float(known.weight[finite] @ apart[finite] ** 2) / (known.weight.sum() * width)
            self.scale_ = float(np.sqrt(square)) if square > 0 else 1.0
            note_one_class(classes)
        return self

    @of_one_state
    def predict_log_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Log probability of each class (n, k), by its nearest exemplar; equally frequent without `prior`."""
        far = self.exemplar_distances(X)
        nearest = far.min(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", over="ignore"):
            more = (far - nearest) / self.scale_ * ((far + nearest) / self.scale_) / 2
        return log_normalize(self._shift(prior) - np.where(far == nearest, 0.0, more))

    @of_one_state
    @told_in_kind
    def evidence(
        self, X: TableLike, against: Hashable = None, for_class: Hashable = None, prior: PriorLike | None = None
    ) -> Evidence:
        """Weight of evidence: the bits that each column gives to the class of the nearest exemplar, against the rest.

        The log probability falls with d^2 / (2 s^2). Under Euclid's distance d^2 is a sum over the columns, each with
        its own part; under other metrics d^2 is divided in proportion to what the columns are apart. Classes count as
        equally frequent, so the prior says the same for all.

        >>> model = NearestExemplar().fit([[4.0, 1.0], [3.0, 0.0], [0.0, 0.0], [1.0, 1.0]], ["+", "+", "-", "-"])
        >>> print(model.evidence([[3.0, 3.0]]).describe())
        + against -: 17.31 bits (odds 163,000 to 1)
          prior  +0.00
          x0     +17.31  ############
          x1     +0.00
        """
        self._check_fitted()
        X = self._points(X)
        log_p = self.predict_log_proba(X, prior)
        said = self.classes_[log_p.argmax(axis=1)]
        return self.evidence_after(X, asked_for(self, log_p, said, for_class, against, self._shift(prior)))

    @of_one_state
    def evidence_after(self, X: TableLike, outcome: Outcome) -> Evidence:
        """The evidence for what a wrapper said of the rows in the end, its sum the odds of the wrapper's posterior."""
        self._check_fitted()
        points = self._points(X)
        places, order = self.distance_.points(self.exemplars_), self.plan_.order
        start = np.flatnonzero(np.diff(self.exemplar_codes_, prepend=-1))

        def blocks() -> Iterator[tuple[int, Floats]]:
            for first in range(0, len(points), _BLOCK):
                q = points.at(slice(first, first + _BLOCK))
                far = self.distance_.root(self.distance_.tile(q, places))
                own = np.column_stack(
                    [far[:, a : a + n].argmin(axis=1) + a for a, n in zip(start, _lengths(start, far), strict=True)]
                )
                yield first, self._parts(q, places, own, far, order)

        return weigh_evidence(
            self.classes_, self.schema_.names, blocks(), np.zeros(len(self.classes_)), outcome=outcome
        )

    def _shift(self, prior: PriorLike | None) -> Floats:
        """What a prior adds to the log posterior (k,) of classes that count as equally frequent."""
        return np.zeros(len(self.classes_)) if prior is None else log_of(read_prior(prior, self.classes_))

    def _parts(self, q: Points, places: Points, own: Ints, far: Floats, order: tuple[int, ...]) -> Floats:
        """Less the square of how far rows are from exemplars own (n, k), over 2 s^2, column by column (n, d, k)."""
        n, k = own.shape
        out = np.zeros((n, len(order), k))
        row = np.arange(n)
        for c in range(k):
            with np.errstate(all="ignore"):
                apart = column_parts(self.distance_, q, places, row, own[:, c])  # (n, d), in the order of the cells
                total = apart.sum(axis=1, keepdims=True)
                share = np.where(total > 0, apart / np.where(total > 0, total, 1.0), 1 / max(len(order), 1))
                square = -((far[row, own[:, c]] / self.scale_) ** 2) / 2
            out[:, list(order), c] = np.nan_to_num(share * square[:, None], nan=0.0, posinf=0.0, neginf=-1e300)
        return out

    @of_one_state
    def exemplar_distances(self, X: TableLike) -> Floats:
        """How far each row is from the nearest exemplar of each class (n, k)."""
        self._check_fitted()
        return self._apart(self._points(X))

    def _points(self, X: TableLike) -> Points:
        """Queries, ready to be compared; those that are so already are left as they are."""
        if isinstance(X, Points):
            return X
        cells = self.plan_.cells(self._query(X), learning=False)
        return self.distance_.points(cells.with_levels(self.exemplars_.levels, learning=False))

    _ready = _points  # they stand for X

    @of_one_state
    def boundary(self, first: Hashable, second: Hashable) -> LinearBoundary:
        """The boundary between two classes as numbers, where it is a line (a hyperplane).

        That is with Euclid's distance, numbers without gaps, and one exemplar a class; else it is refused.
        """
        self._check_fitted()
        plain = self.metric == "euclidean" or (self.metric == "minkowski" and self.p == 2)
        if not plain or not self.plan_.plain or self.exemplars_per_class != 1:
            raise InputError(
                "only with Euclid's distance, numeric columns and one exemplar a class is the boundary a line"
            )
        names = self.classes_.tolist()
        for name in (first, second):
            if name not in names:
                raise InputError(f"there is no class {name!r}; the classes are {', '.join(map(str, names))}")
        size = self.distance_.scale**2 * self.distance_.wx
        a, b = (np.nan_to_num(np.asarray(self.exemplars_.numbers[names.index(name)])) for name in (first, second))
        normal = np.empty(len(a))
        normal[list(self.plan_.order)] = size * (a - b)
        return LinearBoundary(normal, float(size @ (a**2 - b**2)) / 2)

    def _settle(
        self,
        plan: CellPlan,
        distance: TableDistance,
        exemplars: Cells,
        codes: Ints,
        classes: Sequence[Hashable],
        count: Floats,
    ) -> None:
        names = class_array(classes)
        self._become(
            {
                "plan_": plan,
                "distance_": distance,
                "exemplars_": exemplars,
                "exemplar_codes_": codes,
                "exemplar_classes_": names[codes],
                "classes_": names,
                "class_count_": count,
                "class_prior_": count / count.sum(),
            }
        )
        self._remember(plan.schema)

    def _apart(self, points: Points, own: Ints | None = None) -> Floats:
        """Distances from the nearest exemplar of each class (n, k), or of the row's own class (n,)."""
        distance = self.distance_  # while it learns, a model is known to its own thread alone
        places = distance.points(self.exemplars_)
        start = np.flatnonzero(np.diff(self.exemplar_codes_, prepend=-1))

        def block(at: int) -> Floats:
            rows = slice(at, at + _BLOCK)
            far = np.minimum.reduceat(distance.root(distance.tile(points.at(rows), places)), start, axis=1)
            return far if own is None else far[np.arange(len(far)), own[rows]]

        return np.concatenate(engines.current().map(range(0, len(points), _BLOCK), block))

    def _of_class(self, known: Known, distance: TableDistance, rng: np.random.Generator) -> Cells:
        """The exemplars of one class."""
        m = min(int(self.exemplars_per_class), len(known))
        if m == 1:
            return self._middle(known, distance)
        points = distance.points(known.cells)
        member = farthest_first(distance, points, m, int(rng.integers(len(known))))
        found, member = np.unique(member, return_inverse=True)  # rows that are all alike make fewer groups
        for _ in range(_ROUNDS):
            groups = [np.flatnonzero(member == g) for g in range(len(found))]
            centres = self._middle(known.taken(groups[0]), distance)
            for rows in groups[1:]:
                centres = centres + self._middle(known.taken(rows), distance)
            now = distance.tile(points, distance.points(centres)).argmin(axis=1)
            if len(np.unique(now)) < len(found) or (now == member).all():
                return centres
            member = now
        return centres

    def _middle(self, known: Known, distance: TableDistance) -> Cells:
        """One exemplar of some rows."""
        cells, weight = known.cells, known.weight
        if self.exemplar == "medoid":
            points = distance.points(cells)
            tried = np.arange(len(known))[:: max(1, len(known) // _SAMPLE)]
            total = np.zeros(len(tried))
            for at in range(0, len(known), _BLOCK):
                rows = slice(at, at + _BLOCK)
                total += distance.root(distance.tile(points.at(tried), points.at(rows))) @ weight[rows]
            least = np.flatnonzero(total <= total.min() * (1 + 1e-12))
            return cells.taken(tried[[first_row(cells.taken(tried[least]), least)]])
        codes = np.array([[commonest(column, weight) for column in cells.codes.T]], dtype=np.int32)
        return Cells(self._numbers(cells, weight), codes.reshape(1, -1), cells.levels, ())

    def _numbers(self, cells: Cells, weight: Floats) -> Floats:
        x = cells.numbers if not cells.sparse else cells.numbers.toarray()
        told = ~np.isnan(x)
        share = told * weight[:, None]
        total = share.sum(axis=0)
        middle = np.where(
            total > 0, (share * np.where(told, x, 0.0)).sum(axis=0) / np.where(total > 0, total, 1), np.nan
        )
        if self.exemplar == "mean" or not x.shape[1]:
            return np.asarray(middle, dtype=np.float64)[None]
        if self.exemplar == "centroid":
            return np.array([[median(column, weight) for column in x.T]])
        whole = told.all(axis=1)
        if not whole.any():
            return np.array([[median(column, weight) for column in x.T]])
        size = self._stretch
        stretched = np.where(size > 0, size, 1.0)
        return np.asarray(geometric_median(x[whole] * stretched, weight[whole]) / stretched)[None]

    def _distance(self, known: Known) -> TableDistance:
        made = TableDistance.learned(
            known.cells,
            known.plan,
            self.metric,
            self.p,
            self.scale,
            self.feature_weights,
            labels=(known.y, int(known.y.max()) + 1),
            row_weight=known.weight,
        )
        self._stretch = made.scale * np.sqrt(made.wx)
        return made

    def _plan(self, data: Input) -> CellPlan:
        return plan_of(data, self.kinds, self.metric)

    def _check_parameters(self) -> None:
        check_choice("exemplar", self.exemplar, EXEMPLARS)
        check_whole("exemplars_per_class", self.exemplars_per_class)


def _lengths(start: Ints, far: Floats) -> Ints:
    """How many exemplars each class has, by where those of each begin."""
    return np.diff(start, append=far.shape[1])
