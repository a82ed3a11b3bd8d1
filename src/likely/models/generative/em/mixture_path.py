"""How many components: mixtures of 1, 2, 3, ... side by side, and the criteria by which to choose.

    BIC = -2 ln L + p ln n        ICL = BIC + 2 (entropy of the shares)        bits = BIC / (2 ln 2)

p counts free parameters. The bits are those of a two-part code, the description length ("mdl"), which picks what BIC
picks. BIC finds the number of components that the density needs, ICL the number of clear clusters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from likely.data.accepted import TableLike
from likely.data.printing.html_table import text_as_html
from likely.errors import InputError
from likely.models.generative.mixture import Mixture
from likely.numeric.arrays import Floats, PerRow, in_brief

Criterion: TypeAlias = Literal["bic", "icl", "aic", "mdl"]
_COMPUTED = ("bic", "icl", "aic")


@dataclass(frozen=True)
class MixturePath:
    """Mixtures by their number of components, and what each costs; lower is better.

    >>> print(mixture_path([[0.0], [0.2], [0.4], [0.1], [5.0], [5.2], [5.3], [5.1]], (1, 2), random_state=0))
    components   log-likelihood   parameters      BIC      ICL      AIC
             1           -18.65            2    41.46    41.46    41.31
             2            -1.23            5    12.86    12.86    12.46
    best by BIC: 2 components; by ICL: 2
    """

    mixtures: tuple[Mixture, ...]  # one for each number of components, fitted
    log_likelihood: Floats  # (m,)  of each mixture
    bic: Floats  # (m,)  Bayes' information criterion
    icl: Floats  # (m,)  the same with the entropy of the shares of rows
    aic: Floats  # (m,)  Akaike's information criterion

    __repr__ = in_brief

    @property
    def mdl(self) -> Floats:
        """Bits of a two-part code (m,): the parameters, and the rows given them."""
        return np.asarray(self.bic / (2 * np.log(2)))

    @property
    def n_components(self) -> list[int]:
        """The numbers that were tried."""
        return [int(mixture.n_components) for mixture in self.mixtures]

    def best(self, criterion: Criterion = "bic") -> Mixture:
        """The mixture of the lowest criterion; "mdl" is the description length.

        >>> path = mixture_path([[0.0], [0.2], [0.4], [5.0], [5.2], [5.3]], (1, 2), random_state=0)
        >>> path.best("mdl") is path.best("bic")
        True
        """
        if criterion not in get_args(Criterion):
            raise InputError(f"unknown criterion {criterion!r}; choose from {', '.join(get_args(Criterion))}")
        return self.mixtures[int(getattr(self, criterion).argmin())]

    def frame(self) -> Any:
        """As a Polars frame, a row for each number."""
        import polars as pl

        return pl.DataFrame(
            {
                "components": self.n_components,
                "log_likelihood": self.log_likelihood,
                "parameters": [mixture.n_parameters_ for mixture in self.mixtures],
                "bic": self.bic,
                "icl": self.icl,
                "aic": self.aic,
            }
        )

    def __str__(self) -> str:
        head = f"{'components':<10}{'log-likelihood':>17}{'parameters':>13}{'BIC':>9}{'ICL':>9}{'AIC':>9}"
        rows = [
            f"{row['components']:>10}{row['log_likelihood']:>17.2f}{row['parameters']:>13}"
            f"{row['bic']:>9.2f}{row['icl']:>9.2f}{row['aic']:>9.2f}"
            for row in self.frame().iter_rows(named=True)
        ]
        said = f"best by BIC: {self.best().n_components} components; by ICL: {self.best('icl').n_components}"
        return "\n".join([head, *rows, said])

    _repr_html_ = text_as_html


def mixture_path(
    X: TableLike, n_components: Sequence[int] = range(1, 9), sample_weight: PerRow = None, **options: Any
) -> MixturePath:
    """Mixtures of every number of components; the options are those of `Mixture`.

    >>> import numpy as np
    >>> x = np.r_[np.linspace(-0.5, 0.5, 30), np.linspace(9.5, 10.5, 30)][:, None]
    >>> path = mixture_path(x, [1, 2], random_state=0)
    >>> path.n_components
    [1, 2]
    """
    if not len(n_components):
        raise InputError("n_components names no number to try: give some, such as range(1, 9)")
    found = [Mixture(m, **options).fit(X, sample_weight=sample_weight) for m in n_components]
    density = [mixture.score_samples(X).sum() for mixture in found]
    criteria = {name: np.array([getattr(mixture, name)(X) for mixture in found]) for name in _COMPUTED}
    return MixturePath(tuple(found), np.array(density), **criteria)
