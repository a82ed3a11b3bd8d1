"""What every family and every distribution must have: a user's own may lack it, and is then told what.

All else is optional: what a family can do, it has a method for (see `likely.distributions.family`).
"""

from typing import Any

from likely.errors import InputError

OF_FAMILY = ("form", "summarize", "estimate")  # what models ask of a family
OF_DISTRIBUTION = ("log_density", "log_density_terms")  # and of what it estimates
ALL_OF_FAMILY = (*OF_FAMILY, "standard_errors")  # what the protocols list
ALL_OF_DISTRIBUTION = ("members", "n_parameters", *OF_DISTRIBUTION, "sample")


def lacking(thing: Any, names: tuple[str, ...]) -> str:
    """Those of the names that it does not have.

    >>> lacking("text", ("upper", "sample"))
    'sample'
    """
    return ", ".join(name for name in names if not hasattr(thing, name))


def checked_distribution(distribution: Any, *more: str) -> Any:
    """The same, if it has what a model asks of it.

    >>> import numpy as np
    >>> from likely.distributions import GaussianFamily, fit
    >>> checked_distribution(fit(GaussianFamily(), np.array([[1.0], [2.0]]))).members
    1
    """
    if absent := lacking(distribution, (*OF_DISTRIBUTION, *more)):
        raise InputError(
            f"the distribution {type(distribution).__name__} lacks {absent}: write the method, as "
            "likely.distributions.Distribution describes it"
        )
    return distribution
