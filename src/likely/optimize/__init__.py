"""Optimisation: minima, line searches, linear systems and checks of derivatives, for objectives that add up over data.

newton, lbfgs, conjugate_gradient, gradient_descent    minima of smooth functions, each a `Minimum` with its trace
truncated_newton                                       of many weights, from products with the Hessian
line_search                                            how far to go along a direction
minimum_of_quadratic                                   the minimum of a quadratic form, in closed form
solve_linear, solve_by_conjugate_gradients             linear systems of any shape, and of huge size
additive, negative, Expansion                          objectives as sums over parts, and to be made large
gradient_check, numerical_gradient, convexity_check    whether a gradient and a claim of convexity are right
jacobian, hessian, taylor                              derivatives from values, and the polynomial that touches

>>> newton(lambda x: (x[0] ** 4 - x[0], 4 * x**3 - 1, [[12 * x[0] ** 2]]), [1.0]).point.round(6)
array([0.629961])
"""

from likely.optimize.conjugate_gradient import conjugate_gradient, solve_by_conjugate_gradients
from likely.optimize.derivatives import (
    ConvexityCheck,
    GradientCheck,
    convexity_check,
    gradient_check,
    numerical_gradient,
    taylor,
)
from likely.optimize.descent import gradient_descent
from likely.optimize.differences import hessian, jacobian
from likely.optimize.lbfgs import lbfgs
from likely.optimize.line_search import LineStep, line_search
from likely.optimize.minimum import Minimum, Trace
from likely.optimize.newton import newton
from likely.optimize.objectives import Expansion, additive, negative
from likely.optimize.quadratic import QuadraticMinimum, minimum_of_quadratic
from likely.optimize.systems import LinearSolution, solve_linear
from likely.optimize.truncated_newton import truncated_newton

__all__ = [
    "ConvexityCheck",
    "Expansion",
    "GradientCheck",
    "LineStep",
    "LinearSolution",
    "Minimum",
    "QuadraticMinimum",
    "Trace",
    "additive",
    "conjugate_gradient",
    "convexity_check",
    "gradient_check",
    "gradient_descent",
    "hessian",
    "jacobian",
    "lbfgs",
    "line_search",
    "minimum_of_quadratic",
    "negative",
    "newton",
    "numerical_gradient",
    "solve_by_conjugate_gradients",
    "solve_linear",
    "taylor",
    "truncated_newton",
]
