"""A feature within each class: a curve over numbers, bars over counts and levels.

The density is that of a fitted model, asked about rows of which all other cells are missing, or of a naive Bayes model
of the one feature; there `families` pick it, and several can be drawn over each other (Gaussian, histogram and kernel
densities of one sample). Numbers show the rows they come from as a histogram behind the curve, whose bins begin and end
between whole numbers where all values are whole; levels show the observed shares with Wilson intervals. Of many levels
the commonest are drawn, and the axis says how many are left out; counts of which there are many are drawn as a curve
over all of them. Missing cells have a bar beside the levels: that a cell is missing may tell more than what is in it.

Up to four classes are drawn over each other or side by side, histograms without curves up to two. More would hide each
other: each has a strip of its own,
of very many classes the twelve commonest.

A single number that a large share of the rows have (no gain, no loss) is no density: the legend says how many of each
class have it, and what is drawn is the rest, in shares of all rows. A few numbers far beyond the others are left out of
the axis, which says how many. `families=None` draws the rows alone, no family of densities beside them.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import ONE_BY_ONE
from likely.data.labels.target import read_target
from likely.distributions.names import described_kind
from likely.errors import InputError
from likely.figures.classes.drawn_numbers import MOST_LEVELS, Drawn, in_percent
from likely.figures.classes.strips import TOGETHER, Strips, largest
from likely.figures.drawing.canvas import INK, Axes, canvas, colour, plain_names
from likely.figures.drawing.labels import label_across, short_name
from likely.figures.drawing.legends import legend
from likely.intervals.proportions import proportion_interval
from likely.models.any_classifier.inside import unwrap
from likely.models.generative import NaiveBayes
from likely.numeric.arrays import Floats, Ints, in_brief

_LETTERS = 14  # of a level at its bar
_APART = 0.4  # of a bar, between those of levels and that of gaps
_NARROW = 3  # letters of names that stand beside each other without being turned
_FLAT = 8  # names that may lean; more of them stand
_SEEN_THROUGH = 2  # histograms that can be told apart where they are drawn over each other without curves
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

        The model has `log_likelihood` and leaves missing cells out of it, as NaiveBayes, GaussianBayes and
        BayesClassifier do; of a `Calibrated` or `Decider` the model inside is drawn. X is a frame.

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

        model = unwrap(model)
        if getattr(model, "missing", "ignore") != "ignore" or not hasattr(model, "log_likelihood"):
            raise InputError(
                f"{type(model).__name__} has no density of a column by itself: that is drawn for models that leave "
                "missing cells out of the likelihood: NaiveBayes, GaussianBayes, BayesClassifier with missing='ignore'"
            )
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
        drawn = largest(self.codes, len(self.classes))
        if self.levels:
            self._bars(drawn)
        else:
            self._curves(drawn)
        told = [f"{self.name} ({self.unit})" if self.unit else self.name, *self._left_out()]
        if len(drawn) < len(self.classes):
            told.append(f"the {len(drawn)} commonest of {len(self.classes):,} classes")
        if self.levels and len(drawn) > TOGETHER:
            told.append("lines: 95 % Wilson")
        label_across(self.ax_, *told)
        legend(self.ax_, title="lines: 95 % Wilson" if self.levels else "")
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

    @cached_property
    def missing(self) -> Floats:
        """The share of the rows of each class (k,) that have no cell; 0 of a class without rows."""
        gap = self.values.is_null()
        gap = (gap | self.values.is_nan().fill_null(False) if self.values.dtype.is_float() else gap).to_numpy()
        known = self.codes >= 0
        rows, gaps = (np.bincount(self.codes[who], minlength=len(self.classes)) for who in (known, known & gap))
        return np.asarray(gaps / np.maximum(rows, 1))

    def _curves(self, classes: list[int]) -> None:
        numbers, drawn = self.values.cast(float).to_numpy(), self._drawn
        edges, alone = drawn.edges, list(self.density) == ["rows"]
        own = [numbers[(self.codes == k) & np.isfinite(numbers)] for k in classes]
        names = [str(self.classes[k]) for k in classes]
        remarks = [self._remark(k, cells) for k, cells in zip(classes, own, strict=True)]
        heights = [
            np.histogram(cells[drawn.holds(cells)], edges)[0] / (max(len(cells), 1) * np.diff(edges)) for cells in own
        ]
        inside = {
            family: np.where(drawn.holds(np.asarray(self.grid))[:, None], p, np.nan)
            for family, p in self.density.items()
        }
        highest = max(0.0, *(h.max(initial=0.0) for h in heights))
        if not alone:
            highest = max(highest, *(float(np.nanmax(p[:, classes], initial=0.0)) for p in inside.values()))
        what = "density within the class" + (f" (1/{self.unit})" if self.unit else "")
        apart = len(classes) > (_SEEN_THROUGH if alone else TOGETHER)
        strips = Strips(self.ax_, names, remarks, highest, what) if apart else None
        names = [f"{name} {remark}".rstrip() for name, remark in zip(names, remarks, strict=True)]
        for place, (k, name, bars) in enumerate(zip(classes, names, heights, strict=True)):
            base, up = (0.0, np.asarray) if strips is None else (strips.base(place), partial(strips.up, place))
            named = {"label": name} if alone and strips is None else {}
            faint = 0.3 if alone or strips is not None else 0.18
            if len(own[place]):
                self.ax_.stairs(up(bars), edges, baseline=base, fill=True, color=colour(k), alpha=faint, **named)
            if alone:
                self.ax_.stairs(up(bars), edges, baseline=base, color=colour(k), lw=1.6)
                continue
            for style, (family, p) in zip(_STYLES, inside.items(), strict=False):
                told = name if len(inside) == 1 else f"{name}, {family}"
                if strips is not None:
                    told = family if place == 0 and len(inside) > 1 else ""
                self.ax_.plot(self.grid, up(p[:, k]), style, color=colour(k), lw=1.8, label=told or None)
        if strips is None:
            self.ax_.set_ylabel(what)
            self.ax_.set_ylim(0, 1.05 * highest or 1.0)

    def _remark(self, k: int, cells: Floats) -> str:
        """How many of a class are one number that is not drawn, and how many are missing."""
        if not len(cells):
            return "(no cells)"
        told = [self._drawn.told_of(cells), f"{in_percent(self.missing[k])} missing" if self.missing[k] else ""]
        return f"({', '.join(filter(None, told))})" if any(told) else ""

    def _left_out(self) -> list[str]:
        """How many levels, or how many numbers far out, are not drawn, and what the bar of gaps is."""
        if not self.levels:
            return [self._drawn.told_beyond] if self._drawn.told_beyond else []
        known = self.values.drop_nulls().n_unique()
        found = [f"the {len(self.grid)} commonest of {known:,} levels"] if known > len(self.grid) else []
        return [*found, *(["missing is of all rows, levels of the rest"] if self.missing.any() else [])]

    def _bars(self, classes: list[int]) -> None:
        texts = [f"{level:g}" if isinstance(level, float) else str(level) for level in self.grid]
        gaps, density = bool(self.missing.any()), next(iter(self.density.values()))
        rows = [self.values.filter(np.asarray(self.codes == k)) for k in classes]
        shares = [self._intervals(own, gaps) for own in rows]
        heights = [np.append(density[:, k], self.missing[k]) if gaps else np.asarray(density[:, k]) for k in classes]
        names = [str(self.classes[k]) for k in classes]
        remarks = ["" if len(own.drop_nulls()) else "(no cells)" for own in rows]
        at = np.append(np.arange(len(texts)), len(texts) + _APART) if gaps else np.arange(len(texts), dtype=float)
        tops = [ends[1].max(initial=0.0) for ends in shares]
        highest = max(0.0, *(h.max(initial=0.0) for h in heights), *tops)
        strips = Strips(self.ax_, names, remarks, highest, "share of the class") if len(classes) > TOGETHER else None
        names = [f"{name} {remark}".rstrip() for name, remark in zip(names, remarks, strict=True)]
        width = 0.8 if strips is not None else 0.8 / len(classes)
        for place, (k, name, bars, (low, high)) in enumerate(zip(classes, names, heights, shares, strict=True)):
            shift = 0.0 if strips is not None else (place - (len(classes) - 1) / 2) * width
            base, up = (0.0, np.asarray) if strips is None else (strips.base(place), partial(strips.up, place))
            look = {"color": colour(k), "alpha": 0.75, "label": name if strips is None else None}
            self.ax_.bar(at + shift, up(bars) - base, width * 0.95, bottom=base, **look)
            known = ~np.isnan(low)
            self.ax_.vlines((at + shift)[known], up(low)[known], up(high)[known], color=INK, lw=1)
        texts += ["missing"] if gaps else []
        turned: dict[str, Any] = {}
        if len(texts) > 4 and max(map(len, texts)) > _NARROW:
            steep = 30 if len(texts) <= _FLAT else 60
            turned = {"rotation": steep, "ha": "right", "rotation_mode": "anchor"}
        self.ax_.set_xticks(at, [short_name(t, _LETTERS) for t in texts], parse_math=False, **turned)
        if strips is None:
            self.ax_.set_ylabel("share of the class")

    def _intervals(self, own: Any, gaps: bool) -> tuple[Floats, Floats]:
        """Ends of the interval of the share of each level, and of the gaps; NaN where a class has no rows."""
        cells = own.drop_nulls()
        counted = [(int((cells == level).sum()), len(cells)) for level in self.grid]
        counted += [(len(own) - len(cells), len(own))] if gaps else []
        found = [proportion_interval(count, n) if n else None for count, n in counted]
        ends = [(np.nan, np.nan) if one is None else (one.low, one.high) for one in found]
        return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


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
