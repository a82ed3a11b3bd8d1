"""K-means: k centres, every row belongs to the nearest, every centre is the mean of its rows.

    E = 1/N sum_n w_n |x_n - m_(c(n))|^2        over the cells that a row has, N the sum of the weights

Each pass lowers E, but only to the nearest of many minima: so it is begun several times, the best end is kept, and the
errors of all are told. A pass is a sum over the batches of a table (many passes: no merging), so it runs on files and
on every engine.
"""

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely import engines
from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.printing.wording import counted
from likely.data.sources import Source
from likely.errors import InputError, check_choice, check_whole
from likely.models.clustering.batch import History, Run, run_batch
from likely.models.clustering.code_book import Compression, code_type, entropy_bits, rows_of
from likely.models.clustering.passes import labels_of
from likely.models.clustering.running import dense, run_mini_batch, run_online, through
from likely.models.clustering.starts import STARTS, Candidates, candidates_of, start
from likely.models.clustering.stored import read_again
from likely.models.estimator import Clusterer, Transformer
from likely.models.learning.unlabelled import MatrixEstimator, NumberedRows, convergence_warning
from likely.models.traits.face import Face, Section, number_in_face
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Ints, Matrix, PerRow, as_floats
from likely.numeric.nearest import about, own_squares, squared_distances
from likely.numeric.random_state import Seed, as_generator

ALGORITHMS = ("batch", "online", "mini_batch")
_MANY = 100_000  # rows, from which fewer starts are tried
_RUNNING_TOL = 1e-3  # of the algorithms that have no exact end


class KMeans(MatrixEstimator, Clusterer, Transformer):
    """Groups of rows about k centres, from tables of any kinds with gaps.

    Parameters
    ----------
    n_clusters : int
    init : "k-means++", "random_points", "random_partition", "extremes", "perturbed_mean" or an array (k, m)
        Where the centres begin: rows far apart, any different rows, the means of random parts, the rows with the
        smallest and largest value of each column in turn, the mean of all rows and small offsets (a tenth of each
        column's deviation); or given ones, in the units of the columns of `design_.names`.
    algorithm : "batch", "online" or "mini_batch"
        All rows, then all centres, until no row moves (Lloyd's, with exact bounds that spare most distances); or
        centres that follow a running mean as rows come, one by one or `batch_size` at a time.
    n_init : int or "auto"
        How many starts are tried; "auto" is 10, 3 beyond 100,000 rows, and 1 where the start is not random.
    max_iter : int
        Passes over the rows, at most.
    tol : float or None
        Stop too when a pass lowers the error by no more than this share of it. None is 0 for "batch", which ends
        exactly when no row moves, and 0.001 for the others.
    batch_size : int
        Rows at a time of "mini_batch".
    standardize : bool
        Whether numbers are measured in standard deviations, so that units do not matter; False as in scikit-learn.
    kinds : "auto", a kind, or a mapping from column to kind
        What columns are taken for (`likely.data`); "auto" guesses. Each level of a nominal column has a column of
        0 and 1, so that two different levels are as far apart as a number's difference of the square root of 2.
    random_state : int, generator or None

    A missing cell has no say: a row is measured by the cells that it has, a centre is the mean of the cells that are
    there, and the error counts those alone. A row without any cell is as near to every centre, and belongs to the
    first.

    Attributes
    ----------
    cluster_centers_ : (k, m) in the units of `design_.names`
    labels_ : (n,)
    error_, inertia_ : mean and sum of the squared distances to the own centres
    errors_ : the error that each start has led to
    cluster_weight_ : (k,)
    history_ : error of every pass, rows that moved, and the centres at which it began, of the best start
    n_iter_, converged_ : passes until no row moved, and whether it came to that
    relocated_ : empty centres that were put at the row farthest from its own centre

    Examples
    --------
    >>> from likely import KMeans
    >>> rows = [[1, 2], [2, 1], [9, 8], [8, 9], [1, 1], [9, 9]]
    >>> model = KMeans(2, random_state=0).fit(rows)
    >>> model.labels_[0] == model.labels_[4], model.labels_[0] == model.labels_[2]
    (np.True_, np.False_)
    >>> model.predict([[0, 0], [10, 10]]).tolist() == model.labels_[[0, 2]].tolist()
    True
    >>> round(model.error_, 3), model.converged_
    (0.444, True)
    """

    centres_: Floats  # (k, m)  in the units of the design matrix
    cell_weight_: Floats  # (k, m)  of the observed cells behind each coordinate
    cluster_weight_: Floats  # (k,)
    error_: float
    errors_: Floats  # (starts,)
    history_: History
    converged_: bool
    relocated_: int

    def __init__(
        self,
        n_clusters: int = 8,
        init: Any = "k-means++",
        algorithm: str = "batch",
        n_init: int | str = "auto",
        max_iter: int = 300,
        tol: float | None = None,
        batch_size: int = 1024,
        standardize: bool = False,
        kinds: Kinds = "auto",
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.algorithm = algorithm
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.batch_size = batch_size
        self.standardize = standardize
        self.kinds = kinds
        self.random_state = random_state

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Find the centres of rows X: an array, a sparse matrix, a frame or `likely.scan(path)`; y is not used."""
        self._check_parameters()
        with self._anew():
            rows = self._look(X, sample_weight).held()
            origin, rng = self._origin(), as_generator(self.random_state)
            given = None if isinstance(self.init, str) else self._given(origin)
            pool = candidates_of(rows, self.n_clusters, origin, rng) if given is None else None
            seeds = rng.integers(2**62, size=1 if pool is None else self._starts(pool.seen))
            runs = self._runs(rows, pool, given, origin, [int(seed) for seed in seeds])
            best = min(runs, key=lambda run: run.error)
            self._keep(best, origin, np.array([run.error for run in runs]))
            if len(self.labels_) < self.n_clusters or not self.cluster_weight_.all():
                self._say_what_is_empty(pool or candidates_of(rows, self.n_clusters, origin, rng))
        return self

    def partial_fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Go on learning from more rows, one by one: each moves its nearest centre to the running mean.

        The first rows, of a model that has learned nothing, decide the columns and (unless `init` is an array) where
        the centres begin, so there must be at least as many as centres; centres then have the weight 0, and the first
        row of each takes its place. `labels_` are those of these rows at their time.
        """
        self._check_parameters()
        with self._onward():
            if not self.__sklearn_is_fitted__():
                with self._anew():
                    self._begin_running(X, sample_weight)
                return self
            self._go_on(self._more(X, sample_weight), self.centres_.copy(), self.cell_weight_.copy())
        return self

    @of_one_state
    def predict(self, X: TableLike) -> Ints:
        """The nearest centre of each row, by number; the first of equally near ones."""
        self._check_fitted()
        return np.asarray(self._each_row(X, self._labels_of), dtype=np.int32)

    def _transform(self, data: Any) -> Floats:
        """Distance of each row to every centre (n, k), in the units of the design matrix."""
        origin = self._origin()
        return self._each_row(data, lambda x: np.sqrt(squared_distances(about(x, origin), self.centres_ - origin)))

    @of_one_state
    def score(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> float:
        """The sum of the squared distances to the nearest centres, less than 0: as scikit-learn has it."""
        from likely.data.labels.weights import read_weight

        own = self._own_squares(X)
        weight = read_weight(sample_weight, len(own))
        return -float(own.sum() if weight is None else weight @ own)

    @of_one_state
    def encode(self, X: TableLike) -> Array:
        """Rows as codes, the numbers of their nearest centres, in the smallest type that holds them."""
        return self.predict(X).astype(code_type(len(self.centres_)))

    @of_one_state
    def decode(self, codes: ArrayLike) -> Floats:
        """What codes stand for: centres (n, m), in the units of `design_.names`.

        >>> model = KMeans(2, random_state=0).fit([[0.0], [1.0], [9.0], [10.0]])
        >>> model.decode(model.encode([[0.2], [9.1]])).tolist()
        [[0.5], [9.5]]
        """
        self._check_fitted()
        return rows_of(codes, self.cluster_centers_)

    @of_one_state
    def compression(self, X: TableLike) -> Compression:
        """What storing the codes of rows X saves, in numbers and in bits, and what it loses, as an error."""
        own, codes = self._own_squares(X), self.predict(X)
        weight = np.bincount(codes, minlength=len(self.centres_)).astype(np.float64)
        origin, cells = self._origin(), self.cell_weight_  # a centre is the mean of the cells that are there
        share = np.divide(cells, cells.sum(axis=0), out=np.zeros_like(cells), where=cells.sum(axis=0) > 0)
        mean = (share * (self.centres_ - origin)).sum(axis=0)[None]
        spread = self._each_row(X, lambda x: own_squares(about(x, origin), mean, np.zeros(x.shape[0], dtype=np.int64)))
        errors = float(own.mean()), float(spread.mean())
        return Compression(len(own), self.design_.width, len(self.centres_), *errors, entropy_bits(weight))

    @property
    def cluster_centers_(self) -> Floats:
        """The centres (k, m) in the units of `design_.names`."""
        centre, scale, _ = self.design_.affine
        return np.asarray(self.centres_ * scale + centre)

    @property
    def inertia_(self) -> float:
        """The sum of the squared distances of the rows to their centres."""
        return float(self.error_ * self.cluster_weight_.sum())

    @property
    def n_iter_(self) -> int:
        """Passes until no row moved, or until it was stopped."""
        return len(self.history_.error)

    @property
    def n_features_out_(self) -> int:  # type: ignore[override]
        """Columns of what `transform` gives: a distance for each centre."""
        return len(self.centres_)

    def _runs(
        self,
        rows: Source[NumberedRows],
        pool: Candidates | None,
        given: Floats | None,
        origin: Floats,
        seeds: list[int],
    ) -> list[Run]:
        """Every start to its end: side by side where a table is one batch, else batch by batch side by side."""
        complete, tol = self._complete, self._tol  # asked here: another thread sees nothing of a fit that goes on

        def one(seed: int) -> Run:
            rng = np.random.default_rng(seed)
            begin = start(self.init, pool, self.n_clusters, rng) if pool is not None else given
            assert begin is not None
            if self.algorithm == "online":
                return run_online(rows, begin, origin, self.max_iter, tol)
            if self.algorithm == "mini_batch":
                return run_mini_batch(rows, begin, origin, self.max_iter, tol, self.batch_size, rng)
            return run_batch(rows, begin, origin, complete, self.max_iter, tol)

        if len(seeds) == 1 or rows.n_batches != 1:
            return [one(seed) for seed in seeds]
        return engines.current().map(seeds, one)

    def _begin_running(self, X: TableLike, sample_weight: PerRow) -> None:
        rows, rng = self._look(X, sample_weight), as_generator(self.random_state)
        origin = self._origin()
        if isinstance(self.init, str):
            begin = start(self.init, candidates_of(rows, self.n_clusters, origin, rng), self.n_clusters, rng)
        else:
            begin = self._given(origin)
        self._become({"errors_": np.empty(0), "converged_": False, "relocated_": 0})
        self._go_on(rows, begin + origin, np.zeros_like(begin))

    def _go_on(self, rows: Source[NumberedRows], centres: Floats, count: Floats) -> None:
        labels, total, weight = [], 0.0, 0.0
        size = np.zeros(len(centres)) if not count.any() else self.cluster_weight_.copy()
        for batch in rows.batches():
            own, squares = through(dense(batch.x), batch.weight, centres, count)
            labels.append(own)
            total += squares
            weight += float(len(own) if batch.weight is None else batch.weight.sum())
            size += np.bincount(own, weights=batch.weight, minlength=len(centres))
        history = History(np.array([total / weight]), np.empty(0, dtype=np.int64), np.empty((0, *centres.shape)))
        self._become(
            {
                "centres_": centres,
                "cell_weight_": count,
                "cluster_weight_": size,
                "labels_": np.concatenate(labels),
                "error_": total / weight,
                "history_": history,
                "converged_": False,
            }
        )

    def _given(self, origin: Floats) -> Floats:
        """The start that the user gave, in the units of the design matrix, about the origin."""
        given = as_floats(self.init, "init")
        wanted = (self.n_clusters, self.design_.width)
        if given.shape != wanted or not np.isfinite(given).all():
            raise InputError(f"init must be {wanted[0]} centres of {wanted[1]} finite numbers, got shape {given.shape}")
        centre, scale, _ = self.design_.affine
        return np.asarray((given - centre) / scale - origin)

    def _keep(self, run: Run, origin: Floats, errors: Floats) -> None:
        self._become(
            {
                "centres_": run.centres + origin,
                "cell_weight_": run.weight,
                "cluster_weight_": run.size,
                "labels_": run.labels,
                "error_": run.error,
                "errors_": errors,
                "history_": run.history._replace(centres=run.history.centres + origin),
                "converged_": run.converged,
                "relocated_": run.relocated,
            }
        )

    def _say_what_is_empty(self, pool: Candidates) -> None:
        empty, different = int((self.cluster_weight_ <= 0).sum()), len(pool.rows)
        if empty:
            have = "has" if empty == 1 else "have"
            why = f": the table has only {counted(different, 'different row')}" if different < self.n_clusters else ""
            told = (
                f"{empty} of the {counted(int(self.n_clusters), 'cluster')} {have} no rows{why}. Ask for fewer clusters"
            )
            warnings.warn(told, convergence_warning(), stacklevel=3)

    def _labels_of(self, x: Matrix) -> Array:
        origin = self._origin()
        return labels_of(x, self.centres_ - origin, origin)

    def _own_squares(self, X: TableLike) -> Floats:
        self._check_fitted()
        origin = self._origin()

        def own(x: Matrix) -> Floats:
            return own_squares(about(x, origin), self.centres_ - origin, np.asarray(self._labels_of(x), dtype=np.int64))

        return self._each_row(X, own)

    def _starts(self, rows: int) -> int:
        if not isinstance(self.init, str) or self.init == "extremes":
            return 1
        if self.n_init == "auto":
            return 3 if rows > _MANY else 10
        return int(self.n_init)

    @property
    def _tol(self) -> float:
        return (0.0 if self.algorithm == "batch" else _RUNNING_TOL) if self.tol is None else float(self.tol)

    def _face(self) -> Face:
        face = super()._face()
        sizes = [(str(c), number_in_face(weight)) for c, weight in enumerate(self.cluster_weight_.tolist())]
        face = face.with_section(Section(("cluster", "rows"), sizes[:20], "clusters", _more(len(sizes) - 20)))
        told = [f"mean squared error {self.error_:.5g}", counted(self.n_iter_, "pass", "passes")]
        told += ["converged"] if self.converged_ else ["rows were still moving"]
        put = self.relocated_
        told += [f"{counted(put, 'empty centre')} {'was' if put == 1 else 'were'} put elsewhere"] if put else []
        face = face.with_section(Section(("fit",), [(text,) for text in told], "fit"))
        if len(self.errors_) > 1:
            low, high = float(self.errors_.min()), float(self.errors_.max())
            spread = f"{len(self.errors_)}, of errors from {low:.5g} to {high:.5g}"
            face = face.with_section(Section(("starts",), [(spread,)], "starts"))
        return face

    def _parameters_learned(self) -> dict[str, Any]:
        return {
            "centres": self.centres_,
            "cell_weight": self.cell_weight_,
            "cluster_weight": self.cluster_weight_,
            "labels": self.labels_,
            "error": self.error_,
            "errors": self.errors_,
            "history": tuple(self.history_),
            "converged": self.converged_,
            "relocated": self.relocated_,
        }

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        learned = read_again(parameters, int(self.n_clusters), self.design_.width)
        self._become({f"{name}_": value for name, value in learned.items()})

    def _check_parameters(self) -> None:
        check_whole("n_clusters", self.n_clusters)
        if isinstance(self.init, str) and self.init not in STARTS:
            raise InputError(
                f"unknown init={self.init!r}; choose from {', '.join(STARTS)}, or give an array of centres"
            )
        check_choice("algorithm", self.algorithm, ALGORITHMS)
        check_whole("n_init", self.n_init, also=("auto",))
        for name in ("max_iter", "batch_size"):
            check_whole(name, getattr(self, name))
        if self.tol is not None and not 0 <= self.tol < 1:
            raise InputError(f"tol must be a share from 0 to below 1, or None, got {self.tol!r}")


def _more(count: int) -> str:
    return f"{count} more" if count > 0 else ""
