"""A user's own family held to the laws, on a user's own rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.capabilities.required import ALL_OF_DISTRIBUTION, ALL_OF_FAMILY, lacking
from likely.testing.laws import densities
from likely.testing.laws.capabilities import CAPABILITIES
from likely.testing.laws.densities import Specimen
from likely.testing.specimens.forms import ENCODINGS
from likely.testing.specimens.quadrature import Values, integral_over
from likely.testing.verdict import must, obey


def check_family(
    family: Any,
    rows: ArrayLike,
    over: Values | None = None,
    breaks: Sequence[float] = (),
    examples: int = 3,
    random_state: int = 0,
    **facts: Any,
) -> None:
    """Hold a family to the laws of sums and of densities: parts, weights, missing cells, degenerate data, samples.

    What more it can do is held to that: `leave_one_out`, `filled` with `typical`, `parameter_posterior`, `compare`.

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
        What else is true of it (see `Specimen` in `likely.testing.laws.densities`): `independent` features, true unless
        said; `impossible` (it may say that a value cannot occur) and `located` (an offset of all values is no matter),
        false unless said; `maximum` (its estimate maximises the likelihood) with `nearby`, a function of a
        distribution, a step and a generator to others close by; `divergence`, how far from itself it may be found
        from 4,000 samples.

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
    must(table.ndim == 2 and len(table) >= densities.GROUPS, "rows are a table (n, d) of at least three rows")
    absent = lacking(family, ALL_OF_FAMILY)
    must(not absent, f"{type(family).__name__} lacks {absent}: see likely.distributions.Family")
    specimen = Specimen(
        type(family).__name__,
        family,
        lambda rng, labels: table[_places(table, labels, rng)],
        ENCODINGS[family.form],
        None if over is None else integral_over(over, breaks),
        table.shape[1],
        **facts,
    )
    laws = [*densities.OFTEN, *densities.ONCE, *CAPABILITIES, *(densities.LOCATED if specimen.located else ())]
    laws += [densities.no_nearby_parameter_is_likelier] if specimen.maximum else []
    laws += [densities.passes_climb] if specimen.current is not None else []
    must(specimen.nearby is not None or not specimen.maximum, "say what is nearby, to hold it to a maximum")
    obey(_its_distribution_is_whole, specimen, 1, random_state)
    for law in laws:
        obey(law, specimen, examples, random_state)


def _its_distribution_is_whole(specimen: Specimen, rng: np.random.Generator) -> None:
    labels = densities.labels_of(rng, 30)
    fitted = specimen.fit(specimen.rows(rng, labels), labels)
    absent = lacking(fitted, ALL_OF_DISTRIBUTION)
    must(not absent, f"{type(fitted).__name__} lacks {absent}: see likely.distributions.Distribution")


def _places(table: Any, labels: Any, rng: np.random.Generator) -> Any:
    """Rows for each group: most from a part of the table, so that groups differ, the others from anywhere."""
    parts = np.array_split(_order(table[:, 0]), densities.GROUPS)
    own = np.array([parts[label][rng.integers(len(parts[label]))] for label in labels], dtype=np.int64)
    return np.where(rng.random(len(labels)) < 0.7, own, rng.integers(len(table), size=len(labels)))


def _order(column: Any) -> Any:
    return np.argsort(column if column.dtype.kind in "biuf" else [str(cell) for cell in column], kind="stable")
