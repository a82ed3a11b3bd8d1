"""Names beside points, each at the corner where it covers least."""

from collections.abc import Sequence
from typing import Any

from likely.errors import InputError
from likely.figures.drawing.canvas import INK
from likely.numeric.arrays import Floats

MOST = 40  # more would cover the points
_SIZE = 8  # in points
_AWAY = 4  # from the point, in points
_FAR = 1_000  # points, beyond every name
_UNREADABLE = 10  # how much worse it is to cover a name than a point or a line


def check_names(names: Any, points: int) -> tuple[str, ...]:
    """Names of points, none or one for each, and not too many to be read."""
    found = tuple(str(name) for name in names) if names is not None else ()
    if found and len(found) != points:
        raise InputError(f"{points} points need as many names, got {len(found)}")
    if len(found) > MOST:
        raise InputError(f"{len(found)} names would cover the points; name at most {MOST}")
    return found


def write_names(ax: Any, names: Sequence[str], points: Floats, apart: Floats | None = None) -> None:
    """Write names beside points (n, 2); other places (m, 2) are kept free as well."""
    ax.margins(0.18)
    ax.autoscale_view()
    ax.figure.draw_without_rendering()  # a layout moves the axes
    write_apart(ax, names, points, [] if apart is None else [around(place) for place in on_the_page(ax, apart)])


def write_apart(ax: Any, names: Sequence[str], points: Floats, taken: Sequence[tuple[float, ...]]) -> None:
    """Write each name at the corner of its point where it covers least: other names, then points and boxes taken.

    Corners are those at the point, and those a line or two of text above and below them.
    """
    places = on_the_page(ax, points)
    full, written = [*map(around, places), *taken, *_beside(ax)], list[tuple[float, ...]]()
    for name, (x, y), at in zip(names, places, points.tolist(), strict=False):
        width, height = 0.6 * _SIZE * len(name), 1.2 * _SIZE
        corners = [
            (side * _AWAY, way * (_AWAY + step * height)) for step in range(3) for way in (1, -1) for side in (1, -1)
        ]
        boxes = {
            (right, up): (left, low, left + width, low + height)
            for right, up in corners
            for left, low in [(x + right - (right < 0) * width, y + up - (up < 0) * height)]
        }
        covered = {
            corner: sum(overlap(box, other) for other in full) + _UNREADABLE * sum(overlap(box, o) for o in written)
            for corner, box in boxes.items()
        }
        right, up = min(corners, key=covered.__getitem__)  # of equals the nearest
        written.append(boxes[right, up])
        ends = {"ha": "left" if right > 0 else "right", "va": "bottom" if up > 0 else "top"}
        ax.annotate(name, at, xytext=(right, up), textcoords="offset points", fontsize=_SIZE, color=INK, **ends)


def _beside(ax: Any) -> list[tuple[float, ...]]:
    """What lies at the left and at the right of the axes, as boxes: names would cross the axis."""
    box, points = ax.get_window_extent(), 72 / ax.figure.dpi
    left, low, right, high = (points * x for x in (box.x0, box.y0, box.x1, box.y1))
    return [(left - _FAR, low, left, high), (right, low, right + _FAR, high)]


def on_the_page(ax: Any, points: Floats) -> list[list[float]]:
    """Places of points (n, 2) on the page, in points."""
    found: list[list[float]] = (ax.transData.transform(points) * 72 / ax.figure.dpi).tolist()
    return found


def around(place: Sequence[float]) -> tuple[float, ...]:
    """The box that a point covers."""
    x, y = place
    return x - 4, y - 4, x + 4, y + 4


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """The area that two boxes (left, low, right, high) share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)
