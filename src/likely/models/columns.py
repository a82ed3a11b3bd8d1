"""The columns of X, for every estimator: how a table is read, what is remembered of it, how later ones are aligned.

What an estimator remembers of the table that it learned from is `schema_`: names, kinds and declared levels of the
columns. A later table is brought in line with it, by name where both have names, by place otherwise. What
is learned is kept in one state, exchanged whole (`likely.models.traits.state`).
"""

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.schema import Schema
from likely.data.inputs import Input, SourceInput, read_input
from likely.data.labels.target import are_texts, split_target, target_name
from likely.errors import InputError, NotFittedError
from likely.models.traits.ready import Ready
from likely.models.traits.state import Stateful
from likely.numeric.arrays import Array


class Columns(Stateful):
    """Tables in, and what was learned of them kept or forgotten."""

    schema_: Schema
    n_features_in_: int
    feature_names_in_: Array  # (d,)  only where the table named its columns

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            name = type(self).__name__
            raise NotFittedError(
                f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments before using it."
            )

    def _query(self, X: TableLike) -> Input:
        """The user's table, its columns as they were learned; rows that were made ready as they are."""
        self._check_fitted()
        return cast(Input, X) if isinstance(X, Ready) else self._align(self._read(X))

    def _read(self, X: TableLike) -> Input:
        """The user's table."""
        return read_input(X)

    def _align(self, data: Input) -> Input:
        """A later table in line with the columns that were learned."""
        return self.schema_.align(data, type(self).__name__)

    def _labelled(self, X: TableLike, y: TargetLike) -> Iterator[tuple[Any, Any]]:
        """Features and targets, piece by piece for a file; y may be the name of a column of X."""
        table = self._read(X)
        if not isinstance(table, SourceInput):
            yield split_target(table, y)
            return
        name = target_name(table, y)
        if name is None:
            raise InputError("to score a file, name its target column: score(scan(path), 'column')")
        table = table.with_text([*self.schema_.texts, *([name] if self._classes_are_text() else [])])
        yield from ((frame.drop(name), frame[name]) for _, frame in table.batches())

    def _classes_are_text(self) -> bool:
        return are_texts(getattr(self, "classes_", None))

    def _remember(self, schema: Schema) -> None:
        """Keep the columns of the table that is learned from."""
        self.schema_ = schema
        names = {"feature_names_in_": np.array(schema.names, dtype=object)} if schema.named else {}
        self._become({"n_features_in_": schema.width, **names})
