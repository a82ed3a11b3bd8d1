"""Density ellipses drawn: the points at so many standard deviations (Mahalanobis) from a mean in the plane."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.distributions.family import Distribution
from likely.figures.drawing.canvas import Axes
from likely.numeric.arrays import Floats
from likely.probability import Ellipse


def draw_ellipses(
    ax: Axes, mean: Any, covariance: Any, shade: str, radii: Sequence[float] = (1.0,), label: str | None = None
) -> None:
    """The mean as a cross and the ellipses around it, the first one darkest; a label goes to that one."""
    for place, radius in enumerate(radii):
        line: dict[str, Any] = {
            "lw": 1.6 if place == 0 else 0.9,
            "gid": "ellipse",
            "label": label if place == 0 else None,
        }
        ax.plot(*outline(Ellipse.of_covariance(covariance, mean, radius)).T, color=shade, **line)
    ax.plot(*np.asarray(mean, dtype=np.float64)[:, None], marker="+", color=shade, markersize=8)


def outline(ellipse: Ellipse) -> Floats:
    """Points along an ellipse (181, 2), the first one again at the end."""
    turn = np.linspace(0, 2 * np.pi, 181)
    circle = np.linalg.cholesky(np.array(ellipse.covariance)) @ np.stack([np.cos(turn), np.sin(turn)])
    return np.asarray(ellipse.mean + ellipse.radius * circle.T)


def moments_of(law: Distribution) -> tuple[Floats, Floats] | None:
    """Means (k, d) and covariances (k, d, d) of the members of a Gaussian law; None for another law."""
    return getattr(law, "as_gaussians", lambda: None)()
