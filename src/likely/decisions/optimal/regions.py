"""Decision regions on a grid: which class a model says where. A class may own several separate pieces."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.data.inputs import suggest
from likely.decisions.optimal.population import Population
from likely.errors import InputError, InputTypeError, NotFittedError
from likely.models.any_classifier.posteriors import names_of
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import Array, Floats, Ints, Matrix, in_brief
from likely.numeric.logspace import log_of

_LEAST = -700.0  # log posteriors that a contour can still be drawn through
_EQUAL = 1e-6  # nats by which two classes may differ and still be called equally probable


@dataclass(frozen=True)
class DecisionRegions:
    """Decision regions: the class of every point of a grid."""

    x: Floats  # (w,)  places of the grid's columns, values of the first feature
    y: Floats  # (h,)  one entry where there is one feature
    code: Ints  # (h, w)  place of the class; -1: not answered
    classes: Array  # (k,)
    log_posterior: Floats | None = None  # (h, w, k); None where the model tells none, or decides by something else

    __repr__ = in_brief

    def margin(self) -> Floats | None:
        """How far each class is ahead of the best other one at every point, in nats (h, w, k): 0 on a boundary."""
        if self.log_posterior is None or self.log_posterior.shape[-1] < 2:
            return None
        floor = np.maximum(self.log_posterior, _LEAST)
        two = np.sort(floor, axis=-1)[..., -2:]
        return np.asarray(floor - np.where(floor == two[..., 1:], two[..., :1], two[..., 1:]))

    def share(self) -> dict[Hashable, float]:
        """Of the grid, per class."""
        return {name: float((self.code == i).mean()) for i, name in enumerate(names_of(self.classes))}

    def pieces(self) -> dict[Hashable, int]:
        """How many separate pieces each class has; points touch their four neighbours."""
        from scipy.ndimage import label

        return {name: int(label(self.code == i)[1]) for i, name in enumerate(names_of(self.classes))}


def decision_regions(
    model: FittedClassifier | Population,
    x: Matrix,
    y: TargetLike = None,
    features: tuple[Any, Any] = (0, 1),
    at: ArrayLike | None = None,
) -> DecisionRegions:
    """Decision regions: what a fitted classifier, or the best rule of a `Population`, says at every point of a grid.

    `x` and `y` are the coordinates along two `features`, by place or by name; without y the model has one. A model
    of more features is asked with the others held at the values of the row `at`: a number for every feature, in their
    order or by name.

    >>> from likely.distributions import Gaussian
    >>> two = Population.of(Gaussian(np.array([[10.0], [12.0]]), np.array([[1.0], [4.0]])), classes=["S", "T"])
    >>> decision_regions(two, np.linspace(0, 20, 201)).pieces()
    {'S': 1, 'T': 2}
    """
    across = _coordinates(x, "x")
    names = _feature_names(model)
    features = _places(features, names)
    if y is None:
        rows, up = across[:, None], np.zeros(1)
    else:
        up = _coordinates(y, "y")
        plane = np.stack([grid.ravel() for grid in np.meshgrid(across, up)], axis=1)
        rows = plane if at is None else _completed(plane, features, _row(at, names))
    _check_width(model, rows.shape[1], features, given=at is not None)
    known: Floats | None
    if isinstance(model, Population):
        known, classes = model.log_posterior(rows), model.classes
        code: Ints = known.argmax(axis=1)
    else:
        classes = np.asarray(model.classes_)
        place = {name: i for i, name in enumerate(names_of(classes))}
        table = _named(model, rows)
        said = np.asarray(model.predict(table)).tolist()
        code = np.array([place.get(name, -1) for name in said], dtype=np.int64)
        known = _log_posterior(model, table, code)
    shape = (len(up), len(across))
    posterior = None if known is None else known.reshape(*shape, -1)
    return DecisionRegions(across, up, code.reshape(shape), classes, posterior)


def _log_posterior(model: FittedClassifier, table: Any, code: Ints) -> Floats | None:
    """Log posteriors (n, k), where the model says by them: not where costs decide, or a reject option."""
    if hasattr(model, "predict_log_proba"):
        with np.errstate(divide="ignore"):  # some take the logarithm of a probability that is 0
            found = np.asarray(model.predict_log_proba(table), dtype=np.float64)
    elif hasattr(model, "predict_proba"):
        found = log_of(np.asarray(model.predict_proba(table), dtype=np.float64))
    else:
        return None
    if (code < 0).any() or found.shape != (len(code), len(model.classes_)):
        return None
    behind = found.max(axis=1) - found[np.arange(len(code)), code]
    return found if (behind <= _EQUAL).all() else None


def _coordinates(values: Any, name: str) -> Floats:
    points = np.asarray(values, dtype=np.float64)
    if points.ndim != 1 or len(points) == 0 or not np.isfinite(points).all():
        raise InputError(f"{name} holds the finite coordinates of the grid, got an array of shape {points.shape}")
    return points


def _feature_names(model: object) -> list[str]:
    """Of the columns that a model was fitted on, where they have names; a model that is not fitted is refused."""
    if isinstance(model, Population):
        return []
    if not hasattr(model, "predict"):
        raise InputTypeError(f"decision regions are of a fitted classifier or a Population, not {type(model).__name__}")
    if not hasattr(model, "classes_"):
        raise NotFittedError(f"this {type(model).__name__} has not learned anything yet; call fit first")
    return [str(name) for name in getattr(model, "feature_names_in_", ())]


def _places(features: tuple[Any, Any], names: list[str]) -> tuple[int, int]:
    """Features by place; those given by name are looked up."""
    found = []
    for feature in features:
        if isinstance(feature, str):
            if feature not in names:
                raise InputError(f"there is no feature {feature!r}{suggest(feature, names)}; give names or places")
            feature = names.index(feature)
        found.append(int(feature))
    if len(found) != 2:
        raise InputError(f"features are two, one along x and one along y; got {features!r}")
    return found[0], found[1]


def _row(at: Any, names: list[str]) -> Floats:
    """The row `at` as numbers in the order of the features."""
    if isinstance(at, Mapping):
        absent = [name for name in names if name not in at]
        if absent or not names:
            raise InputError(f"at says nothing of feature {absent[0]!r}" if names else "at has names, the model none")
        at = [at[name] for name in names]
    elif hasattr(at, "to_numpy"):
        at = np.asarray(at.to_numpy()).ravel()
    try:
        return np.asarray(at, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"at holds {at!r:.80}: the features that are held must be numbers; fit the model on the two features alone"
        ) from None


def _check_width(model: object, width: int, features: tuple[int, int], given: bool) -> None:
    if isinstance(model, Population):
        mean = getattr(model.distribution, "mean", None)
        wanted = width if mean is None else mean.shape[1]
    else:
        wanted = getattr(model, "n_features_in_", width)
    if wanted == width:
        return
    if given:
        raise InputError(f"at has {width} values and the model {wanted} features; give one for every feature")
    raise InputError(
        f"the model has {wanted} features and the grid {width}: say at which values the others are held, "
        f"at=[one number for every feature], and which ones the grid is of, features={features}"
    )


def _completed(plane: Floats, features: tuple[int, int], row: Floats) -> Floats:
    if row.ndim != 1 or not all(0 <= j < len(row) for j in features) or features[0] == features[1]:
        raise InputError(f"at is a row with a value for every feature, {features} among them; got shape {row.shape}")
    rows = np.tile(row, (len(plane), 1))
    rows[:, list(features)] = plane
    return rows


def _named(model: object, rows: Floats) -> Any:
    """The rows as a frame, for a model that was fitted on one."""
    if not hasattr(model, "feature_names_in_"):
        return rows
    import polars as pl

    return pl.DataFrame(rows, schema=[str(name) for name in model.feature_names_in_])
