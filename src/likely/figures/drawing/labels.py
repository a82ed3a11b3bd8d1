"""Labels of an axis that fit: broken into lines as wide as what names at the other axis leave."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

_LETTER = 0.56  # of the size of letters, on average
_EDGES = 0.5  # inches beside the axes: a label at the left, and margins


def short_name(name: str, letters: int) -> str:
    """A name in so many letters; its end stays, by which long names often differ.

    >>> short_name("the third of the classes, number 3", 22)
    'the third of…number 3'
    """
    name = " ".join(name.split())
    end = min(8, letters // 3 + 1)
    return name if len(name) <= letters else f"{name[: letters - end - 1].rstrip()}…{name[-end:].lstrip()}"


def letters_within(inches: float, size: float) -> int:
    """How many letters of a size, in points, have room in so many inches, about."""
    return int(inches * 72 / (_LETTER * size))


def axes_inches(ax: Any) -> float:
    """How wide the axes will be, about: a layout takes what names at the left need from the figure."""
    figure, dpi = ax.figure, ax.figure.dpi
    if len(figure.axes) > 1 or not hasattr(figure, "get_figwidth"):
        return float(ax.get_window_extent().width / dpi)
    names = [label.get_window_extent().width / dpi for label in ax.get_yticklabels() if label.get_text()]
    return float(figure.get_figwidth() - max(names, default=0.0) - _EDGES)


def label_across(ax: Any, *lines: str) -> None:
    """Label what is across, a line or more for each; after the names at the left are set.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely.figures import canvas
    >>> figure, ax = canvas(width=3.0)
    >>> label_across(ax, "an amount of money in euros, a year and head")
    >>> ax.get_xlabel().count("\\n")
    1
    >>> matplotlib.pyplot.close(figure)
    """
    room = max(8, letters_within(axes_inches(ax), ax.xaxis.label.get_fontsize()))
    ax.set_xlabel("\n".join(_broken(lines, room)))


def _broken(lines: Sequence[str], room: int) -> list[str]:
    return [part for line in lines for part in wrap(line, room) or [""]]
