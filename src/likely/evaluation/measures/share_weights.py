"""Weights that make classes as frequent among rows as they are where a model is used (label shift).

    w(row) = prior(class) / share(class)        share of the class among the rows, by the weights they have

The weights sum to what the rows weighed before. A class without rows leaves its share to the others, in proportion; a
class of which the prior says nothing (NaN) keeps the share that it has.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from likely.data.printing.wording import percentage
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats

_SHOWN = 6  # classes whose shares are told


def share_weights(codes: Array, prior: Floats, weight: Floats | None = None) -> Floats:
    """A weight (n,) for each row whose class is given by its code, such that the classes' shares are the prior's.

    >>> share_weights(np.array([0, 0, 0, 1]), np.array([0.5, 0.5])).round(3).tolist()
    [0.667, 0.667, 0.667, 2.0]
    """
    own = np.ones(len(codes)) if weight is None else weight
    shares = shares_of(codes, len(prior), own)
    told = ~np.isnan(prior)
    there = np.where(told & (shares > 0), np.nan_to_num(prior), 0.0)
    if not there.sum() > 0:
        raise InputError("none of the classes that the prior expects is among the rows, so that they cannot be weighed")
    there = np.where(told, there / there.sum() * shares[told].sum(), shares)
    return np.asarray(own * (there / np.where(shares > 0, shares, 1.0))[codes])


def shares_of(codes: Array, classes: int, weight: Floats | None = None) -> Floats:
    """The share of each class (k,) among rows."""
    counts = np.bincount(codes, weights=weight, minlength=classes)
    return np.asarray(counts / counts.sum())


def weighed_in_words(who: str, names: Sequence[Hashable], prior: Floats, shares: Floats) -> str:
    """That rows do not count alike, and why.

    >>> weighed_in_words("the model takes", ["no", "yes"], np.array([0.95, 0.05]), np.array([0.88, 0.12]))
    'the model takes 95.0 % no, 5.0 % yes; these rows hold 88.0 % no, 12.0 % yes, and are weighed accordingly'
    """
    told, held = shares_in_words(names, prior), shares_in_words(names, shares)
    return f"{who} {told}; these rows hold {held}, and are weighed accordingly"


def shares_in_words(names: Sequence[Hashable], shares: Floats) -> str:
    """The shares of classes, in a sentence; of those that have one.

    >>> shares_in_words(["no", "yes"], np.array([0.95, 0.05]))
    '95.0 % no, 5.0 % yes'
    """
    told = [
        f"{percentage(share, 1.0)} {name}" for name, share in zip(names, shares, strict=True) if not np.isnan(share)
    ]
    more = len(told) - _SHOWN
    return ", ".join(told[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
