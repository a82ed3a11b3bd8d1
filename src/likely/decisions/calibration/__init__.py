"""From scores to probabilities that come true as often as they say.

The maps are fitted in scikit-learn's order, `fit(score, y)`; what judges takes the truth first, `reliability(y, p)`.
"""

from likely.decisions.calibration.calibrated import Calibrated
from likely.decisions.calibration.maps.beta_map import BetaMap
from likely.decisions.calibration.maps.isotonic import IsotonicMap
from likely.decisions.calibration.maps.logistic import GaussianScores, LogisticMap
from likely.decisions.calibration.maps.temperature import TemperatureMap, UnchangedMap
from likely.decisions.calibration.reliability import Reliability, reliability

__all__ = [
    "BetaMap",
    "Calibrated",
    "GaussianScores",
    "IsotonicMap",
    "LogisticMap",
    "Reliability",
    "TemperatureMap",
    "UnchangedMap",
    "reliability",
]
