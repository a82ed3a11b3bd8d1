"""Laws of one number drawn: densities or probabilities, distribution functions, and the area of an interval.

Several laws share the axes: normal curves of several spreads, or a histogram, a kernel density and a normal curve
estimated from one sample, over the sample and beside the true curve where that is known. What is shaded is the
probability that the legend states: of one interval, of several nested ones, or of a central share.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.family import fit
from likely.distributions.names import family_named
from likely.errors import InputError
from likely.figures.drawing.canvas import BAND, COLOURS, INK, MUTED, Axes, Drawn, canvas, colour, panels, plain_names
from likely.figures.drawing.legends import legend
from likely.figures.laws.on_a_line import LineLaw
from likely.numeric.arrays import Floats, in_brief

Kind: TypeAlias = Literal["density", "cumulative", "both"]
_MANY = 60  # whole numbers that still get a bar each
_RUG = 400  # values that are still drawn one by one


@dataclass(eq=False)
class LawDisplay(Drawn):
    """Laws of one number.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely.probability import Uniform
    >>> display = LawDisplay.from_law(Uniform(0, 30), between=(15, 21), kind="both", name="minutes")
    >>> display.masses
    {'uniform': [(15.0, 21.0, 0.2)]}
    >>> sample = [2.1, 2.9, 3.0, 3.3, 4.6, 5.0]
    >>> both = LawDisplay.from_values(sample, ["kde", "gaussian"])
    >>> both.frame().columns
    ['law', 'x', 'density', 'cumulative']
    >>> matplotlib.pyplot.close("all")
    """

    laws: Mapping[str, Any]  # by name
    values: Floats | None = None  # (n,)  what they were estimated from
    true: Any = None  # the law that the values come from, where it is known
    between: Sequence[tuple[float, float]] = ()  # intervals whose probability is shaded; ends may be infinite
    kind: Kind = "density"  # what is drawn
    name: str = "x"
    limits: tuple[float, float] | None = None  # from where to where; None: wide enough for all
    panels_: Any = field(default=None, init=False, repr=False)  # axes of the density and of the distribution function

    __repr__ = in_brief

    def __post_init__(self) -> None:
        if not self.laws:
            raise InputError("there is no law to draw")
        if self.kind not in get_args(Kind):
            raise InputError(f"unknown kind={self.kind!r}; choose {', '.join(get_args(Kind))}")
        if any(not low < high for low, high in self.between):
            raise InputError(f"an interval is (low, high) with low < high, got {self.between!r}")

    @classmethod
    def from_law(
        cls,
        law: Any,
        *,
        between: Any = (),
        central: float | None = None,
        ax: Axes | None = None,
        label: str = "",
        **options: Any,
    ) -> Self:
        """Draw one law; shade the probability of an interval, or of several, or a `central` share of it.

        A law is one of `likely.probability`, a belief of `likely.estimation`, a distribution of `likely.distributions`
        of one member and column, or what SciPy calls a frozen distribution. The options are fields of the display.
        """
        if central is not None:
            if not 0 < central < 1:
                raise InputError(f"a central share lies between 0 and 1, got {central}")
            between = LineLaw.of(law).central(central)
        ranges = [between] if len(between) == 2 and np.ndim(between[0]) == 0 else list(between)
        pairs = [(float(low), float(high)) for low, high in ranges]
        return cls({label or type(law).__name__.lower(): law}, between=pairs, **options).plot(ax)

    @classmethod
    def from_laws(cls, laws: Mapping[str, Any], *, ax: Axes | None = None, **options: Any) -> Self:
        """Draw several laws by name; the options are fields of the display."""
        return cls(dict(laws), **options).plot(ax)

    @classmethod
    def from_values(
        cls,
        values: ArrayLike,
        families: Sequence[Any] = ("histogram", "kde", "gaussian"),
        *,
        true: Any = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Estimate densities from values (n,) and draw them over the values.

        `families` are names as in `NaiveBayes`, or families of `likely.distributions`.
        """
        rows = np.asarray(values, dtype=np.float64).ravel()
        rows = rows[np.isfinite(rows)]
        if len(rows) < 2:
            raise InputError(f"a density is estimated from at least two values, got {len(rows)}")
        found = {}
        for family in families:
            chosen = family_named(family) if isinstance(family, str) else family
            found[family if isinstance(family, str) else chosen.name] = fit(chosen, rows[:, None])
        return cls(found, rows, true, **options).plot(ax)

    @cached_property
    def read(self) -> dict[str, LineLaw]:
        """The laws as they are drawn."""
        return {name: LineLaw.of(law) for name, law in self.laws.items()}

    @property
    def masses(self) -> dict[str, list[tuple[float, float, float]]]:
        """The probability of every interval under every law."""
        return {n: [(low, high, law.mass(low, high)) for low, high in self.between] for n, law in self.read.items()}

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, divided in two for both kinds, or on new ones."""
        both = self.kind == "both"
        self.figure_, self.ax_ = canvas(ax, 9.0 if both else 5.6, 3.8 if both else 4.2)
        self.panels_ = panels(self.ax_, 2) if both else [self.ax_]
        for panel, kind in zip(self.panels_, ("density", "cumulative") if both else (self.kind,), strict=True):
            canvas(panel)
            self._draw(panel, kind == "cumulative")
        return self

    def frame(self) -> Any:
        """The laws at the points that are drawn, as a Polars frame."""
        import polars as pl

        parts = []
        for name, law in self.read.items():
            x = self._grid(law)
            columns = {"x": x, "density": law.density(x), "cumulative": law.below(x)}
            parts.append(pl.DataFrame(columns).select(pl.lit(name).alias("law"), pl.all()))
        return pl.concat(parts)

    def _draw(self, ax: Axes, cumulative: bool) -> None:
        discrete = any(law.discrete for law in self.read.values())
        for place, (name, law) in enumerate(self.read.items()):
            x = self._grid(law)
            shaded = f": {law.mass(*self.between[0]):.3f} shaded" if len(self.between) == 1 else ""
            label = f"{name}{shaded}" if len(self.laws) > 1 else name if self.true is not None else None
            self._draw_law(ax, law, x, law.below(x) if cumulative else law.density(x), place, label, cumulative)
            self._shade(ax, law, place, cumulative)
        if self.true is not None:
            law = LineLaw.of(self.true)
            x = self._grid(law)
            height = law.below(x) if cumulative else law.density(x)
            ax.plot(x, height, color=MUTED, ls="--", lw=1.5, label="true law", gid="true")
        if self.values is not None and len(self.values) <= _RUG:
            label = f"{len(self.values):,} values"
            ax.plot(self.values, np.zeros(len(self.values)), "|", color=INK, ms=9, clip_on=False, label=label)
        word = "P(X ≤ x)" if cumulative else "probability" if discrete else "density"
        ax.set(xlabel=self.name, ylabel=word, ylim=(0, 1.08 * ax.dataLim.y1))
        legend(ax)

    def _draw_law(
        self, ax: Axes, law: LineLaw, x: Floats, height: Floats, place: int, label: str | None, cumulative: bool
    ) -> None:
        line: dict[str, Any] = {
            "color": colour(place),
            "lw": 1.8,
            "ls": "-" if place < len(COLOURS) else "--",
            "gid": "law",
        }
        if law.edges is not None and not cumulative:
            middle = (law.edges[1:] + law.edges[:-1]) / 2
            ax.stairs(law.density(middle), law.edges, fill=True, color=colour(place), alpha=0.3, label=label, gid="law")
        elif law.discrete and len(x) <= _MANY and not cumulative:
            barred = [name for name, one in self.read.items() if one.discrete]  # curves take no room beside bars
            width = 0.85 / len(barred)
            own = [one for one in self.read.values() if one.discrete].index(law)
            ax.bar(x + (own - (len(barred) - 1) / 2) * width, height, width, color=colour(place), alpha=0.6,
                   label=label, gid="law")  # fmt: skip
        elif law.discrete:
            ax.plot(x, height, drawstyle="steps-post", label=label, **line)
        else:
            ax.plot(x, height, label=label, **line)

    def _shade(self, ax: Axes, law: LineLaw, place: int, cumulative: bool) -> None:
        """The intervals with their probabilities; of a wide one what lies outside the narrower ones."""
        several, before = len(self.laws) > 1, np.zeros(0)
        for inner, (low, high) in enumerate(sorted(self.between, key=lambda ends: ends[1] - ends[0])):
            tone = colour(place) if several else colour(1 + inner)
            ends = [end for end in (low, high) if np.isfinite(end)]
            if cumulative:
                for end in ends:
                    level = float(law.below(np.array(end)))
                    ax.plot([end, end, self._grid(law)[0]], [0, level, level], color=tone, lw=0.9, ls=":")
                continue
            text = None if several else f"{_words(low, high)} = {law.mass(low, high):.4g}"
            x = self._grid(law)
            if law.discrete:
                inside = (x > low) & (x <= high) & ~np.isin(x, before)
                before = np.union1d(before, x[inside])
                ax.bar(x[inside], law.density(x[inside]), 0.85, color=tone, alpha=0.9, label=text, gid="shade")
                continue
            x = np.union1d(x, [*ends, *before])
            inside = (x >= low) & (x <= high)
            if len(before):
                inside &= (x <= before.min()) | (x >= before.max())
            before = np.append(before, ends)
            opacity = BAND if several else 0.45
            ax.fill_between(
                x, 0, law.density(x), where=inside, color=tone, alpha=opacity, lw=0, label=text, gid="shade"
            )

    def _grid(self, law: LineLaw) -> Floats:
        """Where a law is drawn: within the limits, or where any of them lies; over values, where those lie too."""
        if law.discrete:
            return law.grid()
        if self.limits is not None:
            return np.linspace(*self.limits, 601)
        laws = [one for one in self.read.values() if not one.discrete]
        low, high = min(one.low for one in laws), max(one.high for one in laws)
        grid = np.linspace(low, high, 601)
        return grid if law.edges is None else np.union1d(grid, law.edges)


def _words(low: float, high: float) -> str:
    if not np.isfinite(low):
        return f"P(X ≤ {high:.4g})"
    if not np.isfinite(high):
        return f"P(X > {low:.4g})"
    return f"P({low:.4g} < X ≤ {high:.4g})"
