"""A feature within each class: a curve over numbers, bars over counts and levels.

The density is that of a fitted model, asked about rows of which all other cells are missing, or of a naive Bayes model
of the one feature; there `families` pick it, and several can be drawn over each other (Gaussian, histogram and kernel
densities of one sample). Numbers show the rows they come from as a histogram behind the curve, whose bins begin and end
between whole numbers where all values are whole; levels show the observed shares with Wilson intervals. Of many levels
the commonest are drawn, and the axis says how many are left out; counts of which there are many are drawn as a curve
over all of them.

A single number that a large share of the rows have (no gain, no loss) is no density: the legend says how many of each
class have it, and what is drawn is the rest, in shares of all rows. A few numbers far beyond the others are left out of
the axis, which says how many. `families=None` draws the rows alone, no family of densities beside them.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import ONE_BY_ONE
from likely.data.labels.target import read_target
from likely.distributions.names import described_kind
from likely.errors import InputError
from likely.figures.classes.drawn_numbers import MOST_LEVELS, Drawn
from likely.figures.drawing.canvas import INK, Axes, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.intervals.proportions import proportion_interval
from likely.models.generative import NaiveBayes
from likely.numeric.arrays import Floats, Ints, in_brief

_CLASSES = 8  # more would not be readable
_STYLES = ("-", "--", ":", "-.")


@dataclass
class ClassDensitiesDisplay:
    """The densities p(x | class) of one feature.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = ClassDensitiesDisplay.from_values([1.0, 1.4, 2.1, 3.9, 4.2, 5.0], list("aaabbb"), name="length")
    >>> display.frame().columns
    ['family', 'class', 'x', 'density']
    """

    name: str
    unit: str
    classes: tuple[Hashable, ...]
    grid: Any  # (g,)  values at which the density is drawn
    density: dict[str, Floats]  # by family: (g, k)
    values: Any  # (n,)  the rows, as they came
    codes: Ints  # (n,)  their classes; -1 for none
    levels: bool  # bars instead of a curve

    __repr__ = in_brief

    @classmethod
    def from_values(
        cls,
        values: Any,
        y: TargetLike,
        *,
        kind: str = "auto",
        families: Sequence[str] | None = (),
        name: str = "x",
        unit: str = "",
        ax: Axes | None = None,
    ) -> Self:
        """Draw a feature (n,) within the classes y; `families` of `NaiveBayes` instead of the usual one of its kind.

        With `families=None` the rows are drawn alone: numbers as a histogram, or as levels where they are few.
        """
        import polars as pl

        target = read_target(y)
        column = pl.Series(name, np.asarray(values).tolist() if isinstance(values, list) else values, strict=False)
        table = pl.DataFrame({name: column})
        kinds: Any = {name: kind} if kind != "auto" else "auto"
        labels = [None if c < 0 else target.classes[c] for c in target.codes]
        usual = NaiveBayes(kinds=kinds).fit(table, labels)
        kind = described_kind(usual.kinds_[name])
        classes = tuple(usual.classes_.tolist())
        place = {c: i for i, c in enumerate(classes)}
        codes = np.array([-1 if label is None else place[label] for label in labels])
        if families is None:
            few = column.drop_nulls().n_unique() <= MOST_LEVELS
            levels = (kind in ONE_BY_ONE and kind != "count") or few
            grid, shares = (
                _shares_of_levels(column, codes, len(classes)) if levels else _histogram(column, codes, classes)
            )
            return cls(name, unit, classes, grid, {"rows": shares}, column, codes, levels).plot(ax)
        levels = _has_levels(column, kind)
        grid = _levels_of(column) if levels else _numbers_of(column, name, whole=kind == "count")
        query = pl.DataFrame({name: pl.Series(name, grid, dtype=column.dtype if levels else pl.Float64, strict=False)})
        if not families:
            models = {kind: usual}
        else:
            models = {family: NaiveBayes(kinds={name: family}).fit(table, labels) for family in families}
        density = {family: np.exp(model.log_likelihood(query)) for family, model in models.items()}
        return cls(name, unit, classes, grid, density, column, codes, levels).plot(ax)

    @classmethod
    def from_estimator(
        cls, model: Any, X: TableLike, y: TargetLike, column: str, *, unit: str = "", ax: Axes | None = None
    ) -> Self:
        """Draw a column as a fitted model sees it by itself: p(x | class) of rows whose other cells are missing.

        The model has `log_likelihood` and leaves missing cells out of it, as the generative ones do; X is a frame.

        >>> import matplotlib; matplotlib.use("agg")
        >>> import polars as pl
        >>> from likely import GaussianBayes
        >>> X = pl.DataFrame({"a": [1.0, 1.4, 2.1, 3.9, 4.2, 5.0], "b": [0.0, 2.0, 1.0, 3.0, 5.0, 3.5]})
        >>> model = GaussianBayes("shared").fit(X, list("uuuvvv"))
        >>> display = ClassDensitiesDisplay.from_estimator(model, X, list("uuuvvv"), "a")
        >>> area = display.frame().filter(pl.col("class") == "u")
        >>> bool(abs(np.trapezoid(area["density"], area["x"]) - 1) < 0.1)
        True
        """
        import polars as pl

        from likely.data.frames.polars_frames import to_polars

        if getattr(model, "missing", "ignore") != "ignore" or not hasattr(model, "log_likelihood"):
            raise InputError("a column is drawn by itself for models that leave missing cells out of the likelihood")
        table = to_polars(X)
        if column not in table.columns:
            raise InputError(f"there is no column {column!r} to draw")
        values, kind = table[column], described_kind(getattr(model, "kinds_", {}).get(column, ""))
        levels = not values.dtype.is_numeric() or _has_levels(values, kind)
        grid = _levels_of(values) if levels else _numbers_of(values, column, whole=kind == "count")
        drawn = pl.Series(column, grid, dtype=values.dtype if levels else pl.Float64)
        query = table.clear(len(drawn)).with_columns(drawn)
        classes = tuple(model.classes_.tolist())
        place = {c: i for i, c in enumerate(classes)}
        target = read_target(y)
        codes = np.array([place.get(c, -1) for c in target.classes] + [-1])[target.codes]
        density = {type(model).__name__: np.exp(model.log_likelihood(query))}
        return cls(column, unit, classes, grid, density, values, codes, levels).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on axes, new ones if none are given."""
        self.figure_, self.ax_ = canvas(ax)
        if self.levels:
            self._bars()
        else:
            self._curves()
        self.ax_.set_xlabel((f"{self.name} ({self.unit})" if self.unit else self.name) + self._left_out())
        more = len(self.classes) - _CLASSES
        notes = ["lines: 95 % Wilson"] * self.levels + [f"and {more} more classes"] * (more > 0)
        legend(self.ax_, title="\n".join(notes))
        return self

    def frame(self) -> Any:
        """The drawn densities as a Polars frame."""
        import polars as pl

        rows = [
            {"family": family, "class": str(c), "x": x, "density": float(p[i, k])}
            for family, p in self.density.items()
            for k, c in enumerate(self.classes)
            for i, x in enumerate(np.asarray(self.grid).tolist())
        ]
        return pl.DataFrame(rows)

    @cached_property
    def _drawn(self) -> Drawn:
        return Drawn.of(_finite(self.values))

    def _curves(self) -> None:
        numbers, drawn = self.values.cast(float).to_numpy(), self._drawn
        edges, alone = drawn.edges, list(self.density) == ["rows"]
        tops = []
        for k, c in enumerate(self.classes[:_CLASSES]):
            own = numbers[(self.codes == k) & np.isfinite(numbers)]
            label = str(c) + (drawn.told_of(own) if len(own) else " (no cells)")
            if len(own):
                shown = own[drawn.holds(own)]
                heights, _ = np.histogram(shown, edges)
                heights = heights / (len(own) * np.diff(edges))
                tops.append(heights.max(initial=0.0))
                named = {"label": label} if alone else {}
                self.ax_.stairs(heights, edges, fill=True, color=colour(k), alpha=0.3 if alone else 0.18, **named)
            for style, (family, p) in zip(_STYLES, self.density.items(), strict=False):
                inside = np.where(drawn.holds(np.asarray(self.grid)), p[:, k], np.nan)
                tops.append(float(np.nanmax(inside, initial=0.0)))
                if alone:
                    self.ax_.stairs(p[:, k], edges, color=colour(k), lw=1.6)
                else:
                    told = label if len(self.density) == 1 else f"{label}, {family}"
                    self.ax_.plot(self.grid, inside, style, color=colour(k), lw=1.8, label=told)
        self.ax_.set_ylabel("density within the class" + (f" (1/{self.unit})" if self.unit else ""))
        self.ax_.set_ylim(0, 1.05 * max(tops, default=1.0) or 1.0)

    def _left_out(self) -> str:
        """How many levels, or how many numbers far out, are not drawn."""
        if not self.levels:
            return self._drawn.told_beyond
        known = self.values.drop_nulls().n_unique() if self.levels else 0
        return f"\nthe {len(self.grid)} commonest of {known:,} levels" if known > len(self.grid) else ""

    def _bars(self) -> None:
        shown = min(len(self.classes), _CLASSES)
        width = 0.8 / shown
        texts = [f"{level:g}" if isinstance(level, float) else str(level) for level in self.grid]
        for k, c in enumerate(self.classes[:shown]):
            own = self.values.filter(np.asarray(self.codes == k)).drop_nulls()
            at = np.arange(len(texts)) + (k - (shown - 1) / 2) * width
            heights = next(iter(self.density.values()))[:, k]
            label = str(c) if len(own) else f"{c} (no cells)"
            self.ax_.bar(at, heights, width * 0.95, color=colour(k), alpha=0.75, label=label)
            if len(own):
                shares = [proportion_interval(int((own == level).sum()), len(own)) for level in self.grid]
                low, high = ([getattr(s, end) for s in shares] for end in ("low", "high"))
                self.ax_.vlines(at, low, high, color=INK, lw=1)
        turned = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if len(texts) > 4 else {}
        self.ax_.set_xticks(np.arange(len(texts)), [_short(t) for t in texts], **turned)
        self.ax_.set_ylabel("share of the class")


def _finite(column: Any) -> Floats:
    numbers = column.cast(float).drop_nulls().to_numpy()
    return np.asarray(numbers[np.isfinite(numbers)])


def _histogram(column: Any, codes: Ints, classes: tuple[Hashable, ...]) -> tuple[Floats, Floats]:
    """Middles of the bins (g,), and the density of the rows of each class in them (g, k), as shares of all its rows."""
    numbers, drawn = column.cast(float).to_numpy(), Drawn.of(_finite(column))
    heights = np.zeros((len(drawn.edges) - 1, len(classes)))
    for k in range(len(classes)):
        own = numbers[(codes == k) & np.isfinite(numbers)]
        found, _ = np.histogram(own[own != drawn.spike], drawn.edges)
        heights[:, k] = found / (max(len(own), 1) * np.diff(drawn.edges))
    return (drawn.edges[:-1] + drawn.edges[1:]) / 2, heights


def _shares_of_levels(column: Any, codes: Ints, classes: int) -> tuple[list[Any], Floats]:
    """The commonest levels, and which share of the rows of each class that have a cell have each (g, k)."""
    grid = _levels_of(column)
    shares = np.zeros((len(grid), classes))
    for k in range(classes):
        own = column.filter(codes == k).drop_nulls()
        shares[:, k] = [(own == level).sum() / max(len(own), 1) for level in grid]
    return grid, shares


def _has_levels(column: Any, kind: str) -> bool:
    """Whether a column of a kind is drawn as bars: counts of which there are many are a curve."""
    return kind in ONE_BY_ONE and not (kind == "count" and column.drop_nulls().n_unique() > MOST_LEVELS)


def _levels_of(column: Any) -> list[Any]:
    """The commonest levels, in order of name."""
    counts = column.drop_nulls().value_counts(sort=True).head(MOST_LEVELS)
    return sorted(counts.get_column(column.name).to_list())


def _numbers_of(column: ArrayLike, name: str, whole: bool) -> Floats:
    numbers = _finite(column)
    if not len(numbers):
        raise InputError(f"column {name!r} has no values to draw")
    drawn = Drawn.of(numbers)
    low, high = drawn.low, drawn.high
    if whole:
        return np.arange(np.floor(low), high + 1, max(1.0, np.ceil((high - low) / 300)))
    margin = 0.08 * (high - low) or max(abs(low), 1.0) * 0.1
    return np.linspace(low - margin, high + margin, 301)


def _short(text: str) -> str:
    return text if len(text) <= 14 else f"{text[:13]}…"
