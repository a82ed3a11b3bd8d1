"""Draw labelled rows from a fitted model: first the class from the prior, then the features from the class."""

from dataclasses import replace
from typing import Any

import numpy as np

from likely.models.generative.answers.fitted import FittedGenerative
from likely.numeric.arrays import Array
from likely.numeric.random_state import Seed, as_generator
from likely.statistics import Codes
from likely.statistics.counting.words import Tokens


def draw(model: FittedGenerative, rows: int, random_state: Seed) -> tuple[Any, Array]:
    """Rows as a frame in the table's own columns, an array or a list of texts when the table was one; their classes."""
    rng = as_generator(random_state)
    member = rng.choice(len(model.classes_), size=rows, p=model.class_prior_)
    layout = model.layout_
    drawn = model.distribution_.sample(member, rng)
    absent = drawn[len(layout.parts)] > 0 if layout.missing == "evidence" else None
    columns: dict[int, Any] = {}
    for part, values in zip(layout.parts, drawn, strict=False):
        values = _middles(values, part.cuts) if part.cuts else values
        for i, j in enumerate(part.columns):
            columns[j] = _column(values, i, absent[:, j] if absent is not None else None)
    y = model.classes_[member]
    if layout.schema.named or model.like_ is not None:
        return _frame(model, columns), y
    if layout.columns_with("tokens"):
        return columns[0], y  # texts by themselves
    return np.column_stack([_as_numbers(columns[j]) for j in range(layout.schema.width)]), y


def _middles(values: Codes, cuts: Any) -> Codes:
    """Bins of numbers as the middles between their cut points; of the outer ones, the cut point itself."""

    def middle(cut: Any, level: Any) -> float:
        edges = [cut[0], *cut, cut[-1]] if cut else [0.0, 0.0]
        return float(edges[level] / 2 + edges[level + 1] / 2)

    levels = tuple(
        names if cut is None else tuple(middle(cut, name) for name in names)
        for names, cut in zip(values.levels, cuts, strict=True)
    )
    return replace(values, levels=levels)


def _column(values: object, i: int, absent: Array | None) -> list[Any]:
    if isinstance(values, Codes):
        names = values.levels[i]
        column = [names[c] if c >= 0 else None for c in values.x[:, i].tolist()]
    elif isinstance(values, Tokens):
        column = values.texts()
    else:
        column = [None if v != v else v for v in np.asarray(values)[:, i].tolist()]
    if absent is not None:
        column = [None if gone else v for v, gone in zip(column, absent.tolist(), strict=True)]
    return column


def _as_numbers(column: list[Any]) -> Array:
    return np.array([np.nan if v is None else v for v in column], dtype=np.float64)


def _frame(model: FittedGenerative, columns: dict[int, Any]) -> Any:
    import polars as pl

    from likely.data.frames import from_polars

    series = []
    for j, column in enumerate(model.layout_.schema.columns):
        values = columns[j]
        whole = column.dtype.startswith(("Int", "UInt"))
        if column.dtype == "Boolean":
            values = [None if v is None else bool(v) for v in values]
        elif whole and all(v is None or not isinstance(v, str) for v in values):
            values = [None if v is None else round(v) for v in values]
        dtype = pl.Enum(column.levels) if column.levels else None
        series.append(pl.Series(column.name, values, dtype=dtype, strict=False))
    return from_polars(pl.DataFrame(series), pl.DataFrame() if model.like_ is None else model.like_.template())
