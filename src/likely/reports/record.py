"""A study as values that JSON can hold: every figure with its interval and method."""

import math
from typing import TYPE_CHECKING, Any

from likely._version import __version__
from likely.intervals.estimate import Estimate
from likely.reports.rendering.doubts import distrust
from likely.reports.rendering.first_screen.answer import answer
from likely.reports.rendering.first_screen.first_figures import accuracy_of
from likely.reports.rendering.first_screen.tiles import tiles
from likely.reports.rendering.illustrations import row_name, telling_features, telling_words
from likely.reports.rendering.model_sections import says_nothing

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
            "tiles": [
                {"question": t.title, "answer": t.figure, "words": t.words, "tone": t.tone} for t in tiles(study)
            ],
            "data": {
                "rows": study.findings.rows,
                "unlabelled": study.looked.unlabelled,
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
                    "calibrations_without_time": entry.untried,
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
                "luck": study.choice.luck,
                "calibration": study.chosen.way.name,
            },
            "rival": _rival(study),
            "positive": study.evaluation.positive,
            "figures": study.evaluation.figures,
            "rows_set_aside": None if study.tested is None else study.tested.figures,
            "confusion": {
                "classes": study.evaluation.classes,
                "matrix": study.evaluation.confusion.matrix.tolist(),
                "rejected": study.evaluation.confusion.rejected.tolist(),
            },
            "redundancy": _shared(study),
            "learning_curve": None if study.growth is None else study.growth.frame().to_dicts(),
            "telling_columns": [
                {"column": one.name, "bits": one.size, "bits_for_predicted": one.towards}
                for one in telling_features(study)
            ],
            **_words(study),
            **_audited(study),
            "distrust": distrust(study),
            "settings": {**study.arguments, "seed": study.seed},
            "seconds": study.seconds,
        }
    )
    return values


def _rival(study: "Study") -> dict[str, Any] | None:
    """The best of the other models against the one kept."""
    rival = study.rival
    if rival is None:
        return None
    return {
        "name": rival.entry.name,
        "wins": rival.wins,
        "accuracy_ahead": rival.accuracy,
        "log_loss_ahead": rival.log_loss,
        "cost_ahead": rival.cost,
        "of": "folds" if study.tested is None or rival.over_folds else "rows set aside",
    }


def _shared(study: "Study") -> dict[str, Any] | None:
    """What columns repeat of each other within the class."""
    found = study.redundancy
    if found is None:
        return None
    pairs = [{"columns": [pair.first, pair.second], "bits": pair.bits} for pair in found.strong]
    return {"bits": found.bits, "columns": found.columns, "pairs": pairs}


def _audited(study: "Study") -> dict[str, Any]:
    """The rows that fit their label worst; nothing where there was no time to look for them."""
    if study.audit is None:
        return {"suspicious_rows": [], "label_errors": None, "audited_model": None}
    found = [] if says_nothing(study) else study.audit.suspicious(top=20, disputed=True).to_dicts()
    rows = [{**row, **row_name(study, study.looked.place(row["row"]))} for row in found]
    return {"suspicious_rows": rows, "label_errors": study.audit.error_rate, "audited_model": study.choice.chosen}


def _words(study: "Study") -> dict[str, Any]:
    """The telling words of each class, where there are texts: how many times as frequent each is there as elsewhere."""
    found = telling_words(study)
    if not found:
        return {}
    told = [
        {
            "class": label,
            "column": column,
            "word": term.word,
            "ratio": 2.0 ** min(term.bits, 1000.0),
            "low": 2.0 ** min(term.low, 1000.0),
            "high": 2.0 ** min(term.high, 1000.0),
            "confidence": 0.95,
            "documents": term.documents,
            "documents_elsewhere": term.documents_elsewhere,
        }
        for (column, label), terms in found.items()
        for term in terms
    ]
    left_out = len(study.result.classes) - len({label for _, label in found})
    return {"telling_words": told, "classes_without_telling_words": left_out}


def plain(value: object) -> Any:
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
