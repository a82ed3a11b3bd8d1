"""What is believed of a probability as rows arrive: Beta curves that grow narrower, with the tail below a limit shaded.

    prior Beta(a, b), s successes and f failures:   Beta(a + s, b + f)

The shaded tail is the probability, after those rows, that the unknown one lies below the limit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.conjugate.beta import Beta
from likely.errors import InputError
from likely.figures.drawing.canvas import Axes, Drawn
from likely.figures.laws.law import LawDisplay

_CURVES = 10  # more could not be told apart


@dataclass(eq=False)
class BeliefsDisplay(Drawn):
    """Beliefs about a probability after more and more rows.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = BeliefsDisplay.from_sequence([1, 0, 1, 1, 1, 1, 0, 1], sizes=[2, 4, 8], below=0.5)
    >>> display.frame().with_columns(display.frame()["below"].round(4)).rows()
    [(2, 2.0, 2.0, 0.5, 0.5), (4, 4.0, 2.0, 0.6666666666666666, 0.1875), (8, 7.0, 3.0, 0.7, 0.0898)]
    >>> matplotlib.pyplot.close(display.figure_)
    """

    beliefs: dict[int, Beta]  # by how many rows were seen
    below: float | None = 0.5  # the limit; None shades nothing
    name: str = "probability"

    def __post_init__(self) -> None:
        if not 0 < len(self.beliefs) <= _CURVES:
            raise InputError(f"1 to {_CURVES} curves can be told apart, got {len(self.beliefs)}; name fewer sizes")

    @classmethod
    def from_sequence(
        cls,
        values: ArrayLike,
        *,
        prior: Any = (1, 1),
        sizes: Sequence[int] | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw what zeros and ones that arrive one by one leave believed, after so many of them.

        Without `sizes` after up to eight sizes that double, the last one all of them.
        """
        bits = np.asarray(values)
        if bits.ndim != 1 or not len(bits) or not np.isin(bits, (0, 1)).all():
            raise InputError("values are zeros and ones, in the order in which they came")
        n = len(bits)
        steps = sorted({max(n // 2**i, 1) for i in range(8)}) if sizes is None else sorted(sizes)
        if steps[0] < 0 or steps[-1] > n:
            raise InputError(f"sizes lie between 0 and {n}, the number of values; got {steps}")
        yes = np.concatenate([[0], np.cumsum(bits.astype(np.int64))])
        return cls.from_counts(yes[steps], np.array(steps) - yes[steps], prior=prior, ax=ax, **options)

    @classmethod
    def from_counts(
        cls, successes: ArrayLike, failures: ArrayLike, *, prior: Any = (1, 1), ax: Axes | None = None, **options: Any
    ) -> Self:
        """Draw what several numbers of successes and failures leave believed."""
        yes, no = np.atleast_1d(successes).tolist(), np.atleast_1d(failures).tolist()
        start = prior if isinstance(prior, Beta) else Beta(*prior)
        beliefs = {int(s + f): start.update(s, f) for s, f in zip(yes, no, strict=True)}
        return cls(beliefs, **options).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        laws = {f"n = {n}": belief for n, belief in self.beliefs.items()}
        tail = () if self.below is None else [(-np.inf, self.below)]
        drawn = LawDisplay(laws, between=tail, name=self.name, limits=(0.0, 1.0)).plot(ax)
        self.figure_, self.ax_ = drawn.figure_, drawn.ax_
        self.ax_.set_xlim(0, 1)
        if self.below is not None:
            self.ax_.axvline(self.below, color="0.4", lw=0.8, ls=":")
        return self

    def frame(self) -> Any:
        """A size a row, with the parameters, the mean, and the probability below the limit, as a Polars frame."""
        import polars as pl

        known = self.beliefs.values()
        columns: dict[str, Any] = {"rows": list(self.beliefs), "a": [b.a for b in known], "b": [b.b for b in known]}
        columns["mean"] = [b.mean for b in known]
        if self.below is not None:
            columns["below"] = [b.probability(below=self.below) for b in known]
        return pl.DataFrame(columns)
