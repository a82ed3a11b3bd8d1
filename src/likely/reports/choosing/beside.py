"""What a study asks besides which model to keep: a rival to ask about rows set aside, groups, the class of interest."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likely.data.inputs import suggest
from likely.errors import InputError
from likely.models.any_classifier.asking import fitted_clone
from likely.models.any_classifier.inside import know_table, name_target
from likely.numeric.arrays import Ints
from likely.reports.choosing.choice import Choice
from likely.reports.choosing.clock import Clock
from likely.reports.choosing.contest import Entry
from likely.reports.choosing.setting import Setting
from likely.reports.judging import price_of, ranked_rivals
from likely.reports.looking import Look


def rival_learned(
    looked: Look, entries: Sequence[Entry], chosen: str, setting: Setting, clock: Clock
) -> tuple[str, Any] | None:
    """The best rival over folds, fitted as the model kept is, so that it can be asked about the rows set aside."""
    entry = next(iter(ranked_rivals(entries, chosen, setting)), None)
    if entry is None or not clock.allows(entry.seconds, last=True):
        return None
    model = fitted_clone(setting.around(entry.way.model), looked.data)
    return entry.name, know_table(name_target(model, looked.target), looked.columns, looked.findings.dates)


def kept_best(choice: Choice, entries: Sequence[Entry], setting: Setting) -> Choice:
    """The choice of whoever asks for the best over folds: by log score, or where there are costs by what it costs."""
    best, asked = choice.best, ""
    if price_of(setting) is not None:
        candidates = ranked_rivals((entry for entry in entries if not entry.yardstick), "", setting)
        best = candidates[0].name if candidates else best
        asked = "" if best == choice.best else "costs least over folds, and the best was asked for"
    return replace(choice, chosen=best, behind=None, asked=asked)


def positive_of(named: Any, classes: tuple[Any, ...], codes: Ints) -> Any:
    """The class that measures of one class are about: the one named, of two the rarer, of two alike the second.

    >>> import numpy as np
    >>> positive_of(None, ("no", "yes"), np.array([0, 1, 1])), positive_of("yes", ("no", "yes"), np.array([0, 1, 1]))
    ('no', 'yes')
    """
    if named is not None or len(classes) != 2:
        return named
    first, second = np.bincount(codes, minlength=2)
    return classes[0] if first < second else classes[1]


def grouped(entry: Entry, members: Ints) -> Entry:
    """The entry, whose figures have intervals about other groups."""
    ways = (replace(way, result=way.result and replace(way.result, groups=members)) for way in entry.ways)
    return replace(entry, ways=tuple(ways))


def class_named(positive: Any, classes: list[Any]) -> Any:
    """The class that is spelled like this."""
    if positive is None:
        return None
    for name in classes:
        if name == positive or str(name) == str(positive):
            return name
    raise InputError(f"positive: there is no class {positive!r}{suggest(str(positive), [str(c) for c in classes])}")
