"""A user's own family held to the laws, on a user's own rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.testing import densities
from likely.testing.densities import Specimen
from likely.testing.forms import ENCODINGS
from likely.testing.quadrature import Values, integral_over
from likely.testing.verdict import must, obey


def check_family(
    family: Any,
    rows: Any,
    over: Values | None = None,
    breaks: Sequence[float] = (),
    examples: int = 3,
    random_state: int = 0,
    **facts: Any,
) -> None:
    """Hold a family to the laws of sums and of densities: parts, weights, missing cells, degenerate data, samples.

    Parameters
    ----------
    family : family of distributions
        A value with `form`, `summarize`, `estimate` and `standard_errors` (see `likely.distributions.family`).
    rows : array (n, d)
        Rows to draw from: numbers, or objects (levels, one text) with None for a missing cell, as its `form` asks.
    over : {"numbers", "amounts", "counts", "binaries"}, optional
        What a feature can be: the density of one is then held to sum or integrate to 1 over it.
    breaks : numbers
        Where a density of "numbers" jumps or bends.
    examples : int
        How many examples each law is tried on.
    random_state : int
        What the examples are drawn from.
    **facts
        What else is true of it (see `Specimen` in `likely.testing.densities`): `independent` features, true unless
        said; `impossible` (it may say that a value cannot occur) and `located` (an offset of all values is no matter),
        false unless said; `divergence`, how far from itself it may be found from 4,000 samples.

    Raises
    ------
    LawBroken
        An `AssertionError` that names the law, the example and what differed.

    >>> import numpy as np
    >>> from likely.distributions import GaussianFamily
    >>> from likely.testing import check_family
    >>> rows = np.random.default_rng(0).normal(size=(80, 2))
    >>> check_family(GaussianFamily(), rows, "numbers", examples=1, located=True)
    """
    table = np.asarray(rows)
    must(table.ndim == 2 and len(table), "rows are a table (n, d) of at least one row")
    specimen = Specimen(
        type(family).__name__,
        family,
        lambda rng, labels: table[rng.integers(len(table), size=len(labels))],
        ENCODINGS[family.form],
        None if over is None else integral_over(over, breaks),
        table.shape[1],
        **facts,
    )
    laws = (*densities.OFTEN, *densities.ONCE, *(densities.LOCATED if specimen.located else ()))
    for law in laws:
        obey(law, specimen, examples, random_state)
