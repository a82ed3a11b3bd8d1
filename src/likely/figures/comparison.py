"""A comparison of models as a forest plot: how good each is, and by how much it differs from one of them.

On the left the models, best first, each with its interval; on the right the paired difference of each to the reference,
the model less the reference, with the region of practical equivalence shaded. The right side is what to judge by: two
intervals on the left may overlap although the models differ on the same folds, because what makes a fold hard drops out
of the differences. A difference stands filled where it survives Holm's adjustment for the number of pairs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from textwrap import wrap
from typing import Any, Self

from likely.data.accepted import TableLike, TargetLike
from likely.data.inputs import suggest
from likely.errors import InputError, check_type
from likely.evaluation.comparing.comparison import Comparison, Pair, compare
from likely.evaluation.comparing.verdict_words import shown_difference
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.intervals.estimate import Estimate
from likely.models.traits.protocols import Learner


@dataclass(eq=False)
class ComparisonDisplay(Drawn):
    """Models with their intervals, and their differences to a reference.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from sklearn.datasets import load_iris
    >>> from likely import GaussianBayes, NaiveBayes
    >>> X, y = load_iris(return_X_y=True)
    >>> display = ComparisonDisplay.from_estimators({"naive": NaiveBayes(), "shared": GaussianBayes("shared")}, X, y)
    >>> display.reference, display.frame()["model"].to_list()
    ('shared', ['shared', 'naive'])
    >>> matplotlib.pyplot.close(display.figure_)
    """

    comparison: Comparison  # what `compare` gave
    reference: str = ""  # "": the baseline of the comparison, or the best of the models
    panels_: Any = field(default=None, init=False, repr=False)  # axes of scores and of differences

    def __post_init__(self) -> None:
        names = list(self.comparison.results)
        if not self.reference:
            self.reference = self._baseline()
        elif self.reference not in names:
            raise InputError(f"reference {self.reference!r} is not among the models{suggest(self.reference, names)}")
        for name in names:
            if name != self.reference:
                self.comparison.between(name, self.reference)  # or a complaint that lists the pairs

    @classmethod
    def from_estimators(
        cls,
        models: Mapping[str, Learner],
        X: TableLike,
        y: TargetLike,
        *,
        reference: str = "",
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compare classifiers and draw; the options are those of `compare`."""
        result = compare(models, X, y, **options)
        return cls(result, reference or str(options.get("baseline") or "")).plot(ax)

    @classmethod
    def from_comparison(cls, result: Comparison, *, reference: str = "", ax: Axes | None = None) -> Self:
        """Draw what `compare` returned."""
        check_type(result, Comparison, "what compare returns")
        return cls(result, reference).plot(ax)

    @property
    def differences(self) -> dict[str, Estimate]:
        """Of each model but the reference, the model less the reference."""
        return {name: self._to_reference(name)[0] for name in self.comparison.ranking if name != self.reference}

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, which are divided in two, or on new ones."""
        count = len(self.comparison.results)
        self.figure_, self.ax_ = canvas(ax, 8.4, 1.7 + 0.5 * count)
        self.ax_.set_axis_off()
        scores = self.ax_.inset_axes((0.0, 0.0, 0.48, 1.0), label="scores")
        differences = self.ax_.inset_axes((0.54, 0.0, 0.46, 1.0), label="differences")
        self.panels_ = (scores, differences)
        for panel in self.panels_:
            canvas(panel)
            panel.set_ylim(count - 0.5, -0.6)
            panel.spines["left"].set_visible(False)
            panel.tick_params(axis="y", length=0)
            panel.set_yticks(range(count), self.comparison.ranking if panel is scores else [""] * count)
        self._draw_scores(scores)
        self._draw_differences(differences)
        return self

    def frame(self) -> Any:
        """One model a row, best first, with its score and its difference to the reference, as a Polars frame."""
        import polars as pl

        return pl.DataFrame([self._record(name) for name in self.comparison.ranking], infer_schema_length=None)

    def _draw_scores(self, ax: Axes) -> None:
        chosen = self.comparison.criterion
        for place, name in enumerate(self.comparison.ranking):
            figure = self.comparison.estimates[name]
            _bar(ax, place, figure, 1.0, colour(0), True)
            _write(ax, _shown(figure), figure.value, place)
        unit = f" ({chosen.unit})" if chosen.unit == "nats" else ""
        _label(ax, f"{_plain(chosen.name)}{unit}", _method(figure))
        ax.margins(x=0.12)

    def _draw_differences(self, ax: Axes) -> None:
        chosen, rope = self.comparison.criterion, self.comparison.rope
        scale = 100.0 if chosen.unit == "points" else 1.0
        unit = f" ({chosen.unit})" if chosen.unit else ""
        if rope > 0:
            ax.axvspan(-rope * scale, rope * scale, color=MUTED, alpha=0.18, linewidth=0)
        ax.axvline(0.0, color=MUTED, linewidth=1)
        for place, name in enumerate(self.comparison.ranking):
            if name == self.reference:
                ax.plot(0.0, place, marker="D", color=MUTED, markersize=5)
                _write(ax, "reference", 0.0, place)
                continue
            figure, pair = self._to_reference(name)
            _bar(ax, place, figure, scale, colour(1), pair.holm <= 1 - self.comparison.confidence)
            _write(ax, _ends_in_words(" ".join(shown_difference(figure, chosen))), scale * figure.value, place)
        sign = "better" if chosen.larger_is_better else "worse"
        _label(
            ax,
            f"difference to {self.reference}{unit}, right is {sign}",
            _method(figure),
            "filled: more than chance, all pairs counted (Holm)",
            f"shaded: ±{rope * scale:g}, practically equal" if rope > 0 else "",
        )
        ax.margins(x=0.12)

    def _to_reference(self, name: str) -> tuple[Estimate, Pair]:
        pair = self.comparison.between(name, self.reference)
        figure = pair.difference
        if pair.first != name:
            figure = replace(figure, value=-figure.value, low=-figure.high, high=-figure.low)
        return figure, pair

    def _record(self, name: str) -> dict[str, Any]:
        score = self.comparison.estimates[name]
        record: dict[str, Any] = {
            "model": name,
            "measure": self.comparison.criterion.name,
            "value": score.value,
            "low": score.low,
            "high": score.high,
            "confidence": score.confidence,
            "method": score.method,
            "reference": self.reference,
        }
        if name == self.reference:
            return {**record, **dict.fromkeys(("difference", "difference_low", "difference_high"), 0.0)} | {
                "p_equivalent": None,
                "holm_p": None,
            }
        figure, pair = self._to_reference(name)
        return record | {
            "difference": figure.value,
            "difference_low": figure.low,
            "difference_high": figure.high,
            "p_equivalent": pair.bayesian.inside,
            "holm_p": pair.holm,
        }

    def _baseline(self) -> str:
        """The one model that is in every pair, if there is one; else the best."""
        common = set.intersection(*({pair.first, pair.second} for pair in self.comparison.pairs))
        return common.pop() if len(common) == 1 else self.comparison.ranking[0]


def _bar(ax: Axes, place: int, figure: Estimate, scale: float, shade: str, filled: bool) -> None:
    value, low, high = (scale * x for x in (figure.value, figure.low, figure.high))
    ends = [end if isfinite(end) else value for end in (low, high)]
    ax.plot(ends, [place, place], color=shade, linewidth=2, solid_capstyle="butt")
    ax.plot(value, place, marker="o", markersize=6, color=shade, markerfacecolor=shade if filled else "white")


def _write(ax: Axes, words: str, across: float, place: int) -> None:
    """Figures above a bar, with an edge that keeps them readable over lines."""
    from matplotlib.patheffects import withStroke

    edge = [withStroke(linewidth=2.5, foreground=ax.get_facecolor())]
    ax.annotate(
        words, (across, place), (0, 5), textcoords="offset points", ha="center", va="bottom", fontsize=7.5, color=INK,
        path_effects=edge,
    )  # fmt: skip


def _label(ax: Axes, title: str, *notes: str) -> None:
    """What is across, and below it smaller what must be known; lines are broken to the width of the panel."""
    points = ax.get_window_extent().width * 72.0 / ax.figure.dpi
    lines = [line for text in (title, *notes) for line in wrap(text, max(16, int(points / 4.4)))]
    ax.set_xlabel("\n".join(lines), fontsize=8.5)


def _shown(figure: Estimate) -> str:
    return _ends_in_words(str(figure).split("]")[0]) + "]"


def _ends_in_words(interval: str) -> str:
    return interval.replace("-inf", "inf").replace("inf", "no end")


def _method(figure: Estimate) -> str:
    return f"{100 * figure.confidence:g} % {figure.method}"


def _plain(name: str) -> str:
    return name.replace("_", " ")
