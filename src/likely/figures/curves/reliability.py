"""The reliability diagram: what came true among rows that were given about the same probability.

Each point is a bin of rows: their mean probability across, the share of them for which it came true upwards, with the
exact binomial limits (Clopper and Pearson) as a bar. On the diagonal probabilities mean what they say; below it they
are too high, above it too low. The strip at the foot counts the rows by probability, because a bin far from the
diagonal matters as much as it has rows.

What the probability is of, the event, is the positive one of two classes, of more classes the one that each row was
called ("top"), or every class in turn, a curve each ("classwise"). Drawn twice on the same axes, two models share them.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from likely.data.labels.aligned_labels import align_labels
from likely.decisions.calibration.reliability import Reliability, Strategy, reliability
from likely.errors import InputError
from likely.evaluation.judged_input import choose_positive, read_posterior, read_truth
from likely.evaluation.measures.calibration.calibration_error import (
    TOP,
    CalibrationError,
    Event,
    calibration_error_of,
    events_of,
)
from likely.evaluation.measures.proper_scores import brier_of
from likely.evaluation.model_answers import read_answers
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.evaluation.said import Said
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.labels import label_across
from likely.figures.drawing.legends import legend
from likely.figures.drawing.subjects import check_classifier, name_of, said_in
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import check_confidence
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import Ints, in_brief

_STRIP = 0.17  # share of the height that the counts of the scores take
_STRIP_BINS = 25
_ABOVE = 6  # curves whose legend still fits above the axes
_BESIDE = 4.4  # inches for a legend that does not
_LINES = ("-", "--", ":")  # colours repeat after eight curves, so the line changes


@dataclass(eq=False)
class ReliabilityDisplay(Drawn):
    """A reliability diagram with its bins, its scores and what they come to.

    Every way to make one takes `pos_label`, the positive class; `event`, "auto", "top", "positive" or "classwise";
    `n_bins`, how many bins; and `strategy`, "quantile" (about equally many rows in each) or "uniform" (equal widths).

    >>> import matplotlib; matplotlib.use("agg")
    >>> from sklearn.datasets import load_breast_cancer
    >>> from likely import NaiveBayes
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = ReliabilityDisplay.from_estimator(NaiveBayes().fit(X[::2], y[::2]), X[1::2], y[1::2], n_bins=5)
    >>> display.frame().select("of", "count").row(0)
    ('1', 57)
    >>> display.ax_.get_xlabel()
    'probability of 1'
    >>> matplotlib.pyplot.close(display.figure_)
    """

    tables: dict[str, Reliability]  # by the event
    scores: dict[str, Ints]  # (25,)  rows by probability, in steps of equal width from 0 to 1
    brier: Estimate  # of all classes together
    calibration_error: CalibrationError  # of the event that is drawn, with its interval
    name: str | None = None
    note: str = ""  # what the bars leave out
    strip_: Any = field(default=None, init=False, repr=False)  # axes of the counts

    __repr__ = in_brief

    @classmethod
    def from_estimator(
        cls,
        estimator: FittedClassifier,
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        ax: Axes | None = None,
        confidence: float = 0.95,
        **options: Any,
    ) -> Self:
        """Ask a fitted classifier for probabilities of rows that it has not seen, and draw."""
        check_classifier(estimator)
        check_confidence(confidence)
        said, _ = read_answers(estimator, X, y, None, options.get("pos_label"), None)
        if not said.has_probabilities:
            raise InputError(
                f"{type(estimator).__name__} gives no probabilities (no predict_proba); wrap it in likely.Calibrated"
            )
        return cls._of(said, name or type(estimator).__name__, confidence, **options).plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        posterior: Any,
        *,
        name: str | None = None,
        ax: Axes | None = None,
        classes: Sequence[Hashable] | None = None,
        confidence: float = 0.95,
        **options: Any,
    ) -> Self:
        """Draw probabilities (n, k), columns as in `classes` or the sorted labels, or (n,) of the positive class."""
        check_confidence(confidence)
        codes, names = align_labels(read_truth(y), classes)
        given = posterior.to_numpy() if hasattr(posterior, "to_numpy") else posterior
        p = read_posterior(given, len(codes), len(names))
        if np.ndim(given) == 1 and choose_positive(names, options.get("pos_label"))[0] == names[0]:
            p = p[:, ::-1]
        return cls._of(Said(names, codes, posterior=p), name, confidence, **options).plot(ax)

    @classmethod
    def from_cross_validation(
        cls,
        result: CrossValidation,
        *,
        name: str | None = None,
        ax: Axes | None = None,
        repeat: int = 0,
        confidence: float = 0.95,
        **options: Any,
    ) -> Self:
        """Draw the out-of-fold probabilities of one repeat."""
        check_confidence(confidence)
        said = said_in(result, repeat)
        if result.weight is not None:
            raise InputError("bins count whole rows, so rows with weights have no reliability diagram")
        said = replace(said, posterior=said.probabilities("a reliability diagram"), groups=result.groups)
        note = "" if result.groups is None else ", groups ignored"
        return cls._of(said, name_of(result, name), confidence, note, **options).plot(ax)

    @classmethod
    def _of(
        cls,
        said: Said,
        name: str | None,
        confidence: float,
        note: str = "",
        *,
        pos_label: Hashable = None,
        event: Event = "auto",
        n_bins: int = 10,
        strategy: Strategy = "quantile",
    ) -> Self:
        tables, scores = {}, {}
        for of, p, came_true in events_of(said, event, pos_label):
            certain = np.clip(p, 0.0, 1.0)  # single precision may miss 1 a little
            tables[of] = reliability(came_true, certain, n_bins, strategy, True, (False, True), confidence)
            scores[of] = np.histogram(certain, _STRIP_BINS, (0.0, 1.0))[0]
        gap = calibration_error_of(said, pos_label, event, n_bins, strategy, confidence=confidence)
        return cls(tables, scores, brier_of(said, confidence), gap, name, note)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones; a second diagram on the same axes is put over the first."""
        self.figure_, self.ax_ = canvas(ax, 5.6 + _BESIDE * (len(self.tables) > _ABOVE), 5.6)
        ax = self.ax_
        drawn = len(ax.containers)  # curves that are there already: every curve is a container of bars
        if not drawn:
            self._prepare()
        self.strip_ = next(child for child in ax.child_axes if child.get_label() == "scores")
        edges = np.linspace(0.0, 1.0, _STRIP_BINS + 1)
        several = drawn + len(self.tables) > 1
        if len(self.tables) > 1:
            ax.plot([], [], " ", label="\n".join(filter(None, [self.name, self._figures()])))
        for place, (of, table) in enumerate(self.tables.items(), start=drawn):
            shade, line = colour(place), _LINES[place // 8 % len(_LINES)]
            reach = [table.share - table.share_low, table.share_high - table.share]
            bars = ax.errorbar(
                table.mean_prediction, table.share, np.maximum(reach, 0.0), color=shade, linestyle=line, marker="o",
                markersize=4, linewidth=1.4, elinewidth=1, capsize=0 if several else 2.5, label=self._label(of),
            )  # fmt: skip
            for bar in bars.lines[2]:
                bar.set_alpha(0.55 if several else 0.9)
            self.strip_.stairs(self.scores[of], edges, color=shade, linestyle=line, fill=not several, alpha=0.9)
        highest = max(int(patch.get_data().values.max()) for patch in self.strip_.patches)
        self.strip_.set_ylim(0, 1.05 * highest)
        self.strip_.set_title(f"rows by probability, at most {highest:,} a step", fontsize=7.5, color=MUTED, pad=2)
        if drawn + len(self.tables) > _ABOVE:
            legend(ax, loc="upper left", bbox_to_anchor=(1.02, 1.0))
        else:
            legend(ax, loc="lower left", bbox_to_anchor=(-0.02, 1.0), borderaxespad=0.2)
        return self

    def frame(self) -> Any:
        """The bins, one a row, as a Polars frame."""
        import polars as pl

        columns = ("low", "high", "count", "mean_prediction", "share", "share_low", "share_high")
        return pl.concat(
            [pl.DataFrame({"of": of, **{c: getattr(t, c) for c in columns}}) for of, t in self.tables.items()]
        )

    def score_frame(self) -> Any:
        """The counts of the strip, one step of probability a row, as a Polars frame."""
        import polars as pl

        edges = np.linspace(0.0, 1.0, _STRIP_BINS + 1)
        return pl.concat(
            [
                pl.DataFrame({"of": of, "low": edges[:-1], "high": edges[1:], "count": count})
                for of, count in self.scores.items()
            ]
        )

    def _prepare(self) -> None:
        """Scales, diagonal and strip. The strip lies inside the axes, below 0, so that one set of axes is enough."""
        ax, of = self.ax_, next(iter(self.tables))
        foot = -1.03 * (_STRIP + 0.045) / (1 - _STRIP - 0.045)
        ax.set_xlim(-0.02, 1.02)
        ax.set_ylim(foot, 1.03)
        ax.set_yticks(np.linspace(0, 1, 6))
        ax.set_xticks(np.linspace(0, 1, 6))
        ax.spines["left"].set_bounds(0, 1)
        ax.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        what = "the class" if len(self.tables) > 1 else TOP if of == TOP else of
        label_across(ax, f"probability of {what}")
        ax.set_ylabel("share of rows where it came true")
        ax.yaxis.label.set_y((0.5 - foot) / (1.03 - foot))  # beside the scale, not the strip
        strip = ax.inset_axes((0.0, 0.0, 1.0, _STRIP), label="scores")
        strip.set_xlim(ax.get_xlim())
        strip.set_xticks([])
        strip.set_yticks([])
        strip.patch.set_visible(False)
        for side in ("top", "right", "left"):
            strip.spines[side].set_visible(False)
        strip.spines["bottom"].set_color(INK)

    def _label(self, of: str) -> str:
        """What a curve is; the figures stand with the only one, or apart from several."""
        named = ", ".join(filter(None, [self.name, of if len(self.tables) > 1 else None]))
        return named if len(self.tables) > 1 else "\n".join(filter(None, [named, self._figures()]))

    def _figures(self) -> str:
        table = next(iter(self.tables.values()))
        n, rule = int(table.count.sum()), table.strategy
        bars = f"{len(table)} {rule} bins of {n:,} rows,\nbars {100 * table.confidence:g} % Clopper-Pearson{self.note}"
        gap = self.calibration_error.debiased
        return f"Brier {self.brier.short()},\ncalibration error (debiased) {gap.short()}\n{bars}"
