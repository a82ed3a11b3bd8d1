"""A study as values that JSON can hold: every figure with its interval and method."""

import math
from typing import TYPE_CHECKING, Any

from likely._version import __version__
from likely.evaluation.estimate import Estimate
from likely.reports.illustrations import telling_features
from likely.reports.words import accuracy_of, answer, distrust

if TYPE_CHECKING:
    from likely.reports.study import Study


def record(study: "Study") -> dict[str, Any]:
    """Everything of the report but the pictures."""
    comparison = study.comparison
    values: dict[str, Any] = plain(
        {
            "likely": __version__,
            "title": study.title,
            "target": study.target,
            "answer": answer(study),
            "data": {
                "rows": study.findings.rows,
                "unlabelled": study.findings.unlabelled,
                "classes": [{"class": c, "rows": n} for c, n in study.findings.classes],
                "columns": study.findings.frame().to_dicts(),
                "notes": study.findings.notes,
            },
            "models": [
                {
                    "name": entry.name,
                    "rank": entry.rank,
                    "assumes": entry.words,
                    "yardstick": entry.yardstick,
                    "left_out": entry.left_out or None,
                    "calibration": entry.calibrated_by,
                    "seconds": entry.seconds,
                    "log_loss": comparison.estimates[entry.name] if entry.judged else None,
                    "accuracy": accuracy_of(entry) if entry.judged else None,
                }
                for entry in study.entries
            ],
            "differences": comparison.frame().to_dicts(),
            "choice": {
                "best": study.choice.best,
                "chosen": study.choice.chosen,
                "words": study.choice.words,
                "optimism": study.choice.optimism,
                "calibration": study.chosen.way.name,
            },
            "figures": study.evaluation.figures,
            "confusion": {
                "classes": study.evaluation.classes,
                "matrix": study.evaluation.confusion.matrix.tolist(),
                "rejected": study.evaluation.confusion.rejected.tolist(),
            },
            "telling_columns": [{"column": name, "bits": figure} for name, figure in telling_features(study)],
            "suspicious_rows": study.audit.suspicious(top=20).to_dicts(),
            "label_errors": study.audit.error_rate,
            "distrust": distrust(study),
            "settings": {**study.arguments, "seed": study.seed},
            "seconds": study.seconds,
        }
    )
    return values


def plain(value: Any) -> Any:
    """Values as JSON has them; a number that is none (NaN, infinity) becomes null or its name."""
    if isinstance(value, Estimate):
        return plain(value.fields())
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)
