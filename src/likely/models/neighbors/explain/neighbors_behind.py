"""The neighbours behind an answer: which rows, how far, of which class, and how much each had to say."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.data.accepted import TableLike
from likely.data.printing.html_table import text_as_html
from likely.data.printing.wording import one_by_one
from likely.errors import InputError
from likely.models.neighbors.searching.search import Neighborhoods
from likely.models.traits.evidence import MOST_DESCRIBED
from likely.numeric.arrays import Array, Floats, Ints

if TYPE_CHECKING:
    from likely.models.neighbors.neighbor_model import NeighborModel


@dataclass(frozen=True)
class Voters:
    """Neighbours of each query, nearest first: those of query i are start[i] to start[i + 1]."""

    start: Ints  # (q + 1,)
    row: Ints  # (m,)  numbers of training rows
    distance: Floats  # (m,)
    label: Array  # (m,)  their classes or amounts
    share: Floats  # (m,)  of the vote of their query

    def __len__(self) -> int:
        return len(self.start) - 1

    def frame(self) -> Any:
        """A neighbour a row, as a Polars frame."""
        import polars as pl

        query = np.repeat(np.arange(len(self)), np.diff(self.start))
        columns = {"query": query, "row": self.row, "distance": self.distance}
        return pl.DataFrame({**columns, "label": self.label.tolist(), "share": self.share})

    def describe(self, query: int | None = None, top: int = 10) -> str:
        """The neighbours of every query, or of one, in words; of many queries the first twenty.

        >>> labels, half = np.array(["no", "yes"]), np.array([0.5, 0.5])
        >>> found = Voters(np.array([0, 2]), np.array([4, 1]), np.array([0.5, 1.0]), labels, half)
        >>> print(found.describe())
        2 neighbours
          row 4  no   at 0.5, 50.0 % of the vote
          row 1  yes  at 1, 50.0 % of the vote
        """
        if query is None:
            return one_by_one(lambda one: self.describe(one, top), len(self), MOST_DESCRIBED, "query")
        if not -len(self) <= query < len(self):
            raise InputError(f"there is no query {query}: these are the neighbours of {len(self)}")
        rows = range(self.start[query % len(self)], self.start[query % len(self) + 1])
        labels = [str(label) for label in self.label[rows.start : rows.stop].tolist()]
        wide, long = max(map(len, labels)), len(str(self.row[rows.start : rows.stop].max()))
        lines = [f"{len(rows)} neighbour{'s' * (len(rows) != 1)}"]
        for at, label in list(zip(rows, labels, strict=True))[:top]:
            said = f"at {self.distance[at]:.4g}, {self.share[at]:.1%} of the vote".replace("%", " %")
            lines.append(f"  row {self.row[at]:>{long}}  {label:<{wide}}  {said}")
        more = [f"  ... and {len(rows) - top} more"] if len(rows) > top else []
        return "\n".join([*lines, *more])

    def __str__(self) -> str:
        return one_by_one(self.describe, len(self), 3, "query")

    _repr_html_ = text_as_html


def voters(model: "NeighborModel", X: TableLike) -> Voters:
    """The neighbours behind the answers of a model of them."""

    def told(_: slice, near: Neighborhoods) -> tuple[Ints, Ints, Floats, Floats]:
        size = model._weigh(near)
        total = np.bincount(near.owner, size, len(near.start) - 1)
        return np.diff(near.start), near.row, near.distance, size / total[near.owner]

    found = model.search_.each(model._points(X), model._k, told)
    count, row, distance, share = (np.concatenate(part) for part in zip(*found, strict=True))
    y = model.known_.y
    label = model.classes_[y[row]] if hasattr(model, "classes_") else y[row]
    return Voters(np.concatenate([[0], np.cumsum(count)]), row, distance, label, share)
