"""How curves look: names, styles, legends that do not cover them, and their numbers in one frame."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from likely.figures.drawing.canvas import COLOURS, Axes, colour
from likely.figures.drawing.legends import legend
from likely.intervals.estimate import Estimate

_STYLES = ("-", "--", "-.", ":")  # when the colours repeat
_MARKS = ("†", "‡", "§")
_INSIDE = 6  # curves whose legend still fits inside the axes
_BESIDE = 2.8  # inches for a legend that does not


def curve_name(name: str | None, positive: Hashable, several: bool) -> str:
    """What a curve is called: the model, the class, or both."""
    if name is None:
        return str(positive)
    return f"{name}, {positive}" if several else name


def curve_style(place: int) -> dict[str, Any]:
    """Colour and dashes of the curve at a place."""
    return {"color": colour(place), "linestyle": _STYLES[place // len(COLOURS) % len(_STYLES)]}


def drawn_before(ax: Axes) -> int:
    """How many curves the axes hold already."""
    return sum(line.get_gid() == "curve" for line in ax.lines)


def interval_title(what: str, figures: Sequence[Estimate]) -> str:
    """What the intervals of a legend are about; where not all are by one method, the others have marks.

    >>> areas = [Estimate(1.0, 0.9, 1.0, 0.95, "Newcombe", 20), Estimate(0.8, 0.7, 0.9, 0.95, "DeLong", 20)]
    >>> print(interval_title("area", areas), [figure_and_mark(one, areas) for one in areas])
    area,
    95 % Newcombe; †: DeLong ['1.000 [0.900, 1.000]', '0.800 [0.700, 0.900]†']
    """
    first, *others = _methods(figures)
    marks = "".join(f"; {mark}: {method}" for mark, method in zip(_MARKS, others, strict=False))
    return f"{what},\n{100 * figures[0].confidence:.6g} % {first}{marks}"


def figure_and_mark(figure: Estimate, among: Sequence[Estimate]) -> str:
    """A figure with its interval, and a mark where that is not by the method of most of the figures."""
    place = _methods(among).index(figure.method)
    return figure.short() + (_MARKS[place - 1] if place else "")


def _methods(figures: Sequence[Estimate]) -> list[str]:
    """The methods of intervals, the commonest first."""
    counts = Counter(figure.method for figure in figures)
    return [method for method, _ in counts.most_common()]


def beside(curves: int) -> float:
    """How much wider a figure must be, in inches, for a legend of so many curves."""
    return _BESIDE if curves > _INSIDE else 0.0


def curve_legend(ax: Axes, title: str, curves: int, corner: str) -> None:
    """The legend in a corner that is free, or outside; beside the axes if there are many curves."""
    legend(ax, "beside" if beside(curves) and corner not in ("above", "below") else corner, title)


def named_frames(parts: Sequence[Any], names: Sequence[str]) -> Any:
    """Frames of several curves below each other, each row with the name of its curve."""
    import polars as pl

    named = [part.select(pl.lit(name).alias("curve"), pl.all()) for part, name in zip(parts, names, strict=True)]
    return pl.concat(named)
