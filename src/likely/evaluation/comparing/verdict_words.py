"""What a comparison comes to, in plain words.

From the difference and its interval, the first of these that is true:

    the same in every fold      and what the rows leave open of others
    equal to within 1 point     the interval lies inside the region of practical equivalence
    better by 2.1 points        the interval leaves out 0, and the test stands up to the number of pairs
    may be better               the interval leaves out 0, but with so many pairs one of them will
    open                        neither
"""

from math import isfinite
from typing import Any

from likely.evaluation.measures.criteria import Criterion
from likely.intervals.estimate import Estimate


def in_words(pair: Any, chosen: Criterion, rope: float, confidence: float, pairs: int) -> str:
    """One sentence on a pair: by how much which one is better, if that can be said."""
    figure, unit = pair.difference, _unit(chosen)
    value, interval = shown_difference(figure, chosen)
    ahead = (figure.value > 0) == chosen.larger_is_better
    better, other = (pair.first, pair.second) if ahead else (pair.second, pair.first)
    gap, ends = shown_difference(_turned(figure) if figure.value < 0 else figure, chosen)
    between = f"{pair.first} - {pair.second} {value}{unit} {interval}"
    if pair.paired_t.difference.low == pair.paired_t.difference.high == 0:
        return f"{pair.first} and {pair.second} scored the same in every fold: {between}"
    if -rope <= figure.low and figure.high <= rope:
        return f"{pair.first} and {pair.second} are equal to within {amount_of(rope, chosen)}: {between}"
    if figure.low > 0 or figure.high < 0:
        claim = f"by {gap}{unit} {ends}"
        if pair.holm <= 1 - confidence:
            return f"{better} is better than {other} {claim}"
        why = f"not shown for {pairs} pairs at a time" if pairs > 1 else "the test over folds does not show it"
        return f"{better} may be better than {other} {claim}: {why}, p = {pair.holm:.2g}"
    return f"open whether {pair.first} and {pair.second} differ by more than {amount_of(rope, chosen)}: {between}"


def shown_difference(figure: Estimate, chosen: Criterion) -> tuple[str, str]:
    """The difference and its interval as text, in points where the measure is a share."""
    scale, places = (100.0, 1) if chosen.unit == "points" else (1.0, 3)
    width = figure.high - figure.low
    while isfinite(width) and 0 < width * scale < 2 * 10.0**-places and places < 8:  # two digits of the width
        places += 1
    shown = (f"{scale * x:z.{places}f}" if isfinite(x) else "no end" for x in (figure.value, figure.low, figure.high))
    value, low, high = shown
    return value, f"[{low}, {high}]"


def amount_of(size: float, chosen: Criterion) -> str:
    """A difference of this size, in the unit of the measure."""
    if chosen.unit == "points":
        shown = f"{100 * size:.3g}"
        return f"{shown} point" if shown == "1" else f"{shown} points"
    return f"{size:.3g}{_unit(chosen)}"


def _unit(chosen: Criterion) -> str:
    return f" {chosen.unit}" if chosen.unit else ""


def _turned(figure: Estimate) -> Estimate:
    return Estimate(-figure.value, -figure.high, -figure.low, figure.confidence, figure.method, figure.n)
