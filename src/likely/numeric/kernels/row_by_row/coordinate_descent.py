"""The minimum of a quadratic form plus absolute values, one coordinate at a time."""

from likely.numeric.jit import kernel


@kernel
def lasso_step(hessian, gradient, point, absolutes, step, slope, tol, max_sweeps):  # type: ignore[no-untyped-def]
    """Fill `step` (p,) with the d that makes g'd + 1/2 d'Hd + sum_j b_j |x_j + d_j| small; `slope` (p,) holds g + H d.

    Each coordinate goes to its own minimum in turn (soft thresholding), until no one moves by more than `tol` in units
    of its curvature. Gives the number of sweeps.
    """
    p = gradient.shape[0]
    for j in range(p):
        step[j] = 0.0
        slope[j] = gradient[j]
    for sweep in range(max_sweeps):
        largest = 0.0
        for j in range(p):
            curve = hessian[j, j]
            if curve <= 0.0:
                continue
            before = point[j] + step[j]
            free = before - slope[j] / curve
            bound = absolutes[j] / curve
            after = free - bound if free > bound else (free + bound if free < -bound else 0.0)
            change = after - before
            if change != 0.0:
                step[j] += change
                for i in range(p):
                    slope[i] += hessian[i, j] * change
                moved = change * change * curve
                largest = moved if moved > largest else largest
        if largest <= tol:
            return sweep + 1
    return max_sweeps
