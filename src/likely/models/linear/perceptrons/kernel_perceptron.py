"""The perceptron in dual form: a kernel in place of the inner product, and a strength for each row that was mistaken.

    score(x) = sum_j alpha_j d_j k(x_j, x)        on a mistake at row i   alpha_i <- alpha_i + rate

The constant is an input of 1 beside the others: 1 is added to the kernel. Several classes compete: each row has a
strength for each class. Rows are shown in blocks: the scores of a block under the strengths so far are one product of
kernel values, and corrections inside a block follow from the kernel values of its own rows, so nothing is ever held of
all pairs of rows, and every row is judged as if it came alone.

Where classes overlap, every pass finds new mistakes, and the rows with a strength become ever more. Their number is
bounded (`max_support`): after a block, the weakest that are too many lose their strength, the oldest of them first. A
pass then takes at most n max_support kernel values, and so many rows are asked for an answer.
"""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np

from likely import engines
from likely.data.accepted import ClassWeight, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.engines.local import one_blas_thread
from likely.engines.progress import progress
from likely.errors import InputError, check_choice, check_number, check_whole
from likely.models.learning.designed import DesignedRows, MatrixClassifier
from likely.models.learning.order_dependent import OrderDependent
from likely.models.learning.training_curves import check_curves
from likely.models.learning.whole_rows import whole_rows
from likely.models.linear.perceptrons.kernel_functions import NAMES, KernelFunction, kernel_function
from likely.models.linear.perceptrons.posterior import fitted_slope, left_out_scores, typical_size
from likely.models.traits.one_class import note_one_class
from likely.numeric.arrays import Array, Floats, Ints, Matrix, PerRow
from likely.numeric.kernels.row_by_row.perceptron import dual_pass
from likely.numeric.random_state import Seed, as_generator

KEEP = ("auto", "final", "averaged")
_BLOCK = 512  # rows that are shown at a time
_CELLS = 2**19  # kernel values held at a time: they stay in cache


class DualHistory(NamedTuple):
    """Mistakes of every pass, and how many rows have a strength after it."""

    mistakes: Ints  # (p,)
    support: Ints  # (p,)


class KernelPerceptron(OrderDependent, MatrixClassifier):
    """The perceptron in a space of features that a kernel stands for, from tables of any kinds with gaps.

    Parameters
    ----------
    kernel : "linear", "rbf", "polynomial" or a function
        x z; exp(-gamma |x - z|^2); (gamma x z + coef0)^degree; or a function of two tables of rows (a, m) and (b, m) of
        the design matrix that gives their kernel values (a, b). A model with a function cannot be saved.
    gamma : float or None
        None: 1 / number of columns of the design matrix.
    degree : of "polynomial"
    coef0 : the constant of "polynomial"
    learning_rate : float
    max_iter : int
        Passes over the rows at most; it ends earlier when a pass makes no mistake.
    keep : "auto", "final" or "averaged"
        Which strengths answer: those in the end, or their average after every row. "auto" is "final" where a pass made
        no mistake, else "averaged": where classes overlap the last mistakes would decide.
    max_support : int or None
        Rows that may have a strength; when more are mistaken, a warning says so, and the weakest lose theirs. Time and
        the size of the model are in proportion to it. None: as many as there are mistakes.
    shuffle, fit_intercept, standardize, posterior_folds, class_weight, random_state, kinds : as in `Perceptron`

    Attributes
    ----------
    alpha_ : embedding strengths of the rows learned from, (n,) of two classes, (n, k) of several
    n_rows_ : how many rows it learned from
    support_ : places of the rows whose strength is not 0
    support_vectors_ : these rows of the design matrix
    dual_coef_ : (s, v): strengths times the sign of the class; of several classes, a column each
    history_ : mistakes and number of rows with a strength, after every pass
    converged_ : whether a pass made no mistake
    slope_ : what scores are multiplied by to be log posteriors

    Notes
    -----
    What it learned is not a sum over columns: there is no `evidence`. The rows behind an answer are
    `support_vectors_`, and `kernel_values(X)` says how near each of them is.

    Examples
    --------
    >>> from likely import KernelPerceptron
    >>> corners, odd = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> KernelPerceptron(random_state=0).fit(corners, odd).predict(corners).tolist()
    ['no', 'yes', 'yes', 'no']
    """

    n_rows_: int
    support_: Ints  # (s,)
    support_vectors_: Any  # (s, m)  an array or a CSR matrix
    dual_coef_: Floats  # (s, v)
    history_: DualHistory
    converged_: bool
    n_iter_: int
    slope_: float

    def __init__(
        self,
        kernel: str | Callable[..., Any] = "rbf",
        gamma: float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
        learning_rate: float = 1.0,
        max_iter: int = 20,
        keep: str = "auto",
        max_support: int | None = 5_000,
        shuffle: bool = True,
        fit_intercept: bool = True,
        standardize: bool = True,
        posterior_folds: int | None = 3,
        class_weight: ClassWeight = None,
        random_state: Seed = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.keep = keep
        self.max_support = max_support
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.posterior_folds = posterior_folds
        self.class_weight = class_weight
        self.random_state = random_state
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y, in their order or shuffled; X and y as in every classifier."""
        self._check_parameters()
        with self._anew():
            rows = whole_rows(self._look(X, y, sample_weight, self.class_weight))
            if note_one_class(self.classes_):
                none = DualHistory(np.empty(0, np.int64), np.empty(0, np.int64))
                self._keep(np.zeros((0, 1)), rows.x[:0], np.empty(0, np.int64), none, True, 1.0, len(rows.codes))
                return self
            rng = as_generator(self.random_state)
            with progress(self.max_iter, "passes") as done, one_blas_thread():
                strength, history, dropped = self._learn(rows, rng, done)
            if dropped:
                warnings.warn(
                    f"more than max_support={self.max_support:,} rows were mistaken: {dropped:,} times the weakest "
                    "lost its strength. Classes overlap, or the kernel is too narrow or too wide (gamma); raise "
                    "max_support if time allows, or take another model",
                    stacklevel=2,
                )
            support = np.flatnonzero(strength.any(axis=1))
            with one_blas_thread():
                slope = self._slope(rows, strength, rng)
            ended = bool(history.mistakes[-1] == 0)
            self._keep(strength[support], rows.x[support], support, history, ended, slope, len(rows.codes))
        return self

    def kernel_values(self, X: TableLike) -> Floats:
        """Kernel values (n, s) of rows and the `support_vectors_`, the constant's 1 not counted."""
        self._check_fitted()
        kernel = self._kernel(constant=0.0)
        return self._each_row(X, lambda x: kernel(x, self.support_vectors_))

    def _learn(self, rows: DesignedRows, rng: np.random.Generator, done: Any) -> tuple[Floats, DualHistory, int]:
        """Strengths (n, v) that answer after the passes, and how many were taken away again."""
        kernel, n, k = self._kernel(), len(rows.codes), len(self.classes_)
        target = rows.codes.astype(np.int64) if k > 2 else 2 * rows.codes.astype(np.int64) - 1
        strength, last = np.zeros((n, k if k > 2 else 1)), np.full(n, -1)
        drift = np.zeros_like(strength)  # corrections times when they were made: what the average lacks
        mistakes, support, dropped = list[int](), list[int](), 0
        for sweep in range(self.max_iter):
            order = rng.permutation(n) if self.shuffle else np.arange(n)
            made = 0
            for first in range(0, n, _BLOCK):
                block = order[first : first + _BLOCK]
                x = rows.x[block]
                scores = _products(kernel, x, rows.x, strength)
                moved, log = np.zeros((len(block), strength.shape[1])), np.empty(len(block), np.int64)
                share = np.empty(0) if rows.weight is None else rows.weight[block]
                gram = np.ascontiguousarray(kernel(x, x))
                made += dual_pass(gram, target[block], share, scores, moved, log, float(self.learning_rate))
                strength[block] += moved
                drift[block] += moved * (sweep * n + first + np.arange(len(block)))[:, None]
                last[block[log > 0]] = sweep * n + first + np.flatnonzero(log)
                if self.max_support is not None:
                    weakest = _weakest(strength, last, int(self.max_support))
                    strength[weakest], drift[weakest], last[weakest] = 0.0, 0.0, -1
                    dropped += len(weakest)
            mistakes.append(made)
            support.append(int(strength.any(axis=1).sum()))
            done()
            if made == 0:
                break
        if self.keep == "averaged" or (self.keep == "auto" and made):
            strength = strength - drift / (n * len(mistakes))
        return strength, DualHistory(np.array(mistakes), np.array(support)), dropped

    def _slope(self, rows: DesignedRows, strength: Floats, rng: np.random.Generator) -> float:
        def learn_fold(part: DesignedRows) -> Any:
            learned, *_ = self._learn(part, rng, lambda *_: None)
            return lambda held: self._raw(held.x, part.x, learned)

        held = left_out_scores(rows, len(self.classes_), self.posterior_folds, learn_fold, rng)
        if held is None:
            return 1 / typical_size(self._raw(rows.x, rows.x, strength))
        return fitted_slope(held, rows.codes, rows.weight)

    def _kernel(self, constant: float | None = None) -> KernelFunction:
        gamma = 1 / max(self.design_.width, 1) if self.gamma is None else float(self.gamma)
        plain = kernel_function(self.kernel, gamma, self.degree, self.coef0)
        added = float(bool(self.fit_intercept)) if constant is None else constant
        return lambda a, b: plain(a, b) + added

    def _keep(
        self,
        coef: Floats,
        vectors: Matrix,
        places: Ints,
        history: DualHistory,
        converged: bool,
        slope: float,
        rows: int,
    ) -> None:
        self._become(
            {
                "n_rows_": rows,
                "support_": places,
                "support_vectors_": vectors,
                "dual_coef_": coef,
                "history_": history,
                "converged_": converged,
                "n_iter_": max(len(history.mistakes), 1),
                "slope_": slope,
            }
        )

    @property
    def alpha_(self) -> Floats:
        """The strength of every row, most of them 0: made of the few that are kept when somebody asks."""
        alpha = np.zeros((self.n_rows_, self.dual_coef_.shape[1]))
        alpha[self.support_] = self.dual_coef_
        return np.abs(alpha[:, 0]) if alpha.shape[1] == 1 else alpha

    def _raw(self, x: Matrix, vectors: Matrix, coef: Floats) -> Floats:
        """Scores (n, k) of rows of the design matrix."""
        k = len(self.classes_)
        if k == 1:
            return np.zeros((x.shape[0], 1))
        scores = _products(self._kernel(), x, vectors, coef)
        return np.column_stack([np.zeros(len(scores)), scores[:, 0]]) if k == 2 else scores

    def _scores(self, x: Matrix) -> Floats:
        scores = self._raw(x, self.support_vectors_, self.dual_coef_)
        return np.ascontiguousarray(np.clip(self.slope_ * scores, -1e300, 1e300))

    def _parameters_learned(self) -> dict[str, Any]:
        vectors = self.support_vectors_
        sparse = hasattr(vectors, "indptr")
        held = (vectors.data, vectors.indices, vectors.indptr) if sparse else (vectors,)
        return {
            "coef": self.dual_coef_,
            "vectors": held,
            "places": self.support_,
            "rows": self.n_rows_,
            "history": tuple(self.history_),
            "converged": self.converged_,
            "slope": self.slope_,
        }

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        coef, held, places = parameters["coef"], parameters["vectors"], parameters["places"]
        width, k = self.design_.width, len(self.classes_)
        vectors: Any = held[0]
        if len(held) == 3:
            vectors = _sparse_rows(held, width)
        count = parameters["rows"]
        if coef.shape != (len(places), k if k > 2 else 1) or vectors.shape != (len(places), width):
            raise InputError("its rows with strengths do not fit together")
        if type(count) is not int or not 0 <= count < 2**63 or not ((places >= 0) & (places < count)).all():
            raise InputError("its rows with strengths are not among those learned from")
        slope, converged = parameters["slope"], parameters["converged"]
        if not (isinstance(slope, float) and 0 < slope < np.inf and isinstance(converged, bool)):
            raise InputError("the slope of its posterior is not a positive number")
        check_curves(parameters["history"], len(DualHistory._fields))
        self._keep(coef, vectors, places, DualHistory(*parameters["history"]), converged, slope, count)

    def _check_parameters(self) -> None:
        kernel_function(self.kernel, 1.0, 1, 1.0)
        check_choice("keep", self.keep, KEEP)
        check_number("learning_rate", self.learning_rate, above=True)
        check_number("gamma", self.gamma, above=True, also=(None,))
        for name in ("degree", "max_iter"):
            check_whole(name, getattr(self, name))
        check_whole("max_support", self.max_support, 2, also=(None,))
        check_whole("posterior_folds", self.posterior_folds, 2, also=(None,))


def _weakest(strength: Floats, last: Ints, most: int) -> Ints:
    """The rows that are too many among those mistaken so far: of the least strengths (n, v), the oldest first."""
    mistaken = np.flatnonzero(last >= 0)
    size = np.abs(strength[mistaken]).max(axis=1, initial=0.0)
    return mistaken[np.lexsort((last[mistaken], size))[: max(len(mistaken) - most, 0)]]


def _products(kernel: KernelFunction, x: Matrix, vectors: Matrix, strength: Floats) -> Floats:
    """Scores (n, v): kernel values of rows and those with a strength, times the strengths, some cells at a time."""
    active = np.flatnonzero(strength.any(axis=1))
    held, coef = vectors[active], strength[active]
    out = np.zeros((x.shape[0], strength.shape[1]))
    size = max(1, _CELLS // _BLOCK)
    pieces = [
        (slice(row, row + _BLOCK), slice(first, first + size))
        for row in range(0, x.shape[0], _BLOCK)
        for first in range(0, len(active), size)
    ]
    found = engines.current().map(pieces, lambda piece: kernel(x[piece[0]], held[piece[1]]) @ coef[piece[1]])
    for (rows, _), scores in zip(pieces, found, strict=True):
        out[rows] += scores
    return out


def _sparse_rows(held: tuple[Array, ...], width: int) -> Any:
    """A CSR matrix from a file, refused if it is none."""
    from scipy.sparse import csr_matrix

    data, indices, indptr = held
    found = csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, width))
    found.check_format(full_check=True)
    return found


__all__ = ["NAMES", "DualHistory", "KernelPerceptron"]
