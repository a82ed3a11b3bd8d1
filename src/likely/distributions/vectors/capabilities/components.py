"""Gaussian vectors as components of a mixture, held open.

Prior of each covariance S, with W the overall covariance, which no pass of EM changes (of a statistic with gaps that of
its pairs of cells, `complete_pairs`):

    log p(S) = -rows / 2 [ log det S + trace(S^-1 W) ] + constant

that of `rows` pseudo-rows about the component's own mean. Of n rows with scatter C the most probable S is

    S = (C + rows W) / (n + rows)

and no S is below `narrowest` W in any direction: its eigenvalues, in coordinates in which W is the unit matrix, are cut
off below, which is the most probable S under that constraint; in one dimension the rule of `conjugate.components`.
"""

import numpy as np

from likely.distributions.conjugate.components import Component
from likely.distributions.vectors.covariances.complete_pairs import completed
from likely.distributions.vectors.covariances.overall_covariance import Overall
from likely.distributions.vectors.elliptical import Elliptical
from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.numeric.arrays import Floats
from likely.numeric.linear.covariance import cholesky, inverse_lower, lower_from_rows, solve_lower
from likely.statistics.summing.scatter import Scatter


def held_open_vectors(
    fitted: MultivariateGaussian, statistic: Scatter, shared: bool, how: Component
) -> MultivariateGaussian:
    """Components with the means of `fitted`, their covariances the most probable.

    A statistic with gaps, as a start has, is taken for one of complete rows with the covariances of `fitted`.
    """
    whole = _overall(statistic, how)
    rows = float(whole.weight[0])
    if not rows > 0:
        return fitted
    overall = Overall.of(whole.deviations[0] / rows, np.zeros(statistic.features))
    count = np.asarray(statistic.weight, dtype=np.float64)
    complete = statistic.canonical().complete
    scatter = statistic.deviations if complete else fitted.covariance * count[:, None, None]
    if shared:
        scatter, count = scatter.sum(axis=0, keepdims=True), count.sum(keepdims=True)
    spread = overall.correlation  # of the columns that carry information, in units of their overall deviations
    white, factors = inverse_lower(overall.factor), []
    for c, n in zip(scatter, count, strict=True):
        known = n + how.rows > 0  # else the component has no row, and is as wide as everything
        covariance = (overall.standardized(c) + how.rows * spread) / (n + how.rows) if known else spread
        factors.append(_factor(covariance, overall.factor, white, how.narrowest))
    expanded = np.stack([overall.expanded(factor) for factor in factors])
    return MultivariateGaussian(Elliptical(fitted.mean, expanded, overall.columns))


def _factor(covariance: Floats, overall: Floats, white: Floats, narrowest: float) -> Floats:
    """The lower triangular L with L L' = S, no eigenvalue of S below the narrowest in units of the overall one."""
    values, vectors = np.linalg.eigh(white @ covariance @ white.T)
    if len(values) and values[0] < narrowest:
        wide = np.sqrt(np.maximum(values, narrowest))
        return lower_from_rows((overall @ (vectors * wide)).T)
    factor = cholesky(covariance)
    assert factor is not None  # its eigenvalues are positive
    return factor


def log_prior_of_vectors(fitted: MultivariateGaussian, statistic: Scatter, how: Component) -> float:
    """The log prior of the covariances, but for a constant."""
    whole = _overall(statistic, how)
    shape, rows = fitted.shape, float(whole.weight[0])
    columns = shape.columns
    if how.rows == 0 or not rows > 0 or not len(columns):
        return 0.0
    overall = whole.deviations[0][np.ix_(columns, columns)] / rows
    total = 0.0
    for factor in shape.factor[:, columns]:
        white = solve_lower(factor, solve_lower(factor, overall).T)
        total += 2 * float(np.log(np.abs(np.diagonal(factor))).sum()) + float(np.trace(white))
    return -0.5 * how.rows * total


def _overall(statistic: Scatter, how: Component) -> Scatter:
    whole: Scatter = how.overall(statistic).canonical()
    return whole if whole.complete else completed(whole, shared=False, ddof=0)
