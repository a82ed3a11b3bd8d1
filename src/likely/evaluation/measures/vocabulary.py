"""How measures are named: in words, with underscores, as they are printed, or as scikit-learn calls its scorers.

"log-loss", "log_loss", "neg_log_loss"      one measure; its sign is that of the figure, whatever the scorer's is
"macro F1", "f1_macro"                      an average over the classes
"""

import re
from typing import Literal, TypeAlias

Average: TypeAlias = Literal["micro", "macro", "weighted"]

_SCORERS = {
    "accuracy_score": "accuracy",
    "average_precision_score": "average_precision",
    "balanced_accuracy_score": "balanced_accuracy",
    "brier_score": "brier",
    "brier_score_loss": "brier",
    "cohen_kappa": "kappa",
    "cohen_kappa_score": "kappa",
    "cross_entropy": "log_loss",
    "error": "error_rate",
    "expected_calibration_error": "calibration_error",
    "f1_score": "f1",
    "jaccard": "jaccard_index",
    "jaccard_score": "jaccard_index",
    "logloss": "log_loss",
    "matthews_corrcoef": "correlation",
    "mean_cost": "cost",
    "neg_brier_score": "brier",
    "neg_log_loss": "log_loss",
    "precision_score": "precision",
    "recall_score": "recall",
    "roc_auc": "roc_area",
    "roc_auc_ovr": "roc_area",
    "roc_auc_score": "roc_area",
    "auc": "roc_area",
}
_AVERAGES: tuple[Average, ...] = ("macro", "micro", "weighted")
OF_PROBABILITIES = ("log_loss", "brier", "roc_area", "average_precision", "calibration_error")


def plain(name: str) -> str:
    """A name in small letters, with underscores between its words.

    >>> plain("Balanced accuracy"), plain("log-loss")
    ('balanced_accuracy', 'log_loss')
    """
    return re.sub(r"[-\s_]+", "_", name.strip().lower())


def known_as(name: str) -> str:
    """The plain name that a measure has here.

    >>> known_as("Brier score"), known_as("neg_log_loss"), known_as("recall")
    ('brier', 'log_loss', 'recall')
    """
    own = plain(name)
    return _SCORERS.get(own, own)


def averaged(name: str) -> tuple[str, Average | None]:
    """The plain name of a measure, and the average over the classes that the name asks for.

    >>> averaged("macro F1"), averaged("f1_weighted"), averaged("F1")
    (('f1', 'macro'), ('f1', 'weighted'), ('f1', None))
    """
    own = plain(name)
    for average in _AVERAGES:
        rest = own.removeprefix(f"{average}_").removesuffix(f"_{average}")
        if rest != own:
            return known_as(rest), average
    return known_as(own), None
