"""Several classes by perceptrons of two: which there are, and what they say together.

winner_take_all   one perceptron for each class, trained together: the largest score wins
one_vs_rest       one for each class against all others, trained apart: the largest score wins
one_vs_one        one for each pair of classes: most of the pairs won, then the clearest
"""

from typing import Any

import numpy as np

from likely.data.accepted import TableLike
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints

SCHEMES = ("winner_take_all", "one_vs_rest", "one_vs_one")


def binary_problems(k: int, multiclass: str = "one_vs_rest", last_is_rest: bool = False) -> list[tuple[int, int]]:
    """The perceptrons of two classes that k classes take: (positive, negative); a negative of -1 is all others.

    With `last_is_rest` the last class has none of its own: it is what no other claims.

    Parameters
    ----------
    k : how many classes
    multiclass : "one_vs_rest" or "one_vs_one"

    >>> binary_problems(3, "one_vs_one"), binary_problems(3, "one_vs_rest", last_is_rest=True)
    ([(1, 0), (2, 0), (2, 1)], [(0, -1), (1, -1)])
    """
    if multiclass == "one_vs_one":
        return [(i, j) for i in range(k) for j in range(i)]
    if multiclass == "one_vs_rest":
        return [(i, -1) for i in range(k - bool(last_is_rest))]
    raise InputError(f"multiclass={multiclass!r} has no problems of two classes; choose from one_vs_rest, one_vs_one")


def signs(codes: Array, positive: int, negative: int) -> Array:
    """Targets (n,) of a problem of two: 1, -1, and 0 for rows that are in neither class."""
    if negative < 0:
        return np.where(codes == positive, 1, -1).astype(np.int64)
    return np.asarray((codes == positive).astype(np.int64) - (codes == negative))


def pairwise_scores(activations: Floats, k: int) -> Floats:
    """Scores (n, k) from those of every pair (n, k (k - 1) / 2): pairs won, and less than half a win of clearness."""
    won, clear = np.zeros((len(activations), k)), np.zeros((len(activations), k))
    for a, (i, j) in zip(activations.T, binary_problems(k, "one_vs_one"), strict=True):
        won[:, i] += a > 0
        won[:, j] += a <= 0
        clear[:, i] += a
        clear[:, j] -= a
    return np.asarray(won + clear / (3 * (np.abs(clear) + 1)))


def summed_pairs(weights: Floats, k: int) -> Floats:
    """Weights (k, m + 1) whose scores are the sums of a class's pairwise ones."""
    out = np.zeros((k, weights.shape[1]))
    for w, (i, j) in zip(weights, binary_problems(k, "one_vs_one"), strict=True):
        out[i] += w
        out[j] -= w
    return out


def undisputed(activations: Floats, k: int, multiclass: str) -> Ints:
    """The class (n,) that the perceptrons name by their outputs alone, without scores; -1: none, or several.

    >>> undisputed(np.array([[1.0, -1.0, -2.0], [1.0, 2.0, -1.0]]), 3, "one_vs_rest")
    array([ 0, -1])
    """
    if multiclass == "one_vs_one":
        votes = np.zeros((len(activations), k))
        for a, (i, j) in zip(activations.T, binary_problems(k, "one_vs_one"), strict=True):
            votes[:, i] += a > 0
            votes[:, j] += a <= 0
        claimed = votes == k - 1
    elif multiclass == "one_vs_rest":
        claimed = activations > 0
    else:
        largest = activations == activations.max(axis=1, keepdims=True)
        claimed = largest & (largest.sum(axis=1, keepdims=True) == 1)
    return np.where(claimed.sum(axis=1) == 1, claimed.argmax(axis=1), -1)


class HardAnswers:
    """A fitted `Perceptron` of several classes that answers by its outputs alone.

    `predict` gives None where no class is claimed, or several are: the ambiguous regions of one against the rest and
    of one against one, which comparing scores settles. Draw them with `DecisionRegionsDisplay.from_estimator`.

    Parameters
    ----------
    model : a fitted `Perceptron`

    >>> from likely import Perceptron
    >>> model = Perceptron(random_state=0).fit([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]], ["a", "b", "c"])
    >>> len(HardAnswers(model).predict([[0.0, 0.0], [1.3, 1.3]]))
    2
    """

    def __init__(self, model: Any) -> None:
        self.model = model

    @property
    def classes_(self) -> Array:
        """The classes of the model."""
        return np.asarray(self.model.classes_)

    @property
    def n_features_in_(self) -> int:
        """How many columns the model learned from."""
        return int(self.model.n_features_in_)

    def predict(self, X: TableLike) -> Array:
        """The class of each row that is claimed alone, else None."""
        places = self.model.undisputed(X)
        names = np.append(self.classes_.astype(object), [None])
        return np.asarray(names[places])


def within(scores: Any) -> Floats:
    """Scores as numbers whose differences and multiples are numbers too."""
    return np.asarray(np.clip(scores, -1e290, 1e290))
