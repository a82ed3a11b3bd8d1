"""Fixed basis functions: columns made of columns, so that what is linear in them bends in the table.

    radial      exp(-gamma |x - c_j|^2)              one column for each centre c_j
    polynomial  products of up to `degree` columns   x_1, x_2, x_1^2, x_1 x_2, x_2^2, ...
    spline      cubic B-splines of each column between knots at its quantiles, constant beyond the outer ones

Tables of any kinds become numbers first (`likely.data.Design`, gaps as means), as they are or standardised.
"""

from itertools import combinations_with_replacement
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.design import Design
from likely.data.inputs import Input
from likely.data.labels.target import without_target
from likely.errors import InputError, check_number, check_whole
from likely.models.estimator import Transformer
from likely.numeric.arrays import Array, Floats
from likely.numeric.random_state import Seed, as_generator

_MOST = 50_000  # columns made


class _Basis(Transformer):
    """Columns of a design matrix, and what is made of them."""

    standardize: bool
    kinds: Any

    design_: Design

    def fit(self, X: TableLike, y: TargetLike = None) -> Self:
        """Learn the columns of rows X, and what the functions need of them."""
        with self._anew():
            data = self._read(X)
            self.design_ = Design.of(data, self.kinds, standardize=bool(self.standardize))
            x = self._numbers(data)
            self.n_features_out_ = self._prepare(x)
            self._remember(self.design_.plan.schema)
        return self

    def _read(self, X: TableLike) -> Input:
        return without_target(super()._read(X))

    def _prepare(self, x: Floats) -> int:
        """Learn what the functions need of the numbers; how many columns they make."""
        raise NotImplementedError

    def _functions(self, x: Floats) -> Floats:
        raise NotImplementedError

    def _transform(self, data: Input) -> Floats:
        return self._functions(self._numbers(data))

    def _numbers(self, data: Input) -> Floats:
        x = self.design_.transform(data)
        return np.asarray(x.toarray() if hasattr(x, "indptr") else x)


class RadialBasis(_Basis):
    """Bumps about centres: exp(-gamma |x - c|^2).

    Parameters
    ----------
    centers : int or array (m, d)
        The centres, in the columns of the design, or how many rows to take as centres at random.
    gamma : float
        How narrow the bumps are.
    standardize : bool
        Whether distances are in standard deviations.
    random_state : None, int or numpy Generator
    kinds : "auto", a kind, or a mapping from column to kind

    Examples
    --------
    Exclusive or is separated by two bumps.

    >>> basis = RadialBasis([[1, 1], [0, 0]], standardize=False, kinds="numeric")
    >>> basis.fit_transform([[0, 0], [0, 1], [1, 0], [1, 1]]).sum(axis=1).round(3)
    array([1.135, 0.736, 0.736, 1.135])
    """

    centers_: Floats

    def __init__(
        self,
        centers: ArrayLike | int | str = 10,
        gamma: float = 1.0,
        standardize: bool = True,
        random_state: Seed = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.centers = centers
        self.gamma = gamma
        self.standardize = standardize
        self.random_state = random_state
        self.kinds = kinds

    def _prepare(self, x: Floats) -> int:
        check_number("gamma", self.gamma, above=True)
        if isinstance(self.centers, int | np.integer):
            check_whole("centers", self.centers)
            different = np.unique(x, axis=0)
            count = min(int(self.centers), len(different))
            self.centers_ = different[np.sort(as_generator(self.random_state).permutation(len(different))[:count])]
        else:
            given = np.asarray(self.centers, dtype=np.float64)
            if given.ndim != 2 or given.shape[1] != x.shape[1]:
                raise InputError(f"centers of shape {given.shape} do not lie among rows of {x.shape[1]} numbers")
            self.centers_ = given
        return len(self.centers_)

    def _functions(self, x: Floats) -> Floats:
        squares = (x**2).sum(axis=1)[:, None] + (self.centers_**2).sum(axis=1) - 2 * x @ self.centers_.T
        return np.asarray(np.exp(-self.gamma * np.maximum(squares, 0.0)))


class PolynomialBasis(_Basis):
    """Products of columns, up to a degree; without the constant.

    >>> PolynomialBasis(2, standardize=False).fit_transform([[2.0, 3.0], [1.0, 5.0]])
    array([[ 2.,  3.,  4.,  6.,  9.],
           [ 1.,  5.,  1.,  5., 25.]])
    """

    powers_: tuple[tuple[int, ...], ...]

    def __init__(self, degree: int = 2, standardize: bool = True, kinds: Kinds = "auto") -> None:
        self.degree = degree
        self.standardize = standardize
        self.kinds = kinds

    def _prepare(self, x: Floats) -> int:
        check_whole("degree", self.degree)
        count = 1
        for step in range(1, int(self.degree) + 1):
            count = count * (x.shape[1] + step) // step
        if count > _MOST:
            raise InputError(f"degree {self.degree} of {x.shape[1]} columns makes {count:,} of them: use a lower one")
        degrees = range(1, int(self.degree) + 1)
        self.powers_ = tuple(p for d in degrees for p in combinations_with_replacement(range(x.shape[1]), d))
        return len(self.powers_)

    def _functions(self, x: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return np.column_stack([np.prod(x[:, list(places)], axis=1) for places in self.powers_])

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the products."""
        super().get_feature_names_out(input_features)
        names = self.design_.names
        return np.array([" ".join(names[j] for j in places) for places in self.powers_], dtype=object)


class SplineBasis(_Basis):
    """B-splines of every column between knots at its quantiles; beyond the outer knots they stay as there.

    >>> SplineBasis(n_knots=3, degree=1, standardize=False).fit_transform([[0.0], [1.0], [2.0], [3.0], [4.0]])[1]
    array([0.5, 0.5, 0. ])
    """

    knots_: tuple[Floats, ...]

    def __init__(self, n_knots: int = 5, degree: int = 3, standardize: bool = True, kinds: Kinds = "auto") -> None:
        self.n_knots = n_knots
        self.degree = degree
        self.standardize = standardize
        self.kinds = kinds

    def _prepare(self, x: Floats) -> int:
        for name, value, least in (("n_knots", self.n_knots, 2), ("degree", self.degree, 0)):
            check_whole(name, value, least)
        shares = np.linspace(0, 1, int(self.n_knots))
        self.knots_ = tuple(np.unique(np.quantile(column, shares)) for column in x.T)
        return sum(self._width(knots) for knots in self.knots_)

    def _width(self, knots: Floats) -> int:
        return 1 if len(knots) < 2 else len(knots) + int(self.degree) - 1

    def _functions(self, x: Floats) -> Floats:
        from scipy.interpolate import BSpline

        parts = []
        for column, knots in zip(x.T, self.knots_, strict=True):
            if len(knots) < 2:  # a constant column
                parts.append(column[:, None] - knots[0])
                continue
            degree = int(self.degree)
            around = np.concatenate([np.repeat(knots[0], degree), knots, np.repeat(knots[-1], degree)])
            inside = np.clip(column, knots[0], knots[-1])
            parts.append(BSpline.design_matrix(inside, around, degree).toarray())
        return np.hstack(parts)
