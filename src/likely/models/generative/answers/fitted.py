"""What the functions of this room expect of a generative classifier that has learned something."""

from typing import Any, Protocol, cast

from likely.data.accepted import PriorLike, TableLike
from likely.data.columns.table_form import TableForm
from likely.distributions.combined.product import Product
from likely.models.generative.summing.layout import Layout
from likely.numeric.arrays import Array, Floats
from likely.statistics import Labelled, SideBySide


class FittedGenerative(Protocol):
    """Its layout and its sums, and what is estimated from them."""

    class_prior: Any  # as given; None: learned
    class_alpha: float

    classes_: Array  # (k,)
    class_count_: Array  # (k,)  sum of weights
    class_prior_: Floats  # (k,)
    layout_: Layout
    statistic_: Labelled
    distribution_: Product
    n_features_in_: int
    like_: TableForm | None  # what the user's own table was; None: an array

    @property
    def kinds_(self) -> dict[str, str]: ...

    def predict_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats: ...  # (n, k)


def sums_of_parts(statistic: Labelled) -> tuple[Any, ...]:
    """The statistic of each part of the layout."""
    return cast(SideBySide, statistic.given).parts
