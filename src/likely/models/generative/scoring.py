"""Log densities and posteriors of a table, block by block in threads; the table is never copied whole."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np

from likely import engines
from likely.data.inputs import Batch, Input, SourceInput, batch_rows, whole_table
from likely.distributions.counts.categorical import Categorical
from likely.distributions.product import Product
from likely.errors import InputError
from likely.models.generative.layout import Layout, len_of
from likely.numeric.arrays import Floats, Ints
from likely.numeric.logspace import add_prior_and_softmax
from likely.statistics import Codes, Labelled, SideBySide

_BLOCK = 8  # a prediction block is this part of a learning batch: it stays in cache between its passes


def log_densities(data: Input, layout: Layout, fitted: Product, statistic: Labelled) -> Floats:
    """Log p(x | class) for every row and class."""
    return _in_blocks(data, layout, fitted, statistic, fitted.log_density)


def log_ratios(data: Input, layout: Layout, fitted: Product, statistic: Labelled) -> Floats:
    """Log p(x | class) up to a term that is common to all classes."""
    return _in_blocks(data, layout, fitted, statistic, fitted.log_ratio)


def posteriors(data: Input, layout: Layout, fitted: Product, statistic: Labelled, log_prior: Floats) -> Floats:
    """p(class | x) for every row and class."""

    def score(rows: tuple[Any, ...]) -> Floats:
        joint = fitted.log_ratio(rows)
        add_prior_and_softmax(joint, log_prior)
        return joint

    return _in_blocks(data, layout, fitted, statistic, score)


def query_rows(batch: Any, start: int, layout: Layout, fitted: Product, statistic: Labelled) -> tuple[Any, ...]:
    """A batch in the family's form, ready to be scored."""
    rows = layout.rows(batch, start, learning=False)
    return ready_to_score(rows, range(start, start + len_of(rows)), layout, fitted, statistic)


def ready_to_score(
    rows: tuple[Any, ...], numbers: Sequence[int] | Ints, layout: Layout, fitted: Product, statistic: Labelled
) -> tuple[Any, ...]:
    """Encoded rows with missing cells filled and unknown levels refused as the model wants; their numbers are named."""
    if layout.missing == "impute":
        rows = layout.fill(rows, cast(SideBySide, statistic.given))
    _refuse_unseen(rows, numbers, layout, fitted)
    return rows


def _in_blocks(
    data: Input, layout: Layout, fitted: Product, statistic: Labelled, score: Callable[[tuple[Any, ...]], Floats]
) -> Floats:
    def scored(batch: Batch) -> Floats:
        start, rows = batch
        with layout.naming_cells(range(start, start + len_of((rows,)))):
            return score(query_rows(rows, start, layout, fitted, statistic))

    return np.concatenate(engines.current().map(_blocks(data), scored))


def _blocks(data: Input) -> Iterator[Batch]:
    if isinstance(data, SourceInput):
        yield from data.batches()
        return
    table = whole_table(data)
    size = max(256, batch_rows(data.width) // _BLOCK) if isinstance(table, np.ndarray) else batch_rows(data.width)
    for start in range(0, data.rows, size):
        yield start, table[start : start + size]


def _refuse_unseen(rows: tuple[Any, ...], numbers: Sequence[int] | Ints, layout: Layout, fitted: Product) -> None:
    """With unseen="error", name the first cell that holds a level the model has never seen."""
    for part, values, table in zip(layout.parts, rows, fitted.parts, strict=False):
        if not (isinstance(table, Categorical) and isinstance(values, Codes) and table.unseen == "error"):
            continue
        for j, names in enumerate(values.levels):
            known = set(table.levels[j])
            for code, name in enumerate(names):
                if name in known:
                    continue
                at = np.flatnonzero(values.x[:, j] == code + values.base[j])
                if len(at):
                    column = layout.schema.columns[part.columns[j]].name
                    raise InputError(
                        f"column {column!r}, row {numbers[int(at[0])]} holds {name!r}, never seen in training; "
                        "known are " + ", ".join(map(repr, table.levels[j][:10]))
                    )
