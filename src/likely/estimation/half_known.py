"""Incomplete multinomial counts by EM: cells of which some were counted only together, linear in one parameter.

    P(cell j) = a_j + b_j theta,   sum a_j = 1,  sum b_j = 0
    E:  n_j = n_g P(j) / sum_{i in g} P(i)        a group's count is shared out among its cells
    M:  theta with sum_j n_j b_j / P(j) = 0       a function that only falls, so one root

With theta known, the expected counts are known, and with all counts known, theta is. EM goes to and fro between the two
until they agree. Grades A, B, C, D of probabilities 1/2, t, 2t, 1/2 - 3t of which only A and B together were counted
are one case; the linkage of genes is another. The log-likelihood of what was counted, sum_g n_g ln sum_{j in g} P(j),
is concave in theta: every start between the bounds leads to the same answer. At a bound a cell that has no probability
gets no share of its group's count, and EM would stay there whatever was counted: such a start is moved inside by a
thousandth of the way.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from likely.distributions.combined.expectation import expectation_maximization
from likely.errors import InputError
from likely.estimation.likelihoods.invariance import with_error
from likely.numeric.arrays import Array, Floats
from likely.numeric.special.roots import bracketed_roots
from likely.probability.given import number

Group: TypeAlias = str | tuple[str, ...]

_INSIDE = 1e-3  # of the way between the bounds: as near to one of them as EM may start


class HalfKnownFit(NamedTuple):
    """Where EM came to rest, as `HalfKnownCounts.fit` returns it."""

    parameter: float
    standard_error: float  # from the curvature of the log-likelihood of what was counted; NaN if its top is at a bound
    expected: dict[str, float]  # counts of all cells
    log_likelihood: float
    converged: bool
    trace: Floats  # (t,)  the parameter at every pass

    def __str__(self) -> str:
        counts = ", ".join(f"{cell} {count:.4g}" for cell, count in self.expected.items())
        rest = "at rest" if self.converged else "not at rest"
        error = with_error(self.standard_error, self.standard_error != self.standard_error)
        return (
            f"parameter {self.parameter:.6g} {error}, expected counts {counts}; "
            f"{rest} after {len(self.trace)} passes, log-likelihood {self.log_likelihood:.4g}"
        )


@dataclass(frozen=True, eq=False)
class HalfKnownCounts:
    """Incomplete multinomial data: counts of cells, or of several together, and probabilities linear in a parameter.

    `counts` maps a cell, or a tuple of cells counted together, to a count; `cells` maps a cell to (a, b).

    >>> grades = HalfKnownCounts(
    ...     counts={("A", "B"): 20, "C": 10, "D": 10},
    ...     cells={"A": (1 / 2, 0), "B": (0, 1), "C": (0, 2), "D": (1 / 2, -3)},
    ... )
    >>> fit = grades.fit(hidden={"A": 15, "B": 5})
    >>> fit.trace[:3].round(4), round(fit.parameter, 6)
    (array([0.1   , 0.0952, 0.0948]), 0.094788)
    >>> {cell: round(count, 3) for cell, count in fit.expected.items()}
    {'A': 16.813, 'B': 3.187, 'C': 10.0, 'D': 10.0}
    """

    counts: Mapping[Group, float]
    cells: Mapping[str, tuple[float, float]]

    def __post_init__(self) -> None:
        line = self._line
        if line.ndim != 2 or line.shape[1] != 2 or not np.isfinite(line).all():
            raise InputError("cells maps each cell to two finite numbers (a, b), its probability being a + b theta")
        whole, slope = line.sum(axis=0)
        if abs(whole - 1) > 1e-9 or abs(slope) > 1e-9 * max(1.0, float(np.abs(line[:, 1]).max())):
            raise InputError(f"probabilities must sum to 1 for every theta: they sum to {whole:g} + {slope:g} theta")
        named = [cell for group in self._groups for cell in group]
        odd = sorted({cell for cell in (*named, *self.cells) if named.count(cell) != 1 or cell not in self.cells})
        if odd:
            raise InputError(f"every cell must be counted in one place, alone or with others; see {odd}")
        count = self._count
        if not (np.isfinite(count).all() and np.all(count >= 0)):
            raise InputError(f"counts must be finite and not negative, got {count.tolist()}")
        if not self.bounds[0] < self.bounds[1]:
            raise InputError("no parameter gives every cell a probability between 0 and 1")

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Between which parameters no probability is negative."""
        a, b = self._line.T
        with np.errstate(divide="ignore", invalid="ignore"):
            zero = -a / b
        low, high = zero[b > 0].max(initial=-np.inf), zero[b < 0].min(initial=np.inf)
        fixed = (b == 0) & (a < 0)
        return (float(low) + 0.0, float(high) + 0.0) if not fixed.any() else (np.nan, np.nan)

    def probabilities(self, parameter: float) -> dict[str, float]:
        """Of every cell."""
        self._check_parameter(parameter)
        return dict(zip(self.cells, self._probability(parameter).tolist(), strict=True))

    def log_likelihood(self, parameter: float) -> float:
        """Of what was counted, but for a constant."""
        self._check_parameter(parameter)
        together = self._together(self._probability(parameter))
        seen = self._count > 0
        with np.errstate(divide="ignore"):
            return float(self._count[seen] @ np.log(together[seen]))

    def expect(self, parameter: float) -> dict[str, float]:
        """The E step: what every cell would count, given the parameter."""
        self._check_parameter(parameter)
        return dict(zip(self.cells, self._shared(parameter).tolist(), strict=True))

    def maximize(self, expected: Mapping[str, float]) -> float:
        """The M step: the most likely parameter, given counts of all cells."""
        missing = [cell for cell in self.cells if cell not in expected]
        if missing:
            raise InputError(f"counts of these cells are missing: {missing}")
        return self._most_likely(np.array([expected[cell] for cell in self.cells], dtype=np.float64))

    def fit(
        self,
        start: float | None = None,
        *,
        hidden: Mapping[str, float] | None = None,
        tol: float = 1e-12,
        max_iter: int = 10_000,
    ) -> HalfKnownFit:
        """EM from a parameter, or from a guess of the hidden counts; the middle of the bounds if neither is given.

        >>> cells = {"A": (1 / 2, 0), "B": (0, 1), "C": (0, 2), "D": (1 / 2, -3)}
        >>> print(HalfKnownCounts({("A", "B"): 20, "C": 10, "D": 10}, cells).fit(0.1))
        parameter 0.0947882 (standard error 0.0179), expected counts A 16.81, B 3.187, C 10, D 10; at rest after ...
        """
        if not np.any((self._count > 0) & (np.abs(self._together(self._line[:, 1])) > 1e-12)):
            raise InputError("the counts say nothing about the parameter: nothing that was counted depends on it")
        low, high = self.bounds
        if hidden is not None:
            start = self._most_likely(self._completed(hidden))
        elif start is None:
            start = 0.5 * (low + high)
        else:
            self._check_parameter(start)
        inside = _INSIDE * (high - low)
        rest = expectation_maximization(
            lambda theta: (self._shared(theta), self.log_likelihood(theta)),
            self._most_likely,
            float(np.clip(start, low + inside, high - inside)),
            max_iter,
            tol * (high - low),
            distance=lambda a, b: abs(a - b),
            keep_parameters=True,
        )
        theta = rest.parameters
        return HalfKnownFit(
            theta,
            self._standard_error(theta),
            self.expect(theta),
            self.log_likelihood(theta),
            rest.converged,
            np.array(rest.trace),
        )

    def _check_parameter(self, parameter: float) -> None:
        low, high = self.bounds
        slack = 1e-12 * (high - low)
        if not low - slack <= number(parameter, "the parameter") <= high + slack:
            raise InputError(f"the parameter must lie between {low:g} and {high:g}, got {parameter!r}")

    @cached_property
    def _line(self) -> Floats:
        return np.array(list(self.cells.values()), dtype=np.float64)  # (m, 2)

    @cached_property
    def _groups(self) -> list[tuple[str, ...]]:
        return [(group,) if isinstance(group, str) else tuple(group) for group in self.counts]

    @cached_property
    def _count(self) -> Floats:
        return np.array(list(self.counts.values()), dtype=np.float64)  # (g,)

    @cached_property
    def _group_of(self) -> Array:
        place = {cell: g for g, group in enumerate(self._groups) for cell in group}
        return np.array([place[cell] for cell in self.cells], dtype=np.int64)  # (m,)

    def _together(self, cells: Floats) -> Floats:
        return np.bincount(self._group_of, cells, len(self._count)).astype(np.float64)

    def _probability(self, parameter: float) -> Floats:
        return np.maximum(self._line[:, 0] + self._line[:, 1] * parameter, 0.0)

    def _shared(self, parameter: float) -> Floats:
        p = self._probability(parameter)
        together = self._together(p)
        # A group that cannot occur at this parameter, though it did, is shared out evenly: EM leaves that point.
        even = 1.0 / np.bincount(self._group_of)[self._group_of]
        whole = together[self._group_of]
        return self._count[self._group_of] * np.divide(p, whole, out=even, where=whole > 0)

    def _most_likely(self, count: Floats) -> float:
        b = self._line[:, 1]
        used = (count > 0) & (b != 0)
        if not used.any():
            return 0.5 * sum(self.bounds)

        def falls(theta: Array) -> Array:
            with np.errstate(divide="ignore"):
                return np.array([(count[used] * b[used] / self._probability(float(theta[0]))[used]).sum()])

        low, high = self.bounds
        scale = high - low  # roots are found to an absolute precision
        share = bracketed_roots(lambda t: falls(low + scale * t), np.zeros(1), np.ones(1), 1e-15)
        return float(np.clip(low + scale * share[0], low, high))

    def _completed(self, hidden: Mapping[str, float]) -> Floats:
        count = self._count[self._group_of]
        for group, total in zip(self._groups, self._count.tolist(), strict=True):
            if len(group) == 1:
                continue
            parts = [float(hidden.get(cell, np.nan)) for cell in group]
            if not all(part >= 0 for part in parts) or abs(sum(parts) - total) > 1e-9 * max(total, 1.0):
                raise InputError(
                    f"hidden needs counts of {list(group)}, not negative, that sum to {total:g}; got {parts}"
                )
            for cell, part in zip(group, parts, strict=True):
                count[list(self.cells).index(cell)] = part
        return count

    def _standard_error(self, parameter: float) -> float:
        if self._rises(self.bounds[0]) <= 0 or self._rises(self.bounds[1]) >= 0:
            return float("nan")  # the top is at a bound, or beyond it: there is no curvature to go by
        p, slope = self._together(self._probability(parameter)), self._together(self._line[:, 1])
        seen = (self._count > 0) & (p > 0)
        information = float(self._count[seen] @ np.square(slope[seen] / p[seen]))
        return float(1 / np.sqrt(information)) if information > 0 else np.inf

    def _rises(self, parameter: float) -> float:
        """The slope of the log-likelihood of what was counted."""
        p, slope = self._together(self._probability(parameter)), self._together(self._line[:, 1])
        seen = (self._count > 0) & (slope != 0)
        with np.errstate(divide="ignore"):
            return float((self._count[seen] * (slope[seen] / p[seen])).sum())
