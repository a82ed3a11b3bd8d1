"""Fisher's discriminant: the projection in which classes lie farthest apart for their spread, and the classifier in it.

    w maximises  w'B w / w'W w         two classes: w = W^-1 (mean_1 - mean_2)

W sums the products of rows about the means of their classes, B those of the means about the overall one. In the
projection, classes are Gaussians of one spread: log posteriors are linear, and with all k - 1 directions they are those
of `GaussianBayes("shared")`, whose statistic it shares. One pass: it merges, forgets and is cross-validated exactly.
"""

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import ClassWeight
from likely.data.columns.kinds import Kinds
from likely.data.inputs import Input
from likely.errors import InputError, check_choice, check_whole
from likely.models.estimator import Transformer
from likely.models.linear.least_squares.crossed_sums import ClassMoments
from likely.models.linear.least_squares.normal_equations import discriminant_directions, shared_gaussian
from likely.models.linear.least_squares.summed import SummedClassifier
from likely.models.linear.linear_scores import LinearScores
from likely.numeric.arrays import Floats
from likely.numeric.linear.covariance import square


class FisherDiscriminant(LinearScores, SummedClassifier, Transformer):
    """Fisher's linear discriminant of two or more classes, and projection on it, from tables of any kinds with gaps.

    Parameters
    ----------
    n_components : int, optional
        Directions that are kept, at most one fewer than the classes (the default). Fewer of them also decide the
        classes (reduced rank).
    direction : "fisher" or "means"
        "means" projects on the line that joins the class means (of more classes, on the plane that holds them), which
        is best only where columns do not correlate and have one spread; to compare with.
    standardize : bool
        Whether columns are measured in standard deviations. It changes nothing but "means", and the size of weights.
    class_weight : None, "balanced" or a mapping from class to weight
    kinds : "auto", a kind, or a mapping from column to kind
        What columns are taken for (`likely.data.columns.kinds`).

    Attributes
    ----------
    directions_ : (m, q) weights of the columns of `design_.names`, about their means: what `transform` multiplies by
    ratios_ : (q,) how far classes lie apart in each direction: products between them over those within
    coef_, intercept_ : of the log odds per unit of each column, (1, m) of two classes, (k, m) of more
    means_ : (k, q) of the classes in the projection

    Examples
    --------
    >>> import numpy as np
    >>> from likely import FisherDiscriminant
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(90, 2)) @ [[1, 0.8], [0, 0.6]] + np.repeat([[0, 0], [2, 0], [0, 3]], 30, axis=0)
    >>> y = np.repeat(["ash", "birch", "cedar"], 30)
    >>> model = FisherDiscriminant().fit(X, y)
    >>> model.transform(X).shape, round(model.score(X, y), 2)
    ((90, 2), 0.99)
    """

    directions_: Floats
    ratios_: Floats
    means_: Floats
    centre_: Floats  # (m,)  which the projection is about

    def __init__(
        self,
        n_components: int | None = None,
        direction: str = "fisher",
        standardize: bool = True,
        class_weight: ClassWeight = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.n_components = n_components
        self.direction = direction
        self.standardize = standardize
        self.class_weight = class_weight
        self.kinds = kinds

    def _transform(self, data: Input) -> Floats:
        parts = [self.design_.matrix(batch, start) for start, batch in data.batches()]
        return np.concatenate([np.asarray((x - self.centre_) @ self.directions_) for x in parts])

    def _estimate(self, moments: ClassMoments) -> None:
        k = len(moments.weight)
        most = max(k - 1, 1)
        count = most if self.n_components is None else min(self.n_components, most)
        within = moments.within
        if self.direction == "fisher":
            away = (moments.mean - moments.overall) * np.sqrt(moments.weight)[:, None]
            weights, ratios = discriminant_directions(within, away, moments.total, count)
        else:
            weights = _plane_of(moments, count)
            ratios = _ratios(weights, within, moments.between)
        projected = (moments.mean - moments.overall) @ weights
        coef, constant = shared_gaussian(projected, weights.T @ within @ weights, moments.weight)
        linear = coef @ weights.T
        found = {"directions_": weights, "ratios_": ratios, "means_": projected, "centre_": moments.overall}
        self._become({**found, "n_features_out_": weights.shape[1]})
        self._keep_linear(np.column_stack([linear, constant - linear @ moments.overall]))

    def _check_parameters(self) -> None:
        check_choice("direction", self.direction, ("fisher", "means"))
        check_whole("n_components", self.n_components, also=(None,))


def fisher_direction(mean_1: ArrayLike, mean_2: ArrayLike, covariance_1: ArrayLike, covariance_2: ArrayLike) -> Floats:
    """Fisher's direction (S_1 + S_2)^-1 (mean_1 - mean_2) of two classes that are known.

    >>> fisher_direction([3, 2], [0, 0], [[2, 1.5], [1.5, 2]], [[2, 1.5], [1.5, 2]]).round(4)
    array([ 0.8571, -0.1429])
    """
    away = np.asarray(mean_1, dtype=np.float64) - np.asarray(mean_2, dtype=np.float64)
    both = square(covariance_1) + square(covariance_2)
    if away.shape != (len(both),):
        raise InputError(f"means of shape {away.shape} do not go with covariances of shape {both.shape}")
    try:
        return np.asarray(np.linalg.solve(both, away))
    except np.linalg.LinAlgError:
        raise InputError("the covariances have no inverse: some column is a combination of others") from None


def fisher_ratio(
    direction: ArrayLike, mean_1: ArrayLike, mean_2: ArrayLike, covariance_1: ArrayLike, covariance_2: ArrayLike
) -> float:
    """How far two classes lie apart along a direction w: (w.(mean_1 - mean_2))^2 / (w'(S_1 + S_2) w).

    >>> fisher_ratio([1, 0], [3, 2], [0, 0], [[2, 0], [0, 2]], [[1, 0], [0, 1]])
    3.0
    """
    w = np.asarray(direction, dtype=np.float64)
    away = np.asarray(mean_1, dtype=np.float64) - np.asarray(mean_2, dtype=np.float64)
    spread = float(w @ (square(covariance_1) + square(covariance_2)) @ w)
    if not spread > 0:
        raise InputError("the classes have no spread along this direction, so there is no ratio")
    return float(w @ away) ** 2 / spread


def _plane_of(moments: ClassMoments, count: int) -> Floats:
    """Unit vectors (m, q) that span the class means, along which these differ most first."""
    away = (moments.mean - moments.overall) * np.sqrt(moments.weight)[:, None]
    _, sizes, vectors = np.linalg.svd(away, full_matrices=False)
    if len(moments.weight) == 2 and len(moments.overall):  # from the first to the second
        step = moments.mean[1] - moments.mean[0]
        length = float(np.linalg.norm(step))
        return np.asarray((step / length if length > 0 else step)[:, None])
    return np.asarray(vectors[: max(1, min(count, int((sizes > 1e-12 * sizes.max(initial=0.0)).sum())))].T)


def _ratios(weights: Floats, within: Floats, between: Floats) -> Floats:
    inside, across = (np.einsum("ij,ik,kj->j", weights, matrix, weights) for matrix in (within, between))
    return np.asarray(np.divide(across, inside, out=np.full(len(inside), np.inf), where=inside > 0))
