"""From an additive loss and a penalty to the weights that make their sum small, by a solver of that name.

    newton              Newton's method (iteratively reweighted least squares); with absolute values in the penalty,
                        coordinate descent on each quadratic (Friedman, Hastie, Tibshirani, J. Stat. Software 33, 2010)
    newton_cg           the same steps by conjugate gradients, from products with the Hessian: where it would not fit
    lbfgs               curvature from the last steps: where a Hessian would not fit
    conjugate_gradient  Polak and Ribiere
    gradient, momentum  steps of one length, by the user's learning rate, or searched for (gradient)
    sgd                 row by row (`online`)

Many rows are first solved for a part of them: the few steps that are left for all rows start near their minimum.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from likely.data.sources import Kept, Source
from likely.errors import InputError
from likely.models.learning.designed import DesignedRows
from likely.models.linear.log_odds.curvature_products import curvature_at
from likely.models.linear.log_odds.objective import SumLoss
from likely.models.linear.log_odds.penalties import Penalty
from likely.numeric.arrays import Floats, Ints
from likely.numeric.kernels.row_by_row.coordinate_descent import lasso_step
from likely.optimize.conjugate_gradient import conjugate_gradient
from likely.optimize.descent import gradient_descent
from likely.optimize.lbfgs import lbfgs
from likely.optimize.minimum import Minimum, Trace
from likely.optimize.newton import newton
from likely.optimize.objectives import Expansion, Objective
from likely.optimize.truncated_newton import truncated_newton

SOLVERS = ("newton", "newton_cg", "lbfgs", "gradient", "momentum", "sgd", "conjugate_gradient")
MOST_CURVED = 3_000  # parameters of which a Hessian is made
_CURVED_WORK = 2e9  # rows times squared weights above which a step of Newton's method takes longer than many without
_PART = 16  # one row in so many is solved for first
_SPARSE_CELLS = 2**20  # cells that are not 0 in a batch of a sparse matrix
_MANY_CELLS = 2**22  # cells of a table whose part is worth it


class Solved(NamedTuple):
    """Where a descent ended, and the Hessian there, penalty included, if it was met on the way."""

    minimum: Minimum
    hessian: Floats | None


def solve(
    rows: Source[DesignedRows],
    vectors: int,
    penalty: Penalty,
    start: Floats,
    solver: str,
    tol: float,
    max_iter: int,
    learning_rate: float | None = None,
    momentum: float = 0.9,
) -> Solved:
    """The minimum of the penalised loss over all rows, from a start (vectors m,)."""
    if penalty.rough:
        if solver != "newton":
            raise InputError(f"solver={solver!r} needs slopes everywhere: with an L1 penalty use solver='newton'")
        return Solved(proximal_newton(SumLoss(rows, vectors), penalty, start, tol, max_iter), None)
    if solver == "newton":
        for part in _parts(rows):
            start = _descend(part, vectors, _thinned(penalty), start, solver, 1e-4, 20, None, 0.0)[0].point
    return _descend(rows, vectors, penalty, start, solver, tol, max_iter, learning_rate, momentum)


def fitting_solver(rows: Source[DesignedRows], weights: int, rough: bool) -> str:
    """Newton's method where its Hessian fits and is made in good time; else of sparse rows its products, or L-BFGS."""
    count = sum(batch.x.shape[0] for batch in rows.held) if isinstance(rows, Kept) else 10**6
    small = weights <= MOST_CURVED and count * float(weights) ** 2 <= _CURVED_WORK
    if small or rough:
        return "newton"
    wide = isinstance(rows, Kept) and hasattr(rows.held[0].x, "indptr") and rows.held[0].x.shape[1] == weights
    return "newton_cg" if wide else "lbfgs"  # of two classes; of more it was not measured


def hessian_at(rows: Source[DesignedRows], vectors: int, penalty: Penalty, point: Floats) -> Floats:
    """The Hessian of the penalised loss at a point."""
    found = SumLoss(rows, vectors).at(point, True) + penalty.smooth(point, True)
    assert found.hessian is not None
    return found.hessian


def gathered(rows: Source[DesignedRows]) -> Source[DesignedRows]:
    """Sparse batches put together to a size that is worth a product; a wide table is cut into very thin ones."""
    if not isinstance(rows, Kept) or len(rows.held) < 2 or not hasattr(rows.held[0].x, "indptr"):
        return rows
    from scipy.sparse import vstack

    groups: list[list[DesignedRows]] = [[]]
    for batch in rows.held:
        if sum(other.x.nnz for other in groups[-1]) >= _SPARSE_CELLS:
            groups.append([])
        groups[-1].append(batch)

    def joined(group: list[DesignedRows]) -> DesignedRows:
        weight = None if group[0].weight is None else np.concatenate([b.weight for b in group if b.weight is not None])
        return DesignedRows(
            vstack([b.x for b in group], format="csr"), np.concatenate([b.codes for b in group]), weight
        )

    return Kept(tuple(map(joined, groups)))


def _descend(
    rows: Source[DesignedRows],
    vectors: int,
    penalty: Penalty,
    start: Floats,
    solver: str,
    tol: float,
    max_iter: int,
    learning_rate: float | None,
    momentum: float,
) -> Solved:
    loss = SumLoss(rows, vectors)
    met: list[tuple[Floats, Expansion]] = [(np.empty(0), Expansion(0.0, np.empty(0)))]  # the last point asked for

    def objective(curved: bool) -> Objective:
        def at(x: Floats) -> Expansion:
            met[0] = (x, loss.at(x, curved) + penalty.smooth(x, curved))
            return met[0][1]

        return at

    options = {"tol": tol, "max_iter": max_iter, "keep_points": False}
    methods: dict[str, Callable[[], Minimum]] = {
        "newton": lambda: newton(objective(True), start, **options),  # type: ignore[arg-type]
        "newton_cg": lambda: truncated_newton(
            objective(False),
            lambda point: curvature_at(rows, vectors, penalty, point),
            start,
            **options,  # type: ignore[arg-type]
        ),
        "lbfgs": lambda: lbfgs(objective(False), start, **options),  # type: ignore[arg-type]
        "conjugate_gradient": lambda: conjugate_gradient(objective(False), start, **options),  # type: ignore[arg-type]
        "gradient": lambda: gradient_descent(objective(False), start, learning_rate, **options),  # type: ignore[arg-type]
        "momentum": lambda: gradient_descent(
            objective(False),
            start,
            learning_rate,
            momentum=momentum,
            **options,  # type: ignore[arg-type]
        ),
    }
    found = methods[solver]()
    point, there = met[0]
    return Solved(found, there.hessian if np.array_equal(point, found.point) else None)


def _parts(rows: Source[DesignedRows]) -> list[Source[DesignedRows]]:
    """A part of many rows, spread over all of them."""
    if not isinstance(rows, Kept) or sum(batch.x.shape[0] * batch.x.shape[1] for batch in rows.held) < _MANY_CELLS:
        return []
    thin = [
        DesignedRows(b.x[::_PART], b.codes[::_PART], None if b.weight is None else b.weight[::_PART]) for b in rows.held
    ]
    return [Kept(tuple(thin))]


def _thinned(penalty: Penalty) -> Penalty:
    """The penalty that weighs as much beside a part of the rows."""
    return replace(penalty, squares=penalty.squares / _PART, tie=penalty.tie / _PART)


def proximal_newton(loss: SumLoss, penalty: Penalty, start: Floats, tol: float, max_iter: int) -> Minimum:
    """Newton's method for a loss with absolute values in its penalty: each quadratic is solved by coordinate descent.

    Of many weights only those are moved that are not 0 or whose slope exceeds the penalty (an active set), until none
    of the others wants to leave 0. It has converged where no component of the smallest subgradient is above tol, in
    units of the largest gradient met.
    """
    x = start.copy()
    b = np.tile(penalty.absolutes, penalty.vectors)

    def smooth(point: Floats, curved: bool) -> Expansion:
        return loss.at(point, curved) + penalty.smooth(point, curved)

    curved = len(x) <= MOST_CURVED
    at, evaluations = smooth(x, curved), 1
    values, norms = [at.value + penalty.rough_value(x)], list[float]()
    steps: list[float] = []
    reason, converged, steepest = "", False, 0.0
    while True:
        norms.append(float(_subgradient(x, at.gradient, b).max()))
        steepest = max(steepest, norms[-1])
        if norms[-1] <= tol * max(1.0, min(abs(values[-1]), steepest)):
            reason, converged = "the subgradient is small", True
        elif len(steps) == max_iter:
            reason = f"max_iter={max_iter} iterations are done"
        if reason:
            break
        step = _lasso_direction(loss, penalty, x, at, b)
        gain = float(at.gradient @ step) + float((b * (np.abs(x + step) - np.abs(x))).sum())
        t, moved = 1.0, False
        while t > 1e-10 and gain < 0:
            there = smooth(x + t * step, curved)
            evaluations += 1
            value = there.value + penalty.rough_value(x + t * step)
            if there.inside and value <= values[-1] + 1e-4 * t * gain + 1e-13 * abs(values[-1]):
                moved = True
                break
            t /= 2
        if not moved:
            small = norms[-1] <= np.sqrt(tol) * max(1.0, min(abs(values[-1]), steepest))
            reason, converged = "value and point no longer change", bool(small)
            break
        x, at = x + t * step, there
        values.append(value)
        steps.append(t)
    trace = Trace(np.empty((0, len(x))), np.array(values), np.array(norms), np.array(steps))
    return Minimum(x, values[-1], at.gradient, len(steps), evaluations, converged, reason, trace)


def _lasso_direction(loss: SumLoss, penalty: Penalty, x: Floats, at: Expansion, b: Floats) -> Floats:
    """To the minimum of the quadratic with its absolute values, over all weights or the active ones."""
    active = np.arange(len(x))
    hessian = at.hessian
    if hessian is None:
        violated = _subgradient(x, at.gradient, b)
        nonzero = np.flatnonzero((x != 0) | (b == 0))
        most = np.argsort(-violated)[: max(MOST_CURVED - len(nonzero), 64)]
        active = np.union1d(nonzero, most[violated[most] > 0])
        hessian = _hessian_of(loss, penalty, x, active)
    step, slope = np.empty(len(active)), np.empty(len(active))
    tol = 1e-16 * max(abs(at.value), 1.0)
    lasso_step(np.ascontiguousarray(hessian), at.gradient[active], x[active], b[active], step, slope, tol, 10_000)
    out = np.zeros_like(x)
    out[active] = step
    return out


def _hessian_of(loss: SumLoss, penalty: Penalty, x: Floats, active: Ints) -> Floats:
    """The Hessian of some of the weights; the term that ties vectors is left to the line search."""
    hessian = loss.curvature_of(x, active)
    hessian[np.diag_indices(len(active))] += penalty.squares[active % len(penalty.squares)]
    return hessian


def _subgradient(x: Floats, gradient: Floats, b: Floats) -> Floats:
    """The size of each component of the smallest subgradient."""
    at_zero = np.maximum(np.abs(gradient) - b, 0.0)
    return np.where(x == 0, at_zero, np.abs(gradient + b * np.sign(x)))
