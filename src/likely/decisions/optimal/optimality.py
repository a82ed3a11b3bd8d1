"""How far a classifier falls short of the best: draw from a known population, learn, compare with the Bayes rule.

    shortfall = E[ max_k P(k | x) - P(what the classifier says | x) ]

Both terms are taken from the true posterior at the same test rows, so that the luck of the draw of labels, which is the
same for both rules, cancels. Every repetition draws new training and test rows; the standard error is that of the mean
over the repetitions, or over the test rows when there is only one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.data.printing.html_table import text_as_html
from likely.decisions.optimal.population import Population, as_table
from likely.errors import InputError
from likely.models.any_classifier.asking import Training, fitted_clone
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Array, Floats, in_brief
from likely.numeric.random_state import Seed


@dataclass(frozen=True)
class Optimality:
    """Excess error: the accuracy of a classifier beside the best there is (Bayes optimal)."""

    best_accuracy: float  # of the Bayes rule, which knows the population
    accuracy: float
    shortfall: float  # how much lower
    standard_error: float  # of the shortfall
    shortfalls: Floats  # (repeats,)  one for each repetition
    n_train: int

    __repr__ = in_brief

    def __str__(self) -> str:
        return (
            f"accuracy {self.accuracy:.4f}, best {self.best_accuracy:.4f}: short by {self.shortfall:.4f} "
            f"(standard error {self.standard_error:.4f}, {len(self.shortfalls)} repetitions, n={self.n_train})"
        )

    _repr_html_ = text_as_html


def optimality(
    population: Population,
    estimator: Learner,
    n_train: int,
    n_test: int = 10_000,
    repeats: int = 10,
    random_state: Seed = 0,
) -> Optimality:
    """Excess error over the Bayes error: fit clones on rows drawn from a population and measure the shortfall.

    Parameters
    ----------
    repeats : how often rows are drawn and learned

    >>> from likely import GaussianBayes
    >>> from likely.distributions import Gaussian
    >>> two = Population.of(Gaussian(np.array([[0.0], [2.0]]), np.ones((2, 1))))
    >>> found = optimality(two, GaussianBayes(), n_train=100, random_state=0)
    >>> 0 < found.shortfall < 0.02, bool(found.shortfall > 2 * found.standard_error)
    (True, True)
    """
    from likely.numeric.random_state import as_generator

    if repeats < 1 or n_train < 1 or n_test < 2:
        raise InputError(f"n_train and repeats are at least 1, n_test 2; got {n_train}, {repeats}, {n_test}")
    rng = as_generator(random_state)
    best, reached = np.empty(repeats), np.empty(repeats)
    lost = np.zeros(n_test)
    for i in range(repeats):
        x, y = population.sample(n_train, rng)
        model = fitted_clone(estimator, Training.of(x, y, None))
        rows, _ = population.draw(n_test, rng)
        truth = np.exp(population.log_posterior(rows))
        said = _places(model.predict(as_table(rows)), population.classes)
        chosen = truth[np.arange(n_test), said]
        lost = truth.max(axis=1) - chosen
        best[i], reached[i] = truth.max(axis=1).mean(), chosen.mean()
    short = best - reached
    spread = short if repeats > 1 else lost
    error = float(spread.std(ddof=1) / np.sqrt(len(spread)))
    return Optimality(float(best.mean()), float(reached.mean()), float(short.mean()), error, short, n_train)


def _places(said: ArrayLike, classes: Array) -> Array:
    place = {name: i for i, name in enumerate(classes.tolist())}
    return np.array([place[name] for name in np.asarray(said).tolist()], dtype=np.int64)
