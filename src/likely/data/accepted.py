"""What is accepted as a table and as a target: the names by which signatures say it.

Contracts, not ancestors: whatever has the methods is accepted, and no library is imported to say so. What is none of
these is refused where it is read, by `read_input` and `read_target`.
"""

import os
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from numpy.typing import ArrayLike

from likely.numeric.arrays import Array

if TYPE_CHECKING:
    from likely.data.inputs import Input
    from likely.data.labels.target import Target
    from likely.data.sources.source import TableSource


ClassNames: TypeAlias = Sequence[Hashable] | Array | None  # None: their places, or all that come
ClassWeight: TypeAlias = (
    Mapping[Any, float] | str | None
)  # by the classes' names, or "balanced"; None: each row counts 1


class Indexed(Protocol):
    """Has parts in an order or by names: an array, a list, a frame, a mapping of columns, a series."""

    def __getitem__(self, key: Any, /) -> Any: ...


class SparseMatrix(Protocol):
    """A sparse matrix in one of SciPy's forms."""

    def tocsr(self) -> Any: ...


class ArrowStream(Protocol):
    """Gives its rows as Arrow batches, perhaps once."""

    def __arrow_c_stream__(self, requested_schema: Any = None, /) -> object: ...


class HasValue(Protocol):
    """An estimate of numbers, as of the shares of classes."""

    @property
    def value(self) -> Array: ...


class Prepared:
    """Rows that were read before, in the form of a model that takes them again: no table of a user's."""


if TYPE_CHECKING:
    TableLike: TypeAlias = Indexed | SparseMatrix | ArrowStream | TableSource | os.PathLike[str] | Input | Prepared
    TargetLike: TypeAlias = Indexed | Target | None
    PriorLike: TypeAlias = ArrayLike | Mapping[Any, float] | HasValue
else:  # names for signatures as they are printed, and for this library's reference

    class TableLike:
        """A table of features, of any of these kinds; checkers of types know it as their union.

        An array or a list of rows, a sparse matrix, a frame of pandas, Polars, PyArrow or any other library that
        narwhals knows, a mapping of columns, a list of rows that are mappings, a list of texts, a stream of Arrow
        batches, the path of a file, or what `scan` gives. A name for signatures: nothing is made of it.

        >>> from likely.models import Classifier
        >>> class AlwaysYes(Classifier):
        ...     def predict(self, X: TableLike) -> list[str]:
        ...         return ["yes"] * self._read(X).rows
        >>> AlwaysYes().predict([[1.0, 2.0]]), AlwaysYes().predict({"age": [30, 41]})
        (['yes'], ['yes', 'yes'])
        """

    class TargetLike:
        """The class of each row, or for a regression its amount; beside a table also the name of its column.

        An array, a list or a series; None where a file was scanned for its target, or where there is none. A name for
        signatures: nothing is made of it.

        >>> from likely.data import read_target
        >>> def n_classes(y: TargetLike) -> int:
        ...     return len(read_target(y).classes)
        >>> n_classes(["ham", "spam", "ham"])
        2
        """

    class PriorLike:
        """Shares of the classes: a mapping by their names, one number for each, "uniform", or an estimate of them.

        An estimate is what `likely.decisions.estimate_prior` finds. A name for signatures: nothing is made of it.

        >>> from likely import NaiveBayes
        >>> def asked(row: TableLike, prior: PriorLike) -> float:
        ...     model = NaiveBayes().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"])
        ...     return round(float(model.predict_proba(row, prior=prior)[0, 1]), 2)
        >>> asked([[1.5]], "uniform"), asked([[1.5]], {"no": 0.8, "yes": 0.2}), asked([[1.5]], [0.8, 0.2])
        (0.5, 0.2, 0.2)
        """
