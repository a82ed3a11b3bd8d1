"""Classes on a line: what is said where, where that changes, and how much of each class lies there.

Of Gaussian classes all of it is exact. Of others the points are found on a grid and then to the last digits by halving,
and areas are sums of trapezoids over 20,001 points of where the classes lie.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import inf

import numpy as np

from likely.decisions.optimal.bayes_error import error_of_regions, gaussian_regions
from likely.decisions.optimal.boundaries import Region
from likely.decisions.optimal.population import Population
from likely.errors import InputError
from likely.figures.laws.ellipses import moments_of
from likely.numeric.arrays import Floats
from likely.numeric.logspace import log_of

_REACH = 4.0  # deviations from the means that are shown
_DRAWN = 2000  # rows of each class that show where one that is not Gaussian lies
_FINE = 20_001
_FLOOR = -1e4  # nats below which nothing is compared


def normal_classes(population: Population) -> tuple[Floats, Floats] | None:
    """Means and deviations (k,) of classes that are Gaussian; None of others."""
    found = moments_of(population.distribution)
    if found is None:
        return None
    mean, covariance = found
    return (mean[:, 0], np.sqrt(covariance[:, 0, 0])) if mean.shape[1] == 1 else None


def check_line(population: Population) -> None:
    """A population of one real number, or a complaint."""
    try:
        drawn = np.asarray(population.draw(_DRAWN, 0)[0], dtype=np.float64)
    except (TypeError, ValueError):
        drawn = np.zeros((0, 2))
    if drawn.ndim != 2 or drawn.shape[1] != 1:
        raise InputError("boundaries on a line are drawn of classes of one number; give a model or law of one feature")
    if (drawn == np.floor(drawn)).all():
        raise InputError("these classes are of whole numbers; ClassDensitiesDisplay draws their bars")


def log_joint_at(population: Population, x: Floats) -> Floats:
    """Log of prior times density (n, k)."""
    density = np.asarray(population.distribution.log_density(np.reshape(x, (-1, 1))), dtype=np.float64)
    return np.asarray(density + log_of(population.prior))


def shown_range(population: Population) -> tuple[float, float]:
    """Where the classes lie."""
    normal = normal_classes(population)
    if normal is not None:
        mean, deviation = normal
        return float((mean - _REACH * deviation).min()), float((mean + _REACH * deviation).max())
    members = np.repeat(np.arange(population.members), _DRAWN)
    drawn = np.asarray(population.distribution.sample(members, np.random.default_rng(0)), dtype=np.float64)
    margin = 0.05 * float(np.ptp(drawn)) or 1.0
    return float(drawn.min()) - margin, float(drawn.max()) + margin


def best_regions(population: Population) -> tuple[Region, ...]:
    """What the best rule says, from minus to plus infinity."""
    normal = normal_classes(population)
    if normal is not None:
        return gaussian_regions(*normal, population.prior)
    x = np.linspace(*shown_range(population), _FINE)
    joint = np.maximum(log_joint_at(population, x), _FLOOR)
    code = joint.argmax(axis=1)
    turns = np.flatnonzero(np.diff(code))
    cuts = [_turn(population, float(x[i]), float(x[i + 1]), int(code[i]), int(code[i + 1])) for i in turns]
    said = [int(code[0]), *(int(code[i + 1]) for i in turns)]
    return tuple(Region(*ends, member) for ends, member in zip(pairwise([-inf, *cuts, inf]), said, strict=True))


def halves(population: Population, boundary: float) -> tuple[Region, ...]:
    """Two classes told apart at a boundary, the way round that errs less."""
    if population.members != 2:
        raise InputError(f"a boundary parts two classes, there are {population.members}; give regions instead")
    ways = [(Region(-inf, boundary, first), Region(boundary, inf, 1 - first)) for first in (0, 1)]
    return min(ways, key=lambda way: float(lost(population, way).sum()))


def lost(population: Population, regions: Sequence[Region]) -> Floats:
    """P(error, class) of every class (k,), when each region says its own."""
    normal = normal_classes(population)
    if normal is not None:
        return error_of_regions(regions, *normal, population.prior)
    x = np.linspace(*shown_range(population), _FINE)
    height = np.exp(log_joint_at(population, x))
    heap = np.concatenate([np.zeros((1, height.shape[1])), np.cumsum((height[1:] + height[:-1]) / 2, axis=0)])
    heap *= population.prior / np.where(heap[-1] > 0, heap[-1], 1.0)
    found = np.zeros(population.members)
    for region in regions:
        ends = [[np.interp(end, x, column) for column in heap.T] for end in (region.low, region.high)]
        mass = np.subtract(ends[1], ends[0])
        mass[region.member] = 0.0
        found += mass
    return found


def _turn(population: Population, low: float, high: float, before: int, after: int) -> float:
    """The point between two of the grid at which one class gives way to another."""
    for _ in range(60):
        middle = (low + high) / 2
        joint = np.maximum(log_joint_at(population, np.array([middle]))[0], _FLOOR)
        if joint[before] >= joint[after]:
            low = middle
        else:
            high = middle
    return (low + high) / 2
