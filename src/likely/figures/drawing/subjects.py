"""What pictures are asked to draw, checked: a fitted classifier, or what was said in a repeat of a cross-validation."""

from typing import Any

from likely.errors import InputError, InputTypeError, check_type
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.evaluation.said import Said


def check_classifier(estimator: object) -> None:
    """Something that predicts, or a complaint."""
    if not hasattr(estimator, "predict"):
        raise InputTypeError(
            f"expected a fitted classifier, got {type(estimator).__name__}; for scores or answers use from_predictions"
        )


def check_result(result: object) -> None:
    """The result of a cross-validation, or a complaint."""
    check_type(result, CrossValidation, "what cross_validate returns")


def said_in(result: Any, repeat: int) -> Said:
    """What was said in one repeat of a cross-validation; several would count every row several times."""
    check_result(result)
    if not 0 <= repeat < result.repeats:
        raise InputError(f"there is no repeat {repeat}; they are numbered from 0 to {result.repeats - 1}")
    said: Said = result.said(repeat)
    return said


def name_of(result: CrossValidation, name: str | None) -> str | None:
    """What a model is called in a picture: as told, or by its class."""
    return type(result.model).__name__ if name is None and result.model is not None else name
