"""How far probabilities are from what happens: the expected calibration error, its bins and its bias.

Rows are put into bins by their probability. In bin b, with a share w_b of the rows, o_b the share of events and p_b
the mean probability,

    l1  ECE = sum w_b |o_b - p_b|            l2  sqrt(sum w_b (o_b - p_b)^2)

"quantile" bins hold about equally many rows (rows with equal probabilities stay together), "uniform" bins are equally
wide. The event is the class said (of "top", the most probable class), the positive class of two, or every class in
turn ("classwise": the mean over the classes).

Chance alone makes a perfectly calibrated model look bad: events vary, and gaps are never negative. The debiased error
and its interval take that out, by what binomial numbers of events do to probabilities that are right, or off by more
or less than these seem to be (`calibration_interval`): 0 lies inside unless right probabilities would seldom do so
badly. They are about the binned error of these rows, which is itself a lower bound of the true one. The ends of a mean
over classes are the means of the classes' ends: the classes' gaps depend on each other.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.data.printing.html_table import text_as_html
from likely.decisions.calibration.reliability import Bins, Strategy, bin_edges
from likely.errors import InputError
from likely.evaluation.judged_input import choose_positive
from likely.evaluation.measures.calibration.calibration_interval import Norm, error_range, plain_error
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import effective_size
from likely.intervals.quantiles import check_confidence
from likely.numeric.arrays import Array, Floats, PerRow, in_brief

Event: TypeAlias = Literal["auto", "top", "positive", "classwise"]

TOP = "the answer given"  # the event that it came true

N_BINS = 15  # in which a calibration error is measured, and drawn beside it


@dataclass(frozen=True)
class CalibrationError:
    """The expected calibration error, without and with its bias taken out."""

    plain: float  # as the bins have it, which is too large in small samples
    debiased: Estimate  # with that bias taken out
    bins: tuple[Bins, ...]  # one, or one per class
    rule: str  # how it was computed, in words

    __repr__ = in_brief

    def __str__(self) -> str:
        return f"{self.debiased}, debiased (plain {self.plain:.3f}); {self.rule}"

    _repr_html_ = text_as_html

    def frame(self) -> Any:
        """The bins as a Polars frame."""
        import polars as pl

        names = ("low", "high", "weight", "rows", "probability", "share")
        parts = [pl.DataFrame({"set": i, **{n: getattr(b, n) for n in names}}) for i, b in enumerate(self.bins)]
        return pl.concat(parts)


def calibration_error(
    y: TargetLike,
    posterior: ArrayLike,
    classes: Sequence[Hashable] | None = None,
    pos_label: Hashable = None,
    event: Event = "auto",
    n_bins: int = N_BINS,
    strategy: Strategy = "quantile",
    norm: Norm = "l1",
    sample_weight: PerRow = None,
    confidence: float = 0.95,
) -> CalibrationError:
    """Expected calibration error (ECE): how far the probabilities are from the shares of events, in bins.

    `event="auto"` is "positive" for two classes and "top" for more.

    Parameters
    ----------
    norm : "l1", the mean distance, or "l2", the root of the mean squared one
    event : what is foretold: the "positive" class, the most probable one ("top"), or each class ("classwise")

    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(1000)
    >>> print(calibration_error(rng.random(1000) < p, p, n_bins=10))
    0.012 [0.000, 0.054] 95 % bins, n=1,000, debiased (plain 0.033); 10 quantile bins, l1, of the positive class
    """
    return calibration_error_of(
        Said.of(y, posterior, classes, sample_weight), pos_label, event, n_bins, strategy, norm, confidence
    )


def calibration_error_of(
    said: Said,
    pos_label: Hashable = None,
    event: Event = "auto",
    n_bins: int = N_BINS,
    strategy: Strategy = "quantile",
    norm: Norm = "l1",
    confidence: float = 0.95,
) -> CalibrationError:
    """The same of rows that are already checked."""
    if norm not in ("l1", "l2"):
        raise InputError(f"unknown norm={norm!r}; use 'l1' or 'l2'")
    event = event_of(said, event, pos_label)
    grouped = [
        Bins.of(p, came_true, said.weight, bin_edges(p, said.weight, n_bins, strategy))
        for _, p, came_true in events_of(said, event, pos_label)
    ]
    plain = float(np.mean([plain_error(b.share, b, norm) for b in grouped]))
    n = effective_size(said.weight, len(said))
    method = "bins" if said.groups is None else "bins (groups ignored)"
    each = [error_range(b, norm, check_confidence(confidence)) for b in grouped]
    value, low, high = (float(np.mean(part)) for part in zip(*each, strict=True))
    estimate = Estimate(value, low, high, confidence, method, n)
    of = {"top": TOP, "positive": "the positive class", "classwise": "each class"}[event]
    return CalibrationError(plain, estimate, tuple(grouped), f"{n_bins} {strategy} bins, {norm}, of {of}")


def event_of(said: Said, event: Event, pos_label: Hashable) -> Event:
    """What the probabilities are of: by default the positive one of two classes, of more the class said."""
    if event != "auto":
        return event
    return "positive" if len(said.classes) == 2 or pos_label is not None else "top"


def events_of(said: Said, event: Event, pos_label: Hashable) -> list[tuple[str, Floats, Array]]:
    """Of each event its name, the probabilities (n,) and whether it came true (n,)."""
    p, codes = said.probabilities("a calibration error"), said.y
    event = event_of(said, event, pos_label)
    if event == "top":
        best = p.argmax(axis=1)
        return [(TOP, p[np.arange(len(p)), best], best == codes)]
    if event == "positive":
        place = said.classes.index(choose_positive(said.classes, pos_label)[0])
        return [(str(said.classes[place]), p[:, place], codes == place)]
    if event == "classwise":
        return [(str(c), p[:, i], codes == i) for i, c in enumerate(said.classes)]
    raise InputError(f"unknown event {event!r}; use 'auto', 'top', 'positive' or 'classwise'")
