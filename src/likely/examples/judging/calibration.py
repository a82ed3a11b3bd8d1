"""Worked examples of calibration: from scores to probabilities."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.decisions import GaussianScores, IsotonicMap, LogisticMap
from likely.evaluation import brier_score, calibration_sums
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import CalibrationMapsDisplay


@worked("EX-CAL-01")
def three_calibrations(ex: Example) -> Worked:
    """What probabilities do logistic regression, logistic calibration and isotonic calibration make of scores?"""
    score = np.array([*ex.inputs["pos"], *ex.inputs["neg"]])
    y = np.repeat([1, 0], [len(ex.inputs["pos"]), len(ex.inputs["neg"])])
    logistic, closed = LogisticMap.fit(score, y), GaussianScores.fit(score, y)
    maps: dict[str, Any] = {
        "logistic_regression": logistic,
        "logistic_calibration": closed,
        "isotonic": IsotonicMap.fit(score, y, smoothing=None),
    }

    def facts(p: NDArray[Any]) -> dict[str, float]:
        sums = calibration_sums(y, p, score)
        return {"mse": brier_score(y, p).value, "sum": sums.expected, "residual_times_x": float(sums.residuals[0])}

    slope, offset = logistic.coefficients
    values: dict[str, Any] = {
        "logistic_weights": [offset, slope],
        "boundary_logistic": logistic.midpoint,
        "slope_calibrated": closed.slope,
        "midpoint": closed.midpoint,
    }
    values |= {name: facts(found.probability(score)) for name, found in maps.items()}

    def figure(ax: Axes) -> None:
        CalibrationMapsDisplay.from_predictions(y, score, {n.replace("_", " "): m for n, m in maps.items()}, ax=ax)

    return Worked(values, figure)


@worked("EX-CAL-02")
def adjacent_violators(ex: Example) -> Worked:
    """What probabilities come of pooling adjacent violators, with and without smoothing?"""
    score, y = ex.inputs["scores"], ex.inputs["labels"]
    bare, smooth = (IsotonicMap.fit(score, y, smoothing=how) for how in (None, "all"))
    calibrated = bare.probability(score)
    values = {"calibrated": calibrated, "sum": calibrated.sum(), "smoothed": smooth.probability(score)}

    def figure(ax: Axes) -> None:
        CalibrationMapsDisplay.from_predictions(y, score, {"pooled": bare, "pooled and smoothed": smooth}, ax=ax)

    return Worked(values, figure)
