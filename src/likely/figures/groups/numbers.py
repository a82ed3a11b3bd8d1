"""What speaks for every number of clusters: error, BIC, silhouette with its interval, and stability."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike
from likely.errors import check_type
from likely.figures.drawing.canvas import INK, Axes, Drawn, canvas, colour, panels, plain_names
from likely.models.clustering import ClusterNumbers, choose_clusters


@dataclass(eq=False)
class ClusterNumbersDisplay(Drawn):
    """Four criteria over the numbers of clusters; what each would choose is marked.

    >>> import matplotlib; matplotlib.use("agg")
    >>> centres = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 20, axis=0)
    >>> rows = centres + np.random.default_rng(0).normal(size=(60, 2))
    >>> display = ClusterNumbersDisplay.from_values(rows, 4, resamples=3, null=19)
    >>> display.frame()["clusters"].to_list()
    [1, 2, 3, 4]
    >>> matplotlib.pyplot.close(display.figure_)
    """

    found: ClusterNumbers  # what `choose_clusters` gave

    @classmethod
    def from_values(cls, X: TableLike, max_clusters: int = 10, *, ax: Axes | None = None, **options: Any) -> Self:
        """Compare numbers of clusters of rows X by `choose_clusters`, whose options these are, and draw."""
        return cls(choose_clusters(X, max_clusters, **options)).plot(ax)

    @classmethod
    def from_numbers(cls, found: ClusterNumbers, *, ax: Axes | None = None) -> Self:
        """Draw what `choose_clusters` has found."""
        check_type(found, ClusterNumbers, "what choose_clusters returns")
        return cls(found).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw in four panels on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax, 6.4, 5.2)
        chosen = self.found.by_criterion()
        curves = {
            "mean squared error": (self.found.error, None, None),
            "BIC": (self.found.bic, None, chosen["bic"]),
            "silhouette": (*_ends(self.found.silhouette), chosen["silhouette"]),
            "stability": (self.found.stability, None, chosen["stability"]),
        }
        for place, (name, (value, reach, best)) in zip(panels(self.ax_, 4, 2), curves.items(), strict=True):
            canvas(place)
            shown = np.isfinite(value)
            bars = None if reach is None else reach[:, shown]
            place.errorbar(self.found.numbers[shown], value[shown], bars, fmt="o-", color=colour(0), ms=4, lw=1.3)
            if best is not None and shown[best - 1]:
                mark = {"markersize": 11, "markerfacecolor": "none", "markeredgecolor": INK, "gid": "chosen"}
                place.plot([best], [value[best - 1]], "o", **mark)
            place.set(xlabel="clusters", ylabel=name, xlim=(0.5, self.found.numbers[-1] + 0.5))
            place.xaxis.get_major_locator().set_params(integer=True)
        return self

    def frame(self) -> Any:
        """The criteria, as a Polars frame."""
        return self.found.frame()


def _ends(estimates: Any) -> tuple[Any, Any]:
    value = np.array([np.nan if each is None else each.value for each in estimates])
    low = np.array([np.nan if each is None else max(each.value - each.low, 0.0) for each in estimates])
    high = np.array([np.nan if each is None else max(each.high - each.value, 0.0) for each in estimates])
    return value, np.stack([low, high])
