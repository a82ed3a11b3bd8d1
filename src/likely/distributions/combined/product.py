"""The product of families: features, or blocks of features, independent within each group (naive Bayes).

    log p(x_1, x_2, ... | k) = log p(x_1 | k) + log p(x_2 | k) + ...

A row is a tuple with one entry per part, each in the form its family takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.distributions.capabilities.required import checked_distribution
from likely.distributions.family import Distribution, Family, Form, log_prior_of, log_ratio, many_passes, shortcut
from likely.errors import CellError, InputError
from likely.numeric.arrays import Array, Floats, Ints
from likely.statistics import Membership, SideBySide, sum_of

Rows = tuple[Any, ...]


@dataclass(frozen=True)
class Product:
    """k members, each a product of the parts' members.

    >>> import numpy as np
    >>> from likely.distributions import GaussianFamily, PoissonFamily, fit
    >>> parts = fit(GaussianFamily(), np.array([[1.0], [2.0]])), fit(PoissonFamily(), np.array([[3], [4]]))
    >>> query = np.array([[1.5]]), np.array([[3]])
    >>> both = Product(parts).log_density(query)
    >>> bool(np.isclose(both, parts[0].log_density(query[0]) + parts[1].log_density(query[1])).all())
    True
    """

    parts: tuple[Distribution, ...]

    @property
    def members(self) -> int:
        return self.parts[0].members

    @property
    def n_parameters(self) -> int:
        return sum(part.n_parameters for part in self.parts)

    @property
    def mean(self) -> tuple[Floats, ...]:
        """Of each part."""
        return tuple(part.mean for part in self._with_moments())

    @property
    def variance(self) -> tuple[Floats, ...]:
        """Of each part."""
        return tuple(part.variance for part in self._with_moments())

    def _with_moments(self) -> tuple[Any, ...]:
        for i, part in enumerate(self.parts):
            if not hasattr(part, "mean"):
                raise InputError(f"part {i}, {type(part).__name__}, has no mean: ask the other parts for theirs")
        return self.parts

    def log_density(self, x: Rows) -> Floats:
        total = self.parts[0].log_density(x[0])
        for part, rows in zip(self.parts[1:], x[1:], strict=True):
            total += part.log_density(rows)
        return total

    def log_ratio(self, x: Rows) -> Floats:
        """Log density up to a term that is common to all members: all that a posterior needs."""
        total: Floats | None = None
        for i, (part, rows) in enumerate(zip(self.parts, x, strict=True)):
            try:
                term = log_ratio(part, rows)
            except CellError as error:
                error.part = i
                raise
            total = term if total is None else np.add(total, term, out=total)
        assert total is not None
        return total

    def check_known(self, x: Rows) -> None:
        """Refuse a cell that its part must have seen before and has not."""
        for i, (part, rows) in enumerate(zip(self.parts, x, strict=True)):
            try:
                getattr(part, "check_known", lambda _: None)(rows)
            except CellError as error:
                error.part = i
                raise

    def log_density_terms(self, x: Rows) -> Floats:
        terms = [part.log_density_terms(rows) for part, rows in zip(self.parts, x, strict=True)]
        return np.concatenate(terms, axis=1)

    def as_gaussians(self) -> Any:
        """Of a single part, if that is Gaussian."""
        return getattr(self.parts[0], "as_gaussians", lambda: None)() if len(self.parts) == 1 else None

    def every_row(self, most: int) -> Rows | None:
        """Of a single part, if its rows can be counted."""
        rows = getattr(self.parts[0], "every_row", lambda _: None)(most) if len(self.parts) == 1 else None
        return None if rows is None else (rows,)

    def sample(self, member: Ints, rng: np.random.Generator) -> Rows:
        return tuple(checked_distribution(part, "sample").sample(member, rng) for part in self.parts)


@dataclass(frozen=True)
class ProductFamily:
    """Independent parts, each with its own family.

    >>> import numpy as np
    >>> from likely.distributions import GaussianFamily, PoissonFamily, fit
    >>> family = ProductFamily((GaussianFamily(), PoissonFamily()))
    >>> pair = fit(family, (np.array([[1.0], [2.0]]), np.array([[3], [4]])))
    >>> len(pair.parts)
    2
    """

    parts: tuple[Family, ...]
    form: ClassVar[Form] = "real"

    @property
    def passes(self) -> str:
        """How many passes over the rows it needs: "one", or "many" if one of its parts does."""
        return "many" if any(many_passes(family) for family in self.parts) else "one"

    def summarize(self, x: Rows, membership: Membership, current: Product | None = None) -> SideBySide:
        parts = []
        for i, (family, rows) in enumerate(zip(self.parts, x, strict=True)):
            try:
                if many_passes(family) and current is not None:
                    parts.append(family.summarize(rows, membership, current.parts[i]))  # type: ignore[call-arg]
                else:
                    parts.append(family.summarize(rows, membership))
            except CellError as error:
                error.part = i
                raise
        return SideBySide(membership.totals(), tuple(parts))

    def settled(self, batches: Sequence[tuple[Rows, Membership]]) -> "ProductFamily":
        """Mixtures with a spread of their pseudo-rows that no pass changes."""
        parts = []
        for i, family in enumerate(self.parts):
            own = shortcut(family, "settled")
            parts.append(family if own is None else own([(rows[i], membership) for rows, membership in batches]))
        return ProductFamily(tuple(parts))

    def start(self, batches: Sequence[tuple[Rows, Membership]], rng: np.random.Generator) -> Product:
        """A distribution to begin with: mixtures start from seeds, the others from the shares they are given."""
        parts: list[Distribution] = []
        for i, family in enumerate(self.parts):
            own = [(rows[i], membership) for rows, membership in batches]
            if many_passes(family):
                parts.append(family.start(own, rng))  # type: ignore[attr-defined]
            else:
                parts.append(family.estimate(sum_of([family.summarize(rows, m) for rows, m in own])))
        return Product(tuple(parts))

    def estimate(self, statistic: SideBySide) -> Product:
        pairs = zip(self.parts, statistic.parts, strict=True)
        return Product(tuple(checked_distribution(family.estimate(part)) for family, part in pairs))

    def log_prior(self, statistic: SideBySide, fitted: Product) -> float | None:
        """The sum over the parts; None where that of any is."""
        triples = zip(self.parts, statistic.parts, fitted.parts, strict=True)
        logs = [log_prior_of(family, part, of) for family, part, of in triples]
        return None if any(one is None for one in logs) else float(sum(one for one in logs if one is not None))

    def standard_errors(self, statistic: SideBySide) -> dict[str, Array]:
        """Of every part, under the part's number and the parameter's name."""
        return {
            f"{i}.{name}": value
            for i, (family, part) in enumerate(zip(self.parts, statistic.parts, strict=True))
            for name, value in family.standard_errors(part).items()
        }
