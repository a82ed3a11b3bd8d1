"""The design matrix: every column of a table as columns of numbers, each of which knows where it comes from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from likely.data.accepted import TableLike
from likely.data.columns.kinds import Kinds
from likely.data.columns.schema import schema_of
from likely.data.design.blocks import Block, block_of
from likely.data.design.plan import DesignPlan
from likely.data.inputs import read_input
from likely.numeric.arrays import Array, Floats, Ints
from likely.statistics import SideBySide, sum_of

_SPARSE_BELOW = 0.15  # of the cells that are not 0: below, a sparse matrix takes less room and time
_WIDE = 64  # columns: narrower matrices stay dense


class DesignColumn(NamedTuple):
    """One column of the matrix."""

    source: int  # the column of the table
    label: str  # as in "colour=red"


@dataclass(frozen=True)
class Design:
    """A learned encoding: rows of the table in, rows of numbers out.

    `names` are the columns of the matrix, `source` (m,) the column of the table that each comes from, so that what a
    model says of the matrix's columns can be added up for those of the table.

    A level that no training row has is no level of the matrix: all its columns are 0, and it says nothing. A gap where
    no training row has one is the mean of its columns, and says nothing either.
    """

    plan: DesignPlan  # which columns are encoded, and how
    blocks: tuple[Block, ...]  # what was learned of each part of the table
    density: float  # share of cells that are not 0, in training rows
    stored_as: ClassVar[str] = "Design"

    @classmethod
    def learned(cls, plan: DesignPlan, statistic: SideBySide) -> Self:
        """From the sums of the training rows."""
        blocks = tuple(block_of(plan, part, seen) for part, seen in zip(plan.parts, statistic.parts, strict=True))
        width = sum(block.width for block in blocks)
        filled = sum(block.filled for block in blocks)
        return cls(plan, blocks, filled / max(width, 1))

    @classmethod
    def of(cls, X: TableLike, kinds: Kinds = None, **options: Any) -> Self:
        """Learned from a table; `kinds` overrides the kinds of columns that are guessed, options are the plan's.

        >>> import polars as pl
        >>> table = pl.DataFrame({"pay": [1.0, 3.0], "town": ["Rome", "Oslo"]})
        >>> design = Design.of(table, standardize=False)
        >>> design.names, design.transform(table.head(1))
        (('pay', 'town=Oslo', 'town=Rome'), array([[1., 0., 1.]]))
        """
        data = read_input(X)
        plan = DesignPlan.of(schema_of(data, kinds), centred=not getattr(data, "sparse", False), **options)
        return cls.learned(plan, sum_of([plan.summarize(batch, start) for start, batch in data.batches()]))

    def transform(self, X: TableLike) -> Any:
        """The rows of a table as a matrix, its columns brought in line by name."""
        data = self.plan.schema.align(read_input(X), "the design")
        blocks = [self.matrix(batch, start) for start, batch in data.batches()]
        if not self.sparse:
            return np.concatenate(blocks)
        from scipy.sparse import vstack

        return vstack(blocks, format="csr")

    @cached_property
    def columns(self) -> tuple[DesignColumn, ...]:
        """The columns of the matrix in their order."""
        names = self.plan.schema.names
        return tuple(
            DesignColumn(source, names[source] + suffix) for block in self.blocks for source, suffix in block.labels
        )

    @property
    def names(self) -> tuple[str, ...]:
        """What each column of the matrix is, such as town=Rome."""
        return tuple(column.label for column in self.columns)

    @cached_property
    def source(self) -> Ints:
        """The column of the table behind each column of the matrix (m,)."""
        return np.array([column.source for column in self.columns], dtype=np.int64)

    @property
    def width(self) -> int:
        """Columns of the matrix."""
        return len(self.columns)

    @property
    def sparse(self) -> bool:
        """Whether matrices are sparse: those of sparse tables, and of many columns that are mostly 0."""
        return not self.plan.centred or (self.width >= _WIDE and self.density < _SPARSE_BELOW)

    def matrix(self, batch: Any, start: int = 0) -> Any:
        """The rows of a batch (n, m), as an array or a CSR matrix; `start` is the number of the first, for messages."""
        return self.matrix_of(self.plan.rows(batch, start, learning=False))

    def matrix_of(self, encoded: tuple[Any, ...]) -> Any:
        """The rows of a batch that is encoded already, by `plan.rows`."""
        if self.sparse:
            from scipy.sparse import hstack

            return hstack([block.sparse(rows) for block, rows in zip(self.blocks, encoded, strict=True)], format="csr")
        if len(self.blocks) == 1:
            return self.blocks[0].dense(encoded[0])
        first = encoded[0]
        out = np.empty((first.shape[0] if hasattr(first, "shape") else len(first), self.width))
        at = 0
        for block, rows in zip(self.blocks, encoded, strict=True):
            out[:, at : at + block.width] = block.dense(rows)
            at += block.width
        return out

    def by_source(self, terms: Floats) -> Floats:
        """What belongs to columns of the matrix (..., m), added up for those of the table (..., d).

        >>> import polars as pl
        >>> from likely.data.inputs import read_input
        >>> from likely.data.columns.schema import schema_of
        >>> table = pl.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]})
        >>> plan = DesignPlan.of(schema_of(read_input(table)))
        >>> plan.design(plan.summarize(table)).by_source(np.array([10.0, 1.0, 2.0]))  # b, a=x, a=y
        array([ 3., 10.])
        """
        terms = np.asarray(terms, dtype=np.float64)
        out = np.zeros((*terms.shape[:-1], self.plan.schema.width))
        np.add.at(np.moveaxis(out, -1, 0), self.source, np.moveaxis(terms, -1, 0))
        return out

    @cached_property
    def affine(self) -> tuple[Floats, Floats, Array]:
        """Centre and scale (m,) of each column, and whether (m,) it is a number of the table: (x - centre) / scale.

        Of indicators and words the centre is 0 and the scale 1. They bring the weights of standardised columns to the
        units of the table.
        """
        centre, scale, plain = (np.concatenate([getattr(b, name) for b in self.blocks]) for name in _AFFINE)
        return centre, scale, plain


_AFFINE = ("centre", "scale", "plain")
