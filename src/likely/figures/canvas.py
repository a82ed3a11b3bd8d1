"""Where a picture is drawn: its axes, and colours that everyone can tell apart.

The colours are Okabe and Ito's (2008), ordered so that neighbours differ in lightness too. Text and axes are in one
ink and helping lines in one muted tone, so that a page can restyle them for a dark background.
"""

from typing import Any

INK = "#222222"
MUTED = "#8a8a8a"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f5f00", "#000000")
BAND = 0.2  # opacity of an interval behind its curve


def canvas(ax: Any = None, width: float = 5.6, height: float = 4.2) -> tuple[Any, Any]:
    """The figure and the axes to draw on: those given, or new ones of a size in inches.

    >>> import matplotlib; matplotlib.use("agg")
    >>> figure, ax = canvas()
    >>> ax.spines["top"].get_visible()
    False
    """
    if ax is None:
        from matplotlib import pyplot

        _, ax = pyplot.subplots(figsize=(width, height), layout="constrained")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(INK)
    ax.tick_params(colors=INK, labelsize=9)
    ax.xaxis.label.set_color(INK)
    ax.yaxis.label.set_color(INK)
    ax.title.set_color(INK)
    return ax.figure, ax


def colour(place: int) -> str:
    """The colour of the curve, class or model at a place; they repeat after eight."""
    return COLOURS[place % len(COLOURS)]


def legend(ax: Any, **options: Any) -> None:
    """A legend without a frame, if anything has a label."""
    handles, labels = ax.get_legend_handles_labels()
    if len(labels) > 6:  # they would cover the curves
        options = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), **options}
    if labels:
        ax.legend(handles, labels, frameon=False, fontsize=8, labelcolor=INK, **options)
