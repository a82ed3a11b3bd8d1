"""Which logistic regressions can learn more rows: those whose penalty is given, and has a slope everywhere."""

from collections.abc import Mapping
from typing import Any


def obstacle(given: Mapping[str, Any], summed: bool = False) -> str:
    """Why one with these parameters cannot learn more rows; empty where it can.

    >>> obstacle({"penalty": "l2", "C": "auto", "prior_variance": None})
    "its penalty was chosen by all rows together (C='auto')"
    >>> obstacle({"penalty": "l2", "C": 1.0, "prior_variance": None})
    ''
    """
    if given["penalty"] is None:
        return ""
    if given["C"] == "auto" and given["prior_variance"] is None:
        return "its penalty was chosen by all rows together (C='auto')"
    rough = given["penalty"] == "l1" or (given["penalty"] == "elasticnet" and given["l1_ratio"] > 0)
    return "an L1 penalty has no slope at 0 to follow row by row" if rough else ""
