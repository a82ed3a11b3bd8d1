"""From an additive loss and a penalty to the weights that make their sum small, by a solver of that name.

    newton              Newton's method (iteratively reweighted least squares); with absolute values in the penalty,
                        coordinate descent on each quadratic (Friedman, Hastie, Tibshirani, J. Stat. Software 33, 2010)
    newton_cg           the same steps by conjugate gradients, from products with the Hessian: where it would not fit
    lbfgs               curvature from the last steps: where a Hessian would not fit
    conjugate_gradient  Polak and Ribiere
    gradient, momentum  steps of one length, by the user's learning rate, or searched for (gradient)
    sgd                 row by row (`online`)

Many rows are first solved for a part of them: the few steps that are left for all rows start near their minimum. Where
Hessians of all rows take long but weights are not too many ("auto"), that of the part is enough for those steps too: it
stands for the curvature in L-BFGS, whose every step then costs no more than a gradient. Where a part does not stand for
the whole (a class with a handful of rows, columns with few far values), Newton's steps with all rows follow.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from likely.data.sources import Kept, Source
from likely.engines.local import one_blas_thread
from likely.errors import InputError
from likely.models.learning.designed import DesignedRows
from likely.models.linear.log_odds.curvature_products import curvature_at
from likely.models.linear.log_odds.generative_start import generative_start
from likely.models.linear.log_odds.objective import SumLoss
from likely.models.linear.log_odds.penalties import Penalty
from likely.models.linear.log_odds.portions import lightened, part_of, thinned
from likely.numeric.arrays import Floats, Ints
from likely.numeric.kernels.row_by_row.coordinate_descent import lasso_step
from likely.optimize.conjugate_gradient import conjugate_gradient
from likely.optimize.descent import gradient_descent
from likely.optimize.lbfgs import lbfgs
from likely.optimize.line_search import line_search
from likely.optimize.minimum import Minimum, Trace
from likely.optimize.newton import inverse_of, newton, newton_step
from likely.optimize.objectives import Expansion, Objective
from likely.optimize.truncated_newton import truncated_newton

SOLVERS = ("newton", "newton_cg", "lbfgs", "gradient", "momentum", "sgd", "conjugate_gradient")
PARTLY = "partly"  # the Hessian of a part of the rows in place of theirs
MOST_CURVED = 3_000  # parameters of which a Hessian is made
_CURVED_WORK = 2e9  # rows times squared weights above which a step of Newton's method takes longer than many without
_PART_STEPS = 20  # of Newton's method for the part, at most
_PARTLY_STEPS = 30  # of L-BFGS with that Hessian: more cost as much as Newton's with their own
_PART_WORK = 4e9  # rows of the part times squared weights


class Solved(NamedTuple):
    """Where a descent ended, and the Hessian there, penalty included, if it was met on the way."""

    minimum: Minimum
    hessian: Floats | None


@one_blas_thread()
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
    """The minimum of the penalised loss over all rows, from a start (vectors m,).

    BLAS keeps to one thread throughout: between the sums its others would wait by spinning, and take their cores.
    """
    if penalty.rough:
        if solver != "newton":
            raise InputError(f"solver={solver!r} needs slopes everywhere: with an L1 penalty use solver='newton'")
        return Solved(proximal_newton(SumLoss(rows, vectors), penalty, start, tol, max_iter), None)
    every, known = part_of(rows) if solver in ("newton", PARTLY) else 1, None
    if every > 1:
        light, part = lightened(penalty, every), thinned(rows, every)
        start, hessian = _near(part, vectors, light, start, 1.0 if solver == PARTLY else 0.01)
        known = every * hessian
    if solver != PARTLY:
        return _descend(rows, vectors, penalty, start, solver, tol, max_iter, learning_rate, momentum)
    few = min(_PARTLY_STEPS, max_iter)
    found = _descend(rows, vectors, penalty, start, "lbfgs", tol, few, None, 0.0, known)
    if found.minimum.converged or few == max_iter:
        return found
    then = _descend(rows, vectors, penalty, found.minimum.point, "newton", tol, max_iter - few, None, 0.0)
    return then._replace(minimum=_continued(found.minimum, then.minimum))


def _continued(first: Minimum, then: Minimum) -> Minimum:
    """One descent, of two of which the second starts where the first ended."""
    ways = [
        np.concatenate([a, b[skip:]]) for a, b, skip in zip(first.trace[1:], then.trace[1:], (1, 1, 0), strict=True)
    ]
    counts = {name: getattr(first, name) + getattr(then, name) for name in ("iterations", "evaluations")}
    return replace(then, trace=Trace(then.trace.points, *ways), **counts)


def _near(
    part: Source[DesignedRows], vectors: int, penalty: Penalty, start: Floats, enough: float
) -> tuple[Floats, Floats]:
    """A point near the minimum over a part of the rows, and the Hessian there.

    It is near where a step of Newton's method would gain no more than `enough` times half a unit a weight: so much a
    minimum over a part is off by chance (twice a log likelihood that is gained has a chi-square law). Of several
    classes it starts at the weights of Gaussian ones, unless those tell the rows worse than 0 does.
    """
    loss = SumLoss(part, vectors)

    def objective(x: Floats) -> Expansion:
        return loss.at(x, True) + penalty.smooth(x, True)

    x, at = start, None
    if vectors > 1 and not start.any():
        x = generative_start(part, vectors).ravel()
        at = objective(x) if np.isfinite(x).all() else None
        rows = sum(len(b.codes) if b.weight is None else float(b.weight.sum()) for b in part.batches())
        if at is None or not at.value < rows * np.log(vectors):
            x, at = start, None
    at = objective(x) if at is None else at
    for _ in range(_PART_STEPS):
        assert at.hessian is not None
        step = newton_step(at.hessian, at.gradient)
        if not float(at.gradient @ step) > enough * len(x):
            break
        found = line_search(objective, x, -step, here=at, curvature=None)
        if not found.found:
            break
        x, at = found.point, found.there
    assert at.hessian is not None
    return x, at.hessian


def fitting_solver(rows: Source[DesignedRows], weights: int, rough: bool) -> str:
    """Newton's method where its Hessian, or that of a part, is made in good time; else its products, or L-BFGS."""
    count = sum(batch.x.shape[0] for batch in rows.held) if isinstance(rows, Kept) else 10**6
    fits = weights <= MOST_CURVED
    if rough or (fits and count * float(weights) ** 2 <= _CURVED_WORK):
        return "newton"
    every = part_of(rows)
    if fits and every > 1 and count / every * float(weights) ** 2 <= _PART_WORK:
        return PARTLY
    wide = isinstance(rows, Kept) and hasattr(rows.held[0].x, "indptr") and rows.held[0].x.shape[1] == weights
    return "newton_cg" if wide else "lbfgs"  # of two classes; of more it was not measured


def solver_for_choice(rows: Source[DesignedRows], weights: int, most: int) -> str:
    """For fits of several penalties that each need the Hessian: by that of a part and one of all rows at the end, where
    rows are many and weights at most `most`.
    """
    return PARTLY if weights <= most and fitting_solver(rows, weights, False) == PARTLY else "newton"


def hessian_at(rows: Source[DesignedRows], vectors: int, penalty: Penalty, point: Floats) -> Floats:
    """The Hessian of the penalised loss at a point."""
    found = SumLoss(rows, vectors).at(point, True) + penalty.smooth(point, True)
    assert found.hessian is not None
    return found.hessian


def convergence_warning() -> type[Warning]:
    """scikit-learn's own, for those who filter by it, where it is loaded."""
    loaded = sys.modules.get("sklearn.exceptions")
    return getattr(loaded, "ConvergenceWarning", UserWarning)


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
    known: Floats | None = None,
) -> Solved:
    """By the solver of this name; `known` is about the Hessian, for L-BFGS."""
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
        "lbfgs": lambda: lbfgs(
            objective(False),
            start,
            inverse=None if known is None else inverse_of(known),
            **options,  # type: ignore[arg-type]
        ),
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
