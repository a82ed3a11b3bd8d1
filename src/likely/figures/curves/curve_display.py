"""What the pictures of ranked rows share: how they are made from a classifier or from scores, and their axes.

Each picture says what its curves are (`_of`) and how they are drawn (`plot`). Whatever else it takes are its fields, by
name. `costs[truth][said]` are of the two classes, in their order where they have no names; where there are more
classes, of ("rest", the class).
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, Self

from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.errors import InputError
from likely.figures.curves.rankings import Rankings, read_estimator, read_predictions
from likely.figures.drawing.canvas import Axes
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import PerRow

_CLEAR = 3  # curves whose bands can still be told apart


class CurveDisplay(ABC):
    """Curves of the positive class of two, or of each class against the rest where there are more."""

    curves: tuple[Any, ...]
    names: tuple[str, ...]
    band: bool | None = None  # draw the intervals; None: where there are at most three curves
    ax_: Any = None
    figure_: Any = None

    def __post_init__(self) -> None:
        if len(self.names) != len(self.curves):
            raise InputError(f"give one name per curve: {len(self.names)} for {len(self.curves)}")

    @classmethod
    def from_estimator(
        cls,
        estimator: FittedClassifier,
        X: TableLike,
        y: TargetLike,
        *,
        pos_label: Hashable = None,
        name: str | None = None,
        ax: Axes | None = None,
        sample_weight: PerRow = None,
        confidence: float = 0.95,
        **options: Any,
    ) -> Self:
        """Draw the curves of a fitted classifier on rows with known classes; the options are fields of the display."""
        read = read_estimator(estimator, X, y, pos_label, sample_weight)
        return cls._drawn(read, type(estimator).__name__ if name is None else name, ax, confidence, options)

    @classmethod
    def from_predictions(
        cls,
        y: TargetLike,
        scores_or_posterior: ArrayLike,
        *,
        pos_label: Hashable = None,
        name: str | None = None,
        ax: Axes | None = None,
        classes: Sequence[Hashable] | None = None,
        sample_weight: PerRow = None,
        confidence: float = 0.95,
        **options: Any,
    ) -> Self:
        """Draw the curves of scores: (n,) of the positive class, or (n, k) with a column per class."""
        read = read_predictions(y, scores_or_posterior, pos_label, classes, sample_weight)
        return cls._drawn(read, name, ax, confidence, options)

    @classmethod
    def _drawn(
        cls, read: Rankings, name: str | None, ax: Axes | None, confidence: float, options: dict[str, Any]
    ) -> Self:
        if "costs" in options:
            options = {**options, "costs": read.costs(options["costs"])}
        return cls._of(read, read.names(name), confidence, **options).plot(ax)

    @classmethod
    @abstractmethod
    def _of(cls, read: Rankings, names: tuple[str, ...], confidence: float, **options: Any) -> Self:
        """The display of rows that are read."""

    @abstractmethod
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on the axes given, or on new ones; curves drawn before keep their places in the legend."""

    @property
    def _banded(self) -> bool:
        return len(self.curves) <= _CLEAR if self.band is None else self.band
