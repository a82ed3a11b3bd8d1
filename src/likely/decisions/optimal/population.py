"""A population: where rows and their classes come from, when that is known.

    class ~ prior,   x | class ~ distribution

The best that any classifier can do on it is to say the class of the highest posterior.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import ClassNames, PriorLike
from likely.errors import InputError, InputTypeError
from likely.models.any_classifier.posteriors import read_class_prior, read_classes
from likely.numeric.arrays import Array, Floats, Ints, in_brief
from likely.numeric.logspace import log_joint, log_normalize, log_of
from likely.numeric.random_state import Seed

if TYPE_CHECKING:
    from likely.distributions.family import Distribution


@dataclass(frozen=True)
class Population:
    """A population: class-conditional distributions, a member per class, and the class prior.

    >>> from likely.distributions import Gaussian
    >>> two = Population.of(Gaussian(np.array([[0.0], [2.0]]), np.ones((2, 1))), classes=["low", "high"])
    >>> np.exp(two.log_posterior(np.array([[1.0]])))
    array([[0.5, 0.5]])
    >>> X, y = two.sample(4, random_state=0)
    >>> X.shape, y.shape
    ((4, 1), (4,))
    """

    distribution: "Distribution"
    prior: Floats  # (k,)  share of each class
    classes: Array  # (k,)

    __repr__ = in_brief

    @classmethod
    def of(
        cls,
        distribution: "Distribution | Any",
        prior: PriorLike | None = None,
        classes: ClassNames = None,
    ) -> Self:
        """Equal priors, and the places of the members as names, unless they are given.

        A fitted generative model is what it has learned: its distribution, with its class prior and classes. Its Bayes
        error is the error that it expects of itself, were the model true.
        """
        if not hasattr(distribution, "members"):
            return cls._of_model(distribution, prior, classes)
        prior = "uniform" if prior is None else prior
        names = read_classes(classes, distribution.members)
        return cls(distribution, read_class_prior(prior, names, "prior"), names)

    @classmethod
    def _of_model(cls, model: object, prior: PriorLike | None, classes: Any) -> Self:
        from likely.models.generative.classifier import GenerativeClassifier

        if not isinstance(model, GenerativeClassifier):
            raise InputTypeError(
                f"a population is made of a distribution with a member per class, or of a fitted generative model; got "
                f"{type(model).__name__}"
            )
        model._check_fitted()
        if classes is not None:
            raise InputError("a fitted model has its own classes; leave them out")
        names = model.classes_
        shares = model.class_prior_ if prior is None else read_class_prior(prior, names, "prior")
        parts = model.distribution_.parts  # one part takes a plain table, several a tuple of tables
        return cls(parts[0] if len(parts) == 1 else model.distribution_, np.asarray(shares), names)

    @property
    def members(self) -> int:
        return len(self.prior)

    def log_posterior(self, x: ArrayLike) -> Floats:
        """Log posteriors (n, k) of rows in the distribution's own form."""
        from likely.distributions.family import log_ratio

        return log_normalize(log_joint(log_ratio(self.distribution, x), log_of(self.prior)))

    def draw(self, n: int, random_state: Seed = None) -> tuple[Any, Ints]:
        """Rows in the distribution's own form, and the places of their classes."""
        from likely.numeric.random_state import as_generator

        if n < 1:
            raise InputError(f"at least one row must be drawn, got {n}")
        rng = as_generator(random_state)
        member = rng.choice(self.members, size=n, p=self.prior)
        return self.distribution.sample(member, rng), member

    def sample(self, n: int, random_state: Seed = None) -> tuple[Array, Array]:
        """A table that a classifier can learn from, and the class of each row; nominal features as their levels."""
        x, member = self.draw(n, random_state)
        return as_table(x), np.asarray(self.classes[member])


def as_table(x: ArrayLike) -> Array:
    """Rows in a distribution's form as an array: of numbers, or of objects where levels are names."""
    from likely.statistics import Codes

    if isinstance(x, tuple):
        parts = [as_table(part) for part in x]
        if any(part.dtype == object for part in parts):
            parts = [part.astype(object) for part in parts]
        return np.hstack(parts)
    if not isinstance(x, Codes):
        return np.asarray(x)
    numbers = all(isinstance(level, int | float) for names in x.levels for level in names)
    table = np.empty(x.x.shape, dtype=np.float64 if numbers else object)
    for j, names in enumerate(x.levels):
        table[:, j] = np.array([*names, None], dtype=table.dtype)[x.x[:, j] - x.base[j]]  # -1 is the last: missing
    return table
