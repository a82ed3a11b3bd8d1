"""Where a picture is drawn: its axes, and colours that everyone can tell apart.

The colours are Okabe and Ito's (2008), ordered so that neighbours differ in lightness too. Text and axes are in one
ink and helping lines in one muted tone, so that a page can restyle them for a dark background.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
else:
    Axes: TypeAlias = Any  # Matplotlib is read when a picture is drawn

Plot = TypeVar("Plot", bound=Callable[..., Any])

INK = "#222222"
MUTED = "#8a8a8a"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f5f00", "#000000")
BAND = 0.2  # opacity of an interval behind its curve


@dataclass
class Drawn:
    """What a Display has when it is drawn."""

    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)


def canvas(ax: Axes | None = None, width: float = 5.6, height: float = 4.2) -> tuple[Any, Any]:
    """The figure and the axes to draw on: those given, or new ones of a size in inches.

    Parameters
    ----------
    width : in inches, of new axes

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
    for words in _words(ax):
        if not words.get_text():
            words.set_parse_math(False)  # made with the axes, before `plain_names` could see to it
    ax.xaxis.label.set_color(INK)
    ax.yaxis.label.set_color(INK)
    ax.title.set_color(INK)
    return ax.figure, ax


def plain_names(plot: Plot) -> Plot:
    """Decorator of what draws names from the user's data: a dollar sign in them is one, and begins no formula."""

    @wraps(plot)
    def plainly(*arguments: Any, **options: Any) -> Any:
        from matplotlib import rc_context

        with rc_context({"text.parse_math": False}):
            drawn = plot(*arguments, **options)
        for ax in drawn.figure_.axes:
            for words in _words(ax):
                if "$" not in words.get_text():
                    words.set_parse_math(True)  # a formula may be put there later
            plain_ticks(ax)
        return drawn

    return cast(Plot, plainly)


def plain_ticks(ax: Axes) -> None:
    """Take names at the ticks as they are: axes that were given may have had ticks before."""
    for tick in (tick for axis in (ax.xaxis, ax.yaxis) if _named(axis) for tick in axis.get_major_ticks()):
        tick.label1.set_parse_math(False)


def _words(ax: Axes) -> tuple[Any, ...]:
    return ax.xaxis.label, ax.yaxis.label, ax.title


def _named(axis: Any) -> bool:
    """Whether names stand at the ticks, rather than numbers that Matplotlib spells."""
    from matplotlib.ticker import FixedLocator

    return isinstance(axis.get_major_locator(), FixedLocator)


def colour(place: int) -> str:
    """The colour of the curve, class or model at a place; they repeat after eight.

    Parameters
    ----------
    place : from 0, in the order of the classes or models

    >>> colour(0), colour(0) == colour(8)
    ('#0072b2', True)
    """
    return COLOURS[place % len(COLOURS)]


def ink_on(ground: Any) -> str:
    """White or (nearly) black, whichever stands out more from a colour: always by 4.5 to 1 or more.

    The luminance is that of the web's guidelines (WCAG 2), and so is the ratio (L + 0.05) / (l + 0.05). Black itself
    is the colour of a page's letters, which may be light.

    >>> ink_on("#08306b"), ink_on("#56b4e9")
    ('#ffffff', '#010101')
    """
    return "#ffffff" if (luminance(ground) + 0.05) ** 2 < 1.05 * 0.05 else "#010101"


def luminance(shade: Any) -> float:
    """How light a colour is, from 0 to 1."""
    from matplotlib.colors import to_rgb

    parts = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in to_rgb(shade)]
    return float(sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)))


def at_least(ax: Axes, height: float) -> None:
    """Make the figure that holds these axes alone at least so many inches high."""
    figure: Any = ax.figure
    if hasattr(figure, "set_figheight") and len(figure.axes) == 1 and figure.get_figheight() < height:
        figure.set_figheight(height)


def panels(ax: Axes, count: int, rows: int = 1) -> list[Any]:
    """Axes beside each other, in so many rows, in place of one; a constrained layout keeps their words apart.

    Parameters
    ----------
    count : how many axes
    rows : in how many rows

    >>> import matplotlib; matplotlib.use("agg")
    >>> figure, ax = canvas()
    >>> len(panels(ax, 3)), ax.axison
    (3, False)
    >>> matplotlib.pyplot.close(figure)
    """
    ax.set_axis_off()
    columns = -(-count // rows)
    spec = ax.get_subplotspec()
    if spec is None:  # axes that stand in no grid: within their own box, with room for labels
        wide, high = 1.0 / columns, 1.0 / rows
        boxes = [(i % columns * wide, 1 - (i // columns + 1) * high) for i in range(count)]
        return [ax.inset_axes((x + 0.14 * wide, y + 0.16 * high, 0.8 * wide, 0.68 * high)) for x, y in boxes]
    grid = spec.subgridspec(rows, columns)
    return [ax.figure.add_subplot(grid[i // columns, i % columns]) for i in range(count)]
