"""Legends that cover nothing: in a corner of the axes that is free, or else outside.

A corner is free if no curve, mark, bar, shade or word of the axes reaches into it. Where none is, the legend stands
below the axes, or beside them if it is long: not above, where a title may yet come. Outside, its lines are broken to
the width of the axes, because a layout that makes room for a wider legend takes the room from the axes. A figure that
holds these axes alone grows by what the legend takes.
"""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from likely.figures.drawing.canvas import INK

_CORNERS = ("upper right", "upper left", "lower right", "lower left", "center right", "center left", "upper center")
_SIZE = 8.5  # points of the text: what a report shows on a telephone, so it need not be made larger there
_MARGIN = 1.1  # a layout may yet make the axes a little smaller, so a corner must have this much more room
_LONG = 10  # entries that stand beside the axes rather than below
_BESIDE = 2.4  # inches that a legend beside the axes may take
_LEFT = 2.8  # inches that it must leave the axes: else it stands below, where the figure can grow
_GAP = 0.1  # inches between the label of the axes and a legend below
_grown: WeakKeyDictionary[Any, tuple[float, float]] = WeakKeyDictionary()  # inches that axes made their figure grow by


def legend(ax: Any, loc: str = "best", title: str = "", **options: Any) -> Any:
    """A legend of everything that has a label, where it covers nothing; None if nothing has a label.

    `loc` is the corner to try first, or "above", "below" or "beside". With `bbox_to_anchor` it stands as told.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely.figures import canvas
    >>> figure, ax = canvas()
    >>> _ = ax.plot([0, 1], [0, 1], label="rising")
    >>> legend(ax, "upper right").get_gid(), legend(ax, "lower right").get_gid()
    ('upper left', 'lower right')
    >>> matplotlib.pyplot.close(figure)
    """
    handles, labels = ax.get_legend_handles_labels()
    _shrink(ax)
    if not labels:
        return None
    look = {"frameon": False, "fontsize": _SIZE, "labelcolor": INK, "title": title or None, "title_fontsize": _SIZE}
    look |= {"alignment": "left", **options}
    if "bbox_to_anchor" in options:
        return ax.legend(handles, labels, loc=loc, **look)
    drawn = ax.legend(handles, labels, loc="upper right", **look)
    drawn.get_title().set_color(INK)
    place = loc if loc in ("above", "below", "beside") else _free_corner(ax, drawn, loc)
    if place == "beside" and not _room_beside(ax):
        place = "below"
    if place in _CORNERS or place == "lower center":
        drawn.set_loc(place)
    else:
        place = place or ("beside" if len(labels) > _LONG and _room_beside(ax) else "below")
        drawn = _outside(ax, drawn, place, handles, labels, look)
    drawn.set_gid(place)
    return drawn


def _room_beside(ax: Any) -> bool:
    """Whether a legend beside the axes leaves them wide enough."""
    return bool(ax.get_window_extent().width / ax.figure.dpi >= _LEFT + _BESIDE)


def covered(ax: Any, box: Any) -> bool:
    """Whether anything that the axes hold, but their legend, reaches into a box of the page (in pixels)."""
    from matplotlib.transforms import Bbox

    shown = Bbox.intersection(box, ax.get_window_extent())  # curves end at the edge of the axes, words do not
    if shown is not None and shown.width > 0 and shown.height > 0:
        for path, filled in _paths(ax):
            clean = path.cleaned(remove_nans=True)
            if len(clean.vertices) > 1 and clean.intersects_bbox(shown, filled=filled):
                return True
        for points in _points(ax):
            inside = (points > (shown.x0, shown.y0)).all(axis=1) & (points < (shown.x1, shown.y1)).all(axis=1)
            if inside.any():
                return True
    solid = [*ax.texts, *ax.images, *ax.child_axes]
    return any(one.get_visible() and one.get_window_extent().overlaps(box) for one in solid)


def _free_corner(ax: Any, drawn: Any, first: str) -> str | None:
    """The first free corner; None if all are taken."""
    from matplotlib.transforms import Bbox

    ax.get_xlim(), ax.get_ylim()  # settles limits that are still to be found
    ax.apply_aspect()
    size, axes = drawn.get_window_extent(), ax.get_window_extent()
    width, height, pad = _MARGIN * size.width, _MARGIN * size.height, 0.5 * _SIZE * ax.figure.dpi / 72
    if width + 2 * pad > axes.width or height + 2 * pad > axes.height:
        return None
    across = {"left": axes.x0 + pad, "right": axes.x1 - pad - width, "center": (axes.x0 + axes.x1 - width) / 2}
    up = {"lower": axes.y0 + pad, "upper": axes.y1 - pad - height, "center": (axes.y0 + axes.y1 - height) / 2}
    for corner in dict.fromkeys((first if first != "best" else _CORNERS[0], *_CORNERS)):
        row, column = corner.split()
        if not covered(ax, Bbox.from_bounds(across[column], up[row], width, height)):
            return corner
    return None


def _paths(ax: Any) -> Iterator[tuple[Any, bool]]:
    """Outlines on the page of lines, bars and shades, and whether they are filled."""
    from matplotlib.cbook import STEP_LOOKUP_MAP
    from matplotlib.path import Path

    for line in ax.lines:
        if line.get_linestyle() not in ("None", "none", "", " ") and len(line.get_xdata()):
            steps = np.asarray(STEP_LOOKUP_MAP[line.get_drawstyle()](*line.get_xydata().T))
            yield line.get_transform().transform_path(Path(steps.T)), False
    for patch in ax.patches:
        yield patch.get_transform().transform_path(patch.get_path()), patch.get_fill()
    for collection in ax.collections:
        if not len(collection.get_offsets()) or not np.any(collection.get_offsets()):
            filled = len(collection.get_facecolor()) > 0
            for path in collection.get_paths():
                yield collection.get_transform().transform_path(path), filled


def _points(ax: Any) -> Iterator[Any]:
    """Places on the page of marks."""
    for line in ax.lines:
        if line.get_marker() not in ("None", "none", "", " ", None) and len(line.get_xdata()):
            yield line.get_transform().transform(line.get_xydata())
    for collection in ax.collections:
        if np.any(collection.get_offsets()):
            yield collection.get_offset_transform().transform(collection.get_offsets())


def _outside(ax: Any, drawn: Any, place: str, handles: list[Any], labels: list[str], look: dict[str, Any]) -> Any:
    from matplotlib.transforms import ScaledTranslation

    dpi = ax.figure.dpi
    room = (_BESIDE if place == "beside" else _width_below(ax)) * 72
    symbol = (2.0 + 0.8 + 2.0) * _SIZE  # handle, gap and pads
    widths = [text.get_window_extent().width * 72 / dpi for text in drawn.get_texts()]
    labels = [_broken(text, width, room - symbol) for text, width in zip(labels, widths, strict=True)]
    entry = min(max(widths), room - symbol) + symbol
    ncols = 1 if place == "beside" else max(1, min(len(labels), int(room // entry)))
    width = drawn.get_title().get_window_extent().width * 72 / dpi
    look = look | {"ncols": ncols, "title": _broken(look["title"] or "", width, room) or None}
    if place == "beside":
        where: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0)}
    elif place == "above":
        where = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "borderpad": 0.2}
    else:
        down = ScaledTranslation(0.0, -_below_axes(ax, drawn) - _GAP, ax.figure.dpi_scale_trans)
        where = {"loc": "upper left", "bbox_to_anchor": (0.0, 0.0), "bbox_transform": ax.transAxes + down}
        where |= {"borderpad": 0.0, "borderaxespad": 0.0}
    ax.set_anchor({"beside": "W", "above": "N", "below": "S"}[place])  # a square stays where its legend is
    moved = ax.legend(handles, labels, **where, **look)
    moved.get_title().set_color(INK)
    size = moved.get_window_extent()
    beyond = size.height - (ax.get_window_extent().height if place == "beside" else 0.0)
    if beyond > 0:
        _grow(ax, 0.0, beyond / dpi)
    return moved


def _width_below(ax: Any) -> float:
    """Inches from the left of the axes to the right of what they may take: a square takes less than it is given."""
    wide = ax.get_window_extent()
    given = ax.get_position(original=True).transformed(ax.figure.transSubfigure)
    return float(max(wide.width, given.x1 - wide.x0) / ax.figure.dpi)


def _below_axes(ax: Any, drawn: Any) -> float:
    """Inches from the axes down to the end of their ticks and label."""
    drawn.set_in_layout(False)
    around, axes = ax.get_tightbbox(), ax.get_window_extent()
    return float(max(axes.y0 - around.y0, 0.0) / ax.figure.dpi)


def _broken(text: str, width: float, room: float) -> str:
    """A text of a width broken into lines that fit in a room; lines that are there stay."""
    if width <= room:
        return text
    longest = max(len(line) for line in text.splitlines())
    return "\n".join(part for line in text.splitlines() for part in wrap(line, max(12, int(longest * room / width))))


def _grow(ax: Any, width: float, height: float) -> None:
    figure = ax.figure
    if hasattr(figure, "set_figheight") and len(figure.axes) == 1:
        figure.set_size_inches(figure.get_figwidth() + width, figure.get_figheight() + height)
        _grown[ax] = (width, height)


def _shrink(ax: Any) -> None:
    """Take back what an older legend of these axes made the figure grow by."""
    width, height = _grown.pop(ax, (0.0, 0.0))
    if width or height:
        ax.figure.set_size_inches(ax.figure.get_figwidth() - width, ax.figure.get_figheight() - height)
