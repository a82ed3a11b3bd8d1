"""Posteriors that a user gives, checked and brought to log space.

"posterior"       probabilities (n, k), rows that sum to 1
"log_posterior"   their logarithms, up to a constant per row (log joints do as well)
"log_likelihood"  ln p(x | class), which a prior turns into a posterior; equal priors where none is given
"""

from collections.abc import Hashable, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import ClassNames, PriorLike
from likely.data.labels.target import class_array
from likely.data.labels.weights import read_prior
from likely.errors import InputError, check_choice
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_joint, log_normalize, log_of

Form: TypeAlias = Literal["posterior", "log_posterior", "log_likelihood"]

_SLACK = 1e-6  # how far from 1 a row of probabilities may sum
_SLACK_SINGLE = 1e-3  # in single precision


def read_log_posterior(values: ArrayLike, form: Form = "posterior", prior: Floats | None = None) -> Floats:
    """Log posteriors (n, k) that are normalised; a row that is impossible under every class has the prior.

    >>> read_log_posterior([[0.25, 0.75]]).round(4)
    array([[-1.3863, -0.2877]])
    """
    check_choice("form", form, get_args(Form))
    matrix = as_matrix(values)
    x = np.asarray(matrix, dtype=np.float64)
    if np.isnan(x).any():
        row = int(np.flatnonzero(np.isnan(x).any(axis=1))[0])
        raise InputError(f"row {row} of the posteriors holds NaN: {x[row].tolist()}")
    if form == "posterior":
        slack = _SLACK_SINGLE if matrix.dtype == np.float32 else _SLACK
        check_posteriors(x, slack, hint="; for logarithms or scores say form='log_posterior'")
        return log_normalize(log_of(x))
    if np.isposinf(x).any():
        row = int(np.flatnonzero(np.isposinf(x).any(axis=1))[0])
        raise InputError(f"row {row} holds an infinite log probability: {x[row].tolist()}")
    if form == "log_posterior":
        return log_normalize(x)
    log_prior = np.full(x.shape[1], -np.log(x.shape[1])) if prior is None else log_of(prior)
    return log_normalize(log_joint(x, log_prior))


def names_of(classes: Sequence[Hashable] | Array) -> tuple[Hashable, ...]:
    """Class names as plain Python values."""
    return tuple(classes.tolist()) if isinstance(classes, np.ndarray) else tuple(classes)


def as_matrix(values: ArrayLike) -> Array:
    """Numbers (n, k), in the precision they came in."""
    try:
        x = np.asarray(values)
        x = x if x.dtype.kind == "f" else x.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError("posteriors are numbers (n, k), one row per case and one column per class") from None
    if x.ndim != 2 or x.shape[1] == 0:
        raise InputError(
            f"posteriors have one row per case and one column per class, got shape {x.shape}; "
            "for the probability p of the second of two classes give np.column_stack([1 - p, p])"
        )
    return x


def read_classes(classes: ClassNames, k: int) -> Array:
    """Class names (k,); their places where none are given."""
    if classes is None:
        return np.arange(k)
    names = classes if isinstance(classes, np.ndarray) else class_array(classes)
    if names.shape != (k,):
        raise InputError(f"there are {k} columns of posteriors, but {names.size} classes are named")
    return names


def read_class_prior(prior: PriorLike, classes: Array, what: str) -> Floats:
    """Prior probabilities (k,) from 'uniform', a sequence, a mapping or an estimate; `what` names them in messages."""
    try:
        return read_prior(prior, classes)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def log_posterior_of(log_odds: Floats) -> Floats:
    """Log posteriors (n, 2) of log-odds (n,), exact where a probability rounds to 0 or 1.

    >>> log_posterior_of(np.array([0.0, 800.0])).round(4).tolist()
    [[-0.6931, -0.6931], [-800.0, 0.0]]
    """
    out = np.empty((len(log_odds), 2))
    np.logaddexp(0.0, log_odds, out=out[:, 0])
    np.logaddexp(0.0, -log_odds, out=out[:, 1])
    np.negative(out, out=out)
    out += 0.0  # no negative zeros
    return out


def check_posteriors(p: Floats, slack: float, below: float = 0.0, hint: str = "") -> None:
    """Refuse rows (n, k) with a value that is no probability, NaN too, or that do not sum to 1; `slack` is rounding."""
    wrong = ~((p >= -below) & (p <= 1 + slack))
    if wrong.any():
        row = int(np.flatnonzero(wrong.any(axis=1))[0])
        raise InputError(f"row {row} of the probabilities, {p[row].tolist()}, holds a value that is no probability")
    total = p.sum(axis=1)
    off = np.abs(total - 1) > slack
    if off.any():
        row = int(np.flatnonzero(off)[0])
        raise InputError(f"row {row} of the probabilities, {p[row].tolist()}, sums to {total[row]:.6g}, not to 1{hint}")
