"""The confusion matrix as a picture: counts, shares of each true class, and how sure those are.

Rows are the true classes, columns what was said, and a last column, set apart, holds the rejected rows. The shade is
the share of the true class's rows, so that a rare class is as readable as a common one; the share has the interval that
the library gives to it (Wilson; the cluster bootstrap with groups). Cells that are too small for all three lines lose
the interval first, then the share.
"""

from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.printing.wording import amount
from likely.evaluation.evaluation import evaluate
from likely.evaluation.measures.counts.confusion import Confusion
from likely.evaluation.measures.counts.counting import count_codes
from likely.evaluation.measures.counts.of_counts import CountedCells
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.figures.drawing.canvas import INK, Axes, Drawn, canvas, ink_on, plain_names, plain_ticks
from likely.figures.drawing.labels import axes_inches, letters_within, short_name
from likely.figures.drawing.subjects import check_classifier, name_of, said_in
from likely.intervals.estimate import Estimate
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import Floats

_NAMES = 0.26  # of the width of the figure, at most, for names of classes
_BAR = 0.6  # inches that the bar of shades takes
_LARGEST, _SMALLEST = 10.0, 5.0  # points of the text in cells


@dataclass(eq=False)
class ConfusionDisplay(Drawn):
    """A confusion matrix with the interval of every cell.

    >>> import matplotlib; matplotlib.use("agg")
    >>> truth, said = ["ham", "ham", "spam", "spam", "ham"], ["ham", "spam", "spam", None, "ham"]
    >>> display = ConfusionDisplay.from_predictions(truth, said)
    >>> display.frame().select("truth", "said", "count", "share").row(2)
    ('ham', 'rejected', 0, 0.0)
    >>> matplotlib.pyplot.close(display.figure_)
    """

    confusion: Confusion  # the counts, as `evaluate` has them
    name: str | None = None
    text_: Any = field(default=None, init=False, repr=False)  # (k, c)  text of each cell

    @classmethod
    def from_estimator(
        cls,
        estimator: FittedClassifier,
        X: TableLike,
        y: TargetLike,
        *,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Ask a fitted classifier about rows that it has not seen, count and draw; the options are `evaluate`'s."""
        check_classifier(estimator)
        return cls(evaluate(estimator, X, y, **options).confusion, name or type(estimator).__name__).plot(ax)

    @classmethod
    def from_predictions(
        cls, y: TargetLike, answers: ArrayLike, *, name: str | None = None, ax: Axes | None = None, **options: Any
    ) -> Self:
        """Count answers (labels, or probabilities of which the largest counts) and draw; None is a rejected row."""
        return cls(evaluate(answers, y=y, **options).confusion, name).plot(ax)

    @classmethod
    def from_cross_validation(
        cls,
        result: CrossValidation,
        *,
        name: str | None = None,
        ax: Axes | None = None,
        repeat: int = 0,
        confidence: float = 0.95,
    ) -> Self:
        """Draw the out-of-fold answers of one repeat."""
        said = said_in(result, repeat)
        counted = count_codes(said.y, said.labels, said.classes, result.weight, result.groups)
        confusion = Confusion(*counted, confidence)
        return cls(confusion, name_of(result, name)).plot(ax)

    @cached_property
    def shares(self) -> tuple[tuple[Estimate, ...], ...]:
        """The share of each cell among the rows of its true class, with its interval."""
        c = self.confusion
        cells = CountedCells(c.classes, c.matrix, c.squares, c.by_group)
        rows, columns = c.matrix.shape
        among, counted = np.zeros((rows, columns), dtype=bool), np.zeros((rows, columns), dtype=bool)
        out = []
        for i in range(rows):
            among[i], line = True, []
            for j in range(columns):
                counted[i, j] = True
                line.append(cells.share(counted, among, c.confidence))
                counted[i, j] = False
            among[i] = False
            out.append(tuple(line))
        return tuple(out)

    @plain_names
    def plot(self, ax: Axes | None = None, colorbar: bool = True) -> Self:
        """Draw on these axes, or on new ones that are as large as the classes need."""
        matrix = self.confusion.matrix
        rows, columns = matrix.shape
        side = max(0.42, min(1.1, 7.0 / columns))  # inches of a cell
        self.figure_, self.ax_ = canvas(ax, max(4.8, side * columns + 2.4), max(4.0, side * rows + 1.6))
        share = np.array([[cell.value for cell in line] for line in self.shares])
        image = self.ax_.imshow(
            np.ma.masked_invalid(share), cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto", interpolation="nearest"
        )
        self._name_axes()
        if colorbar:
            bar = self.figure_.colorbar(image, ax=self.ax_, fraction=0.05, pad=0.02)
            bar.set_label("share of the true class", color=INK)
            bar.ax.tick_params(colors=INK, labelsize=8)
            bar.outline.set_visible(False)
        self._write(share, image)
        return self

    def frame(self) -> Any:
        """Every cell with its count, its share of the true class and the interval, one a row, as a Polars frame."""
        import polars as pl

        records = []
        for i, truth in enumerate(self.confusion.classes):
            for j, said in enumerate(self._said):
                cell = self.shares[i][j]
                records.append(
                    {
                        "truth": str(truth),
                        "said": said,
                        "count": self.confusion.matrix[i, j].item(),
                        "share": cell.value,
                        "low": cell.low,
                        "high": cell.high,
                        "confidence": cell.confidence,
                        "method": cell.method,
                        "n": float(cell.n),
                    }
                )
        return pl.DataFrame(records)

    @property
    def _said(self) -> list[str]:
        names = [str(c) for c in self.confusion.classes]
        return [*names, *(["rejected"] if self.confusion.matrix.shape[1] > len(names) else [])]

    def _name_axes(self) -> None:
        ax, (rows, columns) = self.ax_, self.confusion.matrix.shape
        size = float(np.clip(200 / max(rows, 1), 6.0, 9.0))
        most = letters_within(_NAMES * ax.figure.get_figwidth(), size)
        named = zip(self.confusion.classes, self.confusion.support, strict=True)
        ax.set_yticks(range(rows), [f"{short_name(str(c), most)} ({amount(n)})" for c, n in named], fontsize=size)
        plain_ticks(ax)
        said = [short_name(name, most) for name in self._said]
        width = min(_cell_points(ax, rows, columns)[0], (axes_inches(ax) - _BAR) * 72 / columns)
        turned = (max(map(len, said)) + 1) * 0.6 * size > width
        ax.set_xticks(range(columns), said, rotation=90 if turned else 0, fontsize=size)
        ax.tick_params(length=0)
        ax.set_xlabel("answer")
        ax.set_ylabel("true class (rows)")
        for side in ("left", "bottom"):
            ax.spines[side].set_visible(False)
        if columns > rows:
            ax.axvline(rows - 0.5, color="white", linewidth=5)
        answered = self.confusion.selective_accuracy  # a row left unanswered is neither right nor wrong
        figure = f"accuracy {self.confusion.accuracy}"
        if self.confusion.rejected.any() and answered.defined:
            figure = f"right of the rows answered: {answered}"
        ax.set_title("\n".join(filter(None, [self.name, figure])), fontsize=9, loc="left", color=INK)

    def _write(self, share: Floats, image: Any) -> None:
        rows, columns = share.shape
        plain_ticks(self.ax_)
        self.figure_.draw_without_rendering()  # names beside the cells take their room first
        width, height = _cell_points(self.ax_, rows, columns)
        lines, size = _room(width, height, max(len(_count(v)) for v in self.confusion.matrix.ravel()))
        self.text_ = np.empty(share.shape, dtype=object)
        for i, j in np.ndindex(rows, columns):
            cell = share[i, j]  # its shade is the same whatever the page; of no rows there is none
            shade = INK if isnan(cell) else ink_on(image.cmap(image.norm(cell)))
            shown = self._cell(i, j, lines)
            self.text_[i, j] = self.ax_.text(
                j, i, shown, ha="center", va="center", color=shade, fontsize=size, linespacing=1.25
            )
        if lines > 1 and self.confusion.support.any():
            some = next(cell for line in self.shares for cell in line if not isnan(cell.value))
            interval = f";\nin brackets {100 * some.confidence:g} % {some.method} interval" if lines == 3 else ""
            self.ax_.set_xlabel(f"answer\n(count; share of the true class in %{interval})", fontsize=9)

    def _cell(self, i: int, j: int, lines: int) -> str:
        count, cell = self.confusion.matrix[i, j], self.shares[i][j]
        if lines < 3 and count == 0:
            return ""  # where intervals are left out, zeros only hide the rest
        shown = [_count(count)]
        if not isnan(cell.value):
            shown += [f"{100 * cell.value:.1f} %", f"[{100 * cell.low:.1f}, {100 * cell.high:.1f}]"]
        return "\n".join(shown[:lines])


def _cell_points(ax: Axes, rows: int, columns: int) -> tuple[float, float]:
    """Width and height of a cell in points."""
    box = ax.get_window_extent()
    points = 72.0 / ax.figure.dpi
    return box.width * points / columns, box.height * points / rows


def _room(width: float, height: float, digits: int) -> tuple[int, float]:
    """How many lines of text a cell has room for, and of what size; the interval is the widest, then the share."""
    for lines, characters in ((3, 13), (2, max(7, digits)), (1, digits)):
        size = min(_LARGEST, width / (0.6 * characters), height / (1.4 * lines))
        if size >= (6.5 if lines == 3 else 5.5) or lines == 1:
            break
    return lines, max(size, _SMALLEST)


def _count(value: Any) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.1f}"
