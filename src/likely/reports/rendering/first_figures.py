"""The figures that a first screen stands on, so that tiles, picture and sentences tell the same story.

rows set aside or later    the model kept on those rows, beside its folds: the rows set aside have the last word
costs given                what a decision costs, beside what costs least without a model, and the best rival
a prior or a reject        how often it is right as it decides, of the rows that it answers
otherwise                  how often it is right over folds, beside the commonest class and the best rival
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.evaluation import Evaluation
from likely.intervals.estimate import Estimate
from likely.intervals.proportions import proportion_interval
from likely.reports.choosing.contest import BASELINE, Entry
from likely.reports.rendering.rivals import best_rival

if TYPE_CHECKING:
    from likely.reports.study import Study

NO_ANSWER = "leaving every row"


@dataclass(frozen=True)
class Bar:
    """One bar of the picture of the answer."""

    name: str
    figure: Estimate
    role: str  # guess, kept or rival


def judged(study: "Study") -> Evaluation:
    """The model kept on the rows that have the last word: those set aside or later, else out of fold."""
    return study.evaluation if study.tested is None else study.tested


def by_costs(study: "Study") -> bool:
    """Whether answers are judged by what they cost."""
    return study.setting.costs is not None and not (judged(study).confusion.rejected.any() and not study.setting.reject)


def without_model(study: "Study") -> tuple[str, Estimate]:
    """What costs least without a model, in words, and its cost: one answer for all rows, or leaving all unanswered."""
    label, constant = judged(study).best_constant
    reject = study.setting.reject
    if reject is not None and reject < constant.value:
        return NO_ANSWER, Estimate(reject, reject, reject, constant.confidence, "as given", constant.n)
    return f"always saying {plain_name(label)}", constant


def saves(study: "Study") -> bool:
    """Whether decisions cost less than what costs least without a model, interval below interval."""
    return by_costs(study) and judged(study).cost.high < without_model(study)[1].low


def right(study: "Study") -> Estimate:
    """How often the model kept is right, as it decides, of the rows that it answers."""
    found = judged(study)
    if some_left(study):
        return found.confusion.selective_accuracy
    if study.tested is None and not study.setting.given:
        return accuracy_of(study.chosen)
    return found.accuracy


def some_left(study: "Study") -> bool:
    """Whether the model kept leaves rows unanswered, so that it is judged on those that it answers."""
    found = judged(study).confusion
    return bool(found.rejected.any()) and found.selective_accuracy.defined


def plain_name(label: Hashable) -> str:
    """A class as it is named in a sentence: in quotes where it is a mere sign.

    >>> plain_name("good"), plain_name("-"), plain_name(0)
    ('good', "'-'", '0')
    """
    text = str(label)
    return text if any(letter.isalnum() for letter in text) else repr(text)


def accuracy_of(entry: Entry) -> Estimate:
    """How often a judged entry was right, out of fold.

    Folds are stratified, so the majority is right equally often in all of them, and their spread says nothing.
    """
    if entry.name != BASELINE:
        return entry.result.estimate("accuracy")
    right = entry.result.row_scores("accuracy")[0]
    return proportion_interval(int(right.sum()), len(right))


def guess(study: "Study") -> tuple[Hashable, Estimate]:
    """The class that is commonest where the model is judged, and how often always saying it is right."""
    if study.tested is None and study.setting.prior is None and not some_left(study):
        counts = dict(study.findings.classes)  # not over folds: in those of whole groups it may be another class
        return majority_class(study), proportion_interval(max(counts.values()), sum(counts.values()))
    found = judged(study)
    if some_left(study):  # beside how often it is right where it answers: the same rows
        answered = found.confusion.support - found.confusion.rejected
        place = int(np.argmax(answered))
        return found.classes[place], proportion_interval(float(answered[place]), float(answered.sum()))
    place = int(np.argmax(found.confusion.support))
    if study.tested is None:
        share = found.confusion.support / found.confusion.support.sum()
        return found.classes[place], proportion_interval(float(share[place]) * found.n, found.n)
    return found.classes[place], proportion_interval(int(np.sum(found.said.y == place)), found.n)


def majority_class(study: "Study") -> Hashable:
    """The commonest class of the table; of equally common ones the first."""
    commonest: Hashable = max(study.findings.classes, key=lambda one: one[1])[0]
    return commonest


def right_over_folds(study: "Study") -> Estimate:
    """How often the model kept is right over folds, deciding as it does elsewhere."""
    return study.evaluation.accuracy if study.setting.given else accuracy_of(study.chosen)


def far_from_folds(study: "Study") -> bool:
    """Whether the model is right less often of rows set aside than of folds, beyond both intervals."""
    return study.tested is not None and study.tested.accuracy.high < right_over_folds(study).low


def bars(study: "Study") -> list[Bar]:
    """What the picture of the answer holds, in costs of a row or in shares that are right."""
    kept, rival = study.choice.chosen, best_rival(study)
    if by_costs(study):
        name, constant = without_model(study)
        found = [Bar(name, constant, "guess"), Bar(kept, judged(study).cost, "kept")]
        if rival is not None and study.tested is None:
            found.append(Bar(rival.entry.name, study.evaluation_of(rival.entry.result).cost, "rival"))
        return found
    label, share = guess(study)
    found = [Bar(f"always {plain_name(label)}", share, "guess")]
    if kept != BASELINE:
        found.append(Bar(kept, right(study), "kept"))
    if study.tested is not None:
        found[-1] = Bar(f"{kept}, rows set aside", right(study), "kept")
        found.append(Bar("over folds of the rows learned", right_over_folds(study), "rival"))
    elif rival is not None and not study.setting.given:
        found.append(Bar(rival.entry.name, accuracy_of(rival.entry), "rival"))
    return found
