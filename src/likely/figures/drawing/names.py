"""Names beside points, each at the corner where it covers least."""

from collections.abc import Sequence
from typing import Any

from likely.errors import InputError
from likely.figures.drawing.canvas import INK
from likely.numeric.arrays import Floats

MOST = 40  # more would cover the points
_SIZE = 8  # in points


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
    """Write each name at the corner of its point where it covers least: points, boxes that are taken, other names."""
    places = on_the_page(ax, points)
    full = [*map(around, places), *taken]
    for name, (x, y), at in zip(names, places, points.tolist(), strict=False):
        width, height = 0.6 * _SIZE * len(name), 1.2 * _SIZE
        boxes = {
            (right, up): (left, low, left + width, low + height)
            for up in (True, False)
            for right in (True, False)
            for left, low in [(x + 4 if right else x - 4 - width, y + 4 if up else y - 4 - height)]
        }
        right, up = min(boxes, key=lambda corner: sum(overlap(boxes[corner], other) for other in full))
        full.append(boxes[right, up])
        ends = {"ha": "left" if right else "right", "va": "bottom" if up else "top"}
        away = (4 if right else -4, 4 if up else -4)
        ax.annotate(name, at, xytext=away, textcoords="offset points", fontsize=_SIZE, color=INK, **ends)


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
