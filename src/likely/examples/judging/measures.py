"""Worked examples of counting what a classifier gets right."""

import math
from typing import Any

import numpy as np

from likely.estimation import fit_line
from likely.evaluation import Confusion, Estimate, relative_change, true_error
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Draw, Worked, worked
from likely.figures import ConfusionDisplay
from likely.statistics import column_correlations

_CELLS = ("TP", "FP", "FN", "TN")


def _drawn(confusion: Confusion) -> Draw:
    def figure(ax: Axes) -> None:
        ConfusionDisplay(confusion).plot(ax)

    return figure


@worked("EX-EVA-01")
def error_under_a_law(ex: Example) -> Worked:
    """How often is a hypothesis wrong when the law of the rows is known?"""
    return Worked({"error": true_error(ex.inputs["D"], said=ex.inputs["h"], truth=ex.inputs["f"])})


@worked("EX-EVA-02")
def one_against_the_rest(ex: Example) -> Worked:
    """What are accuracy, sensitivity, precision, false alarms and correlation of four counts?"""
    confusion = Confusion.of_counts(**ex.inputs)
    names = {
        "accuracy": "accuracy",
        "sensitivity": "sensitivity",
        "specificity_tnr": "specificity",
        "precision": "precision",
        "false_alarm_fpr": "false alarm rate",
        "false_alarm_fdr": "false alarm ratio",
        "cc": "correlation coefficient",
    }
    values: dict[str, Any] = {expected: confusion.measure(name).value for expected, name in names.items()}
    counts = confusion.counts["positive"]
    sizes = [int(counts[cell]) for cell in _CELLS]
    truth, said = np.repeat([1.0, 0.0, 1.0, 0.0], sizes), np.repeat([1.0, 1.0, 0.0, 0.0], sizes)
    deviations = column_correlations(np.column_stack([truth, said]))
    values |= {
        "N": int(confusion.total),
        "p_class_and_label": counts["TP"] / confusion.total,
        "cc_as_correlation": fit_line(truth, said).correlation,
        "cc_from_deviations": deviations[0, 1],
    }
    return Worked(values, _drawn(confusion))


@worked("EX-EVA-03")
def micro_and_macro(ex: Example) -> Worked:
    """How good is a classifier of three classes, per class, pooled (micro) and averaged (macro)?"""
    confusion = Confusion(tuple(ex.inputs["classes"]), np.array(ex.inputs["matrix"]))
    values: dict[str, Any] = {
        "correct": int(confusion.correct),
        "total": int(confusion.total),
        "accuracy": confusion.accuracy.value,
        "per_class": [
            {
                "counts_tp_fp_fn_tn": [confusion.counts[c][name] for name in _CELLS],
                "recall": confusion.measure("recall", of=c).value,
                "precision": confusion.measure("precision", of=c).value,
                "cc": confusion.measure("correlation", of=c).value,
            }
            for c in confusion.classes
        ],
        "micro_false_alarm_fpr": confusion.measure("false alarm rate", average="micro").value,
        "micro_false_alarm_as_printed": confusion.measure("false alarm ratio", average="micro").value,
    }
    for name, called in (("precision", "precision"), ("recall", "recall"), ("cc", "correlation")):
        values[f"micro_{name}"] = confusion.measure(called, average="micro").value
        values[f"macro_{name}"] = confusion.measure(called, average="macro").value
    return Worked(values, _drawn(confusion))


def _head_injuries(ex: Example) -> tuple[Confusion, dict[str, Any]]:
    confusion = Confusion((1, 2, 3), np.array(ex.inputs["matrix"]))
    values = {
        "total": int(confusion.total),
        "correct": int(confusion.correct),
        "accuracy": confusion.accuracy.value,
        "row_totals": confusion.support,
    }
    return confusion, values


@worked("EX-EVA-04")
def head_injuries_training(ex: Example) -> Worked:
    """How well are the outcomes of head injuries told on the training set?"""
    confusion, values = _head_injuries(ex)
    return Worked(values | {"class1_as_3": confusion.matrix[0, 2] / confusion.total}, _drawn(confusion))


@worked("EX-EVA-05")
def head_injuries_test(ex: Example) -> Worked:
    """How well are the outcomes of head injuries told on the test set?"""
    confusion, values = _head_injuries(ex)
    of_500 = confusion.correct / 500
    values |= {
        "accuracy_if_total_were_500": of_500,
        "relative_gain_if_500": relative_change(ex.inputs["train_accuracy"], of_500).value,
    }
    return Worked(values, _drawn(confusion))


@worked("EX-EVA-18")
def useless_accuracy(ex: Example) -> Worked:
    """Can a classifier with a high accuracy be useless?"""
    confusion = Confusion.of_counts(**ex.inputs)

    def shown(estimate: Estimate) -> float | str:
        return "undefined" if math.isnan(estimate.value) else estimate.value

    names = {"accuracy": "accuracy", "sensitivity": "recall", "precision": "precision", "cc": "CC"}
    return Worked({expected: shown(confusion.measure(name)) for expected, name in names.items()}, _drawn(confusion))
