"""Prior sensitivity: a predicted probability as data arrive, under several priors.

    (a + s) / (a + b + n)        after s successes in n rows, under Beta(a, b)

A prior weighs as much as a + b rows (its equivalent sample size). It pulls the prediction towards a / (a + b) while n
is small, steadies it, and fades as n grows: all curves end at the share of successes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.conjugate.beta import Beta
from likely.errors import InputError
from likely.numeric.arrays import Floats, as_floats, in_brief
from likely.numeric.shares import smoothed_shares


@dataclass(frozen=True, eq=False)
class PriorEffect:
    """Posterior predictive probabilities at several sizes of the data, a row for each prior.

    >>> effect = prior_effect([1, 10], [4, 40], [Beta(1, 1)])
    >>> effect.rows, effect.share, effect.prediction.round(4)
    (array([ 5., 50.]), array([0.2, 0.2]), array([[0.2857, 0.2115]]))
    >>> effect.equivalent_sample_sizes
    array([2.])
    """

    priors: tuple[Beta, ...]
    rows: Floats  # (n,)  how many rows had been seen
    share: Floats  # (n,)  of successes among them: maximum likelihood; NaN before the first row
    prediction: Floats  # (priors, n)  probability of success in the next row

    __repr__ = in_brief

    @property
    def equivalent_sample_sizes(self) -> Floats:
        """Equivalent sample sizes: how many rows each prior weighs as much as."""
        return np.array([prior.equivalent_sample_size for prior in self.priors])


def prior_effect(successes: ArrayLike, failures: ArrayLike, priors: Sequence[Any]) -> PriorEffect:
    """Posterior predictive probability after successes and failures; a prior is a `Beta` or its two numbers.

    >>> prior_effect([1, 2, 100], [4, 8, 400], [Beta(1, 1), (10, 10)]).prediction.round(4)
    array([[0.2857, 0.25  , 0.2012],
           [0.44  , 0.4   , 0.2115]])
    """
    s, f = np.atleast_1d(as_floats(successes, "successes")), np.atleast_1d(as_floats(failures, "failures"))
    if s.shape != f.shape and 1 not in (s.size, f.size):
        raise InputError(f"successes and failures must be of equal length, got shapes {s.shape} and {f.shape}")
    s, f = np.broadcast_arrays(s, f)
    if s.ndim != 1 or not ((s >= 0) & (f >= 0) & np.isfinite(s + f)).all():
        raise InputError("successes and failures are lists of counts, finite and not negative")
    if not len(priors):
        raise InputError("give at least one prior, as [(1, 1)]")
    beliefs = tuple(prior if isinstance(prior, Beta) else _beta(prior) for prior in priors)
    for belief in beliefs:
        if not belief.equivalent_sample_size > 0:
            raise InputError(
                f"{belief} adds nothing to the data: its predictions are their share, which is drawn anyway"
            )
    rows = s + f
    a, b = (np.array([[getattr(belief, name)] for belief in beliefs]) for name in ("a", "b"))
    return PriorEffect(beliefs, rows, smoothed_shares(s, 0.0, rows, np.nan), smoothed_shares(s, a, rows + a + b, 0.5))


def arriving(values: ArrayLike, priors: Sequence[Any]) -> PriorEffect:
    """Predictions as zeros and ones arrive one by one, the first before any of them.

    >>> arriving([1, 1, 0], [(1, 1)]).prediction.round(4)
    array([[0.5   , 0.6667, 0.75  , 0.6   ]])
    """
    bits = as_floats(values, "the values")
    if bits.ndim != 1 or not np.isin(bits, (0.0, 1.0)).all():
        raise InputError("the values must be zeros and ones, in the order in which they arrive")
    seen = np.concatenate([[0.0], np.cumsum(bits)])
    return prior_effect(seen, np.arange(len(seen)) - seen, priors)


def _beta(prior: Any) -> Beta:
    try:
        a, b = prior
    except (TypeError, ValueError):
        raise InputError(f"a prior is a Beta, or its two numbers as (1, 1), got {prior!r}") from None
    return Beta(a, b)
