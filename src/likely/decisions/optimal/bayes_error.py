"""The Bayes error: the least probability of error that any classifier can have on a population.

    P(error) = sum over k of P(k) P(another class is said | k) = integral of [sum_k P(k) p(x | k) - max_k P(k) p(x | k)]

Exact     Gaussians on a line: where the best class changes (`boundaries`), then areas under tails. Discrete features: a
          sum over all cells. Classes with one covariance: only the directions between the means matter, so two classes
          are a line in any dimension.
Quadrature  Gaussians in the plane: exact along every line, the lines integrated adaptively.
Sampling  everything else: the mean of 1 - max P(k | x) over rows drawn from the population, with its standard error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import inf
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import PriorLike
from likely.decisions.optimal.boundaries import Region, decision_points, regions
from likely.decisions.optimal.population import Population
from likely.errors import InputError, check_choice, check_whole
from likely.models.any_classifier.posteriors import read_class_prior
from likely.numeric.arrays import Array, Floats, in_brief
from likely.numeric.linear.covariance import is_positive_definite, whitening
from likely.numeric.logspace import log_of
from likely.numeric.random_state import Seed

Method: TypeAlias = Literal["auto", "exact", "quadrature", "sampling"]

_CELLS = 1_000_000  # of a discrete table that is summed over
_REACH = 12.0  # deviations beyond which a Gaussian is nothing


@dataclass(frozen=True)
class BayesError:
    """A Bayes error, the least there is, with how it was found and how well it is known."""

    value: float
    standard_error: float  # of sampling; for quadrature the bound of its own error; 0 if exact
    per_class: Floats  # (k,)  P(error | class) under the best rule; 0 for a class that never occurs
    method: str

    __repr__ = in_brief

    @property
    def best_accuracy(self) -> float:
        """What no classifier exceeds: 1 less the Bayes error."""
        return 1.0 - self.value


def bayes_error(
    population: Population | Any, method: Method = "auto", n_samples: int = 100_000, random_state: Seed = 0
) -> BayesError:
    """The Bayes error of a population, by the best method there is for it unless one is named.

    Of a fitted generative model (`Population.of(model)`) it is the error that the model expects of itself.

    >>> from likely.distributions import Gaussian
    >>> two = Population.of(Gaussian(np.array([[0.0], [2.0]]), np.ones((2, 1))))
    >>> bayes_error(two).value, bayes_error(two).method
    (0.158655253931..., 'exact')
    """
    check_choice("method", method, ("auto", "exact", "quadrature", "sampling"))
    if not isinstance(population, Population):
        population = Population.of(population)
    if method == "sampling":
        return _sampled(population, n_samples, random_state)
    gaussian = _gaussian(population)
    if gaussian is not None:
        mean, covariance = gaussian
        dimensions = mean.shape[1]
        if dimensions == 0:
            return _never_told_apart(population.prior)
        if dimensions == 1 and method != "quadrature":
            return _on_a_line(mean[:, 0], np.sqrt(covariance[:, 0, 0]), population.prior)
        if dimensions == 2 and method != "exact":
            return _in_the_plane(mean, covariance, population.prior)
    elif method != "quadrature":
        joint = _table(population)
        if joint is not None:
            return bayes_error_of_table(joint)
    if method == "auto":
        return _sampled(population, n_samples, random_state)
    raise InputError(
        f"there is no {method} Bayes error for this {type(population.distribution).__name__}: exact is for Gaussians "
        "on a line and discrete features, quadrature for Gaussians in the plane; use method='sampling'"
    )


def bayes_error_of_table(joint: ArrayLike) -> BayesError:
    """The Bayes error from joint probabilities P(x, k) of the cells x of a discrete feature (m, k).

    Parameters
    ----------
    joint : P(x, k), a row for each cell x and a column for each class k; they sum to 1

    >>> bayes_error_of_table([[0.45, 0.05], [0.12, 0.18], [0.10, 0.10]]).value
    0.27
    """
    table = np.asarray(joint, dtype=np.float64)
    if table.ndim != 2 or not np.isfinite(table).all() or (table < 0).any() or abs(table.sum() - 1) > 1e-6:
        raise InputError("joint probabilities (cells, classes) are not negative and sum to 1")
    wrong = np.ones(table.shape, dtype=bool)
    wrong[np.arange(len(table)), table.argmax(axis=1)] = False
    missed = np.where(wrong, table, 0.0).sum(axis=0)
    return BayesError(float(missed.sum()), 0.0, _per_class(missed, table.sum(axis=0)), "exact")


def gaussian_regions(mean: ArrayLike, deviation: ArrayLike, prior: PriorLike = "uniform") -> tuple[Region, ...]:
    """Decision regions of k Gaussians on a line: which is the most likely where, from minus to plus infinity.

    >>> for region in gaussian_regions([0, 4, 2], [1, 1, 0.5], [0.4, 0.4, 0.2]):
    ...     print(f"{region.low:.2f} to {region.high:.2f}: class {region.member}")
    -inf to 1.33: class 0
    1.33 to 2.67: class 2
    2.67 to inf: class 1
    """
    m, s, p = _line(mean, deviation, prior)
    if len(m) == 2:
        return regions(m, s, p)
    present = np.flatnonzero(p)
    points = {float(x) for i, j in combinations(present, 2) for x in decision_points(m[[i, j]], s[[i, j]], p[[i, j]])}
    edges = [-inf, *sorted(points), inf]
    found: list[Region] = []
    for low, high in pairwise(edges):
        winner = _winner(_inside(low, high, s.max(), float(m.mean())), m, s, p)
        if found and found[-1].member == winner:
            low = found.pop().low
        found.append(Region(low, high, winner))
    return tuple(found)


def error_of_regions(
    regions: Sequence[Region], mean: ArrayLike, deviation: ArrayLike, prior: PriorLike = "uniform"
) -> Floats:
    """P(error, class) of each of k Gaussians on a line (k,) when each region says its class; their sum is the error.

    >>> halves = [Region(-np.inf, 0.5, 0), Region(0.5, np.inf, 1)]
    >>> error_of_regions(halves, [0, 2], [1, 1]).sum()
    np.float64(0.187672369...)
    """
    m, s, p = _line(mean, deviation, prior)
    ordered = sorted(regions, key=lambda region: region.low)
    edges = [ordered[0].low, *(region.high for region in ordered)] if ordered else []
    touching = all(a.high == b.low for a, b in pairwise(ordered))
    if not ordered or edges[0] != -inf or edges[-1] != inf or not touching:
        raise InputError("regions must cover the line from minus to plus infinity without gap or overlap")
    if any(not 0 <= region.member < len(p) for region in ordered):
        raise InputError(f"a region says a class that is none of the {len(p)}")
    mass = _areas((np.array(edges)[:, None] - m) / s)  # (regions, k)
    said = np.array([region.member for region in ordered])
    wrong = said[:, None] != np.arange(len(p))
    return np.asarray(p * np.where(wrong, mass, 0.0).sum(axis=0))


def _on_a_line(mean: Floats, deviation: Floats, prior: Floats) -> BayesError:
    missed = error_of_regions(gaussian_regions(mean, deviation, prior), mean, deviation, prior)
    return BayesError(float(missed.sum()), 0.0, _per_class(missed, prior), "exact")


def _in_the_plane(mean: Floats, covariance: Floats, prior: Floats) -> BayesError:
    """Along the line at x1 every class is a Gaussian in x2 again, with weight P(k) p(x1 | k)."""
    from scipy.integrate import quad_vec

    first, second = mean[:, 0], mean[:, 1]
    spread = np.sqrt(covariance[:, 0, 0])
    slope = covariance[:, 0, 1] / covariance[:, 0, 0]
    rest = np.sqrt(covariance[:, 1, 1] - slope * covariance[:, 0, 1])

    def missed_at(x: float) -> Floats:
        log_weight = _log_joint(x, first, spread, prior)
        largest = log_weight.max()
        weight = np.exp(log_weight - largest)
        total = weight.sum()
        here = second + slope * (x - first)
        missed = error_of_regions(gaussian_regions(here, rest, weight / total), here, rest, weight / total)
        return np.asarray(missed * total * np.exp(largest))

    present = prior > 0
    ends = (first - _REACH * spread)[present].min(), (first + _REACH * spread)[present].max()
    inner = [x for step in (-3, 0, 3) for x in (first + step * spread)[present]]
    missed, bound, *_ = quad_vec(missed_at, *ends, epsabs=1e-9, epsrel=1e-9, limit=2000, points=sorted(set(inner)))
    return BayesError(float(missed.sum()), float(bound), _per_class(missed, prior), "quadrature")


def _never_told_apart(prior: Floats) -> BayesError:
    missed = prior.copy()
    missed[prior.argmax()] = 0.0
    return BayesError(float(missed.sum()), 0.0, _per_class(missed, prior), "exact")


def _sampled(population: Population, n: int, random_state: Seed) -> BayesError:
    check_whole("n_samples", n, 2)
    x, _ = population.draw(n, random_state)
    posterior = np.exp(population.log_posterior(x))
    posterior[np.arange(n), posterior.argmax(axis=1)] = 0.0
    error = posterior.sum(axis=1)
    standard_error = float(error.std(ddof=1) / np.sqrt(n))
    return BayesError(
        float(error.mean()), standard_error, _per_class(posterior.mean(axis=0), population.prior), "sampling"
    )


def _per_class(missed: Floats, prior: Floats) -> Floats:
    return np.asarray(np.minimum(missed / np.where(prior > 0, prior, 1.0), 1.0))


def _gaussian(population: Population) -> tuple[Floats, Floats] | None:
    """Means (k, r) and covariances (k, r, r) in as few dimensions as tell the classes apart; None: not Gaussian."""
    found = getattr(population.distribution, "as_gaussians", lambda: None)()
    if found is None:
        return None
    mean, covariance = (np.asarray(part, dtype=np.float64) for part in found)
    if not np.isfinite(mean).all() or not all(is_positive_definite(s) for s in covariance):
        return None
    if (covariance == covariance[0]).all() and mean.shape[1] > 1:
        return _between_means(mean, covariance[0])
    return mean, covariance


def _between_means(mean: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """Whitened, and seen only in the directions in which the means differ."""
    white = (mean - mean[0]) @ whitening(covariance).T
    _, size, axes = np.linalg.svd(white, full_matrices=False)
    kept = axes[size > 1e-12 * max(size[0], 1e-300)] if size[0] > 0 else axes[:0]
    return white @ kept.T, np.broadcast_to(np.eye(len(kept)), (len(mean), len(kept), len(kept)))


def _table(population: Population) -> Floats | None:
    """Joint probabilities of all cells, where features are discrete and the cells can be counted."""
    law = population.distribution
    rows = getattr(law, "every_row", lambda _: None)(_CELLS)
    if rows is None:
        return None
    joint = np.exp(law.log_density(rows) + log_of(population.prior))
    return np.asarray(joint / joint.sum())


def _line(mean: ArrayLike, deviation: ArrayLike, prior: PriorLike) -> tuple[Floats, Floats, Floats]:
    m, s = np.asarray(mean, dtype=np.float64), np.asarray(deviation, dtype=np.float64)
    if m.ndim != 1 or m.shape != s.shape or len(m) == 0:
        raise InputError(f"each class on a line has a mean and a deviation, got shapes {m.shape} and {s.shape}")
    if not (np.isfinite(m).all() and np.isfinite(s).all() and (s > 0).all()):
        raise InputError(f"means must be finite and deviations positive, got {m.tolist()} and {s.tolist()}")
    return m, s, read_class_prior(prior, np.arange(len(m)), "prior")


def _log_joint(x: float, mean: Floats, deviation: Floats, prior: Floats) -> Floats:
    z = (x - mean) / deviation
    return np.asarray(-0.5 * z * z - np.log(deviation) - 0.5 * np.log(2 * np.pi) + log_of(prior))


def _winner(points: list[float], mean: Floats, deviation: Floats, prior: Floats) -> int:
    """The class that is largest in an interval without a crossing, told at the clearest of some points of it.

    Two curves may touch at a point and be parted elsewhere, so that one point may not tell.
    """
    if len(mean) == 1:
        return 0
    found = np.stack([_log_joint(x, mean, deviation, prior) for x in points])
    second, first = np.sort(found, axis=1)[:, -2:].T
    return int(found[int(np.argmax(np.where(np.isfinite(second), first - second, inf)))].argmax())


def _inside(low: float, high: float, step: float, centre: float) -> list[float]:
    """Points of an interval, which may be endless; of a wide one near the classes, where densities have digits."""
    if low == -inf and high == inf:
        return [centre, centre + 0.37 * step, centre - 0.61 * step]
    if high - low <= 2 * step:
        return [low + share * (high - low) for share in (0.5, 0.37, 0.71)]
    away = [step, 0.37 * step, 1.61 * step]
    near_low = abs(low - centre) <= abs(high - centre)
    return [low + far for far in away] if near_low else [high - far for far in away]


def _areas(z: Array) -> Floats:
    """Mass of a standard Gaussian between neighbouring edges (axis 0), from the nearer tail so that none is lost."""
    from scipy.special import ndtr

    low, high = z[:-1], z[1:]
    return np.asarray(np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)))
