"""The figures that a first screen stands on, so that tiles, picture and sentences tell the same story.

rows set aside or later    the model kept on those rows, beside its folds: the rows set aside have the last word
costs given, or a reject   what a decision costs, beside what costs least without a model, and the best rival; with the
                           cost of not answering alone a mistake costs 1
a prior                    how often it is right as it decides
otherwise                  how often it is right over folds, beside the commonest class and the best rival
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.evaluation import Evaluation
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.proportions import proportion_interval
from likely.reports.choosing.contest import BASELINE, Entry
from likely.reports.judging import always, difference, price_of, saving, used_in
from likely.reports.rendering.rivals import evaluation_of, recentred

if TYPE_CHECKING:
    from likely.reports.study import Study

NO_ANSWER = "leaving every row unanswered"


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
    return price_of(study.setting) is not None and not (
        judged(study).confusion.rejected.any() and not study.setting.reject
    )


def without_model(study: "Study") -> tuple[str, Estimate]:
    """What costs least without a model, in words, and its cost: one answer for all rows, or leaving all unanswered."""
    label, constant = _best_constant(study)
    reject = study.setting.reject
    if reject is not None and reject < constant.value:
        return NO_ANSWER, Estimate(reject, reject, reject, constant.confidence, "as given", constant.n)
    return f"always saying {plain_name(label)}", constant


def _best_constant(study: "Study") -> tuple[Hashable, Estimate]:
    """The one answer that costs least if it is always given, and what it costs; without costs a mistake costs 1."""
    return replace(judged(study), costs=study.setting.matrix).best_constant


def mean_cost(study: "Study", entry: Entry | None = None) -> Estimate:
    """What a decision of the model kept, or of another, costs on average; without costs given a mistake costs 1."""
    price = price_of(study.setting)
    assert price is not None
    found = judged(study) if entry is None else evaluation_of(study, entry)
    return price.estimate(found.said)


def saved(study: "Study") -> Estimate:
    """By what share decisions cost less than what costs least without a model, of the same rows."""
    price, said, (name, constant) = price_of(study.setting), judged(study).said, without_model(study)
    assert price is not None
    if name == NO_ANSWER:
        return saving(price, said, constant.value)
    place = judged(study).classes.index(_best_constant(study)[0])
    other = always(said, place)
    assert isinstance(other, Said)
    return saving(price, said, other)


def saves(study: "Study") -> bool:
    """Whether decisions are shown to cost less than what costs least without a model."""
    return by_costs(study) and saved(study).low > 0


def gain(study: "Study") -> Estimate:
    """How much more often the model kept is right than always saying the commonest class, of the same rows.

    Of rows set aside, of those that it answers, and as costs or a prior have it decide, row by row; else over folds.
    """
    common, share = guess(study)
    found = judged(study)
    place = found.classes.index(common)
    if study.tested is None and not study.setting.given:
        kept = used_in(study, study.chosen)
        apart = difference("accuracy", kept, always(kept, place))
    else:
        answered = found.said.take(np.flatnonzero(found.said.labels >= 0)) if some_left(study) else found.said
        apart = difference("accuracy", answered, always(answered, place))
    found_gain = recentred(apart, round(right(study).value, 3) - round(share.value, 3))
    return replace(found_gain, low=max(found_gain.low, -1.0), high=min(found_gain.high, 1.0))


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
        counts = _class_counts(study)  # not over folds: in those of whole groups it may be another class
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
    """The commonest class of the rows learned; of equally common ones the first."""
    counts = _class_counts(study)
    return max(counts, key=lambda label: counts[label])


def _class_counts(study: "Study") -> dict[Hashable, int]:
    """Rows of each class among those that are judged: without classes of a single row, which are set aside."""
    codes, names = study.result.y, study.result.classes.tolist()
    return dict(zip(names, np.bincount(codes, minlength=len(names)).tolist(), strict=True))


def never_found(study: "Study") -> list[tuple[Hashable, int]]:
    """Classes of which the model kept finds no row, with how many rows they have, the largest first.

    Nothing of a model that says the same of every row: what it misses is no surprise. Of rows that are left unanswered
    nothing is found either, so a class counts only if some of its rows are answered.
    """
    if study.choice.chosen == BASELINE:
        return []
    found, counts = judged(study), np.bincount(judged(study).said.y, minlength=len(judged(study).classes))
    table = found.confusion
    answered = table.support - table.rejected
    missed = [
        (label, int(counts[place]))
        for place, label in enumerate(found.classes)
        if answered[place] > 0 and table.matrix[place, place] == 0
    ]
    return sorted(missed, key=lambda one: -one[1])


def right_over_folds(study: "Study") -> Estimate:
    """How often the model kept is right over folds, deciding as it does elsewhere."""
    return study.evaluation.accuracy if study.setting.given else accuracy_of(study.chosen)


def far_from_folds(study: "Study") -> bool:
    """Whether the model is right less often of rows set aside than of folds, beyond both intervals."""
    return study.tested is not None and study.tested.accuracy.high < right_over_folds(study).low


def bars(study: "Study") -> list[Bar]:
    """What the picture of the answer holds, in costs of a row or in shares that are right."""
    kept, rival = study.choice.chosen, study.rival
    if by_costs(study):
        name, constant = without_model(study)
        found = [Bar(name, constant, "guess"), Bar(kept, mean_cost(study), "kept")]
        if rival is not None and not rival.over_folds:
            found.append(Bar(rival.entry.name, mean_cost(study, rival.entry), "rival"))
        return found
    label, share = guess(study)
    found = [Bar(f"always {plain_name(label)}", share, "guess")]
    if kept != BASELINE:
        found.append(Bar(kept, right(study), "kept"))
    if study.tested is not None:
        found[-1] = Bar(f"{kept}, rows set aside", right(study), "kept")
        if rival is not None and not rival.over_folds and not some_left(study):
            name, theirs = rival.entry.name, evaluation_of(study, rival.entry).accuracy
            found.append(Bar(f"{name}, rows set aside", theirs, "rival"))
        found.append(Bar(f"{kept}, over folds of the rows learned", right_over_folds(study), "rival"))
    elif rival is not None and not some_left(study):
        given = study.setting.given
        figure = evaluation_of(study, rival.entry).accuracy if given else accuracy_of(rival.entry)
        found.append(Bar(rival.entry.name, figure, "rival"))
    return found


def commonest(study: "Study") -> str:
    """Always saying the commonest class, in words that hold where several are equally common."""
    label, _ = guess(study)
    found = judged(study)
    support = found.confusion.support - found.confusion.rejected if some_left(study) else found.confusion.support
    alike = int(np.isclose(support, support.max(), rtol=1e-9, atol=0.0).sum())
    if alike == len(support):
        return "always saying the same class (all are equally common)"
    which = "the commonest class" if alike == 1 else f"one of the {alike} commonest classes"
    return f"always saying {plain_name(label)}, {which}"
