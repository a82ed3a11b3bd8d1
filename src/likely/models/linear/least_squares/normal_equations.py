"""Solutions of least squares from sums of products, whether or not columns are collinear.

    (G + alpha 1) W = R       G = X'X about the means, R = X'T

Without a penalty the columns are first brought to equal length and directions in which the data do not vary (up to
rounding) are left out, which gives the solution of the pseudo-inverse in those units.
"""

from typing import NamedTuple

import numpy as np

from likely.numeric.arrays import Floats

_RANK = 1e-11  # of the largest eigenvalue, below which a direction counts as empty: products know half the digits
_APART = 1e-9  # of the whole, below which classes do not vary in a direction


def least_squares(gram: Floats, right: Floats, alpha: float) -> Floats:
    """Weights (m, k) of the outputs whose products with the columns are `right` (m, k)."""
    if alpha > 0:
        values, vectors = np.linalg.eigh(gram)
        return np.asarray(vectors @ ((vectors.T @ right) / (np.maximum(values, 0.0) + alpha)[:, None]))
    whitening = whitening_of(gram)
    return np.asarray(whitening @ (whitening.T @ right))


def whitening_of(gram: Floats) -> Floats:
    """P (m, r) with P' G P = 1, for the r directions that are not empty; P P' is a pseudo-inverse of G."""
    size = np.sqrt(np.maximum(np.diagonal(gram), 0.0))
    scale = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    values, vectors = np.linalg.eigh(gram * scale[:, None] * scale)
    kept = values > _RANK * max(float(values.max(initial=0.0)), np.finfo(np.float64).tiny)
    return np.asarray(scale[:, None] * vectors[:, kept] / np.sqrt(values[kept]))


class Directions(NamedTuple):
    """Directions in which classes differ most for their spread, best first."""

    weights: Floats  # (m, r)  the pooled spread of the classes is 1 in each, and there is no correlation
    ratios: Floats  # (r,)  products between classes over those within


def discriminant_directions(within: Floats, away: Floats, total: float, count: int) -> Directions:
    """The `count` directions w with the largest w'Bw / w'Ww (Fisher), B = A'A.

    `away` (k, m) is A: class means about that of all, times the root of the weight of the class. Where classes do not
    vary at all in directions that tell them apart, they are given the spread of one row in all; these directions are
    then equally good, and are taken from class to class.
    """
    whitening = whitening_of(within + away.T @ away)
    values, vectors = np.linalg.eigh(whitening.T @ within @ whitening)  # between 0 and 1, the rest is between classes
    sharp = values < _APART
    values = np.where(sharp, 1.0 / total, values)
    if (several := int(sharp.sum())) > 1:
        turn, _ = np.linalg.qr(np.atleast_2d(away @ whitening @ vectors[:, sharp]).T)
        turn = np.column_stack([turn, np.linalg.svd(turn)[0][:, turn.shape[1] :]])
        vectors[:, sharp] = vectors[:, sharp] @ turn[:, :several]
    best = slice(0, min(count, len(values)))
    ratios = np.maximum(1.0 - values[best], 0.0) / values[best]
    weights = whitening @ vectors[:, best] * np.sqrt(total / values[best])
    largest = weights[np.abs(weights).argmax(axis=0), np.arange(weights.shape[1])] if weights.size else np.ones(0)
    return Directions(np.asarray(weights * np.where(largest < 0, -1.0, 1.0)), np.asarray(ratios))


def shared_gaussian(mean: Floats, within: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Log posteriors W x + b, up to a common term, of Gaussian classes of one covariance: W (k, q) and b (k,).

    Class means (k, q), pooled products about them (q, q), weights of the classes (k,); a class of weight 0 is
    impossible.
    """
    total = float(weight.sum())
    overall = weight @ mean / total
    away = mean - overall
    directions = discriminant_directions(within, away * np.sqrt(weight)[:, None], total, len(within)).weights
    place = away @ directions
    coef = place @ directions.T
    with np.errstate(divide="ignore"):
        constant = np.log(weight / total) - 0.5 * (place**2).sum(axis=1)
    return np.asarray(coef), np.asarray(constant - coef @ overall)
