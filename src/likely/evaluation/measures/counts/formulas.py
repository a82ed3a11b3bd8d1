"""The measures of a confusion matrix: names in both vocabularies, and formulas in TP, FP, FN, TN.

One class against the rest: TP rows of the class that are called so, FN rows of it that are not, FP rows of others that
are called so, TN the rest. Machine learning and information retrieval say recall and precision where medicine says
sensitivity and positive predictive value, and some words change their meaning with the speaker: every measure therefore
carries its formula, and `caution` names what else its name is used for.

A measure is a function of counts of any shape. It is NaN where the counts do not define it (0/0).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from likely.data.inputs import suggest
from likely.data.printing.html_table import text_as_html
from likely.errors import InputError
from likely.evaluation.measures.vocabulary import OF_PROBABILITIES, known_as
from likely.numeric.arrays import Array, in_brief

Vocabulary: TypeAlias = Literal["learning", "medical"]
Count: TypeAlias = Literal["TP", "FP", "FN", "TN"]
Bounds: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Measure:
    """A measure of one class against the rest."""

    name: str
    medical: str
    formula: str
    function: Callable[..., Array]  # (TP, FP, FN, TN) -> value, for arrays of one shape, also complex ones
    other_names: tuple[str, ...] = ()
    bounds: Bounds = (0.0, 1.0)
    share: tuple[tuple[Count, ...], tuple[Count, ...]] | None = None  # counted rows, among which rows: a proportion
    of_share: Callable[[float], float] | None = None  # the measure as a rising function of that proportion
    overall: str = ""  # the formula of its micro average, where that counts every row once, right or wrong
    averaged: bool = True  # whether a mean over the classes says anything
    caution: str = ""

    __repr__ = in_brief

    def named(self, vocabulary: Vocabulary) -> str:
        """What it is called: in general, or in medicine."""
        return self.medical if vocabulary == "medical" else self.name

    def formula_of(self, average: str | None) -> str:
        """The formula of the counts of one class, or of those that the average is taken over."""
        return self.overall if average == "micro" and self.overall else self.formula

    def __str__(self) -> str:
        others = dict.fromkeys((self.medical, *self.other_names))
        known = ", ".join(name for name in others if name != self.name)
        caution = f"; {self.caution}" if self.caution else ""
        return f"{self.name} = {self.formula} (also {known}){caution}"

    _repr_html_ = text_as_html


def measure(name: str | Measure) -> Measure:
    """The measure of that name, in either vocabulary; upper and lower case are one, as are spaces and underscores.

    >>> print(measure("sensitivity"))
    recall = TP / (TP + FN) (also sensitivity, hit rate, true positive rate, TPR, power)
    """
    if isinstance(name, Measure):
        return name
    own = known_as(name)
    if own in OF_PROBABILITIES:
        raise InputError(f"{name} is of probabilities, and not of counts: evaluate(...).measure({name!r})")
    if own not in _BY_NAME:
        known = ", ".join(m.name for m in MEASURES)
        raise InputError(f"unknown measure {name!r}{suggest(name.lower(), list(_NAMES))}; known are {known}")
    return _BY_NAME[own]


def _ratio(top: Any, bottom: Any) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.true_divide(top, bottom))


def _correlation(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    # Roots one by one: the product of four counts of a large sample would overflow integers and lose digits.
    root = np.sqrt(tp + fn + 0.0) * np.sqrt(tp + fp + 0.0) * np.sqrt(tn + fp + 0.0) * np.sqrt(tn + fn + 0.0)
    return _ratio(tp * (tn + 0.0) - fp * (fn + 0.0), root)


def _kappa(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    n = tp + fp + fn + tn + 0.0
    chance = (tp + fn) * (tp + fp + 0.0) + (tn + fp) * (tn + fn + 0.0)
    return _ratio((tp + tn) * n - chance, n * n - chance)


def _share(counted: tuple[Count, ...], among: tuple[Count, ...]) -> Callable[..., Array]:
    places = {"TP": 0, "FP": 1, "FN": 2, "TN": 3}

    def function(*counts: Array) -> Array:
        return _ratio(sum(counts[places[c]] for c in counted), sum(counts[places[c]] for c in among))

    return function


def _proportion(name: str, medical: str, counted: tuple[Count, ...], among: tuple[Count, ...], **more: Any) -> Measure:
    top, bottom = " + ".join(counted), " + ".join(among)
    top = f"({top})" if len(counted) > 1 else top
    return Measure(name, medical, f"{top} / ({bottom})", _share(counted, among), share=(counted, among), **more)


_ALL: tuple[Count, ...] = ("TP", "FP", "FN", "TN")

MEASURES: tuple[Measure, ...] = (
    _proportion(
        "accuracy", "diagnostic efficiency", ("TP", "TN"), _ALL, overall="sum of TP / N",
        other_names=("share correct", "rate of agreement"), caution="flatters the majority class",
    ),
    _proportion(
        "error rate", "misclassification rate", ("FP", "FN"), _ALL, overall="1 - sum of TP / N",
        other_names=("error", "zero-one loss"),
    ),
    _proportion(
        "recall", "sensitivity", ("TP",), ("TP", "FN"),
        other_names=("hit rate", "true positive rate", "TPR", "power"),
    ),
    _proportion(
        "precision", "positive predictive value", ("TP",), ("TP", "FP"), other_names=("PPV",),
        caution="some texts call it specificity",
    ),
    _proportion(
        "true negative rate", "specificity", ("TN",), ("TN", "FP"), other_names=("TNR", "selectivity"),
        caution="specificity is the sensitivity of the negative class, not precision",
    ),
    _proportion(
        "false positive rate", "false alarm rate", ("FP",), ("FP", "TN"), other_names=("FPR", "fall-out"),
        caution="some texts call FP / (FP + TP) the false alarm rate",
    ),
    _proportion(
        "false discovery rate", "false alarm ratio", ("FP",), ("FP", "TP"), other_names=("FDR", "1 - precision"),
        caution="some texts call it the false alarm rate",
    ),
    _proportion("miss rate", "false negative rate", ("FN",), ("FN", "TP"), other_names=("FNR", "1 - recall")),
    _proportion(
        "negative precision", "negative predictive value", ("TN",), ("TN", "FN"), other_names=("NPV",)
    ),
    _proportion("false omission rate", "false reassurance rate", ("FN",), ("FN", "TN"), other_names=("FOR",)),
    Measure(
        "F1", "Dice coefficient", "2 TP / (2 TP + FP + FN)",
        lambda tp, fp, fn, tn: _ratio(2 * tp, 2 * tp + fp + fn),
        other_names=("F-measure", "F score", "harmonic mean of precision and recall"),
        share=(("TP",), ("TP", "FP", "FN")), of_share=lambda jaccard: 2 * jaccard / (1 + jaccard),
    ),
    _proportion(
        "Jaccard index", "critical success index", ("TP",), ("TP", "FP", "FN"), other_names=("threat score", "CSI")
    ),
    Measure(
        "correlation", "phi coefficient",
        "(TP TN - FP FN) / sqrt((TP + FN) (TP + FP) (TN + FP) (TN + FN))", _correlation,
        other_names=("CC", "correlation coefficient", "Matthews correlation coefficient", "MCC"), bounds=(-1.0, 1.0),
    ),
    Measure(
        "kappa", "Cohen's kappa",
        "(N (TP + TN) - C) / (N^2 - C), C = (TP + FN) (TP + FP) + (TN + FP) (TN + FN), N = TP + FP + FN + TN", _kappa,
        other_names=("agreement beyond chance", "Heidke skill score"), bounds=(-1.0, 1.0),
    ),
    Measure(
        "balanced accuracy", "mean of sensitivity and specificity", "(TP / (TP + FN) + TN / (TN + FP)) / 2",
        lambda tp, fp, fn, tn: (_ratio(tp, tp + fn) + _ratio(tn, tn + fp)) / 2,
    ),
    Measure(
        "informedness", "Youden's J", "TP / (TP + FN) + TN / (TN + FP) - 1",
        lambda tp, fp, fn, tn: _ratio(tp, tp + fn) + _ratio(tn, tn + fp) - 1,
        other_names=("Peirce skill score",), bounds=(-1.0, 1.0),
    ),
    Measure(
        "positive likelihood ratio", "LR+", "(TP / (TP + FN)) / (FP / (FP + TN))",
        lambda tp, fp, fn, tn: _ratio(tp * (fp + tn + 0.0), fp * (tp + fn + 0.0)), bounds=(0.0, np.inf),
    ),
    Measure(
        "negative likelihood ratio", "LR-", "(FN / (TP + FN)) / (TN / (FP + TN))",
        lambda tp, fp, fn, tn: _ratio(fn * (fp + tn + 0.0), tn * (tp + fn + 0.0)), bounds=(0.0, np.inf),
    ),
    _proportion("share of rows", "prevalence", ("TP", "FN"), _ALL, other_names=("base rate",), averaged=False),
    _proportion("share said", "detection prevalence", ("TP", "FP"), _ALL, averaged=False),
)  # fmt: skip

_BY_NAME: dict[str, Measure] = {}
_NAMES: list[str] = []
for _measure in MEASURES:
    for _name in (_measure.name, _measure.medical, *_measure.other_names):
        assert _BY_NAME.get(known_as(_name), _measure) is _measure, f"two measures are called {_name}"
        _BY_NAME[known_as(_name)] = _measure
        _NAMES.append(_name.lower())


OF_ANSWERS = {"answered": "answered / N", "accuracy of answers": "sum of TP / answered"}  # where rows are rejected


def measure_of_figure(name: str) -> tuple[str, Measure | None]:
    """The average that the name of a figure begins with, and its measure of a confusion matrix, if it is one."""
    try:
        return ("macro" if name.startswith("macro ") else ""), measure(name.removeprefix("macro "))
    except InputError:
        return "", None


def called(name: str, vocabulary: Vocabulary) -> str:
    """The name of a figure in a vocabulary."""
    average, chosen = measure_of_figure(name)
    return name if chosen is None else f"{average} {chosen.named(vocabulary)}".strip()
