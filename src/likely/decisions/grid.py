"""Decision regions on a grid: which class a model says where. A class may own several separate pieces."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.decisions.costs import names_of
from likely.decisions.population import Population
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints


@dataclass(frozen=True)
class DecisionRegions:
    """The class of every point of a grid."""

    x: Floats  # (w,)
    y: Floats  # (h,)  one entry where there is one feature
    code: Ints  # (h, w)  place of the class; -1: not answered
    classes: Array  # (k,)

    def share(self) -> dict[Hashable, float]:
        """Of the grid, per class."""
        return {name: float((self.code == i).mean()) for i, name in enumerate(names_of(self.classes))}

    def pieces(self) -> dict[Hashable, int]:
        """How many separate pieces each class has; points touch their four neighbours."""
        from scipy.ndimage import label

        return {name: int(label(self.code == i)[1]) for i, name in enumerate(names_of(self.classes))}


def decision_regions(
    model: Any, x: Any, y: Any = None, features: tuple[int, int] = (0, 1), at: Any = None
) -> DecisionRegions:
    """What a fitted classifier, or the best rule of a `Population`, says at every point of a grid.

    `x` and `y` are the coordinates along two features; without y the model has one feature. A model of more features
    is asked with the others held at the values of the row `at`.

    >>> from likely.distributions import Gaussian
    >>> two = Population.of(Gaussian(np.array([[10.0], [12.0]]), np.array([[1.0], [4.0]])), classes=["S", "T"])
    >>> decision_regions(two, np.linspace(0, 20, 201)).pieces()
    {'S': 1, 'T': 2}
    """
    across = _coordinates(x, "x")
    if y is None:
        rows, up = across[:, None], np.zeros(1)
    else:
        up = _coordinates(y, "y")
        plane = np.stack([grid.ravel() for grid in np.meshgrid(across, up)], axis=1)
        rows = plane if at is None else _completed(plane, features, at)
    if isinstance(model, Population):
        code = model.log_posterior(rows).argmax(axis=1)
        return DecisionRegions(across, up, code.reshape(len(up), len(across)), model.classes)
    classes = np.asarray(model.classes_)
    place = {name: i for i, name in enumerate(names_of(classes))}
    said = np.asarray(model.predict(_named(model, rows))).tolist()
    code = np.array([place.get(name, -1) for name in said], dtype=np.int64)
    return DecisionRegions(across, up, code.reshape(len(up), len(across)), classes)


def _coordinates(values: Any, name: str) -> Floats:
    points = np.asarray(values, dtype=np.float64)
    if points.ndim != 1 or len(points) == 0 or not np.isfinite(points).all():
        raise InputError(f"{name} holds the finite coordinates of the grid, got an array of shape {points.shape}")
    return points


def _completed(plane: Floats, features: tuple[int, int], at: Any) -> Floats:
    row = np.asarray(at, dtype=np.float64)
    if row.ndim != 1 or not all(0 <= j < len(row) for j in features) or features[0] == features[1]:
        raise InputError(f"at is a row with a value for every feature, {features} among them; got shape {row.shape}")
    rows = np.tile(row, (len(plane), 1))
    rows[:, list(features)] = plane
    return rows


def _named(model: Any, rows: Floats) -> Any:
    """The rows as a frame, for a model that was fitted on one."""
    if not hasattr(model, "feature_names_in_"):
        return rows
    import polars as pl

    return pl.DataFrame(rows, schema=[str(name) for name in model.feature_names_in_])
