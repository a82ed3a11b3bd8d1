"""Members with elliptical contours: a centre and a covariance each, or one covariance for all of them.

    S = F F',   z = L^-1 (x - m),   (x - m)' S^-1 (x - m) = sum_j z_j^2,   log det S / 2 = sum_j log L_jj

F (d, r) has a row for each column; its rows for the r columns that determine the others are the lower triangular L.
In column order z is the chain rule: z_j is how far x_j lies from what x_1 .. x_(j-1) predict. A row with missing cells
is whitened by the factor of its observed columns, which is the exact marginal; a column that repeats others speaks
where one of them is missing, else it is silent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple, Self

import numpy as np

from likely.distributions.support import checked_table
from likely.distributions.vectors.covariances.overall_covariance import Overall
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints, Shapes, frozen, rising
from likely.numeric.kernels.densities import whitening as kernels
from likely.numeric.linear.covariance import cholesky, inverse_lower, is_positive_semidefinite

_BLOCK = 512  # rows that are whitened at a time: their projections stay in cache
_CELLS = 1 << 18  # of projections at a time, where there are many members
_STRIP = 12  # columns of a triangular factor that are multiplied at a time, without the zeros above them


class Chain(NamedTuple):
    """Rows whitened column by column."""

    z: Floats  # (n, d, k)
    log_unit: Floats  # (n, d, k) or (n, d, 1)
    known: Array  # (n, d)  whether the column speaks; z and log_unit are 0 where it does not


class Strip(NamedTuple):
    """The part of the whitening that gives some columns of z, for all members side by side."""

    depth: int  # z needs only the columns before this one
    matrix: Floats  # (depth, g w)
    offset: Floats  # (k, w)  the members' centres, whitened


@dataclass(frozen=True)
class Elliptical:
    """Centres and covariances of k members.

    >>> one = Elliptical.of(np.array([[1.0, -1.0]]), np.array([[4.0, 1.2], [1.2, 1.0]]))
    >>> one.squared_distance(np.array([[3.0, 0.0]]))
    array([[1.25]])
    """

    mean: Array  # (k, d)     NaN: the column was never observed
    factor: Array  # (k, d, r), or (1, d, r) if all share their covariance: covariance = factor factor'
    columns: Ints  # (r,)     which carry all the information, in ascending order
    stored_as: ClassVar[str] = "Elliptical"
    shapes: ClassVar[Shapes] = {"mean": "k d", "columns": "r", "factor": "k d r | 1 d r"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        within = bool(((self.columns >= 0) & (self.columns < size["d"])).all())
        if self.columns.dtype.kind != "i" or not rising(self.columns) or not within:
            return "columns"
        return None if np.isfinite(self.factor).all() and self._has_inverse else "factor"

    @classmethod
    def of(cls, mean: Array, covariance: Array) -> Self:
        """From means (k, d) and covariances (k, d, d), or one covariance (d, d) for all."""
        mean = np.atleast_2d(np.asarray(mean, dtype=np.float64))
        matrices = np.asarray(covariance, dtype=np.float64)
        matrices = matrices[None] if matrices.ndim == 2 else matrices
        k, d = mean.shape
        if matrices.shape not in ((k, d, d), (1, d, d)):
            raise InputError(f"{k} means of {d} columns need covariances of shape {(k, d, d)}, got {matrices.shape}")
        overall = Overall.of(matrices.mean(axis=0), np.zeros(d))
        factors: list[Floats] = []
        for member, matrix in enumerate(matrices):
            factor = cholesky(overall.standardized(matrix)) if is_positive_semidefinite(matrix) else None
            if factor is None:
                raise InputError(
                    f"covariance {member} must be symmetric and positive definite; only a direction in which no "
                    "member varies may have no variance"
                )
            factors.append(overall.expanded(factor))
        found = cls(mean, np.stack(factors), overall.columns)
        if not found._has_inverse:
            raise InputError("the means lie too far apart for deviations this small: their ratio is beyond all numbers")
        return found

    @property
    def members(self) -> int:
        return len(self.mean)

    @property
    def rank(self) -> int:
        """How many columns (r) carry information."""
        return len(self.columns)

    @property
    def shared(self) -> bool:
        """Whether all members have the same covariance."""
        return len(self.factor) == 1

    @property
    def covariance(self) -> Floats:
        """(k, d, d), or (1, d, d) if shared."""
        return np.asarray(self.factor @ self.factor.transpose(0, 2, 1))

    @cached_property
    def centre(self) -> Floats:
        """A point (d,) relative to which rows are scored: amid members of one covariance, else near the narrowest.

        Of each column it is the mean of the member that varies least, which needs the last digits of a difference: a
        far member must not take them.
        """
        mean = np.where(np.isfinite(self.mean), self.mean, 0.0)
        if not self.shared:
            width = np.linalg.norm(self.factor, axis=2)
            narrowest = np.where(width > 0, width, np.inf).argmin(axis=0)
            return np.asarray(mean[narrowest, np.arange(mean.shape[1])])
        return np.asarray(mean[0] + (mean - mean[0]).mean(axis=0))

    @cached_property
    def inverse_scale(self) -> Floats:
        """One over the size of each column (d,); 0 for a column that does not vary."""
        size = np.max(np.abs(self.factor), axis=(0, 2), initial=0.0)
        apart = np.max(np.abs(np.where(np.isfinite(self.mean), self.mean, 0.0) - self.centre), axis=0)
        varies = size > 0
        return np.asarray(np.where(varies, 1.0 / np.where(varies, np.maximum(size, apart), 1.0), 0.0))

    @cached_property
    def offset(self) -> Floats:
        """The members' means relative to the centre, standardised (k, d)."""
        return np.asarray(np.where(np.isfinite(self.mean), self.mean - self.centre, 0.0) * self.inverse_scale)

    @cached_property
    def whitening(self) -> Floats:
        """The inverse factors (k, r, r), or (1, r, r), of the standardised columns."""
        standard = self.factor[:, self.columns] * self.inverse_scale[self.columns, None]
        return np.stack([inverse_lower(factor) for factor in standard])

    @property
    def _has_inverse(self) -> bool:
        pivots = np.diagonal(self.factor[:, self.columns], axis1=1, axis2=2) * self.inverse_scale[self.columns]
        return bool((pivots > 0).all())

    @cached_property
    def whitened_offset(self) -> Floats:
        """The members' means relative to the centre, whitened (k, r)."""
        return np.asarray((self.whitening @ self.offset[:, self.columns, None])[:, :, 0])

    @cached_property
    def half_log_determinant(self) -> Floats:
        """Of the covariance among the columns that carry information (k,), or (1,) if shared."""
        pivots = np.diagonal(self.factor[:, self.columns], axis1=1, axis2=2)
        return np.asarray(np.log(pivots).sum(axis=1))

    def squared_distance(self, x: Array) -> Floats:
        """(x - m)' S^-1 (x - m) to each member (n, k); NaN where a cell that matters is missing."""
        n, strips = len(checked_table(x, self.mean.shape[1])), self._strips
        out = np.zeros((n, self.members))
        width = max((strip.matrix.shape[1] for strip in strips), default=1)
        block = max(16, min(_BLOCK, _CELLS // width))
        rows, projected = np.empty((min(block, n), self.rank)), np.empty(min(block, n) * width)
        x, standard = frozen(x), self.standard
        for start in range(0, n, block):
            stop = min(start + block, n)
            kernels.standardize(x[start:stop], *standard, rows[: stop - start])
            for depth, matrix, offset in strips:
                to = projected[: (stop - start) * matrix.shape[1]].reshape(stop - start, -1)
                np.matmul(rows[: stop - start, :depth], matrix, out=to)
                kernels.add_squared_lengths(to, offset, start, stop, out)
        return out

    def chain(self, x: Array) -> Chain:
        """Each row whitened column by column over its observed cells."""
        x, (factor, relation, width) = frozen(checked_table(x, self.mean.shape[1])), self._relations
        known = kernels.speaking_columns(x, relation, self.columns)
        z = np.zeros((*x.shape, self.members))
        log_unit = np.zeros((*x.shape, len(factor)))
        constants = (self.centre, self.inverse_scale, self.offset, factor, width)
        kernels.chain(x, known, pattern_order(known), *constants, z, log_unit)
        return Chain(z, log_unit, known)

    def sample(self, member: Ints, rng: np.random.Generator, stretch: Array | None = None) -> Floats:
        """A row for each entry of `member`; its deviation from the mean times `stretch` (n,)."""
        white = rng.standard_normal((len(member), self.rank))
        if stretch is not None:
            white *= stretch[:, None]
        out = np.empty((len(member), self.mean.shape[1]))
        for c in np.unique(member):
            rows = member == c
            out[rows] = self.mean[c] + white[rows] @ self.factor[0 if self.shared else c].T
        return out

    @property
    def standard(self) -> tuple[Ints, Floats, Floats]:
        """The columns that matter, their centre and their inverse scale."""
        return self.columns, self.centre[self.columns], self.inverse_scale[self.columns]

    @cached_property
    def _relations(self) -> tuple[Floats, Floats, Ints]:
        # The standardised factor; every column as a linear function of those that determine it; where these end.
        factor = np.asarray(self.factor * self.inverse_scale[:, None])
        relation = np.asarray(factor[0] @ self.whitening[0])
        relation[self.columns] = np.eye(self.rank)
        width = np.where(relation != 0, np.arange(1, self.rank + 1), 0).max(axis=1, initial=0)
        return factor, relation, width

    @cached_property
    def _strips(self) -> list[Strip]:
        # z_j needs only x_1 .. x_j: strip by strip, half of the products with zeros are never made.
        parts = np.array_split(np.arange(self.rank), min(8, max(1, round(self.rank / _STRIP)))) if self.rank else []
        strips = []
        for part in parts:
            depth = int(part[-1]) + 1
            blocks = [inverse[part, :depth].T for inverse in self.whitening]
            offset = np.ascontiguousarray(self.whitened_offset[:, part])
            strips.append(Strip(depth, np.ascontiguousarray(np.concatenate(blocks, axis=1)), offset))
        return strips


def score_missing_rows(out: Array, x: Array, terms: Callable[[Array], Floats]) -> None:
    """Where a row of `out` (n, k) is NaN because of missing cells, put the sum of its `terms` (rows, d, k)."""
    rows = np.flatnonzero(np.isnan(out[:, 0]))
    rows = rows[pattern_order(np.isnan(x[rows]))]
    block = max(16, _CELLS // max(1, x.shape[1] * out.shape[1]))
    for start in range(0, len(rows), block):
        part = rows[start : start + block]
        out[part] = terms(x[part]).sum(axis=1)


def pattern_order(cells: Array) -> Ints:
    """The rows sorted by their pattern of cells (n, d) that are true, the first column first."""
    packed = np.packbits(cells, axis=1)
    return np.asarray(np.lexsort(packed.T[::-1])) if packed.shape[1] else np.arange(len(cells))
