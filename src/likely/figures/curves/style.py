"""How curves look: names, styles, legends that do not cover them, and their numbers in one frame."""

from collections.abc import Hashable, Sequence
from typing import Any

from likely.figures.canvas import COLOURS, INK, colour, legend
from likely.intervals.estimate import Estimate

_STYLES = ("-", "--", "-.", ":")  # when the colours repeat
_INSIDE = 6  # curves whose legend still fits inside the axes
_BESIDE = 2.8  # inches for a legend that does not
_BELOW = 1.5  # inches for a legend below the axes
_CLEAR_OF_LABEL = 0.55  # inches from the axes to what stands below their label


def curve_name(name: str | None, positive: Hashable, several: bool) -> str:
    """What a curve is called: the model, the class, or both."""
    if name is None:
        return str(positive)
    return f"{name}, {positive}" if several else name


def curve_style(place: int) -> dict[str, Any]:
    """Colour and dashes of the curve at a place."""
    return {"color": colour(place), "linestyle": _STYLES[place // len(COLOURS) % len(_STYLES)]}


def drawn_before(ax: Any) -> int:
    """How many curves the axes hold already."""
    return sum(line.get_gid() == "curve" for line in ax.lines)


def interval_title(what: str, figures: Sequence[Estimate]) -> str:
    """What the intervals of a legend are about."""
    methods = " or ".join(dict.fromkeys(figure.method for figure in figures))
    return f"{what},\n{100 * figures[0].confidence:.6g} % {methods}"


def beside(curves: int) -> float:
    """How much wider a figure must be, in inches, for a legend of so many curves."""
    return _BESIDE if curves > _INSIDE else 0.0


def curve_legend(ax: Any, title: str, curves: int, corner: str) -> None:
    """The legend in a corner, or beside the axes when it would cover them, or above or below them."""
    place: dict[str, Any] = {"loc": corner, "bbox_to_anchor": (0.0, 0.0, 1.0, 1.0)}
    if corner == "above":
        place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "ncols": 2}
    elif corner == "below":
        place = _below(ax)
    elif beside(curves):
        place = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0)}
        ax.set_anchor("W")  # a square in a wide figure stays left, where there is room for the legend
    legend(ax, title=title, alignment="left", **place)
    drawn = ax.get_legend()
    drawn.set_gid(corner)
    drawn.get_title().set(fontsize=8, color=INK)
    drawn.set_frame_on(True)  # so that lines behind it do not strike the text through
    drawn.get_frame().set(facecolor=ax.get_facecolor(), edgecolor="none", alpha=0.85)


def _below(ax: Any) -> dict[str, Any]:
    """Where a legend below the axes stands, clear of their label; a figure of these axes alone grows for it."""
    from matplotlib.transforms import ScaledTranslation

    if len(ax.figure.axes) == 1 and ax.get_legend() is not None and ax.get_legend().get_gid() != "below":
        ax.figure.set_figheight(ax.figure.get_figheight() + _BELOW)
    down = ScaledTranslation(0.0, -_CLEAR_OF_LABEL, ax.figure.dpi_scale_trans)
    return {"loc": "upper left", "bbox_to_anchor": (0.0, 0.0), "bbox_transform": ax.transAxes + down}


def named_frames(parts: Sequence[Any], names: Sequence[str]) -> Any:
    """Frames of several curves below each other, each row with the name of its curve."""
    import polars as pl

    named = [part.select(pl.lit(name).alias("curve"), pl.all()) for part, name in zip(parts, names, strict=True)]
    return pl.concat(named)
