"""What fitted components are and how much they explain, under the names that scikit-learn has for it."""

import numpy as np

from likely.data.design import Design
from likely.models.components.spread import Spread, scale_of
from likely.numeric.arrays import Floats


class ComponentFigures:
    """Read off the spread of the rows, of which as many components are kept as were asked for."""

    standardize: bool
    spread_: Spread
    n_components_: int
    n_samples_: float
    design_: Design

    @property
    def components_(self) -> Floats:
        """(m, d) the directions, each of length 1."""
        return self.spread_.vectors[: self.n_components_]

    @property
    def explained_variance_(self) -> Floats:
        """(m,) variances along the components."""
        return self.spread_.values[: self.n_components_]

    @property
    def explained_variance_ratio_(self) -> Floats:
        """(m,) the same as shares of the variance of all columns."""
        total = self.spread_.total
        return self.explained_variance_ / total if total > 0 else np.zeros(self.n_components_)

    @property
    def singular_values_(self) -> Floats:
        """(m,) those of the centred table: root of (n - 1) times the variance."""
        return np.sqrt(self.explained_variance_ * max(self.n_samples_ - 1, 1))

    @property
    def mean_(self) -> Floats:
        """(d,) of the columns."""
        return self.spread_.mean

    @property
    def scale_(self) -> Floats:
        """(d,) what the columns are divided by: deviations with `standardize`, else 1."""
        return scale_of(self.spread_.deviation, bool(self.standardize))

    @property
    def loadings_(self) -> Floats:
        """Correlations (m, l) of the columns with the components; 0 where either does not vary."""
        deviation = self.spread_.deviation / self.scale_
        across = self.components_.T * np.sqrt(self.explained_variance_)
        loadings = np.divide(across, deviation[:, None], out=np.zeros_like(across), where=deviation[:, None] > 0)
        return np.clip(loadings, -1.0, 1.0)

    @property
    def noise_variance_(self) -> float:
        """Mean variance along the directions that were left out, of as many as there are rows or columns; so counts
        scikit-learn too, though of no more rows than columns the last of them is 0.
        """
        left = int(min(self.design_.width, self.n_samples_)) - self.n_components_
        values = self.spread_.values
        if len(values) == self.design_.width:  # a sum of its own: a difference from the total would be its rounding
            rest = float(values[self.n_components_ :].sum())
        else:
            rest = max(self.spread_.total - float(self.explained_variance_.sum()), 0.0)
        return rest / left if left >= 1 else 0.0
