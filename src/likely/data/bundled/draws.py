"""Labelled data drawn at random: first the class, then the row from that class; `random_state` is its seed.

y ~ P(y),   x ~ p(x | y)
"""

import numpy as np

from likely.data.bundled.dataset import Dataset
from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.random_state import Seed, as_generator

# True parameters of the three classes in the plane
THREE_MEANS = {"A": (-2.0, -2.0), "B": (0.0, 0.0), "C": (2.0, -3.0)}
THREE_COVARIANCES = {"A": ((2.0, 0.0), (0.0, 2.0)), "B": ((1.0, 0.0), (0.0, 1.0)), "C": ((4.0, 1.0), (1.0, 1.5))}


def three_gaussians(n: int, random_state: Seed = 0) -> Dataset:
    """So many points of each of three Gaussian classes in the plane, from `THREE_MEANS` and `THREE_COVARIANCES`.

    No classifier is right on more than 0.8548 of such points on average, if the classes are equally frequent.

    >>> three_gaussians(200).x.shape
    (600, 2)
    """
    _check(n)
    rng = as_generator(random_state)
    points = [
        np.array(mean) + rng.standard_normal((n, 2)) @ np.linalg.cholesky(np.array(THREE_COVARIANCES[name])).T
        for name, mean in THREE_MEANS.items()
    ]
    return Dataset(
        rows=np.concatenate(points),
        columns=("x1", "x2"),
        target=np.repeat(list(THREE_MEANS), n),
        source="drawn from the parameters printed in the Edinburgh notes on learning, section 9.4",
    )


def draws_of_s_and_t(n: int, random_state: Seed = 0, prior_s: float = 0.3) -> Dataset:
    """So many labelled numbers: S with probability `prior_s` and then N(10, 1), otherwise T and N(12, 4).

    >>> len(draws_of_s_and_t(100).rows)
    100
    """
    _check(n)
    if not 0 <= prior_s <= 1:
        raise InputError(f"a prior lies between 0 and 1, got {prior_s}")
    rng = as_generator(random_state)
    is_s = rng.random(n) < prior_s
    x = rng.normal(np.where(is_s, 10.0, 12.0), np.where(is_s, 1.0, 2.0))
    return Dataset(
        rows=x[:, None],
        columns=("x",),
        target=np.where(is_s, "S", "T"),
        source="drawn from the Gaussians of the Edinburgh notes on learning, section 9.2",
    )


def topic_documents(
    n: int, random_state: Seed = 0, classes: int = 4, vocabulary: int = 300, length: int = 30
) -> Dataset:
    """Word counts of n documents: each class has its own word distribution, a draw from Dirichlet(4, ..., 4).

    The classes are equally probable. Naive Bayes learns them better the more documents it sees.

    >>> documents = topic_documents(50)
    >>> documents.x.shape, set(documents.x.sum(axis=1).tolist())
    ((50, 300), {30})
    """
    _check(n)
    if classes < 1 or vocabulary < 1 or length < 0:
        raise InputError(f"{classes} classes, {vocabulary} words and documents of length {length} cannot be drawn")
    rng = as_generator(random_state)
    words: Floats = rng.dirichlet(np.full(vocabulary, 4.0), size=classes)
    label = rng.integers(classes, size=n)
    return Dataset(
        rows=rng.multinomial(length, words[label]),
        columns=tuple(f"w{i}" for i in range(1, vocabulary + 1)),
        target=label,
        source="drawn at random, in place of the 20 Newsgroups learning curve",
    )


def _check(n: int) -> None:
    if n < 0:
        raise InputError(f"the number of points must not be negative, got {n}")
