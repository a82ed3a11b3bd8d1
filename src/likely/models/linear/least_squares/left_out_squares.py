"""Rows left out of least squares one at a time, in closed form: no refit, and exact.

    output without row i = (output_i - h_i t_i) / (1 - h_i)     h_i = w_i (1/n + (x_i - m)' (G + alpha 1)^-1 (x_i - m))

(Cook and Weisberg 1982; with a penalty, for the columns as all rows standardise them). A row that alone decides some
weight has h = 1, and no closed form.
"""

from dataclasses import dataclass

import numpy as np

from likely import engines
from likely.data.sources import Source
from likely.models.learning.designed import DesignedRows
from likely.models.linear.least_squares.crossed_sums import ClassMoments
from likely.models.linear.least_squares.normal_equations import whitening_of
from likely.numeric.arrays import Array, Floats

_DECIDED = 1e-7  # what must be left of 1 - h for its digits to be good
PENALTIES = np.concatenate([[0.0], np.logspace(-4, 4, 17)])  # per row in all, of columns of spread 1


def left_out_outputs(rows: Source[DesignedRows], moments: ClassMoments, alpha: float) -> tuple[Floats, Array]:
    """Log posteriors (n, k) of clipped outputs, and which rows (n,) have a closed form; rows in their order."""
    spectrum = _Spectrum.of(moments)
    found, known = [], []
    for batch in rows.batches():
        weight = np.ones(len(batch.codes)) if batch.weight is None else batch.weight
        outputs, leverage = spectrum.at(batch, alpha)
        leverage = leverage * weight
        left = 1.0 - leverage
        fine = (left > _DECIDED) & (moments.weight[batch.codes] > weight * (1 + 1e-9))
        target = np.eye(len(moments.weight))[batch.codes]
        with np.errstate(divide="ignore", invalid="ignore"):
            without = (outputs - leverage[:, None] * target) / left[:, None]
        floor = 1.0 / (moments.total - weight + 2.0)
        clipped = np.maximum(np.where(fine[:, None], without, 1.0), floor[:, None])
        found.append(np.log(clipped / clipped.sum(axis=1, keepdims=True)))
        known.append(fine)
    return np.concatenate(found), np.concatenate(known)


def best_penalty(rows: Source[DesignedRows], moments: ClassMoments) -> float:
    """The penalty with the smallest squared error of rows left out one at a time, out of `PENALTIES` times the rows."""
    alphas = PENALTIES * moments.total / 100
    errors = engines.current().fold(rows, _LeftOutErrors(_Spectrum.of(moments), alphas))
    return float(alphas[int(np.argmin(np.where(np.isfinite(errors), errors, np.inf)))])


@dataclass(frozen=True)
class _Spectrum:
    """Products of the columns by eigenvalue, in which every penalty is a division."""

    vectors: Floats  # (m, r)
    values: Floats  # (r,)
    right: Floats  # (r, k)  of the targets about their means
    overall: Floats  # (m,)
    share: Floats  # (k,)
    total: float
    whitening: Floats  # (m, r')  of the solution without a penalty

    @classmethod
    def of(cls, moments: ClassMoments) -> "_Spectrum":
        gram = moments.within + moments.between
        values, vectors = np.linalg.eigh(gram)
        right = (moments.weight[:, None] * (moments.mean - moments.overall)).T
        share = moments.weight / moments.total
        white = whitening_of(gram)
        return cls(vectors, np.maximum(values, 0), right, moments.overall, share, moments.total, white)

    def at(self, batch: DesignedRows, alpha: float) -> tuple[Floats, Floats]:
        """Outputs (n, k) and leverages per unit of weight (n,)."""
        x = np.asarray(batch.x.toarray() if hasattr(batch.x, "indptr") else batch.x) - self.overall
        if alpha == 0:
            z = x @ self.whitening
            return self.share + z @ (self.whitening.T @ self.right), 1 / self.total + (z**2).sum(axis=1)
        z = x @ self.vectors
        scaled = z / (self.values + alpha)
        return self.share + scaled @ (self.vectors.T @ self.right), 1 / self.total + (scaled * z).sum(axis=1)


@dataclass(frozen=True)
class _LeftOutErrors:
    """Squared errors of the rows of a batch left out, for each penalty (a,)."""

    spectrum: _Spectrum
    alphas: Floats

    def __call__(self, batch: DesignedRows) -> Floats:
        weight = np.ones(len(batch.codes)) if batch.weight is None else batch.weight
        target = np.eye(len(self.spectrum.share))[batch.codes]
        errors = np.empty(len(self.alphas))
        for a, alpha in enumerate(self.alphas):
            outputs, leverage = self.spectrum.at(batch, float(alpha))
            left = 1.0 - leverage * weight
            with np.errstate(divide="ignore", invalid="ignore"):
                off = ((outputs - target) ** 2).sum(axis=1) / left**2
            errors[a] = float(weight @ np.where(left > _DECIDED, off, 1.0 / _DECIDED))
        return errors
