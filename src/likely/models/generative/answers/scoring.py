"""Log densities and posteriors of a table, block by block in threads; the table is never copied whole."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from likely import engines
from likely.data.inputs import Batch, Input, SourceInput, TextInput, batch_rows, whole_table
from likely.models.generative.answers.fitted import FittedGenerative
from likely.models.generative.summing.layout import len_of
from likely.models.traits.ready import Ready, encoded
from likely.numeric.arrays import Floats, Ints
from likely.numeric.logspace import add_prior_and_softmax
from likely.statistics import SideBySide

_BLOCK = 8  # a prediction block is this part of a learning batch: it stays in cache between its passes


def log_densities(model: FittedGenerative, data: Input) -> Floats:
    """Log p(x | class) for every row and class."""
    return _in_blocks(model, data, model.distribution_.log_density)


def log_ratios(model: FittedGenerative, data: Input) -> Floats:
    """Log p(x | class) up to a term that is common to all classes."""
    return _in_blocks(model, data, model.distribution_.log_ratio)


def posteriors(model: FittedGenerative, data: Input, log_prior: Floats) -> Floats:
    """p(class | x) for every row and class."""

    def score(rows: tuple[Any, ...]) -> Floats:
        joint = model.distribution_.log_ratio(rows)
        add_prior_and_softmax(joint, log_prior)
        return joint

    return _in_blocks(model, data, score)


def terms_of_columns(model: FittedGenerative, data: Input) -> Iterator[tuple[int, Floats]]:
    """What each column adds to the log density of each class (n, d, k), and the number of the first row, in blocks."""
    for start, rows in encoded(data, partial(query_rows, model)):
        yield start, model.layout_.columns_in_order(model.distribution_.log_density_terms(rows))


def query_rows(model: FittedGenerative, batch: object, start: int) -> tuple[Any, ...]:
    """A batch in the family's form, ready to be scored."""
    numbers = range(start, start + len_of((batch,)))
    with model.layout_.naming_cells(numbers):
        rows = model.layout_.rows(batch, start, learning=False)
    return ready_to_score(model, rows, numbers)


def ready_to_score(model: FittedGenerative, rows: tuple[Any, ...], numbers: Sequence[int] | Ints) -> tuple[Any, ...]:
    """Encoded rows with missing cells filled and unknown levels refused as the model wants; their numbers are named."""
    if model.layout_.missing == "impute":
        rows = model.layout_.fill(rows, cast(SideBySide, model.statistic_.given))
    with model.layout_.naming_cells(numbers):
        model.distribution_.check_known(rows)
    return rows


def _in_blocks(model: FittedGenerative, data: Input, score: Callable[[tuple[Any, ...]], Floats]) -> Floats:
    def scored(batch: Batch) -> Floats:
        start, rows = batch
        taken = rows if isinstance(data, Ready) else query_rows(model, rows, start)
        with model.layout_.naming_cells(range(start, start + len_of(taken))):
            return score(taken)

    if isinstance(data, TextInput) and data.rows == 1:  # a verdict on one message takes less time than an engine
        return scored((0, data.documents))
    if isinstance(data, SourceInput | TextInput | Ready):  # by batches of the source, or by the texts' length
        return np.concatenate(engines.current().map(data.batches(), scored))
    table, out = whole_table(data), np.empty((data.rows, len(model.class_prior_)))
    size = max(256, batch_rows(data.width) // _BLOCK) if isinstance(table, np.ndarray) else batch_rows(data.width)
    engines.fill(out, size, lambda rows: scored((rows.start, table[rows])))
    return out
