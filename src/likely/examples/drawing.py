"""Pictures of laws that are given, not fitted: curves on a line, ellipses and regions in the plane, bars of counts.

What is fitted to rows or judged on them is drawn by the Displays of `likely.figures`.
"""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.decisions import Region, decision_regions
from likely.distributions import Gaussian
from likely.errors import InputError
from likely.examples.worked import Worked
from likely.figures import BAND, INK, canvas, colour, legend


def gaussian_curves(
    ax: Any,
    mean: Any,
    deviation: Any,
    prior: Any = (0.5, 0.5),
    names: Sequence[str] = ("class 1", "class 2"),
    regions: Sequence[Region] = (),
    errors: bool = False,
) -> None:
    """Two weighted normal curves; where they are decided apart, and what is lost there if `errors`."""
    canvas(ax)
    mean, deviation, prior = (np.asarray(part, dtype=float) for part in (mean, deviation, prior))
    low, high = float((mean - 4 * deviation).min()), float((mean + 4 * deviation).max())
    cuts = [region.high for region in regions[:-1]]
    x = np.union1d(np.linspace(low, high, 601), cuts)
    height = _weighted(x, mean, deviation, prior)
    for k, name in enumerate(names):
        ax.plot(x, height[:, k], color=colour(k), lw=1.8, label=f"{name}: N({mean[k]:g}, {deviation[k]:.3g}²)")
    for region in regions:
        inside = (x >= region.low) & (x <= region.high)
        lost = height[inside, 1 - region.member] if errors else height[inside, region.member]
        shade = colour(1 - region.member) if errors else colour(region.member)
        ax.fill_between(x[inside], 0, lost, color=shade, alpha=0.35 if errors else BAND, linewidth=0)
    for cut in cuts:
        ax.axvline(cut, color=INK, lw=1, ls="--")
        ax.annotate(f"{cut:.3f}", (cut, 1.0), xycoords=("data", "axes fraction"), ha="center", va="bottom", fontsize=8)
    ax.set(xlabel="x", ylabel="prior × density", xlim=(low, high))
    ax.set_ylim(0, 1.25 * float(height.max()))
    legend(ax)


def plane(ax: Any, model: Any, names: Sequence[str], x: NDArray[Any], y: NDArray[Any]) -> None:
    """The regions in which a classifier, or the best rule of a population, says each class."""
    from matplotlib.colors import ListedColormap

    canvas(ax)
    code = decision_regions(model, x, y).code
    shades = ListedColormap([colour(k) for k in range(len(names))])
    ax.pcolormesh(x, y, code, cmap=shades, vmin=0, vmax=len(names) - 1, alpha=BAND, linewidth=0, rasterized=True)
    for k in range(len(names)):
        if (code == k).any() and not (code == k).all():
            ax.contour(x, y, code == k, levels=[0.5], colors=INK, linewidths=0.9)
    ax.set(xlabel="x1", ylabel="x2", aspect="equal", xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))


def ellipse(ax: Any, mean: Any, covariance: Any, shade: str, radii: Sequence[float] = (1.0,), label: str = "") -> None:
    """The points at so many standard deviations (Mahalanobis) from a mean."""
    turn = np.linspace(0, 2 * np.pi, 181)
    circle = np.linalg.cholesky(np.asarray(covariance, dtype=float)) @ np.stack([np.cos(turn), np.sin(turn)])
    for place, radius in enumerate(radii):
        across, up = np.asarray(mean, dtype=float)[:, None] + radius * circle
        ax.plot(across, up, color=shade, lw=1.5 if place == 0 else 0.9, label=label if place == 0 and label else None)
    ax.plot(*np.asarray(mean, dtype=float), marker="+", color=shade, markersize=8)


def points(ax: Any, rows: NDArray[Any], y: Any, names: Sequence[str], said: Any = None) -> None:
    """Rows by their class; a ring around those of which something else was said."""
    for k, name in enumerate(names):
        own = rows[np.asarray(y) == name]
        ax.scatter(own[:, 0], own[:, 1], s=11, color=colour(k), label=f"{name} ({len(own)})", linewidths=0)
    if said is not None:
        wrong = np.asarray(y) != np.asarray(said)
        text = f"said otherwise ({int(wrong.sum())})"
        ax.scatter(rows[wrong, 0], rows[wrong, 1], s=34, facecolors="none", edgecolors=INK, linewidths=0.7, label=text)


def class_histogram(ax: Any, values: NDArray[Any], y: NDArray[Any], name: str, unit: str, cut: float) -> None:
    """How many rows of each class have each whole value, and the line at which the more frequent class changes."""
    canvas(ax)
    levels = np.arange(values.min(), values.max() + 1)
    for k, label in enumerate(sorted(set(y.tolist()))):
        own = values[y == label]
        counts = [int((own == level).sum()) for level in levels]
        ax.bar(levels, counts, 0.95, color=colour(k), alpha=0.55, label=f"{label} ({len(own)})")
    ax.axvline(cut, color=INK, lw=1, ls="--", label=f"decision line {cut:g} {unit}")
    ax.set(xlabel=f"{name} ({unit})", ylabel="rows")
    ax.set_xticks(levels[::2])
    share = ax.secondary_yaxis("right", functions=(lambda n: n / sum(y == y[0]), lambda p: p * sum(y == y[0])))
    share.set_ylabel("share of the class", color=INK)
    share.tick_params(colors=INK, labelsize=9)
    legend(ax)


def save_figure(result: Worked, path: str) -> None:
    """Draw an example into a file, whose name tells the format; nothing is written if drawing fails."""
    from matplotlib.figure import Figure

    if result.figure is None:
        raise InputError("this example has no figure")
    figure = Figure(figsize=result.size, layout="constrained")
    result.figure(figure.subplots())
    drawn = BytesIO()
    figure.savefig(drawn, format=Path(path).suffix[1:].lower(), dpi=150)
    Path(path).write_bytes(drawn.getvalue())


def panels(ax: Any, count: int) -> list[Any]:
    """Axes side by side in place of one."""
    ax.set_axis_off()
    width = 1.0 / count
    return [ax.inset_axes((i * width + 0.05, 0.12, width - 0.07, 0.76)) for i in range(count)]


def _weighted(x: NDArray[Any], mean: NDArray[Any], deviation: NDArray[Any], prior: NDArray[Any]) -> NDArray[Any]:
    density: NDArray[Any] = np.exp(Gaussian(mean[:, None], np.square(deviation)[:, None]).log_density(x[:, None]))
    return np.asarray(density * prior)
