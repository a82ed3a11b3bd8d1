"""How much one part of a joint table tells of another, from the table laid out as a matrix or a cube.

    H(A | C)    = - sum p(a, c) log [ p(a, c) / p(c) ]
    I(A; B | C) = sum p(a, b, c) log [ p(a, b, c) / e ],   e = p(a, c) p(b, c) / p(c)
    G = 2 sum n log(n / e),   X^2 = sum (n - e)^2 / e,   e = n(a, c) n(b, c) / n(c)

Of m parts, all of them independent of each other (mutually), e = n(a, c) n(b, c) n(d, c) ... / n(c)^(m - 1).

I and G are summed as n log(n / e) - n + e: the two last terms cancel over the table, and with them no term is negative
and none is lost to cancellation, however many observations there are. Cells are probabilities or counts; C may have one
value.
"""

from math import fsum
from typing import NamedTuple

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.numeric.special.deviance import deviance

_FLOOR = 1e-300  # below it, a product of two probabilities has lost its digits


class Deviations(NamedTuple):
    """How far counts are from those expected under independence."""

    log_likelihood: float  # G
    pearson: float  # X^2
    degrees: int  # cells - 1 less the free margins, summed over the strata; only values with observations count
    strata: int  # with observations
    least_expected: float  # the smallest expected count


def conditional_entropy(joint: Array) -> float:
    """H(A | C) in nats of a table (a, c) that sums to one.

    >>> round(conditional_entropy(np.array([[0.25, 0.5], [0.25, 0.0]])), 6)  # ln 2 in half of the cases
    0.346574
    """
    from scipy.special import rel_entr

    return -fsum(rel_entr(joint, np.broadcast_to(joint.sum(axis=0), joint.shape)).ravel().tolist()) + 0.0


def mutual_information(joint: Array) -> float:
    """I(A; B | C) in nats of a table (a, b, c) that sums to one.

    >>> round(mutual_information(np.array([[0.5, 0.0], [0.0, 0.5]])[:, :, None]), 6)  # ln 2
    0.693147
    """
    model = expected(joint)
    lost = (joint > 0) & (model < _FLOOR)  # these products have underflowed; their logarithms have not
    kept = (model > 0) & ~lost
    return fsum([*_terms(joint[kept], model[kept]).tolist(), *_log_terms(joint, lost).tolist()])


def factorises(joint: Array, tolerance: float) -> bool:
    """Whether p(a, b, ... | c) = p(a | c) p(b | c) ... in every cell of (a, b, ..., c), to within a share of the cell.

    >>> factorises(np.array([[0.144, 0.016], [0.576, 0.064]])[:, :, None] / 0.8, 1e-9)
    True
    """
    given = joint.sum(axis=tuple(range(joint.ndim - 1)))
    within = joint[..., given > 0] / given[given > 0]  # tiny strata count as much as others
    product = expected(within)
    return bool((np.abs(within - product) <= tolerance * np.maximum(within, product) + _FLOOR).all())


def deviations(counts: Array) -> Deviations:
    """Both statistics of counts (a, b, ..., c), c being the strata.

    >>> found = deviations(np.array([[10, 20], [30, 40]])[:, :, None])
    >>> round(found.pearson, 4), found.degrees, found.least_expected
    (0.7937, 1, 12.0)
    """
    counts = np.asarray(counts, dtype=np.float64)
    seen = [np.count_nonzero(margin, axis=tuple(range(counts.ndim - 1))) for margin in _margins(counts)]  # (c,) each
    strata = seen[0] > 0
    model = expected(counts)
    possible = model > 0
    g = 2 * fsum(_terms(counts[possible], model[possible]).tolist())
    x2 = fsum(((counts[possible] - model[possible]) ** 2 / model[possible]).tolist())
    values = np.array(seen)[:, strata]
    degrees = np.prod(values, axis=0) - 1 - (values - 1).sum(axis=0)  # of two parts (A - 1) (B - 1)
    return Deviations(g, x2, int(degrees.sum()), int(strata.sum()), float(model[possible].min()))


def expected(joint: Array) -> Floats:
    """What independence of a, b, ... given c makes of a table (a, b, ..., c) with these margins."""
    first, *others = _margins(joint)
    given = joint.sum(axis=tuple(range(joint.ndim - 1)))
    model = np.asarray(first, dtype=np.float64)
    for margin in others:  # divided first, lest the product underflow
        model = model * np.divide(margin, given, out=np.zeros(margin.shape), where=given > 0)
    return model


def _margins(joint: Array) -> list[Array]:
    """Those of each part with what is given, in the axes of the table: (a, 1, ..., c), (1, b, ..., c), ..."""
    parts = range(joint.ndim - 1)
    return [joint.sum(axis=tuple(i for i in parts if i != j), keepdims=True) for j in parts]


def _terms(cells: Array, model: Array) -> Floats:
    return np.maximum(deviance(cells, model), 0.0)  # rounding may leave a zero just below


def _log_terms(joint: Array, chosen: Array) -> Floats:
    """The terms p log(p / e) - p + e of some cells, log e being a sum of logarithms and e itself nothing."""
    a, b, c = np.nonzero(chosen)
    rows, columns, given = joint.sum(axis=1), joint.sum(axis=0), joint.sum(axis=(0, 1))
    log_expected = np.log(rows[a, c]) + np.log(columns[b, c]) - np.log(given[c])
    return np.asarray(joint[a, b, c] * (np.log(joint[a, b, c]) - log_expected - 1))
