"""Maps from scores to probabilities, drawn over the rows they were learned from; where they say one half.

Logistic calibration is a curve of one slope, isotonic calibration a staircase; closed-form logistic calibration
(`gaussian`) takes its slope from the means and the variance of the scores. The mean squared error in the legend is on
the rows that are drawn: those that the maps were learned from, so that a freer map looks better than it is.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.aligned_labels import align_labels
from likely.decisions.calibration import BetaMap, Calibrated, GaussianScores, IsotonicMap, LogisticMap, TemperatureMap
from likely.errors import InputError, check_type
from likely.evaluation.judged_input import choose_positive, read_scores, read_truth
from likely.figures.drawing.canvas import INK, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.models.any_classifier.asking import scores
from likely.models.any_classifier.posteriors import names_of
from likely.numeric.arrays import Array, Floats, in_brief

_MAPS: Mapping[str, Any] = {
    "logistic": LogisticMap,
    "gaussian": GaussianScores,
    "isotonic": IsotonicMap,
    "temperature": TemperatureMap,
    "beta": BetaMap,
}
_POINTS = 1001
_HALF = 0.5


@dataclass(eq=False)
class CalibrationMapsDisplay(Drawn):
    """Calibration maps over one sample of scores.

    >>> import matplotlib; matplotlib.use("agg")
    >>> y, score = [0, 0, 1, 0, 1, 1], [-2.0, -1.0, -0.5, 0.2, 1.0, 1.5]
    >>> display = CalibrationMapsDisplay.from_predictions(y, score, ["logistic", "isotonic"])
    >>> display.frame().columns, sorted(display.boundaries)
    (['map', 'score', 'probability'], ['isotonic', 'logistic'])
    >>> matplotlib.pyplot.close(display.figure_)
    """

    maps: Mapping[str, Any]  # by name, fitted
    score: Floats  # (n,)  what the maps take
    positive: Array  # (n,)  whether it came true
    pos_label: Hashable = True  # what came true or not

    __repr__ = in_brief

    @classmethod
    def from_predictions(
        cls,
        y: TargetLike,
        score: Any,
        maps: Sequence[str] | Mapping[str, Any] = ("logistic", "gaussian", "isotonic"),
        *,
        pos_label: Hashable = None,
        smoothing: Any = "ends",
        ax: Axes | None = None,
    ) -> Self:
        """Learn maps from scores (n,) of rows with two classes y, and draw; or draw `maps` that are fitted, by name.

        `smoothing` is that of the isotonic staircase: "ends", "all" or None.
        """
        codes, names = align_labels(read_truth(y), None)
        chosen, _ = choose_positive(names, pos_label)
        found = read_scores(score, len(codes))
        came = codes == list(names).index(chosen)
        if not isinstance(maps, Mapping):
            strange = [name for name in maps if name not in _MAPS]
            if strange or not maps:
                raise InputError(f"maps are {', '.join(_MAPS)}; got {strange or 'none'}")
            maps = {name: _fitted(name, found, came.astype(np.int64), smoothing) for name in maps}
        return cls(dict(maps), found, came, chosen).plot(ax)

    @classmethod
    def from_estimator(cls, estimator: Calibrated, X: TableLike, y: TargetLike, *, ax: Axes | None = None) -> Self:
        """Draw the map of a fitted `Calibrated` of two classes over the scores of rows X with classes y."""
        check_type(estimator, Calibrated, "a fitted Calibrated")
        estimator._check_fitted()
        if len(estimator.classes_) != 2:
            raise InputError(f"a map of two classes is a curve; this model has {len(estimator.classes_)} classes")
        codes, names = align_labels(read_truth(y), names_of(estimator.classes_))
        found = np.asarray(scores(estimator.estimator_, X, names_of(estimator.classes_)), dtype=np.float64)
        if found.ndim == 2:
            found = found[:, 1] - found[:, 0]
        return cls({estimator.method: estimator.map_}, found, codes == 1, names[1]).plot(ax)

    @property
    def boundaries(self) -> dict[str, float]:
        """The lowest score at which each map says one half or more; a map that never does is left out."""
        found = {}
        for name, one in self.maps.items():
            if isinstance(one, LogisticMap | GaussianScores):
                found[name] = float(one.midpoint)
                continue
            x = self._grid()
            high = np.flatnonzero(np.asarray(one.probability(x)) >= _HALF)
            if len(high):
                found[name] = float(x[high[0]])
        return found

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax)
        x, cuts = self._grid(), self.boundaries
        for k, (name, one) in enumerate(self.maps.items()):
            error = float(np.mean((np.asarray(one.probability(self.score)) - self.positive) ** 2))
            label = f"{name}: mean squared error {error:.4f}"
            label += f", one half at {cuts[name]:.3g}" if name in cuts else ""
            self.ax_.plot(x, one.probability(x), color=colour(k), lw=1.8, label=label, gid="map")
            if name in cuts and x[0] <= cuts[name] <= x[-1]:
                self.ax_.axvline(cuts[name], color=colour(k), lw=0.9, ls="--")
        for said in (True, False):
            own = self.score[self.positive == said]
            where = {"color": INK, "markersize": 11, "clip_on": False, "gid": "rows"}
            self.ax_.plot(own, np.full(len(own), float(said)), "|", **where, label="rows" if said else None)
        self.ax_.set(xlabel="score", ylabel=f"probability of {self.pos_label}", ylim=(0, 1))
        legend(self.ax_, "below")
        return self

    def frame(self) -> Any:
        """The maps at the points that are drawn, as a Polars frame."""
        import polars as pl

        x = self._grid()
        return pl.concat(
            [
                pl.DataFrame({"score": x, "probability": np.asarray(one.probability(x))}).select(
                    pl.lit(name).alias("map"), pl.all()
                )
                for name, one in self.maps.items()
            ]
        )

    def _grid(self) -> Floats:
        finite = self.score[np.isfinite(self.score)]
        if not len(finite):
            raise InputError("no score is finite")
        return np.linspace(float(finite.min()), float(finite.max()), _POINTS)


def _fitted(name: str, score: Floats, y: Array, smoothing: Any) -> Any:
    options = {"smoothing": smoothing} if name == "isotonic" else {}
    return _MAPS[name].fit(score, y, **options)
