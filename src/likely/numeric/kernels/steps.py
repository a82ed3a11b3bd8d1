"""Steps of stochastic descent, in place and in one pass: the gradient, weight decay and what is remembered of steps."""

import math

from likely.numeric.jit import kernel


@kernel
def momentum_step(point, gradient, decay, velocity, rate, momentum):  # type: ignore[no-untyped-def]
    """Move weights (p,): v <- momentum v - rate (g + decay w), w <- w + v; a momentum of 0 is plain descent."""
    for i in range(point.shape[0]):
        velocity[i] = momentum * velocity[i] - rate * (gradient[i] + decay[i] * point[i])
        point[i] += velocity[i]


@kernel
def adam_step(point, gradient, decay, first, second, rate, keep_first, keep_second, root, tiny):  # type: ignore[no-untyped-def]
    """Adam (Kingma and Ba, 2015): `rate` and `root` hold the corrections of the first steps."""
    for i in range(point.shape[0]):
        g = gradient[i] + decay[i] * point[i]
        first[i] = keep_first * first[i] + (1 - keep_first) * g
        second[i] = keep_second * second[i] + (1 - keep_second) * g * g
        point[i] -= rate * first[i] / (math.sqrt(second[i]) * root + tiny)
